//! A weak reference.

use extype::prelude::*;

type Held = std::sync::Weak<i64>;

#[tf_function]
fn f(x: &Tensor, held: &Held) -> Result<Tensor> {
    let _ = held;
    x.tanh()
}

fn main() {}
