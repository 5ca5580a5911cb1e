use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Degrees {
    values: Tensor,
}

#[tf_function]
fn first(x: &Degrees, y: &Degrees) -> Result<Degrees> {
    if x == y { Ok(x.clone()) } else { Ok(y.clone()) }
}

fn main() {}
