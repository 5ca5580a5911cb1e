//! Kernels: lookup tables.

use std::sync::Arc;

use super::state::{TableKind, TableState};
use super::{
    Column, HashTable, InitializeTableFromTextFile as FromFile, LookupTableExport, LookupTableFind,
    MutableDenseHashTable, MutableHashTableOfTensors, TextColumns,
};
use crate::array::Array;
use crate::ir::{KernelContext, Outputs};
use crate::ops::files::path_of;
use crate::types::{Result, Shape, bail, err};

/// The table behind a handle.
fn table(handle: &Array) -> Result<&TableState> {
    let resource = handle.as_resource()?;
    let table = resource.as_any().downcast_ref();
    table.ok_or_else(|| err!("the resource is a {}, not a table", resource.kind()))
}

/// Refuses a call that was inferred for values of another shape.
fn check_row(c: &KernelContext<'_>, table: &TableState) -> Result<()> {
    let told = c.get(LookupTableFind::ROW).unwrap_or_default();
    let row = Shape::from(&table.row[..]);
    if !told.is_compatible_with(&row) {
        bail!("the table has values of shape {row}, not {told}");
    }
    Ok(())
}

pub(super) fn find(c: &KernelContext<'_>) -> Result<Outputs> {
    let table = table(c.input(0))?;
    check_row(c, table)?;
    Ok([table.find(c.input(1), c.input(2))?].into())
}

pub(super) fn contains(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([table(c.input(0))?.contains(c.input(1))?].into())
}

pub(super) fn put(
    c: &KernelContext<'_>,
    put: fn(&TableState, &Array, &Array) -> Result<()>,
) -> Result<Outputs> {
    put(table(c.input(0))?, c.input(1), c.input(2)).map(|()| Outputs::new())
}

pub(super) fn from_file(c: &KernelContext<'_>) -> Result<Outputs> {
    let table = table(c.input(0))?;
    let column = |index: i64| match index {
        -2 => Ok(Column::Line),
        -1 => Ok(Column::Number),
        at => usize::try_from(at).map(Column::At).map_err(|_| {
            err!("there is no column {at}: -1 is the number of a line, -2 the whole line")
        }),
    };
    let delimiter: String = c.get(FromFile::DELIMITER)?;
    let mut characters = delimiter.chars();
    let (Some(separator), None) = (characters.next(), characters.next()) else {
        bail!("columns are separated by one character, not by {delimiter:?}");
    };
    let columns = TextColumns {
        key: column(c.get(FromFile::KEY_INDEX)?)?,
        key_dtype: table.key_dtype(),
        value: column(c.get(FromFile::VALUE_INDEX)?)?,
        value_dtype: table.value_dtype(),
        separator,
        lines: match c.get(FromFile::VOCAB_SIZE)? {
            -1 => None,
            n => Some(usize::try_from(n).map_err(|_| err!("a vocabulary of {n} lines"))?),
        },
    };
    let [path] = c.input(1).as_strings()? else {
        bail!("a file name is a scalar, not of shape {}", c.input(1).shape());
    };
    let (keys, values) = columns.numbered(&path_of(path), c.get(FromFile::OFFSET)?)?;
    table.initialize(keys.data()?, values.data()?).map(|()| Outputs::new())
}

pub(super) fn remove(c: &KernelContext<'_>) -> Result<Outputs> {
    table(c.input(0))?.remove(c.input(1)).map(|()| Outputs::new())
}

pub(super) fn size(c: &KernelContext<'_>) -> Result<Outputs> {
    Ok([Array::scalar(table(c.input(0))?.size()? as i64)].into())
}

pub(super) fn export(c: &KernelContext<'_>) -> Result<Outputs> {
    let table = table(c.input(0))?;
    let wanted = (c.get(LookupTableExport::TKEYS)?, c.get(LookupTableExport::TVALUES)?);
    let own = (table.key_dtype(), table.value_dtype());
    if wanted != own {
        bail!(
            "the table has keys of {} and values of {}, not of {} and {}",
            own.0,
            own.1,
            wanted.0,
            wanted.1
        );
    }
    check_row(c, table)?;
    let (keys, values) = table.export()?;
    Ok([keys, values].into_iter().collect())
}

fn made(table: TableState) -> Result<Outputs> {
    Ok([Array::from_resource(Arc::new(table))].into())
}

pub(super) fn make_static(c: &KernelContext<'_>) -> Result<Outputs> {
    let (key, value) = (c.get(HashTable::KEY_DTYPE)?, c.get(HashTable::VALUE_DTYPE)?);
    made(TableState::new(TableKind::Static, key, value, &[])?)
}

/// The sizes of a value. The op for scalars has no such attribute.
fn row(c: &KernelContext<'_>) -> Result<Vec<usize>> {
    let shape = c.get(MutableHashTableOfTensors::VALUE_SHAPE).unwrap_or_default();
    match (shape.sizes(), shape.rank()) {
        (Some(row), _) => Ok(row.to_vec()),
        (None, None) => Ok(Vec::new()),
        (None, Some(_)) => bail!("a table has values of a known shape, not of {shape}"),
    }
}

pub(super) fn make_mutable(c: &KernelContext<'_>) -> Result<Outputs> {
    let (key, value) = (c.get(HashTable::KEY_DTYPE)?, c.get(HashTable::VALUE_DTYPE)?);
    made(TableState::new(TableKind::Mutable, key, value, &row(c)?)?)
}

pub(super) fn make_dense(c: &KernelContext<'_>) -> Result<Outputs> {
    let (empty, deleted) = (c.input(0), c.input(1));
    let load: f32 = c.get(MutableDenseHashTable::MAX_LOAD_FACTOR)?;
    if !(load > 0.0 && load < 1.0) {
        bail!("a load factor of {load}: it is between 0 and 1");
    }
    let kind = TableKind::dense(empty, deleted)?;
    let value = c.get(MutableDenseHashTable::VALUE_DTYPE)?;
    made(TableState::new(kind, empty.dtype(), value, &row(c)?)?)
}

#[cfg(feature = "formats")]
impl TableState {
    /// TensorFlow's ops that make and fill such a table, if it has them for values that are scalars.
    pub(crate) fn saved_by(&self) -> Option<[&'static str; 2]> {
        match &self.kind {
            TableKind::Static if self.row.is_empty() => Some(["HashTableV2", "InitializeTableV2"]),
            TableKind::Mutable if self.row.is_empty() => {
                Some(["MutableHashTableV2", "LookupTableImportV2"])
            }
            _ => None,
        }
    }
}
