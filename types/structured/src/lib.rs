//! Records with fields by path, over ragged batches.
//!
//! A [`Structured`] value is one record, or a batch of records: a list of orders, each of which has a customer and a list
//! of items, say. Each field holds the numbers or texts of all records as one ragged tensor, so ops run on all of them at
//! once. [`promote`](Structured::promote) and [`partition`](Structured::partition) move fields and rows between levels.
//!
//! ```
//! use extype::prelude::*;
//! use extype_ragged::RowPartition;
//! use extype_structured::{Structured, Value};
//!
//! let item = |price: f64| Value::record([("price", price)]);
//! let order = |id: i64, items: Vec<Value>| {
//!     Value::record([("id", Value::from(id)), ("items", Value::List(items))])
//! };
//! let orders = Structured::of(&Value::List(vec![
//!     order(7, vec![item(2.5), item(4.0)]),
//!     order(8, vec![]),
//!     order(9, vec![item(1.0)]),
//! ]))?;
//! let prices = orders.values(&["items", "price"])?;
//! assert_eq!(prices.to_string(), "[[2.5, 4.0], [], [1.0]]");
//! let orders = orders.with_updates([(&["total"][..], Some(ops::reduce_sum(&prices, 1, false)?.into()))])?;
//! assert_eq!(orders.at(0)?.values(&["total"])?.to_string(), "6.5");
//! // The first customer has two of the orders.
//! let customers = orders.partition(RowPartition::from_lengths([2i64, 1])?)?;
//! assert_eq!(customers.values(&["id"])?.to_string(), "[[7, 8], [9]]");
//! # Ok::<(), Error>(())
//! ```

mod levels;
mod structured;
mod value;

pub use structured::{Field, FieldSpec, Structured, StructuredSpec};
pub use value::Value;
