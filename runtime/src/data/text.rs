//! Lines of text, and rows of numbers written as text.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

use super::Dataset;
use super::stage::{Cardinality, Cursor, Element, Failure, Next, Node, Stage};
use super::state::Saved;
use super::stop::Run;
use crate::array::Array;
use crate::ops::{Op, StringToNumber};
use crate::spec::{AnySpec, TensorSpec};
use crate::tensor::{Tensor, Tensors};
use crate::types::{DType, Result, Shape, bail, err};

impl Dataset<Tensor> {
    /// The lines of files, one file after the other, as string scalars without `\n` and the `\r` before it.
    ///
    /// TensorFlow: `tf.data.TextLineDataset`.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let path = std::env::temp_dir().join("extype-doc-lines");
    /// std::fs::write(&path, "one\r\n\ntwo").unwrap();
    /// let lines = Dataset::text_lines([path]);
    /// assert_eq!(lines.collect_all()?[2].to_strings()?, ["two"]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "TextLineDataset")]
    #[track_caller]
    pub fn text_lines(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        let files = files.into_iter().map(Into::into).collect();
        Self::of(Node::new(Lines { files, csv: None }))
    }
}

/// A column of a table: its place, and what its fields are.
#[derive(Clone, Debug)]
pub struct Column {
    place: usize,
    dtype: DType,
    default: Option<Tensor>,
}

impl Column {
    /// Column `place`, in which no field may be empty.
    pub fn required(place: usize, dtype: DType) -> Self {
        Self { place, dtype, default: None }
    }

    /// Column `place` of the dtype of `default`, which stands for empty fields.
    pub fn or(place: usize, default: Tensor) -> Self {
        Self { place, dtype: default.dtype(), default: Some(default) }
    }
}

impl Dataset<Vec<Tensor>> {
    /// The rows of tables in files: a scalar for each column. Fields with quotes may hold the delimiter, line ends, and
    /// quotes written twice. With `header` the first line of each file is left out.
    ///
    /// TensorFlow: `tf.data.experimental.CsvDataset`.
    ///
    /// # Errors
    /// `InvalidArgument` for no columns, for defaults that are no scalars, and for dtypes other than int32, int64, float32,
    /// float64 and string. A row that can't be read is the error of an element.
    ///
    /// ```
    /// use extype::data::{Column, Dataset};
    /// use extype::prelude::*;
    /// let path = std::env::temp_dir().join("extype-doc-csv");
    /// std::fs::write(&path, "1,\"a,b\"\n2,\n").unwrap();
    /// let columns = vec![Column::required(0, DType::I64), Column::or(1, "none".to_tensor()?)];
    /// let rows = Dataset::csv([path], columns, b',', false)?.collect_all()?;
    /// assert_eq!(rows[0][1].to_strings()?, ["a,b"]);
    /// assert_eq!(rows[1][1].to_strings()?, ["none"]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "CsvDataset")]
    #[track_caller]
    pub fn csv(
        files: impl IntoIterator<Item = impl Into<PathBuf>>,
        columns: Vec<Column>,
        delimiter: u8,
        header: bool,
    ) -> Result<Self> {
        if columns.is_empty() {
            bail!("columns are missing");
        }
        for column in &columns {
            let known = [DType::I32, DType::I64, DType::F32, DType::F64, DType::String];
            if !known.contains(&column.dtype) {
                bail!("a column of {}", column.dtype);
            }
            if column.default.as_ref().is_some_and(|d| d.rank() != Some(0)) {
                bail!("the default of column {} is no scalar", column.place);
            }
        }
        let files = files.into_iter().map(Into::into).collect();
        let csv = Some(Arc::new(Table { columns, delimiter, header }));
        Ok(Self::of(Node::new(Lines { files, csv })))
    }
}

/// How rows are read.
struct Table {
    columns: Vec<Column>,
    delimiter: u8,
    header: bool,
}

struct Lines {
    files: Arc<[PathBuf]>,
    csv: Option<Arc<Table>>,
}

impl Stage for Lines {
    fn name(&self) -> &'static str {
        if self.csv.is_some() { "csv" } else { "text_lines" }
    }

    fn arguments(&self) -> String {
        format!("{:?}", self.files)
    }

    fn spec(&self) -> Result<Option<AnySpec>> {
        let scalar = |dtype| AnySpec::Tensor(TensorSpec::new(Shape::scalar(), dtype));
        Ok(Some(match &self.csv {
            None => scalar(DType::String),
            Some(table) => AnySpec::List(table.columns.iter().map(|c| scalar(c.dtype)).collect()),
        }))
    }

    fn cardinality(&self) -> Cardinality {
        Cardinality::Unknown
    }

    fn start(&self, _: &Run) -> Box<dyn Cursor> {
        let spec = self.spec().ok().flatten().unwrap_or(AnySpec::Optional(None));
        Box::new(LinesCursor {
            files: self.files.clone(),
            csv: self.csv.clone(),
            spec: Arc::new(spec),
            file: 0,
            offset: 0,
            open: None,
        })
    }
}

