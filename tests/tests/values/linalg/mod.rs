//! Linear algebra: what NumPy answers, laws of factorizations, gradients, refusals.

mod gradients;
mod laws;
mod refusals;

use extype::linalg::{self, Tol};
use extype::prelude::*;

/// Whether all elements are near.
pub(crate) fn near(x: &Tensor, y: &Tensor) -> bool {
    let (a, b) = (x.as_slice::<f64>().expect("float64"), y.as_slice::<f64>().expect("float64"));
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    x.shape() == y.shape() && a.iter().zip(b).all(close)
}

/// Numbers without a pattern, the same in every run.
pub(crate) fn numbers(sizes: &[usize]) -> Tensor {
    let count: usize = sizes.iter().product();
    let all: Vec<f64> =
        (0..count).map(|i| ((i * i + 3 * i + 1) as f64 * 0.7).sin() * 1.3).collect();
    Tensor::from_slice(&all, sizes).expect("as many numbers")
}

/// Positive definite matrices.
pub(crate) fn positive(sizes: &[usize]) -> Result<Tensor> {
    let x = numbers(sizes);
    let n = sizes[sizes.len() - 1];
    ops::add(ops::batch_matmul(&x, linalg::adjoint(&x)?)?, linalg::eye(n, f64)?)
}

#[test]
fn numpy_answers_so() -> Result<()> {
    let x = tensor![[1.5f64, -2.0, 3.25], [0.0, 4.5, -1.25]];
    let norm = linalg::norm(&x, ..)?.item::<f64>()?;
    assert!((norm - 6.214901447328026).abs() < 1e-12);
    let rows = tensor![4.100304866714182f64, 4.670385423067351];
    assert!(near(&linalg::norm(&x, 1)?, &rows));
    let s = tensor![5.710698988319216f64, 2.452125010029033];
    assert!(near(&linalg::svdvals(&x)?, &s));
    let v = tensor![3.0f64, -1.0, 2.0];
    let least = tensor![0.9797609561752991f64, 0.2658167330677293];
    assert!(near(&linalg::lstsq(linalg::matrix_transpose(&x)?, &v, ..)?, &least));
    let m = tensor![[4.0f64, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]];
    assert!((linalg::det(&m)?.item::<f64>()? - 49.25).abs() < 1e-11);
    let solved = tensor![0.8629441624365483f64, -0.5532994923857868, 0.2030456852791878];
    assert!(near(&linalg::solve(&m, &v, ..)?, &solved));
    let e = tensor![1.9719698468470055f64, 4.607419118127964, 5.420611035025032];
    assert!(near(&linalg::eigvalsh(&m)?, &e));
    let l = tensor![
        [2.0f64, 0.0, 0.0],
        [0.5, 1.6583123951777, 0.0],
        [0.25, -0.6784005252999682, 2.1159566931467966]
    ];
    assert!(near(&linalg::cholesky(&m)?, &l));
    assert_eq!(linalg::norm(&v, f64::INFINITY)?.item::<f64>()?, 3.0);
    Ok(())
}

#[test]
fn norms_of_every_order() -> Result<()> {
    let x = tensor![[1.0f64, -2.0], [3.0, 4.0]];
    let of = |order: ops::NormOrder| linalg::norm(&x, (order, [0, 1]))?.item::<f64>();
    let p = ops::NormOrder::P;
    assert_eq!(of(p(1.0))?, 6.0);
    assert_eq!(of(p(-1.0))?, 4.0);
    assert_eq!(of(p(f64::INFINITY))?, 7.0);
    assert_eq!(of(p(f64::NEG_INFINITY))?, 3.0);
    let (largest, smallest) = (of(p(2.0))?, of(p(-2.0))?);
    // The determinant is 10.
    assert!((largest * smallest - 10.0).abs() < 1e-12);
    assert!((of(ops::NormOrder::Nuclear)? - largest - smallest).abs() < 1e-12);
    let v = tensor![3.0f64, 0.0, -4.0];
    let of = |order: f64| linalg::norm(&v, (order, 0, KeepDims))?.item::<f64>();
    assert_eq!((of(0.0)?, of(f64::NEG_INFINITY)?, of(1.0)?), (2.0, 0.0, 7.0));
    assert!((of(3.0)? - 91f64.cbrt()).abs() < 1e-12);
    let stack = numbers(&[2, 3, 4, 5]);
    assert_eq!(linalg::norm(&stack, (2.0, [3, 1], KeepDims))?.shape(), shape![2, 1, 4, 1]);
    assert_eq!(linalg::norm(&stack, (2.0, [-2, 0]))?.shape(), shape![3, 5]);
    assert!(linalg::norm(&v, (ops::NormOrder::Nuclear, 0)).is_err());
    assert!(linalg::norm(&x, (3.0, [0, 1])).is_err());
    Ok(())
}

#[test]
fn ranks_conditions_powers() -> Result<()> {
    let x = tensor![[2.0f64, 0.0], [0.0, 0.5]];
    assert_eq!(linalg::matrix_rank(&x, ..)?.item::<i32>()?, 2);
    assert_eq!(linalg::matrix_rank(&x, Tol(1.0))?.item::<i32>()?, 1);
    assert_eq!(linalg::matrix_rank(numbers(&[3, 0, 2]), ..)?.as_slice::<i32>()?, &[0, 0, 0]);
    assert_eq!(linalg::cond(&x, 2)?.item::<f64>()?, 4.0);
    assert_eq!(linalg::cond(&x, -2)?.item::<f64>()?, 0.25);
    assert_eq!(linalg::cond(&x, ops::NormOrder::Euclidean)?.item::<f64>()?, 4.25);
    let inverse = linalg::matrix_power(&x, -3)?;
    assert!(near(&inverse, &tensor![[0.125f64, 0.0], [0.0, 8.0]]));
    Ok(())
}

#[test]
fn exponentials() -> Result<()> {
    // Matrices that are halved often, seldom and never, in one batch.
    let turns = [0.1f64, 3.0, 700.0];
    let entries: Vec<f64> = turns.iter().flat_map(|t| [0.0, -t, *t, 0.0]).collect();
    let x = Tensor::from_slice(&entries, &[3, 2, 2])?;
    let wanted: Vec<f64> =
        turns.iter().flat_map(|t| [t.cos(), -t.sin(), t.sin(), t.cos()]).collect();
    let wanted = Tensor::from_slice(&wanted, &[3, 2, 2])?;
    assert!(near(&linalg::expm(&x)?, &wanted));
    let traced = function(|x: &Tensor| linalg::expm(x));
    assert!(near(&traced.call(&x)?, &wanted));
    let any = traced.concrete(&TensorSpec::new(shape![?, ?, ?], DType::F64))?;
    assert!(near(&any.call_flat(&[x])?[0], &wanted));
    Ok(())
}
