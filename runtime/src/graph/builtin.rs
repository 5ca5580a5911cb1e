//! The two ops that graphs themselves are made with.

use crate::array::Array;
use crate::op::{ArgDef, ArgType, AttrDef, AttrKey, Kernel, OpDef, OpEntry};
use crate::types::{DType, DTypeSet, Shape, TensorType, err};

const OUTPUT: &[ArgDef] = &[ArgDef::one("output", ArgType::Var("dtype"))];
const TYPE: AttrDef = AttrDef::dtype("dtype", DTypeSet::ANY);

/// The value of a constant.
pub const VALUE: AttrKey<Array> = AttrKey::new("value");
/// The dtype of a placeholder, and of what a variable holds.
pub const DTYPE: AttrKey<DType> = AttrKey::new("dtype");
/// The shape of a placeholder.
pub const SHAPE: AttrKey<Shape> = AttrKey::new("shape");

/// A constant; its value is the attribute `value`.
pub static CONST: OpDef = OpDef::new(
    "Const",
    "Const",
    |c| Ok([c.get(VALUE)?.tensor_type()].into()),
    Kernel::SelfChecked(|c| Ok([c.get(VALUE)?].into())),
)
.with_doc("A constant tensor.")
.with_outputs(OUTPUT)
.with_attrs(&[TYPE, AttrDef::of::<Array>(VALUE.name())]);

/// An input of a graph; its type stands in the attributes `dtype` and `shape`.
pub static PLACEHOLDER: OpDef = OpDef::new(
    "Placeholder",
    "Placeholder",
    |c| Ok([TensorType::new(c.get(DTYPE)?, c.get(SHAPE).unwrap_or_default())].into()),
    Kernel::General(|_| Err(err!("a placeholder has no value outside a function call"))),
)
.with_doc("A tensor that is fed when the graph runs.")
.with_outputs(OUTPUT)
.with_attrs(&[TYPE, AttrDef::of::<Shape>(SHAPE.name())]);

inventory::submit!(OpEntry(&CONST));
inventory::submit!(OpEntry(&PLACEHOLDER));
