use std::fmt::{self, Debug};
use std::io;
use std::path::Path;

use super::index::{Index, shown_key};
use super::ordered::slice_key;
use super::region::Region;
use super::shards::{Shard, Shards};
use super::{OBJECT_GRAPH, append_length, elements, index_path};
use crate::checksum::{crc32c_append, mask};
use crate::error::shown;
use crate::proto::bundle_header_proto::Endianness;
use crate::proto::{BundleEntryProto, DataType, TrackableObjectGraph, decode, read_bytes};
use crate::{Error, ErrorKind, Result, table, varint};

/// The version of checkpoints that is read and written.
pub(super) const VERSION: i32 = 1;

/// How often a checkpoint is opened anew that is replaced meanwhile.
const TRIES: usize = 16;

/// How many parts a tensor of four axes may be stored in. More axes allow fewer parts, all of which are compared.
const MAX_SLICES: usize = 1 << 14;

/// A checkpoint that is read. Only the index is in memory: tensors are read when they are asked for, by any thread.
///
/// The files are open, and are still those of this checkpoint when another one is written in its place.
///
/// ```
/// use extype_formats::ErrorKind;
/// use extype_formats::bundle::{Bundle, Writer};
/// use extype_formats::proto::DataType;
/// let prefix = std::env::temp_dir().join("extype-doc-open/ckpt");
/// let mut writer = Writer::create(&prefix)?;
/// writer.add("dense/kernel", DataType::Float, &[3, 2], &[0; 24])?;
/// writer.add("step", DataType::Int64, &[], &7i64.to_le_bytes())?;
/// writer.finish()?;
///
/// let bundle = Bundle::open(&prefix)?;
/// assert_eq!(bundle.keys().collect::<Vec<_>>(), ["dense/kernel", "step"]);
/// let elements = bundle.entries().map(|entry| entry.shape().iter().product::<usize>());
/// assert_eq!(elements.sum::<usize>(), 7);
/// assert_eq!(bundle.get("step")?.bytes()?, 7i64.to_le_bytes());
/// assert_eq!(bundle.get("steps").unwrap_err().kind(), ErrorKind::NotFound);
/// // Programs that save objects, and not names, describe them.
/// assert!(bundle.object_graph()?.is_none());
///
/// // The index of a stranger.
/// let error = Bundle::open_limited(&prefix, 100).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::ResourceExhausted);
/// # Ok::<(), extype_formats::Error>(())
/// ```
pub struct Bundle {
    index: Index,
    shards: Shards,
}

impl Bundle {
    /// Opens a checkpoint.
    ///
    /// # Errors
    /// `NotFound` if there is no index or a file with tensors is missing, `DataLoss` if the index is damaged, `Unimplemented` if
    /// the numbers are big-endian or a newer version wrote it.
    pub fn open(prefix: impl AsRef<Path>) -> Result<Self> {
        Self::open_limited(prefix, table::DEFAULT_LIMIT)
    }

    /// Opens a checkpoint whose index has at most so many bytes.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), and `ResourceExhausted` for a larger index.
    pub fn open_limited(prefix: impl AsRef<Path>, limit: u64) -> Result<Self> {
        let prefix = prefix.as_ref();
        let path = index_path(prefix);
        let mut bytes = read_bytes(&path, limit)?;
        for _ in 0..TRIES {
            let opened = Index::decode(&bytes, &path, limit).and_then(|i| Self::of(prefix, i));
            // Files may be gone, or of a newer checkpoint: then the index is another one by now.
            let now = read_bytes(&path, limit)?;
            if now == bytes {
                return opened;
            }
            bytes = now;
        }
        let message = format!(
            "{} was replaced {TRIES} times while it was opened: try again when it is written less often",
            shown(&path)
        );
        Err(Error::new(ErrorKind::FailedPrecondition, message))
    }

    fn of(prefix: &Path, index: Index) -> Result<Self> {
        let unread = |what: &str| {
            let message = format!("{} can't be read: {what}", index.name);
            Err(Error::new(ErrorKind::Unimplemented, message))
        };
        if index.header.endianness != Endianness::Little as i32 {
            return unread("its numbers are big-endian");
        }
        let version = index.header.version.clone().unwrap_or_default();
        if version.min_consumer > VERSION || version.bad_consumers.contains(&VERSION) {
            return unread(&format!("it needs a reader of version {}", version.min_consumer));
        }
        let shards = Shards::open(prefix, &index)?;
        Ok(Self { index, shards })
    }

