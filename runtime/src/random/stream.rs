//! A stream of random words, and the distributions drawn from it.

use super::{Bounds, Parameter};
use crate::op::{Attrs, OpDef};
use crate::ops::{
    self, Integers, Op, SideInput, StatelessRandomGetKeyCounter, StatelessRandomNormalV2,
    StatelessRandomUniformFullIntV2, StatelessRandomUniformIntV2, StatelessRandomUniformV2,
    StatelessShuffle, StatelessTruncatedNormalV2,
};
use crate::tensor::{Tensor, execute_one};
use crate::types::{DType, Result};

/// The algorithm Philox.
pub(super) const PHILOX: i32 = 1;

/// The words of the generator with a key from a counter on.
pub(super) struct Stream {
    /// uint64 of shape `[1]`.
    pub(super) key: Tensor,
    /// uint64 of shape `[2]`.
    pub(super) counter: Tensor,
}

impl Stream {
    /// The stream that a seed of two integers stands for.
    pub(super) fn of_seed(seed: &Integers) -> Result<Self> {
        let op = StatelessRandomGetKeyCounter {};
        let (key, counter) = op.run_as(&[&seed.to_tensor()])?;
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
                    Some((low, high)) => scaled(&unit, &ops::sub(&high, &low)?, &low),
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
        let standard = self.draw(op.def(), op.attrs(), shape)?;
        scaled(&standard, &stddev.of_dtype(dtype)?, &mean.of_dtype(dtype)?)
    }

    pub(super) fn truncated_normal(
        &self,
        shape: &Tensor,
        mean: &impl Parameter,
        stddev: &impl Parameter,
        dtype: DType,
    ) -> Result<Tensor> {
        let op = StatelessTruncatedNormalV2 { dtype };
        let standard = self.draw(op.def(), op.attrs(), shape)?;
        scaled(&standard, &stddev.of_dtype(dtype)?, &mean.of_dtype(dtype)?)
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

fn scaled(x: &Tensor, scale: &Tensor, offset: &Tensor) -> Result<Tensor> {
    ops::add(&ops::mul(x, scale)?, offset)
}
