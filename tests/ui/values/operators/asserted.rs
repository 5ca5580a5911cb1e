use extype::prelude::*;

fn main() {
    let (x, y) = (tensor![1.0, 2.0], tensor![1.0, 2.0]);
    assert_eq!(x, y);
}
