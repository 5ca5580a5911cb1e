//! Ragged tensors as ops of graphs have them: dense values, and for each ragged axis where its rows begin and the last one
//! ends.

use std::mem::MaybeUninit;

use crate::array::{Array, Dims, num_elements, vec_for};
use crate::define_op;
use crate::ir::{InferContext, KernelContext, Outputs, Types, only};
use crate::ops::MOVABLE;
use crate::ops::methods::*;
use crate::ops::ordering::kernel::indices;
use crate::ops::rules::gradient::{Gradient, InputGradients, sizes, sum_to};
use crate::ops::rules::infer::one;
use crate::ops::rules::moves::{Gathered, Move, Moved, Strided, moved, row_major};
use crate::ops::{self, Op as _};
use crate::tensor::{Tensor, execute};
use crate::types::{DType, DTypeSet, Dim, Result, Shape, TensorType, bail, err};

define_op! {
    /// Rows of a ragged tensor at indices. Axes of the indices behind the first become ragged axes with rows of one length.
    ///
    /// TensorFlow: `RaggedGather`. Splits for each ragged axis, the values, and int32 or int64 indices of rank 1 at least.
    pub op RaggedGather = "RaggedGather" {
        inputs: {
            params_nested_splits: [Tsplits; PARAMS_RAGGED_RANK], params_dense_values: Tvalues, indices: Tindices
        },
        outputs: { output_nested_splits: [Tsplits; OUTPUT_RAGGED_RANK], output_dense_values: Tvalues },
        types: { Tvalues: MOVABLE, Tindices: DTypeSet::INDEX, Tsplits: DTypeSet::INDEX },
        attrs: { output_ragged_rank as "OUTPUT_RAGGED_RANK": i64 },
        dispatch: none,
        infer: infer_gather, kernel: gather,
        gradient: of_gather,
    }

    /// A ragged tensor as a sparse one: the index of each value, the values, and the sizes of the smallest tensor that has
    /// room for all.
    ///
    /// TensorFlow: `RaggedTensorToSparse`.
    pub op RaggedTensorToSparse = "RaggedTensorToSparse" {
        inputs: { rt_nested_splits: [Tsplits; RAGGED_RANK], rt_dense_values: T },
        outputs: { sparse_indices: {I64}, sparse_values: T, sparse_dense_shape: {I64} },
        types: { T: MOVABLE, Tsplits: DTypeSet::INDEX },
        dispatch: none,
        infer: infer_sparse, kernel: to_sparse,
        gradient: of_sparse,
    }

    /// A ragged tensor as a dense one of the given shape, filled up with a default. A size of -1 is as large as needed; a
    /// scalar -1 stands for such sizes alone. What is beyond the shape is dropped.
    ///
    /// TensorFlow: `RaggedTensorToTensor`. Each axis is told by `ROW_SPLITS` or by `VALUE_ROWIDS`; the first of the latter
    /// follows `FIRST_DIM_SIZE`. The default has the shape of one value, or broadcasts to it.
    pub op RaggedTensorToTensor = "RaggedTensorToTensor" {
        inputs: {
            shape: Tshape, values: T, default_value: T, row_partition_tensors: [Tindex; num_row_partition_tensors]
        },
        outputs: { result: T },
        types: { T: MOVABLE, Tindex: DTypeSet::INDEX, Tshape: DTypeSet::INDEX },
        attrs: { row_partition_types: Vec<String> },
        dispatch: none,
        infer: infer_dense, kernel: to_dense,
        gradient: of_dense,
    }
}

/// Where the rows of each ragged axis begin, checked against each other and against the number of values.
fn nested(splits: &[&Array], values: usize) -> Result<Vec<Vec<i64>>> {
    let nested = splits.iter().map(|s| Ok(s.to_i64s()?.into_vec())).collect::<Result<Vec<_>>>()?;
    for (i, ends) in nested.iter().enumerate() {
        let inner = nested.get(i + 1).map_or(values, |inner| inner.len().saturating_sub(1));
        if ends.first() != Some(&0) || !ends.is_sorted() || ends.last() != Some(&(inner as i64)) {
            bail!(
                "splits begin with 0, ascend and end with the number of inner rows, {inner}; not {ends:?}"
            );
        }
    }
    Ok(nested)
}

