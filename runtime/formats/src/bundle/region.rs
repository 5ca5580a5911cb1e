//! Parts of tensors.

use std::fmt::{self, Debug};

use crate::proto::TensorSliceProto;

/// A part of a tensor.
pub(super) struct Region {
    starts: Vec<usize>,
    pub(super) sizes: Vec<usize>,
}

impl Region {
    pub(super) fn of(slice: &TensorSliceProto, shape: &[usize]) -> Option<Self> {
        let (mut starts, mut sizes) = (Vec::new(), Vec::new());
        if slice.extent.len() != shape.len() {
            return None;
        }
        for (extent, size) in slice.extent.iter().zip(shape) {
            let (start, length) = match extent.length {
                Some(length) => (extent.start.try_into().ok()?, length.try_into().ok()?),
                None => (0, *size),
            };
            if length > size.checked_sub(start)? {
                return None;
            }
            starts.push(start);
            sizes.push(length);
        }
        Some(Self { starts, sizes })
    }

    /// Whether some element is in both.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let ranges = |r: &Self, i: usize| (r.starts[i], r.starts[i] + r.sizes[i]);
        (0..self.starts.len()).all(|i| {
            let (a, b) = (ranges(self, i), ranges(other, i));
            a.0.max(b.0) < a.1.min(b.1)
        })
    }

    /// Puts the elements of the part where they stand in the whole.
    pub(super) fn put(&self, part: &[u8], width: usize, shape: &[usize], whole: &mut [u8]) {
        // The last axes of which the part has all are one row with the axis before them.
        let rank = shape.len();
        let inner = (0..rank).rev().take_while(|i| self.sizes[*i] == shape[*i]).count();
        let outer = (rank - inner).saturating_sub(1);
        let row = self.sizes[outer..].iter().product::<usize>() * width;
        if row == 0 || part.is_empty() {
            return;
        }
        let mut at = vec![0; outer];
        for bytes in part.chunks_exact(row) {
            let place = |at: &[usize], i: usize| self.starts[i] + at.get(i).copied().unwrap_or(0);
            let offset = (0..rank).fold(0, |offset, i| offset * shape[i] + place(&at, i)) * width;
            whole[offset..offset + row].copy_from_slice(bytes);
            for i in (0..outer).rev() {
                at[i] += 1;
                if at[i] < self.sizes[i] {
                    break;
                }
                at[i] = 0;
            }
        }
    }
}

impl Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.starts.iter().zip(&self.sizes).map(|(start, size)| *start..start + size))
            .finish()
    }
}
