//! Ranges and scales: one for all numbers, or one for each place of an axis, a channel.

use crate::array::{Array, extent};
use crate::ir::InferContext;
use crate::types::{Result, Shape, bail, err};

/// The axis of the channels, if there is one.
pub(super) fn axis(axis: i64) -> Result<Option<usize>> {
    match usize::try_from(axis) {
        Ok(axis) => Ok(Some(axis)),
        Err(_) if axis == -1 => Ok(None),
        Err(_) => bail!("the axis is {axis}; -1 for one range or scale of all, or an axis from 0"),
    }
}

/// The shape of inputs `first` and `first + 1`: the ends of ranges, or scales and zero points. Both are scalars, or both are
/// vectors with an entry for each place of the axis.
pub(super) fn pair(
    c: &InferContext<'_>,
    data: &Shape,
    first: usize,
    along: i64,
    names: [&str; 2],
) -> Result<Shape> {
    let along = axis(along)?;
    let mut both = along.map_or(Shape::scalar(), |_| Shape::of_rank(1));
    for (i, name) in (first..).zip(names) {
        both = both.merge(c.shape(i)).map_err(|e| e.prefixed(format_args!("`{name}`")))?;
    }
    let (Some(along), Some(dims)) = (along, data.dims()) else { return Ok(both) };
    let Some(size) = dims.get(along) else { bail!("axis {along} of data of shape {data}") };
    both.merge(&[*size].into_iter().collect()).map_err(|_| {
        let [name, other] = names;
        err!("`{name}` and `{other}` of shape {both} for axis {along} of data of shape {data}")
    })
}

/// What lies before the axis of the channels, along it, and behind it. Nothing if there are no elements.
pub(super) fn layout(x: &Array, axis: Option<usize>) -> [usize; 3] {
    match axis {
        _ if x.is_empty() => [0; 3],
        None => [1, 1, x.len()],
        Some(axis) => {
            let (before, behind) = (&x.dims()[..axis], &x.dims()[axis + 1..]);
            [extent(before), x.dims()[axis], extent(behind)]
        }
    }
}

/// Writes `f` of each element in one channel.
pub(super) fn each<A: Copy, R>(
    x: &[A],
    out: &mut [R],
    [outer, channels, inner]: [usize; 3],
    channel: usize,
    f: impl Fn(A) -> R,
) {
    for start in (0..outer).map(|i| (i * channels + channel) * inner) {
        let part = start..start + inner;
        out[part.clone()].iter_mut().zip(&x[part]).for_each(|(out, x)| *out = f(*x));
    }
}
