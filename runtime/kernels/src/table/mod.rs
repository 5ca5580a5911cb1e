//! The kernels of every op, compiled once: one table per op, with an entry for each element type that the op supports.
//!
//! The loops of this crate are generic over the operation. Here they are instantiated, so that all their code is
//! generated in this crate. Callers pick a [`Table`], look up the [`entry`](Tabled::entry) of an element type, and call
//! it.
//!
//! ```
//! use core::mem::MaybeUninit;
//! use extype_kernels::Par;
//! use extype_kernels::table::{Tabled, unary};
//!
//! let tanh = f32::entry(&unary::TANH).unwrap();
//! let mut y = [MaybeUninit::uninit(); 3];
//! tanh(&[0.0, 1.0, 2.0], &mut y, Par::Seq);
//! assert!(u8::entry(&unary::TANH).is_none());
//! ```
//!
//! Functions in tables take slices of any length, so that a program can be run block by block. With [`Par::Seq`] the
//! unary and binary ones stay on the thread and allocate nothing; up to 1024 elements they use no blocks of their own.
//! Only [`Pairing::Broadcast`] and reductions allocate: a counter as long as the rank.

pub mod binary;
pub mod cast;
pub mod reduction;
pub mod softmax;
pub mod special;
pub mod unary;

use crate::broadcast::Broadcast;
use crate::element::Element;
use crate::par::Par;
use crate::reduce::{ReduceLayout, ScanMode};
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Writes a function of every `x[i]` to `out[i]`; panics if the lengths differ.
pub type MapFn<T, R> = fn(x: &[T], out: &mut [MaybeUninit<R>], par: Par);
/// Writes a function of two operands, paired as [`Pairing`] says.
pub type ZipFn<T, R> =
    fn(x: &[T], y: &[T], pairing: Pairing<'_>, out: &mut [MaybeUninit<R>], par: Par);
/// Reduces `x` as the layout says.
pub type ReduceFn<T, R> = fn(x: &[T], layout: &ReduceLayout, out: &mut [MaybeUninit<R>], par: Par);
/// Searches along the middle of three dimensions.
pub type ArgFn<T, R> = fn(x: &[T], extents: [usize; 3], out: &mut [MaybeUninit<R>], par: Par);
/// Runs along the middle of three dimensions.
pub type ScanFn<T> =
    fn(x: &[T], extents: [usize; 3], mode: ScanMode, out: &mut [MaybeUninit<T>], par: Par);

/// A function of each row of `len` elements.
pub type RowsFn<T> = fn(x: &[T], len: usize, out: &mut [MaybeUninit<T>], par: Par);
/// Losses of rows of logits with rows of labels, and their derivatives by the logits.
pub type LossesFn<T> = fn(
    logits: &[T],
    labels: &[T],
    len: usize,
    loss: &mut [MaybeUninit<T>],
    backprop: &mut [MaybeUninit<T>],
    par: Par,
);
/// Losses of rows of logits with one class per row, and their derivatives by the logits.
pub type ClassLossesFn<T> = fn(
    logits: &[T],
    classes: &[i64],
    len: usize,
    loss: &mut [MaybeUninit<T>],
    backprop: &mut [MaybeUninit<T>],
    par: Par,
);

/// How the elements of two operands are paired.
#[derive(Clone, Copy, Debug)]
pub enum Pairing<'a> {
    /// One by one: the operands are as long as the result.
    Each,
    /// The only element of the left operand with each of the right.
    Left,
    /// Each element of the left operand with the only one of the right.
    Right,
    /// Broadcast against each other.
    Broadcast(&'a Broadcast),
}

/// A kind of function: the type of a table's entries.
pub trait Signature: 'static {
    /// The function for one element type.
    type Of<T: Element>: Copy + Send + Sync + 'static;
}

/// Unary functions to the same type.
#[derive(Debug)]
pub enum MapSignature {}
/// Unary functions to `R`.
#[derive(Debug)]
pub struct MapToSignature<R>(PhantomData<R>);
/// Binary functions to the same type.
#[derive(Debug)]
pub enum ZipSignature {}
/// Binary functions to `R`.
#[derive(Debug)]
pub struct ZipToSignature<R>(PhantomData<R>);
/// Reductions to the same type.
#[derive(Debug)]
pub enum ReduceSignature {}
/// Searches that return a place as an `R`.
#[derive(Debug)]
pub struct ArgSignature<R>(PhantomData<R>);
/// Running reductions.
#[derive(Debug)]
pub enum ScanSignature {}
/// Functions of rows.
#[derive(Debug)]
pub enum RowsSignature {}
/// Losses with rows of labels.
#[derive(Debug)]
pub enum LossesSignature {}
/// Losses with one class per row.
#[derive(Debug)]
pub enum ClassLossesSignature {}

