//! Files of records, each with its length and checksums: TensorFlow's TFRecord files.
//!
//! ```
//! use extype_formats::record::{Compression, Reader, Writer};
//! let path = std::env::temp_dir().join("extype-doc.tfrecord");
//! let mut writer = Writer::create(&path, Compression::None)?;
//! writer.write(b"one")?;
//! writer.write(b"two")?;
//! writer.finish()?;
//!
//! let mut reader = Reader::open(&path)?;
//! while let Some(record) = reader.next_record()? {
//!     assert_eq!(record.len(), 3);
//! }
//! // As an iterator, which copies the records.
//! let records: Vec<Vec<u8>> = Reader::open(&path)?.collect::<Result<_, _>>()?;
//! assert_eq!(records, [b"one", b"two"]);
//! # Ok::<(), extype_formats::Error>(())
//! ```
//!
//! A record is eight bytes of length, their checksum, the bytes of the record, and their checksum. Numbers are
//! little-endian and checksums [masked](crate::checksum::mask). Nothing else is in a file, so files can be joined end to end.

mod reader;
mod writer;

pub use self::reader::{DEFAULT_LIMIT, Reader};
pub use self::writer::{Output, Writer, write_record};

/// How a file of records is compressed as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// As files of `gzip`. Needs the feature `compression`.
    Gzip,
    /// As streams of zlib. Needs the feature `compression`.
    Zlib,
}

/// The bytes in front of a record, and those behind it.
const HEAD: usize = 12;
const TAIL: usize = 4;

/// Without the feature `compression`.
#[cfg(not(feature = "compression"))]
fn compressed(name: &str) -> crate::Error {
    crate::Error::new(
        crate::ErrorKind::Unimplemented,
        format!("{name} is compressed: build extype-formats with the feature `compression`"),
    )
}
