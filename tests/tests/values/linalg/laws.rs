//! What factors make together, whichever signs they have.

use extype::linalg::{self, Adjoint, Factors, FullMatrices, L2Regularizer, SolvingTriangular};
use extype::prelude::*;

use super::{near, numbers, positive};

const BATCHES: [&[usize]; 3] = [&[], &[2], &[2, 3]];

fn sizes(batch: &[usize], m: usize, n: usize) -> Vec<usize> {
    [batch, &[m, n]].concat()
}

fn product(x: &Tensor, y: &Tensor) -> Result<Tensor> {
    ops::batch_matmul(x, y)
}

/// Whether the columns are of length 1 and at right angles.
fn orthogonal(q: &Tensor) -> Result<bool> {
    let square = product(&linalg::adjoint(q)?, q)?;
    let n = square.shape().sizes().expect("known").pop().expect("a matrix");
    Ok(near(&square, &linalg::eye(n, f64)?.broadcast_to(ops::shape_of(&square)?)?))
}

#[test]
fn triangular_factors() -> Result<()> {
    for batch in BATCHES {
        for n in [1, 2, 5] {
            let x = positive(&sizes(batch, n, n))?;
            let l = linalg::cholesky(&x)?;
            assert!(near(&product(&l, &linalg::adjoint(&l)?)?, &x));
            let x = numbers(&sizes(batch, n, n));
            let (lu, p) = linalg::lu(&x)?;
            assert!(near(&linalg::lu_reconstruct(&lu, &p)?, &x));
        }
    }
    Ok(())
}

#[test]
fn orthogonal_factors() -> Result<()> {
    for batch in BATCHES {
        for (m, n) in [(1, 1), (3, 2), (2, 3), (4, 4), (5, 2)] {
            let x = numbers(&sizes(batch, m, n));
            for full in [false, true] {
                let (q, r) = linalg::qr(&x, Factors { full_matrices: full })?;
                assert!(near(&product(&q, &r)?, &x) && orthogonal(&q)?);
                assert!(near(&r, &r.matrix_band_part(0, -1)?));
                let (s, u, v) = linalg::svd(&x, Factors { full_matrices: full })?;
                assert!(orthogonal(&u)? && orthogonal(&v)?);
                let k = m.min(n);
                let front = |x: &Tensor| x.index((Ellipsis, ..k));
                let scaled = ops::mul(front(&u)?, s.expand_dims(-2)?)?;
                assert!(near(&product(&scaled, &linalg::adjoint(&front(&v)?)?)?, &x));
                assert!(near(&linalg::svdvals(&x)?, &s));
            }
        }
    }
    Ok(())
}

#[test]
fn eigenvectors_are_only_stretched() -> Result<()> {
    for batch in BATCHES {
        let x = numbers(&sizes(batch, 4, 4));
        let x = ops::add(&x, linalg::adjoint(&x)?)?;
        let (e, v) = linalg::eigh(&x)?;
        assert!(near(&product(&x, &v)?, &ops::mul(&v, e.expand_dims(-2)?)?) && orthogonal(&v)?);
        assert!(near(&linalg::eigvalsh(&x)?, &e));
        let x = numbers(&sizes(batch, 4, 4));
        let (e, v) = linalg::eig(&x)?;
        let left = product(&x.cast(complex128)?, &v)?;
        let rest = ops::sub(&left, &ops::mul(&v, e.expand_dims(-2)?)?)?;
        let size = ops::norm(&rest, ..)?.cast(f64)?;
        assert!(size.item::<f64>()? < 1e-10);
    }
    Ok(())
}

#[test]
fn systems() -> Result<()> {
    for batch in BATCHES {
        let (a, b) = (positive(&sizes(batch, 3, 3))?, numbers(&sizes(batch, 3, 2)));
        assert!(near(&product(&a, &linalg::solve(&a, &b, ..)?)?, &b));
        let skew = ops::add(&a, numbers(&sizes(batch, 3, 3)))?;
        assert!(near(&product(&linalg::adjoint(&skew)?, &linalg::solve(&skew, &b, Adjoint)?)?, &b));
        assert!(near(
            &linalg::cholesky_solve(&linalg::cholesky(&a)?, &b)?,
            &linalg::solve(&a, &b, ..)?
        ));
        assert!(near(&product(&linalg::inv(&a)?, &b)?, &linalg::solve(&a, &b, ..)?));
        for (lower, adjoint) in [(true, false), (true, true), (false, false), (false, true)] {
            let x = linalg::triangular_solve(&a, &b, SolvingTriangular { lower, adjoint })?;
            let t = if lower { a.matrix_band_part(-1, 0)? } else { a.matrix_band_part(0, -1)? };
            let t = if adjoint { linalg::adjoint(&t)? } else { t };
            assert!(near(&product(&t, &x)?, &b));
        }
        let (sign, log) = linalg::slogdet(&skew)?;
        assert!(near(&ops::mul(&sign, log.exp()?)?, &linalg::det(&skew)?));
        assert!(near(&linalg::logdet(&a)?, &linalg::slogdet(&a)?.1));
    }
    // One vector for all matrices, and one matrix for all right sides.
    let (a, b) = (positive(&[2, 3, 3])?, numbers(&[3]));
    let x = linalg::solve(&a, &b, ..)?;
    assert_eq!(x.shape(), shape![2, 3]);
    let one = a.index(0)?;
    let many = linalg::solve(&one, numbers(&[4, 3, 1]), ..)?;
    assert!(near(&product(&one, &many)?, &numbers(&[4, 3, 1])));
    Ok(())
}

