//! Functions of ragged tensors: what a row gets and gives, and the rows of the type itself. Those of ops are in
//! `ragged_ops`.

use std::sync::Arc;

use extype::ops::Index;
use extype::prelude::*;
use extype_ragged::{RaggedTensor, RowPartition, Trim};
use serde_json::Value as Json;

use super::Params;
use crate::conformance::Case;
use crate::conformance::modes::Computation;
use crate::conformance::values::{array, splits};

/// An argument or a result.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A tensor.
    Dense(Tensor),
    /// A tensor with ragged axes.
    Ragged(RaggedTensor),
    /// Values, indices and sizes.
    Sparse([Tensor; 3]),
}

impl Value {
    /// A tensor as a ragged one, which may have no ragged axis.
    ///
    /// # Errors
    /// For a sparse tensor.
    pub(super) fn ragged(&self) -> Result<RaggedTensor> {
        match self {
            Self::Dense(x) => RaggedTensor::from_dense(x),
            Self::Ragged(x) => Ok(x.clone()),
            Self::Sparse(_) => Err(Error::invalid("a sparse tensor")),
        }
    }

    /// A dense tensor.
    ///
    /// # Errors
    /// For others.
    pub(super) fn tensor(&self) -> Result<Tensor> {
        match self {
            Self::Dense(x) => Ok(x.clone()),
            _ => Err(Error::invalid("no dense tensor")),
        }
    }

    fn into_tensors(self) -> Vec<Tensor> {
        match self {
            Self::Dense(x) => vec![x],
            Self::Ragged(x) => nest::flatten(&x),
            Self::Sparse(parts) => parts.into(),
        }
    }
}

impl From<RaggedTensor> for Value {
    fn from(x: RaggedTensor) -> Self {
        match x.ragged_rank() {
            0 => Self::Dense(x.flat_values),
            _ => Self::Ragged(x),
        }
    }
}

impl From<Tensor> for Value {
    fn from(x: Tensor) -> Self {
        Self::Dense(x)
    }
}

/// A function of ragged and dense tensors and named arguments.
pub(super) type RaggedFunction = fn(&Params, &[Value]) -> Result<Vec<Value>>;

/// One function of the API.
#[derive(Clone, Copy)]
pub(super) struct RaggedRow {
    /// Its name in Python.
    pub(super) name: &'static str,
    /// What it is here.
    pub(super) function: RaggedFunction,
}

/// A row.
pub(super) const fn row(name: &'static str, function: RaggedFunction) -> RaggedRow {
    RaggedRow { name, function }
}

/// The only result.
///
/// # Errors
/// What the call failed with.
pub(super) fn one<V: Into<Value>>(result: Result<V>) -> Result<Vec<Value>> {
    Ok(vec![result?.into()])
}

/// The call that a case asks for, if it is one of ragged tensors that has a row, and its inputs.
///
/// # Errors
/// With the name of what is unsupported.
pub(super) fn computation(
    case: &Case,
    name: &str,
) -> Option<Result<(Computation, Vec<Tensor>), String>> {
    let is_ragged = |json: &Json| json.get("ragged").is_some();
    let inputs = case.list("inputs");
    if !name.starts_with("tf.RaggedTensor.")
        && !name.starts_with("tf.ragged.")
        && !inputs.iter().chain(case.list("outputs")).any(is_ragged)
    {
        return None;
    }
    let found = ROWS.iter().chain(super::ragged_ops::ROWS).find(|r| r.name == name)?;
    let function = found.function;
    let mut params = case.json["attrs"].clone();
    // How many indices an entry has is known, in TensorFlow too.
    params[super::state::INPUT_SHAPES] = inputs.iter().map(|json| json["shape"].clone()).collect();
    let params = Params::new(&params);
    let kinds: Vec<(Vec<bool>, usize)> =
        inputs.iter().map(|json| (rows_of_one(json), 1 + splits(json))).collect();
    let call = move |flat: &[Tensor]| {
        let mut rest = flat;
        let value = |(ones, n): &(Vec<bool>, usize)| {
            let (own, behind) = rest.split_at(*n);
            rest = behind;
            Ok(match own {
                [x] if ones.is_empty() => Value::Dense(x.clone()),
                [values, splits @ ..] if !ones.is_empty() => {
                    Value::Ragged(with_ones(values, splits, ones)?)
                }
                own => Value::Sparse(own.to_vec().try_into().map_err(|_| Error::invalid("parts"))?),
            })
        };
        let values = kinds.iter().map(value).collect::<Result<Vec<_>>>()?;
        let results = function(&params, &values)?;
        Ok(results.into_iter().flat_map(Value::into_tensors).collect())
    };
    let inputs = match case.flat_inputs() {
        Ok(inputs) => inputs.into_iter().map(Tensor::from).collect(),
        Err(e) => return Some(Err(format!("{name}: {}", e.0))),
    };
    Some(Ok((Arc::new(call), inputs)))
}

