use extype::prelude::*;

#[tf_function]
pub fn guard_moved_in_else(x: &Tensor) -> Result<Tensor> {
    let lock = std::sync::Mutex::new(1i64);
    let guard = lock.lock().unwrap();
    let y = if x > 0 {
        x + *guard
    } else {
        drop(guard);
        x - 1
    };
    Ok(y)
}

fn main() {}
