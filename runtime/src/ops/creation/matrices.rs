//! Matrices made of numbers and of parts of matrices.

use crate::compounds;
use crate::ops::args::{DiagonalAlign, Ellipsis};
use crate::ops::creation::arrays::{check_numbers, ones};
use crate::ops::methods::*;
use crate::ops::options::{Columns, Exclusive, Offset, Sets, Square, TakesInteger, chosen, sets};
use crate::ops::protocol::compound::is_stand_in;
use crate::ops::{
    add, count_to, equal, greater_equal, less_equal, select, shape_of, size, stack, where_indices,
};
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail};

/// True where the diagonal of a place of a matrix, its column minus its row, passes the test against `diagonal`.
fn passing(rows: &Tensor, columns: &Tensor, diagonal: i64, test: Test) -> Result<Tensor> {
    // Far from what counts in memory, and from the ends of the integers.
    let diagonal = diagonal.clamp(i64::MIN / 2, i64::MAX / 2);
    test(&count_to(columns)?, &add(count_to(rows)?, diagonal)?.expand_dims(1)?)
}

fn size_of(n: usize) -> Result<Tensor> {
    match i64::try_from(n) {
        Ok(n) => Ok(Tensor::scalar(n)),
        Err(_) => bail!(ResourceExhausted, "a matrix with a side of {n}"),
    }
}

type Test = fn(&Tensor, &Tensor) -> Result<Tensor>;

/// True where the diagonal of a place passes the test against `diagonal`.
fn mask(rows: usize, columns: usize, diagonal: i64, test: Test) -> Result<Tensor> {
    passing(&size_of(rows)?, &size_of(columns)?, diagonal, test)
}

fn square(rows: usize, options: &Square, test: Test) -> Result<Tensor> {
    check_numbers(options.dtype)?;
    let columns = options.columns.unwrap_or(rows);
    let one = mask(rows, columns, options.diagonal, test)?.cast(options.dtype)?;
    match &options.batch[..] {
        [] => Ok(one),
        batch => one.broadcast_to([batch, &[rows, columns]].concat()),
    }
}

/// Makes an identity matrix, or another matrix with ones on one diagonal.
///
/// NumPy: `eye`, `identity`; TensorFlow: `tf.eye`. Options: `ops::Columns(n)` where it is not square, an
/// integer for another diagonal (above the main one if positive), a dtype (float32), `BatchShape`
/// for a stack of them.
///
/// # Errors
/// `InvalidArgument` for a dtype without numbers, `ResourceExhausted` for too large a size.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::eye(2, ..)?.as_slice::<f32>()?, &[1.0, 0.0, 0.0, 1.0]);
/// assert_eq!(ops::eye(2, (1, ops::Columns(3), i32))?.as_slice::<i32>()?, &[0, 1, 0, 0, 0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "identity")]
#[track_caller]
pub fn eye(rows: usize, options: impl Sets<Square>) -> Result<Tensor> {
    let _site = call_site!();
    let options: Square = chosen(options)?;
    let columns = options.columns.unwrap_or(rows);
    let side = |n: usize| i32::try_from(n).ok().filter(|n| *n > 0);
    let (Some(height), Some(width), Ok(k)) =
        (side(rows), side(columns), i32::try_from(options.diagonal))
    else {
        return square(rows, &options, |places, k| equal(places, k));
    };
    // As many ones as the diagonal has places; without any, it is no diagonal of the matrix.
    let length =
        (i64::from(height) + i64::from(k.min(0))).min(i64::from(width) - i64::from(k.max(0)));
    if length <= 0 {
        return square(rows, &options, |places, k| equal(places, k));
    }
    check_numbers(options.dtype)?;
    let one = ones([&options.batch[..], &[length as usize]].concat(), options.dtype)?;
    let zero = Tensor::scalar(0i32).cast(options.dtype)?;
    one.matrix_diag(&zero, k, height, width, DiagonalAlign::default())
}

