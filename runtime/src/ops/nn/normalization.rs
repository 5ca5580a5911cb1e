//! Normalizations of images: over batches, and over neighbouring channels.

use crate::array::{Array, Dims, extent, vec_for};
use crate::define_op;
use crate::ir::{Attrs, InferContext, KEEP_DIMS, KernelContext, OpDef, Outputs, Types};
use crate::ops::conv::{nhwc, windows};
use crate::ops::linear;
use crate::ops::methods::*;
use crate::ops::movement::kernel::transposed;
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::folded::examples;
use crate::ops::rules::gradient::{Gradient, InputGradients};
use crate::ops::rules::infer::{one, same_shape};
use crate::ops::{Add, Mul, NamedOp, Op as _, ReduceMean, ReduceSum, Rsqrt, Sub};
use crate::tensor::execute;
use crate::types::{DType, DTypeSet, Dim, Result, Shape, TensorType, bail, err};

define_op! {
    /// Normalizes each channel of images by mean and variance, then scales and shifts it; the function is
    /// [`batch_norm()`].
    ///
    /// TensorFlow: `FusedBatchNormV3`. Images `[batch, …, channels]` of rank 4 or 5, vectors for the channels. In training,
    /// mean and variance are those of the batch; else those that are given. The results are the images, and the mean and
    /// the variance: in training `exponential_avg_factor` parts of the batch's (of the unbiased variance), the rest of
    /// those given. The other results are for the gradient.
    ///
    /// [`batch_norm()`]: crate::ops::batch_norm
    pub op FusedBatchNorm = "FusedBatchNormV3" {
        inputs: { x: T, scale: U, offset: U, mean: U, variance: U },
        outputs: {
            y: T, batch_mean: U, batch_variance: U, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U
        },
        types: { T: DTypeSet::of(&[DType::F16, DType::BF16, DType::F32]), U: DTypeSet::of(&[DType::F32]) },
        attrs: {
            epsilon: f32 = 0.0001, exponential_avg_factor: f32 = 1.0, data_format: String = nhwc(),
            is_training: bool = true
        },
        dispatch: none,
        infer: infer, kernel: normalized,
        gradient: of_batch_norm,
    }

    /// The gradients of [`FusedBatchNorm`] with respect to images, scale and offset.
    ///
    /// TensorFlow: `FusedBatchNormGradV3`. The two reserve spaces are those of the op. The last results are empty.
    pub op FusedBatchNormGrad = "FusedBatchNormGradV3" {
        inputs: { y_backprop: T, x: T, scale: {F32}, reserve_space_1: U, reserve_space_2: U, reserve_space_3: U },
        outputs: { x_backprop: T, scale_backprop: U, offset_backprop: U, reserve_space_4: U, reserve_space_5: U },
        types: { T: DTypeSet::of(&[DType::F16, DType::BF16, DType::F32]), U: DTypeSet::of(&[DType::F32]) },
        attrs: { epsilon: f32 = 0.0001, data_format: String = nhwc(), is_training: bool = true },
        dispatch: none,
        infer: infer_gradient, kernel: normalized_gradient,
    }

    /// Divides each element by a power of the squares around it, in `depth_radius` channels on each side; the function is
    /// [`local_response_normalization()`].
    ///
    /// TensorFlow: `LRN`. Images `[batch, height, width, channels]`; the result is
    /// `x / (bias + alpha · sum of squares)^beta`.
    ///
    /// [`local_response_normalization()`]: crate::ops::local_response_normalization
    pub op Lrn = "LRN" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::F16, DType::BF16, DType::F32]) },
        attrs: { depth_radius: i64 = 5, bias: f32 = 1.0, alpha: f32 = 1.0, beta: f32 = 0.5 },
        infer: |c| check_lrn(c).and_then(|()| same_shape(c)), kernel: lrn,
        gradient: |g| {
            let op = LrnGrad {
                depth_radius: g.get(Lrn::DEPTH_RADIUS)?, bias: g.get(Lrn::BIAS)?, alpha: g.get(Lrn::ALPHA)?,
                beta: g.get(Lrn::BETA)?,
            };
            op.run(&[g.dy()?, g.x(0), g.y()])
        },
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`Lrn`], from that of the result, the images and the result.
    ///
    /// TensorFlow: `LRNGrad`. The attributes are those of the normalization.
    pub op LrnGrad = "LRNGrad" {
        inputs: { input_grads: T, input_image: T, output_image: T }, outputs: { output: T },
        types: { T: DTypeSet::of(&[DType::F16, DType::BF16, DType::F32]) },
        attrs: { depth_radius: i64 = 5, bias: f32 = 1.0, alpha: f32 = 1.0, beta: f32 = 0.5 },
        infer: |c| {
            check_lrn(c)?;
            let all = c.shape(0).merge(c.shape(1)).and_then(|s| s.merge(c.shape(2)));
            one(c.input(0).dtype, all.map_err(|e| e.prefixed("gradient, images and results have one shape"))?)
        },
        kernel: lrn_gradient,
        batch: |b| examples(b, &[0, 1, 2]),
    }
}

