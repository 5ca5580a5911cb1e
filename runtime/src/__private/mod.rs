//! What generated code names. Outside of semantic versioning: use nothing of it by hand.

pub use inventory;
#[cfg(feature = "serde")]
pub use serde;
pub use std::collections::BTreeMap;
pub use std::string::String;
pub use std::sync::{Arc, OnceLock};
pub use std::vec;
pub use std::vec::Vec;

pub use core::any::{TypeId, type_name};
pub use core::convert::Infallible;
pub use core::marker::PhantomData;
pub use core::panic::Location;

mod derive;
mod scaffold;

use smallvec::SmallVec;

pub use derive::*;

use crate::tensor::{Tensor, TensorLike};
use crate::types::{Error, Result};

pub use crate::types::DType;

pub use crate::function::{BoundFunction, FunctionOptions, FunctionState};
pub use crate::ops::{Lent, Lent as Bound};
pub use crate::ops::{StaticInput, operator};
#[cfg(feature = "serde")]
pub use crate::spec::typed_spec;
pub use crate::spec::{
    AnySpec, Class, Composite, Hooks, LeafIter, Leaves, Literal, LiteralSpec, ModuleSpec,
    ModuleState, ModuleVisitor, SpecContext, SpecEntry, StaticData, TensorSpec, dispatch,
};
pub use crate::tensor::call_site;
pub use crate::trace::{Argument, Arguments, module_spec};

/// Trailing inputs of a graph op that are host data in Rust.
pub type HostInputs = SmallVec<[Tensor; 2]>;

/// The value of `tensor!`.
///
/// # Panics
/// If the data is ragged.
#[track_caller]
pub fn tensor_literal(data: &impl TensorLike) -> Tensor {
    operator(data.to_tensor())
}

/// Shows a plain field of a module.
pub fn visit_plain<T: StaticData>(name: &str, value: &T, visitor: &mut dyn ModuleVisitor) {
    visitor.plain(name, &|| value.to_literal());
}

/// What `ensure_dtype!` does.
pub fn ensure_dtype(tensor: &Tensor, dtype: DType, text: &str) -> Result<()> {
    if tensor.dtype() == dtype {
        return Ok(());
    }
    Err(Error::invalid(format!("`{text}` must be {dtype}, not {}", tensor.dtype())))
}
