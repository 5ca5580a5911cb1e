use extype::prelude::*;

#[tf_function]
pub fn sets_one_of_many(x: &Tensor, n: i64) -> Result<Tensor> {
    let mut y = x.clone();
    let mut sets: Vec<Box<dyn FnMut(i64) + '_>> = vec![Box::new(|k| y += k)];
    for set in sets.iter_mut() {
        if x > 0 {
            set(n);
        }
    }
    drop(sets);
    Ok(y)
}

fn main() {}
