//! What has no gradient, and how it is told.

use super::said;
use extype::jacobian;
use extype::prelude::*;
use extype::{hessian, hvp};
use extype_tests::types::MaskedTensor;

/// Checks that an error has these parts.
#[track_caller]
fn tells<T>(result: Result<T>, parts: &[&str]) {
    let told = said(result);
    for part in parts {
        assert!(told.contains(part), "{told}: no `{part}`");
    }
}

fn masked() -> MaskedTensor {
    MaskedTensor { values: tensor![1.0f32, 2.0], mask: tensor![true, false] }
}

#[test]
fn an_integer_source_says_to_cast() -> Result<()> {
    let i = tensor![1i32, 2];
    let float = |i: &Tensor| i.cast(f32)?.square();
    tells(grad(float)(&i), &["the source is int32[2]", "cast", "x.cast(f32)"]);
    let f = function(move |i: &Tensor| grad(float)(i));
    tells(f.call(&i), &["the source is int32[2]", "cast"]);
    let pair = (scalar(1.0f32), vec![i.clone()]);
    tells(grad(|p: &(Tensor, Vec<Tensor>)| p.0.square())(&pair), &["`[1][0]`", "int32[2]"]);
    tells(vjp(float, &i), &["the source is int32[2]"]);
    tells(jvp(float, &i, &i), &["the source is int32[2]"]);
    tells(hvp(float, &i, &i), &["the source is int32[2]"]);
    tells(jacobian(float)(&i), &["the source is int32[2]"]);
    tells(hessian(float)(&i), &["the source is int32[2]"]);
    for other in [scalar(true), Tensor::from_strings(&["a"], &[1])?] {
        tells(grad(|x: &Tensor| ops::shape_of(x)?.cast(f32))(&other), &["cast"]);
    }
    // Within an extension type they are what they are: its author knows what they mean.
    let g = grad(|m: &MaskedTensor| m.values.square())(&masked())?;
    assert_eq!(g.mask.to_vec::<bool>()?, [true, false]);
    Ok(())
}

#[test]
fn a_target_without_numbers_says_what_it_is() -> Result<()> {
    let x = tensor![1.0f32, 2.0];
    tells(grad(|x: &Tensor| x.cast(i32))(&x), &["int32", "only floats and complex"]);
    tells(grad(|x: &Tensor| x.greater(0.0))(&x), &["bool", "only floats and complex"]);
    tells(grad(|_: &Tensor| Ok(Vec::<Tensor>::new()))(&x), &["it holds no tensor"]);
    let v = Variable::new(1.0f32)?;
    let tape = GradientTape::new();
    tells(tape.gradient(&v, &v), &["read the variable"]);
    // Beside something that can be differentiated, a count is no target.
    let with_count = |x: &Tensor| Ok((x.square()?, ops::size(x)?));
    assert_eq!(super::floats(&grad(with_count)(&x)?), [2.0, 4.0]);
    Ok(())
}

#[test]
fn a_source_that_was_never_watched_says_to_watch_it() -> Result<()> {
    let (x, other) = (scalar(3.0f32), scalar(2.0f32));
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = ops::mul(&x, &other)?;
    tells(tape.gradient(&y, &other), &["the source, float32[]", "tape.watch(&x)", "before"]);
    tells(tape.gradient(&y, &(x.clone(), other.clone())), &["`[1]`", "tape.watch(&x)"]);
    let fresh = GradientTape::new();
    tells(fresh.gradient(&y, &masked()), &["`.values`", "tape.watch(&x)"]);
    // What was computed from something watched needs no more, nor do variables.
    assert_eq!(tape.gradient(&y.square()?, &y)?.leaf(0)?.expect("connected").item::<f32>()?, 12.0);
    let v = Variable::new(2.0f32)?;
    let g = tape.gradient(&ops::mul(&v.read()?, &x)?, &v)?;
    assert_eq!(g.of(&v)?.expect("connected").item::<f32>()?, 3.0);
    Ok(())
}

#[test]
fn sources_that_are_not_connected_are_named() -> Result<()> {
    let sources = (scalar(3.0f32), masked(), Some(scalar(1.0f32)));
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&sources, || sources.0.square())?;
    assert_eq!(
        g.leaves()?.iter().map(Option::is_some).collect::<Vec<_>>(),
        [true, false, false, false]
    );
    // Not the mask: it can have none.
    let told = said(g.connected().map(|_| ()));
    assert!(told.contains("does not depend on `[1].values`, `[2]`: "), "{told}");
    // Zeros on request.
    let (dx, dm, _) = g.into_structure()?;
    assert_eq!((dx.item::<f32>()?, super::floats(&dm.values)), (6.0, vec![0.0, 0.0]));
    let (_, g) = tape.value_and_gradient(&sources.0, || sources.0.square())?;
    assert_eq!(g.connected()?.leaves()?.len(), 1);
    // State that is not trained is not missed.
    let state = Variable::new(0.0f32)?.not_trainable();
    let both = (sources.0.clone(), state);
    let (_, g) = tape.value_and_gradient(&both, || both.0.square())?;
    g.connected()?;
    Ok(())
}

