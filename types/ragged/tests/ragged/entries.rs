//! Entries picked, kept, found and put together: what TensorFlow answers.

use extype::prelude::*;
use extype_ragged::RaggedTensor;

fn sample() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![1, 2, 3], vec![], vec![4]])
}

fn deep() -> Result<RaggedTensor> {
    RaggedTensor::from_rows(&[vec![vec![1, 2], vec![3]], vec![], vec![vec![4, 5, 6]]])
}

#[test]
fn ragged_indices_pick_rows_and_values() -> Result<()> {
    let (r, d) = (sample()?, deep()?);
    let indices = RaggedTensor::from_rows(&[vec![2, 0], vec![], vec![1]])?;
    assert_eq!(ops::gather(&r, &indices, 0)?.to_string(), "[[[4], [1, 2, 3]], [], [[]]]");
    let values = tensor![10, 20, 30];
    assert_eq!(ops::gather(&values, &indices, 0)?.to_string(), "[[30, 10], [], [20]]");
    let table = tensor![[1, 2], [3, 4], [5, 6]];
    assert_eq!(ops::gather(&table, &indices, 0)?.to_string(), "[[[5, 6], [1, 2]], [], [[3, 4]]]");
    assert_eq!(
        ops::gather(&d, tensor![[2], [0]], 0)?.to_string(),
        "[[[[4, 5, 6]]], [[[1, 2], [3]]]]"
    );
    assert_eq!(ops::gather(&r, scalar(0), 0)?.to_string(), "[1, 2, 3]");
    let e = ops::gather(&r, tensor![0, 3], 0).unwrap_err();
    assert!(e.message().contains("index 3 at position 1 is not in [0, 3)"), "{e}");
    Ok(())
}

#[test]
fn each_row_has_indices_of_its_own() -> Result<()> {
    let r = sample()?;
    let indices = RaggedTensor::from_rows(&[vec![2, 0, 0], vec![], vec![0]])?;
    assert_eq!(r.gather_along(&indices, 1, 1)?.to_string(), "[[3, 1, 1], [], [4]]");
    let two = RaggedTensor::from_rows(&[vec![1, 2], vec![3]])?;
    let dense = RaggedTensor::from_dense(tensor![[1i64, 1], [0, 0]])?;
    assert_eq!(two.gather_along(&dense, 1, 1)?.to_string(), "[[2, 2], [3, 3]]");
    let matrix = RaggedTensor::from_dense(tensor![[1, 2], [3, 4]])?;
    let some = RaggedTensor::from_rows(&[vec![1], vec![1, 0]])?;
    assert_eq!(matrix.gather_along(&some, -1, 1)?.to_string(), "[[2], [4, 3]]");
    // An index that belongs to the next row is none.
    let beyond = RaggedTensor::from_rows(&[vec![0], vec![], vec![1]])?;
    let e = r.gather_along(&beyond, 1, 1).unwrap_err();
    assert!(e.message().contains("row 2 has no entry 1: its length is 1"), "{e}");
    assert!(r.gather_along(&indices, 0, 1).unwrap_err().message().contains("before axis 0"));
    Ok(())
}

#[test]
fn tuples_pick_entries() -> Result<()> {
    let d = deep()?;
    assert_eq!(
        ops::gather_nd(&d, tensor![[2i64], [0]])?.to_string(),
        "[[[4, 5, 6]], [[1, 2], [3]]]"
    );
    assert_eq!(ops::gather_nd(&d, tensor![[2i64, 0], [0, 1]])?.to_string(), "[[4, 5, 6], [3]]");
    assert_eq!(ops::gather_nd(&d, tensor![[0i64, 0, 1], [2, 0, 2]])?.to_string(), "[2, 6]");
    let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!(ops::gather_nd(&pairs, tensor![[1i64, 1, 0]])?.to_string(), "[5]");
    let rows = RaggedTensor::from_row_lengths([[0i64, 1], [2, 0], [0, 0]], [1, 2])?;
    assert_eq!(ops::gather_nd(&d, &rows)?.to_string(), "[[[3]], [[4, 5, 6], [1, 2]]]");
    let e = ops::gather_nd(&d, tensor![[1i64, 0]]).unwrap_err();
    assert!(e.message().contains("row 1 has no entry 0: its length is 0"), "{e}");
    assert!(ops::gather_nd(&d, tensor![[-1i64, 0]]).is_err());
    Ok(())
}

