//! How ragged and dense operands meet.

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RaggedTensorSpec};

fn sample() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])
}

/// The sum, which a trace that knows only ranks and levels has too.
fn sum(x: &RaggedTensor, y: &RaggedTensor) -> Result<String> {
    let found = ops::add(x, y)?.to_string();
    let traced = function(|x: &RaggedTensor, y: &RaggedTensor| ops::add(x, y));
    let spec = |x: &RaggedTensor| {
        let rank = x.rank().unwrap();
        // The rows of vectors are scalars, which have an axis less than none.
        let levels = if rank == 0 { -1 } else { x.ragged_rank() as i64 };
        RaggedTensorSpec::with_ragged_rank(Shape::of_rank(rank), x.dtype(), levels)
    };
    let concrete = traced.concrete(&spec(x)?, &spec(y)?)?;
    let again: RaggedTensor = concrete.call((x, y))?;
    assert_eq!(again.to_string(), found);
    Ok(found)
}

fn dense(x: Tensor) -> Result<RaggedTensor> {
    RaggedTensor::from_dense(x)
}

#[test]
fn axes_line_up_from_the_last() -> Result<()> {
    let r = sample()?;
    assert_eq!(sum(&r, &dense(tensor![[10], [20], [30]])?)?, "[[11, 12], [], [33]]");
    assert_eq!(sum(&dense(tensor![[10], [20], [30]])?, &r)?, "[[11, 12], [], [33]]");
    assert_eq!(sum(&r, &dense(scalar(10))?)?, "[[11, 12], [], [13]]");
    assert_eq!(sum(&r, &dense(tensor![10])?)?, "[[11, 12], [], [13]]");
    let more = tensor![[[10]], [[20]]];
    assert_eq!(sum(&r, &dense(more)?)?, "[[[11, 12], [], [13]], [[21, 22], [], [23]]]");
    let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!(sum(&pairs, &dense(tensor![10, 20])?)?, "[[[11, 22]], [[13, 24], [15, 26]]]");
    let each = tensor![[[10]], [[20]]];
    assert_eq!(sum(&pairs, &dense(each)?)?, "[[[11, 12]], [[23, 24], [25, 26]]]");
    Ok(())
}

#[test]
fn ranks_and_levels_differ() -> Result<()> {
    let deep = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![3]], vec![vec![4, 5], vec![6]]])?;
    let flat = RaggedTensor::from_rows(&[vec![10, 20], vec![30]])?;
    assert_eq!(sum(&flat, &deep)?, "[[[11, 22], [33]], [[14, 25], [36]]]");
    // Uniform axes of one operand meet ragged axes of the other.
    let ones = RaggedTensor::from_row_lengths([[10], [20], [30]], [2, 1])?;
    let other = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![3]], vec![vec![5, 6, 7]]])?;
    assert_eq!(sum(&ones, &other)?, "[[[11, 12], [23]], [[35, 36, 37]]]");
    let twos = RaggedTensor::from_row_lengths([[10, 20], [30, 40], [50, 60]], [2, 1])?;
    let other = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![3, 4]], vec![vec![5, 6]]])?;
    assert_eq!(sum(&twos, &other)?, "[[[11, 22], [33, 44]], [[55, 66]]]");
    // One row meets all.
    let one = RaggedTensor::from_rows(&[vec![10, 20]])?;
    let even = RaggedTensor::from_rows(&[vec![1, 2], vec![3, 4]])?;
    assert_eq!(ops::add(&one, &even)?.to_string(), "[[11, 22], [13, 24]]");
    let uniform = RaggedTensor::from_uniform_row_length([10, 20, 30], 1, None)?;
    assert_eq!(ops::add(&sample()?, &uniform)?.to_string(), "[[11, 12], [], [33]]");
    Ok(())
}

#[test]
fn rows_that_do_not_meet_are_named() -> Result<()> {
    let r = sample()?;
    let refused = |y: &RaggedTensor| ops::add(&r, y).unwrap_err().message().to_owned();
    let ones = RaggedTensor::from_rows(&[vec![10], vec![20], vec![30]])?;
    assert!(refused(&ones).contains("row 0 has the lengths 2 and 1"), "{}", refused(&ones));
    let other = RaggedTensor::from_rows(&[vec![1, 2], vec![3], vec![4]])?;
    assert!(refused(&other).contains("row 1 has the lengths 0 and 1"));
    let fewer = RaggedTensor::from_rows(&[vec![1, 2], vec![]])?;
    assert!(refused(&fewer).contains("3"), "{}", refused(&fewer));
    assert!(refused(&dense(tensor![[1, 2], [3, 4], [5, 6]])?).contains("row 1 has the length 0"));
    let traced = function(|x: &RaggedTensor, y: &RaggedTensor| {
        ops::add(x, y)?.flat_values.reduce_sum(.., false)
    });
    assert!(traced.call(&r, &other).is_err());
    Ok(())
}

#[test]
fn conditions_broadcast_too() -> Result<()> {
    let r = sample()?;
    let mask = RaggedTensor::from_rows(&[vec![true, false], vec![], vec![true]])?;
    assert_eq!(ops::select(&mask, &r, &ops::neg(&r)?)?.to_string(), "[[1, -2], [], [3]]");
    assert_eq!(ops::select(&mask, &r, 0)?.to_string(), "[[1, 0], [], [3]]");
    let rows = tensor![[true], [false], [false]];
    assert_eq!(ops::select(&rows, &r, &ops::neg(&r)?)?.to_string(), "[[1, 2], [], [-3]]");
    assert_eq!(ops::clip_by_value(&r, 2, 2)?.to_string(), "[[2, 2], [], [2]]");
    Ok(())
}

#[test]
fn gradients_are_summed_over_what_was_repeated() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0]])?;
    let column = tensor![[10.0f32], [20.0], [30.0]];
    let loss = |c: &Tensor| ops::mul(&r, c)?.reduce_sum(.., false)?.into_tensor();
    assert_eq!(grad(loss)(&column)?.as_slice::<f32>()?, &[3.0, 0.0, 3.0]);
    let more = tensor![[[1.0f32]], [[2.0]]];
    let loss = |r: &RaggedTensor| ops::mul(r, &more)?.reduce_sum(.., false)?.into_tensor();
    let slope: RaggedTensor = grad(loss)(&r)?;
    assert_eq!(slope.to_string(), "[[3.0, 3.0], [], [3.0]]");
    Ok(())
}

#[test]
fn int32_splits_stay_and_meet_int64() -> Result<()> {
    let narrow = sample()?.with_row_splits_dtype(DType::I32)?;
    let column = tensor![[10], [20], [30]];
    assert_eq!(ops::add(&narrow, &column)?.row_splits_dtype(), DType::I32);
    assert_eq!(ops::add(&narrow, &narrow)?.row_splits_dtype(), DType::I32);
    assert_eq!(ops::add(&narrow, sample()?)?.row_splits_dtype(), DType::I64);
    assert_eq!(ops::concat(&[&narrow, &narrow], 1)?.row_splits_dtype(), DType::I32);
    assert_eq!(ops::gather(&narrow, tensor![2i64, 0], 0)?.row_splits_dtype(), DType::I32);
    assert_eq!(ops::tile(&narrow, [2, 3])?.row_splits_dtype(), DType::I32);
    let turned = ops::reverse(&narrow, [0, 1])?;
    assert_eq!(
        (turned.row_splits_dtype(), turned.to_string().as_str()),
        (DType::I32, "[[3], [], [2, 1]]")
    );
    Ok(())
}
