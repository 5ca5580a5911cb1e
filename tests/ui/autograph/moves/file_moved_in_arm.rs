use extype::prelude::*;

#[tf_function]
pub fn file_moved_in_arm(x: &Tensor) -> Result<Tensor> {
    let file = std::fs::File::open("numbers").unwrap();
    if x > 0 {
        drop(file);
    }
    Ok(x + 1)
}

fn main() {}
