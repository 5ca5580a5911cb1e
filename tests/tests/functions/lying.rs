//! Rows of other crates whose functions return what the row does not promise: told at once, with the op, who lied,
//! what was promised and what came.

use extype::array::Array;
use extype::gradient::{Gradient, InputGradients};
use extype::prelude::*;
use extype::types::DTypeSet;
use extype_tests::fuzz::liars;

#[test]
fn every_lie_is_told_in_every_way_to_make_the_call() -> Result<()> {
    let mut found = Vec::new();
    for x in [ops::ones([2, 3], f32)?, ops::ones([4], f64)?, ops::ones([3, 1, 2], f32)?] {
        found.extend(liars::all_unseen(&x));
    }
    assert!(found.is_empty(), "{} of them:\n{}", found.len(), found.join("\n"));
    Ok(())
}

extype::define_op! {
    /// The square; its gradient is a sum, which is of another shape.
    op Summed = "TestLying>Summed" {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT },
        call: summed(x),
        infer: ops::rules::same_shape,
        kernel: |c| ops::Square::default().compute(&[c.input(0)]),
        gradient: |g| ops::mul(g.dy()?, g.x(0))?.reduce_sum(.., false),
        batch: |b| b.run(&[b.all(0)?.reduce_sum(0, false)?]),
    }

    /// A vector of two, whatever inference says.
    op Short = "TestLying>Short" {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT },
        call: short(x),
        infer: ops::rules::same_shape,
        kernel: |c| Ok([Array::zeros(c.input(0).dtype(), [2])?].into()),
        gradient: none,
    }

    /// A list, of which a gradient comes for the first alone.
    op Listed = "TestLying>Listed" {
        inputs: { xs: [T; N] }, outputs: { z: T }, types: { T: DTypeSet::FLOAT },
        call: listed([xs]),
        infer: |c| Ok([c.input(0).clone()].into()),
        kernel: |c| Ok([c.input(0).clone()].into()),
        gradient: |g: &Gradient<'_>| Ok([Some(g.dy()?.clone())].into_iter().collect::<InputGradients>()),
    }

    /// A kernel without results.
    op Void = "TestLying>Void" {
        inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT },
        call: void(x),
        infer: ops::rules::same_shape,
        kernel: |_| Ok(extype::ir::Outputs::new()),
        gradient: none,
    }

    /// What a variable holds, with a gradient that is a sum.
    op Held = "TestLying>Held" {
        inputs: { v: {Resource}, like: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT },
        dispatch: none,
        infer: |c| Ok([c.input(1).clone()].into()),
        kernel: |c| Ok([c.input(1).clone()].into()),
        gradient: |g| Ok([Some(g.dy()?.reduce_sum(.., false)?), None]),
    }

    /// A product that says it is an integer.
    binary Whole = "TestLying>Whole" {
        types: { T: DTypeSet::FLOAT },
        call: whole,
        infer: |c| Ok([extype::types::TensorType::new(i32, c.shape(0).clone())].into()),
        kernel: |c| ops::Mul::default().compute(&[c.input(0), c.input(1)]),
        gradient: none,
    }
}

fn texts<R>(all: impl IntoIterator<Item = Result<R>>) -> Vec<String> {
    let text = |r: Result<R>| match r {
        Ok(_) => "taken".to_owned(),
        Err(e) => e.to_string(),
    };
    all.into_iter().map(text).collect()
}

#[test]
fn a_gradient_of_another_shape_is_no_gradient() -> Result<()> {
    let x = tensor![2.0f32, 4.0, 5.0];
    let alone = |x: &Tensor| summed(x);
    let beside = |x: &Tensor| ops::add(&summed(x)?, &x.square()?);
    let any = TensorSpec::new(Shape::unknown(), f32);
    let traced = function(move |x: &Tensor| grad(alone)(x));
    let says =
        "the gradient of `summed` returned float32[] for operand 0, `x`, which is float32[3]";
    for text in texts([grad(alone)(&x), grad(beside)(&x), traced.call(&x)]) {
        assert!(text.contains(says) && text.contains("lying.rs"), "{text}");
    }
    // What is known when the program runs only is told there.
    let text = texts([traced.concrete(&any)?.call_flat(std::slice::from_ref(&x))]).remove(0);
    assert!(text.contains("the gradient of `summed` returned another shape"), "{text}");
    Ok(())
}