struct LinesCursor {
    files: Arc<[PathBuf]>,
    csv: Option<Arc<Table>>,
    spec: Arc<AnySpec>,
    /// The file that is read, and how many bytes of it have been.
    file: usize,
    offset: u64,
    open: Option<BufReader<File>>,
}

impl LinesCursor {
    /// The next line with its end; `None` at the end of the files.
    fn line(&mut self) -> Result<Option<Vec<u8>>> {
        while let Some(path) = self.files.get(self.file) {
            let failed = |e: std::io::Error| err!(NotFound, "{}: {e}", path.display());
            let reader = match &mut self.open {
                Some(reader) => reader,
                None => {
                    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
                    // Files that are no files are read to the place, too.
                    let skipped = &mut (&mut reader).take(self.offset);
                    std::io::copy(skipped, &mut std::io::sink()).map_err(failed)?;
                    self.open.insert(reader)
                }
            };
            let header = self.offset == 0 && self.csv.as_ref().is_some_and(|table| table.header);
            let mut line = Vec::new();
            if reader.read_until(b'\n', &mut line).map_err(failed)? == 0 {
                (self.file, self.offset, self.open) = (self.file + 1, 0, None);
                continue;
            }
            self.offset += line.len() as u64;
            if !header {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn element(&mut self) -> Result<Option<Element>, Failure> {
        let Some(mut line) = self.line().map_err(Failure::of_source)? else { return Ok(None) };
        let leaves = match self.csv.clone() {
            None => Tensors::from_buf([text(without_end(line))?]),
            Some(table) => {
                // A line end in quotes is part of the field.
                let mut open = opens_quote(&line);
                while open && let Some(more) = self.line().map_err(Failure::of_source)? {
                    open ^= opens_quote(&more);
                    line.extend(more);
                }
                table.row(&without_end(line))?
            }
        };
        Ok(Some(Element { spec: self.spec.clone(), leaves }))
    }
}

/// True if a field in quotes goes on behind this line, which began outside of quotes.
fn opens_quote(line: &[u8]) -> bool {
    line.iter().filter(|byte| **byte == b'"').count() % 2 == 1
}

fn text(bytes: Vec<u8>) -> Result<Tensor> {
    Ok(Tensor::Value(Array::from_strings([], vec![bytes])?))
}

fn without_end(mut line: Vec<u8>) -> Vec<u8> {
    if line.last() == Some(&b'\n') {
        line.pop();
        while line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    line
}

impl Table {
    fn row(&self, line: &[u8]) -> Result<Tensors> {
        let fields = fields(line, self.delimiter)?;
        let field = |column: &Column| {
            let Some(field) = fields.get(column.place) else {
                bail!("a row has {} fields, and no column {}", fields.len(), column.place)
            };
            match (&column.default, field.is_empty()) {
                (Some(default), true) => Ok(default.clone()),
                (None, true) => bail!("field {} of a row is empty, and required", column.place),
                _ if column.dtype == DType::String => text(field.clone()),
                _ => StringToNumber { out_type: column.dtype }.run(&[&text(field.clone())?]),
            }
        };
        self.columns.iter().map(field).collect()
    }
}

/// The fields of a row.
fn fields(line: &[u8], delimiter: u8) -> Result<Vec<Vec<u8>>> {
    let (mut fields, mut field) = (Vec::new(), Vec::new());
    let mut rest = line.iter().copied().peekable();
    loop {
        if rest.peek() == Some(&b'"') && field.is_empty() {
            rest.next();
            loop {
                match rest.next() {
                    Some(b'"') if rest.peek() == Some(&b'"') => field.extend(rest.next()),
                    Some(b'"') => break,
                    Some(byte) => field.push(byte),
                    None => bail!("a quote is not closed"),
                }
            }
            if rest.peek().is_some_and(|byte| *byte != delimiter) {
                bail!("a field goes on behind its quotes");
            }
        }
        match rest.next() {
            None => {
                fields.push(field);
                return Ok(fields);
            }
            Some(byte) if byte == delimiter => fields.push(std::mem::take(&mut field)),
            Some(b'"') => bail!("a quote stands within a field that has none around it"),
            Some(byte) => field.push(byte),
        }
    }
}

impl Cursor for LinesCursor {
    fn next(&mut self) -> Next {
        self.element().transpose()
    }

    fn save(&mut self) -> Result<Saved> {
        Ok([self.file.into(), self.offset.into()].into())
    }

    fn restore(&mut self, saved: &Saved) -> Result<()> {
        let [file, offset] = saved.list()?;
        (self.file, self.offset, self.open) = (file.size()?, offset.count()?, None);
        Ok(())
    }
}
