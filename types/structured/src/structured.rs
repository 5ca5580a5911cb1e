//! The type, and access to fields.

use std::collections::BTreeMap;
use std::fmt;

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RowPartition, SameRows, Trim};

/// A record, or a batch of records with the same fields.
///
/// One record has the rank 0, a list of records the rank 1, and lists of lists of records, which are ragged, the rank 2.
/// The first axes of each field are those of the records. A field of records, one in each record or a list, is a
/// `Structured` value itself. The names of fields and the ranks are part of the type; the lengths of rows are not.
///
/// Stacks, loops, datasets and traced functions take such values as they take tensors.
///
/// TensorFlow: `tf.experimental.StructuredTensor`.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "structured.Structured", constructor = none)]
pub struct Structured {
    /// True for each record.
    pub(crate) rows: RaggedTensor,
    pub(crate) fields: BTreeMap<String, Field>,
}

/// What a field holds, for all records of a batch.
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "structured.Field")]
pub enum Field {
    /// Numbers, texts or truth values: one in each record, or lists of these.
    Values(RaggedTensor),
    /// Records: one in each record, or lists of these.
    Records(Box<Structured>),
}

impl From<RaggedTensor> for Field {
    fn from(values: RaggedTensor) -> Self {
        Field::Values(values)
    }
}

impl From<Tensor> for Field {
    fn from(flat_values: Tensor) -> Self {
        Field::Values(RaggedTensor { flat_values, partitions: Vec::new() })
    }
}

impl From<Structured> for Field {
    fn from(records: Structured) -> Self {
        Field::Records(Box::new(records))
    }
}

/// A path as messages show it.
pub(crate) fn shown(path: &[&str]) -> String {
    format!("`{}`", path.join("."))
}

