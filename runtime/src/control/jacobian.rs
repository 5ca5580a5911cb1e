//! Jacobians and Hessians, computed by pulling back all unit cotangents at once.

use std::marker::PhantomData;

use super::over::map_fn;
use super::vectorized::vectorized_map;
use crate::gradient::{GradientTape, Gradients, apart, value_and_grad};
use crate::ops;
use crate::ops::Integers;
use crate::ops::methods::*;
use crate::spec::{AnySpec, Leaves, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Result, bail, err};

/// The derivatives of all elements of a target with respect to all elements of the sources. There is one block for each
/// pair of a target tensor and a source tensor; its shape is the target's followed by the source's.
///
/// A block is `None` if the target tensor does not depend on the source, or if one of them has no gradient.
/// Complex sources follow TensorFlow's convention: the conjugate of the derivative.
pub struct Jacobian<T: Structure, S: Structure> {
    target: AnySpec,
    sources: AnySpec,
    /// The leaves of the target and of the sources.
    leaves: [Vec<Tensor>; 2],
    blocks: Vec<Vec<Option<Tensor>>>,
    types: PhantomData<fn() -> (T, S)>,
}

impl<T: Structure, S: Structure> Jacobian<T, S> {
    /// The blocks: one row for each target tensor, with one block for each source tensor.
    ///
    /// ```
    /// use extype::jacobian;
    /// use extype::prelude::*;
    /// let f = |x: &(Tensor, Tensor)| ops::mul(&x.0, &x.1);
    /// let j = jacobian(f)(&(scalar(2.0f32), tensor![3.0f32, 4.0]))?;
    /// let [first, second] = &j.blocks()[0][..] else { panic!() };
    /// assert_eq!(first.as_ref().unwrap().shape(), shape![2]);
    /// assert_eq!(second.as_ref().unwrap().shape(), shape![2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn blocks(&self) -> &[Vec<Option<Tensor>>] {
        &self.blocks
    }

    /// The block of target tensor `i` and source tensor `j`.
    ///
    /// # Errors
    /// `OutOfRange` if there are fewer tensors.
    ///
    /// ```
    /// use extype::jacobian;
    /// use extype::prelude::*;
    /// let j = jacobian(|x: &(Tensor, Tensor)| x.0.square())(&(scalar(3.0f32), scalar(1.0f32)))?;
    /// assert_eq!(j.block(0, 0)?.unwrap().item::<f32>()?, 6.0);
    /// assert!(j.block(0, 1)?.is_none());
    /// assert_eq!(j.block(1, 0).unwrap_err().kind(), ErrorKind::OutOfRange);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn block(&self, i: usize, j: usize) -> Result<Option<&Tensor>> {
        let block = self.blocks.get(i).and_then(|row| row.get(j));
        let block = block.ok_or_else(|| {
            let columns = self.blocks.first().map_or(0, Vec::len);
            err!(OutOfRange, "block ({i}, {j}) of {} by {columns}", self.blocks.len())
        })?;
        Ok(block.as_ref())
    }

    /// Like [`block`](Self::block), but returns zeros of the source's dtype for a block that is not connected.
    ///
    /// # Errors
    /// `OutOfRange` if there are fewer tensors; `InvalidArgument` for a source that is a variable and not connected.
    ///
    /// ```
    /// use extype::jacobian;
    /// use extype::prelude::*;
    /// let j = jacobian(|x: &(Tensor, Tensor)| x.0.square())(&(scalar(3.0f32), tensor![1.0f32, 2.0]))?;
    /// assert_eq!(j.dense(0, 0)?.item::<f32>()?, 6.0);
    /// assert_eq!(j.dense(0, 1)?.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dense(&self, i: usize, j: usize) -> Result<Tensor> {
        if let Some(block) = self.block(i, j)? {
            return Ok(block.clone());
        }
        let [y, x] = [&self.leaves[0][i], &self.leaves[1][j]];
        if !x.dtype().is_differentiable() {
            bail!(
                "source {j} is of {}, and the target does not depend on it; read a variable before",
                x.dtype()
            );
        }
        ops::fill(sizes(y, x, 0)?, &Tensor::scalar(0i32).cast(x.dtype())?)
    }

    /// The block of the leaves at these paths, such as `.values` or `[2].weight`; the path of a single tensor
    /// is empty.
    ///
    /// # Errors
    /// `NotFound` for an unknown path.
    ///
    /// ```
    /// use extype::jacobian;
    /// use extype::prelude::*;
    /// let j = jacobian(|x: &(Tensor, Tensor)| ops::mul(&x.0, &x.1))(&(scalar(2.0f32), scalar(3.0f32)))?;
    /// assert_eq!(j.get("", "[1]")?.unwrap().item::<f32>()?, 2.0);
    /// assert_eq!(j.get("", ".x").unwrap_err().kind(), ErrorKind::NotFound);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get(&self, target: &str, source: &str) -> Result<Option<&Tensor>> {
        let at = |role: &str, spec: &AnySpec, path: &str| {
            let place = spec.leaf_paths().iter().position(|(known, _)| known == path);
            place.ok_or_else(|| err!(NotFound, "the {role} has no leaf `{path}`: {spec}"))
        };
        let i = at("target", &self.target, target)?;
        self.block(i, at("source", &self.sources, source)?)
    }
}

