//! Sparse matrices in compressed rows.

use std::fmt;

use extype::prelude::*;

use crate::SparseTensor;

/// A matrix whose stored values stand row by row: row `i` has `values[splits[i] .. splits[i + 1]]`, in these columns.
///
/// For products: with dense matrices, and of two sparse ones. Gradients reach the values of both operands at the places
/// that are stored. The number of columns is static data; a traced function knows it.
///
/// TensorFlow: `CSRSparseMatrix`. float32, float64, complex64 and complex128.
///
/// ```
/// use extype::prelude::*;
/// use extype_sparse::{CsrMatrix, SparseTensor};
/// let a = CsrMatrix::from_dense([[0.0f32, 2.0], [3.0, 0.0]])?;
/// assert_eq!(a.splits.as_slice::<i64>()?, &[0, 1, 2]);
/// let square = ops::matmul(&a, &a)?;
/// assert_eq!(square.to_dense()?.as_slice::<f32>()?, &[6.0, 0.0, 0.0, 6.0]);
/// assert_eq!(ops::matmul(&a, &tensor![[1.0f32], [1.0]])?.as_slice::<f32>()?, &[2.0, 3.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "sparse.CsrMatrix", validate)]
pub struct CsrMatrix {
    /// Where the values of each row begin, and where the last ones end: int64 `[rows + 1]`.
    #[extension_type(dtype = i64, shape = [?])]
    pub splits: Tensor,
    /// The column of each value: int64 `[n]`, ascending in each row.
    #[extension_type(dtype = i64, shape = [?])]
    pub columns: Tensor,
    /// The values: `[n]`.
    #[extension_type(dtype = f32 | f64 | complex64 | complex128, shape = [?])]
    pub values: Tensor,
    /// The number of columns.
    pub width: usize,
}

impl Validate for CsrMatrix {
    /// What a trace does not know yet passes.
    fn validate(&self) -> Result<()> {
        let (places, n) = (self.columns.shape().dim(0)?, self.values.shape().dim(0)?);
        if !places.is_compatible_with(n) {
            return Err(Error::invalid(format!("{places} columns, but {n} values")));
        }
        let (Ok(splits), Ok(columns)) =
            (self.splits.as_slice::<i64>(), self.columns.as_slice::<i64>())
        else {
            return Ok(());
        };
        let n = columns.len() as i64;
        if splits.first() != Some(&0) || splits.last() != Some(&n) {
            return Err(Error::invalid(format!(
                "splits go from 0 to the number of values, which is {n}"
            )));
        }
        for (row, ends) in splits.windows(2).enumerate() {
            let (begin, end) = (ends[0], ends[1]);
            if begin > end || end > n {
                return Err(Error::invalid(format!("row {row}: splits go from {begin} to {end}")));
            }
            let columns = &columns[begin as usize..end as usize];
            if !columns.is_sorted_by(|a, b| a < b) {
                return Err(Error::invalid(format!(
                    "row {row}: its columns {columns:?} do not ascend"
                )));
            }
            let outside = |c: &&i64| usize::try_from(**c).is_ok_and(|c| c < self.width);
            if let Some(c) = columns.iter().find(|c| !outside(c)) {
                let width = self.width;
                return Err(Error::invalid(format!("row {row}: no column {c} in {width} columns")));
            }
        }
        Ok(())
    }
}

#[dispatch]
impl CsrMatrix {
    /// With a dense matrix; the result is dense.
    #[overrides(matmul)]
    fn matmul(x: &Self, y: &Tensor, transpose_a: bool, transpose_b: bool) -> Result<Tensor> {
        let x = if transpose_a { x.transposed()? } else { x.clone() };
        let y = if transpose_b { y.transpose([1, 0])? } else { y.clone() };
        let inner = y.shape().with_rank(2).map_err(|e| e.prefixed("the right operand"))?.dim(0)?;
        if !inner.is_compatible_with(Dim::from(x.width)) {
            let (rows, columns) = (x.rows(), x.width);
            return Err(Error::invalid(format!(
                "inner dimensions differ: [{rows}, {columns}] × {} ({columns} ≠ {inner})",
                y.shape()
            )));
        }
        let product = custom_gradient(|(values, y): &(Tensor, Tensor)| {
            let a = Self { values: values.clone(), ..x.clone() };
            let product = dense_product(&a, y, false)?;
            let y = y.clone();
            Ok((product, move |dy: &Tensor| {
                // At the places that are stored: row i of dy times row j of y.
                let rows = dy.gather(&a.row_ids()?, 0)?;
                let there = y.conjugate()?.gather(&a.columns, 0)?;
                let by_values = ops::mul(&rows, &there)?.reduce_sum(1, false)?;
                Ok((by_values, dense_product(&a, dy, true)?))
            }))
        });
        product(&(x.values.clone(), y))
    }

