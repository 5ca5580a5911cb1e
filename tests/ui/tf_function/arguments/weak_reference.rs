//! A weak reference.

use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor, weak: &std::sync::Weak<i64>) -> Result<Tensor> {
    let _ = weak;
    x.tanh()
}

fn main() {}
