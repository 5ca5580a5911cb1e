//! Handles of mutable state and boxed values.

use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// Mutable state behind a handle: a variable, a table, a generator.
pub trait Resource: Any + Debug + Send + Sync {
    /// A number that no other resource of the process has.
    fn id(&self) -> u64;

    /// The kind, for messages: "variable".
    fn kind(&self) -> &'static str;

    /// For downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// A boxed value of any type: the element of a variant array.
#[derive(Clone)]
pub struct Variant(Arc<dyn Any + Send + Sync>);

impl Variant {
    /// Boxes a value.
    pub fn new(value: impl Any + Send + Sync) -> Self {
        Self(Arc::new(value))
    }

    /// The value, if it has this type.
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<variant>")
    }
}
