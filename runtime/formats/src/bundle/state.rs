use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::index_path;
use super::writer::replace;
use crate::error::shown;
use crate::proto::{CheckpointState, read_bytes};
use crate::text::{self, Value};
use crate::{Error, ErrorKind, Result};

/// The file of a folder that says which checkpoints there are.
const NAME: &str = "checkpoint";

/// How large it may be.
const LIMIT: u64 = 1 << 24;

/// What the file `checkpoint` of a folder says. Paths may be relative to the folder.
///
/// # Errors
/// `NotFound` if there is none, `DataLoss` if it says something else.
pub fn read_state(folder: impl AsRef<Path>) -> Result<CheckpointState> {
    let path = folder.as_ref().join(NAME);
    let name = shown(&path);
    let wrong = |message: String| Error::new(ErrorKind::DataLoss, format!("{name}: {message}"));
    let mut state = CheckpointState::default();
    for (field, value) in text::parse(&read_bytes(&path, LIMIT)?).map_err(wrong)? {
        let told = format!("`{field}` has another value");
        let string = |value: Value| match value {
            Value::Text(bytes) => String::from_utf8(bytes).ok(),
            _ => None,
        };
        let number = |value: Value| match value {
            Value::Word(word) => word.parse().ok(),
            _ => None,
        };
        let stored = match &*field {
            "model_checkpoint_path" => string(value).map(|path| state.model_checkpoint_path = path),
            "all_model_checkpoint_paths" => {
                string(value).map(|path| state.all_model_checkpoint_paths.push(path))
            }
            "all_model_checkpoint_timestamps" => {
                number(value).map(|time| state.all_model_checkpoint_timestamps.push(time))
            }
            "last_preserved_timestamp" => {
                number(value).map(|time| state.last_preserved_timestamp = time)
            }
            // Of a newer version.
            _ => Some(()),
        };
        stored.ok_or_else(|| wrong(told))?;
    }
    Ok(state)
}

/// Replaces the file `checkpoint` of a folder. Whoever reads finds the old one or the new one.
///
/// # Errors
/// What the system says.
pub fn write_state(folder: impl AsRef<Path>, state: &CheckpointState) -> Result<()> {
    let mut lines = String::new();
    let mut line = |field: &str, value: &str| {
        let _ = writeln!(lines, "{field}: {value}");
    };
    line("model_checkpoint_path", &text::quoted(state.model_checkpoint_path.as_bytes()));
    for path in &state.all_model_checkpoint_paths {
        line("all_model_checkpoint_paths", &text::quoted(path.as_bytes()));
    }
    for time in &state.all_model_checkpoint_timestamps {
        line("all_model_checkpoint_timestamps", &format!("{time:?}"));
    }
    if state.last_preserved_timestamp != 0.0 {
        line("last_preserved_timestamp", &format!("{:?}", state.last_preserved_timestamp));
    }
    replace(&folder.as_ref().join(NAME), lines.as_bytes(), || Ok(()))
}

/// The prefix of the newest checkpoint of a folder; `None` if no state is there, or its index is gone.
///
/// # Errors
/// Those of [`read_state`], but for `NotFound`.
pub fn latest(folder: impl AsRef<Path>) -> Result<Option<PathBuf>> {
    let folder = folder.as_ref();
    match read_state(folder) {
        Ok(state) => {
            let prefix = folder.join(state.model_checkpoint_path);
            Ok(Some(prefix).filter(|prefix| index_path(prefix).is_file()))
        }
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}
