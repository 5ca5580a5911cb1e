use extype::prelude::*;

#[tf_function]
#[tf_function(reduce_retracing)]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn main() {}
