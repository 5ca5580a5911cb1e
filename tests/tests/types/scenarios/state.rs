//! State that functions create, share and lose.

use std::sync::Mutex;

use extype::prelude::*;

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
