//! Traces without closures, and traces that are taken back.

use extype::function::{Tracing, call};
use extype::prelude::*;
use extype::tensor::{Mark, is_tracing};

#[test]
fn a_trace_is_opened_and_closed() -> Result<()> {
    let w = tensor![1.0f32, 2.0];
    let spec = (TensorSpec::of::<f32>([2]), TensorSpec::of::<f32>([]));
    let (tracing, (x, y)) = Tracing::open::<(Tensor, Tensor)>("body", &spec)?;
    assert!(is_tracing());
    let z = ops::add(&ops::mul(&x, &w)?, &y)?;
    let body = tracing.close((z, x))?;
    assert!(!is_tracing());
    let captures = body.captures()?;
    assert_eq!(captures.len(), 1);
    let f = body.into_function(&captures)?;
    let out = call(&f, &[&tensor![10.0f32, 10.0], &tensor!(1.0f32), &w])?;
    assert_eq!(out[0].as_slice::<f32>()?, &[11.0, 21.0]);
    assert_eq!(out[1].as_slice::<f32>()?, &[10.0, 10.0]);
    Ok(())
}

#[test]
fn a_trace_that_is_left_is_forgotten() -> Result<()> {
    fn left_early(spec: &TensorSpec) -> Result<()> {
        let (_tracing, x) = Tracing::open::<Tensor>("left", spec)?;
        ops::matmul(&x, &x)?;
        Ok(())
    }
    let spec = TensorSpec::of::<f32>([2]);
    assert!(left_early(&spec).is_err());
    assert!(!is_tracing());
    // An operator that fails unwinds through the open trace to who traces around it.
    let f = function(|x: &Tensor| {
        let (tracing, y) = Tracing::open::<Tensor>("inner", &TensorSpec::of::<f32>([3]))?;
        let z = &y + x;
        tracing.close(z)?;
        Ok(x.clone())
    });
    assert!(f.call(&tensor![1.0f32, 2.0]).is_err());
    assert!(!is_tracing());
    // Also if the outer one of two is dropped first.
    let (outer, _) = Tracing::open::<Tensor>("outer", &spec)?;
    let (inner, _) = Tracing::open::<Tensor>("inner", &spec)?;
    drop(outer);
    let (other, x) = Tracing::open::<Tensor>("other", &spec)?;
    drop(inner);
    assert!(is_tracing());
    other.close(x)?;
    Ok(())
}

#[test]
fn what_was_taken_back_is_not_in_the_graph() -> Result<()> {
    let v = Variable::new(1.0f32)?;
    let big = tensor![1.0f32, 2.0];
    let f = function(|x: &Tensor| {
        let y = ops::add(x, 1.0)?;
        let mark = Mark::here().expect("tracing");
        v.assign_add(&ops::reduce_sum(&ops::mul(&big, 3.0)?, .., false)?)?;
        mark.rollback()?;
        ops::mul(&y, 3.0)
    });
    assert_eq!(f.call(&tensor!(1.0f32))?.item::<f32>()?, 6.0);
    assert_eq!(v.read()?.item::<f32>()?, 1.0);
    assert!(f.concrete_functions()[0].captures().is_empty());
    assert!(!f.concrete_functions()[0].graph().to_string().contains("Assign"));
    assert!(Mark::here().is_none());
    Ok(())
}

#[test]
fn a_symbol_of_what_was_taken_back_is_refused() -> Result<()> {
    let f = function(|x: &Tensor| {
        let mark = Mark::here().expect("tracing");
        let gone = ops::exp(x)?;
        mark.rollback()?;
        let y = ops::log(x)?;
        // It has the place of the other.
        assert_eq!(gone.id(), y.id());
        ops::add(&gone, &y)
    });
    let e = f.call(&tensor!(1.0f32)).expect_err("refused");
    assert!(e.message().contains("used outside that trace"), "{e}");
    Ok(())
}

#[test]
fn a_tape_forgets_what_was_taken_back() -> Result<()> {
    let f = function(|x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = ops::mul(x, x)?;
        let mark = Mark::here().expect("tracing");
        ops::mul(&ops::exp(&y)?, &y)?;
        mark.rollback()?;
        let z = ops::mul(&y, 2.0)?;
        tape.gradient(&z, x)?.wrt(x)?.cloned().ok_or_else(|| Error::invalid("unconnected"))
    });
    assert_eq!(f.call(&tensor!(3.0f32))?.item::<f32>()?, 12.0);
    Ok(())
}
