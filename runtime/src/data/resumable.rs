//! Passes that checkpoints hold.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::dataset::Elements;
use super::state::IteratorState;
use crate::array::Array;
use crate::spec::{ModuleState, ModuleVisitor, Place, SavedState, Structure, VariableCopies};
use crate::tensor::Tensor;
use crate::types::{Result, bail};

/// A pass over a dataset whose place a checkpoint saves and restores. Clones are the same pass, so one can be iterated
/// while another is part of a checkpoint. It can be a field of a [`Module`](crate::Module).
///
/// ```
/// use extype::data::Dataset;
/// use extype::prelude::*;
/// let batches = Dataset::range(0..100).shuffle(100, 7).iter().resumable();
/// let first: Vec<Tensor> = batches.clone().take(3).collect::<Result<_>>()?;
/// let rest: Vec<Tensor> = batches.collect::<Result<_>>()?;
/// assert_eq!((first.len(), rest.len()), (3, 97));
/// # Ok::<(), Error>(())
/// ```
#[must_use = "iterators are lazy"]
pub struct Resumable<S: Structure>(Arc<Mutex<Elements<S>>>);

impl<S: Structure> Elements<S> {
    /// This pass as a part of checkpoints.
    ///
    /// ```
    /// use extype::data::Dataset;
    /// use extype::prelude::*;
    /// let mut numbers = Dataset::range(0..3).iter().resumable();
    /// assert_eq!(numbers.next().unwrap()?.item::<i64>()?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn resumable(self) -> Resumable<S> {
        Resumable(Arc::new(Mutex::new(self)))
    }
}

impl<S: Structure> Resumable<S> {
    fn pass(&self) -> MutexGuard<'_, Elements<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Structure> Clone for Resumable<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Structure> Iterator for Resumable<S> {
    type Item = Result<S>;

    fn next(&mut self) -> Option<Result<S>> {
        self.pass().next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.pass().size_hint()
    }
}

impl<S: Structure> fmt::Debug for Resumable<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resumable").finish_non_exhaustive()
    }
}

/// What TensorFlow's files call the state of an iterator. The bytes in it are ours.
impl<S: Structure> SavedState for Resumable<S> {
    fn name(&self) -> &'static str {
        "ITERATOR"
    }

    fn save(&self) -> Result<Vec<(&'static str, Tensor)>> {
        let bytes = self.pass().save()?.to_bytes()?;
        Ok(vec![("_STATE", Tensor::Value(Array::from_strings([], vec![bytes])?))])
    }

    fn prepare(&self, value: &dyn Fn(&str) -> Result<Tensor>) -> Result<Box<dyn FnOnce()>> {
        let value = value("_STATE")?;
        let [bytes] = value.data()?.as_strings()? else {
            bail!("the state of an iterator is one string, not {}", value.tensor_type())
        };
        let data = self.pass().dataset();
        let (resumed, of) = (data.resume(&IteratorState::from_bytes(bytes)?)?, self.clone());
        Ok(Box::new(move || {
            // The old pass may have threads: it ends outside of the lock.
            let old = std::mem::replace(&mut *of.pass(), resumed);
            drop(old);
        }))
    }
}

impl<S: Structure> ModuleState for Resumable<S> {
    fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
        visitor.saved(place, &|| Arc::new(self.clone()));
    }

    fn copied_at(&self, _: &VariableCopies) -> Result<Self> {
        let mut pass = self.pass();
        let state = pass.save()?;
        Ok(pass.dataset().resume(&state)?.resumable())
    }
}
