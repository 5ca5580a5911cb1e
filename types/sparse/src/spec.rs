//! The type of sparse tensors.

use std::any::TypeId;
use std::fmt;

use extype::prelude::*;
use extype::spec::{
    AnySpec, Composite, Fingerprint, LeafIter, Leaves, Literal, SpecContext, Stacking,
};

use crate::SparseTensor;

/// The spec of [`SparseTensor`]: shape and dtype.
///
/// How many values there are is data, and no part of the type.
///
/// TensorFlow: `tf.SparseTensorSpec`. It has its laws, and its plain form: the two fields in this order.
///
/// ```
/// use extype::prelude::*;
/// use extype_sparse::{SparseTensor, SparseTensorSpec};
/// let spec = SparseTensorSpec::new(shape![?, 3], DType::F32);
/// let parts: Vec<String> = spec.component_specs().iter().map(|s| s.to_string()).collect();
/// let wanted = ["TensorSpec([?, 2], int64)", "TensorSpec([?], float32)", "TensorSpec([2], int64)"];
/// assert_eq!(parts, wanted);
/// let x = SparseTensor::from_dense([[0.0f32, 5.0, 0.0]])?;
/// assert!(x.type_spec().is_subtype_of(&spec));
/// // A trace that serves any number of rows.
/// let f = function(|x: &SparseTensor| x.to_dense()?.reduce_sum(.., false));
/// f.concrete(&spec)?;
/// assert_eq!(f.call(&x)?.item::<f32>()?, 5.0);
/// assert_eq!(f.trace_count(), 1);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SparseTensorSpec {
    /// The shape of the dense tensor.
    pub shape: Shape,
    /// The dtype of the values.
    pub dtype: DType,
}

impl SparseTensorSpec {
    /// The spec of tensors of this shape and dtype.
    pub fn new(shape: impl Into<Shape>, dtype: DType) -> Self {
        Self { shape: shape.into(), dtype }
    }

    /// The specs of indices, values and sizes.
    pub(crate) fn parts(&self) -> [TensorSpec; 3] {
        let rank = Dim::from(self.shape.rank());
        let of =
            |dims: &[Dim], dtype| TensorSpec::new(dims.iter().copied().collect::<Shape>(), dtype);
        [
            of(&[Dim::UNKNOWN, rank], DType::I64),
            of(&[Dim::UNKNOWN], self.dtype),
            of(&[rank], DType::I64),
        ]
    }
}

impl TypeSpec for SparseTensorSpec {
    type Value = SparseTensor;

    fn to_any(&self) -> AnySpec {
        let fields =
            [("shape", Literal::Shape(self.shape.clone())), ("dtype", Literal::DType(self.dtype))];
        Composite::with_components::<SparseTensor>(
            fields.map(|(name, literal)| (name, AnySpec::Literal(literal))),
            self.parts().iter().map(TypeSpec::to_any).collect(),
        )
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        let composite = any.as_composite(TypeId::of::<SparseTensor>(), "SparseTensor")?;
        let field = |name: &str| match composite.field(name) {
            Some(AnySpec::Literal(literal)) => Ok(literal),
            _ => Err(Error::invalid(format!("the field `{name}` of a sparse spec is missing"))),
        };
        Ok(Self {
            shape: StaticData::from_literal(field("shape")?)?,
            dtype: StaticData::from_literal(field("dtype")?)?,
        })
    }

    fn stacking() -> Option<Stacking> {
        Some(Stacking::of::<SparseTensor>())
    }
}

impl fmt::Display for SparseTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_any().fmt(f)
    }
}

impl fmt::Debug for SparseTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Structure for SparseTensor {
    type Spec = SparseTensorSpec;

    fn spec_in(&self, _: &mut SpecContext) -> SparseTensorSpec {
        SparseTensorSpec { shape: self.shape().clone(), dtype: self.dtype() }
    }

    fn has_spec(&self, spec: &SparseTensorSpec, _: &mut SpecContext) -> bool {
        self.dtype() == spec.dtype && *self.shape() == spec.shape
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        let rank = self.shape().rank().map_or(u64::MAX, |rank| rank as u64);
        fingerprint.add((rank << 8) ^ self.dtype() as u64);
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.extend([&self.indices, &self.values, &self.dense_shape]);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.extend([self.indices, self.values, self.dense_shape]);
    }

    fn from_leaves(spec: &SparseTensorSpec, leaves: &mut LeafIter) -> Result<Self> {
        let [indices, values, dense_shape] =
            spec.parts().map(|part| Tensor::from_leaves(&part, leaves));
        Ok(Self::trusted(indices?, values?, dense_shape?, &spec.shape))
    }
}
