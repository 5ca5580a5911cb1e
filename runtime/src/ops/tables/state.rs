//! The state of a lookup table: a hash map from keys to the rows of one block of values.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use super::KEYS;
use super::rows::{NOWHERE, default_size, gather, source};
use crate::array::{AnyWriter, Array, Dims, Resource, num_elements, vec_for};
use crate::tensor::identity::next_id;
use crate::types::{DType, DTypeSet, Result, Shape, bail, err};

/// What may change in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// Nothing, once it has its keys.
    Static,
    /// All.
    Mutable,
    /// All, but it never has the keys that TensorFlow marks empty and deleted places by.
    Dense([TableKey; 2]),
}

/// A key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableKey {
    Number(i64),
    Text(Vec<u8>),
}

impl TableKind {
    pub(crate) fn dense(empty: &Array, deleted: &Array) -> Result<Self> {
        let key = |array: &Array| {
            if array.rank() != 0 {
                bail!(Unimplemented, "keys of shape {}: keys are scalars", array.shape());
            }
            Ok(match Keys::of(array)? {
                Keys::Numbers(keys) => TableKey::Number(keys[0]),
                Keys::Texts(keys) => TableKey::Text(keys[0].clone()),
            })
        };
        let keys = [key(empty)?, key(deleted)?];
        if keys[0] == keys[1] {
            bail!("the same key for empty and for deleted places; they need two that no entry has");
        }
        Ok(Self::Dense(keys))
    }
}

