//! A set.

use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor, set: &std::collections::HashSet<i64>) -> Result<Tensor> {
    let _ = set;
    x.tanh()
}

fn main() {}
