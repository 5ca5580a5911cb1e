use extype::prelude::*;

fn main() {
    let _ = shape![2, -1];
}
