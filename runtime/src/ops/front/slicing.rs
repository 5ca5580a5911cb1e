//! Indexing, reversing, rolling, repeating and splitting.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, Shape, bail};

front! {
    /// Parts and rearrangements as methods of extension types: `masked.index((0, ..))?`.
    methods of Slicing {
        /// A part of a tensor, as Python's brackets take it: integers, ranges, [`step`],
        /// [`Ellipsis`], [`NewAxis`], scalar tensors; see [`Index`].
        ///
        /// ```
        /// use extype::prelude::*;
        /// use extype::ops::step;
        /// let x = tensor![[1, 2, 3], [4, 5, 6]];
        /// assert_eq!(x.index(-1)?.as_slice::<i32>()?, &[4, 5, 6]);
        /// assert_eq!(x.index((.., 1..))?.shape(), shape![2, 2]);
        /// assert_eq!(x.index((0, step(.., -1)))?.as_slice::<i32>()?, &[3, 2, 1]);
        /// assert_eq!(x.index((Ellipsis, 0, NewAxis))?.shape(), shape![2, 1]);
        /// # Ok::<(), Error>(())
        /// ```
        index(x; at: impl IndexList) => StridedSlice { ..StridedSlice::at(at)? };
        /// Backwards along the given axes.
        reverse(x; axis: impl Into<Integers>) => Reverse { axis: axis.into() };
        /// The first `lengths[i]` entries along `seq_dim` backwards in entry `i` of `batch_dim`.
        reverse_sequence(x, lengths; seq_dim: i64, batch_dim: i64) => ReverseSequence { seq_dim, batch_dim };
        /// Shifted along each axis of the list; what leaves at one end comes in at the other.
        roll(x; shift: impl Into<Integers>, axis: impl Into<Integers>) => Roll { shift: shift.into(), axis: axis.into() };
        /// Repeated a number of times along each axis.
        ///
        /// ```
        /// use extype::prelude::*;
        /// assert_eq!(tensor![1, 2].tile([2])?.as_slice::<i32>()?, &[1, 2, 1, 2]);
        /// # Ok::<(), Error>(())
        /// ```
        tile(x; multiples: impl Into<Integers>) => Tile { multiples: multiples.into() };
        /// Equal parts of an axis.
        ///
        /// ```
        /// use extype::prelude::*;
        /// let halves = tensor![1, 2, 3, 4].split(2, 0)?;
        /// assert_eq!(halves[1].as_slice::<i32>()?, &[3, 4]);
        /// # Ok::<(), Error>(())
        /// ```
        split(x; num_split: usize, axis: impl Into<Axis>) => Split { num_split: num_split as i64, axis: axis.into() };
        /// The slices of an axis, each without it; `num` is the size of the axis.
        unstack(x; num: usize, axis: i64) => Unstack { num: num as i64, axis };
        /// A value before and after along each axis: one pair an axis.
        pad_with(x, value; paddings: impl Into<Pairs>) => PadWith { paddings: paddings.into() };
        /// Mirrored edges before and after along each axis: one pair an axis.
        mirror_pad(x; paddings: impl Into<Pairs>, mode: MirrorMode) => MirrorPad { mode, paddings: paddings.into() };
        /// The tensor itself, if it has the given shape; an error if not. In a trace the result
        /// knows what both shapes know.
        ensure_shape(x; shape: impl Into<Shape>) => EnsureShape { shape: shape.into() };
        /// The bytes read as another dtype: smaller ones make a new last axis, larger ones take
        /// it up.
        ///
        /// ```
        /// use extype::prelude::*;
        /// assert_eq!(tensor![1.0f32,].bitcast(i32)?.as_slice::<i32>()?, &[0x3f80_0000]);
        /// # Ok::<(), Error>(())
        /// ```
        bitcast(x; dtype: DType) => Bitcast { dtype };
    }
}

front! {
    functions {
        /// The sum of values of one shape.
        add_n([values]) => AddN {};
        /// The shape that two shapes, as integer vectors, broadcast to.
        broadcast_args(a, b) => BroadcastArgs {};
    }
}

