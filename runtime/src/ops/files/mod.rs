//! Files: read and written as one string, and found by their names.

mod glob;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use crate::array::{Array, read_all, vec_for};
use crate::define_op;
use crate::ir::{KernelContext, Outputs};
use crate::ops::protocol::Op;
use crate::ops::rules::infer::{no_outputs, one};
use crate::ops::strings::kernel::scalar;
use crate::tensor::{TensorLike, call_site, execute};
use crate::types::{DType, Dim, Error, ErrorKind, Result, Shape, bail};

/// Writes a file, in program order; in a traced function at each call. Folders that are missing are made, and a file that
/// is there is replaced.
///
/// TensorFlow: `tf.io.write_file`, `WriteFile`. A path and the contents, scalars of dtype string.
///
/// # Errors
/// `NotFound` for an empty path, and `FailedPrecondition` for a folder, a device or a pipe, or what else can't be written.
///
/// ```
/// use extype::prelude::*;
/// let path = std::env::temp_dir().join(format!("extype-{}", std::process::id())).join("note.txt");
/// ops::write_file(&path, "two lines\nof text")?;
/// assert_eq!(ops::read_file(&path)?.split_on("\n", None)?.0.shape(), shape![2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn write_file(filename: impl TensorLike, contents: impl TensorLike) -> Result<()> {
    let _site = call_site!();
    let op = WriteFile {};
    execute(op.def(), op.attrs(), &[&*filename.lend()?, &*contents.lend()?]).map(|_| ())
}

/// The contents of a file.
pub(crate) fn contents(path: &Path) -> Result<Vec<u8>> {
    let told = |e| failed("read", path, &e);
    let about = fs::metadata(path).map_err(told)?;
    // Devices and pipes may have no end.
    if !about.is_file() {
        bail!(FailedPrecondition, "{} can't be read: it is no regular file", path.display());
    }
    let room = vec_for(usize::try_from(about.len()).unwrap_or(usize::MAX))?;
    read_all(&mut File::open(path).map_err(told)?, room, told)
}

/// Why something failed with a file.
pub(crate) fn failed(what: &str, path: &Path, e: &io::Error) -> Error {
    let kind = match e.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => ErrorKind::InvalidArgument,
        io::ErrorKind::OutOfMemory | io::ErrorKind::StorageFull => ErrorKind::ResourceExhausted,
        _ => ErrorKind::FailedPrecondition,
    };
    Error::new(kind, format!("the file {} can't be {what}: {e}", path.display()))
}

/// The path with this name, whose bytes need not be UTF-8 on Unix.
pub(crate) fn path_of(name: &[u8]) -> Cow<'_, Path> {
    #[cfg(unix)]
    return Cow::Borrowed(Path::new(
        <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name),
    ));
    #[cfg(not(unix))]
    return Cow::Owned(String::from_utf8_lossy(name).into_owned().into());
}

fn write(c: &KernelContext<'_>) -> Result<Outputs> {
    let (path, contents) = (path_of(scalar(c, 0)?), scalar(c, 1)?);
    // A pipe that nobody reads would be waited for.
    if fs::metadata(&path).is_ok_and(|about| !about.is_file()) {
        bail!(FailedPrecondition, "{} can't be written: it is no regular file", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written =
        folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, contents));
    written.map_err(|e| failed("written", &path, &e))?;
    Ok(Outputs::new())
}

define_op! {
    /// The contents of a file as one string, a scalar.
    ///
    /// TensorFlow: `tf.io.read_file`, `ReadFile`. A path: a scalar of dtype string, or a `Path` of Rust.
    ///
    /// # Errors
    /// `NotFound` if there is no such file, and `FailedPrecondition` for a folder or what else can't be read.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let manifest = ops::read_file("Cargo.toml")?;
    /// assert!(manifest.contains("[package]")?.item::<bool>()?);
    /// assert_eq!(ops::read_file("no/such/file").unwrap_err().kind(), ErrorKind::NotFound);
    /// # Ok::<(), Error>(())
    /// ```
    pub op ReadFile = "ReadFile" {
        inputs: { filename: {String} }, outputs: { contents: {String} },
        call: read_file(filename),
        effect: Writes,
        infer: |c| {
            c.shape(0).with_rank(0)?;
            one(DType::String, Shape::scalar())
        },
        kernel: |c| Ok([Array::from_strings([0usize; 0], vec![contents(&path_of(scalar(c, 0)?))?])?].into()),
        gradient: none,
    }

    /// Writes a file. Folders that are missing are made.
    ///
    /// TensorFlow: `WriteFile`.
    pub op WriteFile = "WriteFile" {
        inputs: { filename: {String}, contents: {String} }, outputs: {},
        effect: Writes,
        infer: |c| {
            c.shape(0).with_rank(0)?;
            c.shape(1).with_rank(0)?;
            no_outputs(c)
        },
        kernel: write,
        gradient: none,
    }

    /// The paths of files and folders that match a pattern, or one of several, in the order of their bytes. In each part of
    /// a path, `*` stands for any characters, `?` for one, `[a-z]` and `[[:digit:]]` for one of several and `[!a-z]` for one of
    /// the others; `\` takes the next character as it is.
    ///
    /// TensorFlow: `tf.io.matching_files`, `tf.io.gfile.glob`, `MatchingFiles`. A scalar or a vector of strings; the result
    /// is a vector. What can't be read matches nothing. A path that matches two patterns comes twice. Behind the first such
    /// sign, `.` and `..` match nothing. Paths found in the current folder begin with `./`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::matching_files("Cargo.t?ml")?.to_strings()?, ["./Cargo.toml"]);
    /// assert_eq!(ops::matching_files(["no/such/*", "src/l[hi]b.rs"])?.to_strings()?, ["src/lib.rs"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op MatchingFiles = "MatchingFiles" {
        inputs: { pattern: {String} }, outputs: { filenames: {String} },
        call: matching_files(pattern),
        effect: Writes,
        infer: |c| {
            c.shape(0).with_rank_at_most(1)?;
            one(DType::String, [Dim::UNKNOWN].into_iter().collect())
        },
        kernel: |c| {
            let mut found = Vec::new();
            for pattern in c.input(0).as_strings()? {
                glob::matching(pattern, &mut found);
            }
            found.sort_unstable();
            Ok([Array::from_strings([found.len()], found)?].into())
        },
        gradient: none,
    }
}
