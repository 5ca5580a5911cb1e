//! Tensors, traced functions and user-declared tensor types in the manner of TensorFlow 2.
//!
//! ```
//! use extype::prelude::*;
//!
//! let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
//! let y = (&x * 2.0 + 1.0).tanh()?;
//! assert_eq!(y.reduce_sum(1, KeepDims)?.shape(), shape![2, 1]);
//! # Ok::<(), Error>(())
//! ```
//!
//! # Where to begin
//!
//! | look at | for |
//! | --- | --- |
//! | [`prelude`] | the common imports: `use extype::prelude::*;` |
//! | [`Tensor`], [`tensor!`](crate::tensor!) | numbers with a dtype and a shape, and how to write them down |
//! | [`ops`] | every op as a function, by subject; [`ops::methods`] has them as methods, [`numpy`] other names |
//! | [`ExtensionType`](macro@ExtensionType) | a type of your own, made of tensors |
//! | [`dispatch`](macro@dispatch) | what ops do with it |
//! | [`tf_function`](macro@tf_function), [`function()`] | functions that are traced once and run as graphs |
//! | [`Variable`], [`Module`](macro@Module) | mutable state, and objects that hold it |
//! | [`GradientTape`], [`grad`] | gradients, of types of your own too |
//! | [`data`] | datasets: typed pipelines of elements |
//! | [`train`] | optimizers, schedules, losses |
//! | [`define_op!`](crate::define_op!) | an op of your own |
//!
//! Every error is an [`Error`]. A [`Shape`] may be partly unknown. Random numbers are in [`random`], explicit
//! control flow is in [`control`]. The guide is in the folder `docs/guide` of the repository.
//!
//! # The modules
//!
//! The modules are layers, each of which uses only the ones before it: [`types`], [`mod@array`], [`ir`],
//! [`device`], [`mod@tensor`], [`ops`], [`numpy`], [`spec`], [`random`], [`trace`], [`compile`], [`mod@function`],
//! [`gradient`], [`control`], [`data`], `linalg`, `fft` and `signal` (features), [`mod@image`], [`train`].

#![deny(unsafe_code)]

extern crate self as extype;

// First, so that the page of `Tensor` begins with the methods of this module, before those of `ops`.
pub mod tensor;

pub mod array;
pub mod compile;
pub mod control;
pub mod data;
pub mod device;
#[cfg(feature = "fft")]
pub mod fft;
pub mod function;
pub mod gradient;
pub mod image;
pub mod ir;
#[cfg(feature = "linalg")]
pub mod linalg;
pub mod numpy;
pub mod ops;
pub mod random;
pub mod resources;
#[cfg(feature = "formats")]
pub mod saved;
#[cfg(feature = "fft")]
pub mod signal;
pub mod spec;
mod sync;
pub mod trace;
pub mod train;
pub mod types;

pub mod prelude;

#[doc(hidden)]
pub mod __private;

#[doc(inline)]
pub use control::{Jacobian, hessian, jacobian};
#[doc(inline)]
pub use extype_macros::{
    ExtensionType, Module, StaticData, TraceType, compounds, define_op, dispatch, overrides,
    tf_function,
};
#[doc(inline)]
pub use function::{ConcreteFunction, Function, function};
#[doc(inline)]
pub use gradient::{
    GradientTape, Gradients, custom_gradient, grad, hvp, jvp, recompute, value_and_grad, vjp,
};
#[doc(inline)]
pub use spec::{
    ExtensionType, Module, StaticData, Structure, TensorSpec, TraceType, TypeSpec, Validate, nest,
};
#[doc(inline)]
pub use tensor::{Late, Tensor, TensorLike, Variable, init_scope, scalar};
#[doc(inline)]
pub use types::{DType, Dim, Error, ErrorKind, Result, Shape};
