//! The ops of control flow.

use std::sync::Arc;

use crate::array::Array;
use crate::ir::{
    ArgDef, ArgType, AttrDef, AttrKey, AttrKind, AttrValue, Attrs, Branches, Branching, DTYPE,
    InferContext, Kernel, LibraryFunction, Looping, OpDef, OpEntry, SHAPE, Saves, Types, decision,
};
use crate::ops::list_of;
use crate::tensor::ConditionalEntry;
use crate::types::{DType, DTypeSet, Error, Result, Shape, TensorType, bail, err};

/// The function that an [`IF`] runs if its condition is true.
pub const THEN_BRANCH: AttrKey<Arc<LibraryFunction>> = AttrKey::new("then_branch");
/// The function that it runs if the condition is false.
pub const ELSE_BRANCH: AttrKey<Arc<LibraryFunction>> = AttrKey::new("else_branch");
/// The branches of a [`CASE`].
pub const BRANCHES: AttrKey<Vec<Arc<LibraryFunction>>> = AttrKey::new("branches");
/// The test of a [`WHILE`].
pub const COND: AttrKey<Arc<LibraryFunction>> = AttrKey::new("cond");
/// The body of a [`WHILE`].
pub const BODY: AttrKey<Arc<LibraryFunction>> = AttrKey::new("body");
/// The shapes of the results; for a loop, the shapes of its state in all iterations.
pub const OUTPUT_SHAPES: AttrKey<Vec<Shape>> = AttrKey::new("output_shapes");
/// How many of the additional results of a [`WHILE_SAVING`]'s body are stacked, even if their shapes are not known.
pub(super) const STACKED: AttrKey<i64> = AttrKey::new("stacked");
/// How many iterations may run at a time, for runtimes that run them in parallel.
pub const PARALLEL_ITERATIONS: AttrKey<i64> = AttrKey::new("parallel_iterations");

const SHAPES: AttrDef =
    AttrDef::of::<Vec<Shape>>(OUTPUT_SHAPES.name()).or_absent(|| AttrValue::List([].into()));

const fn function(key: AttrKey<Arc<LibraryFunction>>) -> AttrDef {
    AttrDef::of::<Arc<LibraryFunction>>(key.name())
}

/// Calls one of two functions on the same inputs, picked by a condition.
pub static IF: OpDef =
    OpDef::new("StatelessIf", "cond", |c| branching_types(c, &TWO), Kernel::Branch(&TWO))
        .in_module(module_path!())
        .with_doc("The results of one of two functions.")
        .with_stateful_name("If")
        .with_inputs(&[ArgDef::one("cond", ArgType::Var("Tcond")), ArgDef::each("input", "Tin")])
        .with_outputs(&[ArgDef::each("output", "Tout")])
        .with_attrs(&[
            AttrDef::dtype("Tcond", DTypeSet::ANY),
            AttrDef::dtypes("Tin"),
            AttrDef::dtypes("Tout"),
            function(THEN_BRANCH),
            function(ELSE_BRANCH),
            SHAPES,
        ]);

/// Calls one of several functions on the same inputs, picked by an index; the last one if the index is out of range.
pub static CASE: OpDef = OpDef::new(
    "StatelessCase",
    "switch_case",
    |c| branching_types(c, &MANY),
    Kernel::Branch(&MANY),
)
.in_module(module_path!())
.with_doc("The results of one of several functions.")
.with_stateful_name("Case")
.with_inputs(&[
    ArgDef::one("branch_index", ArgType::Fixed(DType::I32)),
    ArgDef::each("input", "Tin"),
])
.with_outputs(&[ArgDef::each("output", "Tout")])
.with_attrs(&[
    AttrDef::dtypes("Tin"),
    AttrDef::dtypes("Tout"),
    AttrDef::of::<Vec<Arc<LibraryFunction>>>(BRANCHES.name()),
    SHAPES,
]);

/// Calls a function repeatedly, while a test function returns true.
pub static WHILE: OpDef =
    OpDef::new("StatelessWhile", "while_loop", looping_types, Kernel::Loop(looping))
        .in_module(module_path!())
        .with_doc("The state after a loop.")
        .with_stateful_name("While")
        .with_inputs(&[ArgDef::each("input", "T")])
        .with_outputs(&[ArgDef::each("output", "T")])
        .with_attrs(&[AttrDef::dtypes("T"), function(COND), function(BODY), SHAPES, PARALLEL]);

