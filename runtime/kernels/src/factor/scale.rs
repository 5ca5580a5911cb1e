//! Powers of two that bring a matrix near 1 before it is factorized, and its factors back. Without them products of
//! numbers around 1e-310 or 1e300 are lost, and so are the reciprocals of denormal ones. A power of two causes no
//! rounding.

use faer::Mat;

use super::Wide;

/// Numbers between `2^-SAFE` and `2^SAFE` are not scaled: values computed from a few of them stay in range.
const SAFE: i32 = 400;

/// The largest exponent; `None` if all numbers are zero, or one is not finite.
fn largest<W: Wide>(mut numbers: impl Iterator<Item = W>) -> Option<i32> {
    numbers.try_fold(None, |most: Option<i32>, x| x.is_finite().then(|| most.max(x.exponent())))?
}

fn elements<W: Wide>(a: &Mat<W>) -> impl Iterator<Item = W> {
    (0..a.ncols()).flat_map(move |j| (0..a.nrows()).map(move |i| a[(i, j)]))
}

/// The matrix times a power of two with which it can be eliminated, and the exponent of the power. Small elements
/// beside large ones are kept.
pub(super) fn for_elimination<W: Wide>(a: Mat<W>) -> (Mat<W>, i32) {
    let scale = match largest(elements(&a)) {
        Some(e) if e < -SAFE => -e,
        Some(e) if e > 1000 => -30,
        _ => return (a, 0),
    };
    (by(&a, |_, _| scale), scale)
}

/// True if an element is not between `2^-SAFE` and `2^SAFE`; zeros, infinities and NaN don't count.
pub(super) fn has_extremes<W: Wide>(a: &Mat<W>) -> bool {
    elements(a).any(|x| x.exponent().is_some_and(|e| e.abs() > SAFE))
}

/// The matrix times the power of two that makes its largest element near 1, and the exponent of the power. The exponent
/// is 0 if the element is of an ordinary size.
pub(super) fn whole<W: Wide>(a: Mat<W>) -> (Mat<W>, i32) {
    match largest(elements(&a)) {
        Some(e) if e.abs() > SAFE => (by(&a, |_, _| -e), -e),
        _ => (a, 0),
    }
}

/// The matrix with an exponent added to each element.
pub(super) fn by<W: Wide>(a: &Mat<W>, exponent: impl Fn(usize, usize) -> i32) -> Mat<W> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[(i, j)].scaled(exponent(i, j)))
}

/// Exponents for the rows and for the columns of a matrix.
pub(super) struct Scales {
    pub(super) rows: Vec<i32>,
    pub(super) columns: Vec<i32>,
}

impl Scales {
    /// The exponents that make the largest element of every row, and then of every column, near 1. They are zero if all
    /// elements are of ordinary sizes, or if one is not finite.
    pub(super) fn of<W: Wide>(a: &Mat<W>) -> Self {
        let (m, n) = (a.nrows(), a.ncols());
        let mut scales = Self { rows: vec![0; m], columns: vec![0; n] };
        if !has_extremes(a) || !elements(a).all(Wide::is_finite) {
            return scales;
        }
        for i in 0..m {
            scales.rows[i] = -largest((0..n).map(|j| a[(i, j)])).unwrap_or(0);
        }
        for j in 0..n {
            let column = (0..m).map(|i| a[(i, j)].scaled(scales.rows[i]));
            scales.columns[j] = -largest(column).unwrap_or(0);
        }
        scales
    }

    /// Exponents for the columns alone.
    pub(super) fn of_columns<W: Wide>(a: &Mat<W>) -> Vec<i32> {
        let column = |j: usize| largest((0..a.nrows()).map(|i| a[(i, j)])).unwrap_or(0);
        let exponents: Vec<i32> = (0..a.ncols()).map(column).collect();
        match exponents.iter().any(|e| e.abs() > SAFE) {
            true => exponents.into_iter().map(|e| -e).collect(),
            false => vec![0; a.ncols()],
        }
    }

    pub(super) fn apply<W: Wide>(&self, a: Mat<W>) -> Mat<W> {
        match self.rows.iter().chain(&self.columns).all(|e| *e == 0) {
            true => a,
            false => by(&a, |i, j| self.rows[i] + self.columns[j]),
        }
    }

    /// The right sides of a system whose matrix was scaled, and an extra exponent for each column. It is nonzero only
    /// where the column would be out of range otherwise.
    pub(super) fn apply_right<W: Wide>(&self, b: Mat<W>) -> (Mat<W>, Vec<i32>) {
        /// The largest exponent of a right side.
        const MOST: i32 = 900;
        let fits = |j: usize| {
            let exponents =
                (0..b.nrows()).filter_map(|i| Some(b[(i, j)].exponent()? + self.rows[i]));
            MOST.min(exponents.max().map_or(0, |e| MOST - e)).min(0)
        };
        if self.rows.iter().all(|e| *e == 0) {
            let columns = b.ncols();
            return (b, vec![0; columns]);
        }
        let further: Vec<i32> = (0..b.ncols()).map(fits).collect();
        (by(&b, |i, j| self.rows[i] + further[j]), further)
    }

    /// The sum of all exponents, by which the determinant is scaled.
    pub(super) fn total(&self) -> i32 {
        self.rows.iter().chain(&self.columns).sum()
    }
}
