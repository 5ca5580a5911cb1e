//! Tensors whose sizes change in loops, and loops within that depend on it.

use extype::control::TensorArray;
use extype::prelude::*;

#[tf_function]
fn doubled(v: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut v = v.clone();
    for i in 0..n {
        v = ops::concat(&[&v, &(&v + &i.cast(f64)?)], 0)?;
    }
    Ok(v)
}

#[test]
fn a_tensor_grows_in_a_for() -> Result<()> {
    let (v, n) = (tensor![1.0f64, 2.0], scalar(3i64));
    let want = doubled::__body(&v, &n)?;
    assert_eq!(want.shape(), shape![16]);
    assert_eq!(doubled(&v, &n)?.to_vec::<f64>()?, want.to_vec::<f64>()?);
    assert_eq!(doubled(&v, &scalar(0i64))?.shape(), shape![2]);
    let any = TensorSpec::of::<f64>(shape![?]);
    let any = doubled::concrete(&any, &TensorSpec::of::<i64>([]))?;
    assert_eq!(any.call_flat(&[v.clone(), n.clone()])?[0].shape(), shape![16]);
    let slope = extype::grad(|v: &Tensor| doubled(v, &n)?.square()?.reduce_sum(.., false))(&v)?;
    let plain =
        extype::grad(|v: &Tensor| doubled::__body(v, &n)?.square()?.reduce_sum(.., false))(&v)?;
    assert_eq!(slope.to_vec::<f64>()?, plain.to_vec::<f64>()?);
    Ok(())
}

#[tf_function]
fn until_full(v: &Tensor, most: &Tensor) -> Result<(Tensor, Tensor)> {
    let mut v = v.clone();
    let mut rounds = scalar(0i64);
    let mut last = v.slice([0], [1])?;
    while ops::size(&v)?.cast(i64)? < most {
        rounds += 1;
        if &rounds % 2 == 0 {
            last = v.clone();
            continue;
        }
        v = ops::concat(&[&v, &v, &last], 0)?;
        if rounds > 6 {
            break;
        }
    }
    Ok((ops::concat(&[&v, &last], 0)?, rounds))
}

#[test]
fn tensors_grow_in_a_while_with_ways_out() -> Result<()> {
    for most in [0i64, 3, 9, 40, 100_000] {
        let (v, most) = (tensor![[1.0f32], [2.0]].reshape([2])?, scalar(most));
        let (want, rounds) = until_full::__body(&v, &most)?;
        let (got, traced_rounds) = until_full(&v, &most)?;
        assert_eq!(got.to_vec::<f32>()?, want.to_vec::<f32>()?);
        assert_eq!(traced_rounds.item::<i64>()?, rounds.item::<i64>()?);
    }
    Ok(())
}

#[tf_function]
fn first_long(v: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut rows = v.reshape([1, -1])?;
    for i in 0..n {
        let mut row = v.clone();
        for _ in 0..&i {
            row = &row * 2.0;
            rows = ops::concat(&[&rows, &row.reshape([1, -1])?], 0)?;
        }
        if ops::size(&rows)?.cast(i64)? > 20 {
            return rows.reduce_sum(0, false);
        }
    }
    rows.reduce_sum(0, false)
}

#[test]
fn a_tensor_grows_in_a_loop_of_a_loop() -> Result<()> {
    let v = tensor![1.0f32, 2.0, 3.0];
    for n in [0i64, 1, 3, 9] {
        let n = scalar(n);
        assert_eq!(
            first_long(&v, &n)?.to_vec::<f32>()?,
            first_long::__body(&v, &n)?.to_vec::<f32>()?
        );
    }
    Ok(())
}

#[tf_function]
fn dependent_lists(x: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut s = scalar(0.0f64);
    for i in 0..n {
        let mut a = TensorArray::new(&i, &TensorSpec::of::<f64>([]))?;
        for k in 0..&i {
            a = a.write(&k, &(x * &k.cast(f64)?).sin()?)?;
        }
        s = s * 0.5 + a.stack()?.reduce_sum(.., false)?;
    }
    Ok(s)
}

#[test]
fn lists_of_dependent_lengths_have_gradients() -> Result<()> {
    let n = scalar(5i64);
    let within = function(|x: &Tensor| extype::grad(|x: &Tensor| dependent_lists(x, &n))(x));
    let x = scalar(0.3f64);
    // As TensorFlow 2.21 says.
    for slope in [within.call(&x)?, extype::grad(|x: &Tensor| dependent_lists(x, &n))(&x)?] {
        assert!((slope.item::<f64>()? - 6.012675605510839).abs() < 1e-12, "{slope}");
    }
    Ok(())
}

#[tf_function]
fn of_another_rank(v: &Tensor, n: &Tensor) -> Result<Tensor> {
    let mut v = v.clone();
    for _ in 0..n {
        v = ops::stack(&[&v, &v], 0)?;
    }
    Ok(v)
}

#[test]
fn another_rank_is_refused_with_what_to_write() {
    let e = of_another_rank(&tensor![1.0f32, 2.0], &scalar(2i64)).expect_err("refused");
    for part in [
        "`v` is TensorSpec([2], float32)",
        "TensorSpec([2, 2], float32) after an iteration",
        "the rank may not",
    ] {
        assert!(e.message().contains(part), "{part}: {e}");
    }
}
