//! Functions on the characters of strings.

use crate::ops::methods::*;
use crate::ops::options::{Sets, chosen, sets};
use crate::ops::protocol::Op;
use crate::ops::{
    UnicodeDecode, UnicodeDecodeWithOffsets, UnicodeEncode, UnicodeTranscode, add, count_to, size,
};
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{DType, Result};

/// Options of functions on Unicode: what is done with bytes and numbers that are no characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// This character takes their place.
    Replace(char),
    /// They are left out.
    Ignore,
    /// They are an error.
    Refuse,
}

impl Default for Malformed {
    /// U+FFFD takes their place.
    fn default() -> Self {
        Malformed::Replace(char::REPLACEMENT_CHARACTER)
    }
}

sets! {
    Malformed => Malformed |o, all| *o = all;
}

impl Malformed {
    /// The attributes `errors` and `replacement_char`.
    fn attributes(self) -> (String, i64) {
        match self {
            Malformed::Replace(c) => ("replace".into(), u32::from(c).into()),
            Malformed::Ignore => ("ignore".into(), 65533),
            Malformed::Refuse => ("strict".into(), 65533),
        }
    }
}

/// The code points of each string: those of all strings, int32, and row splits.
///
/// TensorFlow: `tf.strings.unicode_decode`. Strings of any shape; two vectors, the splits int64. Encodings: `UTF-8`,
/// `UTF-16`, `UTF-32`, `ISO-8859-1`, and with the feature `text` all of the web. Options: [`Malformed`].
///
/// # Errors
/// `InvalidArgument` for an encoding that is not known, and if asked for, bytes that are no characters.
///
/// ```
/// use extype::prelude::*;
/// let (points, splits) = tensor!["né", "a"].unicode_decode("UTF-8", ..)?;
/// assert_eq!(points.as_slice::<i32>()?, &[110, 233, 97]);
/// assert_eq!(splits.as_slice::<i64>()?, &[0, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unicode_decode(
    x: impl TensorLike,
    encoding: &str,
    options: impl Sets<Malformed>,
) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    let (errors, replacement_char) = chosen(options)?.attributes();
    let op = UnicodeDecode {
        input_encoding: encoding.to_owned(),
        errors,
        replacement_char,
        replace_control_characters: false,
        tsplits: DType::I64,
    };
    let (splits, points) = op.run_as(&[&*x.lend()?])?;
    Ok((points, splits))
}

/// [`unicode_decode`] with the place of each character in its string, in bytes, int64.
///
/// TensorFlow: `tf.strings.unicode_decode_with_offsets`. The places are the third result.
///
/// # Errors
/// As [`unicode_decode`].
///
/// ```
/// use extype::prelude::*;
/// let (_, _, places) = tensor!["né!"].unicode_decode_with_offsets("UTF-8", ..)?;
/// assert_eq!(places.as_slice::<i64>()?, &[0, 1, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unicode_decode_with_offsets(
    x: impl TensorLike,
    encoding: &str,
    options: impl Sets<Malformed>,
) -> Result<(Tensor, Tensor, Tensor)> {
    let _site = call_site!();
    let (errors, replacement_char) = chosen(options)?.attributes();
    let op = UnicodeDecodeWithOffsets {
        input_encoding: encoding.to_owned(),
        errors,
        replacement_char,
        replace_control_characters: false,
        tsplits: DType::I64,
    };
    let (splits, points, places) = op.run_as(&[&*x.lend()?])?;
    Ok((points, splits, places))
}

