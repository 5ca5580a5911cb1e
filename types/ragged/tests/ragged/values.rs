//! Ragged tensors: partitions, ops, traced functions, gradients.

use extype::jacobian;
use extype::prelude::*;
use extype_ragged::{RaggedTensor, RaggedTensorSpec};

fn sample() -> RaggedTensor {
    RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0]]).unwrap()
}

#[test]
fn constructors_agree() -> Result<()> {
    let r = RaggedTensor::from_row_splits([1.0f32, 2.0, 3.0], [0i64, 2, 2, 3])?;
    assert_eq!(r.to_string(), sample().to_string());
    let r = RaggedTensor::from_row_lengths([1.0f32, 2.0, 3.0], [2, 0, 1])?;
    assert_eq!(r.to_string(), "[[1.0, 2.0], [], [3.0]]");
    let empty = RaggedTensor::from_rows(&[] as &[Vec<i32>])?;
    assert_eq!(empty.to_string(), "[]");
    let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!(pairs.to_string(), "[[[1, 2]], [[3, 4], [5, 6]]]");
    Ok(())
}

#[test]
fn bad_partitions_name_the_row() {
    let e = RaggedTensor::from_row_lengths([1, 2, 3], [2, 2]).unwrap_err();
    assert!(e.message().contains("row 1: the last row ends at 4, but there are 3 values"), "{e}");
    let e = RaggedTensor::from_row_splits([1, 2], [0.0f32, 2.0]).unwrap_err();
    assert!(e.message().contains("are told by int32 or int64, not float32"), "{e}");
    let splits = vec![tensor![0i64, 1], tensor![0i64, 1, 2]];
    let e = RaggedTensor::from_nested_row_splits([1, 2], splits).unwrap_err();
    assert!(e.message().starts_with("field `partitions[0]`: row 0"), "{e}");
}

#[test]
fn elementwise_ops_keep_the_rows() -> Result<()> {
    let r = sample();
    assert_eq!(ops::neg(&r)?.to_string(), "[[-1.0, -2.0], [], [-3.0]]");
    assert_eq!((&r * &r).to_string(), "[[1.0, 4.0], [], [9.0]]");
    assert_eq!((1.0 - &r).to_string(), "[[0.0, -1.0], [], [-2.0]]");
    assert_eq!((&r + scalar(1.0f32)).to_string(), "[[2.0, 3.0], [], [4.0]]");
    assert_eq!(format!("{:.2}", ops::sqrt(&r)?), "[[1.00, 1.41], [], [1.73]]");
    Ok(())
}

#[test]
fn other_rows_and_other_shapes_are_refused() -> Result<()> {
    let (r, other) = (sample(), RaggedTensor::from_row_lengths([1.0f32, 2.0, 3.0], [1, 1, 1])?);
    let e = ops::add(&r, &other).unwrap_err();
    assert!(e.message().contains("row 0 has the lengths 2 and 1"), "{e}");
    let e = ops::add(&r, tensor![1.0f32, 2.0, 3.0]).unwrap_err();
    assert!(e.message().contains("row 0 has the lengths 2 and 3"), "{e}");
    Ok(())
}

#[test]
fn rows_are_summed_sliced_and_measured() -> Result<()> {
    let r = sample();
    assert_eq!(r.row_sum()?.as_slice::<f32>()?, &[3.0, 0.0, 3.0]);
    assert_eq!(ops::reduce_sum(&r, 1, KeepDims)?.to_string(), "[[3.0], [0.0], [3.0]]");
    assert_eq!(ops::reduce_sum(&r, .., false)?.into_tensor()?.item::<f32>()?, 6.0);
    assert_eq!(r.row_lengths(1)?.into_tensor()?.as_slice::<i64>()?, [2, 0, 1]);
    assert_eq!(r.get(2)?.into_tensor()?.as_slice::<f32>()?, &[3.0]);
    assert_eq!(r.get(1)?.shape(), shape![0]);
    assert!(r.get(3).unwrap_err().message().contains("index 3"));
    Ok(())
}