/// The elements of an array of keys.
enum Keys<'a> {
    Numbers(Cow<'a, [i64]>),
    Texts(&'a [Vec<u8>]),
}

impl<'a> Keys<'a> {
    fn of(array: &'a Array) -> Result<Self> {
        Ok(match array.dtype() {
            DType::I64 => Keys::Numbers(array.as_slice()?.into()),
            DType::I32 => Keys::Numbers(array.to_i64s()?.into_vec().into()),
            DType::String => Keys::Texts(array.as_strings()?),
            dtype => bail!("keys are int32, int64 or string, not {dtype}"),
        })
    }

    fn len(&self) -> usize {
        match self {
            Keys::Numbers(keys) => keys.len(),
            Keys::Texts(keys) => keys.len(),
        }
    }
}

/// The row of each key.
#[derive(Clone)]
enum Places {
    Numbers(FxHashMap<i64, usize>),
    Texts(FxHashMap<Vec<u8>, usize>),
}

/// The values of all keys, row by row.
#[derive(Clone)]
enum RowStore {
    Bytes(Vec<u8>),
    Texts(Vec<Vec<u8>>),
}

#[derive(Clone)]
struct TableEntries {
    places: Places,
    rows: RowStore,
    /// Rows that no key has any more.
    free: Vec<usize>,
    /// The number of rows, free ones included.
    len: usize,
    /// False for a static table without keys yet.
    is_ready: bool,
}

/// The state behind a [`LookupTable`](crate::resources::LookupTable).
///
/// Any number of threads may look up and change it at the same time: each call of an op is atomic.
pub struct TableState {
    id: u64,
    name: OnceLock<String>,
    pub(super) kind: TableKind,
    key: DType,
    value: DType,
    /// The sizes of a value, and its number of elements.
    pub(super) row: Dims,
    width: usize,
    entries: RwLock<TableEntries>,
}

impl TableState {
    pub(crate) fn new(kind: TableKind, key: DType, value: DType, row: &[usize]) -> Result<Self> {
        if !KEYS.contains(key) || !DTypeSet::DATA.contains(value) {
            bail!(
                "a table from {key} to {value}: keys are int32, int64 or string, values are data"
            );
        }
        let width = num_elements(row, value.size().unwrap_or(size_of::<Vec<u8>>()))?;
        let entries = TableEntries::new(key, value, kind != TableKind::Static);
        let (id, name, row) = (next_id(), OnceLock::new(), row.into());
        Ok(Self { id, name, kind, key, value, row, width, entries: RwLock::new(entries) })
    }

    /// Names the table in messages; later calls do not change the name.
    pub(crate) fn set_name(&self, name: &str) {
        let _ = self.name.set(name.to_owned());
    }

    /// The name of the table, if it has one.
    ///
    /// ```
    /// use extype::ops::TableState;
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let table = MutableTable::new(i64, 0.0f32)?.name("rates");
    /// let state = table.handle().value()?.as_resource()?.as_any().downcast_ref::<TableState>();
    /// assert_eq!(state.and_then(TableState::label), Some("rates"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn label(&self) -> Option<&str> {
        self.name.get().map(String::as_str)
    }

    pub(crate) fn key_dtype(&self) -> DType {
        self.key
    }

    pub(crate) fn value_dtype(&self) -> DType {
        self.value
    }

    // Every change leaves whole entries, so the content of a poisoned lock is still valid.
    fn read(&self) -> Result<RwLockReadGuard<'_, TableEntries>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        if !entries.is_ready {
            bail!(FailedPrecondition, "{self:?} has no keys yet; initialize it first");
        }
        Ok(entries)
    }

    fn write(&self) -> Result<RwLockWriteGuard<'_, TableEntries>> {
        if self.kind == TableKind::Static {
            bail!(Unimplemented, "{self:?} never changes; a `MutableTable` does");
        }
        Ok(self.entries.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Checks keys that come from outside.
    fn keys<'a>(&self, keys: &'a Array) -> Result<Keys<'a>> {
        if keys.dtype() != self.key {
            bail!("keys of {} for {self:?}", keys.dtype());
        }
        let keys = Keys::of(keys)?;
        if let TableKind::Dense(reserved) = &self.kind {
            let used = reserved.iter().any(|key| match (key, &keys) {
                (TableKey::Number(n), Keys::Numbers(keys)) => keys.contains(n),
                (TableKey::Text(text), Keys::Texts(keys)) => keys.contains(text),
                _ => false,
            });
            if used {
                bail!("a key that marks empty or deleted places of {self:?} is no key of an entry");
            }
        }
        Ok(keys)
    }

    /// The value of each key, otherwise the default: one value, or one for each key.
    pub(crate) fn find(&self, keys: &Array, default: &Array) -> Result<Array> {
        let dims: Vec<usize> = [keys.dims(), &self.row[..]].concat();
        if default.dtype() != self.value {
            bail!("a default of {} for {self:?}", default.dtype());
        }
        let each = match default.dims() {
            one if *one == self.row[..] => false,
            all if *all == dims[..] => true,
            _ => bail!("a default of shape {} for {self:?}", default.shape()),
        };
        let given = self.keys(keys)?;
        let entries = self.read()?;
        let places = entries.places.of(&given)?;
        entries.rows.gathered(&places, self.width, dims, (default, each))
    }

    pub(crate) fn contains(&self, keys: &Array) -> Result<Array> {
        let given = self.keys(keys)?;
        let places = self.read()?.places.of(&given)?;
        let found: Vec<bool> = places.iter().map(|at| *at != NOWHERE).collect();
        Array::from_slice(keys.dims(), &found)
    }

    /// The number of keys.
    pub(crate) fn size(&self) -> Result<usize> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        Ok(entries.len - entries.free.len())
    }

    fn check_values(&self, keys: &Array, values: &Array) -> Result<()> {
        let dims: Vec<usize> = [keys.dims(), &self.row[..]].concat();
        if values.dtype() != self.value || values.dims() != dims {
            let wanted = Shape::from(&dims[..]);
            bail!("values of {} for {self:?}: expected shape {wanted}", values.tensor_type());
        }
        Ok(())
    }

    pub(crate) fn insert(&self, keys: &Array, values: &Array) -> Result<()> {
        let given = self.keys(keys)?;
        self.check_values(keys, values)?;
        self.write()?.put(&given, values, self.width)
    }

    /// Replaces all entries, or none after an error.
    pub(crate) fn import(&self, keys: &Array, values: &Array) -> Result<()> {
        if self.kind == TableKind::Static {
            return self.initialize(keys, values);
        }
        self.check_values(keys, values)?;
        let mut new = TableEntries::new(self.key, self.value, true);
        match &self.kind {
            // TensorFlow exports its empty and deleted places too.
            TableKind::Dense(reserved) if keys.dtype() == self.key => {
                new.put(&Keys::of(keys)?, values, self.width)?;
                for key in reserved {
                    let key = match key {
                        TableKey::Number(n) => Keys::Numbers(vec![*n].into()),
                        TableKey::Text(text) => Keys::Texts(std::slice::from_ref(text)),
                    };
                    new.remove(&key, self.width)?;
                }
            }
            _ => new.put(&self.keys(keys)?, values, self.width)?,
        }
        // The old entries are dropped without the lock.
        std::mem::swap(&mut *self.write()?, &mut new);
        Ok(())
    }

    /// Gives a static table its entries.
    pub(crate) fn initialize(&self, keys: &Array, values: &Array) -> Result<()> {
        if self.kind != TableKind::Static {
            return self.insert(keys, values);
        }
        let given = self.keys(keys)?;
        self.check_values(keys, values)?;
        if keys.is_empty() {
            bail!("no keys for {self:?}: one that never changes has a key at least");
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if entries.is_ready {
            bail!(FailedPrecondition, "{self:?} has its keys already");
        }
        entries.put(&given, values, self.width)?;
        // Of the same key the last value stays: any other one is a contradiction.
        let places = entries.places.of(&given)?;
        if let Some(i) = entries.rows.differs(&places, values, self.width) {
            *entries = TableEntries::new(self.key, self.value, false);
            let key = match given {
                Keys::Numbers(keys) => keys[i].to_string(),
                Keys::Texts(keys) => format!("\"{}\"", String::from_utf8_lossy(&keys[i])),
            };
            bail!(
                FailedPrecondition,
                "the key {key} has two values; a table that never changes has one"
            );
        }
        entries.is_ready = true;
        Ok(())
    }

    pub(crate) fn remove(&self, keys: &Array) -> Result<()> {
        let given = self.keys(keys)?;
        self.write()?.remove(&given, self.width)
    }

    /// All keys and their values, in the order of the insertions until a key was removed.
    ///
    /// # Errors
    /// `FailedPrecondition` for a static table without keys yet.
    ///
    /// ```
    /// use extype::ops::TableState;
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let table = LookupTable::new(["a", "b"], [1i64, 2], -1)?;
    /// let state = table.handle().value()?.as_resource()?.as_any().downcast_ref::<TableState>();
    /// let (keys, values) = state.expect("a table").export()?;
    /// assert_eq!(keys.as_strings()?[1], b"b");
    /// assert_eq!(values.as_slice::<i64>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn export(&self) -> Result<(Array, Array)> {
        let entries = self.read()?;
        let count = entries.len - entries.free.len();
        let mut places: Vec<usize> = vec_for(count)?;
        let keys = match &entries.places {
            Places::Numbers(map) => {
                let mut all: Vec<(usize, i64)> = vec_for(count)?;
                all.extend(map.iter().map(|(key, at)| (*at, *key)));
                all.sort_unstable();
                places.extend(all.iter().map(|(at, _)| *at));
                if self.key == DType::I32 {
                    let keys: Vec<i32> = all.iter().map(|(_, key)| *key as i32).collect();
                    Array::from_slice([count], &keys)?
                } else {
                    let keys: Vec<i64> = all.iter().map(|(_, key)| *key).collect();
                    Array::from_slice([count], &keys)?
                }
            }
            Places::Texts(map) => {
                let mut all: Vec<(usize, &Vec<u8>)> = vec_for(count)?;
                all.extend(map.iter().map(|(key, at)| (*at, key)));
                all.sort_unstable();
                places.extend(all.iter().map(|(at, _)| *at));
                Array::from_strings([count], all.iter().map(|(_, key)| (*key).clone()).collect())?
            }
        };
        let dims: Vec<usize> = [&[count], &self.row[..]].concat();
        let none = Array::zeros(self.value, self.row.clone())?;
        Ok((keys, entries.rows.gathered(&places, self.width, dims, (&none, false))?))
    }
}

