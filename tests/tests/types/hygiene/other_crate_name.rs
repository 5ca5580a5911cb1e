//! The library under another name. That expansions name no other path is tested in the macro crate.

use ::renamed::prelude::*;

#[derive(StaticData, Clone, Debug, PartialEq)]
#[static_data(crate = ::renamed)]
enum Mode {
    Only,
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(crate = ::renamed)]
struct Masked {
    #[extension_type(dtype = f32, default = 1.0f32)]
    values: Tensor,
    mode: Mode,
}

#[dispatch(crate = ::renamed)]
impl Masked {
    #[overrides(Tanh)]
    fn tanh(x: &Self) -> Result<Self> {
        Ok(x.clone())
    }
}

#[derive(Module)]
#[module(crate = ::renamed)]
struct Model {
    w: Variable,
}

impl Model {
    #[tf_function(crate = ::renamed)]
    fn step(&self, m: &Masked) -> Result<Tensor> {
        ops::add(&m.values, &self.w.read()?)
    }
}

#[test]
fn the_crate_has_another_name() {
    let model = Model { w: Variable::new(2.0f32).unwrap() };
    let m = ops::tanh(Masked::new(Mode::Only).unwrap()).unwrap();
    assert_eq!(model.step(&m).unwrap().item::<f32>().unwrap(), 3.0);
}
