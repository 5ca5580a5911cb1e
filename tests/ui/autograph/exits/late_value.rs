use extype::prelude::*;

fn opaque(n: i64) -> i64 { n }

#[tf_function]
pub fn late_value(n: i64) -> Result<i64> {
    let y;
    loop {
        if opaque(n) > 0 {
            y = n;
            break;
        }
    }
    Ok(y)
}

fn main() {}