/// Values `[n, …]` after so many splits, all vectors.
fn check_nested(c: &InferContext<'_>, count: usize) -> Result<Shape> {
    for i in 0..count {
        c.shape(i).with_rank(1).map_err(|e| e.prefixed(format_args!("splits {i}")))?;
    }
    c.shape(count).with_rank_at_least(1).map_err(|e| e.prefixed("the values"))
}

/// A shape with another, unknown first size.
fn other_rows(shape: &Shape) -> Shape {
    match shape.rank() {
        Some(_) => Shape::of_rank(1).concatenate(&shape.slice(Some(1), None)),
        None => Shape::unknown(),
    }
}

fn infer_gather(c: &InferContext<'_>) -> Result<Types> {
    let ragged = c.inputs.len() - 2;
    let values = check_nested(c, ragged)?;
    let at = c.shape(ragged + 1).with_rank_at_least(1)?;
    let asked = c.get(RaggedGather::OUTPUT_RAGGED_RANK)?;
    if let Some(rank) = at.rank()
        && (ragged + rank - 1) as i64 != asked
    {
        bail!(
            "{ragged} ragged axes at indices of rank {rank} make {}, not {asked}",
            ragged + rank - 1
        );
    }
    let count = usize::try_from(asked).ok().filter(|n| *n >= ragged);
    let count =
        count.ok_or_else(|| err!("`OUTPUT_RAGGED_RANK` = {asked} for {ragged} ragged axes"))?;
    if count > ragged.saturating_add(c.inputs.len() + 64) {
        bail!("`OUTPUT_RAGGED_RANK` = {asked} is more than a tensor has axes");
    }
    let splits = TensorType::new(c.input(0).dtype, Shape::of_rank(1));
    let values = TensorType::new(c.input(ragged).dtype, other_rows(&values));
    Ok(std::iter::repeat_n(splits, count).chain([values]).collect())
}

fn gather(c: &KernelContext<'_>) -> Result<Outputs> {
    let ragged = c.inputs.len() - 2;
    let (values, at) = (c.input(ragged), c.input(ragged + 1));
    let n = values.dims()[0];
    let nested = nested(&c.inputs[..ragged], n)?;
    let mut outputs: Vec<Vec<i64>> = Vec::new();
    // The axes of the indices have rows of one length.
    for axis in 1..at.rank() {
        let rows = num_elements(&at.dims()[..axis], 8)?;
        let mut ends = vec_for(rows.saturating_add(1))?;
        ends.extend((0..=rows).map(|row| (row * at.dims()[axis]) as i64));
        outputs.push(ends);
    }
    let mut rows = at.to_i64s()?.into_vec();
    let count = nested[0].len() as i64 - 1;
    if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| !(0..count).contains(*row)) {
        bail!("index {row} at position {i} is not in [0, {count})");
    }
    for ends in &nested {
        let length = |row: &i64| ends[*row as usize + 1] - ends[*row as usize];
        let all = rows.iter().try_fold(0i64, |sum, row| sum.checked_add(length(row)));
        let all = all.ok_or_else(|| err!(ResourceExhausted, "too many values are gathered"))?;
        let (mut inner, mut new_ends) = (vec_for(all as usize)?, vec_for(rows.len() + 1)?);
        new_ends.push(0);
        for row in &rows {
            inner.extend(ends[*row as usize]..ends[*row as usize + 1]);
            new_ends.push(inner.len() as i64);
        }
        outputs.push(new_ends);
        rows = inner;
    }
    let dims: Dims = [rows.len()].iter().chain(&values.dims()[1..]).copied().collect();
    let extents = [1, n, num_elements(&values.dims()[1..], 1)?];
    let picked = only(moved(c, &[values], dims, &Gathered { batch: 1, extents, indices: &rows })?)?;
    let splits = outputs.iter().map(|ends| indices([ends.len()], ends, c.input(0).dtype()));
    splits.chain([Ok(picked)]).collect()
}

/// The numbers of all rows of a tensor, int64.
fn row_numbers(x: &Tensor) -> Result<Tensor> {
    ops::range(0i64, ops::shape_of(x)?.index(0)?.cast(DType::I64)?, 1i64)
}

