//! The loop: results, captured state, gradients through saved values.

use extype::ir::Effect;
use extype::prelude::*;

use super::toys::{cond, while_node};

/// `x * w` three times.
fn thrice(x: &Tensor, w: &Variable) -> Result<Tensor> {
    let vars = vec![scalar(0i64), x.clone()];
    let last = while_node(
        vars,
        |vars| ops::less(&vars[0], 3i64),
        |vars| Ok(vec![ops::add(&vars[0], 1i64)?, ops::mul(&vars[1], &w.read()?)?]),
    )?;
    Ok(last[1].clone())
}

#[test]
fn it_runs_eagerly_and_traced_with_a_captured_variable() -> Result<()> {
    let w = Variable::new(2.0f32)?;
    let f = function(|x: &Tensor| thrice(x, &w));
    assert_eq!(thrice(&tensor![1.0f32, 3.0], &w)?.as_slice::<f32>()?, &[8.0, 24.0]);
    assert_eq!(f.call(&tensor![1.0f32, 3.0])?.as_slice::<f32>()?, &[8.0, 24.0]);
    w.assign(1.0)?;
    assert_eq!(f.call(&tensor![1.0f32, 3.0])?.as_slice::<f32>()?, &[1.0, 3.0]);
    let graph = f.concrete_functions()[0].graph().clone();
    let node = graph.graph.nodes().iter().find(|n| n.op.name == "Toy>While").expect("one");
    assert_eq!(node.effect(), Effect::Reads);
    Ok(())
}

#[test]
fn gradients_go_through_saved_values() -> Result<()> {
    let w = Variable::new(2.0f32)?;
    let f = function(|x: &Tensor| thrice(x, &w));
    for traced in [false, true] {
        let x = scalar(5.0f32);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = if traced { f.call(&x)? } else { thrice(&x, &w)? };
        assert_eq!(y.item::<f32>()?, 40.0);
        let g = tape.gradient(&y, &(x.clone(), w.clone()))?;
        // x * w^3 at x = 5, w = 2.
        assert_eq!(g.wrt(&x)?.expect("connected").item::<f32>()?, 8.0, "{traced}");
        assert_eq!(g.of(&w)?.expect("connected").item::<f32>()?, 60.0, "{traced}");
    }
    Ok(())
}

#[test]
fn zero_iterations_pass_gradients_on() -> Result<()> {
    let f = function(|x: &Tensor, n: &Tensor| {
        let vars = vec![scalar(0i64), x.clone()];
        let last = while_node(
            vars,
            |vars| ops::less(&vars[0], n),
            |vars| Ok(vec![ops::add(&vars[0], 1i64)?, ops::mul(&vars[1], &vars[1])?]),
        )?;
        Ok(last[1].clone())
    });
    for (n, slope) in [(0i64, 1.0f32), (1, 6.0), (2, 108.0)] {
        let of = |x: &Tensor| f.call(x, &scalar(n));
        assert_eq!(extype::grad(of)(&scalar(3.0f32))?.item::<f32>()?, slope, "{n}");
    }
    Ok(())
}

#[test]
fn writes_in_a_loop_with_a_conditional_are_in_order() -> Result<()> {
    let seen = Variable::new(0i64)?;
    let f = function(|n: &Tensor| {
        let last = while_node(
            vec![scalar(0i64)],
            |vars| ops::less(&vars[0], n),
            |vars| {
                let even = ops::equal(&ops::floor_mod(&vars[0], 2i64)?, 0i64)?;
                cond(&even, || seen.assign_add(&vars[0]), || Ok(()))?;
                Ok(vec![ops::add(&vars[0], 1i64)?])
            },
        )?;
        Ok((last[0].clone(), seen.read()?))
    });
    let (last, sum) = f.call(&scalar(7i64))?;
    assert_eq!((last.item::<i64>()?, sum.item::<i64>()?), (7, 12));
    let (_, sum) = f.call(&scalar(3i64))?;
    assert_eq!(sum.item::<i64>()?, 14);
    Ok(())
}
