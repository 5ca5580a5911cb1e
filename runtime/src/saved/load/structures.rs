//! Structures of specs and plain data as messages.

use std::borrow::Cow;

use extype_formats::proto::structured_value::Kind;
use extype_formats::proto::type_spec_proto::TypeSpecClass;
use extype_formats::proto::{StructuredValue, TypeSpecProto};

use crate::saved::tensors::{dtype, shape};
use crate::spec::{
    AnySpec, Class, Composite, Literal, Nested, TensorSpec, VariableSpec, anonymous_class,
    classes_named, find_spec,
};
use crate::types::{ErrorKind, Result, TensorType, bail};

/// Reads the spec of all arguments, or of the result, of a function whose flat tensors have these types.
pub(super) fn spec(message: &StructuredValue, flat: &[TensorType]) -> Result<AnySpec> {
    let mut reader = Reader { flat: flat.iter() };
    let spec = reader.read(message)?;
    let (count, rest) = (flat.len(), reader.flat.len());
    match rest {
        0 => Ok(spec),
        _ => bail!("{count} tensors, and {} in the structure {spec}", count - rest),
    }
}

/// Plain data of a message; `None` if it is something else.
pub(super) fn literal(message: &StructuredValue) -> Result<Option<Literal>> {
    Ok(as_literal(&Reader { flat: [].iter() }.read(message)?))
}

struct Reader<'a> {
    /// The types of the tensors that are still to come.
    flat: std::slice::Iter<'a, TensorType>,
}

