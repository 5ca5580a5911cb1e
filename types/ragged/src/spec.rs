//! The type of ragged tensors.

use std::any::TypeId;
use std::fmt;

use extype::prelude::*;
use extype::spec::{
    AnySpec, Composite, Fingerprint, LeafIter, Leaves, Literal, SpecContext, Stacking,
};

use crate::{RaggedTensor, RowPartition};

/// The spec of [`RaggedTensor`]: shape, dtype and ragged rank.
///
/// How many values there are is data, and no part of the type: rows of other lengths are of the same type. A size that
/// is known for a ragged axis says that all its rows have this length.
///
/// TensorFlow: `tf.RaggedTensorSpec`. It has its laws, and its plain form: the four fields in this order.
///
/// ```
/// use extype::prelude::*;
/// use extype_ragged::{RaggedTensor, RaggedTensorSpec};
/// let spec = RaggedTensorSpec::new(shape![?, ?], DType::F32)?;
/// let parts: Vec<String> = spec.component_specs().iter().map(|s| s.to_string()).collect();
/// assert_eq!(parts, ["TensorSpec([?], float32)", "TensorSpec([?], int64)"]);
/// let r = RaggedTensor::from_rows(&[vec![1.0f32], vec![]])?;
/// assert!(r.type_spec().is_subtype_of(&spec));
/// // A trace that serves any number of rows.
/// let f = function(|r: &RaggedTensor| r.row_sum());
/// f.concrete(&spec)?;
/// assert_eq!(f.call(&r)?.as_slice::<f32>()?, &[1.0, 0.0]);
/// assert_eq!(f.trace_count(), 1);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RaggedTensorSpec {
    /// Rows, ragged axes, uniform axes.
    pub shape: Shape,
    /// The dtype of the values.
    pub dtype: DType,
    /// The number of ragged axes. With 0 the values are plain tensors, of which a stack is ragged; with -1, which an
    /// element of a plain stack has, a stack of them is plain too.
    pub ragged_rank: i64,
    /// int32 or int64, which the partitions are told by.
    pub row_splits_dtype: DType,
}

impl RaggedTensorSpec {
    /// All axes ragged but the first, in partitions told by int64.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown rank and for scalars.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensorSpec;
    /// assert_eq!(RaggedTensorSpec::new(shape![?, ?, ?], DType::I32)?.ragged_rank, 2);
    /// assert!(RaggedTensorSpec::new(Shape::unknown(), DType::I32).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(shape: impl Into<Shape>, dtype: DType) -> Result<Self> {
        let shape = shape.into();
        match shape.rank() {
            Some(rank) => Self::with_ragged_rank(shape, dtype, rank as i64 - 1),
            None => Err(Error::invalid(
                "the rank is not known; give the number of ragged axes: `with_ragged_rank`",
            )),
        }
    }

    /// So many ragged axes, in partitions told by int64.
    ///
    /// # Errors
    /// `InvalidArgument` if there are not more axes than ragged ones.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensorSpec;
    /// let spec = RaggedTensorSpec::with_ragged_rank(shape![?, ?, 3], DType::F32, 1)?;
    /// assert_eq!(spec.component_specs()[0], TensorSpec::of::<f32>(shape![?, 3]).to_any());
    /// assert!(RaggedTensorSpec::with_ragged_rank(shape![?, ?], DType::F32, 2).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_ragged_rank(
        shape: impl Into<Shape>,
        dtype: DType,
        ragged_rank: i64,
    ) -> Result<Self> {
        let made = Self { shape: shape.into(), dtype, ragged_rank, row_splits_dtype: DType::I64 };
        made.check()?;
        Ok(made)
    }

    /// The same type with partitions told by int32 or int64.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype.
    pub fn with_row_splits_dtype(self, row_splits_dtype: DType) -> Result<Self> {
        let made = Self { row_splits_dtype, ..self };
        made.check()?;
        Ok(made)
    }

    fn check(&self) -> Result<()> {
        if !matches!(self.row_splits_dtype, DType::I32 | DType::I64) {
            let dtype = self.row_splits_dtype;
            return Err(Error::invalid(format!("rows are told by int32 or int64, not {dtype}")));
        }
        match self.shape.rank() {
            Some(rank) if self.ragged_rank >= rank.max(1) as i64 => Err(Error::invalid(format!(
                "{} ragged axes need a rank above, not {rank}",
                self.ragged_rank
            ))),
            _ => Ok(()),
        }
    }

    /// The number of partitions.
    pub(crate) fn levels(&self) -> usize {
        usize::try_from(self.ragged_rank).unwrap_or(0)
    }

    /// The size of an axis, if it is known.
    fn size(&self, axis: usize) -> Option<usize> {
        self.shape.dims()?.get(axis)?.size()
    }

    /// The spec of the values of all rows, however many.
    pub(crate) fn flat_values(&self) -> TensorSpec {
        if self.levels() == 0 {
            return TensorSpec::new(&self.shape, self.dtype);
        }
        let inner = self.shape.slice(Some(self.ragged_rank + 1), None);
        TensorSpec::new(shape![?].concatenate(&inner), self.dtype)
    }

    /// The spec of the splits of a level.
    fn row_splits(&self, level: usize) -> TensorSpec {
        let rows = if level == 0 { self.size(0) } else { None };
        let size = Dim::from(rows.map(|n| n.saturating_add(1)));
        TensorSpec::new([size].into_iter().collect::<Shape>(), self.row_splits_dtype)
    }
}

