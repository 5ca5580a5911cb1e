use extype::prelude::*;

struct Model;

impl Model {
    #[tf_function]
    fn f(&self, x: &Tensor) -> Result<Tensor> {
        x.tanh()
    }
}

fn main() {}
