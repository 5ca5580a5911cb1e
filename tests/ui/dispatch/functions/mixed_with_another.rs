use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
struct Masked {
    values: Tensor,
}

#[derive(ExtensionType, Clone, Debug)]
struct Other {
    values: Tensor,
}

#[dispatch]
impl Masked {
    #[overrides(Concat, with = Other)]
    fn concat(xs: &[ops::Arg<'_, Self, Other>]) -> Result<Self> {
        unimplemented!("{:?}", xs)
    }
}

fn main() {}
