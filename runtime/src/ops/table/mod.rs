//! The op table: one row an op.

mod binary;
mod diagonal;
mod movement;
mod other;
mod reduction;
mod scatter;
mod slicing;
mod unary;

pub use binary::*;
pub use diagonal::*;
pub use movement::*;
pub use other::*;
pub use reduction::*;
pub use scatter::*;
pub use slicing::*;
pub use unary::*;