impl Structured {
    /// Records with these fields. The first `rank` axes of each field are those of the records.
    ///
    /// # Errors
    /// `InvalidArgument` for no fields, a name given twice, a field of a lower rank, and fields of which rows have other
    /// lengths; it names the field. While tracing, lengths are compared when the program runs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// use extype_structured::{Field, Structured};
    /// let words = RaggedTensor::from_row_lengths(["a", "b"], [2, 0])?;
    /// let texts = Structured::of_fields(1, [("id", Field::from(tensor![1, 2])), ("words", words.into())])?;
    /// assert_eq!(texts.to_string(), r#"[{id: 1, words: ["a", "b"]}, {id: 2, words: []}]"#);
    /// let e = Structured::of_fields(1, [("a", tensor![1, 2]), ("b", tensor![3])]).unwrap_err();
    /// assert!(e.message().contains("field `b`"), "{e}");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn of_fields<N: Into<String>, F: Into<Field>>(
        rank: usize,
        fields: impl IntoIterator<Item = (N, F)>,
    ) -> Result<Self> {
        let mut made: Option<Self> = None;
        for (name, field) in fields {
            let (name, field) = (name.into(), field.into());
            let at = |e: Error| e.prefixed(format_args!("field `{name}`"));
            let records = match made.take() {
                Some(records) => records,
                None => {
                    let rows = first_axes(field.leaf(), rank).map_err(at)?;
                    Self { rows, fields: BTreeMap::new() }
                }
            };
            if records.fields.contains_key(&name) {
                return Err(Error::invalid(format!("field `{name}` is given twice")));
            }
            made = Some(records.with_field(&name, field)?);
        }
        made.ok_or_else(|| Error::invalid("records without fields; how many there are is not told"))
    }

    /// With a field, or another one in its place.
    fn with_field(mut self, name: &str, field: Field) -> Result<Self> {
        let at = |e: Error| e.prefixed(format_args!("field `{name}`"));
        let field = match field {
            Field::Values(values) => Field::Values(aligned(&self.rows, values).map_err(at)?),
            Field::Records(records) => {
                aligned(&self.rows, records.rows.clone()).map_err(at)?;
                Field::Records(records)
            }
        };
        self.fields.insert(name.to_owned(), field);
        Ok(self)
    }

    /// How many axes the batch has: none for one record.
    ///
    /// # Errors
    /// `InvalidArgument` if a trace does not know it.
    pub fn rank(&self) -> Result<usize> {
        rank(&self.rows)
    }

    /// The shape of the batch; sizes of ragged axes are not known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_structured::{Structured, Value};
    /// let one = Value::record([("x", 1i64)]);
    /// assert_eq!(Structured::of(&one)?.shape(), shape![]);
    /// assert_eq!(Structured::of(&Value::List(vec![one.clone(), one]))?.shape(), shape![2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shape(&self) -> Shape {
        self.rows.shape()
    }

    /// The names of the fields, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }

    /// The field at a path.
    ///
    /// # Errors
    /// `InvalidArgument` naming the part of the path that is not there, and what is.
    ///
    /// ```
    /// use extype_structured::{Structured, Value};
    /// let x = Structured::of(&Value::record([("a", Value::record([("b", 1i64)]))]))?;
    /// assert!(x.field(&["a", "b"]).is_ok());
    /// let e = x.field(&["a", "c"]).unwrap_err();
    /// assert!(e.message().contains("there is no field `a.c`; `a` has `b`"), "{e}");
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn field(&self, path: &[&str]) -> Result<&Field> {
        let Some((last, parents)) = path.split_last() else {
            return Err(Error::invalid("a path has one name at least"));
        };
        let records = self.records_at(parents)?;
        records.fields.get(*last).ok_or_else(|| {
            let names: Vec<String> = records.names().map(|name| format!("`{name}`")).collect();
            let whose = if parents.is_empty() { "the record".to_owned() } else { shown(parents) };
            let (path, names) = (shown(path), names.join(", "));
            Error::invalid(format!("there is no field {path}; {whose} has {names}"))
        })
    }

    /// The numbers or texts at a path: the axes of the records on the way, then those of the field. What has no ragged
    /// axis is a plain tensor ([`into_tensor`](RaggedTensor::into_tensor)).
    ///
    /// # Errors
    /// As [`field`](Self::field), and for a field of records.
    #[track_caller]
    pub fn values(&self, path: &[&str]) -> Result<RaggedTensor> {
        match self.field(path)? {
            Field::Values(values) => Ok(values.clone()),
            Field::Records(records) => {
                let (path, name) = (shown(path), records.names().next().unwrap_or("…").to_owned());
                Err(Error::invalid(format!(
                    "{path} holds records; name one of their fields, such as `{name}`"
                )))
            }
        }
    }

    /// The records at a path.
    ///
    /// # Errors
    /// As [`field`](Self::field), and for a field of numbers or texts.
    #[track_caller]
    pub fn records(&self, path: &[&str]) -> Result<Structured> {
        self.field(path)?;
        self.records_at(path).cloned()
    }

    /// The records at a path, which are these for none.
    pub(crate) fn records_at(&self, path: &[&str]) -> Result<&Structured> {
        let Some((last, parents)) = path.split_last() else { return Ok(self) };
        match self.field(path)? {
            Field::Records(records) => Ok(records),
            Field::Values(_) => {
                let dtype = self.records_at(parents)?.fields.get(*last).map(|f| f.leaf().dtype());
                let dtype = dtype.map_or(String::new(), |dtype| dtype.to_string());
                Err(Error::invalid(format!("{} holds {dtype}, and no records", shown(path))))
            }
        }
    }

    /// With other fields: each path gets a field, new or in place of another one, or loses it for `None`. The first axes
    /// of a field are those of the records it goes to.
    ///
    /// TensorFlow: `StructuredTensor.with_updates`.
    ///
    /// # Errors
    /// `InvalidArgument` as [`of_fields`](Self::of_fields), for a path through what holds no records, and for a field to
    /// take away that is not there.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_structured::{Structured, Value};
    /// let x = Structured::of(&Value::record([("a", Value::record([("b", 1i64)])), ("c", 2i64.into())]))?;
    /// let x = x.with_updates([(&["a", "d"][..], Some(scalar(true).into())), (&["c"], None)])?;
    /// assert_eq!(x.to_string(), "{a: {b: 1, d: true}}");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn with_updates<'a>(
        &self,
        updates: impl IntoIterator<Item = (&'a [&'a str], Option<Field>)>,
    ) -> Result<Self> {
        updates.into_iter().try_fold(self.clone(), |records, (path, field)| {
            if field.is_none() {
                records.field(path)?;
            }
            records.updated(path, field).map_err(|e| e.prefixed(shown(path)))
        })
    }

    fn updated(mut self, path: &[&str], field: Option<Field>) -> Result<Self> {
        match (path, field) {
            ([], _) => Err(Error::invalid("a path has one name at least")),
            ([name], Some(field)) => self.with_field(name, field),
            ([name], None) => {
                self.fields.remove(*name);
                Ok(self)
            }
            ([name, rest @ ..], field) => {
                let records = self.records_at(&[name])?.clone().updated(rest, field)?;
                self.fields.insert((*name).to_owned(), records.into());
                Ok(self)
            }
        }
    }

    /// A function of each tensor, the rows too.
    pub(crate) fn map(&self, f: &dyn Fn(&RaggedTensor) -> Result<RaggedTensor>) -> Result<Self> {
        let fields = self.fields.iter().map(|(name, field)| {
            let field = match field {
                Field::Values(values) => Field::Values(f(values)?),
                Field::Records(records) => records.map(f)?.into(),
            };
            Ok((name.clone(), field))
        });
        Ok(Self { rows: f(&self.rows)?, fields: fields.collect::<Result<_>>()? })
    }
}

