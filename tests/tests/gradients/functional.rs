//! Pullbacks, pushforwards, Jacobians, Hessians.

use super::floats;
use extype::hessian;
use extype::prelude::*;
use extype::{hvp, jacobian};
use extype_tests::types::MaskedTensor;
use num_complex::Complex64;

/// A function of two rows with every kind of control flow, and with calls.
fn winding(x: &Tensor) -> Result<Tensor> {
    let inner = function(|x: &Tensor| ops::mul(&x.sin()?, x));
    let (_, y) = while_loop(
        (scalar(0i32), inner.call(x)?),
        |(i, _)| i.less(2),
        |(i, y)| Ok((ops::add(&i, 1)?, ops::mul(&y, x)?)),
    )?;
    let rows = map_fn(&ops::stack(&[&y, x], 0)?, |row: Tensor| row.square())?;
    let sum = rows.reduce_sum(0, false)?;
    let last =
        scan(&sum, scalar(0.0f64), |acc: Tensor, x: Tensor| ops::add(&ops::mul(&acc, 0.5)?, &x))?;
    cond(&last.reduce_sum(.., false)?.greater(0.0)?, || ops::mul(&last, x), || Ok(last.clone()))
}

fn point() -> Tensor {
    tensor![0.7f64, -1.3, 0.4]
}

fn doubles(t: &Tensor) -> Vec<f64> {
    t.to_vec().expect("float64")
}

fn near(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-6 * (1.0 + y.abs()), "{a:?} {b:?}");
    }
}

/// The Jacobian of `f` by differences.
fn differences(f: impl Fn(&Tensor) -> Result<Tensor>, x: &[f64]) -> Result<Vec<f64>> {
    let h = 1e-6;
    let at = |i: usize, by: f64| {
        let mut x = x.to_vec();
        x[i] += by;
        Ok::<_, Error>(doubles(&f(&Tensor::from_vec(x))?))
    };
    let mut columns = Vec::new();
    for i in 0..x.len() {
        let (above, below) = (at(i, h)?, at(i, -h)?);
        columns
            .push(above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * h)).collect::<Vec<_>>());
    }
    Ok((0..columns[0].len()).flat_map(|row| columns.iter().map(move |c| c[row])).collect())
}

#[test]
fn the_forms_agree_with_differences_eagerly_and_traced() -> Result<()> {
    let x = point();
    let traced = function(winding);
    let want = differences(|x| traced.call(x), &doubles(&x))?;
    let v = [1.0, -2.0, 0.5];
    let jv: Vec<f64> =
        want.chunks(3).map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect();
    let vj: Vec<f64> = (0..3).map(|c| (0..3).map(|r| want[3 * r + c] * v[r]).sum()).collect();
    let v = tensor![1.0f64, -2.0, 0.5];
    type F<'a> = &'a dyn Fn(&Tensor) -> Result<Tensor>;
    for f in [&winding as F, &|x: &Tensor| traced.call(x)] {
        near(&doubles(&jacobian(f)(&x)?.into_tensor()?), &want);
        let (y, dy) = jvp(f, &x, &v)?;
        near(&doubles(&y), &doubles(&f(&x)?));
        near(&doubles(&dy), &jv);
        let (_, pullback) = vjp(f, &x)?;
        near(&doubles(&pullback.call(&v)?), &vj);
        near(&doubles(&pullback.call(&v)?), &vj);
        // Within a function.
        let whole = function(|x: &Tensor| jacobian(f)(x)?.into_tensor());
        near(&doubles(&whole.call(&x)?), &want);
        let whole = function(|x: &Tensor| {
            let (_, pullback) = vjp(f, x)?;
            Ok((jvp(f, x, &v)?.1, pullback.call(&v)?))
        });
        let (a, b) = whole.call(&x)?;
        near(&doubles(&a), &jv);
        near(&doubles(&b), &vj);
    }
    Ok(())
}

