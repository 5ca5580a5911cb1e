//! Event files, which TensorBoard shows.
//!
//! ```
//! use extype_formats::event::{self, Reader, Writer};
//! let folder = std::env::temp_dir().join("extype-doc-events");
//! let mut writer = Writer::create(&folder)?;
//! for step in 0..3 {
//!     writer.add(step, event::scalar("loss", 1.0 / (step as f32 + 1.0)))?;
//! }
//! writer.add(2, event::text("note", &[], ["**done**"]).with_description("in Markdown"))?;
//! writer.flush()?;
//!
//! // The first event tells the version of the file.
//! let events: Vec<_> = Reader::open(writer.path())?.collect::<Result<_, _>>()?;
//! assert_eq!(events.len(), 5);
//! assert_eq!(events[3].step, 2);
//! # Ok::<(), extype_formats::Error>(())
//! ```
//!
//! A file is a file of [records](crate::record), each an [`Event`]. TensorBoard shows all files below a folder whose names
//! contain `tfevents`.

mod values;

use std::fmt::{self, Debug};
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub use self::values::{audio, histogram, images, scalar, text};
use crate::error::shown;
use crate::proto::event::What;
use crate::proto::{Event, Message, SourceMetadata, Summary, decode, summary};
use crate::{Error, Result, record};

/// What the first event of a file says.
const VERSION: &str = "brain.Event:2";

/// An event of now.
///
/// ```
/// use extype_formats::event;
/// use extype_formats::proto::Summary;
/// use extype_formats::proto::event::What;
/// // Values that belong together.
/// let value = vec![event::scalar("loss", 0.5), event::scalar("accuracy", 0.9)];
/// let event = event::now(3, What::Summary(Summary { value }));
/// assert_eq!(event.step, 3);
/// ```
#[must_use]
pub fn now(step: i64, what: What) -> Event {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Event { wall_time: time.as_secs_f64(), step, what: Some(what), source_metadata: None }
}

/// Writes events to a new file. A record is given to the system when the buffer is full, by [`flush`](Self::flush), and when the
/// writer is dropped.
///
/// ```
/// use extype_formats::event::{self, Reader, Writer};
/// use extype_formats::proto::event::What;
/// let mut writer = Writer::create(std::env::temp_dir().join("extype-doc-event-writer"))?;
/// writer.add(1, event::scalar("loss", 0.5))?;
/// writer.write(&event::now(1, What::GraphDef(Vec::new())))?;
/// // The buffer is not full: TensorBoard sees what was flushed.
/// writer.flush()?;
/// assert_eq!(Reader::open(writer.path())?.count(), 3);
/// # Ok::<(), extype_formats::Error>(())
/// ```
pub struct Writer {
    records: record::Writer<BufWriter<File>>,
    path: PathBuf,
}

impl Writer {
    /// Begins a file in a folder, which is made if it is missing. The file has a name of its own: the time, the computer, the
    /// process and a number.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let folder = folder.as_ref();
        let told = |e| Error::io("made", format_args!("the folder {}", folder.display()), e);
        fs::create_dir_all(folder).map_err(told)?;
        let mut first = now(0, What::FileVersion(VERSION.into()));
        first.source_metadata = Some(SourceMetadata { writer: "extype".into() });
        let (seconds, host, process) = (first.wall_time as u64, host(), std::process::id());
        let (path, file) = loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("events.out.tfevents.{seconds:010}.{host}.{process}.{count}.v2");
            let path = folder.join(name);
            match File::create_new(&path) {
                Ok(file) => break (path, file),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Error::io("written", shown(&path), e)),
            }
        };
        let records = record::Writer::new(BufWriter::with_capacity(1 << 16, file), shown(&path));
        let mut writer = Self { records, path };
        writer.write(&first)?;
        Ok(writer)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an event.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&mut self, event: &Event) -> Result<()> {
        self.records.write(&event.encode_to_vec())
    }

    /// Appends a value of now.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, step: i64, value: summary::Value) -> Result<()> {
        self.write(&now(step, What::Summary(Summary { value: vec![value] })))
    }

    /// Gives all events to the system: other programs see them then.
    ///
    /// # Errors
    /// What the system says.
    pub fn flush(&mut self) -> Result<()> {
        self.records.flush()
    }
}

impl Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "events to {}", self.path.display())
    }
}

/// The name of the computer, of letters that files may have.
fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| std::env::var("HOSTNAME"))
        .or_else(|_| std::env::var("COMPUTERNAME"))
        .unwrap_or_default();
    let name: String = name
        .trim()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .take(64)
        .collect();
    if name.is_empty() { "localhost".into() } else { name }
}

/// Reads the events of a file.
///
/// ```
/// use extype_formats::event::{self, Reader, Writer};
/// let mut writer = Writer::create(std::env::temp_dir().join("extype-doc-event-reader"))?;
/// writer.flush()?;
/// let mut reader = Reader::open(writer.path())?;
/// // The version of the file.
/// assert_eq!(reader.by_ref().count(), 1);
/// // The file grows.
/// assert!(reader.next_event()?.is_none());
/// writer.add(7, event::scalar("loss", 0.5))?;
/// writer.flush()?;
/// assert_eq!(reader.next_event()?.map(|event| event.step), Some(7));
/// # Ok::<(), extype_formats::Error>(())
/// ```
pub struct Reader {
    records: record::Reader<File>,
    name: String,
}

impl Reader {
    /// Opens a file.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let records = record::Reader::open(&path)?.growing();
        Ok(Self { records, name: shown(path.as_ref()) })
    }

    /// The next event; `None` at the end, or where an event is not whole. A file may grow: a later call goes on from there.
    ///
    /// # Errors
    /// `DataLoss` for a damaged event, with the place in the file. No event comes behind one whose checksum is wrong.
    pub fn next_event(&mut self) -> Result<Option<Event>> {
        let offset = self.records.offset();
        let record = self.records.next_record()?;
        let name = format_args!("the record at byte {offset} of {}", self.name);
        record.map(|record| decode(record, name)).transpose()
    }
}

impl Iterator for Reader {
    type Item = Result<Event>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_event().transpose()
    }
}

impl Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "events of {}", self.name)
    }
}
