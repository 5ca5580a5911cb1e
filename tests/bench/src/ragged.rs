//! W8: ragged rows.

use anyhow::Result;
use extype::prelude::*;
use extype_ragged::{RaggedTensor, Trim};

use crate::inputs::{row_lengths, row_numbers, tensor};
use crate::runner::Runner;

/// W8: ops on 100,000 rows of ten numbers on average.
///
/// # Errors
/// What an op fails with.
pub(crate) fn ragged(runner: &Runner) -> Result<()> {
    rows(runner, "W8", "", 100_000)
}

/// The same on 1,000 to 10,000,000 rows, if it is asked for by its name.
///
/// # Errors
/// What an op fails with.
pub(crate) fn scaling(runner: &Runner) -> Result<()> {
    if !runner.wants_group("ragged_scaling") {
        return Ok(());
    }
    (3..=7).try_for_each(|n| rows(runner, "ragged_scaling", &format!("_1e{n}"), 10usize.pow(n)))
}

/// The workloads of so many rows; their names end with the suffix.
fn rows(runner: &Runner, group: &str, suffix: &str, rows: usize) -> Result<()> {
    const NAMES: [&str; 8] = [
        "ragged_row_sum",
        "ragged_row_max",
        "ragged_softmax",
        "ragged_add",
        "ragged_to_dense",
        "ragged_from_dense",
        "ragged_concat",
        "ragged_gather",
    ];
    let name = |name: &str| format!("{name}{suffix}");
    if !NAMES.iter().any(|n| runner.wants(group, &name(n))) {
        return Ok(());
    }
    // Times a traced function whose result is ragged.
    macro_rules! time {
        ($name:literal, |$($x:ident: $t:ident),+| $made:expr) => {{
            let f = function(|$($x: &$t),+| -> Result<RaggedTensor, Error> { $made });
            runner.time((group, &name($name)), || Ok(f.call($(&$x),+)?.flat_values))?;
        }};
    }
    let (lengths, others) = (row_lengths(100, rows), row_lengths(120, rows));
    let of = |lengths: &Tensor, stream| -> Result<RaggedTensor, Error> {
        let n = lengths.reduce_sum(.., false)?.item::<i64>()?;
        RaggedTensor::from_row_lengths(&tensor(stream, &[n as usize])?, lengths)
    };
    let (x, y, z) = (of(&lengths, 110)?, of(&lengths, 111)?, of(&others, 112)?);
    // As in a program whose operands come from one place.
    let y = x.with_flat_values(&y.flat_values)?;
    let dense = x.to_tensor(0.0, Shape::unknown())?;
    let picked = row_numbers(130, rows / 2, rows as u64);

    time!("ragged_row_sum", |x: RaggedTensor| x.reduce_sum(1, false));
    time!("ragged_row_max", |x: RaggedTensor| x.reduce_max(1, false));
    time!("ragged_softmax", |x: RaggedTensor| ops::softmax(x));
    time!("ragged_add", |x: RaggedTensor, y: RaggedTensor| ops::add(x, y));
    let f = function(|x: &RaggedTensor| x.to_tensor(0.0, Shape::unknown()));
    runner.time((group, &name("ragged_to_dense")), || f.call(&x))?;
    time!("ragged_from_dense", |dense: Tensor, lengths: Tensor| {
        let lengths = Tensor::clone(lengths);
        RaggedTensor::from_tensor(dense, Trim::Lengths(lengths), 1)
    });
    time!("ragged_concat", |x: RaggedTensor, z: RaggedTensor| ops::concat(&[x, z], 1));
    time!("ragged_gather", |x: RaggedTensor, picked: Tensor| ops::gather(x, picked, 0));
    Ok(())
}
