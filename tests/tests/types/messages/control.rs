//! Conditions and values of conditionals and loops: told in the user's words, at the user's line.

use extype::ConcreteFunction;
use extype::control::switch_case;
use extype::prelude::*;

use super::says;

const FILE: &str = "control.rs";

const BEGIN: u32 = line!();

#[tf_function]
fn doubled_if(x: &Tensor) -> Result<Tensor> {
    if x > 0.0 {
        return ops::mul(x, 2.0);
    }
    Ok(x.clone())
}

#[tf_function]
fn counted_up(x: &Tensor) -> Result<Tensor> {
    let mut s = x.clone();
    while s < 3.0 {
        s = s + 1.0;
    }
    Ok(s)
}

#[tf_function]
fn gathered(x: &Tensor) -> Result<Tensor> {
    let mut s = scalar(0.0f32);
    for i in 0..&scalar(3) {
        if i > 1 {
            s = s + x.gather(&i, 0)?;
        } else {
            s = s + 1.0;
        }
    }
    Ok(s)
}

#[tf_function]
fn one_or(n: &Tensor) -> Result<Tensor> {
    let y = if n > 2 { scalar(1) } else { n.clone() };
    Ok(y)
}

#[tf_function]
fn last(n: &Tensor) -> Result<Tensor> {
    let mut s = scalar(0);
    for i in 0..n {
        s = i;
    }
    Ok(s)
}

/// What a trace for vectors of any length makes of a vector of two.
fn of_a_vector(trace: Result<ConcreteFunction>) -> Result<Vec<Tensor>> {
    trace?.call_flat(&[tensor![1.0f32, 2.0]])
}

#[test]
fn a_vector_as_a_condition_is_told_when_the_graph_runs() {
    let any = TensorSpec::new(shape![?], f32);
    let remedy = "not one element; reduce it, as with `reduce_all` or `reduce_any`";
    let text = |word: &str| format!("the condition of the `{word}` is bool[2], {remedy}");
    says(of_a_vector(doubled_if::concrete(&any)), (FILE, BEGIN + 4), &[&text("if")]);
    says(of_a_vector(counted_up::concrete(&any)), (FILE, BEGIN + 13), &[&text("while")]);
    let f = function(|x: &Tensor| cond(&x.greater(0.0)?, || x.log(), || Ok(x.clone())));
    says(of_a_vector(f.concrete(&any)), (FILE, line!() - 1), &[&text("cond")]);
    let f = function(|x: &Tensor| while_loop(x.clone(), |x| x.less(3.0), |x| ops::add(&x, 1.0)));
    says(of_a_vector(f.concrete(&any)), (FILE, line!() - 1), &[&text("while_loop")]);
    let f = function(|x: &Tensor| switch_case(&x.cast(i32)?, [|| Ok(scalar(1))], None));
    let index = "the index of the `switch_case` is int32[2], not one element; reduce it";
    says(of_a_vector(f.concrete(&any)), (FILE, line!() - 2), &[index]);
    // One element is one in any shape.
    let one = doubled_if::concrete(&any).unwrap().call_flat(&[tensor![2.0f32]]).unwrap();
    assert_eq!(one[0].as_slice::<f32>().unwrap(), &[4.0]);
}

#[test]
fn what_fails_in_an_arm_names_the_words_of_the_body() {
    let e = gathered(&tensor![1.0f32, 2.0]).unwrap_err();
    let text = e.to_string();
    let at = |line: u32| format!("tests/tests/types/messages/control.rs:{}", BEGIN + line);
    let context = format!(
        "in the arm `then`, in the `if` at {}, in iteration 2, in the `for` at {}, in `gathered`",
        at(23),
        at(22)
    );
    assert!(text.starts_with("gather: ") && text.contains(&context), "{text}");
    let f = function(|x: &Tensor, i: &Tensor| {
        let all = [0, 1].map(|k| move || if k == 0 { x.gather(i, 0) } else { Ok(x.clone()) });
        switch_case(&scalar(0), all, None)
    });
    let f = f.concrete(&TensorSpec::of::<f32>([2]), &TensorSpec::of::<i32>([])).unwrap();
    let text = f.call_flat(&[tensor![1.0f32, 2.0], scalar(7)]).unwrap_err().to_string();
    assert!(text.starts_with("gather: ") && !text.contains("branch0"), "{text}");
}

