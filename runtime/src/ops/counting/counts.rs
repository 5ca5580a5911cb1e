//! Counts of values, and elements repeated by counts.

use crate::ops::args::{Integer, saturated, whole_numbers};
use crate::ops::methods::*;
use crate::ops::options::Along;
use crate::ops::options::{MaxLength, MinLength, Sets, Weights, chosen, sets};
use crate::ops::protocol::Op;
use crate::ops::{
    DenseBincount, RepeatedPlaces, add, gather, logical_and, maximum, minimum, mul, rank_of,
    select, shape_of, stack, unsorted_segment_sum,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail, err, normalize_axis};

/// Options of [`bincount`].
#[derive(Clone, Debug)]
pub struct BincountOptions {
    /// Weights to sum instead of counting; of the shape of the values.
    pub weights: Option<Tensor>,
    /// The minimum number of bins.
    pub minlength: Option<i64>,
    /// The maximum number of bins, `n`; values of `n` or more are not counted.
    pub maxlength: Option<i64>,
    /// The dtype of the counts, where there are no weights.
    pub dtype: DType,
    /// A row of bins for each row of a matrix, instead of one for all values.
    pub per_row: bool,
    /// True to write 1 for each value that occurs, instead of its count.
    pub binary_output: bool,
}

impl Default for BincountOptions {
    /// Counts of all values, int32.
    fn default() -> Self {
        Self {
            weights: None,
            minlength: None,
            maxlength: None,
            dtype: DType::I32,
            per_row: false,
            binary_output: false,
        }
    }
}

/// Counts how often each integer from 0 to the largest occurs. Gradients reach weights of a float
/// dtype.
///
/// NumPy: `bincount`; TensorFlow: `tf.math.bincount`. Options: `ops::MinLength(n)`, `ops::MaxLength(n)`,
/// `ops::Weights(&w)`, a dtype, or `BincountOptions`. Integers of any shape, and weights of the same shape.
/// The result is a vector, or `[rows, bins]` with `per_row`. Its dtype is that of the weights or of the
/// options: int32, int64, float32, float64.
///
/// # Errors
/// `InvalidArgument` for values that are negative or no integers, and weights of another shape.
///
/// ```
/// use extype::ops::BincountOptions;
/// use extype::prelude::*;
/// let x = tensor![1, 1, 3];
/// assert_eq!(x.bincount(..)?.as_slice::<i32>()?, &[0, 2, 0, 1]);
/// assert_eq!(x.bincount(ops::MinLength(6))?.shape(), shape![6]);
/// let once = BincountOptions { binary_output: true, ..Default::default() };
/// assert_eq!(ops::bincount(&x, once)?.as_slice::<i32>()?, &[0, 1, 0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn bincount(values: impl TensorLike, options: impl Sets<BincountOptions>) -> Result<Tensor> {
    let _site = call_site!();
    counted(&*values.lend()?, &chosen(options)?)
}

fn counted(values: &Tensor, options: &BincountOptions) -> Result<Tensor> {
    let values = match values.dtype() {
        DType::I32 | DType::I64 => values.clone(),
        d if d.is_integer() => whole_numbers(values, DType::I64)?,
        d => bail!("values of {d}; integers are wanted"),
    };
    let number = |n: i64| Tensor::scalar(n).cast(values.dtype());
    // Without values the maximum is the lowest integer, which gives no bins.
    let mut bins = add(maximum(values.reduce_max(.., false)?, -1)?, 1)?;
    if let Some(n) = options.minlength {
        bins = maximum(&bins, &number(n)?)?;
    }
    if let Some(n) = options.maxlength {
        bins = minimum(&bins, &number(n)?)?;
    }
    let flat = |x: &Tensor| if options.per_row { Ok(x.clone()) } else { x.reshape([-1]) };
    let weights = match &options.weights {
        Some(weights) => flat(weights)?,
        None => Tensor::from_vec::<i32>(Vec::new()).cast(options.dtype)?,
    };
    let op = DenseBincount { binary_output: options.binary_output };
    op.run(&[&flat(&values)?, &bins, &weights])
}

/// Counts how often each label (row) was predicted as each class (column), or sums the weights of these
/// predictions. Gradients reach the weights.
///
/// TensorFlow: `tf.math.confusion_matrix`. Labels and predictions are numbers of classes and have the same
/// shape. The result has shape `[classes, classes]` and the dtype `dtype`.
///
/// # Errors
/// `InvalidArgument` for labels and predictions of differing shapes, and for numbers that are not in
/// `0..num_classes` (by default one more than the largest number).
///
/// ```
/// use extype::prelude::*;
/// let m = ops::confusion_matrix(&tensor![0, 1, 1], &tensor![0, 1, 0], None, None, DType::I32)?;
/// assert_eq!(m.as_slice::<i32>()?, &[1, 0, 1, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn confusion_matrix(
    labels: &Tensor,
    predictions: &Tensor,
    num_classes: Option<Integer>,
    weights: Option<&Tensor>,
    dtype: DType,
) -> Result<Tensor> {
    let _site = call_site!();
    if !labels.shape().is_compatible_with(&predictions.shape()) {
        bail!(
            "labels of shape {} for predictions of shape {}",
            labels.shape(),
            predictions.shape()
        );
    }
    let [labels, predictions] = [labels, predictions].map(|x| match x.dtype().is_integer() {
        true => whole_numbers(x, DType::I64),
        false => x.cast(DType::I64),
    });
    let (labels, predictions) = (labels?, predictions?);
    let largest = maximum(&labels, &predictions)?;
    let n = match num_classes {
        Some(n) => n.to_i64()?,
        None => add(maximum(largest.reduce_max(.., false)?, -1)?, 1)?,
    };
    let cells = mul(&n, &n)?;
    let known = logical_and(minimum(&labels, &predictions)?.greater_equal(0)?, largest.less(&n)?)?;
    // Numbers out of range get the index of a cell that does not exist, which is an error.
    let ids = select(&known, add(mul(&labels, &n)?, &predictions)?, &cells)?;
    let weights = match weights {
        Some(weights) => weights.cast(dtype)?,
        None => labels.ones_like()?.cast(dtype)?,
    };
    let sums = unsorted_segment_sum(&weights, &ids, &cells)
        .map_err(|e| e.prefixed("a label or prediction is out of range"))?;
    sums.reshape(&stack(&[&n, &n], 0)?)
}

