//! Types of results of ops on strings.

use crate::ir::{AttrKey, InferContext, Types};
use crate::ops::rules::infer::one;
use crate::ops::strings::unicode::{Errors, Target};
use crate::ops::{
    AsString, DecodeCsv, DecodePaddedRaw, DecodeRaw, StringFind, StringLength, StringLower,
    StringNGrams, StringToHashBucket, StringToHashBucketStrong, StringToNumber, Substr,
    UnicodeDecode, UnicodeEncode, UnicodeTranscode,
};
use crate::types::{DType, Dim, Result, Shape, TensorType, bail, err};

/// Refuses a text that is none of these.
pub(in crate::ops) fn one_of(
    c: &InferContext<'_>,
    key: AttrKey<String>,
    known: &[&str],
) -> Result<String> {
    let given = c.get(key)?;
    if !known.contains(&given.as_str()) {
        bail!("`{}` = \"{given}\"; write one of \"{}\"", key.name(), known.join("\", \""));
    }
    Ok(given)
}

/// The names of the units in which strings are measured.
pub(in crate::ops) const UNITS: [&str; 2] = ["BYTE", "UTF8_CHAR"];

/// A result of the shape of the first input.
pub(in crate::ops) fn shaped(c: &InferContext<'_>, dtype: DType) -> Result<Types> {
    one(dtype, c.shape(0).clone())
}

pub(in crate::ops) fn cased(c: &InferContext<'_>) -> Result<Types> {
    one_of(c, StringLower::ENCODING, &["", "utf-8"])?;
    shaped(c, DType::String)
}

pub(in crate::ops) fn length(c: &InferContext<'_>) -> Result<Types> {
    one_of(c, StringLength::UNIT, &UNITS)?;
    shaped(c, DType::I32)
}

pub(in crate::ops) fn find(c: &InferContext<'_>) -> Result<Types> {
    one_of(c, StringFind::PLACE, &["first", "start", "end"])?;
    shaped(c, DType::I64)
}

pub(in crate::ops) fn hash_bucket(c: &InferContext<'_>) -> Result<Types> {
    let buckets: i64 = c.get(StringToHashBucket::NUM_BUCKETS)?;
    if buckets < 1 {
        bail!("{buckets} buckets; one at least is wanted");
    }
    shaped(c, DType::I64)
}

pub(in crate::ops) fn strong_hash_bucket(c: &InferContext<'_>) -> Result<Types> {
    let key = c.get(StringToHashBucketStrong::KEY)?;
    if key.len() != 2 {
        bail!("the key has {} numbers; two are wanted", key.len());
    }
    hash_bucket(c)
}

pub(in crate::ops) fn reduce_join(c: &InferContext<'_>) -> Result<Types> {
    let keep = c.get(crate::ops::ReduceJoin::KEEP_DIMS)?;
    let shape = match (c.shape(0).dims(), c.integers(1)) {
        (Some(dims), Some(axes)) => {
            let axes = axes_of(&axes, dims.len())?;
            let dim = |(i, d): (usize, &Dim)| match (axes.contains(&i), keep) {
                (false, _) => Some(*d),
                (true, true) => Some(Dim::from(1)),
                (true, false) => None,
            };
            dims.iter().enumerate().filter_map(dim).collect()
        }
        (Some(dims), None) if keep => Shape::of_rank(dims.len()),
        _ => Shape::unknown(),
    };
    one(DType::String, shape)
}

/// The axes to join, in the order given.
pub(in crate::ops) fn axes_of(axes: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut all = Vec::new();
    for axis in axes {
        let i = if *axis < 0 { axis.saturating_add(rank as i64) } else { *axis };
        let i = usize::try_from(i).ok().filter(|i| *i < rank).ok_or_else(|| {
            err!(OutOfRange, "axis {axis} is out of range for a tensor of rank {rank}")
        })?;
        if all.contains(&i) {
            bail!("axis {axis} is given twice");
        }
        all.push(i);
    }
    Ok(all)
}

