#![allow(unused_variables)]

use extype::prelude::*;

#[tf_function(signature(f32[?], i64[]))]
fn f(x: &Tensor, n: i64) -> Result<Tensor> {
    x.tanh()
}

fn main() {}
