use extype::prelude::*;

struct Plain;

fn used() {
    let _ = nest::flatten(&Plain);
}

fn main() {}
