//! Convolutions over one to three spatial axes, their gradients, and the windows that poolings share with them.

mod batch;
mod dilation;
mod formats;
mod functions;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
mod options;
pub(in crate::ops) mod windows;

pub use dilation::*;
pub use formats::*;
pub use functions::*;
pub use options::*;

use crate::define_op;
use crate::ops::args::{Int32s, Integers};
use crate::types::{DType, DTypeSet};

/// The dtypes of images and filters.
const PIXELS: DTypeSet = DTypeSet::FLOAT.or(DTypeSet::of(&[DType::I32]));

/// Three ops that are each other's gradients.
pub(in crate::ops) trait Family {
    /// Images and filters to images.
    type Forward: crate::ops::NamedOp;
    /// The gradient of the images.
    type Input: crate::ops::NamedOp;
    /// The gradient of the filters.
    type Filter: crate::ops::NamedOp;
    const SPATIAL: usize;
    /// Whether each channel has filters of its own: `[…, channels, features per channel]`.
    const DEPTHWISE: bool = false;
}

/// [`Conv2d`] and its gradients.
pub(in crate::ops) struct Two;

impl Family for Two {
    type Forward = Conv2d;
    type Input = Conv2dBackpropInput;
    type Filter = Conv2dBackpropFilter;
    const SPATIAL: usize = 2;
}

/// [`Conv3d`] and its gradients.
struct Three;

impl Family for Three {
    type Forward = Conv3d;
    type Input = Conv3dBackpropInput;
    type Filter = Conv3dBackpropFilter;
    const SPATIAL: usize = 3;
}

/// [`DepthwiseConv2d`] and its gradients.
struct Depthwise;

impl Family for Depthwise {
    type Forward = DepthwiseConv2d;
    type Input = DepthwiseConv2dBackpropInput;
    type Filter = DepthwiseConv2dBackpropFilter;
    const SPATIAL: usize = 2;
    const DEPTHWISE: bool = true;
}

/// TensorFlow's name of `DataFormat::ChannelsLast` for images.
pub(in crate::ops) fn nhwc() -> String {
    "NHWC".to_owned()
}

/// TensorFlow's name of `DataFormat::ChannelsLast` for volumes.
pub(in crate::ops) fn ndhwc() -> String {
    "NDHWC".to_owned()
}

