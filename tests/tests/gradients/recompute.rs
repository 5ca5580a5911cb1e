//! Functions that run again for their gradient.

use super::{floats, said};
use extype::control::HostFunction;
use extype::prelude::*;
use extype::{jacobian, recompute};

/// Several ops whose gradients need values on the way.
fn deep(x: &Tensor) -> Result<Tensor> {
    let mut y = x.clone();
    for _ in 0..3 {
        y = ops::mul(&y.sin()?, &y.exp()?)?.tanh()?;
    }
    Ok(y)
}

/// How many results the calls of forward functions in the trace of `f` hand over for gradients.
fn kept(f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<usize> {
    let inner = function(f);
    let outer = function(move |x: &Tensor| {
        let tape = GradientTape::new();
        let (_, g) = tape.value_and_gradient(x, || inner.call(x))?;
        g.leaf(0)
    });
    let concrete = outer.concrete(&TensorSpec::of::<f32>([2]))?;
    let calls = concrete.graph().graph.nodes().iter().filter(|n| n.op.name == "PartitionedCall");
    // The first is the forward function, of one result.
    Ok(calls.map(|n| n.outputs.len()).next().expect("a call") - 1)
}

#[test]
fn only_inputs_are_kept() -> Result<()> {
    let block = recompute(deep);
    let x = tensor![0.3f32, -0.8];
    let (plain, again) = (grad(deep)(&x)?, grad(&block)(&x)?);
    assert_eq!(floats(&plain), floats(&again));
    assert_eq!(floats(&block(&x)?), floats(&deep(&x)?));
    let (all, none) = (kept(deep)?, kept(&block)?);
    assert!(all >= 8, "{all}");
    assert_eq!(none, 0);
    // Of two blocks one after the other what lies between them.
    assert_eq!(kept(|x: &Tensor| block(&block(x)?))?, 1);
    Ok(())
}

#[test]
fn it_runs_again_once_for_a_gradient() -> Result<()> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let count = HostFunction::new(|x: Tensor| {
        RUNS.fetch_add(1, Ordering::SeqCst);
        x.identity()
    })
    .without_effects()
    .with_gradient(|_, _, dy| Ok(vec![dy.leaf(0)?]));
    let block = recompute(move |x: &Tensor| count.call(&x.type_spec(), x)?.square());
    let x = tensor![3.0f32, 4.0];
    assert_eq!(floats(&block(&x)?), [9.0, 16.0]);
    assert_eq!(RUNS.swap(0, Ordering::SeqCst), 1);
    assert_eq!(floats(&grad(&block)(&x)?), [6.0, 8.0]);
    assert_eq!(RUNS.swap(0, Ordering::SeqCst), 2);
    let whole = function(move |x: &Tensor| grad(&block)(x));
    assert_eq!(floats(&whole.call(&x)?), [6.0, 8.0]);
    assert_eq!(RUNS.load(Ordering::SeqCst), 2);
    Ok(())
}

#[test]
fn captured_variables_and_tensors_have_their_gradients() -> Result<()> {
    let (w, b) = (Variable::new(3.0f32)?, scalar(5.0f32));
    let f = |x: &Tensor| ops::add(&ops::mul(&w.read()?, &x.square()?)?, &ops::mul(&b, x)?);
    let block = recompute(f);
    let traced = function(|x: &Tensor| block(x));
    let x = scalar(2.0f32);
    for traces in [false, true] {
        let tape = GradientTape::new();
        let sources = (x.clone(), b.clone(), w.clone());
        let call = || if traces { traced.call(&x) } else { block(&x) };
        let (y, g) = tape.value_and_gradient(&sources, call)?;
        assert_eq!(y.item::<f32>()?, 22.0);
        let of = |i: usize| g.leaf(i)?.expect("connected").item::<f32>();
        assert_eq!((of(0)?, of(1)?, of(2)?), (17.0, 2.0, 4.0));
    }
    // Passed as well.
    let passed = recompute(|(x, w): &(Tensor, Variable)| ops::mul(&w.read()?, x));
    let both = (x.clone(), w.clone());
    let tape = GradientTape::new();
    let (_, g) = tape.value_and_gradient(&both, || passed(&both))?;
    assert_eq!(g.of(&w)?.expect("connected").item::<f32>()?, 2.0);
    Ok(())
}

