//! Correspondences between two axes, such as that of letters and words, or of words and speakers.
//!
//! An [`Alignment`] holds which places of one axis belong to which of another: many to many. It carries numbers across
//! ([`sum`](Alignment::sum), [`mean`](Alignment::mean), [`max`](Alignment::max)), back
//! ([`inverse`](Alignment::inverse)), and further along another alignment ([`then`](Alignment::then)).
//!
//! ```
//! use extype::prelude::*;
//! use extype_alignment::Alignment;
//!
//! // Five words, of which speaker 0 says the first, the second and the last.
//! let speakers = Alignment::of_groups([0i64, 0, 1, 1, 0], 2)?;
//! let lengths = tensor![2.0f32, 4.0, 5.0, 7.0, 9.0];
//! assert_eq!(speakers.mean(&lengths)?.as_slice::<f32>()?, &[5.0, 6.0]);
//! // What is known of speakers, for each word.
//! let age = tensor![30i64, 50];
//! assert_eq!(speakers.inverse()?.sum(&age)?.as_slice::<i64>()?, &[30, 30, 50, 50, 30]);
//! # Ok::<(), Error>(())
//! ```

use std::fmt;

use extype::prelude::*;

/// Which places of a first axis belong to which places of a second one.
///
/// The numbers of places are data: a trace serves any, with unknown sizes.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "alignment.Alignment", validate)]
pub struct Alignment {
    /// Pairs of places that belong together, of the first axis and of the second: int64 `[n, 2]`, none twice.
    #[extension_type(dtype = i64, shape = [?, 2])]
    pub pairs: Tensor,
    /// The size of the first axis: an int64 scalar.
    #[extension_type(dtype = i64, shape = [])]
    pub first: Tensor,
    /// The size of the second axis: an int64 scalar.
    #[extension_type(dtype = i64, shape = [])]
    pub second: Tensor,
}

impl Validate for Alignment {
    /// What a trace does not know yet passes.
    fn validate(&self) -> Result<()> {
        let (Ok(pairs), Ok(first), Ok(second)) =
            (self.pairs.as_slice::<i64>(), self.first.item::<i64>(), self.second.item::<i64>())
        else {
            return Ok(());
        };
        if first < 0 || second < 0 {
            return Err(Error::invalid(format!("axes of {first} and {second} places")));
        }
        let (pairs, _) = pairs.as_chunks::<2>();
        let outside =
            |at: &&[i64; 2]| !(0..first).contains(&at[0]) || !(0..second).contains(&at[1]);
        if let Some((i, [a, b])) = pairs.iter().enumerate().find(|(_, at)| outside(at)) {
            return Err(Error::invalid(format!(
                "pair {i} is of places {a} and {b}, but the axes have {first} and {second}"
            )));
        }
        if pairs.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        match sorted.windows(2).find(|two| two[0] == two[1]) {
            Some([[a, b], _]) => {
                Err(Error::invalid(format!("the pair of places {a} and {b} is told twice")))
            }
            _ => Ok(()),
        }
    }
}

/// Integers of any dtype as int64.
fn integers(x: &Tensor, what: &str) -> Result<Tensor> {
    match x.dtype().is_integer() {
        true => x.cast(DType::I64),
        false => Err(Error::invalid(format!("{what} of {}; integers are wanted", x.dtype()))),
    }
}