impl Places {
    /// The row of each key; [`NOWHERE`] for a key that is missing.
    fn of(&self, keys: &Keys<'_>) -> Result<Vec<usize>> {
        let at = |found: Option<&usize>| found.copied().unwrap_or(NOWHERE);
        let mut places = vec_for(keys.len())?;
        match (self, keys) {
            (Places::Numbers(map), Keys::Numbers(keys)) => {
                places.extend(keys.iter().map(|key| at(map.get(key))));
            }
            (Places::Texts(map), Keys::Texts(keys)) => {
                places.extend(keys.iter().map(|key| at(map.get(key))));
            }
            _ => bail!(Internal, "keys of another kind"),
        }
        Ok(places)
    }

    /// Makes room for more keys.
    fn reserve(&mut self, more: usize) -> Result<()> {
        let room = match self {
            Places::Numbers(map) => map.try_reserve(more),
            Places::Texts(map) => map.try_reserve(more),
        };
        room.or_else(|_| bail!(ResourceExhausted, "no memory for {more} keys"))
    }
}

impl TableEntries {
    fn new(key: DType, value: DType, is_ready: bool) -> Self {
        let places = match key {
            DType::String => Places::Texts(FxHashMap::default()),
            _ => Places::Numbers(FxHashMap::default()),
        };
        let rows = match value {
            DType::String => RowStore::Texts(Vec::new()),
            _ => RowStore::Bytes(Vec::new()),
        };
        Self { places, rows, free: Vec::new(), len: 0, is_ready }
    }

