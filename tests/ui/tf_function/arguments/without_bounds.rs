use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Two<T> {
    first: T,
    second: T,
}

#[tf_function]
fn f<T>(x: &Two<T>) -> Result<Two<T>> {
    Ok(x.clone())
}

fn main() {}
