//! Control flow of traced functions: programs that mean on tensors what they mean on Rust's numbers.

mod arrays;
mod conditionals;
mod corners;
mod exits;
mod functions;
mod loops;
mod plain;
mod refusals;
mod searches;
mod structures;
mod support;