/// The loop that tapes run in place of a [`WHILE`]. After the state it returns the number of steps. Then comes a stack
/// of the values of each additional result of the body, or a list if their sizes may differ.
pub(super) static WHILE_SAVING: OpDef =
    OpDef::new("Extype>WhileSaving", "while_loop", saving_types, Kernel::Loop(saving))
        .in_module(module_path!())
        .with_doc("The state after a loop, and what its gradient needs of every iteration.")
        .with_inputs(&[ArgDef::each("input", "T")])
        .with_outputs(&[
            ArgDef::each("output", "T"),
            ArgDef::one("steps", ArgType::Fixed(DType::I64)),
            ArgDef::each("saved", "Tsaved"),
        ])
        .with_attrs(&[
            AttrDef::dtypes("T"),
            AttrDef::dtypes("Tsaved"),
            function(COND),
            function(BODY),
            SHAPES,
            PARALLEL,
            AttrDef::of::<i64>(STACKED.name()).or_absent(|| AttrValue::Int(0)),
        ]);

const PARALLEL: AttrDef = {
    let mut parallel =
        AttrDef::of::<i64>(PARALLEL_ITERATIONS.name()).or_absent(|| AttrValue::Int(10));
    parallel.kind = AttrKind::Int(1);
    parallel
};

/// A fake value for a result that only other branches have. It is never used, so unknown sizes are zero.
pub(super) static FAKE_PARAM: OpDef = OpDef::new(
    "FakeParam",
    "FakeParam",
    |c| Ok([TensorType::new(c.get(DTYPE)?, c.get(SHAPE)?)].into()),
    Kernel::SelfChecked(|c| {
        // A resource has no fake value.
        Ok([Array::zeros_of(&TensorType::new(c.get(DTYPE)?, c.get(SHAPE)?))?].into())
    }),
)
.in_module(module_path!())
.with_doc("What stands for a result that a branch does not have.")
.with_outputs(&[ArgDef::one("output", ArgType::Var("dtype"))])
.with_attrs(&[AttrDef::of::<DType>(DTYPE.name()), AttrDef::of::<Shape>(SHAPE.name())]);

inventory::submit!(OpEntry(&IF));
inventory::submit!(ConditionalEntry {
    op: &IF,
    then_branch: THEN_BRANCH,
    else_branch: ELSE_BRANCH,
});
inventory::submit!(OpEntry(&CASE));
inventory::submit!(OpEntry(&WHILE));
inventory::submit!(OpEntry(&WHILE_SAVING));
inventory::submit!(OpEntry(&FAKE_PARAM));

static TWO: Branching = Branching {
    branches: |attrs| Ok([attrs.get(THEN_BRANCH)?, attrs.get(ELSE_BRANCH)?].into()),
    pick: |value, _| decision(value).map(|yes| usize::from(!yes)),
    name: |i| format!("the arm `{}`", if i == 0 { "then" } else { "else" }),
};

static MANY: Branching = Branching {
    branches: |attrs| attrs.get(BRANCHES).map(Branches::from_vec),
    pick: |value, count| match value.as_slice::<i32>()? {
        [index] => {
            // An index out of range takes the last branch.
            let own = usize::try_from(*index).ok().filter(|i| *i < count);
            own.or(count.checked_sub(1)).ok_or_else(|| err!("there is no branch"))
        }
        _ => Err(err!(
            "the number of a branch is one int32, not {}; reduce it to one",
            value.tensor_type()
        )),
    },
    name: |i| format!("branch {i}"),
};

