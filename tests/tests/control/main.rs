//! Control flow as users write it with closures: conditionals, loops, their gradients and their errors.

mod branches;
mod gradients;
mod loops;
mod over;
mod structures;
mod written;
