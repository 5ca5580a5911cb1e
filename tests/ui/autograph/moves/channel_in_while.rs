use extype::prelude::*;

fn keep(sender: std::sync::mpsc::Sender<i64>) {
    sender.send(1).unwrap();
}

#[tf_function]
pub fn channel_in_while(n: &Tensor) -> Result<Tensor> {
    let (sender, _receiver) = std::sync::mpsc::channel::<i64>();
    let mut y = n.clone();
    while y < 100 {
        keep(sender);
        y = y * 2;
    }
    Ok(y)
}

fn main() {}
