//! Kernels that compare elements: sorted rows, the largest ones, the distinct ones, places in a sorted row.
//!
//! Elements are first mapped to keys: unsigned integers in the order of the elements. So each of these kernels is
//! compiled once, whatever the dtype; only [`sort`] is compiled for each.
//!
//! All sorting is that of unsigned integers. Those of rows of places hold a key with its place in the low bits. On CPUs
//! with vectors of 512 bits they are sorted by a quicksort on vectors, on others by that of the standard library.

mod key;
mod places;
mod search;
mod span;
mod top;
mod unique;
mod values;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use key::{Ordered, identities, keys};
pub use search::{Side, bounds, bounds_by_parts};
pub use span::{ascends, extremes};
pub use top::top_k;
pub use unique::{Distinct, contains, difference, distinct};
pub use values::{partition, sort};
