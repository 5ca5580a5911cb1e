//! Values that were written, also by older versions of their types.

use std::collections::BTreeMap;

use super::serialize::{fields, with_fields_in_order};
use super::{AnySpec, AnyValue, LeafIter, Nested, SpecValue, find_spec};
use crate::tensor::Tensor;
use crate::types::{Error, Result, bail, deep};

impl AnyValue {
    /// A value that was written: its [spec as plain data](AnySpec::serialize), and its
    /// [flat tensors](AnyValue::leaves). Values that older versions of their types wrote, also within others,
    /// are converted. Their types name a function for each version:
    /// `#[extension_type(version = 2, upgrade(1 = …))]`.
    ///
    /// # Errors
    /// As [`AnySpec::deserialize`] and [`AnyValue::from_parts`]; what conversions refuse; `InvalidArgument` for
    /// a version that is not read, or is newer than the type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{AnyValue, SpecValue};
    ///
    /// /// The fields of version 1.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct FirstSpan {
    ///     begin: Tensor,
    ///     length: Tensor,
    /// }
    ///
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(name = "doc.Span", version = 2, upgrade(1 = Span::of_first))]
    /// struct Span {
    ///     begin: Tensor,
    ///     end: Tensor,
    /// }
    ///
    /// impl Span {
    ///     fn of_first(old: FirstSpan) -> Result<Self> {
    ///         Span::new(&old.begin, ops::add(&old.begin, &old.length)?)
    ///     }
    /// }
    ///
    /// // What a program of that time wrote.
    /// let number = TensorSpec::of::<i64>([]);
    /// let fields = FirstSpanSpec { begin: number.clone(), length: number }.serialize()?;
    /// let SpecValue::Spec { state, .. } = fields else { panic!() };
    /// let written = SpecValue::Spec { name: "doc.Span".into(), version: 1, state };
    /// let span = AnyValue::deserialize(&written, vec![scalar(3i64), scalar(4i64)])?;
    /// assert_eq!(span.downcast::<Span>()?.end.item::<i64>()?, 7);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn deserialize(spec: &SpecValue, leaves: Vec<Tensor>) -> Result<AnyValue> {
        let mut leaves = LeafIter::new(leaves);
        let value = read(spec, &mut leaves)?;
        leaves.finish()?;
        Ok(value)
    }
}

/// True if an older version wrote a part of the spec.
pub(crate) fn is_old(value: &SpecValue) -> Result<bool> {
    fn any<'a>(values: impl IntoIterator<Item = &'a SpecValue>) -> Result<bool> {
        values.into_iter().try_fold(false, |old, value| Ok(old || is_old(value)?))
    }
    deep(|| match value {
        SpecValue::Tuple(parts) | SpecValue::List(parts) => any(parts.iter()),
        SpecValue::Dict(parts) => any(parts.values()),
        SpecValue::Option(part) => any(part.as_deref()),
        SpecValue::Spec { name, version, state } => {
            Ok(*version < find_spec(name)?.hooks.version || is_old(state)?)
        }
        _ => Ok(false),
    })
}

/// Reads a value, and takes its tensors.
fn read(value: &SpecValue, leaves: &mut LeafIter) -> Result<AnyValue> {
    deep(|| {
        if !is_old(value)? {
            let spec = AnySpec::deserialize(value)?;
            let own = spec.leaves().iter().map(|_| leaves.take()).collect::<Result<_>>()?;
            return AnyValue::from_parts(spec, own);
        }
        let specs = |parts: &[AnyValue]| parts.iter().map(|p| p.spec().clone()).collect::<Vec<_>>();
        match value {
            SpecValue::Tuple(parts) => {
                let parts = parts.iter().map(|v| read(v, leaves)).collect::<Result<Vec<_>>>()?;
                Ok(AnyValue::joined(AnySpec::Tuple(Nested::try_new(specs(&parts))?), parts))
            }
            SpecValue::List(parts) => {
                let parts = parts.iter().map(|v| read(v, leaves)).collect::<Result<Vec<_>>>()?;
                Ok(AnyValue::joined(AnySpec::List(Nested::try_new(specs(&parts))?), parts))
            }
            SpecValue::Dict(named) => {
                let parts = named.values().map(|v| read(v, leaves)).collect::<Result<Vec<_>>>()?;
                let specs: BTreeMap<_, _> = named.keys().cloned().zip(specs(&parts)).collect();
                Ok(AnyValue::joined(AnySpec::Map(Nested::try_new(specs)?), parts))
            }
            SpecValue::Option(Some(part)) => {
                let part = read(part, leaves)?;
                let spec = AnySpec::Optional(Some(Nested::try_new(part.spec().clone())?));
                Ok(AnyValue::joined(spec, vec![part]))
            }
            SpecValue::Spec { name, version, state } => {
                let made = of_class(name, *version, state, leaves);
                made.map_err(|e| e.prefixed(format!("value of `{name}`")))
            }
            other => Err(Error::internal(format!("no part of it is old: {other:?}"))),
        }
    })
}

/// Reads a value of an extension type, of an older version or with a field of one.
fn of_class(
    name: &str,
    version: u32,
    state: &SpecValue,
    leaves: &mut LeafIter,
) -> Result<AnyValue> {
    let class = find_spec(name)?;
    let fields = fields(state, &mut |value| read(value, leaves))?;
    if version < class.hooks.version {
        let old = AnyValue::anonymous(fields)?;
        return class.fallible_law("upgrade", |hooks| (hooks.upgrade)(version, old));
    }
    let specs = fields.iter().map(|(name, part)| (name.clone(), part.spec().clone()));
    let spec = with_fields_in_order(class, specs.collect())?;
    if matches!(&spec, AnySpec::Composite(c) if c.components.is_some()) {
        bail!("an older version wrote a field of it that is no component");
    }
    Ok(AnyValue::joined(spec, fields.into_iter().map(|(_, part)| part).collect()))
}
