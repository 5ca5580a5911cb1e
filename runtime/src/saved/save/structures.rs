//! Specs and plain data of functions as the structures of a SavedModel.

use std::collections::BTreeMap;

use extype_formats::proto::structured_value::Kind;
use extype_formats::proto::type_spec_proto::TypeSpecClass;
use extype_formats::proto::{
    DictValue, FunctionSpec, ListValue, NamedTupleValue, NoneValue, PairValue, StructuredValue,
    TensorSpecProto, TupleValue, TypeSpecProto,
};

use crate::saved::tensors::shape_message;
use crate::spec::{AnySpec, Composite, Literal, VariableSpec};
use crate::types::{Result, bail, deep, err};

/// A spec as a structure.
pub(super) fn structure(spec: &AnySpec) -> Result<StructuredValue> {
    deep(|| {
        let all = |items: &[AnySpec]| items.iter().map(structure).collect::<Result<Vec<_>>>();
        Ok(match spec {
            AnySpec::Tensor(t) => value(Kind::TensorSpecValue(Box::new(TensorSpecProto {
                name: t.name.as_deref().unwrap_or_default().to_owned(),
                shape: Some(shape_message(&t.shape)),
                dtype: t.dtype.number(),
            }))),
            AnySpec::Variable(v) => variable(v),
            AnySpec::Literal(data) => literal(data)?,
            AnySpec::Tuple(items) => tuple(all(items)?),
            AnySpec::List(items) => list(all(items)?),
            AnySpec::Map(items) => {
                let field =
                    |(name, spec): (&String, &AnySpec)| Ok((name.clone(), structure(spec)?));
                dict(items.iter().map(field).collect::<Result<_>>()?)
            }
            AnySpec::Optional(None) => none(),
            AnySpec::Optional(Some(inner)) => structure(inner)?,
            AnySpec::Composite(c) => composite(c, spec.leaves().len())?,
            AnySpec::Custom(c) => {
                bail!(Unimplemented, "a {} is known in this program only: {c:?}", c.kind())
            }
        })
    })
}

/// Plain data as a structure.
fn literal(data: &Literal) -> Result<StructuredValue> {
    let all = |items: &[Literal]| items.iter().map(literal).collect::<Result<Vec<_>>>();
    Ok(match data {
        Literal::None => none(),
        Literal::Bool(x) => value(Kind::BoolValue(*x)),
        Literal::Int(x) => match i64::try_from(*x) {
            Ok(x) => value(Kind::Int64Value(x)),
            Err(_) => {
                bail!(Unimplemented, "{x} does not fit into 64 bits, as plain data in files must")
            }
        },
        Literal::Float(x) => value(Kind::Float64Value(*x)),
        Literal::Str(x) => text(x),
        Literal::DType(x) => value(Kind::TensorDtypeValue(x.number())),
        Literal::Shape(x) => value(Kind::TensorShapeValue(shape_message(x))),
        Literal::Bytes(_) => {
            bail!(
                Unimplemented,
                "bytes are no plain data in files; use a text, or a tensor of strings"
            )
        }
        Literal::List(items) => list(all(items)?),
        Literal::Tuple(items) => tuple(all(items)?),
        Literal::Map(items) => {
            let field = |(name, data): (&String, &Literal)| Ok((name.clone(), literal(data)?));
            dict(items.iter().map(field).collect::<Result<_>>()?)
        }
    })
}

/// An extension type: its registered name, and pairs of the names of its fields and their values.
fn composite(c: &Composite, leaves: usize) -> Result<StructuredValue> {
    let name = c.class.registered_name()?;
    let of = |e: crate::Error| e.prefixed(format!("the type `{name}`"));
    let own = c.components.as_ref().map(|own| own.iter().map(|s| s.leaves().len()).sum::<usize>());
    let fields: usize = c.fields.iter().map(|(_, field)| field.leaves().len()).sum();
    if own.is_some_and(|own| own != fields) {
        return Err(of(err!(
            Unimplemented,
            "its values are made of other tensors than its fields, which TensorFlow can't know"
        )));
    }
    let pair = |(name, field): &(std::borrow::Cow<'static, str>, AnySpec)| {
        let field = structure(field).map_err(|e| of(e.prefixed(format!("field `{name}`"))))?;
        Ok(tuple(vec![text(name), frozen(field)]))
    };
    let state = tuple(c.fields.iter().map(pair).collect::<Result<_>>()?);
    Ok(type_spec(TypeSpecClass::ExtensionTypeSpec, format!("{name}.Spec"), state, leaves))
}

