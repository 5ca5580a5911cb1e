//! Numbers out of their range, wherever they come from: told at the user's line.

use extype::array::Array;
use extype::prelude::*;
use extype::train::{SGD, Schedule};

/// The text of an error that stands at a line of this file.
fn told<T>(result: Result<T>, line: u32) -> String {
    let Err(e) = result else { panic!("line {line}: no error") };
    let at = e.location().unwrap_or_else(|| panic!("no line: {e}"));
    assert_eq!((at.file().ends_with("messages/numbers.rs"), at.line()), (true, line), "{e}");
    e.to_string().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn deviations_and_means_below_zero() -> Result<()> {
    let text = told(random::normal(3, 0.0, -1.0, ..), line!());
    assert!(
        text.ends_with("`stddev` is -1; it must be a number from 0 upwards")
            || text.contains("-1.0; it must"),
        "{text}"
    );
    told(random::normal(3, 0.0, f64::NAN, f64), line!());
    told(random::truncated_normal(3, 0.0, -0.5, ..), line!());
    told(random::stateless_normal(3, [1, 2], 0.0, -1.0, f32), line!());
    told(random::exponential(-1.0, 3, ..), line!());
    let text = told(random::normal([2, 2], 0.0, tensor![1.0f32, -2.0], ..), line!());
    assert!(text.contains("an element of `stddev` is -2"), "{text}");
    assert!(
        random::normal(3, 0.0, 0.0, ..).is_ok()
            && random::exponential(tensor![0.0f32, 1.0], 2, ..).is_ok()
    );
    // In a graph when it runs.
    let draw = function(|s: &Tensor| random::stateless_normal(3, [1, 2], 0.0, s, f32));
    assert!(draw.call(&scalar(1.0f32)).is_ok());
    let e = draw.call(&scalar(-1.0f32)).unwrap_err();
    assert!(e.to_string().contains("`stddev` must be a number from 0 upwards, not -1"), "{e}");
    let draw = function(|mean: &Tensor| random::exponential(mean, 3, random::Seed(1)));
    let e = draw.call(&scalar(-1.0f32)).unwrap_err();
    assert!(e.to_string().contains("`mean` must be a number from 0 upwards, not -1"), "{e}");
    Ok(())
}

/// A rate that falls below zero.
#[derive(Debug)]
struct Falling;

impl Schedule for Falling {
    fn rate(&self, step: &Tensor) -> Result<Tensor> {
        ops::sub(0.1f32, step.cast(f32)?)
    }
}

#[test]
fn learning_rates_below_zero() -> Result<()> {
    let (optimizer, v) = (SGD::new(Falling), Variable::new(scalar(1.0f32))?);
    let step = || optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone())]);
    step()?;
    let text = told(step(), line!() - 2);
    assert!(
        text.contains("sgd: Falling: `learning_rate` is -0.9; it must be a number from 0 upwards"),
        "{text}"
    );
    let text = told(optimizer.learning_rate(), line!());
    assert!(text.contains("`learning_rate` is -0.9"), "{text}");
    let traced = function(|g: &Tensor| optimizer.apply_gradients([(Some(g.clone()), v.clone())]));
    let e = traced.call(&scalar(1.0f32)).unwrap_err();
    assert!(
        e.to_string().contains("`learning_rate` must be a number from 0 upwards, not -0.9"),
        "{e}"
    );
    assert_eq!(v.read()?.item::<f32>()?, 0.9);

    let optimizer = SGD::new(0.1);
    told(optimizer.set_learning_rate(-1.0), line!());
    Ok(())
}

#[test]
fn bytes_and_elements_that_do_not_fit() {
    let text = told(Array::from_bytes(f32, [2], &[0; 7]), line!());
    assert_eq!(
        text,
        "from_bytes: 7 bytes given for shape [2] of float32: 2 elements of 4 bytes each, 8 in all"
    );
    told(Array::from_bytes(bool, [1], &[2]), line!());
    told(Array::from_bytes(DType::String, [1], &[2]), line!());
    let text = told(Array::from_slice([2, 2], &[1, 2, 3]), line!());
    assert!(text.contains("from_slice: 3 elements given for shape [2, 2]"), "{text}");
    told(Array::from_strings([2], vec![]), line!());
    told(Array::zeros(DType::Resource, [1]), line!());
}

#[test]
fn sizes_are_any_integers_and_ranges_may_be_empty() -> Result<()> {
    let nodes = vec![(); 5].len();
    assert_eq!(tensor![1, 1].bincount(ops::MinLength(nodes))?.len(), 5);
    assert_eq!(tensor![1, 1, 5].bincount((ops::MinLength(4i64), ops::MaxLength(nodes)))?.len(), 5);
    let end = 0;
    for empty in
        [ops::arange(5..end)?, ops::arange((5, 0))?, ops::arange((0, 5, -1))?, ops::arange(-3)?]
    {
        assert_eq!(empty.shape(), shape![0]);
    }
    assert_eq!(ops::arange((5.0, 0.0))?.shape(), shape![0]);
    let f = function(|n: &Tensor| ops::arange((n.clone(), scalar(0i64))));
    assert_eq!(f.call(&scalar(3i64))?.shape(), shape![0]);
    assert_eq!(f.call(&scalar(-2i64))?.as_slice::<i64>()?, &[-2, -1]);
    told(ops::arange((0, 5, 0)), line!());
    told(ops::range(5, 0, 1), line!());
    Ok(())
}

#[test]
fn what_is_not_the_dtype_says_what_to_write() {
    let x = tensor![1, 2];
    let text = told(x.greater(3.5), line!());
    assert!(
        text.ends_with("the number 3.5 is none of int32, the dtype of the tensor beside it; cast the tensor, as in \
                        `x.cast(f64)?`, or write a whole number"),
        "{text}"
    );
    let text = told(x.cast(DType::String), line!());
    assert!(text.contains("cast: no cast makes a string of int32; make texts of the elements in Rust, as in `x.to_vec::<i32>()?"), "{text}");
    let e = function(|x: &Tensor| x.cast(DType::String)).call(&x).unwrap_err();
    assert!(e.to_string().contains("make texts of the elements"), "{e}");
    let text = told(tensor![[1, 2], [3, 4]].index(tensor![[true, false], [false, true]]), line!());
    assert!(text.contains("an index is an integer, not a mask of shape [2, 2]; for what is under a mask write `x.boolean_mask(&mask, 0)?`"), "{text}");
    let text = told(tensor![1.0, f64::NAN].histogram(3), line!());
    assert!(text.contains("the elements are from nan to nan, and no bins go from or to what is not finite; say with `ops::Between(low, high)`"), "{text}");
    let text = told(random::uniform(3, f64::NEG_INFINITY..0.0, f64), line!());
    assert!(text.contains("the width of the range is not finite: -inf to 0"), "{text}");
}
