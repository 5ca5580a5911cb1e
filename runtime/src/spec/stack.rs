//! Specs of stacks: from the spec of one value to that of a batch, and back.

use std::borrow::Cow;
use std::collections::BTreeMap;

use AnySpec as S;

use super::{AnySpec, Composite, Literal, Nested, TensorSpec};
use crate::types::{Dim, Result, Shape, bail, deep};

impl TensorSpec {
    /// The spec of `n` such tensors stacked along a new first axis; the name is dropped
    /// (TensorFlow's `TensorSpec._batch`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let s = TensorSpec::of::<f32>(shape![3]);
    /// assert_eq!(s.stacked(5).shape, shape![5, 3]);
    /// assert_eq!(s.stacked(Dim::UNKNOWN).shape, shape![?, 3]);
    /// ```
    #[doc(alias = "batch")]
    #[must_use]
    pub fn stacked(&self, n: impl Into<Dim>) -> TensorSpec {
        TensorSpec::new(self.shape.insert(0, n.into()), self.dtype)
    }

    /// The spec of one of the tensors that are stacked along the first axis; the name is dropped
    /// (TensorFlow's `TensorSpec._unbatch`).
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, which has no axis to take away.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let rows = TensorSpec::of::<f32>(shape![?, 3]);
    /// assert_eq!(rows.unstacked()?, TensorSpec::of::<f32>([3]));
    /// assert!(TensorSpec::of::<f32>([]).unstacked().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "unbatch")]
    pub fn unstacked(&self) -> Result<TensorSpec> {
        if self.shape.rank() == Some(0) {
            bail!("{self} is no stack: a scalar has no first axis to take away");
        }
        Ok(TensorSpec::new(self.shape.slice(Some(1), None), self.dtype))
    }
}

impl AnySpec {
    /// The spec of `n` values of this type stacked: every tensor gains a first axis.
    ///
    /// In an extension type, static shapes gain the axis too, since they describe the shape of the value;
    /// other static data stays. A type that stacks differently overrides
    /// [`TypeSpec::stacked`](super::TypeSpec::stacked).
    ///
    /// # Errors
    /// `InvalidArgument` for variables and modules, which can't be stacked.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = (TensorSpec::of::<f32>([3]), TensorSpec::of::<i64>([])).to_any();
    /// let wanted = (TensorSpec::of::<f32>([5, 3]), TensorSpec::of::<i64>([5])).to_any();
    /// assert_eq!(spec.stacked(5)?, wanted);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "batch")]
    pub fn stacked(&self, n: impl Into<Dim>) -> Result<AnySpec> {
        let n = n.into();
        match self {
            S::Composite(c) => c.class.fallible_law("stacked", |h| (h.stacked)(self, n)),
            _ => self.default_stacked(n),
        }
    }

    /// [`stacked`](Self::stacked) field by field, without the law of the class itself.
    ///
    /// # Errors
    /// As [`stacked`](Self::stacked).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = vec![TensorSpec::of::<f32>([3])].to_any();
    /// assert_eq!(spec.default_stacked(Dim::UNKNOWN)?, vec![TensorSpec::of::<f32>(shape![?, 3])].to_any());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn default_stacked(&self, n: Dim) -> Result<AnySpec> {
        let change = LevelChange {
            part: &|s| s.stacked(n),
            tensor: &|t| Ok(t.stacked(n)),
            shape: &|s| Ok(s.insert(0, n)),
        };
        change.apply(self)
    }

    /// The spec of one value of a stack of this type: every tensor loses its first axis.
    ///
    /// # Errors
    /// `InvalidArgument` for scalars, which have no first axis, and for variables and modules.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = (TensorSpec::of::<f32>([5, 3]), TensorSpec::of::<i64>([5])).to_any();
    /// assert_eq!(spec.unstacked()?, (TensorSpec::of::<f32>([3]), TensorSpec::of::<i64>([])).to_any());
    /// assert!(spec.unstacked()?.unstacked().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "unbatch")]
    pub fn unstacked(&self) -> Result<AnySpec> {
        match self {
            S::Composite(c) => c.class.fallible_law("unstacked", |h| (h.unstacked)(self)),
            _ => self.default_unstacked(),
        }
    }

    /// [`unstacked`](Self::unstacked) field by field, without the law of the class itself.
    ///
    /// # Errors
    /// As [`unstacked`](Self::unstacked).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = vec![TensorSpec::of::<f32>([5, 3])].to_any();
    /// assert_eq!(spec.default_unstacked()?, vec![TensorSpec::of::<f32>([3])].to_any());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn default_unstacked(&self) -> Result<AnySpec> {
        let change = LevelChange {
            part: &AnySpec::unstacked,
            tensor: &TensorSpec::unstacked,
            shape: &|s| match s.rank() {
                Some(0) => bail!("the shape [] is no shape of a stack: it has no first axis"),
                _ => Ok(s.slice(Some(1), None)),
            },
        };
        change.apply(self)
    }
}

