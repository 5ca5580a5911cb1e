//! Convolutions for users.

use super::options::{ConvOptions, DataFormat, Padding};
use super::{
    Conv2d, Conv2dBackpropInput, Conv3d, Conv3dBackpropInput, DepthwiseConv2d, Dilation2d,
};
use crate::ops::args::Integers;
use crate::ops::methods::*;
use crate::ops::options::{Sets, chosen};
use crate::ops::{Op, PerAxis, neg};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{Result, bail};

impl ConvOptions {
    fn conv2d(&self) -> Conv2d {
        Conv2d {
            strides: self.strides.list(2, self.format),
            padding: self.padding.name(),
            dilations: self.dilations.list(2, self.format),
            explicit_paddings: self.padding.list(self.format),
            data_format: self.format.name(2),
            use_cudnn_on_gpu: true,
        }
    }

    fn depthwise(&self) -> DepthwiseConv2d {
        let Conv2d { strides, padding, dilations, explicit_paddings, data_format, .. } =
            self.conv2d();
        DepthwiseConv2d { strides, padding, explicit_paddings, data_format, dilations }
    }

    fn conv3d(&self) -> Result<Conv3d> {
        if let Padding::Explicit(_) = self.padding {
            bail!(Unimplemented, "explicit paddings of volumes; pad them with `pad` first");
        }
        Ok(Conv3d {
            strides: self.strides.list(3, self.format),
            padding: self.padding.name(),
            dilations: self.dilations.list(3, self.format),
            data_format: self.format.name(3),
        })
    }

    /// The options for rows as images of height one, and the axis of the height.
    fn of_rows(mut self) -> (Self, i64) {
        self.strides = self.strides.behind_one();
        self.dilations = self.dilations.behind_one();
        if let Padding::Explicit(paddings) = &mut self.padding {
            paddings.insert(0, [0, 0]);
        }
        let axis = if self.format == DataFormat::ChannelsFirst { 2 } else { 1 };
        (self, axis)
    }
}

/// Convolves rows with filters.
///
/// TensorFlow: `tf.nn.conv1d`; PyTorch: `conv1d`. Rows `[batch, width, channels]`, filters `[width, channels / groups,
/// features]`; the result is `[batch, width, features]`. As for [`conv2d()`], which says more.
///
/// # Errors
/// As for [`conv2d()`].
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[[1.0f32], [2.0], [4.0], [8.0]]];
/// let y = x.conv1d(&tensor![[[1.0f32]], [[-1.0]]], ..)?;
/// assert_eq!(y.as_slice::<f32>()?, &[-1.0, -2.0, -4.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn conv1d(
    x: impl TensorLike,
    filters: impl TensorLike,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (options, axis) = chosen::<ConvOptions>(options)?.of_rows();
    let (x, filters) = (x.lend()?.expand_dims(axis)?, filters.lend()?.expand_dims(0)?);
    options.conv2d().run(&[&x, &filters])?.squeeze(axis)
}

/// Convolves images with filters.
///
/// TensorFlow: `tf.nn.conv2d`; PyTorch: `conv2d`; JAX: `conv_general_dilated`. Images `[batch, height, width,
/// channels]`, filters `[height, width, channels / groups, features]`; the result is `[batch, height, width,
/// features]`. The filters are not mirrored. Filters over fewer channels than the images have divide channels and
/// features into groups. Options: [`Strides`](crate::ops::Strides), [`Dilations`](crate::ops::Dilations), [`Padding`],
/// [`DataFormat`].
///
/// Dtypes, the same for both: floats, int32. Gradients of any order reach both.
///
/// # Errors
/// `InvalidArgument` for other ranks, channels that the filters don't divide, windows larger than the padded images, and
/// strides or dilations below one.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]].reshape([1, 3, 3, 1])?;
/// let sum = ops::ones([2, 2, 1, 1], DType::F32)?;
/// assert_eq!(x.conv2d(&sum, ..)?.as_slice::<f32>()?, &[12.0, 16.0, 24.0, 28.0]);
/// let y = x.conv2d(&sum, (ops::Padding::Same, ops::Strides(2)))?;
/// assert_eq!(y.as_slice::<f32>()?, &[12.0, 9.0, 15.0, 9.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn conv2d(
    x: impl TensorLike,
    filters: impl TensorLike,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    chosen::<ConvOptions>(options)?.conv2d().run(&[&*x.lend()?, &*filters.lend()?])
}

/// Convolves volumes with filters.
///
/// TensorFlow: `tf.nn.conv3d`; PyTorch: `conv3d`. Volumes `[batch, depth, height, width, channels]`, filters `[depth,
/// height, width, channels / groups, features]`. As for [`conv2d()`], but without explicit paddings; of floats.
///
/// # Errors
/// As for [`conv2d()`].
///
/// ```
/// use extype::prelude::*;
/// let x = ops::ones([1, 3, 3, 3, 2], DType::F32)?;
/// let y = x.conv3d(ops::ones([3, 3, 3, 2, 1], DType::F32)?, ..)?;
/// assert_eq!(y.as_slice::<f32>()?, &[54.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn conv3d(
    x: impl TensorLike,
    filters: impl TensorLike,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    chosen::<ConvOptions>(options)?.conv3d()?.run(&[&*x.lend()?, &*filters.lend()?])
}

