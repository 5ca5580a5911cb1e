//! Nested lists of Rust and ragged tensors.

use extype::array::Element;
use extype::prelude::*;

use crate::{RaggedTensor, RowPartition};

impl RaggedTensor {
    /// From nested lists, with a ragged axis for each level below the first.
    ///
    /// # Errors
    /// `InvalidArgument` if the list is not nested.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![vec![1, 2], vec![]], vec![vec![3]], vec![]])?;
    /// assert_eq!((r.ragged_rank(), r.to_string().as_str()), (2, "[[[1, 2], []], [[3]], []]"));
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_rows<N: Nested>(rows: &[N]) -> Result<Self> {
        if N::DEPTH == 0 {
            return Err(Error::invalid("rows are lists; a flat list makes a plain tensor"));
        }
        let mut levels: Vec<Vec<i64>> = vec![vec![0]; N::DEPTH];
        let mut flat = Vec::new();
        for row in rows {
            row.collect_into(&mut levels, &mut flat);
        }
        let splits = levels.into_iter().map(|s| RowPartition::trusted(Tensor::from_vec(s)));
        Self::new(Tensor::from_vec(flat), splits.collect())
    }
}

/// Nested lists of numbers: what [`RaggedTensor::from_rows`] takes.
pub trait Nested {
    /// The numbers.
    type Item: Element;
    /// How many lists are around each number.
    const DEPTH: usize;

    /// Adds the numbers, and the ends of the rows at each level, outermost first.
    fn collect_into(&self, levels: &mut [Vec<i64>], flat: &mut Vec<Self::Item>);
}

macro_rules! numbers {
    ($($t:ty),*) => {
        $(impl Nested for $t {
            type Item = $t;
            const DEPTH: usize = 0;

            fn collect_into(&self, _: &mut [Vec<i64>], flat: &mut Vec<$t>) {
                flat.push(*self);
            }
        })*
    };
}
numbers!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

impl<N: Nested> Nested for Vec<N> {
    type Item = N::Item;
    const DEPTH: usize = N::DEPTH + 1;

    fn collect_into(&self, levels: &mut [Vec<i64>], flat: &mut Vec<N::Item>) {
        let Some((level, below)) = levels.split_first_mut() else { return };
        for item in self {
            item.collect_into(below, flat);
        }
        let end = level.last().copied().unwrap_or(0);
        level.push(end + self.len() as i64);
    }
}
