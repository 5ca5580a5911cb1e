//! Tables from keys to values.

use std::fmt;
use std::ops::Deref;

use super::TextColumns;
use crate::ops::{
    HashTable, InitializeTable, LookupTableContains, LookupTableExport, LookupTableFind,
    LookupTableImport, LookupTableInsert, LookupTableRemove, LookupTableSize,
    MutableDenseHashTable, MutableHashTableOfTensors, NamedOp, Op, TableState,
};
use crate::spec::{Module, ModuleCell, ModuleVisitor, VariableCopies};
use crate::tensor::{Tensor, TensorLike, call_site, execute, fitted};
use crate::types::{DType, Result, Shape, TensorType, bail};

/// A table from keys to values, which never changes. [`MutableTable`] is one that does.
///
/// Keys are int32, int64 or strings. Values have any dtype that holds data. A key that the table does not have gets
/// the default.
///
/// TensorFlow: `tf.lookup.StaticHashTable`.
///
/// # Threads
/// Any number of threads may look up at the same time.
///
/// ```
/// use extype::prelude::*;
/// use extype::resources::LookupTable;
/// let prices = LookupTable::new(["pear", "fig"], [2.5f32, 4.0], f32::NAN)?;
/// let found = prices.lookup([["fig", "pear"], ["kiwi", "fig"]])?;
/// assert_eq!(found.shape(), shape![2, 2]);
/// assert_eq!(found.to_vec::<f32>()?[..2], [4.0, 2.5]);
/// assert!(found.to_vec::<f32>()?[2].is_nan());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct LookupTable {
    handle: Tensor,
    key: DType,
    /// The dtype and the shape of one value.
    value: TensorType,
    default: Tensor,
}

