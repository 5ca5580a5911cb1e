//! The op table: one row an op.

mod binary;
mod blocks;
mod counting;
mod diagonal;
mod einsum;
mod indices;
mod movement;
mod ordering;
mod other;
mod random;
mod reduction;
mod scan;
mod scatter;
mod slicing;
mod softmax;
mod special;
mod unary;

pub use binary::*;
pub use blocks::*;
pub use counting::*;
pub use diagonal::*;
pub use einsum::*;
pub use indices::*;
pub use movement::*;
pub use ordering::*;
pub use other::*;
pub use random::*;
pub use reduction::*;
pub use scan::*;
pub use scatter::*;
pub use slicing::*;
pub use softmax::*;
pub use special::*;
pub use unary::*;
