//! Checkpoints: the state of a program in files, so that a run can be stopped and goes on as if it had not been.
//!
//! The files are TensorFlow's. `tf.train.Checkpoint` restores what [`Checkpoint::save`] wrote if its objects are held alike,
//! and [`Checkpoint::restore`] what TensorFlow wrote.
//!
//! ```
//! use extype::checkpoint::Checkpoint;
//! use extype::prelude::*;
//! use extype::train::Adam;
//! # let folder = std::env::temp_dir().join("extype-doc-checkpoint");
//!
//! #[derive(Module)]
//! struct Line {
//!     slope: Variable,
//!     offset: Variable,
//! }
//!
//! let line = || Ok::<_, Error>(Line { slope: Variable::new(2.0f32)?, offset: Variable::new(0.0f32)? });
//! let (model, optimizer) = (line()?, Adam::new(0.1));
//! optimizer.apply_gradients([(Some(scalar(1.0f32)), model.slope.clone())])?;
//! let prefix = folder.join("step-1");
//! Checkpoint::default().with("model", &model).with("optimizer", &optimizer).save(&prefix)?;
//!
//! let (other, its_optimizer) = (line()?, Adam::new(0.1));
//! let restored = Checkpoint::default().with("model", &other).with("optimizer", &its_optimizer).restore(&prefix)?;
//! restored.assert_consumed()?;
//! assert_eq!(other.slope.read()?.item::<f32>()?, model.slope.read()?.item::<f32>()?);
//! assert_eq!(its_optimizer.iterations()?.item::<i64>()?, 1);
//! # Ok::<(), Error>(())
//! ```
//!
//! # What is in a checkpoint
//!
//! The values of variables, the slots of optimizers, and what fields show as [`SavedState`](crate::spec::SavedState), such
//! as [`data::Resumable`](crate::data::Resumable), the place in a dataset. Plain fields are not in it: they are in the
//! program. Neither are lookup tables and queues.
//!
//! Objects are found by the names of the fields that hold them, from the parts of the checkpoint on; items of lists by their
//! positions, entries of maps by their keys. What variables are called does not matter. So a program may restore a part of a
//! checkpoint, and have parts that are not in it: [`Restored`] tells.
//!
//! # Nothing is restored by half
//!
//! All values are read and compared before the first is assigned. A damaged file, and a variable of another shape, leave all
//! objects as they are. Values of [`Late`] variables are kept until these are made.

mod manager;
mod objects;
mod report;
mod restore;
mod snapshot;
mod tensors;

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

pub use self::manager::CheckpointManager;
use self::objects::Objects;
pub use self::report::{Misshapen, Restored};
use self::restore::Matching;
use self::snapshot::Snapshot;
pub(crate) use self::tensors::{read, write};
use crate::spec::{Module, ModuleState, Place};
use crate::tensor::{Late, Variable, is_tracing};
use crate::types::{Result, bail, err};

/// The name of the part that counts.
const COUNTER: &str = "save_counter";

/// Objects whose values are saved and restored together: the fields of a module, or parts with names, or both.
///
/// A part is whatever can be a field of a [`Module`]: a module, a [`Variable`], an optimizer, a
/// [`Generator`](crate::random::Generator), a list of these, a [`Resumable`](crate::data::Resumable) pass over a dataset. The
/// checkpoint itself counts how often it was saved.
///
/// TensorFlow: `tf.train.Checkpoint`, whose `write` and `read` take names of files as they are. [`CheckpointManager`]
/// numbers them.
#[derive(Default)]
pub struct Checkpoint<'a> {
    root: Option<&'a dyn Module>,
    parts: Vec<(String, &'a dyn ModuleState)>,
    counter: Late<Variable>,
    writing: Writing,
}

