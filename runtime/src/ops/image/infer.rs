//! Output types of ops on images.

use crate::ir::{InferContext, Types};
use crate::ops::rules::infer::one;
use crate::ops::{CropAndResizeGradImage, NonMaxSuppressionV4};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err};

/// A shape of dims.
fn of(dims: impl IntoIterator<Item = Dim>) -> Shape {
    dims.into_iter().collect()
}

/// The shape of a stack of images.
fn images(c: &InferContext<'_>, i: usize) -> Result<Shape> {
    c.shape(i)
        .with_rank(4)
        .map_err(|e| e.prefixed(format_args!("images have shape [batch, height, width, channels]")))
}

/// A vector of `n` elements, as input.
fn vector(c: &InferContext<'_>, i: usize, n: usize) -> Result<()> {
    if !c.shape(i).with_rank(1)?.dim(0)?.is_compatible_with(Dim::from(n)) {
        bail!("input {i} has {n} elements, not the shape {}", c.shape(i));
    }
    Ok(())
}

/// The height and width that input `i` holds, as far as they are known.
fn size(c: &InferContext<'_>, i: usize) -> Result<[Dim; 2]> {
    vector(c, i, 2)?;
    let dim = |n: i64| match usize::try_from(n) {
        Ok(n) => Ok(Dim::from(n)),
        Err(_) => Err(err!("a size is {n}; it must be positive")),
    };
    match c.integers(i).as_deref() {
        Some([h, w]) => Ok([dim(*h)?, dim(*w)?]),
        _ => Ok([Dim::UNKNOWN; 2]),
    }
}

/// Images of another height and width, which input 1 or 2 holds.
fn of_size(c: &InferContext<'_>, dtype: DType, i: usize) -> Result<Types> {
    let (x, [h, w]) = (images(c, 0)?, size(c, i)?);
    one(dtype, of([x.dim(0)?, h, w, x.dim(3)?]))
}

pub(in crate::ops) fn resized(c: &InferContext<'_>, dtype: DType) -> Result<Types> {
    of_size(c, dtype, 1)
}

/// The type of the original images, whose batch and channels are those of the cotangents.
pub(in crate::ops) fn unresized(c: &InferContext<'_>) -> Result<Types> {
    let (dy, x) = (images(c, 0)?, images(c, 1)?);
    one(c.input(1).dtype, of([dy.dim(0)?, x.dim(1)?, x.dim(2)?, dy.dim(3)?]))
}

pub(in crate::ops) fn scaled(c: &InferContext<'_>) -> Result<Types> {
    vector(c, 2, 2)?;
    vector(c, 3, 2)?;
    resized(c, DType::F32)
}

pub(in crate::ops) fn unscaled(c: &InferContext<'_>) -> Result<Types> {
    vector(c, 2, 2)?;
    vector(c, 3, 2)?;
    unresized(c)
}

/// The number of boxes, which inputs `i` and `i + 1` have: the boxes, and the images that they are of.
fn boxes(c: &InferContext<'_>, i: usize) -> Result<Dim> {
    let (boxes, indices) = (c.shape(i).with_rank(2)?, c.shape(i + 1).with_rank(1)?);
    if !boxes.dim(1)?.is_compatible_with(Dim::from(4)) {
        bail!("a box has four numbers: boxes have the shape [n, 4], not {boxes}");
    }
    let shape = of([boxes.dim(0)?]).merge(&indices);
    let shape = shape.map_err(|e| e.prefixed(format_args!("boxes and the images they are of")))?;
    shape.dim(0)
}

pub(in crate::ops) fn crops(c: &InferContext<'_>) -> Result<Types> {
    let (x, boxes, [h, w]) = (images(c, 0)?, boxes(c, 1)?, size(c, 3)?);
    one(DType::F32, of([boxes, h, w, x.dim(3)?]))
}

