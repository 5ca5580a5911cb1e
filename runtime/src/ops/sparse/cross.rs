//! Crosses of features: all combinations of the values that several columns have in a row, joined as text or hashed.
//!
//! The columns are sparse matrices, dense ones, or ragged ones. They come in one list of tensors, because their numbers
//! and dtypes differ: for sparse columns all indices, then all values, then all sizes; then the dense matrices.

use std::borrow::Cow;
use std::ops::Range;

use super::coo::{Rows, vector};
use crate::array::{Array, vec_for};
use crate::define_op;
use crate::ir::{AttrKey, InferContext, KernelContext, Outputs, Types};
use crate::ops;
use crate::ops::strings::bytes::farm_hash;
use crate::types::{DType, Result, Shape, TensorType, bail, err};

define_op! {
    /// The crosses of sparse and dense columns: text joined by `_X_`, or hashes that begin with `hash_key`.
    ///
    /// TensorFlow: `SparseCross`. `N` sparse matrices, and any number of dense ones, of int64 or strings; text is made of
    /// strings alone. The hashes are below `num_buckets`, if that is not zero.
    pub op SparseCross = "SparseCross" {
        inputs: { columns: (T) },
        outputs: { output_indices: {I64}, output_values: out_type, output_shape: {I64} },
        attrs: {
            n as "N": i64, hashed_output: bool = false, num_buckets: i64 = 0, hash_key: i64 = 0,
            out_type: DType = DType::String, internal_type: DType = DType::String
        },
        dispatch: none,
        infer: infer_cross, kernel: cross,
        gradient: none,
    }

    /// The crosses of sparse and dense columns as text, joined by a separator.
    ///
    /// TensorFlow: `SparseCrossV2`. As [`SparseCross`], of int64 or strings.
    pub op SparseCrossV2 = "SparseCrossV2" {
        inputs: { columns: (T), sep: {String} },
        outputs: { output_indices: {I64}, output_values: {String}, output_shape: {I64} },
        attrs: { n as "N": i64 },
        dispatch: none,
        infer: infer_joined, kernel: joined,
        gradient: none,
    }

    /// The hashes of crosses of sparse and dense columns, by FarmHash, or by SipHash with the salt as its key.
    ///
    /// TensorFlow: `SparseCrossHashed`. As [`SparseCross`]; the hash of an integer is that of its lower four bytes.
    pub op SparseCrossHashed = "SparseCrossHashed" {
        inputs: { columns: (T), num_buckets: {I64}, strong_hash: {Bool}, salt: {I64} },
        outputs: { output_indices: {I64}, output_values: {I64}, output_shape: {I64} },
        attrs: { n as "N": i64 },
        dispatch: none,
        infer: infer_hashed, kernel: hashed,
        gradient: none,
    }

    /// The crosses of ragged, sparse and dense columns, as the rows of a ragged matrix: its values and where rows begin.
    ///
    /// TensorFlow: `RaggedCross`. The letters of `input_order`, `R`, `S` and `D`, name the kinds of the columns in the order
    /// in which they are joined. The tensors are the values of all ragged columns, where their rows begin, and then those of
    /// [`SparseCross`].
    pub op RaggedCross = "RaggedCross" {
        inputs: { columns: (T) }, outputs: { output_values: out_values_type, output_row_splits: out_row_splits_type },
        attrs: {
            input_order: String, hashed_output: bool, num_buckets: i64 = 0, hash_key: i64 = 0,
            out_values_type: DType, out_row_splits_type: DType
        },
        dispatch: none,
        infer: infer_ragged, kernel: ragged,
        gradient: none,
    }
}

/// How many columns of each kind there are, ragged, sparse and dense, among so many tensors.
struct Kinds {
    ragged: usize,
    sparse: usize,
    dense: usize,
}

impl Kinds {
    /// `N` sparse columns before so many other inputs, and dense ones.
    fn of(c: &InferContext<'_>, n: i64, others: usize) -> Result<Self> {
        let tensors = c.inputs.len() - others;
        let sparse = usize::try_from(n).map_err(|_| err!("`N` = {n} is negative"))?;
        match sparse.checked_mul(3).and_then(|used| tensors.checked_sub(used)) {
            Some(dense) => Self { ragged: 0, sparse, dense }.checked(c),
            None => {
                bail!("{sparse} sparse columns are 3 tensors each; there are {tensors} tensors")
            }
        }
    }

    /// The places of the first and the second tensor of ragged columns, and of the three of sparse ones, and the first
    /// dense one.
    fn starts(&self) -> [usize; 6] {
        let (r, s) = (self.ragged, self.sparse);
        [0, r, 2 * r, 2 * r + s, 2 * r + 2 * s, 2 * r + 3 * s]
    }

