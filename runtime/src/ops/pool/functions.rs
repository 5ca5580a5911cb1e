//! Poolings for users.

use super::{AvgPool, AvgPool3d, MaxPool, MaxPool3d, MaxPoolWithArgmax};
use crate::ops::methods::*;
use crate::ops::options::{Sets, chosen};
use crate::ops::{
    DataFormat, Integers, Op, Padding, Pairs, PerAxis, PoolOptions, floor_mod, neg, shape_of, stack,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result, bail};

impl PoolOptions {
    /// The window sizes and strides of all axes.
    fn lists(&self, window: &PerAxis, spatial: usize) -> [Vec<i64>; 2] {
        let strides = self.strides.as_ref().unwrap_or(window);
        [window, strides].map(|n| n.list(spatial, self.format))
    }

    fn no_explicit(&self, what: &str) -> Result<()> {
        match self.padding {
            Padding::Explicit(_) => {
                bail!(Unimplemented, "explicit paddings of {what}; pad the images with `pad` first")
            }
            _ => Ok(()),
        }
    }

    /// The options for rows as images of height one, their window, and the axis of the height.
    fn of_rows(mut self, window: PerAxis) -> (Self, PerAxis, i64) {
        self.strides = self.strides.map(PerAxis::behind_one);
        self.dilations = self.dilations.map(PerAxis::behind_one);
        if let Padding::Explicit(paddings) = &mut self.padding {
            paddings.insert(0, [0, 0]);
        }
        let axis = if self.format == DataFormat::ChannelsFirst { 2 } else { 1 };
        (self, window.behind_one(), axis)
    }

    /// A pooling with gaps between the elements of windows: of images that consist of every so many pixels.
    fn with_gaps(
        mut self,
        x: &Tensor,
        window: &PerAxis,
        spatial: usize,
        pool: Pool,
    ) -> Result<Tensor> {
        let Some(dilations) = self.dilations.take() else { return pool(self, x, window) };
        let gaps = spatial_only(dilations.list(spatial, DataFormat::ChannelsLast));
        if gaps.iter().all(|d| *d == 1) {
            return pool(self, x, window);
        }
        let strides = self.strides.take().unwrap_or(PerAxis::from(1));
        let strides = strides.list(spatial, DataFormat::ChannelsLast);
        if gaps.iter().any(|d| *d < 1) {
            bail!("dilations are 1 at least, not {gaps:?}");
        }
        let plain = self.padding == Padding::Valid && self.format == DataFormat::ChannelsLast;
        if !plain || strides.iter().any(|s| *s != 1) {
            bail!(
                Unimplemented,
                "dilations with padding, strides or channels first; leave out the dilations"
            );
        }
        // Pixels are added at the end until the sizes are multiples, and what they make is cut off.
        let gaps = Tensor::from_vec(gaps);
        let sizes = shape_of(x)?.cast(DType::I64)?.slice([1i64], [spatial as i64])?;
        let missing = floor_mod(neg(sizes)?, &gaps)?;
        let pairs = Pairs::Tensor(stack(&[&missing.zeros_like()?, &missing], 1)?);
        let parts = x.space_to_batch(Integers::Tensor(gaps.clone()), pairs.clone())?;
        self.strides = Some(PerAxis::from(1));
        pool(self, &parts, window)?.batch_to_space(Integers::Tensor(gaps), pairs)
    }

    fn max2d(self, x: &Tensor, window: &PerAxis) -> Result<Tensor> {
        if self.dilations.is_some() {
            return self.with_gaps(x, window, 2, PoolOptions::max2d);
        }
        let [ksize, strides] = self.lists(window, 2);
        let (padding, data_format) = (self.padding.name(), self.format.name(2));
        let explicit_paddings = self.padding.list(self.format);
        MaxPool { ksize, strides, padding, explicit_paddings, data_format }.run(&[x])
    }

    fn max3d(self, x: &Tensor, window: &PerAxis) -> Result<Tensor> {
        if self.dilations.is_some() {
            return self.with_gaps(x, window, 3, PoolOptions::max3d);
        }
        self.no_explicit("volumes")?;
        let [ksize, strides] = self.lists(window, 3);
        let (padding, data_format) = (self.padding.name(), self.format.name(3));
        MaxPool3d { ksize, strides, padding, data_format }.run(&[x])
    }

