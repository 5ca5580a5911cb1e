use extype::prelude::*;

#[derive(Module)]
struct Model {
    w: Variable,
}

impl Model {
    fn train(&self, x: &Tensor) -> Result<Option<Tensor>> {
        let tape = GradientTape::new();
        let (_, g) = tape.value_and_gradient(self, || x.matmul(&self.w)?.sum(..))?;
        g.of(&self.w)
    }
}

fn main() {}
