use extype::prelude::*;

struct Log(Vec<std::cell::RefCell<String>>);

impl Log {
    fn add(&mut self, text: &str) {
        self.0.push(text.to_owned().into());
    }
}

#[tf_function]
pub fn logs(x: &Tensor) -> Result<Tensor> {
    let mut log = Log(Vec::new());
    if x > 0 {
        log.add("positive");
    }
    Ok(x + log.0.len() as i64)
}

fn main() {}
