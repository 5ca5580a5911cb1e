//! Fields that are not compared by value.

use extype::{Tensor, TraceType};

#[derive(TraceType, Clone, Debug)]
struct Window {
    values: Option<Tensor>,
}

#[derive(TraceType, Clone, Debug)]
enum Counter {
    None,
    Some(std::cell::Cell<u32>),
}

#[derive(TraceType, Clone, Debug, PartialEq, Eq, Hash)]
struct Named<'a>(&'a str);

fn main() {}
