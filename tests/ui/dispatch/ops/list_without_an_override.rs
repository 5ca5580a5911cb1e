use extype::prelude::*;

#[derive(ExtensionType, Clone)]
struct Masked {
    values: Tensor,
}

fn used(m: &Masked) -> Result<()> {
    let _ = ops::concat(&[m, m], 0)?;
    Ok(())
}

fn main() {}
