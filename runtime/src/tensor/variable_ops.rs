//! The ops that read and write variables.

use extype_kernels::Par;
use extype_kernels::table::{Table, ZipSignature, binary};

use super::{Tensor, VariableState};
use crate::array::Array;
use crate::ir::{
    ArgDef, ArgType, AttrDef, AttrKey, AttrValue, Attrs, DTYPE, Effect, InferContext, Kernel,
    KernelContext, OpDef, OpEntry, Outputs, Types,
};
use crate::types::{DType, DTypeSet, Result, Shape, TensorType, bail, err};

/// The variable's state behind a handle.
fn state(handle: &Array) -> Result<&VariableState> {
    let resource = handle.as_resource()?;
    resource
        .as_any()
        .downcast_ref()
        .ok_or_else(|| err!("the resource is a {}, not a variable", resource.kind()))
}

/// The type of the variable behind a handle; `None` for a symbolic handle or another resource.
pub(crate) fn value_type(handle: &Tensor) -> Option<&TensorType> {
    match handle {
        Tensor::Value(array) => state(array).ok().map(VariableState::ty),
        Tensor::Symbol(_) => None,
    }
}

/// Replaces the value of a variable by a function of it, atomically for other threads, and returns
/// the old value. The function may be called twice, and must stay on its thread when its second argument says so.
pub(crate) fn update_variable(
    handle: &Array,
    f: impl Fn(&Array, Par) -> Result<Array>,
) -> Result<Array> {
    state(handle)?.update(f)
}

/// Changes parts of the value of a variable, in place where possible, as [`VariableState::change`].
pub(crate) fn change_variable(
    handle: &Array,
    f: impl Fn(&mut Array, Par) -> Result<()>,
) -> Result<()> {
    state(handle)?.change(f)
}

/// The attribute with the shape that the variable's values must fit.
pub(super) const ALLOWED: AttrKey<Shape> = AttrKey::new("_shape");

fn read_type(c: &InferContext<'_>) -> Result<Types> {
    Ok([TensorType::new(c.get(DTYPE)?, c.get(ALLOWED).unwrap_or_default())].into())
}

fn write_type(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).assert_compatible(&c.get(ALLOWED).unwrap_or_default())?;
    Ok(Types::new())
}

const RESOURCE: ArgDef = ArgDef::one("resource", ArgType::Fixed(DType::Resource));
const VALUE: ArgDef = ArgDef::one("value", ArgType::Var("dtype"));
/// Graphs of TensorFlow lack it.
const SHAPE: AttrDef =
    AttrDef::of::<Shape>(ALLOWED.name()).or_absent(|| AttrValue::Shape(Box::default()));
const ATTRS: &[AttrDef] = &[AttrDef::dtype("dtype", DTypeSet::ANY), SHAPE];

/// The op that reads a variable; its result shares the variable's buffer.
pub static READ_VARIABLE: OpDef = OpDef::new(
    "ReadVariableOp",
    "read",
    read_type,
    Kernel::SelfChecked(|c| {
        let (value, dtype) = (state(c.input(0))?.get()?, c.get(DTYPE)?);
        if value.dtype() != dtype {
            bail!("the variable is {}, not {dtype}", value.dtype());
        }
        if let Ok(allowed) = c.get(ALLOWED) {
            value.shape().assert_compatible(&allowed)?;
        }
        Ok([value].into())
    }),
)
.in_module(module_path!())
.with_doc("The present value of a variable.")
.with_effect(Effect::Reads)
.with_inputs(&[RESOURCE])
.with_outputs(&[VALUE])
.with_attrs(&[AttrDef::of::<DType>(DTYPE.name()), SHAPE]);

/// The op that tells whether a variable has a value.
pub static IS_INITIALIZED: OpDef = OpDef::new(
    "VarIsInitializedOp",
    "is_initialized",
    |_| Ok([TensorType::new(DType::Bool, Shape::scalar())].into()),
    Kernel::SelfChecked(|c| Ok([Array::scalar(state(c.input(0))?.has_value())].into())),
)
.in_module(module_path!())
.with_doc("Whether a variable has a value.")
.with_effect(Effect::Reads)
.with_inputs(&[RESOURCE])
.with_outputs(&[ArgDef::one("is_initialized", ArgType::Fixed(DType::Bool))]);

macro_rules! assignments {
    ($($(#[doc = $doc:literal])* $static:ident = $name:literal $rust_name:literal, $write:expr;)*) => {
        $($(#[doc = $doc])*
        pub static $static: OpDef = OpDef::new(
            $name,
            $rust_name,
            write_type,
            Kernel::General(|c| {
                let write: fn(&VariableState, &Array) -> Result<()> = $write;
                write(state(c.input(0))?, c.input(1))?;
                Ok(Outputs::new())
            }),
        )
        .in_module(module_path!())
        .with_doc(concat!($($doc),*))
        .with_effect(Effect::Writes)
        .with_inputs(&[RESOURCE, VALUE])
        .with_attrs(ATTRS);
        inventory::submit!(OpEntry(&$static));)*
    };
}
inventory::submit!(OpEntry(&READ_VARIABLE));
inventory::submit!(OpEntry(&IS_INITIALIZED));

assignments! {
    /// Replaces the value of a variable.
    ASSIGN_VARIABLE = "AssignVariableOp" "assign", VariableState::set;
    /// Adds to the value of a variable.
    ASSIGN_ADD_VARIABLE = "AssignAddVariableOp" "assign_add", |v, x| combine(v, &binary::ADD, x);
    /// Subtracts from the value of a variable.
    ASSIGN_SUB_VARIABLE = "AssignSubVariableOp" "assign_sub", |v, x| combine(v, &binary::SUB, x);
}

/// Replaces the value by `value op x`.
fn combine(variable: &VariableState, table: &'static Table<ZipSignature>, x: &Array) -> Result<()> {
    let attrs = Attrs::new();
    let sum = |old: &Array, par| {
        Kernel::Zip(table).run_one(&KernelContext::new(&[old, x], &attrs).on(par))
    };
    variable.update(sum).map(|_| ())
}
