//! Values whose type is known at run time only.

use std::fmt;

use super::{AnySpec, LeafIter, SpecContext, Structure, TypeSpec, VariableSpec};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// Any structure as its spec and its flat tensors: an argument of a loaded model, an element of a
/// mixed container.
#[derive(Clone)]
pub struct AnyValue {
    spec: AnySpec,
    leaves: Vec<Tensor>,
}

impl AnyValue {
    /// A value without its Rust type.
    pub fn new<T: Structure>(value: T) -> Self {
        let spec = value.type_spec().to_any();
        let mut leaves = Vec::new();
        value.into_leaves(&mut leaves);
        Self { spec, leaves }
    }

    /// A value from its parts.
    ///
    /// # Errors
    /// `InvalidArgument` if a tensor does not fit its spec, or their numbers differ.
    pub fn from_parts(spec: AnySpec, leaves: Vec<Tensor>) -> Result<Self> {
        let specs = spec.leaves();
        if specs.len() != leaves.len() {
            bail!("{} tensors given for {} leaves of {spec}", leaves.len(), specs.len());
        }
        for (s, t) in specs.iter().zip(&leaves) {
            let fits = match s {
                AnySpec::Tensor(s) => s.is_compatible_with(&t.type_spec()),
                _ => t.dtype() == DType::Resource,
            };
            if !fits {
                bail!("a tensor of {} given for {s}", t.tensor_type());
            }
        }
        Ok(Self { spec, leaves })
    }

    /// The value with its Rust type again.
    ///
    /// # Errors
    /// `InvalidArgument` if it is of another type.
    pub fn downcast<T: Structure>(self) -> Result<T> {
        let spec = T::Spec::from_any(&self.spec)?;
        let mut leaves = LeafIter::new(self.leaves);
        let value = T::from_leaves(&spec, &mut leaves)?;
        leaves.finish()?;
        Ok(value)
    }

    /// The specs of several values in one signature: variables are numbered over all of them.
    pub(crate) fn signature(values: &[AnyValue]) -> Vec<AnySpec> {
        let mut context = SpecContext::new();
        let mut specs = Vec::with_capacity(values.len());
        for value in values {
            let mut leaves = value.leaves.iter();
            specs.push(value.spec.map_leaves(&mut |leaf| match (leaf, leaves.next()) {
                (AnySpec::Variable(v), Some(t)) => {
                    let alias_id = Some(context.alias(resource_id(t)));
                    AnySpec::Variable(VariableSpec { alias_id, ..v.clone() })
                }
                _ => leaf.clone(),
            }));
        }
        specs
    }

    /// The spec.
    pub fn spec(&self) -> &AnySpec {
        &self.spec
    }

    /// The flat tensors.
    pub fn leaves(&self) -> &[Tensor] {
        &self.leaves
    }

    /// The tensor, if it is one.
    pub fn as_tensor(&self) -> Option<&Tensor> {
        matches!(self.spec, AnySpec::Tensor(_)).then(|| &self.leaves[0])
    }

    /// The components: the parts of a container, the fields of an extension type that hold
    /// tensors.
    pub fn components(&self) -> Vec<AnyValue> {
        let mut leaves = self.leaves.iter().cloned();
        let component = |spec: AnySpec| {
            let n = spec.leaves().len();
            AnyValue { spec, leaves: leaves.by_ref().take(n).collect() }
        };
        self.spec.component_specs().into_iter().map(component).collect()
    }
}

/// What tells the resource behind a handle from every other.
fn resource_id(handle: &Tensor) -> u64 {
    match handle.value().and_then(|a| a.as_resource()) {
        Ok(resource) => resource.id(),
        Err(_) => handle.id() as u64 | 1,
    }
}

impl fmt::Debug for AnyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyValue({})", self.spec)
    }
}

impl From<Tensor> for AnyValue {
    fn from(tensor: Tensor) -> Self {
        Self::new(tensor)
    }
}