/// For each ragged axis of a recorded value whether all its rows have one entry.
fn rows_of_one(json: &Json) -> Vec<bool> {
    let levels = json["ragged"]["row_splits"].as_array().into_iter().flatten();
    let ends = |level: &Json| array(level).ok()?.to_i64s().ok();
    levels
        .map(|level| {
            let ends = ends(level).unwrap_or_default();
            ends.len() > 1 && ends.iter().zip(0..).all(|(end, i)| *end == i)
        })
        .collect()
}

/// A ragged tensor. No record says which rows have one length for certain, and so broadcast; those of one entry each do.
fn with_ones(values: &Tensor, splits: &[Tensor], ones: &[bool]) -> Result<RaggedTensor> {
    let ragged = RaggedTensor::from_nested_row_splits(values, splits)?;
    let rows = |(rows, one): (&RowPartition, &bool)| match one {
        true => RowPartition::from_uniform_row_length(1, rows.nvals()?, Some(&rows.nrows()?)),
        false => Ok(rows.clone()),
    };
    let partitions = ragged.partitions.iter().zip(ones).map(rows).collect::<Result<Vec<_>>>()?;
    RaggedTensor::new(values, partitions)
}

/// The rows of the type: constructors, conversions, indexing.
const ROWS: &[RaggedRow] = &[
    row("tf.RaggedTensor.from_row_splits", |_, x| {
        one(RaggedTensor::from_row_splits(x[0].ragged()?, x[1].tensor()?))
    }),
    row("tf.RaggedTensor.from_row_lengths", |_, x| {
        one(RaggedTensor::from_row_lengths(x[0].ragged()?, x[1].tensor()?))
    }),
    row("tf.RaggedTensor.from_row_starts", |_, x| {
        one(RaggedTensor::from_row_starts(x[0].ragged()?, x[1].tensor()?))
    }),
    row("tf.RaggedTensor.from_row_limits", |_, x| {
        one(RaggedTensor::from_row_limits(x[0].ragged()?, x[1].tensor()?))
    }),
    row("tf.RaggedTensor.from_value_rowids", |p, x| {
        let nrows = nrows(p);
        one(RaggedTensor::from_value_rowids(x[0].ragged()?, x[1].tensor()?, nrows.as_ref()))
    }),
    row("tf.RaggedTensor.from_uniform_row_length", |p, x| {
        let (length, nrows) = (p.int("uniform_row_length", 0), nrows(p));
        let length = usize::try_from(length).map_err(|_| Error::invalid("a negative length"))?;
        one(RaggedTensor::from_uniform_row_length(x[0].ragged()?, length, nrows.as_ref()))
    }),
    row("tf.RaggedTensor.from_nested_row_splits", |_, x| {
        one(RaggedTensor::from_nested_row_splits(x[0].tensor()?, tensors(&x[1..])?))
    }),
    row("tf.RaggedTensor.from_nested_row_lengths", |_, x| {
        one(RaggedTensor::from_nested_row_lengths(x[0].tensor()?, tensors(&x[1..])?))
    }),
    row("tf.RaggedTensor.from_tensor", from_tensor),
    row("tf.RaggedTensor.from_sparse", |_, x| match &x[0] {
        Value::Sparse([values, indices, sizes]) => {
            one(RaggedTensor::from_sparse(values, indices, sizes))
        }
        _ => Err(Error::invalid("no sparse tensor")),
    }),
    row("tf.RaggedTensor.to_tensor", |p, x| {
        let x = x[0].ragged()?;
        let default = constant(p.json("default_value"), x.dtype())?;
        let shape = match p.json("shape").as_array() {
            None => Shape::unknown(),
            Some(dims) => dims.iter().map(|d| Dim::from(d.as_u64().map(|n| n as usize))).collect(),
        };
        one(match default {
            Some(default) => x.to_tensor(default, shape),
            None => x.to_tensor(zero(x.dtype())?, shape),
        })
    }),
    row("tf.RaggedTensor.to_sparse", |_, x| {
        let [indices, values, sizes] = x[0].ragged()?.to_sparse()?;
        Ok(vec![Value::Sparse([values, indices, sizes])])
    }),
    row("tf.RaggedTensor.nrows", |_, x| one(x[0].ragged()?.nrows())),
    row("tf.RaggedTensor.row_lengths", |p, x| one(x[0].ragged()?.row_lengths(p.int("axis", 1)))),
    row("tf.RaggedTensor.row_starts", |_, x| one(x[0].ragged()?.row_starts())),
    row("tf.RaggedTensor.row_limits", |_, x| one(x[0].ragged()?.row_limits())),
    row("tf.RaggedTensor.value_rowids", |_, x| one(x[0].ragged()?.value_rowids())),
    row("tf.RaggedTensor.nested_row_lengths", |_, x| {
        Ok(x[0].ragged()?.nested_row_lengths()?.into_iter().map(Value::from).collect())
    }),
    row("tf.RaggedTensor.bounding_shape", |p, x| {
        let shape = x[0].ragged()?.bounding_shape()?;
        one(match p.json("axis").as_i64() {
            Some(axis) => shape.index(axis),
            None => Ok(shape),
        })
    }),
    row("tf.RaggedTensor.merge_dims", |p, x| {
        one(x[0].ragged()?.merge_dims(p.int("outer_axis", 0), p.int("inner_axis", 1)))
    }),
    row("tf.RaggedTensor.with_row_splits_dtype", |p, x| {
        one(x[0].ragged()?.with_row_splits_dtype(p.dtype("dtype", DType::I64)))
    }),
    row("tf.RaggedTensor.__getitem__", |p, x| {
        let entries = p.json("spec").as_array().into_iter().flatten().map(entry);
        one(x[0].ragged()?.get(entries.collect::<Result<Vec<Index>>>()?))
    }),
];

