//! Sorted tables of keys and values, as LevelDB has them: the indexes of checkpoints.
//!
//! ```
//! use extype_formats::table::{self, Builder};
//! let mut builder = Builder::new();
//! builder.add(b"one", b"1")?;
//! builder.add(b"two", b"2")?;
//! let bytes = builder.finish();
//!
//! let mut keys = Vec::new();
//! table::read(&bytes, "the table", table::DEFAULT_LIMIT, |key, _| {
//!     keys.push(key.to_vec());
//!     Ok(())
//! })?;
//! assert_eq!(keys, [b"one", b"two"]);
//! # Ok::<(), extype_formats::Error>(())
//! ```

use std::borrow::Cow;
use std::fmt::Display;

use crate::checksum::{crc32c, crc32c_append, mask};
use crate::{Error, ErrorKind, Result, varint};

/// How many bytes the keys and values of a table may have together: 256 MiB.
pub const DEFAULT_LIMIT: u64 = 1 << 28;

/// The end of a file: two handles, zeros, and the magic number.
const FOOTER: usize = 48;
const MAGIC: [u8; 8] = 0xdb47_7524_8b80_fb57u64.to_le_bytes();

/// What follows a block: its type and a checksum.
const TRAILER: usize = 5;
const PLAIN: u8 = 0;
const SNAPPY: u8 = 1;

/// A block is full when it has so many bytes.
const BLOCK: usize = 1 << 18;
/// Every key of this number is written whole.
const RESTARTS: usize = 16;

/// Calls `each` with all keys and values, in order. Errors call the table `name`. The keys and values may have `limit` bytes:
/// keys share bytes, so that they may be far longer than the file.
///
/// # Errors
/// `DataLoss` for a damaged table, with the place in it; `ResourceExhausted` beyond the limit; `Unimplemented` for
/// compressed blocks without the feature `snappy`; what `each` returns.
pub fn read(
    bytes: &[u8],
    name: impl Display,
    limit: u64,
    mut each: impl FnMut(&[u8], &[u8]) -> Result<()>,
) -> Result<()> {
    let mut table = Source { bytes, name: &name, limit, left: limit };
    let footer = bytes.last_chunk::<FOOTER>().filter(|footer| footer.ends_with(&MAGIC));
    let Some(mut footer) = footer.map(|footer| &footer[..]) else {
        return Err(table.damaged(bytes.len(), "a table has another end"));
    };
    let index = Handle::take(&mut footer).and_then(|_| Handle::take(&mut footer));
    let Some(index) = index else {
        return Err(table.damaged(bytes.len() - FOOTER, "this is no place of an index"));
    };
    let index_block = table.block(index)?;
    // Separators of blocks may be any: blocks are read in their order.
    let (mut separator, mut key) = (Key::default(), Key::default());
    let mut blocks = Entries::new(&table, index, &index_block)?;
    let mut end = 0;
    while let Some(mut value) = blocks.next(&mut table, &mut separator)? {
        let Some(handle) = Handle::take(&mut value) else {
            return Err(table.damaged(index.offset, "this is no place of a block"));
        };
        // An index could list one block again and again, and have it summed each time.
        if handle.offset < end {
            return Err(table.damaged(handle.offset, "a block begins inside the one before"));
        }
        let block = table.block(handle)?;
        end = handle.offset + handle.size + TRAILER;
        let mut entries = Entries::new(&table, handle, &block)?;
        while let Some(value) = entries.next(&mut table, &mut key)? {
            each(&key.bytes, value)?;
        }
    }
    Ok(())
}

/// The key of the last entry, in whatever block.
#[derive(Default)]
struct Key {
    bytes: Vec<u8>,
    any: bool,
}

/// Where a block is.
#[derive(Clone, Copy)]
struct Handle {
    offset: usize,
    size: usize,
}

impl Handle {
    fn take(from: &mut &[u8]) -> Option<Self> {
        let (offset, size) = (varint::take(from)?, varint::take(from)?);
        Some(Self { offset: offset.try_into().ok()?, size: size.try_into().ok()? })
    }

    fn put(self, to: &mut Vec<u8>) {
        varint::put(self.offset as u64, to);
        varint::put(self.size as u64, to);
    }
}

/// A table that is read.
struct Source<'a> {
    bytes: &'a [u8],
    name: &'a dyn Display,
    limit: u64,
    /// What is left of the limit.
    left: u64,
}

