//! Specs as plain data, which can be sent and stored.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AnySpec, Class, Composite, Literal, Nested, TensorSpec, VariableSpec, find_spec};
use crate::types::{Result, bail, deep, err};

/// A spec as plain data, to be stored.
///
/// This is the limited set of the extension-types RFC: truth values, integers, strings, floats,
/// nothing, dtypes, shapes and lists and maps of these (all [`Literal`]s); tensor specs; specs of
/// other types by their registered name; and tuples, lists and dicts of the above. Variables and
/// options, which are types here, have cases of their own. No case refers to a Rust type: a spec
/// of an extension type is found again through the registry.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::SpecValue;
///
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(name = "doc.Labelled")]
/// struct Labelled {
///     values: Tensor,
///     #[static_data]
///     label: String,
/// }
///
/// let spec = Labelled::new([1.0f32, 2.0], "a".to_string())?.type_spec();
/// let data = spec.serialize()?;
/// let SpecValue::Spec { name, version: 1, state } = &data else { panic!() };
/// assert_eq!(name, "doc.Labelled");
/// let SpecValue::Tuple(fields) = &**state else { panic!() };
/// assert_eq!(fields.len(), 2); // pairs of a name and a value
/// assert_eq!(TypeSpec::deserialize(&data).ok(), Some(spec));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SpecValue {
    /// Static data.
    Literal(Literal),
    /// The spec of a tensor.
    Tensor(TensorSpec),
    /// The spec of a variable.
    Variable(VariableSpec),
    /// Several values in a row: a tuple or an array.
    Tuple(Nested<[SpecValue]>),
    /// A list of any length.
    List(Nested<[SpecValue]>),
    /// A string-keyed map.
    Dict(Nested<BTreeMap<String, SpecValue>>),
    /// A value that may be missing.
    Option(Option<Nested<SpecValue>>),
    /// The spec of an extension type: its registered name, the version of its fields, and a tuple of
    /// pairs, each the name of a field and its value, in the order of the fields.
    Spec {
        /// The registered name.
        name: String,
        /// The version of the type that wrote it: [`ExtensionType::VERSION`](super::ExtensionType::VERSION).
        #[cfg_attr(feature = "serde", serde(default = "first_version"))]
        version: u32,
        /// The fields.
        state: Nested<SpecValue>,
    },
}

/// The version of what was written without one.
#[cfg(feature = "serde")]
fn first_version() -> u32 {
    1
}

impl AnySpec {
    /// The spec as plain data.
    ///
    /// # Errors
    /// `NotFound` for a type without a registered name, `AlreadyExists` for a name that two types
    /// have; `InvalidArgument` for modules, which are known by identity, and for a spec whose data
    /// would nest deeper than 4224 (an extension type takes three levels).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::SpecValue;
    /// let spec = (TensorSpec::of::<f32>([2]), TensorSpec::of::<i64>([])).to_any();
    /// let SpecValue::Tuple(parts) = spec.serialize()? else { panic!() };
    /// assert_eq!(parts[1], SpecValue::Tensor(TensorSpec::of::<i64>([])));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn serialize(&self) -> Result<SpecValue> {
        deep(|| {
            let all = |c: &[AnySpec]| {
                Nested::try_new(c.iter().map(AnySpec::serialize).collect::<Result<Vec<_>>>()?)
            };
            Ok(match self {
                AnySpec::Tensor(t) => SpecValue::Tensor(t.clone()),
                AnySpec::Variable(v) => SpecValue::Variable(v.clone()),
                AnySpec::Literal(l) => SpecValue::Literal(l.clone()),
                AnySpec::Tuple(c) => SpecValue::Tuple(all(c)?),
                AnySpec::List(c) => SpecValue::List(all(c)?),
                AnySpec::Map(m) => {
                    let parts = m.iter().map(|(k, s)| Ok((k.clone(), s.serialize()?)));
                    SpecValue::Dict(Nested::try_new(parts.collect::<Result<BTreeMap<_, _>>>()?)?)
                }
                AnySpec::Optional(o) => {
                    let inner = o.as_ref().map(|s| Nested::try_new(s.serialize()?));
                    SpecValue::Option(inner.transpose()?)
                }
                AnySpec::Composite(c) => {
                    let name = c.class.registered_name()?.to_owned();
                    let field = |(name, s): &(Cow<'static, str>, AnySpec)| {
                        let s = s.serialize().map_err(|e| e.prefixed(format!("field `{name}`")))?;
                        Ok(SpecValue::Tuple(Nested::try_new([text(name), s])?))
                    };
                    let fields = c.fields.iter().map(field).collect::<Result<Vec<_>>>()?;
                    let state = SpecValue::Tuple(Nested::try_new(fields)?);
                    let version = c.class.hooks.version;
                    SpecValue::Spec { name, version, state: Nested::try_new(state)? }
                }
                AnySpec::Custom(c) => {
                    bail!(
                        "a {} is known in this program only, and can't be stored: {c:?}",
                        c.kind()
                    )
                }
            })
        })
    }

    /// The spec from its plain data; extension types are found by their registered names.
    ///
    /// # Errors
    /// `NotFound` for a name that no type is registered with, `AlreadyExists` if two types have it;
    /// `InvalidArgument` if the fields are not those of the type, and for a spec that another version of the
    /// type wrote: only values are converted, by [`AnyValue::deserialize`](super::AnyValue::deserialize).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnySpec;
    /// use extype::spec::SpecValue;
    /// let data = SpecValue::List([SpecValue::Tensor(TensorSpec::of::<f32>([2]))].into());
    /// assert_eq!(AnySpec::deserialize(&data)?, vec![TensorSpec::of::<f32>([2])].to_any());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn deserialize(value: &SpecValue) -> Result<AnySpec> {
        deep(|| {
            let all = |c: &[SpecValue]| {
                Nested::try_new(c.iter().map(Self::deserialize).collect::<Result<Vec<_>>>()?)
            };
            Ok(match value {
                SpecValue::Literal(l) => AnySpec::Literal(l.clone()),
                SpecValue::Tensor(t) => AnySpec::Tensor(t.clone()),
                SpecValue::Variable(v) => AnySpec::Variable(v.clone()),
                SpecValue::Tuple(c) => AnySpec::Tuple(all(c)?),
                SpecValue::List(c) => AnySpec::List(all(c)?),
                SpecValue::Dict(m) => {
                    let parts = m.iter().map(|(k, v)| Ok((k.clone(), Self::deserialize(v)?)));
                    AnySpec::Map(Nested::try_new(parts.collect::<Result<BTreeMap<_, _>>>()?)?)
                }
                SpecValue::Option(o) => {
                    let inner = o.as_ref().map(|v| Nested::try_new(Self::deserialize(v)?));
                    AnySpec::Optional(inner.transpose()?)
                }
                SpecValue::Spec { name, version, state } => {
                    let class = find_spec(name)?;
                    let spec = || {
                        check_version(&class, *version)?;
                        with_fields_in_order(class, fields(state, &mut Self::deserialize)?)
                    };
                    spec().map_err(|e| e.prefixed(format!("spec of `{name}`")))?
                }
            })
        })
    }
}

