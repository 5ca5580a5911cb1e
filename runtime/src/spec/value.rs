//! Values whose type is known at run time only.

use std::fmt;

use super::{AnySpec, LeafIter, Leaves, SpecContext, Structure, TypeSpec, VariableSpec};
use crate::tensor::{Tensor, context};
use crate::types::{DType, Dim, Result, bail, caught};

/// Any structure as its spec and its flat tensors: an argument of a loaded model, an element of a
/// mixed container.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::AnyValue;
/// let value = AnyValue::new((tensor![1.0f32, 2.0], vec![scalar(3i64)]));
/// assert_eq!(value.leaves().len(), 2);
/// assert_eq!(value.components()[1].spec().to_string(), "[TensorSpec([], int64)]");
/// let (x, list): (Tensor, Vec<Tensor>) = value.clone().downcast()?;
/// assert_eq!((x.shape(), list.len()), (shape![2], 1));
/// assert!(value.downcast::<Tensor>().is_err());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct AnyValue {
    spec: AnySpec,
    leaves: Vec<Tensor>,
}

impl AnyValue {
    /// A value without its Rust type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let value = AnyValue::new((scalar(1.0f32), "a".to_string()));
    /// assert_eq!(value.spec().to_string(), "(TensorSpec([], float32), \"a\")");
    /// ```
    pub fn new<T: Structure>(value: T) -> Self {
        let spec = value.type_spec().to_any();
        let mut leaves = Vec::new();
        value.into_leaves(&mut leaves);
        Self { spec, leaves }
    }

    /// [`new`](Self::new) for a borrowed value: tensors are cloned, which is cheap.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let x = vec![scalar(1.0f32), scalar(2.0f32)];
    /// let value = AnyValue::of(&x);
    /// assert_eq!(value.leaves()[1].id(), x[1].id());
    /// ```
    pub fn of<T: Structure>(value: &T) -> Self {
        Self { spec: value.type_spec().to_any(), leaves: super::nest::flatten(value) }
    }

    /// A value from its parts.
    ///
    /// # Errors
    /// `InvalidArgument` if a tensor does not fit its spec, or their numbers differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let spec = vec![TensorSpec::of::<f32>(shape![?])].to_any();
    /// assert!(AnyValue::from_parts(spec.clone(), vec![tensor![1.0f32, 2.0]]).is_ok());
    /// assert!(AnyValue::from_parts(spec, vec![scalar(1i32)]).is_err());
    /// ```
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
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let value = AnyValue::new((scalar(1.0f32), 3i64));
    /// assert_eq!(value.clone().downcast::<(Tensor, i64)>()?.1, 3);
    /// assert_eq!(value.downcast::<Tensor>().unwrap_err().kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn downcast<T: Structure>(self) -> Result<T> {
        let what = || format!("making a `{}` of its tensors", std::any::type_name::<T>());
        caught(what, || self.into_typed())
    }

    fn into_typed<T: Structure>(self) -> Result<T> {
        let spec = T::Spec::from_any(&self.spec)?;
        let mut leaves = LeafIter::new(self.leaves);
        let value = T::from_leaves(&spec, &mut leaves)?;
        leaves.finish()?;
        Ok(value)
    }

    /// The specs of several values in one signature: variables are numbered over all of them.
    pub(crate) fn signature(values: &[AnyValue]) -> Vec<AnySpec> {
        let context = &mut SpecContext::new();
        values.iter().map(|value| value.spec_in(context)).collect()
    }

    /// The spec with the alias ids of a signature. Fields may repeat the specs of components, so variables
    /// are identified by their old alias ids, not by their positions.
    fn spec_in(&self, context: &mut SpecContext) -> AnySpec {
        let mut numbers: Vec<(Option<u32>, Option<u32>)> = Vec::new();
        for (leaf, t) in self.spec.leaves().iter().zip(&self.leaves) {
            let AnySpec::Variable(v) = leaf else { continue };
            let new = Some(context.alias(context::resolved(t.id())));
            match numbers.iter_mut().find(|(old, _)| *old == v.alias_id) {
                // Two variables with one old id: a trace that distinguishes them does not accept the value.
                Some((_, known)) if *known != new => *known = None,
                Some(_) => {}
                None => numbers.push((v.alias_id, new)),
            }
        }
        self.spec.map_leaves(&|leaf| match leaf {
            AnySpec::Variable(v) => {
                let alias_id = numbers.iter().find(|(old, _)| *old == v.alias_id).and_then(|n| n.1);
                AnySpec::Variable(VariableSpec { alias_id, ..v.clone() })
            }
            other => other.clone(),
        })
    }

    /// The spec.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let value = AnyValue::new(tensor![1.0f32, 2.0]);
    /// assert_eq!(value.spec(), &TensorSpec::of::<f32>([2]).to_any());
    /// ```
    pub fn spec(&self) -> &AnySpec {
        &self.spec
    }

    /// The flat tensors.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let value = AnyValue::new((scalar(1.0f32), 3i64, vec![scalar(2.0f32)]));
    /// assert_eq!(value.leaves()[1].item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn leaves(&self) -> &[Tensor] {
        &self.leaves
    }

    /// The tensor, if it is one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// assert_eq!(AnyValue::new(scalar(2.0f32)).as_tensor().unwrap().item::<f32>()?, 2.0);
    /// assert!(AnyValue::new(vec![scalar(2.0f32)]).as_tensor().is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn as_tensor(&self) -> Option<&Tensor> {
        matches!(self.spec, AnySpec::Tensor(_)).then(|| &self.leaves[0])
    }

    /// Splits the value into parts with these specs, which are in the order of the tensors.
    pub(crate) fn split_leaves(&self, specs: Vec<AnySpec>) -> Vec<AnyValue> {
        let mut leaves = self.leaves.iter().cloned();
        let part = |spec: AnySpec| {
            let n = spec.leaves().len();
            AnyValue { spec, leaves: leaves.by_ref().take(n).collect() }
        };
        specs.into_iter().map(part).collect()
    }

    /// A value with this spec and the tensors of the parts, in order.
    pub(crate) fn joined(spec: AnySpec, parts: Vec<AnyValue>) -> AnyValue {
        AnyValue { spec, leaves: parts.into_iter().flat_map(|p| p.leaves).collect() }
    }

    /// The components: the parts of a container, the fields of an extension type that hold
    /// tensors.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// let parts = AnyValue::new((scalar(1.0f32), vec![scalar(2.0f32); 3], 4i64)).components();
    /// assert_eq!(parts[1].leaves().len(), 3);
    /// assert_eq!(parts[2].clone().downcast::<i64>()?, 4);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn components(&self) -> Vec<AnyValue> {
        self.split_leaves(self.spec.component_specs())
    }
}

