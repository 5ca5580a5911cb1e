//! The rules of the known optimizers.

mod adam;
mod adaptive;
mod descent;
mod ftrl;

pub use adam::{Adam, AdamRule, AdamW, Adamax, AdamaxRule, Nadam, NadamRule};
pub use adaptive::{Adadelta, AdadeltaRule, Adagrad, AdagradRule, RMSprop, RMSpropRule};
pub use descent::{Lion, LionRule, SGD, SGDRule};
pub use ftrl::{Ftrl, FtrlRule};