fn text(name: &str) -> SpecValue {
    SpecValue::Literal(Literal::Str(name.into()))
}

fn check_version(class: &Class, version: u32) -> Result<()> {
    let own = class.hooks.version;
    if version < own {
        bail!(
            "it was written by version {version} of the type, which has version {own}; \
             `AnyValue::deserialize` reads such values"
        );
    }
    if version > own {
        bail!("it was written by version {version} of the type; this program has version {own}");
    }
    Ok(())
}

/// The fields in the state of a spec, each read by a function.
pub(super) fn fields<T>(
    state: &SpecValue,
    read: &mut dyn FnMut(&SpecValue) -> Result<T>,
) -> Result<Vec<(Cow<'static, str>, T)>> {
    let SpecValue::Tuple(pairs) = state else { bail!("the state is no tuple of fields") };
    let field = |pair: &SpecValue| match pair {
        SpecValue::Tuple(pair) => match &pair[..] {
            [SpecValue::Literal(Literal::Str(name)), value] => {
                Ok((name.to_string().into(), read(value)?))
            }
            _ => Err(err!("a field is no pair of a name and a value")),
        },
        _ => Err(err!("a field is no pair of a name and a value")),
    };
    pairs.iter().map(field).collect()
}

/// The spec of a class with these fields, which were written in the order of the type.
pub(super) fn with_fields_in_order(
    class: Arc<Class>,
    fields: Vec<(Cow<'static, str>, AnySpec)>,
) -> Result<AnySpec> {
    let names: Vec<_> = fields.iter().map(|(name, _)| name.clone()).collect();
    let spec = class.with_fields(fields)?;
    if let AnySpec::Composite(made) = &spec
        && made.fields.iter().map(|(name, _)| name).ne(&names)
    {
        // The stored tensors are in the order of the stored fields.
        let wanted: Vec<_> = made.fields.iter().map(|(name, _)| name.as_ref()).collect();
        bail!(
            "it was written with the fields {}, the type has {}",
            names.join(", "),
            wanted.join(", ")
        );
    }
    Ok(spec)
}

impl Class {
    /// The spec of this class with these fields, which must be exactly those of the type.
    pub(crate) fn with_fields(
        self: Arc<Class>,
        fields: Vec<(Cow<'static, str>, AnySpec)>,
    ) -> Result<AnySpec> {
        let given = fields.clone();
        let spec = Composite { class: self, fields, components: None }.rebuilt()?;
        if let AnySpec::Composite(made) = &spec {
            let known = |name: &str| made.fields.iter().any(|(n, _)| n == name);
            if let Some((extra, _)) = given.iter().find(|(n, _)| !known(n)) {
                bail!("`{}` has no field `{extra}`", made.class.short_name);
            }
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DType, ErrorKind, Shape};

    #[test]
    fn every_container_and_literal_round_trips() {
        let t = || AnySpec::Tensor(TensorSpec::of::<f32>(Shape::unknown()).named("x"));
        let l = AnySpec::Literal;
        let map = [("a".to_owned(), t()), ("b".to_owned(), AnySpec::List([].into()))];
        let spec = AnySpec::Tuple(
            [
                AnySpec::List([t(), l(Literal::Float(f64::NAN)), l(Literal::None)].into()),
                AnySpec::Map(map.into()),
                AnySpec::Optional(None),
                AnySpec::Optional(Some(AnySpec::Optional(None).into())),
                AnySpec::Variable(VariableSpec::new([2], DType::I64)),
                l(Literal::List([].into())),
                l(Literal::Map([("k".to_owned(), Literal::Bool(true))].into())),
                l(Literal::DType(DType::BF16)),
                l(Literal::Shape(Shape::unknown())),
            ]
            .into(),
        );
        let data = spec.serialize().unwrap();
        assert!(matches!(&data, SpecValue::Tuple(c) if matches!(c[1], SpecValue::Dict(_))));
        assert_eq!(AnySpec::deserialize(&data).unwrap(), spec);
    }

    #[test]
    fn unknown_names_and_broken_states_are_refused() {
        let state = SpecValue::Tuple([].into()).into();
        let unknown = SpecValue::Spec { name: "no.Such".into(), version: 1, state };
        assert_eq!(AnySpec::deserialize(&unknown).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