macro_rules! signatures {
    ($($signature:ty [$($g:ident)?] = $function:ident<T $(, $r:ty)?>;)*) => {$(
        impl<$($g: Element)?> Signature for $signature {
            type Of<T: Element> = $function<T $(, $r)?>;
        }
    )*};
}
signatures! {
    MapSignature [] = MapFn<T, T>;
    MapToSignature<R> [R] = MapFn<T, R>;
    ZipSignature [] = ZipFn<T, T>;
    ZipToSignature<R> [R] = ZipFn<T, R>;
    ReduceSignature [] = ReduceFn<T, T>;
    ArgSignature<R> [R] = ArgFn<T, R>;
    ScanSignature [] = ScanFn<T>;
    RowsSignature [] = RowsFn<T>;
    LossesSignature [] = LossesFn<T>;
    ClassLossesSignature [] = ClassLossesFn<T>;
}

macro_rules! table {
    ([] $($field:ident: $t:ty, $dtype:ident $kind:ident;)*) => {
        /// The functions of an op: one for each element type that it supports.
        pub struct Table<K: Signature> {
            $($field: Option<K::Of<$t>>,)*
        }

        $(
        // SAFETY: the tables of this crate have kernels only, which write all of their result.
        unsafe impl Tabled for $t {
            fn entry<K: Signature>(table: &Table<K>) -> Option<K::Of<Self>> {
                table.$field
            }
        })*
    };
}

/// An element type that tables have entries for.
///
/// # Safety
/// The entries are kernels: a function that returns has written every element of its result.
pub unsafe trait Tabled: Element {
    /// The table's function for this type, if the op supports it.
    fn entry<K: Signature>(table: &Table<K>) -> Option<K::Of<Self>>;
}

element_types!([table]);

impl<K: Signature> core::fmt::Debug for Table<K> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

/// Whether a loop over a type is compiled once for each CPU level, by how much it gains.
pub(crate) trait Levels {
    /// Loops that gain for every type.
    const ALL: bool;
    /// Loops that gain for floats only.
    const FLOATS: bool;
    /// Loops that gain for `f32` only: others call a function for each element.
    const F32: bool;
    /// Loops that gain nothing.
    const NONE: bool = false;
}

macro_rules! levels {
    ([] $($field:ident: $t:ty, $dtype:ident $kind:ident;)*) => {$(
        impl Levels for $t {
            const ALL: bool = <$t as Element>::LEVELS;
            const FLOATS: bool = in_set!(native $dtype $kind { true } { false });
            const F32: bool = in_set!(single $dtype $kind { true } { false });
        }
    )*};
}
element_types!([levels]);

/// Tables of one signature: `NAME = set, |T| function;`, where the function depends on the type `T`. Types of a part of
/// the set may have another function: `, half function`.
macro_rules! tables {
    ($signature:ty, $($(#[$doc:meta])* $name:ident = $set:ident, |$t:ident| $function:expr
        $(, $part:ident $other:expr)?;)*) => {
        $($(#[$doc])* pub static $name: Table<$signature> =
            $crate::table::entries!($set, $signature, |$t| $function $(, $part $other)?);)*
    };
}
use tables;

/// A table with an entry for each element type of a set.
macro_rules! entries {
    ($set:ident, $signature:ty, |$t:ident| $function:expr) => {
        $crate::table::entries!($set, $signature, |$t| $function, half $function)
    };
    ($set:ident, $signature:ty, |$t:ident| $function:expr, $part:ident $other:expr) => {
        element_types!([$crate::table::entries] $set ($signature) $t ($function) $part ($other))
    };
    ([$set:ident ($of:ty) $t:ident $function:tt $part:ident $other:tt]
        $($field:ident: $ty:ty, $dtype:ident $kind:ident;)*
    ) => {
        Table {
            $($field: in_set!($set $dtype $kind {{
                type $t = $ty;
                let function: <$of as Signature>::Of<$t> =
                    in_set!($part $dtype $kind { $other } { $function });
                Some(function)
            }} { None }),)*
        }
    };
}
use entries;

/// The `f32` function with which halves are computed.
pub(crate) fn by_f32<K: Signature>(table: &Table<K>) -> K::Of<f32> {
    table.f32.expect("an op for halves is one for f32")
}

#[cfg(test)]
mod tests;
