//! The registry of gradient rules.

use std::collections::HashMap;
use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::op::{Attrs, OpDef};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// What a gradient rule sees of a recorded call.
pub struct Gradient<'a> {
    /// The op.
    pub op: &'static OpDef,
    /// Its attributes.
    pub attrs: &'a Attrs,
    /// Its operands.
    pub inputs: &'a [Tensor],
    /// Its results.
    pub outputs: &'a [Tensor],
    /// The gradient of the target with respect to each result; `None` where it does not depend
    /// on it.
    pub cotangents: &'a [Option<Tensor>],
}

impl Gradient<'_> {
    /// Operand `i`.
    ///
    /// # Panics
    /// If there are fewer; the op's definition fixes their number.
    pub fn x(&self, i: usize) -> &Tensor {
        &self.inputs[i]
    }

    /// The first result.
    ///
    /// # Panics
    /// If the op has none.
    pub fn y(&self) -> &Tensor {
        &self.outputs[0]
    }

    /// The cotangent of the first result.
    ///
    /// # Errors
    /// `Internal` if there is none; ops with one result are only asked when there is.
    pub fn dy(&self) -> Result<&Tensor> {
        self.cotangents
            .first()
            .and_then(Option::as_ref)
            .ok_or_else(|| err!(Internal, "{} has no cotangent", self.op.name))
    }
}

/// The gradients with respect to the operands; `None` where there is none.
pub type InputGradients = SmallVec<[Option<Tensor>; 2]>;

/// The gradient of an op.
pub type GradientRule = fn(&Gradient<'_>) -> Result<InputGradients>;

/// A rule with the op it is for; submit it with [`define_gradient!`](crate::define_gradient).
pub struct GradientEntry {
    /// The graph name of the op.
    pub op: &'static str,
    /// The rule.
    pub rule: GradientRule,
}

inventory::collect!(GradientEntry);

/// Gives an op a gradient.
///
/// ```
/// use extype::prelude::*;
/// # use extype::ops::rules;
/// # extype::define_op! {
/// #     /// Twice every element.
/// #     pub unary Twice = TwiceFn("Twice") {
/// #         inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT }, attrs: {},
/// #         infer: rules::same_shape, kernel: |c| extype::op::find_op("AddV2")?
/// #             .run(&[c.input(0), c.input(0)], c.attrs),
/// #     }
/// # }
/// extype::define_gradient!("Twice", |g| Ok([Some(g.dy()? * 2.0)].into_iter().collect()));
/// # assert!(extype::gradient::has_gradient("Twice"));
/// # Ok::<(), Error>(())
/// ```
#[macro_export]
macro_rules! define_gradient {
    ($op:literal, $rule:expr) => {
        $crate::__private::inventory::submit! {
            $crate::gradient::GradientEntry { op: $op, rule: $rule }
        }
    };
}

/// The rule of an op, if it has one.
pub(super) fn find_rule(op: &str) -> Option<GradientRule> {
    static RULES: OnceLock<HashMap<&'static str, GradientRule>> = OnceLock::new();
    let rules = RULES.get_or_init(|| {
        inventory::iter::<GradientEntry>.into_iter().map(|e| (e.op, e.rule)).collect()
    });
    rules.get(op).copied()
}

/// True if gradients pass the op, or its rule says that none do.
pub fn has_gradient(op: &str) -> bool {
    find_rule(op).is_some()
}
