//! Ops on ragged tensors: against nested lists of Rust.

use extype::prelude::*;
use extype_ragged::{
    JoinRows, RaggedTensor, RaggedTensorSpec, RowIds, RowReduce, SliceRows, SplitsOfLengths,
    StackRows, Trim,
};

fn sample() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0, 4.0, 5.0]])
}

/// Rows of rows: lengths 2, 0, 1; then 2, 1, 3.
fn deep() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![vec![1, 2], vec![3]], vec![], vec![vec![4, 5, 6]]])
}

#[test]
fn all_ways_to_say_the_rows_agree() -> Result<()> {
    let values = [1.0f32, 2.0, 3.0, 4.0, 5.0];
    let text = sample()?.to_string();
    assert_eq!(RaggedTensor::from_row_splits(values, [0i64, 2, 2, 5])?.to_string(), text);
    assert_eq!(RaggedTensor::from_row_lengths(values, [2, 0, 3])?.to_string(), text);
    assert_eq!(RaggedTensor::from_value_rowids(values, [0, 0, 2, 2, 2], None)?.to_string(), text);
    assert_eq!(deep()?.ragged_rank(), 2);
    assert_eq!(deep()?.to_string(), "[[[1, 2], [3]], [], [[4, 5, 6]]]");
    Ok(())
}

#[test]
fn wrong_rows_are_refused_by_name() -> Result<()> {
    let values = [1.0f32, 2.0];
    let text = |r: Result<RaggedTensor>| r.unwrap_err().message().to_owned();
    assert!(text(RaggedTensor::from_row_lengths(values, [3, -1])).contains("row 1: the length -1"));
    assert!(
        text(RaggedTensor::from_value_rowids(values, [1, 0], None)).contains("entry 1: its row 0")
    );
    assert!(
        text(RaggedTensor::from_value_rowids(values, [0, 2], Some(&scalar(2i32))))
            .contains("not in [0, 2)")
    );
    assert!(text(RaggedTensor::from_row_lengths(values, [1.0f32, 1.0])).contains("not float32"));
    assert!(text(RaggedTensor::from_rows(&[1, 2])).contains("rows are lists"));
    let trimmed = |trim| text(RaggedTensor::from_tensor([[1, 2]], trim, 1));
    assert!(trimmed(Trim::NestedLengths(vec![tensor![3]])).contains("row 0 has the length 3"));
    assert!(trimmed(Trim::Lengths(tensor![1, 1])).contains("2 lengths"));
    assert!(sample()?.into_tensor().unwrap_err().message().contains("to_tensor"));
    assert!(
        sample()?.to_tensor(scalar(0), Shape::unknown()).unwrap_err().message().contains("float32")
    );
    Ok(())
}

#[test]
fn rows_are_filled_and_cut() -> Result<()> {
    let dense = sample()?.to_tensor(-1.0, Shape::unknown())?;
    assert_eq!(dense.shape(), shape![3, 3]);
    assert_eq!(dense.as_slice::<f32>()?, &[1.0, 2.0, -1.0, -1.0, -1.0, -1.0, 3.0, 4.0, 5.0]);
    let back = RaggedTensor::from_tensor(&dense, Trim::Padding(scalar(-1.0f32)), 1)?;
    assert_eq!(back.to_string(), sample()?.to_string());
    let lengths = Trim::Lengths(sample()?.row_lengths(1)?.into_tensor()?);
    let back = RaggedTensor::from_tensor(dense, lengths, 1)?;
    assert_eq!(back.to_string(), sample()?.to_string());
    let dense = deep()?.to_tensor(0, Shape::unknown())?;
    assert_eq!(dense.shape(), shape![3, 2, 3]);
    assert_eq!(dense.as_slice::<i32>()?[..9], [1, 2, 0, 3, 0, 0, 0, 0, 0]);
    let empty = RaggedTensor::from_rows(&[] as &[Vec<i32>])?;
    assert_eq!(empty.to_tensor(0, Shape::unknown())?.shape(), shape![0, 0]);
    Ok(())
}

#[test]
fn dense_operands_broadcast_over_rows() -> Result<()> {
    let r = sample()?;
    let columns = tensor![[10.0f32], [20.0], [30.0]];
    assert_eq!(ops::add(&r, &columns)?.to_string(), "[[11.0, 12.0], [], [33.0, 34.0, 35.0]]");
    assert_eq!(ops::sub(&columns, &r)?.to_string(), "[[9.0, 8.0], [], [27.0, 26.0, 25.0]]");
    assert_eq!(ops::mul(&r, tensor!([2.0f32]))?.to_string(), "[[2.0, 4.0], [], [6.0, 8.0, 10.0]]");
    let even = RaggedTensor::from_rows(&[vec![1, 2], vec![3, 4]])?;
    assert_eq!((&even + tensor![10, 20]).to_string(), "[[11, 22], [13, 24]]");
    assert_eq!((&even + tensor![[10, 20], [30, 40]]).to_string(), "[[11, 22], [33, 44]]");
    let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!((&pairs * tensor![1, 10]).to_string(), "[[[1, 20]], [[3, 40], [5, 60]]]");
    assert_eq!(
        (deep()? + tensor![[[100]], [[200]], [[300]]]).to_string(),
        "[[[101, 102], [103]], [], [[304, 305, 306]]]"
    );
    Ok(())
}

