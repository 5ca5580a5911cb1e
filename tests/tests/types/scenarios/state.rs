//! State that functions create, share and lose.

use std::sync::Mutex;

use extype::prelude::*;
use extype::train::Adam;

use super::refused;

// A handle that was taken out does not keep the state; the function that owns the cell does.
#[test]
fn what_a_function_creates_lives_as_long_as_the_function() -> Result<()> {
    let (cell, handed_out) = (Late::<Variable>::new(), Mutex::new(None));
    let out = &handed_out;
    let f = function(move |x: &Tensor| {
        let sum = cell.get_or_create(|| Variable::new(0.0f32))?;
        *out.lock().unwrap() = Some(sum.clone());
        sum.assign_add(x)?;
        sum.read()
    });
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 1.0);
    assert!(handed_out.lock().unwrap().take().is_some());
    assert_eq!(f.call(&scalar(2.0f32))?.item::<f32>()?, 3.0);
    assert_eq!(f.trace_count(), 1);
    Ok(())
}

#[test]
fn a_variable_that_a_later_trace_would_create_fails_that_call_only() -> Result<()> {
    let f = function(|x: &Tensor| match x.dtype() {
        DType::F32 => ops::neg(x),
        _ => ops::add(x, Variable::new(1i64)?.read()?),
    });
    for _ in 0..2 {
        assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, -1.0);
        let e = refused(f.call(&scalar(1i64)));
        assert!(e.contains("create a variable at each call"), "{e}");
        assert_eq!(f.trace_count(), 1);
    }
    Ok(())
}

// A later trace may fill a cell.
#[test]
fn a_trace_for_another_dtype_may_create_its_own_state_once() -> Result<()> {
    let cells = [Late::<Variable>::new(), Late::new()];
    let f = function(|x: &Tensor| match x.dtype() {
        DType::F32 => ops::add(x, cells[0].get_or_create(|| Variable::new(1.0f32))?),
        _ => ops::add(x, cells[1].get_or_create(|| Variable::new(10i64))?),
    });
    for _ in 0..2 {
        assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 2.0);
        assert_eq!(f.call(&scalar(1i64))?.item::<i64>()?, 11);
    }
    assert_eq!(f.trace_count(), 2);
    Ok(())
}

#[test]
fn a_value_that_was_put_in_before_the_first_call_is_not_initialized_again() -> Result<()> {
    let cell = Late::<Variable>::new();
    cell.get_or_create(|| Variable::new(0.0f32))?.assign(5.0)?;
    let f = function(|x: &Tensor| ops::add(x, cell.get_or_create(|| Variable::new(100.0f32))?));
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 6.0);
    cell.get_or_create(|| Variable::new(100.0f32))?.assign(7.0)?;
    assert_eq!(f.call(&scalar(1.0f32))?.item::<f32>()?, 8.0);
    Ok(())
}

#[derive(ExtensionType, Clone, Debug)]
struct Slope {
    by: Tensor,
}

impl Slope {
    #[tf_function]
    fn at(&self, x: &Tensor) -> Result<Tensor> {
        ops::mul(&self.by, x)
    }
}

#[test]
fn values_of_an_extension_type_share_the_traces_of_its_methods() -> Result<()> {
    let (one, other) = (Slope { by: scalar(2.0f32) }, Slope { by: scalar(5.0f32) });
    let x = scalar(3.0f32);
    assert_eq!((one.at(&x)?.item::<f32>()?, other.at(&x)?.item::<f32>()?), (6.0, 15.0));
    assert_eq!((one.at_function().trace_count(), other.at_function().trace_count()), (1, 1));
    Ok(())
}

#[test]
fn a_variable_without_a_value_is_not_read_but_assigned() -> Result<()> {
    let v = Variable::uninitialized(shape![?], f32)?.name("table");
    let read = function(|| v.read());
    let there = function(|| v.is_initialized());
    for e in [refused(v.read()), refused(read.call()), refused(v.assign_add([1.0]))] {
        assert!(e.contains("variable `table`: float32[?] has no value yet"), "{e}");
    }
    assert!(!there.call()?.item::<bool>()?);
    let assign = function(|x: &Tensor| {
        let before = v.is_initialized()?;
        v.assign(x)?;
        Ok((before, v.is_initialized()?))
    });
    let (before, after) = assign.call(&tensor![1.0f32, 2.0])?;
    assert_eq!((before.item::<bool>()?, after.item::<bool>()?), (false, true));
    assert_eq!(read.call()?.to_vec::<f32>()?, [1.0, 2.0]);
    assert!(there.call()?.item::<bool>()?);
    assert_eq!((read.trace_count(), there.trace_count()), (1, 1));
    assert!(v.assign(1.0).is_err());
    Ok(())
}

#[derive(Module)]
struct Layer {
    kernel: Variable,
    bias: Late<Variable>,
}

#[derive(Module)]
struct Model {
    layers: Vec<Layer>,
    steps: Variable,
    adam: Adam,
}

#[test]
fn variables_of_a_module_have_unique_names() -> Result<()> {
    let shared = Variable::new(2.0f32)?.name("kernel");
    let layer = || Layer { kernel: shared.clone(), bias: Late::new() };
    let steps = Variable::new(0i64)?.not_trainable();
    let model = Model { layers: vec![layer(), layer()], steps, adam: Adam::new(0.1) };
    let names = |model: &Model| -> Vec<String> {
        model.named_variables().into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(&model), ["layers[0].kernel", "layers[1].kernel", "steps"]);
    assert_eq!(model.trainable_variables().len(), 2);

    let bias = model.layers[1].bias.get_or_create(|| Variable::new(1.0f32))?;
    let targets = [shared.clone(), bias.clone()].to_vec();
    model.adam.build(&targets)?;
    let names = names(&model);
    assert_eq!(names.len(), model.variables().len());
    assert!(names.contains(&"layers[1].bias".to_owned()), "{names:?}");
    assert!(
        names.iter().any(|name| name.starts_with("adam.") && name.contains("kernel")),
        "{names:?}"
    );
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
    Ok(())
}
