//! Indexing and slicing, against Python's rules on nested lists.

use extype::ops::Index;
use extype::prelude::*;
use extype_ragged::{RaggedTensor, RaggedTensorSpec};

type Rows = Vec<Vec<Vec<i64>>>;

fn samples() -> [Rows; 3] {
    [
        vec![vec![vec![1, 2, 3], vec![], vec![4]], vec![], vec![vec![5, 6]], vec![vec![], vec![7]]],
        vec![vec![vec![]]],
        vec![],
    ]
}

/// Python's `list[begin:end:step]`.
fn sliced<T: Clone>(list: &[T], begin: Option<i64>, end: Option<i64>, step: i64) -> Vec<T> {
    let n = list.len() as i64;
    let wrapped = |i: i64| if i < 0 { i + n } else { i };
    let (mut i, end) = if step > 0 {
        (begin.map_or(0, |i| wrapped(i).max(0)), end.map_or(n, |i| wrapped(i).min(n)))
    } else {
        (begin.map_or(n - 1, |i| wrapped(i).min(n - 1)), end.map_or(-1, |i| wrapped(i).max(-1)))
    };
    let mut out = Vec::new();
    while if step > 0 { i < end } else { i > end } {
        out.push(list[i as usize].clone());
        i += step;
    }
    out
}

fn part(begin: Option<i64>, end: Option<i64>, step: i64) -> Index {
    let range = match (begin, end) {
        (None, None) => Index::from(..),
        (Some(a), None) => Index::from(a..),
        (None, Some(b)) => Index::from(..b),
        (Some(a), Some(b)) => Index::from(a..b),
    };
    ops::step(range, step)
}

/// Ranges of all kinds.
fn ranges() -> Vec<(Option<i64>, Option<i64>, i64)> {
    let bounds = [None, Some(-5), Some(-1), Some(0), Some(2), Some(9)];
    let pairs = bounds.into_iter().flat_map(|a| bounds.map(|b| (a, b)));
    pairs.flat_map(|(a, b)| [1, -1, -2].map(|step| (a, b, step))).collect()
}

#[test]
fn slices_of_rows_follow_python() -> Result<()> {
    for rows in samples() {
        let r = RaggedTensor::from_rows(&rows)?;
        for (a, b, step) in ranges() {
            let found: Rows = r.get(part(a, b, step))?.to_rows()?;
            assert_eq!(found, sliced(&rows, a, b, step), "{a:?}:{b:?}:{step}");
            let found: Rows = r.get((.., part(a, b, step)))?.to_rows()?;
            let wanted: Rows = rows.iter().map(|row| sliced(row, a, b, step)).collect();
            assert_eq!(found, wanted, "rows {a:?}:{b:?}:{step}");
            let found: Rows = r.get((Ellipsis, part(a, b, step)))?.to_rows()?;
            let inner = |row: &Vec<Vec<i64>>| row.iter().map(|x| sliced(x, a, b, step)).collect();
            assert_eq!(found, rows.iter().map(inner).collect::<Rows>(), "{a:?}:{b:?}:{step}");
        }
    }
    Ok(())
}

#[test]
fn rows_and_elements_are_taken_by_number() -> Result<()> {
    let [rows, ..] = samples();
    let r = RaggedTensor::from_rows(&rows)?;
    for i in -4i64..4 {
        let row = &rows[i.rem_euclid(4) as usize];
        assert_eq!(&r.get(i)?.to_rows::<Vec<i64>>()?, row);
        for j in 0..row.len() as i64 {
            let line = &row[j as usize];
            assert_eq!(&r.get((i, j))?.to_rows::<i64>()?, line);
            assert_eq!(&r.get((i, j - row.len() as i64))?.to_rows::<i64>()?, line);
            for (k, number) in line.iter().enumerate() {
                assert_eq!(r.get((i, j, k))?.into_tensor()?.item::<i64>()?, *number);
            }
        }
    }
    for wrong in [r.get(4), r.get(-5), r.get((1, 0)), r.get((0, 0, 3)), r.get((0, 0, 0, 0))] {
        assert_eq!(wrong.unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
    let e = r.get((.., 0)).unwrap_err();
    assert!(e.message().contains("axis 1 is ragged"), "{e}");
    let e = r.get((.., .., 0)).unwrap_err();
    assert!(e.message().contains("axis 2 is ragged"), "{e}");
    Ok(())
}

#[test]
fn new_axes_stand_where_they_are_asked_for() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1, 2], vec![], vec![3]])?;
    let text = |r: Result<RaggedTensor>| r.map(|r| (r.to_string(), r.shape()));
    let shaped = |text: &str, shape| Ok::<_, Error>((text.to_owned(), shape));
    assert_eq!(text(r.get(NewAxis))?, shaped("[[[1, 2], [], [3]]]", shape![1, 3, ?])?);
    assert_eq!(text(r.get((.., NewAxis)))?, shaped("[[[1, 2]], [[]], [[3]]]", shape![3, 1, ?])?);
    assert_eq!(
        text(r.get((Ellipsis, NewAxis)))?,
        shaped("[[[1], [2]], [], [[3]]]", shape![3, ?, 1])?
    );
    assert_eq!(text(r.get((0, NewAxis)))?, shaped("[[1, 2]]", shape![1, 2])?);
    assert_eq!(text(r.get((NewAxis, 0, 1..)))?, shaped("[[2]]", shape![1, 1])?);
    Ok(())
}