/// Repeats every element `repeats` times, along an axis or in the flattened tensor (`..`). There is one
/// number for all elements, or one for each.
///
/// NumPy: `repeat`; TensorFlow: `tf.repeat`; PyTorch: `repeat_interleave`. Of any dtype but
/// resource.
///
/// # Errors
/// `InvalidArgument` for repeats that are no integers, of rank 2 or more, or not as many as
/// elements along the axis, and for an axis out of range.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![1, 2, 3];
/// assert_eq!(x.repeat([2, 0, 1], 0)?.as_slice::<i32>()?, &[1, 1, 3]);
/// assert_eq!(x.repeat(2, ..)?.shape(), shape![6]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "repeat_interleave")]
#[track_caller]
pub fn repeat(
    x: impl TensorLike,
    repeats: impl TensorLike,
    axis: impl Sets<Along>,
) -> Result<Tensor> {
    let _site = call_site!();
    repeated(&*x.lend()?, &*repeats.lend()?, chosen::<Along>(axis)?.axis)
}

fn repeated(x: &Tensor, repeats: &Tensor, axis: Option<i64>) -> Result<Tensor> {
    if !repeats.dtype().is_integer() {
        bail!("repeats of {}; integers are wanted", repeats.dtype());
    }
    let (x, axis) = match (axis, x.rank()) {
        (None, Some(1)) => (x.clone(), 0),
        (None, _) => (x.reshape([-1])?, 0),
        (Some(axis), _) => (x.clone(), normalize_axis(axis, rank_of(x)?)?),
    };
    // One number for all: broadcast along a new axis, then merge it with the axis before.
    let repeats = whole_numbers(repeats, DType::I64)?;
    if let Tensor::Value(known) = &repeats
        && known.rank() <= 1
        && let ([n], Some(sizes)) = (known.as_slice::<i64>()?, x.shape().sizes())
    {
        let mut sizes: Vec<i64> = sizes.iter().map(|size| *size as i64).collect();
        sizes.insert(axis + 1, (*n).max(0));
        let spread = x.expand_dims(axis as i64 + 1)?.broadcast_to(sizes.clone())?;
        let n = sizes.remove(axis + 1);
        let all = sizes[axis].checked_mul(n);
        sizes[axis] = all.ok_or_else(|| {
            err!(ResourceExhausted, "axis {axis} of size {} repeated {n} times", sizes[axis])
        })?;
        return spread.reshape(sizes);
    }
    let n = shape_of(&x)?.slice([axis as i64], [1])?;
    let repeats = match repeats.rank() {
        Some(0) => repeats.broadcast_to(&n)?,
        Some(1) => {
            // One number for all, or one for each.
            let (given, along) = (repeats.shape().dim(0)?, x.shape().dim(axis as i64)?);
            if !given.is_compatible_with(along) && given.size() != Some(1) {
                bail!("{given} repeats for {along} elements of axis {axis}");
            }
            repeats.broadcast_to(&n)?
        }
        _ => bail!("repeats of shape {}; a scalar or a vector is wanted", repeats.shape()),
    };
    gather(&x, RepeatedPlaces {}.run(&[&repeats])?, axis)
}

sets! {
    BincountOptions => BincountOptions |o, all| *o = all;
    Weights<'_> => BincountOptions |o, Weights(w)| o.weights = Some(w.clone());
    DType => BincountOptions |o, dtype| o.dtype = dtype;
}

sets! {
    for[N: TryInto<i64>] MinLength<N> => BincountOptions |o, MinLength(n)| o.minlength = Some(saturated(n));
}

sets! {
    for[N: TryInto<i64>] MaxLength<N> => BincountOptions |o, MaxLength(n)| o.maxlength = Some(saturated(n));
}

impl Tensor {
    /// See [`ops::bincount`](bincount()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn bincount(&self, options: impl Sets<BincountOptions>) -> Result<Tensor> {
        bincount(self, options)
    }

    /// See [`ops::repeat`](repeat()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn repeat(&self, repeats: impl TensorLike, axis: impl Sets<Along>) -> Result<Tensor> {
        repeat(self, repeats, axis)
    }
}
