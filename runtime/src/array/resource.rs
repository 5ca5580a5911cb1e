//! Handles of mutable state and boxed values.

use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::Arc;

use super::Array;
use crate::types::{Result, bail};

/// Mutable state behind a handle: a variable, a table, a generator.
///
/// ```
/// use extype::array::{Array, Resource};
/// use std::sync::{Arc, Mutex};
/// #[derive(Debug)]
/// struct Log { id: u64, lines: Mutex<Vec<String>> }
/// impl Resource for Log {
///     fn id(&self) -> u64 { self.id }
///     fn kind(&self) -> &'static str { "log" }
///     fn as_any(&self) -> &dyn std::any::Any { self }
/// }
/// let handle = Array::from_resource(Arc::new(Log { id: u64::MAX, lines: Mutex::default() }));
/// let log = handle.as_resource()?.as_any().downcast_ref::<Log>().unwrap();
/// log.lines.lock().unwrap().push("begun".into());
/// assert_eq!(log.lines.lock().unwrap().len(), 1);
/// # Ok::<(), extype::Error>(())
/// ```
pub trait Resource: Any + Debug + Send + Sync {
    /// A number that no other resource of the process has.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(1.0f32))?);
    /// assert_ne!(v.handle().value()?.as_resource()?.id(), w.handle().value()?.as_resource()?.id());
    /// # Ok::<(), Error>(())
    /// ```
    fn id(&self) -> u64;

    /// The kind, for messages: "variable".
    ///
    /// ```
    /// use extype::prelude::*;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// assert_eq!(v.handle().value()?.as_resource()?.kind(), "variable");
    /// # Ok::<(), Error>(())
    /// ```
    fn kind(&self) -> &'static str;

    /// For downcasts.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::tensor::VariableState;
    /// let v = Variable::new(scalar(1.0f32))?;
    /// let resource = v.handle().value()?.as_resource()?;
    /// assert!(resource.as_any().downcast_ref::<VariableState>().is_some());
    /// # Ok::<(), Error>(())
    /// ```
    fn as_any(&self) -> &dyn Any;

    /// A copy with a state of its own, for the copy of a module. `None` if the state never changes, so that copies
    /// share it.
    ///
    /// # Errors
    /// `Unimplemented` unless the type defines it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::{LookupTable, MutableTable};
    /// let (fixed, table) = (LookupTable::new([1i64], [2.0], 0.0)?, MutableTable::new(i64, 0.0)?);
    /// assert!(fixed.handle().value()?.as_resource()?.copied()?.is_none());
    /// assert!(table.handle().value()?.as_resource()?.copied()?.is_some());
    /// # Ok::<(), Error>(())
    /// ```
    fn copied(&self) -> Result<Option<Arc<dyn Resource>>> {
        bail!(Unimplemented, "a {} can't be copied", self.kind())
    }
}

/// A value of any type that a variant can hold. It has zeros and a sum if it takes part in gradients.
///
/// ```
/// use extype::array::{AddArrays, Array, Boxed, Variant};
/// use extype::prelude::*;
/// struct Span(Array, Array);
/// impl Boxed for Span {
///     fn kind(&self) -> &'static str { "span" }
///     fn zeros_like(&self) -> Result<Variant> {
///         let zeros = |x: &Array| Array::zeros(x.dtype(), x.dims());
///         Ok(Variant::new(Span(zeros(&self.0)?, zeros(&self.1)?)))
///     }
///     fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
///         let other = other.downcast_ref::<Span>().ok_or_else(|| Error::invalid("no span"))?;
///         Ok(Variant::new(Span(add(&self.0, &other.0)?, add(&self.1, &other.1)?)))
///     }
/// }
/// let x = Variant::new(Span(Array::scalar(1.0f32), Array::scalar(2.0f32)));
/// let zeros = x.value().zeros_like()?;
/// assert_eq!(zeros.downcast_ref::<Span>().unwrap().1.as_slice::<f32>()?, &[0.0]);
/// # Ok::<(), Error>(())
/// ```
pub trait Boxed: Any + Send + Sync {
    /// The kind, for messages: "list of tensors".
    ///
    /// ```
    /// use extype::array::Variant;
    /// assert_eq!(Variant::nothing().value().kind(), "nothing");
    /// ```
    fn kind(&self) -> &'static str;

    /// A value like this one, with zeros.
    ///
    /// # Errors
    /// `Unimplemented` if the type has none.
    ///
    /// ```
    /// use extype::array::{Boxed, Variant};
    /// use extype::prelude::*;
    /// struct Label(String);
    /// impl Boxed for Label {
    ///     fn kind(&self) -> &'static str { "label" }
    /// }
    /// assert_eq!(Label("a".into()).zeros_like().unwrap_err().kind(), ErrorKind::Unimplemented);
    /// assert_eq!(Variant::nothing().value().zeros_like()?.value().kind(), "nothing");
    /// # Ok::<(), Error>(())
    /// ```
    fn zeros_like(&self) -> Result<Variant> {
        bail!(Unimplemented, "a variant with a {} has no zeros", self.kind())
    }

