//! Lookup tables: from keys to rows of values. Users have them as [`LookupTable`](crate::resources::LookupTable).

mod kernel;
mod state;
mod text_file;

pub use state::TableState;
pub use text_file::{Column, TextColumns};

use crate::define_op;
use crate::ir::{InferContext, Types};
use crate::ops::rules::batch::{Batch, Batched};
use crate::ops::rules::folded::stacks;
use crate::ops::rules::infer::{no_outputs, one, resource};
use crate::types::{DType, DTypeSet, Dim, Result, Shape, TensorType, bail};

/// What keys can be.
pub(crate) const KEYS: DTypeSet = DTypeSet::of(&[DType::I32, DType::I64, DType::String]);

define_op! {
    attrs Named {
        container: String = String::new(), shared_name: String = String::new(), use_node_name_sharing: bool = false
    }

    /// Returns the value of each key, and the default where the table does not have the key.
    ///
    /// TensorFlow: `LookupTableFindV2`. Keys of any shape; the result has their shape, then that of a value. The
    /// default is one value, or one for each key.
    pub op LookupTableFind = "LookupTableFindV2" {
        inputs: { table_handle: {Resource}, keys: Tin, default_value: Tout }, outputs: { values: Tout },
        types: { Tin: KEYS, Tout: DTypeSet::DATA },
        attrs: { row as "_value_shape": Shape = Shape::unknown() },
        dispatch: none,
        effect: Reads,
        infer: find, kernel: kernel::find,
        gradient: none,
        batch: find_all,
    }

    /// Tells of each key whether the table has it. TensorFlow has no such op.
    pub op LookupTableContains = "LookupTableContains" {
        inputs: { table_handle: {Resource}, keys: Tin }, outputs: { found: {Bool} },
        types: { Tin: KEYS },
        dispatch: none,
        effect: Reads,
        infer: |c| one(DType::Bool, c.shape(1).clone()), kernel: kernel::contains,
        gradient: none,
        batch: |b| stacks(b, &[1]),
    }

    /// Sets the values of keys, in order: of the same key the last one stays.
    ///
    /// TensorFlow: `LookupTableInsertV2`. Keys of any shape; the values have their shape, then that of a value.
    pub op LookupTableInsert = "LookupTableInsertV2" {
        inputs: { table_handle: {Resource}, keys: Tin, values: Tout }, outputs: {},
        types: { Tin: KEYS, Tout: DTypeSet::DATA },
        dispatch: none,
        effect: Writes,
        infer: put, kernel: |c| kernel::put(c, TableState::insert),
        gradient: none,
    }

    /// Replaces all keys and values.
    ///
    /// TensorFlow: `LookupTableImportV2`. Shapes as for [`LookupTableInsert`].
    pub op LookupTableImport = "LookupTableImportV2" {
        inputs: { table_handle: {Resource}, keys: Tin, values: Tout }, outputs: {},
        types: { Tin: KEYS, Tout: DTypeSet::DATA },
        dispatch: none,
        effect: Writes,
        infer: put, kernel: |c| kernel::put(c, TableState::import),
        gradient: none,
    }

    /// Gives a table that never changes its keys and values.
    ///
    /// TensorFlow: `InitializeTableV2`. Shapes as for [`LookupTableInsert`]. The same key with two values is an error.
    pub op InitializeTable = "InitializeTableV2" {
        inputs: { table_handle: {Resource}, keys: Tkey, values: Tval }, outputs: {},
        types: { Tkey: KEYS, Tval: DTypeSet::DATA },
        dispatch: none,
        effect: Writes,
        infer: put, kernel: |c| kernel::put(c, TableState::initialize),
        gradient: none,
    }

    /// Gives a table that never changes the keys and values that stand in the lines of a text file.
    ///
    /// TensorFlow: `InitializeTableFromTextFileV2`. The file name is a scalar. An index is the place of a column, or -2
    /// for the whole line, or -1 for its number, to which the offset is added. A vocabulary of -1 lines is the whole file.
    pub op InitializeTableFromTextFile = "InitializeTableFromTextFileV2" {
        inputs: { table_handle: {Resource}, filename: {String} }, outputs: {},
        attrs: {
            key_index: i64, value_index: i64, vocab_size: i64 = -1, delimiter: String = "\t".to_owned(), offset: i64 = 0
        },
        dispatch: none,
        effect: Writes,
        infer: named, kernel: kernel::from_file,
        gradient: none,
    }

    /// Removes keys. Keys that the table does not have change nothing.
    ///
    /// TensorFlow: `LookupTableRemoveV2`. Keys of any shape.
    pub op LookupTableRemove = "LookupTableRemoveV2" {
        inputs: { table_handle: {Resource}, keys: Tin }, outputs: {},
        types: { Tin: KEYS },
        dispatch: none,
        effect: Writes,
        infer: no_outputs, kernel: kernel::remove,
        gradient: none,
    }

    /// Returns the number of keys: int64, a scalar.
    ///
    /// TensorFlow: `LookupTableSizeV2`.
    pub op LookupTableSize = "LookupTableSizeV2" {
        inputs: { table_handle: {Resource} }, outputs: { size: {I64} },
        dispatch: none,
        effect: Reads,
        infer: |_| one(DType::I64, Shape::scalar()), kernel: kernel::size,
        gradient: none,
    }

    /// Returns all keys, and their values in the same order.
    ///
    /// TensorFlow: `LookupTableExportV2`. A vector, and a row for each key.
    pub op LookupTableExport = "LookupTableExportV2" {
        inputs: { table_handle: {Resource} }, outputs: { keys: Tkeys, values: Tvalues },
        attrs: { tkeys as "Tkeys": DType, tvalues as "Tvalues": DType, row as "_value_shape": Shape = Shape::unknown() },
        dispatch: none,
        effect: Reads,
        infer: export, kernel: kernel::export,
        gradient: none,
    }

    /// Makes a table that never changes, without keys yet. Each run makes a new one.
    ///
    /// TensorFlow: `HashTableV2`.
    pub op HashTable = "HashTableV2" {
        inputs: {}, outputs: { table_handle: {Resource} },
        attrs: { ..Named, key_dtype: DType, value_dtype: DType },
        dispatch: none,
        effect: Writes,
        infer: resource, kernel: kernel::make_static,
        gradient: none,
    }

    /// Makes an empty table of scalars. Each run makes a new one.
    ///
    /// TensorFlow: `MutableHashTableV2`.
    pub op MutableHashTable = "MutableHashTableV2" {
        inputs: {}, outputs: { table_handle: {Resource} },
        attrs: { ..Named, key_dtype: DType, value_dtype: DType },
        dispatch: none,
        effect: Writes,
        infer: resource, kernel: kernel::make_mutable,
        gradient: none,
    }

    /// Makes an empty table of rows. Each run makes a new one.
    ///
    /// TensorFlow: `MutableHashTableOfTensorsV2`.
    pub op MutableHashTableOfTensors = "MutableHashTableOfTensorsV2" {
        inputs: {}, outputs: { table_handle: {Resource} },
        attrs: { ..Named, key_dtype: DType, value_dtype: DType, value_shape: Shape = Shape::scalar() },
        dispatch: none,
        effect: Writes,
        infer: resource, kernel: kernel::make_mutable,
        gradient: none,
    }

    /// Makes an empty table of rows that never has two certain keys. Each run makes a new one.
    ///
    /// TensorFlow: `MutableDenseHashTableV2`, with scalar keys.
    pub op MutableDenseHashTable = "MutableDenseHashTableV2" {
        inputs: { empty_key: key_dtype, deleted_key: key_dtype }, outputs: { table_handle: {Resource} },
        types: { key_dtype: KEYS },
        attrs: {
            ..Named, value_dtype: DType, value_shape: Shape = Shape::scalar(), initial_num_buckets: i64 = 1 << 17,
            max_load_factor: f32 = 0.8
        },
        dispatch: none,
        effect: Writes,
        infer: resource, kernel: kernel::make_dense,
        gradient: none,
    }
}

