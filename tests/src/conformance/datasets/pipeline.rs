//! Pipelines as they are described.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use extype::data::{Column, Dataset, Padding, Remainder, Seed, Window};
use extype::ops::methods::*;
use extype::spec::{AnySpec, AnyValue};
use extype::types::{DType, Dim, Error, Shape};
use extype::{Tensor, ops};
use extype_ragged::{RaggedTensor, Trim};
use extype_sparse::SparseTensor;
use serde_json::Value;

use super::functions::{flat, generator, group, key, mapped, scan, stated, stated_flat, test};
use super::values::{map, spec, tuple, value};
use super::{Outcome, Run};
use crate::conformance::values::{dtype, shape};

type Data = Dataset<AnyValue>;
type Found<T> = Result<T, Outcome>;

/// The dataset of a pipeline. Each step is checked when it is made.
pub(super) fn pipeline(json: &Value, run: Run) -> Found<Data> {
    let mut data = source(&json["source"], run)?.checked()?;
    for json in json["steps"].as_array().into_iter().flatten() {
        data = step(&data, json, run)?.checked()?;
    }
    Ok(data)
}

fn args(json: &Value) -> &[Value] {
    json["args"].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(json: &'a Value, key: &str) -> &'a str {
    json[key].as_str().unwrap_or_default()
}

fn refused(what: &str) -> Outcome {
    Outcome::Refused(Error::invalid(what))
}

/// A count that the types of this library refuse if it is negative.
fn count(json: &Value, key: &str) -> Found<u64> {
    json[key].as_u64().ok_or_else(|| refused("a negative count"))
}

fn usize_of(json: &Value, key: &str) -> Found<usize> {
    count(json, key).map(|n| n as usize)
}

fn int(json: &Value, key: &str, default: i64) -> i64 {
    json[key].as_i64().unwrap_or(default)
}

fn flag(json: &Value, key: &str, default: bool) -> bool {
    json[key].as_bool().unwrap_or(default)
}

fn remainder(json: &Value) -> Remainder {
    if flag(json, "drop_remainder", false) { Remainder::Drop } else { Remainder::Keep }
}

fn dtype_or_i64(json: &Value) -> Found<DType> {
    Ok(if json.is_null() { DType::I64 } else { dtype(json)? })
}

fn pipelines(json: &Value, run: Run) -> Found<Vec<Data>> {
    json.as_array().into_iter().flatten().map(|p| pipeline(p, run)).collect()
}

fn bytes(json: &Value) -> Found<Vec<u8>> {
    let text = json.as_str().unwrap_or_default();
    STANDARD.decode(text).map_err(|e| Outcome::Unsupported(e.to_string()))
}

/// A place for a file or a folder, another one each time.
fn place() -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("extype-datasets-{}-{number}", std::process::id()))
}

/// Files with these contents; they stay until the test is over.
fn files(contents: &[Vec<u8>]) -> Found<Vec<PathBuf>> {
    let write = |content: &Vec<u8>| {
        let path = place();
        std::fs::write(&path, content).map_err(|e| Outcome::Unsupported(e.to_string()))?;
        Ok(path)
    };
    contents.iter().map(write).collect()
}

fn source(json: &Value, run: Run) -> Found<Data> {
    Ok(match text(json, "op") {
        "range" => {
            let (start, stop) = (int(json, "start", 0), int(json, "stop", 0));
            Dataset::range_by(start, stop, int(json, "step", 1), dtype_or_i64(&json["dtype"])?)?
                .to_any()
        }
        "counter" => {
            let dtype = dtype_or_i64(&json["dtype"])?;
            Dataset::counter(int(json, "start", 0), int(json, "step", 1), dtype)?.to_any()
        }
        "random" => Dataset::random(seed(json, "rerandomize", false)).to_any(),
        "from_tensors" => Dataset::from_tensors(value(&json["value"])?),
        "from_tensor_slices" => Dataset::from_tensor_slices(value(&json["value"])?)?,
        "generator" => {
            let spec = spec(&json["spec"])?;
            let (name, args) = (text(json, "fn").to_owned(), args(json).to_vec());
            // It is made once here, to know that there is one.
            generator(&name, &args, &spec)?;
            let of = spec.clone();
            // What doesn't convert is the error of the element, not of the generator.
            Dataset::try_from_iter(move || {
                generator(&name, &args, &of).unwrap_or_else(|_| Vec::new())
            })
            .with_element_spec(&spec)
        }
        "values" => {
            let values = json["values"].as_array().into_iter().flatten().map(value);
            let values: Vec<AnyValue> = values.collect::<Found<_>>()?;
            Dataset::from_iter(move || values.clone()).with_element_spec(&spec(&json["spec"])?)
        }
        "zip" => zip(&json["of"], run)?,
        "choose_from" => {
            let datasets = pipelines(&json["datasets"], run)?;
            let choice = pipeline(&json["choice"], run)?.downcast();
            match flag(json, "stop_on_empty", true) {
                true => Dataset::choose_while_all(&datasets, &choice)?,
                false => Dataset::choose_from(&datasets, &choice)?,
            }
        }
        "sample_from" => {
            let datasets = pipelines(&json["datasets"], run)?;
            let weights = json["weights"].as_array().into_iter().flatten();
            let weights: Vec<f64> = weights.filter_map(Value::as_f64).collect();
            let seed = seed(json, "rerandomize", false);
            match flag(json, "stop_on_empty", false) {
                true => Dataset::sample_while_all(&datasets, &weights, seed)?,
                false => Dataset::sample_from(&datasets, &weights, seed)?,
            }
        }
        "text_lines" => {
            let contents = json["files"].as_array().into_iter().flatten().map(bytes);
            Dataset::text_lines(files(&contents.collect::<Found<Vec<_>>>()?)?).to_any()
        }
        "csv" => csv(json)?,
        other => return Err(Outcome::Unsupported(format!("source {other}"))),
    })
}