    fn put(&mut self, keys: &Keys<'_>, values: &Array, width: usize) -> Result<()> {
        let count = keys.len();
        self.places.reserve(count)?;
        self.rows.reserve(count, width, values)?;
        let Self { places, rows, free, len, .. } = self;
        // A new key gets a free row, or one behind the others.
        let mut new_row = || {
            free.pop().unwrap_or_else(|| {
                *len += 1;
                *len - 1
            })
        };
        for i in 0..count {
            let at = match (&mut *places, keys) {
                (Places::Numbers(map), Keys::Numbers(keys)) => {
                    *map.entry(keys[i]).or_insert_with(&mut new_row)
                }
                (Places::Texts(map), Keys::Texts(keys)) => match map.get(&keys[i]) {
                    Some(at) => *at,
                    None => *map.entry(keys[i].clone()).or_insert_with(&mut new_row),
                },
                _ => bail!(Internal, "keys of another kind"),
            };
            rows.set(at, i, values, width)?;
        }
        Ok(())
    }

    /// Removes keys, if they are there.
    fn remove(&mut self, keys: &Keys<'_>, width: usize) -> Result<()> {
        let Self { places, rows, free, .. } = self;
        let mut removed = |at: Option<usize>| {
            if let Some(at) = at {
                rows.forget(at, width);
                free.push(at);
            }
        };
        match (places, keys) {
            (Places::Numbers(map), Keys::Numbers(keys)) => {
                keys.iter().for_each(|key| removed(map.remove(key)));
            }
            (Places::Texts(map), Keys::Texts(keys)) => {
                keys.iter().for_each(|key| removed(map.remove(key)));
            }
            _ => bail!(Internal, "keys of another kind"),
        }
        Ok(())
    }
}

/// The size of an element in bytes.
fn element_size(values: &Array) -> usize {
    values.dtype().size().unwrap_or(0)
}

impl RowStore {
    fn reserve(&mut self, more: usize, width: usize, values: &Array) -> Result<()> {
        let room = match self {
            RowStore::Bytes(rows) => {
                rows.try_reserve(more.saturating_mul(width * element_size(values)))
            }
            RowStore::Texts(rows) => rows.try_reserve(more.saturating_mul(width)),
        };
        room.or_else(|_| bail!(ResourceExhausted, "no memory for {more} values"))
    }

