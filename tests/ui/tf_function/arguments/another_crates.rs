#![allow(unused_variables)]

use extype::prelude::*;

#[tf_function]
fn f(x: &Tensor, n: u128) -> Result<Tensor> {
    x.tanh()
}

fn main() {}
