//! What stands in the brackets.

#![expect(
    clippy::reversed_empty_ranges,
    reason = "bounds count from the end, or go back by the step"
)]

use extype::ops::{Index, Position, step};
use extype::prelude::*;

use super::{counted, floats, sizes};

#[test]
fn entries_mean_what_they_mean_in_python() {
    let x = counted(&[2, 3, 4]);
    let cases: Vec<(Tensor, &[usize], f32)> = vec![
        (x.index(1).unwrap(), &[3, 4], 12.0),
        (x.index(-1i64).unwrap(), &[3, 4], 12.0),
        (x.index(..).unwrap(), &[2, 3, 4], 0.0),
        (x.index(()).unwrap(), &[2, 3, 4], 0.0),
        (x.index((.., 1)).unwrap(), &[2, 4], 4.0),
        (x.index((0, 1.., ..-1)).unwrap(), &[2, 3], 4.0),
        (x.index((.., 0..=1, 1..=-1)).unwrap(), &[2, 2, 3], 1.0),
        (x.index((.., ..=1usize, -3..)).unwrap(), &[2, 2, 3], 1.0),
        (x.index((Ellipsis, 2)).unwrap(), &[2, 3], 2.0),
        (x.index((1, Ellipsis, 2)).unwrap(), &[3], 14.0),
        (x.index((NewAxis, Ellipsis, NewAxis)).unwrap(), &[1, 2, 3, 4, 1], 0.0),
        (x.index((0, NewAxis, .., 1)).unwrap(), &[1, 3], 1.0),
        (x.index((.., step(.., 2), step(.., -1))).unwrap(), &[2, 2, 4], 3.0),
        (x.index((1, 2, 3)).unwrap(), &[], 23.0),
        (x.index((.., .., 5..9)).unwrap(), &[2, 3, 0], f32::NAN),
    ];
    for (i, (y, want, first)) in cases.iter().enumerate() {
        assert_eq!(sizes(y), *want, "case {i}");
        if let Some(got) = floats(y).first() {
            assert_eq!(got, first, "case {i}");
        }
    }
}

#[test]
fn steps_go_both_ways() {
    let x = counted(&[6]);
    assert_eq!(floats(&x.index(step(1.., 2)).unwrap()), [1.0, 3.0, 5.0]);
    assert_eq!(floats(&x.index(step(..4, 3)).unwrap()), [0.0, 3.0]);
    assert_eq!(floats(&x.index(step(5..1, -2)).unwrap()), [5.0, 3.0]);
    assert_eq!(floats(&x.index(step(100..-100, -4)).unwrap()), [5.0, 1.0]);
    assert!(floats(&x.index(4..2).unwrap()).is_empty());
}

#[test]
fn entries_may_be_tensors_also_in_a_trace() {
    let x = counted(&[3, 4]);
    let one = scalar(1i32);
    assert_eq!(floats(&x.index((&one, -1)).unwrap()), [7.0]);
    assert_eq!(floats(&x.index((.., &one)).unwrap()), [1.0, 5.0, 9.0]);
    let part = x.index((0, &one..&scalar(3i64))).unwrap();
    assert_eq!(floats(&part), [1.0, 2.0]);
    let mixed = x.index((0, Position::from(1)..Position::from(&scalar(-1i64)))).unwrap();
    assert_eq!(floats(&mixed), [1.0, 2.0]);
    let row = function(|(x, i): &(Tensor, Tensor)| {
        let row = x.index((i, ..))?;
        assert_eq!(row.shape(), shape![4]);
        Ok(row)
    });
    assert_eq!(floats(&row.call(&(x.clone(), scalar(2i32))).unwrap()), [8.0, 9.0, 10.0, 11.0]);
}

#[test]
fn lists_of_entries_are_made_at_run_time() {
    let x = counted(&[2, 3]);
    let entries: Vec<Index> = vec![Ellipsis.into(), (-1).into()];
    assert_eq!(floats(&x.index(&entries[..]).unwrap()), [2.0, 5.0]);
    assert_eq!(floats(&x.index(entries).unwrap()), [2.0, 5.0]);
}

#[test]
fn strings_and_truths_are_indexed_too() {
    let words = Tensor::from_strings(&["a", "b", "c"], &[3]).unwrap();
    let back = words.index(step(.., -1)).unwrap();
    assert_eq!(back.value().unwrap().as_strings().unwrap(), [b"c", b"b", b"a"]);
    let last = tensor![true, false].index(-1).unwrap();
    assert!(!last.item::<bool>().unwrap());
}

#[test]
fn gradients_of_parts_are_zero_elsewhere() {
    let x = counted(&[2, 3]);
    let square = |x: &Tensor| {
        let part = x.index((1, step(.., -2)))?;
        Ok(&part * &part)
    };
    assert_eq!(floats(&grad(square)(&x).unwrap()), [0.0, 0.0, 0.0, 6.0, 0.0, 10.0]);
    let second = grad(grad(square))(&x).unwrap();
    assert_eq!(floats(&second), [0.0, 0.0, 0.0, 2.0, 0.0, 2.0]);
}
