//! The block functions that kernels are made of.
//!
//! Modules are re-exported one by one. If one had the name of an op's function (`matmul`, `softmax`,
//! `cast`), the compiler would print both with their whole paths in its messages.

pub use extype_kernels::{
    Par, broadcast, element, elementwise, fused, movement, order, random, reduce,
};

/// Tables of block functions, one entry per dtype.
pub mod table {
    pub use extype_kernels::table::{
        ArgFn, ArgSignature, ClassLossesFn, ClassLossesSignature, LossesFn, LossesSignature, MapFn,
        MapSignature, MapToSignature, Pairing, ReduceFn, ReduceSignature, RowsFn, RowsSignature,
        ScanFn, ScanSignature, Signature, Table, Tabled, ZipFn, ZipSignature, ZipToSignature,
        binary, cast as casts, reduction, softmax as rows, special, unary,
    };
}
