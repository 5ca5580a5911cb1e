use std::cell::{Cell, RefCell};

use extype::prelude::*;

#[tf_function]
fn in_a_loop(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let cell = RefCell::new(x.clone());
    for _ in 0..2 {
        if most > 2 {
            continue;
        }
        *cell.borrow_mut() = most.clone();
    }
    Ok(cell.into_inner())
}

#[tf_function]
fn of_numbers(x: &Tensor) -> Result<Tensor> {
    let count = Cell::new(0i64);
    while count.get() < 3 {
        if x > 2 {
            break;
        }
        count.set(count.get() + 1);
    }
    Ok(x + count.get())
}

#[tf_function]
fn before_a_break(x: &Tensor) -> Result<Tensor> {
    let count = Cell::new(0i64);
    for k in 0..3 {
        count.set(count.get() + k);
        if x > 2 {
            break;
        }
    }
    Ok(x + count.get())
}

#[tf_function]
fn by_a_closure(x: &Tensor, most: &Tensor) -> Result<Tensor> {
    let cell = RefCell::new(x.clone());
    for _ in 0..2 {
        let set = || *cell.borrow_mut() = most.clone();
        if most > 2 {
            continue;
        }
        set();
    }
    Ok(cell.into_inner())
}

fn main() {}