/// A value whose type is known at run time only, as an argument, a result, or an element: its spec is any spec.
#[diagnostic::do_not_recommend]
impl Structure for AnyValue {
    type Spec = AnySpec;

    fn spec_in(&self, context: &mut SpecContext) -> AnySpec {
        AnyValue::spec_in(self, context)
    }

    fn has_spec(&self, spec: &AnySpec, context: &mut SpecContext) -> bool {
        AnyValue::spec_in(self, context) == *spec
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.extend(&self.leaves);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.extend(self.leaves);
    }

    fn from_leaves(spec: &AnySpec, leaves: &mut LeafIter) -> Result<Self> {
        let count = spec.leaves().len();
        let leaves = (0..count).map(|_| leaves.take()).collect::<Result<_>>()?;
        Ok(Self { spec: spec.clone(), leaves })
    }
}

impl TypeSpec for AnySpec {
    type Value = AnyValue;

    fn to_any(&self) -> AnySpec {
        self.clone()
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        Ok(any.clone())
    }

    fn is_subtype_of(&self, other: &Self) -> bool {
        AnySpec::is_subtype_of(self, other)
    }

    fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        AnySpec::most_specific_common_supertype(self, other)
    }

    fn is_compatible_with(&self, other: &Self) -> bool {
        AnySpec::is_compatible_with(self, other)
    }

    fn stacked(&self, n: Dim) -> Result<Self> {
        AnySpec::stacked(self, n)
    }

    fn unstacked(&self) -> Result<Self> {
        AnySpec::unstacked(self)
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::spec::{Class, Composite, Hooks, Nested, TensorSpec};
    use crate::tensor::Variable;

    /// A type with a field that repeats the spec of its component.
    fn composite() -> AnySpec {
        let tensor = AnySpec::Tensor(TensorSpec::of::<f32>([1]));
        let class = Class {
            name: "test.Twice".into(),
            short_name: "Twice".into(),
            type_id: None,
            hooks: Hooks::STRUCTURAL,
        };
        AnySpec::Composite(Nested::new(Composite {
            class: Arc::new(class),
            fields: vec![("tensor".into(), tensor.clone())],
            components: Some(vec![tensor]),
        }))
    }

    #[test]
    fn signatures_number_variables_whatever_stands_before_them() {
        let (v, w) = (Variable::new(vec![0.0f32]).unwrap(), Variable::new(vec![0.0f32]).unwrap());
        let pair = AnyValue::new((v.clone(), w.clone()));
        let mut parts = vec![composite()];
        parts.extend(pair.spec().component_specs());
        let leaves = [vec![Tensor::from_vec(vec![1.0f32])], pair.leaves().to_vec()].concat();
        let mixed = AnyValue::from_parts(AnySpec::Tuple(parts.into()), leaves).unwrap();
        let aliases = |spec: &AnySpec| -> Vec<Option<u32>> {
            let leaves = spec.leaves();
            let alias = |s: &AnySpec| match s {
                AnySpec::Variable(v) => Some(v.alias_id),
                _ => None,
            };
            leaves.iter().filter_map(alias).collect()
        };
        let signature = AnyValue::signature(&[AnyValue::new(w), mixed]);
        assert_eq!(aliases(&signature[0]), [Some(0)]);
        assert_eq!(aliases(&signature[1]), [Some(1), Some(0)]);
    }
}
