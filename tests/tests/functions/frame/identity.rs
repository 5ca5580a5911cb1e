//! What is one thing and what is two: values that variables share, variables that several traces
//! know, handles that are given back.

use extype::prelude::*;
use extype::tensor::init_scope;

fn item(t: &Tensor) -> f32 {
    t.item().expect("a float")
}

#[test]
fn variables_that_hold_one_value_have_gradients_of_their_own() -> Result<()> {
    let (v, w) = (Variable::new(2.0f32)?, Variable::new(0.0f32)?);
    w.assign(v.read()?)?;
    let tape = GradientTape::new();
    let y = ops::mul(ops::sub(v.read()?, w.read()?)?, 3.0)?;
    let g = tape.gradient(&y, &(v.clone(), w.clone()))?;
    assert_eq!(
        (g.of(&v)?.as_ref().map(item), g.of(&w)?.as_ref().map(item)),
        (Some(3.0), Some(-3.0))
    );
    // A tensor that a variable was made of is not its value.
    let x = scalar(5.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    let u = Variable::new(&x)?;
    let y = ops::mul(&x, u.read()?)?;
    let g = tape.gradient(&y, &(x.clone(), u.clone()))?;
    assert_eq!(
        (g.wrt(&x)?.as_ref().map(item), g.of(&u)?.as_ref().map(item)),
        (Some(5.0), Some(5.0))
    );
    // Nor are the results of two calls that give back what a variable holds.
    let read = function(|v: &Variable| v.read());
    let tape = GradientTape::new();
    let (a, b) = (read.call(&v)?, read.call(&v)?);
    let y = ops::add(ops::mul(&a, 2.0)?, ops::mul(&b, 3.0)?)?;
    let g = tape.gradient(&y, &(v.clone(), a.clone()))?;
    assert_eq!(
        (g.of(&v)?.as_ref().map(item), g.wrt(&a)?.as_ref().map(item)),
        (Some(5.0), Some(2.0))
    );
    Ok(())
}

#[test]
fn a_call_that_fails_has_run_once() -> Result<()> {
    let v = Variable::new(0.0f32)?;
    let fails = function(|x: &Tensor, i: &Tensor| {
        v.assign_add(1.0)?;
        x.gather(i, 0)
    });
    let twice = function(|x: &Tensor, i: &Tensor| fails.call(x, i));
    let thrice = function(|x: &Tensor, i: &Tensor| twice.call(x, i));
    assert!(thrice.call(&tensor![1.0f32, 2.0], &scalar(7i64)).is_err());
    assert_eq!(item(&v.read()?), 1.0);
    Ok(())
}

#[test]
fn a_trace_depends_on_what_the_traces_that_it_calls_depend_on() -> Result<()> {
    let (v, w) = (Variable::new(0.0f32)?, Variable::new(0.0f32)?);
    let inner = function(|a: &Variable| {
        v.assign_add(10.0)?;
        a.read()
    });
    let outer = function(|a: &Variable| inner.call(a));
    assert_eq!(item(&outer.call(&v)?), 10.0);
    assert_eq!(item(&outer.call(&w)?), 0.0);
    assert_eq!((item(&v.read()?), item(&w.read()?)), (20.0, 0.0));
    let same = function(|a: &Variable| nest::equal(a, &v));
    assert!(same.call(&v)?.item::<bool>()?);
    assert!(!same.call(&w)?.item::<bool>()?);
    assert!(same.call(&v)?.item::<bool>()?);
    Ok(())
}

#[test]
fn a_body_within_a_trace_knows_what_was_passed_to_it() -> Result<()> {
    let v = Variable::new(3.0f32)?;
    let outer = function(|a: &Variable| {
        let inner = function(|| {
            let tape = GradientTape::new();
            let y = ops::mul(a.read()?, v.read()?)?;
            Ok(tape.gradient(&y, a)?.of(a)?.expect("connected"))
        });
        inner.call()
    });
    assert_eq!(item(&outer.call(&v)?), 6.0);
    assert_eq!(item(&outer.call(&Variable::new(5.0f32)?)?), 3.0);
    Ok(())
}

#[test]
fn a_handle_that_is_given_back_is_the_one_it_was() -> Result<()> {
    let v = Variable::new(2.0f32)?;
    let back = function(|a: &Variable| Ok((a.clone(), ops::mul(a.read()?, 2.0)?)));
    let tape = GradientTape::new();
    let (r, twice) = back.call(&v)?;
    let y = ops::add(ops::mul(r.read()?, 2.0)?, twice)?;
    assert_eq!(tape.gradient(&y, &v)?.of(&v)?.as_ref().map(item), Some(4.0));
    let within = function(|a: &Variable| {
        let (r, _) = back.call(a)?;
        r.assign_add(1.0)?;
        a.read()
    });
    assert_eq!(item(&within.call(&v)?), 3.0);
    let graph = within.concrete_functions()[0].graph().to_string();
    assert!(graph.contains("ReadVariableOp(a, ^AssignAddVariableOp)"), "{graph}");
    Ok(())
}

#[test]
fn a_trace_for_types_alone_takes_its_variables_for_others() -> Result<()> {
    let (v, w) = (Variable::new(0.0f32)?, Variable::new(0.0f32)?);
    let f = function(|a: &Variable| {
        v.assign_add(10.0)?;
        a.read()
    });
    assert_eq!(item(&f.call(&v)?), 10.0);
    let concrete = f.concrete(&w.type_spec())?;
    assert_eq!(item(&concrete.call_flat(&[w.handle().clone()])?[0]), 0.0);
    let e = concrete.call_flat(&[v.handle().clone()]).unwrap_err();
    assert!(e.message().contains("also passed"), "{e}");
    assert_eq!((item(&v.read()?), item(&w.read()?)), (20.0, 0.0));
    Ok(())
}

#[test]
fn a_tape_that_ends_outside_of_the_traces_is_over() -> Result<()> {
    let x = scalar(1.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    init_scope(move || drop(tape));
    let v = Variable::new(1.0f32)?;
    let held = std::sync::Arc::downgrade(v.handle().value()?.as_resource()?);
    v.assign(ops::mul(&x, 2.0)?)?;
    drop(v);
    assert!(held.upgrade().is_none(), "something still holds the variable");
    Ok(())
}

#[test]
fn what_nobody_watched_is_no_source() -> Result<()> {
    let (x, y) = (scalar(3.0f32), scalar(2.0f32));
    let tape = GradientTape::new();
    tape.watch(&x);
    let z = ops::mul(&x, &y)?;
    let e = tape.gradient(&z, &(x.clone(), y.clone())).unwrap_err();
    assert!(e.message().contains("`[1]`, float32[], was never watched"), "{e}");
    assert_eq!(tape.gradient(&z, &x)?.wrt(&x)?.as_ref().map(item), Some(2.0));
    Ok(())
}