#[test]
fn least_squares() -> Result<()> {
    for (m, n) in [(5, 3), (3, 5), (3, 3)] {
        let (a, b) = (numbers(&[2, m, n]), numbers(&[2, m, 2]));
        let x = linalg::lstsq(&a, &b, ..)?;
        // The rest is at right angles to the matrix.
        let rest = ops::sub(product(&a, &x)?, &b)?;
        let turned = product(&linalg::adjoint(&a)?, &rest)?;
        assert!(near(&turned, &turned.zeros_like()?));
        assert!(near(&x, &product(&linalg::pinv(&a, ..)?, &b)?));
        let few = linalg::lstsq(&a, &b, L2Regularizer(0.1))?;
        let pull = ops::sub(
            product(&linalg::adjoint(&a)?, &ops::sub(product(&a, &few)?, &b)?)?,
            &few * -0.1,
        )?;
        assert!(near(&pull, &pull.zeros_like()?));
    }
    // Of a matrix of rank 1 the smallest solution.
    let x = linalg::lstsq(tensor![[1.0f64, 1.0], [1.0, 1.0]], [2.0f64, 2.0], ..)?;
    assert!(near(&x, &tensor![1.0f64, 1.0]));
    Ok(())
}

#[test]
fn what_is_empty_has_factors_without_elements() -> Result<()> {
    let none = numbers(&[0, 0]);
    assert_eq!(linalg::det(&none)?.item::<f64>()?, 1.0);
    assert_eq!(linalg::slogdet(&none)?.1.item::<f64>()?, 0.0);
    assert_eq!(linalg::cholesky(&none)?.shape(), shape![0, 0]);
    assert_eq!(linalg::inv(numbers(&[0, 3, 3]))?.shape(), shape![0, 3, 3]);
    assert_eq!(linalg::eigh(&none)?.1.shape(), shape![0, 0]);
    assert_eq!(linalg::eigvals(&none)?.shape(), shape![0]);
    let deep = numbers(&[3, 0]);
    assert_eq!(linalg::svdvals(&deep)?.shape(), shape![0]);
    assert!(near(&linalg::svd(&deep, FullMatrices)?.1, &linalg::eye(3, f64)?));
    assert_eq!(linalg::qr(&deep, ..)?.0.shape(), shape![3, 0]);
    assert!(near(&linalg::qr(&deep, FullMatrices)?.0, &linalg::eye(3, f64)?));
    let x = linalg::solve(&none, numbers(&[0, 2]), ..)?;
    assert_eq!(x.shape(), shape![0, 2]);
    assert_eq!(linalg::pinv(&deep, ..)?.shape(), shape![0, 3]);
    assert!(near(
        &linalg::lstsq(numbers(&[0, 3]), numbers(&[0, 2]), ..)?,
        &tensor![[0.0f64, 0.0], [0.0, 0.0], [0.0, 0.0]]
    ));
    Ok(())
}

#[test]
fn every_dtype() -> Result<()> {
    let x = positive(&[3, 3])?;
    for dtype in [f32, f64, complex64, complex128] {
        let a = x.cast(dtype)?;
        let back = |x: Tensor| x.cast(f64);
        let close = |x: Tensor, y: &Tensor| -> Result<bool> {
            Ok(ops::reduce_max(&ops::abs(&ops::sub(back(x)?, y)?)?, .., false)?.item::<f64>()?
                < 1e-4)
        };
        assert!(close(linalg::cholesky(&a)?, &linalg::cholesky(&x)?)?);
        assert!(close(linalg::inv(&a)?, &linalg::inv(&x)?)?);
        assert!(close(linalg::det(&a)?, &linalg::det(&x)?)?);
        assert!(close(linalg::eigvalsh(&a)?, &linalg::eigvalsh(&x)?)?);
        assert!(close(linalg::svdvals(&a)?, &linalg::svdvals(&x)?)?);
        let (q, r) = linalg::qr(&a, ..)?;
        assert!(close(product(&q, &r)?, &x)?);
        assert!(linalg::eigvals(&a)?.dtype().is_complex());
    }
    Ok(())
}

#[test]
fn maps_take_stacks_at_once() -> Result<()> {
    let x = positive(&[4, 3, 3])?;
    let b = numbers(&[3, 2]);
    let all = |x: &Tensor| -> Result<Vec<Tensor>> {
        Ok(vec![
            linalg::cholesky(x)?,
            linalg::solve(x, &b, ..)?,
            linalg::triangular_solve(x, &b, Adjoint)?,
            linalg::inv(x)?,
            linalg::det(x)?,
            linalg::slogdet(x)?.1,
            linalg::lu(x)?.0,
            linalg::qr(x, ..)?.1,
            linalg::svd(x, FullMatrices)?.1,
            linalg::svdvals(x)?,
            linalg::eigvalsh(x)?,
            linalg::eigh(x)?.0,
        ])
    };
    let mapped = vectorized_map(&x, |x: Tensor| all(&x))?;
    for (found, want) in mapped.iter().zip(all(&x)?) {
        assert!(near(found, &want));
    }
    let text = function(move |x: &Tensor| vectorized_map(x, |x: Tensor| linalg::eigvalsh(&x)));
    let text = text.concrete(&x.type_spec())?.graph().to_string();
    assert!(!text.contains("While"), "{text}");
    Ok(())
}
