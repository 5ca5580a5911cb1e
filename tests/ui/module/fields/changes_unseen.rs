use extype::prelude::*;
use std::cell::RefCell;

#[derive(Module)]
struct Model {
    w: RefCell<Variable>,
}

fn main() {}
