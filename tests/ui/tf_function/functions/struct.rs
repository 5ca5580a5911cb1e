use extype::prelude::*;

#[tf_function]
struct Model;

fn main() {}