#[test]
fn uniform_axes_keep_their_lengths_and_have_elements() -> Result<()> {
    let pairs = RaggedTensor::from_rows(&[vec![1i64, 2], vec![], vec![3], vec![4, 5]])?;
    let r = RaggedTensor::from_uniform_row_length(pairs, 2, None)?;
    assert_eq!(
        (r.to_string().as_str(), r.shape()),
        ("[[[1, 2], []], [[3], [4, 5]]]", shape![2, 2, ?])
    );
    assert_eq!(r.get((.., 1))?.to_string(), "[[], [4, 5]]");
    assert_eq!(r.get((.., -2, ..1))?.to_string(), "[[1], [3]]");
    assert_eq!(r.get(1..)?.shape(), shape![1, 2, ?]);
    assert_eq!(r.get((.., ops::step(.., -1)))?.shape(), shape![2, 2, ?]);
    assert_eq!(r.get((.., 1..))?.shape(), shape![2, 1, ?]);
    assert!(r.get((.., 2)).is_err() && r.get((.., -3)).is_err());
    // Dense axes behind the ragged ones are indexed as those of a tensor.
    let r = RaggedTensor::from_row_lengths([[1, 2], [3, 4], [5, 6]], [1, 2])?;
    assert_eq!(r.get((.., .., 1))?.to_string(), "[[2], [4, 6]]");
    assert_eq!(r.get((Ellipsis, ops::step(.., -1)))?.to_string(), "[[[2, 1]], [[4, 3], [6, 5]]]");
    Ok(())
}

#[test]
fn one_trace_takes_parts_of_any_rows_by_computed_places() -> Result<()> {
    let f = function(|r: &RaggedTensor, i: &Tensor| {
        let rows = r.get(i..)?;
        let row = r.get(i)?.into_tensor()?;
        Ok((rows, row, r.get((.., ..i))?, r.get((.., ops::step(.., -2)))?, r.get((1.., -1..))?))
    });
    let spec = RaggedTensorSpec::new(shape![?, ?], DType::I64)?;
    let any = f.concrete(&spec, &TensorSpec::of::<i64>([]))?;
    for rows in [vec![vec![1i64, 2, 3], vec![], vec![4, 5]], vec![vec![6], vec![7, 8, 9]]] {
        let r = RaggedTensor::from_rows(&rows)?;
        for i in 0..rows.len() {
            let place = scalar(i as i64);
            let mut inputs = nest::flatten(&r);
            inputs.push(place.clone());
            let traced = any.call_flat(&inputs)?;
            let eager = (
                r.get(i..)?,
                r.get(i)?.into_tensor()?,
                r.get((.., ..i))?,
                r.get((.., ops::step(.., -2)))?,
                r.get((1.., -1..))?,
            );
            for (a, b) in traced.iter().zip(nest::flatten(&eager)) {
                assert_eq!(a.to_vec::<i64>()?, b.to_vec::<i64>()?, "{rows:?} {i}");
            }
        }
    }
    Ok(())
}

#[test]
fn gradients_pass_parts() -> Result<()> {
    let r = RaggedTensor::from_rows(&[vec![1.0f32, 2.0], vec![], vec![3.0, 4.0, 5.0]])?;
    let of = |f: fn(&RaggedTensor) -> Result<RaggedTensor>| {
        let loss = move |r: &RaggedTensor| ops::square(&f(r)?.flat_values);
        Ok::<_, Error>(grad(loss)(&r)?.to_string())
    };
    assert_eq!(of(|r| r.get(2))?, "[[0.0, 0.0], [], [6.0, 8.0, 10.0]]");
    assert_eq!(of(|r| r.get((.., 1..)))?, "[[0.0, 4.0], [], [0.0, 8.0, 10.0]]");
    assert_eq!(of(|r| r.get(ops::step(.., -2)))?, "[[2.0, 4.0], [], [6.0, 8.0, 10.0]]");
    assert_eq!(of(|r| r.get((0, 1)))?, "[[0.0, 4.0], [], [0.0, 0.0, 0.0]]");
    Ok(())
}
