#![allow(unused_variables)]

use extype::prelude::*;

#[tf_function(signature(f32[?], static i64))]
fn f(x: &Tensor, on: bool) -> Result<Tensor> {
    x.tanh()
}

fn main() {}
