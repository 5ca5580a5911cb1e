use std::fmt::{self, Debug, Display};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::{Compression, HEAD, TAIL};
use crate::checksum::masked;
use crate::error::shown;
use crate::{Error, ErrorKind, Result};

/// The longest record that a [`Reader`] takes by itself: 1 GiB.
pub const DEFAULT_LIMIT: u64 = 1 << 30;

/// How much is read at a time, at first and later.
const SMALL: usize = 1 << 12;
const CHUNK: usize = 1 << 18;

/// Reads records.
///
/// An error of damage ends the reading, unless the reader [skips](Reader::skip_corrupt) what is damaged. A file that ends
/// inside the twelve bytes in front of a record ends there as if they were not written, as in TensorFlow; one that ends later in a
/// record is damaged.
///
/// ```
/// use std::io::Cursor;
/// use extype_formats::record::{Reader, write_record};
/// let mut file = Vec::new();
/// for record in ["one", "two", "three"] {
///     write_record(&mut file, record.as_bytes()).unwrap();
/// }
///
/// let mut reader = Reader::new(Cursor::new(&file), "the records").limit(1 << 20);
/// assert_eq!(reader.next_record()?, Some(&b"one"[..]));
/// let second = reader.offset();
/// assert_eq!(reader.by_ref().count(), 2);
/// reader.seek(second)?;
/// assert_eq!(reader.next_record()?, Some(&b"two"[..]));
///
/// file[second as usize + 12] ^= 1;
/// let error = Reader::new(&file[..], "the records").nth(1).unwrap().unwrap_err();
/// assert!(error.to_string().contains("the record at byte 19 has another checksum"));
/// let mut reader = Reader::new(&file[..], "the records").skip_corrupt(true);
/// assert_eq!(reader.by_ref().collect::<Result<Vec<_>, _>>()?, [&b"one"[..], b"three"]);
/// assert_eq!(reader.skipped(), 1);
/// # Ok::<(), extype_formats::Error>(())
/// ```
///
/// Files are opened by path:
///
/// ```
/// use extype_formats::record::{Compression, Reader, Writer};
/// let path = std::env::temp_dir().join("extype-doc-reader.tfrecord");
/// Writer::create(&path, Compression::None)?.finish()?;
/// assert_eq!(Reader::open(&path)?.count(), 0);
/// assert_eq!(Reader::open_compressed(&path, Compression::None)?.count(), 0);
/// # Ok::<(), extype_formats::Error>(())
/// ```
pub struct Reader<R> {
    from: R,
    name: String,
    limit: u64,
    skip: bool,
    skipped: u64,
    /// Whether the end of a record may come later.
    growing: bool,
    /// Where the next record begins.
    offset: u64,
    /// What was read: the bytes of `start..end` are still to come, and the record before them was returned last.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    failed: bool,
}

impl Reader<File> {
    /// Reads a file that is not compressed.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let name = shown(path.as_ref());
        match File::open(path) {
            Ok(file) => Ok(Self::new(file, name)),
            Err(e) => Err(Error::io("read", name, e)),
        }
    }
}

impl Reader<Box<dyn Read + Send>> {
    /// Reads a file that may be compressed.
    ///
    /// # Errors
    /// What the system says. `Unimplemented` for compressed files without the feature `compression`.
    pub fn open_compressed(path: impl AsRef<Path>, compression: Compression) -> Result<Self> {
        let Reader { from: file, name, .. } = Reader::open(path)?;
        let from: Box<dyn Read + Send> = match compression {
            Compression::None => Box::new(file),
            #[cfg(feature = "compression")]
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(file)),
            #[cfg(feature = "compression")]
            Compression::Zlib => Box::new(flate2::read::ZlibDecoder::new(file)),
            #[cfg(not(feature = "compression"))]
            _ => return Err(super::compressed(&name)),
        };
        Ok(Self::new(from, name))
    }
}

impl<R: Read> Reader<R> {
    /// Reads records from what errors call `name`. The reader has a buffer of its own.
    pub fn new(from: R, name: impl Display) -> Self {
        Self {
            from,
            name: name.to_string(),
            limit: DEFAULT_LIMIT,
            skip: false,
            skipped: 0,
            growing: false,
            offset: 0,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            failed: false,
        }
    }

    /// The longest record that is read. A longer one is an error. Memory grows with the bytes that come, not with the
    /// length that a record states: small compressed files may hold long records.
    #[must_use]
    pub fn limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// Whether damaged records are left out. If a length is damaged, reading goes on at the next place that looks like the
    /// beginning of a record. [`skipped`](Self::skipped) counts them.
    #[must_use]
    pub fn skip_corrupt(mut self, skip: bool) -> Self {
        self.skip = skip;
        self
    }

    /// A file to which a program writes: a record that is cut off is not there yet.
    #[cfg(feature = "proto")]
    pub(crate) fn growing(mut self) -> Self {
        self.growing = true;
        self
    }

