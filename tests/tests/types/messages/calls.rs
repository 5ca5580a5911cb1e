//! Errors of calls of traced functions, and of what they use.

use extype::ErrorKind;
use extype::function::{FunctionOptions, FunctionState};
use extype::prelude::*;
use extype::spec::AnyValue;
use extype::train::Adam;

use super::says;

const FILE: &str = "calls.rs";

const LEN: u32 = line!() + 4;

#[tf_function(reduce_retracing)]
fn rows(x: &Tensor) -> Result<Tensor> {
    ops::mul(x, x.len() as f64)
}

#[test]
fn a_size_that_is_read_as_a_number_and_is_unknown_in_the_next_trace() {
    let _ = rows(&tensor![1.0f64, 2.0]).unwrap();
    let result = rows(&tensor![1.0f64, 2.0, 3.0]);
    assert_eq!(result.as_ref().unwrap_err().kind(), ErrorKind::InvalidArgument);
    let parts = [
        "the size of axis 0",
        "without `reduce_retracing`",
        "`ops::shape_of(&x)?.index(0)?`",
        "`rows`",
    ];
    says(result, (FILE, LEN), &parts);
    let whole = TensorSpec::of::<f32>(Shape::unknown());
    let f = function(|x: &Tensor| ops::mul(x, x.num_elements() as f64));
    says(f.concrete(&whole), (FILE, line!() - 1), &["the number of elements", "`ops::size(&x)?`"]);
    let f = function(|x: &Tensor| ops::mul(x, x.ndim() as f64));
    says(f.concrete(&whole), (FILE, line!() - 1), &["the rank is unknown", "`x.rank()`"]);
    let f = function(|x: &Tensor| ops::mul(x, x.shape()[3] as f64));
    says(f.call(&scalar(1.0f64)), (FILE, line!() - 1), &["axis 3 is out of range for shape []"]);
}

#[derive(ExtensionType, Clone, Debug)]
struct Scaled {
    x: Tensor,
    by: i64,
}

static SCALED: FunctionState = FunctionState::new(
    FunctionOptions::new("scaled", &["p"])
        .signature(|| vec![Some(Scaled { x: scalar(1.0f32), by: 3 }.type_spec().to_any())]),
);

#[tf_function(signature(f32[2]))]
fn pairs(x: &Tensor) -> Result<Tensor> {
    ops::neg(x)
}

#[test]
fn what_does_not_fit_the_signature_is_named_by_its_field() {
    let call = |p: &Scaled| SCALED.call((p,), |(p,)| ops::mul(&p.x, p.by as f64));
    let fits = Scaled { x: scalar(2.0f32), by: 3 };
    assert_eq!(call(&fits).unwrap().item::<f32>().unwrap(), 6.0);
    let line = line!() - 3;
    let by = Scaled { by: 4, ..fits.clone() };
    says(call(&by), (FILE, line), &["`scaled`: argument `p.by` is 4, but the signature wants 3"]);
    let x = Scaled { x: scalar(2.0f64), by: 3 };
    says(call(&x), (FILE, line), &["argument `p.x` is TensorSpec([], float64)"]);
    let result = pairs(&tensor![1.0f32]);
    let here = (FILE, line!() - 1);
    says(result, here, &["`pairs`: argument `x` is TensorSpec([1], float32)"]);
    let f = function(|p: &Scaled| ops::mul(&p.x, p.by as f64)).concrete(&fits.type_spec()).unwrap();
    let values = [AnyValue::of(&by)];
    says(f.call_values(&values), (FILE, line!()), &["argument 0 is 4 at `.by`, traced for 3"]);
}

#[test]
fn an_optimizer_that_is_made_in_a_step() {
    let w = Variable::new(1.0f32).unwrap();
    let step = function(|x: &Tensor| {
        let adam = Adam::new(0.1);
        let tape = GradientTape::new();
        let loss = ops::mul(x, w.read()?)?.square()?;
        adam.apply(&tape.gradient(&loss, &w)?, &w)?;
        Ok(loss)
    });
    let line = line!() - 3;
    let parts =
        ["adam/", "is made in the body and is gone at its end", "`#[derive(Module)]`", "`closure`"];
    says(step.call(&scalar(1.0f32)), (FILE, line), &parts);
}

#[test]
fn a_variable_that_was_dropped() {
    let v = Variable::new(1.0f32).unwrap();
    let f = function(move |x: &Tensor| {
        let w = v.read()?;
        ops::mul(x, w)
    });
    let line = line!() - 3;
    let g = f.concrete(&TensorSpec::of::<f32>([])).unwrap();
    drop(f);
    says(g.call_flat(&[scalar(1.0f32)]), (FILE, line), &["was dropped", "`closure`"]);
}

#[test]
fn settings_of_an_optimizer() {
    let adam = Adam::new(0.1);
    says(adam.set_learning_rate(-1.0), (FILE, line!()), &["adam", "learning_rate"]);
}
