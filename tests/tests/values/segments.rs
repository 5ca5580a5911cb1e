//! What the recorded answers of segments don't show.

use extype::prelude::*;

fn near(got: &Tensor, want: &[f64]) {
    let got = got.as_slice::<f64>().unwrap();
    assert_eq!(got.len(), want.len(), "{got:?} for {want:?}");
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12), "{got:?} for {want:?}");
}

#[test]
fn integers_wrap_as_in_their_own_dtype() {
    let (x, ids) = (tensor![100u8, 200, 255, 2], tensor![0, 0, 1, 1]);
    assert_eq!(x.segment_sum(&ids).unwrap().as_slice::<u8>().unwrap(), &[44, 1]);
    assert_eq!(x.segment_prod(&ids).unwrap().as_slice::<u8>().unwrap(), &[32, 254]);
    // A mean does not wrap.
    assert_eq!(x.segment_mean(&ids).unwrap().as_slice::<u8>().unwrap(), &[150, 128]);
    let wide = tensor![u64::MAX, 3, 1];
    let y = ops::unsorted_segment_max(&wide, tensor![1, 1, -1], scalar(2)).unwrap();
    assert_eq!(y.as_slice::<u64>().unwrap(), &[0, u64::MAX]);
    let y = ops::unsorted_segment_min(&wide, tensor![1, 1, -1], scalar(2)).unwrap();
    assert_eq!(y.as_slice::<u64>().unwrap(), &[u64::MAX, 3]);
}

#[test]
fn what_is_wrong_is_named() {
    let x = tensor![1.0f32, 2.0];
    for ids in [tensor![1, 0], tensor![-1, 0]] {
        assert_eq!(x.segment_sum(&ids).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    let e = x.segment_sum(&tensor![0, 1, 2]).unwrap_err();
    assert!(e.message().contains("[3]"), "{e}");
    // The number of rows is what memory there is for.
    let e = x.segment_sum(&tensor![0, i64::MAX - 1]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::ResourceExhausted, "{e}");
    let e = ops::sparse_segment_sum(&x, tensor![2], tensor![0]).unwrap_err();
    assert!(e.message().contains("index 2 at position 0 is not in [0, 2)"), "{e}");
}

#[test]
fn segments_without_rows_and_rows_without_elements() {
    let none = ops::zeros([0, 2], DType::F32).unwrap();
    let ids = ops::zeros([0], DType::I32).unwrap();
    assert_eq!(none.segment_max(&ids).unwrap().shape(), shape![0, 2]);
    let thin = ops::zeros([3, 0], DType::F32).unwrap();
    assert_eq!(thin.segment_mean(&tensor![0, 0, 4]).unwrap().shape(), shape![5, 0]);
}

#[test]
fn gradients_of_products_beside_zeros() {
    let ids = tensor![0, 0, 1, 1, 1];
    let x = tensor![0.0, 3.0, 0.0, 0.0, 5.0];
    let slope = grad(|x: &Tensor| x.segment_prod(&ids)?.reduce_sum(.., false))(&x).unwrap();
    near(&slope, &[3.0, 0.0, 0.0, 0.0, 0.0]);
    let curve = grad(|x: &Tensor| {
        let slope = grad(|x: &Tensor| x.segment_prod(&ids)?.reduce_sum(.., false))(x)?;
        slope.slice([0], [1])?.reduce_sum(.., false)
    });
    near(&curve(&x).unwrap(), &[0.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn equal_extremes_share_the_gradient_and_negative_ids_have_none() {
    let ids = tensor![1, 1, -1, 1];
    let slope = grad(|x: &Tensor| {
        ops::unsorted_segment_max(x, &ids, scalar(3))?.slice([1], [1])?.reduce_sum(.., false)
    });
    near(&slope(&tensor![2.0, 1.0, 9.0, 2.0]).unwrap(), &[0.5, 0.0, 0.0, 0.5]);
}

#[test]
fn sparse_segments_have_gradients_of_second_order() {
    let (indices, ids) = (tensor![0, 2, 2], tensor![0, 0, 1]);
    let square =
        |x: &Tensor| ops::sparse_segment_mean(x, &indices, &ids)?.square()?.reduce_sum(.., false);
    let x = tensor![1.0, 7.0, 3.0];
    // ((a + c) / 2)² + c²
    near(&grad(square)(&x).unwrap(), &[2.0, 0.0, 8.0]);
    let twice = grad(move |x: &Tensor| grad(square)(x)?.reduce_sum(.., false));
    near(&twice(&x).unwrap(), &[1.0, 0.0, 3.0]);
}

#[test]
fn traces_without_shapes_compute_the_same() {
    let any = |dtype| TensorSpec::new(Shape::unknown(), dtype);
    let f = function(|x: &Tensor, ids: &Tensor| x.segment_mean(ids));
    let f = f.concrete(&any(DType::F64), &any(DType::I64)).unwrap();
    let y: Tensor = f.call((&tensor![1.0, 2.0, 5.0], &tensor![0i64, 0, 1])).unwrap();
    near(&y, &[1.5, 5.0]);
}