pub(in crate::ops) fn segment_join(c: &InferContext<'_>) -> Result<Types> {
    c.shape(2).with_rank(0)?;
    let n = c.integers(2).and_then(|n| n.first().copied());
    if let Some(n) = n.filter(|n| *n < 0) {
        bail!("the number of segments, {n}, is negative");
    }
    let shape = match (c.shape(0).rank(), c.shape(1).rank()) {
        (Some(_), Some(ids)) => {
            c.shape(0).slice(None, Some(ids as i64)).merge(c.shape(1)).map_err(|_| {
                err!("ids of shape {} for strings of shape {}", c.shape(1), c.shape(0))
            })?;
            let rows = vector(Dim::from(n.map(|n| n as usize)));
            rows.concatenate(&c.shape(0).slice(Some(ids as i64), None))
        }
        _ => Shape::unknown(),
    };
    one(DType::String, shape)
}

pub(in crate::ops) fn vector(n: Dim) -> Shape {
    [n].into_iter().collect()
}

pub(in crate::ops) fn substr(c: &InferContext<'_>) -> Result<Types> {
    one_of(c, Substr::UNIT, &UNITS)?;
    let places = c.shape(1).merge(c.shape(2)).map_err(|_| {
        err!(
            "positions of shape {} and lengths of shape {}; they are alike",
            c.shape(1),
            c.shape(2)
        )
    })?;
    one(DType::String, c.shape(0).broadcast(&places)?)
}

pub(in crate::ops) fn split(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(1).map_err(|e| e.prefixed("the strings are a vector"))?;
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("the separator is a scalar"))?;
    let pairs: Shape = [Dim::UNKNOWN, Dim::from(2)].into_iter().collect();
    let types = [
        TensorType::new(DType::I64, pairs),
        TensorType::new(DType::String, Shape::of_rank(1)),
        TensorType::new(DType::I64, vector(Dim::from(2))),
    ];
    Ok(types.into_iter().collect())
}

/// Row splits with one more entry than the first input has elements, and values of these dtypes.
pub(in crate::ops) fn rows(c: &InferContext<'_>, splits: DType, values: &[DType]) -> Result<Types> {
    let n = c.shape(0).num_elements().map(|n| n.saturating_add(1));
    let splits = TensorType::new(splits, vector(Dim::from(n)));
    let values = values.iter().map(|dtype| TensorType::new(*dtype, Shape::of_rank(1)));
    Ok(std::iter::once(splits).chain(values).collect())
}

pub(in crate::ops) fn split_rows(c: &InferContext<'_>) -> Result<Types> {
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("the separator is a scalar"))?;
    rows(c, DType::I64, &[DType::String])
}

pub(in crate::ops) fn ngrams(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(1).map_err(|e| e.prefixed("the strings are a vector"))?;
    let splits = c.shape(1).with_rank(1).map_err(|e| e.prefixed("row splits are a vector"))?;
    if let Some(bad) = c.get(StringNGrams::NGRAM_WIDTHS)?.iter().find(|n| **n < 1) {
        bail!("an n-gram of {bad} strings; one at least is wanted");
    }
    let grams = TensorType::new(DType::String, Shape::of_rank(1));
    Ok([grams, TensorType::new(c.input(1).dtype, splits)].into_iter().collect())
}

/// What the attributes of decoding say, which must be known.
fn decoding(c: &InferContext<'_>) -> Result<()> {
    Errors::of(c.attrs)?;
    super::unicode::Encoding::named(&c.get(UnicodeDecode::INPUT_ENCODING)?).map(drop)
}

pub(in crate::ops) fn unicode_decode(c: &InferContext<'_>, values: &[DType]) -> Result<Types> {
    decoding(c)?;
    rows(c, c.get(UnicodeDecode::TSPLITS)?, values)
}

pub(in crate::ops) fn unicode_transcode(c: &InferContext<'_>) -> Result<Types> {
    decoding(c)?;
    Target::named(&c.get(UnicodeTranscode::OUTPUT_ENCODING)?)?;
    shaped(c, DType::String)
}

pub(in crate::ops) fn unicode_encode(c: &InferContext<'_>) -> Result<Types> {
    Errors::of(c.attrs)?;
    Target::named(&c.get(UnicodeEncode::OUTPUT_ENCODING)?)?;
    c.shape(0).with_rank(1).map_err(|e| e.prefixed("code points are a vector"))?;
    let splits = c.shape(1).with_rank(1).map_err(|e| e.prefixed("row splits are a vector"))?;
    let n = match splits.dim(0)?.size() {
        Some(0) => bail!("row splits without elements; the first is 0"),
        n => n.map(|n| n - 1),
    };
    one(DType::String, vector(Dim::from(n)))
}