#[test]
fn a_kernel_gives_what_inference_says() -> Result<()> {
    let (x, two) = (tensor![2.0f32, 4.0, 5.0], tensor![1.0f32, 2.0]);
    assert_eq!(short(&two)?.shape(), shape![2]);
    let traced = function(|x: &Tensor| short(x)?.reduce_mean(.., false));
    let says = "the kernel of `short` returned float32[2] for result 0, `y`, which is float32[3] by its inference";
    let any = traced.concrete(&TensorSpec::new(Shape::unknown(), f32))?;
    for text in texts([
        short(&x),
        traced.call(&x),
        any.call_flat(std::slice::from_ref(&x)).map(|mut y| y.remove(0)),
    ]) {
        assert!(text.contains(says) && text.contains("lying.rs"), "{text}");
    }
    Ok(())
}

#[test]
fn a_kernel_without_results_is_refused_also_in_a_map() {
    let x = ops::ones([2, 3], f32).unwrap();
    let map = |x: &Tensor| vectorized_map(x, |row: Tensor| void(&row));
    let traced = function(map);
    let says = "the kernel of `void` returned 0 results for the 1 of its inference";
    let same = |x: &Tensor| vectorized_map(x, |_: Tensor| void(scalar(1.0f32)));
    for text in texts([void(&x), map(&x), traced.call(&x), same(&x)]) {
        assert!(text.contains(says) && text.contains("lying.rs"), "{text}");
    }
}

#[test]
fn there_is_a_gradient_for_each_operand() {
    let x = tensor![2.0f32, 4.0];
    let f = |x: &Tensor| listed(&[x, x, x]);
    let e = grad(f)(&x).unwrap_err().to_string();
    assert!(e.contains("the gradient of `listed` returned 1 gradients for the 3 operands"), "{e}");
}

#[test]
fn the_gradient_of_a_variable_is_of_its_value() -> Result<()> {
    use extype::ops::NamedOp;
    let v = Variable::new(tensor![1.0f32, 2.0])?;
    let tape = GradientTape::new();
    let y =
        extype::tensor::execute(Held::DEF, extype::ir::Attrs::new(), &[v.handle(), &v.read()?])?;
    let e = tape.gradient(&y[0], &v).unwrap_err().to_string();
    assert!(e.contains("returned float32[] for operand 0, `v`, which is float32[2]"), "{e}");
    Ok(())
}

#[test]
fn inference_keeps_the_row() {
    let x = tensor![2.0f32, 4.0];
    let says =
        "the inference of `whole` returned int32[2] for result 0, `z`, which is float32 by its row";
    let traced = function(|x: &Tensor| whole(x, x));
    for text in texts([whole(&x, &x), traced.call(&x)]) {
        assert!(text.contains(says) && text.contains("lying.rs"), "{text}");
    }
}

#[test]
fn a_batching_rule_names_itself() -> Result<()> {
    let x = ops::ones([2, 3], f32)?;
    let map = |x: &Tensor| vectorized_map(x, |row: Tensor| summed(&row));
    let says = "the batching rule of `summed` returned float32[3] for result 0 of all calls, which is float32[2, 3]";
    let traced = function(map);
    for text in texts([map(&x), traced.call(&x)]) {
        assert!(text.starts_with("summed: ") && text.contains(says), "{text}");
        assert!(text.contains("lying.rs") && !text.contains("ensure_shape"), "{text}");
    }
    Ok(())
}
