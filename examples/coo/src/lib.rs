//! Sparse matrices of coordinates, as the guide makes them.
//!
//! ```
//! use extype::prelude::*;
//! use extype_coo::CooMatrix;
//!
//! let m = CooMatrix::new([[0i64, 1], [2, 0]], [5.0f32, 7.0], 3, 2)?;
//! assert_eq!(ops::matmul(&m, &tensor![[1.0f32], [2.0]])?.as_slice::<f32>()?, &[10.0, 0.0, 7.0]);
//! assert_eq!((&m + &m).to_dense()?.as_slice::<f32>()?, &[0.0, 10.0, 0.0, 0.0, 14.0, 0.0]);
//! # Ok::<(), Error>(())
//! ```

use std::fmt;

use extype::prelude::*;

pub mod neighbours;

/// A matrix of which only some places are stored: their coordinates, and what is there.
///
/// Two values for one place add up. The numbers of rows and columns are static data: part of the
/// type, so that a traced function knows them.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "coo.CooMatrix", validate)]
pub struct CooMatrix {
    /// The row and the column of each value: int64 `[n, 2]`.
    #[extension_type(dtype = i64, shape = [?, 2])]
    pub indices: Tensor,
    /// The values: `[n]`, of a dtype that can be added.
    #[extension_type(shape = [?])]
    pub values: Tensor,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
}

impl Validate for CooMatrix {
    /// Each value has a place within the matrix. Coordinates that a trace does not know yet pass.
    fn validate(&self) -> Result<()> {
        let (places, values) = (self.indices.shape().dim(0)?, self.values.shape().dim(0)?);
        if !places.is_compatible_with(values) {
            return Err(Error::invalid(format!("{places} places, but {values} values")));
        }
        let Ok(indices) = self.indices.as_slice::<i64>() else { return Ok(()) };
        let within = |at: i64, size: usize| usize::try_from(at).is_ok_and(|at| at < size);
        for (i, at) in indices.chunks_exact(2).enumerate() {
            if !within(at[0], self.rows) || !within(at[1], self.columns) {
                return Err(Error::invalid(format!(
                    "value {i} is at {at:?}, outside of a matrix of {} rows and {} columns",
                    self.rows, self.columns
                )));
            }
        }
        Ok(())
    }
}

#[dispatch]
impl CooMatrix {
    /// The values of both: what is at one place adds up by itself.
    #[overrides(add)]
    fn add(x: &Self, y: &Self) -> Result<Self> {
        if (x.rows, x.columns) != (y.rows, y.columns) {
            let [x, y] = [x, y].map(|m| format!("[{}, {}]", m.rows, m.columns));
            return Err(Error::invalid(format!("sparse matrices of sizes {x} and {y}")));
        }
        let indices = ops::concat(&[&x.indices, &y.indices], 0)?;
        Ok(Self { indices, values: ops::concat(&[&x.values, &y.values], 0)?, ..x.clone() })
    }

    #[overrides(neg)]
    fn neg(x: &Self) -> Result<Self> {
        Ok(Self { values: ops::neg(&x.values)?, ..x.clone() })
    }

    /// By a number, on either side.
    #[overrides(mul, with = Tensor)]
    fn mul(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (matrix, number) = match operands {
            Pair::Left(x, y) | Pair::Right(y, x) => (x, y),
            Pair::Both(..) => {
                let text = "two sparse matrices element by element: make one of them dense";
                return Err(Error::new(ErrorKind::Unimplemented, text));
            }
        };
        number.shape().with_rank(0).map_err(|e| e.prefixed("a sparse matrix times a number"))?;
        Ok(Self { values: ops::mul(&matrix.values, number)?, ..matrix.clone() })
    }

    /// With a dense matrix; the result is dense.
    #[overrides(matmul)]
    fn matmul(x: &Self, y: &Tensor, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
        let x = if transpose_a { x.transposed()? } else { x.clone() };
        let y = if transpose_b { y.transpose([1, 0])? } else { y.clone() };
        let size = y.shape().with_rank(2)?.dim(0)?;
        if !size.is_compatible_with(Dim::from(Some(x.columns))) {
            let (rows, columns) = (x.rows, x.columns);
            let text = format!("[{rows}, {columns}] × {} ({columns} ≠ {size})", y.shape());
            return Err(Error::invalid(format!("inner dimensions differ: {text}")));
        }
        let rows_of_y = y.gather(&x.coordinates(1)?, 0)?;
        let parts = ops::mul(x.values.expand_dims(1)?, &rows_of_y)?;
        ops::unsorted_segment_sum(&parts, &x.coordinates(0)?, scalar(x.rows as i64))
    }

    #[overrides(transpose)]
    fn transpose(x: &Self, perm: &ops::Integers) -> Result<Self> {
        match perm.known().as_deref() {
            Some([1, 0]) => x.transposed(),
            Some([0, 1]) => Ok(x.clone()),
            _ => Err(Error::invalid("the axes of a sparse matrix are permuted by [1, 0]")),
        }
    }

