//! What ops mean for ragged tensors.

mod broadcast;
mod elementwise;
mod gather;
mod join;
mod kernels;
mod mask;
mod order;
mod products;
mod reduce;
mod row_reduce;
mod scan;
mod segments;
mod select;
mod shape;
mod strings;

pub use self::kernels::{BroadcastRows, PlacesInRows};
pub use self::row_reduce::{RowReduce, RowRepeat};
pub use self::scan::RowScan;
pub(crate) use self::shape::count_to;
