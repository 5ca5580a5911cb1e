//! Dispatch: who is asked what an op means, typed and at run time.

mod arguments;
mod compared;
mod every_op;
mod foreign;
mod mixed;
mod names;
mod order;
