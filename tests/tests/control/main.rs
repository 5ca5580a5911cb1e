//! Control flow as users write it.

mod host;
mod tensor_array;