/// The axis of the channels. The names for images serve volumes too.
fn channel_axis(format: &str, rank: usize) -> Result<usize> {
    match format {
        "NHWC" | "NCHW" => linear::infer::channel_axis(format, rank),
        _ => windows::channel_axis(format, rank),
    }
}

/// Refuses images of another rank, and vectors that have not an element for each channel. `vectors` are their numbers
/// among the inputs.
fn check(c: &InferContext<'_>, images: usize, vectors: &[usize]) -> Result<Dim> {
    let shape = c.shape(images);
    if shape.rank().is_some_and(|rank| rank != 4 && rank != 5) {
        bail!("images have rank 4 or 5, not shape {shape}");
    }
    let mut channels = match shape.dims() {
        Some(dims) => {
            dims[channel_axis(&c.get::<String>(FusedBatchNorm::DATA_FORMAT)?, dims.len())?]
        }
        None => Dim::UNKNOWN,
    };
    for i in vectors {
        let count = c.shape(*i).with_rank(1)?.dim(0)?;
        let merged = channels.merge(count);
        channels = merged
            .ok_or_else(|| err!("a vector of {count} for {channels} channels (input {i})"))?;
    }
    Ok(channels)
}

fn infer(c: &InferContext<'_>) -> Result<Types> {
    let training = c.get(FusedBatchNorm::IS_TRAINING)?;
    // In training without an average, mean and variance may be empty.
    let unused = training && c.get(FusedBatchNorm::EXPONENTIAL_AVG_FACTOR)? == 1.0;
    let channels = check(c, 0, if unused { &[1, 2] } else { &[1, 2, 3, 4] })?;
    let vector = TensorType::new(DType::F32, [channels].into_iter().collect::<Shape>());
    let empty = TensorType::new(DType::F32, Shape::scalar());
    let images = c.input(0).clone();
    Ok([images, vector.clone(), vector.clone(), vector.clone(), vector, empty]
        .into_iter()
        .collect())
}

fn infer_gradient(c: &InferContext<'_>) -> Result<Types> {
    let channels = check(c, 1, &[2, 3, 4])?;
    let shape = c.shape(1).merge(c.shape(0)).map_err(|e| e.prefixed("`y_backprop` and `x`"))?;
    let vector = TensorType::new(DType::F32, [channels].into_iter().collect::<Shape>());
    let empty = TensorType::new(DType::F32, [Dim::from(0)].into_iter().collect::<Shape>());
    let images = TensorType::new(c.input(1).dtype, shape);
    Ok([images, vector.clone(), vector, empty.clone(), empty].into_iter().collect())
}

fn call(op: &OpDef, x: &Array, y: &Array) -> Result<Array> {
    op.run_one(&[x, y], &Attrs::new())
}

/// A reduction of images in rows to a vector.
fn reduced(op: &OpDef, rows: &Array) -> Result<Array> {
    let axis = Array::from_i64s(&[0]).reshape([1])?;
    op.run_one(&[rows, &axis], &Attrs::new().with(KEEP_DIMS, &false))
}

fn number(x: f32) -> Result<Array> {
    Array::from_slice([], &[x])
}

/// Images in float32 as rows of channels, the sizes of the images with the channels last, and the order of the axes that
/// brings them back.
fn rows(c: &KernelContext<'_>, x: &Array) -> Result<(Array, Dims, Option<Dims>)> {
    let last = x.rank() - 1;
    let channels = channel_axis(&c.get::<String>(FusedBatchNorm::DATA_FORMAT)?, x.rank())?;
    let wide = cast(x, DType::F32)?;
    let (wide, back) = match channels == last {
        true => (wide, None),
        false => {
            let mut order: Dims = (0..=last).filter(|i| *i != channels).collect();
            order.push(channels);
            let mut back: Dims = (0..last).collect();
            back.insert(channels, last);
            (transposed(c, &wide, &order)?, Some(back))
        }
    };
    let dims = Dims::from_slice(wide.dims());
    let count = extent(&dims[..last]);
    Ok((wide.reshape([count, dims[last]])?, dims, back))
}

