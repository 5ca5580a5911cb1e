//! Functions on sequences without an alignment, made of several ops.

use crate::ops::checks::check;
use crate::ops::methods::*;
use crate::ops::options::{Sets, chosen, sets};
use crate::ops::protocol::Op;
use crate::ops::{self, Axis, CtcLoss, Gather};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail};

/// Options of [`ctc_loss`]: [`Blank`], [`BatchMajor`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CtcOptions {
    /// The class that is the blank; a negative one counts from the end.
    pub blank: i64,
    /// True if the first axis of the logits is that of the sequences, not of the steps.
    pub batch_major: bool,
}

/// The class that is the blank in [`ctc_loss`], the first one if it is not given; a negative one counts from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blank(pub i64);

/// The logits of [`ctc_loss`] are `[batch, time, classes]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchMajor;

sets! {
    Blank => CtcOptions |o, Blank(class)| o.blank = class;
    BatchMajor => CtcOptions |o, _| o.batch_major = true;
    CtcOptions => CtcOptions |o, all| *o = all;
}

/// The negative logarithms of the probabilities of label sequences: a loss for each sequence.
///
/// TensorFlow: `tf.nn.ctc_loss`. Labels are an integer matrix with a row for each sequence, of which `label_lengths` tells
/// how many count. Logits, float32 or float64, are `[time, batch, classes]`, of which `logit_lengths` tells how many steps
/// count. Options: [`Blank`], [`BatchMajor`].
///
/// # Errors
/// `InvalidArgument` for other shapes, a label that is no class, more labels than there are, a blank that is no class, and
/// more labels than steps.
///
/// ```
/// use extype::prelude::*;
/// // One step that is label 1 or the blank, with the same probability.
/// let logits = tensor![[[0.0f32, 0.0]]];
/// let loss = ops::ctc_loss(&tensor![[1]], &logits, &tensor![1], &tensor![1], ..)?;
/// assert!((loss.item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ctc_loss(
    labels: &Tensor,
    logits: &Tensor,
    label_lengths: &Tensor,
    logit_lengths: &Tensor,
    options: impl Sets<CtcOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    let CtcOptions { blank, batch_major } = chosen(options)?;
    if labels.rank().is_some_and(|r| r != 2) || logits.rank().is_some_and(|r| r != 3) {
        bail!(
            "labels are a matrix and logits have three axes, not {} and {}",
            labels.shape(),
            logits.shape()
        );
    }
    let logits = if batch_major { logits.transpose(vec![1i64, 0, 2])? } else { logits.clone() };
    let known = logits.shape().with_rank(3)?.dim(2)?.size().map(|n| n as i64);
    if let Some(n) = known
        && !(-n..n).contains(&blank)
    {
        bail!("the blank, {blank}, of {n} classes");
    }
    let classes = match known {
        Some(n) => Tensor::scalar(n),
        None => ops::shape_of(&logits)?.cast(DType::I64)?.index(2i64)?,
    };
    let blank = if blank < 0 { ops::add(&classes, blank)? } else { Tensor::scalar(blank) };
    // The op's blank is the last class.
    let last = ops::sub(&classes, 1i64)?;
    let places = ops::range(0i64, &last, 1i64)?;
    let order = ops::add(&places, places.greater_equal(&blank)?.cast(DType::I64)?)?;
    let logits = logits.gather(&ops::concat(&[&order, &blank.reshape([1])?], 0)?, 2)?;
    let lengths = label_lengths.cast(DType::I64)?;
    let width = ops::shape_of(labels)?.cast(DType::I64)?.index(1i64)?;
    let enough = lengths.less_equal(&width)?.all(..)?;
    check(&enough, "more labels count than there are:", &[&lengths, &width])?;
    // Room for one more, which stands for no label.
    let labels = labels.cast(DType::I64)?.pad([[0, 0], [0, 1]])?;
    let columns = ops::range(0i64, ops::add(&width, 1)?, 1i64)?.expand_dims(0)?;
    let counted = |lengths: &Tensor| ops::less(&columns, lengths.expand_dims(1)?);
    let known = ops::logical_and(labels.greater_equal(0)?, labels.less(&classes)?)?;
    let known = ops::logical_or(known, ops::logical_not(counted(&lengths)?)?)?.all(..)?;
    check(&known, "labels are classes from 0 to below their count, not", &[&labels, &classes])?;
    let moved = ops::sub(&labels, labels.greater(&blank)?.cast(DType::I64)?)?;
    // The blank among the labels counts as one, as in the op.
    let labels = ops::select(labels.equal(&blank)?, &last, &moved)?;
    // A sequence without labels has one blank in their place.
    let none = lengths.less_equal(0i64)?;
    let labels = ops::select(&none.expand_dims(1)?, &last, &labels)?;
    let indices = counted(&ops::maximum(&lengths, 1i64)?)?.argwhere()?;
    let values = ops::gather_nd(&labels, &indices)?.cast(DType::I32)?;
    let op = CtcLoss {
        preprocess_collapse_repeated: false,
        ctc_merge_repeated: true,
        ignore_longer_outputs_than_inputs: false,
    };
    let (loss, _) = op.run_as(&[&logits, &indices, &values, &logit_lengths.cast(DType::I32)?])?;
    Ok(loss)
}

