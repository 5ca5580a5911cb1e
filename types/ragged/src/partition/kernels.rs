//! What is computed on row partitions.

use std::fmt::Display;

use extype::prelude::*;

/// Checks splits: they start at 0, and never decrease.
///
/// # Errors
/// `InvalidArgument` naming the row that is wrong.
pub(crate) fn check_splits<T: Copy + PartialOrd + Default + Display>(splits: &[T]) -> Result<()> {
    let Some(first) = splits.first() else {
        return Err(Error::invalid("row splits have at least one entry, the 0 they start with"));
    };
    if *first != T::default() {
        return Err(Error::invalid(format!("row 0: row splits start at 0, not at {first}")));
    }
    if let Some(row) = splits.windows(2).position(|w| w[1] < w[0]) {
        let (from, to) = (splits[row], splits[row + 1]);
        return Err(Error::invalid(format!("row {row}: row splits decrease from {from} to {to}")));
    }
    Ok(())
}

/// Checks that the last of so many rows ends where the entries end.
///
/// # Errors
/// `InvalidArgument` naming the last row.
pub(crate) fn check_end(rows: usize, end: i64, entries: i64) -> Result<()> {
    match rows {
        _ if end == entries => Ok(()),
        0 => Err(Error::invalid(format!("there are no rows, but {entries} values"))),
        n => {
            let row = n - 1;
            Err(Error::invalid(format!(
                "row {row}: the last row ends at {end}, but there are {entries} values"
            )))
        }
    }
}

/// The first row in which two partitions differ.
pub(crate) fn first_difference(x: &[i64], y: &[i64]) -> Option<String> {
    if let Some(i) = x.iter().zip(y).position(|(x, y)| x != y) {
        // Before the first difference the splits are equal, so the lengths of this row differ.
        let row = i.saturating_sub(1);
        // Nobody has checked that these are splits.
        let length = |s: &[i64]| s[i].saturating_sub(s[row]);
        return Some(format!("row {row} has the lengths {} and {}", length(x), length(y)));
    }
    (x.len() != y.len())
        .then(|| format!("{} and {} rows", x.len().saturating_sub(1), y.len().saturating_sub(1)))
}

/// An empty list with room for so many numbers.
///
/// # Errors
/// `ResourceExhausted` if there is no memory for them.
fn room_for(entries: i64) -> Result<Vec<i64>> {
    let mut list = Vec::new();
    let room = usize::try_from(entries).unwrap_or(usize::MAX);
    list.try_reserve_exact(room).map_err(|_| too_many(entries))?;
    Ok(list)
}

/// Room for so many more numbers.
///
/// # Errors
/// `ResourceExhausted` if there is no memory for them.
pub(crate) fn reserve(list: &mut Vec<i64>, more: u64) -> Result<()> {
    let room = usize::try_from(more).unwrap_or(usize::MAX);
    list.try_reserve(room).map_err(|_| too_many(more))
}

fn too_many(numbers: impl Display) -> Error {
    Error::new(ErrorKind::ResourceExhausted, format!("no memory for {numbers} numbers"))
}

/// The row of each value.
///
/// # Errors
/// `ResourceExhausted` if there is no memory for so many entries.
pub(crate) fn row_ids(splits: &[i64]) -> Result<Vec<i64>> {
    let mut ids = room_for(splits.last().copied().unwrap_or(0))?;
    for (w, row) in splits.windows(2).zip(0..) {
        ids.extend((w[0]..w[1]).map(|_| row));
    }
    Ok(ids)
}

/// The splits of rows of these lengths.
///
/// # Errors
/// `InvalidArgument` naming a row of negative length, `ResourceExhausted` if there is no memory.
pub(crate) fn splits_of_lengths(lengths: &[i64]) -> Result<Vec<i64>> {
    let mut splits = room_for(lengths.len() as i64 + 1)?;
    let mut end = 0i64;
    splits.push(end);
    for (row, n) in lengths.iter().enumerate() {
        if *n < 0 {
            return Err(Error::invalid(format!("row {row}: the length {n} is negative")));
        }
        end = end.checked_add(*n).ok_or_else(|| {
            Error::new(ErrorKind::ResourceExhausted, format!("row {row}: the lengths overflow"))
        })?;
        splits.push(end);
    }
    Ok(splits)
}

