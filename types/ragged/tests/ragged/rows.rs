//! What is computed on rows: orders, groups, sequences, strings, scores, products.

use extype::ops::NGrams;
use extype::prelude::*;
use extype_ragged::RaggedTensor;

fn sample() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![3.0f64, 1.0, 2.0], vec![], vec![5.0, 4.0]])
}

#[test]
fn rows_are_put_in_order() -> Result<()> {
    let r = sample()?;
    assert_eq!(ops::sort(&r, ..)?.to_string(), "[[1.0, 2.0, 3.0], [], [4.0, 5.0]]");
    assert_eq!(ops::sort(&r, ops::Descending)?.to_string(), "[[3.0, 2.0, 1.0], [], [5.0, 4.0]]");
    assert_eq!(ops::argsort(&r, ..)?.to_string(), "[[1, 2, 0], [], [1, 0]]");
    let (top, places) = ops::top_k(&r, 2)?;
    assert_eq!(top.to_string(), "[[3.0, 2.0], [], [5.0, 4.0]]");
    assert_eq!(places.to_string(), "[[0, 2], [], [0, 1]]");
    let words = RaggedTensor::from_row_lengths(["b", "a", "c"], [2, 1])?;
    assert_eq!(ops::sort(&words, ..)?.flat_values.to_strings()?, ["a", "b", "c"]);
    let e = ops::sort(&r, 0).unwrap_err();
    assert!(e.message().contains("axis 0 has rows"), "{e}");
    let slope: RaggedTensor = grad(|r: &RaggedTensor| {
        let weighted =
            ops::mul(ops::sort(r, ..)?, ops::add(ops::argsort(r, ..)?.cast(f64)?, 1.0)?)?;
        weighted.reduce_sum(.., false)?.into_tensor()
    })(&r)?;
    assert_eq!(slope.to_string(), "[[1.0, 2.0, 3.0], [], [1.0, 2.0]]");
    Ok(())
}

#[test]
fn scores_are_of_their_row() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1.0f64, 1.0], vec![], vec![1000.0]])?;
    assert_eq!(ops::softmax(&r)?.to_string(), "[[0.5, 0.5], [], [1.0]]");
    assert_eq!(format!("{:.3}", ops::log_softmax(&r)?), "[[-0.693, -0.693], [], [0.000]]");
    let found = ops::reduce_logsumexp(&r, 1, false)?;
    assert_eq!(format!("{found:.3}"), "[1.693, -inf, 1000.000]");
    let spread = sample()?.with_flat_values(sample()?.flat_values + 1e9)?;
    assert_eq!(format!("{:.4}", ops::reduce_variance(&spread, 1, false)?), "[0.6667, nan, 0.2500]");
    assert_eq!(format!("{:.4}", spread.var((1, ops::Ddof(1)))?), "[1.0000, nan, 0.5000]");
    let whole = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    assert_eq!(ops::reduce_mean(&whole, 1, false)?.to_string(), "[1.5, nan, 3.0]");
    Ok(())
}

#[test]
fn every_number_is_reduced() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![3.0f64, 4.0], vec![], vec![2.0]])?;
    for dtype in
        [DType::F16, DType::BF16, DType::F32, DType::I8, DType::U16, DType::I64, DType::Complex64]
    {
        let x = r.cast(dtype)?;
        let text = |x: RaggedTensor| x.flat_values.cast(DType::F64).map(|x| x.to_string());
        let found = ops::reduce_sum(&x, 1, false)?;
        assert_eq!(
            (found.dtype(), text(found)?.as_str()),
            (dtype, "[7. 0. 2.] float64[3]"),
            "{dtype}"
        );
        let found = ops::reduce_prod(&x, 1, false)?;
        assert_eq!(
            (found.dtype(), text(found)?.as_str()),
            (dtype, "[12.  1.  2.] float64[3]"),
            "{dtype}"
        );
    }
    let wrapped = RaggedTensor::from_rows(&[vec![100i8, 100]])?;
    assert_eq!(ops::reduce_sum(&wrapped, 1, false)?.to_string(), "[-56]");
    let odd = RaggedTensor::from_rows(&[vec![1.0f32, f32::NAN], vec![f32::NEG_INFINITY; 9]])?;
    assert_eq!(ops::reduce_max(&odd, 1, false)?.to_string(), "[nan, -inf]");
    assert!(ops::reduce_max(&r.cast(DType::Complex64)?, 1, false).is_err());
    // Many rows are reduced in parts, long ones in lanes.
    let lengths: Vec<i64> = (0..5000).map(|i| i % 61).collect();
    let values: Vec<i64> = (0..lengths.iter().sum()).collect();
    let many = RaggedTensor::from_row_lengths(
        Tensor::from_vec(values.clone()),
        Tensor::from_vec(lengths.clone()),
    )?;
    let found = ops::reduce_sum(&many, 1, false)?.into_tensor()?;
    let floats = many.cast(DType::F32)?;
    let least = ops::reduce_min(&floats, 1, false)?.into_tensor()?;
    let most = ops::reduce_max(&floats, 1, false)?.into_tensor()?;
    let ends = least.as_slice::<f32>()?.iter().zip(most.as_slice::<f32>()?);
    let mut rest = &values[..];
    for ((n, sum), ends) in lengths.iter().zip(found.as_slice::<i64>()?).zip(ends) {
        let (row, behind) = rest.split_at(*n as usize);
        assert_eq!(row.iter().sum::<i64>(), *sum);
        // The numbers ascend.
        let end = |x: Option<&i64>, none| x.map_or(none, |x| *x as f32);
        assert_eq!(ends, (&end(row.first(), f32::MAX), &end(row.last(), f32::MIN)));
        rest = behind;
    }
    Ok(())
}

