//! Host data that becomes a tensor input of a graph op.

use crate::tensor::Tensor;
use crate::types::Result;

/// A field of an op's struct that is a trailing tensor input of the graph op.
pub trait StaticInput: Sized {
    /// The tensor, which may depend on the first operand (its rank, its dtype).
    ///
    /// # Errors
    /// `InvalidArgument` if the data does not fit the operand.
    fn to_input(&self, first: &Tensor) -> Result<Tensor>;

    /// The data from the tensor input of a graph's node.
    ///
    /// # Errors
    /// `InvalidArgument` if the input is missing or of another dtype.
    fn from_input(input: Option<&Tensor>) -> Result<Self>;
}
