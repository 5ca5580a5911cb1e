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
    assert_eq!(floats(&grads.wrt(&m.values)?.unwrap()), [2.0, 0.0, 6.0, 8.0]);
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
    let v = Variable::new(scalar(3.0f32))?;
    let f = function(|x: &Tensor| {
        let y = ops::mul(ops::square(v.read()?)?, x)?;
        v.assign(100.0)?;
        Ok(y)
    });
    let tape = GradientTape::new();
    let (y, grads) = tape.value_and_gradient(&(v.clone(),), || f.call(&scalar(2.0f32)))?;
    assert_eq!(y.item::<f32>()?, 18.0);
    // At the value that was read, not at the one that was written since.
    assert_eq!(grads.of(&v)?.unwrap().item::<f32>()?, 12.0);
    assert_eq!(v.read()?.item::<f32>()?, 100.0);
    Ok(())
}

#[test]
fn operands_without_a_rule_are_told_from_those_that_do_not_matter() -> Result<()> {
    type F = fn(&Tensor) -> Result<Tensor>;
    let half = || scalar(0.5f64);
    let wanted: [(&str, F); 6] = [
        ("igamma_grad_a", |a| ops::igamma_grad_a(a, 2.5)),
        ("zeta", |x| ops::zeta(x, 1.5)),
        ("betainc", |a| ops::betainc(a, scalar(0.5f64), scalar(0.5f64))),
        ("betainc", |b| ops::betainc(scalar(2.5f64), b, scalar(0.5f64))),
        ("pad_with", |v| tensor![1.0f64, 2.0].pad_with(v, [[1, 1]])),
        ("range", |start| ops::range(start, scalar(9.0f64), scalar(1.0f64))),
    ];
    for (name, f) in wanted {
        let e = grad(f)(&scalar(2.5f64)).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Unimplemented, "{e}");
        assert!(e.to_string().contains(name) && e.to_string().contains("no gradient rule"), "{e}");
    }
    // The other operands have theirs, and nobody asks for these.
    assert!(grad(|q: &Tensor| ops::zeta(2.5, q))(&half()).is_ok());
    assert!(grad(|x: &Tensor| ops::betainc(half(), half(), x))(&half()).is_ok());
    let padded = grad(|x: &Tensor| x.pad_with(0.5, [[1, 1]]))(&tensor![1.0f64, 2.0])?;
    assert_eq!(padded.to_vec::<f64>()?, [1.0, 1.0]);
    let (x, y) = (tensor![7.5f64, -7.5], tensor![2.0f64, 2.0]);
    let tape = GradientTape::new();
    tape.watch(&x);
    tape.watch(&y);
    let g = tape.gradient(&ops::truncate_mod(&x, &y)?, &(x.clone(), y.clone()))?;
    assert_eq!(g.wrt(&x)?.unwrap().to_vec::<f64>()?, [1.0, 1.0]);
    assert_eq!(g.wrt(&y)?.unwrap().to_vec::<f64>()?, [-3.0, 3.0]);
    Ok(())
}

#[test]
fn packing_and_unpacking_are_each_others_gradients() -> Result<()> {
    use extype::spec::Packed;
    let squares = |m: &MaskedTensor| {
        let packed = Packed::new(m)?;
        // Unpacked twice: the cotangents of two packed values are summed.
        let (a, b) = (packed.unpack()?, packed.unpack()?);
        ops::reduce_sum(ops::mul(&a.values, &b.values)?, .., false)
    };
    let m = masked();
    for traced in [false, true] {
        let f = function(squares);
        let y = |m: &MaskedTensor| if traced { f.call(m) } else { squares(m) };
        assert_eq!(floats(&grad(y)(&m)?.values), [2.0, 4.0, 6.0, 8.0]);
        assert_eq!(floats(&grad(grad(y))(&m)?.values), [2.0; 4]);
    }
    // A packed value as state of a loop, and as what a branch gives.
    let looped = |m: &MaskedTensor| {
        let start = (scalar(0i32), Packed::new(m)?);
        let (_, packed) = while_loop(
            start,
            |(i, _)| i.less(3),
            |(i, p)| {
                let m = p.unpack()?;
                let doubled = MaskedTensor { values: &m.values * 2.0, ..m };
                Ok((ops::add(&i, 1)?, Packed::new(&doubled)?))
            },
        )?;
        Ok(packed.unpack()?.values)
    };
    assert_eq!(floats(&grad(looped)(&m)?.values), [8.0; 4]);
    let f = function(looped);
    assert_eq!(floats(&grad(|m: &MaskedTensor| f.call(m))(&m)?.values), [8.0; 4]);
    Ok(())
}

/// `betainc` has a gradient with respect to its last operand only.
#[test]
fn a_gradient_that_a_rule_lacks_is_told_where_it_is_wanted_only() -> Result<()> {
    let direct = |a: &Tensor, x: &Tensor| ops::betainc(a, &a.ones_like()?, x);
    let (inner, outer) = (function(direct), function(direct));
    let called = function(move |a: &Tensor, x: &Tensor| outer.call(a, x));
    let chosen = function(move |a: &Tensor, x: &Tensor| {
        cond(&x.reduce_sum(.., false)?.greater(0.0)?, || direct(a, x), || Ok(x.clone()))
    });
    let looped = function(move |a: &Tensor, x: &Tensor| {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, y)| Ok((ops::add(&i, 1)?, direct(a, &y)?)),
        )?;
        Ok(y)
    });
    let (a, x) = (tensor![0.5f64, 1.5], tensor![0.3f64, 0.6]);
    let ways: [&dyn Fn(&Tensor, &Tensor) -> Result<Tensor>; 5] = [
        &direct,
        &|a, x| inner.call(a, x),
        &|a, x| called.call(a, x),
        &|a, x| chosen.call(a, x),
        &|a, x| looped.call(a, x),
    ];
    for (i, f) in ways.into_iter().enumerate() {
        let dx = grad(|x: &Tensor| f(&a, x))(&x).unwrap_or_else(|e| panic!("{i}: {e}"));
        assert!(dx.to_vec::<f64>()?.iter().all(|d| *d > 0.0), "{i}: {dx}");
        let e = grad(|a: &Tensor| f(a, &x))(&a).map(|g| g.to_string()).unwrap_err();
        assert!(e.kind() == ErrorKind::Unimplemented && e.to_string().contains("`a`"), "{i}: {e}");
        let both = grad(|both: &(Tensor, Tensor)| f(&both.0, &both.1))(&(a.clone(), x.clone()));
        assert!(both.is_err(), "{i}");
    }
    Ok(())
}
