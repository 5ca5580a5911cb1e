//! Poolings over one to three spatial axes: the largest element or the mean of each window.

mod fractional;
mod functions;
pub(in crate::ops) mod gradient;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

pub use fractional::*;
pub use functions::*;

use crate::define_op;
use crate::ops::args::Int32s;
use crate::ops::conv::{ndhwc, nhwc};
use crate::ops::rules::folded::{Fold, examples, folded};
use crate::types::{DType, DTypeSet};

/// The dtypes of which there is a largest element in a window.
const ORDERED: DTypeSet = DTypeSet::FLOAT.or(DTypeSet::of(&[
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
]));

/// The dtypes of places among pixels.
const PLACES: DType = DType::I64;

/// Largest elements and their gradients, which are each other's.
pub(in crate::ops) trait Family {
    /// The gradient of the images: of the images, the output, and the gradient of the output.
    type Grad: crate::ops::NamedOp;
    /// The gradient of that gradient.
    type GradGrad: crate::ops::NamedOp;
}

/// [`MaxPool`].
struct Two;

impl Family for Two {
    type Grad = MaxPoolGrad;
    type GradGrad = MaxPoolGradGrad;
}

/// [`MaxPoolV2`].
struct Fed;

impl Family for Fed {
    type Grad = MaxPoolGradV2;
    type GradGrad = MaxPoolGradGradV2;
}

/// [`MaxPool3d`].
struct Three;

impl Family for Three {
    type Grad = MaxPool3dGrad;
    type GradGrad = MaxPool3dGradGrad;
}