/// Makes a matrix with ones on and below a diagonal, and zeros above.
///
/// NumPy: `tri`. Options as of [`eye`].
///
/// # Errors
/// As [`eye`].
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::tri(2, i32)?.as_slice::<i32>()?, &[1, 0, 1, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn tri(rows: usize, options: impl Sets<Square>) -> Result<Tensor> {
    let _site = call_site!();
    square(rows, &chosen(options)?, |places, k| less_equal(places, k))
}

/// The rows and the columns of the places whose diagonal passes the test.
fn places_of(rows: usize, options: Region, test: Test) -> Result<(Tensor, Tensor)> {
    let columns = options.columns.unwrap_or(rows);
    let found = where_indices(mask(rows, columns, options.diagonal, test)?)?;
    Ok((found.index((.., 0))?, found.index((.., 1))?))
}

/// Returns the rows and the columns of the places in the lower triangle of a matrix, int64.
///
/// NumPy: `tril_indices`. Options: a diagonal (above the main one if positive), `ops::Columns(n)` where the
/// matrix is not square.
///
/// # Errors
/// `ResourceExhausted` for too large a size.
///
/// ```
/// use extype::prelude::*;
/// let (rows, columns) = ops::tril_indices(2, ..)?;
/// assert_eq!(rows.as_slice::<i64>()?, &[0, 1, 1]);
/// assert_eq!(columns.as_slice::<i64>()?, &[0, 0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn tril_indices(rows: usize, options: impl Sets<Region>) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    places_of(rows, chosen(options)?, |places, k| less_equal(places, k))
}

/// Returns the rows and the columns of the places in the upper triangle of a matrix, int64.
///
/// NumPy: `triu_indices`. Options as of [`tril_indices`].
///
/// # Errors
/// As [`tril_indices`].
///
/// ```
/// use extype::prelude::*;
/// let (rows, columns) = ops::triu_indices(2, 1)?;
/// assert_eq!((rows.as_slice::<i64>()?, columns.as_slice::<i64>()?), (&[0][..], &[1][..]));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn triu_indices(rows: usize, options: impl Sets<Region>) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    places_of(rows, chosen(options)?, |places, k| greater_equal(places, k))
}

/// Returns the rows and the columns of the places on a diagonal of a matrix, int64.
///
/// NumPy: `diag_indices`, of a matrix. Options as of [`tril_indices`].
///
/// # Errors
/// As [`tril_indices`].
///
/// ```
/// use extype::prelude::*;
/// let (rows, columns) = ops::diag_indices(2, ..)?;
/// assert_eq!(rows.as_slice::<i64>()?, columns.as_slice::<i64>()?);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn diag_indices(rows: usize, options: impl Sets<Region>) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    places_of(rows, chosen(options)?, |places, k| equal(places, k))
}

/// `x` where the diagonal of a place passes the test, zero elsewhere.
fn part(x: &Tensor, k: i64, test: Test) -> Result<Tensor> {
    let Some(rank @ 2..) = x.rank() else {
        bail!("a matrix, or a stack of them, is wanted, not {}", x.tensor_type())
    };
    let sizes = shape_of(x)?;
    let passing = passing(&sizes.index(rank as i64 - 2)?, &sizes.index(rank as i64 - 1)?, k, test)?;
    select(passing, x, x.zeros_like()?)
}

