//! Derivatives of functions as functions: pullbacks, pushforwards, Hessian-vector products.

use super::check::{self, directions, or_zeros};
use super::gradients::Gradients;
use super::tape::GradientTape;
use crate::ops::methods::*;
use crate::spec::{LeafIter, Leaves, Structure};
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

/// The value of `f` at `x`, and its pullback, which maps cotangents of the value to gradients with respect to `x`.
/// `f` runs once; the pullback can be called many times.
///
/// Complex numbers follow TensorFlow's convention: `z ↦ z²` pulls `dy` back to `dy · conj(2 z)`.
///
/// JAX: `jax.vjp`.
///
/// # Errors
/// What `f` fails with, and as [`grad`](super::grad) if `f` reads values computed from its argument. The pullback:
/// `InvalidArgument` for a cotangent of another structure, dtype or shape than the value, and for an `x` with an integer tensor
/// outside of extension types; `Unimplemented` if an op between `x` and the value has no gradient, or if `x` holds a variable.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1.0f32, 2.0, 3.0];
/// let (y, pullback) = vjp(|x: &Tensor| x.square(), &x)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 4.0, 9.0]);
/// assert_eq!(pullback.call(&tensor![1.0f32, 0.0, 0.0])?.as_slice::<f32>()?, &[2.0, 0.0, 0.0]);
/// assert_eq!(pullback.call(&tensor![0.0f32, 0.0, 5.0])?.as_slice::<f32>()?, &[0.0, 0.0, 30.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn vjp<S: Structure, R: Structure>(
    f: impl FnOnce(&S) -> Result<R>,
    x: &S,
) -> Result<(R, Pullback<S, R>)> {
    let site = call_site();
    let x = &check::apart(x)?;
    let mut leaves = Leaves::new();
    x.leaves(&mut leaves);
    check::sources(x, &leaves, |_| true)?;
    let source = leaves.into_iter().cloned().collect();
    let mut tape = GradientTape::of_argument(x);
    // Errors inside `f` have their own locations.
    drop(site);
    let y = f(x)?;
    let _site = call_site();
    tape.finish();
    let mut leaves = Leaves::new();
    y.leaves(&mut leaves);
    check::target(&y, &leaves)?;
    let target = leaves.into_iter().cloned().collect();
    let results = y.type_spec();
    Ok((y, Pullback { tape, target, results, source, spec: x.type_spec() }))
}

/// Maps cotangents of a value to gradients with respect to `x`; returned by [`vjp`].
pub struct Pullback<S: Structure, R: Structure> {
    tape: GradientTape,
    target: Vec<Tensor>,
    results: R::Spec,
    source: Vec<Tensor>,
    spec: S::Spec,
}

impl<S: Structure, R: Structure> Pullback<S, R> {
    /// The gradient of `sum(y * cotangent)`. The cotangent may hold anything for tensors that have no gradient, such as
    /// the mask of a masked tensor.
    ///
    /// # Errors
    /// As [`vjp`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (_, pullback) = vjp(|x: &Tensor| x.square(), &tensor![1.0f32, 2.0])?;
    /// assert_eq!(pullback.call(&tensor![1.0f32, 10.0])?.as_slice::<f32>()?, &[2.0, 40.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn call(&self, cotangent: &R) -> Result<S> {
        self.gradients(cotangent)?.into_structure()
    }

    /// Like [`call`](Self::call), but returns `None` instead of zeros for a leaf that is not connected.
    ///
    /// # Errors
    /// As [`vjp`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = (scalar(3.0f32), scalar(1.0f32));
    /// let (_, pullback) = vjp(|x: &(Tensor, Tensor)| x.0.square(), &x)?;
    /// let gradients = pullback.gradients(&scalar(1.0f32))?;
    /// assert_eq!(gradients.leaf(0)?.unwrap().item::<f32>()?, 6.0);
    /// assert!(gradients.leaf(1)?.is_none());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn gradients(&self, cotangent: &R) -> Result<Gradients<S>> {
        let _site = call_site();
        self.pull(directions("cotangent", cotangent, &self.target)?)
    }

    fn pull(&self, cotangents: Vec<Option<Tensor>>) -> Result<Gradients<S>> {
        let targets: Vec<&Tensor> = self.target.iter().collect();
        self.tape.gradient_of(&targets, cotangents, self.spec.clone(), self.source.clone())
    }
}

