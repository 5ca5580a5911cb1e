//! Nested lists of Rust and ragged tensors.

use extype::prelude::*;

use crate::{RaggedTensor, RowPartition};

impl RaggedTensor {
    /// From nested lists, with a ragged axis for each level below the first.
    ///
    /// TensorFlow: `tf.ragged.constant`.
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
        Self::new(N::tensor(flat)?, splits.collect())
    }

    /// The rows as nested lists, one level for each axis behind the first.
    ///
    /// TensorFlow: `RaggedTensor.to_list`.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype, for another number of levels, and while tracing.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let rows = vec![vec![1, 2], vec![], vec![3]];
    /// let r = RaggedTensor::from_rows(&rows)?;
    /// assert_eq!(r.to_rows::<Vec<i32>>()?, rows);
    /// assert!(r.to_rows::<Vec<f32>>().is_err() && r.to_rows::<i32>().is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn to_rows<N: Nested>(&self) -> Result<Vec<N>> {
        self.validate()?;
        let flat = self.flat_values.value()?;
        let axes = self.ragged_rank() + flat.rank();
        if axes != N::DEPTH + 1 {
            return Err(Error::invalid(format!(
                "a tensor with {axes} axes is no list of lists of {} levels",
                N::DEPTH
            )));
        }
        let splits =
            self.partitions.iter().map(|rows| Ok(rows.splits().value()?.to_i64s()?.into_vec()));
        let mut levels = splits.collect::<Result<Vec<_>>>()?;
        // Uniform axes are levels of rows of one length.
        let mut rows = flat.dims().first().copied().unwrap_or(0);
        for length in flat.dims().iter().skip(1) {
            levels.push((0..=rows).map(|row| (row * length) as i64).collect());
            rows *= length;
        }
        let levels: Vec<&[i64]> = levels.iter().map(Vec::as_slice).collect();
        let count = levels.first().map_or(rows, |outer| outer.len().saturating_sub(1));
        let items = N::items(&self.flat_values.reshape([-1])?)?;
        Ok((0..count).map(|row| N::taken(&levels, &items, row)).collect())
    }
}

/// Nested lists of numbers, truth values or texts: what [`RaggedTensor::from_rows`] takes and
/// [`RaggedTensor::to_rows`] gives.
pub trait Nested: Sized {
    /// The numbers.
    type Item: Clone;
    /// How many lists are around each number.
    const DEPTH: usize;

    /// Adds the numbers, and the ends of the rows at each level, outermost first.
    fn collect_into(&self, levels: &mut [Vec<i64>], flat: &mut Vec<Self::Item>);

    /// Entry `at` of the level that the first splits divide.
    fn taken(levels: &[&[i64]], flat: &[Self::Item], at: usize) -> Self;

    /// A vector of these.
    ///
    /// # Errors
    /// None that is foreseen.
    fn tensor(flat: Vec<Self::Item>) -> Result<Tensor>;

    /// The elements of a vector.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype.
    fn items(x: &Tensor) -> Result<Vec<Self::Item>>;
}

macro_rules! items {
    ($($t:ty),*; $flat:ident => $tensor:expr, $x:ident => $items:expr) => {
        $(impl Nested for $t {
            type Item = $t;
            const DEPTH: usize = 0;

            fn collect_into(&self, _: &mut [Vec<i64>], flat: &mut Vec<$t>) {
                flat.push(self.clone());
            }

            fn taken(_: &[&[i64]], flat: &[$t], at: usize) -> Self {
                flat[at].clone()
            }

            fn tensor($flat: Vec<$t>) -> Result<Tensor> {
                $tensor
            }

            fn items($x: &Tensor) -> Result<Vec<$t>> {
                $items
            }
        })*
    };
}
items!(
    bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64;
    flat => Ok(Tensor::from_vec(flat)), x => x.to_vec()
);
items!(String; flat => Tensor::from_strings(&flat, &[flat.len()]), x => x.to_strings());

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

    fn taken(levels: &[&[i64]], flat: &[N::Item], at: usize) -> Self {
        let Some((splits, below)) = levels.split_first() else { return Vec::new() };
        // Splits were checked: they are not negative.
        (splits[at]..splits[at + 1]).map(|i| N::taken(below, flat, i as usize)).collect()
    }

    fn tensor(flat: Vec<N::Item>) -> Result<Tensor> {
        N::tensor(flat)
    }

    fn items(x: &Tensor) -> Result<Vec<N::Item>> {
        N::items(x)
    }
}