/// The sum of the cotangents of each row of `x`, for the row that each cotangent belongs to.
fn by_row(dy: &Tensor, rows: &Tensor, x: &Tensor) -> Result<Tensor> {
    ops::unsorted_segment_sum(dy, rows, &ops::shape_of(x)?.index(0)?)
}

fn of_gather(g: &Gradient<'_>) -> Result<InputGradients> {
    let ragged = g.inputs.len() - 2;
    let x = g.x(ragged);
    let mut result: Vec<Option<Tensor>> = vec![None; g.inputs.len()];
    if let Some(dy) = g.cotangents.last().and_then(Option::as_ref) {
        // The same on the numbers of the values says where each came from.
        let numbers = row_numbers(x)?;
        let inputs: Vec<&Tensor> =
            (0..g.inputs.len()).map(|i| if i == ragged { &numbers } else { g.x(i) }).collect();
        let rows = execute(g.op, g.attrs.clone(), &inputs)?.into_vec();
        result[ragged] = rows.last().map(|rows| by_row(dy, rows, x)).transpose()?;
    }
    Ok(result.into_iter().collect())
}

fn infer_sparse(c: &InferContext<'_>) -> Result<Types> {
    let ragged = c.inputs.len() - 1;
    let values = check_nested(c, ragged)?;
    let rank = Dim::from(values.rank().map(|rank| rank + ragged));
    let indices: Shape = [Dim::UNKNOWN, rank].into_iter().collect();
    let sizes: Shape = [rank].into_iter().collect();
    let of = |dtype, shape| TensorType::new(dtype, shape);
    let types = [
        of(DType::I64, indices),
        of(c.input(ragged).dtype, Shape::of_rank(1)),
        of(DType::I64, sizes),
    ];
    Ok(types.into_iter().collect())
}

fn to_sparse(c: &KernelContext<'_>) -> Result<Outputs> {
    let ragged = c.inputs.len() - 1;
    let values = c.input(ragged);
    let nested = nested(&c.inputs[..ragged], values.dims()[0])?;
    let mut sizes: Vec<i64> = vec![nested[0].len() as i64 - 1];
    sizes.extend(nested.iter().map(|ends| ends.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0)));
    sizes.extend(values.dims()[1..].iter().map(|n| *n as i64));
    let rank = sizes.len();
    let len = values
        .len()
        .checked_mul(rank)
        .ok_or_else(|| err!(ResourceExhausted, "too many indices"))?;
    let mut at: Vec<i64> = vec_for(len)?;
    for i in 0..values.len() {
        let from = at.len();
        at.resize(from + rank, 0);
        let at = &mut at[from..];
        let mut rest = i;
        for (axis, size) in values.dims()[1..].iter().enumerate().rev() {
            at[ragged + 1 + axis] = (rest % size) as i64;
            rest /= size;
        }
        // From the innermost axis outwards: the row that holds a number, and its place there.
        let mut number = rest as i64;
        for (axis, ends) in nested.iter().enumerate().rev() {
            let row = ends.partition_point(|end| *end <= number) - 1;
            at[axis + 1] = number - ends[row];
            number = row as i64;
        }
        at[0] = number;
    }
    let at = Array::from_slice([values.len(), rank], &at)?;
    Ok([at, values.reshape([values.len()])?, Array::from_slice([rank], &sizes)?]
        .into_iter()
        .collect())
}

fn of_sparse(g: &Gradient<'_>) -> Result<InputGradients> {
    let last = g.inputs.len() - 1;
    let mut result: Vec<Option<Tensor>> = vec![None; g.inputs.len()];
    if let Some(dy) = &g.cotangents[1] {
        result[last] = Some(dy.reshape(sizes(g.x(last))?)?);
    }
    Ok(result.into_iter().collect())
}

/// The number of ragged axes, and whether their rows are told by splits; the first of the tensors that tell them.
fn partitions(types: &[String]) -> Result<(Vec<bool>, usize)> {
    let first = usize::from(types.first().is_some_and(|t| t == "FIRST_DIM_SIZE"));
    let by_splits = types[first..].iter().map(|t| match &t[..] {
        "ROW_SPLITS" => Ok(true),
        "VALUE_ROWIDS" => Ok(false),
        other => {
            bail!("no partition of rows is called {other:?}; write ROW_SPLITS or VALUE_ROWIDS")
        }
    });
    let by_splits = by_splits.collect::<Result<Vec<_>>>()?;
    match by_splits.first() {
        None => bail!("at least one partition of rows is wanted"),
        Some(false) if first == 0 => {
            bail!("before VALUE_ROWIDS the size of the first axis is wanted, FIRST_DIM_SIZE")
        }
        Some(_) => Ok((by_splits, first)),
    }
}

