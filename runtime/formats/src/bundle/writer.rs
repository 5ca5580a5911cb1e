use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::index::Index;
use super::ordered::slice_key;
use super::reader::VERSION;
use super::region::Region;
use super::{CHUNK, append_length, data_path, elements, index_path, with_suffix};
use crate::checksum::{crc32c_append, mask};
use crate::error::shown;
use crate::proto::{
    BundleEntryProto, BundleHeaderProto, DataType, Message, TensorShapeProto, TensorSliceProto,
    VersionDef,
};
use crate::table::Builder;
use crate::{Error, ErrorKind, Result, varint};

/// Writes a checkpoint. Tensors lie in the file in the order in which they are added, so that equal calls make equal files.
///
/// Files have other names until all is written and on the disk. [`finish`](Self::finish) gives them theirs, so whoever reads
/// finds the old checkpoint of this prefix or the new one, whenever the program or the system ends. To replace a checkpoint of
/// one file, two are announced: the file with tensors has a new name then, which the new index knows. A program that is killed may
/// leave files whose names contain `.tempstate-`. Nobody reads them. Writers that finish at the same time need prefixes of their
/// own.
///
/// ```
/// use extype_formats::bundle::{Bundle, Writer};
/// use extype_formats::proto::DataType;
/// let prefix = std::env::temp_dir().join("extype-doc-writer/ckpt");
/// let mut writer = Writer::create(&prefix)?;
/// writer.add("bytes", DataType::Uint8, &[2, 2], &[1, 2, 3, 4])?;
/// writer.add_strings("names", &[1, 2], ["a", "b"])?;
/// // A large tensor may come in parts: here two of its three rows, and the last one.
/// writer.add_slice("table", DataType::Uint8, &[3, 2], (&[0, 0], &[2, 2]), &[1, 2, 3, 4])?;
/// writer.add_slice("table", DataType::Uint8, &[3, 2], (&[2, 0], &[1, 2]), &[5, 6])?;
/// // The shape needs as many bytes as there are.
/// assert!(writer.add("more", DataType::Int32, &[2], &[0; 4]).is_err());
/// writer.finish()?;
///
/// assert_eq!(Bundle::open(&prefix)?.get("table")?.bytes()?, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), extype_formats::Error>(())
/// ```
pub struct Writer {
    prefix: PathBuf,
    temporary: PathBuf,
    /// `None` once it has its name.
    file: Option<BufWriter<File>>,
    offset: usize,
    entries: BTreeMap<Vec<u8>, BundleEntryProto>,
}

