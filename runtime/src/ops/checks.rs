//! Conditions that are checked when the program runs.

use crate::array::Array;
use crate::ir::{
    ArgDef, ArgType, AttrDef, AttrKey, AttrValue, Attrs, Effect, Kernel, OpDef, OpEntry, Types,
    decision,
};
use crate::ops::methods::*;
use crate::ops::{Binary, EqualFn, GradientEntry, Op as _, concat, shape_of};
use crate::tensor::{Tensor, execute, init_scope};
use crate::types::{DType, Error, ErrorKind, Result, Shape, TensorType, bail, err};

/// The attribute with the error kind of an [`ASSERT`]. In TensorFlow all are `InvalidArgument`; it ignores
/// attributes whose names begin with `_`.
pub(crate) const CODE: AttrKey<i64> = AttrKey::new("_code");

/// True if the data are parts of one text, which are joined without spaces between them.
pub(crate) const PARTS: AttrKey<bool> = AttrKey::new("_parts");

/// The user's name for a tensor that is reshaped to a scalar, such as a condition. The error for a wrong
/// number of elements shows it.
pub(crate) const ONE_ELEMENT: AttrKey<String> = AttrKey::new("?one_element");

#[cold]
pub(crate) fn not_one_element(what: &str, ty: &TensorType) -> Error {
    let how =
        if ty.dtype == DType::Bool { "`reduce_all` or `reduce_any`" } else { "`x.index(0)?`" };
    err!("the {what} is {ty}, not one element; reduce it, as with {how}")
}

/// Fails if the condition is false. The error shows the data tensors, of which the first is usually
/// a message.
pub(crate) static ASSERT: OpDef = asserting("assert");

/// Like [`ASSERT`], for an error that the user's code raises; its message names no op.
pub(crate) static RAISE: OpDef = asserting("");

const fn asserting(rust_name: &'static str) -> OpDef {
    OpDef::new(
        "Assert",
        rust_name,
        |_| Ok(Types::new()),
        Kernel::SelfChecked(|c| {
            if decision(c.input(0))? {
                return Ok([].into_iter().collect());
            }
            let shown = |x: &&Array| match x.as_strings() {
                Ok([one]) => String::from_utf8_lossy(one).into_owned(),
                _ => x.to_string().split_whitespace().collect::<Vec<_>>().join(" "),
            };
            let values: Vec<String> = c.inputs[1..].iter().map(shown).collect();
            let text = match values.is_empty() {
                true => "the assertion does not hold".to_owned(),
                false => values.join(if c.get(PARTS).unwrap_or(false) { "" } else { " " }),
            };
            Err(Error::new(ErrorKind::of_code(c.get(CODE).unwrap_or(3)), text))
        }),
    )
    .in_module(module_path!())
    .with_doc("Fails if the condition is false.")
    .with_effect(Effect::Checks)
    .with_inputs(
        const { &[ArgDef::one("condition", ArgType::Fixed(DType::Bool)), ArgDef::each("data", "T")] },
    )
    .with_attrs(
        const {
            &[
                AttrDef::dtypes("T"),
                AttrDef::of::<i64>("summarize").or_absent(|| AttrValue::Int(3)),
                AttrDef::of::<i64>(CODE.name()).or_absent(|| AttrValue::Int(3)),
                AttrDef::of::<bool>(PARTS.name()).or_absent(|| AttrValue::Bool(false)),
            ]
        },
    )
}

/// Fails when it runs if the condition is false, with a message and the values of tensors.
#[track_caller]
pub(crate) fn check(condition: &Tensor, message: &str, data: &[&Tensor]) -> Result<()> {
    check_as(ErrorKind::InvalidArgument, condition, message, data)
}

