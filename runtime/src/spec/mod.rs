//! Structures and their types.
//!
//! A [`Structure`] is anything that can be flattened to tensors and rebuilt from them: tensors, variables,
//! containers, extension types, static data. Its [`TypeSpec`] is its type, its trace type and its signature
//! at once. Without its Rust type a spec is an [`AnySpec`] tree, which defines the laws (subtype, supertype,
//! compatibility) once. A value without its Rust type is an [`AnyValue`]: a spec and flat tensors. Typed
//! values go in; functions, loops, datasets and files handle only flat tensors and specs.

mod annotated;
mod anonymous;
mod any;
mod boxes;
mod class;
mod containers;
mod copies;
mod difference;
mod equality;
mod extension;
mod fingerprint;
mod literal;
mod module;
mod module_names;
mod module_spec;
mod module_state;
mod narrow;
pub mod nest;
mod nested;
mod opaque;
mod packed;
mod parts;
mod registry;
mod render;
#[cfg(feature = "serde")]
mod serde_impls;
mod serialize;
mod stack;
mod stackable;
mod structure;
mod tensor_spec;
mod trace_type;
mod value;
mod variable_spec;
mod versions;

pub mod dispatch;

pub use annotated::{AnyRank, Const, Dims, Dyn, Of, OfSpec, Size};
#[cfg(feature = "formats")]
pub(crate) use anonymous::class as anonymous_class;
pub use any::AnySpec;
pub use boxes::Boxes;
pub use class::{Class, Composite, Hooks};
pub use copies::VariableCopies;
pub(crate) use difference::first_difference;
pub use extension::{ExtensionType, Validate};
pub use fingerprint::Fingerprint;
pub use literal::{Literal, LiteralSpec, StaticData};
pub use module::{Group, Module, ModuleCell, ModuleVisitor, Place, PlainData};
pub use module_spec::ModuleSpec;
pub use module_state::ModuleState;
pub(crate) use narrow::narrowed_leaves;
pub(crate) use nested::Level;
pub use nested::{Nested, Nests};
pub use opaque::{Opaque, OpaqueSpec};
pub use packed::{PackComponents, Packed, PackedSpec, UnpackComponents};
pub(crate) use packed::{pack_as, unpack_as};
pub(crate) use parts::{Part, PartReader, joined, typed};
pub use parts::{concat_values, stack_values, unstack_values};
#[cfg(feature = "formats")]
pub(crate) use registry::classes_named;
pub use registry::{
    SpecEntry, check_names, find_spec, register_class, register_spec, registered_specs,
};
pub(crate) use registry::{check_program, register_instance};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde_impls::typed_spec;
pub use serialize::SpecValue;
pub use stackable::{Stackable, Stacking};
pub use structure::{LeafIter, Leaves, SpecContext, Structure, TypeSpec};
pub use tensor_spec::TensorSpec;
pub use trace_type::TraceType;
#[doc(hidden)]
pub use trace_type::mix_hash;
pub use value::AnyValue;
pub use variable_spec::VariableSpec;
pub(crate) use versions::is_old;
