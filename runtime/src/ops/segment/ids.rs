//! Indices as kernels read them: int32 or int64, block by block, without a copy.

use extype_kernels::order::{ascends, extremes};

use crate::array::Array;
use crate::types::{DType, Result, bail};

/// Integers of int32 or int64.
#[derive(Clone, Copy)]
pub(in crate::ops) enum Ids<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
}

impl<'a> Ids<'a> {
    pub(in crate::ops) fn of(array: &'a Array) -> Result<Self> {
        match array.dtype() {
            DType::I32 => Ok(Ids::Narrow(array.as_slice()?)),
            _ => Ok(Ids::Wide(array.as_slice()?)),
        }
    }

    pub(in crate::ops) fn len(self) -> usize {
        match self {
            Ids::Narrow(ids) => ids.len(),
            Ids::Wide(ids) => ids.len(),
        }
    }

    /// Integer `i`.
    pub(in crate::ops) fn at(self, i: usize) -> i64 {
        match self {
            Ids::Narrow(ids) => ids[i].into(),
            Ids::Wide(ids) => ids[i],
        }
    }

    /// Copies the integers from `start` on.
    pub(in crate::ops) fn fill(self, start: usize, out: &mut [i64]) {
        match self {
            Ids::Narrow(ids) => {
                out.iter_mut().zip(&ids[start..]).for_each(|(out, id)| *out = (*id).into());
            }
            Ids::Wide(ids) => out.copy_from_slice(&ids[start..start + out.len()]),
        }
    }

    /// The least and the largest; zero and -1 if there are none.
    pub(in crate::ops) fn bounds(self) -> (i64, i64) {
        fn of<T: Copy + Ord + Into<i64>>(ids: &[T]) -> (i64, i64) {
            extremes(ids).map_or((0, -1), |(least, most)| (least.into(), most.into()))
        }
        match self {
            Ids::Narrow(ids) => of(ids),
            Ids::Wide(ids) => of(ids),
        }
    }

    pub(in crate::ops) fn is_sorted(self) -> bool {
        match self {
            Ids::Narrow(ids) => ascends(ids),
            Ids::Wide(ids) => ascends(ids),
        }
    }

    /// Checks that each is at least `least` and less than `limit`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the first that is not.
    pub(in crate::ops) fn within(self, what: &str, least: i64, limit: usize) -> Result<()> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let (low, high) = self.bounds();
        if self.len() == 0 || (low >= least && high < limit) {
            return Ok(());
        }
        let bad = |i: &usize| self.at(*i) < least || self.at(*i) >= limit;
        let i = (0..self.len()).find(bad).unwrap_or_default();
        match self.at(i) {
            id if id < 0 && limit == i64::MAX => bail!("{what} {id} at position {i} is negative"),
            id => bail!("{what} {id} at position {i} is not in [0, {limit})"),
        }
    }
}