/// [`check`] with an error of this kind.
#[track_caller]
pub(crate) fn check_as(
    kind: ErrorKind,
    condition: &Tensor,
    message: &str,
    data: &[&Tensor],
) -> Result<()> {
    let message = Tensor::from_strings(&[message], &[])?;
    let inputs: Vec<&Tensor> =
        [condition, &message].into_iter().chain(data.iter().copied()).collect();
    let attrs = match kind {
        ErrorKind::InvalidArgument => Attrs::new(),
        kind => Attrs::new().with(CODE, &kind.code()),
    };
    execute(&ASSERT, attrs, &inputs).map(|_| ())
}

/// Refuses a tensor with an element below zero, or NaN: at once if the elements are known, otherwise when the program
/// runs.
#[track_caller]
pub(crate) fn check_not_negative(what: &str, x: &Tensor) -> Result<()> {
    let holds = || x.greater_equal(0.0)?.reduce_all(.., false);
    let Tensor::Value(elements) = x else {
        return check(&holds()?, &format!("`{what}` must be a number from 0 upwards, not"), &[x]);
    };
    if decision(init_scope(holds)?.data()?)? {
        return Ok(());
    }
    match elements.rank() {
        0 => bail!("`{what}` is {elements}; it must be a number from 0 upwards"),
        _ => {
            let least = init_scope(|| x.reduce_min(.., false))?;
            bail!("an element of `{what}` is {}; it must be a number from 0 upwards", least.data()?)
        }
    }
}

/// Refuses two tensors of different shapes: at once if the shapes are known, otherwise when the program runs.
/// `message` says what they are.
#[track_caller]
pub(crate) fn check_same_shape(
    a: &Tensor,
    b: &Tensor,
    message: impl FnOnce() -> String,
) -> Result<()> {
    let (x, y) = (a.shape(), b.shape());
    if !x.is_compatible_with(&y) {
        bail!("{}: {x} and {y}", message());
    }
    if a.id() == b.id() || x.is_fully_defined() && y.is_fully_defined() {
        return Ok(());
    }
    let (a, b) = (shape_of(a)?, shape_of(b)?);
    // The rank goes first to tell ranks apart: otherwise a vector with one size would broadcast in
    // the comparison.
    let ranked = |sizes: &Tensor| concat(&[&shape_of(sizes)?, sizes], 0);
    let equal = Binary(EqualFn { incompatible_shape_error: false });
    let alike = equal.run(&[&ranked(&a)?, &ranked(&b)?])?.reduce_all(.., false)?;
    check(&alike, &format!("{}:", message()), &[&a, &b])
}

/// Fails when the program runs if a tensor is not a stack of `count` tensors of shape `each`. Unknown sizes of
/// `each` are not checked.
#[track_caller]
pub(crate) fn check_stack(t: &Tensor, count: &Tensor, each: &Shape, message: &str) -> Result<()> {
    let found = shape_of(t)?.cast(DType::I64)?;
    let count = count.reshape([1i64])?;
    let alike = match each.dims() {
        None => found.slice([0i64], [1i64])?.equal(&count)?,
        Some(dims) => {
            let sizes = dims.iter().map(|d| d.size().map_or(-1, |n| n as i64));
            let sizes = Tensor::from_vec(sizes.collect::<Vec<i64>>());
            let rank = Tensor::from_slice(&[dims.len() as i64 + 1], &[1])?;
            let wanted = concat(&[&rank, &count, &sizes], 0)?;
            // The rank goes first to tell ranks apart: otherwise a vector with one size would
            // broadcast in the comparison.
            let found = concat(&[&shape_of(&found)?.cast(DType::I64)?, &found], 0)?;
            let equal = Binary(EqualFn { incompatible_shape_error: false });
            crate::ops::logical_or(equal.run(&[&found, &wanted])?, wanted.equal(-1i64)?)?
        }
    };
    check(&alike.reduce_all(.., false)?, message, &[&shape_of(t)?])
}

inventory::submit!(OpEntry(&ASSERT));
inventory::submit!(GradientEntry::none(&ASSERT));
