//! The op table: one row an op.

mod binary;
mod movement;
mod other;
mod reduction;
mod unary;

pub use binary::*;
pub use movement::*;
pub use other::*;
pub use reduction::*;
pub use unary::*;
