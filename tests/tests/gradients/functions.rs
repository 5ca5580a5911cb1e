//! Gradients through traced functions.

use super::floats;
use extype::prelude::*;
use extype::recompute;
use extype::{hessian, hvp, jacobian};

#[test]
fn forward_and_backward_functions_are_made_once() -> Result<()> {
    let f = function(|x: &Tensor| ops::mul(&x.sin()?, &x.exp()?));
    let outer = function(|x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let (a, b) = tape.stop_recording(|| Ok((f.call(x)?, f.call(x)?)))?;
        let (c, d) = (f.call(x)?, f.call(x)?);
        let all = ops::add(&ops::add(&a, &b)?, &ops::add(&c, &d)?)?;
        tape.gradient(&all, x)?.leaf(0)
    });
    let concrete = outer.concrete(&TensorSpec::of::<f32>([2]))?;
    // The function without a tape, the forward and the backward function; two calls of each.
    assert_eq!(concrete.graph().library().len(), 3, "{}", concrete.graph());
    let calls = concrete.graph().graph.nodes().iter().filter(|n| n.op.name == "PartitionedCall");
    assert_eq!(calls.count(), 6);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn variables_of_nested_functions_are_watched() -> Result<()> {
    let v = Variable::new(3.0f32)?;
    let inner = function(|x: &Tensor| ops::mul(&v.read()?.square()?, x));
    let middle = function(|x: &Tensor| cond(&x.greater(0.0)?, || inner.call(x), || Ok(x.clone())));
    let outer = function(|x: &Tensor| middle.call(x));
    let tape = GradientTape::new();
    let y = outer.call(&scalar(2.0f32))?;
    assert_eq!(tape.gradient(&y, &v)?.of(&v)?.expect("connected").item::<f32>()?, 12.0);
    Ok(())
}

#[test]
fn variables_that_are_not_trainable_are_not_watched() -> Result<()> {
    let v = Variable::new(3.0f32)?.not_trainable();
    let f = function(|x: &Tensor| ops::mul(&v.read()?, x));
    let tape = GradientTape::new();
    let y = f.call(&scalar(2.0f32))?;
    assert!(tape.gradient(&y, &v)?.of(&v)?.is_none());
    // But on request.
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&v, || f.call(&scalar(2.0f32)))?;
    assert_eq!(g.of(&v)?.expect("connected").item::<f32>()?, 2.0);
    Ok(())
}

#[test]
fn orders_mix_tapes_around_and_inside() -> Result<()> {
    let fourth = function(|x: &Tensor| x.square()?.square());
    let inside = function(|x: &Tensor| grad(|x: &Tensor| fourth.call(x))(x));
    let x = scalar(2.0f32);
    let around = grad(grad(|x: &Tensor| inside.call(x)));
    assert_eq!(around(&x)?.item::<f32>()?, 48.0);
    let again = function(|x: &Tensor| grad(|x: &Tensor| inside.call(x))(x));
    assert_eq!(grad(|x: &Tensor| again.call(x))(&x)?.item::<f32>()?, 48.0);
    assert_eq!(grad(grad(grad(grad(|x: &Tensor| fourth.call(x)))))(&x)?.item::<f32>()?, 24.0);
    Ok(())
}

#[test]
fn a_value_that_is_passed_twice_has_both_uses() -> Result<()> {
    let f = function(|a: &Tensor, b: &Tensor| ops::mul(&a.square()?, b));
    let x = scalar(2.0f32);
    assert_eq!(grad(|x: &Tensor| f.call(x, x))(&x)?.item::<f32>()?, 12.0);
    // Of a structure that holds it twice each use has the whole gradient, as the tape knows one tensor only.
    let pair = (x.clone(), x.clone());
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&pair, || f.call(&pair.0, &pair.1))?;
    let of = |i: usize| g.leaf(i)?.expect("connected").item::<f32>();
    assert_eq!((of(0)?, of(1)?), (12.0, 12.0));
    Ok(())
}

