//! Hostile calls of every op of the registry, and their gradients.
//!
//! A case is a function of an op's name and a seed: a [`Call`](call::Call), made from the op's
//! definition or bent from a recorded one. It runs in a worker process with a limit on memory and
//! on time, since a defect may end or stop the process. What must hold of every call, whether it is
//! taken or refused:
//!
//! 1. no panic, no abort, no hang;
//! 2. the same results, bit for bit, op by op and traced (with shapes known, with constants, with
//!    ranks only, with nothing known), or a refusal by all, but that a program drops a call without
//!    effect and results; and the inferred types are true;
//! 3. gradients of the inputs' shapes that agree with central differences.
//!
//! Rows of a foreign crate that [lie](liars) are cases too: no way to call one takes the lie.
//!
//! A second [`Subject`] are gradients of first and second order, of calls that nothing hostile was done to and
//! of random chains of ops, and of random loops within each other with lists and tensors that grow: by themselves, and in
//! arms, loops, maps and calls, each op by op under tapes and traced, with tapes outside or inside and with less and less known. Op by op they must agree with
//! differences, all others with that.
//!
//! [`state_differs`] is of another kind: random steps over a model whose cells are filled and whose state changes, within
//! calls and between them, are plain Rust on one model and traced on another.
//!
//! [`pipeline_differs`] is of that kind too: random pipelines of datasets on one thread and on four, resumed, and as
//! plain functions of vectors.
//!
//! What enters are names and seeds; what leaves are [`Finding`]s with the
//! seed and a small call that shows each. No finding is excused by a list.

mod batches;
pub mod call;
mod chain;
mod check;
pub mod command;
mod corpus;
mod coverage;
mod defs;
mod derivatives;
mod differences;
pub mod edit;
mod generate;
mod gradient;
mod images;
mod learning;
pub mod liars;
mod mutate;
mod nest;
mod numerics;
mod pipelines;
mod problem;
mod quantized;
mod recipes;
pub mod report;
mod resources;
mod rng;
mod seeds;
pub mod session;
mod state;
mod subject;
mod traced;
mod values;
mod ways;
mod windows;
mod worker;

pub use batches::{Batches, check_batches};
pub use pipelines::pipeline_differs;
pub use report::{Finding, Summary};
pub(crate) use rng::Rng;
pub use seeds::of_seeds;
pub use session::{Options, Session};
pub use state::state_differs;
pub use subject::Subject;
pub use worker::serve;
