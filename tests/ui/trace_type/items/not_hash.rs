//! A law is missing.

use extype::TraceType;

#[derive(TraceType, Clone, Debug, PartialEq, Eq)]
struct Window {
    size: usize,
}

fn main() {}