/// Convolves each channel of images with filters of its own.
///
/// TensorFlow: `tf.nn.depthwise_conv2d`. Images `[batch, height, width, channels]`, filters `[height, width, channels,
/// n]`; the result has `n` features for each channel, side by side. Options as for [`conv2d()`]; of floats.
///
/// # Errors
/// As for [`conv2d()`].
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 10.0], [2.0, 20.0]].reshape([1, 1, 2, 2])?;
/// let filters = tensor![[1.0f32, 1.0], [1.0, -1.0]].reshape([1, 2, 2, 1])?;
/// assert_eq!(x.depthwise_conv2d(&filters, ..)?.as_slice::<f32>()?, &[3.0, -10.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn depthwise_conv2d(
    x: impl TensorLike,
    filters: impl TensorLike,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    chosen::<ConvOptions>(options)?.depthwise().run(&[&*x.lend()?, &*filters.lend()?])
}

/// Convolves each channel by itself, then mixes the features of each pixel.
///
/// TensorFlow: `tf.nn.separable_conv2d`. `depthwise` has shape `[height, width, channels, n]`, `pointwise` `[1, 1,
/// channels · n, features]`. The options are those of [`depthwise_conv2d()`].
///
/// # Errors
/// As for [`conv2d()`].
///
/// ```
/// use extype::prelude::*;
/// let x = ops::ones([1, 3, 3, 2], DType::F32)?;
/// let (depthwise, pointwise) = (ops::ones([3, 3, 2, 1], DType::F32)?, ops::ones([1, 1, 2, 4], DType::F32)?);
/// let y = ops::separable_conv2d(&x, &depthwise, &pointwise, ..)?;
/// assert_eq!(y.as_slice::<f32>()?, &[18.0; 4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn separable_conv2d(
    x: impl TensorLike,
    depthwise: impl TensorLike,
    pointwise: impl TensorLike,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    let options = chosen::<ConvOptions>(options)?;
    let pointwise = &*pointwise.lend()?;
    if pointwise
        .shape()
        .dims()
        .is_some_and(|d| d.iter().take(2).any(|n| n.size().is_some_and(|n| n != 1)))
    {
        bail!("pointwise filters have shape [1, 1, channels, features], not {}", pointwise.shape());
    }
    let each: Tensor = options.depthwise().run(&[&*x.lend()?, &*depthwise.lend()?])?;
    conv2d(each, pointwise, options.format)
}

/// Spreads rows by filters: the transpose of [`conv1d()`].
///
/// TensorFlow: `tf.nn.conv1d_transpose`. As for [`conv2d_transpose()`], for rows `[batch, width, channels]`.
///
/// # Errors
/// As for [`conv2d_transpose()`].
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[[1.0f32], [2.0]]];
/// let y = x.conv1d_transpose(&tensor![[[1.0f32]], [[10.0]]], [1, 4, 1], ops::Strides(2))?;
/// assert_eq!(y.as_slice::<f32>()?, &[1.0, 10.0, 2.0, 20.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn conv1d_transpose(
    x: impl TensorLike,
    filters: impl TensorLike,
    output_shape: impl Into<Integers>,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (options, axis) = chosen::<ConvOptions>(options)?.of_rows();
    let (x, filters) = (x.lend()?.expand_dims(axis)?, filters.lend()?.expand_dims(0)?);
    let shape = output_shape.into().to_tensor()?;
    let one = Tensor::from_vec(vec![1i64]).cast(shape.dtype())?;
    let (before, behind) = (shape.slice([0], [axis])?, shape.slice([axis], [-1])?);
    let shape = crate::ops::concat(&[&before, &one, &behind], 0)?;
    transposed(&options, &x, &filters, (&shape).into())?.squeeze(axis)
}

/// Spreads images by filters: the transpose of [`conv2d()`], not its inverse.
///
/// TensorFlow: `tf.nn.conv2d_transpose`; PyTorch: `conv_transpose2d`. Images `[batch, height, width, channels]`, filters
/// `[height, width, features, channels]`, and the shape of the result, `[batch, height, width, features]`: that of
/// images from which the convolution with these options makes those of `x`. Options as for [`conv2d()`].
///
/// # Errors
/// `InvalidArgument` for a shape of the result from which the convolution does not make images like `x`.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]].reshape([1, 2, 2, 1])?;
/// let y = x.conv2d_transpose(ops::ones([2, 2, 1, 1], DType::F32)?, [1, 4, 4, 1], ops::Strides(2))?;
/// assert_eq!(y.index((0, 0))?.as_slice::<f32>()?, &[1.0, 1.0, 2.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn conv2d_transpose(
    x: impl TensorLike,
    filters: impl TensorLike,
    output_shape: impl Into<Integers>,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    transposed(&chosen(options)?, &*x.lend()?, &*filters.lend()?, output_shape.into())
}

