//! `tf.math`: element by element, products, and some more.

use extype::ops::methods::*;
use extype::ops::{self, Integers, options::Running};
use extype::{Result, Tensor};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.math.abs", |_, x| one(x[0].abs())),
    row("tf.math.asinh", |_, x| one(x[0].asinh())),
    row("tf.math.atan", |_, x| one(x[0].atan())),
    row("tf.math.cos", |_, x| one(x[0].cos())),
    row("tf.math.cosh", |_, x| one(x[0].cosh())),
    row("tf.math.erf", |_, x| one(x[0].erf())),
    row("tf.math.exp", |_, x| one(x[0].exp())),
    row("tf.math.expm1", |_, x| one(x[0].expm1())),
    row("tf.math.floor", |_, x| one(x[0].floor())),
    row("tf.math.is_nan", |_, x| one(x[0].is_nan())),
    row("tf.math.cumsum", |p, x| {
        let (exclusive, backwards) = (p.flag("exclusive"), p.flag("reverse"));
        one(x[0].cumsum(Running { axis: Some(p.int("axis", 0)), exclusive, backwards }))
    }),
    row("tf.math.lgamma", |_, x| one(x[0].lgamma())),
    row("tf.math.log", |_, x| one(x[0].log())),
    row("tf.math.log1p", |_, x| one(x[0].log1p())),
    row("tf.math.negative", |_, x| Ok(vec![-&x[0]])),
    row("tf.math.reciprocal", |_, x| one(x[0].reciprocal())),
    row("tf.math.rsqrt", |_, x| one(x[0].rsqrt())),
    row("tf.math.sigmoid", |_, x| one(x[0].sigmoid())),
    row("tf.math.sin", |_, x| one(x[0].sin())),
    row("tf.math.sinh", |_, x| one(x[0].sinh())),
    row("tf.math.softplus", |_, x| one(x[0].softplus())),
    row("tf.math.sqrt", |_, x| one(x[0].sqrt())),
    row("tf.math.square", |_, x| one(x[0].square())),
    row("tf.math.tan", |_, x| one(x[0].tan())),
    row("tf.math.tanh", |_, x| one(x[0].tanh())),
    row("tf.math.log_sigmoid", |_, x| one(ops::log_sigmoid(&x[0]))),
    row("tf.math.reciprocal_no_nan", |_, x| one(ops::reciprocal_no_nan(&x[0]))),
    row("tf.math.truediv", |_, x| one(ops::truediv(&x[0], &x[1]))),
    row("tf.clip_by_value", |_, x| one(ops::clip_by_value(&x[0], &x[1], &x[2]))),
    row("tf.math.erfcinv", |_, x| one(ops::erfcinv(&x[0]))),
    row("tf.math.bessel_i0", |_, x| one(ops::bessel_i0(&x[0]))),
    row("tf.math.bessel_i0e", |_, x| one(ops::bessel_i0e(&x[0]))),
    row("tf.math.bessel_i1", |_, x| one(ops::bessel_i1(&x[0]))),
    row("tf.math.bessel_i1e", |_, x| one(ops::bessel_i1e(&x[0]))),
    row("tf.math.special.bessel_j0", |_, x| one(ops::bessel_j0(&x[0]))),
    row("tf.math.special.bessel_j1", |_, x| one(ops::bessel_j1(&x[0]))),
    row("tf.math.special.bessel_k0", |_, x| one(ops::bessel_k0(&x[0]))),
    row("tf.math.special.bessel_k0e", |_, x| one(ops::bessel_k0e(&x[0]))),
    row("tf.math.special.bessel_k1", |_, x| one(ops::bessel_k1(&x[0]))),
    row("tf.math.special.bessel_k1e", |_, x| one(ops::bessel_k1e(&x[0]))),
    row("tf.math.special.bessel_y0", |_, x| one(ops::bessel_y0(&x[0]))),
    row("tf.math.special.bessel_y1", |_, x| one(ops::bessel_y1(&x[0]))),
    row("tf.math.special.dawsn", |_, x| one(ops::dawsn(&x[0]))),
    row("tf.math.special.expint", |_, x| one(ops::expint(&x[0]))),
    row("tf.math.special.fresnel_cos", |_, x| one(ops::fresnel_cos(&x[0]))),
    row("tf.math.special.fresnel_sin", |_, x| one(ops::fresnel_sin(&x[0]))),
    row("tf.math.special.spence", |_, x| one(ops::spence(&x[0]))),
    row("tf.linalg.matmul", |_, x| one(x[0].matmul(&x[1]))),
    row("tf.transpose", |_, x| one(reversed(&x[0]))),
    row("tf.math.unsorted_segment_mean", |p, x| one(segment_mean(p, x, |n| Ok(n.clone())))),
    row("tf.math.unsorted_segment_sqrt_n", |p, x| one(segment_mean(p, x, Tensor::sqrt))),
];

fn reversed(x: &Tensor) -> Result<Tensor> {
    let rank = x.rank().unwrap_or(0) as i64;
    x.transpose((0..rank).rev().collect::<Vec<i64>>())
}

/// Sums within segments, divided by what `scale` makes of the numbers of entries.
fn segment_mean(p: &Params, x: &[Tensor], scale: fn(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let (data, ids) = (&x[0], &x[1]);
    let segments = Tensor::scalar(p.int("num_segments", 0) as i32);
    let ones = ids.ones_like()?.cast(data.dtype())?;
    let counts = ops::unsorted_segment_sum(&ones, ids, &segments)?.maximum(1.0)?;
    let inner = data.rank().unwrap_or(1) - ids.rank().unwrap_or(1);
    let column = [vec![-1i64], vec![1; inner]].concat();
    let sums = ops::unsorted_segment_sum(data, ids, &segments)?;
    ops::div(sums, scale(&counts)?.reshape(Integers::from(column))?)
}
