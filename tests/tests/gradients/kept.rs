//! What is kept for gradients.

use super::floats;
use extype::prelude::*;

/// The loop as a function, and how many stacks or lists the loop that a tape runs keeps.
fn saved(
    body: impl Fn(&Tensor, &Tensor) -> Result<Tensor> + Send + Sync + 'static,
) -> Result<(usize, Tensor)> {
    let looped = move |x: &Tensor, w: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, x)| Ok((ops::add(&i, 1)?, body(&x, w)?)),
        )?;
        Ok(x)
    };
    let slope = function(move |x: &Tensor, w: &Tensor| grad(|x: &Tensor| looped(x, w))(x));
    let (x, w) = (tensor![0.5f32, 0.25], tensor![2.0f32, 3.0]);
    let g = slope.call(&x, &w)?;
    let concrete = &slope.concrete_functions()[0];
    let nodes = concrete.graph().graph.nodes();
    let saving =
        nodes.iter().find(|n| n.op.name == "Extype>WhileSaving").expect("a loop that saves");
    // After the state come the number of steps and what is saved.
    Ok((saving.outputs.len() - saving.inputs.len() - 1, g))
}

#[test]
fn a_loop_keeps_what_its_gradient_looks_at() -> Result<()> {
    // Multiplication by what stays the same: nothing but the other factor.
    let (none, g) = saved(|x, _| ops::mul(x, 2.0))?;
    assert_eq!((none, floats(&g)), (0, vec![8.0, 8.0]));
    // For the gradient of the weights the state, for that of the state nothing.
    let (state, g) = saved(|x, w| ops::mul(x, w))?;
    assert_eq!((state, floats(&g)), (1, vec![8.0, 27.0]));
    // The result of tanh, not its operand; not what is added or negated.
    let (result, _) = saved(|x, _| ops::neg(&ops::add(&x.tanh()?, 1.0)?))?;
    assert_eq!(result, 1);
    // Of a value of which only the sizes are asked for, nothing.
    let (sizes, _) = saved(|x, _| ops::add(x, &x.reduce_sum(.., true)?))?;
    assert_eq!(sizes, 0);
    // Two values for a product of two functions of the state, beside the two slopes.
    let (product, _) = saved(|x, _| ops::mul(&x.sin()?, &x.exp()?))?;
    assert_eq!(product, 3);
    Ok(())
}

#[test]
fn without_a_tape_nothing_is_kept() -> Result<()> {
    let looped = function(|x: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, &x)?)),
        )?;
        Ok(x)
    });
    let outer = function(move |x: &Tensor| looped.call(x));
    let _ = outer.call(&scalar(2.0f32))?;
    let graph = outer.concrete_functions()[0].graph().clone();
    let call = graph.graph.nodes().iter().find(|n| n.op.name == "PartitionedCall").expect("a call");
    assert_eq!(call.outputs.len(), 1);
    let text = graph.to_string();
    assert!(!text.contains("WhileSaving"), "{text}");
    Ok(())
}

#[test]
fn a_function_keeps_what_its_gradient_looks_at() -> Result<()> {
    let count = |f: fn(&Tensor) -> Result<Tensor>| -> Result<usize> {
        let inner = function(f);
        let outer = function(move |x: &Tensor| grad(|x: &Tensor| inner.call(x))(x));
        let concrete = outer.concrete(&TensorSpec::of::<f32>([2]))?;
        let nodes = concrete.graph().graph.nodes();
        let call = nodes.iter().find(|n| n.op.name == "PartitionedCall").expect("a call");
        Ok(call.outputs.len() - 1)
    };
    // What is an input is there anyway, and so is the result.
    assert_eq!(count(|x| x.square())?, 0);
    assert_eq!(count(|x| ops::add(&ops::mul(x, 3.0)?, 1.0))?, 0);
    assert_eq!(count(|x| x.tanh())?, 0);
    assert_eq!(count(|x| x.exp()?.reduce_sum(.., false))?, 1);
    Ok(())
}

/// The gradient of one operand asks for the shape of what is kept as a value for that of the other.
#[test]
fn a_gradient_that_needs_less_finds_it_in_what_is_kept_for_all() -> Result<()> {
    #[tf_function(signature(f64[..], f64[..]))]
    fn product(x: &Tensor, w: &Tensor) -> Result<Tensor> {
        let u = ops::add(x, 1.0)?;
        ops::mul(&u, w)?.reshape(&ops::shape_of(&u)?)
    }
    let (x, w) = (tensor![1.0f64, 2.0], tensor![3.0f64, 4.0]);
    let (by_x, by_w) = (|x: &Tensor| product(x, &w), |w: &Tensor| product(&x, w));
    assert_eq!(grad(by_x)(&x)?.to_vec::<f64>()?, [3.0, 4.0]);
    assert_eq!(grad(by_w)(&w)?.to_vec::<f64>()?, [2.0, 3.0]);
    let both = grad(|(x, w): &(Tensor, Tensor)| product(x, w))(&(x.clone(), w.clone()))?;
    assert_eq!(
        (both.0.to_vec::<f64>()?, both.1.to_vec::<f64>()?),
        (vec![3.0, 4.0], vec![2.0, 3.0])
    );
    let looped = |x: &Tensor, w: &Tensor| {
        let step = |(i, x): (Tensor, Tensor)| {
            Ok((ops::add(&i, 1)?, product(&x, w)?.ensure_shape(shape![2])?))
        };
        Ok(while_loop((scalar(0i32), x.clone()), |(i, _)| i.less(2), step)?.1)
    };
    let f = function(move |x: &Tensor, w: &Tensor| grad(|x: &Tensor| looped(x, w))(x));
    assert_eq!(f.call(&x, &w)?.to_vec::<f64>()?, [9.0, 16.0]);
    Ok(())
}