impl Field {
    /// A tensor of which the first axes are those of the field.
    fn leaf(&self) -> &RaggedTensor {
        match self {
            Field::Values(values) => values,
            Field::Records(records) => &records.rows,
        }
    }
}

pub(crate) fn rank(x: &RaggedTensor) -> Result<usize> {
    x.rank().ok_or_else(|| Error::invalid("the rank is known while tracing"))
}

/// True in the first axes of a tensor.
fn first_axes(x: &RaggedTensor, axes: usize) -> Result<RaggedTensor> {
    let x = in_rows(x.clone(), axes)?;
    let (sizes, partitions) = match axes {
        0 => (Tensor::from_vec(Vec::<i64>::new()), &[][..]),
        _ => {
            let (outer, inner) = x.partitions.split_at(axes - 1);
            let below =
                RaggedTensor { flat_values: x.flat_values.clone(), partitions: inner.to_vec() };
            (below.nrows()?.cast(DType::I64)?.reshape([1])?, outer)
        }
    };
    Ok(RaggedTensor { flat_values: ops::fill(&sizes, true)?, partitions: partitions.to_vec() })
}

/// A tensor of which the axes between the first and so many are told by partitions.
fn in_rows(x: RaggedTensor, axes: usize) -> Result<RaggedTensor> {
    let own = rank(&x)?;
    if own < axes {
        return Err(Error::invalid(format!("{own} axes, fewer than the {axes} of the records")));
    }
    match axes.saturating_sub(1) {
        levels if x.partitions.len() >= levels => Ok(x),
        levels if x.partitions.is_empty() => {
            RaggedTensor::from_tensor(x.flat_values, Trim::Nothing, levels)
        }
        levels => {
            let own = x.partitions.len();
            Err(Error::invalid(format!("{own} ragged axes, and {levels} are wanted")))
        }
    }
}

/// The tensor in the rows of records, if it has these.
fn aligned(rows: &RaggedTensor, x: RaggedTensor) -> Result<RaggedTensor> {
    let axes = rank(rows)?;
    let mut x = in_rows(x, axes)?;
    if axes == 0 {
        return Ok(x);
    }
    if !x.partitions.is_empty() {
        x = x.with_row_splits_dtype(rows.row_splits_dtype())?;
    }
    let one_row = |x: &RaggedTensor| {
        let n = x.nrows()?.cast(DType::I64)?.reshape([1])?;
        ops::concat(&[&n.zeros_like()?, &n], 0)
    };
    let apart = |e: Error| e.prefixed("the rows of the field and of the records");
    let _: Tensor = SameRows {}.run(&[&one_row(&x)?, &one_row(rows)?]).map_err(apart)?;
    let own = x.partitions.clone();
    for (level, (field, record)) in own.iter().zip(&rows.partitions).enumerate() {
        if field.splits().id() == record.splits().id() {
            continue;
        }
        let splits = SameRows {}.run(&[field.splits(), record.splits()]).map_err(apart)?;
        x.partitions[level] = RowPartition::from_splits(splits)?;
    }
    Ok(x)
}

impl fmt::Display for Structured {
    /// The records as nested lists; in a trace the spec.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_value() {
            Ok(value) => value.fmt(f),
            Err(_) => self.type_spec().fmt(f),
        }
    }
}
