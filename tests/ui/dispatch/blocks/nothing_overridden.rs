use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    fn values(&self) -> &Tensor {
        &self.values
    }
}

fn main() {}