    /// Of two sparse matrices.
    #[overrides(matmul)]
    fn sparse_matmul(x: &Self, y: &Self, transpose_a: bool, transpose_b: bool) -> Result<Self> {
        let x = if transpose_a { x.transposed()? } else { x.clone() };
        let y = if transpose_b { y.transposed()? } else { y.clone() };
        let rows = y.rows();
        if !rows.is_compatible_with(Dim::from(x.width)) {
            let (columns, width) = (x.width, y.width);
            return Err(Error::invalid(format!(
                "inner dimensions differ: [{}, {columns}] × [{rows}, {width}] ({columns} ≠ {rows})",
                x.rows()
            )));
        }
        let product = custom_gradient(|(a, b): &(Tensor, Tensor)| {
            let (a, b) =
                (Self { values: a.clone(), ..x.clone() }, Self { values: b.clone(), ..y.clone() });
            let product = sparse_product(&a, &b, [false, false])?;
            Ok((product, move |dy: &Self| {
                let by_a = sparse_product(dy, &b, [false, true])?.at_places_of(&a)?;
                let by_b = sparse_product(&a, dy, [true, false])?.at_places_of(&b)?;
                Ok((by_a, by_b))
            }))
        });
        product(&(x.values.clone(), y.values.clone()))
    }

    /// Rows and columns exchanged.
    #[overrides(transpose)]
    fn transpose(x: &Self, perm: &ops::Integers) -> Result<Self> {
        match perm.known().as_deref() {
            Some([1, 0]) => x.transposed(),
            Some([0, 1]) => Ok(x.clone()),
            _ => Err(Error::invalid("the axes of a matrix are permuted by [1, 0]")),
        }
    }

    /// By a number, on either side.
    #[overrides(mul, with = Tensor)]
    fn mul(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (matrix, number) = match operands {
            Pair::Left(x, y) | Pair::Right(y, x) => (x, y),
            Pair::Both(..) => {
                let text = "`mul` of two matrices in compressed rows; `matmul` is their product, and sparse tensors \
                            (`to_sparse`) are multiplied element by element";
                return Err(Error::new(ErrorKind::Unimplemented, text));
            }
        };
        number.shape().with_rank(0).map_err(|e| e.prefixed("a sparse matrix times a number"))?;
        Ok(Self { values: ops::mul(&matrix.values, number)?, ..matrix.clone() })
    }

    #[overrides(neg)]
    fn neg(x: &Self) -> Result<Self> {
        Ok(Self { values: ops::neg(&x.values)?, ..x.clone() })
    }
}

impl CsrMatrix {
    /// The elements of a dense matrix that are not zero.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank, and for a number of columns that is not known.
    #[track_caller]
    pub fn from_dense(dense: impl TensorLike) -> Result<Self> {
        Self::from_sparse(&SparseTensor::from_dense(dense)?)
    }

