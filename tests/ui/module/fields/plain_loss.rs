use extype::prelude::*;
use extype::train::BinaryCrossentropy;

#[derive(Module)]
struct Model {
    w: Variable,
    #[plain]
    loss: BinaryCrossentropy,
}

impl Model {
    #[tf_function]
    fn call(&self, x: &Tensor) -> Result<Tensor> {
        ops::mul(x, &self.w)
    }
}

fn main() {}
