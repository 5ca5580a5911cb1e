//! Checkpoints and files of records.

use std::path::Path;

use anyhow::{Context, Result};
use extype::array::Array;
use extype_formats::bundle::{Bundle, OBJECT_GRAPH};
use extype_formats::proto::DataType;
use extype_formats::record::{Compression, Reader};
use serde_json::Value;

use super::{add, json};
use crate::conformance::compare::{Expected, Tolerance, difference};
use crate::conformance::report::{Report, Verdict};
use crate::conformance::values::{Unreadable, array, bytes};

/// A folder with a checkpoint, and the values of its tensors.
pub(super) fn checkpoint(folder: &Path, report: &mut Report) -> Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let told = json(&folder.join("values.json"))?;
    let bundle = match Bundle::open(folder.join(told["prefix"].as_str().context("a prefix")?)) {
        Ok(bundle) => bundle,
        Err(e) => {
            add(report, format!("{name}: open"), Verdict::failed("a checkpoint", e.to_string()));
            return Ok(());
        }
    };
    let tensors = told["tensors"].as_object().context("tensors")?;
    let keys = bundle.keys().filter(|key| *key != OBJECT_GRAPH && !tensors.contains_key(*key));
    let more: Vec<&str> = keys.collect();
    add(report, format!("{name}: keys"), Verdict::of_equal(&more, &Vec::new()));
    for (key, wanted) in tensors {
        let verdict = match array(wanted) {
            Err(Unreadable(what)) => Verdict::Unsupported(what),
            Ok(value) => match tensor(&bundle, key, &value) {
                Err(e) => Verdict::failed(key, e.to_string()),
                Ok(got) => {
                    let wanted = Expected { value, other: None };
                    difference(&got, &wanted, Tolerance::default())
                        .map_or(Verdict::Passed, |wrong| Verdict::failed(key, wrong.text))
                }
            },
        };
        add(report, format!("{name}: {key}"), verdict);
    }
    Ok(())
}

fn tensor(bundle: &Bundle, key: &str, wanted: &Array) -> Result<Array> {
    let entry = bundle.get(key)?;
    let shape = entry.shape();
    anyhow::ensure!(entry.proto().dtype == wanted.dtype().number(), "dtype {:?}", entry.dtype());
    Ok(match entry.dtype() {
        DataType::String => Array::from_strings(&shape[..], entry.strings()?)?,
        _ => Array::from_bytes(wanted.dtype(), &shape[..], &entry.bytes()?)?,
    })
}

/// A file of records, and what comes out of it.
pub(super) fn records(path: &Path, report: &mut Report) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((stem, rest)) = name.split_once(".tfrecord") else { return Ok(()) };
    let compression = match rest {
        ".gz" => Compression::Gzip,
        ".zlib" => Compression::Zlib,
        _ => Compression::None,
    };
    let told = json(&path.with_file_name(format!("{stem}.json")))?;
    let wanted = told["records"].as_array().map_or(&[][..], Vec::as_slice);
    let wanted: Vec<Vec<u8>> = wanted.iter().map(read).collect::<Result<_>>()?;
    let mut got = Vec::new();
    let mut error = None;
    match Reader::open_compressed(path, compression) {
        Err(e) => error = Some(e),
        Ok(mut reader) => loop {
            match reader.next_record() {
                Ok(Some(record)) => got.push(record.to_vec()),
                Ok(None) => break,
                Err(e) => {
                    error = Some(e);
                    break;
                }
            }
        },
    }
    let error = error.map(|e| format!("{:?}Error", e.kind()));
    let verdict = match (got == wanted, error.as_deref() == told["error"].as_str()) {
        (true, true) => Verdict::Passed,
        (false, _) => {
            Verdict::failed(format!("{} records", wanted.len()), format!("{} others", got.len()))
        }
        (_, false) => Verdict::failed(told["error"].to_string(), format!("{error:?}")),
    };
    add(report, name, verdict);
    Ok(())
}

fn read(json: &Value) -> Result<Vec<u8>> {
    bytes(json).map_err(|Unreadable(what)| anyhow::anyhow!(what))
}
