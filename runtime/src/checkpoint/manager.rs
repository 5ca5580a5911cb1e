//! Checkpoints of a run, of which the last ones are kept.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use extype_formats::ErrorKind as FileError;
use extype_formats::bundle::{index_path, read_state, remove, write_state};
use extype_formats::proto::CheckpointState;

use super::{Checkpoint, Restored};
use crate::types::{Error, Result, bail};

/// Saves a [`Checkpoint`] again and again in a folder, under numbers, and removes those that are too old.
///
/// The file `checkpoint` of the folder says which checkpoints there are; TensorFlow writes and reads the same file.
///
/// TensorFlow: `tf.train.CheckpointManager`.
///
/// ```
/// use extype::checkpoint::{Checkpoint, CheckpointManager};
/// use extype::prelude::*;
/// # let folder = std::env::temp_dir().join("extype-doc-manager");
/// # let _ = std::fs::remove_dir_all(&folder);
/// let step = Variable::new(0i64)?;
/// let manager = CheckpointManager::new(Checkpoint::default().with("step", &step), &folder)?.keep(2);
/// manager.restore_or_initialize(|| step.assign(10))?;
/// for _ in 0..3 {
///     step.assign_add(1)?;
///     manager.save()?;
/// }
/// assert_eq!(manager.checkpoints(), [folder.join("ckpt-2"), folder.join("ckpt-3")]);
///
/// // The next run.
/// let again = Variable::new(0i64)?;
/// let manager = CheckpointManager::new(Checkpoint::default().with("step", &again), &folder)?;
/// let restored = manager.restore_or_initialize(|| again.assign(10))?;
/// restored.expect("there are checkpoints").assert_consumed()?;
/// assert_eq!(again.read()?.item::<i64>()?, 13);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct CheckpointManager<'a> {
    checkpoint: Checkpoint<'a>,
    name: String,
    background: bool,
    kept: Arc<Mutex<Kept>>,
}

/// What is there, and for how long.
#[derive(Debug)]
struct Kept {
    folder: PathBuf,
    limit: Option<usize>,
    /// How far the checkpoints that stay for ever are apart, in seconds.
    apart: Option<f64>,
    /// The file names of those that may be removed, with the times when they were written.
    prefixes: Vec<(String, f64)>,
    latest: Option<String>,
    /// When the last one was written that stays for ever.
    preserved: f64,
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

impl<'a> CheckpointManager<'a> {
    /// A manager of the checkpoints in a folder: those that are there already, and those that it will save. It keeps five.
    ///
    /// # Errors
    /// `DataLoss` for a file `checkpoint` that says something else; what reading it fails with.
    pub fn new(checkpoint: Checkpoint<'a>, folder: impl Into<PathBuf>) -> Result<Self> {
        let kept = Arc::new(Mutex::new(Kept::read(folder.into())?));
        Ok(Self { checkpoint, name: "ckpt".into(), background: false, kept })
    }

    /// How many checkpoints are kept, the newest ones: at least one.
    #[must_use]
    pub fn keep(self, count: usize) -> Self {
        self.kept().limit = Some(count.max(1));
        self
    }

    /// Removes no checkpoint.
    #[must_use]
    pub fn keep_all(self) -> Self {
        self.kept().limit = None;
        self
    }

    /// Of those that are too old, one every so many hours stays for ever.
    #[must_use]
    pub fn keep_every_hours(self, hours: f64) -> Self {
        self.kept().apart = Some(hours * 3600.0);
        self
    }

    /// What the names of the files begin with, before the number; `ckpt` by default.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Files are [written on a thread](Checkpoint::save_in_background).
    #[must_use]
    pub fn in_background(mut self) -> Self {
        self.background = true;
        self
    }

    /// The checkpoint.
    pub fn checkpoint(&self) -> &Checkpoint<'a> {
        &self.checkpoint
    }

    /// Saves under the number of saves so far, those of runs before this one included, if the last of them was restored.
    ///
    /// # Errors
    /// As for [`Checkpoint::save`], `InvalidArgument` for a [name](Self::name) that is a path and for
    /// [hours](Self::keep_every_hours) that are not positive, and `FailedPrecondition` if a file can't be removed.
    pub fn save(&self) -> Result<PathBuf> {
        self.save_as(None)
    }

    /// [`save`](Self::save) under another number, such as that of a step.
    ///
    /// # Errors
    /// As for [`save`](Self::save).
    pub fn save_step(&self, number: i64) -> Result<PathBuf> {
        self.save_as(Some(number))
    }

