//! Errors say which matrix, and what is wrong with it.

use extype::linalg::{self, L2Regularizer};
use extype::prelude::*;

fn refused(result: Result<Tensor>, parts: &[&str]) {
    let text = result.expect_err("an error").to_string();
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn matrices_that_have_no_such_factor() -> Result<()> {
    let stack = tensor![[[4.0f64, 1.0], [1.0, 3.0]], [[1.0, 2.0], [2.0, 1.0]]];
    let which = "matrix [1] of the batch is not positive definite: its leading minor of order 2";
    refused(linalg::cholesky(&stack), &[which]);
    let traced = function(|x: &Tensor| linalg::cholesky(x));
    refused(traced.call(&stack), &[which]);
    refused(linalg::cholesky(tensor![[f64::NAN]]), &["the matrix is not positive definite"]);
    let singular = tensor![[[1.0f64, 2.0], [2.0, 4.0]]];
    refused(linalg::inv(&singular), &["matrix [0] of the batch has no inverse", "pivot 1 is zero"]);
    refused(linalg::solve(&singular, [1.0f64, 2.0], ..), &["has no inverse"]);
    assert_eq!(linalg::det(&singular)?.as_slice::<f64>()?, &[0.0]);
    // A pivot of zero that is not the last divides nothing.
    for x in [tensor![[0.0, 1.0], [0.0, 2.0]], ops::zeros([3, 3], f64)?, ops::ones([4, 4], f64)?] {
        assert_eq!(linalg::det(&x)?.item::<f64>()?, 0.0);
        let (sign, log) = linalg::slogdet(&x)?;
        assert_eq!((sign.item::<f64>()?, log.item::<f64>()?), (0.0, f64::NEG_INFINITY));
        let (factors, rows) = linalg::lu(&x)?;
        assert!(linalg::lu_reconstruct(&factors, &rows)?.array_equal(&x)?.item::<bool>()?);
        assert_eq!(linalg::cond(ops::zeros([2, 2], f64)?, ..)?.item::<f64>()?, f64::INFINITY);
    }
    let (sign, log) = linalg::slogdet(&singular)?;
    assert_eq!((sign.as_slice::<f64>()?[0], log.as_slice::<f64>()?[0]), (0.0, f64::NEG_INFINITY));
    // What TensorFlow's op does with it.
    let factor = ops::Cholesky { checked: false }.run(&[&stack])?;
    assert!(factor.as_slice::<f64>()?[4..].iter().all(|x| x.is_nan()));
    assert_eq!(factor.as_slice::<f64>()?[0], 2.0);
    Ok(())
}

#[test]
fn matrices_that_are_none() {
    let (vector, wide) = (tensor![1.0f64, 2.0], tensor![[1.0f64, 2.0]]);
    for f in [linalg::cholesky, linalg::inv, linalg::det, linalg::eigvalsh, linalg::eigvals] {
        refused(f(&vector), &["rank 2 or more", "[2]"]);
        refused(f(&wide), &["not square", "[1, 2]"]);
    }
    refused(linalg::svdvals(&vector), &["rank 2 or more"]);
    for n in [0, 1, 2] {
        refused(linalg::matrix_power(&wide, n), &["square", "[1, 2]"]);
    }
    let chain = [wide.clone(), vector.clone(), wide.clone()];
    refused(linalg::multi_dot(&chain), &["first and the last", "[2]"]);
    let whole = linalg::matrix_power(tensor![[1, 1], [1, 0]], 0).expect("a matrix");
    assert_eq!(whole.as_slice::<i32>().expect("int32"), &[1, 0, 0, 1]);
    let (a, l) = (tensor![[1, 2], [3, 4]], L2Regularizer(1.0));
    refused(linalg::lstsq(&a, tensor![1, 2], l), &["int32"]);
    refused(linalg::cholesky(tensor![[1, 2], [2, 1]]), &["int32"]);
    let b = tensor![[1.0f64], [2.0], [3.0]];
    refused(linalg::solve([[1.0f64, 0.0], [0.0, 1.0]], &b, ..), &["2 rows", "3"]);
    refused(linalg::lstsq(&wide, &vector, L2Regularizer(-1.0)), &["L2Regularizer"]);
}

#[test]
fn nan_is_refused_where_values_are_searched_for() -> Result<()> {
    let x = tensor![[1.0f64, f64::NAN], [0.0, 1.0]];
    for f in [linalg::svdvals, linalg::eigvals] {
        refused(f(&x), &["the matrix has an element that is NaN or infinite"]);
    }
    // Only the lower triangle is read.
    assert_eq!(linalg::eigvalsh(&x)?.as_slice::<f64>()?, &[1.0, 1.0]);
    assert!(linalg::det(&x.transpose([1, 0])?)?.item::<f64>()?.is_nan());
    Ok(())
}
