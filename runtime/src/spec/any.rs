//! Specs as trees, and the laws of types, written once.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Composite, Literal, Nested, TensorSpec, TraceType, VariableSpec};
use crate::types::{Result, bail, caught, deep};

/// A spec without its Rust type: the type of any structure as a tree.
///
/// Equality, hashing and printing use the tree. If an extension type defines laws of its own, they apply at
/// any depth.
///
/// ```
/// use extype::prelude::*;
/// let x = (vec![tensor![1.0f32, 2.0]], 3i64);
/// let spec = x.type_spec().to_any();
/// assert_eq!(spec.to_string(), "([TensorSpec([2], float32)], 3)");
/// let other = (vec![tensor![1.0f32, 2.0, 3.0]], 3i64).type_spec().to_any();
/// let both = spec.most_specific_common_supertype(&other).expect("sizes generalize");
/// assert_eq!(both.to_string(), "([TensorSpec([?], float32)], 3)");
/// assert!(spec.is_subtype_of(&both) && !spec.is_compatible_with(&other));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnySpec {
    /// A tensor.
    Tensor(TensorSpec),
    /// A variable.
    Variable(VariableSpec),
    /// Static data: the value itself is the type.
    Literal(Literal),
    /// A tuple, and an array of fixed length.
    Tuple(Nested<[AnySpec]>),
    /// A list; its length is part of the type.
    List(Nested<[AnySpec]>),
    /// A string-keyed map, ordered by key.
    Map(Nested<BTreeMap<String, AnySpec>>),
    /// An optional value; whether it is present is part of the type.
    Optional(Option<Nested<AnySpec>>),
    /// An extension type.
    Composite(Nested<Composite>),
    /// A type with laws of its own: a module, which is known by its state, or one of another crate.
    Custom(Arc<dyn TraceType>),
}

use AnySpec::*;

impl AnySpec {
    /// The children, in the order of the leaves. A container has all its entries, static data included; an
    /// extension type has the components that are not static data.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let pair = (TensorSpec::of::<f32>([2]), TensorSpec::of::<i64>([]));
    /// assert_eq!(pair.component_specs(), [pair.0.to_any(), pair.1.to_any()]);
    /// assert!(pair.0.component_specs().is_empty());
    /// ```
    pub fn component_specs(&self) -> Vec<AnySpec> {
        match self {
            Tensor(_) | Variable(_) | Literal(_) => Vec::new(),
            Custom(c) => c.law("flatten", TraceType::flatten),
            Tuple(c) | List(c) => c.to_vec(),
            Map(m) => m.values().cloned().collect(),
            Optional(o) => o.iter().map(|s| (**s).clone()).collect(),
            Composite(c) => {
                c.components().iter().filter(|s| !matches!(s, Literal(_))).cloned().collect()
            }
        }
    }

