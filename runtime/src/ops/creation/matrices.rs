//! Matrices made of numbers and of parts of matrices.

use crate::ops::creation::arrays::check_numbers;
use crate::ops::options::{Offset, Sets, Square, functions, options};
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::{DType, Result, bail};

/// True where the column less the row meets the test, for so many rows and columns.
fn diagonals(rows: &Tensor, columns: &Tensor) -> Result<Tensor> {
    sub(count_to(columns)?, count_to(rows)?.expand_dims(1)?)
}

fn size_of(n: usize) -> Result<Tensor> {
    match i64::try_from(n) {
        Ok(n) => Ok(Tensor::scalar(n)),
        Err(_) => bail!(ResourceExhausted, "a matrix with a side of {n}"),
    }
}

fn square(rows: usize, o: &Square, test: fn(&Tensor, &Tensor) -> Result<Tensor>) -> Result<Tensor> {
    check_numbers(o.dtype)?;
    let columns = o.columns.unwrap_or(rows);
    let places = diagonals(&size_of(rows)?, &size_of(columns)?)?;
    let one = test(&places, &Tensor::scalar(o.diagonal))?.cast(o.dtype)?;
    match &o.batch[..] {
        [] => Ok(one),
        batch => one.broadcast_to([batch, &[rows, columns]].concat()),
    }
}

/// The identity matrix, or another one with ones on a diagonal.
///
/// NumPy: `eye`, `identity`; TensorFlow: `tf.eye`. Options: `Columns(n)` where it is not square, an
/// integer for another diagonal (above the main one if positive), a dtype (float32), `BatchShape`
/// for a stack of them.
///
/// # Errors
/// `InvalidArgument` for a dtype without numbers, `ResourceExhausted` for too large a size.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::eye(2, ..)?.as_slice::<f32>()?, &[1.0, 0.0, 0.0, 1.0]);
/// assert_eq!(ops::eye(2, (1, Columns(3), i32))?.as_slice::<i32>()?, &[0, 1, 0, 0, 0, 1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn eye(rows: usize, o: impl Sets<Square>) -> Result<Tensor> {
    let _site = call_site!();
    square(rows, &options(o)?, |places, k| equal(places, k))
}

/// Ones on and below a diagonal, zeros above.
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
pub fn tri(rows: usize, o: impl Sets<Square>) -> Result<Tensor> {
    let _site = call_site!();
    square(rows, &options(o)?, |places, k| less_equal(places, k))
}

/// `x` where the diagonal of a place meets the test, zero elsewhere.
fn part(x: &Tensor, k: i64, test: fn(&Tensor, &Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let Some(rank @ 2..) = x.rank() else {
        bail!("a matrix, or a stack of them, is wanted, not {}", x.tensor_type())
    };
    let sizes = shape_of(x)?;
    let places = diagonals(&sizes.index(rank as i64 - 2)?, &sizes.index(rank as i64 - 1)?)?;
    select(test(&places, &Tensor::scalar(k))?, x, x.zeros_like()?)
}

functions! {
    /// The lower triangle of matrices: what is on and below a diagonal, zeros above.
    ///
    /// NumPy: `tril`. `[…, m, n]`, which the result has. Option: a diagonal (above the main one if
    /// positive).
    ///
    /// # Errors
    /// `InvalidArgument` for a rank below 2.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].tril(..)?.as_slice::<i32>()?, &[1, 0, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn tril(x => o: Offset) -> Tensor {
        part(x, o.diagonal, |places, k| less_equal(places, k))
    }

    /// The upper triangle of matrices: what is on and above a diagonal, zeros below.
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
    fn triu(x => o: Offset) -> Tensor {
        part(x, o.diagonal, |places, k| greater_equal(places, k))
    }

    /// The diagonal of a matrix, or the matrix with a vector on its diagonal.
    ///
    /// NumPy: `diag`, `diagonal`. Option: a diagonal (above the main one if positive). For a stack
    /// of matrices their diagonals.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar, and a diagonal that the matrix has not.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].diag(..)?.as_slice::<i32>()?, &[1, 4]);
    /// assert_eq!(tensor![[1, 2], [3, 4]].diag(1)?.as_slice::<i32>()?, &[2]);
    /// assert_eq!(tensor![1, 2].diag(..)?.as_slice::<i32>()?, &[1, 0, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "diagonal")]
    fn diag(x => o: Offset) -> Tensor {
        let padding = Tensor::scalar(0i32).cast(x.dtype())?;
        let k = i32::try_from(o.diagonal)
            .map_err(|_| crate::types::err!("there is no diagonal {}", o.diagonal))?;
        match x.rank() {
            Some(1) => x.matrix_diag(&padding, k, -1, -1, DiagonalAlign::default()),
            Some(2..) => x.matrix_diag_part(&padding, k, DiagonalAlign::default()),
            _ => bail!("a vector or a matrix is wanted, not {}", x.tensor_type()),
        }
    }

    /// The matrix with all elements, as one row, on its diagonal.
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
    fn diagflat(x => o: Offset) -> Tensor {
        x.reshape([-1])?.diag(o)
    }

    /// The powers of a vector as columns, the highest first.
    ///
    /// NumPy: `vander`. Numbers; the result is `[n, columns]`. Option: `Columns(k)`, as many as
    /// elements if not given.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank than 1.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor![2.0f32, 3.0].vander(Columns(3))?;
    /// assert_eq!(y.as_slice::<f32>()?, &[4.0, 2.0, 1.0, 9.0, 3.0, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    fn vander(x => o: Square) -> Tensor {
        if x.rank() != Some(1) {
            bail!("a vector is wanted, not {}", x.tensor_type());
        }
        let columns = match o.columns {
            Some(n) => size_of(n)?,
            None => size(x)?,
        };
        // Products, not powers: integers stay what they are.
        let first = x.ones_like()?.expand_dims(1)?;
        let others = x.expand_dims(1)?.broadcast_to(&stack(&[&size(x)?, &sub(columns, 1)?], 0)?)?;
        concat(&[&first, &others], 1)?.cumprod(1)?.reverse([1])
    }
}

/// The options' default is the main diagonal of a square matrix of float32.
impl Default for Square {
    fn default() -> Self {
        Self { columns: None, diagonal: 0, dtype: DType::F32, batch: Vec::new() }
    }
}
