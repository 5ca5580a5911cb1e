//! `#[derive(StaticData)]`: fields and variants as literals.

use crate::spec::{Fingerprint, Literal, StaticData};
use crate::types::{Result, bail};

/// The literal of a variant (`#[derive(StaticData)]`).
pub fn variant_literal(name: &'static str) -> Literal {
    Literal::Str(name.into())
}

/// A field as a literal.
pub fn static_literal<T: StaticData>(value: &T) -> Literal {
    value.to_literal()
}

/// Equality in the sense of literals.
pub fn same_static<T: StaticData>(a: &T, b: &T) -> bool {
    a.same(b)
}

/// Adds a value to a fingerprint.
#[inline]
pub fn mix_static<T: StaticData>(value: &T, fingerprint: &mut Fingerprint) {
    value.mix_literal(fingerprint);
}

/// Named fields.
pub fn literal_map<const N: usize>(fields: [(&'static str, Literal); N]) -> Literal {
    Literal::Map(fields.into_iter().map(|(name, l)| (name.to_string(), l)).collect())
}

/// Fields by position.
pub fn literal_list<const N: usize>(fields: [Literal; N]) -> Literal {
    Literal::List(fields.into())
}

/// A variant with fields: its name, and the fields.
pub fn variant_with(name: &'static str, fields: Literal) -> Literal {
    Literal::List([variant_literal(name), fields].into())
}

/// The name of a variant, and its fields.
pub fn literal_variant<'a>(literal: &'a Literal, ty: &str) -> Result<(&'a str, &'a Literal)> {
    match literal {
        Literal::Str(name) => Ok((name, &Literal::None)),
        Literal::List(items) => match &items[..] {
            [Literal::Str(name), fields] => Ok((name, fields)),
            _ => bail!("expected a variant of `{ty}`, got {literal}"),
        },
        other => bail!("expected a variant of `{ty}`, got {other}"),
    }
}

/// A named field.
pub fn map_entry<T: StaticData>(fields: &Literal, ty: &str, name: &str) -> Result<T> {
    let Literal::Map(map) = fields else { bail!("expected the fields of a `{ty}`, got {fields}") };
    let Some(literal) = map.get(name) else { bail!("`{ty}` without field `{name}`: {fields}") };
    T::from_literal(literal).map_err(|e| e.prefixed(format!("field `{name}`")))
}

/// A field by position.
pub fn list_entry<T: StaticData>(fields: &Literal, ty: &str, i: usize) -> Result<T> {
    let Literal::List(list) = fields else {
        bail!("expected the fields of a `{ty}`, got {fields}")
    };
    let Some(literal) = list.get(i) else { bail!("`{ty}` without field `{i}`: {fields}") };
    T::from_literal(literal).map_err(|e| e.prefixed(format!("field `{i}`")))
}