    fn save_as(&self, number: Option<i64>) -> Result<PathBuf> {
        if self.name.contains(std::path::is_separator) {
            bail!("`name` is the name of files, not a path: `{}`", self.name);
        }
        if let Some(apart) = self.kept().apart.filter(|apart| apart.is_nan() || *apart <= 0.0) {
            bail!("`keep_every_hours` takes a positive number of hours, not {}", apart / 3600.0);
        }
        let snapshot = self.checkpoint.snapshot()?;
        let number = match number {
            Some(number) => number,
            None => self.checkpoint.count()?.read()?.item::<i64>()?,
        };
        let name = format!("{}-{number}", self.name);
        let prefix = self.kept().folder.join(&name);
        let (kept, path) = (self.kept.clone(), prefix.clone());
        let write = move || {
            snapshot.write(&path)?;
            locked(&kept).add(name)
        };
        match self.background {
            true => self.checkpoint.writing.start(write)?,
            false => write()?,
        }
        Ok(prefix)
    }

    /// Waits for the [background](Self::in_background) save.
    ///
    /// # Errors
    /// Why it failed.
    pub fn wait(&self) -> Result<()> {
        self.checkpoint.wait()
    }

    /// The prefix of the newest checkpoint.
    pub fn latest(&self) -> Option<PathBuf> {
        let kept = self.kept();
        kept.latest.as_ref().map(|name| kept.folder.join(name))
    }

    /// The prefixes of the checkpoints that are kept, but for those that stay for ever, from old to new.
    pub fn checkpoints(&self) -> Vec<PathBuf> {
        let kept = self.kept();
        kept.prefixes.iter().map(|(name, _)| kept.folder.join(name)).collect()
    }

    /// Restores the newest checkpoint; if there is none, calls `initialize` and returns `None`.
    ///
    /// # Errors
    /// As for [`Checkpoint::restore`], and what `initialize` fails with.
    pub fn restore_or_initialize(
        &self,
        initialize: impl FnOnce() -> Result<()>,
    ) -> Result<Option<Restored>> {
        self.wait()?;
        match self.latest() {
            Some(prefix) => self.checkpoint.restore(prefix).map(Some),
            None => initialize().map(|()| None),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        locked(&self.kept)
    }
}

fn is_there(prefix: &Path) -> bool {
    index_path(prefix).is_file()
}

fn locked(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    fn read(folder: PathBuf) -> Result<Self> {
        let now = now();
        let mut kept = Self {
            folder,
            limit: Some(5),
            apart: None,
            prefixes: Vec::new(),
            latest: None,
            preserved: now,
        };
        let state = match read_state(&kept.folder) {
            Ok(state) => state,
            Err(e) if e.kind() == FileError::NotFound => return Ok(kept),
            Err(e) => return Err(Error::of_file(e)),
        };
        // A clock that was set back does not keep all for ever.
        kept.preserved = state.last_preserved_timestamp.min(now);
        let times = state.all_model_checkpoint_timestamps;
        for (i, path) in state.all_model_checkpoint_paths.into_iter().enumerate() {
            let time = times.get(i).copied().unwrap_or(now).min(now);
            kept.prefixes.extend(kept.own(&path).map(|name| (name, time)));
        }
        // The newest one may be elsewhere: it is read, and never removed.
        let latest = state.model_checkpoint_path;
        let elsewhere = || Some(latest.clone()).filter(|path| is_there(&kept.folder.join(path)));
        kept.latest = kept.own(&latest).or_else(elsewhere);
        Ok(kept)
    }

    /// The file name of a checkpoint of this folder. Paths may be those of a folder that was moved here.
    fn own(&self, path: &str) -> Option<String> {
        let name = Path::new(path).file_name()?.to_str()?;
        is_there(&self.folder.join(name)).then(|| name.to_owned())
    }

    /// Adds what was written, and removes what is too old. The file `checkpoint` never names what is gone.
    fn add(&mut self, name: String) -> Result<()> {
        let mut prefixes = self.prefixes.clone();
        prefixes.retain(|(other, _)| *other != name);
        prefixes.push((name.clone(), now()));
        let (mut old, mut preserved) = (Vec::new(), self.preserved);
        while self.limit.is_some_and(|limit| prefixes.len() > limit) {
            let (name, time) = prefixes.remove(0);
            match self.apart {
                Some(apart) if time - apart >= preserved => preserved = time,
                _ => old.push(name),
            }
        }
        let (paths, times) = prefixes.iter().cloned().unzip();
        let state = CheckpointState {
            model_checkpoint_path: name.clone(),
            all_model_checkpoint_paths: paths,
            all_model_checkpoint_timestamps: times,
            last_preserved_timestamp: preserved,
        };
        write_state(&self.folder, &state).map_err(Error::of_file)?;
        (self.prefixes, self.latest, self.preserved) = (prefixes, Some(name), preserved);
        old.iter().try_for_each(|name| remove(self.folder.join(name))).map_err(Error::of_file)
    }
}
