//! How rows of several operands meet, and where entries are that are told by row and number.

use std::borrow::Cow;

use extype::ir::Outputs;
use extype::prelude::*;
use extype::types::{DTypeSet, TensorType};

use crate::partition::kernels::reserve;
use crate::partition::rows::{integers, integers_like, size, splits, vector};

extype::define_op! {
    /// Rows of several operands that meet: for each operand the splits of its rows, or as `uniform` says the one length
    /// that all have (a vector of one number), and which of its rows stands at each row of the result. A uniform length
    /// of one meets every length; the others are the same. The splits of the result, and the place of each of its
    /// entries in each operand.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::BroadcastRows;
    /// let op = BroadcastRows { uniform: vec![false, true] };
    /// let (splits, one, rows) = (tensor![0i64, 2, 3], tensor![1i64], tensor![0i64, 1]);
    /// let found: Vec<Tensor> = op.run_as(&[&splits, &one, &rows, &rows])?;
    /// assert_eq!(found[1].as_slice::<i64>()?, &[0, 1, 2]);
    /// assert_eq!(found[2].as_slice::<i64>()?, &[0, 0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op BroadcastRows = "Ragged>BroadcastRows" {
        inputs: { lengths: [T; N], rows: [T; N] }, outputs: { splits: T, places: [T; N] },
        types: { T: DTypeSet::INDEX },
        attrs: { uniform: Vec<bool> },
        dispatch: none, effect: Checks,
        infer: |c| {
            let operands = c.inputs.len() / 2;
            let mut rows = None;
            for input in 0..c.inputs.len() {
                let found = size(c, input)?;
                rows = if input < operands { None } else { rows.or(found) };
            }
            let places = (0..operands).map(|_| vector(c, None));
            Ok(std::iter::once(vector(c, rows.map(|n| n + 1))).chain(places).collect())
        },
        kernel: |c| {
            let (operands, uniform) = (c.inputs.len() / 2, c.attrs.get::<Vec<bool>>(BroadcastRows::UNIFORM)?);
            let lengths = (0..operands).map(|i| match uniform.get(i) {
                Some(true) => integers(c, i).map(Lengths::Uniform),
                _ => splits(c, i).map(Lengths::Splits),
            });
            let rows = (operands..c.inputs.len()).map(|i| integers(c, i));
            let lists = broadcast_rows(&lengths.collect::<Result<Vec<_>>>()?, &rows.collect::<Result<Vec<_>>>()?)?;
            lists.into_iter().map(|list| integers_like(c.input(0), &list)).collect()
        },
        gradient: none,
    }

    /// The places of entries that are told by their row and their number in it: vectors of one size.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::PlacesInRows;
    /// let (splits, rows, numbers) = (tensor![0i64, 2, 3], tensor![1i64, 0], tensor![0i64, 1]);
    /// assert_eq!(PlacesInRows {}.run(&[&splits, &rows, &numbers])?.as_slice::<i64>()?, &[2, 1]);
    /// let e = PlacesInRows {}.run(&[&splits, &rows, &tensor![1i64, 1]]).unwrap_err();
    /// assert!(e.message().contains("row 1 has no entry 1: its length is 1"));
    /// # Ok::<(), Error>(())
    /// ```
    pub op PlacesInRows = "Ragged>PlacesInRows" {
        inputs: { row_splits: T, rows: T, numbers: T }, outputs: { places: T },
        types: { T: DTypeSet::INDEX },
        effect: Checks,
        infer: |c| {
            size(c, 0)?;
            let shape = c.shape(1).merge(c.shape(2))?.with_rank(1)?;
            Ok([TensorType::new(c.input(0).dtype, shape)].into_iter().collect())
        },
        kernel: |c| {
            let places = places_in_rows(&splits(c, 0)?, &integers(c, 1)?, &integers(c, 2)?)?;
            Ok(Outputs::from_iter([integers_like(c.input(0), &places)?]))
        },
        gradient: none,
    }
}

/// How long the rows of an operand are.
enum Lengths<'a> {
    Uniform(Cow<'a, [i64]>),
    Splits(Cow<'a, [i64]>),
}

impl Lengths<'_> {
    /// Where a row begins and ends.
    fn row(&self, row: i64) -> Option<(i64, i64)> {
        match self {
            Lengths::Uniform(n) => {
                let start = row.checked_mul(*n.first()?)?;
                (row >= 0).then_some((start, start.checked_add(*n.first()?)?))
            }
            Lengths::Splits(splits) => {
                let at = usize::try_from(row).ok()?;
                Some((*splits.get(at)?, *splits.get(at.checked_add(1)?)?))
            }
        }
    }

    fn meets_all(&self) -> bool {
        matches!(self, Lengths::Uniform(n) if **n == [1])
    }
}

