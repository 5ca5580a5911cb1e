use extype::prelude::*;

#[tf_function(reduce_retrace)]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}
