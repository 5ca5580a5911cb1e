//! Matrix products.

use super::front;
use crate::ops::*;
use crate::tensor::{Tensor, call_site};
use crate::types::Result;

front! {
    /// Products as methods of extension types.
    methods of Linear {
        /// The product of two matrices.
        matmul(x, y) => MatMul { transpose_a: false, transpose_b: false };
        /// The products of two stacks of matrices; leading axes broadcast.
        batch_matmul(x, y) => BatchMatMul { adj_x: false, adj_y: false };
    }
}
