//! The gradient with respect to a structure.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use super::check;
use crate::ops::{IndexedSlices, InputGradient};
use crate::spec::{AnySpec, LeafIter, Structure, TypeSpec};
use crate::tensor::{Tensor, Variable, call_site};
use crate::types::{DType, Result, bail, err};

/// The gradients of a target with respect to the leaves of an `S`: one for each leaf, `None`
/// where the target does not depend on it or it is not differentiable.
///
/// For a variable the leaf is its value. The gradient of a variable that is only read by
/// [`gather`](crate::ops::gather()) is an [`IndexedSlices`], converted to a tensor once, on demand.
pub struct Gradients<S> {
    spec: Arc<dyn Spec>,
    sources: Vec<Tensor>,
    leaves: Vec<Option<Leaf>>,
    structure: PhantomData<fn() -> S>,
}

/// The spec of an `S`, type-erased. A field of type `S::Spec` would require `S: Structure` on `Gradients<S>`,
/// and error messages would repeat that bound at every use.
trait Spec: Send + Sync {
    fn to_any_spec(&self) -> AnySpec;

    fn as_any(&self) -> &dyn Any;
}

impl<T: TypeSpec> Spec for T {
    fn to_any_spec(&self) -> AnySpec {
        self.to_any()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A gradient, and its dense form once that was asked for.
#[derive(Debug)]
struct Leaf {
    gradient: InputGradient,
    dense: OnceLock<Tensor>,
}

impl Leaf {
    fn dense(&self) -> Result<&Tensor> {
        match &self.gradient {
            InputGradient::Dense(g) => Ok(g),
            InputGradient::Slices(slices) => match self.dense.get() {
                Some(g) => Ok(g),
                // Nothing is locked while ops run; if another thread was first, its tensor is used.
                None => slices.to_dense().map(|g| self.dense.get_or_init(|| g)),
            },
        }
    }
}

impl<S: Structure> Gradients<S> {
    pub(crate) fn new(
        spec: S::Spec,
        sources: Vec<Tensor>,
        leaves: Vec<Option<InputGradient>>,
    ) -> Self {
        let leaf = |gradient| Leaf { gradient, dense: OnceLock::new() };
        let leaves = leaves.into_iter().map(|g| g.map(leaf)).collect();
        Self { spec: Arc::new(spec), sources, leaves, structure: PhantomData }
    }

    /// The gradients as a value of the sources' structure. A leaf that is not connected gets zeros. A leaf that can't be
    /// differentiated, such as a mask, is the source itself.
    ///
    /// # Errors
    /// `Unimplemented` if a source is a variable: its gradient is a tensor, see [`of`](Self::of).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = (scalar(3.0f32), scalar(1.0f32));
    /// let (_, g) = GradientTape::new().value_and_gradient(&x, || x.0.square())?;
    /// let (first, second) = g.into_structure()?;
    /// assert_eq!((first.item::<f32>()?, second.item::<f32>()?), (6.0, 0.0));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn into_structure(self) -> Result<S> {
        let _site = call_site();
        let leaf = |(source, leaf): (Tensor, Option<Leaf>)| match source.dtype() {
            DType::Resource => {
                bail!(
                    Unimplemented,
                    "the gradient of a variable is a tensor: ask the tape, `tape.gradient(&y, &model)?.of(&variable)?`"
                )
            }
            _ => check::or_zeros(dense(&leaf)?.cloned(), &source),
        };
        let leaves: Result<Vec<Tensor>> =
            self.sources.into_iter().zip(self.leaves).map(leaf).collect();
        let spec = self.spec.as_any().downcast_ref();
        let spec = spec.ok_or_else(|| err!(Internal, "the spec is one of another type"))?;
        S::from_leaves(spec, &mut LeafIter::new(leaves?))
    }
}

impl<S> Gradients<S> {
    /// The gradients in the order of the leaves.
    ///
    /// # Errors
    /// What converting slices to a tensor fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = (scalar(3.0f32), scalar(1.0f32));
    /// let (_, g) = GradientTape::new().value_and_gradient(&x, || x.0.square())?;
    /// let leaves = g.leaves()?;
    /// assert_eq!(leaves[0].as_ref().unwrap().item::<f32>()?, 6.0);
    /// assert!(leaves[1].is_none());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn leaves(&self) -> Result<Vec<Option<Tensor>>> {
        let _site = call_site();
        self.leaves.iter().map(|leaf| Ok(dense(leaf)?.cloned())).collect()
    }

