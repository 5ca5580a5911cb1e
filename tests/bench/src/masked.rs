//! What masks cost: ops on a masked tensor against the same ops on its two components.

use anyhow::Result;
use extype::prelude::*;
use extype_masked::MaskedTensor;

use crate::inputs::tensor;
use crate::runner::Runner;

/// A row for each op, with the ratio of the two times as its note.
///
/// # Errors
/// What an op fails with.
pub(crate) fn masked_overhead(runner: &Runner) -> Result<()> {
    const N: usize = 1_000_000;
    const NAMES: [&str; 4] =
        ["masked_add_1m", "masked_add_number_1m", "masked_tanh_1m", "masked_sum_1m"];
    if !NAMES.iter().any(|name| runner.wants("masked_overhead", name)) {
        return Ok(());
    }
    let (a, b) = (tensor(30, &[N])?, tensor(31, &[N])?);
    let (p, q) = (tensor(32, &[N])?.greater(-0.5)?, tensor(33, &[N])?.greater(-0.5)?);
    let x = MaskedTensor::new(a.clone(), p.clone())?;
    let y = MaskedTensor::new(b.clone(), q.clone())?;
    let parts = |m: MaskedTensor| Ok((m.values, m.mask));
    runner.compare(
        ("masked_overhead", "masked_add_1m"),
        || parts(ops::add(&x, &y)?),
        ("the ops of its components", || Ok((ops::add(&a, &b)?, ops::logical_and(&p, &q)?))),
    )?;
    runner.compare(
        ("masked_overhead", "masked_add_number_1m"),
        || parts(ops::add(&x, 1.0)?),
        ("the ops of its components", || Ok((ops::add(&a, 1.0)?, p.clone()))),
    )?;
    runner.compare(
        ("masked_overhead", "masked_tanh_1m"),
        || parts(x.tanh()?),
        ("the ops of its components", || Ok((a.tanh()?, p.clone()))),
    )?;
    runner.compare(
        ("masked_overhead", "masked_sum_1m"),
        || parts(x.reduce_sum(.., false)?),
        ("the ops of its components", || {
            Ok((ops::select(&p, &a, 0.0)?.reduce_sum(.., false)?, p.reduce_any(.., false)?))
        }),
    )
}