impl Writer {
    /// Begins a checkpoint. Folders that are missing are made.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(prefix: impl AsRef<Path>) -> Result<Self> {
        let prefix = prefix.as_ref().to_owned();
        if let Some(folder) = folder(&prefix) {
            make_folder(folder).map_err(|e| {
                Error::io("made", format_args!("the folder {}", folder.display()), e)
            })?;
        }
        let (temporary, file) = temporary(&prefix)?;
        let file = Some(BufWriter::with_capacity(1 << 16, file));
        Ok(Self { prefix, temporary, file, offset: 0, entries: BTreeMap::new() })
    }

    /// Adds a tensor: its elements are little-endian, in rows.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that is empty or was added before, for strings and dtypes without elements of one size,
    /// and for bytes that are not as many as the shape needs; what the system says.
    pub fn add(&mut self, key: &str, dtype: DataType, shape: &[usize], bytes: &[u8]) -> Result<()> {
        self.check(key, key.as_bytes())?;
        check_bytes(key, dtype, shape, bytes)?;
        let entry = self.entry(dtype, shape);
        self.append(key.as_bytes().to_vec(), entry, bytes)
    }

    /// Adds a tensor of strings.
    ///
    /// # Errors
    /// `InvalidArgument` for a name that is empty or was added before, and for strings that are not as many as the shape
    /// needs; what the system says.
    pub fn add_strings(
        &mut self,
        key: &str,
        shape: &[usize],
        strings: impl IntoIterator<Item = impl AsRef<[u8]>>,
    ) -> Result<()> {
        self.check(key, key.as_bytes())?;
        let (mut bytes, mut all, mut crc, mut count) = (Vec::new(), Vec::new(), 0, 0);
        for string in strings {
            let length = string.as_ref().len() as u64;
            varint::put(length, &mut bytes);
            crc = append_length(crc, length);
            all.extend_from_slice(string.as_ref());
            count += 1;
        }
        if elements(shape) != Some(count) {
            let message =
                format!("the tensor `{key}` of shape {shape:?} can't have {count} strings");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let sum = mask(crc).to_le_bytes();
        bytes.extend(sum);
        let mut entry = self.entry(DataType::String, shape);
        entry.size = (bytes.len() + all.len()) as i64;
        entry.crc32c = mask(crc32c_append(crc32c_append(crc, &sum), &all));
        self.write(&bytes, |_| {})?;
        self.write(&all, |_| {})?;
        self.entries.insert(key.as_bytes().to_vec(), entry);
        Ok(())
    }

    /// Adds a part of a tensor: from `starts`, of the shape `sizes`, in a whole of shape `shape`. The parts must be the whole
    /// in the end.
    ///
    /// # Errors
    /// `InvalidArgument` for a part that lies outside of the whole, or was added before, or for parts that differ in the
    /// dtype or the shape of the whole, and as for [`add`](Self::add).
    pub fn add_slice(
        &mut self,
        key: &str,
        dtype: DataType,
        shape: &[usize],
        (starts, sizes): (&[usize], &[usize]),
        bytes: &[u8],
    ) -> Result<()> {
        use crate::proto::tensor_slice_proto::Extent;
        let wrong = |what: String| {
            Error::new(ErrorKind::InvalidArgument, format!("the part of the tensor `{key}` {what}"))
        };
        let extent = |((start, size), whole): ((&usize, &usize), &usize)| match size == whole {
            true => Extent::default(),
            false => Extent { start: *start as i64, length: Some(*size as i64) },
        };
        let extent = starts.iter().zip(sizes).zip(shape).map(extent).collect();
        let slice = TensorSliceProto { extent };
        let region = Region::of(&slice, shape).filter(|_| starts.len() == sizes.len());
        if region.is_none_or(|region| region.sizes != sizes) {
            let what = format!("at {starts:?}, of shape {sizes:?}, lies outside of {shape:?}");
            return Err(wrong(what));
        }
        if sizes == shape {
            return self.add(key, dtype, shape, bytes);
        }
        check_bytes(key, dtype, sizes, bytes)?;
        let mut whole = self.entry(dtype, shape);
        whole.offset = 0;
        if let Some(before) = self.entries.get(key.as_bytes()) {
            if before.slices.is_empty()
                || before.dtype != whole.dtype
                || before.shape != whole.shape
            {
                return Err(wrong("belongs to another tensor than what was added before".into()));
            }
        } else {
            self.check(key, key.as_bytes())?;
        }
        let part = slice_key(key.as_bytes(), &slice);
        self.check(key, &part)?;
        let entry = self.entry(dtype, sizes);
        self.append(part, entry, bytes)?;
        self.entries.entry(key.as_bytes().to_vec()).or_insert(whole).slices.push(slice);
        Ok(())
    }

    /// Writes the index, and gives all files their names.
    ///
    /// # Errors
    /// What the system says, also of an index that is there and can't be read, except for damage. A checkpoint of before is
    /// still there then.
    pub fn finish(mut self) -> Result<()> {
        let data = self.file.take().map_or(Ok(()), |file| {
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
        });
        data.map_err(|e| Error::io("written", shown(&self.temporary), e))?;
        let before = Index::shards(&self.prefix)?;
        let shards = if before == 1 { 2 } else { 1 };
        let index = self.index(shards)?;
        replace(&index_path(&self.prefix), &index, || {
            fs::rename(&self.temporary, data_path(&self.prefix, 0, shards))?;
            sync_folder(&self.prefix)
        })?;
        // Nobody knows these any more. File names have five digits.
        for shard in 0..before.min(99_999) {
            let _ = fs::remove_file(data_path(&self.prefix, shard, before));
        }
        Ok(())
    }

    fn index(&self, num_shards: i32) -> Result<Vec<u8>> {
        let version = VersionDef { producer: VERSION, ..VersionDef::default() };
        let header = BundleHeaderProto {
            num_shards,
            version: Some(version),
            ..BundleHeaderProto::default()
        };
        let mut table = Builder::new();
        table.add(b"", &header.encode_to_vec())?;
        for (key, entry) in &self.entries {
            table.add(key, &entry.encode_to_vec())?;
        }
        Ok(table.finish())
    }

    fn check(&self, name: &str, key: &[u8]) -> Result<()> {
        let message = if name.is_empty() || name.starts_with('\0') {
            "a tensor needs a name, which can't begin with a zero".into()
        } else if self.entries.contains_key(key) {
            format!("the tensor `{name}` was added before")
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorKind::InvalidArgument, message))
    }

    /// The entry of what is added next.
    fn entry(&self, dtype: DataType, shape: &[usize]) -> BundleEntryProto {
        BundleEntryProto {
            dtype: dtype.into(),
            shape: Some(TensorShapeProto::new(shape.iter().map(|size| *size as i64))),
            offset: self.offset as i64,
            ..BundleEntryProto::default()
        }
    }

    fn append(&mut self, key: Vec<u8>, mut entry: BundleEntryProto, bytes: &[u8]) -> Result<()> {
        let mut crc = 0;
        self.write(bytes, |chunk| crc = crc32c_append(crc, chunk))?;
        (entry.size, entry.crc32c) = (bytes.len() as i64, mask(crc));
        self.entries.insert(key, entry);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) -> Result<()> {
        for chunk in bytes.chunks(CHUNK) {
            each(chunk);
            let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(chunk));
            written.map_err(|e| Error::io("written", shown(&self.temporary), e))?;
        }
        self.offset += bytes.len();
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}