impl LookupTable {
    /// A table of these keys and their values, which are scalars: two tensors of the same shape.
    ///
    /// # Errors
    /// `InvalidArgument` for keys of another dtype, shapes that differ, no key at all, and a default that is no value;
    /// `FailedPrecondition` for a key with two values.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let names = LookupTable::new([1i64, 2], ["one", "two"], "many")?;
    /// assert_eq!(names.lookup(2)?.to_strings()?, ["two"]);
    /// let e = LookupTable::new(["a", "a"], [1, 2], 0).unwrap_err();
    /// assert_eq!(e.kind(), ErrorKind::FailedPrecondition);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(
        keys: impl TensorLike,
        values: impl TensorLike,
        default: impl TensorLike,
    ) -> Result<Self> {
        let _site = call_site!();
        let (keys, values) = (keys.to_tensor()?, values.to_tensor()?);
        if keys.shape().num_elements() == Some(0) {
            bail!("a table that never changes has a key at least; a `MutableTable` may be empty");
        }
        let default = fitted(&*default.lend()?, values.dtype())?.into_owned();
        let handle = HashTable {
            container: String::new(),
            shared_name: String::new(),
            use_node_name_sharing: false,
            key_dtype: keys.dtype(),
            value_dtype: values.dtype(),
        };
        let table = Self::of(handle.run(&[])?, keys.dtype(), default)?;
        if table.value != TensorType::new(values.dtype(), Shape::scalar()) {
            bail!("a default of {} for values of {}: it is a scalar", table.value, values.dtype());
        }
        execute(
            InitializeTable::DEF,
            InitializeTable {}.attrs(),
            &[&table.handle, &keys, &values],
        )?;
        Ok(table)
    }

    /// A table of the keys and values in the lines of a text file.
    ///
    /// TensorFlow: `StaticHashTable` of a `TextFileInitializer`.
    ///
    /// # Errors
    /// `NotFound` if the file is not there; `FailedPrecondition` if it is a folder, a device or a pipe, or can't be read;
    /// `InvalidArgument` for an empty line, a line with too few columns, and what is no number; and as [`new`](Self::new).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::{LookupTable, TextColumns};
    /// let path = std::env::temp_dir().join(format!("extype_words_{}", std::process::id()));
    /// std::fs::write(&path, "pear\nfig\n").expect("a file");
    /// let table = LookupTable::from_file(&path, &TextColumns::default(), -1)?;
    /// assert_eq!(table.lookup(["fig", "kiwi"])?.as_slice::<i64>()?, &[1, -1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_file(
        path: impl AsRef<std::path::Path>,
        columns: &TextColumns,
        default: impl TensorLike,
    ) -> Result<Self> {
        let _site = call_site!();
        let (keys, values) = columns.read(path.as_ref())?;
        Self::new(keys, values, default)
    }

    /// The table behind a handle, with values like the default.
    pub(super) fn of(handle: Tensor, key: DType, default: Tensor) -> Result<Self> {
        let value = default.tensor_type();
        if !value.shape.is_fully_defined() {
            bail!("a default of {value}: the shape of a value is known");
        }
        Ok(Self { handle, key, value, default })
    }

    /// Names the table in messages; later calls do not change the name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let table = LookupTable::new([1i64], [2.0f32], 0.0)?.name("rates");
    /// assert_eq!(format!("{table:?}"), "<table `rates`: int64 to float32[]>");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        if let Some(state) = self.state() {
            state.set_name(name);
        }
        self
    }

    fn state(&self) -> Option<&TableState> {
        self.handle.value().ok()?.as_resource().ok()?.as_any().downcast_ref()
    }

    /// The handle: a scalar tensor of dtype `Resource`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let table = LookupTable::new([1i64], [2.0f32], 0.0)?;
    /// assert_eq!((table.handle().dtype(), table.handle().shape()), (DType::Resource, shape![]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn handle(&self) -> &Tensor {
        &self.handle
    }

    /// The dtype of the keys.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// assert_eq!(LookupTable::new([1i64], [2.0f32], 0.0)?.key_dtype(), i64);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn key_dtype(&self) -> DType {
        self.key
    }

    /// The dtype and the shape of a value.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let table = MutableTable::new(i64, ops::zeros([3], f32)?)?;
    /// assert_eq!(table.value_type().to_string(), "float32[3]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn value_type(&self) -> &TensorType {
        &self.value
    }

    /// Keys, with the dtype of the table if they were written as plain numbers.
    fn keys(&self, keys: impl TensorLike) -> Result<Tensor> {
        let keys = fitted(&*keys.lend()?, self.key)?.into_owned();
        if keys.dtype() != self.key {
            bail!("keys of {} for a table whose keys are {}", keys.dtype(), self.key);
        }
        Ok(keys)
    }

    /// The value of each key, and the default for keys that the table does not have. Keys of any shape; the result has
    /// their shape, then that of a value.
    ///
    /// # Errors
    /// `InvalidArgument` for keys of another dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let table = LookupTable::new([1i64, 2], [10.0f32, 20.0], -1.0)?;
    /// assert_eq!(table.lookup([2, 3, 1])?.as_slice::<f32>()?, &[20.0, -1.0, 10.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn lookup(&self, keys: impl TensorLike) -> Result<Tensor> {
        let _site = call_site!();
        self.find(keys, &self.default)
    }

    /// [`lookup`](Self::lookup) with another default: one value, or one for each key.
    ///
    /// # Errors
    /// As `lookup`, and for a default of another dtype or shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let table = LookupTable::new([1i64], [10.0f32], -1.0)?;
    /// assert_eq!(table.lookup_or([1, 2], [7.0, 8.0])?.as_slice::<f32>()?, &[10.0, 8.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn lookup_or(&self, keys: impl TensorLike, default: impl TensorLike) -> Result<Tensor> {
        let _site = call_site!();
        self.find(keys, &*fitted(&*default.lend()?, self.value.dtype)?)
    }

    fn find(&self, keys: impl TensorLike, default: &Tensor) -> Result<Tensor> {
        let op = LookupTableFind { row: self.value.shape.clone() };
        op.run(&[&self.handle, &self.keys(keys)?, default])
    }

    /// Whether the table has each key: bools of the shape of the keys.
    ///
    /// # Errors
    /// `InvalidArgument` for keys of another dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let table = LookupTable::new(["a", "b"], [1, 2], 0)?;
    /// assert_eq!(table.contains(["b", "c"])?.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn contains(&self, keys: impl TensorLike) -> Result<Tensor> {
        let _site = call_site!();
        LookupTableContains {}.run(&[&self.handle, &self.keys(keys)?])
    }

    /// The number of keys: int64, a scalar.
    ///
    /// # Errors
    /// `FailedPrecondition` if a traced function uses a table that was dropped.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// assert_eq!(LookupTable::new(["a", "b"], [1, 2], 0)?.size()?.item::<i64>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn size(&self) -> Result<Tensor> {
        let _site = call_site!();
        LookupTableSize {}.run(&[&self.handle])
    }

    /// All keys, and their values in the same order: that of the insertions, until a key was removed.
    ///
    /// # Errors
    /// As [`size`](Self::size).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::LookupTable;
    /// let (keys, values) = LookupTable::new(["b", "a"], [1, 2], 0)?.export()?;
    /// assert_eq!(keys.to_strings()?[0], "b");
    /// assert_eq!(values.as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn export(&self) -> Result<(Tensor, Tensor)> {
        let _site = call_site!();
        let row = self.value.shape.clone();
        let op = LookupTableExport { tkeys: self.key, tvalues: self.value.dtype, row };
        op.run_as(&[&self.handle])
    }

    fn copied_by(&self, copies: &VariableCopies) -> Self {
        Self { handle: copies.of_handle(&self.handle), ..self.clone() }
    }
}

