//! Dispatch: who is asked what an op means, typed and at run time.

#![expect(clippy::assign_op_pattern, reason = "operators in all their forms")]

mod arguments;
mod compared;
mod compounds;
mod design;
mod every_op;
mod foreign;
mod functions;
mod keeps;
mod mixed;
mod names;
mod order;
