//! Recorded values and specs of elements.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use extype::array::Array;
use extype::data::Dataset;
use extype::spec::{AnySpec, AnyValue, Class, Composite, Hooks, Literal, TensorSpec};
use extype::types::Error;
use extype::{Result, Tensor};
use serde_json::Value;

use super::Outcome;
use crate::conformance::compare::{Expected, Tolerance, difference};
use crate::conformance::values::{array, dtype, shape};

/// The extension types of the generator; the last one has no stacks.
static CLASSES: LazyLock<[Arc<Class>; 3]> = LazyLock::new(|| {
    let plain = Hooks {
        stacked: |_, _| Err(Error::invalid("values of `Plain` are not stacked")),
        unstacked: |_| Err(Error::invalid("a `Plain` is no stack")),
        ..Hooks::STRUCTURAL
    };
    [("MaskedTensor", Hooks::STRUCTURAL), ("Labelled", Hooks::STRUCTURAL), ("Plain", plain)].map(
        |(name, hooks)| {
            Arc::new(Class {
                name: Cow::Owned(format!("datasets.{name}")),
                short_name: Cow::Borrowed(name),
                type_id: None,
                hooks,
            })
        },
    )
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
        "ragged" | "sparse" | "optional" | "dataset" => {
            return Err(Outcome::Unsupported(format!("{kind} elements")));
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
    if let Some(list) = parts(got.spec(), json) {
        for (part, json) in got.components().iter().zip(list) {
            if let Some(found) = value_difference(part, json)? {
                return Ok(Some(found));
            }
        }
        return Ok(None);
    }
    let want = value(json)?;
    // Shapes are compared with the tensors.
    if !got.spec().is_compatible_with(want.spec()) {
        return Ok(Some(format!("{} instead of {}", got.spec(), want.spec())));
    }
    for (got, want) in got.leaves().iter().zip(want.leaves()) {
        let (Tensor::Value(got), Tensor::Value(want)) = (got, want) else {
            return Ok(Some("a tensor of a trace".to_owned()));
        };
        let want = Expected { value: Array::clone(want), other: None };
        if let Some(found) = difference(got, &want, Tolerance::default()) {
            return Ok(Some(found.text));
        }
    }
    Ok(None)
}
