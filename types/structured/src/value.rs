//! Nested values, as JSON has them, to and from records.

use std::collections::BTreeMap;
use std::fmt;

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RowPartition};

use crate::structured::shown;
use crate::{Field, Structured};

/// A nested value, as JSON has them; nothing takes the place of `null`.
///
/// ```
/// use extype_structured::Value;
/// let x = Value::record([("id", Value::from(7i64)), ("words", vec!["a", "b"].into())]);
/// assert_eq!(x.to_string(), r#"{id: 7, words: ["a", "b"]}"#);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A truth value: bool.
    Bool(bool),
    /// An integer: int64.
    Int(i64),
    /// A number: float64.
    Float(f64),
    /// A text: string.
    Text(String),
    /// A list of values of one kind.
    List(Vec<Value>),
    /// Values with names.
    Record(BTreeMap<String, Value>),
}

impl Value {
    /// Values with names.
    pub fn record<N: Into<String>, V: Into<Value>>(
        fields: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        Value::Record(fields.into_iter().map(|(name, v)| (name.into(), v.into())).collect())
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Bool(_) => "a truth value",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Record(_) => "a record",
        }
    }
}

macro_rules! from {
    ($($t:ty => $variant:ident),*) => { $(
        impl From<$t> for Value {
            fn from(value: $t) -> Self {
                Value::$variant(value.into())
            }
        }
    )* };
}
from!(bool => Bool, i32 => Int, i64 => Int, f32 => Float, f64 => Float, &str => Text, String => Text);

impl<V: Into<Value>> From<Vec<V>> for Value {
    fn from(values: Vec<V>) -> Self {
        Value::List(values.into_iter().map(Into::into).collect())
    }
}

impl<V: Into<Value>, const N: usize> From<[V; N]> for Value {
    fn from(values: [V; N]) -> Self {
        Value::List(values.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn all<T>(
            f: &mut fmt::Formatter<'_>,
            items: impl Iterator<Item = T>,
            one: impl Fn(&mut fmt::Formatter<'_>, T) -> fmt::Result,
        ) -> fmt::Result {
            for (i, item) in items.enumerate() {
                f.write_str(if i == 0 { "" } else { ", " })?;
                one(f, item)?;
            }
            Ok(())
        }
        match self {
            Value::Bool(x) => write!(f, "{x}"),
            Value::Int(x) => write!(f, "{x}"),
            Value::Float(x) => write!(f, "{x:?}"),
            Value::Text(x) => write!(f, "{x:?}"),
            Value::List(items) => {
                f.write_str("[")?;
                all(f, items.iter(), |f, item| item.fmt(f))?;
                f.write_str("]")
            }
            Value::Record(fields) => {
                f.write_str("{")?;
                all(f, fields.iter(), |f, (name, value)| write!(f, "{name}: {value}"))?;
                f.write_str("}")
            }
        }
    }
}

/// Values of all records, and how they are divided into lists, the outermost level first. That level is one list.
#[derive(Clone)]
struct Cells<'a> {
    cells: Vec<&'a Value>,
    levels: Vec<Vec<i64>>,
}

impl<'a> Cells<'a> {
    /// Until no list is left.
    fn opened(mut self, path: &[&str]) -> Result<Self> {
        while let Some(Value::List(_)) = self.cells.first() {
            let mut lengths = Vec::with_capacity(self.cells.len());
            let mut inner = Vec::new();
            for (i, cell) in self.cells.iter().enumerate() {
                let Value::List(items) = cell else { return Err(mixed(path, &self.cells, i)) };
                lengths.push(items.len() as i64);
                inner.extend(items);
            }
            self.cells = inner;
            self.levels.push(lengths);
        }
        Ok(self)
    }

    /// A tensor of so many values, in these lists.
    fn tensor(&self, flat: Tensor) -> Result<RaggedTensor> {
        let flat_values = if self.levels.is_empty() { flat.reshape(())? } else { flat };
        let partitions = self.levels.iter().skip(1).map(|n| RowPartition::from_lengths(n.clone()));
        Ok(RaggedTensor { flat_values, partitions: partitions.collect::<Result<_>>()? })
    }

