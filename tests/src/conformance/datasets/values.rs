//! Recorded values and specs of elements.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use extype::array::Array;
use extype::data::{Dataset, Optional, OptionalSpec};
use extype::prelude::nest;
use extype::spec::{AnySpec, AnyValue, Class, Composite, Hooks, Literal, TensorSpec};
use extype::types::Error;
use extype::{Result, Tensor, TypeSpec as _};
use extype_ragged::{RaggedTensor, RaggedTensorSpec};
use extype_sparse::{SparseTensor, SparseTensorSpec};
use serde_json::Value;

use super::Outcome;
use crate::conformance::compare::{Expected, Tolerance, difference};
use crate::conformance::values::{array, arrays, dtype, shape};

/// The extension types of the generator; the last one has no stacks.
static CLASSES: LazyLock<[Arc<Class>; 4]> = LazyLock::new(|| {
    let plain = Hooks {
        stacked: |_, _| Err(Error::invalid("values of `Plain` are not stacked")),
        unstacked: |_| Err(Error::invalid("a `Plain` is no stack")),
        ..Hooks::STRUCTURAL
    };
    let stacked = ["MaskedTensor", "Labelled", "Bag"].map(|name| (name, Hooks::STRUCTURAL));
    let [masked, labelled, bag] = stacked;
    [masked, labelled, bag, ("Plain", plain)].map(|(name, hooks)| {
        Arc::new(Class {
            name: Cow::Owned(format!("datasets.{name}")),
            short_name: Cow::Borrowed(name),
            type_id: None,
            hooks,
        })
    })
});

/// An extension type with these fields, each a value or static data.
pub(super) fn extension(
    name: &str,
    fields: Vec<(String, std::result::Result<AnyValue, Literal>)>,
) -> Result<AnyValue> {
    let class = CLASSES.iter().find(|c| c.short_name == name);
    let class = class.ok_or_else(|| Error::invalid(format!("no type {name}")))?.clone();
    let (mut specs, mut leaves) = (Vec::new(), Vec::new());
    for (name, field) in fields {
        specs.push((
            Cow::Owned(name),
            match field {
                Ok(value) => {
                    leaves.extend_from_slice(value.leaves());
                    value.spec().clone()
                }
                Err(literal) => AnySpec::Literal(literal),
            },
        ));
    }
    let spec = Composite { class, fields: specs, components: None };
    AnyValue::from_parts(AnySpec::Composite(spec.into()), leaves)
}

/// Several values as one.
pub(super) fn tuple(parts: Vec<AnyValue>) -> Result<AnyValue> {
    let leaves = parts.iter().flat_map(|p| p.leaves().to_vec()).collect();
    let specs: Vec<AnySpec> = parts.iter().map(|p| p.spec().clone()).collect();
    AnyValue::from_parts(AnySpec::Tuple(specs.into()), leaves)
}

/// Values with names as one.
pub(super) fn map(mut parts: Vec<(String, AnyValue)>) -> Result<AnyValue> {
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    let leaves = parts.iter().flat_map(|(_, p)| p.leaves().to_vec()).collect();
    let specs = parts.iter().map(|(k, p)| (k.clone(), p.spec().clone())).collect();
    AnyValue::from_parts(AnySpec::Map(specs), leaves)
}

/// Python's `None`.
pub(super) fn none() -> Result<AnyValue> {
    AnyValue::from_parts(AnySpec::Optional(None), Vec::new())
}