#[test]
fn every_axis_is_reduced() -> Result<()> {
    let r = sample()?;
    let text = |r: Result<RaggedTensor>| r.map(|r| r.to_string());
    assert_eq!(text(r.reduce_sum(0, false))?, "[4.0, 6.0, 5.0]");
    assert_eq!(text(r.reduce_sum(0, KeepDims))?, "[[4.0, 6.0, 5.0]]");
    assert_eq!(text(r.reduce_sum(1, false))?, "[3.0, 0.0, 12.0]");
    assert_eq!(text(r.reduce_mean(-1, false))?, "[1.5, nan, 4.0]");
    assert_eq!(text(r.reduce_max(0, false))?, "[3.0, 4.0, 5.0]");
    assert_eq!(text(r.reduce_max(1, false))?, format!("[2.0, {}, 5.0]", scalar(f32::MIN)));
    assert_eq!(text(r.reduce_min(1, KeepDims))?, format!("[[1.0], [{}], [3.0]]", scalar(f32::MAX)));
    assert_eq!(text(r.reduce_prod(1, false))?, "[2.0, 1.0, 60.0]");
    assert_eq!(text(ops::greater(&r, 2.0)?.reduce_any(1, false))?, "[false, false, true]");
    assert_eq!(text(ops::greater(&r, 2.0)?.reduce_all(1, false))?, "[false, true, true]");
    let d = deep()?;
    assert_eq!(text(d.reduce_sum(2, false))?, "[[3, 3], [], [15]]");
    assert_eq!(text(d.reduce_sum(1, false))?, "[[4, 2], [], [4, 5, 6]]");
    assert_eq!(text(d.reduce_sum(0, false))?, "[[5, 7, 6], [3]]");
    assert_eq!(text(d.reduce_sum([1, 2], false))?, "[6, 0, 15]");
    assert_eq!(text(d.reduce_max([0, 1, 2], false))?, "6");
    assert_eq!(text(d.reduce_sum(.., KeepDims))?, "[[[21]]]");
    let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!(text(pairs.reduce_sum(2, false))?, "[[3], [7, 11]]");
    assert_eq!(text(pairs.reduce_sum(1, false))?, "[[1, 2], [8, 10]]");
    assert!(r.reduce_sum(2, false).unwrap_err().message().contains("axis 2 is out of range"));
    assert!(r.reduce_sum([0, -2], false).unwrap_err().message().contains("given twice"));
    Ok(())
}

#[test]
fn rows_are_gathered_sliced_and_joined() -> Result<()> {
    let (r, d) = (sample()?, deep()?);
    assert_eq!(
        r.gather(tensor![2, 0, 0], 0)?.to_string(),
        "[[3.0, 4.0, 5.0], [1.0, 2.0], [1.0, 2.0]]"
    );
    assert_eq!(d.gather(tensor![2i64, 1], 0)?.to_string(), "[[[4, 5, 6]], []]");
    let e = r.gather(tensor![3], 0).unwrap_err();
    assert!(e.message().contains("index 3 at position 0 is not in [0, 3)"), "{e}");
    assert_eq!(r.slice_axis(0, Some(1), None, 1)?.to_string(), "[[], [3.0, 4.0, 5.0]]");
    assert_eq!(r.slice_axis(1, None, Some(-1), 1)?.to_string(), "[[1.0], [], [3.0, 4.0]]");
    assert_eq!(d.slice_axis(2, Some(0), Some(1), 1)?.to_string(), "[[[1], [3]], [], [[4]]]");
    assert_eq!(d.slice_axis(1, None, None, -1)?.to_string(), "[[[3], [1, 2]], [], [[4, 5, 6]]]");
    assert!(r.slice_axis(0, None, None, 0).is_err() && r.slice_axis(2, None, None, 1).is_err());
    assert_eq!(
        ops::concat(&[&r, &r], 0)?.row_lengths(1)?.into_tensor()?.as_slice::<i64>()?,
        &[2, 0, 3, 2, 0, 3]
    );
    assert_eq!(
        ops::concat(&[&r, &r], 1)?.to_string(),
        "[[1.0, 2.0, 1.0, 2.0], [], [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]]"
    );
    assert_eq!(
        ops::concat(&[&d, &d], -2)?.to_string(),
        "[[[1, 2], [3], [1, 2], [3]], [], [[4, 5, 6], [4, 5, 6]]]"
    );
    assert_eq!(
        ops::concat(&[&d, &d], 2)?.to_string(),
        "[[[1, 2, 1, 2], [3, 3]], [], [[4, 5, 6, 4, 5, 6]]]"
    );
    let other = RaggedTensor::from_rows(&[vec![1.0f32]])?;
    let e = ops::concat(&[&r, &other], 1).unwrap_err();
    assert!(e.message().contains("value 1 has 1 rows, value 0 has 3"), "{e}");
    assert_eq!(
        ops::stack(&[&r, &other], 0)?.to_string(),
        "[[[1.0, 2.0], [], [3.0, 4.0, 5.0]], [[1.0]]]"
    );
    Ok(())
}