impl Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "checkpoint {}, {} tensors so far", self.prefix.display(), self.entries.len())
    }
}

fn check_bytes(key: &str, dtype: DataType, shape: &[usize], bytes: &[u8]) -> Result<()> {
    let message = match dtype.size() {
        None if dtype == DataType::String => {
            format!("the tensor `{key}` has strings: add it with `add_strings`")
        }
        None => format!("the tensor `{key}` can't be written: its dtype is {dtype:?}"),
        Some(size) if elements(shape).and_then(|n| n.checked_mul(size)) != Some(bytes.len()) => {
            let len = bytes.len();
            format!(
                "the tensor `{key}` is {dtype:?} of shape {shape:?}, and can't have {len} bytes"
            )
        }
        Some(_) => return Ok(()),
    };
    Err(Error::new(ErrorKind::InvalidArgument, message))
}

/// Removes the files of a checkpoint, the index first. It is no error if there are none.
///
/// ```
/// use extype_formats::bundle::{Writer, index_path, remove};
/// let prefix = std::env::temp_dir().join("extype-doc-remove/ckpt");
/// Writer::create(&prefix)?.finish()?;
/// assert!(index_path(&prefix).exists());
/// remove(&prefix)?;
/// assert!(!index_path(&prefix).exists());
/// # Ok::<(), extype_formats::Error>(())
/// ```
///
/// # Errors
/// What the system says, also of an index that is there and can't be read, except for damage. Nothing is removed then.
pub fn remove(prefix: impl AsRef<Path>) -> Result<()> {
    let prefix = prefix.as_ref();
    // Without an index there may be the file of a checkpoint that was never finished.
    let shards = Index::shards(prefix)?.max(1);
    let data = (0..shards.min(99_999)).map(|shard| data_path(prefix, shard, shards));
    for path in [index_path(prefix)].into_iter().chain(data) {
        match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io("removed", shown(&path), e));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A new file beside the files of a checkpoint.
fn temporary(prefix: &Path) -> Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = with_suffix(prefix, &format!(".tempstate-{process}-{count}"));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            // A program that was killed left it.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Error::io("written", shown(&path), e)),
        }
    }
}

/// Writes a file under another name, does what must be done before, and gives it its name.
pub(super) fn replace(
    path: &Path,
    bytes: &[u8],
    before: impl FnOnce() -> io::Result<()>,
) -> Result<()> {
    let (temporary, mut file) = temporary(path)?;
    let written = file.write_all(bytes).and_then(|()| {
        file.sync_all()?;
        before()?;
        fs::rename(&temporary, path)?;
        sync_folder(path)
    });
    written.map_err(|e| {
        let _ = fs::remove_file(&temporary);
        Error::io("written", shown(path), e)
    })
}

fn folder(prefix: &Path) -> Option<&Path> {
    prefix.parent().filter(|folder| !folder.as_os_str().is_empty())
}

/// Makes a folder, and those above it that are missing, so that they last.
fn make_folder(folder: &Path) -> io::Result<()> {
    let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let new: Vec<_> = folder.ancestors().take_while(missing).collect();
    fs::create_dir_all(folder)?;
    new.into_iter().try_for_each(sync_folder)
}

/// Makes new names of files last.
fn sync_folder(path: &Path) -> io::Result<()> {
    // Other systems have no such call.
    if cfg!(unix) {
        File::open(folder(path).unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}
