//! Calls of ops on windows of images: convolutions, poolings, dilations, normalizations.

use extype::DType;
use extype::ir::AttrValue;

use super::images::Parts;
use super::rng::Rng;
use super::values::{Style, filled, integers};

/// The inputs and attributes of an op on windows, float64 where it takes them.
pub(super) fn recipe(name: &str, rng: &mut Rng) -> Option<Parts> {
    let spatial = if name.contains("3D") { 3 } else { 2 };
    let (channels, features) = (1 + rng.below(3), 1 + rng.below(3));
    let (window, stride) = (1 + rng.below(2), 1 + rng.below(2));
    let sizes: Vec<usize> = (0..spatial).map(|_| 2 + rng.below(3)).collect();
    let same = rng.chance(50);
    let output = |n: &usize| if same { n.div_ceil(stride) } else { (n - window) / stride + 1 };
    let batch = 1 + rng.below(2);
    let around = |spatial: Vec<usize>, last: usize| [&[batch], &spatial[..], &[last]].concat();
    let depthwise = name.starts_with("Depthwise");
    let filter = [&vec![window; spatial][..], &[channels, features]].concat();
    let images = around(sizes.clone(), channels);
    let outputs = sizes.iter().map(output).collect::<Vec<usize>>();
    let convolved = around(outputs.clone(), if depthwise { channels * features } else { features });
    let pooled = around(outputs, channels);
    let mut of = |dtype: DType, dims: &[usize]| filled(dtype, dims, Style::Within(-2.0, 2.0), rng);
    let (f32, f64) = (DType::F32, DType::F64);
    let ints = |n: &[usize]| {
        integers(DType::I32, &[n.len()], &n.iter().map(|n| *n as i64).collect::<Vec<_>>())
    };
    let all = |n: usize| around(vec![n; spatial], 1).into_iter().skip(1);
    let of_axes = |n: usize| [1].into_iter().chain(all(n)).collect::<Vec<usize>>();
    let list =
        |n: usize| AttrValue::List(of_axes(n).iter().map(|n| AttrValue::Int(*n as i64)).collect());
    let text = |s: &str| AttrValue::Str(s.as_bytes().into());
    let attrs = vec![
        ("strides", list(stride)),
        ("ksize", list(window)),
        ("rates", list(1)),
        ("dilations", list(1)),
        ("padding", text(if same { "SAME" } else { "VALID" })),
        ("data_format", text(if spatial == 3 { "NDHWC" } else { "NHWC" })),
        ("explicit_paddings", AttrValue::List([].into())),
        ("depth_radius", AttrValue::Int(1)),
        ("is_training", AttrValue::Bool(same)),
    ];
    let kernel = &[window, window, channels];
    let fed = || [ints(&of_axes(window)), ints(&of_axes(stride))];
    let inputs = match name {
        "Conv2D" | "Conv3D" | "DepthwiseConv2dNative" => vec![of(f64, &images), of(f64, &filter)],
        "Conv2DBackpropInput" | "Conv3DBackpropInputV2" | "DepthwiseConv2dNativeBackpropInput" => {
            vec![ints(&images), of(f64, &filter), of(f64, &convolved)]
        }
        "Conv2DBackpropFilter"
        | "Conv3DBackpropFilterV2"
        | "DepthwiseConv2dNativeBackpropFilter" => {
            vec![of(f64, &images), ints(&filter), of(f64, &convolved)]
        }
        "MaxPool" | "MaxPool3D" | "AvgPool" | "AvgPool3D" | "MaxPoolWithArgmax" => {
            vec![of(f64, &images)]
        }
        "MaxPoolV2" => [of(f64, &images)].into_iter().chain(fed()).collect(),
        "MaxPoolGrad" | "MaxPool3DGrad" => {
            vec![of(f64, &images), of(f64, &pooled), of(f64, &pooled)]
        }
        "MaxPoolGradV2" => {
            let operands = [of(f64, &images), of(f64, &pooled), of(f64, &pooled)];
            operands.into_iter().chain(fed()).collect()
        }
        "MaxPoolGradGrad" | "MaxPool3DGradGrad" => {
            vec![of(f64, &images), of(f64, &pooled), of(f64, &images)]
        }
        "MaxPoolGradGradV2" => {
            let operands = [of(f64, &images), of(f64, &pooled), of(f64, &images)];
            operands.into_iter().chain(fed()).collect()
        }
        "MaxPoolGradWithArgmax" => {
            let places = filled(DType::I64, &pooled, Style::Zero, rng);
            let mut of = |dims: &[usize]| filled(f64, dims, Style::Within(-2.0, 2.0), rng);
            vec![of(&images), of(&pooled), places]
        }
        "AvgPoolGrad" | "AvgPool3DGrad" => vec![ints(&images), of(f64, &pooled)],
        "Dilation2D" => vec![of(f64, &images), of(f64, kernel)],
        "Dilation2DBackpropInput" | "Dilation2DBackpropFilter" => {
            vec![of(f64, &images), of(f64, kernel), of(f64, &pooled)]
        }
        "LRN" => vec![of(f32, &images)],
        "LRNGrad" => vec![of(f32, &images), of(f32, &images), of(f32, &images)],
        "FusedBatchNormV3" => {
            let mut vector = || of(f32, &[channels]);
            let vectors = [vector(), vector(), vector(), vector()];
            [of(f32, &images)].into_iter().chain(vectors).collect()
        }
        "FusedBatchNormGradV3" => {
            let mut vector = || of(f32, &[channels]);
            let vectors = [vector(), vector(), vector()];
            let operands = [of(f32, &images), of(f32, &images)].into_iter().chain(vectors);
            operands.chain([of(f32, &[])]).collect()
        }
        _ => return None,
    };
    Some((inputs, attrs))
}
