//! Learning rates.

use std::fmt;
use std::sync::Arc;

use super::rule::within;
use super::schedule::Schedule;
use crate::types::Result;

/// A learning rate: a number, or a [`Schedule`]. Functions take either: `Adam::new(1e-3)`,
/// `Adam::new(CosineDecay::new(1e-3, 10_000.0))`.
#[derive(Clone)]
pub enum LearningRate {
    /// The same at each step, until it is [changed](super::Optimizer::set_learning_rate).
    Constant(f64),
    /// A function of the step.
    Scheduled(Arc<dyn Schedule>),
}

impl LearningRate {
    pub(super) fn check(&self) -> Result<()> {
        match self {
            LearningRate::Constant(rate) => within("learning_rate", *rate, 0.0, f32::MAX.into()),
            LearningRate::Scheduled(schedule) => schedule.check(),
        }
    }
}

impl From<f64> for LearningRate {
    fn from(rate: f64) -> Self {
        Self::Constant(rate)
    }
}

impl From<f32> for LearningRate {
    fn from(rate: f32) -> Self {
        Self::Constant(rate.into())
    }
}

impl<S: Schedule> From<S> for LearningRate {
    fn from(schedule: S) -> Self {
        Self::Scheduled(Arc::new(schedule))
    }
}

impl fmt::Debug for LearningRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearningRate::Constant(rate) => write!(f, "{rate}"),
            LearningRate::Scheduled(schedule) => write!(f, "{schedule:?}"),
        }
    }
}
