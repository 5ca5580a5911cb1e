//! TensorFlow's files, without TensorFlow.
//!
//! | module | files |
//! | --- | --- |
//! | [`record`] | TFRecord files: plain, gzip, zlib |
//! | `bundle`, `table` (feature `proto`) | checkpoints: tensors by name, with a sorted index |
//! | `event` (feature `proto`) | event files, which TensorBoard shows |
//! | `proto` (feature `proto`) | messages: graphs, functions, SavedModels, checkpoints, examples, events |
//!
//! Nothing here knows tensors or graphs that run: the crate `extype` maps messages to those.
//!
//! # Bytes of strangers
//!
//! No reader trusts what it reads. Memory grows with the bytes that are there, not with lengths that they state. Readers
//! have limits, and damaged bytes are an [`Error`] that says where.

#[cfg(feature = "proto")]
pub mod bundle;
pub mod checksum;
mod error;
#[cfg(feature = "proto")]
pub mod event;
#[cfg(feature = "proto")]
#[expect(missing_docs, reason = "fields have the names that TensorFlow documents")]
pub mod proto;
pub mod record;
#[cfg(feature = "proto")]
pub mod table;
#[cfg(feature = "proto")]
mod text;
#[cfg(feature = "proto")]
mod varint;

pub use error::{Error, ErrorKind, Result};
