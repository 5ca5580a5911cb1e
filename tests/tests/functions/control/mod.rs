//! Control flow as users write it with closures: conditionals, loops, their gradients and their errors; lists
//! that loops carry, Rust code in graphs.

mod branches;
mod elements;
mod examples;
mod gradients;
mod host;
mod joined;
mod kept;
mod lanes;
mod lists;
mod loops;
mod orders;
mod over;
mod places;
mod rows;
mod scalars;
mod stackable;
mod structures;
mod tensor_array;
mod vectorized;
mod written;