fn nrows(p: &Params) -> Option<Tensor> {
    p.json("nrows").as_i64().map(Tensor::scalar)
}

fn tensors(values: &[Value]) -> Result<Vec<Tensor>> {
    values.iter().map(Value::tensor).collect()
}

/// A recorded constant of a dtype: a number, a text or a list of these.
fn constant(json: &Json, dtype: DType) -> Result<Option<Tensor>> {
    Ok(Some(match json {
        Json::Null => return Ok(None),
        Json::String(text) => Tensor::from_strings(&[text.as_str()], &[])?,
        Json::Bool(x) => Tensor::scalar(*x),
        Json::Array(items) => {
            let items = items
                .iter()
                .map(|item| constant(item, dtype))
                .collect::<Result<Option<Vec<_>>>>()?;
            ops::stack(&items.ok_or_else(|| Error::invalid("a list with nothing"))?, 0)?
        }
        number => Tensor::scalar(number.as_f64().unwrap_or(f64::NAN)).cast(dtype)?,
    }))
}

fn zero(dtype: DType) -> Result<Tensor> {
    match dtype {
        DType::String => Tensor::from_strings(&[""], &[]),
        dtype => Tensor::scalar(0i64).cast(dtype),
    }
}

fn from_tensor(p: &Params, x: &[Value]) -> Result<Vec<Value>> {
    let x = x[0].tensor()?;
    let lengths = p.json("lengths");
    let trim = match (lengths.as_array(), constant(p.json("padding"), x.dtype())?) {
        (None, None) => Trim::Nothing,
        (None, Some(padding)) => Trim::Padding(padding),
        (Some(levels), _) if levels.iter().all(Json::is_array) => {
            let level = |json: &Json| {
                constant(json, DType::I64)?.ok_or_else(|| Error::invalid("a level without lengths"))
            };
            Trim::NestedLengths(levels.iter().map(level).collect::<Result<_>>()?)
        }
        (Some(_), _) => {
            let lengths = constant(lengths, DType::I64)?;
            Trim::Lengths(lengths.ok_or_else(|| Error::invalid("no lengths"))?)
        }
    };
    let ragged_rank = usize::try_from(p.int("ragged_rank", 1)).unwrap_or(0);
    one(RaggedTensor::from_tensor(x, trim, ragged_rank))
}

/// An entry of an index as it was recorded.
fn entry(json: &Json) -> Result<Index> {
    let bound = |json: &Json| json.as_i64().map(ops::Position::Known);
    match json {
        Json::Number(n) => Ok(Index::from(n.as_i64().unwrap_or(0))),
        Json::String(text) if text == "newaxis" => Ok(NewAxis.into()),
        Json::String(_) => Ok(Ellipsis.into()),
        Json::Array(part) => {
            let (begin, end) = (bound(&part[0]), bound(&part[1]));
            let range = match (begin, end) {
                (None, None) => Index::from(..),
                (Some(a), None) => Index::from(a..),
                (None, Some(b)) => Index::from(..b),
                (Some(a), Some(b)) => Index::from(a..b),
            };
            Ok(ops::step(range, part[2].as_i64().unwrap_or(1)))
        }
        other => Err(Error::invalid(format!("no index: {other}"))),
    }
}