/// Calls [`SplitSizes`]: parts of an axis with the given sizes; one -1 stands for what is left.
///
/// # Errors
/// `InvalidArgument` if the sizes do not add up to the size of the axis.
///
/// ```
/// use extype::prelude::*;
/// let parts = ops::split_sizes(&tensor![1, 2, 3, 4], [1, -1], 0)?;
/// assert_eq!(parts[1].as_slice::<i32>()?, &[2, 3, 4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn split_sizes<X: Operand, const N: usize>(
    x: X,
    sizes: [i64; N],
    axis: impl Into<Axis>,
) -> Result<<X::Value as Apply1<SplitSizes>>::Output>
where
    X::Value: Apply1<SplitSizes>,
{
    let _site = call_site();
    let op = SplitSizes { num_split: N as i64, sizes: sizes.into(), axis: axis.into() };
    X::Value::apply1(&op, &*x.operand()?)
}

/// The slices along axes `axis..` where a mask is true, in a row: the axes of the mask become
/// one. TensorFlow: `tf.boolean_mask`.
///
/// # Errors
/// `InvalidArgument` for a scalar mask, one of a dtype other than bool, or a shape that is not
/// that of the axes.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1, 2], [3, 4], [5, 6]];
/// let kept = ops::boolean_mask(&x, &tensor![true, false, true], 0)?;
/// assert_eq!(kept.as_slice::<i32>()?, &[1, 2, 5, 6]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn boolean_mask(x: &Tensor, mask: &Tensor, axis: i64) -> Result<Tensor> {
    let _site = call_site();
    if mask.dtype() != DType::Bool {
        bail!("boolean_mask: the mask is {}, not bool; compare or cast it", mask.dtype());
    }
    let (Some(rank), Some(masked)) = (x.rank(), mask.rank()) else {
        bail!("boolean_mask: the ranks of {} and {} must be known", x.shape(), mask.shape());
    };
    if masked == 0 {
        bail!("boolean_mask: the mask is a scalar; for one condition use `select`");
    }
    let axis = crate::types::normalize_axis(axis, rank)?;
    let end = axis + masked;
    let axes = x.shape().slice(Some(axis as i64), Some(end as i64));
    if end > rank || !axes.is_compatible_with(&mask.shape()) {
        bail!(
            "boolean_mask: a mask of shape {} for axes {axis}.. of shape {}",
            mask.shape(),
            x.shape()
        );
    }
    let known = axes.is_fully_defined() && mask.shape().is_fully_defined();
    // Where sizes are known at run time only, a mask of another size fails to take the axes' shape.
    let flat = match known {
        true => mask.reshape([-1])?,
        false => mask.reshape(&shape_of(x)?.index(axis..end)?)?.reshape([-1])?,
    };
    let rows = where_indices(flat)?.squeeze([-1])?;
    if masked == 1 {
        return x.gather(&rows, axis);
    }
    let sizes = shape_of(x)?;
    let (before, after) = (sizes.index(..axis)?, sizes.index(end..)?);
    let flat = concat(&[before, Tensor::from_vec(vec![-1i64]), after], 0)?;
    x.reshape(&flat)?.gather(&rows, axis)
}

/// An image `[height, width, channels]`, or a batch of them, with left and right exchanged.
/// TensorFlow: `tf.image.flip_left_right`.
///
/// # Errors
/// `InvalidArgument` for a rank other than 3 and 4.
#[track_caller]
pub fn flip_left_right(image: &Tensor) -> Result<Tensor> {
    let _site = call_site();
    image_axis(image, "flip_left_right")?.reverse([-2])
}

/// An image `[height, width, channels]`, or a batch of them, upside down.
/// TensorFlow: `tf.image.flip_up_down`.
///
/// # Errors
/// `InvalidArgument` for a rank other than 3 and 4.
#[track_caller]
pub fn flip_up_down(image: &Tensor) -> Result<Tensor> {
    let _site = call_site();
    image_axis(image, "flip_up_down")?.reverse([-3])
}

fn image_axis<'a>(image: &'a Tensor, what: &str) -> Result<&'a Tensor> {
    match image.rank() {
        None | Some(3 | 4) => Ok(image),
        Some(rank) => bail!(
            "{what}: an image has 3 axes and a batch of images 4, not {rank}; the shape is {}",
            image.shape()
        ),
    }
}