    /// How many damaged places were left out.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Where the next record begins: a place in the file, or in what it decompresses to.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next record; `None` at the end.
    ///
    /// # Errors
    /// `DataLoss` for a damaged record, with the place in the file; `ResourceExhausted` for a record beyond the
    /// [limit](Self::limit); what the system says. After an error there are no more records.
    pub fn next_record(&mut self) -> Result<Option<&[u8]>> {
        if self.failed {
            return Ok(None);
        }
        match self.find() {
            Ok(Some(len)) => {
                let begin = self.start + HEAD;
                self.pass(HEAD + len + TAIL);
                Ok(Some(&self.buffer[begin..begin + len]))
            }
            Ok(None) => Ok(None),
            Err(e) => {
                self.failed = true;
                Err(e)
            }
        }
    }

    /// Finds the next whole record, and returns its length. It begins at `start`.
    fn find(&mut self) -> Result<Option<usize>> {
        // Whether bytes are passed one by one, to find the next beginning.
        let mut lost = false;
        loop {
            if !self.fill(HEAD)? {
                return Ok(None);
            }
            let head = &self.buffer[self.start..self.end];
            let (len, sum) = (head.first_chunk::<8>(), head[8..HEAD].first_chunk::<4>());
            let (Some(len), Some(sum)) = (len, sum) else { return Ok(None) };
            let (len, whole) = (u64::from_le_bytes(*len), masked(len) == *sum);
            let fits = len <= self.limit;
            if whole && fits {
                lost = false;
                let all = usize::try_from(len).ok().and_then(|len| len.checked_add(HEAD + TAIL));
                if let Some(all) = all
                    && self.fill(all)?
                {
                    let record = &self.buffer[self.start + HEAD..][..all - HEAD];
                    let (record, sum) = record.split_at(record.len() - TAIL);
                    if masked(record) == sum {
                        return Ok(Some(record.len()));
                    }
                    self.damaged("has another checksum than the file says")?;
                    self.pass(all);
                } else if self.growing {
                    return Ok(None);
                } else {
                    self.damaged("is cut off")?;
                    self.pass(self.end - self.start);
                }
            } else if whole && !lost {
                let (offset, limit) = (self.offset, self.limit);
                let message = format!(
                    "{}: the record at byte {offset} has {len} bytes, and the limit is {limit}",
                    self.name
                );
                return Err(Error::new(ErrorKind::ResourceExhausted, message));
            } else {
                if !lost {
                    self.damaged("has a length with another checksum than the file says")?;
                }
                lost = true;
                self.pass(1);
            }
        }
    }

    fn pass(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// An error, or one more place to leave out.
    fn damaged(&mut self, how: &str) -> Result<()> {
        if self.skip {
            self.skipped += 1;
            return Ok(());
        }
        let (name, offset) = (&self.name, self.offset);
        // Files that are compressed look like damaged ones.
        let hint = match self.buffer.get(self.start..self.end) {
            Some([0x1f, 0x8b, ..]) if offset == 0 => "; it looks like a file of gzip",
            Some([0x78, 0x01 | 0x5e | 0x9c | 0xda, ..]) if offset == 0 => {
                "; it looks compressed by zlib"
            }
            _ => "",
        };
        let message = format!(
            "{name} is damaged, or no file of records: the record at byte {offset} {how}{hint}"
        );
        Err(Error::new(ErrorKind::DataLoss, message))
    }

    /// Reads until so many bytes are there. `false` if fewer are left.
    fn fill(&mut self, bytes: usize) -> Result<bool> {
        while self.end - self.start < bytes {
            if self.end == self.buffer.len() {
                self.buffer.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, self.end - self.start);
                // Twice what came, but beyond a chunk not more than is asked for: lengths of strangers are not believed.
                let twice = 2 * self.buffer.len();
                let len = twice.clamp(SMALL, bytes.max(CHUNK)).max(self.buffer.len());
                if self.buffer.try_reserve_exact(len - self.buffer.len()).is_err() {
                    let message = format!("{}: no memory for a record of {bytes} bytes", self.name);
                    return Err(Error::new(ErrorKind::ResourceExhausted, message));
                }
                self.buffer.resize(len, 0);
            }
            match self.from.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(read) => self.end += read,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::io("read", &self.name, e)),
            }
        }
        Ok(true)
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Goes on with the record that begins there: an [`offset`](Self::offset) of before.
    ///
    /// # Errors
    /// What the system says.
    pub fn seek(&mut self, offset: u64) -> Result<()> {
        let sought = self.from.seek(SeekFrom::Start(offset));
        sought.map_err(|e| Error::io("read", &self.name, e))?;
        (self.start, self.end, self.offset, self.failed) = (0, 0, offset, false);
        Ok(())
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().map(|record| record.map(<[u8]>::to_vec)).transpose()
    }
}

impl<R> Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "records of {} from byte {}", self.name, self.offset)
    }
}
