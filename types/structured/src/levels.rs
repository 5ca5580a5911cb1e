//! What moves fields and rows between levels.

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RowPartition};

use crate::structured::{rank, shown};
use crate::{Field, Structured};

impl Structured {
    /// With the field at a path also one level up, under another name: the rows of its records are merged. So the tokens
    /// of sentences of texts become tokens of texts.
    ///
    /// TensorFlow: `StructuredTensor.promote`.
    ///
    /// # Errors
    /// `InvalidArgument` as [`field`](Self::field), for a path of one name, which is on the highest level, and for a name
    /// that is taken.
    ///
    /// ```
    /// use extype_structured::{Structured, Value};
    /// let sentence = |tokens: &[&str]| Value::record([("tokens", Value::from(tokens.to_vec()))]);
    /// let text = |sentences: Vec<Value>| Value::record([("sentences", Value::List(sentences))]);
    /// let texts = Structured::of(&Value::List(vec![
    ///     text(vec![sentence(&["a", "b"]), sentence(&["c"])]),
    ///     text(vec![sentence(&["d"])]),
    /// ]))?;
    /// let texts = texts.promote(&["sentences", "tokens"], "words")?;
    /// assert_eq!(texts.values(&["words"])?.to_string(), r#"[["a", "b", "c"], ["d"]]"#);
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn promote(&self, path: &[&str], name: &str) -> Result<Self> {
        let [above @ .., _, _] = path else {
            return Err(Error::invalid(format!(
                "{} is on the highest level; a path of two names is wanted",
                shown(path)
            )));
        };
        let (outer, parent) = (self.records_at(above)?, self.records_at(&path[..path.len() - 1])?);
        let to = [above, &[name]].concat();
        if outer.names().any(|taken| taken == name) {
            return Err(Error::invalid(format!("there is a field {} already", shown(&to))));
        }
        let (first, last) = (outer.rank()?, parent.rank()?);
        let merged = |x: &RaggedTensor, own: usize| match last.min(own.saturating_sub(1)) {
            last if last > first => x.merge_dims(first as i64, last as i64),
            _ => Ok(x.clone()),
        };
        let field: Field = match self.field(path)? {
            Field::Values(values) => merged(values, rank(values)?)?.into(),
            Field::Records(records) => {
                let own = records.rank()?;
                records.map(&|x| merged(x, own))?.into()
            }
        };
        self.with_updates([(&to[..], Some(field))])
    }

    /// The records in rows: a batch with an axis more.
    ///
    /// TensorFlow: `StructuredTensor.partition_outer_dimension`.
    ///
    /// # Errors
    /// `InvalidArgument` for one record, and for rows that do not end with the records.
    ///
    /// ```
    /// use extype_ragged::RowPartition;
    /// use extype_structured::{Structured, Value};
    /// let all = Structured::of(&Value::from([1i64, 2, 3].map(|x| Value::record([("x", x)]))))?;
    /// let rows = all.partition(RowPartition::from_lengths([2i64, 0, 1])?)?;
    /// assert_eq!(rows.to_string(), "[[{x: 1}, {x: 2}], [], [{x: 3}]]");
    /// assert_eq!(rows.merge(0, 1)?.to_string(), all.to_string());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn partition(&self, rows: RowPartition) -> Result<Self> {
        self.batch()?;
        self.map(&|x| RaggedTensor::from_row_partition(x, rows.clone()))
    }

    /// The axes of the batch from the outer to the inner one as one.
    ///
    /// TensorFlow: `StructuredTensor.merge_dims`.
    ///
    /// # Errors
    /// `InvalidArgument` for axes that the batch does not have, or out of order.
    #[track_caller]
    pub fn merge(&self, outer: usize, inner: usize) -> Result<Self> {
        let rank = self.rank()?;
        if outer > inner || inner >= rank {
            return Err(Error::invalid(format!(
                "axes {outer} and {inner} of a batch of {rank} axes are not merged"
            )));
        }
        self.map(&|x| x.merge_dims(outer as i64, inner as i64))
    }

    /// The record, or row of records, at a place of the first axis. Negative places count from the end.
    ///
    /// # Errors
    /// `InvalidArgument` for one record, and if there is no such place.
    ///
    /// ```
    /// use extype_structured::{Structured, Value};
    /// let all = Structured::of(&Value::from([1i64, 2].map(|x| Value::record([("x", x)]))))?;
    /// assert_eq!(all.at(-1)?.to_string(), "{x: 2}");
    /// assert!(all.at(2).is_err());
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, place: i64) -> Result<Self> {
        self.batch()?;
        self.map(&|x| x.get(place))
    }

    /// The records, or rows of records, at places of the first axis that int32 or int64 numbers tell.
    ///
    /// # Errors
    /// `InvalidArgument` for one record, and for a place that is not there.
    ///
    /// ```
    /// use extype_structured::{Structured, Value};
    /// let all = Structured::of(&Value::from([1i64, 2].map(|x| Value::record([("x", x)]))))?;
    /// assert_eq!(all.take([1, 1, 0])?.to_string(), "[{x: 2}, {x: 2}, {x: 1}]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn take(&self, places: impl TensorLike) -> Result<Self> {
        self.batch()?;
        let places = places.to_tensor()?;
        places.shape().with_rank(1).map_err(|e| e.prefixed("the places"))?;
        self.map(&|x| ops::gather(x, &places, 0))
    }

    /// Refuses one record, which has no axis.
    fn batch(&self) -> Result<()> {
        match self.rank()? {
            0 => Err(Error::invalid("one record has no rows; a list of records is wanted")),
            _ => Ok(()),
        }
    }
}