    /// A sparse tensor of rank 2.
    ///
    /// # Errors
    /// `InvalidArgument` for another rank or dtype, a place that is told twice, and for a number of columns that is not
    /// known.
    ///
    /// ```
    /// use extype_sparse::{CsrMatrix, SparseTensor};
    /// let x = SparseTensor::new([[2i64, 0], [0, 1]], [7.0f32, 5.0], [3i64, 2])?;
    /// let m = CsrMatrix::from_sparse(&x)?;
    /// assert_eq!((m.splits.as_slice::<i64>()?, m.columns.as_slice::<i64>()?), (&[0i64, 1, 1, 2][..], &[1i64, 0][..]));
    /// assert_eq!(m.to_dense()?.as_slice::<f32>()?, &[0.0, 5.0, 0.0, 0.0, 7.0, 0.0]);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn from_sparse(x: &SparseTensor) -> Result<Self> {
        let shape = x.shape().with_rank(2).map_err(|e| e.prefixed("a matrix"))?;
        let unknown = || Error::invalid(format!("the number of columns of {shape} is not known"));
        let width = shape.dim(1)?.size().ok_or_else(unknown)?;
        let sorted = x.reorder()?;
        let rows = match shape.dim(0)?.size() {
            Some(n) => Tensor::scalar(i64::try_from(n).unwrap_or(i64::MAX)),
            None => x.dense_shape.gather(0, 0)?,
        };
        let row = sorted.indices.index((.., 0))?;
        let counts = ops::unsorted_segment_sum(row.ones_like()?, &row, &rows)?;
        let splits = ops::concat(&[&Tensor::from_vec(vec![0i64]), &counts.cumsum(0)?], 0)?;
        Self::new(splits, sorted.indices.index((.., 1))?, sorted.values, width)
    }

    /// The matrix as a sparse tensor.
    ///
    /// # Errors
    /// None of its own.
    #[track_caller]
    pub fn to_sparse(&self) -> Result<SparseTensor> {
        let [indices, sizes] = self.coordinates()?;
        let shape: Shape = [self.rows(), Dim::from(self.width)].into_iter().collect();
        Ok(SparseTensor::trusted(indices, self.values.clone(), sizes, &shape))
    }

    /// The matrix with its zeros.
    ///
    /// # Errors
    /// `ResourceExhausted` if it does not fit memory.
    #[track_caller]
    pub fn to_dense(&self) -> Result<Tensor> {
        self.to_sparse()?.to_dense()
    }

    /// The number of rows, if it is known.
    pub fn rows(&self) -> Dim {
        let ends = self.splits.shape().dim(0).ok().and_then(Dim::size);
        Dim::from(ends.map(|n| n.saturating_sub(1)))
    }

    /// The row of each value: int64 `[n]`.
    fn row_ids(&self) -> Result<Tensor> {
        let ends = self.splits.slice([1], [-1])?;
        let at = ops::range(0i64, ops::size(&self.columns)?.cast(DType::I64)?, 1i64)?;
        ends.searchsorted(&at, (ops::Side::Right, i64))
    }

    /// The indices of the values, and the sizes of the matrix.
    fn coordinates(&self) -> Result<[Tensor; 2]> {
        let indices = ops::stack(&[&self.row_ids()?, &self.columns], 1)?;
        let rows = match self.rows().size() {
            Some(n) => Tensor::scalar(n as i64),
            None => ops::sub(ops::size(&self.splits)?.cast(DType::I64)?, 1i64)?,
        };
        Ok([indices, ops::stack(&[&rows, &scalar(self.width as i64)], 0)?])
    }

    /// The matrix as the variant that the ops of compressed rows take.
    fn to_variant(&self) -> Result<Tensor> {
        let [indices, sizes] = self.coordinates()?;
        ops::SparseTensorToCSRSparseMatrix {}.run(&[&indices, &self.values, &sizes])
    }

    fn transposed(&self) -> Result<Self> {
        if self.rows().size().is_none() {
            let text = "the transpose of a matrix has a known number of columns; here the rows are not known";
            return Err(Error::invalid(text));
        }
        let x = self.to_sparse()?;
        Self::from_sparse(&ops::transpose(&x, [1, 0])?)
    }

    /// The values of this matrix at the places where another one has some, zero where this has none.
    fn at_places_of(&self, other: &Self) -> Result<Tensor> {
        let (own, wanted) = (self.to_sparse()?.places()?, other.to_sparse()?.places()?);
        let n = ops::size(&own)?.cast(DType::I64)?;
        let at = ops::minimum(own.searchsorted(&wanted, i64)?, &n)?;
        let own = ops::concat(&[&own, &Tensor::from_vec(vec![-1i64])], 0)?;
        let zero = ops::zeros([1i64], self.values.dtype())?;
        let values = ops::concat(&[&self.values, &zero], 0)?.gather(&at, 0)?;
        ops::select(&own.gather(&at, 0)?.equal(&wanted)?, &values, &values.zeros_like()?)
    }
}

/// The product of a sparse matrix, or of its conjugate transpose, and a dense one.
fn dense_product(a: &CsrMatrix, b: &Tensor, adjoint_a: bool) -> Result<Tensor> {
    let op = ops::SparseMatrixMatMul {
        transpose_a: false,
        transpose_b: false,
        adjoint_a,
        adjoint_b: false,
        transpose_output: false,
        conjugate_output: false,
    };
    op.run(&[&a.to_variant()?, b])
}

/// The product of two sparse matrices, or of the conjugate transposes of some.
fn sparse_product(a: &CsrMatrix, b: &CsrMatrix, adjoint: [bool; 2]) -> Result<CsrMatrix> {
    let dtype = a.values.dtype();
    let op = ops::SparseMatrixSparseMatMul {
        dtype,
        transpose_a: false,
        transpose_b: false,
        adjoint_a: adjoint[0],
        adjoint_b: adjoint[1],
    };
    let product = op.run(&[&a.to_variant()?, &b.to_variant()?])?;
    let sparse = ops::CSRSparseMatrixToSparseTensor { dtype };
    let (indices, values, sizes): (Tensor, Tensor, Tensor) = sparse.run_as(&[&product])?;
    let columns = |m: &CsrMatrix, adjoint| if adjoint { m.rows() } else { Dim::from(m.width) };
    let shape = [columns(a, !adjoint[0]), columns(b, adjoint[1])];
    CsrMatrix::from_sparse(&SparseTensor::trusted(
        indices,
        values,
        sizes,
        &shape.into_iter().collect(),
    ))
}

impl fmt::Display for CsrMatrix {
    /// The sizes, and how many values are stored.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rows, width) = (self.rows(), self.width);
        write!(f, "{rows} × {width} {}", self.values.dtype())?;
        match self.values.shape().num_elements() {
            Some(n) => write!(f, ", {n} stored"),
            None => Ok(()),
        }
    }
}
