use std::cell::RefCell;
use std::rc::Rc;

use extype::prelude::*;

#[tf_function]
pub fn keeps(x: &Tensor) -> Result<Tensor> {
    let y = Rc::new(RefCell::new(x.clone()));
    if x > 0 {
        *y.borrow_mut() = scalar(5i64);
    }
    // What is no cell has methods of these names too.
    let mut text = String::from("a");
    if x > 1 {
        let other = text.replace("a", "b");
        text.clear();
        text.push_str("a");
        drop(other);
    }
    let kept = y.borrow().clone();
    Ok(kept + text.len() as i64)
}

fn main() {}
