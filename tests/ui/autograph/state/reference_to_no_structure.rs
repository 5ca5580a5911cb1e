use extype::prelude::*;

fn take(items: &mut std::slice::Iter<'_, i64>) -> i64 {
    items.next().copied().unwrap_or(0)
}

#[tf_function]
pub fn takes(x: &Tensor) -> Result<Tensor> {
    let list = [1i64, 2, 3];
    let mut lists = vec![list.iter()];
    let mut y = x.clone();
    for items in lists.iter_mut() {
        if x > 0 {
            y += take(items);
        }
    }
    Ok(y)
}

fn main() {}
