use extype::prelude::*;

fn used() -> Tensor {
    tensor![1.0f32, 2i64]
}

fn main() {}