/// The branching behind an op; `None` if it has no branches.
pub(super) fn branching(op: &'static OpDef) -> Option<&'static Branching> {
    match op.kernel {
        Kernel::Branch(branching) => Some(branching),
        _ => None,
    }
}

/// The same op with other branches.
pub(super) fn with_branches(
    op: &'static OpDef,
    attrs: &Attrs,
    branches: &[Arc<LibraryFunction>],
) -> Result<Attrs> {
    let shapes: Vec<Shape> = joined(branches)?.into_iter().map(|ty| ty.shape).collect();
    let attrs = attrs.clone().with(OUTPUT_SHAPES, &shapes);
    match branches {
        [yes, no] if op == &IF => Ok(attrs.with(THEN_BRANCH, yes).with(ELSE_BRANCH, no)),
        _ if op == &CASE => Ok(attrs.with(BRANCHES, &branches.to_vec())),
        _ => Err(Error::internal("an op with other branches")),
    }
}

/// The types that cover the results of all these functions.
fn joined(branches: &[Arc<LibraryFunction>]) -> Result<Types> {
    let Some((first, others)) = branches.split_first() else { bail!("there is no branch") };
    let mut types: Types = first.output_types().iter().cloned().collect();
    for other in others {
        let found = other.output_types();
        if found.len() != types.len() {
            bail!(
                "`{}` has {} results, `{}` {}",
                first.name(),
                types.len(),
                other.name(),
                found.len()
            );
        }
        for (i, (ty, other_ty)) in types.iter_mut().zip(found).enumerate() {
            if ty.dtype != other_ty.dtype {
                bail!(
                    "result {i} is {ty} in `{}`, but {other_ty} in `{}`; cast one of them",
                    first.name(),
                    other.name()
                );
            }
            ty.shape = ty.shape.most_specific_common_supertype(&other_ty.shape);
        }
    }
    Ok(types)
}

fn branching_types(c: &InferContext<'_>, branching: &Branching) -> Result<Types> {
    joined(&(branching.branches)(c.attrs)?)
}

fn looping(attrs: &Attrs) -> Result<Looping> {
    Ok(Looping { test: attrs.get(COND)?, body: attrs.get(BODY)?, saves: None })
}

fn saving(attrs: &Attrs) -> Result<Looping> {
    Ok(Looping { saves: Some(saves(attrs)?), ..looping(attrs)? })
}

fn saves(attrs: &Attrs) -> Result<Saves> {
    let stacked = usize::try_from(attrs.get(STACKED)?).unwrap_or(0);
    Ok(Saves { stacked, list: list_of })
}

/// The result types of a loop that saves nothing.
fn looping_types(c: &InferContext<'_>) -> Result<Types> {
    let body = c.get(BODY)?;
    if body.is_known() && body.output_types().len() > c.inputs.len() {
        let (given, count) = (body.output_types().len(), c.inputs.len());
        bail!("the body `{}` returns {given} tensors of a state of {count}", body.name());
    }
    state_types(c)
}

/// The types of the state after a loop.
fn state_types(c: &InferContext<'_>) -> Result<Types> {
    let (test, body) = (c.get(COND)?, c.get(BODY)?);
    if test.is_known() && !matches!(test.output_types(), [one] if one.dtype == DType::Bool) {
        let given: Vec<String> = test.output_types().iter().map(ToString::to_string).collect();
        bail!("the test `{}` returns ({}), not one bool", test.name(), given.join(", "));
    }
    let next = body.output_types();
    let count = c.inputs.len();
    if next.len() < count {
        bail!("the body `{}` returns {} tensors of a state of {count}", body.name(), next.len());
    }
    let mut types = Types::new();
    for (i, (ty, next)) in c.inputs.iter().zip(next).enumerate() {
        if ty.dtype != next.dtype {
            bail!("the state's tensor {i} is {ty}, but {next} after `{}`", body.name());
        }
        // With no iteration it is the input, otherwise a result of the body.
        let shape = ty.shape.most_specific_common_supertype(&next.shape);
        types.push(TensorType::new(ty.dtype, shape));
    }
    Ok(types)
}

fn saving_types(c: &InferContext<'_>) -> Result<Types> {
    let mut types = state_types(c)?;
    types.push(TensorType::new(DType::I64, Shape::scalar()));
    let body = c.get(BODY)?;
    let saved = body.output_types().get(c.inputs.len()..).unwrap_or_default();
    let first = Shape::from_iter([crate::types::Dim::UNKNOWN]);
    let saves = saves(c.attrs)?;
    types.extend(saved.iter().enumerate().map(|(i, ty)| match saves.lists(i, ty) {
        true => TensorType::new(DType::Variant, Shape::scalar()),
        false => TensorType::new(ty.dtype, first.concatenate(&ty.shape)),
    }));
    Ok(types)
}
