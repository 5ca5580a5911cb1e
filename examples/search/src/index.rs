//! The index of a search: how much each word tells of each passage.

use extype::prelude::*;
use extype_coo::CooMatrix;

/// The words of texts, and what they tell of each text.
///
/// A word tells more of a text if it is there more often, and less if many texts have it (TF-IDF: term frequency, inverse
/// document frequency).
#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "examples.Index")]
pub(crate) struct Index {
    /// The different words, in the order in which they first occur.
    #[extension_type(dtype = string, shape = [?])]
    pub(crate) words: Tensor,
    /// How often each word occurs.
    #[extension_type(dtype = i64, shape = [?])]
    pub(crate) counts: Tensor,
    /// How rare each word is: 1 in all texts, and more in few.
    #[extension_type(dtype = f32, shape = [?])]
    pub(crate) rarity: Tensor,
    /// A row for each text, of length 1, with a number for each of its words.
    pub(crate) weights: CooMatrix,
}

/// The words of texts, in lower case and without numbers: those of all texts, and row splits.
pub(crate) fn words_of(texts: &Tensor) -> Result<(Tensor, Tensor)> {
    texts.lower()?.regex_replace(r"[^\pL\pN_]+|\b[0-9]+\b", " ")?.split_on("", None)
}

impl Index {
    /// Makes the index of a vector of texts.
    ///
    /// # Errors
    /// `InvalidArgument` if `texts` is no vector of strings.
    pub(crate) fn new_of(texts: &Tensor) -> Result<Self> {
        let n = texts.shape().with_rank(1)?.dim(0)?.size().unwrap_or(0);
        let (all, splits) = words_of(texts)?;
        let (words, ids, counts) = all.unique_with_counts()?;
        let size = words.len();
        // Each word of a text has the number of the text; equal pairs of both are counted.
        let lengths = ops::sub(splits.index(1..)?, splits.index(..-1)?)?;
        let text_of = ops::arange(n as i64)?.repeat(&lengths, ..)?;
        let pair = text_of * size as i64 + ids.cast(i64)?;
        let (pairs, _, times) = pair.unique_with_counts()?;
        let (row, column) = (pairs.floor_div(size as i64)?, pairs.floor_mod(size as i64)?);

        let texts_with = column.bincount(ops::MinLength(size))?.cast(f32)?;
        let rarity = ((1.0 + n as f64) / (texts_with + 1.0)).log()? + 1.0;
        let weight = (times.cast(f32)?.log()? + 1.0) * rarity.gather(&column, 0)?;
        let squares = ops::unsorted_segment_sum(weight.square()?, &row, scalar(n as i64))?;
        let weight = weight / squares.sqrt()?.gather(&row, 0)?;
        let weights = CooMatrix::new(ops::stack(&[&row, &column], 1)?, weight, n, size)?;
        Self::new(words, counts.cast(i64)?, rarity, weights)
    }
}

/// The `most` texts that have most to do with a question, a scalar string: their scores from 0 to 1, the best first, and
/// their numbers.
///
/// A score is the cosine of the angle between the words of the text and those of the question.
///
/// # Errors
/// `InvalidArgument` if there are fewer texts.
#[tf_function]
pub(crate) fn search(index: &Index, question: &Tensor, most: i32) -> Result<(Tensor, Tensor)> {
    let (asked, _) = words_of(question)?;
    // [asked, words]: which word is which. Words that no text has are in no column.
    let same = ops::equal(asked.expand_dims(1)?, index.words.expand_dims(0)?)?;
    let times = same.cast(f32)?.reduce_sum(0, false)?;
    let weights = times * &index.rarity;
    let length = weights.square()?.reduce_sum(.., false)?.sqrt()?;
    let unit = ops::div_no_nan(&weights, &length)?;
    let scores = ops::matmul(&index.weights, unit.expand_dims(1)?)?.squeeze(1)?;
    scores.top_k(most)
}