#[test]
fn an_op_without_a_rule_is_named_not_silent() -> Result<()> {
    let f = |a: &Tensor| ops::igamma_grad_a(a, 2.5);
    for result in [
        grad(f)(&scalar(2.5f64)).map(|_| ()),
        grad(|a: &Tensor| function(f).call(a))(&scalar(2.5f64)).map(|_| ()),
        jacobian(f)(&tensor![2.5f64, 3.0]).map(|_| ()),
    ] {
        let e = result.unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Unimplemented, "{e}");
        assert!(e.to_string().contains("igamma_grad_a"), "{e}");
    }
    Ok(())
}

#[test]
fn cotangents_are_checked() -> Result<()> {
    let x = tensor![1.0f32, 2.0];
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = (x.square()?, vec![x.exp()?]);
    let ask = |cotangents: Vec<Option<Tensor>>| tape.gradient_with(&y, &x, cotangents);
    tells(ask(vec![None]), &["1 cotangents", "2 tensors", "None"]);
    tells(
        ask(vec![None, Some(tensor![1.0f64, 1.0])]),
        &["target's `[1][0]`", "float64[2]", "float32[2]"],
    );
    tells(ask(vec![Some(tensor![1.0f32]), None]), &["target's `[0]`", "float32[1]"]);
    assert!(ask(vec![None, None])?.leaf(0)?.is_none());
    let g = ask(vec![Some(tensor![1.0f32, 10.0]), None])?;
    assert_eq!(super::floats(&g.leaf(0)?.expect("connected")), [2.0, 40.0]);
    let (_, pullback) = vjp(|x: &Tensor| Ok(vec![x.square()?]), &x)?;
    tells(pullback.call(&vec![]), &["0 tensors", "1"]);
    tells(pullback.call(&vec![scalar(1.0f32)]), &["cotangent's `[0]`", "float32[]", "float32[2]"]);
    tells(jvp(|x: &Tensor| x.square(), &x, &tensor![1i32, 1]), &["the tangent is int32[2]"]);
    tells(hvp(|x: &Tensor| x.square(), &x, &tensor![1.0f32]), &["the vector is float32[1]"]);
    Ok(())
}

/// What a trace knows as `?` is compared when it runs: cotangents of another size would broadcast.
#[test]
fn sizes_of_cotangents_that_a_trace_does_not_know_are_compared_when_it_runs() -> Result<()> {
    #[tf_function(signature(f32[?], f32[?]))]
    fn pulled(x: &Tensor, c: &Tensor) -> Result<Tensor> {
        vjp(|x: &Tensor| x.square(), x)?.1.call(c)
    }
    #[tf_function(signature(f32[..], f32[..]))]
    fn pushed(x: &Tensor, v: &Tensor) -> Result<Tensor> {
        Ok(jvp(|x: &Tensor| x.square(), x, v)?.1)
    }
    #[tf_function(signature(f32[..], f32[..]))]
    fn given(x: &Tensor, g: &Tensor) -> Result<Tensor> {
        let g = g.clone();
        grad(custom_gradient(move |x: &Tensor| {
            let g = g.clone();
            Ok((x.square()?, move |_: &Tensor| Ok(g.clone())))
        }))(x)
    }
    let x = tensor![1.0f32, 2.0, 3.0];
    assert_eq!(super::floats(&pulled(&x, &x)?), [2.0, 8.0, 18.0]);
    assert_eq!(super::floats(&pushed(&x, &x)?), [2.0, 8.0, 18.0]);
    assert_eq!(super::floats(&given(&x, &x)?), [1.0, 2.0, 3.0]);
    let row = tensor![1.0f32];
    tells(pulled(&x, &row), &["the cotangent has another shape", "[1]", "[3]"]);
    for other in [row, scalar(1.0f32), tensor![[1.0f32, 1.0, 1.0]], tensor![1.0f32, 1.0]] {
        tells(pushed(&x, &other), &["the tangent has another shape", "[3]"]);
        tells(given(&x, &other), &["custom_gradient at", "the shapes of a gradient", "[3]"]);
    }
    assert_eq!((pulled::trace_count(), pushed::trace_count(), given::trace_count()), (1, 1, 1));
    Ok(())
}

#[test]
fn nothing_has_no_gradients() -> Result<()> {
    let x = scalar(1.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.square()?;
    let none = tape.gradient(&y, &Vec::<Tensor>::new())?;
    assert!(none.leaves()?.is_empty() && none.connected().is_ok() && none.norm().is_err());
    let ((), n) = grad(|_: &((), i64)| x.square())(&((), 3))?;
    assert_eq!(n, 3);
    Ok(())
}
