//! The run-time half of autograph: drivers for the control flow of bodies under `#[tf_function]`.
//!
//! Control flow on `bool`s runs as in plain Rust, under Rust's rules: code that only concerns tensors is
//! unreachable there for the compiler ([`Never`]). On tensors, outside of a trace, a driver decides by the
//! value. In a trace it traces both arms of a condition, and the body of a loop once. Then it joins the
//! assigned variables, the results, and the exits, which become bool flags.

mod branch;
mod check;
mod compared;
mod condition;
mod exits;
mod flow;
mod items;
mod join;
mod kind;
mod owned;
mod places;
mod repeat;
mod shared;
mod slots;
mod state;

pub use branch::{Branch, there};
pub use check::{Failed, Piece, Shown, check, print, text};
pub use compared::Pair;
pub use condition::{
    Condition, Ends, Fact, Logic, Matched, PlainCondition, Single, TensorRange, TensorSide, Truth,
    and, or,
};
pub use exits::LoopId;
pub use flow::{Flow, Section, finish, raised};
pub use items::{Over, PlainItems, TensorItems};
pub use kind::{
    Kind, Kinds, Link, Never, OfKind, OnTensors, Plain, Token, graph_only, impossible, is_graph,
    join, link, mark, no, no_kind, plain_only, same, token,
};
pub use numbers::KeepsNumbers;
pub use owned::{Keep, Kept, LentOn, NotKept, Operated, Own, Owns};
pub use places::{Close, Fit, OtherPlaces, TensorPlace, fit};
pub use repeat::Repeat;
pub use shared::{Head, Shared, head, leaves_block};
pub use slots::{Assignee, At, Called, Holder, LocalSlot, Nowhere, called, slot, through};
pub use state::{ArmResults, ArmValue, Reference, State, Value};
pub use std::format;

mod numbers {
    use super::kind::{Plain, Token};

    /// The kind of loops that may change plain Rust numbers.
    #[diagnostic::on_unimplemented(
        message = "a loop on tensors can't change a number of Rust's",
        label = "a plain number, which the loop would change only once, while it is traced",
        note = "make it a tensor: `let mut count = scalar(0i64);`"
    )]
    pub trait KeepsNumbers {
        /// Does nothing; it compiles only where a number may change.
        #[inline]
        fn keeps<T>(&self, _: &T) {}
    }

    #[diagnostic::do_not_recommend]
    impl KeepsNumbers for Token<Plain> {}
}

/// The traits whose methods the expansions call.
pub mod methods {
    pub use super::check::{ShownPlain as _, ShownTensor as _};
    pub use super::compared::{
        LeftTensor as _, OverriddenEqual as _, OverriddenGreater as _, OverriddenGreaterEqual as _,
        OverriddenLess as _, OverriddenLessEqual as _, OverriddenNotEqual as _, PlainPair as _,
        RightTensor as _,
    };
    pub use super::condition::{
        LeftEnd as _, MatchedPlain as _, MatchedTensor as _, NotPlain as _, NotTensor as _,
        PlainEnds as _, RightEnd as _,
    };
    pub use super::items::{OverNothing as _, OverPlain as _, OverTensor as _, OverValue as _};
    pub use super::owned::{
        KeepOther as _, KeepPlain as _, KeepStructure as _, LendsOn as _, NotLent as _,
        OperatedCopy as _, OperatedStructure as _, OwnLent as _, OwnOther as _, OwnPlain as _,
        OwnReference as _, OwnStructure as _,
    };
    pub use super::shared::{
        HeadIterator as _, HeadOther as _, NotShared as _, SharedWritten as _,
    };
    pub use super::slots::{NotReached as _, Reached as _};
}
