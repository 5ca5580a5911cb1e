//! Strings: case, parts, joins, numbers as text, hashes, bytes, Unicode, regular expressions.

pub(in crate::ops) mod bytes;
mod characters;
#[cfg(feature = "compression")]
mod compressed;
pub(in crate::ops) mod csv;
mod functions;
pub(in crate::ops) mod infer;
pub(in crate::ops) mod kernel;
pub(in crate::ops) mod numbers;
#[cfg(feature = "text")]
mod patterns;
pub(in crate::ops) mod proto;
#[cfg(feature = "text")]
mod re2;
#[cfg(feature = "text")]
mod regex;
#[cfg(feature = "text")]
mod scripts;
pub(in crate::ops) mod unicode;

pub use characters::*;
#[cfg(feature = "compression")]
pub use compressed::*;
pub use functions::*;
#[cfg(feature = "text")]
pub use patterns::*;

use crate::define_op;
use crate::ops::args::Integer;
use crate::ops::rules::batch::elementwise;
use crate::ops::rules::folded::stacks;
use crate::ops::rules::infer::{same_shape, same_shapes_or_scalars};
use crate::types::{DType, DTypeSet};

/// The dtypes of elements that are written as text.
const WRITABLE: DTypeSet =
    DTypeSet::REAL.or(DTypeSet::COMPLEX).or(DTypeSet::BOOL).or(DTypeSet::STRING);

/// The dtypes of numbers that are read from text.
const READABLE: DTypeSet =
    DTypeSet::of(&[DType::F32, DType::F64, DType::I32, DType::I64, DType::U32, DType::U64]);

