//! Functions on strings that are made of several ops, or have options.

use crate::ops::args::Axes;
use crate::ops::methods::*;
use crate::ops::options::{Over, Sets, chosen, sets};
use crate::ops::protocol::Op;
use crate::ops::{
    AsString, DecodeCsv, Fingerprint, Malformed, Rank, ReduceJoin, SplitStrings, StringFind,
    StringNGrams, StringSplitV2, concat, fill, range, shape_of, size, sub,
    tensor_scatter_nd_update, unicode_decode, unicode_decode_with_offsets, unicode_encode,
    unicode_split, unicode_split_with_offsets, unicode_transcode,
};
use crate::tensor::{Tensor, TensorLike, call_site, execute};
use crate::types::{DType, Result};

/// What the length of a string and places in it count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CharUnit {
    /// Bytes.
    Bytes,
    /// Characters of UTF-8.
    #[default]
    Chars,
}

impl CharUnit {
    pub(super) fn name(self) -> String {
        if self == CharUnit::Bytes { "BYTE".into() } else { "UTF8_CHAR".into() }
    }
}

/// Options of [`as_string`]: a conversion of C's `printf`.
#[derive(Clone, Debug, Default)]
pub struct TextFormat {
    /// The decimals of floats, or their significant digits if they are shortest; 6 if none is given.
    pub precision: Option<usize>,
    /// Floats with an exponent, as `%e`.
    pub scientific: bool,
    /// Floats in the shorter of two notations, as `%g`.
    pub shortest: bool,
    /// The least number of characters.
    pub width: usize,
    /// What fills texts up: a space, `0`, `-` for spaces behind them, `+` for a sign of positive numbers.
    pub fill: Option<char>,
}

sets! {
    TextFormat => TextFormat |o, all| *o = all;
}

/// Writes each element as text: integers, floats with six decimals, complex numbers, bools.
///
/// pandas: `astype(str)`; TensorFlow: `tf.strings.as_string`. Options: `..` for none, or [`TextFormat`]. A tensor of any
/// shape; the result, of strings, has the same.
///
/// # Errors
/// `InvalidArgument` for a notation or a precision of integers and bools, and for other fills.
///
/// ```
/// use extype::ops::TextFormat;
/// use extype::prelude::*;
/// assert_eq!(tensor![1, -20].as_string(..)?.to_strings()?, ["1", "-20"]);
/// let format = TextFormat { precision: Some(2), width: 6, ..Default::default() };
/// assert_eq!(ops::as_string(&tensor![1.5f32], format)?.to_strings()?, ["  1.50"]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn as_string(x: impl TensorLike, options: impl Sets<TextFormat>) -> Result<Tensor> {
    let _site = call_site!();
    let TextFormat { precision, scientific, shortest, width, fill } = chosen(options)?;
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let (precision, width) = (precision.map_or(-1, number), number(width));
    let fill = fill.map(String::from).unwrap_or_default();
    AsString { precision, scientific, shortest, width, fill }.run(&[&*x.lend()?])
}

/// Joins the strings along axes, with a separator between. Of several axes the first one counts fastest; `..` joins all
/// strings in order.
///
/// TensorFlow: `tf.strings.reduce_join`. Options: axes, `KeepDims`. Strings of any shape; the result drops the axes, or
/// keeps them with size 1.
///
/// # Errors
/// `OutOfRange` for an axis that the tensor does not have, `InvalidArgument` for one that is given twice.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![["a", "b"], ["c", "d"]];
/// assert_eq!(x.reduce_join("-", 1)?.to_strings()?, ["a-b", "c-d"]);
/// assert_eq!(ops::reduce_join(&x, "", ..)?.to_strings()?, ["abcd"]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn reduce_join(
    x: impl TensorLike,
    separator: &str,
    options: impl Sets<Over>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (x, Over { axes, keep_dims }) = (x.lend()?, chosen(options)?);
    let axes = match axes {
        Axes::All => match x.rank() {
            Some(rank) => Tensor::from_vec((0..rank as i32).rev().collect()),
            None => range(sub(Rank {}.run(&[&x])?, 1)?, -1i32, -1i32)?,
        },
        Axes::List(list) => list.to_tensor()?.cast(DType::I32)?,
    };
    ReduceJoin { keep_dims, separator: separator.to_owned() }.run(&[&x, &axes])
}

