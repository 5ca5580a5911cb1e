//! Einsum, and products and traces expressed by it.

use crate::compounds;
use crate::ops::linear::equation::{Equation, Subscripts};
use crate::ops::methods::*;
use crate::ops::protocol::number::agree;
use crate::ops::protocol::{ApplySeq, Op, Operand};
use crate::ops::{Einsum, concat, minimum, shape_of};
use crate::tensor::Lent;
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{Result, bail, normalize_axis};

/// Multiplies the elements of tensors, and sums over the labels that the result does not have.
///
/// Each axis has a letter; `...` stands for any number of axes, which broadcast. A letter that occurs
/// twice in one term is a diagonal. Without `->` the result has the letters that occur once, in
/// alphabetical order. Three and more tensors are contracted from left to right.
///
/// TensorFlow: `tf.einsum`. Dtypes, the same for all tensors: float16, bfloat16, float32, float64,
/// complex64, complex128, int32, int64.
///
/// # Errors
/// `InvalidArgument` for an invalid equation, one for another number of tensors or other ranks, and
/// sizes of one letter that differ.
///
/// ```
/// use extype::prelude::*;
/// let (a, b) = (tensor![[1.0f32, 2.0]], tensor![[3.0f32], [4.0]]);
/// assert_eq!(ops::einsum("ij,jk->ik", &[&a, &b])?.as_slice::<f32>()?, &[11.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn einsum<X: Operand>(equation: &str, inputs: &[X]) -> Result<X::Value>
where
    X::Value: ApplySeq<Einsum, Output = X::Value>,
{
    let _site = call_site!();
    let parsed = Equation::parse(equation, inputs.len())?;
    let Equation { inputs: subscripts, output } = parsed;
    let lent: Vec<Lent<'_, X::Value>> =
        inputs.iter().map(Operand::operand).collect::<Result<_>>()?;
    let step = |inputs: &[Subscripts], xs: &[&X::Value], output: &Subscripts| {
        let equation = Equation { inputs: inputs.to_vec(), output: output.clone() }.to_string();
        X::Value::apply_seq(&Einsum { equation }, xs)
    };
    let Some((last, others)) = lent.split_last() else { bail!("Einsum: no tensor is given") };
    let [first, rest @ ..] = others else { return step(&subscripts, &[last], &output) };
    let (mut done, mut value) = (subscripts[0].clone(), None);
    for (i, x) in rest.iter().enumerate() {
        // Keep the letters that later tensors or the result use.
        let (next, later) = (&subscripts[i + 1], &subscripts[i + 2..]);
        let mut letters: Vec<u8> = Vec::new();
        for l in done.letters().chain(next.letters()) {
            let wanted = later.iter().chain([&output]).any(|s| s.letters().any(|o| o == l));
            if wanted && !letters.contains(&l) {
                letters.push(l);
            }
        }
        let kept = Subscripts::new(done.has_ellipsis() || next.has_ellipsis(), letters);
        let left = value.as_ref().unwrap_or(&**first);
        value = Some(step(&[done, next.clone()], &[left, x], &kept)?);
        done = kept;
    }
    let left = value.as_ref().unwrap_or(&**first);
    step(&[done, subscripts[subscripts.len() - 1].clone()], &[left, last], &output)
}

/// The axes that [`tensordot`] sums over.
#[derive(Clone, Debug, PartialEq)]
pub enum ContractedAxes {
    /// The last axes of the first tensor with the first axes of the second, this many of each.
    Count(usize),
    /// The axes of the first tensor, each with the axis of the second at the same index.
    Pairs(Vec<i64>, Vec<i64>),
}

impl From<usize> for ContractedAxes {
    fn from(count: usize) -> Self {
        ContractedAxes::Count(count)
    }
}

impl<const N: usize> From<([i64; N], [i64; N])> for ContractedAxes {
    fn from((a, b): ([i64; N], [i64; N])) -> Self {
        ContractedAxes::Pairs(a.into(), b.into())
    }
}

/// Multiplies the elements of two tensors, and sums over pairs of axes. The result has the other axes
/// of the first tensor, then those of the second.
///
/// NumPy: `tensordot`; TensorFlow: `tf.tensordot`. Dtypes as in [`einsum`].
///
/// # Errors
/// `InvalidArgument` for more axes than there are, an axis out of range or given twice, lists of
/// differing lengths, sizes that differ, and tensors of unknown rank.
///
/// ```
/// use extype::prelude::*;
/// let a = tensor![[1.0f32, 2.0], [3.0, 4.0]];
/// assert_eq!(a.tensordot(&a, 2)?.item::<f32>()?, 30.0);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn tensordot(
    x: impl TensorLike,
    y: impl TensorLike,
    axes: impl Into<ContractedAxes>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (x, y) = agree(&*x.lend()?, &*y.lend()?)?;
    contracted(&x, &y, axes.into())
}

