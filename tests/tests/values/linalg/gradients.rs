//! Gradients against differences, eagerly and in traces that know ranks only; also of second order.

use extype::linalg::{self, Adjoint, FullMatrices, L2Regularizer, Lower};
use extype::prelude::*;

use super::{numbers, positive};

type Function1 = fn(&Tensor) -> Result<Tensor>;

/// The sum of a tensor with weights.
fn weighed(y: &Tensor) -> Result<Tensor> {
    let sizes = y.shape().sizes();
    let weights = match sizes {
        Some(sizes) => (numbers(&sizes) * 0.9) + 0.3,
        None => return Err(Error::invalid("the sizes are known in this test")),
    };
    ops::reduce_sum(&ops::mul(y, weights)?, .., false)
}

fn slope(f: &dyn Fn(&Tensor) -> Result<f64>, x: &Tensor, along: &Tensor) -> Result<f64> {
    let h = 1e-4;
    let at = |t: f64| f(&ops::add(x, along * t)?);
    let (near, far) = (at(h)? - at(-h)?, at(2.0 * h)? - at(-2.0 * h)?);
    Ok((8.0 * near - far) / (12.0 * h))
}

fn agrees(name: &str, told: f64, slope: f64) {
    assert!((told - slope).abs() <= 1e-6 * (1.0 + slope.abs()), "{name}: {told}, slope {slope}");
}

fn inner(x: &Tensor, y: &Tensor) -> Result<f64> {
    ops::reduce_sum(&ops::mul(x, y)?, .., false)?.item::<f64>()
}

/// Checks first and second order along a direction.
fn check(name: &str, f: Function1, x: &Tensor, along: &Tensor) -> Result<()> {
    let loss = move |x: &Tensor| weighed(&f(x)?);
    let gradient = grad(loss)(x)?;
    let value = |x: &Tensor| loss(x)?.item::<f64>();
    agrees(name, inner(&gradient, along)?, slope(&value, x, along)?);
    // Of the gradient along the direction.
    let of_gradient = {
        let along = along.clone();
        move |x: &Tensor| ops::reduce_sum(&ops::mul(&grad(loss)(x)?, &along)?, .., false)
    };
    let second = grad(&of_gradient)(x)?;
    let value = |x: &Tensor| of_gradient(x)?.item::<f64>();
    agrees(&format!("{name}, second order"), inner(&second, along)?, slope(&value, x, along)?);
    // In a trace that knows the rank only, with weights from outside.
    let weights = (numbers(&f(x)?.shape().sizes().expect("known")) * 0.9) + 0.3;
    let traced = function(move |x: &Tensor| {
        let weights = weights.clone();
        grad(move |x: &Tensor| ops::reduce_sum(&ops::mul(f(x)?, &weights)?, .., false))(x)
    });
    let ranks = TensorSpec::new(Shape::of_rank(x.rank().expect("known")), DType::F64);
    let dynamic = &traced.concrete(&ranks)?.call_flat(std::slice::from_ref(x))?[0];
    assert!(super::near(dynamic, &gradient), "{name}: another gradient in a trace");
    Ok(())
}

#[test]
fn of_square_matrices() -> Result<()> {
    let all: [(&str, Function1); 13] = [
        ("inv", |x| linalg::inv(x)),
        ("det", |x| linalg::det(x)),
        ("slogdet", |x| Ok(linalg::slogdet(x)?.1)),
        ("lu", |x| Ok(linalg::lu(x)?.0)),
        ("solve", |x| linalg::solve(x, numbers(&[3, 2]), ..)),
        ("solve adjoint", |x| linalg::solve(x, numbers(&[3, 2]), Adjoint)),
        ("triangular_solve", |x| linalg::triangular_solve(x, numbers(&[3, 2]), ..)),
        ("upper, adjoint", |x| {
            linalg::triangular_solve(x, numbers(&[3, 2]), (Lower(false), Adjoint))
        }),
        ("expm", |x| linalg::expm(x)),
        ("matrix_power", |x| linalg::matrix_power(x, -3)),
        ("eigvalsh", |x| linalg::eigvalsh(x)),
        ("eigh", |x| ops::square(linalg::eigh(x)?.1)),
        ("eigvals", |x| ops::square(linalg::eigvals(x)?)?.cast(f64)),
    ];
    let x = ops::add(positive(&[3, 3])?, numbers(&[3, 3]) * 0.3)?;
    for (name, f) in all {
        check(name, f, &x, &numbers(&[3, 3]))?;
    }
    Ok(())
}

