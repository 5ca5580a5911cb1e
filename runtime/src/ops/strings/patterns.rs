//! Regular expressions, scripts and normal forms (feature `text`).

use super::infer::{one_of, shaped};
use super::{regex, scripts};
use crate::define_op;
use crate::ir::{InferContext, Types};
use crate::ops::rules::batch::elementwise;
use crate::ops::rules::folded::stacks;
use crate::ops::rules::infer::same_shape;
use crate::types::{DType, Result};

define_op! {
    /// Methods: regular expressions, scripts and normal forms.
    methods of PatternMethods;

    /// Tells which strings a regular expression matches as a whole.
    ///
    /// pandas: `str.fullmatch`; TensorFlow: `tf.strings.regex_full_match`, `StaticRegexFullMatch`. Strings of any shape,
    /// which the result, of bool, has too. The syntax is that of [RE2](https://github.com/google/re2/wiki/Syntax).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor!["ab12", "12"].regex_full_match(r"[a-z]+\d*")?;
    /// assert_eq!(y.as_slice::<bool>()?, &[true, false]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StaticRegexFullMatch = "StaticRegexFullMatch" {
        inputs: { input: {String} }, outputs: { output: {Bool} }, attrs: { pattern: String },
        call: method regex_full_match(x; pattern: &str) => { pattern: pattern.to_owned() },
        infer: |c| shaped(c, DType::Bool), kernel: regex::static_full_match,
        gradient: none, batch: elementwise,
    }

    /// [`StaticRegexFullMatch`] with the pattern as a scalar tensor.
    ///
    /// TensorFlow: `RegexFullMatch`.
    pub op RegexFullMatch = "RegexFullMatch" {
        inputs: { input: {String}, pattern: {String} }, outputs: { output: {Bool} },
        infer: |c| with_scalars(c, DType::Bool), kernel: regex::dynamic_full_match,
        gradient: none,
        batch: |b| stacks(b, &[0]),
    }

    /// Replaces the matches of a regular expression. In the replacement, `\1` to `\9` stand for groups of the match,
    /// `\0` for all of it.
    ///
    /// pandas: `str.replace` with `regex`; TensorFlow: `tf.strings.regex_replace`, `StaticRegexReplace`. Strings of any
    /// shape, which the result has too. The syntax is that of [RE2](https://github.com/google/re2/wiki/Syntax).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor!["a1 b22"].regex_replace(r"([a-z])(\d+)", r"\2\1")?;
    /// assert_eq!(y.to_strings()?, ["1a 22b"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op StaticRegexReplace = "StaticRegexReplace" {
        inputs: { input: {String} }, outputs: { output: {String} },
        attrs: { pattern: String, rewrite: String, replace_global: bool = true },
        call: method regex_replace(x; pattern: &str, rewrite: &str) => { pattern: pattern.to_owned(), rewrite: rewrite.to_owned() },
        infer: same_shape, kernel: regex::static_replace,
        gradient: none, batch: elementwise,
    }

    /// [`StaticRegexReplace`] with pattern and replacement as scalar tensors.
    ///
    /// TensorFlow: `RegexReplace`.
    pub op RegexReplace = "RegexReplace" {
        inputs: { input: {String}, pattern: {String}, rewrite: {String} }, outputs: { output: {String} },
        attrs: { replace_global: bool = true },
        infer: |c| with_scalars(c, DType::String), kernel: regex::dynamic_replace,
        gradient: none,
        batch: |b| stacks(b, &[0]),
    }

    /// The text of a group in the first match of a regular expression, 0 for all of the match; an empty text without a
    /// match.
    ///
    /// pandas: `str.extract`. Strings of any shape, which the result has too. The syntax is that of
    /// [RE2](https://github.com/google/re2/wiki/Syntax).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = tensor!["id=7;", "none"].regex_extract(r"id=(\d+)", 1)?;
    /// assert_eq!(y.to_strings()?, ["7", ""]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op RegexExtract = "Extype>RegexExtract" {
        inputs: { input: {String} }, outputs: { output: {String} },
        attrs: { pattern: String, group: i64 = 0 },
        call: method regex_extract(x; pattern: &str, group) => { pattern: pattern.to_owned() },
        infer: same_shape, kernel: regex::extract,
        gradient: none, batch: elementwise,
    }

    /// The number of the script that each code point belongs to, by ICU's numbers; -1 for what is no code point.
    ///
    /// TensorFlow: `tf.strings.unicode_script`, `UnicodeScript`. Int32 of any shape, which the result has too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// // Latin, Greek, Han.
    /// let x = tensor!['A' as i32, 'α' as i32, '本' as i32];
    /// assert_eq!(x.unicode_script()?.as_slice::<i32>()?, &[25, 14, 17]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnicodeScript = "UnicodeScript" {
        inputs: { input: {I32} }, outputs: { output: {I32} },
        call: method unicode_script(x),
        infer: same_shape, kernel: scripts::script,
        gradient: none, batch: elementwise,
    }

    /// Strings of UTF-8 in a normal form of Unicode: `NFC`, `NFD`, `NFKC` or `NFKD`.
    ///
    /// pandas: `str.normalize`; TensorFlow: `tf_text.normalize_utf8`. Strings of any shape, which the result has too.
    /// Bytes that are no UTF-8 become U+FFFD.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor!["e\u{301}"].unicode_normalize("NFC")?.to_strings()?, ["é"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op UnicodeNormalize = "Extype>UnicodeNormalize" {
        inputs: { input: {String} }, outputs: { output: {String} }, attrs: { form: String },
        call: method unicode_normalize(x; form: &str) => { form: form.to_owned() },
        infer: |c| {
            one_of(c, UnicodeNormalize::FORM, &scripts::FORMS)?;
            shaped(c, DType::String)
        },
        kernel: scripts::normalize,
        gradient: none, batch: elementwise,
    }
}

/// A result of the shape of the first input, if the others are scalars.
fn with_scalars(c: &InferContext<'_>, dtype: DType) -> Result<Types> {
    for i in 1..c.inputs.len() {
        c.shape(i).with_rank(0).map_err(|e| e.prefixed("the pattern and its like are scalars"))?;
    }
    shaped(c, dtype)
}