/// Collapses runs of equal labels: the labels of each row without repeats, with zeros behind them, and how
/// many there are.
///
/// TensorFlow: `tf.nn.collapse_repeated`. A matrix of labels, of which a vector of lengths tells how many count.
///
/// # Errors
/// `InvalidArgument` for other shapes.
///
/// ```
/// use extype::prelude::*;
/// let (labels, lengths) = ops::collapse_repeated(&tensor![[1, 1, 2]], &tensor![3])?;
/// assert_eq!((labels.as_slice::<i32>()?, lengths.as_slice::<i32>()?), (&[1, 2][..], &[2][..]));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn collapse_repeated(labels: &Tensor, lengths: &Tensor) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    labels.shape().with_rank(2)?;
    lengths.shape().with_rank(1)?;
    let shape = ops::shape_of(labels)?.cast(DType::I64)?;
    let places = ops::range(0i64, shape.index(1i64)?, 1i64)?.expand_dims(0)?;
    let (before, count) = (labels.roll(1i64, 1i64)?, lengths.cast(DType::I64)?.expand_dims(1)?);
    let kept = ops::logical_or(places.equal(0i64)?, labels.not_equal(&before)?)?;
    let kept = ops::logical_and(&kept, places.less(&count)?)?;
    let counts = kept.cast(DType::I64)?.reduce_sum(1, false)?;
    let longest = ops::maximum(counts.reduce_max(.., false)?, 0i64)?;
    let column = ops::sub(kept.cast(DType::I64)?.cumsum(1)?, 1i64)?;
    let from = kept.argwhere()?;
    let to = ops::stack(
        &[&from.slice([0, 0], [-1, 1])?.reshape([-1])?, &ops::gather_nd(&column, &from)?],
        1,
    )?;
    let sizes = ops::stack(&[&shape.index(0i64)?, &longest], 0)?;
    let out = ops::scatter_nd(&to, ops::gather_nd(labels, &from)?, &sizes)?;
    Ok((out, counts.cast(lengths.dtype())?))
}

/// The distinct labels of each row in the order of their first places, int64 with zeros behind them; and the place of
/// each label among them, int32.
///
/// TensorFlow: `tf.nn.ctc_unique_labels`. An integer matrix; both results have its shape. The work grows with the square
/// of the length of the rows.
///
/// # Errors
/// `InvalidArgument` for another shape.
///
/// ```
/// use extype::prelude::*;
/// let (labels, places) = ops::ctc_unique_labels(&tensor![[3, 3, 1]])?;
/// assert_eq!(labels.as_slice::<i64>()?, &[3, 1, 0]);
/// assert_eq!(places.as_slice::<i32>()?, &[0, 0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ctc_unique_labels(labels: &Tensor) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    labels.shape().with_rank(2)?;
    let wide = labels.cast(DType::I64)?;
    let (rows, columns) = (wide.expand_dims(2)?, wide.expand_dims(1)?);
    let numbers = ops::range(0i64, ops::shape_of(labels)?.cast(DType::I64)?.index(1i64)?, 1i64)?;
    // Where each label stands first.
    let first = rows.equal(&columns)?.cast(DType::I32)?.argmax(2)?.cast(DType::I64)?;
    let is_first = first.equal(&numbers)?;
    let rank = ops::sub(is_first.cast(DType::I64)?.cumsum(1)?, 1i64)?;
    let places = Gather { batch_dims: 1, axis: Axis(1) }.run(&[&rank, &first])?;
    let placed = ops::select(&is_first, &rank, -1i64)?.expand_dims(2)?;
    let chosen = placed.equal(&numbers)?.cast(DType::I64)?;
    let labels = ops::mul(&chosen, &rows)?.reduce_sum(1, false)?;
    Ok((labels, places.cast(DType::I32)?))
}
