//! Variables in signatures, and models with state.

use super::*;
use extype::spec::AnyValue;

#[derive(ExtensionType, Clone, Debug)]
struct Account {
    balance: Variable,
    limit: Tensor,
}

#[test]
fn aliased_variables_are_another_type_and_effects_keep_their_order() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    let f = function(|p: &(Variable, Variable)| {
        let before = p.1.read()?;
        p.0.assign(5.0)?;
        let after = p.1.read()?;
        p.1.assign_add(1.0)?;
        Ok((before, after, p.0.read()?))
    });
    let run = |a: &Variable, b: &Variable| {
        let (x, y, z) = f.call(&(a.clone(), b.clone()))?;
        Ok::<_, Error>([x.item::<f32>()?, y.item()?, z.item()?])
    };
    let vw = (v.clone(), w.clone()).type_spec().to_any();
    assert_ne!(vw, (v.clone(), v.clone()).type_spec().to_any());
    assert_eq!(vw, (w.clone(), v.clone()).type_spec().to_any());
    for _ in 0..2 {
        v.assign(1.0)?;
        w.assign(1.0)?;
        assert_eq!(run(&v, &w)?, [1.0, 1.0, 5.0]);
        assert_eq!((v.read()?.item::<f32>()?, w.read()?.item::<f32>()?), (5.0, 2.0));
        v.assign(1.0)?;
        assert_eq!(run(&v, &v)?, [1.0, 5.0, 6.0]);
        assert_eq!(v.read()?.item::<f32>()?, 6.0);
    }
    assert_eq!(f.trace_count(), 2);
    Ok(())
}

#[test]
fn a_variable_in_an_extension_type_is_changed_in_place() -> Result<()> {
    let a = Account { balance: Variable::new(scalar(10.0f32))?, limit: scalar(4.0f32) };
    let pay = function(|a: &Account, amount: &Tensor| {
        a.balance.assign_sub(ops::minimum(amount, &a.limit)?)?;
        let rest = a.balance.read()?;
        a.balance.assign_sub(1.0)?;
        Ok(rest)
    });
    assert_eq!(pay.call(&a, &scalar(3.0f32))?.item::<f32>()?, 7.0);
    assert_eq!(pay.call(&a, &scalar(30.0f32))?.item::<f32>()?, 2.0);
    assert_eq!(a.balance.read()?.item::<f32>()?, 1.0);
    let b = Account { balance: Variable::new(scalar(100.0f32))?, ..a.clone() };
    assert_eq!(pay.call(&b, &scalar(1.0f32))?.item::<f32>()?, 99.0);
    assert_eq!(pay.trace_count(), 1);
    assert_eq!(a.balance.read()?.item::<f32>()?, 1.0);
    Ok(())
}

#[test]
fn a_variable_that_is_captured_may_be_passed_later() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    for concrete in [true, false] {
        let f = function(|x: &Variable| {
            let before = v.read()?;
            x.assign_add(1.0)?;
            Ok((before, v.read()?))
        });
        match concrete {
            true => drop(f.concrete(&v.type_spec())?),
            false => drop(f.call(&w)?),
        }
        v.assign(1.0)?;
        let (before, after) = f.call(&v)?;
        assert_eq!((before.item::<f32>()?, after.item::<f32>()?), (1.0, 2.0));
    }
    Ok(())
}

#[test]
fn a_variable_that_is_captured_and_passed_is_one() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    for first in [&v, &w] {
        let f = function(|x: &Variable| {
            let before = v.read()?;
            x.assign_add(1.0)?;
            Ok((before, v.read()?))
        });
        v.assign(1.0)?;
        let _ = f.call(first)?;
        v.assign(1.0)?;
        let (before, after) = f.call(&v)?;
        assert_eq!((before.item::<f32>()?, after.item::<f32>()?), (1.0, 2.0));
        v.assign(1.0)?;
        let (_, after) = f.call(&w)?;
        assert_eq!((after.item::<f32>()?, v.read()?.item::<f32>()?), (1.0, 1.0));
    }
    Ok(())
}

