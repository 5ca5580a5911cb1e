//! A law is missing.

use extype::prelude::*;

#[derive(TraceType, Clone, Debug, PartialEq, Eq)]
struct Window {
    size: usize,
}

fn main() {}
