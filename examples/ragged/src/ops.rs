//! The ops of this crate: what a partition tells about its entries. They compute on splits, int64
//! `[rows + 1]`, and mostly give positions, by which the entries are then gathered; so values of
//! every dtype are served, and gradients pass by the rule of `gather`.

use extype::array::Array;
use extype::array::Element;
use extype::gradient::{Gradient, InputGradients};
use extype::ir::{InferContext, KernelContext, Outputs, Types, no_kernel};
use extype::ops::Op;
use extype::prelude::*;
use extype::types::DTypeSet;
use extype::types::TensorType;

use crate::partition as p;

/// The type of an int64 vector, of a size that may be known.
fn vector(size: Option<usize>) -> TensorType {
    TensorType::new(DType::I64, [Dim::from(size)].into_iter().collect::<Shape>())
}

/// The size of the first axis of an input, if it is known.
fn size(c: &InferContext<'_>, input: usize) -> Result<Option<usize>> {
    Ok(c.shape(input).with_rank(1)?.dim(0)?.size())
}

fn two_vectors(c: &InferContext<'_>, splits: Option<usize>) -> Result<Types> {
    size(c, 0)?;
    Ok([vector(splits), vector(None)].into_iter().collect())
}

fn vectors<const N: usize>(lists: [Vec<i64>; N]) -> Result<Outputs> {
    lists.into_iter().map(|list| Array::from_slice([list.len()], &list)).collect()
}

fn splits<'a>(c: &KernelContext<'a>, input: usize) -> Result<&'a [i64]> {
    let splits = c.input(input).as_slice::<i64>()?;
    p::check_splits(splits, splits.last().copied().unwrap_or(0))?;
    Ok(splits)
}

/// A scalar that the kernel reads.
fn number(c: &KernelContext<'_>, input: usize) -> Result<i64> {
    match c.input(input).as_slice::<i64>()? {
        [n] => Ok(*n),
        more => Err(Error::invalid(format!("one number is wanted, {} are given", more.len()))),
    }
}

