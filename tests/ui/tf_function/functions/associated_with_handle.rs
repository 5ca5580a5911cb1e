use extype::prelude::*;

struct Model;

impl Model {
    #[tf_function(handle = traces)]
    fn f(model: &Self, x: &Tensor) -> Result<Tensor> {
        x.tanh()
    }
}

fn main() {}
