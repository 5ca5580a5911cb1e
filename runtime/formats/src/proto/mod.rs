//! TensorFlow's messages, as in its `.proto` files.
//!
//! Structs and fields have TensorFlow's names. What a message holds inside another, and the cases of a `oneof`, stand in a
//! module that has the message's name: `AttrValue.value` is an [`attr_value::Value`].
//!
//! * Maps are sorted, so equal messages are equal bytes.
//! * Enums are `i32` in fields, because newer files may have newer cases. A method of the field's name gives the enum.
//! * Fields that TensorFlow added later are ignored, and are lost when the message is written again.
//!
//! Some messages have a text form, which files `.pbtxt` hold: [`read_text`] and [`to_text`].
//!
//! [`read`] and [`decode`] name the file and the message in errors.
//!
//! ```
//! use extype_formats::proto::{Message, NodeDef, decode};
//! let node = NodeDef { name: "x".into(), op: "Placeholder".into(), ..NodeDef::default() };
//! let bytes = node.encode_to_vec();
//! assert_eq!(decode::<NodeDef>(&bytes, "the node")?, node);
//! let error = decode::<NodeDef>(&bytes[..2], "the node").unwrap_err();
//! assert!(error.to_string().starts_with("the node is no NodeDef"));
//! # Ok::<(), extype_formats::Error>(())
//! ```

mod checkpoint;
mod events;
mod example;
mod function;
pub mod function_type;
mod graph;
mod saved_model;
mod structure;
mod tensor;
mod text;

use std::fmt::Display;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

pub use prost::Message;

pub use self::checkpoint::*;
pub use self::events::*;
pub use self::example::*;
pub use self::function::*;
pub use self::graph::*;
pub use self::saved_model::*;
pub use self::structure::*;
pub use self::tensor::*;
pub use self::text::{TextMessage, from_text, read_text, to_text};
use crate::error::shown;
use crate::{Error, ErrorKind, Result};

/// The most bytes that a message can have: 2 GiB less one, as everywhere in Protocol Buffers.
pub const MAX_BYTES: u64 = i32::MAX as u64;

/// The message in these bytes, which errors call `name`, such as "the file x.pb".
///
/// Decoded messages take more memory than their bytes: a message with many empty messages inside may take 1,000 times as much.
/// Messages may be nested 100 deep, which is TensorFlow's limit.
///
/// # Errors
/// `DataLoss` for bytes that are no such message.
pub fn decode<M: Message + Default>(bytes: &[u8], name: impl Display) -> Result<M> {
    M::decode(bytes).map_err(|e| {
        let (_, message) = std::any::type_name::<M>().rsplit_once("::").unwrap_or_default();
        Error::new(ErrorKind::DataLoss, format!("{name} is no {message}, or is damaged: {e}"))
    })
}

/// The message that a file holds, if the file has at most `limit` bytes. See [`decode`] and [`MAX_BYTES`].
///
/// # Errors
/// `NotFound` if there is no such file, `ResourceExhausted` if it is larger or memory lacks, `DataLoss` if it holds something
/// else.
pub fn read<M: Message + Default>(path: impl AsRef<Path>, limit: u64) -> Result<M> {
    let name = shown(path.as_ref());
    decode(&read_bytes(path.as_ref(), limit)?, name)
}

/// What a file holds, if that is at most so many bytes.
pub(crate) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let name = shown(path);
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| {
        bytes.try_reserve_exact(file.metadata()?.len().min(limit) as usize)?;
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)
    });
    read.map_err(|e| Error::io("read", &name, e))?;
    if bytes.len() as u64 > limit {
        let message = format!("{name} is larger than the limit of {limit} bytes");
        return Err(Error::new(ErrorKind::ResourceExhausted, message));
    }
    Ok(bytes)
}