#[test]
fn nothing_to_join_and_more_than_memory_are_refused() -> Result<()> {
    let e = JoinRows {}.run_as::<(Tensor, Tensor)>(&[]).unwrap_err();
    assert!(e.message().contains("one tensor at least"), "{e}");
    assert!(StackRows {}.run(&[]).is_err());
    let no_bound = Tensor::from_vec(Vec::<i64>::new());
    let backwards = SliceRows { step: -1 };
    let e = backwards
        .run_as::<(Tensor, Tensor)>(&[&tensor![0i64, 1 << 60], &no_bound, &tensor![1i64]])
        .unwrap_err();
    assert_eq!(e.kind(), ErrorKind::ResourceExhausted, "{e}");
    Ok(())
}

#[test]
fn gradients_pass_every_road() -> Result<()> {
    let gradient = |f: fn(&RaggedTensor) -> Result<Tensor>| {
        grad(f)(&sample()?).map(|g: RaggedTensor| g.to_string())
    };
    assert_eq!(
        gradient(|r| (r.to_tensor(0.0, Shape::unknown())? * tensor![1.0f32, 2.0, 3.0])
            .reduce_sum(.., false))?,
        "[[1.0, 2.0], [], [1.0, 2.0, 3.0]]"
    );
    assert_eq!(
        gradient(|r| r
            .reduce_max(1, false)?
            .into_tensor()?
            .gather(&tensor![0, 2], 0)?
            .reduce_sum(.., false))?,
        "[[0.0, 1.0], [], [0.0, 0.0, 1.0]]"
    );
    assert_eq!(
        gradient(|r| r.reduce_prod(1, false)?.reduce_sum(.., false)?.into_tensor())?,
        "[[2.0, 1.0], [], [20.0, 15.0, 12.0]]"
    );
    assert_eq!(
        gradient(|r| (r * tensor![[1.0f32], [2.0], [3.0]]).reduce_sum(.., false)?.into_tensor())?,
        "[[1.0, 1.0], [], [3.0, 3.0, 3.0]]"
    );
    assert_eq!(
        gradient(|r| ops::concat(&[r, &(r * 2.0)], 1)?
            .slice_axis(1, None, None, 2)?
            .reduce_sum(.., false)?
            .into_tensor())?,
        "[[3.0, 0.0], [], [1.0, 2.0, 1.0]]"
    );
    Ok(())
}

#[test]
fn one_trace_serves_all_rows() -> Result<()> {
    let f = function(|x: &RaggedTensor| {
        let top = x.slice_axis(1, None, Some(2), 1)?;
        let joined = ops::concat(&[&top, x], 1)?;
        Ok((
            joined.to_tensor(0.0, Shape::unknown())?,
            x.reduce_sum(0, false)?,
            x.gather(tensor![1, 0], 0)?,
        ))
    });
    let concrete = f.concrete(&RaggedTensorSpec::new(shape![?, ?], DType::F32)?)?;
    for r in [sample()?, RaggedTensor::from_rows(&[vec![7.0f32], vec![8.0, 9.0]])?] {
        let (dense, sums, rows) = f.call(&r)?;
        let out = concrete.call_flat(&nest::flatten(&r))?;
        assert_eq!(out[0].as_slice::<f32>()?, dense.as_slice::<f32>()?);
        assert_eq!(out[1].as_slice::<f32>()?, sums.into_tensor()?.as_slice::<f32>()?);
        assert_eq!(out[2].as_slice::<f32>()?, rows.flat_values.as_slice::<f32>()?);
    }
    Ok(())
}

#[test]
fn values_and_splits_of_other_ranks_are_refused_eagerly_and_traced() -> Result<()> {
    type Call = fn(&Tensor, &Tensor) -> Result<Tensor>;
    let calls: [Call; 3] = [
        |x, splits| RowReduce { function: "Max".to_owned() }.run(&[x, splits]),
        |_, splits| RowIds {}.run(&[splits]),
        |_, splits| SplitsOfLengths {}.run(&[splits]),
    ];
    let (scalar, matrix) = (scalar(0i64), tensor![[0i64, 1]]);
    for (x, splits) in [(Tensor::scalar(1.0f32), scalar), (tensor![1.0f32], matrix)] {
        for call in calls {
            let traced = function(move |x: &Tensor, splits: &Tensor| call(x, splits));
            for e in [call(&x, &splits), traced.call(&x, &splits)] {
                assert_eq!(e.unwrap_err().kind(), ErrorKind::InvalidArgument);
            }
        }
    }
    let max = RowReduce { function: "Max".to_owned() };
    assert!(max.run(&[&Tensor::scalar(1.0f32), &tensor![0i64, 1]]).is_err(), "values of rank 0");
    Ok(())
}