impl<'a> Checkpoint<'a> {
    /// The fields of a module.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let prefix = std::env::temp_dir().join("extype-doc-new/ckpt");
    /// #[derive(Module)]
    /// struct Line {
    ///     slope: Variable,
    /// }
    ///
    /// let line = Line { slope: Variable::new(2.0f32)? };
    /// Checkpoint::new(&line).save(&prefix)?;
    /// line.slope.assign(3.0)?;
    /// Checkpoint::new(&line).restore(&prefix)?.assert_consumed()?;
    /// assert_eq!(line.slope.read()?.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(root: &'a dyn Module) -> Self {
        Self { root: Some(root), ..Self::default() }
    }

    /// Adds a part under a name.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// use extype::random::Generator;
    /// # let prefix = std::env::temp_dir().join("extype-doc-with/ckpt");
    /// let (step, generator) = (Variable::new(7i64)?, Generator::from_seed(1)?);
    /// let checkpoint = Checkpoint::default().with("step", &step).with("generator", &generator);
    /// checkpoint.save(&prefix)?;
    /// let drawn = generator.uniform([2], .., f32)?;
    /// checkpoint.restore(&prefix)?.assert_consumed()?;
    /// assert_eq!(generator.uniform([2], .., f32)?.to_vec::<f32>()?, drawn.to_vec::<f32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, part: &'a dyn ModuleState) -> Self {
        self.parts.push((name.into(), part));
        self
    }

    /// Writes the values to the files whose names begin with `prefix`. Folders are made. Whoever reads finds the old files or
    /// the new ones, whenever the program ends.
    ///
    /// TensorFlow: `tf.train.Checkpoint.write`.
    ///
    /// # Errors
    /// `InvalidArgument` for two parts of one name and for values that are no data; `FailedPrecondition` for a variable
    /// without a value, in a traced function, and if the system does not write; the error of the
    /// [background save](Self::save_in_background) before.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let prefix = std::env::temp_dir().join("extype-doc-save/ckpt");
    /// let v = Variable::new(1.0f32)?;
    /// Checkpoint::default().with("v", &v).save(&prefix)?;
    /// let late = Variable::uninitialized(shape![], f32)?;
    /// let e = Checkpoint::default().with("late", &late).save(&prefix).unwrap_err();
    /// assert!(e.to_string().contains("`late`") && e.kind() == ErrorKind::FailedPrecondition);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn save(&self, prefix: impl AsRef<Path>) -> Result<()> {
        self.snapshot()?.write(prefix.as_ref())
    }

    /// [`save`](Self::save) on a thread of its own. The values are those of now, whatever is assigned while they are written.
    /// Errors come from the next save or from [`wait`](Self::wait). One save is written at a time: the next one waits.
    ///
    /// # Errors
    /// As for `save`, for what is not about files.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let prefix = std::env::temp_dir().join("extype-doc-background/ckpt");
    /// let v = Variable::new(1.0f32)?;
    /// let checkpoint = Checkpoint::default().with("v", &v);
    /// checkpoint.save_in_background(&prefix)?;
    /// v.assign(2.0)?;
    /// checkpoint.wait()?;
    /// checkpoint.restore(&prefix)?.assert_consumed()?;
    /// assert_eq!(v.read()?.item::<f32>()?, 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn save_in_background(&self, prefix: impl AsRef<Path>) -> Result<()> {
        let (snapshot, prefix) = (self.snapshot()?, prefix.as_ref().to_owned());
        self.writing.start(move || snapshot.write(&prefix))
    }

    /// Waits until the background save is done. Dropping the checkpoint waits too, and prints a warning if the save failed.
    ///
    /// # Errors
    /// Why it failed, once.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let folder = std::env::temp_dir().join("extype-doc-wait");
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("file"), "no folder")?;
    /// let v = Variable::new(1.0f32)?;
    /// let checkpoint = Checkpoint::default().with("v", &v);
    /// checkpoint.save_in_background(folder.join("file/ckpt"))?;
    /// assert!(checkpoint.wait().is_err());
    /// assert!(checkpoint.wait().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wait(&self) -> Result<()> {
        self.writing.wait()
    }

    /// Gives the objects the values that were saved with this prefix. [`Restored`] says which have got them.
    ///
    /// Slots of optimizers are made if they are missing and the variables that they belong to are among the objects. What is not in the checkpoint keeps its value.
    ///
    /// TensorFlow: `tf.train.Checkpoint.restore`.
    ///
    /// # Errors
    /// Then no object has changed. `NotFound` if there is no such checkpoint or one of its files is missing; `DataLoss` or
    /// `OutOfRange` for damaged files; `InvalidArgument` for a variable of another dtype or shape, of which all are named, and
    /// for a checkpoint without objects; `FailedPrecondition` in a traced function; the error of the
    /// [background save](Self::save_in_background) before.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let prefix = std::env::temp_dir().join("extype-doc-restore/ckpt");
    /// let (two, three) = (Variable::new([1.0f32, 2.0])?, Variable::new([0.0f32, 0.0, 0.0])?);
    /// Checkpoint::default().with("v", &two).save(&prefix)?;
    /// let e = Checkpoint::default().with("v", &three).restore(&prefix).unwrap_err();
    /// assert!(e.message().ends_with("`v` is float32[3], and float32[2] in the checkpoint"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn restore(&self, prefix: impl AsRef<Path>) -> Result<Restored> {
        let plan = self.plan(prefix.as_ref())?;
        if !plan.report.misshapen.is_empty() {
            bail!(
                "nothing is restored from {}: {}",
                prefix.as_ref().display(),
                report::some(&plan.report.misshapen)
            );
        }
        plan.run()
    }

    /// What [`restore`](Self::restore) would do, without doing it.
    ///
    /// # Errors
    /// As for `restore`, but for variables of another dtype or shape, which it lists.
    ///
    /// ```
    /// use extype::checkpoint::Checkpoint;
    /// use extype::prelude::*;
    /// # let prefix = std::env::temp_dir().join("extype-doc-compare/ckpt");
    /// let (two, three) = (Variable::new([1.0f32, 2.0])?, Variable::new([0.0f32, 0.0, 0.0])?);
    /// Checkpoint::default().with("v", &two).save(&prefix)?;
    /// let found = Checkpoint::default().with("v", &three).compare(&prefix)?;
    /// assert_eq!(found.misshapen[0].found.to_string(), "float32[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn compare(&self, prefix: impl AsRef<Path>) -> Result<Restored> {
        Ok(self.plan(prefix.as_ref())?.report)
    }

    fn plan(&self, prefix: &Path) -> Result<Matching> {
        // The background save may write the files that are read here.
        self.wait()?;
        let mut plan = Matching::of(prefix, &self.objects()?)?;
        // The counter is no part of the user's; TensorFlow's `write` leaves it out.
        let report = &mut plan.report;
        for paths in [&mut report.matched, &mut report.missing] {
            paths.retain(|path| path != COUNTER);
        }
        Ok(plan)
    }

    /// How often the objects were saved, in this run and in those before it.
    fn count(&self) -> Result<&Variable> {
        self.counter.get_or_create(|| Ok(Variable::new(0i64)?.not_trainable().name(COUNTER)))
    }

    fn objects(&self) -> Result<Objects> {
        if is_tracing() {
            bail!(FailedPrecondition, "a traced function can't save and restore checkpoints");
        }
        self.count()?;
        let mut objects = Objects::new();
        if let Some(root) = self.root {
            root.visit(&mut objects);
        }
        let counter: (&str, &dyn ModuleState) = (COUNTER, &self.counter);
        for (name, part) in self.parts.iter().map(|(name, part)| (&**name, *part)).chain([counter])
        {
            objects.name = Some(name.to_owned());
            part.visit_at(Place::Field(""), &mut objects);
            objects.name = None;
        }
        match objects.twice.take() {
            Some(name) => bail!("two parts of a checkpoint are called `{name}`"),
            None => Ok(objects),
        }
    }

    /// The values of now, with one more save.
    fn snapshot(&self) -> Result<Snapshot> {
        self.wait()?;
        let objects = self.objects()?;
        let count = self.count()?;
        count.assign_add(1)?;
        Snapshot::of(objects).inspect_err(|_| drop(count.assign_sub(1)))
    }
}

impl fmt::Debug for Checkpoint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.parts.iter().map(|(name, _)| name);
        f.debug_list().entries(names).finish()
    }
}

/// A save that may be running.
#[derive(Default)]
struct Writing(Mutex<Option<JoinHandle<Result<()>>>>);

impl Writing {
    fn start(&self, write: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        let thread = thread::Builder::new().name("extype checkpoint".into()).spawn(write);
        let thread =
            thread.map_err(|e| err!(ResourceExhausted, "no thread to write checkpoints: {e}"))?;
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(thread);
        before.map_or(Ok(()), ended)
    }

    fn wait(&self) -> Result<()> {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        running.map_or(Ok(()), ended)
    }
}

fn ended(thread: JoinHandle<Result<()>>) -> Result<()> {
    let panicked = |_| bail!(Internal, "the thread that writes checkpoints panicked");
    thread.join().unwrap_or_else(panicked)
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Err(e) = self.wait() {
            eprintln!("warning: a checkpoint was not saved: {e}");
        }
    }
}
