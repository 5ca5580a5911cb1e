//! Recorded specs and nests as spec trees.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use extype::TensorSpec;
use extype::spec::{AnySpec, Class, Composite, Hooks, Literal};
use serde_json::Value;

use crate::conformance::values::{Unreadable, dtype, shape};

/// The classes of the two extension types of the generator.
static CLASSES: LazyLock<[Arc<Class>; 2]> = LazyLock::new(|| {
    [("conformance.MaskedTensor", "MaskedTensor"), ("conformance.Labelled", "Labelled")].map(
        |(name, short)| {
            Arc::new(Class {
                name: Cow::Borrowed(name),
                short_name: Cow::Borrowed(short),
                type_id: None,
                hooks: Hooks::STRUCTURAL,
            })
        },
    )
});

/// A recorded spec, nest or static value as a spec.
///
/// # Errors
/// For kinds that this library does not have.
pub(super) fn spec(json: &Value) -> Result<AnySpec, Unreadable> {
    let (kind, inner) = entry(json)?;
    Ok(match kind {
        "tensor_spec" => AnySpec::Tensor(tensor_spec(inner)?),
        "extension_spec" => extension(inner)?,
        "ragged_spec" => super::ragged::spec(inner)?,
        "sparse_spec" => super::sparse::spec(inner)?,
        "namedtuple" => named_tuple(inner)?,
        "tuple" => AnySpec::Tuple(all(inner)?.into()),
        "list" => AnySpec::List(all(inner)?.into()),
        "dict" => AnySpec::Map(pairs(inner)?.into_iter().collect()),
        "int" | "float" | "bool" | "str" | "none" => AnySpec::Literal(literal(json)?),
        other => return Err(Unreadable(other.to_owned())),
    })
}

/// The only key of an object and what is under it.
///
/// # Errors
/// If it is no object.
pub(super) fn entry(json: &Value) -> Result<(&str, &Value), Unreadable> {
    let first = json.as_object().and_then(|o| o.iter().next());
    first.map(|(k, v)| (k.as_str(), v)).ok_or_else(|| Unreadable(json.to_string()))
}

/// A tensor spec from its inside.
///
/// # Errors
/// For an unknown dtype.
pub(super) fn tensor_spec(json: &Value) -> Result<TensorSpec, Unreadable> {
    let spec = TensorSpec::new(shape(&json["shape"]), dtype(&json["dtype"])?);
    Ok(match json["name"].as_str() {
        Some(name) => spec.named(name),
        None => spec,
    })
}

fn all(json: &Value) -> Result<Vec<AnySpec>, Unreadable> {
    json.as_array().map_or(&[][..], Vec::as_slice).iter().map(spec).collect()
}

fn pairs(json: &Value) -> Result<Vec<(String, AnySpec)>, Unreadable> {
    let items = json.as_array().map_or(&[][..], Vec::as_slice);
    let pair = |item: &Value| {
        let key = item[0]["str"].as_str().ok_or_else(|| Unreadable("a key".to_owned()))?;
        Ok((key.to_owned(), spec(&item[1])?))
    };
    items.iter().map(pair).collect()
}

/// Fields are specs of tensors, or static data.
fn extension(json: &Value) -> Result<AnySpec, Unreadable> {
    let class = CLASSES.iter().find(|c| json["name"] == *c.short_name);
    let class = class.ok_or_else(|| Unreadable(json["name"].to_string()))?.clone();
    let given = json["fields"].as_object().ok_or_else(|| Unreadable("no fields".to_owned()))?;
    let field = |(name, json): (&String, &Value)| {
        let value = match entry(json)?.0 {
            "tensor_spec" | "extension_spec" | "ragged_spec" | "sparse_spec" => spec(json)?,
            _ => AnySpec::Literal(literal(json)?),
        };
        Ok((Cow::Owned(name.clone()), value))
    };
    let fields = given.iter().map(field).collect::<Result<_, Unreadable>>()?;
    Ok(AnySpec::Composite(Composite { class, fields, components: None }.into()))
}

/// A tuple whose places have names is a struct: a type that is told by its name and its fields.
fn named_tuple(json: &Value) -> Result<AnySpec, Unreadable> {
    let name = json["name"].as_str().ok_or_else(|| Unreadable("no name".to_owned()))?;
    let class = Class {
        name: Cow::Owned(name.to_owned()),
        short_name: Cow::Owned(name.to_owned()),
        type_id: None,
        hooks: Hooks::STRUCTURAL,
    };
    let field = |field: &Value| {
        let name = field[0].as_str().ok_or_else(|| Unreadable("no field name".to_owned()))?;
        Ok((Cow::Owned(name.to_owned()), spec(&field[1])?))
    };
    let given = json["fields"].as_array().map_or(&[][..], Vec::as_slice);
    let fields = given.iter().map(field).collect::<Result<_, Unreadable>>()?;
    Ok(AnySpec::Composite(Composite { class: Arc::new(class), fields, components: None }.into()))
}

/// Static data.
///
/// # Errors
/// For what is none.
pub(super) fn literal(json: &Value) -> Result<Literal, Unreadable> {
    let (kind, inner) = entry(json)?;
    let found = match kind {
        "none" => Some(Literal::None),
        "int" => inner.as_i64().map(|x| Literal::Int(i128::from(x))),
        "float" => inner.as_f64().map(Literal::Float),
        "bool" => inner.as_bool().map(Literal::Bool),
        "str" => inner.as_str().map(|x| Literal::Str(x.into())),
        "tuple" | "list" => {
            let items = inner.as_array().map_or(&[][..], Vec::as_slice);
            let items = items.iter().map(literal).collect::<Result<_, _>>()?;
            Some(if kind == "tuple" { Literal::Tuple(items) } else { Literal::List(items) })
        }
        _ => None,
    };
    found.ok_or_else(|| Unreadable(format!("static {kind}")))
}