pub(in crate::ops) fn uncropped(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(CropAndResizeGradImage::T)?;
    if ![DType::F16, DType::F32, DType::F64].contains(&dtype) {
        bail!("the gradient is float16, float32 or float64, not {dtype}");
    }
    images(c, 0)?;
    boxes(c, 1)?;
    vector(c, 3, 4)?;
    let dim = |n: &i64| usize::try_from(*n).map(Dim::from);
    match c.integers(3).map(|all| all.iter().map(dim).collect::<std::result::Result<Shape, _>>()) {
        Some(Ok(shape)) => one(dtype, shape),
        Some(Err(_)) => bail!("a size of the images is negative"),
        None => one(dtype, Shape::of_rank(4)),
    }
}

pub(in crate::ops) fn of_boxes(c: &InferContext<'_>) -> Result<Types> {
    images(c, 0)?;
    images(c, 1)?;
    one(DType::F32, of([boxes(c, 2)?, Dim::from(4)]))
}

pub(in crate::ops) fn colours(c: &InferContext<'_>) -> Result<Types> {
    let shape = c.shape(0).with_rank_at_least(1)?;
    if shape.rank().is_some() && !shape.dim(-1)?.is_compatible_with(Dim::from(3)) {
        bail!("colours have three channels, the last axis of {shape}");
    }
    one(c.input(0).dtype, shape)
}

pub(in crate::ops) fn adjusted(c: &InferContext<'_>, channels: Option<usize>) -> Result<Types> {
    let shape = c.shape(0).with_rank_at_least(3)?;
    c.shape(1).with_rank(0)?;
    if let (Some(n), Some(_)) = (channels, shape.rank())
        && !shape.dim(-1)?.is_compatible_with(Dim::from(n))
    {
        bail!("colours have {n} channels, the last axis of {shape}");
    }
    one(c.input(0).dtype, shape)
}

pub(in crate::ops) fn warped(c: &InferContext<'_>) -> Result<Types> {
    let maps = c.shape(1).with_rank(2)?;
    let (n, batch) = (maps.dim(0)?, images(c, 0)?.dim(0)?);
    let fits = n.is_compatible_with(Dim::from(1)) || n.is_compatible_with(batch);
    if !maps.dim(1)?.is_compatible_with(Dim::from(8)) || !fits {
        bail!("maps have the shape [images, 8] or [1, 8], not {maps}");
    }
    if c.inputs.len() > 3 {
        c.shape(3).with_rank(0)?;
    }
    of_size(c, c.input(0).dtype, 2)
}

pub(in crate::ops) fn glimpses(c: &InferContext<'_>) -> Result<Types> {
    let offsets = of([images(c, 0)?.dim(0)?, Dim::from(2)]).merge(c.shape(2));
    let offsets =
        offsets.map_err(|e| e.prefixed(format_args!("offsets have the shape [images, 2]")))?;
    let (x, [h, w]) = (images(c, 0)?, size(c, 1)?);
    one(DType::F32, of([offsets.dim(0)?, h, w, x.dim(3)?]))
}

pub(in crate::ops) fn drawn(c: &InferContext<'_>) -> Result<Types> {
    let (x, boxes) = (images(c, 0)?, c.shape(1).with_rank(3)?);
    if !boxes.dim(2)?.is_compatible_with(Dim::from(4)) {
        bail!("a box has four numbers: boxes have the shape [images, n, 4], not {boxes}");
    }
    of([x.dim(0)?]).merge(&of([boxes.dim(0)?]))?;
    if let Some(n) = x.dim(3)?.size()
        && ![1, 3, 4].contains(&n)
    {
        bail!("images to draw on have 1, 3 or 4 channels, not {n}");
    }
    if c.inputs.len() > 2 {
        let colours = c.shape(2).with_rank(2)?;
        if let (Some(has), Some(needs)) = (colours.dim(1)?.size(), x.dim(3)?.size())
            && has < needs
        {
            bail!("colours have {has} channels, the images {needs}");
        }
    }
    one(c.input(0).dtype, x)
}

