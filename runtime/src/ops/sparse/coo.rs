//! Sparse tensors as kernels read them: the coordinates of values.

use crate::array::{Array, Dims, num_elements, vec_for};
use crate::ir::{KernelContext, Outputs, only};
use crate::ops::ordering::kernel::cast;
use crate::ops::rules::moves::{Gathered, moved};
use crate::types::{DType, Result, bail, err};

/// An array of indices as int64.
pub(super) fn wide(indices: &Array) -> Result<Array> {
    match indices.dtype() {
        DType::I64 => Ok(indices.clone()),
        _ => cast(indices, DType::I64),
    }
}

/// The coordinates of values, and the sizes of the tensor that they are in.
#[derive(Clone, Copy)]
pub(super) struct Coo<'a> {
    /// How many values there are.
    pub(super) n: usize,
    pub(super) rank: usize,
    pub(super) sizes: &'a [i64],
    at: &'a [i64],
}

impl<'a> Coo<'a> {
    /// Of coordinates `[n, rank]` and `rank` sizes, as inference has checked.
    pub(super) fn of(indices: &'a Array, sizes: &'a Array) -> Result<Self> {
        Ok(Self { sizes: sizes.as_slice()?, ..Self::without_sizes(indices)? })
    }

    /// Of coordinates in a tensor whose sizes don't matter.
    pub(super) fn without_sizes(indices: &'a Array) -> Result<Self> {
        let (n, rank) = (indices.dims()[0], indices.dims()[1]);
        // Coordinates without numbers take no memory, so there could be any number of them.
        if rank == 0 && n > 1 {
            bail!("{n} values of a sparse scalar; one at most is wanted");
        }
        Ok(Self { n, rank, sizes: &[], at: indices.as_slice()? })
    }

    /// Checks that the coordinates ascend without repetition.
    pub(super) fn ascending(&self) -> Result<()> {
        if let Some(i) = (1..self.n).find(|i| self.row(i - 1) >= self.row(*i)) {
            bail!("index {:?} at position {i} does not follow {:?}", self.row(i), self.row(i - 1));
        }
        Ok(())
    }

    /// The coordinates of value `i`.
    pub(super) fn row(&self, i: usize) -> &'a [i64] {
        &self.at[i * self.rank..][..self.rank]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &'a [i64]> {
        let coo = *self;
        (0..self.n).map(move |i| coo.row(i))
    }

    /// Checks that all values are within the tensor.
    pub(super) fn within(&self) -> Result<()> {
        for (i, at) in self.rows().enumerate() {
            if at.iter().zip(self.sizes).any(|(at, size)| *at < 0 || at >= size) {
                bail!("index {at:?} at position {i} is not in a tensor of sizes {:?}", self.sizes);
            }
        }
        Ok(())
    }

    /// The sizes of the dense tensor.
    pub(super) fn dims(&self, dtype: DType) -> Result<Dims> {
        dims(self.sizes, dtype)
    }

    /// The places of the values in the dense tensor, which they are checked to be in.
    pub(super) fn places(&self) -> Result<Vec<i64>> {
        self.within()?;
        num_elements(&self.dims(DType::U8)?, 1)?;
        let mut places = vec_for(self.n)?;
        places.extend(self.rows().map(|at| place(at, self.sizes)));
        Ok(places)
    }

    /// The values in the order of their coordinates, those with equal ones in the order in which they are.
    pub(super) fn order(&self) -> Result<Vec<i64>> {
        let mut order: Vec<i64> = vec_for(self.n)?;
        order.extend(0..self.n as i64);
        let row = |i: i64| self.row(i as usize);
        if !(1..self.n).all(|i| self.row(i - 1) <= self.row(i)) {
            order.sort_unstable_by(|a, b| row(*a).cmp(row(*b)).then(a.cmp(b)));
        }
        Ok(order)
    }
}

/// The place of these coordinates in a tensor of these sizes.
pub(super) fn place(at: &[i64], sizes: &[i64]) -> i64 {
    at.iter().zip(sizes).fold(0, |place, (at, size)| place * size + at)
}

/// Sizes as those of an array of a dtype.
pub(super) fn dims(sizes: &[i64], dtype: DType) -> Result<Dims> {
    let dim = |n: &i64| usize::try_from(*n).map_err(|_| err!("the size {n} is negative"));
    let dims = sizes.iter().map(dim).collect::<Result<Dims>>()?;
    num_elements(&dims, dtype.size().unwrap_or(size_of::<Vec<u8>>()))?;
    Ok(dims)
}

/// Coordinates `[n, rank]` that are made one after the other.
pub(super) struct Rows {
    all: Vec<i64>,
    rank: usize,
}

impl Rows {
    pub(super) fn new(n: usize, rank: usize) -> Result<Self> {
        let len = n.checked_mul(rank).ok_or_else(|| err!(ResourceExhausted, "{n} indices"))?;
        Ok(Self { all: vec_for(len)?, rank })
    }

    /// Adds coordinates, of which there must not be more than asked for.
    pub(super) fn push(&mut self, at: impl IntoIterator<Item = i64>) {
        self.all.extend(at);
    }

    pub(super) fn done(self, n: usize) -> Result<Array> {
        Array::from_slice([n, self.rank], &self.all)
    }
}

/// A vector of int64.
pub(super) fn vector(items: &[i64]) -> Result<Array> {
    Array::from_slice([items.len()], items)
}

/// The values with these numbers.
pub(super) fn picked(c: &KernelContext<'_>, values: &Array, order: &[i64]) -> Result<Array> {
    let rows = Gathered { batch: 1, extents: [1, values.len(), 1], indices: order };
    only(moved(c, &[values], [order.len()], &rows)?)
}

/// The coordinates and the values with these numbers.
pub(super) fn picked_both(
    c: &KernelContext<'_>,
    coo: Coo<'_>,
    values: &Array,
    order: &[i64],
) -> Result<Outputs> {
    let mut rows = Rows::new(order.len(), coo.rank)?;
    order.iter().for_each(|i| rows.push(coo.row(*i as usize).iter().copied()));
    Ok([rows.done(order.len())?, picked(c, values, order)?].into_iter().collect())
}
