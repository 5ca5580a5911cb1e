//! Nested lists, as ragged tensors print.

use std::fmt;

use extype::array::Array;
use extype::prelude::*;

use crate::RaggedTensor;

impl fmt::Display for RaggedTensor {
    /// Nested lists: `[[1, 2], [], [3]]`; floats with the precision asked for. Of more than a thousand values long lists
    /// are shortened, as those of tensors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let splits = self.partitions.iter().map(|rows| rows.splits().value()?.to_i64s());
        let splits = splits.collect::<Result<Vec<_>>>();
        let (Ok(values), Ok(splits), Ok(())) = (self.flat_values.value(), splits, self.validate())
        else {
            return write!(f, "RaggedTensor(flat_values={})", self.flat_values);
        };
        let splits: Vec<&[i64]> = splits.iter().map(|s| &s[..]).collect();
        match splits.first() {
            Some(outermost) => ragged(f, values, &splits, 0..outermost.len().saturating_sub(1)),
            None => dense(f, values, values.dims(), 0),
        }
    }
}

/// Entries `range` of the level that `splits` partitions; of the values if there are none left.
fn ragged(
    f: &mut fmt::Formatter<'_>,
    values: &Array,
    splits: &[&[i64]],
    range: std::ops::Range<usize>,
) -> fmt::Result {
    let rows = splits.first().map_or(0, |s| s.len());
    let short = values.len().max(rows) > 1000;
    list(f, range, short, |f, i| match splits.split_first() {
        None => dense(f, values, &values.dims()[1..], i),
        // Splits were checked: they are not negative and don't decrease.
        Some((s, below)) => ragged(f, values, below, s[i] as usize..s[i + 1] as usize),
    })
}

/// The block of these sizes that starts at `index` blocks.
fn dense(f: &mut fmt::Formatter<'_>, values: &Array, dims: &[usize], index: usize) -> fmt::Result {
    match dims.split_first() {
        None => element(f, values, index),
        Some((n, inner)) => {
            let short = values.len() > 1000;
            list(f, index * n..(index + 1) * n, short, |f, i| dense(f, values, inner, i))
        }
    }
}

fn element(f: &mut fmt::Formatter<'_>, values: &Array, index: usize) -> fmt::Result {
    let one = values.view(index, []).map_err(|_| fmt::Error)?;
    let text = match f.precision() {
        Some(digits) => format!("{one:.digits$}"),
        None => one.to_string(),
    };
    // NumPy's `1.` is no number in a list of Rust.
    if text.ends_with('.') { write!(f, "{text}0") } else { f.write_str(&text) }
}

/// How many items of a list are shown at either end, if it is shortened.
const EDGE: usize = 3;

fn list(
    f: &mut fmt::Formatter<'_>,
    range: std::ops::Range<usize>,
    short: bool,
    mut item: impl FnMut(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
) -> fmt::Result {
    f.write_str("[")?;
    let hidden = if short { range.start + EDGE..range.end.saturating_sub(EDGE) } else { 0..0 };
    for (n, i) in range.enumerate() {
        if hidden.contains(&i) && i > hidden.start {
            continue;
        }
        if n > 0 {
            f.write_str(", ")?;
        }
        match hidden.contains(&i) {
            true => f.write_str("...")?,
            false => item(f, i)?,
        }
    }
    f.write_str("]")
}