#[test]
fn rows_are_grouped() -> Result<()> {
    let r = sample()?;
    assert_eq!(
        ops::segment_sum(&r, tensor![0, 0, 1])?.to_string(),
        "[[3.0, 1.0, 2.0], [5.0, 4.0]]"
    );
    assert_eq!(
        ops::unsorted_segment_sum(&r, tensor![1, 2, 1], 4)?.to_string(),
        "[[], [8.0, 5.0, 2.0], [], []]"
    );
    let ids = RaggedTensor::from_rows(&[vec![0i64, 1, 0], vec![], vec![1, 1]])?;
    assert_eq!(ops::unsorted_segment_max(&r, &ids, 2)?.to_string(), "[3.0, 5.0]");
    let parts = r.stack_dynamic_partitions(&ids, 3)?;
    assert_eq!(parts.to_string(), "[[3.0, 2.0], [1.0, 5.0, 4.0], []]");
    assert!(r.stack_dynamic_partitions(&ids, 1).is_err());
    Ok(())
}

#[test]
fn sequences_are_rows() -> Result<()> {
    let text = |r: Result<RaggedTensor>| r.map(|r| r.to_string());
    assert_eq!(text(RaggedTensor::range(0, [3, 0, 2], 1))?, "[[0, 1, 2], [], [0, 1]]");
    assert_eq!(text(RaggedTensor::range([5, 0], [0, 5], [-2, 3]))?, "[[5, 3, 1], [0, 3]]");
    assert_eq!(text(RaggedTensor::range([0.0f32], [1.0f32], [0.4f32]))?, "[[0.0, 0.4, 0.8]]");
    let e = RaggedTensor::range(0, [3], 0).unwrap_err();
    assert!(e.message().contains("zero"), "{e}");
    Ok(())
}

#[test]
fn strings_make_rows_and_rows_strings() -> Result<()> {
    let lines = RaggedTensor::from_row_lengths(["to be", "or", ""], [2, 1])?;
    let words = lines.string_split("", None)?;
    assert_eq!(words.row_lengths(2)?.to_string(), "[[2, 1], [0]]");
    assert_eq!(words.flat_values.to_strings()?, ["to", "be", "or"]);
    let pairs = words.ngrams(NGrams { widths: vec![2], ..NGrams::default() })?;
    assert_eq!(pairs.row_lengths(2)?.to_string(), "[[1, 0], [0]]");
    let joined = words.reduce_join("_", 2, false)?;
    assert_eq!(joined.flat_values.to_strings()?, ["to_be", "or", ""]);
    assert_eq!(words.reduce_join("", .., false)?.into_tensor()?.to_strings()?, ["tobeor"]);
    assert_eq!(ops::upper(&words)?.flat_values.to_strings()?, ["TO", "BE", "OR"]);
    assert_eq!(
        ops::string_join((&words, "!".to_tensor()?), "")?.flat_values.to_strings()?,
        ["to!", "be!", "or!"]
    );
    assert_eq!(lines.bytes_split()?.row_lengths(2)?.to_string(), "[[5, 2], [0]]");
    let one = RaggedTensor::from_dense("a b".to_tensor()?)?.string_split(" ", None)?;
    assert_eq!(one.into_tensor()?.to_strings()?, ["a", "b"]);
    assert!(sample()?.string_split("", None).is_err());
    let a = RaggedTensor::from_row_lengths(["a", "b"], [2, 0])?;
    let crossed = RaggedTensor::cross(&[&a, &RaggedTensor::from_row_lengths([7], [1, 0])?])?;
    assert_eq!(crossed.flat_values.to_strings()?, ["a_X_7", "b_X_7"]);
    Ok(())
}

#[test]
fn matrices_of_other_heights_are_multiplied() -> Result<()> {
    let heights = RaggedTensor::from_row_lengths([[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]], [2, 1])?;
    let stack = tensor![[[1.0f32], [1.0]], [[10.0], [100.0]]];
    assert_eq!(ops::matmul(&heights, &stack)?.to_string(), "[[[3.0], [7.0]], [[650.0]]]");
    let one = tensor![[1.0f32], [1.0]];
    assert_eq!(ops::matmul(&heights, &one)?.to_string(), "[[[3.0], [7.0]], [[11.0]]]");
    let rows = vec![vec![vec![1.0f32, 2.0, 3.0]], vec![vec![4.0], vec![5.0]]];
    let a = RaggedTensor::from_rows(&rows)?;
    let b = RaggedTensor::from_rows(&[
        vec![vec![1.0f32, 0.0], vec![0.0, 1.0], vec![1.0, 1.0]],
        vec![vec![10.0]],
    ])?;
    assert_eq!(ops::matmul(&a, &b)?.to_string(), "[[[4.0, 5.0]], [[40.0], [50.0]]]");
    let e = ops::matmul(&b, &b).unwrap_err();
    assert!(e.message().contains("the inner sizes of matrices"), "{e}");
    let uneven = RaggedTensor::from_rows(&[vec![vec![1.0f32, 2.0], vec![3.0]]])?;
    let e = ops::matmul(&uneven, &uneven).unwrap_err();
    assert!(e.message().contains("the rows of a matrix have one length"), "{e}");
    let slope: RaggedTensor =
        grad(|a: &RaggedTensor| ops::matmul(a, &b)?.reduce_sum(.., false)?.into_tensor())(&a)?;
    assert_eq!(slope.to_string(), "[[[1.0, 1.0, 2.0]], [[10.0], [10.0]]]");
    Ok(())
}