/// The splits of rows that meet, then the places of their entries in each operand.
///
/// # Errors
/// `InvalidArgument` naming a row whose lengths differ, `OutOfRange` for rows that are not there, `ResourceExhausted` if
/// there is no memory.
fn broadcast_rows(lengths: &[Lengths<'_>], rows: &[Cow<'_, [i64]>]) -> Result<Vec<Vec<i64>>> {
    let count = rows.first().map_or(0, |rows| rows.len());
    if rows.iter().any(|rows| rows.len() != count) {
        return Err(Error::invalid("operands have other numbers of rows"));
    }
    let mut lists = vec![Vec::new(); lengths.len() + 1];
    reserve(&mut lists[0], count as u64 + 1)?;
    lists[0].push(0);
    let mut end = 0i64;
    for row in 0..count {
        let mut common = None;
        for (length, rows) in lengths.iter().zip(rows).filter(|(length, _)| !length.meets_all()) {
            let (start, end) = length.row(rows[row]).ok_or_else(|| no_row(rows[row]))?;
            match common {
                Some(n) if n != end - start => {
                    return Err(Error::invalid(format!(
                        "row {row} has the lengths {n} and {}; rows that meet are as long, but for a uniform axis \
                         of size 1",
                        end - start
                    )));
                }
                _ => common = Some(end - start),
            }
        }
        let common = common.unwrap_or(1);
        end = end.checked_add(common).ok_or_else(|| {
            Error::new(ErrorKind::ResourceExhausted, format!("row {row}: the lengths overflow"))
        })?;
        lists[0].push(end);
        for ((length, rows), list) in lengths.iter().zip(rows).zip(&mut lists[1..]) {
            let (start, end) = length.row(rows[row]).ok_or_else(|| no_row(rows[row]))?;
            reserve(list, common.unsigned_abs())?;
            match length.meets_all() {
                true => list.resize(list.len() + common as usize, start),
                false => list.extend(start..end),
            }
        }
    }
    Ok(lists)
}

fn no_row(row: i64) -> Error {
    Error::new(ErrorKind::OutOfRange, format!("there is no row {row}"))
}

/// The places of entries that are told by row and number.
///
/// # Errors
/// `OutOfRange` for a row or an entry that is not there, `ResourceExhausted` if there is no memory.
fn places_in_rows(splits: &[i64], rows: &[i64], numbers: &[i64]) -> Result<Vec<i64>> {
    if rows.len() != numbers.len() {
        let (a, b) = (rows.len(), numbers.len());
        return Err(Error::invalid(format!("{b} numbers of entries are given for {a} rows")));
    }
    let mut places = Vec::new();
    reserve(&mut places, rows.len() as u64)?;
    for (row, number) in rows.iter().zip(numbers) {
        let at = usize::try_from(*row).ok().filter(|at| *at < splits.len().saturating_sub(1));
        let at = at.ok_or_else(|| {
            let text =
                format!("there is no row {row}: there are {}", splits.len().saturating_sub(1));
            Error::new(ErrorKind::OutOfRange, text)
        })?;
        let length = splits[at + 1] - splits[at];
        if !(0..length).contains(number) {
            let text = format!("row {row} has no entry {number}: its length is {length}");
            return Err(Error::new(ErrorKind::OutOfRange, text));
        }
        places.push(splits[at] + number);
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_meet() {
        let ragged = Lengths::Splits(Cow::Borrowed(&[0, 2, 2, 3]));
        let one = || Lengths::Uniform(Cow::Borrowed(&[1]));
        let all: Cow<'_, [i64]> = Cow::Borrowed(&[0, 1, 2]);
        let none: Cow<'_, [i64]> = Cow::Borrowed(&[0, 0, 0]);
        let found = broadcast_rows(&[ragged, one(), one()], &[all.clone(), all.clone(), none]);
        let want = [vec![0, 2, 2, 3], vec![0, 1, 2], vec![0, 0, 2], vec![0, 0, 0]];
        assert_eq!(found.unwrap(), want);
        let other = Lengths::Splits(Cow::Borrowed(&[0, 2, 3, 3]));
        let ragged = Lengths::Splits(Cow::Borrowed(&[0, 2, 2, 3]));
        let e = broadcast_rows(&[ragged, other], &[all.clone(), all]).unwrap_err();
        assert!(e.message().contains("row 1 has the lengths 0 and 1"), "{e}");
        assert_eq!(broadcast_rows(&[], &[]).unwrap(), [vec![0]]);
    }

    #[test]
    fn what_is_not_there_or_too_long_is_refused() {
        let huge = Lengths::Uniform(Cow::Borrowed(&[i64::MAX]));
        let e = broadcast_rows(&[huge], &[Cow::Borrowed(&[0, 0])]).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::ResourceExhausted);
        let few = Lengths::Splits(Cow::Borrowed(&[0, 1]));
        let e = broadcast_rows(&[few], &[Cow::Borrowed(&[1])]).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::OutOfRange);
        assert!(places_in_rows(&[0, 1], &[-1], &[0]).is_err());
        assert!(places_in_rows(&[0, 1], &[0], &[0, 0]).is_err());
    }
}
