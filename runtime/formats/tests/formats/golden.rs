//! Files that TensorFlow wrote, if they are at hand.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The files of a subject: in `$EXTYPE_CONFORMANCE`, or in the folder beside the workspace. Without them a test has nothing to
/// compare with, and says so.
pub(crate) fn folder(subject: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("EXTYPE_CONFORMANCE") {
        Some(folder) => PathBuf::from(folder),
        None => {
            let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
            if !beside.is_dir() {
                eprintln!("no files of TensorFlow: set EXTYPE_CONFORMANCE to their folder");
                return None;
            }
            beside
        }
    };
    let folder = folder.join(subject);
    assert!(folder.is_dir(), "{} is missing", folder.display());
    Some(folder)
}

pub(crate) fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

pub(crate) fn base64(value: &Value) -> Vec<u8> {
    STANDARD.decode(value.as_str().unwrap()).unwrap()
}

/// The files and folders in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// A new folder for a test.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
