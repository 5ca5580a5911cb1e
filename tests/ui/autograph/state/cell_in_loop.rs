use std::cell::Cell;

use extype::prelude::*;

#[tf_function]
pub fn counts(n: &Tensor) -> Result<Tensor> {
    let count = Cell::new(0i64);
    let mut i = scalar(0i64);
    while i < n {
        count.set(count.get() + 1);
        i += 1;
    }
    Ok(i + count.get())
}

fn main() {}
