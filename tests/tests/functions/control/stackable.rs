//! Functions over the first axis of types that are no stacks tensor by tensor: rows of unlike lengths.

use extype::control::fold;
use extype::prelude::*;
use extype_ragged::RaggedTensor;

fn rows() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0]])
}

#[test]
fn rows_of_a_ragged_tensor_are_mapped_to_rows_and_numbers() -> Result<()> {
    let of = |x: &RaggedTensor| {
        map_fn(x, |row: RaggedTensor| {
            let row = row.into_tensor()?;
            let twice = ops::concat(&[&row, &ops::mul(&row, 10.0)?], 0)?;
            Ok((row.reduce_sum(.., false)?, RaggedTensor::from_dense(twice)?))
        })
    };
    let f = function(of);
    for (sums, twice) in [of(&rows()?)?, f.call(&rows()?)?] {
        twice.check()?;
        assert_eq!(sums.as_slice::<f32>()?, &[3.0, 0.0, 3.0]);
        assert_eq!(twice.to_string(), "[[1.0, 2.0, 10.0, 20.0], [], [3.0, 30.0]]");
    }
    Ok(())
}

#[test]
fn one_trace_serves_rows_of_unknown_number_and_length() -> Result<()> {
    let f = function(|x: &RaggedTensor| {
        map_fn(x, |row: RaggedTensor| ops::mul(&row, row.flat_values.reduce_sum(.., false)?))
    });
    let mut spec = rows()?.type_spec();
    spec.shape = shape![?, ?];
    let any = f.concrete(&spec)?;
    let found = any.call_flat(&nest::flatten(&rows()?))?;
    assert_eq!(found[0].as_slice::<f32>()?, &[3.0, 6.0, 9.0]);
    assert_eq!(found[1].as_slice::<i64>()?, &[0, 2, 2, 3]);
    // No row at all.
    let none = RaggedTensor::from_row_splits(Tensor::from_slice::<f32>(&[], &[0])?, [0i64])?;
    let found = any.call_flat(&nest::flatten(&none))?;
    assert_eq!((found[0].shape(), found[1].as_slice::<i64>()?), (shape![0], &[0i64][..]));
    let eagerly = map_fn(&none, |row: RaggedTensor| ops::neg(&row))?;
    assert_eq!(eagerly.to_string(), "[]");
    Ok(())
}

#[test]
fn rows_of_rows_lose_one_level_and_gain_it_again() -> Result<()> {
    let deep = RaggedTensor::from_rows(&[
        vec![vec![1i64, 2], vec![]],
        vec![],
        vec![vec![3], vec![4, 5], vec![6]],
    ])?;
    let of = |x: &RaggedTensor| {
        map_fn(x, |rows: RaggedTensor| {
            assert_eq!(rows.ragged_rank(), 1);
            // Rows of a row, each doubled; the last ones first.
            let doubled = map_fn(&rows, |row: RaggedTensor| ops::mul(&row, 2))?;
            doubled.slice_axis(0, None, None, -1)
        })
    };
    for found in [of(&deep)?, function(of).call(&deep)?] {
        found.check()?;
        assert_eq!(found.to_string(), "[[[], [2, 4]], [], [[12], [8, 10], [6]]]");
    }
    Ok(())
}

#[test]
fn dense_elements_go_beside_ragged_ones_and_scans_collect() -> Result<()> {
    let of = |x: &(RaggedTensor, Tensor)| {
        map_fn(x, |(row, n): (RaggedTensor, Tensor)| ops::add(&row, &n))
    };
    let both = (rows()?, tensor![100.0f32, 200.0, 300.0]);
    for found in [of(&both)?, function(of).call(&both)?] {
        assert_eq!(found.to_string(), "[[101.0, 102.0], [], [303.0]]");
    }
    let e = of(&(rows()?, tensor![1.0f32, 2.0])).expect_err("three rows and two numbers");
    assert!(e.message().contains("3 and 2"), "{e}");
    // A range for each number.
    let ranges =
        |n: &Tensor| map_fn(n, |n: Tensor| RaggedTensor::from_dense(ops::range(0i64, &n, 1i64)?));
    for found in [ranges(&tensor![2i64, 0, 3])?, function(ranges).call(&tensor![2i64, 0, 3])?] {
        assert_eq!(found.to_string(), "[[0, 1], [], [0, 1, 2]]");
    }
    let last = |x: &RaggedTensor| {
        fold(x, scalar(1.0f32), |p, row: RaggedTensor| {
            ops::mul(&p, row.flat_values.reduce_prod(.., false)?)
        })
    };
    for found in [last(&rows()?)?, function(last).call(&rows()?)?] {
        assert_eq!(found.item::<f32>()?, 6.0);
    }
    Ok(())
}

#[test]
fn gradients_pass_rows_of_unlike_lengths() -> Result<()> {
    let loss = |x: &RaggedTensor| {
        let (sums, doubled) = map_fn(x, |row: RaggedTensor| {
            Ok((row.flat_values.reduce_sum(.., false)?, ops::mul(&row, 2.0)?))
        })?;
        ops::add(sums.square()?.reduce_sum(.., false)?, doubled.flat_values.reduce_sum(.., false)?)
    };
    // Twice the sum of the row, and two.
    let want = [8.0f32, 8.0, 8.0];
    let traced = function(loss);
    let both = function(extype::grad(loss));
    let eagerly = extype::grad(loss)(&rows()?)?;
    for found in
        [eagerly, extype::grad(|x: &RaggedTensor| traced.call(x))(&rows()?)?, both.call(&rows()?)?]
    {
        assert_eq!(found.flat_values.as_slice::<f32>()?, &want);
    }
    Ok(())
}

#[test]
fn vectorized_maps_of_such_types_are_loops() -> Result<()> {
    let found = vectorized_map(&rows()?, |row: RaggedTensor| ops::neg(&row))?;
    assert_eq!(found.to_string(), "[[-1.0, -2.0], [], [-3.0]]");
    Ok(())
}

#[test]
fn results_of_unlike_sizes_are_rows_or_refused() -> Result<()> {
    let x = tensor![1i64, 2];
    let grows = |n: Tensor| RaggedTensor::from_dense(ops::fill(n.reshape([1i64])?, 1.0f32)?);
    assert_eq!(map_fn(&x, grows)?.to_string(), "[[1.0], [1.0, 1.0]]");
    // Numbers make a plain vector.
    let numbers = function(|x: &Tensor| map_fn(x, |n: Tensor| RaggedTensor::from_dense(n)));
    assert_eq!(numbers.call(&x)?.into_tensor()?.as_slice::<i64>()?, &[1, 2]);
    let plain = map_fn(&x, |n: Tensor| ops::fill(n.reshape([1i64])?, 1.0f32));
    assert!(plain.expect_err("tensors of two sizes").message().contains("element 1"));
    Ok(())
}

#[test]
fn vectorized_map_stacks_ragged_results_as_map_fn_does() -> Result<()> {
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let of = |x: &Tensor| vectorized_map(x, |row: Tensor| RaggedTensor::from_dense(row));
    for found in [of(&x)?, function(of).call(&x)?] {
        found.check()?;
        assert_eq!(found.to_string(), "[[1.0, 2.0], [3.0, 4.0]]");
    }
    Ok(())
}