impl TypeSpec for RaggedTensorSpec {
    type Value = RaggedTensor;

    fn to_any(&self) -> AnySpec {
        let fields = [
            ("shape", Literal::Shape(self.shape.clone())),
            ("dtype", Literal::DType(self.dtype)),
            ("ragged_rank", Literal::Int(self.ragged_rank.into())),
            ("row_splits_dtype", Literal::DType(self.row_splits_dtype)),
        ];
        let splits = (0..self.levels()).map(|level| self.row_splits(level));
        let components = std::iter::once(self.flat_values()).chain(splits);
        Composite::with_components::<RaggedTensor>(
            fields.map(|(name, literal)| (name, AnySpec::Literal(literal))),
            components.map(|s| s.to_any()).collect(),
        )
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        let composite = any.as_composite(TypeId::of::<RaggedTensor>(), "RaggedTensor")?;
        let field = |name: &str| match composite.field(name) {
            Some(AnySpec::Literal(literal)) => Ok(literal),
            _ => Err(Error::invalid(format!("the field `{name}` of a ragged spec is missing"))),
        };
        let made = Self {
            shape: StaticData::from_literal(field("shape")?)?,
            dtype: StaticData::from_literal(field("dtype")?)?,
            ragged_rank: StaticData::from_literal(field("ragged_rank")?)?,
            row_splits_dtype: StaticData::from_literal(field("row_splits_dtype")?)?,
        };
        made.check()?;
        Ok(made)
    }

    fn stacking() -> Option<Stacking> {
        Some(Stacking::of::<RaggedTensor>())
    }
}

impl fmt::Display for RaggedTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_any().fmt(f)
    }
}

impl fmt::Debug for RaggedTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Structure for RaggedTensor {
    type Spec = RaggedTensorSpec;

    fn spec_in(&self, _: &mut SpecContext) -> RaggedTensorSpec {
        let shape = self.shape();
        // A scalar is an element of a plain stack.
        let ragged_rank = if shape.rank() == Some(0) { -1 } else { self.ragged_rank() as i64 };
        let row_splits_dtype = self.row_splits_dtype();
        RaggedTensorSpec { shape, dtype: self.dtype(), ragged_rank, row_splits_dtype }
    }

    fn has_spec(&self, spec: &RaggedTensorSpec, context: &mut SpecContext) -> bool {
        self.dtype() == spec.dtype && self.spec_in(context) == *spec
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(
            (self.ragged_rank() as u64) << 16
                | (self.dtype() as u64) << 8
                | self.row_splits_dtype() as u64,
        );
        match self.partitions.first() {
            Some(rows) => fingerprint.add(rows.static_nrows().map_or(u64::MAX, |n| n as u64)),
            None => self.flat_values.mix_spec(fingerprint),
        }
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(&self.flat_values);
        out.extend(self.partitions.iter().map(RowPartition::splits));
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.flat_values);
        out.extend(self.partitions.into_iter().map(RowPartition::into_splits));
    }

    fn from_leaves(spec: &RaggedTensorSpec, leaves: &mut LeafIter) -> Result<Self> {
        let flat_values = Tensor::from_leaves(&spec.flat_values(), leaves)?;
        let rows = |level| {
            let splits = Tensor::from_leaves(&spec.row_splits(level), leaves)?;
            Ok(RowPartition::unchecked(splits).with_uniform(spec.size(level + 1)))
        };
        Ok(Self { flat_values, partitions: (0..spec.levels()).map(rows).collect::<Result<_>>()? })
    }
}