/// A recorded value.
pub(super) fn value(json: &Value) -> std::result::Result<AnyValue, Outcome> {
    let list = |json: &Value| -> std::result::Result<Vec<AnyValue>, Outcome> {
        json.as_array().into_iter().flatten().map(value).collect()
    };
    let Some((kind, inner)) = json.as_object().and_then(|o| o.iter().next()) else {
        return Ok(none()?);
    };
    Ok(match kind.as_str() {
        "tuple" => tuple(list(inner)?)?,
        "dict" => {
            let parts = inner.as_object().into_iter().flatten();
            let parts = parts.map(|(k, v)| Ok((k.clone(), value(v)?)));
            map(parts.collect::<std::result::Result<_, Outcome>>()?)?
        }
        "extension" => {
            let fields = inner["fields"].as_object().into_iter().flatten();
            let field = |(k, v): (&String, &Value)| match v.get("static") {
                Some(text) => {
                    let text = text.as_str().unwrap_or_default();
                    Ok((k.clone(), Err(Literal::Str(text.into()))))
                }
                None => Ok((k.clone(), Ok(value(v)?))),
            };
            let fields = fields.map(field).collect::<std::result::Result<_, Outcome>>()?;
            extension(inner["name"].as_str().unwrap_or_default(), fields)
                .map_err(|e| Outcome::Unsupported(e.message().to_owned()))?
        }
        "ragged" => {
            let parts: Vec<Tensor> = arrays(json)?.into_iter().map(Tensor::from).collect();
            AnyValue::new(RaggedTensor::from_nested_row_splits(&parts[0], &parts[1..])?)
        }
        "sparse" => {
            let parts: Vec<Tensor> = arrays(json)?.into_iter().map(Tensor::from).collect();
            AnyValue::new(SparseTensor::new(&parts[1], &parts[0], &parts[2])?)
        }
        "optional" | "dataset" => {
            return Err(Outcome::Unsupported(format!("{kind}s as inputs")));
        }
        _ => AnyValue::new(Tensor::from(array(json)?)),
    })
}

/// A recorded spec.
pub(super) fn spec(json: &Value) -> std::result::Result<AnySpec, Outcome> {
    let Some((kind, inner)) = json.as_object().and_then(|o| o.iter().next()) else {
        return Err(Outcome::Unsupported("a spec that is none".to_owned()));
    };
    Ok(match kind.as_str() {
        "none" => AnySpec::Optional(None),
        "tensor_spec" => {
            AnySpec::Tensor(TensorSpec::new(shape(&inner["shape"]), dtype(&inner["dtype"])?))
        }
        "tuple" => {
            let parts = inner.as_array().into_iter().flatten().map(spec);
            AnySpec::Tuple(parts.collect::<std::result::Result<Vec<_>, _>>()?.into())
        }
        "dict" => {
            let parts = inner.as_object().into_iter().flatten();
            let parts = parts.map(|(k, v)| Ok((k.clone(), spec(v)?)));
            AnySpec::Map(parts.collect::<std::result::Result<_, Outcome>>()?)
        }
        "ragged_spec" => {
            let (shape, rank) = (shape(&inner["shape"]), inner["ragged_rank"].as_i64());
            let spec = RaggedTensorSpec::with_ragged_rank(
                shape,
                dtype(&inner["dtype"])?,
                rank.unwrap_or(0),
            )?;
            spec.with_row_splits_dtype(dtype(&inner["row_splits_dtype"])?)?.to_any()
        }
        "sparse_spec" => {
            SparseTensorSpec::new(shape(&inner["shape"]), dtype(&inner["dtype"])?).to_any()
        }
        "optional_spec" => OptionalSpec::<AnyValue> { element: spec(&inner["element"])? }.to_any(),
        "extension_spec" => {
            let name = inner["name"].as_str().unwrap_or_default();
            let class = CLASSES.iter().find(|c| c.short_name == name);
            let class = class.ok_or_else(|| Outcome::Unsupported(format!("no type {name}")))?;
            let field = |(k, v): (&String, &Value)| match v.get("static") {
                Some(text) => {
                    let text = text.as_str().unwrap_or_default();
                    Ok((Cow::Owned(k.clone()), AnySpec::Literal(Literal::Str(text.into()))))
                }
                None => Ok((Cow::Owned(k.clone()), spec(v)?)),
            };
            let fields = inner["fields"].as_object().into_iter().flatten().map(field);
            let fields = fields.collect::<std::result::Result<_, Outcome>>()?;
            let spec = Composite { class: class.clone(), fields, components: None };
            AnySpec::Composite(spec.into())
        }
        other => return Err(Outcome::Unsupported(other.replace("_spec", " elements"))),
    })
}

/// The recorded parts of a tuple, or of a map in the order of its keys, if they are as many.
fn parts<'a>(got: &AnySpec, json: &'a Value) -> Option<Vec<&'a Value>> {
    match got {
        AnySpec::Tuple(parts) => {
            let list = json["tuple"].as_array()?;
            (parts.len() == list.len()).then(|| list.iter().collect())
        }
        AnySpec::Map(parts) => {
            let dict = json["dict"].as_object()?;
            (parts.len() == dict.len()).then(|| parts.keys().filter_map(|k| dict.get(k)).collect())
        }
        _ => None,
    }
}

