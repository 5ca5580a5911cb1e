use extype::prelude::*;

#[tf_function]
pub fn borrowed_by_a_closure(n: &Tensor) -> Result<Tensor> {
    let mut y = n.clone();
    let show = || println!("{y}");
    if n > 3 {
        y = n * 2;
    }
    show();
    Ok(y)
}

fn main() {}