impl Reader<'_> {
    // Messages are nested at most 100 deep.
    fn read(&mut self, message: &StructuredValue) -> Result<AnySpec> {
        let Some(kind) = &message.kind else {
            bail!(Unimplemented, "a structure of a kind that this version does not know")
        };
        let tensor = |name: &str, shape, dtype| {
            let spec = TensorSpec { shape, dtype, name: None };
            AnySpec::Tensor(if name.is_empty() { spec } else { spec.named(name) })
        };
        Ok(match kind {
            Kind::NoneValue(_) => AnySpec::Literal(Literal::None),
            Kind::Float64Value(x) => AnySpec::Literal(Literal::Float(*x)),
            Kind::Int64Value(x) => AnySpec::Literal(Literal::Int((*x).into())),
            Kind::StringValue(x) => AnySpec::Literal(Literal::Str(x.as_str().into())),
            Kind::BoolValue(x) => AnySpec::Literal(Literal::Bool(*x)),
            Kind::TensorShapeValue(x) => AnySpec::Literal(Literal::Shape(shape(Some(x))?)),
            Kind::TensorDtypeValue(x) => AnySpec::Literal(Literal::DType(dtype(*x)?)),
            Kind::TensorSpecValue(t) => {
                self.flat.next();
                tensor(&t.name, shape(t.shape.as_ref())?, dtype(t.dtype)?)
            }
            Kind::BoundedTensorSpecValue(t) => {
                self.flat.next();
                tensor(&t.name, shape(t.shape.as_ref())?, dtype(t.dtype)?)
            }
            Kind::ListValue(items) => AnySpec::List(Nested::try_new(self.all(&items.values)?)?),
            Kind::TupleValue(items) => AnySpec::Tuple(Nested::try_new(self.all(&items.values)?)?),
            Kind::DictValue(dict) => {
                let field = |(name, value): (&String, _)| Ok((name.clone(), self.read(value)?));
                AnySpec::Map(dict.fields.iter().map(field).collect::<Result<_>>()?)
            }
            Kind::NamedTupleValue(tuple) => {
                let mut fields = Vec::new();
                for pair in &tuple.values {
                    let value = pair.value.as_ref().unwrap_or(&NOTHING);
                    fields.push((Cow::Owned(pair.key.clone()), self.read(value)?));
                }
                composite(anonymous_class(), fields, None)?
            }
            Kind::TypeSpecValue(t) => self.type_spec(t).map_err(|e| {
                let name = &t.type_spec_class_name;
                e.prefixed(format!("the type `{}`", name.strip_suffix(".Spec").unwrap_or(name)))
            })?,
            Kind::TensorValue(_) | Kind::NumpyValue(_) => {
                bail!(Unimplemented, "an array as plain data among the arguments")
            }
        })
    }

    fn all(&mut self, messages: &[StructuredValue]) -> Result<Vec<AnySpec>> {
        messages.iter().map(|m| self.read(m)).collect()
    }

    fn type_spec(&mut self, message: &TypeSpecProto) -> Result<AnySpec> {
        let nothing = StructuredValue::default();
        let state = message.type_state.as_deref().unwrap_or(&nothing);
        let class = TypeSpecClass::try_from(message.type_spec_class);
        match class {
            Ok(TypeSpecClass::ExtensionTypeSpec) => {
                self.extension_type(&message.type_spec_class_name, state)
            }
            Ok(TypeSpecClass::VariableSpec) => {
                self.flat.next();
                variable(state)
            }
            Ok(TypeSpecClass::Unknown) | Err(_) => {
                bail!(Unimplemented, "a type of a kind that this version does not know")
            }
            Ok(_) => self.composite(message, state),
        }
    }

    /// An extension type, by its registered name; one that this program does not have is anonymous.
    fn extension_type(&mut self, name: &str, state: &StructuredValue) -> Result<AnySpec> {
        let AnySpec::Tuple(pairs) = self.read(state)? else {
            bail!("its state is no tuple of fields");
        };
        let mut fields: Vec<(Cow<'static, str>, AnySpec)> = Vec::new();
        for pair in pairs.iter() {
            let AnySpec::Tuple(pair) = pair else { bail!("a field is no pair") };
            let [AnySpec::Literal(Literal::Str(name)), value] = &pair[..] else {
                bail!("a field is no pair of a name and a value");
            };
            // Static data is one literal.
            let value = as_literal(value).map_or_else(|| value.clone(), AnySpec::Literal);
            fields.push((name.to_string().into(), value));
        }
        match find_spec(name.strip_suffix(".Spec").unwrap_or(name)) {
            Ok(class) => {
                // What is a tuple in Python may be a list in Rust.
                let lists = fields.iter().map(|(name, s)| (name.clone(), lists(s))).collect();
                let spec = class.clone().with_fields(fields);
                spec.or_else(|e| class.with_fields(lists).map_err(|_| e))
            }
            Err(e) if e.kind() == ErrorKind::NotFound => composite(anonymous_class(), fields, None),
            Err(e) => Err(e),
        }
    }

    /// A type of TensorFlow itself: an extension type of that name, if the program has one, such as those for rows of
    /// different lengths. Otherwise only its tensors are known.
    fn composite(&mut self, message: &TypeSpecProto, state: &StructuredValue) -> Result<AnySpec> {
        let names: &[&str] = match message.type_spec_class {
            // Rows of different lengths.
            3 => &["shape", "dtype", "ragged_rank", "row_splits_dtype", "flat_values_spec"],
            // Slices at indices.
            2 => &["shape", "dtype", "indices_dtype", "dense_shape_dtype", "indices_shape"],
            _ => &["shape", "dtype"],
        };
        let values = match (Reader { flat: [].iter() }).read(state)? {
            AnySpec::Tuple(values) => values.to_vec(),
            one => vec![one],
        };
        let unnamed = (names.len()..).map(|i| Cow::Owned(format!("field_{i}")));
        let names = names.iter().map(|name| Cow::Borrowed(*name)).chain(unnamed);
        let fields: Vec<(Cow<'static, str>, AnySpec)> = names.zip(values).collect();
        let name = &message.type_spec_class_name;
        let known = classes_named(name.strip_suffix("Spec").unwrap_or(name)).into_iter();
        let fitting = known.filter_map(|class| class.with_fields(fields.clone()).ok());
        let fitting: Vec<AnySpec> = fitting.collect();
        let count = match (usize::try_from(message.num_flat_components), fitting.first()) {
            (Ok(count @ 1..), _) => count,
            // TensorFlow writes the number since version 2.8.
            (_, Some(spec)) => spec.leaves().len(),
            (_, None) => flat_components(message.type_spec_class, &fields),
        };
        let taken = self.flat.as_slice().len().min(count);
        let tensors = self.flat.by_ref().take(taken);
        let tensors = tensors.map(|t| AnySpec::Tensor(TensorSpec::new(&t.shape, t.dtype)));
        let tensors: Vec<AnySpec> = tensors.collect();
        match fitting.into_iter().find(|spec| spec.leaves().len() == count) {
            Some(spec) => Ok(spec),
            None => composite(anonymous_class(), fields, Some(tensors)),
        }
    }
}

/// How many tensors a value of one of TensorFlow's types has.
fn flat_components(class: i32, fields: &[(Cow<'static, str>, AnySpec)]) -> usize {
    let field = |i: usize| match fields.get(i) {
        Some((_, AnySpec::Literal(literal))) => Some(literal),
        _ => None,
    };
    match class {
        // Sparse tensors: indices, values, and the shape.
        1 => 3,
        // Slices at indices, with or without the shape of the whole.
        2 => 2 + usize::from(matches!(field(3), Some(Literal::DType(_)))),
        // Rows of different lengths: the splits of each axis, and the values.
        3 => match field(2) {
            Some(Literal::Int(rank)) => usize::try_from(*rank).unwrap_or(0).saturating_add(1),
            _ => 1,
        },
        // Arrays of tensors, datasets, their iterators, optional values, partitions of rows.
        4..=7 | 10 => 1,
        _ => 0,
    }
}

/// A message without a value.
static NOTHING: StructuredValue = StructuredValue { kind: None };

fn composite(
    class: std::sync::Arc<Class>,
    fields: Vec<(Cow<'static, str>, AnySpec)>,
    components: Option<Vec<AnySpec>>,
) -> Result<AnySpec> {
    Ok(AnySpec::Composite(Nested::try_new(Composite { class, fields, components })?))
}

/// `(shape, dtype, trainable, alias_id)`.
fn variable(state: &StructuredValue) -> Result<AnySpec> {
    let AnySpec::Tuple(fields) = Reader { flat: [].iter() }.read(state)? else {
        bail!("its state is no tuple");
    };
    let literals: Vec<Option<Literal>> = fields.iter().map(as_literal).collect();
    let [Some(Literal::Shape(shape)), Some(Literal::DType(dtype)), Some(trainable), rest @ ..] =
        &literals[..]
    else {
        bail!("its state is not a shape, a dtype and what may be trained");
    };
    let alias_id = match rest.first() {
        Some(Some(Literal::Int(id))) => u32::try_from(*id).ok(),
        _ => None,
    };
    let trainable = *trainable == Literal::Bool(true);
    Ok(AnySpec::Variable(VariableSpec { trainable, alias_id, ..VariableSpec::new(shape, *dtype) }))
}

/// The plain data that a structure is, if it holds nothing else.
pub(super) fn as_literal(spec: &AnySpec) -> Option<Literal> {
    let all = |items: &[AnySpec]| items.iter().map(as_literal).collect::<Option<Vec<_>>>();
    Some(match spec {
        AnySpec::Literal(literal) => literal.clone(),
        AnySpec::Tuple(items) => Literal::Tuple(Nested::try_new(all(items)?).ok()?),
        AnySpec::List(items) => Literal::List(Nested::try_new(all(items)?).ok()?),
        AnySpec::Map(items) => {
            let pair = |(k, v): (&String, &AnySpec)| Some((k.clone(), as_literal(v)?));
            Literal::Map(items.iter().map(pair).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// The same with lists in place of tuples.
fn lists(spec: &AnySpec) -> AnySpec {
    fn literals(literal: &Literal) -> Literal {
        match literal {
            Literal::Tuple(items) | Literal::List(items) => {
                Literal::List(items.iter().map(literals).collect())
            }
            other => other.clone(),
        }
    }
    match spec {
        AnySpec::Tuple(items) | AnySpec::List(items) => {
            AnySpec::List(items.iter().map(lists).collect())
        }
        AnySpec::Literal(literal) => AnySpec::Literal(literals(literal)),
        other => other.clone(),
    }
}
