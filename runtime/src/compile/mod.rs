//! Compiles graphs to programs: simplify, plan, run.
//!
//! A `FunctionGraph` becomes a `Program`: a flat list of instructions over slots, each of which is
//! freed after its last use. The graph stays as it was traced, for people, tools and export.

mod program;
mod registers;
mod simplify;

pub(crate) use program::Program;
pub(crate) use registers::RegisterLoop;
pub(crate) use simplify::simplify;
