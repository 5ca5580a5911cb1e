//! Variables: what they refuse, how they print, and that they are operands as tensors are.

use extype::prelude::*;

use super::says;

#[derive(Module)]
struct Model {
    kernel: Variable,
}

const FILE: &str = "variables.rs";
const ASSIGNED: u32 = line!() + 6;
const CREATED: u32 = line!() + 10;

impl Model {
    #[tf_function]
    fn set(&self, x: &Tensor) -> Result<()> {
        self.kernel.assign(x)
    }

    #[tf_function]
    fn create(&self) -> Result<Tensor> {
        Variable::new(0.0f32)?.read()
    }

    #[tf_function]
    fn print(&self) -> Result<Tensor> {
        let _ = format!("{}", self.kernel);
        Ok(-&self.kernel * 2.0)
    }
}

fn model() -> Result<Model> {
    Ok(Model { kernel: Variable::new(tensor![1.0f32, 2.0, 3.0])?.name("kernel") })
}

#[test]
fn a_value_that_does_not_fit_is_refused_with_the_name_of_the_variable() -> Result<()> {
    let m = model()?;
    let (v, short, whole) = (&m.kernel, tensor![1.0f32, 2.0], tensor![1, 2, 3]);
    let parts = ["the variable `kernel` is float32[3]", "a value of float32[2] does not fit it"];
    says(v.assign(&short), (FILE, line!()), &[&["assign: "], &parts[..]].concat());
    says(v.assign_add(&short), (FILE, line!()), &[&["assign_add: "], &parts[..]].concat());
    says(v.assign_sub(&short), (FILE, line!()), &[&["assign_sub: "], &parts[..]].concat());
    says(m.set(&short), (FILE, ASSIGNED), &[&["assign: ", "in `set`"], &parts[..]].concat());
    says(v.assign(&whole), (FILE, line!()), &["int32[3]", "; cast it first: `x.cast(f32)?`"]);
    says(v.assign(2.0), (FILE, line!()), &["a value of float32[] does not fit"]);
    let unnamed = Variable::new(1i32)?;
    says(unnamed.assign(0.5), (FILE, line!()), &["assign: ", "0.5", "int32"]);
    Ok(())
}

#[test]
fn a_variable_that_a_trace_would_create_at_each_call() -> Result<()> {
    let m = model()?;
    says(m.create(), (FILE, CREATED), &["Variable::new: ", "create it outside", "in `create`"]);
    Ok(())
}

#[test]
fn variables_are_operands_on_either_side() -> Result<()> {
    let v = Variable::new(tensor![1.0f32, 2.0])?;
    let x = tensor![10.0f32, 20.0];
    let same = |y: Tensor, want: [f32; 2]| assert_eq!(y.as_slice::<f32>().unwrap(), want);
    same(&v * 2.0, [2.0, 4.0]);
    same(2.0 * &v, [2.0, 4.0]);
    same(1 - &v, [0.0, -1.0]);
    same(&v + &x, [11.0, 22.0]);
    same(&x - &v, [9.0, 18.0]);
    same(&v + &v, [2.0, 4.0]);
    same(v.clone() / v.clone(), [1.0, 1.0]);
    same(-&v, [-1.0, -2.0]);
    same((&v % 2.0).tanh()?, [1f32.tanh(), 0.0]);
    same(&v * vec![3.0f32, 4.0], [3.0, 8.0]);
    let flag = Variable::new(tensor![true, false])?;
    let bools = |y: Tensor, want: [bool; 2]| assert_eq!(y.as_slice::<bool>().unwrap(), want);
    bools(!&flag, [false, true]);
    bools(&flag & &tensor![false, true], [false, false]);
    bools(&flag | &flag, [true, false]);
    Ok(())
}

#[test]
fn operators_on_variables_have_gradients_and_are_traced() -> Result<()> {
    let m = model()?;
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&m.kernel, || (&m.kernel * &m.kernel).sum(..))?;
    assert_eq!(g.of(&m.kernel)?.unwrap().as_slice::<f32>()?, [2.0, 4.0, 6.0]);
    assert_eq!(m.print()?.as_slice::<f32>()?, [-2.0, -4.0, -6.0]);
    m.kernel.assign_sub(tensor![1.0f32, 2.0, 3.0])?;
    assert_eq!(m.print()?.as_slice::<f32>()?, [0.0, 0.0, 0.0]);
    Ok(())
}

#[test]
fn a_variable_prints_as_its_value() -> Result<()> {
    let v = Variable::new(tensor![1.0f32, 2.0])?.name("kernel");
    assert_eq!(v.to_string(), v.read()?.to_string());
    assert_eq!(format!("{v:?}"), "<variable `kernel`: float32[2]>");
    Ok(())
}