    fn avg2d(self, x: &Tensor, window: &PerAxis) -> Result<Tensor> {
        if self.dilations.is_some() {
            return self.with_gaps(x, window, 2, PoolOptions::avg2d);
        }
        self.no_explicit("means")?;
        let [ksize, strides] = self.lists(window, 2);
        let (padding, data_format) = (self.padding.name(), self.format.name(2));
        AvgPool { ksize, strides, padding, data_format }.run(&[x])
    }

    fn avg3d(self, x: &Tensor, window: &PerAxis) -> Result<Tensor> {
        if self.dilations.is_some() {
            return self.with_gaps(x, window, 3, PoolOptions::avg3d);
        }
        self.no_explicit("means")?;
        let [ksize, strides] = self.lists(window, 3);
        let (padding, data_format) = (self.padding.name(), self.format.name(3));
        AvgPool3d { ksize, strides, padding, data_format }.run(&[x])
    }
}

/// A pooling with some options.
type Pool = fn(PoolOptions, &Tensor, &PerAxis) -> Result<Tensor>;

/// The numbers for the axes of space, of those for all axes.
fn spatial_only(all: Vec<i64>) -> Vec<i64> {
    all[1..all.len() - 1].to_vec()
}

/// A pooling of rows by one of images.
fn rows(x: &Tensor, window: PerAxis, options: PoolOptions, pool: Pool) -> Result<Tensor> {
    let (options, window, axis) = options.of_rows(window);
    pool(options, &x.expand_dims(axis)?, &window)?.squeeze(axis)
}

