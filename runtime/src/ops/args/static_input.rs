//! Fields of an op that are inputs of the graph op.

use crate::tensor::Tensor;
use crate::types::Result;

/// A field of an op's struct that is an input of the graph op but plain data in Rust.
///
/// ```
/// use extype::ops::{Pairs, StaticInput};
/// use extype::prelude::*;
/// let paddings = Pairs::from([[1, 0], [0, 2]]);
/// let input = paddings.to_input(&ops::zeros([2, 2], f32)?)?;
/// assert_eq!(input.tensor_type().to_string(), "int64[2, 2]");
/// assert_eq!(Pairs::from_input(Some(&input))?, paddings);
/// # Ok::<(), Error>(())
/// ```
pub trait StaticInput: Sized {
    /// The tensor, which may depend on the first operand (its rank, its dtype).
    ///
    /// # Errors
    /// `InvalidArgument` if the data does not fit the operand or the input's dtype, and for a
    /// tensor that can't be this data.
    ///
    /// ```
    /// use extype::ops::{Axes, StaticInput};
    /// use extype::prelude::*;
    /// // All axes are those of the operand.
    /// let input = Axes::All.to_input(&ops::zeros([2, 3], f32)?)?;
    /// assert_eq!(input.as_slice::<i64>()?, &[0, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    fn to_input(&self, first: &Tensor) -> Result<Tensor>;

    /// The data from the tensor input of a graph's node.
    ///
    /// # Errors
    /// `InvalidArgument` if the input is missing, or of another dtype or rank.
    ///
    /// ```
    /// use extype::ops::{Axis, StaticInput};
    /// use extype::prelude::*;
    /// assert_eq!(Axis::from_input(Some(&scalar(-1)))?, Axis(-1));
    /// assert!(Axis::from_input(None).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn from_input(input: Option<&Tensor>) -> Result<Self>;
}