impl<'a> Source<'a> {
    /// The contents of a block.
    fn block(&mut self, Handle { offset, size }: Handle) -> Result<Cow<'a, [u8]>> {
        let end =
            offset.checked_add(size).filter(|end| self.bytes.len().saturating_sub(*end) >= TRAILER);
        let Some(end) = end else {
            return Err(self.damaged(offset, "a block of the index would go beyond the end"));
        };
        let (contents, trailer) = (&self.bytes[offset..end], &self.bytes[end..end + TRAILER]);
        let crc = mask(crc32c_append(crc32c(contents), &trailer[..1]));
        if trailer[1..] != crc.to_le_bytes() {
            return Err(self.damaged(offset, "the block has another checksum than the file says"));
        }
        match trailer[0] {
            PLAIN => Ok(Cow::Borrowed(contents)),
            SNAPPY => self.unpack(offset, contents).map(Cow::Owned),
            _ => Err(self.damaged(offset, "the block is of an unknown type")),
        }
    }

    #[cfg(feature = "snappy")]
    fn unpack(&mut self, offset: usize, contents: &[u8]) -> Result<Vec<u8>> {
        let len = snap::raw::decompress_len(contents);
        self.spend(len.as_ref().map_or(0, |len| *len))?;
        let unpacked = len.and_then(|_| snap::raw::Decoder::new().decompress_vec(contents));
        unpacked.map_err(|e| self.damaged(offset, &e.to_string()))
    }

    #[cfg(not(feature = "snappy"))]
    fn unpack(&mut self, _: usize, _: &[u8]) -> Result<Vec<u8>> {
        let message =
            format!("{} is compressed: build extype-formats with the feature `snappy`", self.name);
        Err(Error::new(ErrorKind::Unimplemented, message))
    }

    /// Counts bytes that are not in the file.
    fn spend(&mut self, bytes: usize) -> Result<()> {
        let Some(left) = self.left.checked_sub(bytes as u64) else {
            let message =
                format!("{} holds more than the limit of {} bytes", self.name, self.limit);
            return Err(Error::new(ErrorKind::ResourceExhausted, message));
        };
        self.left = left;
        Ok(())
    }

    #[cold]
    fn damaged(&self, offset: usize, what: &str) -> Error {
        let message = format!("{} is damaged, or no table: at byte {offset} {what}", self.name);
        Error::new(ErrorKind::DataLoss, message)
    }
}

/// The entries of a block.
struct Entries<'a> {
    handle: Handle,
    left: &'a [u8],
    /// The first key stands whole.
    begins: bool,
}

impl<'a> Entries<'a> {
    fn new(table: &Source<'_>, handle: Handle, block: &'a [u8]) -> Result<Self> {
        // The numbers of places where keys stand whole, which only searches need, and how many they are.
        let entries = block.split_last_chunk::<4>().and_then(|(block, count)| {
            let restarts = (u32::from_le_bytes(*count) as usize).checked_mul(4)?;
            block.get(..block.len().checked_sub(restarts)?)
        });
        match entries {
            Some(left) => Ok(Self { handle, left, begins: true }),
            None => Err(table.damaged(handle.offset, "the block is too short")),
        }
    }

    /// The value of the next entry, whose key replaces that of the last one.
    fn next(&mut self, table: &mut Source<'_>, key: &mut Key) -> Result<Option<&'a [u8]>> {
        if self.left.is_empty() {
            return Ok(None);
        }
        let damaged = |table: &Source<'_>| {
            Err(table.damaged(self.handle.offset, "the block has an entry that can't be"))
        };
        let mut number = || varint::take(&mut self.left).and_then(|n| usize::try_from(n).ok());
        let (Some(shared), Some(rest), Some(len)) = (number(), number(), number()) else {
            return damaged(table);
        };
        let split = self.left.split_at_checked(rest);
        let split = split.and_then(|(rest, left)| Some((rest, left.split_at_checked(len)?)));
        let Some((rest, (value, left))) = split else { return damaged(table) };
        let Some(others) = key.bytes.get(shared..).filter(|_| shared == 0 || !self.begins) else {
            return damaged(table);
        };
        if key.any && rest <= others {
            return Err(table.damaged(self.handle.offset, "the block has keys out of order"));
        }
        table.spend(shared.saturating_add(rest.len()).saturating_add(len))?;
        key.bytes.truncate(shared);
        key.bytes.extend_from_slice(rest);
        (key.any, self.left, self.begins) = (true, left, false);
        Ok(Some(value))
    }
}

