use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
}

impl Model {
    #[tf_function]
    fn f(&mut self, x: &Tensor) -> Result<Tensor> {
        x.tanh()
    }
}

fn main() {}
