use std::fmt::{self, Debug, Display};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::Compression;
use crate::checksum::masked;
use crate::error::shown;
use crate::{Error, Result};

/// Appends a record to a file. Lengths and checksums are written in small pieces: use a buffer.
///
/// ```
/// use extype_formats::record::{Reader, write_record};
/// let mut file = Vec::new();
/// write_record(&mut file, b"abc").unwrap();
/// assert_eq!(file.len(), 12 + 3 + 4);
/// assert_eq!(Reader::new(&file[..], "the records").next_record()?, Some(&b"abc"[..]));
/// # Ok::<(), extype_formats::Error>(())
/// ```
///
/// # Errors
/// What writing says.
pub fn write_record(to: &mut impl Write, record: &[u8]) -> io::Result<()> {
    let len = (record.len() as u64).to_le_bytes();
    to.write_all(&len)?;
    to.write_all(&masked(&len))?;
    to.write_all(record)?;
    to.write_all(&masked(record))
}

/// Writes records.
///
/// ```
/// use extype_formats::record::{Compression, Reader, Writer};
/// let path = std::env::temp_dir().join("extype-doc-writer.tfrecord");
/// let mut writer = Writer::create(&path, Compression::None)?;
/// writer.write(b"to a file")?;
/// writer.flush()?;
/// assert_eq!(Reader::open(&path)?.count(), 1);
/// writer.finish()?;
///
/// // To anything else.
/// let mut writer = Writer::new(Vec::new(), "the records");
/// writer.write(b"abc")?;
/// assert_eq!(writer.get_mut().len(), 19);
/// # Ok::<(), extype_formats::Error>(())
/// ```
pub struct Writer<W: Write> {
    to: W,
    name: String,
}

impl Writer<Output> {
    /// Writes to a new file. A file that is there is replaced.
    ///
    /// # Errors
    /// What the system says. `Unimplemented` for compressed files without the feature `compression`.
    pub fn create(path: impl AsRef<Path>, compression: Compression) -> Result<Self> {
        let name = shown(path.as_ref());
        #[cfg(not(feature = "compression"))]
        if compression != Compression::None {
            return Err(super::compressed(&name));
        }
        let file = File::create(path).map_err(|e| Error::io("written", &name, e))?;
        let to = BufWriter::with_capacity(1 << 16, file);
        let to = match compression {
            Compression::None => Form::Plain(to),
            #[cfg(feature = "compression")]
            Compression::Gzip => Form::Gzip(flate2::write::GzEncoder::new(to, Default::default())),
            #[cfg(feature = "compression")]
            Compression::Zlib => {
                Form::Zlib(flate2::write::ZlibEncoder::new(to, Default::default()))
            }
            #[cfg(not(feature = "compression"))]
            _ => unreachable!("refused above"),
        };
        Ok(Self::new(Output(to), name))
    }

    /// Writes all that is left. Without this what fails at last is not told.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(self) -> Result<()> {
        self.to.finish().map_err(|e| Error::io("written", &self.name, e))
    }
}

impl<W: Write> Writer<W> {
    /// Writes records to what errors call `name`. See [`write_record`].
    pub fn new(to: W, name: impl Display) -> Self {
        Self { to, name: name.to_string() }
    }

    /// Appends a record.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&mut self, record: &[u8]) -> Result<()> {
        write_record(&mut self.to, record).map_err(|e| Error::io("written", &self.name, e))
    }

    /// Gives to the system what stands in buffers.
    ///
    /// # Errors
    /// What the system says.
    pub fn flush(&mut self) -> Result<()> {
        self.to.flush().map_err(|e| Error::io("written", &self.name, e))
    }

    /// What it writes to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.to
    }
}

impl<W: Write> Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "records to {}", self.name)
    }
}

/// The file that a [`Writer`] made.
pub struct Output(Form);

enum Form {
    Plain(BufWriter<File>),
    #[cfg(feature = "compression")]
    Gzip(flate2::write::GzEncoder<BufWriter<File>>),
    #[cfg(feature = "compression")]
    Zlib(flate2::write::ZlibEncoder<BufWriter<File>>),
}

impl Output {
    fn inner(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            Form::Plain(to) => to,
            #[cfg(feature = "compression")]
            Form::Gzip(to) => to,
            #[cfg(feature = "compression")]
            Form::Zlib(to) => to,
        }
    }

    fn finish(self) -> io::Result<()> {
        match self.0 {
            Form::Plain(to) => to,
            #[cfg(feature = "compression")]
            Form::Gzip(to) => to.finish()?,
            #[cfg(feature = "compression")]
            Form::Zlib(to) => to.finish()?,
        }
        .flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}
