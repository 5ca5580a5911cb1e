//! serde for dtypes, shapes and specs (feature `serde`).
//!
//! A dtype is its TensorFlow name; a shape a list of sizes, `null` for an unknown one, or `null`
//! for an unknown rank; a spec is its [`SpecValue`].

use std::fmt;

use serde::de::{Error as _, Unexpected, Visitor};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AnySpec, LiteralSpec, SpecValue, StaticData, Structure, TypeSpec};
use crate::types::{DType, Dim, Shape};

impl Serialize for DType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for DType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || D::Error::invalid_value(Unexpected::Str(&name), &"the name of a dtype");
        DType::from_name(&name).ok_or_else(unknown)
    }
}

impl Serialize for Dim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.size().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Dim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let size = Option::<usize>::deserialize(deserializer)?;
        match size.filter(|size| i64::try_from(*size).is_err()) {
            Some(size) => {
                let given = Unexpected::Unsigned(size as u64);
                Err(D::Error::invalid_value(given, &"a size that fits int64"))
            }
            None => Ok(Dim::from(size)),
        }
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.dims().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dims = Option::<Vec<Dim>>::deserialize(deserializer)?;
        Ok(dims.map_or_else(Shape::unknown, |d| d.into_iter().collect()))
    }
}

impl Serialize for AnySpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AnySpec::serialize(self).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnySpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        AnySpec::deserialize(&SpecValue::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<T: StaticData> Serialize for LiteralSpec<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_literal().serialize(serializer)
    }
}

impl<'de, T: StaticData + Structure<Spec = Self>> Deserialize<'de> for LiteralSpec<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let literal = super::Literal::deserialize(deserializer)?;
        T::from_literal(&literal).map(Self).map_err(D::Error::custom)
    }
}

/// Reads a derived spec from its tree.
///
/// # Errors
/// If it is the tree of another spec.
pub fn typed_spec<'de, T: TypeSpec, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let any = <AnySpec as Deserialize>::deserialize(deserializer)?;
    T::from_any(&any).map_err(D::Error::custom)
}

/// Integers beyond 64 bits, which few formats have, are strings in human-readable formats.
pub(super) mod int {
    use super::*;

    pub(in crate::spec) fn serialize<S: Serializer>(x: &i128, s: S) -> Result<S::Ok, S::Error> {
        match i64::try_from(*x) {
            _ if !s.is_human_readable() => s.serialize_i128(*x),
            Ok(x) => s.serialize_i64(x),
            Err(_) => s.collect_str(x),
        }
    }

    struct Int;

    impl Visitor<'_> for Int {
        type Value = i128;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an integer, or a text of one")
        }

        fn visit_i64<E: serde::de::Error>(self, x: i64) -> Result<i128, E> {
            Ok(x.into())
        }

        fn visit_u64<E: serde::de::Error>(self, x: u64) -> Result<i128, E> {
            Ok(x.into())
        }

        fn visit_str<E: serde::de::Error>(self, x: &str) -> Result<i128, E> {
            x.parse().map_err(|_| E::invalid_value(Unexpected::Str(x), &self))
        }
    }

    pub(in crate::spec) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<i128, D::Error> {
        if d.is_human_readable() { d.deserialize_any(Int) } else { i128::deserialize(d) }
    }
}

/// Infinities and NaN, which JSON lacks, are strings in human-readable formats.
pub(super) mod float {
    use super::*;

    pub(in crate::spec) fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        if x.is_finite() || !s.is_human_readable() { s.serialize_f64(*x) } else { s.collect_str(x) }
    }

    struct Float;

    impl Visitor<'_> for Float {
        type Value = f64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a float, or a text of one")
        }

        fn visit_f64<E: serde::de::Error>(self, x: f64) -> Result<f64, E> {
            Ok(x)
        }

        fn visit_i64<E: serde::de::Error>(self, x: i64) -> Result<f64, E> {
            Ok(x as f64)
        }

        fn visit_u64<E: serde::de::Error>(self, x: u64) -> Result<f64, E> {
            Ok(x as f64)
        }

        fn visit_str<E: serde::de::Error>(self, x: &str) -> Result<f64, E> {
            x.parse().map_err(|_| E::invalid_value(Unexpected::Str(x), &self))
        }
    }

    pub(in crate::spec) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        if d.is_human_readable() { d.deserialize_any(Float) } else { f64::deserialize(d) }
    }
}