    /// The gradient of leaf `i`.
    ///
    /// # Errors
    /// `OutOfRange` if there are fewer leaves.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = scalar(3.0f32);
    /// let (_, g) = GradientTape::new().value_and_gradient(&x, || x.square())?;
    /// assert_eq!(g.leaf(0)?.unwrap().item::<f32>()?, 6.0);
    /// assert_eq!(g.leaf(1).unwrap_err().kind(), ErrorKind::OutOfRange);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn leaf(&self, i: usize) -> Result<Option<Tensor>> {
        let _site = call_site();
        match self.leaves.get(i) {
            Some(leaf) => Ok(dense(leaf)?.cloned()),
            None => bail!(OutOfRange, "leaf {i} of {}", self.leaves.len()),
        }
    }

    /// Applies `f` to each gradient that is there, as a tensor; `f` must keep the shape, for example clip the values.
    ///
    /// # Errors
    /// What `f` fails with.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 3.0];
    /// let (_, g) = GradientTape::new().value_and_gradient(&x, || x.square())?;
    /// let halves = g.map(|g| ops::mul(g, 0.5))?;
    /// assert_eq!(halves.wrt(&x)?.unwrap().as_slice::<f32>()?, &[1.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn map(&self, mut f: impl FnMut(&Tensor) -> Result<Tensor>) -> Result<Self> {
        let mut changed = |leaf: &Leaf| {
            let gradient = InputGradient::Dense(f(leaf.dense()?)?);
            Ok(Leaf { gradient, dense: OnceLock::new() })
        };
        let leaves = self.leaves.iter().map(|leaf| leaf.as_ref().map(&mut changed).transpose());
        Ok(Self {
            spec: self.spec.clone(),
            sources: self.sources.clone(),
            leaves: leaves.collect::<Result<_>>()?,
            structure: PhantomData,
        })
    }

    /// The number of sources.
    pub(crate) fn count(&self) -> usize {
        self.sources.len()
    }

    /// The gradient of leaf `i`, if that leaf is this source.
    pub(crate) fn at(&self, i: usize, source: &Tensor) -> Option<Option<&InputGradient>> {
        let is_source = self.sources.get(i).is_some_and(|s| super::tape::same(s, source));
        is_source.then(|| self.leaves[i].as_ref().map(|leaf| &leaf.gradient))
    }

    /// The gradient with respect to one of the source tensors.
    ///
    /// # Errors
    /// `NotFound` if it is not among the sources.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (x, y) = (scalar(3.0f32), scalar(5.0f32));
    /// let sources = (x.clone(), y.clone());
    /// let (_, g) = GradientTape::new().value_and_gradient(&sources, || ops::mul(&x, &y))?;
    /// assert_eq!(g.wrt(&y)?.unwrap().item::<f32>()?, 3.0);
    /// assert_eq!(g.wrt(&scalar(5.0f32)).unwrap_err().kind(), ErrorKind::NotFound);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn wrt(&self, source: &Tensor) -> Result<Option<Tensor>> {
        let _site = call_site();
        let i = self.sources.iter().position(|s| s.id() == source.id());
        self.leaf(i.ok_or_else(|| err!(NotFound, "the tensor is not among the sources"))?)
    }

    /// The gradient with respect to the value of a variable.
    ///
    /// # Errors
    /// `NotFound` if it is not among the sources.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (v, w) = (Variable::new(scalar(3.0f32))?, Variable::new(scalar(5.0f32))?);
    /// let sources = (v.clone(), w.clone());
    /// let (_, g) = GradientTape::new().value_and_gradient(&sources, || ops::mul(&v.read()?, &w.read()?))?;
    /// assert_eq!(g.of(&w)?.unwrap().item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn of(&self, variable: &Variable) -> Result<Option<Tensor>> {
        let _site = call_site();
        self.leaf(self.place(variable)?)
    }

    /// The gradient with respect to the value of a variable as slices; `None` if it has another form or there is none.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let table = Variable::new(tensor![[1.0f32], [2.0], [3.0]])?;
    /// let tape = GradientTape::new();
    /// let (_, g) = tape.value_and_gradient(&table, || table.read()?.gather(&tensor![2, 0], 0)?.square())?;
    /// let slices = g.slices_of(&table)?.unwrap();
    /// assert_eq!(slices.indices().as_slice::<i32>()?, &[2, 0]);
    /// assert_eq!(slices.values().as_slice::<f32>()?, &[6.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn slices_of(&self, variable: &Variable) -> Result<Option<&IndexedSlices>> {
        let _site = call_site();
        Ok(match &self.leaves[self.place(variable)?] {
            Some(Leaf { gradient: InputGradient::Slices(slices), .. }) => Some(slices),
            _ => None,
        })
    }

    fn place(&self, variable: &Variable) -> Result<usize> {
        let i = self.sources.iter().position(|s| super::tape::same(s, variable.handle()));
        i.ok_or_else(|| err!(NotFound, "{variable:?} is not among the sources"))
    }

    /// The gradient at a path such as `.values` or `[2].weight`.
    ///
    /// # Errors
    /// `NotFound` if no leaf of the sources has that path.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = (scalar(3.0f32), vec![scalar(1.0f32), scalar(5.0f32)]);
    /// let (_, g) = GradientTape::new().value_and_gradient(&x, || ops::mul(&x.0, &x.1[1]))?;
    /// assert_eq!(g.get("[0]")?.unwrap().item::<f32>()?, 5.0);
    /// assert_eq!(g.get("[1][1]")?.unwrap().item::<f32>()?, 3.0);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn get(&self, path: &str) -> Result<Option<Tensor>> {
        let _site = call_site();
        let spec = self.spec.to_any_spec();
        match spec.leaf_paths().iter().position(|(known, _)| known == path) {
            Some(at) => self.leaf(at),
            None => bail!(NotFound, "the sources have no leaf `{path}`: {spec}"),
        }
    }

    /// Returns the gradients if the target depends on every source that can have one. A source that is not connected is
    /// usually a mistake, and without this check its gradient is `None`.
    ///
    /// # Errors
    /// `InvalidArgument` with the paths of the sources that are not connected.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (x, unused) = (scalar(3.0f32), scalar(1.0f32));
    /// let tape = GradientTape::new();
    /// let both = (x.clone(), unused);
    /// let (_, gradients) = tape.value_and_gradient(&both, || x.square())?;
    /// assert!(gradients.leaf(1)?.is_none());
    /// let e = gradients.connected().unwrap_err();
    /// assert!(e.message().contains("`[1]`"), "{e}");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn connected(&self) -> Result<&Self> {
        let _site = call_site();
        let leaves = check::leaves(&self.spec.to_any_spec());
        let has_none = |(leaf, gradient): (check::Leaf, &Option<Leaf>)| {
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
}

fn dense(leaf: &Option<Leaf>) -> Result<Option<&Tensor>> {
    leaf.as_ref().map(Leaf::dense).transpose()
}

impl<S> std::fmt::Debug for Gradients<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = self.leaves.iter().map(|leaf| leaf.as_ref().map(|leaf| &leaf.gradient));
        f.debug_list().entries(all).finish()
    }
}
