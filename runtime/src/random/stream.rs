//! A stream of random words, and the distributions drawn from it.

use super::{Bounds, Parameter};
use crate::ir::{Attrs, OpDef};
use crate::ops::methods::*;
use crate::ops::{
    self, Integers, Op, SideInput, StatelessRandomGetKeyCounter, StatelessRandomNormalV2,
    StatelessRandomUniformFullIntV2, StatelessRandomUniformIntV2, StatelessRandomUniformV2,
    StatelessShuffle, StatelessTruncatedNormalV2,
};
use crate::tensor::{Tensor, execute_one, init_scope};
use crate::types::{DType, Result, bail};

/// The algorithm Philox.
pub(super) const PHILOX: i32 = 1;

/// The random words for a key, from a counter on.
pub(super) struct Stream {
    /// uint64 of shape `[1]`.
    pub(super) key: Tensor,
    /// uint64 of shape `[2]`.
    pub(super) counter: Tensor,
}

impl Stream {
    /// The stream for a seed of two integers.
    pub(super) fn of_seed(seed: &Integers) -> Result<Self> {
        let op = StatelessRandomGetKeyCounter {};
        let (key, counter) = op.run_as(&[&seed.to_tensor()?])?;
        Ok(Self { key, counter })
    }

    fn draw(&self, op: &'static OpDef, attrs: Attrs, shape: &Tensor) -> Result<Tensor> {
        let alg = Tensor::scalar(PHILOX);
        execute_one(op, attrs, &[shape, &self.key, &self.counter, &alg])
    }

    pub(super) fn uniform(
        &self,
        shape: &Tensor,
        bounds: &impl Bounds,
        dtype: DType,
    ) -> Result<Tensor> {
        match bounds.of_dtype(dtype)? {
            None if dtype.is_integer() => {
                let op = StatelessRandomUniformFullIntV2 { dtype };
                self.draw(op.def(), op.attrs(), shape)
            }
            Some((low, high)) if dtype.is_integer() => {
                let alg = Tensor::scalar(PHILOX);
                let op = StatelessRandomUniformIntV2 {};
                op.run(&[shape, &self.key, &self.counter, &alg, &low, &high])
            }
            bounds => {
                let op = StatelessRandomUniformV2 { dtype };
                let unit = self.draw(op.def(), op.attrs(), shape)?;
                match bounds {
                    None => Ok(unit),
                    Some((low, high)) => {
                        let width = width(&low, &high)?;
                        without(&scaled(&unit, &width, &low)?, &low, &high)
                    }
                }
            }
        }
    }

    pub(super) fn normal(
        &self,
        shape: &Tensor,
        mean: &impl Parameter,
        stddev: &impl Parameter,
        dtype: DType,
    ) -> Result<Tensor> {
        let op = StatelessRandomNormalV2 { dtype };
        let (stddev, mean) = (stddev.of_dtype(dtype)?, mean.of_dtype(dtype)?);
        ops::check_not_negative("stddev", &stddev)?;
        scaled(&self.draw(op.def(), op.attrs(), shape)?, &stddev, &mean)
    }

    pub(super) fn truncated_normal(
        &self,
        shape: &Tensor,
        mean: &impl Parameter,
        stddev: &impl Parameter,
        dtype: DType,
    ) -> Result<Tensor> {
        let op = StatelessTruncatedNormalV2 { dtype };
        let (stddev, mean) = (stddev.of_dtype(dtype)?, mean.of_dtype(dtype)?);
        ops::check_not_negative("stddev", &stddev)?;
        scaled(&self.draw(op.def(), op.attrs(), shape)?, &stddev, &mean)
    }

    /// The op that puts rows in a random order.
    pub(super) fn shuffle(self) -> StatelessShuffle {
        StatelessShuffle {
            key: SideInput(self.key),
            counter: SideInput(self.counter),
            alg: SideInput(Tensor::scalar(PHILOX)),
        }
    }
}

/// The width of a range. Fails unless it is finite.
fn width(low: &Tensor, high: &Tensor) -> Result<Tensor> {
    let is_finite = || ops::sub(high, low)?.is_finite()?.reduce_all(.., false);
    if !matches!((low, high), (Tensor::Value(_), Tensor::Value(_))) {
        ops::check(&is_finite()?, "the width of the range is not finite:", &[low, high])?;
    } else if !init_scope(is_finite)?.item::<bool>()? {
        bail!("the width of the range is not finite: {} to {}", low.data()?, high.data()?);
    }
    ops::sub(high, low)
}

/// Replaces numbers that rounding made equal to `high` by one just below it, but not below `low`.
fn without(x: &Tensor, low: &Tensor, high: &Tensor) -> Result<Tensor> {
    let digits = match high.dtype() {
        DType::F16 => 10,
        DType::BF16 => 7,
        DType::F32 => 23,
        _ => 52,
    };
    let below = ops::sub(high, ops::mul(high.abs()?, 0.5f64.powi(digits))?)?;
    ops::select(x.equal(high)?, ops::maximum(low, below)?.stop_gradient()?, x)
}

fn scaled(x: &Tensor, scale: &Tensor, offset: &Tensor) -> Result<Tensor> {
    ops::add(&ops::mul(x, scale)?, offset)
}
