//! Pooling whose windows have different sizes, so that images shrink by any ratio.

use extype_kernels::random::Philox;

use crate::array::{Array, Dims, Element, num_elements, vec_for};
use crate::define_op;
use crate::ir::{InferContext, KernelContext, Outputs, Types};
use crate::ops::methods::*;
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::rules::infer::one;
use crate::ops::samplers::generator;
use crate::ops::{Op as _, shape_of};
use crate::types::{DType, DTypeSet, Dim, Result, Shape, TensorType, bail, err};

/// The dtypes of images.
const IMAGES: DTypeSet = DTypeSet::of(&[DType::I32, DType::I64, DType::F32, DType::F64]);

define_op! {
    /// Methods: pooling by any ratio.
    methods of FractionalMethods;

    /// The largest elements of windows of two sizes in random order, so that images shrink by any ratio; and where the rows
    /// and the columns of windows begin.
    ///
    /// TensorFlow: `tf.nn.fractional_max_pool`, `FractionalMaxPool`. Images `[batch, height, width, channels]` and four ratios from 1 upwards, which are 1 for the batch and the channels. Windows may
    /// overlap by one row and column. `pseudo_random` windows follow each other evenly. Equal seeds give equal windows; the seed 0 is unpredictable.
    ///
    /// Dtypes: int32, int64, float32 and float64.
    ///
    /// # Errors
    /// `InvalidArgument` for other ranks, ratios below 1 or above a size; `Unimplemented` for a ratio of batch and channels.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[[[1.0f32], [2.0], [3.0]], [[4.0], [5.0], [6.0]], [[7.0], [8.0], [9.0]]]];
    /// let (y, rows, _) = x.fractional_max_pool([1.0, 1.5, 1.5, 1.0], false, false, 7)?;
    /// assert_eq!(y.shape(), shape![1, 2, 2, 1]);
    /// assert_eq!(rows.as_slice::<i64>()?.last(), Some(&3));
    /// # Ok::<(), Error>(())
    /// ```
    pub op FractionalMaxPool = "FractionalMaxPool" {
        inputs: { value: T }, outputs: { output: T, row_pooling_sequence: {I64}, col_pooling_sequence: {I64} },
        types: { T: IMAGES },
        attrs: {
            pooling_ratio: Vec<f32>, pseudo_random: bool = false, overlapping: bool = false,
            deterministic: bool = false, seed: i64 = 0, seed2: i64 = 0,
        },
        call: method fractional_max_pool(x; pooling_ratio: impl Into<Vec<f32>>, pseudo_random, overlapping, seed)
            => { pooling_ratio: pooling_ratio.into(), deterministic: true, seed2: 0 },
        infer: pooled, kernel: |c| pool(c, false),
        gradient: of_max,
        effect: Impure,
    }

    /// The means of windows of [`FractionalMaxPool`].
    ///
    /// TensorFlow: `tf.nn.fractional_avg_pool`, `FractionalAvgPool`. Means of integers are rounded towards zero.
    ///
    /// Dtypes: those of [`FractionalMaxPool`].
    ///
    /// # Errors
    /// As [`FractionalMaxPool`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (y, _, _) = ops::ones([1, 5, 5, 1], f32)?.fractional_avg_pool([1.0, 1.2, 2.0, 1.0], true, false, 7)?;
    /// assert_eq!(y.shape(), shape![1, 4, 2, 1]);
    /// assert_eq!(y.reduce_min(.., false)?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub op FractionalAvgPool = "FractionalAvgPool" {
        inputs: { value: T }, outputs: { output: T, row_pooling_sequence: {I64}, col_pooling_sequence: {I64} },
        types: { T: IMAGES },
        attrs: {
            pooling_ratio: Vec<f32>, pseudo_random: bool = false, overlapping: bool = false,
            deterministic: bool = false, seed: i64 = 0, seed2: i64 = 0,
        },
        call: method fractional_avg_pool(x; pooling_ratio: impl Into<Vec<f32>>, pseudo_random, overlapping, seed)
            => { pooling_ratio: pooling_ratio.into(), deterministic: true, seed2: 0 },
        infer: pooled, kernel: |c| pool(c, true),
        gradient: of_mean,
        effect: Impure,
    }

    /// The gradient of [`FractionalMaxPool`]: each cotangent goes to the largest element of its window.
    ///
    /// TensorFlow: `FractionalMaxPoolGrad`.
    pub op FractionalMaxPoolGrad = "FractionalMaxPoolGrad" {
        inputs: {
            orig_input: T, orig_output: T, out_backprop: T, row_pooling_sequence: {I64}, col_pooling_sequence: {I64}
        },
        outputs: { output: T },
        types: { T: IMAGES }, attrs: { overlapping: bool = false },
        dispatch: none,
        infer: of_max_type, kernel: max_grad,
    }

    /// The gradient of [`FractionalAvgPool`]: each cotangent is spread evenly over its window.
    ///
    /// TensorFlow: `FractionalAvgPoolGrad`.
    pub op FractionalAvgPoolGrad = "FractionalAvgPoolGrad" {
        inputs: {
            orig_input_tensor_shape: {I64}, out_backprop: T, row_pooling_sequence: {I64}, col_pooling_sequence: {I64}
        },
        outputs: { output: T },
        types: { T: IMAGES }, attrs: { overlapping: bool = false },
        dispatch: none,
        infer: of_mean_type, kernel: mean_grad,
    }
}

