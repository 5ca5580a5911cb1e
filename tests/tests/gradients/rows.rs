//! Gradients of single ops in which a rule has more to do than it seems.

use super::floats;
use extype::prelude::*;

/// TensorFlow has none.
#[test]
fn the_values_of_a_one_hot_encoding_have_the_cotangents_where_they_stand() -> Result<()> {
    let f = |(on, off): &(Tensor, Tensor)| {
        let y = tensor![0, 2, 7].one_hot(3, (ops::OnValue(on), ops::OffValue(off)))?;
        ops::mul(&y, tensor![[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    };
    let values = (scalar(1.0f64), scalar(0.0f64));
    let (on, off) = grad(f)(&values)?;
    assert_eq!((on.item::<f64>()?, off.item::<f64>()?), (1.0 + 6.0, 45.0 - 7.0));
    let (on, off) = grad(|v: &(Tensor, Tensor)| function(f).call(v))(&values)?;
    assert_eq!((on.item::<f64>()?, off.item::<f64>()?), (7.0, 38.0));
    Ok(())
}

#[test]
fn one_place_is_gathered_also_where_a_trace_knows_no_ranks() -> Result<()> {
    #[tf_function(signature(f32[..], i32[..]))]
    fn slope(x: &Tensor, at: &Tensor) -> Result<Tensor> {
        grad(|x: &Tensor| x.square()?.gather_nd(at))(x)
    }
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    assert_eq!(floats(&slope(&x, &tensor![1, 0])?), [0.0, 0.0, 6.0, 0.0]);
    assert_eq!(floats(&slope(&x, &tensor![[1, 0], [0, 1]])?), [0.0, 4.0, 6.0, 0.0]);
    assert_eq!(floats(&slope(&x, &tensor![[1]])?), [0.0, 0.0, 6.0, 8.0]);
    Ok(())
}

/// By `a` twice there is no closed form; by `a` and `x` there is.
#[test]
fn the_mixed_derivative_of_the_incomplete_gamma_function() -> Result<()> {
    let x = tensor![0.5f64, 1.0, 4.0];
    let by_x = grad(|x: &Tensor| ops::igamma_grad_a(2.5f64, x))(&x)?;
    for (i, told) in by_x.as_slice::<f64>()?.iter().enumerate() {
        let at = |h: f64| ops::igamma_grad_a(2.5f64, x.as_slice::<f64>()?[i] + h)?.item::<f64>();
        let slope = (at(1e-5)? - at(-1e-5)?) / 2e-5;
        assert!((told - slope).abs() < 1e-6, "{told} and {slope}");
    }
    Ok(())
}

/// Rows that are none have the shape of the elements too: their gradient is a list of such.
#[test]
fn no_rows_are_scattered_into_a_list_also_where_a_trace_does_not_know_that() -> Result<()> {
    #[tf_function(signature(f64[?, ?], f64[?, ?], i32[?]))]
    fn slopes(x: &Tensor, rows: &Tensor, at: &Tensor) -> Result<(Tensor, Tensor)> {
        grad(|(x, rows): &(Tensor, Tensor)| {
            let shape = tensor![2i32];
            let list = ops::TensorListFromTensor {}.run(&[x, &shape])?;
            let list = ops::TensorListScatterInto {}.run(&[&list, rows, at])?;
            ops::TensorListStack { dtype: f64, num_elements: -1 }.run(&[&list, &shape])?.square()
        })(&(x.clone(), rows.clone()))
    }
    let x = tensor![[1.0f64, 2.0], [3.0, 4.0]];
    let none = |n: usize| Tensor::from_slice::<f64>(&[], &[0, n]);
    let nowhere = Tensor::from_slice::<i32>(&[], &[0])?;
    let (by_x, by_rows) = slopes(&x, &none(2)?, &nowhere)?;
    assert_eq!(by_x.to_vec::<f64>()?, [2.0, 4.0, 6.0, 8.0]);
    assert_eq!(by_rows.shape(), shape![0, 2]);
    let (by_x, by_rows) = slopes(&x, &tensor![[5.0f64, 6.0]], &tensor![1i32])?;
    assert_eq!(by_x.to_vec::<f64>()?, [2.0, 4.0, 0.0, 0.0]);
    assert_eq!(by_rows.to_vec::<f64>()?, [10.0, 12.0]);
    let e = slopes(&x, &none(3)?, &nowhere).unwrap_err().to_string();
    assert!(e.contains("elements of shape [2] are no [3]"), "{e}");
    Ok(())
}

/// Three bands of matrices of one or two rows: those beyond the matrices are not read.
#[test]
fn bands_beyond_small_matrices_have_no_gradient_also_where_a_trace_knows_ranks_only() -> Result<()>
{
    for (lower, adjoint) in [(true, false), (true, true), (false, false), (false, true)] {
        let op = ops::BandedTriangularSolve { lower, adjoint };
        let slopes = |bands: &Tensor, b: &Tensor| {
            let both = (bands.clone(), b.clone());
            grad(|(bands, b): &(Tensor, Tensor)| op.run(&[bands, b])?.square())(&both)
        };
        let traced = function(slopes);
        let ranks = traced.concrete(
            &TensorSpec::new(shape![?, ?, ?], f64),
            &TensorSpec::new(shape![?, ?, ?], f64),
        )?;
        for n in [1, 2, 4] {
            let numbers: Vec<f64> = (0..6 * n).map(|i| 2.0 + (i as f64).sin()).collect();
            let bands = Tensor::from_slice(&numbers, &[2, 3, n])?;
            let b = Tensor::from_slice(&numbers[..2 * n], &[2, n, 1])?;
            let (wanted, found): (_, (Tensor, Tensor)) =
                (slopes(&bands, &b)?, ranks.call((&bands, &b))?);
            let near = |a: &Tensor, b: &Tensor| {
                ops::sub(a, b)?.abs()?.reduce_max(.., false)?.item::<f64>()
            };
            assert_eq!(found.0.shape(), bands.shape());
            assert!(near(&found.0, &wanted.0)? < 1e-12 && near(&found.1, &wanted.1)? < 1e-12);
        }
    }
    Ok(())
}

#[test]
fn diagonals_beside_the_matrix_have_zeros_also_where_a_trace_knows_ranks_only() -> Result<()> {
    #[tf_function(signature(f32[?, ?, ?], i32[?]))]
    fn slope(x: &Tensor, k: &Tensor) -> Result<Tensor> {
        let padding = scalar(0.0f32);
        let matrices = |x: &Tensor| x.matrix_diag(&padding, k, -1, -1, Default::default());
        grad(|x: &Tensor| matrices(x)?.square())(x)
    }
    let x = tensor![[[1.0f32], [2.0], [3.0]], [[4.0], [5.0], [6.0]]];
    let beside = slope(&x, &tensor![-1i32, 1])?;
    assert_eq!((beside.shape(), floats(&beside)), (x.shape(), vec![0.0, 4.0, 0.0, 0.0, 10.0, 0.0]));
    let x = tensor![[[1.0f32, 2.0], [3.0, 4.0]]];
    // Of the lower diagonal one place is padding.
    assert_eq!(floats(&slope(&x, &tensor![-1i32, 0])?), [2.0, 4.0, 6.0, 0.0]);
    Ok(())
}

/// The share of a side is that of sides as long as one likes.
#[test]
fn slopes_of_lengths_that_overflow() -> Result<()> {
    let slopes = grad(|(x, y): &(Tensor, Tensor)| ops::hypot(x, y));
    let x = tensor![3e38f32, -3e38, 3e38, f32::INFINITY, 0.0, 1e-45, 3.0];
    let y = tensor![3e38f32, 1e38, f32::INFINITY, 1.0, 0.0, 0.0, 4.0];
    let (by_x, by_y) = slopes(&(x, y))?;
    let (root, tenth) = (0.5f32.sqrt(), 0.1f32.sqrt());
    let near = |found: &Tensor, wanted: [f32; 7]| {
        let found = floats(found);
        assert!(
            found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-6),
            "{found:?} {wanted:?}"
        );
    };
    near(&by_x, [root, -3.0 * tenth, 0.0, 1.0, 0.0, 1.0, 0.6]);
    near(&by_y, [root, tenth, 1.0, 0.0, 0.0, 0.0, 0.8]);
    Ok(())
}

/// TensorFlow's, which also gives a value that a later one replaced the cotangent of its place.
#[test]
fn values_of_sparse_tensors_have_the_cotangents_of_their_places() -> Result<()> {
    let op = ops::SparseToDense { validate_indices: false };
    let slopes = |at: &Tensor, sizes: &Tensor, values: &Tensor, weights: &Tensor| {
        grad(|(values, rest): &(Tensor, Tensor)| {
            ops::mul(&op.run(&[at, sizes, values, rest])?, weights)
        })(&(values.clone(), scalar(7.0f32)))
    };
    let weights = tensor![1.0f32, 2.0, 4.0, 8.0];
    let (values, rest) =
        slopes(&tensor![1i64, 1, 3], &tensor![4i64], &tensor![1.0f32, 2.0, 3.0], &weights)?;
    assert_eq!((floats(&values), rest.item::<f32>()?), (vec![2.0, 2.0, 8.0], 15.0 - 12.0));
    let (value, rest) = slopes(&tensor![0i64, 2], &tensor![4i64], &scalar(1.0f32), &weights)?;
    assert_eq!((value.item::<f32>()?, rest.item::<f32>()?), (5.0, 10.0));
    // A scalar has one place, without coordinates.
    let (at, sizes) =
        (Tensor::from_slice::<i64>(&[], &[1, 0])?, Tensor::from_slice::<i64>(&[], &[0])?);
    let (values, rest) = slopes(&at, &sizes, &tensor![1.0f32], &scalar(3.0f32))?;
    assert_eq!((floats(&values), rest.item::<f32>()?), (vec![3.0], 0.0));
    Ok(())
}

/// Their saturation is zero, whatever they are; their hue is that of any colour.
#[test]
fn colours_below_black_have_slopes() -> Result<()> {
    let slope = |channel: i64| {
        grad(move |x: &Tensor| ops::RgbToHsv {}.run(&[x])?.index((Ellipsis, channel)))(&tensor![
            [-0.5f64, -1.0, -2.0],
            [0.5, 1.0, -2.0]
        ])
    };
    let saturation = slope(1)?.to_vec::<f64>()?;
    assert_eq!(saturation, [0.0, 0.0, 0.0, 0.0, -2.0, -1.0]);
    let hue = slope(0)?.to_vec::<f64>()?;
    let wanted = [-1.0 / 13.5, 1.0 / 9.0, -1.0 / 27.0, -1.0 / 18.0, 5.0 / 108.0, 1.0 / 108.0];
    assert!(hue.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{hue:?} {wanted:?}");
    Ok(())
}

/// There are no products beyond the ends, and so nothing that is infinite there.
#[test]
fn sliding_sums_have_gradients_beside_infinities() -> Result<()> {
    let weighed = |(x, y): &(Tensor, Tensor)| {
        let sums = ops::SlidingSums { before: 1, after: 1, turned: false }.run(&[x, y])?;
        ops::mul(&sums, tensor![f64::INFINITY, 1.0, 1.0, 1.0])
    };
    let (by_x, by_y) = grad(weighed)(&(tensor![1.0f64, 2.0, 3.0], tensor![10.0f64, 1.0]))?;
    // The first sum has no product with the first of the window.
    assert_eq!(by_x.to_vec::<f64>()?, [f64::INFINITY, 11.0, 11.0]);
    assert_eq!(by_y.to_vec::<f64>()?, [6.0, f64::INFINITY]);
    #[tf_function(signature(f64[?], f64[?]))]
    fn traced(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor)> {
        grad(|(x, y): &(Tensor, Tensor)| {
            ops::SlidingSums { before: 0, after: 1, turned: false }.run(&[x, y])
        })(&(x.clone(), y.clone()))
    }
    let (by_x, by_y) = traced(&tensor![1.0f64, 2.0], &tensor![5.0f64, f64::INFINITY])?;
    assert_eq!(by_x.to_vec::<f64>()?, [5.0, f64::INFINITY]);
    assert_eq!(by_y.to_vec::<f64>()?, [3.0, 2.0]);
    Ok(())
}

#[test]
fn sliding_sums_of_any_ends_are_told_apart_from_none() -> Result<()> {
    let (x, y) = (tensor![1i32, 2, 3], tensor![1i32, 10]);
    let sums = |before: i64, after: i64, turned: bool| {
        ops::SlidingSums { before, after, turned }.run(&[&x, &y])?.to_vec::<i32>()
    };
    assert_eq!(sums(0, 0, false)?, [21, 32]);
    assert_eq!(sums(-1, 0, false)?, [32]);
    assert_eq!(sums(3, 0, false)?, [0, 0, 10, 21, 32]);
    // What goes back: each element is added where its window was.
    assert_eq!(sums(0, 0, true)?, [1, 12, 23, 30]);
    assert_eq!(sums(1, 1, true)?, [12, 23]);
    for (before, after) in [(i64::MIN, i64::MIN), (-9, 0), (i64::MIN, 0)] {
        let e = super::said(sums(before, after, false));
        assert!(e.contains("a window of 2 that begins"), "{e}");
    }
    assert!(sums(i64::MAX, i64::MAX, false).is_err() && sums(i64::MAX, i64::MAX, true).is_err());
    assert_eq!(
        (sums(i64::MIN, i64::MAX, false)?, sums(i64::MIN, i64::MAX, true)?),
        (vec![0], vec![0; 5])
    );
    Ok(())
}