#[test]
fn a_number_of_another_dtype_says_how_numbers_are_written() {
    let remedy = "cast one of them, as in `x.cast(i64)?`; of a number write `scalar(k as i64)`";
    let n = scalar(3i64);
    says(one_or(&n), (FILE, BEGIN + 34), &["the `if` at ", ": its value is ", remedy]);
    says(last(&n), (FILE, BEGIN + 41), &["the `for` at ", "`s` is ", remedy]);
    let f = function(|n: &Tensor| cond(&n.greater(2)?, || Ok(scalar(1)), || Ok(n.clone())));
    says(f.call(&n), (FILE, line!() - 1), &["the `cond` at ", remedy]);
    let itself = "cast one of them, as in `x.cast(i64)?`; of a number write `k` itself or `scalar(k as i64)`";
    says(ops::add(&n, scalar(1)), (FILE, line!()), &["int64 and int32; ", itself]);
    let float = "as in `x.cast(f32)?`; of a number write `k` itself or `scalar(k as f32)`";
    says(ops::mul(scalar(0.5), scalar(1.0f32)), (FILE, line!()), &[float]);
    // No number of Rust's is an f16.
    let half = scalar(1.0f32).cast(f16).unwrap();
    let e = ops::mul(&half, scalar(0.5)).unwrap_err().to_string();
    assert!(e.contains("cast one of them, as in `x.cast(f16)?`") && !e.contains("scalar("), "{e}");
    let e = ops::mul(&half, scalar(0.5f32)).unwrap_err().to_string();
    assert!(e.contains("cast one of them") && !e.contains("scalar("), "{e}");
}

#[tf_function]
fn element(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    x.gather(i, 0)
}

#[tf_function]
fn element_of(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    element(x, i)
}

#[test]
fn functions_have_the_names_that_they_were_given() {
    let (x, i) = (tensor![1.0, 2.0], scalar(5));
    let text = element_of(&x, &i).unwrap_err().to_string();
    assert!(text.contains("in `element`, in `element_of`, traced for"), "{text}");
    let over = function(|x: &Tensor, i: &Tensor| map_fn(i, |i: Tensor| element(x, &i)));
    let text = over.call(&x, &tensor![1, 5]).unwrap_err().to_string();
    assert!(text.contains("in `element`, in iteration 1, in the `map_fn` at "), "{text}");
}

#[test]
fn what_fails_in_a_gradient_has_a_line_of_the_body() {
    let (x, i) = (tensor![1.0, 2.0], scalar(5));
    let slope = function(|x: &Tensor, i: &Tensor| {
        let picked = || x.gather(i, 0);
        grad(|x: &Tensor| {
            let positive = x.reduce_sum(.., false)?.greater(0.0)?;
            cond(&positive, || ops::mul(x, picked()?)?.reduce_sum(.., false), || Ok(scalar(0.0)))
        })(x)
    });
    let e = slope.call(&x, &i).unwrap_err();
    let file = e.location().map(|l| l.file().rsplit('/').next().unwrap_or(""));
    assert_eq!(file, Some(FILE), "{e}");
    let slope = function(|x: &Tensor, i: &Tensor| {
        grad(|x: &Tensor| {
            let positive = x.reduce_sum(.., false)?.greater(0.0)?;
            cond(&positive, || x.gather(i, 0), || Ok(scalar(0.0)))
        })(x)
    });
    let text = slope.call(&x, &i).unwrap_err().to_string();
    assert!(text.contains(FILE) && !text.contains("runtime/src"), "{text}");
    assert!(text.contains("the arm `then`, in the `gradient` at "), "{text}");
}

#[test]
fn an_option_that_is_filled_in_a_loop_says_what_to_write() {
    let last = function(|n: &Tensor| {
        let start = (scalar(0), None);
        let (_, last) = while_loop(
            start,
            |(i, _)| i.less(n),
            |(i, _): (Tensor, Option<Tensor>)| Ok((i.clone() + 1, Some(i))),
        )?;
        Ok(last)
    });
    let e = last.call(&scalar(3)).unwrap_err().to_string();
    let remedy = "let it hold a value from the start, and a bool tensor beside it (`let mut found = scalar(false)`)";
    assert!(e.contains("`vars[1]` is None for the loop") && e.contains(remedy), "{e}");
}

#[tf_function]
fn counted(n: &Tensor, end: &Tensor) -> Result<Tensor> {
    let mut s = n.clone();
    for _ in n..end {
        s = &s + 1;
    }
    Ok(s)
}

#[test]
fn a_range_that_is_none_is_told_at_its_line() {
    let (n, here) = (scalar(3i64), line!() - 8);
    let text =
        |from, to| format!("a range goes over integers of one dtype, not from {from} to {to}");
    says(counted(&n, &scalar(5i32)), (FILE, here), &[&text("int64", "int32")]);
    says(counted(&scalar(0.5f32), &scalar(5.0f32)), (FILE, here), &[&text("float32", "float32")]);
}
