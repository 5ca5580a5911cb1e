//! The ops of this crate.

use extype::op::{KernelContext, Outputs, Types};
use extype::prelude::*;
use extype::types::TensorType;

use crate::partition::{first_difference, row_ids};

extype::define_op! {
    /// The row of each value, from row splits: int64 `[rows + 1]` to int64 `[values]`.
    ///
    /// ```
    /// use extype::ops::Op;
    /// use extype::prelude::*;
    /// use extype_ragged::RowIds;
    /// let ids = RowIds {}.run(&[&tensor![0i64, 2, 2, 3]])?;
    /// assert_eq!(ids.as_slice::<i64>()?, &[0, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op RowIds = "RaggedRowIds" {
        inputs: { row_splits: {I64} }, outputs: { row_ids: {I64} }, types: {}, attrs: {}, host: {},
        arity: 1, effect: Pure,
        infer: |c| {
            c.shape(0).with_rank(1)?;
            let values = c.integers(0).and_then(|s| usize::try_from(*s.last()?).ok());
            let shape = [Dim::from(values)].into_iter().collect::<Shape>();
            Ok([TensorType::new(DType::I64, shape)].into_iter().collect::<Types>())
        },
        kernel: row_ids_kernel,
    }
}

// Row ids are integers: no gradient passes.
extype::define_gradient!("RaggedRowIds", |_| Ok([None].into_iter().collect()));

fn row_ids_kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let ids = row_ids(c.input(0).as_slice::<i64>()?);
    Ok([Array::from_slice([ids.len()], &ids)?].into_iter().collect())
}

extype::define_op! {
    /// The first of two row partitions, after checking that they are equal: int64 `[rows + 1]`
    /// each. In a traced function it checks at each call, whether its result is used or not.
    ///
    /// ```
    /// use extype::ops::Op;
    /// use extype::prelude::*;
    /// use extype_ragged::SameRows;
    /// let e = SameRows {}.run(&[&tensor![0i64, 2, 3], &tensor![0i64, 1, 3]]).unwrap_err();
    /// assert!(e.message().contains("row 0 has the lengths 2 and 1"));
    /// ```
    pub op SameRows = "RaggedSameRows" {
        inputs: { x: {I64}, y: {I64} }, outputs: { z: {I64} }, types: {}, attrs: {}, host: {},
        arity: 2, effect: Writes,
        infer: |c| {
            let shape = c.shape(0).merge(c.shape(1))?;
            Ok([TensorType::new(DType::I64, shape)].into_iter().collect::<Types>())
        },
        kernel: same_rows_kernel,
    }
}

extype::define_gradient!("RaggedSameRows", |_| Ok([None, None].into_iter().collect()));

fn same_rows_kernel(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, y) = (c.input(0).as_slice::<i64>()?, c.input(1).as_slice::<i64>()?);
    match first_difference(x, y) {
        None => Ok([c.input(0).clone()].into_iter().collect()),
        Some(text) => Err(Error::invalid(format!("ragged tensors differ in their rows: {text}"))),
    }
}