impl Jacobian<Tensor, Tensor> {
    /// The only block; zeros if the target does not depend on the source. Use [`block`](Jacobian::block) to tell
    /// that case apart.
    ///
    /// # Errors
    /// What an op fails with.
    ///
    /// ```
    /// use extype::jacobian;
    /// use extype::prelude::*;
    /// let j = jacobian(|x: &Tensor| x.square())(&tensor![1.0f32, 3.0])?.into_tensor()?;
    /// assert_eq!(j.as_slice::<f32>()?, &[2.0, 0.0, 0.0, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_tensor(self) -> Result<Tensor> {
        self.dense(0, 0)
    }
}

impl<T: Structure, S: Structure> std::fmt::Debug for Jacobian<T, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<Jacobian of {} by {}: {:?}>", self.target, self.sources, self.blocks)
    }
}

impl GradientTape {
    /// The derivatives of all elements of `target` with respect to all elements of `sources`.
    ///
    /// The gradient is traced once and called for all elements of the target at once, as by [`vectorized_map`]. If it
    /// can't be traced, it is called in a loop over the elements. It takes as much memory as the result.
    ///
    /// TensorFlow: `tf.GradientTape.jacobian`.
    ///
    /// # Errors
    /// As [`gradient`](Self::gradient).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0];
    /// let tape = GradientTape::new();
    /// tape.watch(&x);
    /// let y = x.square()?;
    /// let j = tape.jacobian(&y, &x)?.into_tensor()?;
    /// assert_eq!((j.shape(), j.as_slice::<f32>()?), (shape![2, 2], &[2.0, 0.0, 0.0, 4.0][..]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn jacobian<T: Structure, S: Structure>(
        &self,
        target: &T,
        sources: &S,
    ) -> Result<Jacobian<T, S>> {
        let mut targets = Leaves::new();
        target.leaves(&mut targets);
        let mut flat = Leaves::new();
        sources.leaves(&mut flat);
        // Refuses sources without a gradient.
        self.gradient_with(target, sources, vec![None; targets.len()])?;
        if !targets.iter().any(|y| y.dtype().is_differentiable()) {
            bail!("nothing of the target can be differentiated: {}", target.type_spec().to_any());
        }
        let row = |y: &&Tensor| match y.dtype().is_differentiable() {
            true => self.stop_recording(|| self.row(y, sources, &flat)),
            false => Ok(vec![None; flat.len()]),
        };
        let blocks = targets.iter().map(row).collect::<Result<_>>()?;
        let leaves = [targets, flat].map(|all| all.into_iter().cloned().collect());
        let (target, sources) = (target.type_spec().to_any(), sources.type_spec().to_any());
        Ok(Jacobian { target, sources, leaves, blocks, types: PhantomData })
    }

    /// The row of blocks of one target tensor.
    fn row<S: Structure>(
        &self,
        y: &Tensor,
        sources: &S,
        leaves: &[&Tensor],
    ) -> Result<Vec<Option<Tensor>>> {
        if y.shape().rank() == Some(0) {
            return self.gradient(y, sources)?.leaves();
        }
        let leaves: Vec<Tensor> = leaves.iter().map(|leaf| (*leaf).clone()).collect();
        let ones = y.reshape([-1])?.ones_like()?;
        let units = ones.tensor_diag()?.reshape(sizes(&ones, y, 0)?)?;
        let mut connected: Vec<bool> = Vec::new();
        let mut pull = |unit: Tensor| {
            let unit = vec![Some(unit)];
            let found: Gradients<S> =
                self.gradient_of(&[y], unit, sources.type_spec(), leaves.clone())?;
            let found = found.leaves()?;
            connected = found.iter().map(Option::is_some).collect();
            Ok(found.into_iter().flatten().collect::<Vec<Tensor>>())
        };
        // A gradient that can't be traced, for example because it reads values, is called for one element after the other.
        let found = match vectorized_map(&units, &mut pull) {
            Ok(found) => found,
            Err(_) => map_fn(&units, &mut pull)?,
        };
        let mut found = found.into_iter();
        let block = |connected: bool| match connected {
            true => {
                let rows = found.next().ok_or_else(|| err!(Internal, "a gradient is missing"))?;
                rows.reshape(sizes(y, &rows, 1)?).map(Some)
            }
            false => Ok(None),
        };
        connected.into_iter().map(block).collect()
    }
}

