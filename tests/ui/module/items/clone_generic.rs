use extype::prelude::*;

#[derive(Clone, Module)]
struct Pair<A: Module, B> {
    a: A,
    b: Vec<B>,
}

fn main() {}
