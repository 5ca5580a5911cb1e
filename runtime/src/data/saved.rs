//! Datasets in folders.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use extype_formats::record::{Reader, write_record};

use super::Dataset;
use super::coded::{Coded, Source, put_array, put_block, take_array};
use super::stage::{Cardinality, Cursor, Element, Failure, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::ops::files::failed;
use crate::spec::{AnySpec, AnyValue, SpecValue, Structure, TypeSpec, is_old};
use crate::tensor::Tensor;
use crate::types::{Error, ErrorKind, Result, bail};

impl<S: Structure> Dataset<S> {
    /// Writes all elements to a folder, which is made if it is missing. [`load`](Dataset::load) reads them. What was saved
    /// there before is replaced when the last element is written, and stays if there is an error.
    ///
    /// The elements are a TFRecord file, and each record holds the spec of its element. Types are known by their
    /// registered names.
    ///
    /// TensorFlow: `Dataset.save`.
    ///
    /// # Errors
    /// The first error of an element. `InvalidArgument` for a dataset that never ends, and for what can't be written:
    /// variables, datasets, and types without a name. What writing to the folder fails with.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let folder = std::env::temp_dir().join("extype-doc-saved");
    /// Dataset::range(0..10).filter(|x| x.greater(6)).map(|x| Ok((x.square()?, x))).save(&folder)?;
    /// let data = Dataset::<(Tensor, Tensor)>::load(&folder)?;
    /// // Elements are counted when they are written.
    /// assert_eq!(data.cardinality().exact(), Some(3));
    /// assert_eq!(data.collect_all()?[2].0.item::<i64>()?, 81);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        if self.cardinality() == Cardinality::Infinite {
            bail!("the dataset never ends, and can't be saved; `take` some of it");
        }
        let spec = self.node.spec()?.map(|spec| spec.serialize()).transpose()?;
        let mut writer = Writer::new(folder.as_ref(), self.node.lines(), spec)?;
        let mut feed = self.node.start(&Run::default());
        while let Some(element) = feed.next() {
            writer.write(&element.map_err(|failure| failure.error)?)?;
        }
        writer.finish()
    }

    /// The elements that [`save`](Dataset::save) has written. `Dataset::<AnyValue>::load` reads any type that the program
    /// knows. Values of older versions of their types are converted; see
    /// [`AnyValue::deserialize`](crate::spec::AnyValue::deserialize).
    ///
    /// TensorFlow: `Dataset.load`.
    ///
    /// # Errors
    /// `NotFound` for a folder without a dataset, and for types that the program has not; `InvalidArgument` for elements
    /// of another type; `DataLoss` for damaged files. Damage behind the beginning is an error of the pass.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let folder = std::env::temp_dir().join("extype-doc-loaded");
    /// Dataset::range(0..3).save(&folder)?;
    /// assert_eq!(Dataset::<Tensor>::load(&folder)?.collect_all()?.len(), 3);
    /// assert!(Dataset::<(Tensor, Tensor)>::load(&folder).is_err());
    /// assert!(Dataset::<Tensor>::load("no/such/folder").is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn load(folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        let contents = Arc::new(Contents::read(&folder)?);
        if let Some(spec) = contents.spec()? {
            S::Spec::from_any(&spec)?;
        }
        Ok(Self::of(Node::new(Loaded { folder, contents })))
    }
}

/// What the file `dataset` of a folder says of the elements, which are in a file of their own.
pub(super) struct Contents {
    /// Names the file.
    id: u64,
    count: u64,
    spec: Option<SpecValue>,
    /// The steps that made them.
    pub(super) pipeline: Vec<String>,
}

/// What the file begins with: the kind, and the version of what is written.
const MAGIC: &[u8] = b"extype dataset 1";

fn head(folder: &Path) -> PathBuf {
    folder.join("dataset")
}

fn elements(folder: &Path, id: u64) -> PathBuf {
    folder.join(format!("{id:016x}.tfrecord"))
}

