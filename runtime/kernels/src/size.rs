//! Products and parts of sizes.

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

/// The start of part `i`, if this many elements are divided into parts that differ by at most one in length.
pub(crate) fn part_start(len: usize, parts: usize, i: usize) -> usize {
    i * (len / parts) + i.min(len % parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_equal_as_possible() {
        let starts =
            |len, parts| (0..=parts).map(|i| part_start(len, parts, i)).collect::<Vec<_>>();
        assert_eq!(starts(10, 1), [0, 10]);
        assert_eq!(starts(10, 4), [0, 3, 6, 8, 10]);
        assert_eq!(starts(usize::MAX, 2), [0, usize::MAX / 2 + 1, usize::MAX]);
    }

    #[test]
    fn a_zero_beats_any_size() {
        assert_eq!(volume([]), 1);
        assert_eq!(volume([2, 3]), 6);
        assert_eq!(volume([1 << 62, 1 << 62, 0]), 0);
        assert_eq!(volume([0, usize::MAX, 2]), 0);
        assert_eq!(volume([1 << 62, 1 << 62]), usize::MAX);
    }
}