    /// The names of all tensors, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries().map(|entry| entry.key)
    }

    /// All tensors, sorted by their names.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.index.entries.iter().filter_map(|(key, entry)| self.entry(key, entry))
    }

    /// The tensor with this name.
    ///
    /// # Errors
    /// `NotFound` if there is none.
    pub fn get(&self, key: &str) -> Result<Entry<'_>> {
        let found = self.index.entries.get_key_value(key.as_bytes());
        found.and_then(|(key, entry)| self.entry(key, entry)).ok_or_else(|| {
            Error::new(ErrorKind::NotFound, format!("{} has no tensor `{key}`", self.index.name))
        })
    }

    /// The graph of the objects whose values these are; `None` if the checkpoint has only names.
    ///
    /// # Errors
    /// `DataLoss` if it is damaged.
    pub fn object_graph(&self) -> Result<Option<TrackableObjectGraph>> {
        if !self.index.entries.contains_key(OBJECT_GRAPH.as_bytes()) {
            return Ok(None);
        }
        let mut strings = self.get(OBJECT_GRAPH)?.strings()?;
        let graph = strings.pop().filter(|_| strings.is_empty()).unwrap_or_default();
        decode(&graph, format_args!("`{OBJECT_GRAPH}` of {}", self.index.name)).map(Some)
    }

    /// A tensor, but not a part of one, whose key begins with a zero.
    fn entry<'a>(&'a self, key: &'a [u8], proto: &'a BundleEntryProto) -> Option<Entry<'a>> {
        let key = std::str::from_utf8(key).ok().filter(|key| !key.starts_with('\0'))?;
        Some(Entry { bundle: self, key, proto })
    }
}

impl Debug for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "checkpoint {} of {} tensors", self.shards.prefix.display(), self.keys().count())
    }
}

/// A tensor of a checkpoint.
///
/// ```
/// use extype_formats::bundle::{Bundle, Writer};
/// use extype_formats::proto::DataType;
/// let prefix = std::env::temp_dir().join("extype-doc-entry/ckpt");
/// let mut writer = Writer::create(&prefix)?;
/// writer.add("x", DataType::Int16, &[2, 3], &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0])?;
/// writer.add_strings("words", &[2], ["one", "two"])?;
/// writer.finish()?;
/// let bundle = Bundle::open(&prefix)?;
///
/// let x = bundle.get("x")?;
/// assert_eq!((x.key(), x.dtype(), x.shape()), ("x", DataType::Int16, vec![2, 3]));
/// assert_eq!((x.size()?, x.proto().size), (12, 12));
/// // Into room of your own. `stored` is `size`, and the files are long enough for it.
/// let mut room = vec![0; x.stored()?];
/// x.read_into(&mut room)?;
/// assert_eq!(room, x.bytes()?);
/// let numbers: Vec<i16> = room.as_chunks().0.iter().map(|n| i16::from_le_bytes(*n)).collect();
/// assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
///
/// // Strings have no size of their own.
/// let words = bundle.get("words")?;
/// assert!(words.size().is_err());
/// assert_eq!(words.strings()?, [b"one", b"two"]);
/// # Ok::<(), extype_formats::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    bundle: &'a Bundle,
    key: &'a str,
    proto: &'a BundleEntryProto,
}

