//! Tapes: what they record, when they stop, how they nest and end.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{floats, said};
use extype::prelude::*;

#[test]
fn what_is_computed_while_recording_is_stopped_is_a_constant() -> Result<()> {
    let x = tensor![1.0f32, 2.0];
    let tape = GradientTape::new();
    tape.watch(&x);
    let scale = tape.stop_recording(|| ops::mul(&x, 10.0))?;
    let y = ops::mul(&x, &scale)?;
    assert_eq!(floats(&tape.gradient(&y, &x)?.wrt(&x)?.expect("connected")), [10.0, 20.0]);
    // The tensor itself is what it was, and variables are not seen either.
    let v = Variable::new(tensor![3.0f32, 4.0])?;
    let same = tape.stop_recording(|| Ok(x.clone()))?;
    let read = tape.stop_recording(|| v.read())?;
    let y = ops::mul(&same, &read)?;
    let g = tape.gradient(&y, &(x.clone(), v.clone()))?;
    assert_eq!(floats(&g.wrt(&x)?.expect("connected")), [3.0, 4.0]);
    assert!(g.of(&v)?.is_none());
    Ok(())
}

#[test]
fn errors_and_panics_leave_the_tape_recording() -> Result<()> {
    let x = scalar(3.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    let e = tape.stop_recording(|| -> Result<()> { Err(Error::invalid("no")) }).unwrap_err();
    assert_eq!(e.message(), "no");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        tape.stop_recording(|| -> Result<()> { std::panic::resume_unwind(Box::new(())) })
    }));
    assert!(panicked.is_err());
    // Stopped within stopped stays stopped until the outer one ends.
    let inner = tape.stop_recording(|| {
        let _ = tape.stop_recording(|| x.square())?;
        x.square()
    })?;
    let y = x.square()?;
    assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.expect("connected").item::<f32>()?, 6.0);
    assert!(tape.gradient(&inner, &x)?.wrt(&x)?.is_none());
    Ok(())
}

#[test]
fn other_tapes_see_what_one_does_not() -> Result<()> {
    let x = scalar(3.0f32);
    let (outer, inner) = (GradientTape::new(), GradientTape::new());
    outer.watch(&x);
    inner.watch(&x);
    let y = inner.stop_recording(|| x.square())?;
    assert!(inner.gradient(&y, &x)?.wrt(&x)?.is_none());
    assert_eq!(outer.gradient(&y, &x)?.wrt(&x)?.expect("connected").item::<f32>()?, 6.0);
    Ok(())
}

#[test]
fn recording_stops_within_traces() -> Result<()> {
    let f = function(|x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let scale = tape.stop_recording(|| x.square())?;
        let y = ops::mul(x, &scale)?;
        tape.gradient(&y, x)?.wrt(x)
    });
    assert_eq!(f.call(&scalar(3.0f32))?.expect("connected").item::<f32>()?, 9.0);
    // Calls and loops in it are run as they are, without what gradients need.
    let body = |x: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, &x)?)),
        )?;
        Ok(x)
    };
    let g = function(move |x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let scale = tape.stop_recording(|| body(x))?;
        let y = ops::mul(x, &scale)?;
        tape.gradient(&y, x)?.wrt(x)
    });
    assert_eq!(g.call(&scalar(2.0f32))?.expect("connected").item::<f32>()?, 256.0);
    let graph = g.concrete_functions()[0].graph().to_string();
    assert!(!graph.contains("WhileSaving"), "{graph}");
    Ok(())
}

#[test]
fn a_tape_is_asked_many_times() -> Result<()> {
    let x = scalar(3.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.square()?;
    let z = ops::mul(&y, &x)?;
    for _ in 0..2 {
        assert_eq!(tape.gradient(&y, &x)?.wrt(&x)?.expect("connected").item::<f32>()?, 6.0);
        assert_eq!(tape.gradient(&z, &x)?.wrt(&x)?.expect("connected").item::<f32>()?, 27.0);
        // A source on the way.
        assert_eq!(tape.gradient(&z, &y)?.wrt(&y)?.expect("connected").item::<f32>()?, 3.0);
    }
    Ok(())
}

#[test]
fn tapes_nest_and_end_in_any_order() -> Result<()> {
    let x = scalar(3.0f32);
    let cubes = |x: &Tensor| ops::mul(&x.square()?, x);
    for inner_first in [true, false] {
        let (outer, inner) = (GradientTape::new(), GradientTape::new());
        outer.watch(&x);
        inner.watch(&x);
        let y = cubes(&x)?;
        let slope = inner.gradient(&y, &x)?.wrt(&x)?.expect("connected").clone();
        if inner_first {
            drop(inner);
            let g = outer.gradient(&slope, &x)?;
            assert_eq!(g.wrt(&x)?.expect("connected").item::<f32>()?, 18.0);
        } else {
            drop(outer);
            let z = x.square()?;
            assert_eq!(inner.gradient(&z, &x)?.wrt(&x)?.expect("connected").item::<f32>()?, 6.0);
        }
    }
    Ok(())
}

#[test]
fn a_tape_that_left_its_trace_says_so_and_sees_nothing_of_the_next() -> Result<()> {
    thread_local! {
        static KEPT: RefCell<Option<(GradientTape, Tensor, Tensor)>> = const { RefCell::new(None) };
    }
    let f = function(|x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = x.square()?;
        KEPT.with_borrow_mut(|kept| *kept = Some((tape, x.clone(), y.clone())));
        Ok(y)
    });
    let _ = f.call(&scalar(3.0f32))?;
    let (tape, x, y) = KEPT.take().expect("traced");
    let e = tape.gradient(&y, &x).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::FailedPrecondition);
    assert!(e.message().contains("after the trace that it was made in"), "{e}");
    // Another trace goes on as if it were not there.
    let g = function(|x: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, &x)?)),
        )?;
        Ok(x)
    });
    let v = Variable::new(2.0f32)?;
    let with = function(move |x: &Tensor| g.call(&ops::mul(x, v.read()?)?));
    assert_eq!(with.call(&scalar(1.0f32))?.item::<f32>()?, 256.0);
    let graph = with.concrete_functions()[0].graph().to_string();
    assert!(!graph.contains("WhileSaving"), "{graph}");
    drop(tape);
    Ok(())
}

