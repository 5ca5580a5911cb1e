use extype::prelude::*;

#[derive(ExtensionType)]
struct Masked {
    values: Tensor,
    other: std::rc::Rc<std::cell::RefCell<Tensor>>,
}

fn main() {}
