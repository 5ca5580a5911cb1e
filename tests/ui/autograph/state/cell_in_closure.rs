use std::cell::Cell;
use std::rc::Rc;

use extype::prelude::*;

#[tf_function]
pub fn bumps(x: &Tensor) -> Result<Tensor> {
    let c = Rc::new(Cell::new(0i64));
    let bump = {
        let c = c.clone();
        move || c.set(c.get() + 1)
    };
    // Not under a condition it may.
    bump();
    if x > 0.0 {
        bump();
    }
    // What is no cell has methods of these names too.
    let clean = |text: &str| text.replace("a", "b");
    if x > 1.0 {
        drop(clean("a"));
    }
    Ok(x * c.get() as f64)
}

fn main() {}
