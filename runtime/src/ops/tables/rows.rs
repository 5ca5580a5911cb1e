//! Rows of values, gathered by their places.

/// The place of a key that a table does not have.
pub(super) const NOWHERE: usize = usize::MAX;

/// The size of an element, as the bytes of the default tell it.
pub(super) fn default_size(default: &[u8], width: usize, count: usize, each: bool) -> usize {
    let elements = if each { width * count } else { width };
    default.len().checked_div(elements).unwrap_or(0)
}

/// Where row `i` of a result lies: in the table, or in the default.
pub(super) fn source<'a, T>(
    rows: &'a [T],
    at: usize,
    default: &'a [T],
    i: usize,
    each: bool,
) -> (&'a [T], usize) {
    match at {
        NOWHERE => (default, if each { i } else { 0 }),
        at => (rows, at),
    }
}

/// Copies rows of `N` bytes.
pub(super) fn gather<const N: usize>(
    rows: &[u8],
    places: &[usize],
    default: &[u8],
    each: bool,
    out: &mut [u8],
) {
    for (i, (out, at)) in out.chunks_exact_mut(N).zip(places).enumerate() {
        let (from, at) = source(rows, *at, default, i, each);
        out.copy_from_slice(&from[at * N..at * N + N]);
    }
}
