//! One dimension of a shape.

use std::fmt;

/// One dimension of a [`Shape`](super::Shape): a size, or unknown.
///
/// ```
/// use extype::types::Dim;
/// assert_eq!(Dim::from(3).size(), Some(3));
/// assert_eq!(Dim::UNKNOWN.to_string(), "?");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dim(pub(super) usize);

impl Dim {
    /// A dimension of unknown size.
    pub const UNKNOWN: Dim = Dim(usize::MAX);

    /// The size, if known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let shape = shape![2, ?];
    /// assert_eq!(shape.dim(0)?.size(), Some(2));
    /// assert_eq!(shape.dim(1)?.size(), None);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn size(self) -> Option<usize> {
        if self.is_known() { Some(self.0) } else { None }
    }

    /// True if the size is known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(Dim::from(0).is_known());
    /// assert!(!Dim::UNKNOWN.is_known());
    /// ```
    pub const fn is_known(self) -> bool {
        self.0 != usize::MAX
    }

    /// True if both are equal or one is unknown.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(Dim::from(3).is_compatible_with(Dim::UNKNOWN));
    /// assert!(!Dim::from(3).is_compatible_with(Dim::from(1)));
    /// ```
    pub const fn is_compatible_with(self, other: Dim) -> bool {
        !self.is_known() || !other.is_known() || self.0 == other.0
    }

    /// The known one of two compatible dimensions; `None` if they conflict.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Dim::UNKNOWN.merge(Dim::from(3)), Some(Dim::from(3)));
    /// assert_eq!(Dim::from(2).merge(Dim::from(3)), None);
    /// ```
    pub fn merge(self, other: Dim) -> Option<Dim> {
        self.is_compatible_with(other).then_some(if self.is_known() { self } else { other })
    }

    /// TensorFlow's notation: -1 for unknown.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let sizes = shape![?, 784];
    /// let sizes: Vec<i64> = sizes.dims().unwrap_or_default().iter().map(|d| d.to_i64()).collect();
    /// assert_eq!(sizes, [-1, 784]);
    /// ```
    pub const fn to_i64(self) -> i64 {
        if self.is_known() { self.0 as i64 } else { -1 }
    }

    /// The size of two dimensions after broadcasting; `None` if they conflict.
    pub(super) fn broadcast(self, other: Dim) -> Option<Dim> {
        match (self.size(), other.size()) {
            (Some(1), _) => Some(other),
            (_, Some(1)) => Some(self),
            (Some(a), Some(b)) => (a == b).then_some(self),
            // The unknown size can only be this size or 1.
            (Some(a), None) if a > 1 => Some(self),
            (None, Some(b)) if b > 1 => Some(other),
            _ => Some(Dim::UNKNOWN),
        }
    }
}

impl From<usize> for Dim {
    fn from(size: usize) -> Self {
        // A size past isize can't be allocated anyway; saturating keeps the conversion total.
        Dim(size.min(isize::MAX as usize))
    }
}

impl From<Option<usize>> for Dim {
    fn from(size: Option<usize>) -> Self {
        size.map_or(Dim::UNKNOWN, Dim::from)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size() {
            Some(n) => write!(f, "{n}"),
            None => f.write_str("?"),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
