//! Kernels that compare elements: the largest ones, the distinct ones, places in a sorted row.
//!
//! Elements are first mapped to keys: unsigned integers in the order of the elements. So each of these kernels is
//! compiled once, whatever the dtype.

mod key;
mod search;
mod top;
mod unique;

pub use key::{Ordered, identities, keys};
pub use search::{Side, bounds};
pub use top::top_k;
pub use unique::{Distinct, difference, distinct};
