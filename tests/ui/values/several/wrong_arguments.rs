use extype::prelude::*;

fn running(x: &Tensor) -> Result<Tensor> {
    x.cumsum(1.0)
}

fn shaped(x: &Tensor) -> Result<Tensor> {
    x.reshape(..)
}

fn expanded(x: &Tensor) -> Result<Tensor> {
    x.expand_dims([0, 1])
}

fn zeros() -> Result<Tensor> {
    ops::zeros(2.0, f32)
}

fn moved(x: &Tensor) -> Result<Tensor> {
    x.moveaxis("rows", 0)
}

fn picked(x: &Tensor) -> Result<Tensor> {
    x.index([0, 2])
}

fn counted(mut v: Variable) {
    v += 1.0;
}

fn spec() -> TensorSpec {
    TensorSpec::new("scalar", f32)
}

fn main() {}
