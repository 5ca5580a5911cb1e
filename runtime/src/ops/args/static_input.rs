//! Fields of an op that are inputs of the graph op.

use crate::tensor::Tensor;
use crate::types::Result;

/// A field of an op's struct that is an input of the graph op but plain data in Rust.
pub trait StaticInput: Sized {
    /// The tensor, which may depend on the first operand (its rank, its dtype).
    ///
    /// # Errors
    /// `InvalidArgument` if the data does not fit the operand or the input's dtype, and for a
    /// tensor that can't be this data.
    fn to_input(&self, first: &Tensor) -> Result<Tensor>;

    /// The data from the tensor input of a graph's node.
    ///
    /// # Errors
    /// `InvalidArgument` if the input is missing, or of another dtype or rank.
    fn from_input(input: Option<&Tensor>) -> Result<Self>;
}
