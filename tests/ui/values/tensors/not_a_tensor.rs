use extype::prelude::*;

struct Image;

fn used() -> Result<Tensor> {
    Tensor::new(Image)
}

fn main() {}