#[test]
fn it_has_gradients_of_higher_order_and_stands_in_loops_arms_and_maps() -> Result<()> {
    let cubes = |x: &Tensor| ops::mul(&x.square()?, x);
    let block = recompute(cubes);
    let x = tensor![2.0f32, 3.0];
    assert_eq!(floats(&grad(grad(&block))(&x)?), [12.0, 18.0]);
    assert_eq!(floats(&grad(grad(grad(&block)))(&x)?), [6.0, 6.0]);
    let traced = function(|x: &Tensor| block(x));
    assert_eq!(floats(&grad(grad(|x: &Tensor| traced.call(x)))(&x)?), [12.0, 18.0]);
    let inside = function(|x: &Tensor| grad(grad(&block))(x));
    assert_eq!(floats(&inside.call(&x)?), [12.0, 18.0]);
    assert_eq!(floats(&jacobian(&block)(&x)?.into_tensor()?), [12.0, 0.0, 0.0, 27.0]);
    let rest = function(|x: &Tensor| {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, y)| Ok((ops::add(&i, 1)?, block(&y)?)),
        )?;
        let mapped = map_fn(x, |x: Tensor| block(&x))?;
        let arm = cond(&x.reduce_sum(.., false)?.greater(0.0)?, || block(x), || Ok(x.clone()))?;
        Ok((y, mapped, arm))
    });
    for (i, want) in
        [[9.0 * 256.0, 9.0 * 6561.0], [12.0, 27.0], [12.0, 27.0]].into_iter().enumerate()
    {
        let one = |x: &Tensor| {
            let (a, b, c) = rest.call(x)?;
            Ok([a, b, c][i].clone())
        };
        assert_eq!(floats(&grad(one)(&x)?), want, "{i}");
    }
    Ok(())
}

#[test]
fn what_does_not_do_the_same_again_is_refused() -> Result<()> {
    let count = Variable::new(0i64)?.not_trainable();
    let writes = recompute(|x: &Tensor| {
        count.assign_add(1i64)?;
        x.square()
    });
    let draws = recompute(|x: &Tensor| ops::mul(x, &extype::random::uniform([2], 0.0..1.0, f32)?));
    let x = tensor![1.0f32, 2.0];
    let traced = function(|x: &Tensor| writes(x));
    for told in [said(writes(&x)), said(draws(&x)), said(traced.call(&x)), said(grad(&draws)(&x))] {
        assert!(told.contains("recompute") && told.contains("seed"), "{told}");
    }
    assert_eq!(count.read()?.item::<i64>()?, 0);
    let seeded = recompute(|x: &Tensor| {
        ops::mul(x, &extype::random::stateless_uniform([2], [1, 2], 0.0..1.0, f32)?)
    });
    let g = grad(&seeded)(&x)?;
    assert_eq!(floats(&ops::mul(&g, &x)?), floats(&seeded(&x)?));
    Ok(())
}

#[test]
fn slices_stay_slices() -> Result<()> {
    let table = Variable::new(tensor![[1.0f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
    let block = recompute(|i: &Tensor| table.read()?.gather(i, 0)?.square());
    let tape = GradientTape::new();
    let y = block(&tensor![2i64, 0])?;
    let g = tape.gradient(&y, &table)?;
    let slices = g.slices_of(&table)?.expect("slices");
    assert_eq!(slices.indices().to_vec::<i64>()?, [2, 0]);
    assert_eq!(floats(slices.values()), [10.0, 12.0, 2.0, 4.0]);
    assert_eq!(floats(&g.of(&table)?.expect("connected")), [2.0, 4.0, 0.0, 0.0, 10.0, 12.0]);
    Ok(())
}
