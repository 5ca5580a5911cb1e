//! The kernels that reduce rows, and repeat what rows have: one pass over the values, on all cores.

use extype::array::{Array, Element};
use extype::gradient::{Gradient, InputGradients};
use extype::ir::{KernelContext, Outputs, no_kernel};
use extype::prelude::*;
use extype::types::{DTypeSet, TensorType};
use rayon::prelude::*;

use super::reduce::Function;
use crate::RowPartition;
use crate::partition::kernels::check_end;
use crate::partition::rows::{size, splits};

/// The values of each row reduced to one; an empty row has what a reduction of nothing has in TensorFlow's segments.
pub(super) fn rows_reduced(
    function: &Function,
    values: &Tensor,
    rows: &RowPartition,
) -> Result<Tensor> {
    let op = |function: &str| RowReduce { function: function.to_owned() };
    let run = |function: &str, values: &Tensor| op(function).run(&[values, rows.splits()]);
    let name = match function {
        Function::Sum => "Sum",
        Function::Max => "Max",
        Function::Min => "Min",
        Function::Prod => "Prod",
        // Of nothing: all is true, and the lowest u8 is false.
        Function::All => return run("Min", &values.cast(DType::U8)?)?.cast(DType::Bool),
        Function::Any => return run("Max", &values.cast(DType::U8)?)?.cast(DType::Bool),
        Function::Join(separator) => {
            let (ids, n) = (rows.value_rowids()?, rows.nrows()?);
            return ops::unsorted_segment_join(values, &ids, &n, separator);
        }
        Function::Mean | Function::Norm => return Err(Error::internal("made of sums")),
    };
    match values.dtype() {
        dtype @ (DType::F16 | DType::BF16) => run(name, &values.cast(DType::F32)?)?.cast(dtype),
        dtype if REDUCED.contains(dtype) => run(name, values),
        dtype => {
            let (ids, n) = (rows.value_rowids()?, rows.nrows()?);
            match function {
                Function::Prod => ops::unsorted_segment_prod(values, &ids, &n),
                Function::Sum => ops::unsorted_segment_sum(values, &ids, &n),
                _ if dtype.is_complex() => Err(Error::invalid(format!("{dtype} has no order"))),
                Function::Max => ops::unsorted_segment_max(values, &ids, &n),
                _ => ops::unsorted_segment_min(values, &ids, &n),
            }
        }
    }
}

/// What rows are reduced of; other numbers are cast or combined by ids.
pub(super) const REDUCED: DTypeSet =
    DTypeSet::of(&[DType::F32, DType::F64, DType::I32, DType::I64, DType::U8, DType::U64]);

extype::define_op! {
    /// The sum, the largest, the smallest or the product (`Sum`, `Max`, `Min`, `Prod`) of the entries of each row; of an
    /// empty row 0, the lowest number, the highest, 1.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RowReduce;
    /// let op = RowReduce { function: "Sum".to_owned() };
    /// let y = op.run(&[&tensor![1, 2, 3], &tensor![0i64, 2, 2, 3]])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[3, 0, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op RowReduce = "Ragged>RowReduce" {
        inputs: { values: T, row_splits: Tsplits }, outputs: { output: T },
        types: { T: REDUCED, Tsplits: DTypeSet::INDEX },
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

    /// What each row has, for each of its entries: `[rows, …]` to `[entries, …]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RowRepeat;
    /// let y = RowRepeat {}.run(&[&tensor![7, 8, 9], &tensor![0i64, 2, 2, 3]])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[7, 7, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op RowRepeat = "Ragged>RowRepeat" {
        inputs: { values: T, row_splits: Tsplits }, outputs: { output: T },
        types: { T: REDUCED, Tsplits: DTypeSet::INDEX },
        infer: |c| {
            size(c, 1)?;
            let values = c.shape(0).with_rank_at_least(1)?;
            let entries = c.integers(1).and_then(|s| usize::try_from(*s.last()?).ok());
            let shape = match values.dims() {
                Some(dims) => std::iter::once(Dim::from(entries)).chain(dims.iter().skip(1).copied()).collect(),
                None => Shape::unknown(),
            };
            Ok([TensorType::new(c.input(0).dtype, shape)].into_iter().collect())
        },
        kernel: row_repeat,
        gradient: row_repeat_gradient,
    }
}

/// What each row has, for each of its entries.
pub(super) fn repeated(values: &Tensor, rows: &RowPartition) -> Result<Tensor> {
    match REDUCED.contains(values.dtype()) {
        true => RowRepeat {}.run(&[values, rows.splits()]),
        false => values.gather(&rows.value_rowids()?, 0),
    }
}

fn row_repeat(c: &KernelContext<'_>) -> Result<Outputs> {
    macro_rules! by_dtype {
        ($($dtype:ident $t:ident),*) => {
            match c.input(0).dtype() {
                $(DType::$dtype => repeat::<$t>(c),)*
                _ => Err(no_kernel(c)),
            }
        };
    }
    by_dtype!(F32 f32, F64 f64, I32 i32, I64 i64, U8 u8, U64 u64)
}

