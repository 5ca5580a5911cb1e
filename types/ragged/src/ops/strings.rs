//! Ops on strings, and other ops that do the same to every element but are in no family.

use extype::ops::options::Over;
use extype::ops::{
    AsString, Bitcast, Bucketize, CheckNumerics, DecodeBase64, EncodeBase64, NGrams, Op,
    StringJoin, StringLength, StringLower, StringReplace, StringStrip, StringToHashBucket,
    StringToHashBucketFast, StringToHashBucketStrong, StringToNumber, StringUpper,
};
use extype::prelude::*;

use super::broadcast::broadcast;
use super::reduce::{Function, axes_of, reduced};
use crate::{RaggedTensor, RowPartition};

macro_rules! each {
    ($($name:ident = $op:ident),* $(,)?) => {
        #[dispatch]
        impl RaggedTensor {
            $(#[overrides($op)]
            fn $name(x: &Self, op: &$op) -> Result<Self> {
                Ok(x.with_values(op.run(&[&x.flat_values])?))
            })*
        }
    };
}
each! {
    as_string = AsString,
    bitcast = Bitcast,
    bucketize = Bucketize,
    check_numerics = CheckNumerics,
    decode_base64 = DecodeBase64,
    encode_base64 = EncodeBase64,
    lower = StringLower,
    replace = StringReplace,
    string_length = StringLength,
    strip = StringStrip,
    to_hash_bucket = StringToHashBucket,
    to_hash_bucket_fast = StringToHashBucketFast,
    to_hash_bucket_strong = StringToHashBucketStrong,
    to_number = StringToNumber,
    upper = StringUpper,
}

#[dispatch]
impl RaggedTensor {
    /// Strings of rows that broadcast.
    #[overrides(StringJoin, with = Tensor)]
    fn string_join(xs: &[ops::Arg<'_, Self, Tensor>], op: &StringJoin) -> Result<Self> {
        let (flat, partitions) = broadcast(xs)?;
        let mut sizes = ops::shape_of(&flat[0])?;
        for x in &flat[1..] {
            sizes = ops::broadcast_args(&sizes, ops::shape_of(x)?)?;
        }
        let flat = flat.iter().map(|x| x.broadcast_to(&sizes)).collect::<Result<Vec<_>>>()?;
        Ok(Self { flat_values: op.run(&flat.iter().collect::<Vec<_>>())?, partitions })
    }
}

impl RaggedTensor {
    /// The strings joined along axes, with a separator between. What has no strings is empty.
    ///
    /// TensorFlow: `tf.strings.reduce_join`.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range, and for values that are no strings.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let words = RaggedTensor::from_row_lengths(["to", "be", "or"], [2, 0, 1])?;
    /// let y = words.reduce_join(" ", -1, false)?.into_tensor()?;
    /// assert_eq!(y.to_strings()?, ["to be", "", "or"]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn reduce_join(
        &self,
        separator: &str,
        axes: impl Into<ops::Axes>,
        keep_dims: bool,
    ) -> Result<Self> {
        let Over { axes, .. } = Over { axes: axes.into(), keep_dims };
        let axes = axes_of(self, &axes)?;
        reduced(&Function::Join(separator.to_owned()), self, &axes, keep_dims)
    }

    /// The parts of each string between separators, as a new ragged axis. An empty separator stands for white space.
    ///
    /// TensorFlow: `tf.strings.split`. Strings of any shape, ragged or [dense](Self::from_dense); at most `most`
    /// separators are used.
    ///
    /// # Errors
    /// `InvalidArgument` for values that are no strings.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let lines = RaggedTensor::from_dense(["to be", "", "or"])?;
    /// let words = lines.string_split("", None)?;
    /// assert_eq!(words.row_lengths(1)?.to_string(), "[2, 0, 1]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn string_split(&self, separator: &str, most: Option<usize>) -> Result<Self> {
        self.in_parts(|x| ops::split_on(x, separator, most))
    }

    /// The bytes of each string, as a new ragged axis.
    ///
    /// TensorFlow: `tf.strings.bytes_split`.
    ///
    /// # Errors
    /// `InvalidArgument` for values that are no strings.
    #[track_caller]
    pub fn bytes_split(&self) -> Result<Self> {
        self.in_parts(|x| ops::bytes_split(x))
    }

    /// What a function makes of each element: the parts of all, and the splits of the rows that they are in.
    fn in_parts(&self, f: impl FnOnce(&Tensor) -> Result<(Tensor, Tensor)>) -> Result<Self> {
        let unknown = || Error::invalid("the rank of strings that are split is known");
        let rank = self.rank().ok_or_else(unknown)?;
        let mut x = self.raised(rank.saturating_sub(1), self.row_splits_dtype())?;
        let (values, splits) = f(&x.flat_values)?;
        x.flat_values = values;
        if rank > 0 {
            x.partitions.push(RowPartition::trusted(splits).with_dtype(x.row_splits_dtype())?);
        }
        Ok(x)
    }

    /// Strings of the innermost rows that follow one another, joined: the n-grams of each row.
    ///
    /// TensorFlow: `tf.strings.ngrams`.
    ///
    /// # Errors
    /// `InvalidArgument` for widths that are not positive, and if the innermost axis is not ragged.
    ///
    /// ```
    /// use extype::ops::NGrams;
    /// use extype::prelude::*;
    /// use extype_ragged::RaggedTensor;
    /// let words = RaggedTensor::from_row_lengths(["to", "be", "or", "not"], [3, 1])?;
    /// let pairs = words.ngrams(NGrams { widths: vec![2], ..NGrams::default() })?;
    /// assert_eq!(pairs.flat_values.to_strings()?, ["to be", "be or"]);
    /// assert_eq!(pairs.row_lengths(1)?.to_string(), "[2, 0]");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn ngrams(&self, options: NGrams) -> Result<Self> {
        let rank = self.rank().unwrap_or(1);
        let mut x = self.raised(rank.saturating_sub(1), self.row_splits_dtype())?;
        let rows = x
            .partitions
            .pop()
            .ok_or_else(|| Error::invalid("the strings of rows make n-grams; there are no rows"))?;
        let (values, splits) = ops::ngrams(&x.flat_values, rows.splits(), options)?;
        x.flat_values = values;
        x.partitions.push(RowPartition::trusted(splits));
        Ok(x)
    }
}