/// Makes a table. TensorFlow writes the same bytes for the same entries.
#[derive(Debug, Default)]
pub struct Builder {
    file: Vec<u8>,
    block: Block,
    index: Block,
    /// The last block, for which the index has no entry yet.
    pending: Option<(usize, usize)>,
    entries: usize,
}

#[derive(Debug, Default)]
struct Block {
    bytes: Vec<u8>,
    restarts: Vec<u32>,
    /// The entries since a key that stands whole.
    count: usize,
    key: Vec<u8>,
}

impl Builder {
    /// A table without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry. Keys come in the order of their bytes, each once.
    ///
    /// # Errors
    /// `InvalidArgument` for a key that is not greater than the last one.
    pub fn add(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        if self.entries > 0 && key <= &self.block.key[..] {
            let [key, last] = [key, &self.block.key].map(|key| key.escape_ascii());
            let message = format!("the key `{key}` comes after `{last}`: sort the keys, each once");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let bytes = key.len().saturating_add(value.len());
        if bytes > i32::MAX as usize {
            let message = format!("an entry of {bytes} bytes is too long for a table");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        if bytes >= 2 * BLOCK {
            self.end_block();
        }
        self.put_pending(|last| separator(last, key));
        self.block.add(key, value, RESTARTS);
        self.entries += 1;
        if self.block.len() >= BLOCK {
            self.end_block();
        }
        Ok(())
    }

    /// The bytes of the table.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.end_block();
        let metaindex = self.put_block(&mut Block::default());
        self.put_pending(successor);
        let mut index = std::mem::take(&mut self.index);
        let index = self.put_block(&mut index);
        let mut footer = Vec::new();
        metaindex.put(&mut footer);
        index.put(&mut footer);
        footer.resize(FOOTER - MAGIC.len(), 0);
        footer.extend(MAGIC);
        self.file.extend(footer);
        self.file
    }

    fn end_block(&mut self) {
        if !self.block.bytes.is_empty() {
            let mut block = std::mem::take(&mut self.block);
            let Handle { offset, size } = self.put_block(&mut block);
            self.pending = Some((offset, size));
            // What comes next is compared with the last key.
            self.block.key = block.key;
        }
    }

    /// The entry of the last block, under a key between those of the two blocks.
    fn put_pending(&mut self, between: impl FnOnce(&[u8]) -> Vec<u8>) {
        if let Some((offset, size)) = self.pending.take() {
            let mut value = Vec::new();
            Handle { offset, size }.put(&mut value);
            self.index.add(&between(&self.block.key), &value, 1);
        }
    }

    fn put_block(&mut self, block: &mut Block) -> Handle {
        if block.restarts.is_empty() {
            block.restarts.push(0);
        }
        let handle = Handle { offset: self.file.len(), size: block.len() };
        self.file.append(&mut block.bytes);
        self.file.extend(block.restarts.iter().flat_map(|restart| restart.to_le_bytes()));
        self.file.extend((block.restarts.len() as u32).to_le_bytes());
        self.file.push(PLAIN);
        let crc = mask(crc32c(&self.file[handle.offset..]));
        self.file.extend(crc.to_le_bytes());
        handle
    }
}

impl Block {
    fn add(&mut self, key: &[u8], value: &[u8], interval: usize) {
        let mut shared = 0;
        if self.restarts.is_empty() || self.count == interval {
            self.restarts.push(self.bytes.len() as u32);
            self.count = 0;
        } else {
            shared = common(key, &self.key);
        }
        self.count += 1;
        for number in [shared, key.len() - shared, value.len()] {
            varint::put(number as u64, &mut self.bytes);
        }
        self.bytes.extend_from_slice(&key[shared..]);
        self.bytes.extend_from_slice(value);
        self.key.clear();
        self.key.extend_from_slice(key);
    }

    fn len(&self) -> usize {
        self.bytes.len() + 4 * self.restarts.len() + 4
    }
}

/// How many bytes two keys begin with.
fn common(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// A short key from `last` to before `next`.
fn separator(last: &[u8], next: &[u8]) -> Vec<u8> {
    let at = common(last, next);
    match (last.get(at), next.get(at)) {
        (Some(a), Some(b)) if *a < 0xff && a + 1 < *b => [&last[..at], &[a + 1]].concat(),
        _ => last.to_vec(),
    }
}

/// A short key from `last` on.
fn successor(last: &[u8]) -> Vec<u8> {
    match last.iter().position(|byte| *byte != 0xff) {
        Some(at) => [&last[..at], &[last[at] + 1]].concat(),
        None => last.to_vec(),
    }
}
