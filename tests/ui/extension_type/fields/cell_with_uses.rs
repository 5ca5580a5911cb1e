use extype::prelude::*;
use std::cell::RefCell;

#[derive(ExtensionType, Clone, Debug)]
struct Layer {
    weights: Tensor,
    cache: RefCell<Tensor>,
}

#[dispatch]
impl Layer {
    #[overrides(tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

#[tf_function]
fn f(x: &Layer) -> Result<Tensor> {
    x.weights.tanh()
}

fn main() -> Result<()> {
    let layer = Layer::new([1.0f32], [1.0f32])?;
    println!("{} {}", layer.type_spec(), f(&layer)?);
    println!("{:?}", layer.tanh()?);
    Ok(())
}
