//! Static data of modules.

use std::any::Any;
use std::sync::Arc;

use super::{Fingerprint, Literal, StaticData};

/// Static data behind a reference, as a [`ModuleVisitor`](super::ModuleVisitor) sees it.
pub trait PlainData: Send + Sync {
    /// The value as a literal.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::PlainData;
    /// let fields: [&dyn PlainData; 2] = [&0.5f64, &"a".to_string()];
    /// assert_eq!(fields.map(|field| field.literal().to_string()), ["0.5", "\"a\""]);
    /// ```
    fn literal(&self) -> Literal;

    /// A copy of the value, for a later comparison by [`is`](Self::is).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::PlainData;
    /// let kept = 3i64.kept();
    /// assert_eq!(kept.downcast_ref(), Some(&3i64));
    /// ```
    fn kept(&self) -> Arc<dyn Any + Send + Sync>;

    /// True if `kept` is the same value.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::PlainData;
    /// let kept = f64::NAN.kept();
    /// assert!(f64::NAN.is(&*kept) && !1.0f64.is(&*kept));
    /// assert!(!f32::NAN.is(&*kept)); // another type
    /// ```
    fn is(&self, kept: &(dyn Any + Send + Sync)) -> bool;

    /// Adds the value to a fingerprint.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Fingerprint, PlainData};
    /// let of = |field: &dyn PlainData| {
    ///     let mut fingerprint = Fingerprint::default();
    ///     field.mix(&mut fingerprint);
    ///     fingerprint.get()
    /// };
    /// assert_eq!(of(&3i64), of(&3i64));
    /// assert_ne!(of(&3i64), of(&4i64));
    /// ```
    fn mix(&self, fingerprint: &mut Fingerprint);
}

impl<T: StaticData> PlainData for T {
    fn literal(&self) -> Literal {
        self.to_literal()
    }

    fn kept(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self.clone())
    }

    fn is(&self, kept: &(dyn Any + Send + Sync)) -> bool {
        kept.downcast_ref().is_some_and(|kept| self.same(kept))
    }

    fn mix(&self, fingerprint: &mut Fingerprint) {
        self.mix_literal(fingerprint);
    }
}
