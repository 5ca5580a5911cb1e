//! Handles of mutable state and boxed values.

use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::Arc;

use super::Array;
use crate::types::{Result, bail};

/// Mutable state behind a handle: a variable, a table, a generator.
pub trait Resource: Any + Debug + Send + Sync {
    /// A number that no other resource of the process has.
    fn id(&self) -> u64;

    /// The kind, for messages: "variable".
    fn kind(&self) -> &'static str;

    /// For downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// What a variant may hold: a value of any type, which has zeros and a sum if it takes part in gradients.
pub trait Boxed: Any + Send + Sync {
    /// What it is, for messages: "list of tensors".
    fn kind(&self) -> &'static str;

    /// A value like this one of zeros.
    ///
    /// # Errors
    /// `Unimplemented` if the type has none.
    fn zeros_like(&self) -> Result<Variant> {
        bail!(Unimplemented, "a variant with a {} has no zeros", self.kind())
    }

    /// The sum of this value and another of its type, given that of two arrays.
    ///
    /// # Errors
    /// `Unimplemented` if the type has none; `InvalidArgument` for a value of another type.
    fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
        let _ = (other, add);
        bail!(Unimplemented, "a variant with a {} has no sum", self.kind())
    }
}

/// The sum of two arrays.
pub type AddArrays<'a> = dyn Fn(&Array, &Array) -> Result<Array> + 'a;

/// The element of a variant array: a boxed value.
#[derive(Clone)]
pub struct Variant(Arc<dyn Boxed>);

/// What variants hold that nobody set: zero, whatever else there may be.
struct Nothing;

impl Boxed for Nothing {
    fn kind(&self) -> &'static str {
        "nothing"
    }

    fn zeros_like(&self) -> Result<Variant> {
        Ok(Variant::nothing())
    }

    fn sum(&self, other: &Variant, _: &AddArrays<'_>) -> Result<Variant> {
        Ok(other.clone())
    }
}

impl Variant {
    /// Boxes a value.
    pub fn new(value: impl Boxed) -> Self {
        Self(Arc::new(value))
    }

    /// A variant that holds nothing.
    pub fn nothing() -> Self {
        Self::new(Nothing)
    }

    /// The sum of what two variants hold, given that of two arrays.
    ///
    /// # Errors
    /// As [`Boxed::sum`].
    pub fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
        match other.downcast_ref::<Nothing>() {
            Some(_) => Ok(self.clone()),
            None => self.0.sum(other, add),
        }
    }

    /// The value.
    pub fn value(&self) -> &dyn Boxed {
        &*self.0
    }

    /// The value, if it has this type.
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }
}

impl Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<variant>")
    }
}
