use extype::prelude::*;

struct Plain;

fn used() -> Result<Vec<Plain>> {
    nest::map_structure(&vec![Plain], |x| Ok(x.clone()))
}

fn main() {}