/// The size of an axis that shrinks by a ratio.
fn shrunk(size: usize, ratio: f32) -> Result<usize> {
    let (wide, ratio) = (size as f64, f64::from(ratio));
    if ratio > wide {
        bail!("the pooling ratio {ratio} is above the size {size} of its axis");
    }
    Ok((wide / ratio).floor() as usize)
}

fn pooled(c: &InferContext<'_>) -> Result<Types> {
    // Both poolings have the attributes, so the keys of one read them.
    let ratios: Vec<f32> = c.get(FractionalMaxPool::POOLING_RATIO)?;
    let &[batch, .., channels] = &ratios[..] else {
        bail!("four pooling ratios are wanted, not {ratios:?}")
    };
    if ratios.len() != 4 || !ratios.iter().all(|r| *r >= 1.0) {
        bail!("four pooling ratios from 1 upwards are wanted, not {ratios:?}");
    }
    if batch != 1.0 || channels != 1.0 {
        bail!(
            Unimplemented,
            "pooling over batch or channels, by the ratios {ratios:?}; they must be 1"
        );
    }
    let seeds = [c.get(FractionalMaxPool::SEED)?, c.get(FractionalMaxPool::SEED2)?];
    if seeds != [0; 2] && !c.get(FractionalMaxPool::DETERMINISTIC)? {
        bail!("the seeds {seeds:?} have no effect unless `deterministic` is true");
    }
    let shape = c.shape(0).with_rank(4)?;
    let size = |i: usize| match shape.dim(i as i64)?.size() {
        // In full precision, but refused if empty, as by TensorFlow.
        Some(n) if i == 0 || i == 3 => shrunk(n, 1.0).map(|_| Dim::from(n)),
        Some(n) => shrunk(n, ratios[i]).map(Dim::from),
        None => Ok(Dim::UNKNOWN),
    };
    let sizes = (0..4).map(size).collect::<Result<Vec<Dim>>>()?;
    let starts = |i: usize| {
        let count = sizes[i].size().map(|n| n.saturating_add(1));
        TensorType::new(DType::I64, [Dim::from(count)].into_iter().collect::<Shape>())
    };
    let (rows, columns) = (starts(1), starts(2));
    Ok([TensorType::new(c.input(0).dtype, sizes.into_iter().collect::<Shape>()), rows, columns]
        .into_iter()
        .collect())
}

/// Draws of random words. Each draw begins with a new block of the generator.
struct Draws {
    generator: Philox,
    block: u64,
}

