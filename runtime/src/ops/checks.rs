//! What is known when a program runs only: conditions that must hold then.

use super::methods::*;
use super::{Binary, EqualFn, GradientEntry, Op as _, concat, shape_of};
use crate::array::Array;
use crate::op::{
    ArgDef, ArgType, AttrDef, AttrKey, AttrValue, Attrs, Effect, Kernel, OpDef, OpEntry, Types,
    decision,
};
use crate::tensor::{Tensor, execute};
use crate::types::{DType, Error, ErrorKind, Result, bail};

/// Of which kind the error of an [`ASSERT`] is. TensorFlow, where all are `InvalidArgument`, takes no notice of
/// attributes that begin so.
pub(crate) const CODE: AttrKey<i64> = AttrKey::new("_code");

/// Fails if the condition is false, with the values of tensors: mostly a message first.
pub(crate) static ASSERT: OpDef = asserting("assert");

/// The same for an error that the user's code raises: its message names no op.
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
                false => values.join(" "),
            };
            Err(Error::new(ErrorKind::of_code(c.get(CODE).unwrap_or(3)), text))
        }),
    )
    .with_doc("Fails if the condition is false.")
    .with_effect(Effect::Checks)
    .with_inputs(
        const { &[ArgDef::one("condition", ArgType::Fixed(DType::Bool)), ArgDef::each("data", "T")] },
    )
    .with_attrs(
        const {
            &[
                AttrDef::dtypes("T"),
                AttrDef::of::<i64>("summarize").or(|| AttrValue::Int(3)),
                AttrDef::of::<i64>(CODE.name()).or(|| AttrValue::Int(3)),
            ]
        },
    )
}

/// Fails when it runs if the condition is false, with a message and the values of tensors.
#[track_caller]
pub(crate) fn check(condition: &Tensor, message: &str, data: &[&Tensor]) -> Result<()> {
    let message = Tensor::from_strings(&[message], &[])?;
    let inputs: Vec<&Tensor> =
        [condition, &message].into_iter().chain(data.iter().copied()).collect();
    execute(&ASSERT, Attrs::new(), &inputs).map(|_| ())
}

/// Refuses two tensors of unlike shapes: at once if that is known, otherwise when the program runs. `message` says
/// what they are.
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
    // With the rank in front sizes of other ranks differ, though a vector of one broadcasts.
    let ranked = |sizes: &Tensor| concat(&[&shape_of(sizes)?, sizes], 0);
    let equal = Binary(EqualFn { incompatible_shape_error: false });
    let alike = equal.run(&[&ranked(&a)?, &ranked(&b)?])?.reduce_all(.., false)?;
    check(&alike, &format!("{}:", message()), &[&a, &b])
}

inventory::submit!(OpEntry(&ASSERT));
inventory::submit!(GradientEntry::none(&ASSERT));
