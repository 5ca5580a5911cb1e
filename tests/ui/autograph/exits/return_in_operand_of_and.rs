use extype::prelude::*;

fn opaque(n: i64) -> i64 { n }

#[tf_function]
pub fn return_in_operand_of_and(x: &Tensor, n: i64) -> Result<Tensor> {
    if opaque(n) > 0 && opaque({ if x > 0 { return Ok(x * 2); } 1 }) > 0 {
        return Ok(x + 1);
    }
    Ok(x + 2)
}

fn main() {}