fn find(c: &InferContext<'_>) -> Result<Types> {
    let (keys, default, row) =
        (c.shape(1), c.shape(2), c.get(LookupTableFind::ROW).unwrap_or_default());
    let row = match default.rank() {
        // With a scalar default a value is a scalar, or there is but one key.
        Some(0) if row.rank().is_none() => Shape::scalar(),
        _ => row,
    };
    let all = keys.concatenate(&row);
    if !default.is_compatible_with(&row) && !default.is_compatible_with(&all) {
        bail!(
            "a default of shape {default} for values of shape {row}: it is one value, or one for each key"
        );
    }
    one(c.input(2).dtype, all)
}

/// Finds the keys of all calls. A default that is one value is the same in all calls; one for each key goes with the keys.
fn find_all(b: &Batch<'_>) -> Result<Batched> {
    let (Some(keys), Some(default), Some(all)) = (b.rank(1), b.rank(2), b.outputs[0].shape.rank())
    else {
        return Ok(None);
    };
    match default {
        _ if default + keys == all && b.same(2).is_some() => stacks(b, &[1]),
        _ if default == all => stacks(b, &[1, 2]),
        _ => Ok(None),
    }
}

/// What names a file: a scalar.
fn named(c: &InferContext<'_>) -> Result<Types> {
    if !c.shape(1).is_compatible_with(&Shape::scalar()) {
        bail!("a file name is a scalar, not of shape {}", c.shape(1));
    }
    Ok(Types::new())
}

/// The values have the shape of the keys, then that of a value.
fn put(c: &InferContext<'_>) -> Result<Types> {
    let (keys, values) = (c.shape(1), c.shape(2));
    if let Some(rank) = keys.rank() {
        let of_keys = values.slice(None, Some(rank as i64));
        if values.rank().is_some_and(|r| r < rank) || !of_keys.is_compatible_with(keys) {
            bail!("values of shape {values} for keys of shape {keys}: they begin with it");
        }
    }
    Ok(Types::new())
}

fn export(c: &InferContext<'_>) -> Result<Types> {
    let keys = Shape::from_iter([Dim::UNKNOWN]);
    let values = keys.concatenate(&c.get(LookupTableExport::ROW).unwrap_or_default());
    let (of_keys, of_values) =
        (c.get(LookupTableExport::TKEYS)?, c.get(LookupTableExport::TVALUES)?);
    Ok([TensorType::new(of_keys, keys), TensorType::new(of_values, values)].into_iter().collect())
}
