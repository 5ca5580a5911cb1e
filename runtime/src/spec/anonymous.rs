//! Values of extension types that this program does not know: fields without a Rust type.

use std::borrow::Cow;
use std::panic::Location;
use std::sync::{Arc, OnceLock};

use super::{AnySpec, AnyValue, Class, Composite, ExtensionType, Hooks, Nested, SpecEntry};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// The class of all anonymous values, which are distinguished by their fields.
pub(crate) fn class() -> Arc<Class> {
    static CLASS: OnceLock<Arc<Class>> = OnceLock::new();
    let class = || Class {
        name: "extype.AnonymousExtensionType".into(),
        short_name: "AnonymousExtensionType".into(),
        type_id: None,
        hooks: Hooks::STRUCTURAL,
    };
    CLASS.get_or_init(|| Arc::new(class())).clone()
}

inventory::submit! {
    SpecEntry { class, location: || Location::caller() }
}

/// Checks that a field name is a word and is not reserved. Names like `__class__` are reserved for attributes
/// of Python objects.
fn check_name(name: &str) -> Result<()> {
    let word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !word {
        bail!("`{name}` is no name of a field");
    }
    if name.len() > 4 && name.starts_with("__") && name.ends_with("__") {
        bail!("`{name}` is reserved: names of fields don't begin and end with two underscores");
    }
    Ok(())
}

impl AnyValue {
    /// A value with these fields and no Rust type (TensorFlow's `AnonymousExtensionType`). It represents a
    /// value whose type this program does not have. It has no methods, no ops and no validation.
    ///
    /// # Errors
    /// `InvalidArgument` for a name given twice, a name that is no word, or one like `__this__`;
    /// for a field that is a module.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    ///
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Labelled {
    ///     values: Tensor,
    ///     label: String,
    /// }
    ///
    /// let fields = [
    ///     ("values", AnyValue::new(tensor![1.0f32, 2.0])),
    ///     ("label", AnyValue::new("a".to_string())),
    /// ];
    /// let value: Labelled = AnyValue::anonymous(fields)?.reinterpret_as()?;
    /// assert_eq!(value.label, "a");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn anonymous<N: Into<String>>(
        fields: impl IntoIterator<Item = (N, AnyValue)>,
    ) -> Result<AnyValue> {
        let mut named: Vec<(Cow<'static, str>, AnySpec)> = Vec::new();
        let mut values = Vec::new();
        for (name, value) in fields {
            let name: String = name.into();
            check_name(&name)?;
            if named.iter().any(|(n, _)| *n == name) {
                bail!("field `{name}` is given twice");
            }
            if let AnySpec::Custom(c) = value.spec() {
                bail!("field `{name}` is a {}, which is no data: {c:?}", c.kind());
            }
            named.push((name.into(), value.spec().clone()));
            values.push(value);
        }
        let spec = Composite { class: class(), fields: named, components: None };
        Ok(AnyValue::joined(AnySpec::Composite(Nested::try_new(spec)?), values))
    }

    /// The value without its Rust type: the same fields, anonymous. Extension types in its fields keep their
    /// types.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no value of an extension type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Point {
    ///     x: Tensor,
    ///     y: Tensor,
    /// }
    ///
    /// let value = AnyValue::new(Point::new(1.0f32, 2.0f32)?).into_anonymous()?;
    /// assert_eq!(value.field("y")?.downcast::<Tensor>()?.item::<f32>()?, 2.0);
    /// assert!(value.downcast::<Point>().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_anonymous(self) -> Result<AnyValue> {
        let AnySpec::Composite(c) = self.spec() else {
            bail!("only values of extension types are reinterpreted, not {}", self.spec());
        };
        if self.is_packed()? {
            return self.unpack()?.into_anonymous();
        }
        let spec = Composite { class: class(), ..(**c).clone() };
        Ok(AnyValue::joined(AnySpec::Composite(Nested::try_new(spec)?), vec![self]))
    }