#[test]
fn what_was_stopped_has_no_second_derivative() -> Result<()> {
    let x = scalar(3.0f32);
    let outer = GradientTape::new();
    outer.watch(&x);
    let slope = outer.stop_recording(|| grad(|x: &Tensor| ops::mul(&x.square()?, x))(&x))?;
    assert_eq!(slope.item::<f32>()?, 27.0);
    let g = outer.gradient(&slope, &x)?;
    assert!(g.leaf(0)?.is_none());
    let told = said(g.connected().map(|_| ()));
    assert!(told.contains("the source") && told.contains("recording was stopped"), "{told}");
    Ok(())
}

#[test]
fn a_tape_takes_its_own_gradients_in_or_says_that_it_does_not() -> Result<()> {
    let v = Variable::new(3.0f32)?;
    for tape in [GradientTape::new(), GradientTape::persistent()] {
        let y = ops::mul(&v.read()?.square()?, &v.read()?)?;
        let slope = tape.gradient(&y, &v)?.of(&v)?.unwrap().clone();
        assert_eq!(slope.item::<f32>()?, 27.0);
        let penalty = ops::add(&y, &slope.square()?)?;
        let fixed = ops::add(&y, &slope.stop_gradient()?.square()?)?;
        assert_eq!(tape.gradient(&fixed, &v)?.of(&v)?.unwrap().item::<f32>()?, 27.0);
        match tape.gradient(&penalty, &v) {
            // 27 + 2 * 27 * 18.
            Ok(g) => assert_eq!(g.of(&v)?.unwrap().item::<f32>()?, 999.0),
            Err(e) => assert!(
                e.kind() == ErrorKind::FailedPrecondition && e.to_string().contains("persistent"),
                "{e}"
            ),
        }
    }
    let tape = GradientTape::persistent();
    let y = v.read()?.square()?;
    let slope = tape.gradient(&y, &v)?.of(&v)?.unwrap().clone();
    assert_eq!(tape.gradient(&slope, &v)?.of(&v)?.unwrap().item::<f32>()?, 2.0);
    Ok(())
}

#[test]
fn what_no_source_leads_to_is_not_asked_for_its_gradient() -> Result<()> {
    let (a, x) = (tensor![0.5f64, 1.5], tensor![0.3f64, 0.6]);
    let tape = GradientTape::new();
    tape.watch(&a);
    tape.watch(&x);
    let y = ops::betainc(&a, &a.ones_like()?, &x)?;
    assert!(tape.gradient(&y, &x)?.leaf(0)?.is_some());
    assert_eq!(tape.gradient(&y, &a).map(|_| ()).unwrap_err().kind(), ErrorKind::Unimplemented);
    Ok(())
}

#[test]
fn a_variable_has_zeros_where_a_call_has_no_elements() -> Result<()> {
    let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
    let w = v.clone();
    let f = function(move |x: &Tensor| ops::add(x, w.read()?));
    let tape = GradientTape::new();
    let y = f.call(&Tensor::from_slice(&[0.0f32; 0], &[0, 3])?)?.reduce_sum(.., false)?;
    let g = tape.gradient(&y, &v)?;
    assert_eq!(g.of(&v)?.unwrap().to_vec::<f32>()?, [0.0; 3]);
    Ok(())
}

#[test]
fn a_variable_that_is_not_trained_is_none_as_an_argument_too() -> Result<()> {
    let v = Variable::new(3.0f32)?.not_trainable();
    let f = |(v, x): &(Variable, Tensor)| -> Result<Option<Tensor>> {
        let tape = GradientTape::new();
        let y = ops::mul(x, v.read()?.square()?)?;
        tape.gradient(&y, v)?.of(v)
    };
    let both = (v, scalar(2.0f32));
    assert!(f(&both)?.is_none() && function(f).call(&both)?.is_none());
    Ok(())
}

#[test]
fn a_gradient_outlives_what_it_was_asked_of() -> Result<()> {
    let (x, v) = (tensor![1.0f32, 2.0], Variable::new(scalar(3.0f32))?);
    let tape = GradientTape::persistent();
    tape.watch(&x);
    let y = ops::mul(&x.square()?, &v.read()?)?;
    let dx = tape.gradient(&y, &x)?.wrt(&x)?.unwrap();
    let dv = tape.gradient(&y, &v)?.of(&v)?.unwrap();
    let first = tape.gradient(&y, &(x.clone(), v.clone()))?.leaf(0)?.unwrap();
    let named = tape.gradient(&y, &(x.clone(), v.clone()))?.get("[1]")?.unwrap();
    assert_eq!((floats(&dx), floats(&dv)), (vec![6.0, 12.0], vec![5.0]));
    assert_eq!((floats(&first), floats(&named)), (vec![6.0, 12.0], vec![5.0]));
    Ok(())
}
