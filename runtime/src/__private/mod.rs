//! Items that generated code names. They are outside of semantic versioning: do not use them by hand.

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
pub use crate::ops::operators::{BinaryOutput, UnaryOutput, binary, unary, with_number};
pub use crate::ops::options::chosen;
pub use crate::ops::protocol::compound::on_tensors;
pub use crate::ops::{
    BatchEntry, Gradient, GradientEntry, InputGradients, IntoGradients, Lent, NamedBy, Results,
    Second, StaticInput, Third, compound_call, operator, unbroadcast_gradients,
};
#[cfg(feature = "serde")]
pub use crate::spec::typed_spec;
pub use crate::spec::{
    AnySpec, Class, Composite, Fingerprint, Hooks, LeafIter, Leaves, Literal, LiteralSpec,
    ModuleSpec, ModuleState, ModuleVisitor, Place, SpecContext, SpecEntry, Stacking, StaticData,
    TensorSpec, VariableCopies, dispatch, mix_hash,
};
pub use crate::tensor::{CompoundEntry, call_site, call_site_of};
use crate::tensor::{Tensor, TensorLike};
pub use crate::trace::{
    Argument, Arguments, Cast, CastAll, PassedWhole, SliceItems, Text, module_spec,
};
pub use crate::types::DType;
pub use crate::types::path_of;
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

/// A field of a module, where the name of its type does not show whether it can be one.
pub struct Part<'a, T>(pub &'a T);

/// [`Part`] with state.
pub trait VisitState<T> {
    /// Shows the field to the visitor.
    fn state(&self, name: &'static str, visitor: &mut dyn ModuleVisitor);

    /// Copies the field.
    fn copied_state(&self, copies: &VariableCopies) -> Result<T>;
}

impl<T: ModuleState> VisitState<T> for &Part<'_, T> {
    fn state(&self, name: &'static str, visitor: &mut dyn ModuleVisitor) {
        visit_state(name, self.0, visitor);
    }

    fn copied_state(&self, copies: &VariableCopies) -> Result<T> {
        self.0.copied_at(copies)
    }
}

/// [`Part`] that can't be a field, which is reported elsewhere.
pub trait NoState<T> {
    /// Nothing.
    fn state(&self, _: &'static str, _: &mut dyn ModuleVisitor) {}

    /// Nothing.
    fn copied_state(&self, _: &VariableCopies) -> Result<T> {
        Err(Error::internal("it is no state"))
    }
}

impl<T> NoState<T> for Part<'_, T> {}

/// [`Part`] that is plain.
pub trait VisitPlain<T> {
    /// Shows the field to the visitor.
    fn plain(&self, name: &'static str, visitor: &mut dyn ModuleVisitor);

    /// Copies the field.
    fn copied_plain(&self, copies: &VariableCopies) -> Result<T>;
}

impl<T: StaticData> VisitPlain<T> for &Part<'_, T> {
    fn plain(&self, name: &'static str, visitor: &mut dyn ModuleVisitor) {
        visit_plain(name, self.0, visitor);
    }

    fn copied_plain(&self, _: &VariableCopies) -> Result<T> {
        Ok(self.0.clone())
    }
}

/// [`Part`] that is no plain data, which is reported elsewhere.
pub trait NoPlain<T> {
    /// Nothing.
    fn plain(&self, _: &'static str, _: &mut dyn ModuleVisitor) {}

    /// Nothing.
    fn copied_plain(&self, _: &VariableCopies) -> Result<T> {
        Err(Error::internal("it is no plain data"))
    }
}

impl<T> NoPlain<T> for Part<'_, T> {}

/// Shows a plain field of a module.
pub fn visit_plain<T: StaticData>(name: &'static str, value: &T, visitor: &mut dyn ModuleVisitor) {
    visitor.plain(Place::Field(name), value);
}

/// Copies a field of a module with state.
///
/// # Errors
/// As [`Module::deep_clone`](crate::Module::deep_clone).
pub fn copied_state<T: ModuleState>(value: &T, copies: &VariableCopies) -> Result<T> {
    value.copied_at(copies)
}

/// Copies a plain field of a module.
///
/// # Errors
/// None.
pub fn copied_plain<T: StaticData>(value: &T, _: &VariableCopies) -> Result<T> {
    Ok(value.clone())
}

/// Detects whether a module is `Clone`: if so its own function is found, otherwise that of [`NotClone`].
pub struct Clones<T>(PhantomData<T>);

/// The result for a module that is `Clone`.
pub struct SharesItsVariables;

/// The result for a module that is not `Clone`.
pub struct SharesNothing;

impl<T: Clone> Clones<T> {
    /// It is.
    #[must_use]
    pub fn found() -> SharesItsVariables {
        SharesItsVariables
    }
}

/// A module that is not `Clone`.
pub trait NotClone {
    /// It is not.
    #[must_use]
    fn found() -> SharesNothing {
        SharesNothing
    }
}

impl<T> NotClone for Clones<T> {}

/// Holds for a module that needs no permission for clones that share its variables.
#[diagnostic::on_unimplemented(
    message = "a clone of the module `{T}` shares its variables, and nothing says that it may",
    label = "this module implements `Clone`",
    note = "`model.deep_clone()?` is a copy with variables of its own, such as the best weights so far: remove `Clone`",
    note = "if clones are to be handles of the same variables, write `#[module(shared_clone)]`"
)]
pub trait MayShare<T> {}

impl<T> MayShare<T> for SharesNothing {}

/// Compiles only for a module that is not `Clone`.
pub fn may_share<T, F: MayShare<T>>(_: F) {}

/// The implementation of `ensure_dtype!`.
pub fn ensure_dtype(tensor: &Tensor, dtype: DType, text: &str) -> Result<()> {
    if tensor.dtype() == dtype {
        return Ok(());
    }
    Err(Error::invalid(format!("`{text}` must be {dtype}, not {}", tensor.dtype())))
}
