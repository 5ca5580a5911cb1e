//! What ops mean for ragged tensors.

mod elementwise;
mod reduce;
mod row_reduce;
mod select;

pub use self::row_reduce::RowReduce;