fn infer_dense(c: &InferContext<'_>) -> Result<Types> {
    let types: Vec<String> = c.get(RaggedTensorToTensor::ROW_PARTITION_TYPES)?;
    let (by_splits, _) = partitions(&types)?;
    if types.len() != c.inputs.len() - 3 {
        bail!("{} partitions of rows for {} tensors", types.len(), c.inputs.len() - 3);
    }
    let values = c.shape(1).with_rank_at_least(1)?;
    let element =
        if values.rank().is_some() { values.slice(Some(1), None) } else { Shape::unknown() };
    let fits = c.shape(2).broadcast(&element).is_ok_and(|both| both.is_compatible_with(&element));
    if !fits {
        bail!("a default of shape {} for values of shape {element}", c.shape(2));
    }
    let free = Shape::of_rank(by_splits.len() + 1);
    let whole = if values.rank().is_some() { free.concatenate(&element) } else { Shape::unknown() };
    let asked = match (c.integers(0), c.shape(0).rank()) {
        (Some(n), Some(0)) if n[..] == [-1] => Shape::unknown(),
        (Some(n), Some(0)) => bail!("the shape is sizes or a scalar -1, not {}", n[0]),
        (Some(n), _) => {
            let size = |n: &i64| match *n {
                -1 => Ok(Dim::UNKNOWN),
                n => {
                    usize::try_from(n).map(Dim::from).map_err(|_| err!("the size {n} is negative"))
                }
            };
            n.iter().map(size).collect::<Result<Shape>>()?
        }
        (None, Some(1)) => c.shape(0).dim(0)?.size().map_or(Shape::unknown(), Shape::of_rank),
        (None, _) => Shape::unknown(),
    };
    one(c.input(1).dtype, whole.merge(&asked)?)
}

/// The row of the result for each row of the values, or `usize::MAX` if it is dropped; and the sizes before those of a value.
fn places(c: &KernelContext<'_>) -> Result<(Vec<usize>, Dims)> {
    let types: Vec<String> = c.get(RaggedTensorToTensor::ROW_PARTITION_TYPES)?;
    let (by_splits, first) = partitions(&types)?;
    let tensors = c.inputs[3..].iter().map(|t| t.to_i64s()).collect::<Result<Vec<_>>>()?;
    let asked = c.input(0).to_i64s()?;
    let asked = |axis: usize| match c.input(0).rank() {
        0 => None,
        _ => asked.get(axis).and_then(|n| usize::try_from(*n).ok()),
    };
    let outer = match first {
        1 => match tensors[0][..] {
            [n] => usize::try_from(n)
                .map_err(|_| err!("the size {n} of the first axis is negative"))?,
            _ => bail!("the size of the first axis is one number"),
        },
        _ => tensors[0]
            .len()
            .checked_sub(1)
            .ok_or_else(|| err!("splits have one number at least"))?,
    };
    // The lengths of the rows of each ragged axis.
    let mut lengths: Vec<Vec<usize>> = Vec::new();
    let mut rows = outer;
    for (tensor, by_splits) in tensors[first..].iter().zip(by_splits) {
        let mut of_axis: Vec<usize> = vec_for(rows)?;
        if by_splits {
            if tensor.len() != rows.saturating_add(1) || tensor[0] != 0 || !tensor.is_sorted() {
                bail!("splits for {rows} rows begin with 0 and ascend; not {tensor:?}");
            }
            of_axis.extend(tensor.windows(2).map(|w| (w[1] - w[0]) as usize));
        } else {
            of_axis.resize(rows, 0);
            for (i, row) in tensor.iter().enumerate() {
                let length = usize::try_from(*row).ok().and_then(|row| of_axis.get_mut(row));
                *length
                    .ok_or_else(|| err!("row {row} at position {i} is not in [0, {rows})"))? += 1;
            }
            if !tensor.is_sorted() {
                bail!("the rows of values ascend; not {tensor:?}");
            }
        }
        rows = of_axis.iter().try_fold(0usize, |sum, n| sum.checked_add(*n)).unwrap_or(usize::MAX);
        lengths.push(of_axis);
    }
    if rows != c.input(1).dims()[0] {
        bail!("{rows} values in the rows; there are {}", c.input(1).dims()[0]);
    }
    let longest = |i: usize| lengths[i].iter().copied().max().unwrap_or(0);
    let sizes: Dims = (0..=lengths.len())
        .map(|axis| {
            asked(axis).unwrap_or_else(|| if axis == 0 { outer } else { longest(axis - 1) })
        })
        .collect();
    num_elements(&sizes, 8)?;
    let kept = |i: usize, size: usize, at: usize| if i < size { at } else { usize::MAX };
    let mut at: Vec<usize> = vec_for(outer)?;
    at.extend((0..outer).map(|i| kept(i, sizes[0], i)));
    for (of_axis, size) in lengths.iter().zip(&sizes[1..]) {
        let mut inner = vec_for(of_axis.iter().sum())?;
        for (parent, length) in at.iter().zip(of_axis) {
            inner.extend((0..*length).map(|i| match *parent {
                usize::MAX => usize::MAX,
                parent => kept(i, *size, parent.wrapping_mul(*size).wrapping_add(i)),
            }));
        }
        at = inner;
    }
    Ok((at, sizes))
}

