//! Early exits that may have been taken in an open trace: the statement, its target, and the condition.

use super::state::Flat;
use crate::control::state::Site;
use crate::tensor::Tensor;

/// A loop of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopId(pub(super) usize);

/// Where an exit leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Return,
    Break(LoopId),
    Continue(LoopId),
}

impl Target {
    pub(super) fn word(self) -> &'static str {
        match self {
            Target::Return => "return",
            Target::Break(_) => "break",
            Target::Continue(_) => "continue",
        }
    }
}

/// An exit that may have been taken.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) target: Target,
    /// The statement that exits.
    pub(super) site: Site,
    /// Whether it was taken; `None` if it is certain.
    pub(super) flag: Option<Tensor>,
    pub(super) value: Option<Flat>,
}

pub(super) type Exits = Vec<Pending>;
