//! The type of a tensor.

use std::fmt;
use std::sync::Arc;

use super::{AnySpec, Fingerprint, LeafIter, Leaves, SpecContext, Structure, TypeSpec};
use crate::array::Element;
use crate::tensor::Tensor;
use crate::types::{DType, Result, Shape, ShapeLike, TensorType, bail};

/// The type of a tensor: dtype, static shape, and maybe a name for the argument it stands for.
///
/// ```
/// use extype::prelude::*;
/// let s = TensorSpec::of::<f32>(shape![?, 3]);
/// assert_eq!(s.to_string(), "TensorSpec([?, 3], float32)");
/// assert!(tensor![[1.0f32, 2.0, 3.0]].type_spec().is_subtype_of(&s));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TensorSpec {
    /// The static shape.
    pub shape: Shape,
    /// The element type.
    pub dtype: DType,
    /// The name, which is part of equality.
    #[cfg_attr(feature = "serde", serde(default))]
    pub name: Option<Arc<str>>,
}

impl TensorSpec {
    /// A spec without a name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(TensorSpec::new(shape![?, 3], DType::F32), TensorSpec::of::<f32>(shape![?, 3]));
    /// ```
    pub fn new(shape: impl ShapeLike, dtype: DType) -> Self {
        Self { shape: shape.into(), dtype, name: None }
    }

    /// The spec of tensors of a Rust element type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(TensorSpec::of::<i64>([2]).to_string(), "TensorSpec([2], int64)");
    /// ```
    pub fn of<T: Element>(shape: impl ShapeLike) -> Self {
        Self::new(shape, T::DTYPE)
    }

    /// This spec with a name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let s = TensorSpec::of::<f32>([2]).named("x");
    /// assert_eq!(s.name.as_deref(), Some("x"));
    /// ```
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Dtype and shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let ty = TensorSpec::of::<f32>(shape![2, ?]).named("x").tensor_type();
    /// assert_eq!(ty.to_string(), "float32[2, ?]");
    /// ```
    pub fn tensor_type(&self) -> TensorType {
        TensorType::new(self.dtype, &self.shape)
    }

    /// True if every tensor of this type has the other type: the shape is a subtype, the dtype
    /// equal, and this has no name or the same one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (wide, narrow) = (TensorSpec::of::<f32>(shape![?]), TensorSpec::of::<f32>([2]));
    /// assert!(narrow.is_subtype_of(&wide) && !wide.is_subtype_of(&narrow));
    /// ```
    pub fn is_subtype_of(&self, other: &Self) -> bool {
        self.dtype == other.dtype
            && (self.name.is_none() || self.name == other.name)
            && self.shape.is_subtype_of(&other.shape)
    }

    /// The most specific type that both are subtypes of; dtypes and names must agree.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (a, b) = (TensorSpec::of::<f32>([2, 3]), TensorSpec::of::<f32>([2, 5]));
    /// assert_eq!(a.most_specific_common_supertype(&b), Some(TensorSpec::of::<f32>(shape![2, ?])));
    /// assert_eq!(a.most_specific_common_supertype(&TensorSpec::of::<i32>([2, 3])), None);
    /// ```
    pub fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        (self.dtype == other.dtype && self.name == other.name).then(|| Self {
            shape: self.shape.most_specific_common_supertype(&other.shape),
            ..self.clone()
        })
    }

    /// True if some tensor has both types; names don't matter.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let s = TensorSpec::of::<f32>(shape![2, ?]);
    /// assert!(s.is_compatible_with(&TensorSpec::of::<f32>(shape![?, 3])));
    /// assert!(!s.is_compatible_with(&TensorSpec::of::<i32>(shape![2, ?])));
    /// ```
    pub fn is_compatible_with(&self, other: &Self) -> bool {
        self.dtype == other.dtype && self.shape.is_compatible_with(&other.shape)
    }
}

impl fmt::Display for TensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorSpec({}, {}", self.shape, self.dtype)?;
        match &self.name {
            Some(name) => write!(f, ", name={name:?})"),
            None => f.write_str(")"),
        }
    }
}

impl TypeSpec for TensorSpec {
    type Value = Tensor;

    fn to_any(&self) -> AnySpec {
        AnySpec::Tensor(self.clone())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Tensor(t) => Ok(t.clone()),
            _ => bail!("expected the spec of a tensor, got {any}"),
        }
    }
}

#[diagnostic::do_not_recommend]
impl Structure for Tensor {
    type Spec = TensorSpec;

    fn spec_in(&self, _: &mut SpecContext) -> TensorSpec {
        TensorSpec::new(self.shape(), self.dtype())
    }

    #[inline]
    fn has_spec(&self, spec: &TensorSpec, _: &mut SpecContext) -> bool {
        if spec.name.is_some() {
            return false;
        }
        match self {
            Tensor::Value(a) => {
                a.dtype() == spec.dtype
                    && spec.shape.dims().is_some_and(|dims| {
                        dims.len() == a.rank()
                            && dims.iter().zip(a.dims()).all(|(d, n)| d.to_i64() == *n as i64)
                    })
            }
            Tensor::Symbol(s) => s.dtype() == spec.dtype && s.shape() == &spec.shape,
        }
    }

    #[inline]
    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        match self {
            Tensor::Value(a) => {
                fingerprint.add(dtype_and_rank(a.dtype(), Some(a.rank())));
                a.dims().iter().for_each(|n| fingerprint.add(*n as u64));
            }
            Tensor::Symbol(s) => mix_type(s.dtype(), s.shape(), fingerprint),
        }
    }

    #[inline]
    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(self);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self);
    }

    #[inline]
    fn from_leaves(spec: &TensorSpec, leaves: &mut LeafIter) -> Result<Self> {
        let leaf = leaves.take()?;
        if leaf.dtype() != spec.dtype {
            bail!("expected a tensor of {spec}, got {}", leaf.tensor_type());
        }
        Ok(leaf)
    }
}

/// Adds dtype and shape to a fingerprint, as `mix_spec` of a tensor does.
pub(super) fn mix_type(dtype: DType, shape: &Shape, fingerprint: &mut Fingerprint) {
    fingerprint.add(dtype_and_rank(dtype, shape.rank()));
    for dim in shape.dims().unwrap_or_default() {
        fingerprint.add(dim.to_i64() as u64);
    }
}

#[inline]
fn dtype_and_rank(dtype: DType, rank: Option<usize>) -> u64 {
    (rank.map_or(u64::MAX, |n| n as u64) << 8) | dtype as u64
}
