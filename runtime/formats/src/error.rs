use std::path::Path;
use std::{fmt, io};

/// What reading and writing return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// TensorFlow's kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The caller asked for what can't be.
    InvalidArgument,
    /// The system does not do it: permissions, devices.
    FailedPrecondition,
    /// A file or a key is missing.
    NotFound,
    /// A file ends before what its index says.
    OutOfRange,
    /// The file uses what this library, or this build of it, can't read.
    Unimplemented,
    /// The bytes are damaged, or are no such file.
    DataLoss,
    /// A limit of the reader is too low, or the disk or the memory is full.
    ResourceExhausted,
}

/// Why a file could not be read or written. The message names the file, the place in it, and what is wrong.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    source: Option<io::Error>,
}

impl Error {
    /// An error with a message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), source: None }))
    }

    /// What the system said while a file was `done`: "read", "written".
    pub(crate) fn io(done: &str, file: impl fmt::Display, source: io::Error) -> Self {
        let kind = match source.kind() {
            io::ErrorKind::NotFound => ErrorKind::NotFound,
            io::ErrorKind::InvalidFilename => ErrorKind::InvalidArgument,
            io::ErrorKind::OutOfMemory | io::ErrorKind::StorageFull => ErrorKind::ResourceExhausted,
            // What decompressors say of damaged bytes.
            io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::UnexpectedEof => ErrorKind::DataLoss,
            _ => ErrorKind::FailedPrecondition,
        };
        let message = format!("{file} can't be {done}: {source}");
        Self(Box::new(Inner { kind, message, source: Some(source) }))
    }

    /// What kind of error it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.0.kind, self.0.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}

/// How errors name a file.
pub(crate) fn shown(path: &Path) -> String {
    format!("the file {}", path.display())
}