impl Alignment {
    /// Of things in groups: place `i` of the first axis belongs to the group `groups[i]`, of so many. Groups are integers
    /// `[n]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes and ranks, and a group that is not there.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_alignment::Alignment;
    /// let a = Alignment::of_groups([0, 1, 0], 2)?;
    /// assert_eq!(a.counts()?.as_slice::<i64>()?, &[2, 1]);
    /// assert!(Alignment::of_groups([0, 2], 2).is_err() && Alignment::of_groups([0.5], 2).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn of_groups(groups: impl TensorLike, count: impl TensorLike) -> Result<Self> {
        let groups = integers(&groups.to_tensor()?, "groups")?;
        let _ = groups.shape().with_rank(1).map_err(|e| e.prefixed("the groups"))?;
        let n = ops::size(&groups)?.cast(DType::I64)?;
        let at = ops::range(0i64, &n, 1i64)?;
        let count = integers(&count.to_tensor()?, "a number of groups")?;
        Self::new(ops::stack(&[&at, &groups], 1)?, n, count)
    }

    /// Of two lists of spans over one text, such as those of two tokenizers: spans that overlap belong together. Spans
    /// are integers `[n, 2]`, begin and end, in order and without overlaps in one list. An empty span belongs to none.
    ///
    /// # Errors
    /// `InvalidArgument` for other shapes and dtypes, and spans that are out of order; it names the span.
    ///
    /// ```
    /// use extype_alignment::Alignment;
    /// // "a" "bcd" "e", and "ab" "cde".
    /// let a = Alignment::of_spans([[0i64, 1], [1, 4], [4, 5]], [[0i64, 2], [2, 5]])?;
    /// assert_eq!(a.pairs.as_slice::<i64>()?, &[0, 0, 1, 0, 1, 1, 2, 1]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn of_spans(first: impl TensorLike, second: impl TensorLike) -> Result<Self> {
        let first = spans(&first.to_tensor()?).map_err(|e| e.prefixed("the first spans"))?;
        let second = spans(&second.to_tensor()?).map_err(|e| e.prefixed("the second spans"))?;
        let [begins, stops] = [first.index((.., 0))?, first.index((.., 1))?];
        let [other_begins, other_stops] = [second.index((.., 0))?, second.index((.., 1))?];
        // The first span that ends behind the begin, and those that begin before the end.
        let from = other_stops.searchsorted(&begins, (ops::Side::Right, i64))?;
        let to = other_begins.searchsorted(&stops, i64)?;
        let [own, place] = expanded(&from, &ops::maximum(&ops::sub(&to, &from)?, 0i64)?)?;
        let pairs = ops::stack(&[&own, &place], 1)?;
        // Of empty spans, and those around them, nothing overlaps.
        let begin = ops::maximum(begins.gather(&own, 0)?, other_begins.gather(&place, 0)?)?;
        let end = ops::minimum(stops.gather(&own, 0)?, other_stops.gather(&place, 0)?)?;
        let pairs = pairs.boolean_mask(ops::less(&begin, &end)?, 0)?;
        let count = |spans: &Tensor| ops::shape_of(spans)?.cast(DType::I64)?.gather(0, 0);
        Self::new(pairs, count(&first)?, count(&second)?)
    }

    /// The axes exchanged.
    ///
    /// # Errors
    /// None of its own.
    pub fn inverse(&self) -> Result<Self> {
        let pairs = self.pairs.reverse([1])?;
        Ok(Self { pairs, first: self.second.clone(), second: self.first.clone() })
    }

    /// From the first axis of this to the second of another: places belong together if some place between belongs to
    /// both.
    ///
    /// # Errors
    /// `InvalidArgument` if the axis between has two sizes.
    ///
    /// ```
    /// use extype_alignment::Alignment;
    /// let words_of_letters = Alignment::of_groups([0i64, 0, 1, 1, 2], 3)?;
    /// let speakers_of_words = Alignment::of_groups([0i64, 1, 0], 2)?;
    /// let speakers_of_letters = words_of_letters.then(&speakers_of_words)?;
    /// assert_eq!(speakers_of_letters.pairs.as_slice::<i64>()?, &[0, 0, 1, 0, 2, 1, 3, 1, 4, 0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn then(&self, other: &Self) -> Result<Self> {
        if let (Ok(a), Ok(b)) = (self.second.item::<i64>(), other.first.item::<i64>())
            && a != b
        {
            return Err(Error::invalid(format!("an alignment to {a} places, then one of {b}")));
        }
        if let (Ok(a), Ok(b)) = (self.first.item::<i64>(), other.second.item::<i64>())
            && a.checked_mul(b).is_none()
        {
            return Err(Error::invalid(format!("{a} times {b} places have no int64 numbers")));
        }
        let column = |pairs: &Tensor, i: i64| pairs.index((.., i));
        let order = column(&other.pairs, 0)?.argsort(0)?;
        let there = other.pairs.gather(&order, 0)?;
        let (between, wanted) = (column(&there, 0)?, column(&self.pairs, 1)?);
        let from = between.searchsorted(&wanted, i64)?;
        let counts = ops::sub(&between.searchsorted(&wanted, (ops::Side::Right, i64))?, &from)?;
        let [own, place] = expanded(&from, &counts)?;
        let own = column(&self.pairs, 0)?.gather(&own, 0)?;
        let place = column(&there, 1)?.gather(&place, 0)?;
        // Each pair once, in order.
        let numbers = ops::add(&ops::mul(&own, &other.second)?, &place)?;
        let (numbers, _) = numbers.gather(&numbers.argsort(0)?, 0)?.unique()?;
        let pairs = [numbers.floor_div(&other.second)?, numbers.floor_mod(&other.second)?];
        let pairs = ops::stack(&[&pairs[0], &pairs[1]], 1)?;
        Ok(Self { pairs, first: self.first.clone(), second: other.second.clone() })
    }

    /// For each place of the second axis, the sum of the rows of `x`, `[first, …]`, that belong to it; zero for none.
    ///
    /// # Errors
    /// `InvalidArgument` if there are fewer rows than places.
    #[track_caller]
    pub fn sum(&self, x: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_sum(&self.rows(x)?, &self.pairs.index((.., 1))?, &self.second)
    }

    /// As [`sum`](Self::sum), the mean.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    #[track_caller]
    pub fn mean(&self, x: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_mean(&self.rows(x)?, &self.pairs.index((.., 1))?, &self.second)
    }

    /// As [`sum`](Self::sum), the greatest; the lowest number of the dtype for none.
    ///
    /// # Errors
    /// As [`sum`](Self::sum).
    #[track_caller]
    pub fn max(&self, x: &Tensor) -> Result<Tensor> {
        ops::unsorted_segment_max(&self.rows(x)?, &self.pairs.index((.., 1))?, &self.second)
    }

    /// How many places of the first axis belong to each of the second: int64 `[second]`.
    ///
    /// # Errors
    /// None of its own.
    pub fn counts(&self) -> Result<Tensor> {
        let at = self.pairs.index((.., 1))?;
        ops::unsorted_segment_sum(at.ones_like()?, &at, &self.second)
    }

    fn rows(&self, x: &Tensor) -> Result<Tensor> {
        let (rows, n) = (x.shape().with_rank_at_least(1)?.dim(0)?.size(), self.first.item::<i64>());
        if let (Some(rows), Ok(n)) = (rows, n)
            && rows as i64 != n
        {
            return Err(Error::invalid(format!("{rows} rows for an axis of {n} places")));
        }
        x.gather(&self.pairs.index((.., 0))?, 0)
    }
}

