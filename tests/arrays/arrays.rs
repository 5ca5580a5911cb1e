//! All unsafe code of `extype` is in its arrays. Here they stand alone, so that a sanitizer builds little.

#[path = "../../runtime/src/array/mod.rs"]
mod array;
#[path = "../../runtime/src/types/mod.rs"]
mod types;

pub use types::Error;
