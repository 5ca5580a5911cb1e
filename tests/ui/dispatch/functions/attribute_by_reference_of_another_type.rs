use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(reduce_sum)]
    fn reduce_sum(x: &Self, _axes: &Axis, _keep_dims: bool) -> Result<Self> {
        Ok(x.clone())
    }
}

fn main() {}
