use extype::prelude::*;

#[tf_function(reduce_retrace)]
async fn f(x: &mut Tensor) -> Tensor {
    x.clone()
}

fn main() {}
