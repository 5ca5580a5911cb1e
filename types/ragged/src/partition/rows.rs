//! What a partition tells about its entries, as ops. They compute on splits, int32 or int64 `[rows + 1]`, and mostly
//! give positions of the same dtype, by which the entries are then gathered; so values of every dtype are served, and
//! gradients pass by the rule of `gather`.

use std::borrow::Cow;

use extype::array::Array;
use extype::ir::{InferContext, KernelContext, Outputs, Types};
use extype::prelude::*;
use extype::types::DTypeSet;
use extype::types::TensorType;

use super::kernels as p;

/// The type of a vector of the dtype of the first input, of a size that may be known.
pub(crate) fn vector(c: &InferContext<'_>, size: Option<usize>) -> TensorType {
    TensorType::new(c.input(0).dtype, [Dim::from(size)].into_iter().collect::<Shape>())
}

/// The size of the first axis of an input, if it is known.
pub(crate) fn size(c: &InferContext<'_>, input: usize) -> Result<Option<usize>> {
    Ok(c.shape(input).with_rank(1)?.dim(0)?.size())
}

fn two_vectors(c: &InferContext<'_>, splits: Option<usize>) -> Result<Types> {
    size(c, 0)?;
    Ok([vector(c, splits), vector(c, None)].into_iter().collect())
}

/// Results of the dtype of the first input.
fn vectors<const N: usize>(c: &KernelContext<'_>, lists: [Vec<i64>; N]) -> Result<Outputs> {
    lists.into_iter().map(|list| integers_like(c.input(0), &list)).collect()
}

/// Integers in the dtype of another array.
pub(crate) fn integers_like(like: &Array, list: &[i64]) -> Result<Array> {
    if like.dtype() == DType::I64 {
        return Array::from_slice([list.len()], list);
    }
    let narrow = |i: &i64| {
        i32::try_from(*i).map_err(|_| {
            let text = format!("{i} is no int32; tell the rows by int64: `with_row_splits_dtype`");
            Error::new(ErrorKind::ResourceExhausted, text)
        })
    };
    Array::from_slice([list.len()], &list.iter().map(narrow).collect::<Result<Vec<i32>>>()?)
}

/// The int32 or int64 numbers of an input.
pub(crate) fn integers<'a>(c: &KernelContext<'a>, input: usize) -> Result<Cow<'a, [i64]>> {
    let array = c.input(input);
    match array.dtype() {
        DType::I64 => Ok(Cow::Borrowed(array.as_slice::<i64>()?)),
        _ => Ok(Cow::Owned(array.to_i64s()?.into_vec())),
    }
}

pub(crate) fn splits<'a>(c: &KernelContext<'a>, input: usize) -> Result<Cow<'a, [i64]>> {
    let splits = integers(c, input)?;
    p::check_splits(&splits)?;
    Ok(splits)
}

fn all_splits<'a>(c: &KernelContext<'a>) -> Result<Vec<Cow<'a, [i64]>>> {
    (0..c.inputs.len()).map(|i| splits(c, i)).collect()
}

/// A scalar that the kernel reads.
fn number(c: &KernelContext<'_>, input: usize) -> Result<i64> {
    match &integers(c, input)?[..] {
        [n] => Ok(*n),
        more => Err(Error::invalid(format!("one number is wanted, {} are given", more.len()))),
    }
}

