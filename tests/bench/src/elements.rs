//! What an element costs on its way through a pipeline, beside the work on it.

use anyhow::Result;
use extype::data::{Dataset, Remainder};
use extype::prelude::*;

use crate::runner::Runner;

/// How many elements one run takes through the pipeline.
const ELEMENTS: i64 = 1000;

/// Passes over numbers: alone, through maps of closures that do nothing, and through other steps.
///
/// # Errors
/// What a pass fails with.
pub(crate) fn elements(runner: &Runner) -> Result<()> {
    let numbers = Dataset::range(0..ELEMENTS);
    let mapped = |n| (0..n).fold(numbers.clone(), |data, _| data.map(Ok));
    let pass = |name, data: Dataset<Tensor>| {
        runner.time(("elements", name), || data.reduce(scalar(0i64), |_, x| Ok(x)))
    };
    pass("range_1000", numbers.clone())?;
    pass("map_1000", mapped(1))?;
    pass("map_10_1000", mapped(10))?;
    pass("filter_1000", numbers.filter(|_| Ok(true)))?;
    pass("shuffle_1000", numbers.shuffle(100, 1))?;
    pass("batch_1000", numbers.batch(10, Remainder::Keep))?;
    pass("prefetch_1000", numbers.prefetch(16))
}