/// Poolings, as functions and methods.
macro_rules! pools {
    ($($(#[$doc:meta])* fn $name:ident |$x:ident, $window:ident, $options:ident| $body:expr;)*) => {
        $($(#[$doc])*
        #[track_caller]
        pub fn $name(
            x: impl TensorLike,
            window: impl Into<PerAxis>,
            options: impl Sets<PoolOptions>,
        ) -> Result<Tensor> {
            let _site = call_site!();
            let ($x, $window, $options) = (&*x.lend()?, window.into(), chosen::<PoolOptions>(options)?);
            $body
        })*
        impl Tensor {
            $(#[doc = concat!("See [`ops::", stringify!($name), "`](", stringify!($name), "()).")]
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            pub fn $name(&self, window: impl Into<PerAxis>, options: impl Sets<PoolOptions>) -> Result<Tensor> {
                $name(self, window, options)
            })*
        }
    };
}
pools! {
    /// The largest element of each window of rows.
    ///
    /// TensorFlow: `tf.nn.max_pool1d`; PyTorch: `max_pool1d`. Rows `[batch, width, channels]`; as for [`max_pool2d()`].
    ///
    /// # Errors
    /// As for [`max_pool2d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[[1], [5], [2], [3]]];
    /// assert_eq!(x.max_pool1d(2, ..)?.as_slice::<i32>()?, &[5, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn max_pool1d |x, window, options| rows(x, window, options, PoolOptions::max2d);

    /// The largest element of each window of images.
    ///
    /// TensorFlow: `tf.nn.max_pool2d`; PyTorch: `max_pool2d`. Images `[batch, height, width, channels]`, and the size of
    /// the window: a number for both axes, or one for each. Windows lie side by side, unless
    /// [`Strides`](crate::ops::Strides) says otherwise. Other options: [`Padding`] (what is added is in no window),
    /// [`DataFormat`], and [`Dilations`](crate::ops::Dilations) without strides and padding, which then are 1.
    ///
    /// Dtypes: floats, integers of up to 32 bits, int64. Gradients go to the first of the largest elements.
    ///
    /// # Errors
    /// `InvalidArgument` for images of another rank, windows larger than the padded images, and sizes or strides below
    /// one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]].reshape([1, 3, 3, 1])?;
    /// assert_eq!(x.max_pool2d(2, ops::Strides(1))?.as_slice::<i32>()?, &[5, 6, 8, 9]);
    /// assert_eq!(x.max_pool2d([3, 1], ..)?.as_slice::<i32>()?, &[7, 8, 9]);
    /// # Ok::<(), Error>(())
    /// ```
    fn max_pool2d |x, window, options| options.max2d(x, &window);

    /// The largest element of each window of volumes.
    ///
    /// TensorFlow: `tf.nn.max_pool3d`; PyTorch: `max_pool3d`. Volumes `[batch, depth, height, width, channels]` of
    /// floats; as for [`max_pool2d()`], but without explicit paddings.
    ///
    /// # Errors
    /// As for [`max_pool2d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::range(0.0f32, 8.0f32, 1.0f32)?.reshape([1, 2, 2, 2, 1])?;
    /// assert_eq!(x.max_pool3d(2, ..)?.as_slice::<f32>()?, &[7.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn max_pool3d |x, window, options| options.max3d(x, &window);

    /// The mean of each window of rows.
    ///
    /// TensorFlow: `tf.nn.avg_pool1d`; PyTorch: `avg_pool1d`. Rows `[batch, width, channels]`; as for [`avg_pool2d()`].
    ///
    /// # Errors
    /// As for [`avg_pool2d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[[1.0f32], [5.0], [2.0], [4.0]]];
    /// assert_eq!(x.avg_pool1d(2, ..)?.as_slice::<f32>()?, &[3.0, 3.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn avg_pool1d |x, window, options| rows(x, window, options, PoolOptions::avg2d);

    /// The mean of each window of images.
    ///
    /// TensorFlow: `tf.nn.avg_pool2d`; PyTorch: `avg_pool2d` with `count_include_pad=False`. As for [`max_pool2d()`], of
    /// floats and without explicit paddings. What `Padding::Same` adds does not count.
    ///
    /// # Errors
    /// As for [`max_pool2d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 2.0], [3.0, 6.0]].reshape([1, 2, 2, 1])?;
    /// assert_eq!(x.avg_pool2d(2, ..)?.as_slice::<f32>()?, &[3.0]);
    /// let y = x.avg_pool2d(2, (ops::Padding::Same, ops::Strides(1)))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[3.0, 4.0, 4.5, 6.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn avg_pool2d |x, window, options| options.avg2d(x, &window);

    /// The mean of each window of volumes.
    ///
    /// TensorFlow: `tf.nn.avg_pool3d`; PyTorch: `avg_pool3d`. Volumes `[batch, depth, height, width, channels]`; as for
    /// [`avg_pool2d()`].
    ///
    /// # Errors
    /// As for [`avg_pool2d()`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = ops::range(0.0f32, 8.0f32, 1.0f32)?.reshape([1, 2, 2, 2, 1])?;
    /// assert_eq!(x.avg_pool3d(2, ..)?.as_slice::<f32>()?, &[3.5]);
    /// # Ok::<(), Error>(())
    /// ```
    fn avg_pool3d |x, window, options| options.avg3d(x, &window);
}

/// The largest element of each window of images, and its place.
///
/// TensorFlow: `tf.nn.max_pool_with_argmax`. As for [`max_pool2d()`], with the channels last and without explicit
/// paddings. Places are int64 and count the elements of an image, `(y · width + x) · channels + channel`; of equal
/// elements it is the first.
///
/// # Errors
/// As for [`max_pool2d()`].
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1, 2], [7, 4]].reshape([1, 2, 2, 1])?;
/// let (y, places) = ops::max_pool_with_argmax(&x, 2, ..)?;
/// assert_eq!((y.as_slice::<i32>()?, places.as_slice::<i64>()?), (&[7][..], &[2][..]));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn max_pool_with_argmax(
    x: impl TensorLike,
    window: impl Into<PerAxis>,
    options: impl Sets<PoolOptions>,
) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    let options = chosen::<PoolOptions>(options)?;
    options.no_explicit("places")?;
    if options.format == DataFormat::ChannelsFirst {
        bail!(
            Unimplemented,
            "places of images with the channels first; transpose them by [0, 2, 3, 1]"
        );
    }
    let [ksize, strides] = options.lists(&window.into(), 2);
    let (padding, targmax) = (options.padding.name(), super::PLACES);
    let op = MaxPoolWithArgmax { ksize, strides, targmax, padding, include_batch_in_index: false };
    op.run_as(&[&*x.lend()?])
}