/// The same with tuples in place of lists, which extension types of TensorFlow do not have.
fn frozen(mut structure: StructuredValue) -> StructuredValue {
    match structure.kind.take() {
        Some(Kind::ListValue(ListValue { values }) | Kind::TupleValue(TupleValue { values })) => {
            tuple(values.into_iter().map(frozen).collect())
        }
        Some(Kind::DictValue(DictValue { fields })) => {
            dict(fields.into_iter().map(|(name, field)| (name, frozen(field))).collect())
        }
        kind => StructuredValue { kind },
    }
}

/// `(shape, dtype, trainable, alias_id)`.
fn variable(spec: &VariableSpec) -> StructuredValue {
    let alias = spec.alias_id.map_or_else(none, |id| value(Kind::Int64Value(id.into())));
    let state = tuple(vec![
        value(Kind::TensorShapeValue(shape_message(&spec.shape))),
        value(Kind::TensorDtypeValue(spec.dtype.number())),
        value(Kind::BoolValue(spec.trainable)),
        alias,
    ]);
    type_spec(TypeSpecClass::VariableSpec, "VariableSpec".into(), state, 1)
}

fn type_spec(
    class: TypeSpecClass,
    name: String,
    state: StructuredValue,
    leaves: usize,
) -> StructuredValue {
    value(Kind::TypeSpecValue(Box::new(TypeSpecProto {
        type_spec_class: class.into(),
        type_state: Some(Box::new(state)),
        type_spec_class_name: name,
        num_flat_components: leaves as i32,
    })))
}

/// The parameters of a function, as Python tells them.
pub(super) fn function_spec(parameters: &[String], only_named: &[String]) -> FunctionSpec {
    let names = |names: &[String]| list(names.iter().map(|name| text(name)).collect());
    let fields = [
        ("args", names(parameters)),
        ("varargs", none()),
        ("varkw", none()),
        ("defaults", none()),
        ("kwonlyargs", names(only_named)),
        ("kwonlydefaults", none()),
        ("annotations", dict(BTreeMap::new())),
    ];
    let values =
        fields.map(|(key, value)| PairValue { key: key.to_owned(), value: Some(value) }).into();
    let spec = NamedTupleValue { name: "FullArgSpec".to_owned(), values };
    FunctionSpec {
        fullargspec: Some(value(Kind::NamedTupleValue(spec))),
        input_signature: Some(none()),
        ..FunctionSpec::default()
    }
}

/// The arguments of a function: those by position, and those by name.
pub(super) fn canonical(
    positional: Vec<StructuredValue>,
    named: BTreeMap<String, StructuredValue>,
) -> StructuredValue {
    tuple(vec![tuple(positional), dict(named)])
}

fn value(kind: Kind) -> StructuredValue {
    StructuredValue::new(kind)
}

fn none() -> StructuredValue {
    value(Kind::NoneValue(NoneValue {}))
}

fn text(text: &str) -> StructuredValue {
    value(Kind::StringValue(text.to_owned()))
}

fn list(values: Vec<StructuredValue>) -> StructuredValue {
    value(Kind::ListValue(ListValue { values }))
}

fn tuple(values: Vec<StructuredValue>) -> StructuredValue {
    value(Kind::TupleValue(TupleValue { values }))
}

pub(super) fn dict(fields: BTreeMap<String, StructuredValue>) -> StructuredValue {
    value(Kind::DictValue(DictValue { fields }))
}
