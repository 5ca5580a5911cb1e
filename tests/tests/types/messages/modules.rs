//! How modules print.

use extype::prelude::*;
use extype::spec::ModuleSpec;

#[derive(Module)]
struct Scale {
    factor: Variable,
    late: Late<Variable>,
}

#[derive(Module)]
struct Net {
    w: Variable,
    scales: Vec<Scale>,
    shared: Vec<Variable>,
    bias: Option<Variable>,
    #[plain]
    rate: f32,
}

impl Net {
    #[tf_function]
    fn accuracy(&self, x: &Tensor) -> Result<Tensor> {
        x.matmul(&self.w)
    }
}

#[derive(Module)]
struct Nothing;

fn net() -> Result<Net> {
    let w = Variable::new(tensor![[1.0f32, 2.0, 3.0]])?;
    let scale = Scale { factor: Variable::new(2.0f64)?, late: Late::new() };
    scale.late.get_or_create(|| Variable::new(tensor![1, 2]))?;
    let empty = Scale { factor: w.clone(), late: Late::new() };
    let shared = vec![scale.factor.clone(), w.clone()];
    Ok(Net { w, scales: vec![scale, empty], shared, bias: None, rate: 0.5 })
}

#[test]
fn a_module_prints_its_name_its_fields_and_their_types() -> Result<()> {
    let text = ModuleSpec::of(&net()?).to_string();
    let scales = "[(factor: float64[], late: int32[2]), (factor: as w, late: not created yet)]";
    assert_eq!(
        text,
        format!(
            "Net(w: float32[1, 3], scales: {scales}, shared: [as scales[0].factor, as w], bias: None, rate: 0.5)"
        )
    );
    assert_eq!(ModuleSpec::of(&Nothing).to_string(), "Nothing()");
    Ok(())
}

#[test]
fn an_error_in_a_method_shows_the_module() -> Result<()> {
    let e = net()?.accuracy(&tensor![[1.0f32, 2.0]]).unwrap_err().to_string();
    assert!(e.contains("in `accuracy`, traced for (self: Net(w: float32[1, 3], scales: [("), "{e}");
    Ok(())
}