#[test]
fn second_derivatives_agree_with_differences_eagerly_and_traced() -> Result<()> {
    let x = point();
    let sum = |x: &Tensor| function(winding).call(x)?.reduce_sum(.., false);
    let want = differences(|x| grad(sum)(x), &doubles(&x))?;
    let v = [1.0, -2.0, 0.5];
    let hv: Vec<f64> =
        want.chunks(3).map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect();
    let v = tensor![1.0f64, -2.0, 0.5];
    near(&doubles(&hessian(sum)(&x)?.into_tensor()?), &want);
    near(&doubles(&hvp(sum, &x, &v)?), &hv);
    let whole = function(|x: &Tensor| Ok((hessian(sum)(x)?.into_tensor()?, hvp(sum, x, &v)?)));
    let (h, p) = whole.call(&x)?;
    near(&doubles(&h), &want);
    near(&doubles(&p), &hv);
    // A Hessian is a Jacobian of a gradient, and both can be differentiated.
    let trace = |x: &Tensor| {
        hessian(|x: &Tensor| ops::mul(&x.square()?, &x.square()?))(x)?
            .into_tensor()?
            .tensor_diag_part()?
            .reduce_sum(.., false)
    };
    near(&doubles(&grad(trace)(&x)?), &doubles(&ops::mul(&x, 24.0)?));
    Ok(())
}

#[test]
fn a_jacobian_has_the_shape_of_the_target_then_of_the_source() -> Result<()> {
    let x = tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let j = jacobian(|x: &Tensor| x.reduce_sum(0, false))(&x)?.into_tensor()?;
    assert_eq!(j.shape(), shape![3, 2, 3]);
    for (i, g) in j.to_vec::<f32>()?.chunks(6).enumerate() {
        let want: Vec<f32> = (0..6).map(|k| f32::from(u8::from(k % 3 == i))).collect();
        assert_eq!(g, want);
    }
    let j = jacobian(|x: &Tensor| x.reduce_sum(.., false))(&x)?.into_tensor()?;
    assert_eq!((j.shape(), floats(&j)), (shape![2, 3], vec![1.0; 6]));
    let j = jacobian(|x: &Tensor| x.reshape([3, 2]))(&ops::fill([2, 3], &scalar(1.0f32))?)?
        .into_tensor()?;
    assert_eq!(j.shape(), shape![3, 2, 2, 3]);
    // Nothing of nothing.
    let none = Tensor::from_slice::<f32>(&[], &[0, 2])?;
    let j = jacobian(|x: &Tensor| x.square())(&none)?.into_tensor()?;
    assert_eq!(j.shape(), shape![0, 2, 0, 2]);
    // Sizes that are known when it runs.
    let f = function(|x: &Tensor| jacobian(|x: &Tensor| x.square())(x)?.into_tensor());
    f.concrete(&TensorSpec::new(shape![?], f32))?;
    assert_eq!(floats(&f.call(&tensor![1.0f32, 2.0])?), [2.0, 0.0, 0.0, 4.0]);
    let f = function(|x: &Tensor| jacobian(|x: &Tensor| x.reduce_sum(0, false))(x)?.into_tensor());
    f.concrete(&TensorSpec::new(Shape::unknown(), f32))?;
    assert_eq!(f.call(&ops::fill([2, 3], &scalar(1.0f32))?)?.shape(), shape![3, 2, 3]);
    Ok(())
}

