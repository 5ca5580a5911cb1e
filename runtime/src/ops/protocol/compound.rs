//! Functions of several ops with their own arguments: compounds that are declared as Rust functions.

use crate::ir::Attrs;
use crate::ops::{Op, Results};
use crate::tensor::Tensor;
use crate::tensor::context::{Called, Interpretation, interpretation, is_active, uninterpreted};
use crate::types::Result;

/// An op that is a function of other ops, such as [`var`](crate::ops::var()). Its arguments may be values of any Rust type.
///
/// A type has a compound if it has the ops that the body calls on it; see
/// [`StandIn`](crate::spec::dispatch::StandIn). A type may also override it by name: `#[overrides(var)]`.
///
/// ```
/// use extype::ops::{Compound, options::Spread};
/// use extype::prelude::*;
/// let op = ops::var { options: Spread::default() };
/// assert_eq!(op.body(&[&tensor![1.0f32, 3.0]])?.item::<f32>()?, 1.0);
/// # Ok::<(), Error>(())
/// ```
pub trait Compound: Op {
    /// What it gives for tensors.
    type Results: Results;

    /// Calls the ops that it is made of.
    ///
    /// # Errors
    /// What these refuse.
    fn body(&self, operands: &[&Tensor]) -> Result<Self::Results>;
}

/// Calls a compound on tensors. Within the body of another compound these may be stand-ins for values of a type that
/// overrides this one.
#[doc(hidden)]
#[track_caller]
pub fn on_tensors<C: Compound>(op: &C, operands: &[&Tensor]) -> Result<C::Results> {
    if is_active()
        && let Some(Interpretation::By(interpreter)) = interpretation(operands)
    {
        let attrs = Attrs::new();
        let called = Called { def: op.def(), attrs: &attrs, op: Some(op.as_any()) };
        let mut on_stand_ins = || uninterpreted(|| op.body(operands)).map(Results::into_tensors);
        if let Some(results) = interpreter.call(called, operands, &mut on_stand_ins)? {
            return C::Results::from_tensors(results);
        }
    }
    op.body(operands)
}

/// True for a stand-in: the type of its value says what an element is, so that its shape is no count of them.
pub(crate) fn is_stand_in(x: &Tensor) -> bool {
    is_active() && matches!(interpretation(&[x]), Some(Interpretation::By(_)))
}
