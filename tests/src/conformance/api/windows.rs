//! `tf.nn`: convolutions and poolings.

use extype::ops;
use extype::ops::{ConvOptions, Padding, PoolOptions};
use extype::{Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.nn.conv1d", |p, x| one(x[0].conv1d(&x[1], convolution(p)))),
    row("tf.nn.convolution", |p, x| one(x[0].conv2d(&x[1], convolution(p)))),
    row("tf.nn.atrous_conv2d", |p, x| one(x[0].conv2d(&x[1], convolution(p)))),
    row("tf.nn.depthwise_conv2d", |p, x| one(x[0].depthwise_conv2d(&x[1], convolution(p)))),
    row("tf.nn.separable_conv2d", |p, x| {
        one(ops::separable_conv2d(&x[0], &x[1], &x[2], convolution(p)))
    }),
    row("tf.nn.conv1d_transpose", |p, x| {
        one(x[0].conv1d_transpose(&x[1], p.integers("output_shape"), convolution(p)))
    }),
    row("tf.nn.atrous_conv2d_transpose", |p, x| {
        one(x[0].conv2d_transpose(&x[1], p.integers("output_shape"), convolution(p)))
    }),
    row("tf.nn.erosion2d", |p, x| one(ops::erosion2d(&x[0], &x[1], convolution(p)))),
    row("tf.nn.pool", |p, x| {
        let window = p.integers("window_shape");
        one(match p.json("pooling_type").as_str() {
            Some("MAX") => x[0].max_pool2d(window.as_slice(), pooling(p)),
            _ => x[0].avg_pool2d(window.as_slice(), pooling(p)),
        })
    }),
    row("tf.nn.max_pool1d", |p, x| one(x[0].max_pool1d(p.int("ksize", 1), pooling(p)))),
    row("tf.nn.avg_pool1d", |p, x| one(x[0].avg_pool1d(p.int("ksize", 1), pooling(p)))),
];

/// Programs of these.
pub(crate) const PROGRAMS: &[Row] = &[
    row("program.dilated_conv2d", |p, x| one(x[0].conv2d(&x[1], convolution(p)))),
    row("program.grouped_conv2d", |p, x| one(x[0].conv2d(&x[1], convolution(p)))),
    row("program.fused_batch_norm_y", batch_norm),
];

/// One number or several; those of the batch and the channels are left out.
fn numbers(p: &Params, name: &str) -> Option<Vec<i64>> {
    match p.integers(name) {
        list if list.len() >= 4 => Some(list[1..list.len() - 1].to_vec()),
        list if !list.is_empty() => Some(list),
        _ => p.json(name).as_i64().map(|n| vec![n]),
    }
}

fn padding(p: &Params) -> Padding {
    if p.json("padding") == "SAME" { Padding::Same } else { Padding::Valid }
}

fn convolution(p: &Params) -> ConvOptions {
    let strides = numbers(p, "strides").or_else(|| numbers(p, "stride"));
    let dilations = numbers(p, "dilations").or_else(|| numbers(p, "rate"));
    let of = |n: Option<Vec<i64>>| n.unwrap_or_else(|| vec![1]).as_slice().into();
    ConvOptions {
        strides: of(strides),
        dilations: of(dilations),
        padding: padding(p),
        ..Default::default()
    }
}

fn pooling(p: &Params) -> PoolOptions {
    let strides = numbers(p, "strides").map(|n| n.as_slice().into());
    let dilations = numbers(p, "dilations").map(|n| n.as_slice().into());
    PoolOptions { strides, dilations, padding: padding(p), ..Default::default() }
}

fn batch_norm(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let given = (!p.flag("is_training")).then_some((&x[3], &x[4]));
    let epsilon = p.float("epsilon", 0.0) as f32;
    Ok(vec![ops::batch_norm(&x[0], &x[1], &x[2], given, epsilon)?.0])
}