impl Draws {
    fn draw(&mut self, count: usize) -> impl Iterator<Item = u32> + use<> {
        let (generator, from) = (self.generator, self.block);
        self.block += count.div_ceil(4) as u64;
        (from..).flat_map(move |i| generator.block(i))
    }
}

/// Where the windows along an axis begin, and where the last one ends.
fn starts(size: usize, count: usize, pseudo_random: bool, draws: &mut Draws) -> Result<Vec<i64>> {
    let least = size / count;
    let mut lengths: Vec<usize> = vec_for(count)?;
    if pseudo_random {
        let (ratio, n) = (size as f64 / count as f64, count as f64);
        // Larger offsets would make the first window too long or the last one too short.
        let most =
            ((least + 2) as f64 / ratio - 1.0).min((size + 1 - least) as f64 / ratio - (n - 1.0));
        let mut drawn = draws.draw(2);
        let mut word = || u64::from(drawn.next().unwrap_or(0));
        let bits = (word() & 0xf_ffff) << 32 | word();
        let offset = (f64::from_bits(0x3ff << 52 | bits) - 1.0) * most;
        let mut last = 1;
        for i in 1..=count {
            let next =
                if i == count { size + 1 } else { (ratio * (i as f64 + offset)).ceil() as usize };
            lengths.push(next.saturating_sub(last));
            last = next;
        }
    } else {
        lengths.extend((0..count).map(|i| least + usize::from(i < size % count)));
        let mut drawn = draws.draw(count);
        for i in 0..count - 1 {
            let other = drawn.next().unwrap_or(0) as usize % (count - i);
            lengths.swap(i, i + other);
        }
    }
    let mut starts = vec_for(count + 1)?;
    starts.push(0);
    starts.extend(lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end as i64)
    }));
    Ok(starts)
}

/// The numbers that windows are computed in.
trait Cell: Element + Copy + PartialOrd + Default + std::ops::Div<Output = Self> {
    fn of(count: usize) -> Self;
    fn add(self, other: Self) -> Self;
}

impl Cell for f64 {
    fn of(count: usize) -> Self {
        count as f64
    }

    fn add(self, other: Self) -> Self {
        self + other
    }
}

impl Cell for i64 {
    fn of(count: usize) -> Self {
        count as i64
    }

    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}

/// Whether a number takes the place of the largest one. NaN is passed over, as by the other poolings.
fn above<T: Cell>(x: T, largest: T) -> bool {
    let is_nan = |x: T| x.partial_cmp(&x).is_none();
    x > largest || (is_nan(largest) && !is_nan(x))
}

/// Images as float64 or int64.
fn wide(x: &Array) -> Result<Array> {
    cast(x, if x.dtype().is_float() { DType::F64 } else { DType::I64 })
}

/// The windows of images, as ranges of rows and of columns.
struct Windows<'a> {
    images: [usize; 4],
    rows: &'a [i64],
    columns: &'a [i64],
    overlapping: bool,
}

impl<'a> Windows<'a> {
    /// Checks where the windows begin.
    fn new(
        images: &[usize],
        rows: &'a [i64],
        columns: &'a [i64],
        overlapping: bool,
    ) -> Result<Self> {
        let Ok(images) = images.try_into() else {
            bail!("images have rank 4, not sizes {images:?}")
        };
        if [rows, columns].iter().any(|starts| starts.iter().any(|s| *s < 0)) {
            bail!("windows begin at places from 0 on, not at {rows:?} and {columns:?}");
        }
        Ok(Self { images, rows, columns, overlapping })
    }

    /// The sizes of the result.
    fn dims(&self) -> Dims {
        let [batch, _, _, channels] = self.images;
        let count = |starts: &[i64]| starts.len().saturating_sub(1);
        [batch, count(self.rows), count(self.columns), channels].into_iter().collect()
    }