fn repeat<T: Element>(c: &KernelContext<'_>) -> Result<Outputs> {
    let (values, splits) = (c.input(0), &splits(c, 1)?[..]);
    let (rows, found) = (splits.len() - 1, values.dims().first().copied().unwrap_or(0));
    if rows != found {
        return Err(Error::invalid(format!("{found} values are given for {rows} rows")));
    }
    let data = values.as_slice::<T>()?;
    // Without rows there is no size of one.
    let inner = data.len().checked_div(rows).unwrap_or(0);
    let mut dims = values.dims().to_vec();
    dims[0] = usize::try_from(splits[rows]).unwrap_or(usize::MAX);
    let out = Array::from_writer(dims, |mut rest: &mut [T]| {
        if rest.is_empty() {
            return Ok(());
        }
        let each = rows.div_ceil((rest.len() + data.len()).div_ceil(TASK));
        let mut tasks = Vec::new();
        for (i, data) in data.chunks(each * inner).enumerate() {
            let ends = &splits[i * each..(i * each + each).min(rows) + 1];
            // Splits ascend up to the size of the result.
            let entries = (ends[ends.len() - 1] - ends[0]) as usize;
            let (part, after) = rest.split_at_mut(entries * inner);
            tasks.push((ends, data, part));
            rest = after;
        }
        tasks.into_par_iter().for_each(|(ends, data, mut out)| {
            for (w, value) in ends.windows(2).zip(data.chunks_exact(inner)) {
                let (row, after) = out.split_at_mut((w[1] - w[0]) as usize * inner);
                match value {
                    [one] => row.fill(*one),
                    many => row.chunks_exact_mut(inner).for_each(|out| out.copy_from_slice(many)),
                }
                out = after;
            }
        });
        Ok(())
    })?;
    Ok([out].into_iter().collect())
}

fn row_reduce(c: &KernelContext<'_>) -> Result<Outputs> {
    let splits = &splits(c, 1)?;
    let entries = c.input(0).dims().first().copied().unwrap_or(0);
    check_end(splits.len() - 1, splits.last().copied().unwrap_or(0), entries as i64)?;
    let name = c.get(RowReduce::FUNCTION)?;
    macro_rules! by_dtype {
        ($($dtype:ident $t:ident, $low:expr, $high:expr, $sum:expr, $product:expr;)*) => {
            match c.input(0).dtype() {
                $(DType::$dtype => match &name[..] {
                    "Sum" => fold::<$t>(c, splits, [0 as $t; 2], $sum, $sum, |_| false),
                    "Max" => fold::<$t>(
                        c,
                        splits,
                        [$t::MIN, $low],
                        |a, x| if x > a || x != x { x } else { a },
                        |a, x| if x > a { x } else { a },
                        |x| x != x,
                    ),
                    "Min" => fold::<$t>(
                        c,
                        splits,
                        [$t::MAX, $high],
                        |a, x| if x < a || x != x { x } else { a },
                        |a, x| if x < a { x } else { a },
                        |x| x != x,
                    ),
                    "Prod" => fold::<$t>(c, splits, [1 as $t; 2], $product, $product, |_| false),
                    _ => Err(no_kernel(c)),
                },)*
                _ => Err(no_kernel(c)),
            }
        };
    }
    by_dtype! {
        F32 f32, f32::NEG_INFINITY, f32::INFINITY, |a, x| a + x, |a, x| a * x;
        F64 f64, f64::NEG_INFINITY, f64::INFINITY, |a, x| a + x, |a, x| a * x;
        I32 i32, i32::MIN, i32::MAX, i32::wrapping_add, i32::wrapping_mul;
        I64 i64, i64::MIN, i64::MAX, i64::wrapping_add, i64::wrapping_mul;
        U8 u8, u8::MIN, u8::MAX, u8::wrapping_add, u8::wrapping_mul;
        U64 u64, u64::MIN, u64::MAX, u64::wrapping_add, u64::wrapping_mul;
    }
}

/// So many rows and elements in one task.
const TASK: usize = 1 << 16;