compounds! {
    /// Methods: triangles and diagonals of matrices, powers as columns.
    methods of MatricesMethods;

    /// Keeps the elements of matrices on and below a diagonal, with zeros above.
    ///
    /// NumPy: `tril`. The result has the same shape `[…, m, n]`. Option: a diagonal (above the main
    /// one if positive).
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].tril(..)?.as_slice::<i32>()?, &[1, 0, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn tril(x => options: impl Sets<Offset> as Offset) -> Tensor {
        match (options.diagonal, x.rank()) {
            (0, Some(2..)) if !is_stand_in(x) => x.matrix_band_part(-1, 0),
            (k, _) => part(x, k, |places, k| less_equal(places, k)),
        }
    }

    /// Keeps the elements of matrices on and above a diagonal, with zeros below.
    ///
    /// NumPy: `triu`. As [`tril`].
    ///
    /// # Errors
    /// As [`tril`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].triu(1)?.as_slice::<i32>()?, &[0, 2, 0, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn triu(x => options: impl Sets<Offset> as Offset) -> Tensor {
        match (options.diagonal, x.rank()) {
            (0, Some(2..)) if !is_stand_in(x) => x.matrix_band_part(0, -1),
            (k, _) => part(x, k, |places, k| greater_equal(places, k)),
        }
    }

    /// Returns the diagonal of a matrix, or for a vector the matrix with it on its diagonal.
    ///
    /// NumPy: `diag`, `diagonal`. Option: a diagonal (above the main one if positive); one beyond the
    /// matrix is empty. A stack of matrices gives their diagonals.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].diag(..)?.as_slice::<i32>()?, &[1, 4]);
    /// assert_eq!(tensor![[1, 2], [3, 4]].diag(1)?.as_slice::<i32>()?, &[2]);
    /// assert_eq!(tensor![1, 2].diag(..)?.as_slice::<i32>()?, &[1, 0, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn diag(x => options: impl Sets<Offset> as Offset) -> Tensor {
        let padding = Tensor::scalar(0i32).cast(x.dtype())?;
        let k = i32::try_from(options.diagonal)
            .map_err(|_| crate::types::err!("there is no diagonal {}", options.diagonal))?;
        match x.rank() {
            Some(1) => x.matrix_diag(&padding, k, -1, -1, DiagonalAlign::default()),
            // Diagonal `k` is the main diagonal of the columns from `k` on, or of the rows from
            // `-k` on.
            Some(2..) if k >= 0 => {
                let right = x.index((Ellipsis, i64::from(k)..))?;
                right.matrix_diag_part(&padding, 0, DiagonalAlign::default())
            }
            Some(2..) => {
                let below = x.index((Ellipsis, -i64::from(k).., ..))?;
                below.matrix_diag_part(&padding, 0, DiagonalAlign::default())
            }
            _ => bail!("a vector or a matrix is wanted, not {}", x.tensor_type()),
        }
    }

    /// Makes the matrix with all elements of a tensor, as one row, on its diagonal.
    ///
    /// NumPy: `diagflat`. Option: a diagonal (above the main one if positive).
    ///
    /// # Errors
    /// `InvalidArgument` for a dtype that is no number.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2]].diagflat(..)?.as_slice::<i32>()?, &[1, 0, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn diagflat(x => options: impl Sets<Offset> as Offset) -> Tensor {
        x.reshape([-1])?.diag(options)
    }

    /// Makes a matrix of the powers of a vector as columns, the highest first.
    ///
    /// NumPy: `vander`. Numbers; the result is `[n, columns]`. Options: `ops::Columns(k)`, as many as
    /// elements if not given; [`Increasing`] for the highest power last.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank than 1.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![2.0f32, 3.0].vander(ops::Columns(3))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[4.0, 2.0, 1.0, 9.0, 3.0, 1.0]);
    /// let y = tensor![2, 3].vander(ops::Increasing)?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 1, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn vander(x => options: impl Sets<Powers> as Powers) -> Tensor {
        if x.rank() != Some(1) {
            bail!("a vector is wanted, not {}", x.tensor_type());
        }
        let columns = match options.columns {
            Some(n) => size_of(n)?,
            None => size(x)?,
        };
        // Running products instead of powers, so that integers stay integers.
        let all = x.expand_dims(1)?.broadcast_to(&stack(&[&size(x)?, &columns], 0)?)?;
        let powers = all.cumprod((1, Exclusive))?;
        if options.increasing { Ok(powers) } else { powers.reverse([1]) }
    }
}

/// Options of places of a matrix: [`Columns`](crate::ops::options::Columns), a diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// How many columns, as many as rows if not given.
    pub columns: Option<usize>,
    /// The diagonal, above the main one if positive.
    pub diagonal: i64,
}

impl TakesInteger for Region {
    fn set_integer(&mut self, n: i64) {
        self.diagonal = n;
    }
}

/// Options of [`vander`]: [`Columns`](crate::ops::options::Columns), [`Increasing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Powers {
    /// How many powers, as many as elements if not given.
    pub columns: Option<usize>,
    /// True for the highest power last.
    pub increasing: bool,
}

/// Puts the highest power last.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor![2].vander((ops::Columns(3), ops::Increasing))?.as_slice::<i32>()?, &[1, 2, 4]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Increasing;

sets! {
    Columns => Powers |o, Columns(n)| o.columns = Some(n);
    Increasing => Powers |o, _| o.increasing = true;
    Powers => Powers |o, all| *o = all;
    Columns => Region |o, Columns(n)| o.columns = Some(n);
    Region => Region |o, all| *o = all;
}

/// The options' default is the main diagonal of a square matrix of float32.
impl Default for Square {
    fn default() -> Self {
        Self { columns: None, diagonal: 0, dtype: DType::F32, batch: Vec::new() }
    }
}
