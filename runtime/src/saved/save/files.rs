//! Writes the folder of a model so that it is there as a whole, or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use extype_formats::bundle::Writer;
use extype_formats::proto::{self, Message as _};

use crate::array::Array;
use crate::checkpoint::write;
use crate::types::{Error, ErrorKind, Result, bail};

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
    tensors.iter().try_for_each(|(key, array)| write(&mut writer, key, array))?;
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
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(|e| match e {
        // Systems and file systems that do not know the call, or the exchange.
        Errno::NOSYS | Errno::INVAL => io::ErrorKind::Unsupported.into(),
        e => e.into(),
    })
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