/// The size of an element of bytes that are decoded.
fn element_size(dtype: DType) -> Result<usize> {
    dtype.size().ok_or_else(|| err!("bytes can't be decoded to {dtype}"))
}

pub(in crate::ops) fn decode_raw(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(DecodeRaw::OUT_TYPE)?;
    element_size(dtype)?;
    one(dtype, c.shape(0).concatenate(&Shape::of_rank(1)))
}

/// How many elements each string has, from the number of its bytes.
pub(in crate::ops) fn padded_width(bytes: i64, dtype: DType) -> Result<usize> {
    let size = element_size(dtype)?;
    let bytes = usize::try_from(bytes).ok().filter(|n| *n > 0);
    let bytes = bytes.ok_or_else(|| err!("a fixed length that is not positive"))?;
    if bytes % size != 0 {
        bail!("a fixed length of {bytes} bytes, which is no multiple of the {size} of {dtype}");
    }
    Ok(bytes / size)
}

pub(in crate::ops) fn decode_padded_raw(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(DecodePaddedRaw::OUT_TYPE)?;
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("the fixed length is a scalar"))?;
    let width = match c.integers(1).as_deref() {
        Some([bytes]) => Some(padded_width(*bytes, dtype)?),
        _ => element_size(dtype).map(|_| None)?,
    };
    one(dtype, c.shape(0).concatenate(&vector(Dim::from(width))))
}

pub(in crate::ops) fn fingerprint(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank_at_least(1).map_err(|e| e.prefixed("data has a first axis of rows"))?;
    c.shape(1).with_rank(0).map_err(|e| e.prefixed("the method is a scalar"))?;
    one(DType::U8, [c.shape(0).dim(0)?, Dim::from(8)].into_iter().collect())
}

pub(in crate::ops) fn parse_tensor(c: &InferContext<'_>) -> Result<Types> {
    c.shape(0).with_rank(0).map_err(|e| e.prefixed("the bytes of a tensor are a scalar"))?;
    one(c.get(crate::ops::ParseTensor::OUT_TYPE)?, Shape::unknown())
}

pub(in crate::ops) fn decode_csv(c: &InferContext<'_>) -> Result<Types> {
    let columns = c.inputs.len() - 1;
    if c.get(DecodeCsv::FIELD_DELIM)?.len() != 1 {
        bail!("`field_delim` is one character");
    }
    let selected = c.get(DecodeCsv::SELECT_COLS)?;
    if !selected.is_empty() && selected.len() != columns {
        bail!("{} selected columns for {columns} defaults", selected.len());
    }
    if selected.iter().any(|i| *i < 0) || selected.windows(2).any(|w| w[0] >= w[1]) {
        bail!("selected columns ascend and are not negative");
    }
    let mut types = Types::new();
    for (i, default) in c.inputs[1..].iter().enumerate() {
        let shape = default.shape.with_rank_at_most(1).map_err(|e| e.prefixed("a default"))?;
        if let Some(n) = shape.num_elements().filter(|n| *n > 1) {
            bail!("column {i} has {n} defaults; one or none is wanted");
        }
        if !super::csv::COLUMNS.contains(default.dtype) {
            bail!("column {i} of {}: one of {} is wanted", default.dtype, super::csv::COLUMNS);
        }
        types.push(TensorType::new(default.dtype, c.shape(0).clone()));
    }
    Ok(types)
}

pub(in crate::ops) fn to_number(c: &InferContext<'_>) -> Result<Types> {
    let dtype = c.get(StringToNumber::OUT_TYPE)?;
    if !super::READABLE.contains(dtype) {
        bail!("numbers of {dtype} can't be read; {} can", super::READABLE);
    }
    shaped(c, dtype)
}

pub(in crate::ops) fn as_string(c: &InferContext<'_>) -> Result<Types> {
    let op = AsString {
        precision: c.get(AsString::PRECISION)?,
        scientific: c.get(AsString::SCIENTIFIC)?,
        shortest: c.get(AsString::SHORTEST)?,
        width: c.get(AsString::WIDTH)?,
        fill: c.get(AsString::FILL)?,
    };
    super::numbers::check_format(&op, c.input(0).dtype)?;
    shaped(c, DType::String)
}