    /// The [children](Self::component_specs), each with its part of the path: `.values`, `[2]`, `["key"]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Point {
    ///     x: Tensor,
    ///     y: Tensor,
    /// }
    ///
    /// let spec = Point::new(1.0f32, 2.0f32)?.type_spec().to_any();
    /// let names: Vec<String> = spec.named_components().into_iter().map(|(name, _)| name).collect();
    /// assert_eq!(names, [".x", ".y"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn named_components(&self) -> Vec<(String, AnySpec)> {
        match self {
            Tuple(c) | List(c) => {
                c.iter().enumerate().map(|(i, s)| (format!("[{i}]"), s.clone())).collect()
            }
            Map(m) => m.iter().map(|(k, s)| (format!("[{k:?}]"), s.clone())).collect(),
            Composite(c) if c.components.is_none() => {
                let fields = c.fields.iter().filter(|(_, s)| !matches!(s, Literal(_)));
                fields.map(|(n, s)| (format!(".{n}"), s.clone())).collect()
            }
            _ => {
                let parts = self.component_specs();
                parts.into_iter().enumerate().map(|(i, s)| (format!(".{i}"), s)).collect()
            }
        }
    }

    /// The specs of the flat tensors: only `Tensor` and `Variable`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = (vec![scalar(1.0f32), scalar(2.0f32)], 3i64, scalar(4i64)).type_spec().to_any();
    /// let dtypes: Vec<String> = spec.leaves().iter().map(ToString::to_string).collect();
    /// assert_eq!(dtypes[1..], ["TensorSpec([], float32)", "TensorSpec([], int64)"]);
    /// ```
    pub fn leaves(&self) -> Vec<AnySpec> {
        fn visit(spec: &AnySpec, out: &mut Vec<AnySpec>) {
            deep(|| match spec {
                Tensor(_) | Variable(_) => out.push(spec.clone()),
                _ => spec.component_specs().iter().for_each(|s| visit(s, out)),
            });
        }
        let mut out = Vec::new();
        visit(self, &mut out);
        out
    }

    /// The specs of the flat tensors with their paths, such as `.values` or `[2].mask`. A path joins the
    /// parts of [`named_components`](Self::named_components); the path of a lone tensor is empty.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = (scalar(1.0f32), vec![scalar(2i32)]).type_spec().to_any();
    /// let paths: Vec<String> = spec.leaf_paths().into_iter().map(|(path, _)| path).collect();
    /// assert_eq!(paths, ["[0]", "[1][0]"]);
    /// ```
    pub fn leaf_paths(&self) -> Vec<(String, AnySpec)> {
        fn visit(spec: &AnySpec, path: &mut String, out: &mut Vec<(String, AnySpec)>) {
            deep(|| {
                if let Tensor(_) | Variable(_) = spec {
                    out.push((path.clone(), spec.clone()));
                }
                for (name, part) in spec.named_components() {
                    let length = path.len();
                    path.push_str(&name);
                    visit(&part, path, out);
                    path.truncate(length);
                }
            });
        }
        let mut out = Vec::new();
        visit(self, &mut String::new(), &mut out);
        out
    }

    /// The name of the kind, for messages.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(vec![scalar(1.0f32)].type_spec().to_any().kind(), "list");
    /// assert_eq!(3i64.type_spec().to_any().kind(), "literal");
    /// ```
    pub fn kind(&self) -> &'static str {
        match self {
            Tensor(_) => "tensor",
            Variable(_) => "variable",
            Literal(_) => "literal",
            Tuple(_) => "tuple",
            List(_) => "list",
            Map(_) => "map",
            Optional(_) => "option",
            Composite(_) => "extension type",
            Custom(c) => c.kind(),
        }
    }

    /// True if every value of this type is a value of the other.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let known = (TensorSpec::of::<f32>([2]), TensorSpec::of::<i64>([])).to_any();
    /// let wide = (TensorSpec::of::<f32>(shape![?]), TensorSpec::of::<i64>([])).to_any();
    /// assert!(known.is_subtype_of(&wide) && !wide.is_subtype_of(&known));
    /// ```
    pub fn is_subtype_of(&self, other: &AnySpec) -> bool {
        deep(|| match (self, other) {
            (Composite(a), Composite(b)) => {
                a.class == b.class
                    && a.class.law("is_subtype_of", |hooks| (hooks.is_subtype_of)(self, other))
            }
            (Custom(a), Custom(b)) => a.law("is_subtype_of", |a| a.is_subtype_of(&**b)),
            _ => self.default_is_subtype_of(other),
        })
    }

    /// [`is_subtype_of`](Self::is_subtype_of) field by field, without the law of the class itself.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let known = vec![TensorSpec::of::<f32>([2])].to_any();
    /// let wide = vec![TensorSpec::of::<f32>(shape![?])].to_any();
    /// assert!(known.default_is_subtype_of(&wide) && !wide.default_is_subtype_of(&known));
    /// ```
    pub fn default_is_subtype_of(&self, other: &AnySpec) -> bool {
        self.pairwise(
            other,
            &|a, b| a.is_subtype_of(b),
            &Leaf {
                tensor: |a, b| a.is_subtype_of(b),
                variable: |a, b| a.is_subtype_of(b),
                shape: |a, b| a.is_subtype_of(b),
            },
        )
    }

    /// True if some value belongs to both types.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let rows = TensorSpec::of::<f32>(shape![2, ?]).to_any();
    /// let columns = TensorSpec::of::<f32>(shape![?, 3]).to_any();
    /// assert!(rows.is_compatible_with(&columns)); // `[2, 3]` is both
    /// assert!(!rows.is_compatible_with(&TensorSpec::of::<f32>([3, 3]).to_any()));
    /// ```
    pub fn is_compatible_with(&self, other: &AnySpec) -> bool {
        deep(|| match (self, other) {
            (Composite(a), Composite(b)) => {
                a.class == b.class
                    && a.class
                        .law("is_compatible_with", |hooks| (hooks.is_compatible_with)(self, other))
            }
            (Custom(a), Custom(b)) => {
                a.law("is_compatible_with", |a| a.is_compatible_with(&**b))
                    || b.law("is_compatible_with", |b| b.is_compatible_with(&**a))
            }
            _ => self.default_is_compatible_with(other),
        })
    }

    /// [`is_compatible_with`](Self::is_compatible_with) field by field, without the law of the class itself.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let any = vec![TensorSpec::of::<f32>(shape![?])].to_any();
    /// assert!(any.default_is_compatible_with(&vec![TensorSpec::of::<f32>([2])].to_any()));
    /// assert!(!any.default_is_compatible_with(&vec![TensorSpec::of::<i64>([2])].to_any()));
    /// ```
    pub fn default_is_compatible_with(&self, other: &AnySpec) -> bool {
        self.pairwise(
            other,
            &|a, b| a.is_compatible_with(b),
            &Leaf {
                tensor: |a, b| a.is_compatible_with(b),
                variable: |a, b| a.is_compatible_with(b),
                shape: |a, b| a.is_compatible_with(b),
            },
        )
    }

    /// True if both have the same form and `f` holds for all parts.
    fn pairwise(
        &self,
        other: &AnySpec,
        f: &dyn Fn(&AnySpec, &AnySpec) -> bool,
        leaf: &Leaf,
    ) -> bool {
        let all = |a: &[AnySpec], b: &[AnySpec]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| f(a, b))
        };
        match (self, other) {
            (Tensor(a), Tensor(b)) => (leaf.tensor)(a, b),
            (Variable(a), Variable(b)) => (leaf.variable)(a, b),
            (Literal(super::Literal::Shape(a)), Literal(super::Literal::Shape(b))) => {
                (leaf.shape)(a, b)
            }
            (Literal(a), Literal(b)) => a == b,
            (Tuple(a), Tuple(b)) | (List(a), List(b)) => all(a, b),
            (Map(a), Map(b)) => {
                a.keys().eq(b.keys()) && a.values().zip(b.values()).all(|(a, b)| f(a, b))
            }
            (Optional(None), Optional(None)) => true,
            (Optional(Some(a)), Optional(Some(b))) => f(a, b),
            (Composite(a), Composite(b)) => {
                a.class == b.class
                    && a.fields.len() == b.fields.len()
                    && a.fields.iter().zip(&b.fields).all(|((n, a), (m, b))| n == m && f(a, b))
            }
            (Custom(a), Custom(b)) => a == b,
            _ => false,
        }
    }

    /// The most specific type that both are subtypes of, if there is one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let of = |n: usize, steps: i64| (vec![0.0f32; n].to_tensor().unwrap(), steps).type_spec().to_any();
    /// let both = of(2, 5).most_specific_common_supertype(&of(3, 5)).unwrap();
    /// assert_eq!(both.to_string(), "(TensorSpec([?], float32), 5)");
    /// assert!(of(2, 5).most_specific_common_supertype(&of(2, 6)).is_none());
    /// ```
    pub fn most_specific_common_supertype(&self, other: &AnySpec) -> Option<AnySpec> {
        deep(|| match (self, other) {
            (Composite(a), Composite(b)) if a.class == b.class => a
                .class
                .law("most_specific_common_supertype", |hooks| (hooks.supertype)(self, other)),
            (Composite(_), _) => None,
            (Custom(a), Custom(b)) if a != b => {
                a.law("most_specific_common_supertype", |a| a.most_specific_common_supertype(&**b))
            }
            _ => self.default_supertype(other),
        })
    }

    /// [`most_specific_common_supertype`](Self::most_specific_common_supertype) field by field, without the
    /// law of the class itself.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let of = |n: usize| vec![TensorSpec::of::<f32>([n])].to_any();
    /// let both = of(2).default_supertype(&of(3)).unwrap();
    /// assert_eq!(both, vec![TensorSpec::of::<f32>(shape![?])].to_any());
    /// ```
    pub fn default_supertype(&self, other: &AnySpec) -> Option<AnySpec> {
        let join = AnySpec::most_specific_common_supertype;
        let all = |a: &[AnySpec], b: &[AnySpec]| -> Option<Nested<[AnySpec]>> {
            if a.len() != b.len() {
                return None;
            }
            a.iter().zip(b).map(|(a, b)| join(a, b)).collect()
        };
        Some(match (self, other) {
            (Tensor(a), Tensor(b)) => Tensor(a.most_specific_common_supertype(b)?),
            (Variable(a), Variable(b)) => Variable(a.most_specific_common_supertype(b)?),
            (Literal(super::Literal::Shape(a)), Literal(super::Literal::Shape(b))) => {
                Literal(super::Literal::Shape(a.most_specific_common_supertype(b)))
            }
            (Tuple(a), Tuple(b)) => Tuple(all(a, b)?),
            (List(a), List(b)) => List(all(a, b)?),
            (Map(a), Map(b)) if a.keys().eq(b.keys()) => {
                let joined =
                    a.iter().zip(b.values()).map(|((k, a), b)| Some((k.clone(), join(a, b)?)));
                Map(joined.collect::<Option<_>>()?)
            }
            (Optional(Some(a)), Optional(Some(b))) => Optional(Some(join(a, b)?.into())),
            (Composite(a), Composite(b)) => return join_fields(a, b),
            (Literal(_) | Optional(None) | Custom(_), _) if self == other => self.clone(),
            _ => return None,
        })
    }

    /// The most specific type that all are subtypes of; `None` if there is none, or if `specs` is empty.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnySpec;
    /// let of = |n: usize| TensorSpec::of::<f32>([n]).to_any();
    /// let all = AnySpec::common_supertype_of([&of(1), &of(2), &of(3)]);
    /// assert_eq!(all, Some(TensorSpec::of::<f32>(shape![?]).to_any()));
    /// ```
    pub fn common_supertype_of<'a>(
        specs: impl IntoIterator<Item = &'a AnySpec>,
    ) -> Option<AnySpec> {
        let mut specs = specs.into_iter();
        let first = specs.next()?.clone();
        specs.try_fold(first, |all, s| all.most_specific_common_supertype(s))
    }

    /// [`most_specific_common_supertype`](Self::most_specific_common_supertype), or an error if there is none
    /// (TensorFlow's `most_specific_compatible_type`, which raises).
    ///
    /// # Errors
    /// `InvalidArgument` that shows both specs if there is none.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (a, b) = (TensorSpec::of::<f32>([2]).to_any(), TensorSpec::of::<f32>([3]).to_any());
    /// assert_eq!(a.try_common_supertype(&b)?.to_string(), "TensorSpec([?], float32)");
    /// let e = a.try_common_supertype(&TensorSpec::of::<i64>([2]).to_any()).unwrap_err();
    /// assert!(e.message().contains("TensorSpec([2], int64)"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_common_supertype(&self, other: &AnySpec) -> Result<AnySpec> {
        match self.joined(other)? {
            Some(s) => Ok(s),
            None => bail!("no type has all values of both {self} and {other}"),
        }
    }

    /// The common supertype. A panic in a law becomes an error.
    pub(crate) fn joined(&self, other: &AnySpec) -> Result<Option<AnySpec>> {
        let join = || Ok(self.most_specific_common_supertype(other));
        caught(|| format!("joining {self} and {other}"), join)
    }

    /// True if the value belongs to this type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let spec = vec![TensorSpec::of::<f32>(shape![?])].to_any();
    /// assert!(spec.is_compatible_with_value(&AnyValue::new(vec![tensor![1.0f32, 2.0]])));
    /// assert!(!spec.is_compatible_with_value(&AnyValue::new(tensor![1.0f32, 2.0])));
    /// ```
    pub fn is_compatible_with_value(&self, value: &super::AnyValue) -> bool {
        self.is_compatible_with(value.spec())
    }

    /// This spec with every size unknown. Known ranks are kept.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = (TensorSpec::of::<f32>([2, 3]), TensorSpec::of::<i64>([])).to_any();
    /// let wanted = (TensorSpec::of::<f32>(shape![?, ?]), TensorSpec::of::<i64>([])).to_any();
    /// assert_eq!(spec.with_ranks_only(), wanted);
    /// ```
    #[must_use]
    pub fn with_ranks_only(&self) -> AnySpec {
        let ranks = |s: &crate::types::Shape| match s.rank() {
            Some(rank) => crate::types::Shape::of_rank(rank),
            None => s.clone(),
        };
        self.map_leaves(&|leaf| match leaf {
            Tensor(t) => Tensor(TensorSpec { shape: ranks(&t.shape), ..t.clone() }),
            Variable(v) => Variable(VariableSpec { shape: ranks(&v.shape), ..v.clone() }),
            other => other.clone(),
        })
    }

    /// This spec and its parts without the names of tensors.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let named = TensorSpec::of::<f32>([2]).named("x").to_any();
    /// assert_eq!(named.without_names(), TensorSpec::of::<f32>([2]).to_any());
    /// ```
    #[must_use]
    pub fn without_names(&self) -> AnySpec {
        self.map_leaves(&|leaf| match leaf {
            Tensor(t) => Tensor(TensorSpec::new(t.shape.clone(), t.dtype)),
            other => other.clone(),
        })
    }

    /// This spec with each tensor and variable replaced, in fields and components alike.
    pub(crate) fn map_leaves(&self, f: &dyn Fn(&AnySpec) -> AnySpec) -> AnySpec {
        deep(|| {
            let all = |c: &[AnySpec]| c.iter().map(|s| s.map_leaves(f)).collect::<Vec<_>>();
            match self {
                Tensor(_) | Variable(_) => f(self),
                Tuple(c) => Tuple(all(c).into()),
                List(c) => List(all(c).into()),
                Map(m) => {
                    let map = m.iter().map(|(k, s)| (k.clone(), s.map_leaves(f)));
                    Map(map.collect())
                }
                Optional(o) => Optional(o.as_ref().map(|s| s.map_leaves(f).into())),
                Composite(c) => {
                    let components = c.components.as_ref().map(|v| all(v));
                    let fields =
                        c.fields.iter().map(|(n, s)| (n.clone(), s.map_leaves(f))).collect();
                    Composite(
                        super::Composite { class: c.class.clone(), fields, components }.into(),
                    )
                }
                Literal(_) | Custom(_) => self.clone(),
            }
        })
    }

    /// The composite, if it is of the given type.
    ///
    /// # Errors
    /// `InvalidArgument` if it is the spec of something else.
    ///
    /// ```
    /// use std::any::TypeId;
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Point {
    ///     x: Tensor,
    /// }
    ///
    /// let spec = Point::new(1.0f32)?.type_spec().to_any();
    /// assert_eq!(spec.as_composite(TypeId::of::<Point>(), "Point")?.fields.len(), 1);
    /// assert!(TensorSpec::of::<f32>([]).to_any().as_composite(TypeId::of::<Point>(), "Point").is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn as_composite(&self, type_id: std::any::TypeId, name: &str) -> Result<&Composite> {
        match self {
            Composite(c) if c.class.type_id == Some(type_id) => Ok(c),
            _ => bail!("expected the spec of a `{name}`, got {self}"),
        }
    }
}

struct Leaf {
    tensor: fn(&TensorSpec, &TensorSpec) -> bool,
    variable: fn(&VariableSpec, &VariableSpec) -> bool,
    shape: fn(&crate::types::Shape, &crate::types::Shape) -> bool,
}

fn join_fields(a: &Composite, b: &Composite) -> Option<AnySpec> {
    if a.class != b.class || a.fields.len() != b.fields.len() {
        return None;
    }
    let fields = a.fields.iter().zip(&b.fields).map(|((n, a), (m, b))| {
        (n == m).then_some(())?;
        Some((n.clone(), a.most_specific_common_supertype(b)?))
    });
    let merged = Composite {
        class: a.class.clone(),
        fields: fields.collect::<Option<_>>()?,
        components: None,
    };
    merged.rebuilt().ok()
}