impl<S: Structure, R: Structure> std::fmt::Debug for Pullback<S, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<pullback from {:?} to {:?}>", self.results, self.spec)
    }
}

/// The value of `f` at `x`, and its derivative along `tangent`: the Jacobian-vector product.
///
/// It differentiates the pullback, which is linear, so it works for every op with a gradient rule. It costs about
/// three times `f`. Tensors that have no derivative are returned as in the value.
///
/// JAX: `jax.jvp`. TensorFlow: `tf.autodiff.ForwardAccumulator`.
///
/// # Errors
/// What `f` fails with; `InvalidArgument` for a tangent of another structure, dtype or shape than `x`, and for an `x`
/// with an integer tensor outside of extension types; `Unimplemented` if an op between `x` and the value has no gradient.
///
/// ```
/// use extype::prelude::*;
/// let (x, v) = (tensor![1.0f32, 2.0, 3.0], tensor![1.0f32, 0.0, 10.0]);
/// let (y, dy) = jvp(|x: &Tensor| x.square(), &x, &v)?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 4.0, 9.0]);
/// assert_eq!(dy.as_slice::<f32>()?, &[2.0, 0.0, 60.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn jvp<S: Structure, R: Structure>(
    f: impl FnOnce(&S) -> Result<R>,
    x: &S,
    tangent: &S,
) -> Result<(R, R)> {
    let (y, pullback) = vjp(f, x)?;
    let _site = call_site();
    let tangents = directions("tangent", tangent, &pullback.source)?;
    // The pullback is linear, so it may be differentiated at any point. Ones, since some rules treat a zero cotangent specially.
    let ones = |y: &Tensor| y.dtype().is_differentiable().then(|| y.ones_like()).transpose();
    let cotangents = pullback.target.iter().map(ones).collect::<Result<Vec<_>>>()?;
    let at: Vec<Tensor> = cotangents.iter().flatten().cloned().collect();
    let tape = GradientTape::new();
    tape.watch(&at);
    let pulled = pullback.pull(cotangents)?;
    let pulled = pulled.leaves()?;
    let pairs = pulled.iter().zip(tangents).filter_map(|(g, v)| Some((g.as_ref()?, v)));
    let (targets, along): (Vec<&Tensor>, Vec<Option<Tensor>>) = pairs.unzip();
    let pushed: Gradients<Vec<Tensor>> =
        tape.gradient_of(&targets, along, at.type_spec(), at.clone())?;
    let mut pushed = pushed.leaves()?.into_iter();
    let of = |y: &Tensor| match y.dtype().is_differentiable() {
        true => or_zeros(pushed.next().flatten(), y),
        false => Ok(y.clone()),
    };
    let leaves = pullback.target.iter().map(of).collect::<Result<Vec<_>>>()?;
    let dy = R::from_leaves(&pullback.results, &mut LeafIter::new(leaves))?;
    Ok((y, dy))
}

/// The product of the Hessian of `f` at `x` with `v`, computed without the Hessian. For an `f` with several elements
/// it is the Hessian of their sum.
///
/// # Errors
/// As [`jvp`].
///
/// ```
/// use extype::hvp;
/// use extype::prelude::*;
/// // The Hessian of Σ x³ is diagonal: 6 x.
/// let cubes = |x: &Tensor| ops::mul(&x.square()?, x);
/// let product = hvp(cubes, &tensor![1.0f32, 2.0], &tensor![1.0f32, 10.0])?;
/// assert_eq!(product.as_slice::<f32>()?, &[6.0, 120.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn hvp<S: Structure, R: Structure>(f: impl FnOnce(&S) -> Result<R>, x: &S, v: &S) -> Result<S> {
    let site = call_site();
    let x = &check::apart(x)?;
    let mut leaves = Leaves::new();
    x.leaves(&mut leaves);
    let source: Vec<Tensor> = leaves.into_iter().cloned().collect();
    let along = directions("vector", v, &source)?;
    let outer = GradientTape::of_argument(x);
    let inner = GradientTape::new();
    drop(site);
    let (_, gradient) = inner.value_and_gradient(x, || f(x))?;
    drop(inner);
    let _site = call_site();
    let gradient = gradient.leaves()?;
    let pairs = gradient.iter().zip(along).filter_map(|(g, v)| Some((g.as_ref()?, v)));
    let (targets, along): (Vec<&Tensor>, Vec<Option<Tensor>>) = pairs.unzip();
    outer.gradient_of::<S>(&targets, along, x.type_spec(), source)?.into_structure()
}
