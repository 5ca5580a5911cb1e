//! Products of sizes.

/// The number of elements of an array with these sizes: zero if one of them is, however large the others are. A number
/// too large for memory becomes [`usize::MAX`].
pub(crate) fn volume(sizes: impl IntoIterator<Item = usize>) -> usize {
    let (mut product, mut empty) = (1usize, false);
    for size in sizes {
        empty |= size == 0;
        product = product.saturating_mul(size);
    }
    if empty { 0 } else { product }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_beats_any_size() {
        assert_eq!(volume([]), 1);
        assert_eq!(volume([2, 3]), 6);
        assert_eq!(volume([1 << 62, 1 << 62, 0]), 0);
        assert_eq!(volume([0, usize::MAX, 2]), 0);
        assert_eq!(volume([1 << 62, 1 << 62]), usize::MAX);
    }
}