/// Rows of the first source at places, and the second source, which is one row, elsewhere.
struct Placed<'a>(&'a [usize]);

impl Move for Placed<'_> {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let (values, default) = (sources[0], sources[1]);
        let inner = default.len();
        if inner == 0 {
            return Ok(());
        }
        let write = |out: &mut [MaybeUninit<T>], row: &[T]| {
            out.iter_mut().zip(row).for_each(|(out, x)| *out = MaybeUninit::new(x.clone()));
        };
        out.chunks_exact_mut(inner).for_each(|row| write(row, default));
        for (row, at) in values.chunks_exact(inner).zip(self.0) {
            if *at != usize::MAX {
                write(&mut out[at * inner..][..inner], row);
            }
        }
        Ok(())
    }
}

fn to_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    let (values, default) = (c.input(1), c.input(2));
    let (at, mut dims) = places(c)?;
    let element = &values.dims()[1..];
    // The default along axes of its own, and repeated along the others.
    let missing = element.len() - default.rank();
    let own = row_major(default.dims());
    let strides = (0..element.len()).map(|axis| match axis.checked_sub(missing) {
        Some(i) if default.dims()[i] != 1 => own[i],
        _ => 0,
    });
    let repeated =
        Strided { offset: 0, dims: element.into(), strides: strides.collect(), par: c.par };
    let default = only(moved(c, &[default], element, &repeated)?)?;
    dims.extend_from_slice(element);
    moved(c, &[values, &default], dims, &Placed(&at))
}

fn of_dense(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, default, dy) = (g.x(1), g.x(2), g.dy()?);
    let types: Vec<String> = g.get(RaggedTensorToTensor::ROW_PARTITION_TYPES)?;
    let axes = partitions(&types)?.0.len() as i64 + 1;
    let numbers = row_numbers(x)?;
    let none = Tensor::scalar(-1i64);
    let shape = match g.x(0).rank() {
        Some(0) => g.x(0).clone(),
        Some(_) => g.x(0).reshape([-1i64])?.slice([0i64], [axes])?,
        None => bail!(Unimplemented, "the gradient for a shape of unknown rank"),
    };
    // The same on the numbers of the values says which value is where.
    let rest = (3..g.inputs.len()).map(|i| g.x(i));
    let inputs: Vec<&Tensor> = [&shape, &numbers, &none].into_iter().chain(rest).collect();
    let which = RaggedTensorToTensor { row_partition_types: types.clone() }.run(&inputs)?;
    let of_values = by_row(dy, &which, x)?;
    let empty = ops::select(which.less(0)?, 0i64, -1i64)?;
    let all = ops::unsorted_segment_sum(dy, &empty, 1i64)?.index(0)?;
    let of_default = sum_to(all.clone(), default, &all)?;
    let mut result = vec![None, Some(of_values), of_default];
    result.resize(g.inputs.len(), None);
    Ok(result.into_iter().collect())
}