#[test]
fn masks_keep_rows_and_entries() -> Result<()> {
    let (r, d) = (sample()?, deep()?);
    let dense = |x: Tensor| RaggedTensor::from_dense(x);
    let mask = RaggedTensor::from_rows(&[vec![true, false, true], vec![], vec![false]])?;
    assert_eq!(r.boolean_mask(&mask)?.to_string(), "[[1, 3], [], []]");
    assert_eq!(
        d.boolean_mask(&dense(tensor![true, true, false])?)?.to_string(),
        "[[[1, 2], [3]], []]"
    );
    let rows = RaggedTensor::from_rows(&[vec![false, true], vec![], vec![true]])?;
    assert_eq!(d.boolean_mask(&rows)?.to_string(), "[[[3]], [], [[4, 5, 6]]]");
    let square = dense(tensor![[1, 2], [3, 4]])?;
    let half = dense(tensor![[true, false], [true, true]])?;
    assert_eq!(square.boolean_mask(&half)?.to_string(), "[[1], [3, 4]]");
    let e = r.boolean_mask(&rows).unwrap_err();
    assert!(e.message().contains("row 0 has the lengths 3 and 2"), "{e}");
    let short = r.boolean_mask(&dense(tensor![true, true])?).unwrap_err();
    assert!(short.message().starts_with("the mask"), "{short}");
    assert!(r.boolean_mask(&r).unwrap_err().message().contains("int32, not bool"));
    let places = ops::where_indices(&mask)?;
    assert_eq!(places.as_slice::<i64>()?, &[0, 0, 0, 2]);
    assert_eq!(ops::where_indices(&ops::greater(&d, 2)?)?.index(1)?.as_slice::<i64>()?, &[2, 0, 0]);
    Ok(())
}

#[test]
fn values_of_any_lengths_are_put_together() -> Result<()> {
    let r = sample()?;
    assert_eq!(ops::concat((&r, tensor![[7, 8]]), 0)?.to_string(), "[[1, 2, 3], [], [4], [7, 8]]");
    let columns = ops::concat((&r, tensor![[7], [8], [9]]), 1)?;
    assert_eq!(columns.to_string(), "[[1, 2, 3, 7], [8], [4, 9]]");
    let stacked = ops::stack(&[&r, &r], 1)?.to_string();
    assert_eq!(stacked, "[[[1, 2, 3], [1, 2, 3]], [[], []], [[4], [4]]]");
    let vectors = [tensor![1, 2], tensor![3], tensor![4, 5, 6]];
    let vectors = vectors.map(|x| RaggedTensor::from_dense(x).unwrap());
    assert_eq!(RaggedTensor::stacked(&vectors, 0)?.to_string(), "[[1, 2], [3], [4, 5, 6]]");
    assert!(RaggedTensor::stacked(&[], 0).is_err());
    let e = ops::concat(&[&r, &deep()?], 0).unwrap_err();
    assert!(e.message().contains("value 1 has rank 3, value 0 has 2"), "{e}");
    assert_eq!(ops::tile(&r, [1, 2])?.to_string(), "[[1, 2, 3, 1, 2, 3], [], [4, 4]]");
    assert_eq!(ops::tile(&r, [2, 1])?.row_lengths(1)?.to_string(), "[3, 0, 1, 3, 0, 1]");
    assert_eq!(ops::tile(&deep()?, [1, 2, 1])?.row_lengths(1)?.to_string(), "[4, 0, 2]");
    assert!(ops::tile(&r, [2]).is_err());
    Ok(())
}

#[test]
fn parts_have_sizes() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1], vec![2, 3], vec![], vec![4]])?;
    let halves = ops::split(&r, 2, 0)?;
    assert_eq!(
        (halves[0].to_string(), halves[1].to_string()),
        ("[[1], [2, 3]]".into(), "[[], [4]]".into())
    );
    assert!(ops::split(&r, 3, 0).is_err());
    assert!(ops::split(&r, 2, 1).unwrap_err().message().contains("a ragged axis is not split"));
    let pairs = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!(ops::split(&pairs, 2, 2)?[1].to_string(), "[[[2]], [[4], [6]]]");
    let even = RaggedTensor::from_uniform_row_length(&r, 2, None)?;
    assert_eq!(even.split_sizes(&[1, 1], 1)?[1].to_string(), "[[[2, 3]], [[4]]]");
    Ok(())
}
