//! W9: passes over datasets.

use anyhow::Result;
use extype::data::{Dataset, Remainder};
use extype::prelude::*;
use extype_ragged::RaggedTensor;

use crate::inputs::{row_lengths, tensor};
use crate::runner::Runner;

/// W9: 100,000 rows are shuffled, doubled one by one, and batched; with `-batchmap` whole batches are doubled.
///
/// # Errors
/// What a step fails with.
pub(crate) fn passes(runner: &Runner) -> Result<()> {
    const ROWS: usize = 100_000;
    let name = |kind: &str, batched: bool| {
        format!("data_{kind}{}", if batched { "-batchmap" } else { "" })
    };
    for batched in [false, true] {
        if runner.wants("W9", &name("dense", batched)) {
            let rows = Dataset::from_tensor_slices(tensor(14, &[ROWS, 32])?)?;
            let data = doubled(&rows, batched, |x| ops::mul(&x, 2.0));
            runner.time(("W9", &name("dense", batched)), || last(&data, |x| x))?;
        }
        if runner.wants("W9", &name("ragged", batched)) {
            let lengths = row_lengths(100, ROWS);
            let n = lengths.reduce_sum(.., false)?.item::<i64>()?;
            let rows = RaggedTensor::from_row_lengths(&tensor(110, &[n as usize])?, &lengths)?;
            let rows = Dataset::from_tensor_slices(rows)?;
            let data = doubled(&rows, batched, |x| ops::mul(&x, 2.0));
            runner.time(("W9", &name("ragged", batched)), || last(&data, |x| x.flat_values))?;
        }
    }
    Ok(())
}

fn doubled<S: Structure>(
    rows: &Dataset<S>,
    batched: bool,
    double: fn(S) -> Result<S, Error>,
) -> Dataset<S> {
    let shuffled = rows.shuffle(10_000, 1);
    match batched {
        false => shuffled.map(double).batch(128, Remainder::Keep),
        true => shuffled.batch(128, Remainder::Keep).map(double),
    }
}

/// The last batch of a pass.
fn last<S: Structure>(data: &Dataset<S>, tensor: fn(S) -> Tensor) -> Result<Tensor, Error> {
    let last = data.iter().try_fold(None, |_, batch| batch.map(Some))?;
    last.map(tensor).ok_or_else(|| Error::invalid("no batches"))
}
