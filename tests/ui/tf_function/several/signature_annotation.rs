//! A signature that contradicts the type of the parameter.

use extype::prelude::*;
use extype::spec::{Const, Dyn, Of};

#[tf_function(signature(f64[?, 3], f32[?, 4], f32[?], f32[2, 3]))]
fn f(
    dtype: &Of<f32, (Dyn, Const<3>)>,
    size: &Of<f32, (Dyn, Const<3>)>,
    rank: &Of<f32, (Dyn, Const<3>)>,
    special: &Of<f32, (Dyn, Const<3>)>,
) -> Result<Tensor> {
    let _ = (dtype, size, rank);
    special.square()
}

fn main() {}
