//! Functions that run again for their gradient, instead of keeping intermediates.

use std::sync::Arc;

use super::function::{call_backward, forward};
use crate::function::{FunctionOptions, FunctionState, PARTITIONED_CALL, call};
use crate::ir::{Effect, LibraryFunction};
use crate::ops::{Gradient, InputGradients, NamedOp, Op};
use crate::spec::Structure;
use crate::tensor::execute;
use crate::types::{Result, bail};

/// A function that computes `f` and keeps only its inputs for the gradient: `f` runs again when the gradient is
/// computed. That costs the time of `f` once more, and saves the memory of its intermediates.
///
/// `f` is traced as by [`function`](crate::function()), once per type of its argument, even when called eagerly.
/// Variables and tensors that it captures get gradients too. The second run reads the current values of
/// variables, so they must not be assigned in between. `f` must have no side effects, and may draw random
/// numbers only from explicit seeds, since the second run must give the same results.
///
/// TensorFlow: `tf.recompute_grad`. JAX: `jax.checkpoint`.
///
/// # Errors
/// The returned closure fails with what `f` fails with, and `Unimplemented` if `f` writes or draws random
/// numbers without a seed of its own.
///
/// ```
/// use extype::prelude::*;
/// use extype::recompute;
/// let block = recompute(|x: &Tensor| x.sin()?.exp()?.tanh());
/// let x = scalar(0.5f32);
/// let kept = grad(|x: &Tensor| x.sin()?.exp()?.tanh())(&x)?;
/// assert_eq!(grad(&block)(&x)?.item::<f32>()?, kept.item::<f32>()?);
/// # Ok::<(), Error>(())
/// ```
pub fn recompute<S: Structure, R: Structure>(
    f: impl Fn(&S) -> Result<R>,
) -> impl Fn(&S) -> Result<R> {
    let state = FunctionState::new(FunctionOptions::new("recomputed", &["x"]));
    move |x: &S| {
        state.call_with(
            (x,),
            |bound| f(&bound.0),
            |trace, leaves| {
                checked(&trace.function)?;
                trace.call_by(leaves, |f, inputs| {
                    execute(Recompute::DEF, Recompute { f: f.clone() }.attrs(), inputs)
                })
            },
        )
    }
}

/// Refuses a function that may give other results when it runs again.
fn checked(f: &LibraryFunction) -> Result<()> {
    match f.effect() {
        Effect::Pure | Effect::Reads | Effect::Checks => Ok(()),
        Effect::Impure | Effect::Writes => bail!(
            Unimplemented,
            "the function given to `recompute` runs again for its gradient, so it must not write, nor draw \
             random numbers without a seed: do that outside and pass the values, or use \
             `random::stateless_uniform` and its like"
        ),
    }
}

crate::define_op! {
    /// The results of a function that runs again for its gradient.
    ///
    /// TensorFlow: a call under `tf.recompute_grad`.
    pub op Recompute = "Extype>Recompute" {
        inputs: { input: (Tin) }, outputs: { output: (Tout) },
        attrs: { f: Arc<LibraryFunction> },
        dispatch: none,
        infer: |c| Ok(c.get(Recompute::F)?.output_types().iter().cloned().collect()),
        kernel: |c| c.get(Recompute::F)?.call(c.inputs),
        gradient: gradient,
    }
}

/// Runs the forward function, which also returns the intermediates, then the backward function.
fn gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let forward = forward(&g.get(Recompute::F)?)?;
    let outputs = call(&forward, &g.inputs.iter().collect::<Vec<_>>())?;
    let mut cotangents = g.cotangents.to_vec();
    cotangents.resize(outputs.len(), None);
    let again = Gradient {
        op: &PARTITIONED_CALL,
        attrs: g.attrs,
        inputs: g.inputs,
        outputs: &outputs,
        cotangents: &cotangents,
        wanted: g.wanted,
    };
    call_backward(&forward, &again)
}
