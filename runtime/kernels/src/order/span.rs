//! The extremes of integers, and whether they ascend: one pass on vectors.

use crate::par::simd;

/// The least and the greatest; none if there are no elements.
pub fn extremes<T: Copy + Ord>(x: &[T]) -> Option<(T, T)> {
    let first = *x.first()?;
    Some(simd(
        #[inline(always)]
        || {
            let (mut least, mut most) = (first, first);
            for x in x {
                (least, most) = (least.min(*x), most.max(*x));
            }
            (least, most)
        },
    ))
}

/// Whether no element is below the one before it.
pub fn ascends<T: Copy + Ord>(x: &[T]) -> bool {
    /// Elements that are compared before the answer is looked at.
    const BLOCK: usize = 512;
    simd(
        #[inline(always)]
        || {
            (0..x.len()).step_by(BLOCK).all(|from| {
                let block = &x[from..x.len().min(from + BLOCK + 1)];
                block.iter().zip(&block[1..]).fold(true, |all, (a, b)| all & (a <= b))
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_and_order_of_any_length() {
        assert_eq!(extremes::<i32>(&[]), None);
        assert_eq!(extremes(&[i64::MAX, 3, i64::MIN]), Some((i64::MIN, i64::MAX)));
        assert!(ascends::<i64>(&[]) && ascends(&[7]) && ascends(&[i32::MIN, i32::MAX, i32::MAX]));
        for len in [2, 511, 512, 513, 514, 1024, 1025, 3000] {
            let mut x: Vec<i64> = (0..len).collect();
            assert!(ascends(&x) && extremes(&x) == Some((0, len - 1)));
            for at in [1, len as usize / 2, len as usize - 1] {
                x[at] -= 2;
                assert!(!ascends(&x), "{len} {at}");
                x[at] += 2;
            }
        }
    }
}
