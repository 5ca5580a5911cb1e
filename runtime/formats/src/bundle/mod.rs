//! Checkpoints: tensors by their names.
//!
//! A checkpoint has a prefix, which is what its files have in common: `<prefix>.index`, a sorted table of what there is,
//! and `<prefix>.data-00000-of-00001`, the tensors.
//!
//! ```
//! use extype_formats::bundle::{Bundle, Writer};
//! use extype_formats::proto::DataType;
//! let folder = std::env::temp_dir().join("extype-doc-bundle");
//! std::fs::create_dir_all(&folder).unwrap();
//! let prefix = folder.join("ckpt");
//! let mut writer = Writer::create(&prefix)?;
//! writer.add("layer/bias", DataType::Float, &[2], bytes_of(&[0.5, 1.0]))?;
//! writer.add_strings("names", &[3], ["a", "b", "c"])?;
//! writer.finish()?;
//!
//! let bundle = Bundle::open(&prefix)?;
//! assert_eq!(bundle.keys().collect::<Vec<_>>(), ["layer/bias", "names"]);
//! let bias = bundle.get("layer/bias")?;
//! assert_eq!((bias.dtype(), bias.shape()), (DataType::Float, vec![2]));
//! let mut room = vec![0; bias.size()?];
//! bias.read_into(&mut room)?;
//! assert_eq!(room, bytes_of(&[0.5, 1.0]));
//! assert_eq!(bundle.get("names")?.strings()?, [b"a", b"b", b"c"]);
//! # fn bytes_of(x: &[f32; 2]) -> &'static [u8] { assert_eq!(x, &[0.5, 1.0]); &[0, 0, 0, 63, 0, 0, 128, 63] }
//! # Ok::<(), extype_formats::Error>(())
//! ```

mod index;
mod ordered;
mod reader;
mod region;
mod shards;
mod state;
mod writer;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::checksum::crc32c_append;

pub use self::reader::{Bundle, Entry};
pub use self::state::{latest, read_state, write_state};
pub use self::writer::{Writer, remove};

/// The key of a checkpoint of objects under which their graph stands, a
/// [`TrackableObjectGraph`](crate::proto::TrackableObjectGraph).
pub const OBJECT_GRAPH: &str = "_CHECKPOINTABLE_OBJECT_GRAPH";

/// The path of a file of a checkpoint.
fn with_suffix(prefix: &Path, suffix: &str) -> PathBuf {
    let mut path = OsString::from(prefix);
    path.push(suffix);
    path.into()
}

/// The path of the index of a checkpoint.
///
/// ```
/// # use std::path::Path;
/// let path = extype_formats::bundle::index_path("a/ckpt-1");
/// assert_eq!(path, Path::new("a/ckpt-1.index"));
/// ```
pub fn index_path(prefix: impl AsRef<Path>) -> PathBuf {
    with_suffix(prefix.as_ref(), ".index")
}

/// The path of a file with tensors.
fn data_path(prefix: &Path, shard: i32, shards: i32) -> PathBuf {
    with_suffix(prefix, &format!(".data-{shard:05}-of-{shards:05}"))
}

/// How much is checked at a time while it is read or written, so that it is in the cache of the CPU.
const CHUNK: usize = 1 << 18;

/// The checksum of the lengths of strings with one more: they are summed as numbers of four bytes, long ones of eight.
fn append_length(crc: u32, length: u64) -> u32 {
    match u32::try_from(length) {
        Ok(short) => crc32c_append(crc, &short.to_le_bytes()),
        Err(_) => crc32c_append(crc, &length.to_le_bytes()),
    }
}

/// How many elements a tensor has; `None` if that is no number.
fn elements(shape: &[usize]) -> Option<usize> {
    // Zero wins over sizes that are too large together.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |product, size| product.checked_mul(*size))
}
