//! Traces without closures.

use extype::function::{Tracing, call};
use extype::prelude::*;
use extype::tensor::is_tracing;

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
    let out = call(&f, &[&tensor![10.0f32, 10.0], &scalar(1.0f32), &w])?;
    assert_eq!(out[0].as_slice::<f32>()?, &[11.0, 21.0]);
    assert_eq!(out[1].as_slice::<f32>()?, &[10.0, 10.0]);
    Ok(())
}

#[test]
fn a_trace_that_is_left_is_forgotten() -> Result<()> {
    fn left_early(spec: &TensorSpec) -> Result<()> {
        let (_tracing, x) = Tracing::open::<Tensor>("left", spec)?;
        let _ = ops::reshape(&x, [3])?;
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
