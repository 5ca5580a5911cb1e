//! The type of a variable in a signature.

use std::cell::Cell;
use std::fmt;

use super::tensor_spec::mix_type;
use super::{AnySpec, Fingerprint, LeafIter, Leaves, SpecContext, Structure, TypeSpec};
use crate::tensor::{Tensor, Variable};
use crate::types::{DType, Result, Shape, ShapeLike, TensorType, bail};

/// The type of a variable: dtype, shape, whether it is trainable, and which variable of the signature it is.
/// So `(v, v)` and `(v, w)` have different types.
///
/// ```
/// use extype::prelude::*;
/// let (v, w) = (Variable::new(1.0f32)?, Variable::new(2.0f32)?);
/// let same = (v.clone(), v.clone()).type_spec().to_any();
/// let two = (v, w).type_spec().to_any();
/// assert_eq!(two.component_specs()[1].to_string(), "VariableSpec([], float32, alias_id=1)");
/// assert_ne!(same, two);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VariableSpec {
    /// The static shape of the values.
    pub shape: Shape,
    /// The element type.
    pub dtype: DType,
    /// True if gradient tapes watch it automatically.
    pub trainable: bool,
    /// Which variable of the signature it is; `None` if that is not known. For an argument of `concrete`,
    /// `None` means a variable that no other argument is.
    pub alias_id: Option<u32>,
}

impl VariableSpec {
    /// The spec of a trainable variable outside a signature.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::VariableSpec;
    /// let spec = VariableSpec::new([2, 3], DType::F32);
    /// assert_eq!(spec.to_string(), "VariableSpec([2, 3], float32)");
    /// assert!(spec.trainable && spec.alias_id.is_none());
    /// ```
    pub fn new(shape: impl ShapeLike, dtype: DType) -> Self {
        Self { shape: shape.into(), dtype, trainable: true, alias_id: None }
    }

    fn same_kind(&self, other: &Self) -> bool {
        self.dtype == other.dtype
            && self.trainable == other.trainable
            && self.alias_id == other.alias_id
    }

    /// True if every variable of this type has the other type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::VariableSpec;
    /// let (known, wide) = (VariableSpec::new([2], DType::F32), VariableSpec::new(shape![?], DType::F32));
    /// assert!(known.is_subtype_of(&wide) && !wide.is_subtype_of(&known));
    /// let fixed = VariableSpec { trainable: false, ..known.clone() };
    /// assert!(!fixed.is_subtype_of(&wide));
    /// ```
    pub fn is_subtype_of(&self, other: &Self) -> bool {
        self.same_kind(other) && self.shape.is_subtype_of(&other.shape)
    }

    /// True if some variable has both types.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::VariableSpec;
    /// let of = |shape: Shape| VariableSpec::new(shape, DType::F32);
    /// assert!(of(shape![2, ?]).is_compatible_with(&of(shape![?, 3])));
    /// assert!(!of(shape![2]).is_compatible_with(&VariableSpec::new([2], DType::I64)));
    /// ```
    pub fn is_compatible_with(&self, other: &Self) -> bool {
        self.same_kind(other) && self.shape.is_compatible_with(&other.shape)
    }

    /// The most specific type that both are subtypes of.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::VariableSpec;
    /// let of = |shape: Shape| VariableSpec::new(shape, DType::F32);
    /// let both = of(shape![2, 3]).most_specific_common_supertype(&of(shape![2, 5]));
    /// assert_eq!(both, Some(of(shape![2, ?])));
    /// assert_eq!(of(shape![2]).most_specific_common_supertype(&VariableSpec::new([2], DType::I64)), None);
    /// ```
    pub fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        self.same_kind(other).then(|| Self {
            shape: self.shape.most_specific_common_supertype(&other.shape),
            ..self.clone()
        })
    }
}

impl fmt::Display for VariableSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VariableSpec({}, {}", self.shape, self.dtype)?;
        if !self.trainable {
            f.write_str(", trainable=false")?;
        }
        match self.alias_id {
            Some(id) => write!(f, ", alias_id={id})"),
            None => f.write_str(")"),
        }
    }
}

impl AnySpec {
    /// The types of arguments, where each variable without an alias id gets a new one, so that it differs from all
    /// others.
    pub(crate) fn told_apart(specs: Vec<AnySpec>) -> Vec<AnySpec> {
        let leaves = specs.iter().flat_map(AnySpec::leaves);
        let known = leaves.filter_map(|leaf| leaf.handle_or_tensor().1);
        let next = Cell::new(known.max().map_or(0, |last| last + 1));
        let told_apart = |leaf: &AnySpec| match leaf {
            AnySpec::Variable(v) if v.alias_id.is_none() => {
                let alias_id = Some(next.replace(next.get() + 1));
                AnySpec::Variable(VariableSpec { alias_id, ..v.clone() })
            }
            other => other.clone(),
        };
        specs.iter().map(|spec| spec.map_leaves(&told_apart)).collect()
    }

    /// The name that the spec of a tensor asks for.
    pub(crate) fn asked_name(&self) -> Option<&str> {
        match self {
            AnySpec::Tensor(t) => t.name.as_deref(),
            _ => None,
        }
    }

    /// The type of the tensor that a leaf is fed as, and which variable of the signature it is, if it is one.
    pub(crate) fn handle_or_tensor(&self) -> (TensorType, Option<u32>) {
        let handle = || TensorType::new(DType::Resource, Shape::scalar());
        match self {
            AnySpec::Tensor(t) => (t.tensor_type(), None),
            AnySpec::Variable(v) => (handle(), v.alias_id),
            _ => (handle(), None),
        }
    }
}

impl TypeSpec for VariableSpec {
    type Value = Variable;

    fn to_any(&self) -> AnySpec {
        AnySpec::Variable(self.clone())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Variable(v) => Ok(v.clone()),
            _ => bail!("expected the spec of a variable, got {any}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl Structure for Variable {
    type Spec = VariableSpec;

    fn spec_in(&self, context: &mut SpecContext) -> VariableSpec {
        VariableSpec {
            shape: self.shape().clone(),
            dtype: self.dtype(),
            trainable: self.is_trainable(),
            alias_id: Some(context.alias(self.id())),
        }
    }

    fn has_spec(&self, spec: &VariableSpec, context: &mut SpecContext) -> bool {
        // The alias is taken even if the specs differ, since the ids of later variables depend on it.
        let alias = Some(context.alias(self.id()));
        spec.alias_id == alias
            && spec.dtype == self.dtype()
            && spec.trainable == self.is_trainable()
            && &spec.shape == self.shape()
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        // The alias id depends on the variables before this one: it is compared, not mixed.
        mix_type(self.dtype(), self.shape(), fingerprint);
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(self.handle());
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.handle().clone());
    }

    fn from_leaves(spec: &VariableSpec, leaves: &mut LeafIter) -> Result<Self> {
        let handle = leaves.take()?;
        if handle.dtype() != DType::Resource {
            bail!("expected the handle of a variable, got {}", handle.tensor_type());
        }
        let ty = TensorType::new(spec.dtype, &spec.shape);
        Ok(Variable::from_handle(handle, ty, spec.trainable))
    }
}
