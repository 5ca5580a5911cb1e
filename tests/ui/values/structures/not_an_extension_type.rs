use extype::prelude::*;

fn name<T: ExtensionType>() {}

fn used() {
    name::<Tensor>();
}

fn main() {}
