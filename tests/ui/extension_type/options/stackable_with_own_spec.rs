use extype::Tensor;

#[derive(extype::ExtensionType)]
#[extension_type(stackable, spec = RowsSpec)]
struct Rows {
    values: Tensor,
}

#[derive(Clone, Debug)]
struct RowsSpec {
    values: extype::TensorSpec,
}

impl extype::TypeSpec for RowsSpec {
    type Value = Rows;

    fn to_any(&self) -> extype::spec::AnySpec {
        self.default_to_any()
    }

    fn from_any(any: &extype::spec::AnySpec) -> extype::Result<Self> {
        Self::default_from_any(any)
    }
}

fn main() {}