    fn records(self, path: &[&str]) -> Result<Structured> {
        let mut records = Vec::with_capacity(self.cells.len());
        for (i, cell) in self.cells.iter().enumerate() {
            let Value::Record(fields) = cell else { return Err(mixed(path, &self.cells, i)) };
            records.push(fields);
        }
        let rows = self.tensor(ops::ones([records.len()], bool)?)?;
        let first = records[0];
        let mut fields = BTreeMap::new();
        for name in first.keys() {
            let path = [path, &[name.as_str()]].concat();
            let cells = records.iter().enumerate().map(|(i, record)| {
                let missing = || format!("record {i} has no {}, which record 0 has", shown(&path));
                record.get(name).ok_or_else(|| Error::invalid(missing()))
            });
            let cells = Cells { cells: cells.collect::<Result<_>>()?, levels: self.levels.clone() };
            fields.insert(name.clone(), cells.field(&path)?);
        }
        for (i, record) in records.iter().enumerate() {
            if let Some(name) = record.keys().find(|name| !first.contains_key(*name)) {
                let path = shown(&[path, &[name.as_str()]].concat());
                return Err(Error::invalid(format!(
                    "record 0 has no {path}, which record {i} has"
                )));
            }
        }
        Ok(Structured { rows, fields })
    }

