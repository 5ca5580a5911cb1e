//! Ops on ragged tensors.

use extype::ops::CharUnit;
use extype::ops::options::Over;
use extype::prelude::*;
use extype_ragged::{RaggedTensor, RowPartition};

use super::Params;
use super::ragged::{RaggedRow, Value, one, row};

macro_rules! unary {
    ($name:literal, $function:expr) => {
        row($name, |_, x| one($function(x[0].ragged()?)))
    };
}

macro_rules! binary {
    ($name:literal, $function:expr) => {
        row($name, |_, x| one($function(x[0].ragged()?, x[1].ragged()?)))
    };
}

macro_rules! reduction {
    ($name:literal, $function:expr) => {
        row($name, |p, x| one($function(x[0].ragged()?, p.axes("axis"), p.flag("keepdims"))))
    };
}

/// The rows.
pub(super) const ROWS: &[RaggedRow] = &[
    unary!("tf.identity", ops::identity),
    unary!("tf.zeros_like", ops::zeros_like),
    unary!("tf.ones_like", ops::ones_like),
    unary!("tf.math.abs", ops::abs),
    unary!("tf.math.ceil", ops::ceil),
    unary!("tf.math.cos", ops::cos),
    unary!("tf.math.erf", ops::erf),
    unary!("tf.math.exp", ops::exp),
    unary!("tf.math.floor", ops::floor),
    unary!("tf.math.is_nan", ops::is_nan),
    unary!("tf.math.log", ops::log),
    unary!("tf.math.log1p", ops::log1p),
    unary!("tf.math.logical_not", ops::logical_not),
    unary!("tf.math.negative", ops::neg),
    unary!("tf.math.rsqrt", ops::rsqrt),
    unary!("tf.math.sigmoid", ops::sigmoid),
    unary!("tf.math.sign", ops::sign),
    unary!("tf.math.sin", ops::sin),
    unary!("tf.math.sqrt", ops::sqrt),
    unary!("tf.math.square", ops::square),
    unary!("tf.math.tanh", ops::tanh),
    unary!("tf.nn.relu", ops::relu),
    unary!("tf.nn.softmax", ops::softmax),
    unary!("tf.nn.log_softmax", ops::log_softmax),
    unary!("tf.strings.lower", ops::lower),
    unary!("tf.strings.strip", ops::strip),
    unary!("tf.strings.upper", ops::upper),
    binary!("tf.math.add", ops::add),
    binary!("tf.math.divide", ops::true_div),
    binary!("tf.math.equal", ops::equal),
    binary!("tf.math.floordiv", ops::floor_div),
    binary!("tf.math.floormod", ops::floor_mod),
    binary!("tf.math.greater", ops::greater),
    binary!("tf.math.greater_equal", ops::greater_equal),
    binary!("tf.math.less", ops::less),
    binary!("tf.math.less_equal", ops::less_equal),
    binary!("tf.math.logical_and", ops::logical_and),
    binary!("tf.math.logical_or", ops::logical_or),
    binary!("tf.math.maximum", ops::maximum),
    binary!("tf.math.minimum", ops::minimum),
    binary!("tf.math.multiply", ops::mul),
    binary!("tf.math.not_equal", ops::not_equal),
    binary!("tf.math.pow", ops::pow),
    binary!("tf.math.subtract", ops::sub),
    reduction!("tf.math.reduce_all", ops::reduce_all),
    reduction!("tf.math.reduce_any", ops::reduce_any),
    reduction!("tf.math.reduce_max", ops::reduce_max),
    reduction!("tf.math.reduce_mean", ops::reduce_mean),
    reduction!("tf.math.reduce_min", ops::reduce_min),
    reduction!("tf.math.reduce_prod", ops::reduce_prod),
    reduction!("tf.math.reduce_std", ops::reduce_std),
    reduction!("tf.math.reduce_sum", ops::reduce_sum),
    reduction!("tf.math.reduce_variance", ops::reduce_variance),
    row("tf.cast", |p, x| one(ops::cast(x[0].ragged()?, p.dtype("dtype", DType::F32)))),
    row("tf.size", |_, x| one(ops::size(x[0].ragged()?)?.cast(DType::I32))),
    row("tf.rank", |_, x| {
        let rank = x[0].ragged()?.rank().ok_or_else(|| Error::invalid("an unknown rank"))?;
        one(Ok(Tensor::scalar(rank as i32)))
    }),
    row("tf.expand_dims", |p, x| one(ops::expand_dims(x[0].ragged()?, p.int("axis", 0)))),
    row("tf.reverse", |p, x| one(ops::reverse(x[0].ragged()?, p.integers("axis")))),
    row("tf.tile", |_, x| one(ops::tile(x[0].ragged()?, x[1].tensor()?))),
    row("tf.concat", |p, x| one(ops::concat(&all(x)?, p.int("axis", 0)))),
    row("tf.stack", |p, x| one(ops::stack(&all(x)?, p.int("axis", 0)))),
    row("tf.split", split),
    row("tf.where", |_, x| match x {
        [condition] => one(ops::where_indices(condition.ragged()?)),
        _ => one(ops::select(x[0].ragged()?, x[1].ragged()?, x[2].ragged()?)),
    }),
    row("tf.gather", |p, x| {
        let (params, indices) = (x[0].ragged()?, x[1].ragged()?);
        let batch_dims = p.int("batch_dims", 0);
        one(match p.json("axis").as_i64() {
            Some(axis) if axis != batch_dims => params.gather_along(&indices, axis, batch_dims),
            _ if batch_dims == 0 => ops::gather(params, indices, 0),
            _ => params.gather_along(&indices, batch_dims, batch_dims),
        })
    }),
    row("tf.gather_nd", |p, x| {
        let mut indices = x[1].ragged()?;
        let dims = p.json(super::state::INPUT_SHAPES)[1].as_array();
        let size = dims.and_then(|dims| dims.last()?.as_u64()).map(|n| n as usize);
        let rank = indices.flat_values.rank().unwrap_or_default();
        let shape = std::iter::repeat_n(Dim::UNKNOWN, rank.saturating_sub(1)).chain([size.into()]);
        if size.is_some() {
            indices.flat_values = indices.flat_values.ensure_shape(shape.collect::<Shape>())?;
        }
        one(ops::gather_nd(x[0].ragged()?, indices))
    }),
    row("tf.nn.embedding_lookup", |_, x| one(ops::gather(x[0].ragged()?, x[1].ragged()?, 0))),
    row("tf.one_hot", |p, x| one(ops::one_hot(x[0].ragged()?, p.int("depth", 0), ..))),
    row("tf.matmul", |p, x| {
        let op = ops::MatMul {
            transpose_a: p.flag("transpose_a") || p.flag("adjoint_a"),
            transpose_b: p.flag("transpose_b") || p.flag("adjoint_b"),
        };
        let (x, y) = (x[0].ragged()?, x[1].ragged()?);
        one(<RaggedTensor as ops::Apply2<RaggedTensor, ops::MatMul>>::apply2(&op, &x, &y))
    }),
    row("tf.broadcast_to", |p, x| {
        let lengths: Vec<i64> = p.integers("row_lengths");
        let zeros = Tensor::from_vec(vec![0i64; lengths.iter().sum::<i64>() as usize]);
        let rows = RaggedTensor::from_row_lengths(zeros, Tensor::from_vec(lengths))?;
        one(x[0].ragged()?.broadcast_like(&rows))
    }),
    row("tf.strings.length", |p, x| {
        let unit = match p.json("unit").as_str() {
            Some("UTF8_CHAR") => CharUnit::Chars,
            _ => CharUnit::Bytes,
        };
        one(ops::string_length(x[0].ragged()?, unit))
    }),
    row("tf.strings.join", |p, x| {
        let separator = p.json("separator").as_str().unwrap_or_default();
        one(ops::string_join(&all(x)?, separator))
    }),
    row("tf.strings.reduce_join", |p, x| {
        let separator = p.json("separator").as_str().unwrap_or_default();
        let over = Over { axes: p.axes("axis"), keep_dims: p.flag("keepdims") };
        one(x[0].ragged()?.reduce_join(separator, over.axes, over.keep_dims))
    }),
    row("tf.ragged.boolean_mask", |_, x| one(x[0].ragged()?.boolean_mask(&x[1].ragged()?))),
    row("tf.ragged.map_flat_values", |_, x| {
        one(x[0].ragged()?.map_flat_values(|values| ops::mul(values, 2)))
    }),
    row("tf.ragged.range", |_, x| {
        let x = x.iter().map(Value::tensor).collect::<Result<Vec<_>>>()?;
        one(match &x[..] {
            [limits] => RaggedTensor::range(limits.zeros_like()?, limits, limits.ones_like()?),
            [starts, limits] => RaggedTensor::range(starts, limits, limits.ones_like()?),
            more => RaggedTensor::range(&more[0], &more[1], &more[2]),
        })
    }),
    row("tf.ragged.row_splits_to_segment_ids", |_, x| {
        one(RowPartition::from_splits(x[0].tensor()?)?.value_rowids())
    }),
    row("tf.ragged.segment_ids_to_row_splits", |_, x| {
        let rows = RowPartition::from_value_rowids(x[0].tensor()?, None)?;
        one(Ok(rows.splits().clone()))
    }),
    row("tf.ragged.stack_dynamic_partitions", |p, x| {
        let n = p.int("num_partitions", 0);
        one(x[0].ragged()?.stack_dynamic_partitions(&x[1].ragged()?, n))
    }),
    row("tf.ragged.stack", |p, x| {
        let stacked = RaggedTensor::stacked(&all(x)?, p.int("axis", 0))?;
        // TensorFlow tells the rows that vectors make by the dtype of their shapes.
        let vectors = x.iter().all(|x| matches!(x, Value::Dense(x) if x.rank() == Some(1)));
        one(match vectors {
            true => stacked.with_row_splits_dtype(DType::I32),
            false => Ok(stacked),
        })
    }),
    row("tf.ragged.cross", |_, x| one(RaggedTensor::cross(&all(x)?.iter().collect::<Vec<_>>()))),
    row("tf.ragged.cross_hashed", |p, x| {
        let (all, n) = (all(x)?, p.int("num_buckets", 0));
        let key = p.json("hash_key").as_i64();
        one(RaggedTensor::cross_hashed(&all.iter().collect::<Vec<_>>(), n, key))
    }),
];

fn all(values: &[Value]) -> Result<Vec<RaggedTensor>> {
    values.iter().map(Value::ragged).collect()
}

fn split(p: &Params, x: &[Value]) -> Result<Vec<Value>> {
    let (x, axis) = (x[0].ragged()?, p.int("axis", 0));
    let parts = match p.json("num_or_size_splits").as_i64() {
        Some(n) => ops::split(x, usize::try_from(n).unwrap_or(0), axis)?,
        None => x.split_sizes(&p.integers("num_or_size_splits"), axis)?,
    };
    Ok(parts.into_iter().map(Value::from).collect())
}
