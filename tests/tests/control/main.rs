//! Control flow as users write it.

mod host;
