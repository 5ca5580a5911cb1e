use extype::prelude::*;

#[tf_function]
pub fn filter_by_tensors(xs: &[Tensor]) -> Result<Tensor> {
    let positive: Vec<&Tensor> = xs.iter().filter(|x| **x > 0).collect();
    ops::stack(&positive, 0)
}

fn main() {}
