//! Which diagonals of a matrix.

use super::check::DataKind;
use super::integers::{int32s, saturated};
use super::{Integer, MaybeStatic, StaticValue};
use crate::array::Array;
use crate::types::{Result, bail};

/// One diagonal of a matrix, or all from the lowest to the highest: 0 is the main diagonal,
/// positive ones lie above it. As a graph's input it is int32.
///
/// Made from an integer, a pair `[lowest, highest]`, or an int32 tensor.
pub type Diagonals = MaybeStatic<DiagonalRange>;

/// How many rows, columns or diagonals; a negative number means as many as there are, or as
/// are needed.
pub type Extent = Integer;

/// Diagonals from the lowest to the highest, which may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagonalRange {
    /// The first.
    pub lowest: i64,
    /// The last; if it is below the first, ops refuse the range.
    pub highest: i64,
}

impl StaticValue for DiagonalRange {
    const KIND: DataKind = DataKind::Integers;

    fn to_array(&self) -> Result<Array> {
        let Self { lowest, highest } = *self;
        if lowest == highest { int32s(&[lowest]) } else { int32s(&[lowest, highest]) }
    }

    fn from_array(array: &Array) -> Result<Self> {
        match array.to_i64s()?[..] {
            [k] => Ok(Self { lowest: k, highest: k }),
            [lowest, highest] => Ok(Self { lowest, highest }),
            _ => bail!(
                "diagonals are one number or the lowest and the highest, not {}",
                array.tensor_type()
            ),
        }
    }
}

macro_rules! diagonals_from {
    ($($t:ty),*) => {
        $(impl From<$t> for Diagonals {
            fn from(k: $t) -> Self {
                Diagonals::from([k, k])
            }
        }

        impl From<[$t; 2]> for Diagonals {
            fn from([lowest, highest]: [$t; 2]) -> Self {
                let (lowest, highest) = (saturated(lowest), saturated(highest));
                Diagonals::Known(DiagonalRange { lowest, highest })
            }
        })*
    };
}
diagonals_from!(i32, i64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::StaticInput;
    use crate::tensor::Tensor;

    #[test]
    fn diagonals_are_one_number_or_two() {
        for (k, written) in [(Diagonals::from(-1), &[-1][..]), (Diagonals::from([0, 2]), &[0, 2])] {
            let input = k.to_input(&Tensor::scalar(0f32)).unwrap();
            assert_eq!(input.as_slice::<i32>().unwrap(), written);
            assert_eq!(Diagonals::from_input(Some(&input)).unwrap(), k);
        }
        assert_eq!(Diagonals::from(&Tensor::scalar(1i32)), Diagonals::from([1i64, 1]));
        let e = Diagonals::from_input(Some(&Tensor::from_vec(vec![1, 2, 3]))).unwrap_err();
        assert!(e.to_string().contains("the lowest and the highest"), "{e}");
        let e = Diagonals::from([0, i64::MIN]).to_input(&Tensor::scalar(0f32)).unwrap_err();
        assert!(e.to_string().contains("-9223372036854775808 does not fit int32"), "{e}");
    }
}