/// Reads a file of records; if there is none the error says what is missing.
fn open(path: &Path, missing: impl FnOnce() -> String) -> Result<Reader<File>> {
    // Elements may be of any size, and memory grows only with what is there.
    let file = Reader::open(path).map(|file| file.limit(u64::MAX)).map_err(Error::of_file);
    file.map_err(|e| match e.kind() {
        ErrorKind::NotFound => Error::new(ErrorKind::NotFound, missing()),
        _ => e,
    })
}

impl Contents {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let (path, shown) = (head(folder), folder.display());
        let mut file = open(&path, || format!("no dataset is saved in the folder {shown}"))?;
        let record = file.next_record().map_err(Error::of_file)?;
        let Some(bytes) = record.and_then(|record| record.strip_prefix(MAGIC)) else {
            bail!("{} was not written by `Dataset::save` of this version", path.display())
        };
        let from = &mut Source::new(bytes);
        Ok(Self {
            id: u64::take(from)?,
            count: u64::take(from)?,
            spec: Coded::take(from)?,
            pipeline: Coded::take(from)?,
        })
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        let mut bytes = MAGIC.to_vec();
        self.id.put(&mut bytes);
        self.count.put(&mut bytes);
        self.spec.put(&mut bytes);
        self.pipeline.put(&mut bytes);
        let mut record = Vec::new();
        write_record(&mut record, &bytes)?;
        // Whoever reads finds the old contents or the new ones.
        let new = elements(folder, self.id).with_extension("new");
        fs::write(&new, record)?;
        fs::rename(&new, head(folder))
    }

    /// The spec of the elements. It is not known if an older version of their type wrote them.
    fn spec(&self) -> Result<Option<AnySpec>> {
        match &self.spec {
            Some(spec) if !is_old(spec)? => AnySpec::deserialize(spec).map(Some),
            _ => Ok(None),
        }
    }
}

/// Writes elements. They are there once it is finished, and are removed if it is dropped before.
pub(super) struct Writer {
    folder: PathBuf,
    path: PathBuf,
    file: BufWriter<File>,
    contents: Contents,
    /// The spec of the last element, as it is written, too.
    last: Option<(Arc<AnySpec>, Vec<u8>)>,
    /// The spec that all elements have, if they have one.
    common: Option<AnySpec>,
    bytes: Vec<u8>,
    finished: bool,
}

impl Writer {
    /// For the elements of a pipeline; without their spec it is found as they come.
    pub(super) fn new(
        folder: &Path,
        pipeline: Vec<String>,
        spec: Option<SpecValue>,
    ) -> Result<Self> {
        let told = |e| failed("written", folder, &e);
        fs::create_dir_all(folder).map_err(told)?;
        // One that nobody else writes, and no pass reads.
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut id = time.as_nanos() as u64;
        let (path, file) = loop {
            let path = elements(folder, id);
            match File::create_new(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => id = id.wrapping_add(1),
                file => break (path, BufWriter::new(file.map_err(told)?)),
            }
        };
        Ok(Self {
            folder: folder.to_owned(),
            path,
            file,
            contents: Contents { id, count: 0, spec, pipeline },
            last: None,
            common: None,
            bytes: Vec::new(),
            finished: false,
        })
    }

    pub(super) fn write(&mut self, element: &Element) -> Result<()> {
        let same = |last: &Arc<AnySpec>| Arc::ptr_eq(last, &element.spec) || *last == element.spec;
        let spec = match self.last.take() {
            Some((last, bytes)) if same(&last) => bytes,
            _ => {
                // What has no common spec has none with more elements.
                self.common = match self.contents.count {
                    0 => Some((*element.spec).clone()),
                    _ => self.common.take().map(|s| s.joined(&element.spec)).transpose()?.flatten(),
                };
                let mut bytes = Vec::new();
                element.spec.serialize()?.put(&mut bytes);
                bytes
            }
        };
        self.bytes.clear();
        put_block(&spec, &mut self.bytes);
        self.last = Some((element.spec.clone(), spec));
        for leaf in &element.leaves {
            match leaf {
                Tensor::Value(array) => put_array(array, &mut self.bytes)?,
                Tensor::Symbol(_) => bail!("a tensor of a trace can't be written to a file"),
            }
        }
        self.contents.count += 1;
        write_record(&mut self.file, &self.bytes).map_err(|e| failed("written", &self.path, &e))
    }