extype::define_op! {
    /// The row of each entry: int64 `[rows + 1]` to int64 `[entries]`.
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
        inputs: { row_splits: {I64} }, outputs: { row_ids: {I64} },
        infer: |c| {
            size(c, 0)?;
            let entries = c.integers(0).and_then(|s| usize::try_from(*s.last()?).ok());
            Ok([vector(entries)].into_iter().collect())
        },
        kernel: |c| vectors([p::row_ids(splits(c, 0)?)?]),
        gradient: none,
    }

    /// The first of two row partitions, after checking that they are equal: int64 `[rows + 1]`
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
        inputs: { x: {I64}, y: {I64} }, outputs: { z: {I64} },
        effect: Checks,
        infer: |c| {
            let shape = c.shape(0).merge(c.shape(1))?;
            Ok([TensorType::new(DType::I64, shape)].into_iter().collect())
        },
        kernel: |c| {
            let (x, y) = (c.input(0).as_slice::<i64>()?, c.input(1).as_slice::<i64>()?);
            match p::first_difference(x, y) {
                None => Ok([c.input(0).clone()].into_iter().collect()),
                Some(text) => {
                    Err(Error::invalid(format!("ragged tensors differ in their rows: {text}")))
                }
            }
        },
        gradient: none,
    }

    /// The splits of rows of these lengths: int64 `[rows]` to int64 `[rows + 1]`.
    pub op SplitsOfLengths = "Ragged>SplitsOfLengths" {
        inputs: { lengths: {I64} }, outputs: { row_splits: {I64} },
        infer: |c| Ok([vector(size(c, 0)?.map(|n| n + 1))].into_iter().collect()),
        kernel: |c| vectors([p::splits_of_lengths(c.input(0).as_slice()?)?]),
        gradient: none,
    }

    /// The splits of entries that know their row: int64 `[entries]`, which do not decrease, and the
    /// number of rows, to int64 `[rows + 1]`.
    pub op SplitsOfIds = "Ragged>SplitsOfIds" {
        inputs: { row_ids: {I64}, rows: {I64} }, outputs: { row_splits: {I64} },
        infer: |c| {
            size(c, 0)?;
            let rows = c.integers(1).and_then(|n| usize::try_from(*n.first()?).ok());
            Ok([vector(rows.map(|n| n + 1))].into_iter().collect())
        },
        kernel: |c| vectors([p::splits_of_ids(c.input(0).as_slice()?, number(c, 1)?)?]),
        gradient: none,
    }

    /// Rows picked by number: the splits of the result, and the positions of its entries.
    pub op GatherRows = "Ragged>GatherRows" {
        inputs: { row_splits: {I64}, rows: {I64} }, outputs: { splits: {I64}, positions: {I64} },
        infer: |c| {
            let rows = size(c, 1)?;
            two_vectors(c, rows.map(|n| n + 1))
        },
        kernel: |c| vectors(p::gather_rows(splits(c, 0)?, c.input(1).as_slice()?)?),
        gradient: none,
    }

    /// A slice of every row, as Python's `row[start:stop:step]`; a bound that is left out is an
    /// empty list. The splits of the result, and the positions of its entries.
    pub op SliceRows = "Ragged>SliceRows" {
        inputs: { row_splits: {I64} }, outputs: { splits: {I64}, positions: {I64} },
        attrs: { start: Vec<i64>, stop: Vec<i64>, step: i64 },
        infer: |c| {
            let splits = size(c, 0)?;
            two_vectors(c, splits)
        },
        kernel: |c| {
            let bound = |name| Ok::<_, Error>(c.attrs.get::<Vec<i64>>(name)?.first().copied());
            let (start, stop) = (bound(SliceRows::START)?, bound(SliceRows::STOP)?);
            vectors(p::slice_rows(splits(c, 0)?, start, stop, c.get(SliceRows::STEP)?)?)
        },
        gradient: none,
    }

    /// Rows of the same number one after the other: the splits of the result, and the positions of
    /// its entries among the entries of all operands, one operand after the other.
    pub op JoinRows = "Ragged>JoinRows" {
        inputs: { row_splits: [{I64}; N] }, outputs: { splits: {I64}, positions: {I64} },
        infer: |c| {
            if c.inputs.is_empty() {
                return Err(p::nothing_to_join());
            }
            let splits = size(c, 0)?;
            two_vectors(c, splits)
        },
        kernel: |c| {
            let all = (0..c.inputs.len()).map(|i| splits(c, i)).collect::<Result<Vec<_>>>()?;
            vectors(p::join_rows(&all)?)
        },
        gradient: none,
    }

    /// Partitions one after the other.
    pub op StackRows = "Ragged>StackRows" {
        inputs: { row_splits: [{I64}; N] }, outputs: { splits: {I64} },
        infer: |c| {
            let sizes = (0..c.inputs.len()).map(|i| size(c, i)).collect::<Result<Option<Vec<_>>>>()?;
            let rows = sizes.map(|s| s.iter().fold(1usize, |all, n| all.saturating_add(n.saturating_sub(1))));
            Ok([vector(rows)].into_iter().collect())
        },
        kernel: |c| {
            let all = (0..c.inputs.len()).map(|i| splits(c, i)).collect::<Result<Vec<_>>>()?;
            vectors([p::stack_rows(&all)?])
        },
        gradient: none,
    }

    /// For a matrix of rows cut or filled to a width, the entry in each cell: int64
    /// `[rows, width]`; where there is none the number of entries.
    pub op DenseCells = "Ragged>DenseCells" {
        inputs: { row_splits: {I64}, width: {I64} }, outputs: { entries: {I64} },
        infer: |c| {
            let rows = size(c, 0)?.map(|n| n.saturating_sub(1));
            let width = c.integers(1).and_then(|n| usize::try_from(*n.first()?).ok());
            let shape = [rows, width].map(Dim::from).into_iter().collect::<Shape>();
            Ok([TensorType::new(DType::I64, shape)].into_iter().collect())
        },
        kernel: |c| {
            let (splits, width) = (splits(c, 0)?, number(c, 1)?);
            let cells = p::dense_cells(splits, width)?;
            let width = usize::try_from(width).unwrap_or(0);
            Ok([Array::from_slice([splits.len().saturating_sub(1), width], &cells)?].into_iter().collect())
        },
        gradient: none,
    }

    /// For each entry its cell in a matrix of rows of a width, which all rows must fit.
    pub op CellsOfEntries = "Ragged>CellsOfEntries" {
        inputs: { row_splits: {I64}, width: {I64} }, outputs: { cells: {I64} },
        infer: |c| {
            size(c, 0)?;
            Ok([vector(None)].into_iter().collect())
        },
        kernel: |c| vectors([p::cells_of_entries(splits(c, 0)?, number(c, 1)?)?]),
        gradient: none,
    }

    /// The partition, after checking that every row has this length.
    pub op UniformRows = "Ragged>UniformRows" {
        inputs: { row_splits: {I64}, length: {I64} }, outputs: { splits: {I64} },
        effect: Writes,
        infer: |c| {
            let splits = size(c, 0)?;
            Ok([vector(splits)].into_iter().collect())
        },
        kernel: |c| {
            p::check_uniform(splits(c, 0)?, number(c, 1)?)?;
            Ok([c.input(0).clone()].into_iter().collect())
        },
        gradient: none,
    }

    /// Two ragged axes exchanged: from the partition into outer rows and that of the rows within
    /// them, the partition of each outer row into columns, the partition of the columns into
    /// entries, and the positions of these entries.
    pub op SwapRows = "Ragged>SwapRows" {
        inputs: { outer: {I64}, inner: {I64} }, outputs: { columns: {I64}, entries: {I64}, positions: {I64} },
        infer: |c| {
            let outer = size(c, 0)?;
            size(c, 1)?;
            Ok([vector(outer), vector(None), vector(None)].into_iter().collect())
        },
        kernel: |c| vectors(p::swap_rows(splits(c, 0)?, splits(c, 1)?)?),
        gradient: none,
    }
}