define_op! {
    attrs Conv2d {
        strides: Vec<i64>, padding: String, explicit_paddings: Vec<i64> = vec![], data_format: String = nhwc(),
        dilations: Vec<i64> = vec![1; 4],
    }
    attrs Conv3d {
        strides: Vec<i64>, padding: String, dilations: Vec<i64> = vec![1; 5], data_format: String = ndhwc(),
    }

    /// Sums products of filters with the windows of images; the function is [`conv2d()`].
    ///
    /// TensorFlow: `Conv2D`. Images `[batch, height, width, channels]`, filters `[height, width, channels / groups,
    /// features]`; the result is `[batch, height, width, features]`. The strides and dilations have an entry for each
    /// axis of the images. The padding is `VALID`, `SAME` or `EXPLICIT`, the data format `NHWC` or `NCHW`.
    pub op Conv2d = "Conv2D" {
        inputs: { input: T, filter: T }, outputs: { output: T },
        types: { T: PIXELS },
        attrs: { ..Conv2d, use_cudnn_on_gpu: bool = true },
        infer: infer::forward::<Two>, kernel: kernel::forward::<Two>,
        gradient: gradient::forward::<Two>,
        batch: batch::forward::<Two>,
    }

    /// The gradient of [`Conv2d`] with respect to the images, whose sizes `input_sizes` gives: those of all axes, or of
    /// the spatial ones.
    ///
    /// TensorFlow: `Conv2DBackpropInput`. The attributes are those of the convolution.
    pub op Conv2dBackpropInput = "Conv2DBackpropInput" {
        inputs: { input_sizes: {I32} as Int32s, filter: T, out_backprop: T }, outputs: { output: T },
        types: { T: PIXELS },
        attrs: { ..Conv2d, use_cudnn_on_gpu: bool = true },
        infer: infer::input::<Two>, kernel: kernel::input::<Two>,
        gradient: gradient::input::<Two>,
        batch: batch::input::<Two>,
    }

    /// The gradient of [`Conv2d`] with respect to the filters, whose sizes `filter_sizes` gives.
    ///
    /// TensorFlow: `Conv2DBackpropFilter`. The attributes are those of the convolution.
    pub op Conv2dBackpropFilter = "Conv2DBackpropFilter" {
        inputs: { input: T, filter_sizes: {I32} as Int32s, out_backprop: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Conv2d, use_cudnn_on_gpu: bool = true },
        infer: infer::filter::<Two>, kernel: kernel::filter::<Two>,
        gradient: gradient::filter::<Two>,
        batch: batch::filter::<Two>,
    }

    /// Sums products of filters with the windows of volumes; the function is [`conv3d()`].
    ///
    /// TensorFlow: `Conv3D`. Volumes `[batch, depth, height, width, channels]`, filters `[depth, height, width,
    /// channels / groups, features]`. The padding is `VALID` or `SAME`, the data format `NDHWC` or `NCDHW`.
    pub op Conv3d = "Conv3D" {
        inputs: { input: T, filter: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Conv3d },
        infer: infer::forward::<Three>, kernel: kernel::forward::<Three>,
        gradient: gradient::forward::<Three>,
        batch: batch::forward::<Three>,
    }

    /// The gradient of [`Conv3d`] with respect to the volumes, whose sizes `input_sizes` gives.
    ///
    /// TensorFlow: `Conv3DBackpropInputV2`. The attributes are those of the convolution.
    pub op Conv3dBackpropInput = "Conv3DBackpropInputV2" {
        inputs: { input_sizes: Tshape as Integers, filter: T, out_backprop: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT, Tshape: DTypeSet::INDEX },
        attrs: { ..Conv3d },
        infer: infer::input::<Three>, kernel: kernel::input::<Three>,
        gradient: gradient::input::<Three>,
        batch: batch::input::<Three>,
    }

    /// The gradient of [`Conv3d`] with respect to the filters, whose sizes `filter_sizes` gives.
    ///
    /// TensorFlow: `Conv3DBackpropFilterV2`. The attributes are those of the convolution.
    pub op Conv3dBackpropFilter = "Conv3DBackpropFilterV2" {
        inputs: { input: T, filter_sizes: {I32} as Int32s, out_backprop: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Conv3d },
        infer: infer::filter::<Three>, kernel: kernel::filter::<Three>,
        gradient: gradient::filter::<Three>,
        batch: batch::filter::<Three>,
    }

    /// Convolves each channel of images with filters of its own; the function is [`depthwise_conv2d()`].
    ///
    /// TensorFlow: `DepthwiseConv2dNative`. Images `[batch, height, width, channels]`, filters `[height, width,
    /// channels, n]`; the result has the `n` features of the first channel, then those of the second, and so on. The
    /// attributes are those of [`Conv2d`].
    pub op DepthwiseConv2d = "DepthwiseConv2dNative" {
        inputs: { input: T, filter: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Conv2d },
        infer: infer::forward::<Depthwise>, kernel: kernel::forward::<Depthwise>,
        gradient: gradient::forward::<Depthwise>,
        batch: batch::forward::<Depthwise>,
    }

    /// The gradient of [`DepthwiseConv2d`] with respect to the images, whose sizes `input_sizes` gives.
    ///
    /// TensorFlow: `DepthwiseConv2dNativeBackpropInput`. The attributes are those of the convolution.
    pub op DepthwiseConv2dBackpropInput = "DepthwiseConv2dNativeBackpropInput" {
        inputs: { input_sizes: {I32} as Int32s, filter: T, out_backprop: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Conv2d },
        infer: infer::input::<Depthwise>, kernel: kernel::input::<Depthwise>,
        gradient: gradient::input::<Depthwise>,
        batch: batch::input::<Depthwise>,
    }

    /// The gradient of [`DepthwiseConv2d`] with respect to the filters, whose sizes `filter_sizes` gives.
    ///
    /// TensorFlow: `DepthwiseConv2dNativeBackpropFilter`. The attributes are those of the convolution.
    pub op DepthwiseConv2dBackpropFilter = "DepthwiseConv2dNativeBackpropFilter" {
        inputs: { input: T, filter_sizes: {I32} as Int32s, out_backprop: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Conv2d },
        infer: infer::filter::<Depthwise>, kernel: kernel::filter::<Depthwise>,
        gradient: gradient::filter::<Depthwise>,
        batch: batch::filter::<Depthwise>,
    }
}
