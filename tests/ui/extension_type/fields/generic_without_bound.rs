use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked<V> {
    values: V,
}

struct Plain;

fn used(m: &Masked<Plain>) {
    let _ = m.type_spec();
}

fn main() {}