/// Makes a string of the code points of each row.
///
/// TensorFlow: `tf.strings.unicode_encode`. A vector of int32 with row splits, as of [`unicode_decode`]; the result is a
/// vector. Encodings: `UTF-8`, `UTF-16-BE`, `UTF-32-BE`. Options: [`Malformed`].
///
/// # Errors
/// `InvalidArgument` for another encoding, row splits that do not belong to the code points, and if asked for, numbers
/// that are no code points.
///
/// ```
/// use extype::prelude::*;
/// let y = ops::unicode_encode(&tensor![110, 233, 97], &tensor![0i64, 2, 3], "UTF-8", ..)?;
/// assert_eq!(y.to_strings()?, ["né", "a"]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unicode_encode(
    points: impl TensorLike,
    splits: impl TensorLike,
    encoding: &str,
    options: impl Sets<Malformed>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (errors, replacement_char) = chosen(options)?.attributes();
    let op = UnicodeEncode { errors, output_encoding: encoding.to_owned(), replacement_char };
    op.run(&[&*points.lend()?, &*splits.lend()?])
}

/// Strings in another encoding.
///
/// TensorFlow: `tf.strings.unicode_transcode`. Strings of any shape, which the result has too. Encodings of the input are
/// those of [`unicode_decode`], of the result those of [`unicode_encode`]. Options: [`Malformed`].
///
/// # Errors
/// As [`unicode_decode`].
///
/// ```
/// use extype::prelude::*;
/// let y = tensor!["é"].unicode_transcode("UTF-8", "UTF-16-BE", ..)?;
/// assert_eq!(y.value()?.as_strings()?[0], [0, 233]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unicode_transcode(
    x: impl TensorLike,
    from: &str,
    to: &str,
    options: impl Sets<Malformed>,
) -> Result<Tensor> {
    let _site = call_site!();
    let (errors, replacement_char) = chosen(options)?.attributes();
    let op = UnicodeTranscode {
        input_encoding: from.to_owned(),
        output_encoding: to.to_owned(),
        errors,
        replacement_char,
        replace_control_characters: false,
    };
    op.run(&[&*x.lend()?])
}

/// The characters of each string as strings: those of all strings, and row splits.
///
/// TensorFlow: `tf.strings.unicode_split`. Strings of any shape; two vectors, the splits int64. Encodings: `UTF-8`,
/// `UTF-16-BE`, `UTF-32-BE`, which the characters have too. Options: [`Malformed`].
///
/// # Errors
/// As [`unicode_decode`] and [`unicode_encode`].
///
/// ```
/// use extype::prelude::*;
/// let (characters, splits) = tensor!["né", ""].unicode_split("UTF-8", ..)?;
/// assert_eq!(characters.to_strings()?, ["n", "é"]);
/// assert_eq!(splits.as_slice::<i64>()?, &[0, 2, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unicode_split(
    x: impl TensorLike,
    encoding: &str,
    options: impl Sets<Malformed>,
) -> Result<(Tensor, Tensor)> {
    let _site = call_site!();
    let (points, splits) = unicode_decode(x, encoding, options)?;
    Ok((characters(&points, encoding)?, splits))
}

/// [`unicode_split`] with the place of each character in its string, in bytes, int64.
///
/// TensorFlow: `tf.strings.unicode_split_with_offsets`. The places are the third result.
///
/// # Errors
/// As [`unicode_split`].
///
/// ```
/// use extype::prelude::*;
/// let (characters, _, places) = tensor!["né!"].unicode_split_with_offsets("UTF-8", ..)?;
/// assert_eq!(characters.to_strings()?, ["n", "é", "!"]);
/// assert_eq!(places.as_slice::<i64>()?, &[0, 1, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn unicode_split_with_offsets(
    x: impl TensorLike,
    encoding: &str,
    options: impl Sets<Malformed>,
) -> Result<(Tensor, Tensor, Tensor)> {
    let _site = call_site!();
    let (points, splits, places) = unicode_decode_with_offsets(x, encoding, options)?;
    Ok((characters(&points, encoding)?, splits, places))
}

/// A string for each code point.
fn characters(points: &Tensor, encoding: &str) -> Result<Tensor> {
    let each = count_to(&add(size(points)?.cast(DType::I64)?, 1)?)?;
    unicode_encode(points, &each, encoding, ..)
}
