//! Control flow: Rust code in graphs.

mod host;

pub use host::{HostCall, HostFunction, host_function};
