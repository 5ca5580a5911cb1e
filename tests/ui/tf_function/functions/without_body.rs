use extype::prelude::*;

trait Model {
    #[tf_function]
    fn f(&self, x: &Tensor) -> Result<Tensor>;
}

fn main() {}
