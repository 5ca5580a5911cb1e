//! The index of a checkpoint: what tensors there are, and where.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use super::index_path;
use crate::error::shown;
use crate::proto::{BundleEntryProto, BundleHeaderProto, decode, read_bytes};
use crate::{Error, ErrorKind, Result, table};

/// What an index says.
pub(super) struct Index {
    /// How errors name it.
    pub(super) name: String,
    pub(super) header: BundleHeaderProto,
    pub(super) entries: BTreeMap<Vec<u8>, BundleEntryProto>,
}

impl Index {
    pub(super) fn decode(bytes: &[u8], path: &Path, limit: u64) -> Result<Self> {
        let name = shown(path);
        let (mut header, mut entries) = (None, BTreeMap::new());
        table::read(bytes, &name, limit, |key, value| {
            if key.is_empty() {
                header = Some(decode(value, format_args!("the header of {name}"))?);
                return Ok(());
            }
            let entry: BundleEntryProto =
                decode(value, format_args!("the entry `{}` of {name}", shown_key(key)))?;
            check(key, &entry).map_err(|what| {
                let message = format!("{name}: the entry `{}` {what}", shown_key(key));
                Error::new(ErrorKind::DataLoss, message)
            })?;
            entries.insert(key.to_vec(), entry);
            Ok(())
        })?;
        let Some(header) = header else {
            let message = format!("{name} is no index of a checkpoint: it has no header");
            return Err(Error::new(ErrorKind::DataLoss, message));
        };
        Ok(Self { name, header, entries })
    }

    /// How many files with tensors the checkpoint of this prefix has, whatever they hold: zero where there is no index, or
    /// a damaged one.
    pub(super) fn shards(prefix: &Path) -> Result<i32> {
        let (path, limit) = (index_path(prefix), table::DEFAULT_LIMIT);
        match read_bytes(&path, limit).and_then(|bytes| Self::decode(&bytes, &path, limit)) {
            Ok(index) => Ok(index.header.num_shards),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::DataLoss) => Ok(0),
            Err(e) => Err(e),
        }
    }
}

/// What is wrong with an entry, if anything.
fn check(key: &[u8], entry: &BundleEntryProto) -> Result<(), &'static str> {
    let shape = entry.shape.as_ref();
    // TensorFlow's limit.
    if shape.is_some_and(|s| s.dim.len() > 254) {
        return Err("has more than 254 axes");
    }
    if shape.is_some_and(|s| s.unknown_rank || s.dim.iter().any(|dim| dim.size < 0)) {
        return Err("has a shape that is not known");
    }
    if entry.offset < 0 || entry.size < 0 || entry.offset.checked_add(entry.size).is_none() {
        return Err("has an impossible place");
    }
    if key[0] != 0 && std::str::from_utf8(key).is_err() {
        return Err("has a name that is not UTF-8");
    }
    Ok(())
}

/// A key in errors, of which there may be long ones.
pub(super) fn shown_key(key: &[u8]) -> impl fmt::Display {
    key[..key.len().min(200)].escape_ascii()
}
