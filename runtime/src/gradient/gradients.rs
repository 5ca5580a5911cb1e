//! The gradient with respect to a structure.

use std::marker::PhantomData;

use super::check::{Leaf, leaves, or_zeros};
use crate::ops;
use crate::ops::methods::*;
use crate::spec::{AnySpec, LeafIter, Structure, TypeSpec};
use crate::tensor::{Tensor, Variable};
use crate::types::{DType, Result, bail, err};

/// The gradients of a target with respect to the leaves of an `S`: one for each leaf, `None`
/// where the target does not depend on it or it is not differentiable.
///
/// For a variable the leaf is its value.
pub struct Gradients<S: Structure> {
    spec: S::Spec,
    sources: Vec<Tensor>,
    leaves: Vec<Option<Tensor>>,
    structure: PhantomData<fn() -> S>,
}

impl<S: Structure> Gradients<S> {
    pub(crate) fn new(spec: S::Spec, sources: Vec<Tensor>, leaves: Vec<Option<Tensor>>) -> Self {
        Self { spec, sources, leaves, structure: PhantomData }
    }

    /// The gradients in the order of the leaves.
    pub fn leaves(&self) -> &[Option<Tensor>] {
        &self.leaves
    }

    /// The gradient of leaf `i`.
    ///
    /// # Errors
    /// `OutOfRange` if there are fewer leaves.
    pub fn leaf(&self, i: usize) -> Result<Option<&Tensor>> {
        match self.leaves.get(i) {
            Some(leaf) => Ok(leaf.as_ref()),
            None => bail!(OutOfRange, "leaf {i} of {}", self.leaves.len()),
        }
    }

    /// The gradient with respect to one of the source tensors.
    ///
    /// # Errors
    /// `NotFound` if it is none of the sources.
    pub fn wrt(&self, source: &Tensor) -> Result<Option<&Tensor>> {
        let i = self.sources.iter().position(|s| s.id() == source.id());
        let i = i.ok_or_else(|| err!(NotFound, "the tensor is not among the sources"))?;
        Ok(self.leaves[i].as_ref())
    }

    /// The gradient with respect to the value of a variable.
    ///
    /// # Errors
    /// `NotFound` if it is not among the sources.
    pub fn of(&self, variable: &Variable) -> Result<Option<&Tensor>> {
        let i = self.sources.iter().position(|s| super::tape::same(s, variable.handle()));
        let i = i.ok_or_else(|| err!(NotFound, "{variable:?} is not among the sources"))?;
        Ok(self.leaves[i].as_ref())
    }

    /// The gradient at a path such as `.values` or `[2].weight`.
    ///
    /// # Errors
    /// `NotFound` if no leaf of the sources has that path.
    pub fn get(&self, path: &str) -> Result<Option<&Tensor>> {
        let spec = self.spec.to_any();
        match spec.leaf_paths().iter().position(|(known, _)| known == path) {
            Some(at) => self.leaf(at),
            None => bail!(NotFound, "the sources have no leaf `{path}`: {spec}"),
        }
    }

    /// The gradients, if the target depends on every source that can have one. A target that does not is
    /// mostly a mistake, and its gradient is `None` without this.
    ///
    /// # Errors
    /// `InvalidArgument` with the paths of the sources that are not connected.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (x, unused) = (tensor!(3.0f32), tensor!(1.0f32));
    /// let tape = GradientTape::new();
    /// let both = (x.clone(), unused);
    /// let (_, gradients) = tape.value_and_gradient(&both, || x.square())?;
    /// assert!(gradients.leaf(1)?.is_none());
    /// let e = gradients.connected().unwrap_err();
    /// assert!(e.message().contains("`[1]`"), "{e}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn connected(&self) -> Result<&Self> {
        let leaves = leaves(&self.spec.to_any());
        let has_none = |(leaf, gradient): (Leaf, &Option<Tensor>)| {
            let differentiable = match &leaf.spec {
                AnySpec::Variable(v) => v.trainable && v.dtype.is_differentiable(),
                AnySpec::Tensor(t) => t.dtype.is_differentiable(),
                _ => false,
            };
            (differentiable && gradient.is_none()).then(|| match leaf.path.as_str() {
                "" => "the source".to_owned(),
                path => format!("`{path}`"),
            })
        };
        let none: Vec<String> = leaves.into_iter().zip(&self.leaves).filter_map(has_none).collect();
        if none.is_empty() {
            return Ok(self);
        }
        bail!(
            "the target does not depend on {}: it is not used on the way to the target, or used before the \
             tape watched it, while recording was stopped, or only by what passes no gradient \
             (`stop_gradient`, comparisons, integers)",
            none.join(", ")
        )
    }

    /// The square root of the sum of the squares of all elements, float32 or wider.
    ///
    /// # Errors
    /// What an op fails with; `InvalidArgument` if nothing is connected.
    pub fn norm(&self) -> Result<Tensor> {
        let mut total: Option<Tensor> = None;
        for leaf in self.leaves.iter().flatten() {
            let sum = leaf.square()?.reduce_sum(.., false)?;
            total = Some(match total {
                Some(t) => ops::add(&t, &sum.cast(t.dtype())?)?,
                None => sum,
            });
        }
        total.ok_or_else(|| err!("no source is connected to the target"))?.sqrt()
    }

    /// The gradients as a value of the sources' structure: zeros for what is not connected, the
    /// source itself for what can't be differentiated, such as a mask.
    ///
    /// # Errors
    /// `Unimplemented` if a source is a variable: its gradient is a tensor, see [`of`](Self::of).
    pub fn into_structure(self) -> Result<S> {
        let leaf = |(source, gradient): (Tensor, Option<Tensor>)| match source.dtype() {
            DType::Resource => {
                bail!(Unimplemented, "the gradient of a variable is a tensor; use `of`")
            }
            _ => or_zeros(gradient, &source),
        };
        let leaves: Result<Vec<Tensor>> =
            self.sources.into_iter().zip(self.leaves).map(leaf).collect();
        S::from_leaves(&self.spec, &mut LeafIter::new(leaves?))
    }
}

impl<S: Structure> std::fmt::Debug for Gradients<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.leaves).finish()
    }
}
