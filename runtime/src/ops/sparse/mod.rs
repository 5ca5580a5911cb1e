//! Sparse tensors of coordinates: indices int64 `[n, rank]`, values `[n]`, and the sizes of the dense tensor.

mod arithmetic;
mod batch;
mod coo;
mod cross;
mod csr;
mod functions;
mod gradient;
mod infer;
mod lookup;
mod moves;
mod sets;

pub use cross::*;
pub use functions::CooTensor;
pub use lookup::*;

use crate::define_op;
use crate::ops::args::SetOperation;
use crate::types::{DType, DTypeSet};

/// The dtypes of values of sparse softmax.
const FLOATS: DTypeSet = DTypeSet::of(&[DType::F16, DType::BF16, DType::F32, DType::F64]);

/// The dtypes of elements of sets.
const IN_SETS: DTypeSet = DTypeSet::of(&[
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::String,
]);

/// The dtypes of sparse matrices in variants.
const IN_MATRICES: DTypeSet =
    DTypeSet::of(&[DType::F32, DType::F64, DType::Complex64, DType::Complex128]);

/// The dtypes of [`SparseMatMul`].
const FEW: DTypeSet = DTypeSet::of(&[DType::F32, DType::BF16]);

define_op! {
    /// The dense tensor of some sizes with values at their indices and a default elsewhere. One value, a scalar, is put
    /// at all indices. Indices are `[n, rank]`, or of rank 0 or 1 for a vector.
    ///
    /// With `validate_indices` they must ascend without repetition. Indices out of range are always refused.
    ///
    /// TensorFlow: `SparseToDense`.
    pub op SparseToDense = "SparseToDense" {
        inputs: { sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value: T },
        outputs: { dense: T },
        types: { T: DTypeSet::DATA, Tindices: DTypeSet::INDEX },
        attrs: { validate_indices: bool = true },
        dispatch: none,
        infer: infer::to_dense, kernel: moves::sparse_to_dense,
        gradient: gradient::to_dense,
    }

    /// The values in the order of their indices, and the sorted indices.
    ///
    /// TensorFlow: `SparseReorder`.
    pub op SparseReorder = "SparseReorder" {
        inputs: { input_indices: {I64}, input_values: T, input_shape: {I64} },
        outputs: { output_indices: {I64}, output_values: T },
        types: { T: DTypeSet::DATA },
        dispatch: none,
        infer: infer::reorder, kernel: moves::sparse_reorder,
        gradient: gradient::reorder,
    }

    /// The indices in a tensor of other sizes, one of which may be -1, and these sizes.
    ///
    /// TensorFlow: `SparseReshape`.
    pub op SparseReshape = "SparseReshape" {
        inputs: { input_indices: {I64}, input_shape: {I64}, new_shape: {I64} },
        outputs: { output_indices: {I64}, output_shape: {I64} },
        dispatch: none,
        infer: infer::reshape, kernel: moves::sparse_reshape,
        gradient: none,
    }

    /// Joins sparse tensors along an axis. All other sizes agree; the indices of the result are sorted.
    ///
    /// TensorFlow: `SparseConcat`.
    pub op SparseConcat = "SparseConcat" {
        inputs: { indices: [{I64}; N], values: [T; N], shapes: [{I64}; N] },
        outputs: { output_indices: {I64}, output_values: T, output_shape: {I64} },
        types: { T: DTypeSet::DATA },
        attrs: { concat_dim: i64 },
        dispatch: none,
        infer: infer::concat, kernel: moves::sparse_concat,
        gradient: gradient::concat,
    }

    /// Splits a sparse tensor along an axis into parts of equal size; the first ones are longer by one if that does not
    /// come out even.
    ///
    /// TensorFlow: `SparseSplit`.
    pub op SparseSplit = "SparseSplit" {
        inputs: { split_dim: {I64}, indices: {I64}, values: T, shape: {I64} },
        outputs: {
            output_indices: [{I64}; num_split], output_values: [T; num_split], output_shape: [{I64}; num_split],
        },
        types: { T: DTypeSet::DATA },
        attrs: { num_split: i64 },
        dispatch: none,
        infer: infer::split, kernel: moves::sparse_split,
        gradient: gradient::split,
    }

    /// The box of a sparse tensor that begins at `start` and has sizes `size`, or what there is of it.
    ///
    /// TensorFlow: `SparseSlice`.
    pub op SparseSlice = "SparseSlice" {
        inputs: { indices: {I64}, values: T, shape: {I64}, start: {I64}, size: {I64} },
        outputs: { output_indices: {I64}, output_values: T, output_shape: {I64} },
        types: { T: DTypeSet::DATA },
        dispatch: none,
        infer: infer::slice, kernel: moves::sparse_slice,
        gradient: gradient::slice,
    }

    /// The gradient of [`SparseSlice`] by its values; zero for values outside of the slice.
    ///
    /// TensorFlow: `SparseSliceGrad`.
    pub op SparseSliceGrad = "SparseSliceGrad" {
        inputs: { backprop_val_grad: T, input_indices: {I64}, input_start: {I64}, output_indices: {I64} },
        outputs: { val_grad: T },
        types: { T: DTypeSet::NUMERIC },
        dispatch: none,
        infer: infer::slice_grad, kernel: moves::sparse_slice_grad,
    }

    /// Puts a default at the first place of every row without values. The results are the indices and values row by
    /// row, which rows were empty, and for each old value its new number.
    ///
    /// TensorFlow: `SparseFillEmptyRows`.
    pub op SparseFillEmptyRows = "SparseFillEmptyRows" {
        inputs: { indices: {I64}, values: T, dense_shape: {I64}, default_value: T },
        outputs: { output_indices: {I64}, output_values: T, empty_row_indicator: {Bool}, reverse_index_map: {I64} },
        types: { T: DTypeSet::DATA },
        dispatch: none,
        infer: infer::fill_empty_rows, kernel: moves::fill_empty_rows,
        gradient: gradient::fill_empty_rows,
    }

    /// The gradients of [`SparseFillEmptyRows`] by its values and by the default.
    ///
    /// TensorFlow: `SparseFillEmptyRowsGrad`.
    pub op SparseFillEmptyRowsGrad = "SparseFillEmptyRowsGrad" {
        inputs: { reverse_index_map: {I64}, grad_values: T },
        outputs: { d_values: T, d_default_value: T },
        types: { T: DTypeSet::NUMERIC },
        dispatch: none,
        infer: infer::fill_empty_rows_grad, kernel: moves::fill_empty_rows_grad,
    }

    /// The sum of two sparse tensors of the same sizes with sorted indices. Where both have a value and the absolute
    /// value of the sum is below `thresh`, it is left out.
    ///
    /// TensorFlow: `SparseAdd`.
    pub op SparseAdd = "SparseAdd" {
        inputs: {
            a_indices: {I64}, a_values: T, a_shape: {I64}, b_indices: {I64}, b_values: T, b_shape: {I64}, thresh: Treal,
        },
        outputs: { sum_indices: {I64}, sum_values: T, sum_shape: {I64} },
        types: { T: DTypeSet::NUMERIC, Treal: DTypeSet::REAL },
        dispatch: none,
        infer: infer::add, kernel: arithmetic::sparse_add,
        gradient: gradient::add,
    }

    /// The gradients of [`SparseAdd`] by the values of both operands; zero for values that are not in the sum.
    ///
    /// TensorFlow: `SparseAddGrad`.
    pub op SparseAddGrad = "SparseAddGrad" {
        inputs: { backprop_val_grad: T, a_indices: {I64}, b_indices: {I64}, sum_indices: {I64} },
        outputs: { a_val_grad: T, b_val_grad: T },
        types: { T: DTypeSet::NUMERIC },
        dispatch: none,
        infer: infer::add_grad, kernel: moves::sparse_add_grad,
        gradient: gradient::add_grad,
    }

    /// The larger of two elements at each index that either of two sparse tensors has; a missing element counts as
    /// zero. Both have the same sizes, and sorted indices.
    ///
    /// TensorFlow: `SparseSparseMaximum`.
    pub op SparseSparseMaximum = "SparseSparseMaximum" {
        inputs: { a_indices: {I64}, a_values: T, a_shape: {I64}, b_indices: {I64}, b_values: T, b_shape: {I64} },
        outputs: { output_indices: {I64}, output_values: T },
        types: { T: DTypeSet::REAL },
        dispatch: none,
        infer: infer::extreme, kernel: arithmetic::sparse_maximum,
    }

    /// The smaller of two elements at each index that either of two sparse tensors has; a missing element counts as
    /// zero. Both have the same sizes, and sorted indices.
    ///
    /// TensorFlow: `SparseSparseMinimum`.
    pub op SparseSparseMinimum = "SparseSparseMinimum" {
        inputs: { a_indices: {I64}, a_values: T, a_shape: {I64}, b_indices: {I64}, b_values: T, b_shape: {I64} },
        outputs: { output_indices: {I64}, output_values: T },
        types: { T: DTypeSet::REAL },
        dispatch: none,
        infer: infer::extreme, kernel: arithmetic::sparse_minimum,
    }

    /// The sum of a sparse tensor over axes, as a dense tensor; zero where there are no values. Without axes nothing is
    /// reduced.
    ///
    /// TensorFlow: `SparseReduceSum`.
    pub op SparseReduceSum = "SparseReduceSum" {
        inputs: { input_indices: {I64}, input_values: T, input_shape: {I64}, reduction_axes: {I32} },
        outputs: { output: T },
        types: { T: DTypeSet::NUMERIC },
        attrs: { keep_dims: bool = false },
        dispatch: none,
        infer: infer::reduce, kernel: arithmetic::reduce_sum,
        gradient: gradient::reduce_sum,
    }

    /// [`SparseReduceSum`] as a sparse tensor of those elements that have values.
    ///
    /// TensorFlow: `SparseReduceSumSparse`.
    pub op SparseReduceSumSparse = "SparseReduceSumSparse" {
        inputs: { input_indices: {I64}, input_values: T, input_shape: {I64}, reduction_axes: {I32} },
        outputs: { output_indices: {I64}, output_values: T, output_shape: {I64} },
        types: { T: DTypeSet::NUMERIC },
        attrs: { keep_dims: bool = false },
        dispatch: none,
        infer: infer::reduce_sparse, kernel: arithmetic::reduce_sum_sparse,
    }

    /// The greatest value of a sparse tensor over axes, as a dense tensor; zero where there are no values. Without axes
    /// nothing is reduced.
    ///
    /// TensorFlow: `SparseReduceMax`.
    pub op SparseReduceMax = "SparseReduceMax" {
        inputs: { input_indices: {I64}, input_values: T, input_shape: {I64}, reduction_axes: {I32} },
        outputs: { output: T },
        types: { T: DTypeSet::REAL },
        attrs: { keep_dims: bool = false },
        dispatch: none,
        infer: infer::reduce, kernel: arithmetic::reduce_max,
    }

    /// [`SparseReduceMax`] as a sparse tensor of those elements that have values.
    ///
    /// TensorFlow: `SparseReduceMaxSparse`.
    pub op SparseReduceMaxSparse = "SparseReduceMaxSparse" {
        inputs: { input_indices: {I64}, input_values: T, input_shape: {I64}, reduction_axes: {I32} },
        outputs: { output_indices: {I64}, output_values: T, output_shape: {I64} },
        types: { T: DTypeSet::REAL },
        attrs: { keep_dims: bool = false },
        dispatch: none,
        infer: infer::reduce_sparse, kernel: arithmetic::reduce_max_sparse,
    }

    /// The softmax of the values in each row of the last axis, of rank 2 at least, with sorted indices. Missing
    /// elements are left out of the sum.
    ///
    /// TensorFlow: `SparseSoftmax`.
    pub op SparseSoftmax = "SparseSoftmax" {
        inputs: { sp_indices: {I64}, sp_values: T, sp_shape: {I64} },
        outputs: { output: T },
        types: { T: FLOATS },
        dispatch: none,
        infer: infer::as_values, kernel: arithmetic::sparse_softmax,
        gradient: gradient::softmax,
    }

    /// The sums of the values and the elements of a dense tensor at their indices. The dense tensor broadcasts to the
    /// sizes of the sparse one.
    ///
    /// TensorFlow: `SparseDenseCwiseAdd`.
    pub op SparseDenseCwiseAdd = "SparseDenseCwiseAdd" {
        inputs: { sp_indices: {I64}, sp_values: T, sp_shape: {I64}, dense: T },
        outputs: { output: T },
        types: { T: DTypeSet::NUMERIC },
        dispatch: none,
        infer: infer::as_values, kernel: arithmetic::cwise_add,
        gradient: gradient::cwise_add,
    }

    /// The products of the values and the elements of a dense tensor at their indices. The dense tensor broadcasts to
    /// the sizes of the sparse one.
    ///
    /// TensorFlow: `SparseDenseCwiseMul`.
    pub op SparseDenseCwiseMul = "SparseDenseCwiseMul" {
        inputs: { sp_indices: {I64}, sp_values: T, sp_shape: {I64}, dense: T },
        outputs: { output: T },
        types: { T: DTypeSet::NUMERIC },
        dispatch: none,
        infer: infer::as_values, kernel: arithmetic::cwise_mul,
        gradient: gradient::cwise_mul,
    }

    /// The quotients of the values and the elements of a dense tensor at their indices. The dense tensor broadcasts to
    /// the sizes of the sparse one.
    ///
    /// TensorFlow: `SparseDenseCwiseDiv`.
    pub op SparseDenseCwiseDiv = "SparseDenseCwiseDiv" {
        inputs: { sp_indices: {I64}, sp_values: T, sp_shape: {I64}, dense: T },
        outputs: { output: T },
        types: { T: DTypeSet::NUMERIC },
        dispatch: none,
        infer: infer::as_values, kernel: arithmetic::cwise_div,
        gradient: gradient::cwise_div,
    }

    /// The sum of a sparse tensor and a dense one of the same sizes.
    ///
    /// TensorFlow: `SparseTensorDenseAdd`.
    pub op SparseTensorDenseAdd = "SparseTensorDenseAdd" {
        inputs: { a_indices: Tindices, a_values: T, a_shape: Tindices, b: T },
        outputs: { output: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        dispatch: none,
        infer: infer::dense_add, kernel: arithmetic::dense_add,
        gradient: gradient::dense_add,
    }

    /// The product of a sparse matrix and a dense one; each may be replaced by its conjugate transpose. Values at one
    /// place add up.
    ///
    /// TensorFlow: `SparseTensorDenseMatMul`.
    pub op SparseTensorDenseMatMul = "SparseTensorDenseMatMul" {
        inputs: { a_indices: Tindices, a_values: T, a_shape: {I64}, b: T },
        outputs: { product: T },
        types: { T: DTypeSet::NUMERIC, Tindices: DTypeSet::INDEX },
        attrs: { adjoint_a: bool = false, adjoint_b: bool = false },
        dispatch: none,
        infer: infer::dense_matmul, kernel: arithmetic::dense_matmul,
        gradient: gradient::dense_matmul,
        batch: batch::dense_mat_mul,
    }

    /// The product of two dense matrices with many zeros, as float32. The hints are not used.
    ///
    /// TensorFlow: `SparseMatMul`.
    pub op SparseMatMul = "SparseMatMul" {
        inputs: { a: Ta, b: Tb },
        outputs: { product: {F32} },
        types: { Ta: FEW, Tb: FEW },
        attrs: {
            transpose_a: bool = false, transpose_b: bool = false, a_is_sparse: bool = false, b_is_sparse: bool =
            false,
        },
        dispatch: none,
        infer: infer::matmul, kernel: arithmetic::matmul,
        gradient: gradient::matmul,
    }

    /// An operation on the sets that two dense tensors have in their rows: those of the last axis, of which all other
    /// sizes agree. The sets of the result are sorted rows of a sparse tensor.
    ///
    /// TensorFlow: `DenseToDenseSetOperation`.
    pub op DenseToDenseSetOperation = "DenseToDenseSetOperation" {
        inputs: { set1: T, set2: T },
        outputs: { result_indices: {I64}, result_values: T, result_shape: {I64} },
        types: { T: IN_SETS },
        attrs: { set_operation: SetOperation = SetOperation::AMinusB, validate_indices: bool = true },
        dispatch: none,
        infer: infer::sets_dense, kernel: sets::dense_to_dense,
        gradient: none,
    }

    /// [`DenseToDenseSetOperation`] of a dense and a sparse tensor.
    ///
    /// TensorFlow: `DenseToSparseSetOperation`.
    pub op DenseToSparseSetOperation = "DenseToSparseSetOperation" {
        inputs: { set1: T, set2_indices: {I64}, set2_values: T, set2_shape: {I64} },
        outputs: { result_indices: {I64}, result_values: T, result_shape: {I64} },
        types: { T: IN_SETS },
        attrs: { set_operation: SetOperation = SetOperation::AMinusB, validate_indices: bool = true },
        dispatch: none,
        infer: infer::sets_mixed, kernel: sets::dense_to_sparse,
        gradient: none,
    }

    /// [`DenseToDenseSetOperation`] of two sparse tensors.
    ///
    /// TensorFlow: `SparseToSparseSetOperation`.
    pub op SparseToSparseSetOperation = "SparseToSparseSetOperation" {
        inputs: {
            set1_indices: {I64}, set1_values: T, set1_shape: {I64}, set2_indices: {I64}, set2_values: T, set2_shape:
            {I64},
        },
        outputs: { result_indices: {I64}, result_values: T, result_shape: {I64} },
        types: { T: IN_SETS },
        attrs: { set_operation: SetOperation = SetOperation::AMinusB, validate_indices: bool = true },
        dispatch: none,
        infer: infer::sets_sparse, kernel: sets::sparse_to_sparse,
        gradient: none,
    }

    /// How many distinct elements each row of a sparse tensor has, along the last axis: int32, without this axis.
    ///
    /// TensorFlow: `SetSize`.
    pub op SetSize = "SetSize" {
        inputs: { set_indices: {I64}, set_values: T, set_shape: {I64} },
        outputs: { size: {I32} },
        types: { T: IN_SETS },
        attrs: { validate_indices: bool = true },
        dispatch: none,
        infer: infer::set_size, kernel: sets::size,
        gradient: none,
    }

    /// A sparse matrix, or a stack of them, as one variant.
    ///
    /// TensorFlow: `SparseTensorToCSRSparseMatrix`.
    pub op SparseTensorToCSRSparseMatrix = "SparseTensorToCSRSparseMatrix" {
        inputs: { indices: {I64}, values: T, dense_shape: {I64} },
        outputs: { sparse_matrix: {Variant} },
        types: { T: IN_MATRICES },
        dispatch: none,
        infer: csr::of_sparse, kernel: csr::from_sparse,
    }

    /// The elements of a dense matrix at these indices as a sparse matrix.
    ///
    /// TensorFlow: `DenseToCSRSparseMatrix`.
    pub op DenseToCSRSparseMatrix = "DenseToCSRSparseMatrix" {
        inputs: { dense_input: T, indices: {I64} },
        outputs: { sparse_output: {Variant} },
        types: { T: IN_MATRICES },
        dispatch: none,
        infer: csr::of_dense, kernel: csr::from_dense,
    }

    /// The indices, values and sizes of a sparse matrix of this dtype.
    ///
    /// TensorFlow: `CSRSparseMatrixToSparseTensor`.
    pub op CSRSparseMatrixToSparseTensor = "CSRSparseMatrixToSparseTensor" {
        inputs: { sparse_matrix: {Variant} },
        outputs: { indices: {I64}, values: type, dense_shape: {I64} },
        attrs: { dtype as "type": DType },
        dispatch: none,
        infer: csr::as_sparse, kernel: csr::to_sparse,
    }

    /// The dense matrix.
    ///
    /// TensorFlow: `CSRSparseMatrixToDense`.
    pub op CSRSparseMatrixToDense = "CSRSparseMatrixToDense" {
        inputs: { sparse_input: {Variant} },
        outputs: { dense_output: type },
        attrs: { dtype as "type": DType },
        dispatch: none,
        infer: csr::as_dense, kernel: csr::to_dense,
    }

    /// Of matrix `index` of a stack: where the values of each row begin and end, their columns, and the values.
    ///
    /// TensorFlow: `CSRSparseMatrixComponents`.
    pub op CSRSparseMatrixComponents = "CSRSparseMatrixComponents" {
        inputs: { csr_sparse_matrix: {Variant}, index: {I32} },
        outputs: { row_ptrs: {I32}, col_inds: {I32}, values: type },
        attrs: { dtype as "type": DType },
        dispatch: none,
        infer: csr::as_components, kernel: csr::components,
    }

    /// How many values a sparse matrix has, or each of a stack: int32.
    ///
    /// TensorFlow: `SparseMatrixNNZ`.
    pub op SparseMatrixNNZ = "SparseMatrixNNZ" {
        inputs: { sparse_matrix: {Variant} },
        outputs: { nnz: {I32} },
        dispatch: none,
        infer: csr::as_counts, kernel: csr::nnz,
    }

    /// The transpose of a sparse matrix, or its conjugate transpose.
    ///
    /// TensorFlow: `SparseMatrixTranspose`.
    pub op SparseMatrixTranspose = "SparseMatrixTranspose" {
        inputs: { input: {Variant} },
        outputs: { output: {Variant} },
        attrs: { conjugate: bool = false, dtype as "type": DType },
        dispatch: none,
        infer: csr::is_matrix, kernel: csr::transpose,
    }

    /// The lower triangular factor of a Hermitian sparse matrix, with its rows and columns in another order: row `i` is row
    /// `permutation[i]` of the matrix. Only the lower triangle of the result of that is read.
    ///
    /// TensorFlow: `SparseMatrixSparseCholesky`. A matrix or a stack of them, and as many vectors of int32. A matrix that is
    /// not positive definite is an error.
    pub op SparseMatrixSparseCholesky = "SparseMatrixSparseCholesky" {
        inputs: { input: {Variant}, permutation: {I32} },
        outputs: { output: {Variant} },
        attrs: { dtype as "type": DType },
        dispatch: none,
        infer: csr::is_matrix, kernel: csr::cholesky,
    }

    /// The product of a sparse matrix and a dense one, or of stacks of them. Operands and result may be transposed.
    ///
    /// TensorFlow: `SparseMatrixMatMul`.
    pub op SparseMatrixMatMul = "SparseMatrixMatMul" {
        inputs: { a: {Variant}, b: T },
        outputs: { output: T },
        types: { T: IN_MATRICES },
        attrs: {
            transpose_a: bool = false, transpose_b: bool = false, adjoint_a: bool = false, adjoint_b: bool = false,
            transpose_output: bool = false, conjugate_output: bool = false,
        },
        dispatch: none,
        infer: csr::product, kernel: csr::matmul,
    }

    /// The product of two sparse matrices, or of stacks of them, which may be transposed: a sparse matrix.
    ///
    /// TensorFlow: `SparseMatrixSparseMatMul`.
    pub op SparseMatrixSparseMatMul = "SparseMatrixSparseMatMul" {
        inputs: { a: {Variant}, b: {Variant} },
        outputs: { c: {Variant} },
        attrs: {
            dtype as "type": DType, transpose_a: bool = false, transpose_b: bool = false, adjoint_a: bool = false,
            adjoint_b: bool = false,
        },
        dispatch: none,
        infer: csr::is_matrix, kernel: csr::sparse_matmul,
    }
}