    /// Sets row `at`, which is there or the next one, to row `i` of the values.
    fn set(&mut self, at: usize, i: usize, values: &Array, width: usize) -> Result<()> {
        match self {
            RowStore::Bytes(rows) => {
                let bytes =
                    values.as_bytes().ok_or_else(|| err!(Internal, "values without bytes"))?;
                let size = width * element_size(values);
                let new = &bytes[i * size..(i + 1) * size];
                match rows.get_mut(at * size..(at + 1) * size) {
                    Some(row) => row.copy_from_slice(new),
                    None => rows.extend_from_slice(new),
                }
            }
            RowStore::Texts(rows) => {
                let new = &values.as_strings()?[i * width..(i + 1) * width];
                match rows.get_mut(at * width..(at + 1) * width) {
                    Some(row) => row.clone_from_slice(new),
                    None => rows.extend_from_slice(new),
                }
            }
        }
        Ok(())
    }

    /// Gives up the memory of a row that no key has any more.
    fn forget(&mut self, at: usize, width: usize) {
        if let RowStore::Texts(rows) = self {
            rows[at * width..(at + 1) * width].fill(Vec::new());
        }
    }

    /// The first of the values that differs from the row at its place.
    fn differs(&self, places: &[usize], values: &Array, width: usize) -> Option<usize> {
        let same = |(i, at): (usize, &usize)| match self {
            RowStore::Bytes(rows) => {
                let size = width * element_size(values);
                let bytes = values.as_bytes().unwrap_or_default();
                rows[at * size..(at + 1) * size] == bytes[i * size..(i + 1) * size]
            }
            RowStore::Texts(rows) => {
                let texts = values.as_strings().unwrap_or_default();
                rows[at * width..(at + 1) * width] == texts[i * width..(i + 1) * width]
            }
        };
        places.iter().enumerate().position(|entry| !same(entry))
    }

    /// The rows at these places as an array, and the default where there is none.
    fn gathered(
        &self,
        places: &[usize],
        width: usize,
        dims: Vec<usize>,
        (default, each): (&Array, bool),
    ) -> Result<Array> {
        match self {
            RowStore::Bytes(rows) => {
                let mut out = AnyWriter::new(default.dtype(), &dims)?;
                let default = default.as_bytes().unwrap_or_default();
                let size = width * default_size(default, width, places.len(), each);
                let bytes = out.bytes_mut();
                match size {
                    1 => gather::<1>(rows, places, default, each, bytes),
                    2 => gather::<2>(rows, places, default, each, bytes),
                    4 => gather::<4>(rows, places, default, each, bytes),
                    8 => gather::<8>(rows, places, default, each, bytes),
                    16 => gather::<16>(rows, places, default, each, bytes),
                    0 => {}
                    _ => {
                        for (i, (out, at)) in bytes.chunks_exact_mut(size).zip(places).enumerate() {
                            let (from, at) = source(rows, *at, default, i, each);
                            out.copy_from_slice(&from[at * size..(at + 1) * size]);
                        }
                    }
                }
                out.finish()
            }
            RowStore::Texts(rows) => {
                let default = default.as_strings()?;
                let mut all: Vec<Vec<u8>> = vec_for(num_elements(&dims, size_of::<Vec<u8>>())?)?;
                for (i, at) in places.iter().enumerate() {
                    let (from, at) = source(rows, *at, default, i, each);
                    all.extend_from_slice(&from[at * width..(at + 1) * width]);
                }
                Array::from_strings(dims, all)
            }
        }
    }
}

impl fmt::Debug for TableState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.get() {
            Some(name) => write!(f, "table `{name}`")?,
            None => write!(f, "table {}", self.id)?,
        }
        write!(f, ": {} to {}{}", self.key, self.value, Shape::from(&self.row[..]))
    }
}

impl Resource for TableState {
    fn id(&self) -> u64 {
        self.id
    }

    fn kind(&self) -> &'static str {
        "table"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copied(&self) -> Result<Option<Arc<dyn Resource>>> {
        if self.kind == TableKind::Static {
            return Ok(None);
        }
        let copy = Self::new(self.kind.clone(), self.key, self.value, &self.row)?;
        if let Some(name) = self.label() {
            copy.set_name(name);
        }
        let entries = self.read()?.clone();
        *copy.write()? = entries;
        Ok(Some(Arc::new(copy)))
    }
}