fn csv(json: &Value) -> Found<Data> {
    let mut columns = Vec::new();
    for (i, column) in json["columns"].as_array().into_iter().flatten().enumerate() {
        let place = json["select"][i].as_u64().map_or(i, |place| place as usize);
        columns.push(match column.get("type") {
            Some(required) => Column::required(place, dtype(required)?),
            None => match value(column)?.as_tensor() {
                Some(default) => Column::or(place, default.clone()),
                None => return Err(Outcome::Unsupported("a default".to_owned())),
            },
        });
    }
    let delimiter = text(json, "delimiter").bytes().next().unwrap_or(b',');
    let files = files(&[bytes(&json["text"])?])?;
    let header = flag(json, "header", false);
    let rows = Dataset::csv(files, columns, delimiter, header)?;
    // TensorFlow's rows are tuples.
    Ok(rows.map(|row| tuple(row.into_iter().map(AnyValue::new).collect())))
}

fn seed(json: &Value, again: &str, default: bool) -> Seed {
    let seed = Seed::new(int(json, "seed", 0));
    if flag(json, again, default) { seed.reseeded() } else { seed.fixed() }
}

fn zip(json: &Value, run: Run) -> Found<Data> {
    if let Some(parts) = json["tuple"].as_array() {
        let parts: Vec<Data> = parts.iter().map(|p| zip(p, run)).collect::<Found<_>>()?;
        return Ok(Dataset::zip_all(&parts)?.map(tuple));
    }
    if let Some(parts) = json["dict"].as_object() {
        let parts = parts.iter().map(|(k, p)| Ok((k.clone(), zip(p, run)?)));
        let parts = parts.collect::<Found<BTreeMap<String, Data>>>()?;
        return Ok(Dataset::zip_map(&parts)?.map(|parts| map(parts.into_iter().collect())));
    }
    pipeline(json, run)
}

/// The nest of shapes, or of values, in order.
fn flat_nest<T>(json: &Value, leaf: &dyn Fn(&Value) -> Found<T>) -> Found<Vec<T>> {
    let mut all = Vec::new();
    if let Some(parts) = json["tuple"].as_array() {
        for part in parts {
            all.extend(flat_nest(part, leaf)?);
        }
    } else if let Some(parts) = json["dict"].as_object() {
        for (_, part) in parts.iter().collect::<BTreeMap<_, _>>() {
            all.extend(flat_nest(part, leaf)?);
        }
    } else {
        all.push(leaf(json)?);
    }
    Ok(all)
}

fn padding(json: &Value) -> Found<Padding> {
    let mut padding = Padding::default();
    let of_shape = |json: &Value| -> Found<Shape> {
        Ok(shape(if json.is_array() { json } else { &json["shape"] }))
    };
    if !json["shapes"].is_null() {
        padding = padding.shapes(flat_nest(&json["shapes"], &of_shape)?);
    }
    if !json["values"].is_null() {
        let of_value = |json: &Value| match value(json)?.as_tensor() {
            Some(t) => Ok(t.clone()),
            None => Err(Outcome::Unsupported("a padding value".to_owned())),
        };
        padding = padding.values(flat_nest(&json["values"], &of_value)?);
    }
    if flag(json, "to_boundary", false) {
        padding = padding.up_to_boundary();
    }
    Ok(padding)
}

fn with_spec(data: Data, spec: Option<AnySpec>) -> Data {
    match spec {
        Some(spec) => data.with_element_spec(&spec),
        None => data,
    }
}