/// Rows as images of a dtype.
fn images(
    c: &KernelContext<'_>,
    rows: &Array,
    dims: &[usize],
    back: Option<Dims>,
    dtype: DType,
) -> Result<Array> {
    let wide = rows.reshape(dims)?;
    let wide = back.map_or(Ok(wide.clone()), |order| transposed(c, &wide, &order))?;
    cast(&wide, dtype)
}

/// `1 / sqrt(variance + epsilon)`.
fn inverse_deviation(c: &KernelContext<'_>, variance: &Array) -> Result<Array> {
    let shifted = call(Add::DEF, variance, &number(c.get(FusedBatchNorm::EPSILON)?)?)?;
    Rsqrt::DEF.run_one(&[&shifted], &Attrs::new())
}

fn normalized(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, dims, back) = rows(c, c.input(0))?;
    let (scale, offset) = (c.input(1), c.input(2));
    let (mut mean, mut variance) = (c.input(3).clone(), c.input(4).clone());
    let (mut new_mean, mut new_variance) = (mean.clone(), variance.clone());
    if c.get(FusedBatchNorm::IS_TRAINING)? {
        let count = x.dims()[0];
        mean = reduced(ReduceMean::DEF, &x)?;
        let centered = call(Sub::DEF, &x, &mean)?;
        variance = reduced(ReduceMean::DEF, &call(Mul::DEF, &centered, &centered)?)?;
        let unbiased = number(count as f32 / count.saturating_sub(1).max(1) as f32)?;
        let unbiased = call(Mul::DEF, &variance, &unbiased)?;
        let part: f32 = c.get(FusedBatchNorm::EXPONENTIAL_AVG_FACTOR)?;
        let average = |old: &Array, new: &Array| -> Result<Array> {
            match part == 1.0 {
                true => Ok(new.clone()),
                false => call(
                    Add::DEF,
                    &call(Mul::DEF, old, &number(1.0 - part)?)?,
                    &call(Mul::DEF, new, &number(part)?)?,
                ),
            }
        };
        (new_mean, new_variance) = (average(&new_mean, &mean)?, average(&new_variance, &unbiased)?);
    }
    let factor = call(Mul::DEF, &inverse_deviation(c, &variance)?, scale)?;
    let centered = call(Sub::DEF, &x, &mean)?;
    let y = call(Add::DEF, &call(Mul::DEF, &centered, &factor)?, offset)?;
    let y = images(c, &y, &dims, back, c.input(0).dtype())?;
    Ok([y, new_mean, new_variance, mean, variance, number(0.0)?].into_iter().collect())
}

fn normalized_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    let (dy, dims, back) = rows(c, c.input(0))?;
    let (x, ..) = rows(c, c.input(1))?;
    let (scale, mean) = (c.input(2), c.input(3));
    let inverse = inverse_deviation(c, c.input(4))?;
    let centered = call(Sub::DEF, &x, mean)?;
    let along = call(Mul::DEF, &dy, &centered)?;
    let d_scale = call(Mul::DEF, &reduced(ReduceSum::DEF, &along)?, &inverse)?;
    let d_offset = reduced(ReduceSum::DEF, &dy)?;
    let mut dx = dy.clone();
    if c.get(FusedBatchNorm::IS_TRAINING)? {
        let square = call(Mul::DEF, &inverse, &inverse)?;
        let slope = call(Mul::DEF, &reduced(ReduceMean::DEF, &along)?, &square)?;
        let level = call(Sub::DEF, &dy, &reduced(ReduceMean::DEF, &dy)?)?;
        dx = call(Sub::DEF, &level, &call(Mul::DEF, &centered, &slope)?)?;
    }
    let dx = call(Mul::DEF, &dx, &call(Mul::DEF, &inverse, scale)?)?;
    let dx = images(c, &dx, &dims, back, c.input(1).dtype())?;
    let empty = Array::from_slice::<f32>([0], &[])?;
    Ok([dx, d_scale, d_offset, empty.clone(), empty].into_iter().collect())
}