impl Tensor {
    /// See [`ops::tensordot`](tensordot()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn tensordot(&self, y: impl TensorLike, axes: impl Into<ContractedAxes>) -> Result<Tensor> {
        tensordot(self, y, axes)
    }
}

fn contracted(x: &Tensor, y: &Tensor, axes: ContractedAxes) -> Result<Tensor> {
    let (Some(a), Some(b)) = (x.rank(), y.rank()) else {
        bail!("the ranks are unknown while tracing; give the tensors shapes")
    };
    let (left, right) = match axes {
        ContractedAxes::Count(n) if n > a.min(b) => {
            bail!("{n} axes of tensors of shapes {} and {}", x.shape(), y.shape())
        }
        ContractedAxes::Count(n) => {
            ((a as i64 - n as i64..a as i64).collect(), (0..n as i64).collect())
        }
        ContractedAxes::Pairs(left, right) => (left, right),
    };
    if left.len() != right.len() {
        bail!("axes {left:?} of the first tensor, {right:?} of the second: as many are wanted");
    }
    let mut letters = (b'a'..=b'z').chain(b'A'..=b'Z');
    let mut fresh = |n: usize| -> Result<Vec<u8>> {
        let some: Vec<u8> = letters.by_ref().take(n).collect();
        if some.len() < n { bail!("more than 52 axes") } else { Ok(some) }
    };
    let own = fresh(a)?;
    let mut other: Vec<Option<u8>> = vec![None; b];
    let mut output = own.clone();
    for (i, j) in left.iter().zip(&right) {
        let label = own[normalize_axis(*i, a)?];
        let place = normalize_axis(*j, b)?;
        let before = output.len();
        output.retain(|l| *l != label);
        if other[place].replace(label).is_some() || output.len() == before {
            bail!("an axis is given twice in {left:?} and {right:?}");
        }
    }
    let mut second = Vec::with_capacity(b);
    for label in other {
        match label {
            Some(label) => second.push(label),
            None => {
                let label = fresh(1)?[0];
                output.push(label);
                second.push(label);
            }
        }
    }
    let [own, second, output] =
        [own, second, output].map(|letters| Subscripts::new(false, letters));
    let equation = Equation { inputs: vec![own, second], output }.to_string();
    Einsum { equation }.run(&[x, y])
}

compounds! {
    /// Methods: products of matrices with vectors, traces.
    methods of EinsumMethods;

    /// Multiplies matrices with vectors; leading axes broadcast.
    ///
    /// NumPy: `matvec`; TensorFlow: `tf.linalg.matvec`. `[…, m, n]` and `[…, n]` give `[…, m]`. Dtypes
    /// as in [`einsum`].
    ///
    /// # Errors
    /// `InvalidArgument` for ranks below 2 and 1, and sizes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![[1.0f32, 2.0], [3.0, 4.0]].matvec([1.0f32, 10.0])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[21.0, 43.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn matvec(x, y) -> Tensor {
        einsum("...ij,...j->...i", &[x, y])
    }

    /// Sums the diagonal of each matrix; matrices need not be square.
    ///
    /// NumPy: `trace` for a matrix, `np.linalg.trace` for a stack of matrices; TensorFlow:
    /// `tf.linalg.trace`. `[…, m, n]` gives `[…]`. Dtypes as in [`einsum`].
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2, or one that is unknown.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 2.0], [3.0, 4.0]].trace()?.item::<f32>()?, 5.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn trace(x) -> Tensor {
        let shape = x.shape().with_rank_at_least(2)?;
        let Some(dims) = shape.dims() else {
            bail!("the rank is unknown while tracing; give the tensor a shape")
        };
        let batch = dims.len() - 2;
        let (rows, columns) = (dims[batch], dims[batch + 1]);
        if rows.is_known() && rows == columns {
            return einsum("...ii->...", &[x]);
        }
        // Cut to a square: the rest has no part in the diagonal.
        let sizes = shape_of(x)?;
        let of = |axis: usize| sizes.slice([axis as i64], [1]);
        let side = minimum(&of(batch)?, &of(batch + 1)?)?;
        let size = concat(&[&sizes.slice([0], [batch as i64])?, &side, &side], 0)?;
        einsum("...ii->...", &[&x.slice(vec![0i64; dims.len()], &size)?])
    }
}
