//! Vocabularies: words with ids.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::{LookupTable, TextColumns};
use crate::array::Array;
use crate::ops::methods::*;
use crate::ops::{self, TableState};
use crate::spec::{Module, ModuleVisitor, VariableCopies};
use crate::tensor::{Tensor, TensorLike, call_site, init_scope};
use crate::types::{DType, Result, bail};

/// The id of words that the vocabulary does not have and that fall into no bucket.
const UNKNOWN: i64 = -1;

/// Words, or int64 keys, with their ids: a table to ids and back.
///
/// Words that it does not have get the id -1, or, with [`oov_buckets`](Self::oov_buckets), the id of one of some buckets
/// by their hash.
///
/// TensorFlow: `tf.lookup.StaticVocabularyTable`, with the same ids.
///
/// ```
/// use extype::prelude::*;
/// use extype::resources::StaticVocabulary;
/// let words = StaticVocabulary::new(["the", "cat", "sat"])?;
/// assert_eq!(words.ids(["cat", "dog"])?.as_slice::<i64>()?, &[1, -1]);
/// assert_eq!(words.words([2, 0, 9], "?")?.to_strings()?, ["sat", "the", "?"]);
/// let words = words.oov_buckets(2)?;
/// assert!([3, 4].contains(&words.ids("dog")?.item::<i64>()?));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct StaticVocabulary {
    /// None for words that all fall into buckets.
    table: Option<LookupTable>,
    buckets: i64,
    /// From ids to words, made when it is first used.
    reverse: Arc<OnceLock<LookupTable>>,
}

