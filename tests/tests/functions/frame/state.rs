//! Variables that are passed twice, or passed and reached from outside: one input.

use extype::prelude::*;

#[test]
fn a_variable_that_is_passed_twice_is_one_input() -> Result<()> {
    let f = function(|a: &Variable, b: &Variable| {
        a.assign_add(1.0)?;
        b.assign_add(10.0)?;
        a.read()
    });
    let (v, w) = (Variable::new(1.0f32)?, Variable::new(1.0f32)?);
    assert_eq!(f.call(&v, &v)?.item::<f32>()?, 12.0);
    assert_eq!(f.call(&v, &w)?.item::<f32>()?, 13.0);
    assert_eq!(w.read()?.item::<f32>()?, 11.0);
    let inputs: Vec<usize> =
        f.concrete_functions().iter().map(|c| c.graph().inputs.len()).collect();
    assert_eq!(inputs, [1, 2]);
    // The flat form takes each variable once.
    let flat = f.concrete_functions()[0].call_flat(&[w.handle().clone()])?;
    assert_eq!(flat[0].item::<f32>()?, 22.0);
    Ok(())
}

#[test]
fn gradients_see_both_uses_of_a_variable_that_is_passed_twice() -> Result<()> {
    let f = function(|a: &Variable, b: &Variable| {
        let tape = GradientTape::new();
        let y = ops::mul(a.read()?, b.read()?)?;
        let g = tape.gradient(&y, a)?;
        Ok(g.of(a)?.expect("connected"))
    });
    let (v, w) = (Variable::new(3.0f32)?, Variable::new(5.0f32)?);
    assert_eq!(f.call(&v, &v)?.item::<f32>()?, 6.0);
    assert_eq!(f.call(&v, &w)?.item::<f32>()?, 5.0);
    let product = function(|a: &Variable, b: &Variable| ops::mul(a.read()?, b.read()?));
    let tape = GradientTape::new();
    let y = product.call(&v, &v)?;
    assert_eq!(tape.gradient(&y, &v)?.of(&v)?.expect("connected").item::<f32>()?, 6.0);
    Ok(())
}

#[test]
fn a_variable_that_is_passed_and_captured_is_one_input() -> Result<()> {
    let v = Variable::new(3.0f32)?;
    let f = {
        let v = v.clone();
        function(move |a: &Variable| {
            let tape = GradientTape::new();
            let y = ops::mul(a.read()?, v.read()?)?;
            let g = tape.gradient(&y, a)?.of(a)?.expect("connected");
            v.assign_add(1.0)?;
            Ok((g, a.read()?))
        })
    };
    let (g, after) = f.call(&v)?;
    assert_eq!((g.item::<f32>()?, after.item::<f32>()?), (6.0, 4.0));
    // Another variable of the same type is another case.
    let w = Variable::new(10.0f32)?;
    let (g, after) = f.call(&w)?;
    assert_eq!((g.item::<f32>()?, after.item::<f32>()?), (4.0, 10.0));
    assert_eq!(v.read()?.item::<f32>()?, 5.0);
    let (g, after) = f.call(&v)?;
    assert_eq!((g.item::<f32>()?, after.item::<f32>()?), (10.0, 6.0));
    assert_eq!(f.trace_count(), 2);
    Ok(())
}

#[test]
fn equality_is_the_same_in_a_trace() -> Result<()> {
    let v = Variable::new(3.0f32)?;
    let w = Variable::new(3.0f32)?;
    let f = function(|a: &Variable, b: &Variable| nest::equal(a, b));
    assert!(f.call(&v, &v)?.item::<bool>()? && nest::equal(&v, &v)?.item::<bool>()?);
    assert!(!f.call(&v, &w)?.item::<bool>()? && !nest::equal(&v, &w)?.item::<bool>()?);
    Ok(())
}

#[test]
fn a_function_called_within_another_knows_the_variable_again() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let inner = {
        let v = v.clone();
        function(move |a: &Variable| {
            a.assign_add(1.0)?;
            v.assign_add(10.0)?;
            a.read()
        })
    };
    let outer = {
        let v = v.clone();
        function(move |a: &Variable| {
            v.assign_add(100.0)?;
            inner.call(a)
        })
    };
    assert_eq!(outer.call(&v)?.item::<f32>()?, 112.0);
    let w = Variable::new(0.0f32)?;
    assert_eq!(outer.call(&w)?.item::<f32>()?, 1.0);
    assert_eq!(v.read()?.item::<f32>()?, 222.0);
    Ok(())
}

#[test]
fn a_trace_whose_variable_is_gone_is_made_anew() -> Result<()> {
    use std::cell::RefCell;
    thread_local!(static HELD: RefCell<Option<Variable>> = const { RefCell::new(None) });
    let f = function(|x: &Tensor| {
        let v = HELD.with_borrow(Clone::clone).expect("held");
        ops::mul(x, v.read()?)
    });
    HELD.set(Some(Variable::new(2.0f32)?));
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 6.0);
    HELD.set(Some(Variable::new(5.0f32)?));
    assert_eq!(f.call(&scalar(3.0f32))?.item::<f32>()?, 15.0);
    Ok(())
}