    fn field(self, path: &[&str]) -> Result<Field> {
        let cells = self.opened(path)?;
        match cells.cells.first() {
            Some(Value::Record(_)) => Ok(cells.records(path)?.into()),
            _ => Ok(cells.tensor(flat(&cells.cells, path)?)?.into()),
        }
    }
}

fn mixed(path: &[&str], cells: &[&Value], i: usize) -> Error {
    let place = if path.is_empty() { "the outermost list".to_owned() } else { shown(path) };
    let (first, other) = (cells[0].kind(), cells[i].kind());
    Error::invalid(format!("{place} holds {first} first, and {other} at place {i}"))
}

/// Single values as a vector.
fn flat(cells: &[&Value], path: &[&str]) -> Result<Tensor> {
    /// All cells, or the first one that is of another kind.
    fn all<'a, T>(
        cells: &[&'a Value],
        path: &[&str],
        one: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Vec<T>> {
        let one = |(i, cell): (usize, &&'a Value)| one(cell).ok_or_else(|| mixed(path, cells, i));
        cells.iter().enumerate().map(one).collect()
    }
    fn float(cell: &Value) -> Option<f64> {
        match cell {
            Value::Float(x) => Some(*x),
            Value::Int(x) => Some(*x as f64),
            _ => None,
        }
    }
    match cells.first() {
        None => Ok(Tensor::from_vec(Vec::<f32>::new())),
        Some(Value::Bool(_)) => {
            let bools = all(cells, path, |c| if let Value::Bool(x) = c { Some(*x) } else { None })?;
            Ok(Tensor::from_vec(bools))
        }
        Some(Value::Text(_)) => {
            let texts =
                all(cells, path, |c| if let Value::Text(x) = c { Some(x.as_str()) } else { None })?;
            Tensor::from_strings(&texts, &[cells.len()])
        }
        Some(_) if cells.iter().any(|cell| matches!(cell, Value::Float(_))) => {
            Ok(Tensor::from_vec(all(cells, path, float)?))
        }
        Some(_) => {
            let ints = all(cells, path, |c| if let Value::Int(x) = c { Some(*x) } else { None })?;
            Ok(Tensor::from_vec(ints))
        }
    }
}

impl Structured {
    /// A record, or nested lists of records. All records at a path have the same fields, and lists nest equally deep.
    /// Among integers and numbers all are float64. Where all lists are empty, what they would hold is float32.
    ///
    /// TensorFlow: `StructuredTensor.from_pyval`.
    ///
    /// # Errors
    /// `InvalidArgument` naming the path: for what is no record or list of records, for records with other fields, and
    /// for values of two kinds. The number of records must be one at least.
    ///
    /// ```
    /// use extype_structured::{Structured, Value};
    /// let of = |tags: Vec<&str>| Value::record([("tags", tags)]);
    /// let all = Structured::of(&Value::from([of(vec!["x"]), of(vec![])]))?;
    /// assert_eq!(all.values(&["tags"])?.to_string(), r#"[["x"], []]"#);
    /// let e = Structured::of(&Value::from([of(vec![]), Value::record([("tag", 1i64)])])).unwrap_err();
    /// assert!(e.message().contains("record 1 has no `tags`, which record 0 has"), "{e}");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn of(value: &Value) -> Result<Self> {
        let cells = Cells { cells: vec![value], levels: Vec::new() }.opened(&[])?;
        match cells.cells.first() {
            Some(Value::Record(_)) => cells.records(&[]),
            Some(other) => Err(Error::invalid(format!(
                "records, or lists of records, are wanted, and no list of {}s",
                other.kind().trim_start_matches("a ").trim_start_matches("an ")
            ))),
            None => Err(Error::invalid("a list without records does not tell their fields")),
        }
    }

    /// The records as nested values.
    ///
    /// TensorFlow: `StructuredTensor.to_pyval`.
    ///
    /// # Errors
    /// `InvalidArgument` for dtypes that are no truth values, integers, floats or strings, for strings that are no UTF-8,
    /// and while tracing.
    ///
    /// ```
    /// use extype_structured::{Structured, Value};
    /// let one = Value::record([("x", vec![1i64, 2])]);
    /// assert_eq!(Structured::of(&one)?.to_value()?, one);
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn to_value(&self) -> Result<Value> {
        let fields = self.fields.iter().map(|(name, field)| {
            let value = match field {
                Field::Values(values) => nested(values),
                Field::Records(records) => records.to_value(),
            };
            Ok((name.clone(), value.map_err(|e| e.prefixed(format_args!("field `{name}`")))?))
        });
        zipped(nested(&self.rows)?, fields.collect::<Result<_>>()?)
    }
}

/// Fields side by side as records, where `rows` tells the lists of records.
fn zipped(rows: Value, fields: BTreeMap<String, Value>) -> Result<Value> {
    let Value::List(rows) = rows else { return Ok(Value::Record(fields)) };
    let mut columns = Vec::new();
    for (name, field) in fields {
        match field {
            Value::List(items) if items.len() == rows.len() => {
                columns.push((name, items.into_iter()));
            }
            _ => return Err(Error::invalid(format!("field `{name}` has other rows"))),
        }
    }
    let records = rows.into_iter().map(|row| {
        let fields = columns.iter_mut().filter_map(|(name, c)| Some((name.clone(), c.next()?)));
        zipped(row, fields.collect())
    });
    Ok(Value::List(records.collect::<Result<_>>()?))
}

/// A ragged tensor as nested lists.
fn nested(x: &RaggedTensor) -> Result<Value> {
    let flat = x.flat_values();
    let unknown = || Error::invalid("records are nested values outside of traces only");
    let sizes: Vec<usize> = flat.shape().sizes().ok_or_else(unknown)?.to_vec();
    let mut cells: Vec<Value> = match flat.dtype() {
        DType::Bool => flat.to_vec::<bool>()?.into_iter().map(Value::Bool).collect(),
        DType::String => flat.to_strings()?.into_iter().map(Value::Text).collect(),
        dtype if dtype.is_integer() => {
            flat.cast(DType::I64)?.to_vec::<i64>()?.into_iter().map(Value::Int).collect()
        }
        DType::F16 | DType::BF16 | DType::F32 | DType::F64 => {
            flat.cast(DType::F64)?.to_vec::<f64>()?.into_iter().map(Value::Float).collect()
        }
        dtype => return Err(Error::invalid(format!("{dtype} is no kind of nested values"))),
    };
    let lists = |cells: Vec<Value>, lengths: &mut dyn Iterator<Item = usize>| -> Vec<Value> {
        let mut cells = cells.into_iter();
        lengths.map(|n| Value::List(cells.by_ref().take(n).collect())).collect()
    };
    for axis in (1..sizes.len()).rev() {
        let rows: usize = sizes[..axis].iter().product();
        cells = lists(cells, &mut std::iter::repeat_n(sizes[axis], rows));
    }
    for rows in x.partitions.iter().rev() {
        let lengths = rows.lengths()?.cast(DType::I64)?.to_vec::<i64>()?;
        cells = lists(cells, &mut lengths.into_iter().map(|n| usize::try_from(n).unwrap_or(0)));
    }
    match (sizes.is_empty(), cells.pop()) {
        (true, Some(one)) => Ok(one),
        (_, last) => {
            cells.extend(last);
            Ok(Value::List(cells))
        }
    }
}
