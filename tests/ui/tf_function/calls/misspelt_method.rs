use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor) -> Result<Tensor> {
    x.tanh()
}

fn used() -> usize {
    f::trace_counts()
}

fn main() {}