    /// The fields of this value as a value of another class (TensorFlow's `reinterpret`). The types of the
    /// fields are checked, and validation runs.
    ///
    /// Fields are not converted: a string that is static data stays static data.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no value of an extension type, for missing, surplus and mistyped fields,
    /// and what the validation of the type refuses.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Point {
    ///     x: Tensor,
    /// }
    ///
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Shift {
    ///     x: Tensor,
    /// }
    ///
    /// let value = AnyValue::new(Point::new(1.0f32)?).reinterpret(&Shift::class())?;
    /// assert_eq!(value.downcast::<Shift>()?.x.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reinterpret(self, class: &Arc<Class>) -> Result<AnyValue> {
        let AnySpec::Composite(c) = self.spec() else {
            bail!("only values of extension types are reinterpreted, not {}", self.spec());
        };
        let as_class = |e: crate::types::Error| e.prefixed(format!("as `{}`", class.short_name));
        let spec = class.clone().with_fields(c.fields.clone()).map_err(as_class)?;
        let leaves = match &spec {
            AnySpec::Composite(made) if c.components.is_none() => self.leaves_for(c, made),
            _ => self.leaves().to_vec(),
        };
        let value = AnyValue::from_parts(spec, leaves).map_err(as_class)?;
        let admitted = class.fallible_law("check", |h| (h.admit)(value.spec(), value.leaves()));
        admitted.map_err(as_class)?;
        Ok(value)
    }

    /// The tensors of the fields, in the field order of another class.
    fn leaves_for(&self, given: &Composite, wanted: &Composite) -> Vec<Tensor> {
        let parts = self.split_leaves(given.fields.iter().map(|(_, s)| s.clone()).collect());
        let place = |name| given.fields.iter().position(|(n, _)| n == name);
        let in_order = wanted.fields.iter().filter_map(|(name, _)| parts.get(place(name)?));
        in_order.flat_map(|part| part.leaves().iter().cloned()).collect()
    }

    /// [`reinterpret`](Self::reinterpret) with a Rust type.
    ///
    /// # Errors
    /// As [`reinterpret`](Self::reinterpret).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Labelled {
    ///     x: Tensor,
    ///     label: String,
    /// }
    ///
    /// let fields = [("x", AnyValue::new(scalar(1.0f32))), ("label", AnyValue::new("a".to_string()))];
    /// let value: Labelled = AnyValue::anonymous(fields)?.reinterpret_as()?;
    /// assert_eq!(value.label, "a");
    /// let e =
    ///     AnyValue::anonymous([("x", AnyValue::new(1i64))])?.reinterpret_as::<Labelled>().unwrap_err();
    /// assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn reinterpret_as<T: ExtensionType>(self) -> Result<T> {
        self.reinterpret(&T::class())?.downcast()
    }

    /// A field of a value of an extension type, by name; a packed value is unpacked for it.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no value of an extension type, or has no such field; if its
    /// components are not its fields.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let fields = [("x", AnyValue::new(scalar(1.0f32))), ("steps", AnyValue::new(3i64))];
    /// let value = AnyValue::anonymous(fields)?;
    /// assert_eq!(value.field("steps")?.downcast::<i64>()?, 3);
    /// assert!(value.field("y").unwrap_err().message().contains("no field `y`, only `x`, `steps`"));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn field(&self, name: &str) -> Result<AnyValue> {
        let AnySpec::Composite(c) = self.spec() else {
            bail!("only values of extension types have fields, not {}", self.spec());
        };
        if self.is_packed()? {
            return self.unpack()?.field(name);
        }
        if c.components.is_some() {
            bail!("the components of `{}` are not its fields", c.class.short_name);
        }
        let specs = c.fields.iter().map(|(_, s)| s.clone()).collect();
        let place = c.fields.iter().position(|(n, _)| n == name);
        let found = place.and_then(|i| self.split_leaves(specs).into_iter().nth(i));
        found.ok_or_else(|| {
            let names = c.fields.iter().map(|(n, _)| format!("`{n}`")).collect::<Vec<_>>();
            crate::types::err!(
                "`{}` has no field `{name}`, only {}",
                c.class.short_name,
                names.join(", ")
            )
        })
    }
}
