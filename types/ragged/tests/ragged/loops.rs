//! `for` goes over rows.

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RaggedTensorSpec};

fn sample() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![3.0f32, 1.0], vec![], vec![2.0], vec![5.0, 1.0, 1.0]])
}

/// The sum of the squared sums of rows, up to the first row that sums to more than the limit.
#[tf_function]
fn squares(r: &RaggedTensor, limit: &Tensor) -> Result<(Tensor, Tensor)> {
    let (mut sum, mut seen) = (scalar(0.0f32), scalar(0i64));
    for row in r {
        let row = row.into_tensor()?.reduce_sum(.., false)?;
        if row > limit {
            break;
        }
        sum += &row * &row;
        seen += 1;
    }
    Ok((sum, seen))
}

#[test]
fn loops_go_over_rows_eagerly_and_traced() -> Result<()> {
    let r = sample()?;
    let counts = |limit: f32, of: &dyn Fn(&RaggedTensor, &Tensor) -> Result<(Tensor, Tensor)>| {
        let (sum, seen) = of(&r, &scalar(limit))?;
        Ok::<_, Error>((sum.item::<f32>()?, seen.item::<i64>()?))
    };
    let traced = |r: &RaggedTensor, limit: &Tensor| squares(r, limit);
    assert_eq!(counts(10.0, &traced)?, (69.0, 4));
    assert_eq!(counts(6.0, &traced)?, (20.0, 3));
    assert_eq!(counts(-1.0, &traced)?, (0.0, 0));
    // Without rows nothing is gone over.
    let none = RaggedTensor::from_row_splits(Tensor::from_vec(Vec::<f32>::new()), [0i64])?;
    assert_eq!(squares(&none, &scalar(1.0f32))?.1.item::<i64>()?, 0);
    Ok(())
}

#[test]
fn one_trace_goes_over_any_rows() -> Result<()> {
    let longest = function(|r: &RaggedTensor| {
        #[tf_function]
        fn longest(r: &RaggedTensor) -> Result<Tensor> {
            let mut most = scalar(0i64);
            for row in r {
                most = ops::maximum(&most, ops::size(&row)?)?;
            }
            Ok(most)
        }
        longest(r)
    });
    longest.concrete(&RaggedTensorSpec::new(shape![?, ?], DType::F32)?)?;
    for (rows, want) in [(vec![vec![1.0f32], vec![]], 1), (vec![vec![1.0f32; 7]], 7), (vec![], 0)] {
        let r = RaggedTensor::from_rows(&rows)?;
        assert_eq!(longest.call(&r)?.item::<i64>()?, want, "{rows:?}");
    }
    assert_eq!(longest.trace_count(), 1);
    Ok(())
}

/// The last element of the first row of each entry that has one.
#[tf_function]
fn rows_of_rows(r: &RaggedTensor) -> Result<Tensor> {
    let mut sum = scalar(0.0f32);
    for inner in r {
        for row in &inner {
            let row = row.into_tensor()?;
            let n = ops::size(&row)?;
            if n > 0 {
                sum += row.gather(n - 1, 0)?;
            }
        }
    }
    Ok(sum)
}

#[test]
fn rows_of_rows_are_gone_over() -> Result<()> {
    let deep = RaggedTensor::from_rows(&[
        vec![vec![1.0f32, 2.0], vec![]],
        vec![],
        vec![vec![4.0], vec![8.0, 8.0]],
    ])?;
    assert_eq!(rows_of_rows(&deep)?.item::<f32>()?, 14.0);
    let narrow = deep.with_row_splits_dtype(DType::I32)?;
    assert_eq!(rows_of_rows(&narrow)?.item::<f32>()?, 14.0);
    Ok(())
}

#[test]
fn gradients_pass_loops_over_rows() -> Result<()> {
    let g = grad(|r: &RaggedTensor| Ok(squares(r, &scalar(100.0f32))?.0))(&sample()?)?;
    assert_eq!(g.to_string(), "[[8.0, 8.0], [], [4.0], [14.0, 14.0, 14.0]]");
    Ok(())
}

/// The rows are those of the start, whatever the loop makes of the variable.
#[tf_function]
fn assigned(r: &RaggedTensor) -> Result<RaggedTensor> {
    let mut all = r.clone();
    for row in &all {
        let most = row.into_tensor()?.reduce_sum(.., false)?;
        all = ops::add(&all, &most)?;
    }
    Ok(all)
}

#[test]
fn a_loop_may_assign_what_it_goes_over() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1.0f32], vec![], vec![2.0, 3.0]])?;
    assert_eq!(assigned(&r)?.to_string(), "[[7.0], [], [8.0, 9.0]]");
    Ok(())
}