    /// Checks the types of all columns.
    fn checked(self, c: &InferContext<'_>) -> Result<Self> {
        let [values, splits, indices, of_sparse, sizes, dense] = self.starts();
        let has = |i: usize, dtypes: &[DType], rank: usize, what: &str| {
            let (found, shape) = (c.input(i).dtype, c.shape(i));
            if !dtypes.contains(&found) || shape.rank().is_some_and(|r| r != rank) {
                bail!("{what} of a column are of rank {rank} and {dtypes:?}, not {}", c.input(i));
            }
            Ok(())
        };
        let features = [DType::I64, DType::String];
        for i in 0..self.ragged {
            has(values + i, &features, 1, "the values")?;
            has(splits + i, &[DType::I32, DType::I64], 1, "the ends of rows")?;
        }
        for i in 0..self.sparse {
            has(indices + i, &[DType::I64], 2, "the indices")?;
            has(of_sparse + i, &features, 1, "the values")?;
            has(sizes + i, &[DType::I64], 1, "the sizes")?;
            let (at, of) = (c.shape(indices + i), c.shape(of_sparse + i));
            let two: Shape = of.concatenate(&crate::shape![2]);
            if !at.is_compatible_with(&two)
                || !c.shape(sizes + i).is_compatible_with(&crate::shape![2])
            {
                bail!("values of shape {of} at indices of shape {at}: sparse columns are matrices");
            }
        }
        (0..self.dense).try_for_each(|i| has(dense + i, &features, 2, "the elements"))?;
        Ok(self)
    }

    /// The columns of inputs that inference has accepted, ragged, sparse, dense, and the number of their rows.
    fn columns<'a>(&self, c: &KernelContext<'a>) -> Result<(Vec<Column<'a>>, usize)> {
        let [values, splits, indices, of_sparse, sizes, dense] = self.starts();
        let mut columns = Vec::new();
        for i in 0..self.ragged {
            let ends = c.input(splits + i).to_i64s()?;
            let column = c.input(values + i);
            if ends.first() != Some(&0)
                || !ends.is_sorted()
                || ends.last() != Some(&(column.len() as i64))
            {
                bail!(
                    "rows begin with 0, ascend and end with the number of values, {}; not {ends:?}",
                    column.len()
                );
            }
            let ends = ends.into_iter().map(|end| end as usize).collect();
            columns.push(Column::new(column, Places::Ends(ends))?);
        }
        for i in 0..self.sparse {
            let rows = c.input(sizes + i).as_slice::<i64>()?[0];
            let rows = usize::try_from(rows).map_err(|_| err!("the size {rows} is negative"))?;
            let groups = groups(c.input(indices + i).as_slice()?, rows);
            columns.push(Column::new(c.input(of_sparse + i), Places::Groups(rows, groups))?);
        }
        for i in 0..self.dense {
            let x = c.input(dense + i);
            columns.push(Column::new(x, Places::Even(x.dims()[0], x.dims()[1]))?);
        }
        let rows = columns.first().map_or(0, Column::rows);
        match columns.iter().find(|column| column.rows() != rows) {
            Some(other) => bail!("columns of {rows} and of {} rows", other.rows()),
            None => Ok((columns, rows)),
        }
    }
}

/// The rows of a sparse matrix that have values, and where the values are. As in TensorFlow, values are left out from the
/// first row number on that is smaller than the one before it, or outside the matrix. Memory grows with the values, not
/// with the rows.
fn groups(indices: &[i64], rows: usize) -> Vec<(usize, Range<usize>)> {
    let mut groups: Vec<(usize, Range<usize>)> = Vec::new();
    for (i, at) in indices.chunks_exact(2).enumerate() {
        let Some(row) = usize::try_from(at[0]).ok().filter(|row| *row < rows) else { break };
        match groups.last_mut() {
            Some((last, places)) if *last == row => places.end = i + 1,
            Some((last, _)) if *last > row => break,
            _ => groups.push((row, i..i + 1)),
        }
    }
    groups
}

/// The values of a column, and where those of each row are.
struct Column<'a> {
    values: Values<'a>,
    places: Places,
}

enum Places {
    /// So many rows of so many values.
    Even(usize, usize),
    /// Where each row begins, and the last one ends.
    Ends(Vec<usize>),
    /// Of so many rows those with values.
    Groups(usize, Vec<(usize, Range<usize>)>),
}

