//! A set.

use extype::prelude::*;

type Names = std::collections::HashSet<String>;

#[tf_function]
fn f(x: &Tensor, names: &Names) -> Result<Tensor> {
    let _ = names;
    x.tanh()
}

fn main() {}
