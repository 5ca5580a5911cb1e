//! Control flow: lists that loops collect into, Rust code in graphs.

mod host;
mod tensor_array;

pub use host::{HostCall, HostFunction, host_function};
pub use tensor_array::TensorArray;
