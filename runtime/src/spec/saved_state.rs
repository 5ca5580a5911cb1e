//! What checkpoints see of modules, beside variables.

use crate::tensor::{Identity, Tensor, Variable};
use crate::types::Result;

/// State that is no variable, as tensors that checkpoints hold.
///
/// A field shows it to [`ModuleVisitor::saved`](super::ModuleVisitor::saved).
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicI64, Ordering};
/// use extype::prelude::*;
/// use extype::spec::{ModuleState, ModuleVisitor, Place, SavedState};
///
/// /// A count that is no variable.
/// #[derive(Clone, Default)]
/// struct Count(Arc<AtomicI64>);
///
/// impl SavedState for Count {
///     fn name(&self) -> &'static str {
///         "COUNT"
///     }
///
///     fn save(&self) -> Result<Vec<(&'static str, Tensor)>> {
///         Ok(vec![("", scalar(self.0.load(Ordering::Relaxed)))])
///     }
///
///     fn prepare(&self, value: &dyn Fn(&str) -> Result<Tensor>) -> Result<Box<dyn FnOnce()>> {
///         let (count, of) = (value("")?.item::<i64>()?, self.clone());
///         Ok(Box::new(move || of.0.store(count, Ordering::Relaxed)))
///     }
/// }
///
/// impl ModuleState for Count {
///     fn visit_at(&self, place: Place, visitor: &mut dyn ModuleVisitor) {
///         visitor.saved(place, &|| Arc::new(self.clone()));
///     }
/// }
///
/// let (old, new) = (Count::default(), Count::default());
/// old.0.store(7, Ordering::Relaxed);
/// let values = old.save()?;
/// let restore = new.prepare(&|_| Ok(values[0].1.clone()))?;
/// restore();
/// assert_eq!(new.0.load(Ordering::Relaxed), 7);
/// # Ok::<(), Error>(())
/// ```
pub trait SavedState {
    /// The name of the attribute in files, such as `ITERATOR`.
    fn name(&self) -> &'static str;

    /// The values, each with what the name of its tensor in files ends with, after the name of the attribute.
    ///
    /// # Errors
    /// If the state can't be saved.
    fn save(&self) -> Result<Vec<(&'static str, Tensor)>>;

    /// Checks the values of a checkpoint, which `value` gives by the ends of their names. What is returned sets them, and
    /// is called once all values of the checkpoint have been checked.
    ///
    /// # Errors
    /// If the values are not of such state.
    fn prepare(&self, value: &dyn Fn(&str) -> Result<Tensor>) -> Result<Box<dyn FnOnce()>>;
}

/// State that a module keeps for variables of others, as optimizers do. It may be made when it is restored.
#[doc(hidden)]
pub trait Slots: Send + Sync {
    /// Which state this is.
    fn id(&self) -> Identity;

    /// What there may be.
    fn kinds(&self) -> Vec<SlotKind>;

    /// The variables that have slots, in the order in which they got them.
    fn owners(&self) -> Vec<Identity>;

    /// A slot, if it was made; for no owner, state of the whole module.
    fn get(&self, owner: Option<Identity>, slot: &'static str) -> Option<Variable>;

    /// Gives a slot a value. It is made if it is missing.
    fn set(&self, owner: Option<&Variable>, slot: &'static str, value: &Tensor) -> Result<()>;
}

/// A slot of each variable, or of the whole module.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct SlotKind {
    pub slot: &'static str,
    /// The field of Keras's optimizers: a list, unless the slot is one of the whole module.
    pub field: String,
    pub whole: bool,
}