#[test]
fn of_hermitian_matrices() -> Result<()> {
    // The gradient is spread over both triangles: it holds for symmetric directions.
    let along = ops::add(numbers(&[2, 3, 3]), linalg::adjoint(numbers(&[2, 3, 3]))?)?;
    let x = positive(&[2, 3, 3])?;
    check("cholesky", |x| linalg::cholesky(x), &x, &along)?;
    check("logdet", |x| linalg::logdet(x), &x, &along)
}

#[test]
fn of_any_matrices() -> Result<()> {
    let all: [(&str, Function1); 7] = [
        ("svdvals", |x| linalg::svdvals(x)),
        ("svd", |x| {
            let (s, u, v) = linalg::svd(x, ..)?;
            let u = ops::mul(&u, s.expand_dims(-2)?)?.square()?;
            ops::batch_matmul(&u, linalg::adjoint(&v.square()?)?)
        }),
        ("qr", |x| {
            let (q, r) = linalg::qr(x, ..)?;
            ops::batch_matmul(&q.square()?, r.square()?)
        }),
        ("pinv", |x| linalg::pinv(x, ..)),
        ("lstsq", |x| linalg::lstsq(linalg::adjoint(x)?, numbers(&[2, 3]), ..)),
        ("lstsq, regular", |x| linalg::lstsq(x, x, L2Regularizer(0.3))),
        ("norm", |x| linalg::norm(x, (ops::NormOrder::Nuclear, [-2, -1]))),
    ];
    for sizes in [[2, 3, 2], [2, 2, 3], [2, 3, 3]] {
        let x = ops::add(
            numbers(&sizes),
            linalg::eye(sizes[1], (extype::ops::options::Columns(sizes[2]), f64))? * 2.0,
        )?;
        for (name, f) in all {
            if name == "lstsq" && sizes[2] != 2 {
                continue;
            }
            check(
                &format!("{name} of {sizes:?}"),
                f,
                &x,
                &numbers(&[sizes[0], sizes[1], sizes[2]]),
            )?;
        }
    }
    Ok(())
}

#[test]
fn of_all_vectors() -> Result<()> {
    let gram: Function1 = |x| {
        let (_, u, v) = linalg::svd(x, FullMatrices)?;
        ops::batch_matmul(u.square()?, ops::mul(numbers(&[2, 3]), v.index(..2)?)?)?.square()
    };
    let along = numbers(&[2, 3]);
    let loss = move |x: &Tensor| weighed(&gram(x)?);
    let x = numbers(&[2, 3]);
    let slope = slope(&|x| loss(x)?.item::<f64>(), &x, &along)?;
    agrees("svd, all vectors", inner(&grad(loss)(&x)?, &along)?, slope);
    let deep = grad(|x: &Tensor| weighed(&linalg::qr(x, FullMatrices)?.0))(&numbers(&[3, 2]));
    assert_eq!(deep.expect_err("not determined").kind(), ErrorKind::Unimplemented);
    Ok(())
}

#[test]
fn equal_singular_values_do_not_disturb_pseudo_inverses() -> Result<()> {
    let x = linalg::eye(2, f64)?;
    check("pinv of the identity", |x| linalg::pinv(x, ..), &x, &numbers(&[2, 2]))
}