/// How to stack, or unstack, the parts, tensors and static shapes of one level.
struct LevelChange<'a> {
    part: &'a dyn Fn(&AnySpec) -> Result<AnySpec>,
    tensor: &'a dyn Fn(&TensorSpec) -> Result<TensorSpec>,
    shape: &'a dyn Fn(&Shape) -> Result<Shape>,
}

impl LevelChange<'_> {
    fn apply(&self, spec: &AnySpec) -> Result<AnySpec> {
        deep(|| {
            let all = |c: &[AnySpec]| {
                Nested::try_new(c.iter().map(self.part).collect::<Result<Vec<_>>>()?)
            };
            Ok(match spec {
                S::Tensor(t) => S::Tensor((self.tensor)(t)?),
                S::Literal(_) | S::Optional(None) => spec.clone(),
                S::Tuple(c) => S::Tuple(all(c)?),
                S::List(c) => S::List(all(c)?),
                S::Map(m) => {
                    let parts = m.iter().map(|(k, s)| Ok((k.clone(), (self.part)(s)?)));
                    S::Map(Nested::try_new(parts.collect::<Result<BTreeMap<_, _>>>()?)?)
                }
                S::Optional(Some(s)) => S::Optional(Some(Nested::try_new((self.part)(s)?)?)),
                S::Composite(c) => {
                    let field = |(name, s): &(Cow<'static, str>, AnySpec)| {
                        let s = match s {
                            S::Literal(Literal::Shape(s)) => {
                                (self.shape)(s).map(|s| S::Literal(Literal::Shape(s)))
                            }
                            s => (self.part)(s),
                        };
                        Ok((name.clone(), s.map_err(|e| e.prefixed(format!("field `{name}`")))?))
                    };
                    let fields = c.fields.iter().map(field).collect::<Result<_>>()?;
                    Composite { class: c.class.clone(), fields, components: None }.rebuilt()?
                }
                S::Variable(_) | S::Custom(_) => {
                    bail!("a {} can't be stacked or unstacked: {spec}", spec.kind())
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::shape;
    use crate::spec::{Class, Hooks, VariableSpec};
    use crate::types::DType;

    fn composite(fields: Vec<(&'static str, AnySpec)>) -> AnySpec {
        let class = Class {
            name: "test.Network".into(),
            short_name: "Network".into(),
            type_id: None,
            hooks: Hooks::STRUCTURAL,
        };
        let fields = fields.into_iter().map(|(n, s)| (n.into(), s)).collect();
        S::Composite(Composite { class: Arc::new(class), fields, components: None }.into())
    }

    #[test]
    fn tensors_and_shapes_gain_an_axis_and_lose_it_again() {
        let of = |shape: Shape, work: Shape| {
            composite(vec![
                ("shape", S::Literal(Literal::Shape(shape))),
                ("work", S::Tensor(TensorSpec::of::<f32>(work))),
                ("name", S::Literal(Literal::Str("a".into()))),
            ])
        };
        let scalar = of(shape![], shape![8]);
        assert_eq!(scalar.stacked(5).unwrap(), of(shape![5], shape![5, 8]));
        assert_eq!(scalar.stacked(5).unwrap().unstacked().unwrap(), scalar);
        let unknown = of(Shape::unknown(), shape![8]);
        let stack = unknown.stacked(Dim::UNKNOWN).unwrap();
        assert_eq!(stack, of(Shape::unknown(), shape![?, 8]));
        assert_eq!(stack.unstacked().unwrap(), unknown);
        let e = scalar.unstacked().unwrap_err();
        assert!(e.message().contains("field `shape`"), "{e}");
    }

    #[test]
    fn names_are_dropped_and_variables_refused() {
        let t = TensorSpec::of::<f32>([2]).named("x");
        assert_eq!(t.stacked(3), TensorSpec::of::<f32>([3, 2]));
        assert!(TensorSpec::of::<f32>([]).unstacked().is_err());
        assert!(S::Variable(VariableSpec::new([2], DType::F32)).stacked(2).is_err());
    }
}
