//! The whole texts of errors in functions that functions call: op, types, line, the path of the calls.

use extype::ErrorKind;
use extype::prelude::*;

const FILE: &str = "tests/tests/types/messages/paths.rs:";

/// The line before the functions.
const BEGIN: u32 = line!();

#[tf_function]
fn projected(x: &Tensor, w: &Tensor) -> Result<Tensor> {
    x.matmul(w)
}

#[tf_function]
fn loss(x: &Tensor, w: &Tensor) -> Result<Tensor> {
    projected(x, w)?.square()?.reduce_sum(.., false)
}

#[tf_function]
fn step(x: &Tensor, w: &Tensor) -> Result<Tensor> {
    ops::neg(loss(x, w)?)
}

#[tf_function]
fn picked(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    x.gather(i, 0)
}

#[tf_function]
fn picked_twice(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    ops::add(picked(x, i)?, x.gather(0, 0)?)
}

#[tf_function]
fn picked_later(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    let mut s = scalar(0.0f32);
    for k in 0..i {
        if k > 1 {
            s = s + picked_twice(x, &k)?;
        } else {
            s = s + 1.0;
        }
    }
    Ok(s)
}

#[tf_function]
fn epoch(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    let mut s = scalar(0.0f32);
    for _ in 0..i {
        s = s + picked_later(x, i)?;
    }
    Ok(s)
}

#[tf_function]
fn sum(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    Ok(x + y)
}

#[tf_function]
fn sum_of(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    Ok(sum(x, y)? * 2.0)
}

#[tf_function]
fn third(x: &Tensor, of: &[i64]) -> Result<Tensor> {
    ops::mul(x, of[2])
}

#[tf_function]
fn third_of(x: &Tensor, of: &[i64]) -> Result<Tensor> {
    third(x, of)
}

#[tf_function]
fn long(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    let mut s = picked(x, i)?;
    for k in 0..40 {
        s = (s + x.gather(k % 2, 0)?).abs()? - x.gather(k % 2, 0)?.exp()?;
    }
    Ok(s)
}

#[tf_function]
fn long_twice(x: &Tensor, i: &Tensor) -> Result<Tensor> {
    ops::add(long(x, i)?, long(x, &ops::sub(i, i)?)?)
}

/// The text, with lines of this file as `@` and the number of lines below `BEGIN`.
#[track_caller]
fn told(result: Result<Tensor>) -> String {
    let text = result.unwrap_err().to_string();
    let mut parts = text.split(FILE);
    let mut told = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let line: u32 = part[..part.len() - rest.len()].parse().unwrap();
        let rest = rest
            .strip_prefix(':')
            .map_or(rest, |column| column.trim_start_matches(|c: char| c.is_ascii_digit()));
        told += &format!("@{}{rest}", line - BEGIN);
    }
    told
}

fn ones(dims: [i64; 2]) -> Tensor {
    ops::ones(dims, f32).unwrap()
}

#[test]
fn shapes_that_do_not_fit_name_the_functions_and_what_they_were_traced_for() {
    let specs = "(x: TensorSpec([2, 3], float32), w: TensorSpec([2, 1], float32))";
    let text = told(step(&ones([2, 3]), &ones([2, 1])));
    assert_eq!(
        text,
        format!(
            "matmul: inner dimensions differ: [2, 3] × [2, 1] (3 ≠ 2)\n  at @4, in `projected`, traced for {specs}, in \
             `loss`, traced for {specs}, in `step`, traced for {specs}"
        )
    );
    assert_eq!((step::trace_count(), loss::trace_count(), projected::trace_count()), (0, 0, 0));
    assert!(step(&ones([2, 3]), &ones([3, 1])).is_ok());
}

#[test]
fn what_fails_when_the_graph_runs_has_the_path_of_the_calls_inlined_or_not() {
    let x = tensor![1.0f32, 2.0];
    let wanted = |function: &str| {
        format!(
            "gather: index 7 at position 0 is not in [0, 2)\n  at @19, in `picked`, in `{function}`, traced for \
             (x: TensorSpec([2], float32), i: TensorSpec([], int32))"
        )
    };
    assert_eq!(told(picked_twice(&x, &scalar(7))), wanted("picked_twice"));
    // Too long to be put in place of its calls.
    let called = "in `picked`, in `long`, in `long_twice`";
    let text = told(long_twice(&x, &scalar(7)));
    assert_eq!(text, wanted("long_twice").replace("in `picked`, in `long_twice`", called));
    // The next correct calls are served by the traces that are there.
    assert_eq!(picked_twice(&x, &scalar(1)).unwrap().item::<f32>().unwrap(), 3.0);
    assert!(long_twice(&x, &scalar(1)).is_ok());
    assert_eq!((picked_twice::trace_count(), long_twice::trace_count()), (1, 1));
}

#[test]
fn loops_and_arms_are_on_the_path() {
    let x = tensor![1.0f32, 2.0];
    let inner = "gather: index 2 at position 0 is not in [0, 2)\n  at @19, in `picked`, in `picked_twice`, in the arm \
                 `then`, in the `if` at @31, in iteration 2, in the `for` at @30";
    let specs = "traced for (x: TensorSpec([2], float32), i: TensorSpec([], int32))";
    assert_eq!(told(picked_later(&x, &scalar(5))), format!("{inner}, in `picked_later`, {specs}"));
    // Of a long path the innermost part and the function that was called are told.
    assert_eq!(
        told(epoch(&x, &scalar(5))),
        format!("{inner}, in `picked_later`, …, in `epoch`, {specs}")
    );
}

#[test]
fn an_operator_that_fails_ends_the_trace_with_the_same_text() {
    let (x, y) = (tensor![1.0f32, 2.0], tensor![1.0f32, 2.0, 3.0]);
    let text = told(sum_of(&x, &y));
    let specs = "traced for (x: TensorSpec([2], float32), y: TensorSpec([3], float32))";
    assert_eq!(
        text,
        format!(
            "add: shapes [2] and [3] do not broadcast: axis 0 differs (2 ≠ 3)\n  at @51, in `sum`, {specs}, in `sum_of`, \
             {specs}"
        )
    );
    assert_eq!(sum_of(&x, &x).unwrap().to_vec::<f32>().unwrap(), [4.0, 8.0]);
}

#[test]
fn a_panic_names_the_body_and_the_path() {
    let e = third_of(&scalar(1i64), &[1, 2]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Internal);
    let specs = "traced for (x: TensorSpec([], int64), of: [1, 2])";
    assert_eq!(
        told(Err(e)),
        format!(
            "the body of `third`, while it was traced, panicked: index out of bounds: the len is 2 but the index is 2\n  \
             in `third`, {specs}, in `third_of`, {specs}"
        )
    );
    assert_eq!(third_of(&scalar(2i64), &[1, 2, 3]).unwrap().item::<i64>().unwrap(), 6);
}
