//! Gradients of convolutions, which are convolutions.

use super::Family;
use crate::ops::rules::gradient::{self, Gradient, InputGradients};
use crate::ops::{Int32s, NamedOp as _, StaticInput as _};
use crate::tensor::{Tensor, execute_one};
use crate::types::Result;

/// The sizes of a tensor, as the ops take them: a constant, if they are known.
fn sizes(x: &Tensor) -> Result<Tensor> {
    Int32s::from(gradient::sizes(x)?).to_input(x)
}

/// Both gradients, as far as they are wanted: that of operand `i` by `of`.
fn wanted(
    g: &Gradient<'_>,
    count: usize,
    of: impl Fn(usize) -> Option<Result<Tensor>>,
) -> Result<InputGradients> {
    (0..count).map(|i| if g.wants(i) { of(i).transpose() } else { Ok(None) }).collect()
}

pub(in crate::ops) fn forward<F: Family>(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, filter, dy) = (g.x(0), g.x(1), g.dy()?);
    wanted(g, 2, |i| {
        Some(match i {
            0 => sizes(x)
                .and_then(|n| execute_one(F::Input::DEF, g.attrs.clone(), &[&n, filter, dy])),
            _ => sizes(filter)
                .and_then(|n| execute_one(F::Filter::DEF, g.attrs.clone(), &[x, &n, dy])),
        })
    })
}

pub(in crate::ops) fn input<F: Family>(g: &Gradient<'_>) -> Result<InputGradients> {
    let (filter, dy, dx) = (g.x(1), g.x(2), g.dy()?);
    wanted(g, 3, |i| match i {
        0 => None,
        1 => Some(
            sizes(filter).and_then(|n| execute_one(F::Filter::DEF, g.attrs.clone(), &[dx, &n, dy])),
        ),
        _ => Some(execute_one(F::Forward::DEF, g.attrs.clone(), &[dx, filter])),
    })
}

pub(in crate::ops) fn filter<F: Family>(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, dy, dw) = (g.x(0), g.x(2), g.dy()?);
    wanted(g, 3, |i| match i {
        0 => {
            Some(sizes(x).and_then(|n| execute_one(F::Input::DEF, g.attrs.clone(), &[&n, dw, dy])))
        }
        1 => None,
        _ => Some(execute_one(F::Forward::DEF, g.attrs.clone(), &[x, dw])),
    })
}