/// What rows are reduced of.
const REDUCED: DTypeSet = DTypeSet::of(&[
    DType::F32,
    DType::F64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
]);

extype::define_op! {
    /// The largest, smallest or product (`Max`, `Min`, `Prod`) of the entries of each row; of an
    /// empty row what the library's reduction gives for nothing.
    pub op RowReduce = "Ragged>RowReduce" {
        inputs: { values: T, row_splits: {I64} }, outputs: { output: T },
        types: { T: REDUCED },
        attrs: { function: String },
        infer: |c| {
            let rows = size(c, 1)?.map(|n| n.saturating_sub(1));
            let values = c.shape(0).with_rank_at_least(1)?;
            let shape = match values.dims() {
                Some(dims) => std::iter::once(Dim::from(rows)).chain(dims.iter().skip(1).copied()).collect(),
                None => Shape::unknown(),
            };
            Ok([TensorType::new(c.input(0).dtype, shape)].into_iter().collect())
        },
        kernel: row_reduce,
        gradient: row_reduce_gradient,
    }
}

fn row_reduce(c: &KernelContext<'_>) -> Result<Outputs> {
    let splits = splits(c, 1)?;
    let entries = c.input(0).dims().first().copied().unwrap_or(0);
    p::check_splits(splits, entries as i64)?;
    let name = c.get(RowReduce::FUNCTION)?;
    macro_rules! by_dtype {
        ($($dtype:ident $t:ty, $one:expr, $low:expr, $high:expr, $product:expr;)*) => {
            match c.input(0).dtype() {
                $(DType::$dtype => match &name[..] {
                    "Max" => fold::<$t>(c, splits, $low, |a, x| if x > a || x != x { x } else { a }),
                    "Min" => fold::<$t>(c, splits, $high, |a, x| if x < a || x != x { x } else { a }),
                    "Prod" => fold::<$t>(c, splits, $one, $product),
                    _ => Err(no_kernel(c)),
                },)*
                _ => Err(no_kernel(c)),
            }
        };
    }
    by_dtype! {
        F32 f32, 1.0, f32::NEG_INFINITY, f32::INFINITY, |a, x| a * x;
        F64 f64, 1.0, f64::NEG_INFINITY, f64::INFINITY, |a, x| a * x;
        I8 i8, 1, i8::MIN, i8::MAX, i8::wrapping_mul;
        I16 i16, 1, i16::MIN, i16::MAX, i16::wrapping_mul;
        I32 i32, 1, i32::MIN, i32::MAX, i32::wrapping_mul;
        I64 i64, 1, i64::MIN, i64::MAX, i64::wrapping_mul;
        U8 u8, 1, u8::MIN, u8::MAX, u8::wrapping_mul;
        U16 u16, 1, u16::MIN, u16::MAX, u16::wrapping_mul;
        U32 u32, 1, u32::MIN, u32::MAX, u32::wrapping_mul;
        U64 u64, 1, u64::MIN, u64::MAX, u64::wrapping_mul;
    }
}