#[test]
fn traced_functions_take_ragged_tensors() -> Result<()> {
    let f = function(|x: &RaggedTensor, y: &RaggedTensor| {
        let z = ops::square(x)? + y;
        Ok((z.row_sum()?, z.row_lengths(1)?.into_tensor()?, z))
    });
    let r = sample();
    let (sums, lengths, z) = f.call(&r, &r)?;
    assert_eq!(sums.as_slice::<f32>()?, &[8.0, 0.0, 12.0]);
    assert_eq!(lengths.as_slice::<i64>()?, [2, 0, 1]);
    assert_eq!(z.to_string(), "[[2.0, 6.0], [], [12.0]]");
    let other = RaggedTensor::from_row_lengths([1.0f32, 2.0, 3.0], [1, 1, 1])?;
    let e = f.call(&r, &other).unwrap_err();
    assert!(e.message().contains("row 0 has the lengths 2 and 1"), "{e}");
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn unequal_rows_are_refused_in_a_trace_that_drops_the_rows() -> Result<()> {
    let f = function(|x: &RaggedTensor, y: &RaggedTensor| {
        ops::add(x, y)?.flat_values.reduce_sum(.., false)
    });
    let r = sample();
    assert_eq!(f.call(&r, &r)?.item::<f32>()?, 12.0);
    let other = RaggedTensor::from_row_lengths([1.0f32, 2.0, 3.0], [1, 1, 1])?;
    assert!(f.call(&r, &other).is_err());
    Ok(())
}

#[test]
fn unknown_sizes_are_traced_once() -> Result<()> {
    let f = function(|x: &RaggedTensor| {
        Ok((x.row_sum()?, x.row_lengths(1)?.into_tensor()?, x.get(0)?.into_tensor()?))
    });
    let concrete = f.concrete(&RaggedTensorSpec::new(shape![?, ?], DType::F32)?)?;
    let r = sample();
    let out = concrete.call_flat(&nest::flatten(&r))?;
    assert_eq!(out[0].as_slice::<f32>()?, &[3.0, 0.0, 3.0]);
    assert_eq!(out[1].as_slice::<i64>()?, [2, 0, 1]);
    assert_eq!(out[2].as_slice::<f32>()?, &[1.0, 2.0]);
    Ok(())
}

#[test]
fn gradients_pass_sums_of_rows() -> Result<()> {
    let loss = |r: &RaggedTensor| ops::mul(r.row_sum()?, tensor![1.0f32, 10.0, 100.0]);
    let g: RaggedTensor = grad(loss)(&sample())?;
    assert_eq!(g.to_string(), "[[1.0, 1.0], [], [100.0]]");
    let traced = function(move |r: &RaggedTensor| loss(r));
    let g = grad(|r: &RaggedTensor| traced.call(r))(&sample())?;
    assert_eq!(g.to_string(), "[[1.0, 1.0], [], [100.0]]");
    Ok(())
}

#[test]
fn jacobians_pass_sums_of_rows() -> Result<()> {
    let f = |r: &RaggedTensor| ops::mul(r.row_sum()?, tensor![1.0f32, 10.0, 100.0]);
    let j = jacobian(f)(&sample())?;
    let block = j.block(0, 0)?.expect("the values of the rows");
    assert_eq!(block.shape(), shape![3, 3]);
    assert_eq!(block.as_slice::<f32>()?, &[1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 100.0]);
    // The ends of rows have no gradient.
    assert!(j.block(0, 1)?.is_none());
    let (_, dy) = jvp(f, &sample(), &sample())?;
    assert_eq!(dy.as_slice::<f32>()?, f(&sample())?.as_slice::<f32>()?);
    Ok(())
}

#[test]
fn the_ragged_rank_is_part_of_the_type() -> Result<()> {
    let deep = RaggedTensor::from_nested_row_splits(
        [1.0f32, 2.0, 3.0],
        vec![tensor![0i64, 2, 3], tensor![0i64, 2, 2, 3]],
    )?;
    assert_eq!((&deep * 2.0).to_string(), "[[[2.0, 4.0], []], [[6.0]]]");
    assert!(!deep.type_spec().is_compatible_with(&sample().type_spec()));
    assert!(ops::add(&deep, sample()).is_err());
    assert!(deep.row_sum().unwrap_err().message().contains("one ragged axis, not for 2"));
    Ok(())
}

#[test]
fn a_conditional_with_a_dense_arm_is_ragged() -> Result<()> {
    let padded = function(|short: &Tensor, r: &RaggedTensor| {
        cond(short, || Ok(r.clone()), || r.to_tensor(0.0, Shape::unknown()))
    });
    let r = RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0]])?;
    assert_eq!(padded.call(&scalar(true), &r)?.to_string(), "[[1.0, 2.0], [], [3.0]]");
    let full = padded.call(&scalar(false), &r)?;
    assert_eq!(full.to_string(), "[[1.0, 2.0], [0.0, 0.0], [3.0, 0.0]]");
    Ok(())
}

#[test]
fn rows_are_mapped() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![3i64, 1, 2], vec![], vec![5, 4]])?;
    let sorted = |r: &RaggedTensor| {
        map_fn(r, |row: RaggedTensor| RaggedTensor::from_dense(row.into_tensor()?.sort(-1)?))
    };
    for found in [sorted(&r)?, function(sorted).call(&r)?] {
        assert_eq!(found.to_string(), "[[1, 2, 3], [], [4, 5]]");
    }
    Ok(())
}