/// The splits of entries that know their row.
///
/// # Errors
/// `InvalidArgument` naming the entry whose row is out of range or less than the one before,
/// `ResourceExhausted` if there is no memory for so many rows.
pub(crate) fn splits_of_ids(ids: &[i64], rows: i64) -> Result<Vec<i64>> {
    let count = usize::try_from(rows)
        .map_err(|_| Error::invalid(format!("the number of rows is {rows}")))?;
    let mut lengths = room_for(rows)?;
    lengths.resize(count, 0);
    for (entry, id) in ids.iter().enumerate() {
        if entry > 0 && *id < ids[entry - 1] {
            return Err(Error::invalid(format!(
                "entry {entry}: its row {id} comes after row {}; sort the entries by row",
                ids[entry - 1]
            )));
        }
        let row = usize::try_from(*id).ok().and_then(|i| lengths.get_mut(i));
        *row.ok_or_else(|| {
            Error::invalid(format!("entry {entry}: its row {id} is not in [0, {rows})"))
        })? += 1;
    }
    splits_of_lengths(&lengths)
}

/// A slice of every row, as Python's: splits and positions.
///
/// # Errors
/// `InvalidArgument` for a step of zero, `ResourceExhausted` if there is no memory.
pub(crate) fn slice_rows(
    splits: &[i64],
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Result<[Vec<i64>; 2]> {
    if step == 0 {
        return Err(Error::invalid("the step of a slice is not zero"));
    }
    let (mut out, mut positions) = (vec![0], Vec::new());
    for row in splits.windows(2) {
        let (count, mut i) = slice_row(row[1] - row[0], start, stop, step);
        reserve(&mut positions, count)?;
        for _ in 0..count {
            positions.push(row[0] + i);
            i = i.saturating_add(step);
        }
        out.push(positions.len() as i64);
    }
    Ok([out, positions])
}

/// How many of `n` entries a slice takes, and the first. The step is not zero.
pub(crate) fn slice_row(n: i64, start: Option<i64>, stop: Option<i64>, step: i64) -> (u64, i64) {
    // A bound counts from the end if it is negative, and is then clamped to the row.
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let bound = |given: Option<i64>, default: i64| {
        given.map_or(default, |i| if i < 0 { i.saturating_add(n) } else { i }.clamp(low, high))
    };
    let (first, last) = if step > 0 { (0, n) } else { (n - 1, -1) };
    let (i, stop) = (bound(start, first), bound(stop, last));
    let ahead = if step > 0 { i < stop } else { i > stop };
    (if ahead { stop.abs_diff(i).div_ceil(step.unsigned_abs()) } else { 0 }, i)
}

/// Rows of the same number one after the other: splits, and which rows of all operands, one operand after the other.
///
/// # Errors
/// `InvalidArgument` if there is none or the numbers of rows differ, `ResourceExhausted` if there is
/// no memory, or they have more entries than can be counted.
pub(crate) fn join_rows(all: &[&[i64]]) -> Result<[Vec<i64>; 2]> {
    let Some(first) = all.first() else { return Err(nothing_to_join()) };
    let count = first.len().saturating_sub(1);
    if let Some((i, s)) = all.iter().enumerate().find(|(_, s)| s.len().saturating_sub(1) != count) {
        let n = s.len().saturating_sub(1);
        return Err(Error::invalid(format!("value {i} has {n} rows, value 0 has {count}")));
    }
    let (mut out, mut rows) = (room_for(first.len() as i64)?, Vec::new());
    reserve(&mut rows, (count as u64).saturating_mul(all.len() as u64))?;
    for row in 0..first.len() {
        let end = all.iter().try_fold(0i64, |end, splits| end.checked_add(splits[row]));
        out.push(end.ok_or_else(|| too_many("all"))?);
    }
    for row in 0..count {
        rows.extend((0..all.len()).map(|i| (i * count + row) as i64));
    }
    Ok([out, rows])
}

pub(crate) fn nothing_to_join() -> Error {
    Error::invalid("rows of one value at least are joined; there is none")
}

/// Partitions one after the other.
///
/// # Errors
/// `ResourceExhausted` if they have more entries than can be counted.
pub(crate) fn stack_rows(all: &[&[i64]]) -> Result<Vec<i64>> {
    let mut out = vec![0];
    let mut start = 0i64;
    for (i, splits) in all.iter().enumerate() {
        let end = start.checked_add(splits.last().copied().unwrap_or(0)).ok_or_else(|| {
            let text = format!("value {i}: the numbers of entries overflow");
            Error::new(ErrorKind::ResourceExhausted, text)
        })?;
        // None of its splits is above the last.
        out.extend(splits.iter().skip(1).map(|s| start + s));
        start = end;
    }
    Ok(out)
}

/// The splits of what is kept and what is left out of each of so many dense rows of a width, in turn; `splits` are those of
/// what is kept.
///
/// # Errors
/// `InvalidArgument` naming a row that is wider, and for another number of rows; `ResourceExhausted` if there is no memory,
/// or there are more cells than can be counted.
pub(crate) fn cut_rows(splits: &[i64], rows: i64, width: i64) -> Result<Vec<i64>> {
    let count = splits.len() as i64 - 1;
    if count != rows {
        return Err(Error::invalid(format!("{count} lengths are given for {rows} rows")));
    }
    let all = width.checked_mul(rows).ok_or_else(|| too_many(format_args!("{rows} × {width}")))?;
    let mut parts = room_for(rows.saturating_mul(2).saturating_add(1))?;
    for (row, w) in splits.windows(2).enumerate() {
        let n = w[1] - w[0];
        if n > width {
            let text = format!("row {row} has the length {n}, the dense rows have {width}");
            return Err(Error::invalid(text));
        }
        let start = row as i64 * width;
        parts.extend([start, start + n]);
    }
    parts.push(all);
    Ok(parts)
}

/// Checks that every row has this length.
///
/// # Errors
/// `InvalidArgument` naming the first that has not.
pub(crate) fn check_uniform(splits: &[i64], length: i64) -> Result<()> {
    match splits.windows(2).position(|w| w[1] - w[0] != length) {
        None => Ok(()),
        Some(row) => Err(Error::invalid(format!(
            "row {row} has the length {}, the dense operand has {length} entries there; a dense \
             axis meets ragged rows if it has size 1 or all rows have its size",
            splits[row + 1] - splits[row]
        ))),
    }
}

/// Checks that the columns of the entries in each row are 0, 1, 2 and so on.
///
/// # Errors
/// `InvalidArgument` naming the row of the first that is not.
pub(crate) fn check_columns(splits: &[i64], columns: &[i64]) -> Result<()> {
    let rows = splits.len().saturating_sub(1);
    check_end(rows, splits.last().copied().unwrap_or(0), columns.len() as i64)?;
    for (row, w) in splits.windows(2).enumerate() {
        // Splits were checked: they are within the columns.
        for (wanted, column) in (0..).zip(&columns[w[0] as usize..w[1] as usize]) {
            if *column != wanted {
                return Err(Error::invalid(format!(
                    "row {row}: a value is in column {column}, where column {wanted} is next; rows \
                     are filled from the left without holes"
                )));
            }
        }
    }
    Ok(())
}

/// Two ragged axes exchanged: the columns of each outer row, the entries of each column, and the
/// positions of these.
///
/// # Errors
/// `InvalidArgument` if the outer partition does not end at the number of inner rows,
/// `ResourceExhausted` if there is no memory.
pub(crate) fn swap_rows(outer: &[i64], inner: &[i64]) -> Result<[Vec<i64>; 3]> {
    let end = outer.last().copied().unwrap_or(0);
    check_end(outer.len().saturating_sub(1), end, inner.len() as i64 - 1)?;
    let mut positions = room_for(inner.last().copied().unwrap_or(0))?;
    let (mut columns, mut entries) = (vec![0], vec![0]);
    for w in outer.windows(2) {
        let rows = &inner[w[0] as usize..=w[1] as usize];
        let width = rows.windows(2).map(|r| r[1] - r[0]).max().unwrap_or(0);
        reserve(&mut entries, width.unsigned_abs())?;
        for column in 0..width {
            let long = rows.windows(2).filter(|r| r[1] - r[0] > column);
            positions.extend(long.map(|r| r[0] + column));
            entries.push(positions.len() as i64);
        }
        columns.push(entries.len() as i64 - 1);
    }
    Ok([columns, entries, positions])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(splits: &[i64], values: i64) -> String {
        let end = |_| check_end(splits.len() - 1, splits[splits.len() - 1], values);
        check_splits(splits).and_then(end).unwrap_err().message().to_owned()
    }

    #[test]
    fn bad_splits_name_the_row() {
        assert!(check_splits(&[0]).is_ok());
        assert!(check_splits(&[0, 2, 2, 3]).is_ok());
        assert_eq!(refused(&[1, 2], 2), "row 0: row splits start at 0, not at 1");
        assert_eq!(refused(&[0, 3, 2, 4], 4), "row 1: row splits decrease from 3 to 2");
        assert_eq!(refused(&[0, 1, 4], 5), "row 1: the last row ends at 4, but there are 5 values");
        assert_eq!(refused(&[0], 5), "there are no rows, but 5 values");
        assert!(refused(&[], 0).contains("at least one entry"));
    }

    #[test]
    fn differences_name_the_row() {
        assert_eq!(first_difference(&[0, 2, 3], &[0, 2, 3]), None);
        let text = first_difference(&[0, 2, 3], &[0, 1, 3]);
        assert_eq!(text.as_deref(), Some("row 0 has the lengths 2 and 1"));
        assert_eq!(first_difference(&[0, 2], &[0, 2, 2]).as_deref(), Some("1 and 2 rows"));
    }

    #[test]
    fn ids_repeat_by_the_lengths() {
        assert_eq!(row_ids(&[0, 2, 2, 3]).unwrap(), [0, 0, 2]);
        assert!(row_ids(&[0]).unwrap().is_empty());
    }

    #[test]
    fn lengths_and_ids_make_splits() {
        assert_eq!(splits_of_lengths(&[2, 0, 1]).unwrap(), [0, 2, 2, 3]);
        assert!(splits_of_lengths(&[2, -1]).unwrap_err().message().contains("row 1"));
        assert_eq!(splits_of_ids(&[0, 0, 2], 4).unwrap(), [0, 2, 2, 3, 3]);
        assert!(splits_of_ids(&[1, 0], 2).unwrap_err().message().contains("entry 1"));
        assert!(splits_of_ids(&[0, 2], 2).unwrap_err().message().contains("not in [0, 2)"));
    }

    #[test]
    fn rows_are_sliced_and_joined() {
        let splits = [0, 2, 2, 5];
        let slice = |start, stop, step| slice_rows(&splits, start, stop, step).unwrap();
        assert_eq!(slice(None, Some(-1), 1), [vec![0, 1, 1, 3], vec![0, 2, 3]]);
        assert_eq!(slice(None, None, -1), [vec![0, 2, 2, 5], vec![1, 0, 4, 3, 2]]);
        assert_eq!(slice(Some(-2), None, 2), [vec![0, 1, 1, 2], vec![0, 3]]);
        let joined = join_rows(&[&splits, &[0, 1, 2, 2]]).unwrap();
        assert_eq!(joined, [vec![0, 3, 4, 7], vec![0, 3, 1, 4, 2, 5]]);
        assert_eq!(stack_rows(&[&splits, &[0, 1]]).unwrap(), [0, 2, 2, 5, 6]);
        assert!(join_rows(&[]).unwrap_err().message().contains("there is none"));
        assert_eq!(stack_rows(&[]).unwrap(), [0]);
    }

    #[test]
    fn what_does_not_fit_memory_is_refused() {
        fn exhausted<T: std::fmt::Debug>(result: Result<T>) {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::ResourceExhausted);
        }
        let huge = [0, 1 << 60];
        exhausted(row_ids(&huge));
        exhausted(splits_of_ids(&[], i64::MAX));
        exhausted(slice_rows(&huge, None, Some(1), -1));
        exhausted(slice_rows(&[0, i64::MAX], Some(i64::MIN), None, 1));
        exhausted(join_rows(&[&[0, i64::MAX], &[0, 1]]));
        exhausted(stack_rows(&[&[0, i64::MAX], &[0, 1]]));
        exhausted(cut_rows(&[0, 0, 0], 2, i64::MAX));
        exhausted(swap_rows(&[0, 1], &huge));
        // What is huge only by name is not.
        assert_eq!(
            slice_rows(&huge, None, None, i64::MIN).unwrap(),
            [vec![0, 1], vec![(1 << 60) - 1]]
        );
        let text = first_difference(&[i64::MIN, i64::MAX], &[i64::MIN, 0]).unwrap();
        assert!(text.starts_with("row 0 has the lengths"));
    }

    #[test]
    fn dense_rows_are_cut_and_checked() {
        assert_eq!(cut_rows(&[0, 2, 2, 5], 3, 3).unwrap(), [0, 2, 3, 3, 6, 9, 9]);
        assert_eq!(cut_rows(&[0], 0, i64::MAX).unwrap(), [0]);
        assert!(cut_rows(&[0, 2, 2, 5], 3, 2).unwrap_err().message().contains("row 2"));
        assert!(cut_rows(&[0, 2], 2, 2).unwrap_err().message().contains("for 2 rows"));
        assert!(check_uniform(&[0, 2, 2, 5], 2).unwrap_err().message().contains("row 1"));
    }

    #[test]
    fn axes_are_exchanged() {
        // Two outer rows: rows of lengths 2 and 1; a row of length 2.
        let [columns, entries, positions] = swap_rows(&[0, 2, 3], &[0, 2, 3, 5]).unwrap();
        assert_eq!(columns, [0, 2, 4]);
        assert_eq!(entries, [0, 2, 3, 4, 5]);
        assert_eq!(positions, [0, 2, 1, 3, 4]);
    }
}