/// Splits each string at a separator: the parts of all strings, and row splits that tell where those of each string begin
/// and end. An empty separator splits at runs of white space, and drops them at the ends.
///
/// pandas: `str.split`; TensorFlow: `tf.strings.split`. At most `most` separators are used. Strings of any shape, in
/// row-major order; two vectors, the splits int64.
///
/// # Errors
/// `InvalidArgument` if `x` holds no strings.
///
/// ```
/// use extype::prelude::*;
/// let (parts, splits) = tensor!["a,b,c", "d"].split_on(",", None)?;
/// assert_eq!(parts.to_strings()?, ["a", "b", "c", "d"]);
/// assert_eq!(splits.as_slice::<i64>()?, &[0, 3, 4]);
/// let (words, _) = ops::split_on("  to be ", "", None)?;
/// assert_eq!(words.to_strings()?, ["to", "be"]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn split_on(
    x: impl TensorLike,
    separator: &str,
    most: Option<usize>,
) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    split_rows(&*x.lend()?, separator, most, false)
}

fn split_rows(
    x: &Tensor,
    separator: &str,
    most: Option<usize>,
    bytes: bool,
) -> Result<(Tensor, Tensor)> {
    let op = SplitStrings { maxsplit: limit(most), bytes };
    let (splits, values) = op.run_as(&[x, &text(separator)?])?;
    Ok((values, splits))
}

fn text(text: &str) -> Result<Tensor> {
    Tensor::from_strings(&[text], &[])
}

fn limit(most: Option<usize>) -> i64 {
    most.map_or(-1, |n| i64::try_from(n).unwrap_or(-1))
}

/// Splits each string at a separator into a fixed number of columns: what is missing is empty, and the last column has
/// the rest.
///
/// pandas: `str.split` with `expand`. Strings of any shape; the result has an axis of `columns` more. An empty separator
/// splits at runs of white space.
///
/// # Errors
/// `InvalidArgument` if `x` holds no strings, or there are no columns.
///
/// ```
/// use extype::prelude::*;
/// let y = tensor!["a,b,c", "d"].split_fixed(",", 2)?;
/// assert_eq!(y.shape(), shape![2, 2]);
/// assert_eq!(y.to_strings()?, ["a", "b,c", "d", ""]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn split_fixed(x: impl TensorLike, separator: &str, columns: usize) -> Result<Tensor> {
    let _site = call_site!();
    let x = x.lend()?;
    let most = columns.checked_sub(1);
    let most = most
        .ok_or_else(|| crate::types::err!("the number of columns is 0; one at least is wanted"))?;
    let op = StringSplitV2 { maxsplit: limit(Some(most)) };
    let (places, values, _): (Tensor, Tensor, Tensor) =
        op.run_as(&[&x.reshape([-1])?, &text(separator)?])?;
    let columns = Tensor::from_vec(vec![columns as i64]);
    let all = concat(&[&size(&*x)?.cast(DType::I64)?.reshape([1])?, &columns], 0)?;
    let filled = tensor_scatter_nd_update(fill(&all, text("")?)?, &places, &values)?;
    filled.reshape(&concat(&[&shape_of(&*x)?.cast(DType::I64)?, &columns], 0)?)
}

/// The bytes of each string as strings: those of all strings, and row splits.
///
/// TensorFlow: `tf.strings.bytes_split`. Strings of any shape; two vectors, the splits int64.
///
/// # Errors
/// `InvalidArgument` if `x` holds no strings.
///
/// ```
/// use extype::prelude::*;
/// let (bytes, splits) = tensor!["ab", "c"].bytes_split()?;
/// assert_eq!(bytes.to_strings()?, ["a", "b", "c"]);
/// assert_eq!(ops::bytes_split(&tensor![""])?.1.as_slice::<i64>()?, &[0, 0]);
/// # let _ = splits;
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn bytes_split(x: impl TensorLike) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    split_rows(&*x.lend()?, "", None, true)
}

fn place(x: &Tensor, text: &str, place: &str) -> Result<Tensor> {
    StringFind { text: text.to_owned(), place: place.to_owned() }.run(&[x])
}

/// The place of a text in each string, in bytes, int64; -1 where it is not.
///
/// pandas: `str.find`. Strings of any shape, which the result has too.
///
/// # Errors
/// `InvalidArgument` if `x` holds no strings.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor!["banana", "x"].find("na")?.as_slice::<i64>()?, &[2, -1]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn find(x: impl TensorLike, text: &str) -> Result<Tensor> {
    let _site = call_site!();
    place(&*x.lend()?, text, "first")
}