/// How a spec differs from a recorded one.
pub(super) fn spec_difference(
    got: &AnySpec,
    json: &Value,
) -> std::result::Result<Option<String>, Outcome> {
    if let Some(inner) = json.get("dataset_spec") {
        return match got {
            AnySpec::Composite(c) if c.class.short_name == "Dataset" => match c.field("element") {
                Some(element) => spec_difference(element, &inner["element"]),
                None => Ok(Some("a dataset of unknown elements".to_owned())),
            },
            other => Ok(Some(format!("{other} instead of a dataset"))),
        };
    }
    if let Some(list) = parts(got, json) {
        for (part, json) in got.component_specs().iter().zip(list) {
            if let Some(found) = spec_difference(part, json)? {
                return Ok(Some(found));
            }
        }
        return Ok(None);
    }
    let want = spec(json)?;
    Ok((*got != want).then(|| format!("{got} instead of {want}")))
}

/// The dataset that a value is.
pub(super) fn dataset(value: &AnyValue) -> Result<Dataset<AnyValue>> {
    value.clone().downcast()
}

/// How a value differs from a recorded one.
pub(super) fn value_difference(
    got: &AnyValue,
    json: &Value,
) -> std::result::Result<Option<String>, Outcome> {
    if let Some(items) = json.get("dataset").and_then(Value::as_array) {
        let got = dataset(got)?.collect_all()?;
        if got.len() != items.len() {
            return Ok(Some(format!("a window of {} instead of {}", got.len(), items.len())));
        }
        for (got, json) in got.iter().zip(items) {
            if let Some(found) = value_difference(got, json)? {
                return Ok(Some(found));
            }
        }
        return Ok(None);
    }
    if let Some(want) = json.get("optional") {
        let got: Optional<AnyValue> = got.clone().downcast()?;
        return match (got.has_value().item::<bool>()?, want.is_null()) {
            (true, false) => value_difference(&got.get_value()?, want),
            (false, true) => Ok(None),
            _ => Ok(Some(format!("{got:?} instead of {want}"))),
        };
    }
    // A row of a ragged tensor is one without ragged axes, in TensorFlow a plain tensor.
    if let Ok(got) = got.clone().downcast::<RaggedTensor>() {
        return Ok(match (got.ragged_rank(), json.get("ragged")) {
            (0, None) => value_difference(&AnyValue::new(got.flat_values), json)?,
            (0, Some(_)) | (_, None) => Some(format!("{got} instead of {json}")),
            _ => leaf_difference(&nest::flatten(&got), &arrays(json)?),
        });
    }
    if let Some(list) = parts(got.spec(), json) {
        for (part, json) in got.components().iter().zip(list) {
            if let Some(found) = value_difference(part, json)? {
                return Ok(Some(found));
            }
        }
        return Ok(None);
    }
    if let Some(fields) = json["extension"]["fields"].as_object() {
        let want = value(json)?;
        // Shapes are compared with the tensors.
        if !got.spec().is_compatible_with(want.spec()) {
            return Ok(Some(format!("{} instead of {}", got.spec(), want.spec())));
        }
        let fields = fields.values().filter(|field| field.get("static").is_none());
        for (part, json) in got.components().iter().zip(fields) {
            if let Some(found) = value_difference(part, json)? {
                return Ok(Some(found));
            }
        }
        return Ok(None);
    }
    let want = value(json)?;
    if !got.spec().is_compatible_with(want.spec()) {
        return Ok(Some(format!("{} instead of {}", got.spec(), want.spec())));
    }
    let arrays: Vec<Array> = want.leaves().iter().filter_map(|t| t.value().ok().cloned()).collect();
    Ok(leaf_difference(got.leaves(), &arrays))
}

fn leaf_difference(got: &[Tensor], want: &[Array]) -> Option<String> {
    if got.len() != want.len() {
        return Some(format!("{} tensors instead of {}", got.len(), want.len()));
    }
    got.iter().zip(want).find_map(|(got, want)| {
        let Tensor::Value(got) = got else { return Some("a tensor of a trace".to_owned()) };
        let want = Expected { value: want.clone(), other: None };
        difference(got, &want, Tolerance::default()).map(|found| found.text)
    })
}
