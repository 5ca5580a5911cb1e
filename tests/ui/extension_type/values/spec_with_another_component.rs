use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Inner {
    values: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
struct Outer {
    inner: Inner,
}

fn spec() -> OuterSpec {
    OuterSpec { inner: TensorSpec::of::<f32>([2]) }
}

fn main() {}