/// Tells which strings contain a text.
///
/// pandas: `str.contains` without `regex`. Strings of any shape, which the result, of bool, has too.
///
/// # Errors
/// `InvalidArgument` if `x` holds no strings.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor!["banana", "x"].contains("nan")?.as_slice::<bool>()?, &[true, false]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn contains(x: impl TensorLike, text: &str) -> Result<Tensor> {
    let _site = call_site!();
    place(&*x.lend()?, text, "first")?.greater_equal(0)
}

/// Tells which strings begin with a text.
///
/// pandas: `str.startswith`. Strings of any shape, which the result, of bool, has too.
///
/// # Errors
/// `InvalidArgument` if `x` holds no strings.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor!["banana", "nan"].starts_with("ba")?.as_slice::<bool>()?, &[true, false]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn starts_with(x: impl TensorLike, text: &str) -> Result<Tensor> {
    let _site = call_site!();
    place(&*x.lend()?, text, "start")?.greater_equal(0)
}

/// Tells which strings end with a text.
///
/// pandas: `str.endswith`. Strings of any shape, which the result, of bool, has too.
///
/// # Errors
/// `InvalidArgument` if `x` holds no strings.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(tensor!["banana", "nan"].ends_with("na")?.as_slice::<bool>()?, &[true, false]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ends_with(x: impl TensorLike, text: &str) -> Result<Tensor> {
    let _site = call_site!();
    place(&*x.lend()?, text, "end")?.greater_equal(0)
}

/// Hashes of the rows of a tensor by FarmHash, uint8 `[rows, 8]`: the same on every machine, for ever.
///
/// TensorFlow: `tf.fingerprint`. A tensor of rank 1 at least.
///
/// # Errors
/// `InvalidArgument` for a scalar.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::fingerprint(&tensor!["abc"])?;
/// assert_eq!(y.as_slice::<u8>()?, &[105, 243, 231, 116, 160, 179, 165, 36]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn fingerprint(x: impl TensorLike) -> Result<Tensor> {
    let _site = call_site!();
    Fingerprint {}.run(&[&*x.lend()?, &text("farmhash64")?])
}

/// Options of [`ngrams`].
#[derive(Clone, Debug)]
pub struct NGrams {
    /// How many strings each n-gram has; the n-grams of a row come width by width.
    pub widths: Vec<i64>,
    /// The text between the strings.
    pub separator: String,
    /// The texts that stand before and behind each row.
    pub pads: [String; 2],
    /// How often these stand there: by default one time less than the width if there are any; never more than that.
    pub pad_width: Option<i64>,
    /// True to make one n-gram of a row that is too short for every width.
    pub keep_short: bool,
}

impl Default for NGrams {
    /// Pairs with a space between.
    fn default() -> Self {
        Self {
            widths: vec![2],
            separator: " ".into(),
            pads: Default::default(),
            pad_width: None,
            keep_short: false,
        }
    }
}

sets! {
    NGrams => NGrams |o, all| *o = all;
    i64 => NGrams |o, width| o.widths = vec![width];
}

/// Makes n-grams of the strings of each row: `n` strings that follow one another, joined. The result are the n-grams and
/// their row splits.
///
/// TensorFlow: `tf.strings.ngrams`. A vector of strings with row splits, as of [`split_on`]. Options: the width, or
/// [`NGrams`]; `..` makes pairs.
///
/// # Errors
/// `InvalidArgument` for widths that are not positive, and row splits that do not belong to the strings.
///
/// ```
/// use extype::ops::NGrams;
/// use extype::prelude::*;
/// let (words, splits) = tensor!["to be or", "not"].split_on("", None)?;
/// let (pairs, splits) = words.ngrams(&splits, ..)?;
/// assert_eq!(pairs.to_strings()?, ["to be", "be or"]);
/// assert_eq!(splits.as_slice::<i64>()?, &[0, 2, 2]);
/// let padded = NGrams { pads: ["<".into(), ">".into()], ..Default::default() };
/// let (pairs, _) = ops::ngrams(&tensor!["a"], &tensor![0i64, 1], padded)?;
/// assert_eq!(pairs.to_strings()?, ["< a", "a >"]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn ngrams(
    x: impl TensorLike,
    splits: impl TensorLike,
    options: impl Sets<NGrams>,
) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    let NGrams { widths, separator, pads, pad_width, keep_short } = chosen(options)?;
    let pad_width = match pad_width {
        Some(width) => width,
        None if pads.iter().all(String::is_empty) => 0,
        None => -1,
    };
    let [left_pad, right_pad] = pads;
    let op = StringNGrams {
        separator,
        ngram_widths: widths,
        left_pad,
        right_pad,
        pad_width,
        preserve_short_sequences: keep_short,
    };
    op.run_as(&[&*x.lend()?, &*splits.lend()?])
}

