//! Tensors whose axes have names.
//!
//! [`Labeled`] operands meet by the names of their axes, wherever these stand: a table of `[year, place]` plus one of
//! `[place]` adds to each year, with no axis counted or put in. Reductions, products, selections and orders are told by
//! names too, and errors name the axes.
//!
//! ```
//! use extype::prelude::*;
//! use extype_labeled::Labeled;
//!
//! let rain = Labeled::of([[1.0f32, 2.0], [3.0, 4.0], [5.0, 9.0]], &["year", "place"])?;
//! let mean = rain.mean(&["year"])?;
//! assert_eq!(mean.to_string(), "[place: 2] [3. 5.]");
//! let above = ops::sub(&rain, &mean)?;
//! assert_eq!(above.at("year", 2)?.values.as_slice::<f32>()?, &[2.0, 4.0]);
//! let weights = Labeled::of([0.5f32, 0.5], &["place"])?;
//! assert_eq!(rain.dot(&weights, &["place"])?.values.as_slice::<f32>()?, &[1.5, 3.5, 7.0]);
//! let e = ops::add(&rain, &Labeled::of([1.0f32, 2.0], &["year"])?).unwrap_err();
//! assert!(e.message().contains("axis `year` has size 3 on the left, and 2 on the right"));
//! # Ok::<(), Error>(())
//! ```

mod labeled;
mod names;
mod stack;

pub use labeled::{Labeled, LabeledSpec};
