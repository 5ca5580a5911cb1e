//! Padding of tensors with their own elements.

use crate::compounds;
use crate::ops::args::{Pairs, PairsLike};
use crate::ops::methods::*;
use crate::ops::{add, maximum, minimum, mul, range, rank_of, shape_of};
use crate::tensor::Tensor;
use crate::types::{Result, bail, err};

/// Paddings for each axis of a tensor; a single pair is used for all axes.
pub(in crate::ops) fn for_axes(paddings: &Pairs, x: &Tensor) -> Pairs {
    match (x.rank(), paddings) {
        (Some(rank), Pairs::Known(one)) if one.len() == 1 => Pairs::Known(vec![one[0]; rank]),
        _ => paddings.clone(),
    }
}

/// Which elements [`pad_mode`] puts before and after.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1, 2, 3].pad_mode([[2, 1]], ops::PadMode::Wrap)?;
/// assert_eq!(x.as_slice::<i32>()?, &[2, 3, 1, 2, 3, 1]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadMode {
    /// The element at the edge: `1 1 | 1 2 3 | 3 3`.
    Edge,
    /// The elements behind the edge, mirrored: `3 2 | 1 2 3 | 2 1`.
    Reflect,
    /// The elements from the edge on, mirrored: `2 1 | 1 2 3 | 3 2`.
    Symmetric,
    /// The elements from the other end: `2 3 | 1 2 3 | 1 2`.
    Wrap,
}

impl PadMode {
    /// The source index in an axis of size `n` for each element of the padded axis.
    fn sources(self, n: &Tensor, [before, after]: [i64; 2]) -> Result<Tensor> {
        let places = range(-before, add(n, after)?, 1i64)?;
        // One period runs forwards and back; `Reflect` of an axis of one element has period 1.
        let period = match self {
            PadMode::Edge => return places.maximum(0)?.minimum(n - 1),
            PadMode::Wrap => return places.floor_mod(n),
            PadMode::Reflect => maximum(mul(n, 2)? - 2, 1)?,
            PadMode::Symmetric => mul(n, 2)?,
        };
        let there = places.floor_mod(&period)?;
        let back = match self {
            PadMode::Reflect => (n - 1) * 2 - &there,
            _ => mul(n, 2)? - 1 - &there,
        };
        minimum(&there, back)
    }
}

fn padded(x: &Tensor, paddings: &Pairs, mode: PadMode) -> Result<Tensor> {
    let pairs = for_axes(paddings, x);
    let pairs = pairs.known().ok_or_else(|| err!("the paddings must be known while tracing"))?;
    let rank = rank_of(x)?;
    if pairs.len() != rank {
        bail!("{} pairs for rank {rank}: one for each axis, or one for all", pairs.len());
    }
    let mut y = x.clone();
    for (axis, pair) in pairs.iter().enumerate().filter(|(_, pair)| **pair != [0, 0]) {
        if pair.iter().any(|n| *n < 0) {
            bail!("paddings {pair:?} of axis {axis} are negative");
        }
        if x.shape().dim(axis as i64)?.size() == Some(0) {
            bail!("axis {axis} has no elements to pad it with; the shape is {}", x.shape());
        }
        let n = shape_of(&y)?.index(axis)?;
        y = y.gather(mode.sources(&n, *pair)?, axis)?;
    }
    Ok(y)
}

compounds! {
    /// Methods: edges made of the tensor's own elements.
    methods of PaddingMethods;

    /// Pads each axis before and after with the tensor's own elements, as a [`PadMode`] says: one pair
    /// for each axis, or one pair or number for all.
    ///
    /// NumPy: `pad` with a `mode`. Of any dtype and shape. Paddings longer than an axis repeat its
    /// elements. [`pad()`](crate::ops::pad()) pads with zeros, [`pad_with()`](crate::ops::pad_with()) with another value.
    ///
    /// # Errors
    /// `InvalidArgument` for negative numbers, not a pair for each axis, an axis without elements, and
    /// a rank or paddings that are unknown while tracing.
    ///
    /// ```
    /// use extype::ops::PadMode;
    /// use extype::prelude::*;
    /// let x = tensor![1, 2, 3];
    /// assert_eq!(x.pad_mode(1, PadMode::Edge)?.as_slice::<i32>()?, &[1, 1, 2, 3, 3]);
    /// assert_eq!(x.pad_mode([[2, 0]], PadMode::Wrap)?.as_slice::<i32>()?, &[2, 3, 1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn pad_mode(x; paddings: impl PairsLike as Pairs, mode: PadMode) -> Tensor {
        padded(x, &paddings, mode)
    }
}