extype::define_op! {
    /// The row of each entry: `[rows + 1]` to `[entries]`.
    ///
    /// ```
    /// use extype::ops::Op;
    /// use extype::prelude::*;
    /// use extype_ragged::RowIds;
    /// let ids = RowIds {}.run(&[&tensor![0i64, 2, 2, 3]])?;
    /// assert_eq!(ids.as_slice::<i64>()?, &[0, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op RowIds = "Ragged>RowIds" {
        inputs: { row_splits: T }, outputs: { row_ids: T },
        types: { T: DTypeSet::INDEX },
        infer: |c| {
            size(c, 0)?;
            let entries = c.integers(0).and_then(|s| usize::try_from(*s.last()?).ok());
            Ok([vector(c, entries)].into_iter().collect())
        },
        kernel: |c| vectors(c, [p::row_ids(&splits(c, 0)?)?]),
        gradient: none,
    }

    /// The first of two row partitions, after checking that they are equal: `[rows + 1]`
    /// each. In a traced function it checks at each call, whether its result is used or not.
    ///
    /// ```
    /// use extype::ops::Op;
    /// use extype::prelude::*;
    /// use extype_ragged::SameRows;
    /// let e = SameRows {}.run(&[&tensor![0i64, 2, 3], &tensor![0i64, 1, 3]]).unwrap_err();
    /// assert!(e.message().contains("row 0 has the lengths 2 and 1"));
    /// ```
    pub op SameRows = "Ragged>SameRows" {
        inputs: { x: T, y: T }, outputs: { z: T },
        types: { T: DTypeSet::INDEX },
        effect: Checks,
        infer: |c| {
            let shape = c.shape(0).merge(c.shape(1))?;
            Ok([TensorType::new(c.input(0).dtype, shape)].into_iter().collect())
        },
        kernel: |c| {
            match p::first_difference(&integers(c, 0)?, &integers(c, 1)?) {
                None => Ok([c.input(0).clone()].into_iter().collect()),
                Some(text) => {
                    Err(Error::invalid(format!("ragged tensors differ in their rows: {text}")))
                }
            }
        },
        gradient: none,
    }

    /// The splits of rows of these lengths: `[rows]` to `[rows + 1]`.
    pub op SplitsOfLengths = "Ragged>SplitsOfLengths" {
        inputs: { lengths: T }, outputs: { row_splits: T },
        types: { T: DTypeSet::INDEX },
        infer: |c| Ok([vector(c, size(c, 0)?.map(|n| n + 1))].into_iter().collect()),
        kernel: |c| vectors(c, [p::splits_of_lengths(&integers(c, 0)?)?]),
        gradient: none,
    }

    /// The splits of entries that know their row: `[entries]`, which do not decrease, and the
    /// number of rows, to `[rows + 1]`.
    pub op SplitsOfIds = "Ragged>SplitsOfIds" {
        inputs: { row_ids: T, rows: T }, outputs: { row_splits: T },
        types: { T: DTypeSet::INDEX },
        infer: |c| {
            size(c, 0)?;
            let rows = c.integers(1).and_then(|n| usize::try_from(*n.first()?).ok());
            Ok([vector(c, rows.map(|n| n + 1))].into_iter().collect())
        },
        kernel: |c| vectors(c, [p::splits_of_ids(&integers(c, 0)?, number(c, 1)?)?]),
        gradient: none,
    }

    /// A slice of every row, as Python's `row[start:stop:step]`; a bound is a vector of one number, or an empty one if it
    /// is left out. The splits of the result, and the positions of its entries.
    pub op SliceRows = "Ragged>SliceRows" {
        inputs: { row_splits: T, start: {I64}, stop: {I64} }, outputs: { splits: T, positions: T },
        types: { T: DTypeSet::INDEX },
        attrs: { step: i64 },
        infer: |c| {
            let splits = size(c, 0)?;
            two_vectors(c, splits)
        },
        kernel: |c| {
            let (start, stop) = (integers(c, 1)?.first().copied(), integers(c, 2)?.first().copied());
            vectors(c, p::slice_rows(&splits(c, 0)?, start, stop, c.get(SliceRows::STEP)?)?)
        },
        gradient: none,
    }

    /// Rows of the same number one after the other: the splits of the result, and for each of its rows the rows that it
    /// is made of, by their numbers among the rows of all operands, one operand after the other.
    pub op JoinRows = "Ragged>JoinRows" {
        inputs: { row_splits: [T; N] }, outputs: { splits: T, rows: T },
        types: { T: DTypeSet::INDEX },
        infer: |c| {
            if c.inputs.is_empty() {
                return Err(p::nothing_to_join());
            }
            let splits = size(c, 0)?;
            two_vectors(c, splits)
        },
        kernel: |c| {
            let all = all_splits(c)?;
            vectors(c, p::join_rows(&all.iter().map(|s| &**s).collect::<Vec<_>>())?)
        },
        gradient: none,
    }

    /// Partitions one after the other.
    pub op StackRows = "Ragged>StackRows" {
        inputs: { row_splits: [T; N] }, outputs: { splits: T },
        types: { T: DTypeSet::INDEX },
        infer: |c| {
            let sizes = (0..c.inputs.len()).map(|i| size(c, i)).collect::<Result<Option<Vec<_>>>>()?;
            let rows = sizes.map(|s| s.iter().fold(1usize, |all, n| all.saturating_add(n.saturating_sub(1))));
            Ok([vector(c, rows)].into_iter().collect())
        },
        kernel: |c| {
            let all = all_splits(c)?;
            vectors(c, [p::stack_rows(&all.iter().map(|s| &**s).collect::<Vec<_>>())?])
        },
        gradient: none,
    }

    /// The partition of what is kept and what is left out of each of so many dense rows of a width, in turn, from that of
    /// what is kept.
    pub op CutRows = "Ragged>CutRows" {
        inputs: { row_splits: T, rows: T, width: T }, outputs: { splits: T },
        types: { T: DTypeSet::INDEX },
        infer: |c| {
            let parts = size(c, 0)?.map(|n| n.saturating_mul(2).saturating_sub(1));
            Ok([vector(c, parts)].into_iter().collect())
        },
        kernel: |c| vectors(c, [p::cut_rows(&splits(c, 0)?, number(c, 1)?, number(c, 2)?)?]),
        gradient: none,
    }

    /// The partition, after checking that it is one of so many entries.
    pub op CheckedRows = "Ragged>CheckedRows" {
        inputs: { row_splits: T, nvals: T }, outputs: { splits: T },
        types: { T: DTypeSet::INDEX },
        effect: Checks,
        infer: |c| {
            let splits = size(c, 0)?;
            Ok([vector(c, splits)].into_iter().collect())
        },
        kernel: |c| {
            let splits = splits(c, 0)?;
            p::check_end(splits.len() - 1, splits[splits.len() - 1], number(c, 1)?)?;
            Ok([c.input(0).clone()].into_iter().collect())
        },
        gradient: none,
    }

    /// The partition, after checking that the columns of the entries in each row are 0, 1, 2 and so on.
    pub op ColumnsInRows = "Ragged>ColumnsInRows" {
        inputs: { row_splits: T, columns: T }, outputs: { splits: T },
        types: { T: DTypeSet::INDEX },
        effect: Checks,
        infer: |c| {
            let splits = size(c, 0)?;
            size(c, 1)?;
            Ok([vector(c, splits)].into_iter().collect())
        },
        kernel: |c| {
            p::check_columns(&splits(c, 0)?, &integers(c, 1)?)?;
            Ok([c.input(0).clone()].into_iter().collect())
        },
        gradient: none,
    }

    /// The partition, after checking that every row has this length.
    pub op UniformRows = "Ragged>UniformRows" {
        inputs: { row_splits: T, length: T }, outputs: { splits: T },
        types: { T: DTypeSet::INDEX },
        effect: Writes,
        infer: |c| {
            let splits = size(c, 0)?;
            Ok([vector(c, splits)].into_iter().collect())
        },
        kernel: |c| {
            p::check_uniform(&splits(c, 0)?, number(c, 1)?)?;
            Ok([c.input(0).clone()].into_iter().collect())
        },
        gradient: none,
    }

    /// Two ragged axes exchanged: from the partition into outer rows and that of the rows within
    /// them, the partition of each outer row into columns, the partition of the columns into
    /// entries, and the positions of these entries.
    pub op SwapRows = "Ragged>SwapRows" {
        inputs: { outer: T, inner: T }, outputs: { columns: T, entries: T, positions: T },
        types: { T: DTypeSet::INDEX },
        infer: |c| {
            let outer = size(c, 0)?;
            size(c, 1)?;
            Ok([vector(c, outer), vector(c, None), vector(c, None)].into_iter().collect())
        },
        kernel: |c| vectors(c, p::swap_rows(&splits(c, 0)?, &splits(c, 1)?)?),
        gradient: none,
    }
}
