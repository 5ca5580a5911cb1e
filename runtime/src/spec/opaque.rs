//! Objects that traces know by identity.

use std::any::type_name;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Weak};

use super::{AnySpec, Fingerprint, LeafIter, Leaves, SpecContext, Structure, TraceType, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// A shared object as an argument of traced functions, known by its identity. Each object has traces of its own, which
/// see the object itself. They hold it weakly: when the last handle is dropped, they can serve no call, and go.
///
/// Clones are handles of one object. Tensors that the body finds in the object are captured: they keep the values that
/// they have while tracing.
///
/// TensorFlow: any Python object that is neither a tensor nor hashable by value.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::Opaque;
///
/// struct Scaler(Box<dyn Fn(&Tensor) -> Result<Tensor> + Send + Sync>);
///
/// #[tf_function]
/// fn scaled(x: &Tensor, by: &Opaque<Scaler>) -> Result<Tensor> {
///     (by.0)(x)
/// }
///
/// let double = Opaque::new(Scaler(Box::new(|x| ops::mul(x, 2.0))));
/// let negate = Opaque::new(Scaler(Box::new(|x| ops::neg(x))));
/// assert_eq!(scaled(&scalar(3.0f32), &double)?.item::<f32>()?, 6.0);
/// assert_eq!(scaled(&scalar(4.0f32), &double.clone())?.item::<f32>()?, 8.0);
/// assert_eq!(scaled::trace_count(), 1);
/// assert_eq!(scaled(&scalar(3.0f32), &negate)?.item::<f32>()?, -3.0);
/// assert_eq!(scaled::trace_count(), 2);
/// # Ok::<(), Error>(())
/// ```
pub struct Opaque<T>(Arc<T>);

impl<T> Opaque<T> {
    /// A handle of a new object.
    pub fn new(object: T) -> Self {
        Self(Arc::new(object))
    }
}

impl<T> From<Arc<T>> for Opaque<T> {
    fn from(object: Arc<T>) -> Self {
        Self(object)
    }
}

impl<T> Clone for Opaque<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for Opaque<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Opaque<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Opaque<{}>", type_name::<T>())
    }
}

/// The type of an [`Opaque`]: one object. It equals no other, and nothing once the object is gone.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::Opaque;
/// let (one, other) = (Opaque::new(1u8), Opaque::new(1u8));
/// let spec = one.type_spec().to_any();
/// assert!(spec == one.type_spec().to_any() && spec != other.type_spec().to_any());
/// drop(one);
/// assert!(!spec.is_subtype_of(&spec));
/// ```
pub struct OpaqueSpec<T>(Weak<T>);

impl<T> OpaqueSpec<T> {
    fn is(&self, other: &Self) -> bool {
        Weak::ptr_eq(&self.0, &other.0) && self.0.strong_count() > 0
    }
}

impl<T> Clone for OpaqueSpec<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> fmt::Debug for OpaqueSpec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gone = if self.0.strong_count() == 0 { ", gone" } else { "" };
        write!(f, "Opaque<{}>({:p}{gone})", type_name::<T>(), self.0.as_ptr())
    }
}

impl<T: Send + Sync + 'static> TraceType for OpaqueSpec<T> {
    fn equals(&self, other: &dyn TraceType) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| self.is(other))
    }

    fn mix(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(self.0.as_ptr().addr() as u64);
    }

    fn is_dead(&self) -> bool {
        self.0.strong_count() == 0
    }

    fn kind(&self) -> &'static str {
        "opaque object"
    }
}

impl<T: Send + Sync + 'static> TypeSpec for OpaqueSpec<T> {
    type Value = Opaque<T>;

    fn to_any(&self) -> AnySpec {
        AnySpec::Custom(Arc::new(self.clone()))
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        any.as_custom::<Self>().cloned()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Structure for Opaque<T> {
    type Spec = OpaqueSpec<T>;

    fn spec_in(&self, _: &mut SpecContext) -> OpaqueSpec<T> {
        OpaqueSpec(Arc::downgrade(&self.0))
    }

    fn has_spec(&self, spec: &OpaqueSpec<T>, _: &mut SpecContext) -> bool {
        std::ptr::eq(Arc::as_ptr(&self.0), spec.0.as_ptr())
    }

    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(Arc::as_ptr(&self.0).addr() as u64);
    }

    fn leaves<'a>(&'a self, _: &mut Leaves<'a>) {}

    fn into_leaves(self, _: &mut Vec<Tensor>) {}

    fn from_leaves(spec: &OpaqueSpec<T>, _: &mut LeafIter) -> Result<Self> {
        spec.0.upgrade().map(Opaque).ok_or_else(|| {
            err!(FailedPrecondition, "an object of type `{}` was dropped", type_name::<T>())
        })
    }
}