    /// Of all values, of each row (axis 1) or of each column (axis 0); the result is dense.
    #[overrides(reduce_sum)]
    fn reduce_sum(x: &Self, axes: &Axes, keep_dims: bool) -> Result<Tensor> {
        let axes = match axes {
            Axes::List(axes) => axes.known(),
            Axes::All => Some([0, 1].into_iter().collect()),
        };
        let sum_to = |axis: usize, size: usize| {
            let at = x.coordinates(axis as i64)?;
            let sums = ops::unsorted_segment_sum(&x.values, &at, scalar(size as i64))?;
            if keep_dims { sums.expand_dims(1 - axis as i64) } else { Ok(sums) }
        };
        match axes.as_deref() {
            Some([0, 1] | [1, 0] | [-2, -1] | [-1, -2]) => {
                let sum = x.values.reduce_sum(.., false)?;
                if keep_dims { sum.reshape([1, 1]) } else { Ok(sum) }
            }
            Some([1] | [-1]) => sum_to(0, x.rows),
            Some([0] | [-2]) => sum_to(1, x.columns),
            _ => Err(Error::invalid("the axes of a sparse matrix are 0 and 1")),
        }
    }
}

impl CooMatrix {
    /// The places of a dense matrix that are not zero.
    ///
    /// # Errors
    /// `InvalidArgument` if it is no matrix, or its sizes are not known in a trace.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_coo::CooMatrix;
    /// let m = CooMatrix::from_dense(&tensor![[0.0f32, 5.0], [7.0, 0.0]])?;
    /// assert_eq!(m.values.as_slice::<f32>()?, &[5.0, 7.0]);
    /// assert_eq!(m.to_dense()?.as_slice::<f32>()?, &[0.0, 5.0, 7.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_dense(x: &Tensor) -> Result<Self> {
        let shape = x.shape().with_rank(2)?;
        let unknown = || Error::invalid(format!("a sparse matrix has known sizes, not {shape}"));
        let sizes = shape.sizes().ok_or_else(unknown)?;
        let indices = x.where_indices()?;
        let values = x.gather_nd(&indices)?;
        Ok(Self { indices, values, rows: sizes[0], columns: sizes[1] })
    }

    /// The matrix with all its zeros: `[rows, columns]`.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn to_dense(&self) -> Result<Tensor> {
        ops::scatter_nd(&self.indices, &self.values, [self.rows, self.columns])
    }

    /// The matrix with one value for each place, in the order of the rows.
    ///
    /// # Errors
    /// None of its own.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_coo::CooMatrix;
    /// let m = CooMatrix::new([[1i64, 0], [0, 1], [1, 0]], [1.0f32, 2.0, 3.0], 2, 2)?.summed()?;
    /// assert_eq!(m.indices.as_slice::<i64>()?, &[0, 1, 1, 0]);
    /// assert_eq!(m.values.as_slice::<f32>()?, &[2.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn summed(&self) -> Result<Self> {
        let columns = self.columns as i64;
        let places = ops::add(ops::mul(self.coordinates(0)?, columns)?, self.coordinates(1)?)?;
        let order = places.argsort(0)?;
        let (places, group) = places.gather(&order, 0)?.unique()?;
        let values = self.values.gather(&order, 0)?;
        let values = ops::unsorted_segment_sum(&values, &group, &ops::size(&places)?)?;
        let at = [places.floor_div(columns)?, places.floor_mod(columns)?];
        Ok(Self { indices: ops::stack(&[&at[0], &at[1]], 1)?, values, ..self.clone() })
    }

    /// Each value times the number of its row and that of its column: vectors `[rows]` and
    /// `[columns]`.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes, and numbers that are too few.
    #[track_caller]
    pub fn scaled(&self, by_row: &Tensor, by_column: &Tensor) -> Result<Self> {
        let by_row = by_row.gather(&self.coordinates(0)?, 0)?;
        let by_column = by_column.gather(&self.coordinates(1)?, 0)?;
        let values = ops::mul(ops::mul(&self.values, &by_row)?, &by_column)?;
        Ok(Self { values, ..self.clone() })
    }

    /// Rows and columns exchanged.
    fn transposed(&self) -> Result<Self> {
        let indices = self.indices.reverse([1])?;
        let (rows, columns) = (self.columns, self.rows);
        Ok(Self { indices, values: self.values.clone(), rows, columns })
    }

    /// The row (0) or the column (1) of each value: int64 `[n]`.
    fn coordinates(&self, axis: i64) -> Result<Tensor> {
        self.indices.index((.., axis))
    }
}

impl fmt::Display for CooMatrix {
    /// The size, and how much of it is stored.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { values, rows, columns, .. } = self;
        write!(f, "{rows} × {columns}, stored: ")?;
        match values.shape().num_elements() {
            Some(n) => write!(f, "{n} values"),
            None => write!(f, "values of {}", values.dtype()),
        }
    }
}
