use extype::prelude::*;

#[tf_function]
fn f(x: Option<&Tensor>) -> Result<Tensor> {
    x.unwrap().tanh()
}

fn main() {}