define_op! {
    /// Methods: strings.
    methods of StringMethods;

    attrs Decoding {
        input_encoding: String, errors: String = "replace".into(), replacement_char: i64 = 65533,
        replace_control_characters: bool = false,
    }

    /// Strings in lower case, by the rules of Unicode; bytes that are no UTF-8 become U+FFFD.
    ///
    /// pandas: `str.lower`; TensorFlow: `tf.strings.lower`, `StringLower`, whose default are ASCII letters. Strings of any
    /// shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["CAFÉ", "x"].lower()?.to_strings()?, ["café", "x"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringLower = "StringLower" {
        inputs: { input: {String} }, outputs: { output: {String} },
        attrs: { encoding: String = String::new() },
        call: method lower(x) => { encoding: "utf-8".into() },
        infer: infer::cased,
        kernel: |c| kernel::cased(c, <[u8]>::make_ascii_lowercase, str::to_lowercase),
        gradient: none, batch: elementwise,
    }

    /// Strings in upper case, by the rules of Unicode; bytes that are no UTF-8 become U+FFFD.
    ///
    /// pandas: `str.upper`; TensorFlow: `tf.strings.upper`, `StringUpper`, whose default are ASCII letters. Strings of any
    /// shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["Straße"].upper()?.to_strings()?, ["STRASSE"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringUpper = "StringUpper" {
        inputs: { input: {String} }, outputs: { output: {String} },
        attrs: { encoding: String = String::new() },
        call: method upper(x) => { encoding: "utf-8".into() },
        infer: infer::cased,
        kernel: |c| kernel::cased(c, <[u8]>::make_ascii_uppercase, str::to_uppercase),
        gradient: none, batch: elementwise,
    }

    /// Strings without the ASCII white space at their ends.
    ///
    /// pandas: `str.strip`; TensorFlow: `tf.strings.strip`, `StringStrip`. Strings of any shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![" a b\n"].strip()?.to_strings()?, ["a b"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringStrip = "StringStrip" {
        inputs: { input: {String} }, outputs: { output: {String} },
        call: method strip(x),
        infer: same_shape, kernel: kernel::strip,
        gradient: none, batch: elementwise,
    }

    /// The lengths of strings in bytes or characters, int32.
    ///
    /// pandas: `str.len`; TensorFlow: `tf.strings.length`, `StringLength`. Strings of any shape, which the result has too.
    ///
    /// ```
    /// use extype::ops::CharUnit;
    /// use extype::prelude::*;
    /// let x = tensor!["né"];
    /// assert_eq!(x.string_length(CharUnit::Bytes)?.as_slice::<i32>()?, &[3]);
    /// assert_eq!(x.string_length(CharUnit::Chars)?.as_slice::<i32>()?, &[2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringLength = "StringLength" {
        inputs: { input: {String} }, outputs: { output: {I32} },
        attrs: { unit: String = "BYTE".into() },
        call: method string_length(x; unit: CharUnit) => { unit: unit.name() },
        infer: infer::length, kernel: kernel::length,
        gradient: none, batch: elementwise,
    }

    /// Joins the strings of several tensors element by element, with a separator between.
    ///
    /// TensorFlow: `tf.strings.join`, `StringJoin`. Tensors of one shape, which the result has too, and scalars, which are
    /// joined to every string.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (x, y) = (tensor!["a", "b"], "z".to_tensor()?);
    /// assert_eq!(ops::string_join(&[&x, &y], "-")?.to_strings()?, ["a-z", "b-z"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringJoin = "StringJoin" {
        inputs: { inputs: [{String}; N] }, outputs: { output: {String} },
        attrs: { separator: String = String::new() },
        call: string_join([xs]; separator: &str) => { separator: separator.to_owned() },
        infer: same_shapes_or_scalars, kernel: kernel::join,
        gradient: none,
    }

    /// Joins the strings along axes. Of several axes the first one counts fastest.
    ///
    /// TensorFlow: `ReduceJoin`. The function is [`reduce_join()`].
    pub op ReduceJoin = "ReduceJoin" {
        inputs: { inputs: {String}, reduction_indices: {I32} }, outputs: { output: {String} },
        attrs: { keep_dims: bool = false, separator: String = String::new() },
        infer: infer::reduce_join, kernel: kernel::reduce_join,
        gradient: none,
    }

    /// Joins the strings or rows that have the same id, in their order, with a separator between.
    ///
    /// TensorFlow: `tf.strings.unsorted_segment_join`, `UnsortedSegmentJoin`. The ids have the first axes of the strings;
    /// the result is `[num_segments, …]` with the other axes. A segment without strings is empty.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::unsorted_segment_join(&tensor!["a", "b", "c"], &tensor![1, 0, 1], 3, "+")?;
    /// assert_eq!(y.to_strings()?, ["b", "a+c", ""]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnsortedSegmentJoin = "UnsortedSegmentJoin" {
        inputs: { inputs: {String}, segment_ids: Tindices, num_segments: Tnumsegments },
        outputs: { output: {String} },
        types: { Tindices: DTypeSet::INDEX, Tnumsegments: DTypeSet::INDEX },
        attrs: { separator: String = String::new() },
        call: unsorted_segment_join(x, segment_ids, num_segments; separator: &str) => { separator: separator.to_owned() },
        infer: infer::segment_join, kernel: kernel::segment_join,
        gradient: none,
    }

    /// Takes `len` bytes or characters of each string from position `pos` on, which may count from the end. What is
    /// missing at the end is left out; a position beyond the end is refused. As in TensorFlow a negative `len` takes the
    /// rest of a string in bytes; in characters it takes nothing, and is refused if `pos` counts from the end.
    ///
    /// pandas: `str.slice`; TensorFlow: `tf.strings.substr`, `Substr`. `pos` and `len` have one shape, which broadcasts
    /// with that of the strings.
    ///
    /// ```
    /// use extype::ops::CharUnit;
    /// use extype::prelude::*;
    /// let x = tensor!["hello", "né"];
    /// assert_eq!(x.substr(1, 3, CharUnit::Chars)?.to_strings()?, ["ell", "é"]);
    /// assert_eq!(x.substr(-2, 1, CharUnit::Chars)?.to_strings()?, ["l", "n"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op Substr = "Substr" {
        inputs: { input: {String}, pos: T, len: T }, outputs: { output: {String} },
        types: { T: DTypeSet::INDEX }, attrs: { unit: String = "BYTE".into() },
        call: method substr(x, pos, len; unit: CharUnit) => { unit: unit.name() },
        infer: infer::substr, kernel: kernel::substr,
        gradient: none,
    }

    /// Splits strings as [`split_on()`] does, with the parts as a sparse matrix: the row and the place of each part, the
    /// parts, and the shape.
    ///
    /// TensorFlow: `StringSplitV2`. A vector of strings and a scalar separator; the indices are int64 `[parts, 2]`.
    pub op StringSplitV2 = "StringSplitV2" {
        inputs: { input: {String}, sep: {String} },
        outputs: { indices: {I64}, values: {String}, shape: {I64} },
        attrs: { maxsplit: i64 = -1 },
        infer: infer::split, kernel: kernel::split,
        gradient: none,
    }

    /// Splits strings at a separator, or into bytes: row splits, and the parts of all strings. The functions are
    /// [`split_on()`] and [`bytes_split()`].
    pub op SplitStrings = "Extype>SplitStrings" {
        inputs: { input: {String}, sep: {String} }, outputs: { row_splits: {I64}, values: {String} },
        attrs: { maxsplit: i64 = -1, bytes: bool = false },
        infer: infer::split_rows, kernel: kernel::split_rows,
        gradient: none,
    }

    /// The place of a text in each string, in bytes; -1 where it is not. It is the first place, or one at the `start` or
    /// the `end` only. The functions are [`find()`], [`starts_with()`], [`ends_with()`] and [`contains()`].
    pub op StringFind = "Extype>StringFind" {
        inputs: { input: {String} }, outputs: { output: {I64} },
        attrs: { text: String, place: String = "first".into() },
        infer: infer::find, kernel: kernel::find,
        gradient: none, batch: elementwise,
    }

    /// Replaces every occurrence of a text by another one.
    ///
    /// pandas: `str.replace`. Strings of any shape, which the result has too. For patterns see `regex_replace`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["a.b.c", "d"].replace(".", "-")?.to_strings()?, ["a-b-c", "d"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringReplace = "Extype>StringReplace" {
        inputs: { input: {String} }, outputs: { output: {String} },
        attrs: { from: String, to: String },
        call: method replace(x; from: &str, to: &str) => { from: from.to_owned(), to: to.to_owned() },
        infer: same_shape, kernel: kernel::replace,
        gradient: none, batch: elementwise,
    }

    /// The place of each string among the distinct strings in the order of their bytes, int64: numbers that sort as the
    /// strings do.
    ///
    /// pandas: `factorize` with `sort`. Strings of any shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["b", "a", "c", "b"].string_ranks()?.as_slice::<i64>()?, &[1, 0, 2, 1]);
    /// assert_eq!(tensor!["b", "a"].sort(..)?.to_strings()?, ["a", "b"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringRanks = "Extype>StringRanks" {
        inputs: { input: {String} }, outputs: { ranks: {I64} },
        call: method string_ranks(x),
        infer: |c| infer::shaped(c, DType::I64), kernel: kernel::ranks,
        gradient: none,
    }

    /// Reads each string as a number of the given dtype. White space around it is allowed, hexadecimal floats are too.
    ///
    /// pandas: `to_numeric`; TensorFlow: `tf.strings.to_number`, `StringToNumber`. Strings of any shape, which the result
    /// has too. Dtypes of the result: float32, float64, int32, int64, uint32, uint64.
    ///
    /// # Errors
    /// `InvalidArgument` for a string that is no such number. Floats beyond all numbers become infinite.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![" 1.5", "-2e3"].to_number(f32)?.as_slice::<f32>()?, &[1.5, -2000.0]);
    /// assert!(tensor!["1.5"].to_number(i32).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringToNumber = "StringToNumber" {
        inputs: { string_tensor: {String} }, outputs: { output: out_type },
        attrs: { out_type: DType = DType::F32 },
        call: method to_number(x; dtype: DType) => { out_type: dtype },
        infer: infer::to_number, kernel: numbers::to_number,
        gradient: none, batch: elementwise,
    }

    /// Writes each element as text, as C's `printf` does.
    ///
    /// TensorFlow: `AsString`. The function is [`as_string()`].
    pub op AsString = "AsString" {
        inputs: { input: T }, outputs: { output: {String} },
        types: { T: WRITABLE },
        attrs: {
            precision: i64 = -1, scientific: bool = false, shortest: bool = false, width: i64 = -1,
            fill: String = String::new(),
        },
        infer: infer::as_string, kernel: numbers::as_string,
        gradient: none, batch: elementwise,
    }

    /// The bucket of each string by TensorFlow's first hash, int64. Prefer [`to_hash_bucket_fast()`].
    ///
    /// TensorFlow: `tf.strings.to_hash_bucket`, `StringToHashBucket`. Strings of any shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["a", ""].to_hash_bucket(1000)?.as_slice::<i64>()?, &[868, 899]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringToHashBucket = "StringToHashBucket" {
        inputs: { string_tensor: {String} }, outputs: { output: {I64} }, attrs: { num_buckets: i64 },
        call: method to_hash_bucket(x; num_buckets),
        infer: infer::hash_bucket, kernel: |c| bytes::buckets(c, bytes::murmur_hash),
        gradient: none, batch: elementwise,
    }

    /// The bucket of each string by FarmHash, int64: the same on every machine, for ever.
    ///
    /// TensorFlow: `tf.strings.to_hash_bucket_fast`, `StringToHashBucketFast`. Strings of any shape, which the result has
    /// too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["a", ""].to_hash_bucket_fast(1000)?.as_slice::<i64>()?, &[939, 263]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringToHashBucketFast = "StringToHashBucketFast" {
        inputs: { input: {String} }, outputs: { output: {I64} }, attrs: { num_buckets: i64 },
        call: method to_hash_bucket_fast(x; num_buckets),
        infer: infer::hash_bucket, kernel: |c| bytes::buckets(c, bytes::farm_hash),
        gradient: none, batch: elementwise,
    }

    /// The bucket of each string by SipHash with a key of two numbers, int64. Without the key nobody can find strings
    /// that fall into the same bucket.
    ///
    /// TensorFlow: `tf.strings.to_hash_bucket_strong`, `StringToHashBucketStrong`. Strings of any shape, which the result
    /// has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor!["a", ""].to_hash_bucket_strong(1000, [11, 22])?;
    /// assert_eq!(y.as_slice::<i64>()?, &[323, 633]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StringToHashBucketStrong = "StringToHashBucketStrong" {
        inputs: { input: {String} }, outputs: { output: {I64} }, attrs: { num_buckets: i64, key: Vec<i64> },
        call: method to_hash_bucket_strong(x; num_buckets, key: [i64; 2]) => { key: key.to_vec() },
        infer: infer::strong_hash_bucket, kernel: bytes::strong_buckets,
        gradient: none, batch: elementwise,
    }

    /// Hashes of rows, uint8 `[rows, 8]`. The function is [`fingerprint()`].
    ///
    /// TensorFlow: `Fingerprint`. Data of rank 1 at least and the name of the method, `farmhash64`.
    pub op Fingerprint = "Fingerprint" {
        inputs: { data: T, method: {String} }, outputs: { fingerprint: {U8} },
        types: { T: DTypeSet::DATA },
        infer: infer::fingerprint, kernel: bytes::fingerprint,
        gradient: none,
    }

    /// Encodes bytes in base64 with the alphabet of URLs (`-` and `_`), filled up with `=` if `pad`.
    ///
    /// TensorFlow: `tf.io.encode_base64`, `EncodeBase64`. Strings of any shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["a"].encode_base64(true)?.to_strings()?, ["YQ=="]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op EncodeBase64 = "EncodeBase64" {
        inputs: { input: {String} }, outputs: { output: {String} }, attrs: { pad: bool = false },
        call: method encode_base64(x; pad),
        infer: same_shape, kernel: bytes::encode_base64,
        gradient: none, batch: elementwise,
    }

    /// Decodes base64 with the alphabet of URLs, with `=` at the end or without.
    ///
    /// TensorFlow: `tf.io.decode_base64`, `DecodeBase64`. Strings of any shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["YQ", "YWI="].decode_base64()?.to_strings()?, ["a", "ab"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op DecodeBase64 = "DecodeBase64" {
        inputs: { input: {String} }, outputs: { output: {String} },
        call: method decode_base64(x),
        infer: same_shape, kernel: bytes::decode_base64,
        gradient: none, batch: elementwise,
    }

    /// Makes n-grams of the strings of each row. The function is [`ngrams()`].
    ///
    /// TensorFlow: `StringNGrams`. A vector of strings with row splits; so are the results.
    pub op StringNGrams = "StringNGrams" {
        inputs: { data: {String}, data_splits: Tsplits }, outputs: { ngrams: {String}, ngrams_splits: Tsplits },
        types: { Tsplits: DTypeSet::INDEX },
        attrs: {
            separator: String, ngram_widths: Vec<i64>, left_pad: String, right_pad: String, pad_width: i64,
            preserve_short_sequences: bool,
        },
        infer: infer::ngrams, kernel: kernel::ngrams,
        gradient: none,
    }

    /// The code points of strings: row splits, and the code points of all strings. The function is
    /// [`unicode_decode()`].
    ///
    /// TensorFlow: `UnicodeDecode`. Strings of any shape; two vectors, the code points int32.
    pub op UnicodeDecode = "UnicodeDecode" {
        inputs: { input: {String} }, outputs: { row_splits: Tsplits, char_values: {I32} },
        attrs: { ..Decoding, tsplits as "Tsplits": DType = DType::I64 },
        infer: |c| infer::unicode_decode(c, &[DType::I32]), kernel: unicode::decode_points,
        gradient: none,
    }

    /// [`UnicodeDecode`] with the place of each character in its string, in bytes. The function is
    /// [`unicode_decode_with_offsets()`].
    ///
    /// TensorFlow: `UnicodeDecodeWithOffsets`.
    pub op UnicodeDecodeWithOffsets = "UnicodeDecodeWithOffsets" {
        inputs: { input: {String} },
        outputs: { row_splits: Tsplits, char_values: {I32}, char_to_byte_starts: {I64} },
        attrs: { ..Decoding, tsplits as "Tsplits": DType = DType::I64 },
        infer: |c| infer::unicode_decode(c, &[DType::I32, DType::I64]), kernel: unicode::decode,
        gradient: none,
    }

    /// A string of the code points of each row. The function is [`unicode_encode()`].
    ///
    /// TensorFlow: `UnicodeEncode`. A vector of int32 with row splits; the result is a vector.
    pub op UnicodeEncode = "UnicodeEncode" {
        inputs: { input_values: {I32}, input_splits: Tsplits }, outputs: { output: {String} },
        types: { Tsplits: DTypeSet::INDEX },
        attrs: { errors: String = "replace".into(), output_encoding: String, replacement_char: i64 = 65533 },
        infer: infer::unicode_encode, kernel: unicode::encode,
        gradient: none,
    }

    /// Strings in another encoding. The function is [`unicode_transcode()`].
    ///
    /// TensorFlow: `UnicodeTranscode`. Strings of any shape, which the result has too.
    pub op UnicodeTranscode = "UnicodeTranscode" {
        inputs: { input: {String} }, outputs: { output: {String} },
        attrs: { ..Decoding, output_encoding: String },
        infer: infer::unicode_transcode, kernel: unicode::transcode,
        gradient: none, batch: elementwise,
    }

    /// Reads records of comma-separated values: a tensor for each column. The function is [`decode_csv()`].
    ///
    /// TensorFlow: `DecodeCSV`. Records of any shape, which the results have too, and a default for each column: a scalar
    /// or a vector of one element, or an empty one for a column that every record must have.
    pub op DecodeCsv = "DecodeCSV" {
        inputs: { records: {String}, record_defaults: (OUT_TYPE) }, outputs: { output: (OUT_TYPE) },
        attrs: {
            field_delim: String = ",".into(), use_quote_delim: bool = true, na_value: String = String::new(),
            select_cols: Vec<i64> = Vec::new(),
        },
        dispatch: none,
        infer: infer::decode_csv, kernel: csv::decode,
        gradient: none,
    }

    /// Reads the bytes of each string as numbers in memory, which all have the same length.
    ///
    /// TensorFlow: `tf.io.decode_raw`, `DecodeRaw`. Strings of any shape; the result has one axis more.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["ab"].decode_raw(u8)?.as_slice::<u8>()?, b"ab");
    /// assert!(tensor!["abc"].decode_raw(i16).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub op DecodeRaw = "DecodeRaw" {
        inputs: { bytes: {String} }, outputs: { output: out_type },
        attrs: { out_type: DType, little_endian: bool = true },
        call: method decode_raw(x; dtype: DType) => { out_type: dtype },
        infer: infer::decode_raw, kernel: bytes::decode_raw,
        gradient: none,
    }

    /// Reads the bytes of each string as numbers in memory. Strings are cut to a number of bytes, or filled up with zeros.
    ///
    /// TensorFlow: `tf.io.decode_raw` with `fixed_length`, `DecodePaddedRaw`. Strings of any shape; the result has one
    /// axis more.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor!["abc", "d"].decode_padded_raw(2, u8)?;
    /// assert_eq!(y.as_slice::<u8>()?, b"abd\0");
    /// # Ok::<(), Error>(())
    /// ```
    pub op DecodePaddedRaw = "DecodePaddedRaw" {
        inputs: { input_bytes: {String}, fixed_length: {I32} as Integer }, outputs: { output: out_type },
        attrs: { out_type: DType, little_endian: bool = true },
        call: method decode_padded_raw(x; fixed_length, dtype: DType) => { out_type: dtype },
        infer: infer::decode_padded_raw, kernel: bytes::decode_padded_raw,
        gradient: none,
        batch: |b| stacks(b, &[0]),
    }

    /// Writes a tensor to a scalar string: its dtype, shape and elements, as the message `TensorProto`.
    ///
    /// TensorFlow: `tf.io.serialize_tensor`, `SerializeTensor`. A tensor of any shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let bytes = tensor![[1, 2], [3, 4]].serialize_tensor()?;
    /// assert_eq!(bytes.parse_tensor(i32)?.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op SerializeTensor = "SerializeTensor" {
        inputs: { tensor: T }, outputs: { serialized: {String} },
        types: { T: DTypeSet::DATA },
        call: method serialize_tensor(x),
        infer: |_| crate::ops::rules::infer::one(DType::String, crate::types::Shape::scalar()),
        kernel: proto::serialize,
        gradient: none,
    }

    /// Reads a tensor that [`serialize_tensor()`] or TensorFlow wrote.
    ///
    /// TensorFlow: `tf.io.parse_tensor`, `ParseTensor`. A scalar string.
    ///
    /// # Errors
    /// `InvalidArgument` for damaged bytes, and for a tensor of another dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let bytes = tensor!["a", "bc"].serialize_tensor()?;
    /// assert_eq!(bytes.parse_tensor(DType::String)?.to_strings()?, ["a", "bc"]);
    /// assert!(bytes.parse_tensor(f32).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub op ParseTensor = "ParseTensor" {
        inputs: { serialized: {String} }, outputs: { output: out_type },
        attrs: { out_type: DType },
        call: method parse_tensor(x; dtype: DType) => { out_type: dtype },
        infer: infer::parse_tensor, kernel: proto::parse,
        gradient: none,
    }
}
