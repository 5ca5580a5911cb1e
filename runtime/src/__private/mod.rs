//! What generated code names. Outside of semantic versioning: use nothing of it by hand.

pub use core::any::{TypeId, type_name};
pub use core::convert::Infallible;
pub use core::marker::PhantomData;
pub use core::panic::Location;
pub use std::collections::BTreeMap;
pub use std::string::String;
pub use std::sync::{Arc, OnceLock};
pub use std::vec;
pub use std::vec::Vec;

pub use inventory;
#[cfg(feature = "serde")]
pub use serde;

mod assertions;
mod classes;
mod fields;
mod functions;
mod handlers;
mod literals;
mod overrides;
mod scaffold;

pub use assertions::*;
pub use classes::*;
pub use fields::*;
pub use functions::*;
pub use handlers::*;
pub use literals::*;
pub use overrides::*;
use smallvec::SmallVec;

pub use crate::control::autograph;
pub use crate::control::cast::JoinEntry;
pub use crate::function::{BoundFunction, FunctionOptions, FunctionState, Returned};
pub use crate::ops::operators::{Binary, Unary, binary, unary, with_number};
pub use crate::ops::{
    BatchEntry, Gradient, GradientEntry, InputGradients, IntoGradients, Lent, NamedBy, StaticInput,
    operator, unbroadcast_gradients,
};
#[cfg(feature = "serde")]
pub use crate::spec::typed_spec;
pub use crate::spec::{
    AnySpec, Class, Composite, Fingerprint, Hooks, LeafIter, Leaves, Literal, LiteralSpec,
    ModuleSpec, ModuleState, ModuleVisitor, Place, SpecContext, SpecEntry, Stacking, StaticData,
    TensorSpec, dispatch,
};
pub use crate::tensor::call_site;
use crate::tensor::{Tensor, TensorLike};
pub use crate::trace::{Argument, Arguments, Items, Text, module_spec};
pub use crate::types::DType;
use crate::types::{Error, Result};

/// Trailing inputs of a graph op that are plain data in Rust.
pub type StaticInputs = SmallVec<[Tensor; 2]>;

/// The value of `tensor!`.
///
/// # Panics
/// If the data is ragged.
#[track_caller]
pub fn tensor_literal(data: &impl TensorLike) -> Tensor {
    operator(data.to_tensor())
}

/// Shows a field of a module with state.
pub fn visit_state<T: ModuleState>(name: &'static str, value: &T, visitor: &mut dyn ModuleVisitor) {
    value.visit_at(Place::Field(name), visitor);
}

/// A field of a module of which it is not known by its name whether it can be one.
pub struct Part<'a, T>(pub &'a T);

/// [`Part`] with state.
pub trait VisitState {
    /// Shows it.
    fn state(&self, name: &'static str, visitor: &mut dyn ModuleVisitor);
}

impl<T: ModuleState> VisitState for &Part<'_, T> {
    fn state(&self, name: &'static str, visitor: &mut dyn ModuleVisitor) {
        visit_state(name, self.0, visitor);
    }
}

/// [`Part`] that can't be a field, which the compiler was told elsewhere.
pub trait NoState {
    /// Nothing.
    fn state(&self, _: &'static str, _: &mut dyn ModuleVisitor) {}
}

impl<T> NoState for Part<'_, T> {}

/// [`Part`] that is plain.
pub trait VisitPlain {
    /// Shows it.
    fn plain(&self, name: &'static str, visitor: &mut dyn ModuleVisitor);
}

impl<T: StaticData> VisitPlain for &Part<'_, T> {
    fn plain(&self, name: &'static str, visitor: &mut dyn ModuleVisitor) {
        visit_plain(name, self.0, visitor);
    }
}

/// [`Part`] that is no plain data, which the compiler was told elsewhere.
pub trait NoPlain {
    /// Nothing.
    fn plain(&self, _: &'static str, _: &mut dyn ModuleVisitor) {}
}

impl<T> NoPlain for Part<'_, T> {}

/// Shows a plain field of a module.
pub fn visit_plain<T: StaticData>(name: &'static str, value: &T, visitor: &mut dyn ModuleVisitor) {
    visitor.plain(Place::Field(name), value);
}

/// What `ensure_dtype!` does.
pub fn ensure_dtype(tensor: &Tensor, dtype: DType, text: &str) -> Result<()> {
    if tensor.dtype() == dtype {
        return Ok(());
    }
    Err(Error::invalid(format!("`{text}` must be {dtype}, not {}", tensor.dtype())))
}
