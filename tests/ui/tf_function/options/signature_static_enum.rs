#![allow(unused_variables)]

use extype::prelude::*;

#[derive(StaticData, Clone, PartialEq)]
enum Mode {
    Train,
}

#[tf_function(signature(f32[?], static i64))]
fn f(x: &Tensor, mode: Mode) -> Result<Tensor> {
    x.tanh()
}

fn main() {}