    /// The sum of this value and another of its type. `add` adds two arrays.
    ///
    /// # Errors
    /// `Unimplemented` if the type has none; `InvalidArgument` for a value of another type.
    ///
    /// ```
    /// use extype::array::{Array, Boxed, Variant};
    /// use extype::prelude::*;
    /// struct Label(String);
    /// impl Boxed for Label {
    ///     fn kind(&self) -> &'static str { "label" }
    /// }
    /// let add = |x: &Array, _: &Array| Ok(x.clone());
    /// let e = Label("a".into()).sum(&Variant::new(Label("b".into())), &add).unwrap_err();
    /// assert_eq!(e.message(), "a variant with a label has no sum");
    /// ```
    fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
        let _ = (other, add);
        bail!(Unimplemented, "a variant with a {} has no sum", self.kind())
    }
}

/// The sum of two arrays.
pub type AddArrays<'a> = dyn Fn(&Array, &Array) -> Result<Array> + 'a;

/// The element of a variant array: a boxed value.
///
/// ```
/// use extype::array::{Boxed, Variant};
/// struct Label(&'static str);
/// impl Boxed for Label {
///     fn kind(&self) -> &'static str { "label" }
/// }
/// let x = Variant::new(Label("red"));
/// assert!(x.downcast_ref::<Label>().is_some_and(|label| label.0 == "red"));
/// ```
#[derive(Clone)]
pub struct Variant(Arc<dyn Boxed>);

/// The value of a variant that was never set. In sums it is zero for values of any type.
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
    ///
    /// ```
    /// use extype::array::{Boxed, Variant};
    /// struct Label(String);
    /// impl Boxed for Label {
    ///     fn kind(&self) -> &'static str { "label" }
    /// }
    /// let x = Variant::new(Label("red".into()));
    /// assert_eq!(x.downcast_ref::<Label>().map(|label| label.0.as_str()), Some("red"));
    /// ```
    pub fn new(value: impl Boxed) -> Self {
        Self(Arc::new(value))
    }

    /// A variant that holds nothing.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::types::DType;
    /// let zeros = Array::zeros(DType::Variant, [2])?;
    /// assert_eq!(zeros.as_variants()?[0].value().kind(), "nothing");
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn nothing() -> Self {
        Self::new(Nothing)
    }

    /// The sum of the values of two variants. `add` adds two arrays.
    ///
    /// # Errors
    /// As [`Boxed::sum`].
    ///
    /// ```
    /// use extype::array::{Array, Boxed, Variant};
    /// struct Label(String);
    /// impl Boxed for Label {
    ///     fn kind(&self) -> &'static str { "label" }
    /// }
    /// let add = |x: &Array, _: &Array| Ok(x.clone());
    /// let sum = Variant::nothing().sum(&Variant::new(Label("red".into())), &add)?;
    /// assert_eq!(sum.value().kind(), "label");
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn sum(&self, other: &Variant, add: &AddArrays<'_>) -> Result<Variant> {
        match other.downcast_ref::<Nothing>() {
            Some(_) => Ok(self.clone()),
            None => self.0.sum(other, add),
        }
    }

    /// The value.
    ///
    /// ```
    /// use extype::array::{Boxed, Variant};
    /// struct Label(String);
    /// impl Boxed for Label {
    ///     fn kind(&self) -> &'static str { "label" }
    /// }
    /// assert_eq!(Variant::new(Label("red".into())).value().kind(), "label");
    /// ```
    pub fn value(&self) -> &dyn Boxed {
        &*self.0
    }

    /// The value, if it has this type.
    ///
    /// ```
    /// use extype::array::{Boxed, Variant};
    /// struct Label(String);
    /// impl Boxed for Label {
    ///     fn kind(&self) -> &'static str { "label" }
    /// }
    /// let x = Variant::new(Label("red".into()));
    /// assert!(x.downcast_ref::<Label>().is_some_and(|label| label.0 == "red"));
    /// assert!(x.downcast_ref::<String>().is_none());
    /// ```
    pub fn downcast_ref<T: Any>(&self) -> Option<&T> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// The value, mutably, if it has this type and nothing else holds it.
    pub(crate) fn downcast_mut<T: Any>(&mut self) -> Option<&mut T> {
        (Arc::get_mut(&mut self.0)? as &mut dyn Any).downcast_mut()
    }
}

impl Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<variant>")
    }
}
