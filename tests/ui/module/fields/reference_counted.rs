use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
    part: std::rc::Rc<Variable>,
}

fn main() {}