/// Spans as int64 `[n, 2]`, in order.
fn spans(x: &Tensor) -> Result<Tensor> {
    let spans = integers(x, "spans")?;
    spans.shape().assert_compatible(&shape![?, 2])?;
    let Ok(ends) = spans.as_slice::<i64>() else { return Ok(spans) };
    let mut before = i64::MIN;
    for (i, span) in ends.as_chunks::<2>().0.iter().enumerate() {
        if span[0] < before || span[1] < span[0] {
            let [begin, end] = span;
            return Err(Error::invalid(format!(
                "span {i} goes from {begin} to {end}: spans are in order, without overlaps"
            )));
        }
        before = span[1];
    }
    Ok(spans)
}

/// The numbers `from[i] .. from[i] + counts[i]` of all `i`, and the `i` of each.
fn expanded(from: &Tensor, counts: &Tensor) -> Result<[Tensor; 2]> {
    let at = ops::range(0i64, ops::size(counts)?.cast(DType::I64)?, 1i64)?;
    let owner = at.repeat(counts, 0)?;
    let before = ops::sub(&counts.cumsum(0)?, counts)?;
    let number = ops::range(0i64, ops::size(&owner)?.cast(DType::I64)?, 1i64)?;
    let place =
        ops::add(&ops::sub(&number, &before.gather(&owner, 0)?)?, &from.gather(&owner, 0)?)?;
    Ok([owner, place])
}

impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.pairs.shape().dim(0).unwrap_or(Dim::UNKNOWN);
        write!(f, "{n} pairs of {} and {} places", self.first, self.second)
    }
}