#[derive(Clone, Copy)]
enum Values<'a> {
    Text(&'a [Vec<u8>]),
    Integers(&'a [i64]),
}

impl<'a> Column<'a> {
    fn new(values: &'a Array, places: Places) -> Result<Self> {
        let values = match values.dtype() {
            DType::String => Values::Text(values.as_strings()?),
            _ => Values::Integers(values.as_slice()?),
        };
        Ok(Self { values, places })
    }

    fn rows(&self) -> usize {
        match &self.places {
            Places::Even(rows, _) | Places::Groups(rows, _) => *rows,
            Places::Ends(ends) => ends.len().saturating_sub(1),
        }
    }

    fn row(&self, row: usize) -> Range<usize> {
        match &self.places {
            Places::Even(_, n) => row * n..(row + 1) * n,
            Places::Ends(ends) => ends[row]..ends[row + 1],
            Places::Groups(_, groups) => groups
                .binary_search_by_key(&row, |(row, _)| *row)
                .map_or(0..0, |i| groups[i].1.clone()),
        }
    }

    fn text(&self, i: usize) -> Cow<'a, [u8]> {
        match self.values {
            Values::Text(text) => Cow::Borrowed(&text[i]),
            Values::Integers(x) => Cow::Owned(x[i].to_string().into_bytes()),
        }
    }

    /// The fingerprint of a text, and an integer as it is.
    fn fingerprint(&self, i: usize) -> u64 {
        match self.values {
            Values::Text(text) => farm_hash(&text[i]),
            Values::Integers(x) => x[i] as u64,
        }
    }

    /// The hash of a text, and of the lower four bytes of an integer.
    fn hash(&self, i: usize, hash: impl Fn(&[u8]) -> u64) -> u64 {
        match self.values {
            Values::Text(text) => hash(&text[i]),
            Values::Integers(x) => hash(&x[i].to_le_bytes()[..4]),
        }
    }
}

/// FarmHash's way to join two fingerprints.
fn joined_hash(a: u64, b: u64) -> u64 {
    const MUL: u64 = 0xc6a4_a793_5bd1_e995;
    let mixed = |x: u64| x ^ (x >> 47);
    let x = (a ^ MUL ^ mixed(b.wrapping_mul(MUL)).wrapping_mul(MUL)).wrapping_mul(MUL);
    mixed(mixed(x).wrapping_mul(MUL))
}

/// A hash below the number of buckets, or below 2^63 - 1.
fn bucket(hash: u64, buckets: i64) -> i64 {
    let n = if buckets > 0 { buckets } else { i64::MAX };
    (hash % n as u64) as i64
}

/// Columns, and the crosses of them.
struct Crosses<'a> {
    columns: Vec<Column<'a>>,
    rows: usize,
    /// The rows that have crosses, and how many.
    counts: Vec<(usize, usize)>,
}

