use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Rows {
    values: Tensor,
}

fn used(p: &Tensor, x: &Tensor, rows: &Rows) -> Result<Rows> {
    cond(p, || Ok(x.clone()), || Ok(rows.clone()))
}

fn main() {}
