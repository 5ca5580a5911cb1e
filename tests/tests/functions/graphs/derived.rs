//! Functions with gradients, state, captures and random numbers are written and read.

use std::sync::Arc;

use extype::function::call;
use extype::ir::{FunctionGraph, LibraryFunction, import_library};
use extype::prelude::*;
use extype::recompute;

use super::comes_back;

fn each_comes_back(graph: &FunctionGraph) {
    if let Err(why) = comes_back(graph) {
        panic!("{why}");
    }
    for f in graph.library() {
        if let Err(why) = comes_back(f.graph().expect("the function of a library has a graph")) {
            panic!("{}: {why}", f.name());
        }
    }
}

#[test]
fn gradients_of_calls_within_calls_are_written_and_read() -> Result<()> {
    let inner = function(|x: &Tensor| ops::mul(ops::tanh(x)?, ops::exp(x)?));
    let outer = function(move |x: &Tensor| inner.call(&inner.call(x)?));
    let loss = function(move |x: &Tensor| ops::reduce_sum(outer.call(x)?, .., false));
    let slope = function(move |x: &Tensor| grad(|x: &Tensor| loss.call(x))(x));
    let f = slope.concrete(&TensorSpec::new([2, 3], DType::F32))?;
    assert!(f.graph().library().len() > 3, "{}", f.graph().to_text());
    each_comes_back(f.graph());
    Ok(())
}

#[test]
fn state_and_captures_are_written_and_read() -> Result<()> {
    let v = Variable::new(tensor![[1.0f32, 2.0], [3.0, 4.0]])?;
    let w = tensor![[1.0f32, 0.5], [0.0, 2.0]];
    let generator = extype::random::Generator::from_seed(7)?;
    let step = function(move |x: &Tensor| {
        let noise = generator.normal([2, 2], 0.0, 1.0, DType::F32)?;
        v.assign_sub(ops::mul(ops::matmul(x, &w)?, 0.1)?)?;
        ops::add(ops::matmul(v.read()?, x)?, noise)
    });
    let twice = function(move |x: &Tensor| step.call(&step.call(x)?));
    let f = twice.concrete(&TensorSpec::new([2, 2], DType::F32))?;
    each_comes_back(f.graph());
    Ok(())
}

#[test]
fn gradients_that_are_given_are_written_and_used_when_read() -> Result<()> {
    // Three times the slope, so that it can be told from that of the ops.
    let square = custom_gradient(|x: &Tensor| {
        let slope = ops::mul(x, 6.0)?;
        Ok((x.square()?, move |dy: &Tensor| ops::mul(dy, &slope)))
    });
    let again = recompute(|x: &Tensor| x.exp());
    let f = function(move |x: &Tensor| ops::mul(square(x)?, again(x)?));
    let f = f.concrete(&TensorSpec::of::<f64>([2]))?;
    each_comes_back(f.graph());
    let def = f.graph().to_graph_def()?;
    let library =
        import_library(&def.library, &|_| None, &mut |graph| Ok(graph.into_named_function()))?;
    let known = |name: &str| library.get(name).cloned();
    let read = FunctionGraph::from_graph_def(&def, &f.graph().ends(), &known)?;
    let read: Arc<LibraryFunction> = read.into_function();
    let x = tensor![1.0f64, 2.0];
    let slope = |f: &dyn Fn(&Tensor) -> Result<Tensor>| grad(f)(&x)?.to_vec::<f64>();
    let found = slope(&|x| Ok(call(&read, &[x])?[0].clone()))?;
    assert_eq!(found, slope(&|x| Ok(f.call_flat(std::slice::from_ref(x))?[0].clone()))?);
    // 6x eˣ + x² eˣ
    let e = 1.0f64.exp();
    assert!((found[0] - 7.0 * e).abs() < 1e-12, "{found:?}");
    Ok(())
}