/// The boxes that ops with different inputs choose; `given` if the first input is a matrix of overlaps.
pub(in crate::ops) fn selected(c: &InferContext<'_>, given: bool) -> Result<Types> {
    let (boxes, scores) = (c.shape(0).with_rank(2)?, c.shape(1).with_rank(1)?);
    for i in 2..c.inputs.len() {
        c.shape(i).with_rank(0)?;
    }
    let n = of([boxes.dim(0)?]).merge(&scores)?.dim(0)?;
    if !boxes.dim(1)?.is_compatible_with(if given { n } else { Dim::from(4) }) {
        let columns = if given { "n" } else { "4" };
        bail!("{} numbers of each of {n} boxes; the shape [n, {columns}] is wanted", boxes.dim(1)?);
    }
    let padded = c.attrs.value(NonMaxSuppressionV4::PAD_TO_MAX_OUTPUT_SIZE.name()).is_some()
        && c.get(NonMaxSuppressionV4::PAD_TO_MAX_OUTPUT_SIZE)?;
    let count = match c.integers(2).as_deref() {
        Some([n]) if *n < 0 => bail!("{n} boxes are wanted; the number must not be negative"),
        Some([n]) if padded => Dim::from(*n as usize),
        _ => Dim::UNKNOWN,
    };
    let indices = TensorType::new(DType::I32, of([count]));
    let valid = TensorType::new(DType::I32, Shape::scalar());
    Ok(match (c.inputs.len(), c.attrs.value(NonMaxSuppressionV4::PAD_TO_MAX_OUTPUT_SIZE.name())) {
        (6, _) => {
            let scores = TensorType::new(c.input(1).dtype, of([count]));
            [indices, scores, valid].into_iter().collect()
        }
        (_, Some(_)) => [indices, valid].into_iter().collect(),
        _ => [indices].into(),
    })
}

pub(in crate::ops) fn combined(c: &InferContext<'_>) -> Result<Types> {
    let (boxes, scores) = (c.shape(0).with_rank(4)?, c.shape(1).with_rank(3)?);
    for i in 2..6 {
        c.shape(i).with_rank(0)?;
    }
    if !boxes.dim(3)?.is_compatible_with(Dim::from(4)) {
        bail!("a box has four numbers: boxes have the shape [batch, n, q, 4], not {boxes}");
    }
    let both = of([boxes.dim(0)?, boxes.dim(1)?]).merge(&of([scores.dim(0)?, scores.dim(1)?]))?;
    let q = boxes.dim(2)?;
    if !q.is_compatible_with(Dim::from(1)) && !q.is_compatible_with(scores.dim(2)?) {
        bail!("boxes {boxes} are the same for all classes, or one for each of scores {scores}");
    }
    let batch = both.dim(0)?;
    let padded = c.get(crate::ops::CombinedNonMaxSuppression::PAD_PER_CLASS)?;
    let count = match c.integers(3).as_deref() {
        Some([n]) if !padded => usize::try_from(*n).map_or(Dim::UNKNOWN, Dim::from),
        _ => Dim::UNKNOWN,
    };
    let each = || TensorType::new(DType::F32, of([batch, count]));
    let boxes = TensorType::new(DType::F32, of([batch, count, Dim::from(4)]));
    Ok([boxes, each(), each(), TensorType::new(DType::I32, of([batch]))].into_iter().collect())
}

pub(in crate::ops) fn distorted(c: &InferContext<'_>) -> Result<Types> {
    vector(c, 0, 3)?;
    let boxes = c.shape(1).with_rank(3)?;
    if !boxes.dim(2)?.is_compatible_with(Dim::from(4)) {
        bail!("a box has four numbers: boxes have the shape [batch, n, 4], not {boxes}");
    }
    c.shape(2).with_rank(0)?;
    vector(c, 3, 2)?;
    let three = || TensorType::new(c.input(0).dtype, of([Dim::from(3)]));
    let bounds = of([Dim::from(1), Dim::from(1), Dim::from(4)]);
    Ok([three(), three(), TensorType::new(DType::F32, bounds)].into_iter().collect())
}