impl<'a> Entry<'a> {
    /// The name.
    pub fn key(&self) -> &'a str {
        self.key
    }

    /// The dtype; `Invalid` if it is newer than this library.
    pub fn dtype(&self) -> DataType {
        self.proto.dtype()
    }

    /// The shape.
    pub fn shape(&self) -> Vec<usize> {
        sizes(self.proto)
    }

    /// What the index says.
    pub fn proto(&self) -> &'a BundleEntryProto {
        self.proto
    }

    /// How many bytes its elements have, which is what [`read_into`](Self::read_into) takes.
    ///
    /// # Errors
    /// `Unimplemented` for a dtype whose elements differ in size. `DataLoss` if the index contradicts itself.
    pub fn size(&self) -> Result<usize> {
        let Some(size) = self.dtype().size() else {
            return Err(self.error(
                ErrorKind::Unimplemented,
                match self.dtype() {
                    DataType::String => "has strings: read it with `strings`".into(),
                    DataType::Invalid => {
                        format!("has the dtype {}, which is unknown", self.proto.dtype)
                    }
                    other => format!("has the dtype {other:?}, which can't be read"),
                },
            ));
        };
        let bytes = elements(&self.shape()).and_then(|count| count.checked_mul(size));
        let bytes = bytes.filter(|bytes| isize::try_from(*bytes).is_ok());
        bytes.ok_or_else(|| self.error(ErrorKind::DataLoss, "is too large to be".into()))
    }

    /// The [size](Self::size), once it is certain that the files are long enough for it. Room for less certain sizes may be
    /// more than there is memory.
    ///
    /// # Errors
    /// Those of [`read_into`](Self::read_into), but for the checksum.
    pub fn stored(&self) -> Result<usize> {
        let size = self.size()?;
        if self.proto.slices.is_empty() {
            self.check_size(self.proto, size)?;
            self.available(self.proto)?;
        } else {
            let mut parts = self.slices()?;
            parts.sort_by_key(|(_, part)| (part.shard_id, part.offset, part.size));
            for (_, part) in &parts {
                self.available(part)?;
            }
            // Few bytes could stand for many parts.
            let apart = |a: &BundleEntryProto, b: &BundleEntryProto| {
                a.shard_id != b.shard_id || a.offset + a.size <= b.offset
            };
            if !parts.is_sorted_by(|(_, a), (_, b)| apart(a, b)) {
                let what = "has parts that share bytes of a file".into();
                return Err(self.error(ErrorKind::DataLoss, what));
            }
        }
        Ok(size)
    }

    /// Reads the elements: little-endian, in rows.
    ///
    /// # Errors
    /// `InvalidArgument` if the room is not of the tensor's [size](Self::size), or a part of the tensor is missing;
    /// `OutOfRange` if the file with the tensors ends too early, `DataLoss` if the bytes have another checksum than the index
    /// says. The room may hold anything then.
    pub fn read_into(&self, room: &mut [u8]) -> Result<()> {
        let size = self.size()?;
        if room.len() != size {
            let what = format!("has {size} bytes, and there is room for {}", room.len());
            return Err(self.error(ErrorKind::InvalidArgument, what));
        }
        if !self.proto.slices.is_empty() {
            return self.read_slices(room);
        }
        self.read_whole(self.proto, room)
    }

    /// The elements: little-endian, in rows. See [`read_into`](Self::read_into).
    ///
    /// # Errors
    /// Those of `read_into`, and `ResourceExhausted` if memory lacks.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = self.room(self.stored()?)?;
        self.read_into(&mut bytes)?;
        Ok(bytes)
    }

    /// The elements of a tensor of strings, in rows.
    ///
    /// # Errors
    /// `InvalidArgument` for other dtypes, and those of [`bytes`](Self::bytes).
    pub fn strings(&self) -> Result<Vec<Vec<u8>>> {
        if self.dtype() != DataType::String {
            let what = format!("has the dtype {:?}, and no strings", self.dtype());
            return Err(self.error(ErrorKind::InvalidArgument, what));
        }
        if !self.proto.slices.is_empty() {
            let what = "has strings in parts, which can't be read".into();
            return Err(self.error(ErrorKind::Unimplemented, what));
        }
        let mut bytes = self.room(self.available(self.proto)?)?;
        self.read_unchecked(self.proto, &mut bytes)?;
        let wrong = || {
            let what = "has strings that contradict their lengths".into();
            self.error(ErrorKind::DataLoss, what)
        };
        // Each length is a byte at least.
        let count = elements(&self.shape()).filter(|count| *count <= bytes.len());
        let count = count.ok_or_else(wrong)?;
        let (mut from, mut lengths, mut crc) = (&bytes[..], Vec::with_capacity(count), 0);
        for _ in 0..count {
            let length = varint::take(&mut from).ok_or_else(wrong)?;
            crc = append_length(crc, length);
            lengths.push(usize::try_from(length).map_err(|_| wrong())?);
        }
        let (sum, strings) = from.split_first_chunk::<4>().ok_or_else(wrong)?;
        self.check_crc(crc, u32::from_le_bytes(*sum))?;
        // The checksum of all goes on over that of the lengths.
        self.check_crc(crc32c_append(crc, from), self.proto.crc32c)?;
        from = strings;
        let mut strings = Vec::with_capacity(count);
        for length in lengths {
            let (string, rest) = from.split_at_checked(length).ok_or_else(wrong)?;
            strings.push(string.to_vec());
            from = rest;
        }
        if !from.is_empty() {
            return Err(wrong());
        }
        Ok(strings)
    }

    /// Reads the bytes of an entry, and checks them.
    fn read_whole(&self, entry: &BundleEntryProto, room: &mut [u8]) -> Result<()> {
        self.check_size(entry, room.len())?;
        let crc = self.read_unchecked(entry, room)?;
        self.check_crc(crc, entry.crc32c)
    }

    /// Reads the bytes of an entry, and returns their checksum.
    fn read_unchecked(&self, entry: &BundleEntryProto, room: &mut [u8]) -> Result<u32> {
        if room.is_empty() {
            return Ok(0);
        }
        let shard = self.shard(entry)?;
        shard.read(room, entry.offset as u64).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => self.too_short(&shard.path),
            _ => Error::io("read", shown(&shard.path), e),
        })
    }

    /// The file with an entry.
    fn shard(&self, entry: &BundleEntryProto) -> Result<&'a Shard> {
        let shards = &self.bundle.shards;
        shards.files.get(&entry.shard_id).ok_or_else(|| {
            let what = format!("is said to be in file {} of {}", entry.shard_id, shards.count);
            self.error(ErrorKind::DataLoss, what)
        })
    }

    fn check_crc(&self, crc: u32, masked: u32) -> Result<()> {
        if mask(crc) == masked {
            return Ok(());
        }
        let what = "is damaged: its bytes have another checksum than the files say".into();
        Err(self.error(ErrorKind::DataLoss, what))
    }

    /// The parts of a tensor: they make up all of it, and none stands in another.
    fn slices(&self) -> Result<Vec<(Region, &'a BundleEntryProto)>> {
        let (shape, slices) = (self.shape(), &self.proto.slices);
        let width = self.dtype().size().unwrap_or_default();
        let most = 4 * MAX_SLICES / shape.len().max(4);
        if slices.len() > most {
            let what = format!("has {} parts, and {most} can be read", slices.len());
            return Err(self.error(ErrorKind::Unimplemented, what));
        }
        let mut parts: Vec<(Region, &BundleEntryProto)> = Vec::with_capacity(slices.len());
        for slice in slices {
            let wrong = |how| self.error(ErrorKind::DataLoss, format!("has a part that {how}"));
            let region = Region::of(slice, &shape).ok_or_else(|| wrong("lies outside of it"))?;
            let key = slice_key(self.key.as_bytes(), slice);
            let Some(entry) = self.bundle.index.entries.get(&key) else {
                let what = format!("lacks its part {region:?}");
                return Err(self.error(ErrorKind::InvalidArgument, what));
            };
            if entry.dtype != self.proto.dtype || sizes(entry) != region.sizes {
                return Err(wrong("is of another dtype or shape"));
            }
            // No more than the whole, whose size is a number.
            self.check_size(entry, elements(&region.sizes).unwrap_or_default() * width)?;
            parts.push((region, entry));
        }
        let covered = parts
            .iter()
            .try_fold(0, |sum: usize, (region, _)| sum.checked_add(elements(&region.sizes)?));
        let apart = |i: usize| parts[..i].iter().all(|(other, _)| !other.meets(&parts[i].0));
        if covered != elements(&shape) || !(0..parts.len()).all(apart) {
            let what = "has parts that are not the whole, each element once".into();
            return Err(self.error(ErrorKind::InvalidArgument, what));
        }
        Ok(parts)
    }

    fn read_slices(&self, room: &mut [u8]) -> Result<()> {
        let width = self.dtype().size().unwrap_or_default();
        let shape = self.shape();
        for (region, entry) in self.slices()? {
            // At most what the room has.
            let mut bytes = self.room(entry.size as usize)?;
            self.read_whole(entry, &mut bytes)?;
            region.put(&bytes, width, &shape, room);
        }
        Ok(())
    }

    fn check_size(&self, entry: &BundleEntryProto, bytes: usize) -> Result<()> {
        if entry.size as u64 == bytes as u64 {
            return Ok(());
        }
        let what = format!("needs {bytes} bytes, and the index says {}", entry.size);
        Err(self.error(ErrorKind::DataLoss, what))
    }

    /// The size of an entry that the file has room for.
    fn available(&self, entry: &BundleEntryProto) -> Result<usize> {
        if entry.size == 0 {
            return Ok(0);
        }
        let shard = self.shard(entry)?;
        let about = shard.file.metadata().map_err(|e| Error::io("read", shown(&shard.path), e))?;
        match usize::try_from(entry.size) {
            Ok(size) if (entry.offset + entry.size) as u64 <= about.len() => Ok(size),
            _ => Err(self.too_short(&shard.path)),
        }
    }

    fn room(&self, bytes: usize) -> Result<Vec<u8>> {
        let mut room = Vec::new();
        if room.try_reserve_exact(bytes).is_err() {
            let what = format!("has {bytes} bytes, and memory lacks");
            return Err(self.error(ErrorKind::ResourceExhausted, what));
        }
        room.resize(bytes, 0);
        Ok(room)
    }

    #[cold]
    fn error(&self, kind: ErrorKind, what: String) -> Error {
        let (prefix, key) = (self.bundle.shards.prefix.display(), shown_key(self.key.as_bytes()));
        Error::new(kind, format!("the checkpoint {prefix}: the tensor `{key}` {what}"))
    }

    #[cold]
    fn too_short(&self, path: &Path) -> Error {
        let what = format!("lies beyond the end of {}", shown(path));
        self.error(ErrorKind::OutOfRange, what)
    }
}

impl Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?} {:?}", self.key, self.dtype(), self.shape())
    }
}

/// The shape of an entry, which was checked when it was read.
fn sizes(entry: &BundleEntryProto) -> Vec<usize> {
    let dims = entry.shape.iter().flat_map(|shape| &shape.dim);
    dims.map(|dim| usize::try_from(dim.size).unwrap_or(usize::MAX)).collect()
}
