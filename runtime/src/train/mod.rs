//! Training: optimizers with their state, schedules of learning rates, losses, clipping of gradients,
//! initial values.
//!
//! An [`Optimizer`] changes variables by their gradients ([`Gradients`](crate::Gradients)). It consists of a [`Rule`],
//! which says how one variable changes, and of what all optimizers share: the step, the learning rate, clipping, weight
//! decay, averages, accumulation. A loss is a [`LossFunction`] of rows and a [`Reduction`]. Update rules, defaults and
//! the meaning of options are those of Keras 3. Everything is built from ops, so the same call works eagerly and in a
//! traced function.
//!
//! ```
//! use extype::prelude::*;
//! use extype::train::{Adam, Loss, MeanSquaredError};
//!
//! let w = Variable::new(scalar(0.0f32))?;
//! let (x, y) = (tensor![[1.0f32], [2.0]], tensor![[3.0f32], [6.0]]);
//! let (optimizer, loss) = (Adam::new(0.1), MeanSquaredError::new());
//! for _ in 0..300 {
//!     let tape = GradientTape::new();
//!     let (_, gradients) = tape.value_and_gradient(&w, || loss.call(&y, &(&x * w.read()?)))?;
//!     optimizer.apply(&gradients, &w)?;
//! }
//! assert!((w.read()?.item::<f32>()? - 3.0).abs() < 1e-2);
//! # Ok::<(), Error>(())
//! ```
//!
//! | part | what there is |
//! | --- | --- |
//! | optimizers | [`SGD`], [`Adam`], [`AdamW`], [`Adamax`], [`Nadam`], [`RMSprop`], [`Adagrad`], [`Adadelta`], [`Ftrl`], [`Lion`] |
//! | learning rates | [`CosineDecay`], [`CosineDecayRestarts`], [`ExponentialDecay`], [`InverseTimeDecay`], [`PiecewiseConstantDecay`], [`PolynomialDecay`] |
//! | losses of numbers | [`MeanSquaredError`], [`MeanAbsoluteError`], [`MeanAbsolutePercentageError`], [`MeanSquaredLogarithmicError`], [`Huber`], [`LogCosh`], [`Poisson`], [`CosineSimilarity`] |
//! | losses of classes | [`CategoricalCrossentropy`], [`SparseCategoricalCrossentropy`], [`BinaryCrossentropy`], [`CategoricalFocalCrossentropy`], [`BinaryFocalCrossentropy`], [`KLDivergence`] |
//! | losses of margins and overlaps | [`Hinge`], [`SquaredHinge`], [`CategoricalHinge`], [`Dice`], [`Tversky`] |
//! | clipping | [`clip_by_norm()`], [`clip_by_global_norm()`], [`clip_by_value()`], [`global_norm()`] |
//! | initial values | [`Initializer`] |
//! | your own | [`Rule`] of an optimizer, [`Schedule`] of a learning rate, [`LossFunction`] |

mod clip;
mod cosine;
mod held;
mod initializers;
mod losses;
mod optimizer;
mod options;
mod rate;
mod rule;
mod rules;
mod schedule;
mod slots;
mod state;
mod step;

pub use clip::{clip_by_global_norm, clip_by_norm, clip_by_value, global_norm};
pub use cosine::*;
pub use initializers::{Distribution, Fan, Initializer};
pub use losses::*;
pub use optimizer::{AnyOptimizer, Optimizer};
pub use rate::LearningRate;
pub use rule::{Parameter, Rule, SlicesUpdate, Slot, Step, Update};
pub use rules::*;
pub use schedule::*;

use crate::spec::ModuleVisitor;

/// Visits settings as plain data of a module, by their `Debug` text.
fn visit_settings(settings: &impl std::fmt::Debug, visitor: &mut dyn ModuleVisitor) {
    visitor.plain("settings".into(), &format!("{settings:?}"));
}

/// Makes types that consist of settings usable as fields of modules.
macro_rules! modules_of_settings {
    ($($name:ident),*) => {
        $(impl crate::spec::Module for $name {
            fn visit(&self, visitor: &mut dyn ModuleVisitor) {
                visit_settings(self, visitor);
            }

            fn copied(&self, _: &crate::spec::VariableCopies) -> crate::types::Result<Self> {
                Ok(self.clone())
            }
        })*
    };
}
modules_of_settings!(
    Initializer,
    LearningRate,
    Reduction,
    ExponentialDecay,
    InverseTimeDecay,
    PiecewiseConstantDecay,
    PolynomialDecay,
    CosineDecay,
    CosineDecayRestarts
);