/// Every row folded by `f` into one entry; an empty one is `none`. A `unit` changes nothing. `ordered` is what `f` is where
/// no number is NaN, if NaN matters.
fn fold<T: Element>(
    c: &KernelContext<'_>,
    splits: &[i64],
    [none, unit]: [T; 2],
    f: impl Fn(T, T) -> T + Copy + Sync,
    ordered: impl Fn(T, T) -> T + Copy + Sync,
    is_nan: impl Fn(T) -> bool + Copy + Sync,
) -> Result<Outputs> {
    let values = c.input(0);
    // Wraps only beside a size of zero, where there is no entry.
    let inner = values.dims()[1..].iter().fold(1usize, |n, d| n.wrapping_mul(*d));
    let data = values.as_slice::<T>()?;
    let mut dims = values.dims().to_vec();
    let rows = splits.len() - 1;
    dims[0] = rows;
    let out = c.output_slice(&dims, |out: &mut [T]| {
        if inner == 0 || out.is_empty() {
            return Ok(());
        }
        let part = |(first, out): (usize, &mut [T])| {
            let splits = &splits[first..first + out.len() / inner + 1];
            // Splits were checked against the number of entries.
            let at = |i: usize| splits[i] as usize * inner;
            let all = &data[at(0)..at(splits.len() - 1)];
            let has_nan = all.iter().fold(false, |nan, x| nan | is_nan(*x));
            for (i, out) in out.chunks_exact_mut(inner).enumerate() {
                let (start, end) = (at(i), at(i + 1));
                match out {
                    _ if start == end => out.fill(none),
                    [out] if has_nan => {
                        *out = data[start..end].iter().fold(unit, |a, x| f(a, *x));
                    }
                    [out] => *out = folded(&data[start..], end - start, unit, ordered),
                    out => fold_entries(&data[start..end], out, f),
                }
            }
        };
        let tasks = (out.len() + data.len()).div_ceil(TASK);
        if tasks < 2 {
            part((0, out));
            return Ok(());
        }
        let each = rows.div_ceil(tasks);
        let parts = out.par_chunks_mut(each * inner).enumerate();
        parts.for_each(|(i, out)| part((i * each, out)));
        Ok(())
    })?;
    Ok([out].into_iter().collect())
}

/// So many numbers are folded side by side. All rows that are not longer take the same steps, so that no branch depends on
/// their length.
const LANES: usize = 16;

/// The first `n` numbers folded.
#[inline(always)]
fn folded<T: Element>(data: &[T], n: usize, unit: T, f: impl Fn(T, T) -> T) -> T {
    let mut lanes = [unit; LANES];
    let (whole, _) = data[..n].as_chunks::<LANES>();
    for chunk in whole {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = f(*lane, *x);
        }
    }
    let (rest, n) = (&data[whole.len() * LANES..], (n % LANES) as i32);
    let block = match rest.first_chunk::<LANES>() {
        Some(block) => *block,
        None => last_block(rest, unit),
    };
    for (i, (lane, x)) in lanes.iter_mut().zip(block).enumerate() {
        // What is behind the row changes nothing. To choose between numbers that are read takes no branch.
        let x = if (i as i32) < n { x } else { unit };
        *lane = f(*lane, x);
    }
    let mut half = LANES / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        for (a, b) in low.iter_mut().zip(high) {
            *a = f(*a, *b);
        }
        half /= 2;
    }
    lanes[0]
}

/// A block that begins with the last numbers.
#[cold]
#[inline(never)]
fn last_block<T: Element>(rest: &[T], unit: T) -> [T; LANES] {
    std::array::from_fn(|i| rest.get(i).copied().unwrap_or(unit))
}

/// Entries of several numbers folded into one.
fn fold_entries<T: Element>(row: &[T], out: &mut [T], f: impl Fn(T, T) -> T) {
    let (first, others) = row.split_at(out.len());
    out.copy_from_slice(first);
    for entry in others.chunks_exact(out.len()) {
        for (out, x) in out.iter_mut().zip(entry) {
            *out = f(*out, *x);
        }
    }
}

fn row_repeat_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let dx = RowReduce { function: "Sum".to_owned() }.run(&[g.dy()?, g.x(1)])?;
    Ok([Some(dx), None].into_iter().collect())
}

fn row_reduce_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, splits, y, dy) = (g.x(0), g.x(1), g.y(), g.dy()?);
    let each = |x: &Tensor| RowRepeat {}.run(&[x, splits]);
    let run =
        |function: &str, x: &Tensor| RowReduce { function: function.to_owned() }.run(&[x, splits]);
    let (dtype, dy) = (x.dtype(), each(dy)?);
    let dx = match &g.get(RowReduce::FUNCTION)?[..] {
        "Sum" => return Ok([Some(dy), None].into_iter().collect()),
        "Prod" => {
            // Where a row has one zero, only that entry has a gradient: the product of the others.
            let zero = x.equal(&x.zeros_like()?)?;
            let zeros = each(&run("Sum", &zero.cast(dtype)?)?)?;
            let others = ops::select(&zero, &x.ones_like()?, x)?;
            let product = each(&run("Prod", &others)?)?;
            let none = ops::div(&product, &others)?;
            let at_zero = ops::select(zeros.equal(&zeros.ones_like()?)?, &product, 0.0)?;
            let elsewhere = ops::select(zeros.equal(&zeros.zeros_like()?)?, &none, 0.0)?;
            ops::select(&zero, &at_zero, &elsewhere)?
        }
        _ => {
            // Equal entries share the gradient. Nothing equals NaN.
            let hit = x.equal(&each(y)?)?.cast(dtype)?;
            ops::div_no_nan(&hit, each(&run("Sum", &hit)?)?)?
        }
    };
    Ok([Some(ops::mul(&dx, &dy)?), None].into_iter().collect())
}
