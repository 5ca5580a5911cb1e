//! The ops that every graph is built with: constants, placeholders and unknown ops.

use crate::array::Array;
use crate::ir::{ArgDef, ArgType, AttrDef, AttrKey, AttrValue, Effect, Kernel, OpDef, OpEntry};
use crate::types::{DType, DTypeSet, Shape, TensorType, err};

const OUTPUT: &[ArgDef] = &[ArgDef::one("output", ArgType::Var("dtype"))];
const TYPE: AttrDef = AttrDef::dtype("dtype", DTypeSet::ANY);

/// The value of a constant.
pub const VALUE: AttrKey<Array> = AttrKey::new("value");
/// The dtype of a placeholder, and of a variable's value.
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
.in_module(module_path!())
.with_doc("A constant tensor.")
.with_outputs(OUTPUT)
.with_attrs(&[TYPE, AttrDef::of::<Array>(VALUE.name())]);

/// An input of a graph; its type is in the attributes `dtype` and `shape`.
pub static PLACEHOLDER: OpDef = OpDef::new(
    "Placeholder",
    "Placeholder",
    |c| Ok([TensorType::new(c.get(DTYPE)?, c.get(SHAPE).unwrap_or_default())].into()),
    Kernel::General(|_| Err(err!("a placeholder has no value outside a function call"))),
)
.in_module(module_path!())
.with_doc("A tensor that is fed when the graph runs.")
.with_outputs(OUTPUT)
.with_attrs(&[
    AttrDef::of::<DType>(DTYPE.name()),
    AttrDef::of::<Shape>(SHAPE.name()).or_absent(|| AttrValue::Shape(Box::default())),
]);

/// The op's name in the file that a node was read from, if it differs from the definition's.
/// Keys that begin with `?` can't occur in files and are not written.
pub(super) const OP: AttrKey<String> = AttrKey::new("?op");
/// The result dtypes of an unknown op.
pub(super) const TYPES: AttrKey<Vec<DType>> = AttrKey::new("?types");
/// The result shapes of an unknown op.
pub(super) const SHAPES: AttrKey<Vec<Shape>> = AttrKey::new("?shapes");
/// For an unknown op in a function: the output argument that each result belongs to.
pub(super) const RESULTS: AttrKey<Vec<String>> = AttrKey::new("?results");
/// The name under which a function lists the node as always run, if it is not the node's own.
/// Empty if the function does not list the node although it always runs.
pub(super) const CONTROL: AttrKey<String> = AttrKey::new("?control");
/// The name of a placeholder in its file, if it is displayed under another name.
pub(super) const FILE_NAME: AttrKey<String> = AttrKey::new("?name");
/// The dtypes that a resource argument holds.
pub(super) const HANDLE_TYPES: AttrKey<Vec<DType>> = AttrKey::new("?handle_types");
/// The shapes that a resource argument holds.
pub(super) const HANDLE_SHAPES: AttrKey<Vec<Shape>> = AttrKey::new("?handle_shapes");
/// The user's name for an argument, if a file can't have it.
pub(super) const USER_NAME: AttrKey<String> = AttrKey::new("_user_specified_name");
/// The shapes of results, or the shape of an argument.
pub(super) const OUTPUT_SHAPES: AttrKey<Vec<Shape>> = AttrKey::new("_output_shapes");

/// An op that is not defined in this program. Attributes give its result types, and it can't run.
///
/// It counts as writing, since it might write.
pub(super) static UNKNOWN: OpDef = OpDef::new(
    "?",
    "unknown op",
    |c| {
        let types = c.get(TYPES)?.into_iter().zip(c.get(SHAPES)?);
        Ok(types.map(|(dtype, shape)| TensorType::new(dtype, shape)).collect())
    },
    Kernel::General(|c| {
        let name = c.get(OP)?;
        let e = err!(
            NotFound,
            "no op is named `{name}`; a graph that has it can be looked at and written, but runs \
             only in a program that defines the op"
        );
        Err(e.with_op(&name))
    }),
)
.in_module(module_path!())
.with_effect(Effect::Writes)
.with_inputs(&[ArgDef::each("inputs", "?")])
.with_outputs(&[ArgDef::each("outputs", "?results")]);

inventory::submit!(OpEntry(&CONST));
inventory::submit!(OpEntry(&PLACEHOLDER));
