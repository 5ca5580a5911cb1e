//! The sizes of transforms.

use smallvec::SmallVec;

use crate::array::Array;
use crate::ops::args::check::DataKind;
use crate::ops::{MaybeStatic, StaticValue};
use crate::types::{Result, err};

/// The size of each axis of a transform. As a graph's input it is int32.
///
/// Made from arrays and vectors of sizes, or an int32 tensor.
pub type Lengths = MaybeStatic<LengthList>;

/// Sizes of axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LengthList(pub SmallVec<[i64; 4]>);

impl StaticValue for LengthList {
    const KIND: DataKind = DataKind::Integers;

    fn to_array(&self) -> Result<Array> {
        let small = self.0.iter().map(|n| i32::try_from(*n));
        let small = small.collect::<std::result::Result<SmallVec<[i32; 4]>, _>>();
        let small = small.map_err(|_| err!("the sizes {:?} do not fit int32", self.0))?;
        Array::from_slice([small.len()], &small)
    }

    fn from_array(array: &Array) -> Result<Self> {
        array.to_i64s().map(Self)
    }
}

impl<const N: usize> From<[i64; N]> for Lengths {
    fn from(sizes: [i64; N]) -> Self {
        Lengths::Known(LengthList(sizes.into_iter().collect()))
    }
}

impl From<Vec<i64>> for Lengths {
    fn from(sizes: Vec<i64>) -> Self {
        Lengths::Known(LengthList(sizes.into_iter().collect()))
    }
}