#[test]
fn stop_gradient_cuts_in_functions_and_loops() -> Result<()> {
    let f = function(|x: &Tensor| {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, y)| Ok((ops::add(&i, 1)?, ops::mul(&y, &y.stop_gradient()?)?)),
        )?;
        ops::add(&y, &x.square()?.stop_gradient()?)
    });
    // y is x⁴: of x², which is a constant, times x, and so once more.
    assert_eq!(floats(&grad(|x: &Tensor| f.call(x))(&tensor![2.0f32, 3.0])?), [8.0, 27.0]);
    Ok(())
}

#[test]
fn broadcasting_sums_the_gradient_down() -> Result<()> {
    let x = tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let row = tensor![10.0f32, 20.0, 30.0];
    let column = tensor![[2.0f32], [3.0]];
    let f = |(x, row, column, one): &(Tensor, Tensor, Tensor, Tensor)| {
        ops::mul(&ops::mul(&ops::mul(x, row)?, column)?, one)
    };
    let all = (x, row, column, scalar(1.0f32));
    let traced = function(f);
    let spec = || TensorSpec::new(Shape::unknown(), f32);
    traced.concrete(&(spec(), spec(), spec(), spec()))?;
    for g in [grad(f)(&all)?, grad(|x: &(Tensor, Tensor, Tensor, Tensor)| traced.call(x))(&all)?] {
        assert_eq!(floats(&g.0), [20.0, 40.0, 60.0, 30.0, 60.0, 90.0]);
        assert_eq!(floats(&g.1), [14.0, 19.0, 24.0]);
        assert_eq!((g.2.shape(), floats(&g.2)), (shape![2, 1], vec![140.0, 320.0]));
        assert_eq!((g.3.shape(), g.3.item::<f32>()?), (shape![], 1240.0));
    }
    Ok(())
}

/// Every form within one function whose loop and conditional are Rust's own.
#[tf_function]
fn every_form(x: &Tensor, n: &Tensor) -> Result<Vec<Tensor>> {
    let power = |x: &Tensor| powers(x, n);
    let (y, pullback) = vjp(power, x)?;
    let ones = y.ones_like()?;
    let (_, forward) = jvp(power, x, &ones)?;
    let tape = GradientTape::new();
    tape.watch(x);
    let stopped = tape.stop_recording(|| power(x))?;
    let z = ops::mul(&power(x)?, &stopped)?;
    let found = tape.gradient(&z, x)?;
    found.connected()?;
    Ok(vec![
        pullback.call(&ones)?,
        forward,
        jacobian(power)(x)?.into_tensor()?.tensor_diag_part()?,
        hessian(power)(x)?.into_tensor()?.tensor_diag_part()?,
        hvp(power, x, &ones)?,
        found.into_structure()?,
        grad(recompute(power))(x)?,
    ])
}

/// `xⁿ`, or `-xⁿ` for a negative sum.
#[tf_function]
fn powers(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut y = x.ones_like()?;
    let mut i = scalar(0i32);
    while &i < n {
        y = y * x;
        i += 1;
    }
    if x.reduce_sum(.., false)? < 0.0 {
        y = -y;
    }
    Ok(y)
}

#[test]
fn every_form_works_in_functions_of_rust_control_flow() -> Result<()> {
    for (x, sign) in [([1.0f32, 2.0], 1.0), ([1.0, -2.0], -1.0)] {
        let found = every_form(&Tensor::from_slice(&x, &[2])?, &scalar(3i32))?;
        let slope = x.map(|x| 3.0 * x * x * sign);
        let curve = x.map(|x| 6.0 * x * sign);
        let stopped = x.map(|x| 3.0 * x * x * x * x * x);
        for (i, want) in [slope, slope, slope, curve, curve, stopped, slope].into_iter().enumerate()
        {
            assert_eq!(floats(&found[i]), want, "{i}");
        }
    }
    assert_eq!(every_form::trace_count(), 1);
    Ok(())
}