define_op! {
    attrs Windows { ksize: Vec<i64>, strides: Vec<i64>, padding: String }

    /// The largest element of each window; the function is [`max_pool2d()`].
    ///
    /// TensorFlow: `MaxPool`. Images `[batch, height, width, channels]`. Window sizes and strides have an entry for each
    /// axis of the images. What is beyond the images is in no window. The padding is `VALID`, `SAME` or `EXPLICIT`, the
    /// data format `NHWC` or `NCHW`.
    pub op MaxPool = "MaxPool" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: ORDERED },
        attrs: { ..Windows, explicit_paddings: Vec<i64> = vec![], data_format: String = nhwc() },
        infer: |c| infer::pool(c, 2), kernel: |c| kernel::max(c, 2),
        gradient: gradient::max::<Two>,
        batch: |b| examples(b, &[0]),
    }

    /// [`MaxPool`] whose window sizes and strides are inputs.
    ///
    /// TensorFlow: `MaxPoolV2`.
    pub op MaxPoolV2 = "MaxPoolV2" {
        inputs: { input: T, ksize: {I32} as Int32s, strides: {I32} as Int32s }, outputs: { output: T },
        types: { T: ORDERED },
        attrs: { padding: String, data_format: String = nhwc() },
        infer: |c| infer::pool(c, 2), kernel: |c| kernel::max(c, 2),
        gradient: gradient::max::<Fed>,
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`MaxPool`]: of several largest elements of a window, the first gets it.
    ///
    /// TensorFlow: `MaxPoolGrad`. The attributes are those of the pooling.
    pub op MaxPoolGrad = "MaxPoolGrad" {
        inputs: { orig_input: T, orig_output: T, grad: T }, outputs: { output: T },
        types: { T: ORDERED },
        attrs: { ..Windows, explicit_paddings: Vec<i64> = vec![], data_format: String = nhwc() },
        infer: |c| infer::max_gradient(c, 2), kernel: |c| kernel::max_gradient(c, 2),
        gradient: gradient::max_gradient::<Two>,
        batch: |b| examples(b, &[0, 1, 2]),
    }

    /// The gradient of [`MaxPoolV2`].
    ///
    /// TensorFlow: `MaxPoolGradV2`.
    pub op MaxPoolGradV2 = "MaxPoolGradV2" {
        inputs: { orig_input: T, orig_output: T, grad: T, ksize: {I32} as Int32s, strides: {I32} as Int32s },
        outputs: { output: T },
        types: { T: ORDERED },
        attrs: { padding: String, data_format: String = nhwc() },
        infer: |c| infer::max_gradient(c, 2), kernel: |c| kernel::max_gradient(c, 2),
        gradient: gradient::max_gradient::<Fed>,
        batch: |b| examples(b, &[0, 1, 2]),
    }

    /// The gradient of [`MaxPoolGrad`] with respect to `grad`: the elements where the windows are largest.
    ///
    /// TensorFlow: `MaxPoolGradGrad`.
    pub op MaxPoolGradGrad = "MaxPoolGradGrad" {
        inputs: { orig_input: T, orig_output: T, grad: T }, outputs: { output: T },
        types: { T: ORDERED },
        attrs: { ..Windows, explicit_paddings: Vec<i64> = vec![], data_format: String = nhwc() },
        infer: |c| infer::max_second(c, 2), kernel: |c| kernel::max_second(c, 2),
        gradient: gradient::max_second::<Two>,
        batch: |b| examples(b, &[0, 1, 2]),
    }

    /// The gradient of [`MaxPoolGradV2`] with respect to `grad`.
    ///
    /// TensorFlow: `MaxPoolGradGradV2`.
    pub op MaxPoolGradGradV2 = "MaxPoolGradGradV2" {
        inputs: { orig_input: T, orig_output: T, grad: T, ksize: {I32} as Int32s, strides: {I32} as Int32s },
        outputs: { output: T },
        types: { T: ORDERED },
        attrs: { padding: String, data_format: String = nhwc() },
        infer: |c| infer::max_second(c, 2), kernel: |c| kernel::max_second(c, 2),
        gradient: gradient::max_second::<Fed>,
        batch: |b| examples(b, &[0, 1, 2]),
    }

    /// The largest element of each window of volumes; the function is [`max_pool3d()`].
    ///
    /// TensorFlow: `MaxPool3D`. Volumes `[batch, depth, height, width, channels]`. As [`MaxPool`], with the padding
    /// `VALID` or `SAME`, and the data format `NDHWC` or `NCDHW`.
    pub op MaxPool3d = "MaxPool3D" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Windows, data_format: String = ndhwc() },
        infer: |c| infer::pool(c, 3), kernel: |c| kernel::max(c, 3),
        gradient: gradient::max::<Three>,
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`MaxPool3d`].
    ///
    /// TensorFlow: `MaxPool3DGrad`.
    pub op MaxPool3dGrad = "MaxPool3DGrad" {
        inputs: { orig_input: TInput, orig_output: TInput, grad: T }, outputs: { output: T },
        types: { TInput: DTypeSet::FLOAT, T: DTypeSet::FLOAT },
        attrs: { ..Windows, data_format: String = ndhwc() },
        infer: |c| infer::max_gradient(c, 3), kernel: |c| kernel::max_gradient(c, 3),
        gradient: gradient::max_gradient::<Three>,
        batch: |b| examples(b, &[0, 1, 2]),
    }

    /// The gradient of [`MaxPool3dGrad`] with respect to `grad`.
    ///
    /// TensorFlow: `MaxPool3DGradGrad`.
    pub op MaxPool3dGradGrad = "MaxPool3DGradGrad" {
        inputs: { orig_input: T, orig_output: T, grad: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Windows, data_format: String = ndhwc() },
        infer: |c| infer::max_second(c, 3), kernel: |c| kernel::max_second(c, 3),
        gradient: gradient::max_second::<Three>,
        batch: |b| examples(b, &[0, 1, 2]),
    }

    /// The largest element of each window and its place, the first of equal ones; the function is
    /// [`max_pool_with_argmax()`].
    ///
    /// TensorFlow: `MaxPoolWithArgmax`. Places count the elements of one image, or of all with
    /// `include_batch_in_index`.
    pub op MaxPoolWithArgmax = "MaxPoolWithArgmax" {
        inputs: { input: T }, outputs: { output: T, argmax: Targmax },
        types: { T: ORDERED },
        attrs: { ..Windows, targmax as "Targmax": DType = PLACES, include_batch_in_index: bool = false },
        infer: infer::with_argmax, kernel: kernel::with_argmax,
        gradient: gradient::with_argmax,
    }

    /// The gradient of [`MaxPoolWithArgmax`]: each place sums what the windows got whose largest element is there.
    ///
    /// TensorFlow: `MaxPoolGradWithArgmax`.
    pub op MaxPoolGradWithArgmax = "MaxPoolGradWithArgmax" {
        inputs: { input: T, grad: T, argmax: Targmax }, outputs: { output: T },
        types: { T: ORDERED, Targmax: DTypeSet::INDEX },
        attrs: { ..Windows, include_batch_in_index: bool = false },
        infer: infer::grad_with_argmax, kernel: kernel::grad_with_argmax,
        gradient: gradient::grad_with_argmax,
    }

    /// The mean of each window; the function is [`avg_pool2d()`].
    ///
    /// TensorFlow: `AvgPool`. Images `[batch, height, width, channels]`. As [`MaxPool`], with the padding `VALID` or
    /// `SAME`. What is beyond the images does not count.
    pub op AvgPool = "AvgPool" {
        inputs: { value: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Windows, data_format: String = nhwc() },
        infer: |c| infer::pool(c, 2), kernel: |c| kernel::mean(c, 2),
        gradient: gradient::mean::<AvgPoolGrad>,
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`AvgPool`]: each window divides its own among its elements.
    ///
    /// TensorFlow: `AvgPoolGrad`. The attributes are those of the pooling.
    pub op AvgPoolGrad = "AvgPoolGrad" {
        inputs: { orig_input_shape: {I32} as Int32s, grad: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Windows, data_format: String = nhwc() },
        infer: |c| infer::mean_gradient(c, 2), kernel: |c| kernel::mean_gradient(c, 2),
        gradient: gradient::mean_gradient::<AvgPool>,
        batch: |b| folded(b, &[Fold::Sizes(0), Fold::Axis(0)], 0),
    }

    /// The mean of each window of volumes; the function is [`avg_pool3d()`].
    ///
    /// TensorFlow: `AvgPool3D`. As [`AvgPool`], for volumes `[batch, depth, height, width, channels]`.
    pub op AvgPool3d = "AvgPool3D" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Windows, data_format: String = ndhwc() },
        infer: |c| infer::pool(c, 3), kernel: |c| kernel::mean(c, 3),
        gradient: gradient::mean::<AvgPool3dGrad>,
        batch: |b| examples(b, &[0]),
    }

    /// The gradient of [`AvgPool3d`].
    ///
    /// TensorFlow: `AvgPool3DGrad`.
    pub op AvgPool3dGrad = "AvgPool3DGrad" {
        inputs: { orig_input_shape: {I32} as Int32s, grad: T }, outputs: { output: T },
        types: { T: DTypeSet::FLOAT },
        attrs: { ..Windows, data_format: String = ndhwc() },
        infer: |c| infer::mean_gradient(c, 3), kernel: |c| kernel::mean_gradient(c, 3),
        gradient: gradient::mean_gradient::<AvgPool3d>,
        batch: |b| folded(b, &[Fold::Sizes(0), Fold::Axis(0)], 0),
    }
}
