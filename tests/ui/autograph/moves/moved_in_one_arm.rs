use extype::prelude::*;

struct Names(Vec<&'static str>);

fn consume(names: Names) -> i64 {
    names.0.len() as i64
}

#[tf_function]
pub fn moved_in_one_arm(x: &Tensor) -> Result<Tensor> {
    let names = Names(vec!["a", "b"]);
    let y = if x > 0 { x + consume(names) } else { x - names.0.len() as i64 };
    Ok(y)
}

fn main() {}
