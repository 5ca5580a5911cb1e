//! What the recorded answers of bands, functions of matrices, fractional pooling, ragged tensors and crosses don't show.

use extype::ops::RaggedTensorToTensor;
use extype::prelude::*;
use extype::{TensorSpec, linalg, numpy};

fn near(got: &Tensor, want: &[f64]) {
    let got = got.as_slice::<f64>().unwrap();
    assert_eq!(got.len(), want.len(), "{got:?} for {want:?}");
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-9), "{got:?} for {want:?}");
}

/// The gradient of the sum of the weighted results.
fn slope(x: &Tensor, f: impl Fn(&Tensor) -> Result<Tensor>) -> Tensor {
    let weighted = |x: &Tensor| {
        let y = f(x)?;
        let weights = ops::range(1.0, ops::size(&y)?.item::<i64>()? as f64 + 1.0, 1.0)?;
        ops::mul(y.reshape([-1])?, weights)?.reduce_sum(.., false)
    };
    grad(weighted)(x).unwrap()
}

/// The same by differences.
fn difference(x: &Tensor, f: impl Fn(&Tensor) -> Result<Tensor>) -> Vec<f64> {
    let data = x.as_slice::<f64>().unwrap();
    let sizes: Vec<usize> = x.shape().sizes().unwrap().to_vec();
    let total = |data: &[f64]| -> f64 {
        let y = f(&Tensor::from_slice(data, &sizes).unwrap()).unwrap();
        y.as_slice::<f64>().unwrap().iter().zip(1..).map(|(y, i)| y * f64::from(i)).sum()
    };
    let moved = |i: usize, by: f64| {
        let mut data = data.to_vec();
        data[i] += by;
        total(&data)
    };
    (0..data.len()).map(|i| (moved(i, 1e-6) - moved(i, -1e-6)) / 2e-6).collect()
}

#[test]
fn gradients_of_functions_of_matrices_are_their_slopes() {
    let a = tensor![[4.0f64, 1.0, 0.5], [0.0, 3.0, 2.0], [0.3, -1.0, 5.0]];
    let parts = |x: &Tensor| ops::stack(&[&linalg::logm(x)?.real()?, &linalg::sqrtm(x)?], 0);
    let (got, want) = (slope(&a, parts), difference(&a, parts));
    let got = got.as_slice::<f64>().unwrap();
    assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?} for {want:?}");
    // Diagonals, whose elements outside of the matrix have no gradient.
    let diagonals = tensor![[1.0f64, -0.5, 9.0], [4.0, 3.0, 5.0], [9.0, 0.5, 1.0]];
    let solved = |d: &Tensor| linalg::tridiagonal_solve(d, tensor![1.0f64, 2.0, 3.0]);
    let got = slope(&diagonals, solved);
    let got = got.as_slice::<f64>().unwrap();
    let want = difference(&diagonals, solved);
    assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?} for {want:?}");
    assert_eq!((got[2], got[6]), (0.0, 0.0));
    for adjoint in [false, true] {
        let op = ops::BandedTriangularSolve { lower: false, adjoint };
        let b = tensor![[1.0f64], [2.0], [3.0]];
        let solved = |d: &Tensor| op.run(&[d, &b]);
        // More diagonals than the matrix has rows.
        let bands = tensor![[7.0f64, 7.0, 7.0], [0.5, 7.0, 7.0], [1.0, -1.0, 7.0], [2.0, 3.0, 4.0]];
        let got = slope(&bands, solved);
        let got = got.as_slice::<f64>().unwrap();
        let want = difference(&bands, solved);
        assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-5), "{got:?} for {want:?}");
    }
}