fn step(data: &Data, json: &Value, run: Run) -> Found<Data> {
    let name = text(json, "fn");
    Ok(match text(json, "op") {
        "concatenate" => data.concatenate(&pipeline(&json["with"], run)?),
        "zip_with" => data.zip(&pipeline(&json["with"], run)?).to_any(),
        "enumerate" => data.enumerate(int(json, "start", 0)).to_any(),
        "map" => {
            let f = mapped(name, args(json))?;
            let spec = data.element_spec().ok().and_then(|spec| stated(name, &spec));
            let mapped = match (json["parallel"].is_null(), run.threads) {
                (true, 1) => data.map(f),
                (true, n) => data.map_parallel(n, f),
                (false, _) => data.map_parallel(usize_of(json, "parallel").unwrap_or(2), f),
            };
            with_spec(mapped, spec)
        }
        "filter" => data.filter(test(name, args(json))?),
        "take_while" => data.take_while(test(name, args(json))?),
        "flat_map" => with_spec(data.flat_map(flat(name, args(json))?), stated_flat(name)),
        "interleave" => {
            let (cycle, block) = (usize_of(json, "cycle")?, int(json, "block", 1) as u64);
            if json["parallel"].as_u64().is_some_and(|n| n > cycle as u64) {
                return Err(refused("there is no number of calls"));
            }
            let data = data.interleave(cycle, block, flat(name, args(json))?);
            with_spec(data, stated_flat(name))
        }
        "batch" => data.batch(usize_of(json, "size")?, remainder(json)),
        "padded_batch" => {
            data.padded_batch(usize_of(json, "size")?, remainder(json), padding(json)?)
        }
        "unbatch" => data.unbatch(),
        "rebatch" => {
            let sizes: Vec<usize> = match json["size"].as_array() {
                Some(list) => list.iter().filter_map(|n| Some(n.as_u64()? as usize)).collect(),
                None => vec![usize_of(json, "size")?],
            };
            data.rebatch(&sizes, remainder(json))
        }
        "shuffle" => {
            let seed = seed(json, "reshuffle", true);
            match json["buffer"].is_string() {
                true => data.shuffle_all(seed),
                false => data.shuffle(usize_of(json, "buffer")?, seed),
            }
        }
        "repeat" => match json["count"].as_u64() {
            Some(n) => data.repeat_n(n),
            None => data.repeat(),
        },
        // There are no negative counts; these are what they mean.
        "take" => json["count"].as_u64().map_or_else(|| data.clone(), |n| data.take(n)),
        "skip" => json["count"].as_u64().map_or_else(|| data.take(0), |n| data.skip(n)),
        "shard" => data.shard(count(json, "num")?, count(json, "index")?),
        "window" => window(data, json)?,
        "group_by_window" => {
            let key = key(text(json, "key"), args(json))?;
            let given = json["reduce_args"].as_array().map_or(&[][..], Vec::as_slice);
            let (group, spec) = group(text(json, "reduce"), given)?;
            with_spec(data.group_by_window(usize_of(json, "size")?, key, group), spec)
        }
        "bucket" => bucket(data, json)?,
        "cache" => data.cache(),
        "snapshot" => data.snapshot(place()),
        "save_load" => {
            let folder = place();
            data.save(&folder)?;
            Dataset::load(folder)?
        }
        // -1: as many as TensorFlow likes.
        "prefetch" if int(json, "count", 0) == -1 => data.prefetch(2),
        "prefetch" => data.prefetch(usize_of(json, "count")?),
        "scan" => {
            let f = scan(name, args(json))?;
            data.scan(value(&json["init"])?, f)
        }
        "unique" => {
            let int = |spec: &AnySpec| match spec {
                AnySpec::Tensor(t) => {
                    matches!(t.dtype, DType::I32 | DType::I64 | DType::String)
                }
                _ => false,
            };
            if data.element_spec().is_ok_and(|spec| !int(&spec)) {
                let text = "TensorFlow refuses `unique` of other elements; here it takes any";
                return Err(Outcome::Unsupported(text.to_owned()));
            }
            data.unique()
        }
        "options" => data.clone(),
        "ignore_errors" => data.ignore_errors(),
        "ragged_batch" => ragged_batch(data, json)?,
        "sparse_batch" => sparse_batch(data, json)?,
        other => return Err(Outcome::Unsupported(format!("step {other}"))),
    })
}

/// TensorFlow's `ragged_batch` is a batch of tensors as ragged ones.
fn ragged_batch(data: &Data, json: &Value) -> Found<Data> {
    let splits = dtype_or_i64(&json["row_splits_dtype"])?;
    let spec = data.element_spec()?;
    let rows = data.map(move |x| each_leaf(&spec, &x, &ragged_row));
    let batches = rows.batch(usize_of(json, "size")?, remainder(json));
    let spec = batches.element_spec()?;
    Ok(batches.map(move |x| {
        each_leaf(&spec, &x, &|_, x| match x.clone().downcast::<RaggedTensor>() {
            Ok(ragged) => Ok(AnyValue::new(ragged.with_row_splits_dtype(splits)?)),
            Err(_) => Ok(x.clone()),
        })
    }))
}