    /// Calls `f` with the places of the elements of each window, for each element of the result in order.
    fn each(&self, mut f: impl FnMut(usize, &mut dyn Iterator<Item = usize>)) {
        let [batch, height, width, channels] = self.images;
        if self.dims().contains(&0) {
            return;
        }
        let ranges = |starts: &'a [i64], size: usize| {
            let overlap = i64::from(self.overlapping);
            starts.windows(2).map(move |s| {
                s[0] as usize..(s[1].saturating_add(overlap).min(size as i64) as usize)
            })
        };
        let mut at = 0;
        for b in 0..batch {
            for rows in ranges(self.rows, height) {
                for columns in ranges(self.columns, width) {
                    for channel in 0..channels {
                        let columns = columns.clone();
                        let mut places = rows.clone().flat_map(|r| {
                            columns
                                .clone()
                                .map(move |c| ((b * height + r) * width + c) * channels + channel)
                        });
                        f(at, &mut places);
                        at += 1;
                    }
                }
            }
        }
    }
}

/// Pools by the mean or the largest element of each window.
fn pool(c: &KernelContext<'_>, mean: bool) -> Result<Outputs> {
    let x = c.input(0);
    let ratios: Vec<f32> = c.get(FractionalMaxPool::POOLING_RATIO)?;
    let pseudo_random = c.get(FractionalMaxPool::PSEUDO_RANDOM)?;
    let (seed, seed2) = (c.get(FractionalMaxPool::SEED)?, c.get(FractionalMaxPool::SEED2)?);
    let mut draws = Draws { generator: generator(seed, seed2), block: 0 };
    let mut along =
        |i: usize| starts(x.dims()[i], shrunk(x.dims()[i], ratios[i])?, pseudo_random, &mut draws);
    let (rows, columns) = (along(1)?, along(2)?);
    let windows = Windows::new(x.dims(), &rows, &columns, c.get(FractionalMaxPool::OVERLAPPING)?)?;
    let wide = wide(x)?;
    let y = match wide.dtype() {
        DType::F64 => of_windows::<f64>(c, &windows, wide.as_slice()?, mean)?,
        _ => of_windows::<i64>(c, &windows, wide.as_slice()?, mean)?,
    };
    let list = |starts: &[i64]| Array::from_slice([starts.len()], starts);
    Ok([cast(&y, x.dtype())?, list(&rows)?, list(&columns)?].into_iter().collect())
}

fn of_windows<T: Cell>(
    c: &KernelContext<'_>,
    windows: &Windows<'_>,
    x: &[T],
    mean: bool,
) -> Result<Array> {
    c.output_slice(&windows.dims(), |out: &mut [T]| {
        windows.each(|at, places| {
            let (mut count, mut sum, mut largest) = (0, T::default(), None);
            for x in places.map(|i| x[i]) {
                (count, sum) = (count + 1, sum.add(x));
                largest = largest.filter(|l| !above(x, *l)).or(Some(x));
            }
            out[at] = match (mean, count) {
                (_, 0) => T::default(),
                (true, count) => sum / T::of(count),
                (false, _) => largest.unwrap_or_default(),
            };
        });
        Ok(())
    })
}

/// Checks pooled images against the images, and against where windows begin, which two inputs from `starts` on say.
fn fitting(c: &InferContext<'_>, images: Shape, pooled: &[usize], starts: usize) -> Result<Types> {
    let images = images.with_rank(4)?;
    let count = |i: usize| Ok(c.shape(i).with_rank(1)?.dim(0)?.size().map(|n| n.saturating_sub(1)));
    let wanted: Shape =
        [images.dim(0)?, count(starts)?.into(), count(starts + 1)?.into(), images.dim(3)?]
            .into_iter()
            .collect();
    for i in pooled {
        if !c.shape(*i).is_compatible_with(&wanted) {
            bail!(
                "the windows of images of shape {images} make shape {wanted}, not {}",
                c.shape(*i)
            );
        }
    }
    one(c.input(pooled[0]).dtype, images)
}