/// Options of [`decode_csv`].
#[derive(Clone, Debug)]
pub struct Csv {
    /// The character between fields.
    pub delimiter: char,
    /// True if fields may stand in quotes.
    pub quotes: bool,
    /// A text that stands for a missing field, beside an empty one.
    pub missing: String,
    /// The columns to read, ascending from 0; all if there are none.
    pub columns: Vec<i64>,
}

impl Default for Csv {
    /// All columns, with commas between; fields may stand in quotes.
    fn default() -> Self {
        Self { delimiter: ',', quotes: true, missing: String::new(), columns: Vec::new() }
    }
}

sets! {
    Csv => Csv |o, all| *o = all;
}

/// Reads records of comma-separated values: a tensor for each column, of the dtype of its default. Missing fields get the
/// default; an empty default says that there must be none.
///
/// TensorFlow: `tf.io.decode_csv`. Records of any shape, which the results have too. Defaults of dtype float32, float64,
/// int32, int64 or string. Options: [`Csv`].
///
/// # Errors
/// `InvalidArgument` for records with more or fewer fields, and fields that are no numbers of the dtype.
///
/// ```
/// use extype::prelude::*;
/// let lines = tensor!["1,x", "2,\"y,z\"", ",w"];
/// let columns = ops::decode_csv(&lines, &[&scalar(-1), &"".to_tensor()?], ..)?;
/// assert_eq!(columns[0].as_slice::<i32>()?, &[1, 2, -1]);
/// assert_eq!(columns[1].to_strings()?, ["x", "y,z", "w"]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn decode_csv(
    records: impl TensorLike,
    defaults: &[&Tensor],
    options: impl Sets<Csv>,
) -> Result<Vec<Tensor>> {
    let _site = call_site!();
    let Csv { delimiter, quotes, missing, columns } = chosen(options)?;
    let op = DecodeCsv {
        field_delim: delimiter.into(),
        use_quote_delim: quotes,
        na_value: missing,
        select_cols: columns,
    };
    let records = records.lend()?;
    let inputs: Vec<&Tensor> = std::iter::once(&*records).chain(defaults.iter().copied()).collect();
    Ok(execute(op.def(), op.attrs(), &inputs)?.into_vec())
}

macro_rules! methods {
    ($($name:ident($($arg:ident: $t:ty),*) -> $r:ty;)*) => {
        impl Tensor {
            $(
                #[doc = concat!("See [`ops::", stringify!($name), "`](", stringify!($name), "()).")]
                ///
                /// # Errors
                /// As the function.
                #[track_caller]
                pub fn $name(&self $(, $arg: $t)*) -> Result<$r> {
                    $name(self $(, $arg)*)
                }
            )*
        }
    };
}
methods! {
    as_string(options: impl Sets<TextFormat>) -> Tensor;
    reduce_join(separator: &str, options: impl Sets<Over>) -> Tensor;
    split_on(separator: &str, most: Option<usize>) -> (Tensor, Tensor);
    split_fixed(separator: &str, columns: usize) -> Tensor;
    bytes_split() -> (Tensor, Tensor);
    find(text: &str) -> Tensor;
    contains(text: &str) -> Tensor;
    starts_with(text: &str) -> Tensor;
    ends_with(text: &str) -> Tensor;
    fingerprint() -> Tensor;
    ngrams(splits: &Tensor, options: impl Sets<NGrams>) -> (Tensor, Tensor);
    unicode_decode(encoding: &str, options: impl Sets<Malformed>) -> (Tensor, Tensor);
    unicode_decode_with_offsets(encoding: &str, options: impl Sets<Malformed>) -> (Tensor, Tensor, Tensor);
    unicode_encode(splits: &Tensor, encoding: &str, options: impl Sets<Malformed>) -> Tensor;
    unicode_transcode(from: &str, to: &str, options: impl Sets<Malformed>) -> Tensor;
    unicode_split(encoding: &str, options: impl Sets<Malformed>) -> (Tensor, Tensor);
    unicode_split_with_offsets(encoding: &str, options: impl Sets<Malformed>) -> (Tensor, Tensor, Tensor);
    decode_csv(defaults: &[&Tensor], options: impl Sets<Csv>) -> Vec<Tensor>;
}
