//! Shapes as values.

mod batch;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;

use crate::define_op;
use crate::ops::{Gradient, InputGradients};
use crate::types::{DType, DTypeSet, Result, bail};

define_op! {
    /// Returns the sizes as an int64 vector, also where they are unknown in a trace.
    ///
    /// TensorFlow: `Shape`. Of any shape; the result is `[rank]`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::shape_of(&tensor![[1, 2, 3]])?.as_slice::<i64>()?, &[1, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ShapeOf = "Shape" {
        inputs: { input: T }, outputs: { output: out_type },
        types: { T: DTypeSet::ANY }, attrs: { out_type: DType = DType::I32 },
        call: shape_of(x) => { out_type: DType::I64 },
        infer: infer::shape_of, kernel: kernel::shape_of,
        gradient: none,
        batch: batch::shape_of,
    }

    /// Returns the number of elements as an int64 scalar.
    ///
    /// TensorFlow: `Size`; PyTorch: `numel`. Of any shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::size(&tensor![[1, 2, 3]])?.item::<i64>()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Size = "Size" {
        inputs: { input: T }, outputs: { output: out_type },
        types: { T: DTypeSet::ANY }, attrs: { out_type: DType = DType::I32 },
        call: size(x) => { out_type: DType::I64 },
        infer: infer::size_of, kernel: kernel::size_of,
        gradient: none,
        batch: batch::size,
    }

    /// The number of axes of a tensor, int32.
    ///
    /// TensorFlow: `Rank`.
    pub op Rank = "Rank" {
        inputs: { input: T }, outputs: { output: {I32} },
        types: { T: DTypeSet::ANY },
        infer: infer::rank_of, kernel: kernel::rank_of,
        gradient: none,
        batch: batch::rank,
    }

    /// Returns for two shapes that broadcast the axes over which the gradient of each is summed.
    ///
    /// TensorFlow: `BroadcastGradientArgs`.
    pub op BroadcastGradientArgs = "BroadcastGradientArgs" {
        inputs: { s0: T, s1: T }, outputs: { r0: T, r1: T },
        types: { T: DTypeSet::INDEX },
        infer: infer::broadcast_gradient_args, kernel: kernel::broadcast_gradient_args,
        gradient: none,
    }

    /// Returns several tensors as they are; gradients pass.
    ///
    /// TensorFlow: `IdentityN`. Tensors of any shapes. A node of a graph may name a function that is its gradient; such a
    /// node has none here.
    pub op IdentityN = "IdentityN" {
        inputs: { input: (T) }, outputs: { output: (T) },
        attrs: { custom as "_gradient_op_type": String = String::new() },
        dispatch: none,
        infer: |c| Ok(c.inputs.iter().cloned().collect()),
        kernel: |c| Ok(c.inputs.iter().map(|x| (*x).clone()).collect()),
        gradient: passed,
    }
}

/// The cotangents as they are.
fn passed(g: &Gradient<'_>) -> Result<InputGradients> {
    match g.get(IdentityN::CUSTOM) {
        Ok(name) if !name.is_empty() => bail!(
            Unimplemented,
            "its gradient is the custom gradient `{name}` of the program that saved it, which is not read"
        ),
        _ => Ok(g.cotangents.iter().cloned().collect()),
    }
}