fn of_max_type(c: &InferContext<'_>) -> Result<Types> {
    fitting(c, c.shape(0).clone(), &[1, 2], 3)
}

fn of_mean_type(c: &InferContext<'_>) -> Result<Types> {
    if !c.shape(0).is_compatible_with(&crate::shape![4]) {
        bail!("the shape of images is four sizes, not shape {}", c.shape(0));
    }
    let sizes = c.integers(0).map(|sizes| {
        let size = |n: &i64| usize::try_from(*n).map_err(|_| err!("the size {n} is negative"));
        sizes.iter().map(|n| size(n).map(Dim::from)).collect::<Result<Shape>>()
    });
    fitting(c, sizes.unwrap_or_else(|| Ok(Shape::of_rank(4)))?, &[1], 2)
}

fn max_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, dy) = (wide(c.input(0))?, wide(c.input(2))?);
    let overlapping = c.get(FractionalMaxPoolGrad::OVERLAPPING)?;
    let (rows, columns) = (c.input(3).as_slice()?, c.input(4).as_slice()?);
    let windows = Windows::new(x.dims(), rows, columns, overlapping)?;
    let y = match x.dtype() {
        DType::F64 => to_largest::<f64>(c, &windows, x.as_slice()?, dy.as_slice()?)?,
        _ => to_largest::<i64>(c, &windows, x.as_slice()?, dy.as_slice()?)?,
    };
    Ok([cast(&y, c.input(0).dtype())?].into())
}

fn to_largest<T: Cell>(
    c: &KernelContext<'_>,
    windows: &Windows<'_>,
    x: &[T],
    dy: &[T],
) -> Result<Array> {
    c.output_slice(c.input(0).dims(), |out: &mut [T]| {
        out.fill(T::default());
        windows.each(|at, places| {
            if let Some(i) = places.reduce(|a, b| if above(x[b], x[a]) { b } else { a }) {
                out[i] = out[i].add(dy[at]);
            }
        });
        Ok(())
    })
}

fn mean_grad(c: &KernelContext<'_>) -> Result<Outputs> {
    let sizes = c.input(0).to_i64s()?;
    let sizes =
        sizes.iter().map(|n| usize::try_from(*n).map_err(|_| err!("the size {n} is negative")));
    let sizes = sizes.collect::<Result<Dims>>()?;
    num_elements(&sizes, 8)?;
    let dy = cast(c.input(1), DType::F64)?;
    let overlapping = c.get(FractionalAvgPoolGrad::OVERLAPPING)?;
    let (rows, columns) = (c.input(2).as_slice()?, c.input(3).as_slice()?);
    let windows = Windows::new(&sizes, rows, columns, overlapping)?;
    let dy = dy.as_slice::<f64>()?;
    let y = c.output_slice(&sizes, |out: &mut [f64]| {
        out.fill(0.0);
        let mut window: Vec<usize> = Vec::new();
        windows.each(|at, places| {
            window.clear();
            window.extend(places);
            let share = dy[at] / window.len() as f64;
            window.iter().for_each(|i| out[*i] += share);
        });
        Ok(())
    })?;
    Ok([cast(&y, c.input(1).dtype())?].into())
}

fn of_max(g: &Gradient<'_>) -> Result<InputGradients> {
    let op = FractionalMaxPoolGrad { overlapping: g.get(FractionalMaxPool::OVERLAPPING)? };
    Ok(first(g, op.run(&[g.x(0), &g.outputs[0], g.dy()?, &g.outputs[1], &g.outputs[2]])?))
}

fn of_mean(g: &Gradient<'_>) -> Result<InputGradients> {
    let op = FractionalAvgPoolGrad { overlapping: g.get(FractionalMaxPool::OVERLAPPING)? };
    let sizes = shape_of(g.x(0))?.cast(DType::I64)?;
    Ok(first(g, op.run(&[&sizes, g.dy()?, &g.outputs[1], &g.outputs[2]])?))
}
