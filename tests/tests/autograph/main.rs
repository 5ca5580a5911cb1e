//! Control flow of traced functions: programs that mean on tensors what they mean on Rust's numbers.

#![expect(
    clippy::assign_op_pattern,
    clippy::nonminimal_bool,
    clippy::approx_constant,
    clippy::useless_vec,
    clippy::unnecessary_literal_unwrap,
    clippy::match_single_binding,
    reason = "programs and their results are as users write them"
)]

mod arrays;
mod conditionals;
mod corners;
mod exits;
mod failures;
mod functions;
mod growing;
mod idioms;
mod lines;
mod loops;
mod messages;
mod moves;
mod places;
mod plain;
mod programs;
mod references;
mod refusals;
mod searches;
mod sides;
mod structures;
mod support;
mod written;