#[test]
fn values_of_run_time_types_keep_the_aliases_of_variables() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    let f = function(|a: &Variable, b: &Variable| {
        a.assign(1.0)?;
        b.assign(2.0)?;
        a.read()
    });
    assert_eq!(f.call(&v, &w)?.item::<f32>()?, 1.0);
    assert_eq!(f.call(&v, &v)?.item::<f32>()?, 2.0);
    let traces = f.concrete_functions();
    let any = |v: &Variable| AnyValue::new(v.clone());
    let result = |i: usize, a: &Variable, b: &Variable| {
        traces[i].call_values(&[any(a), any(b)])?.downcast::<Tensor>()?.item::<f32>()
    };
    assert_eq!(result(0, &v, &w)?, 1.0, "two variables, traced for two");
    assert_eq!(result(1, &v, &v)?, 2.0, "one variable, traced for one");
    assert!(result(1, &v, &w).is_err(), "two variables, traced for one");
    assert!(result(0, &v, &v).is_err(), "one variable, traced for two");
    Ok(())
}

#[test]
fn a_trace_for_one_variable_does_not_take_two() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    let f = function(|p: &(Variable, Variable), q: &Variable| {
        p.0.assign(1.0)?;
        q.assign(2.0)?;
        p.0.read()
    });
    assert_eq!(f.call(&(v.clone(), w.clone()), &v)?.item::<f32>()?, 2.0);
    let c = &f.concrete_functions()[0];
    // `w` is the first of its own value, and so was `v`.
    let args = [AnyValue::new((v.clone(), w.clone())), AnyValue::new(w.clone())];
    match c.call_values(&args) {
        Ok(read) => assert_eq!(read.downcast::<Tensor>()?.item::<f32>()?, 1.0),
        Err(e) => assert!(e.to_string().contains("argument 1"), "{e}"),
    }
    Ok(())
}

#[derive(Module)]
struct Counter {
    total: Late<Variable>,
    by: f64,
}

impl Counter {
    #[tf_function]
    fn step(&self, x: &Tensor) -> Result<Tensor> {
        let total = self.total.get_or_create(|| Variable::new(scalar(0.0f32)))?;
        total.assign_add(ops::mul(x.reduce_sum(.., false)?, self.by)?)?;
        total.read()
    }
}

#[test]
fn models_have_variables_and_traces_of_their_own() -> Result<()> {
    let (mut a, b) =
        (Counter { total: Late::new(), by: 1.0 }, Counter { total: Late::new(), by: 1.0 });
    let x = scalar(1.0f32);
    let step = |c: &Counter| c.step(&x)?.item::<f32>();
    assert!(a.variables().is_empty());
    assert_eq!((step(&a)?, step(&a)?, step(&b)?, step(&a)?), (1.0, 2.0, 1.0, 3.0));
    assert_eq!((a.step_function().trace_count(), b.step_function().trace_count()), (1, 1));
    assert_eq!(a.step(&tensor![1.0f32])?.item::<f32>()?, 4.0);
    assert_eq!((a.step_function().trace_count(), b.step_function().trace_count()), (2, 1));
    a.by = 10.0;
    assert_eq!((step(&a)?, step(&b)?), (14.0, 2.0));
    a.by = 1.0;
    assert_eq!(step(&a)?, 15.0);
    assert_ne!(a.variables()[0].id(), b.variables()[0].id());
    // An instance that takes the place of another is not taken for it.
    drop(b);
    let c = Counter { total: Late::new(), by: 1.0 };
    assert_eq!(step(&c)?, 1.0);
    Ok(())
}

#[test]
fn every_trace_of_an_instance_is_counted_when_a_plain_field_changes() -> Result<()> {
    let mut a = Counter { total: Late::new(), by: 1.0 };
    let _ = a.step(&scalar(1.0f32))?;
    a.by = 2.0;
    let _ = a.step(&scalar(1.0f32))?;
    assert_eq!(a.step_function().trace_count(), 2);
    Ok(())
}