/// The gradient of images, scale and offset by the images of the result. As in TensorFlow, the cotangents of the other
/// results are ignored, and mean and variance get no gradient.
fn of_batch_norm(g: &Gradient<'_>) -> Result<InputGradients> {
    let dy = match &g.cotangents[0] {
        Some(dy) => dy.clone(),
        None => g.y().zeros_like()?,
    };
    let op = FusedBatchNormGrad {
        epsilon: g.get(FusedBatchNorm::EPSILON)?,
        data_format: g.get(FusedBatchNorm::DATA_FORMAT)?,
        is_training: g.get(FusedBatchNorm::IS_TRAINING)?,
    };
    let (mean, variance, rest) = (&g.outputs[3], &g.outputs[4], &g.outputs[5]);
    let results = execute(op.def(), op.attrs(), &[&dy, g.x(0), g.x(1), mean, variance, rest])?;
    let mut results = results.into_iter();
    let mut next = || results.next();
    Ok([next(), next(), next(), None, None].into_iter().collect())
}

fn check_lrn(c: &InferContext<'_>) -> Result<()> {
    for i in 0..c.inputs.len() {
        c.shape(i).with_rank(4).map_err(|e| e.prefixed("images"))?;
    }
    let radius: i64 = c.get(Lrn::DEPTH_RADIUS)?;
    match i32::try_from(radius).is_ok_and(|r| r >= 0) {
        true => Ok(()),
        false => bail!("`depth_radius` = {radius} is not a number of channels"),
    }
}

/// Calls `f` with each row of channels of float32 images, its place, and the sums in `bias + alpha · sum`, for a result
/// of the dtype of the first input.
fn by_rows(
    c: &KernelContext<'_>,
    images: &Array,
    mut f: impl FnMut(usize, &[f32], &[f32], &mut [f32]),
) -> Result<Outputs> {
    let x = cast(images, DType::F32)?;
    let radius = c.get(Lrn::DEPTH_RADIUS)? as usize;
    let (bias, alpha): (f32, f32) = (c.get(Lrn::BIAS)?, c.get(Lrn::ALPHA)?);
    let channels = x.dims()[3];
    let data = x.as_slice::<f32>()?;
    let y = c.output_slice(x.dims(), |out: &mut [f32]| {
        if data.is_empty() {
            return Ok(());
        }
        let mut sums = vec_for(channels)?;
        sums.resize(channels, 0.0);
        let rows = data.chunks_exact(channels).zip(out.chunks_exact_mut(channels));
        for (i, (row, out)) in rows.enumerate() {
            for (at, sum) in sums.iter_mut().enumerate() {
                let window = at.saturating_sub(radius)..channels.min(at.saturating_add(radius + 1));
                *sum = bias + alpha * row[window].iter().map(|x| x * x).sum::<f32>();
            }
            f(i, row, &sums, out);
        }
        Ok(())
    })?;
    Ok([cast(&y, images.dtype())?].into())
}

fn lrn(c: &KernelContext<'_>) -> Result<Outputs> {
    let beta: f32 = c.get(Lrn::BETA)?;
    by_rows(c, c.input(0), |_, x, sums, out| {
        for ((x, sum), out) in x.iter().zip(sums).zip(out) {
            *out = x * sum.powf(-beta);
        }
    })
}

fn lrn_gradient(c: &KernelContext<'_>) -> Result<Outputs> {
    let (alpha, beta): (f32, f32) = (c.get(Lrn::ALPHA)?, c.get(Lrn::BETA)?);
    let radius = c.get(Lrn::DEPTH_RADIUS)? as usize;
    let (dy, y) = (cast(c.input(0), DType::F32)?, cast(c.input(2), DType::F32)?);
    let (dy, y) = (dy.as_slice::<f32>()?, y.as_slice::<f32>()?);
    by_rows(c, c.input(1), |row, x, sums, out| {
        let n = x.len();
        let (dy, y) = (&dy[row * n..][..n], &y[row * n..][..n]);
        for at in 0..n {
            // Each element is in the sums of its neighbours.
            let window = at.saturating_sub(radius)..n.min(at.saturating_add(radius + 1));
            let around: f32 = window.map(|i| dy[i] * y[i] / sums[i]).sum();
            out[at] = dy[at] * sums[at].powf(-beta) - 2.0 * alpha * beta * x[at] * around;
        }
    })
}
