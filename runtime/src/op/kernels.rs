//! The block functions that kernels are made of.
//!
//! Modules are named one by one: where one has the name of an op's function (`matmul`, `softmax`,
//! `cast`), the compiler prints both with their whole paths in its messages.

pub use extype_kernels::{Par, broadcast, element, elementwise, movement, order, random, reduce};

/// Tables of block functions, an entry a dtype.
pub mod table {
    pub use extype_kernels::table::{
        ArgFn, ArgReduction, Binary, BinaryTo, ClassLosses, ClassLossesFn, Kind, Losses, LossesFn,
        MapFn, Pairing, ReduceFn, Reduction, Rows, RowsFn, Scan, ScanFn, Table, Tabled, Unary,
        UnaryTo, ZipFn, binary, cast as casts, reduction, softmax as rows, special, unary,
    };
}
