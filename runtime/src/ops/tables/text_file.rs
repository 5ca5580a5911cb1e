//! Text files with an entry in each line.

use std::path::Path;

use crate::array::Array;
use crate::ops::files::contents;
use crate::ops::methods::*;
use crate::tensor::{Tensor, init_scope};
use crate::types::{DType, Error, Result, bail, err};

/// What a line of a text file gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The number of the line, from 0.
    Number,
    /// The whole line.
    Line,
    /// The part with this index, between separators.
    At(usize),
}

/// Where the keys and the values of a table stand in the lines of a text file. By default a key is a line, and its
/// value the number of the line, as in the files of vocabularies.
///
/// ```
/// use extype::prelude::*;
/// use extype::resources::{Column, LookupTable, TextColumns};
/// let path = std::env::temp_dir().join(format!("extype_prices_{}", std::process::id()));
/// std::fs::write(&path, "pear,2.5\nfig,4\n").expect("a file");
/// let columns = TextColumns {
///     value: Column::At(1),
///     value_dtype: f32,
///     key: Column::At(0),
///     separator: ',',
///     ..TextColumns::default()
/// };
/// let prices = LookupTable::from_file(&path, &columns, 0.0)?;
/// assert_eq!(prices.lookup(["fig", "pear"])?.as_slice::<f32>()?, &[4.0, 2.5]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextColumns {
    /// What the keys are.
    pub key: Column,
    /// Their dtype: string, or int64 for numbers.
    pub key_dtype: DType,
    /// What the values are.
    pub value: Column,
    /// Their dtype.
    pub value_dtype: DType,
    /// What stands between columns.
    pub separator: char,
    /// How many lines are read, which the file must have; all if that is not said.
    pub lines: Option<usize>,
}

impl Default for TextColumns {
    fn default() -> Self {
        Self {
            key: Column::Line,
            key_dtype: DType::String,
            value: Column::Number,
            value_dtype: DType::I64,
            separator: '\t',
            lines: None,
        }
    }
}

impl TextColumns {
    /// The keys and the values in a file.
    pub(crate) fn read(&self, path: &Path) -> Result<(Tensor, Tensor)> {
        self.numbered(path, 0)
    }

    /// The keys and the values in a file whose first line has this number.
    pub(super) fn numbered(&self, path: &Path, first: i64) -> Result<(Tensor, Tensor)> {
        let shown = path.display();
        let text = contents(path)?;
        let mut lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
        lines.pop_if(|last| last.is_empty());
        if let Some(wanted) = self.lines {
            if lines.len() < wanted {
                bail!("the file {shown} has {} lines, not {wanted}", lines.len());
            }
            lines.truncate(wanted);
        }
        let whole: Vec<Vec<u8>> = lines
            .iter()
            .map(|line| line.iter().copied().filter(|b| *b != b'\r').collect())
            .collect();
        if let Some(i) = whole.iter().position(Vec::is_empty) {
            bail!("line {} of the file {shown} is empty", i + 1);
        }
        let column = |column, dtype| self.column(column, dtype, &whole, first);
        let told = |e: Error| e.in_context(format!("reading the file {shown}"));
        let keys = column(self.key, self.key_dtype).map_err(told)?;
        Ok((keys, column(self.value, self.value_dtype).map_err(told)?))
    }

    fn column(
        &self,
        column: Column,
        dtype: DType,
        lines: &[Vec<u8>],
        first: i64,
    ) -> Result<Tensor> {
        let at = match column {
            Column::Number if dtype == DType::I64 => {
                let numbers = (0..lines.len() as i64).map(|i| first.wrapping_add(i));
                return Ok(Tensor::from_vec(numbers.collect::<Vec<i64>>()));
            }
            Column::Number => bail!("numbers of lines are int64, not {dtype}"),
            Column::Line if dtype == DType::String => None,
            Column::Line => bail!("a whole line is a string, not {dtype}"),
            Column::At(i) => Some(i),
        };
        let mut separator = [0; 4];
        let separator = self.separator.encode_utf8(&mut separator).as_bytes();
        let part = |(n, line): (usize, &Vec<u8>)| {
            let Some(at) = at else { return Ok(line.clone()) };
            let found = parts(line, separator).nth(at);
            found.map(<[u8]>::to_vec).ok_or_else(|| {
                let count = parts(line, separator).count();
                err!("line {} has {count} columns, which has none with index {at}", n + 1)
            })
        };
        let texts: Vec<Vec<u8>> = lines.iter().enumerate().map(part).collect::<Result<_>>()?;
        let texts = Tensor::Value(Array::from_strings([lines.len()], texts)?);
        match dtype {
            DType::String => Ok(texts),
            dtype => init_scope(|| texts.to_number(dtype)),
        }
    }
}

/// The parts of a line between separators.
fn parts<'a>(line: &'a [u8], separator: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest?;
        let at = text.windows(separator.len()).position(|part| part == separator);
        rest = at.map(|at| &text[at + separator.len()..]);
        Some(&text[..at.unwrap_or(text.len())])
    })
}
