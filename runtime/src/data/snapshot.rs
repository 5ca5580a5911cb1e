//! Elements that are kept in a folder.

use std::path::PathBuf;
use std::sync::Arc;

use super::Dataset;
use super::saved::{Contents, ReadCursor, Writer};
use super::stage::{Cursor, Failure, Feed, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::spec::Structure;
use crate::types::{ErrorKind, Result, bail};

impl<S: Structure> Dataset<S> {
    /// The same elements, which are made once and kept in a folder, also for other processes: the first pass that reaches
    /// the end writes them, and the passes that begin later read them. A pass that ends early, is [resumed](Self::resume),
    /// or comes to the failure of an element, keeps nothing.
    ///
    /// Elements of other steps before are made and written anew. Steps are compared as they are printed: whoever changes
    /// the body of a function, or the data of a source, also removes the folder.
    ///
    /// TensorFlow: `Dataset.snapshot`.
    ///
    /// # Errors
    /// As [`save`](Self::save) and [`load`](Self::load). They end the pass.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let folder = std::env::temp_dir().join(format!("extype-doc-snapshot-{}", std::process::id()));
    /// let data = Dataset::range(0..4).map(|x| x.square()).snapshot(&folder);
    /// let first = data.collect_all()?;
    /// let second = data.collect_all()?; // from the folder: `map` is not called
    /// assert_eq!(first[3].item::<i64>()?, second[3].item::<i64>()?);
    /// assert_eq!(data.report().steps[1].elements, 4);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn snapshot(&self, folder: impl Into<PathBuf>) -> Self {
        Self::of(Node::new(Snapshot { input: self.node.clone(), folder: folder.into() }))
    }
}

struct Snapshot {
    input: Arc<Node>,
    folder: PathBuf,
}

impl Stage for Snapshot {
    fn name(&self) -> &'static str {
        "snapshot"
    }

    fn arguments(&self) -> String {
        format!("{:?}", self.folder)
    }

    fn input(&self) -> Option<&Arc<Node>> {
        Some(&self.input)
    }

    fn start(&self, run: &Run) -> Box<dyn Cursor> {
        let pipeline = self.input.lines();
        let pass = match Contents::read(&self.folder) {
            Ok(kept) if kept.pipeline == pipeline => {
                Pass::Reads(ReadCursor::new(&self.folder, kept.into()))
            }
            Err(e) if e.kind() != ErrorKind::NotFound => Pass::Fails(Failure::last(e)),
            _ => match Writer::new(&self.folder, pipeline, None) {
                Ok(writer) => Pass::Makes(self.input.start(run), Some(writer)),
                Err(e) => Pass::Fails(Failure::last(e)),
            },
        };
        Box::new(SnapshotCursor { node: self.input.clone(), run: run.clone(), pass })
    }
}

enum Pass {
    Reads(ReadCursor),
    /// Writes what it makes, until something fails.
    Makes(Feed, Option<Writer>),
    Fails(Failure),
}

struct SnapshotCursor {
    node: Arc<Node>,
    run: Run,
    pass: Pass,
}

impl Cursor for SnapshotCursor {
    fn next(&mut self) -> Next {
        let (input, writer) = match &mut self.pass {
            Pass::Reads(file) => return file.next(),
            Pass::Makes(input, writer) => (input, writer),
            Pass::Fails(failure) => return Some(Err(failure.clone())),
        };
        let next = input.next();
        let written = match (&next, writer.take()) {
            (Some(Ok(element)), Some(mut open)) => {
                open.write(element).map(|()| *writer = Some(open))
            }
            (None, Some(open)) => open.finish(),
            _ => Ok(()),
        };
        match written {
            Ok(()) => next,
            Err(e) => Some(Err(Failure::last(e))),
        }
    }

    fn save(&mut self) -> Result<Saved> {
        Ok(match &mut self.pass {
            Pass::Reads(file) => [true.into(), file.save()?],
            Pass::Makes(input, _) => [false.into(), input.save()?],
            Pass::Fails(failure) => return Err(failure.error.clone()),
        }
        .into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [reads, inner] = saved.list()?;
        match (&mut self.pass, reads.flag()?) {
            (Pass::Reads(file), true) => file.restore(inner),
            (_, true) => {
                bail!(FailedPrecondition, "the elements that the saved pass reads are gone")
            }
            (_, false) => {
                let mut input = self.node.start(&self.run);
                input.restore(inner)?;
                self.pass = Pass::Makes(input, None);
                Ok(())
            }
        }
    }
}