impl fmt::Debug for LookupTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.state() {
            Some(state) => write!(f, "<{state:?}>"),
            None => write!(f, "<table: {} to {}>", self.key, self.value),
        }
    }
}

impl Module for LookupTable {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        visitor.state("handle".into(), ModuleCell::Handle(&self.handle));
    }

    fn copied(&self, copies: &VariableCopies) -> Result<Self> {
        Ok(self.copied_by(copies))
    }
}

/// A table from keys to values that changes: entries are inserted and removed. What a [`LookupTable`] does, it does too.
///
/// TensorFlow: `tf.lookup.experimental.MutableHashTable`, and `DenseHashTable`.
///
/// # Threads
/// Any number of threads may look up and change it at the same time. Each call is atomic: of the entries that one call
/// inserts, another one sees all or none.
///
/// ```
/// use extype::prelude::*;
/// use extype::resources::MutableTable;
/// let counts = MutableTable::new(DType::String, 0i64)?;
/// counts.insert(["a", "b"], [1, 2])?;
/// counts.remove(["a"])?;
/// assert_eq!(counts.lookup(["a", "b"])?.as_slice::<i64>()?, &[0, 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct MutableTable(LookupTable);

impl MutableTable {
    /// An empty table whose keys have this dtype. Its values have the dtype and the shape of the default.
    ///
    /// # Errors
    /// `InvalidArgument` for keys that are not int32, int64 or strings, and for a default whose shape is not known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let embeddings = MutableTable::new(i64, [0.0f32, 0.0])?;
    /// embeddings.insert([7, 8], [[1.0f32, 2.0], [3.0, 4.0]])?;
    /// assert_eq!(embeddings.lookup([8, 9])?.as_slice::<f32>()?, &[3.0, 4.0, 0.0, 0.0]);
    /// assert!(MutableTable::new(f32, 0.0).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(key_dtype: DType, default: impl TensorLike) -> Result<Self> {
        let _site = call_site!();
        let default = default.to_tensor()?;
        let op = MutableHashTableOfTensors {
            container: String::new(),
            shared_name: String::new(),
            use_node_name_sharing: false,
            key_dtype,
            value_dtype: default.dtype(),
            value_shape: default.shape(),
        };
        LookupTable::of(op.run(&[])?, key_dtype, default).map(Self)
    }

    /// An empty table that never has two certain keys, which TensorFlow's dense tables mark empty and deleted places by.
    /// Here such a table is one like any other.
    ///
    /// TensorFlow: `tf.lookup.experimental.DenseHashTable`.
    ///
    /// # Errors
    /// As [`new`](Self::new), and `InvalidArgument` if the two keys are the same.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let table = MutableTable::dense(-1i64, -2i64, 0.0f32)?;
    /// table.insert([1], [5.0])?;
    /// assert!(table.insert([-1], [5.0]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn dense(
        empty: impl TensorLike,
        deleted: impl TensorLike,
        default: impl TensorLike,
    ) -> Result<Self> {
        let _site = call_site!();
        let (empty, deleted) = (empty.to_tensor()?, deleted.to_tensor()?);
        let default = default.to_tensor()?;
        let op = MutableDenseHashTable {
            container: String::new(),
            shared_name: String::new(),
            use_node_name_sharing: false,
            value_dtype: default.dtype(),
            value_shape: default.shape(),
            initial_num_buckets: 1 << 17,
            max_load_factor: 0.8,
        };
        LookupTable::of(op.run(&[&empty, &deleted])?, empty.dtype(), default).map(Self)
    }

    /// Names the table in messages; later calls do not change the name.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let table = MutableTable::new(i64, 0.0f32)?.name("rates");
    /// assert_eq!(format!("{table:?}"), "<table `rates`: int64 to float32[]>");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        Self(self.0.name(name))
    }

    /// Sets the values of keys, in order: of the same key the last value stays. Keys of any shape; the values have
    /// their shape, then that of a value.
    ///
    /// # Errors
    /// `InvalidArgument` for keys and values of other dtypes and shapes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let table = MutableTable::new(i64, 0.0f32)?;
    /// table.insert([1, 2, 1], [5.0, 6.0, 7.0])?;
    /// assert_eq!(table.lookup([1, 2, 3])?.as_slice::<f32>()?, &[7.0, 6.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn insert(&self, keys: impl TensorLike, values: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        let (keys, values) = (self.keys(keys)?, values.lend()?);
        let values = fitted(&values, self.value.dtype)?;
        self.put(&LookupTableInsert {}, &keys, &values)
    }

    /// Replaces all entries by these, as [`insert`](Self::insert) sets them.
    ///
    /// # Errors
    /// As `insert`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let table = MutableTable::new(i64, 0.0f32)?;
    /// table.insert([1], [5.0])?;
    /// table.import([2, 3], [6.0, 7.0])?;
    /// assert_eq!(table.lookup([1, 2, 3])?.as_slice::<f32>()?, &[0.0, 6.0, 7.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn import(&self, keys: impl TensorLike, values: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        let (keys, values) = (self.keys(keys)?, values.lend()?);
        let values = fitted(&values, self.value.dtype)?;
        self.put(&LookupTableImport {}, &keys, &values)
    }

    fn put<O: Op + NamedOp>(&self, op: &O, keys: &Tensor, values: &Tensor) -> Result<()> {
        if values.dtype() != self.value.dtype {
            bail!("values of {} for a table of {}", values.dtype(), self.value);
        }
        let wanted = keys.shape().concatenate(&self.value.shape);
        if !values.shape().is_compatible_with(&wanted) {
            bail!(
                "values of shape {} for keys of shape {}: expected {wanted}",
                values.shape(),
                keys.shape()
            );
        }
        execute(O::DEF, op.attrs(), &[self.handle(), keys, values]).map(|_| ())
    }

    /// Removes keys. Keys that the table does not have change nothing.
    ///
    /// # Errors
    /// `InvalidArgument` for keys of another dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// let table = MutableTable::new(i64, 0.0f32)?;
    /// table.insert([1, 2], [5.0, 6.0])?;
    /// table.remove([2, 3])?;
    /// assert_eq!(table.size()?.item::<i64>()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn remove(&self, keys: impl TensorLike) -> Result<()> {
        let _site = call_site!();
        let keys = self.keys(keys)?;
        execute(LookupTableRemove::DEF, LookupTableRemove {}.attrs(), &[self.handle(), &keys])
            .map(|_| ())
    }
}

impl Deref for MutableTable {
    type Target = LookupTable;

    fn deref(&self) -> &LookupTable {
        &self.0
    }
}

impl fmt::Debug for MutableTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Module for MutableTable {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        self.0.visit(visitor);
    }

    fn copied(&self, copies: &VariableCopies) -> Result<Self> {
        Ok(Self(self.0.copied_by(copies)))
    }
}