#[test]
fn systems_of_bands_refuse_what_does_not_fit() {
    let e = linalg::banded_triangular_solve(tensor![[1.0f64, 0.0]], tensor![1.0f64, 1.0], ..)
        .unwrap_err();
    assert!(e.message().contains("no inverse"), "{e}");
    for diagonals in [tensor![[1.0f64, 2.0], [1.0, 2.0]], tensor![[1.0f64], [1.0], [1.0]]] {
        let e = linalg::tridiagonal_solve(&diagonals, tensor![1.0f64, 1.0]).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    }
    assert!(linalg::sqrtm(tensor![[f64::NAN]]).is_err());
    let e = linalg::eigvalsh_tridiagonal(tensor![1.0f64, 2.0], tensor![1.0f64, 2.0]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    near(
        &linalg::eigvalsh_tridiagonal(tensor![3.0f64], Tensor::from_vec(Vec::<f64>::new()))
            .unwrap(),
        &[3.0],
    );
    // Complex exponentials turn.
    let turn = ops::complex(tensor![[0.0f64]], tensor![[std::f64::consts::PI]]).unwrap();
    near(&linalg::expm(&turn).unwrap().real().unwrap(), &[-1.0]);
}

#[test]
fn poolings_of_any_ratio_cover_all_pixels() {
    let x = ops::range(0.0, 35.0, 1.0).unwrap().reshape([1, 7, 5, 1]).unwrap();
    for (pseudo_random, seed) in [(false, 1), (true, 2), (false, 3), (true, 4)] {
        let (y, rows, columns) =
            x.fractional_max_pool([1.0, 1.7, 1.3, 1.0], pseudo_random, false, seed).unwrap();
        assert_eq!(y.shape(), shape![1, 4, 3, 1]);
        let (rows, columns) = (rows.as_slice::<i64>().unwrap(), columns.as_slice::<i64>().unwrap());
        assert_eq!((rows[0], rows[4], columns[0], columns[3]), (0, 7, 0, 5));
        assert!(rows.windows(2).all(|w| [1, 2].contains(&(w[1] - w[0]))), "{rows:?}");
        // The last pixel of each window is the largest.
        let last = |r: usize, c: usize| ((rows[r + 1] - 1) * 5 + columns[c + 1] - 1) as f64;
        let want: Vec<f64> = (0..12).map(|i| last(i / 3, i % 3)).collect();
        near(&y, &want);
        let pooled = |x: &Tensor| {
            Ok(x.fractional_avg_pool([1.0, 1.7, 1.3, 1.0], pseudo_random, true, seed)?.0)
        };
        let got = slope(&x, pooled);
        let want = difference(&x, pooled);
        let got = got.as_slice::<f64>().unwrap();
        assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() < 1e-4), "{got:?} for {want:?}");
    }
    let e = x.fractional_max_pool([2.0, 1.0, 1.0, 1.0], false, false, 0).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Unimplemented, "{e}");
    assert!(x.fractional_max_pool([1.0, 0.5, 1.0, 1.0], false, false, 0).is_err());
    assert!(x.fractional_max_pool([1.0, 8.0, 1.0, 1.0], false, false, 0).is_err());
    // Windows with gaps.
    let y = x.max_pool2d(2, (ops::Dilations(3), ops::Strides(1))).unwrap();
    assert_eq!(y.as_slice::<f64>().unwrap(), &[18.0, 19.0, 23.0, 24.0, 28.0, 29.0, 33.0, 34.0]);
}

#[test]
fn ragged_tensors_become_dense_and_gradients_come_back() {
    let splits = tensor![0i64, 2, 2, 3];
    let dense = |shape: &Tensor, values: &Tensor, default: &Tensor| {
        RaggedTensorToTensor { row_partition_types: vec!["ROW_SPLITS".into()] }
            .run(&[shape, values, default, &splits])
    };
    let (values, default) = (tensor![[1.0f64, 2.0], [3.0, 4.0], [5.0, 6.0]], tensor![-1.0f64]);
    let y = dense(&scalar(-1i64), &values, &default).unwrap();
    assert_eq!(y.shape(), shape![3, 2, 2]);
    near(&y, &[1.0, 2.0, 3.0, 4.0, -1.0, -1.0, -1.0, -1.0, 5.0, 6.0, -1.0, -1.0]);
    // What is beyond the shape is dropped, and gets no gradient.
    let shape = tensor![2i64, 1, 2];
    near(&dense(&shape, &values, &default).unwrap(), &[1.0, 2.0, -1.0, -1.0]);
    near(&slope(&values, |v| dense(&shape, v, &default)), &[1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
    near(&slope(&default, |d| dense(&shape, &values, d)), &[7.0]);
    assert!(dense(&tensor![2i64, 1, 3], &values, &default).is_err());
    assert!(dense(&tensor![i64::MAX, i64::MAX, 2], &values, &default).is_err());
    let wrong = RaggedTensorToTensor { row_partition_types: vec!["VALUE_ROWIDS".into()] };
    assert!(wrong.run(&[&scalar(-1i64), &values, &default, &splits]).is_err());
    // Traces know no sizes.
    let traced = function(move |v: &Tensor| dense(&scalar(-1i64), v, &scalar(0.0f64)));
    let concrete = traced.concrete(&TensorSpec::new(shape![?], f64)).unwrap();
    let y = concrete.call_flat(&[tensor![1.0f64, 2.0, 3.0]]).unwrap().remove(0);
    near(&y, &[1.0, 2.0, 0.0, 0.0, 3.0, 0.0]);
}

#[test]
fn crosses_of_features_and_numbers_that_are_not_finite() {
    let of = |x: &Tensor| ops::CooTensor::from_dense(x).unwrap();
    let (a, b) = (of(&tensor![[1i64], [2]]), of(&tensor![[7i64], [8], [9]]));
    let e = ops::CooTensor::cross(&[&a, &b], "-").unwrap_err();
    assert!(e.message().contains("columns of 2 and of 3 rows"), "{e}");
    let e = tensor![1.0f32, f32::NEG_INFINITY, f32::NAN].check_numerics("the loss").unwrap_err();
    assert!(e.message().contains("the loss has -Inf and NaN"), "{e}");
    let y = numpy::sliding_window_view(tensor![[1, 2, 3], [4, 5, 6]], 2, -1).unwrap();
    assert_eq!(
        (y.shape(), y.as_slice::<i32>().unwrap()),
        (shape![2, 2, 2], &[1, 2, 2, 3, 4, 5, 5, 6][..])
    );
    assert!(numpy::sliding_window_view(tensor![1, 2], 3, 0).is_err());
    let line = tensor![0.0f64, 1.0, 4.0];
    let y = ops::interpn(&[&line], &tensor![0.0f64, 10.0, 40.0], &tensor![[2.0f64], [-1.0], [5.0]])
        .unwrap();
    near(&y, &[20.0, 0.0, 40.0]);
}
