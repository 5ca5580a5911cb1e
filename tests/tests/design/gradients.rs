//! Gradients through types and functions.

use super::*;

#[test]
fn gradients_have_the_structure_of_their_source() -> Result<()> {
    let m = masked();
    let tape = GradientTape::new();
    let (loss, grads) =
        tape.value_and_gradient(&m, || ops::reduce_sum(ops::square(&m)?, .., false))?;
    drop(tape);
    assert_eq!(loss.values.item::<f32>()?, 26.0);
    assert!(grads.leaf(1)?.is_none() && grads.get(".mask")?.is_none());
    assert_eq!(floats(grads.wrt(&m.values)?.unwrap()), [2.0, 0.0, 6.0, 8.0]);
    assert_eq!(grads.norm()?.item::<f32>()?, 104.0f32.sqrt());
    let g: MaskedTensor = grads.into_structure()?;
    assert_eq!(g.type_spec().to_any(), m.type_spec().to_any());
    assert_eq!(g.mask.to_vec::<bool>()?, m.mask.to_vec::<bool>()?);
    Ok(())
}

fn cubes(m: &MaskedTensor) -> Result<MaskedTensor> {
    ops::reduce_sum(ops::mul(ops::square(m)?, m)?, .., false)
}

#[test]
fn second_derivatives_pass_extension_types() -> Result<()> {
    let g = grad(grad(cubes))(&masked())?;
    assert_eq!(floats(&g.values), [6.0, 0.0, 18.0, 24.0]);
    Ok(())
}

#[test]
fn second_derivatives_pass_traced_functions() -> Result<()> {
    let traced = function(cubes);
    let m = masked();
    let second = grad(grad(|m: &MaskedTensor| traced.call(m)));
    assert_eq!(floats(&second(&m)?.values), [6.0, 0.0, 18.0, 24.0]);
    let third = grad(grad(grad(|m: &MaskedTensor| traced.call(m))));
    assert_eq!(floats(&third(&m)?.values), [6.0, 0.0, 6.0, 6.0]);
    assert_eq!(traced.trace_count(), 1);
    Ok(())
}

#[test]
fn second_derivatives_are_traced() -> Result<()> {
    let traced = function(cubes);
    let whole = function(|m: &MaskedTensor| grad(grad(|m: &MaskedTensor| traced.call(m)))(m));
    assert_eq!(floats(&whole.call(&masked())?.values), [6.0, 0.0, 18.0, 24.0]);
    Ok(())
}

#[test]
fn a_gradient_that_is_traced_is_differentiated() -> Result<()> {
    let half = function(|m: &MaskedTensor| grad(cubes)(m));
    let second = grad(|m: &MaskedTensor| half.call(m));
    assert_eq!(floats(&second(&masked())?.values), [6.0, 0.0, 18.0, 24.0]);
    Ok(())
}

#[test]
fn gradients_of_variables_pass_traced_functions_that_change_them() -> Result<()> {
    let v = Variable::new(tensor!(3.0f32))?;
    let f = function(|x: &Tensor| {
        let y = ops::mul(ops::square(v.read()?)?, x)?;
        v.assign(100.0)?;
        Ok(y)
    });
    let tape = GradientTape::new();
    let (y, grads) = tape.value_and_gradient(&(v.clone(),), || f.call(&tensor!(2.0f32)))?;
    assert_eq!(y.item::<f32>()?, 18.0);
    // At the value that was read, not at the one that was written since.
    assert_eq!(grads.of(&v)?.unwrap().item::<f32>()?, 12.0);
    assert_eq!(v.read()?.item::<f32>()?, 100.0);
    Ok(())
}
