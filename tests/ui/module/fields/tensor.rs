use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Tensor,
}

impl Model {
    #[tf_function]
    fn call(&self, x: &Tensor) -> Result<Tensor> {
        ops::mul(x, &self.w)
    }
}

fn main() {}
