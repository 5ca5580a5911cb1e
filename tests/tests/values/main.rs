//! What tensors and their ops compute: numbers, shapes, wrong uses.

mod arranging;
mod arrays;
mod bad_input;
mod elementwise;
mod everyday;
mod fft;
mod files;
mod float8;
mod huge;
mod images;
mod jpeg;
mod learning;
mod linalg;
mod numerics;
mod quantized;
mod random;
mod reductions;
mod segments;
mod signals;
mod slicing;
mod sparse;
mod strings;
mod variables;
mod windows;
