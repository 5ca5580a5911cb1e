use extype::prelude::*;

#[derive(Module)]
struct Scale {
    factor: Variable,
}

trait Step {
    fn step(&self, x: &Tensor) -> Result<Tensor>;
}

impl Step for Scale {
    #[tf_function]
    fn step(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x * &self.factor)
    }
}

fn main() {}