/// The value with a function applied to the parts of its tuples and maps.
fn each_leaf(
    spec: &AnySpec,
    x: &AnyValue,
    f: &dyn Fn(&AnySpec, &AnyValue) -> extype::Result<AnyValue>,
) -> extype::Result<AnyValue> {
    let specs = spec.component_specs();
    let parts = || -> extype::Result<Vec<AnyValue>> {
        x.components().iter().zip(&specs).map(|(x, spec)| each_leaf(spec, x, f)).collect()
    };
    match spec {
        AnySpec::Tuple(_) => tuple(parts()?),
        AnySpec::Map(names) => map(names.keys().cloned().zip(parts()?).collect()),
        _ => f(spec, x),
    }
}

/// A tensor with ragged axes up to the last of unknown size.
fn ragged_row(spec: &AnySpec, x: &AnyValue) -> extype::Result<AnyValue> {
    let AnySpec::Tensor(spec) = spec else { return Ok(x.clone()) };
    let unknown = |dims: &[Dim]| dims.iter().rposition(|d| d.size().is_none());
    Ok(match (spec.shape.dims().and_then(unknown), x.as_tensor()) {
        (Some(0), Some(x)) => AnyValue::new(RaggedTensor::from_dense(x)?),
        (Some(rank), Some(x)) => AnyValue::new(RaggedTensor::from_tensor(x, Trim::Nothing, rank)?),
        _ => x.clone(),
    })
}

/// TensorFlow's `sparse_batch` is a batch of tensors as sparse ones, of which all entries are stored.
fn sparse_batch(data: &Data, json: &Value) -> Found<Data> {
    let sizes = json["row_shape"].as_array().into_iter().flatten();
    let sizes: Vec<i64> = sizes.map(|n| n.as_i64().unwrap_or(-1)).collect();
    let rows = data.map(move |x| {
        let Some(x) = x.as_tensor() else { return Err(Error::invalid("no tensor")) };
        if x.rank().is_some_and(|rank| rank != sizes.len()) {
            return Err(Error::invalid("a tensor of another rank"));
        }
        let at = ops::ones_like(x)?.cast(DType::Bool)?.where_indices()?;
        let values = x.reshape([-1])?;
        // Of sizes that are not given the largest counts.
        let sparse = match sizes.iter().any(|n| *n < 0) {
            false => SparseTensor::new(at, values, Tensor::from_vec(sizes.clone()))?,
            true => {
                let (own, given) = (ops::shape_of(x)?.cast(DType::I64)?, &sizes);
                let given = Tensor::from_vec(given.clone());
                let sizes = ops::select(&given.less(0)?, &own, &given)?;
                SparseTensor::new(at, values, sizes)?
            }
        };
        Ok(AnyValue::new(sparse))
    });
    Ok(rows.batch(usize_of(json, "size")?, Remainder::Keep))
}

/// TensorFlow has a window over each part of an element.
fn window(data: &Data, json: &Value) -> Found<Data> {
    let mut window = Window::of(usize_of(json, "size")?).stride(int(json, "stride", 1) as usize);
    if !json["shift"].is_null() {
        window = window.shift(usize_of(json, "shift")?);
    }
    if remainder(json) == Remainder::Drop {
        window = window.drop_remainder();
    }
    let spec = data.element_spec()?;
    let windows = data.window(window);
    let part =
        |w: &Data, i: usize| AnyValue::new(w.map(move |x: AnyValue| Ok(x.components()[i].clone())));
    Ok(match spec {
        AnySpec::Tuple(parts) => {
            let count = parts.len();
            windows.map(move |w| tuple((0..count).map(|i| part(&w, i)).collect()))
        }
        AnySpec::Map(parts) => {
            let names: Vec<String> = parts.keys().cloned().collect();
            windows.map(move |w| {
                map(names.iter().enumerate().map(|(i, k)| (k.clone(), part(&w, i))).collect())
            })
        }
        _ => windows.map(|w| Ok(AnyValue::new(w))),
    })
}

fn bucket(data: &Data, json: &Value) -> Found<Data> {
    let length = mapped(text(json, "fn"), args(json))?;
    let of = |key: &str| json[key].as_array().into_iter().flatten().filter_map(Value::as_i64);
    let boundaries: Vec<i64> = of("boundaries").collect();
    let sizes: Vec<usize> = of("batch_sizes").map(|n| n as usize).collect();
    Ok(data.bucket_by_length(
        move |x| match length(x.clone())?.as_tensor() {
            Some(n) => n.cast(DType::I64),
            None => Err(Error::invalid("a length is a number")),
        },
        &boundaries,
        &sizes,
        padding(json)?,
        remainder(json),
    ))
}
