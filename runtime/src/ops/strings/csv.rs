//! The kernel that reads comma-separated values.

use super::numbers::FromText;
use crate::array::{Array, Element, copy_of, reserve, vec_for};
use crate::ir::{KernelContext, Outputs};
use crate::ops::DecodeCsv;
use crate::types::{DType, DTypeSet, Result, bail, err};

/// The dtypes of columns.
pub(in crate::ops) const COLUMNS: DTypeSet =
    DTypeSet::of(&[DType::F32, DType::F64, DType::I32, DType::I64, DType::String]);

/// How records are written.
struct Records {
    delimiter: u8,
    quotes: bool,
    /// The columns to read; all if there are none.
    selected: Vec<i64>,
}

impl Records {
    /// Appends the fields of a record.
    fn fields(&self, s: &[u8], fields: &mut Vec<Vec<u8>>) -> Result<()> {
        let (mut at, mut column) = (0, 0);
        while at < s.len() {
            if matches!(s[at], b'\n' | b'\r') {
                at += 1;
                continue;
            }
            let (field, next) = match self.quotes && s[at] == b'"' {
                true => self.quoted(s, at + 1)?,
                false => self.bare(s, at)?,
            };
            if self.reads(column) {
                fields.push(field);
            }
            (at, column) = (next, column + 1);
            if fields.len() == self.selected.len() && !fields.is_empty() {
                return Ok(());
            }
        }
        // A delimiter at the end stands before an empty field.
        if s.last() == Some(&self.delimiter) && self.reads(column) {
            fields.push(Vec::new());
        }
        Ok(())
    }

    fn reads(&self, column: i64) -> bool {
        self.selected.is_empty() || self.selected.contains(&column)
    }

    /// A field without quotes, and the place behind its delimiter.
    fn bare(&self, s: &[u8], from: usize) -> Result<(Vec<u8>, usize)> {
        let length = s[from..].iter().position(|b| *b == self.delimiter);
        let end = length.map_or(s.len(), |n| from + n);
        let field = &s[from..end];
        if field.iter().any(|b| matches!(b, b'\n' | b'\r') || self.quotes && *b == b'"') {
            bail!("a quote or a line break in a field without quotes around it");
        }
        Ok((copy_of(field)?, end + 1))
    }

    /// A field from behind its first quote, and the place behind its delimiter.
    fn quoted(&self, s: &[u8], mut at: usize) -> Result<(Vec<u8>, usize)> {
        let mut field = Vec::new();
        loop {
            let Some(length) = memchr::memchr(b'"', s.get(at..).unwrap_or_default()) else {
                bail!("a field that begins with a quote does not end with one");
            };
            reserve(&mut field, length + 1)?;
            field.extend_from_slice(&s[at..at + length]);
            at += length + 1;
            match s.get(at) {
                None => return Ok((field, at + 1)),
                Some(next) if *next == self.delimiter => return Ok((field, at + 1)),
                Some(b'"') => field.push(b'"'),
                Some(_) => bail!("a quote in a field with quotes is written twice"),
            }
            at += 1;
        }
    }
}

/// The fields of all records, record by record.
struct Fields<'a> {
    all: &'a [Vec<u8>],
    columns: usize,
    missing: &'a [u8],
}

impl Fields<'_> {
    /// Calls `write` with each field of a column; `None` for a missing one.
    fn each(
        &self,
        column: usize,
        default: &Array,
        mut write: impl FnMut(Option<&Vec<u8>>) -> Option<()>,
    ) -> Result<()> {
        for (record, fields) in self.all.chunks_exact(self.columns).enumerate() {
            let field = &fields[column];
            let field = Some(field).filter(|f| !f.is_empty() && f[..] != *self.missing);
            if field.is_none() && default.is_empty() {
                bail!("record {record} lacks column {column}, which has no default");
            }
            write(field).ok_or_else(|| {
                let text = String::from_utf8_lossy(&fields[column]);
                err!("record {record}, column {column}: \"{text}\" is no {}", default.dtype())
            })?;
        }
        Ok(())
    }

    fn numbers<T: FromText + Element>(
        &self,
        c: &KernelContext<'_>,
        column: usize,
        default: &Array,
    ) -> Result<Array> {
        let given = default.as_slice::<T>()?.first().copied();
        c.output_slice(c.input(0).dims(), |out: &mut [T]| {
            let mut out = out.iter_mut();
            self.each(column, default, |field| {
                *out.next()? = match field {
                    Some(field) => T::from_text(field)?,
                    None => given?,
                };
                Some(())
            })
        })
    }
}

pub(in crate::ops) fn decode(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let (delimiter, missing) = (c.get(DecodeCsv::FIELD_DELIM)?, c.get(DecodeCsv::NA_VALUE)?);
    let records = Records {
        delimiter: delimiter.bytes().next().unwrap_or(b','),
        quotes: c.get(DecodeCsv::USE_QUOTE_DELIM)?,
        selected: c.get(DecodeCsv::SELECT_COLS)?,
    };
    let columns = c.inputs.len() - 1;
    let (mut all, mut one): (Vec<Vec<u8>>, _) = (vec_for(x.len())?, Vec::new());
    for (i, record) in x.as_strings()?.iter().enumerate() {
        records.fields(record, &mut one)?;
        if one.len() != columns {
            bail!("record {i} has {} fields; {columns} are wanted", one.len());
        }
        reserve(&mut all, columns)?;
        all.append(&mut one);
    }
    let fields = Fields { all: &all, columns, missing: missing.as_bytes() };
    let mut outputs = Outputs::new();
    for (column, default) in c.inputs[1..].iter().enumerate() {
        outputs.push(match default.dtype() {
            DType::F32 => fields.numbers::<f32>(c, column, default)?,
            DType::F64 => fields.numbers::<f64>(c, column, default)?,
            DType::I32 => fields.numbers::<i32>(c, column, default)?,
            DType::I64 => fields.numbers::<i64>(c, column, default)?,
            _ => {
                let (mut out, given) = (vec_for(x.len())?, default.as_strings()?.first());
                fields.each(column, default, |field| {
                    out.push(copy_of(field.or(given)?).ok()?);
                    Some(())
                })?;
                Array::from_strings(x.dims(), out)?
            }
        });
    }
    Ok(outputs)
}