/// Every row folded into one entry.
fn fold<T: Element>(
    c: &KernelContext<'_>,
    splits: &[i64],
    start: T,
    f: impl Fn(T, T) -> T,
) -> Result<Outputs> {
    let values = c.input(0);
    // Wraps only beside a size of zero, where there is no entry.
    let inner = values.dims()[1..].iter().fold(1usize, |n, d| n.wrapping_mul(*d));
    let data = values.as_slice::<T>()?;
    let mut dims = values.dims().to_vec();
    dims[0] = splits.len().saturating_sub(1);
    let out = Array::from_writer(dims, |out: &mut [T]| {
        out.fill(start);
        if inner == 0 {
            return Ok(());
        }
        for (out, w) in out.chunks_exact_mut(inner).zip(splits.windows(2)) {
            // Splits were checked against the number of entries.
            for entry in data[w[0] as usize * inner..w[1] as usize * inner].chunks_exact(inner) {
                for (out, x) in out.iter_mut().zip(entry) {
                    *out = f(*out, *x);
                }
            }
        }
        Ok(())
    })?;
    Ok([out].into_iter().collect())
}

fn row_reduce_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, splits, y, dy) = (g.x(0), g.x(1), g.y(), g.dy()?);
    let ids = RowIds {}.run(&[splits])?;
    let rows = ops::sub(ops::size(splits)?, 1)?;
    let sum = |x: &Tensor| ops::unsorted_segment_sum(x, &ids, &rows);
    let (dtype, dy) = (x.dtype(), dy.gather(&ids, 0)?);
    let dx = if g.get(RowReduce::FUNCTION)? == "Prod" {
        // Where a row has one zero, only that entry has a gradient: the product of the others.
        let zero = x.equal(&x.zeros_like()?)?;
        let zeros = sum(&zero.cast(dtype)?)?.gather(&ids, 0)?;
        let others = ops::select(&zero, &x.ones_like()?, x)?;
        let op = RowReduce { function: "Prod".to_owned() };
        let product = op.run(&[&others, splits])?.gather(&ids, 0)?;
        let none = ops::div(&product, &others)?;
        let at_zero = ops::select(zeros.equal(&zeros.ones_like()?)?, &product, 0.0)?;
        let elsewhere = ops::select(zeros.equal(&zeros.zeros_like()?)?, &none, 0.0)?;
        ops::select(&zero, &at_zero, &elsewhere)?
    } else {
        // Equal entries share the gradient.
        let hit = x.equal(&y.gather(&ids, 0)?)?.cast(dtype)?;
        ops::div(&hit, sum(&hit)?.gather(&ids, 0)?)?
    };
    Ok([Some(ops::mul(&dx, &dy)?), None].into_iter().collect())
}
// Partitions and positions are integers: no gradient passes.
