//! The two ops that graphs themselves are made with.

use crate::op::{ArgDef, ArgType, AttrDef, Effect, OpDef, OpEntry, OpKind};
use crate::types::{DType, DTypeSet, Shape, TensorType, err};

const OUTPUT: &[ArgDef] = &[ArgDef::one("output", ArgType::Var("dtype"))];
const DTYPE: AttrDef = AttrDef::dtype("dtype", DTypeSet::ANY);

/// A constant; its value is the attribute `value`.
pub static CONST: OpDef = OpDef {
    name: "Const",
    doc: "A constant tensor.",
    inputs: &[],
    outputs: OUTPUT,
    attrs: &[DTYPE, AttrDef::value("value")],
    kind: OpKind::Own,
    effect: Effect::Pure,
    infer: |c| Ok([c.attrs.get::<crate::array::Array>("value")?.tensor_type()].into()),
    kernel: |c| Ok([c.attrs.get::<crate::array::Array>("value")?].into()),
};

/// An input of a graph; its type stands in the attributes `dtype` and `shape`.
pub static PLACEHOLDER: OpDef = OpDef {
    name: "Placeholder",
    doc: "A tensor that is fed when the graph runs.",
    inputs: &[],
    outputs: OUTPUT,
    attrs: &[DTYPE, AttrDef::value("shape")],
    kind: OpKind::Own,
    effect: Effect::Pure,
    infer: |c| {
        let shape = c.attrs.get::<Shape>("shape").unwrap_or_default();
        Ok([TensorType::new(c.attrs.get::<DType>("dtype")?, shape)].into())
    },
    kernel: |_| Err(err!("a placeholder has no value outside a function call")),
};

inventory::submit!(OpEntry(&CONST));
inventory::submit!(OpEntry(&PLACEHOLDER));