/// The sizes of `first`, followed by those of `then` from an axis on.
fn sizes(first: &Tensor, then: &Tensor, from: i64) -> Result<Integers> {
    let shape = first.shape().concatenate(&then.shape().slice(Some(from), None));
    match Integers::of_shape(&shape) {
        Some(known) => Ok(known),
        None => {
            let then = ops::shape_of(then)?.slice([from], [-1])?;
            ops::concat(&[&ops::shape_of(first)?, &then], 0).map(Integers::Tensor)
        }
    }
}

/// A function that computes the Jacobian of `f`: the derivatives of all elements of its result with respect
/// to all elements of its argument. If both are single tensors it has [one block](Jacobian::into_tensor).
///
/// TensorFlow: `tf.GradientTape.jacobian`. JAX: `jax.jacrev`.
///
/// # Errors
/// The returned closure fails with what `f` fails with, and as [`GradientTape::jacobian`].
///
/// ```
/// use extype::jacobian;
/// use extype::prelude::*;
/// let f = |x: &Tensor| ops::stack(&[ops::mul(&x.index(0)?, &x.index(1)?)?, x.reduce_sum(.., false)?], 0);
/// let j = jacobian(f)(&tensor![2.0f32, 3.0])?.into_tensor()?;
/// assert_eq!(j.as_slice::<f32>()?, &[3.0, 2.0, 1.0, 1.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn jacobian<S: Structure, R: Structure>(
    f: impl Fn(&S) -> Result<R>,
) -> impl Fn(&S) -> Result<Jacobian<R, S>> {
    move |x: &S| {
        let x = &apart(x)?;
        let mut tape = GradientTape::of_argument(x);
        let y = f(x)?;
        tape.finish();
        tape.jacobian(&y, x)
    }
}

/// A function that computes the Hessian of `f`: the second derivatives of the sum of all elements of its result. It
/// has one block for each pair of tensors of the argument. A Hessian-vector product is cheaper with
/// [`hvp`](crate::gradient::hvp).
///
/// JAX: `jax.hessian`.
///
/// # Errors
/// As [`jacobian`].
///
/// ```
/// use extype::hessian;
/// use extype::prelude::*;
/// let h = hessian(|x: &Tensor| x.reduce_prod(.., false))(&tensor![2.0f32, 3.0, 5.0])?;
/// let h = h.into_tensor()?;
/// assert_eq!(h.shape(), shape![3, 3]);
/// assert_eq!(h.as_slice::<f32>()?, &[0.0, 5.0, 3.0, 5.0, 0.0, 2.0, 3.0, 2.0, 0.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn hessian<S: Structure, R: Structure>(
    f: impl Fn(&S) -> Result<R>,
) -> impl Fn(&S) -> Result<Jacobian<S, S>> {
    jacobian(move |x: &S| {
        let (_, slope) = value_and_grad(&f)(x)?;
        Ok(slope)
    })
}
