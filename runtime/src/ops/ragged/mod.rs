//! Ragged tensors as ops of graphs have them: dense values, and for each ragged axis where its rows begin and the last one
//! ends.

mod kernel;

use self::kernel::{gather, partitions, to_dense, to_sparse};
use crate::define_op;
use crate::ir::{InferContext, Types};
use crate::ops::MOVABLE;
use crate::ops::methods::*;
use crate::ops::rules::gradient::{Gradient, InputGradients, sizes, sum_to};
use crate::ops::rules::infer::one;
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

/// Values `[n, …]` after so many splits, all vectors.
fn check_nested(c: &InferContext<'_>, count: usize) -> Result<Shape> {
    if count == 0 {
        bail!("splits of one ragged axis at least are wanted");
    }
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
    // Axes of the indices are levels of known numbers of rows.
    let mut rows = Some(1usize);
    let mut sizes = at.dims().unwrap_or_default().iter();
    let mut splits = || {
        rows = sizes.next().and_then(|d| rows?.checked_mul(d.size()?));
        let ends = Dim::from(rows.and_then(|rows| rows.checked_add(1)));
        TensorType::new(c.input(0).dtype, [ends].into_iter().collect::<Shape>())
    };
    let splits: Vec<_> = (0..count).map(|_| splits()).collect();
    let values = TensorType::new(c.input(ragged).dtype, other_rows(&values));
    Ok(splits.into_iter().chain([values]).collect())
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

fn of_sparse(g: &Gradient<'_>) -> Result<InputGradients> {
    let last = g.inputs.len() - 1;
    let mut result: Vec<Option<Tensor>> = vec![None; g.inputs.len()];
    if let Some(dy) = &g.cotangents[1] {
        result[last] = Some(dy.reshape(sizes(g.x(last))?)?);
    }
    Ok(result.into_iter().collect())
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
