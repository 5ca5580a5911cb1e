use extype::prelude::*;

#[tf_function]
pub fn closure_in_loop(n: &Tensor) -> Result<Tensor> {
    let mut log: Vec<Box<dyn Fn() -> i64>> = Vec::new();
    for _ in 0..n {
        log.push(Box::new(|| 3));
    }
    Ok(n + log.len() as i64)
}

fn main() {}
