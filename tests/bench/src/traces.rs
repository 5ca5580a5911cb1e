//! W12 and W16: tracing, compiling, gradients.

use anyhow::Result;
use extype::prelude::*;

use crate::inputs::tensor;
use crate::runner::Runner;

fn thousand_ops(x: &Tensor) -> Result<Tensor, Error> {
    let mut x = x.clone();
    for _ in 0..500 {
        x = x.tanh()? * 1.001;
    }
    Ok(x)
}

/// W12: a function of a thousand ops.
///
/// # Errors
/// What an op fails with.
pub(crate) fn traces(runner: &Runner) -> Result<()> {
    let x = tensor(17, &[8])?;
    let spec = x.type_spec();
    runner.shots(
        ("W12", "trace_1000"),
        || function(thousand_ops),
        |f| f.concrete(&spec).map(|_| ()),
    )?;
    runner.shots(
        ("W12", "trace_compile_1000"),
        || function(thousand_ops),
        |f| f.call(&x).map(|_| ()),
    )?;
    let f = function(thousand_ops);
    runner.time(("W12", "run_1000"), || f.call(&x))
}

/// W16: a cached call of value and gradient; and what a tape around an op and a cached call costs.
///
/// # Errors
/// What an op fails with.
pub(crate) fn gradients(runner: &Runner) -> Result<()> {
    let (x, w) = (tensor(20, &[32, 64])?, tensor(21, &[64, 64])?);
    let f = function(|x: &Tensor, w: &Tensor| {
        let tape = GradientTape::new();
        let (value, gradients) =
            tape.value_and_gradient(w, || x.matmul(w)?.tanh()?.reduce_sum(.., false))?;
        Ok((value, gradients.into_structure()?))
    });
    runner.time(("W16", "grad_call"), || f.call(&x, &w).map(|(_, g)| g))?;
    let small = tensor(22, &[8])?;
    let taped = |run: &dyn Fn() -> Result<Tensor, Error>| {
        let tape = GradientTape::new();
        tape.watch(&small);
        run()
    };
    let op = || small.tanh();
    runner.time(("W16", "op"), op)?;
    runner.time(("W16", "op_taped"), || taped(&op))?;
    let f = function(|x: &Tensor| x.tanh());
    let call = || f.call(&small);
    runner.time(("W16", "call"), call)?;
    runner.time(("W16", "call_taped"), || taped(&call))
}
