//! Ops along one axis: places of extremes, running reductions, softmax.

use extype::ops::options::Along;
use extype::ops::{
    ArgMax, ArgMin, Cumprod, Cumsum, CumulativeLogsumexp, L2Loss, LogSoftmax, Softmax,
};
use extype::prelude::*;

use crate::MaskedTensor;
use crate::reductions::{largest, smallest};
use crate::tensor::constant;

/// Ops that see `neutral` at missing entries, which stay missing.
macro_rules! scans {
    ($($name:ident = $op:ident, $neutral:expr;)*) => {
        #[dispatch]
        impl MaskedTensor {
            $(#[overrides($op)]
            fn $name(x: &Self, op: &$op) -> Result<Self> {
                let neutral: fn(DType) -> Result<Tensor> = $neutral;
                let values = op.run(&[&x.fill(&neutral(x.values.dtype())?)?])?;
                Ok(Self { values, mask: x.mask.clone() })
            })*
        }
    };
}
scans! {
    cumsum = Cumsum, |d| constant(d, 0);
    cumprod = Cumprod, |d| constant(d, 1);
    cumulative_logsumexp = CumulativeLogsumexp, smallest;
}

/// Softmax: probabilities of the valid entries.
macro_rules! softmaxes {
    ($($name:ident = $op:ident),*) => {
        #[dispatch]
        impl MaskedTensor {
            $(#[overrides($op)]
            fn $name(x: &Self, op: &$op) -> Result<Self> {
                let values = op.run(&[&x.fill(&smallest(x.values.dtype())?)?])?;
                // NaN in a row without a valid entry.
                Self { values, mask: x.mask.clone() }.cleared()
            })*
        }
    };
}
softmaxes!(softmax = Softmax, log_softmax = LogSoftmax);

#[dispatch]
impl MaskedTensor {
    #[overrides(ArgMax)]
    fn arg_max(x: &Self, op: &ArgMax) -> Result<Self> {
        let x = numbers(x)?;
        let lowest = smallest(x.values.dtype())?;
        let filled = x.fill(&lowest)?;
        let found = op.run(&[&filled])?;
        place(&x, op.dimension, &found, &filled.reduce_max(op.dimension, false)?.equal(&lowest)?)
    }

    #[overrides(ArgMin)]
    fn arg_min(x: &Self, op: &ArgMin) -> Result<Self> {
        let x = numbers(x)?;
        let highest = largest(x.values.dtype())?;
        let filled = x.fill(&highest)?;
        let found = op.run(&[&filled])?;
        place(&x, op.dimension, &found, &filled.reduce_min(op.dimension, false)?.equal(&highest)?)
    }

    /// The largest valid entry so far.
    #[overrides(cummax)]
    fn cummax(x: &Self, options: &Along) -> Result<Self> {
        let values = x.fill(&smallest(x.values.dtype())?)?.cummax(*options)?;
        Self { values, mask: moved(x, options)? }.cleared()
    }

    /// The smallest valid entry so far.
    #[overrides(cummin)]
    fn cummin(x: &Self, options: &Along) -> Result<Self> {
        let values = x.fill(&largest(x.values.dtype())?)?.cummin(*options)?;
        Self { values, mask: moved(x, options)? }.cleared()
    }

    #[overrides(L2Loss)]
    fn l2_loss(x: &Self, op: &L2Loss) -> Result<Self> {
        let values = op.run(&[&x.cleared()?.values])?;
        Ok(Self { values, mask: x.mask.reduce_any(.., false)? })
    }
}

/// The mask of a running reduction, which is one row without an axis.
fn moved(x: &MaskedTensor, options: &Along) -> Result<Tensor> {
    if options.axis.is_none() { x.mask.ravel() } else { Ok(x.mask.clone()) }
}

/// Bools as numbers, which have an order.
fn numbers(x: &MaskedTensor) -> Result<MaskedTensor> {
    match x.values.dtype() {
        DType::Bool => ops::cast(x, u8),
        _ => Ok(x.clone()),
    }
}

/// The places that were found; where valid entries are no better than what stands at missing ones
/// (`tied`), the place of the first valid entry.
fn place(x: &MaskedTensor, axis: Axis, found: &Tensor, tied: &Tensor) -> Result<MaskedTensor> {
    let first = x.mask.argmax(axis)?.cast(found.dtype())?;
    let values = ops::select(tied, &first, found)?;
    MaskedTensor { values, mask: x.mask.reduce_any(axis, false)? }.cleared()
}