    /// Replaces the elements that were saved before.
    pub(super) fn finish(mut self) -> Result<()> {
        if self.contents.spec.is_none() {
            self.contents.spec = self.common.as_ref().map(AnySpec::serialize).transpose()?;
        }
        let before = Contents::read(&self.folder);
        let written = self.file.flush().and_then(|()| self.contents.write(&self.folder));
        written.map_err(|e| failed("written", &self.path, &e))?;
        self.finished = true;
        if let Ok(before) = before {
            // Passes over them read on, where the system lets files go while they are read.
            let _ = fs::remove_file(elements(&self.folder, before.id));
        }
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}

struct Loaded {
    folder: PathBuf,
    contents: Arc<Contents>,
}

impl Stage for Loaded {
    fn name(&self) -> &'static str {
        "load"
    }

    fn arguments(&self) -> String {
        format!("{:?}", self.folder)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        self.contents.spec()
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Exact(self.contents.count)
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        Box::new(ReadCursor::new(&self.folder, self.contents.clone()))
    }
}

/// Reads elements.
pub(super) struct ReadCursor {
    file: Result<Reader<File>>,
    contents: Arc<Contents>,
    read: u64,
    /// The spec of the last element, and as it is written.
    last: Option<(Vec<u8>, SpecValue, Arc<AnySpec>)>,
}

impl ReadCursor {
    pub(super) fn new(folder: &Path, contents: Arc<Contents>) -> Self {
        let file = open(&elements(folder, contents.id), || {
            let folder = folder.display();
            format!(
                "the elements in the folder {folder} are gone, or another dataset was saved there"
            )
        });
        Self { file, contents, read: 0, last: None }
    }

    fn element(&mut self) -> Result<Element> {
        let file = self.file.as_mut().map_err(|e| e.clone())?;
        let Some(record) = file.next_record().map_err(Error::of_file)? else {
            let (read, count) = (self.read, self.contents.count);
            bail!(DataLoss, "{read} of {count} elements are there; the file was cut off")
        };
        let from = &mut Source::new(record);
        let written = from.block()?;
        let spec = match self.last.take() {
            Some(last) if last.0 == written => (last.1, Some(last.2)),
            _ => (SpecValue::take(&mut Source::new(written))?, None),
        };
        let mut leaves = Vec::new();
        while !from.is_empty() {
            leaves.push(Tensor::Value(take_array(from)?));
        }
        let value = AnyValue::deserialize(&spec.0, leaves)?;
        let known = spec.1.filter(|known| **known == *value.spec());
        let known = known.unwrap_or_else(|| Arc::new(value.spec().clone()));
        self.last = Some((written.to_vec(), spec.0, known.clone()));
        Ok(Element { spec: known, leaves: value.leaves().iter().cloned().collect() })
    }
}

impl Cursor for ReadCursor {
    fn next(&mut self) -> Next {
        if self.read == self.contents.count {
            return None;
        }
        let element = self.element().map_err(Failure::of_source);
        self.read += 1;
        Some(element)
    }

    fn save(&mut self) -> Result<Saved> {
        let offset = self.file.as_ref().map_or(0, Reader::offset);
        Ok([self.contents.id.into(), self.read.into(), offset.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [id, read, offset] = saved.list()?;
        if id.count()? != self.contents.id {
            bail!(FailedPrecondition, "another dataset has been saved since in the folder");
        }
        self.read = read.count()?;
        let file = self.file.as_mut().map_err(|e| e.clone())?;
        file.seek(offset.count()?).map_err(Error::of_file)
    }
}