fn transposed(o: &ConvOptions, x: &Tensor, filters: &Tensor, shape: Integers) -> Result<Tensor> {
    let Conv2d { strides, padding, dilations, explicit_paddings, data_format, use_cudnn_on_gpu } =
        o.conv2d();
    let op = Conv2dBackpropInput {
        input_sizes: shape.into(),
        strides,
        padding,
        dilations,
        explicit_paddings,
        data_format,
        use_cudnn_on_gpu,
    };
    op.run(&[filters, x])
}

/// Spreads volumes by filters: the transpose of [`conv3d()`].
///
/// TensorFlow: `tf.nn.conv3d_transpose`. As for [`conv2d_transpose()`], for volumes `[batch, depth, height, width,
/// channels]` and without explicit paddings.
///
/// # Errors
/// As for [`conv2d_transpose()`].
///
/// ```
/// use extype::prelude::*;
/// let x = ops::ones([1, 1, 1, 1, 3], DType::F32)?;
/// let y = x.conv3d_transpose(ops::ones([2, 2, 2, 1, 3], DType::F32)?, [1, 2, 2, 2, 1], ..)?;
/// assert_eq!(y.as_slice::<f32>()?, &[3.0; 8]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn conv3d_transpose(
    x: impl TensorLike,
    filters: impl TensorLike,
    output_shape: impl Into<Integers>,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    let Conv3d { strides, padding, dilations, data_format } =
        chosen::<ConvOptions>(options)?.conv3d()?;
    let input_sizes = output_shape.into();
    let op = Conv3dBackpropInput { input_sizes, strides, padding, dilations, data_format };
    op.run(&[&*filters.lend()?, &*x.lend()?])
}

/// The largest sum of a pixel and the filter's element over each window of images: grey dilation.
///
/// TensorFlow: `tf.nn.dilation2d`. Images `[batch, height, width, channels]`, a filter `[height, width, channels]`.
/// Options as for [`conv2d()`], with the channels last and without explicit paddings. Gradients of
/// first order reach both.
///
/// # Errors
/// `InvalidArgument` for other ranks and other channels, and windows larger than the images.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1, 5], [2, 3]].reshape([1, 2, 2, 1])?;
/// let y = ops::dilation2d(&x, &tensor![[[0], [10]]], ..)?;
/// assert_eq!(y.as_slice::<i32>()?, &[15, 13]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn dilation2d(
    x: impl TensorLike,
    filter: impl TensorLike,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    let options = chosen::<ConvOptions>(options)?;
    if options.format != DataFormat::ChannelsLast || matches!(options.padding, Padding::Explicit(_))
    {
        bail!(
            Unimplemented,
            "a dilation with the channels first or explicit paddings; transpose or pad the images"
        );
    }
    let list = |n: &PerAxis| n.list(2, options.format);
    let (strides, rates) = (list(&options.strides), list(&options.dilations));
    let op = Dilation2d { strides, rates, padding: options.padding.name() };
    op.run(&[&*x.lend()?, &*filter.lend()?])
}

/// The least difference of a pixel and the mirrored filter's element over each window of images: grey erosion.
///
/// TensorFlow: `tf.nn.erosion2d`. The dual of [`dilation2d()`]: `-dilation2d(-x, mirrored)`; of signed dtypes.
///
/// # Errors
/// As for [`dilation2d()`].
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1, 5], [2, 3]].reshape([1, 2, 2, 1])?;
/// let y = ops::erosion2d(&x, &tensor![[[0], [10]]], ..)?;
/// assert_eq!(y.as_slice::<i32>()?, &[-9, -8]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn erosion2d(
    x: impl TensorLike,
    filter: impl TensorLike,
    options: impl Sets<ConvOptions>,
) -> Result<Tensor> {
    let _site = call_site!();
    let mirrored = filter.lend()?.reverse([0, 1])?;
    neg(dilation2d(neg(&*x.lend()?)?, mirrored, options)?)
}

/// Methods with the names of the functions.
macro_rules! methods {
    ($($name:ident($($arg:ident: $t:ty),*);)*) => {
        impl Tensor {
            $(#[doc = concat!("See [`ops::", stringify!($name), "`](", stringify!($name), "()).")]
            ///
            /// # Errors
            /// As the function.
            #[track_caller]
            pub fn $name(
                &self,
                filters: impl TensorLike,
                $($arg: $t,)*
                options: impl Sets<ConvOptions>,
            ) -> Result<Tensor> {
                $name(self, filters, $($arg,)* options)
            })*
        }
    };
}
methods! {
    conv1d();
    conv2d();
    conv3d();
    depthwise_conv2d();
    conv1d_transpose(output_shape: impl Into<Integers>);
    conv2d_transpose(output_shape: impl Into<Integers>);
    conv3d_transpose(output_shape: impl Into<Integers>);
}