impl<'a> Crosses<'a> {
    fn new((columns, rows): (Vec<Column<'a>>, usize)) -> Result<Self> {
        let mut counts = Vec::new();
        let mut count = |row: usize| {
            let sizes = || columns.iter().map(|column| column.row(row).len());
            // A column without values has no crosses, however many the others have.
            if sizes().all(|n| n > 0) {
                let product = sizes().try_fold(1, usize::checked_mul);
                let product = product
                    .ok_or_else(|| err!(ResourceExhausted, "too many crosses in row {row}"))?;
                counts.push((row, product));
            }
            Ok(())
        };
        let sparse = columns.iter().find_map(|column| match &column.places {
            Places::Groups(_, groups) => Some(groups),
            _ => None,
        });
        match sparse {
            Some(groups) => groups.iter().try_for_each(|(row, _)| count(*row))?,
            None => (0..rows).try_for_each(count)?,
        }
        Ok(Self { columns, rows, counts })
    }

    /// One result for each cross: of the places of a value of each column.
    fn each<T>(&self, mut f: impl FnMut(&[usize]) -> T) -> Result<Vec<T>> {
        let all = self.counts.iter().try_fold(0usize, |sum, (_, n)| sum.checked_add(*n));
        let mut results = vec_for(all.ok_or_else(|| err!(ResourceExhausted, "too many crosses"))?)?;
        for (row, count) in &self.counts {
            let ranges = self.columns.iter().map(|column| column.row(*row));
            let ranges: Vec<Range<usize>> = ranges.collect();
            let mut places: Vec<usize> = ranges.iter().map(|range| range.start).collect();
            for _ in 0..*count {
                results.push(f(&places));
                // The last column changes first.
                for (place, range) in places.iter_mut().zip(&ranges).rev() {
                    *place += 1;
                    if *place < range.end {
                        break;
                    }
                    *place = range.start;
                }
            }
        }
        Ok(results)
    }

    /// The crosses as text.
    fn texts(&self, separator: &[u8]) -> Result<Array> {
        let texts = self.each(|places| {
            let parts = self.columns.iter().zip(places).map(|(column, i)| column.text(*i));
            parts.collect::<Vec<_>>().join(separator)
        })?;
        Array::from_strings([texts.len()], texts)
    }

    /// The crosses as hashes that begin with a key.
    fn chained(&self, key: i64, buckets: i64) -> Result<Array> {
        let hashes = self.each(|places| {
            let parts = self.columns.iter().zip(places).map(|(column, i)| column.fingerprint(*i));
            bucket(parts.fold(key as u64, joined_hash), buckets)
        });
        vector(&hashes?)
    }

    /// A sparse matrix with a row for each row of the columns.
    fn sparse(&self, values: Array) -> Result<Outputs> {
        let mut at = Rows::new(values.len(), 2)?;
        for (row, count) in &self.counts {
            (0..*count).for_each(|i| at.push([*row as i64, i as i64]));
        }
        let most = self.counts.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let sizes = vector(&[self.rows as i64, most as i64])?;
        Ok([at.done(values.len())?, values, sizes].into_iter().collect())
    }
}

fn sparse_types(values: DType) -> Types {
    let of = |dtype, shape| TensorType::new(dtype, shape);
    let indices = Shape::of_rank(1).concatenate(&crate::shape![2]);
    let types =
        [of(DType::I64, indices), of(values, Shape::of_rank(1)), of(DType::I64, crate::shape![2])];
    types.into_iter().collect()
}

/// The crosses of the columns before so many other inputs.
fn crosses<'a>(c: &KernelContext<'a>, n: AttrKey<i64>, others: usize) -> Result<Crosses<'a>> {
    let sparse = usize::try_from(c.get(n)?).unwrap_or(0);
    let dense = (c.inputs.len() - others).saturating_sub(3 * sparse);
    Crosses::new(Kinds { ragged: 0, sparse, dense }.columns(c)?)
}

/// Checks the number of buckets and the dtype of the crosses.
fn check_crosses(buckets: i64, hashed: bool, to: DType) -> Result<()> {
    if buckets < 0 {
        bail!("`num_buckets` = {buckets} is negative; 0 is no limit");
    }
    if to != if hashed { DType::I64 } else { DType::String } {
        bail!("crosses are int64 if hashed and strings otherwise, not {to}");
    }
    Ok(())
}

fn infer_cross(c: &InferContext<'_>) -> Result<Types> {
    let kinds = Kinds::of(c, c.get(SparseCross::N)?, 0)?;
    let (hashed, to) = (c.get(SparseCross::HASHED_OUTPUT)?, c.get(SparseCross::OUT_TYPE)?);
    check_crosses(c.get(SparseCross::NUM_BUCKETS)?, hashed, to)?;
    let internal = c.get(SparseCross::INTERNAL_TYPE)?;
    if !matches!(internal, DType::I64 | DType::String) {
        bail!("`internal_type` is int64 or string, not {internal}");
    }
    let [.., of_sparse, _, dense] = kinds.starts();
    let mut features =
        (0..kinds.sparse).map(|i| of_sparse + i).chain((0..kinds.dense).map(|i| dense + i));
    if internal == DType::String && features.any(|i| c.input(i).dtype != DType::String) {
        bail!("a column of int64 among those of `internal_type` string");
    }
    Ok(sparse_types(to))
}

fn cross(c: &KernelContext<'_>) -> Result<Outputs> {
    let crosses = crosses(c, SparseCross::N, 0)?;
    let values = match c.get(SparseCross::HASHED_OUTPUT)? {
        true => crosses.chained(c.get(SparseCross::HASH_KEY)?, c.get(SparseCross::NUM_BUCKETS)?)?,
        false => crosses.texts(b"_X_")?,
    };
    crosses.sparse(values)
}

fn infer_joined(c: &InferContext<'_>) -> Result<Types> {
    Kinds::of(c, c.get(SparseCrossV2::N)?, 1)?;
    c.shape(c.inputs.len() - 1).with_rank(0).map_err(|e| e.prefixed("`sep`"))?;
    Ok(sparse_types(DType::String))
}

fn joined(c: &KernelContext<'_>) -> Result<Outputs> {
    let crosses = crosses(c, SparseCrossV2::N, 1)?;
    let separator = c.input(c.inputs.len() - 1).as_strings()?;
    crosses.sparse(crosses.texts(&separator[0])?)
}

