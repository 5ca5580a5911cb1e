use extype::prelude::*;

#[tf_function]
#[allow(clippy::too_many_arguments)]
fn f(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64, i: i64, j: i64, k: i64, l: i64, m: i64) -> Result<Tensor> {
    Ok(scalar(a + b + c + d + e + f + g + h + i + j + k + l + m))
}

fn main() {}
