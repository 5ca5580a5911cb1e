use std::path::{Path, PathBuf};

use super::index_path;
use super::writer::replace;
use crate::proto::{CheckpointState, read_text, to_text};
use crate::{ErrorKind, Result};

/// The file of a folder that says which checkpoints there are.
const NAME: &str = "checkpoint";

/// How large it may be.
const LIMIT: u64 = 1 << 24;

/// What the file `checkpoint` of a folder says. Paths may be relative to the folder. [`write_state`] has an example.
///
/// # Errors
/// `NotFound` if there is none, `DataLoss` if it says something else.
pub fn read_state(folder: impl AsRef<Path>) -> Result<CheckpointState> {
    read_text(folder.as_ref().join(NAME), LIMIT)
}

/// Replaces the file `checkpoint` of a folder. Whoever reads finds the old one or the new one.
///
/// ```
/// use extype_formats::bundle::{read_state, write_state};
/// use extype_formats::proto::CheckpointState;
/// let folder = std::env::temp_dir().join("extype-doc-state");
/// std::fs::create_dir_all(&folder).unwrap();
/// let state = CheckpointState {
///     model_checkpoint_path: "ckpt-2".into(),
///     all_model_checkpoint_paths: vec!["ckpt-1".into(), "ckpt-2".into()],
///     ..CheckpointState::default()
/// };
/// write_state(&folder, &state)?;
/// assert_eq!(read_state(&folder)?, state);
/// # Ok::<(), extype_formats::Error>(())
/// ```
///
/// # Errors
/// What the system says.
pub fn write_state(folder: impl AsRef<Path>, state: &CheckpointState) -> Result<()> {
    replace(&folder.as_ref().join(NAME), to_text(state).as_bytes(), || Ok(()))
}

/// The prefix of the newest checkpoint of a folder; `None` if no state is there, or its index is gone.
///
/// ```
/// use extype_formats::bundle::{Writer, latest, remove, write_state};
/// use extype_formats::proto::CheckpointState;
/// let folder = std::env::temp_dir().join("extype-doc-latest");
/// Writer::create(folder.join("ckpt-1"))?.finish()?;
/// let state = CheckpointState { model_checkpoint_path: "ckpt-1".into(), ..Default::default() };
/// write_state(&folder, &state)?;
/// assert_eq!(latest(&folder)?, Some(folder.join("ckpt-1")));
/// remove(folder.join("ckpt-1"))?;
/// assert_eq!(latest(&folder)?, None);
/// # Ok::<(), extype_formats::Error>(())
/// ```
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