#[test]
fn blocks_of_structures_tell_what_is_not_connected() -> Result<()> {
    let x = (tensor![1.0f32, 2.0], scalar(3.0f32));
    let f = |x: &(Tensor, Tensor)| Ok((ops::mul(&x.0, &x.1)?, x.1.square()?, ops::size(&x.0)?));
    let j = jacobian(f)(&x)?;
    assert_eq!(floats(j.block(0, 0)?.expect("connected")), [3.0, 0.0, 0.0, 3.0]);
    assert_eq!(floats(j.get("[0]", "[1]")?.expect("connected")), [1.0, 2.0]);
    assert!(j.block(1, 0)?.is_none() && j.block(2, 1)?.is_none());
    assert_eq!((j.dense(1, 0)?.shape(), floats(&j.dense(1, 0)?)), (shape![2], vec![0.0, 0.0]));
    assert_eq!(j.block(1, 1)?.expect("connected").item::<f32>()?, 6.0);
    assert_eq!(j.block(3, 0).unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!(j.get("[0]", "[7]").unwrap_err().kind(), ErrorKind::NotFound);
    // What is linear has a Hessian of zeros.
    let h = hessian(|x: &Tensor| ops::mul(x, 2.0))(&x.0)?;
    assert!(h.block(0, 0)?.is_none());
    assert_eq!(floats(&h.into_tensor()?), [0.0; 4]);
    // Variables are sources of tapes.
    let v = Variable::new(tensor![2.0f32, 3.0])?;
    let tape = GradientTape::new();
    let y = v.read()?.square()?;
    let j = tape.jacobian(&y, &(v.clone(),))?;
    assert_eq!(floats(j.block(0, 0)?.expect("connected")), [4.0, 0.0, 0.0, 6.0]);
    // Taking it does not disturb what the tape recorded.
    assert_eq!(floats(&tape.gradient(&y, &v)?.of(&v)?.expect("connected")), [4.0, 6.0]);
    Ok(())
}

#[test]
fn values_of_types_go_through_every_form() -> Result<()> {
    let masked = |values: Tensor| MaskedTensor { values, mask: tensor![true, false] };
    let (x, v) = (masked(tensor![2.0f32, 3.0]), masked(tensor![1.0f32, 10.0]));
    let f =
        |m: &MaskedTensor| Ok(MaskedTensor { values: m.values.square()?, mask: m.mask.clone() });
    let traced = function(f);
    for f in
        [&f as &dyn Fn(&MaskedTensor) -> Result<MaskedTensor>, &|m: &MaskedTensor| traced.call(m)]
    {
        let (y, pullback) = vjp(f, &x)?;
        assert_eq!(floats(&y.values), [4.0, 9.0]);
        let back = pullback.call(&v)?;
        assert_eq!(
            (floats(&back.values), back.mask.to_vec::<bool>()?),
            (vec![4.0, 60.0], vec![true, false])
        );
        let (y, dy) = jvp(f, &x, &v)?;
        assert_eq!((floats(&y.values), floats(&dy.values)), (vec![4.0, 9.0], vec![4.0, 60.0]));
        assert_eq!(dy.mask.to_vec::<bool>()?, [true, false]);
        assert_eq!(floats(&hvp(f, &x, &v)?.values), [2.0, 20.0]);
        let j = jacobian(f)(&x)?;
        assert_eq!(floats(j.get(".values", ".values")?.expect("connected")), [4.0, 0.0, 0.0, 6.0]);
        assert!(j.get(".mask", ".values")?.is_none() && j.get(".values", ".mask")?.is_none());
        let h = hessian(f)(&x)?;
        assert_eq!(floats(h.get(".values", ".values")?.expect("connected")), [2.0, 0.0, 0.0, 2.0]);
    }
    Ok(())
}

#[test]
fn complex_numbers_follow_tensorflow() -> Result<()> {
    let c = |re: f64, im: f64| Complex64::new(re, im);
    let z = Tensor::from_vec(vec![c(1.0, 2.0), c(-0.5, 1.0)]);
    // The gradient of z² is the conjugate of 2z; what goes forward is 2z.
    let (_, pullback) = vjp(|z: &Tensor| z.square(), &z)?;
    let ones = Tensor::from_vec(vec![c(1.0, 0.0), c(1.0, 0.0)]);
    assert_eq!(pullback.call(&ones)?.to_vec::<Complex64>()?, [c(2.0, -4.0), c(-1.0, -2.0)]);
    let (_, dz) = jvp(|z: &Tensor| z.square(), &z, &ones)?;
    assert_eq!(dz.to_vec::<Complex64>()?, [c(2.0, 4.0), c(-1.0, 2.0)]);
    let j = jacobian(|z: &Tensor| z.square())(&z)?.into_tensor()?;
    let zero = c(0.0, 0.0);
    assert_eq!(j.to_vec::<Complex64>()?, [c(2.0, -4.0), zero, zero, c(-1.0, -2.0)]);
    Ok(())
}

#[test]
fn a_gradient_that_looks_at_values_is_looped_over() -> Result<()> {
    // Its backward part can't be traced.
    let picky = custom_gradient(|x: &Tensor| {
        let kept = x.clone();
        Ok((x.square()?, move |dy: &Tensor| {
            let largest = dy.to_vec::<f32>()?.into_iter().fold(0.0, f32::max);
            ops::mul(&ops::mul(&kept, 2.0)?, &ops::mul(dy, largest)?)
        }))
    });
    let j = jacobian(&picky)(&tensor![1.0f32, 3.0])?.into_tensor()?;
    assert_eq!(floats(&j), [2.0, 0.0, 0.0, 6.0]);
    Ok(())
}

/// A derivative with respect to one part of an argument holds the others still, also where they are the same tensor.
#[test]
fn an_argument_that_holds_a_tensor_twice_has_two_derivatives() -> Result<()> {
    let f = |(a, b): &(Tensor, Tensor)| ops::mul(&a.square()?, b);
    let x = tensor![2.0f64, 3.0];
    let (twice, along) = ((x.clone(), x.clone()), (x.ones_like()?, x.zeros_like()?));
    let numbers =
        |(a, b): &(Tensor, Tensor)| -> Result<[Vec<f64>; 2]> { Ok([a.to_vec()?, b.to_vec()?]) };
    let slopes = [vec![8.0, 18.0], vec![4.0, 9.0]];
    assert_eq!(numbers(&grad(f)(&twice)?)?, slopes);
    let traced = function(move |x: &(Tensor, Tensor)| grad(f)(x));
    assert_eq!(numbers(&traced.call(&twice)?)?, slopes);
    let (_, pullback) = vjp(f, &twice)?;
    assert_eq!(numbers(&pullback.call(&x.ones_like()?)?)?, slopes);
    assert_eq!(jvp(f, &twice, &along)?.1.to_vec::<f64>()?, slopes[0]);
    assert_eq!(numbers(&hvp(f, &twice, &along)?)?, [vec![4.0, 6.0], vec![4.0, 6.0]]);
    let diagonal = jacobian(f)(&twice)?.dense(0, 1)?;
    assert_eq!(diagonal.to_vec::<f64>()?, [4.0, 0.0, 0.0, 9.0]);
    // What a function captured is a constant for it, though it is given the same tensor.
    let captured = |y: &Tensor| ops::mul(&x, &y.square()?);
    assert_eq!(grad(captured)(&x)?.to_vec::<f64>()?, [8.0, 18.0]);
    assert_eq!(jvp(captured, &x, &x.ones_like()?)?.1.to_vec::<f64>()?, [8.0, 18.0]);
    assert_eq!(hvp(captured, &x, &x.ones_like()?)?.to_vec::<f64>()?, [4.0, 6.0]);
    // A tape asks what a tensor counts wherever it stands.
    let tape = GradientTape::new();
    let (_, both) = tape.value_and_gradient(&twice, || f(&twice))?;
    assert_eq!(both.leaf(0)?.unwrap().to_vec::<f64>()?, [12.0, 27.0]);
    Ok(())
}

#[test]
fn jvp_goes_through_ops_whose_rules_care_for_zero() -> Result<()> {
    let (x, v) = (tensor![4.0f64, 0.25], tensor![1.0f64, 2.0]);
    let slope = |f: fn(&Tensor) -> Result<Tensor>| jvp(f, &x, &v)?.1.to_vec::<f64>();
    assert_eq!(slope(|x| x.sqrt())?, [0.25, 2.0]);
    assert_eq!(slope(|x| x.rsqrt())?, [-0.0625, -8.0]);
    near(&slope(|x| ops::hypot(x, 3.0))?, &[0.8, 0.5 / (0.0625f64 + 9.0).sqrt()]);
    near(&slope(|x| x.sqrt()?.sqrt())?, &[4f64.powf(-0.75) / 4.0, 0.25f64.powf(-0.75) / 2.0]);
    near(
        &slope(|x| x.cumulative_logsumexp(0, false, false))?,
        &[1.0, 0.9770226300899744 + 2.0 * 0.022977369910025615],
    );
    near(&slope(|x| x.reduce_euclidean_norm(0, true))?, &[4.5 / 16.0625f64.sqrt()]);
    // In reverse over reverse too, at a cotangent of zero.
    let (y, u) = (GradientTape::new(), tensor![0.0f64, 0.0]);
    y.watch(&u);
    let (_, pullback) = vjp(|x: &Tensor| x.sqrt(), &x)?;
    let pulled = pullback.call(&u)?;
    assert_eq!(y.gradient(&pulled, &u)?.into_structure()?.to_vec::<f64>()?, [0.25, 1.0]);
    Ok(())
}