impl StaticVocabulary {
    /// A vocabulary of these words, whose ids are 0, 1 and so on.
    ///
    /// # Errors
    /// `FailedPrecondition` for a word that is there twice; `InvalidArgument` for no word.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// assert_eq!(StaticVocabulary::new(["a", "b"])?.size()?.item::<i64>()?, 2);
    /// assert!(StaticVocabulary::new(["a", "a"]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>) -> Result<Self> {
        let _site = call_site!();
        let words: Vec<Vec<u8>> = words.into_iter().map(|word| word.as_ref().to_vec()).collect();
        let ids: Vec<i64> = (0..words.len() as i64).collect();
        let words = Array::from_strings([words.len()], words)?;
        Self::with_ids(Tensor::Value(words), Tensor::from_vec(ids))
    }

    /// A vocabulary of the lines of a text file, whose ids are 0, 1 and so on.
    ///
    /// # Errors
    /// As [`LookupTable::from_file`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// let path = std::env::temp_dir().join(format!("extype_vocabulary_{}", std::process::id()));
    /// std::fs::write(&path, "the\ncat\n").expect("a file");
    /// assert_eq!(StaticVocabulary::from_file(&path)?.ids("cat")?.item::<i64>()?, 1);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let _site = call_site!();
        Ok(Self::of(LookupTable::from_file(path, &TextColumns::default(), UNKNOWN)?))
    }

    /// A vocabulary of keys, strings or int64, with these ids, int64.
    ///
    /// # Errors
    /// As [`LookupTable::new`], and `InvalidArgument` for other dtypes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// let codes = StaticVocabulary::with_ids([100i64, 200], [0i64, 1])?;
    /// assert_eq!(codes.ids([200i64, 100, 1])?.as_slice::<i64>()?, &[1, 0, -1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn with_ids(keys: impl TensorLike, ids: impl TensorLike) -> Result<Self> {
        let _site = call_site!();
        let (keys, ids) = (keys.to_tensor()?, ids.to_tensor()?);
        if ids.dtype() != DType::I64 {
            bail!("ids are int64, not {}", ids.dtype());
        }
        if ![DType::I64, DType::String].contains(&keys.dtype()) {
            bail!("keys of a vocabulary are strings or int64, not {}", keys.dtype());
        }
        Ok(Self::of(LookupTable::new(keys, ids, UNKNOWN)?))
    }

    /// A vocabulary without words: all fall into this many buckets.
    ///
    /// # Errors
    /// `InvalidArgument` for no bucket.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// let ids = StaticVocabulary::hashed(5)?.ids(["a", "b"])?;
    /// assert_eq!(ids.as_slice::<i64>()?, &[4, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn hashed(buckets: usize) -> Result<Self> {
        let none = Self { table: None, buckets: 0, reverse: Arc::default() };
        none.oov_buckets(buckets)
    }

    fn of(table: LookupTable) -> Self {
        Self { table: Some(table), buckets: 0, reverse: Arc::default() }
    }

    /// Gives words that the vocabulary does not have ids behind those of its words, in this many buckets.
    ///
    /// # Errors
    /// `InvalidArgument` for no bucket.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// let words = StaticVocabulary::new(["x", "y"])?.oov_buckets(1)?;
    /// assert_eq!(words.ids(["y", "z"])?.as_slice::<i64>()?, &[1, 2]);
    /// assert_eq!(words.size()?.item::<i64>()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn oov_buckets(self, buckets: usize) -> Result<Self> {
        let _site = call_site!();
        match i64::try_from(buckets) {
            Ok(buckets) if buckets > 0 => Ok(Self { buckets, ..self }),
            _ => bail!("{buckets} buckets: one at least; without buckets the id is -1"),
        }
    }

    /// The ids of words: int64 of their shape. Int32 keys are taken as int64.
    ///
    /// # Errors
    /// `InvalidArgument` for keys of another dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// let words = StaticVocabulary::new(["x", "y"])?;
    /// assert_eq!(words.ids([["y", "x"]])?.shape(), shape![1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn ids(&self, words: impl TensorLike) -> Result<Tensor> {
        let _site = call_site!();
        let mut words = words.to_tensor()?;
        if words.dtype() == DType::I32 {
            words = words.cast(DType::I64)?;
        }
        let found = self.table.as_ref().map(|table| table.lookup(&words)).transpose()?;
        if self.buckets == 0 {
            return found.ok_or_else(|| crate::Error::internal("a vocabulary of nothing"));
        }
        let text = match words.dtype() {
            DType::String => words,
            _ => ops::as_string(&words, ..)?,
        };
        let bucket = text.to_hash_bucket_fast(self.buckets)?;
        match (found, &self.table) {
            (Some(found), Some(table)) => {
                let bucket = ops::add(&bucket, table.size()?)?;
                ops::select(found.not_equal(UNKNOWN)?, &found, &bucket)
            }
            _ => Ok(bucket),
        }
    }

    /// The words of ids, and `unknown` for other ids. For a vocabulary of int64 keys those keys.
    ///
    /// # Errors
    /// `InvalidArgument` for ids that are not int64, and for a vocabulary of buckets alone; `FailedPrecondition` for two
    /// words with one id.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// let words = StaticVocabulary::new(["x", "y"])?;
    /// assert_eq!(words.words([1, 7], "")?.to_strings()?, ["y", ""]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn words(&self, ids: impl TensorLike, unknown: impl TensorLike) -> Result<Tensor> {
        let _site = call_site!();
        if let Some(reverse) = self.reverse.get() {
            return reverse.lookup_or(ids, unknown);
        }
        let Some(table) = &self.table else {
            bail!("a vocabulary of buckets alone does not know words");
        };
        let handle = table.handle().value()?.as_resource()?;
        let state = handle.as_any().downcast_ref::<TableState>();
        let (words, ids_of) = state.ok_or_else(|| crate::Error::internal("no table"))?.export()?;
        let none = Array::zeros(words.dtype(), [])?;
        let [words, ids_of, none] = [words, ids_of, none].map(Tensor::Value);
        let reverse = init_scope(|| LookupTable::new(ids_of, words, none))?;
        self.reverse.get_or_init(|| reverse).lookup_or(ids, unknown)
    }

    /// The number of ids, those of buckets included: int64, a scalar.
    ///
    /// # Errors
    /// As [`LookupTable::size`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::StaticVocabulary;
    /// assert_eq!(StaticVocabulary::new(["x", "y"])?.oov_buckets(3)?.size()?.item::<i64>()?, 5);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn size(&self) -> Result<Tensor> {
        let _site = call_site!();
        match &self.table {
            Some(table) => ops::add(table.size()?, self.buckets),
            None => Ok(Tensor::scalar(self.buckets)),
        }
    }
}

impl fmt::Debug for StaticVocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.table {
            Some(table) => write!(f, "<vocabulary of {table:?} and {} buckets>", self.buckets),
            None => write!(f, "<vocabulary of {} buckets>", self.buckets),
        }
    }
}

impl Module for StaticVocabulary {
    fn visit(&self, visitor: &mut dyn ModuleVisitor) {
        if let Some(table) = &self.table {
            table.visit(visitor);
        }
        visitor.plain("buckets".into(), &self.buckets);
    }

    fn copied(&self, _: &VariableCopies) -> Result<Self> {
        Ok(self.clone())
    }
}
