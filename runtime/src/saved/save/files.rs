//! Writes the folder of a model so that it is there as a whole, or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use extype_formats::bundle::Writer;
use extype_formats::proto::{self, DataType, Message as _};

use crate::array::Array;
use crate::types::{DType, Error, ErrorKind, Result, bail};

/// What may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Replace {
    /// A SavedModel, or an empty folder.
    #[default]
    Model,
    Anything,
}

/// Writes a model and the tensors of its checkpoint, by their names.
pub(super) fn write_folder(
    folder: &Path,
    replace: Replace,
    model: &proto::SavedModel,
    tensors: &[(String, Array)],
) -> Result<()> {
    let Some(name) = folder.file_name() else {
        bail!("`{}` is no name of a folder", folder.display());
    };
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if replace == Replace::Model && !is_replaceable(folder) {
        bail!(
            AlreadyExists,
            "there is something else than a SavedModel; choose another path, or say `replace()`"
        );
    }
    fs::create_dir_all(parent).map_err(|e| failed(parent, &e))?;
    let name = name.to_string_lossy();
    let new = Temporary::create(parent, &format!(".{name}.saving"))?;
    let bytes = model.encode_to_vec();
    if bytes.len() as u64 > proto::MAX_BYTES {
        bail!(
            Unimplemented,
            "the graph has {} bytes, and files have at most 2 GiB: make large constants variables",
            bytes.len()
        );
    }
    write_file(&new.0.join("saved_model.pb"), &bytes)?;
    write_tensors(&new.0.join("variables").join("variables"), tensors)?;
    fs::create_dir(new.0.join("assets")).map_err(|e| failed(&new.0, &e))?;
    sync(&new.0)?;
    put(&new.0, folder, parent).map_err(|e| failed(folder, &e))?;
    sync(parent)
}

/// A folder that is deleted in the end. It has its new name by then, or that of what was replaced.
struct Temporary(PathBuf);

impl Temporary {
    fn create(parent: &Path, name: &str) -> Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let path = parent.join(format!("{name}-{process}-{count}"));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                // A program that was killed left it.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(failed(&path, &e)),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

fn remove(path: &Path) {
    let _ = match path.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        _ => fs::remove_file(path),
    };
}

fn is_replaceable(folder: &Path) -> bool {
    let files = ["saved_model.pb", "saved_model.pbtxt", "saved_model.cpb"];
    match folder.symlink_metadata() {
        Err(e) => e.kind() == io::ErrorKind::NotFound,
        Ok(found) if found.is_dir() => {
            let empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
            empty || files.iter().any(|file| folder.join(file).is_file())
        }
        Ok(_) => false,
    }
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        let mut file = File::create_new(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|e| failed(path, &e))
}

fn write_tensors(prefix: &Path, tensors: &[(String, Array)]) -> Result<()> {
    let mut writer = Writer::create(prefix).map_err(Error::of_file)?;
    for (key, array) in tensors {
        let dims = array.dims();
        let added = match (array.dtype(), array.as_bytes()) {
            (DType::String, _) => writer.add_strings(key, dims, array.as_strings()?),
            (dtype, Some(bytes)) => match DataType::try_from(dtype.number()) {
                Ok(dtype) => writer.add(key, dtype, dims, bytes),
                Err(_) => bail!(Unimplemented, "`{key}` is {dtype}, which no file holds"),
            },
            (dtype, None) => bail!(Unimplemented, "`{key}` is {dtype}, which no file holds"),
        };
        added.map_err(Error::of_file)?;
    }
    writer.finish().map_err(Error::of_file)
}

/// Gives a folder its name. What has the name gets that of the folder.
fn put(new: &Path, folder: &Path, parent: &Path) -> io::Result<()> {
    if folder.symlink_metadata().is_err() {
        return fs::rename(new, folder);
    }
    match exchange(new, folder) {
        Err(e) if e.kind() == io::ErrorKind::Unsupported => {}
        done => return done,
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let old = Temporary::create(parent, &format!(".{name}.old")).map_err(io::Error::other)?;
    let kept = old.0.join("model");
    fs::rename(folder, &kept)?;
    fs::rename(new, folder).inspect_err(|_| {
        if fs::rename(&kept, folder).is_err() {
            // Better in the wrong place than deleted.
            std::mem::forget(old);
        }
    })
}

/// Exchanges the names of two folders at once; `Unsupported` where the system can't.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "a system call with two strings that live long enough")]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt as _;
    let name = |path: &Path| CString::new(path.as_os_str().as_bytes());
    let (a, b) = (name(a)?, name(b)?);
    const HERE: libc::c_int = libc::AT_FDCWD;
    // SAFETY: the strings end with a zero and outlive the call, which only reads them.
    let done = unsafe {
        libc::syscall(
            libc::SYS_renameat2,
            HERE,
            a.as_ptr(),
            HERE,
            b.as_ptr(),
            libc::RENAME_EXCHANGE,
        )
    };
    if done == 0 {
        return Ok(());
    }
    let e = io::Error::last_os_error();
    match e.raw_os_error() {
        // Systems and file systems that do not know the call, or the exchange.
        Some(libc::ENOSYS | libc::EINVAL) => Err(io::ErrorKind::Unsupported.into()),
        _ => Err(e),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Makes the names in a folder last.
fn sync(folder: &Path) -> Result<()> {
    // Other systems have no such call.
    if cfg!(unix) {
        File::open(folder).and_then(|f| f.sync_all()).map_err(|e| failed(folder, &e))?;
    }
    Ok(())
}

fn failed(path: &Path, e: &io::Error) -> Error {
    let kind = match e.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            ErrorKind::ResourceExhausted
        }
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        _ => ErrorKind::FailedPrecondition,
    };
    Error::new(kind, format!("{} can't be written: {e}", path.display()))
}