fn infer_hashed(c: &InferContext<'_>) -> Result<Types> {
    Kinds::of(c, c.get(SparseCrossHashed::N)?, 3)?;
    let last = c.inputs.len() - 3;
    c.shape(last).with_rank(0).map_err(|e| e.prefixed("`num_buckets`"))?;
    c.shape(last + 1).with_rank(0).map_err(|e| e.prefixed("`strong_hash`"))?;
    if !c.shape(last + 2).is_compatible_with(&crate::shape![2]) {
        bail!("the salt is two numbers, not of shape {}", c.shape(last + 2));
    }
    Ok(sparse_types(DType::I64))
}

fn hashed(c: &KernelContext<'_>) -> Result<Outputs> {
    let crosses = crosses(c, SparseCrossHashed::N, 3)?;
    let last = c.inputs.len() - 3;
    let buckets = c.input(last).as_slice::<i64>()?[0];
    let (strong, salt) =
        (c.input(last + 1).as_slice::<bool>()?[0], c.input(last + 2).as_slice::<i64>()?);
    let keyed = siphasher::sip::SipHasher24::new_with_keys(salt[0] as u64, salt[1] as u64);
    let hash = |text: &[u8]| if strong { keyed.hash(text) } else { farm_hash(text) };
    let of = |places: &[usize]| {
        let parts = crosses.columns.iter().zip(places).map(|(column, i)| column.hash(*i, hash));
        bucket(parts.reduce(joined_hash).unwrap_or(0), buckets)
    };
    crosses.sparse(vector(&crosses.each(of)?)?)
}

/// The kinds that letters name.
fn lettered(order: &str) -> Result<Kinds> {
    let count = |letter| order.bytes().filter(|c| *c == letter).count();
    let kinds = Kinds { ragged: count(b'R'), sparse: count(b'S'), dense: count(b'D') };
    if kinds.ragged + kinds.sparse + kinds.dense != order.len() {
        bail!("`input_order` has the letters R, S and D, not {order:?}");
    }
    Ok(kinds)
}

fn infer_ragged(c: &InferContext<'_>) -> Result<Types> {
    let order: String = c.get(RaggedCross::INPUT_ORDER)?;
    let kinds = lettered(&order)?;
    let [.., dense] = kinds.starts();
    if dense + kinds.dense != c.inputs.len() {
        bail!("{} tensors for the columns {order:?}", c.inputs.len());
    }
    kinds.checked(c)?;
    let (hashed, to) = (c.get(RaggedCross::HASHED_OUTPUT)?, c.get(RaggedCross::OUT_VALUES_TYPE)?);
    check_crosses(c.get(RaggedCross::NUM_BUCKETS)?, hashed, to)?;
    let splits = c.get(RaggedCross::OUT_ROW_SPLITS_TYPE)?;
    if !matches!(splits, DType::I32 | DType::I64) {
        bail!("the ends of rows are int32 or int64, not {splits}");
    }
    Ok([to, splits].into_iter().map(|dtype| TensorType::new(dtype, Shape::of_rank(1))).collect())
}

fn ragged(c: &KernelContext<'_>) -> Result<Outputs> {
    let order: String = c.get(RaggedCross::INPUT_ORDER)?;
    let kinds = lettered(&order)?;
    let mut next = [0, kinds.ragged, kinds.ragged + kinds.sparse];
    let (found, rows) = kinds.columns(c)?;
    let mut found: Vec<Option<Column<'_>>> = found.into_iter().map(Some).collect();
    // The columns in the order of the letters.
    let columns: Vec<Column<'_>> = order
        .bytes()
        .filter_map(|letter| {
            let at = &mut next[b"RSD".iter().position(|kind| *kind == letter)?];
            *at += 1;
            found[*at - 1].take()
        })
        .collect();
    let crosses = Crosses::new((columns, rows))?;
    let values = match c.get(RaggedCross::HASHED_OUTPUT)? {
        true => crosses.chained(c.get(RaggedCross::HASH_KEY)?, c.get(RaggedCross::NUM_BUCKETS)?)?,
        false => crosses.texts(b"_X_")?,
    };
    let mut splits: Vec<i64> = vec_for(rows.saturating_add(1))?;
    let mut end = 0;
    for (row, count) in &crosses.counts {
        splits.resize(row + 1, end);
        end += *count as i64;
    }
    splits.resize(rows + 1, end);
    let to = c.get(RaggedCross::OUT_ROW_SPLITS_TYPE)?;
    Ok([values, ops::ordering::kernel::indices([splits.len()], &splits, to)?].into_iter().collect())
}
