//! The children of specs, literals and stored specs, with their nesting depth. Recursion through them, their
//! drop included, continues on a new stack where one ends. The bounds guard against values that never end.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use super::{AnySpec, Composite, Literal, SpecValue};
use crate::ops::operator;
use crate::types::{Error, Result, deep, err};

/// The greatest nesting depth of a value: lists, maps and boxes in each other.
const MAX_LEVELS: u32 = 1024;
/// The greatest nesting depth of a spec. A level of a value may be an option of an extension type, which is
/// four levels when it is stored.
const MAX_DEPTH: u32 = 4 * MAX_LEVELS + 128;
/// Recursion up to this depth fits any stack.
const SHALLOW: u32 = 32;

/// The shared children of a spec, with their nesting depth, which is at most 4224.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::AnySpec;
/// use extype::spec::Nested;
/// let mut spec = TensorSpec::of::<f32>([2]).to_any();
/// for _ in 0..4224 {
///     spec = AnySpec::List(Nested::try_new([spec])?);
/// }
/// let e = Nested::<[_]>::try_new([spec]).unwrap_err();
/// assert_eq!(e.message(), "specs nest deeper than 4224");
/// # Ok::<(), Error>(())
/// ```
pub struct Nested<C: ?Sized> {
    /// `Some` until it is dropped.
    content: Option<Arc<C>>,
    depth: u32,
}

impl<C: ?Sized> Nested<C> {
    /// Runs `f`, which may recurse through all levels.
    fn through<R>(&self, f: impl FnOnce() -> R) -> R {
        if self.depth > SHALLOW { deep(f) } else { f() }
    }
}

impl<C: ?Sized> Drop for Nested<C> {
    fn drop(&mut self) {
        let content = self.content.take();
        self.through(|| drop(content));
    }
}

/// Types that nest: specs, literals, stored specs, and lists and maps of them.
pub trait Nests {
    /// The number of levels below this one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Nests;
    /// let tensor = TensorSpec::of::<f32>([]);
    /// assert_eq!(tensor.to_any().depth(), 0);
    /// assert_eq!(vec![vec![tensor]].to_any().depth(), 2);
    /// ```
    fn depth(&self) -> u32;
}

impl<C: ?Sized + Nests> Nested<C> {
    /// Wraps these children, which adds a level.
    ///
    /// # Errors
    /// `InvalidArgument` if they nest 4224 deep.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnySpec;
    /// use extype::spec::Nested;
    /// let parts = [TensorSpec::of::<f32>([]).to_any(), TensorSpec::of::<i64>([]).to_any()];
    /// let spec = AnySpec::Tuple(Nested::try_new(parts)?);
    /// assert_eq!(spec.to_string(), "(TensorSpec([], float32), TensorSpec([], int64))");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_new(content: impl Into<Arc<C>>) -> Result<Self> {
        let content = content.into();
        let depth = content.depth() + 1;
        if depth > MAX_DEPTH {
            return Err(too_deep(MAX_DEPTH));
        }
        Ok(Self { content: Some(content), depth })
    }

    /// [`try_new`](Self::try_new) that panics instead, as the `From` conversions do.
    ///
    /// # Panics
    /// If they nest 4224 deep. Within a library call that returns a `Result`, the panic becomes its error.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnySpec;
    /// use extype::spec::Nested;
    /// let spec = TensorSpec::of::<f32>([]).to_any();
    /// let list = AnySpec::List(Nested::new([spec.clone(), spec.clone()]));
    /// assert_eq!(list, AnySpec::List([spec.clone(), spec].into()));
    /// ```
    #[track_caller]
    pub fn new(content: impl Into<Arc<C>>) -> Self {
        operator(Self::try_new(content))
    }
}

#[cold]
fn too_deep(most: u32) -> Error {
    err!("specs nest deeper than {most}")
}

impl<C: ?Sized> Clone for Nested<C> {
    fn clone(&self) -> Self {
        Self { content: self.content.clone(), depth: self.depth }
    }
}

impl<C: ?Sized> Deref for Nested<C> {
    type Target = C;

    fn deref(&self) -> &C {
        self.content.as_deref().expect("there until it is dropped")
    }
}

impl<C: ?Sized + PartialEq> PartialEq for Nested<C> {
    fn eq(&self, other: &Self) -> bool {
        self.through(|| **self == **other)
    }
}

impl<C: ?Sized + Eq> Eq for Nested<C> {}

impl<C: ?Sized + Hash> Hash for Nested<C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.through(|| (**self).hash(state));
    }
}

impl<C: ?Sized + fmt::Debug> fmt::Debug for Nested<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.through(|| (**self).fmt(f))
    }
}

impl<C: ?Sized + fmt::Display> fmt::Display for Nested<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.through(|| (**self).fmt(f))
    }
}

impl<C: Nests> From<C> for Nested<C> {
    #[track_caller]
    fn from(content: C) -> Self {
        Self::new(content)
    }
}

impl<C: ?Sized + Nests> From<Arc<C>> for Nested<C> {
    #[track_caller]
    fn from(content: Arc<C>) -> Self {
        Self::new(content)
    }
}

impl<C: ?Sized> From<Nested<C>> for Arc<C> {
    fn from(mut nested: Nested<C>) -> Self {
        nested.content.take().expect("there until it is dropped")
    }
}

impl<T: Nests> From<Vec<T>> for Nested<[T]> {
    #[track_caller]
    fn from(items: Vec<T>) -> Self {
        Self::new(items)
    }
}

impl<T: Nests + Clone> From<&[T]> for Nested<[T]> {
    #[track_caller]
    fn from(items: &[T]) -> Self {
        Self::new(items)
    }
}

impl<T: Nests, const N: usize> From<[T; N]> for Nested<[T]> {
    #[track_caller]
    fn from(items: [T; N]) -> Self {
        Self::new(items)
    }
}

impl<T: Nests> FromIterator<T> for Nested<[T]> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::new(items.into_iter().collect::<Arc<[T]>>())
    }
}

impl<T: Nests, const N: usize> From<[(String, T); N]> for Nested<BTreeMap<String, T>> {
    #[track_caller]
    fn from(entries: [(String, T); N]) -> Self {
        Self::new(BTreeMap::from(entries))
    }
}

impl<T: Nests> FromIterator<(String, T)> for Nested<BTreeMap<String, T>> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Self::new(entries.into_iter().collect::<BTreeMap<_, _>>())
    }
}

impl<T: Nests> Nests for [T] {
    fn depth(&self) -> u32 {
        self.iter().map(T::depth).max().unwrap_or(0)
    }
}

impl<T: Nests> Nests for BTreeMap<String, T> {
    fn depth(&self) -> u32 {
        self.values().map(T::depth).max().unwrap_or(0)
    }
}

impl Nests for Composite {
    fn depth(&self) -> u32 {
        let fields = self.fields.iter().map(|(_, s)| s.depth());
        fields.chain(self.components.iter().flatten().map(AnySpec::depth)).max().unwrap_or(0)
    }
}

impl Nests for AnySpec {
    fn depth(&self) -> u32 {
        match self {
            AnySpec::Tensor(_) | AnySpec::Variable(_) | AnySpec::Custom(_) => 0,
            AnySpec::Literal(l) => l.depth(),
            AnySpec::Tuple(c) | AnySpec::List(c) => c.depth,
            AnySpec::Map(m) => m.depth,
            AnySpec::Optional(o) => o.as_ref().map_or(0, |s| s.depth),
            AnySpec::Composite(c) => c.depth,
        }
    }
}

impl Nests for Literal {
    fn depth(&self) -> u32 {
        match self {
            Literal::List(items) | Literal::Tuple(items) => items.depth,
            Literal::Map(entries) => entries.depth,
            _ => 0,
        }
    }
}

impl Nests for SpecValue {
    fn depth(&self) -> u32 {
        match self {
            SpecValue::Tensor(_) | SpecValue::Variable(_) => 0,
            SpecValue::Literal(l) => l.depth(),
            SpecValue::Tuple(c) | SpecValue::List(c) => c.depth,
            SpecValue::Dict(m) => m.depth,
            SpecValue::Option(o) => o.as_ref().map_or(0, |s| s.depth),
            SpecValue::Spec { state, .. } => state.depth,
        }
    }
}

thread_local! {
    /// The current depth of this thread in values of unbounded depth.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

/// A level of a value whose type does not bound its depth, such as a recursive type, or data that is being
/// read.
pub(crate) struct Level(());

impl Level {
    /// Runs a step one level down. At every eighth level, it looks how much of the stack is left: looking costs more
    /// than a level of a small value.
    ///
    /// # Panics
    /// As [`Nested::new`].
    #[inline]
    pub(crate) fn within<R>(step: impl FnOnce() -> R) -> R {
        let _level = match Self::try_enter() {
            Ok(level) => level,
            Err(e) => operator(Err(e)),
        };
        if LEVEL.get() % 8 == 1 { deep(step) } else { step() }
    }

    /// Goes one level down, until dropped.
    #[inline]
    pub(crate) fn try_enter() -> Result<Self> {
        let level = LEVEL.get();
        if level >= MAX_LEVELS {
            return Err(too_deep(MAX_LEVELS));
        }
        LEVEL.set(level + 1);
        Ok(Self(()))
    }
}

impl Drop for Level {
    #[inline]
    fn drop(&mut self) {
        LEVEL.set(LEVEL.get() - 1);
    }
}

#[cfg(feature = "serde")]
mod serde_impls {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::*;

    impl<C: ?Sized + Serialize> Serialize for Nested<C> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.through(|| (**self).serialize(serializer))
        }
    }

    /// Reads children. Too deep ones are refused before they are read.
    fn read<'de, T, C, D>(deserializer: D) -> Result<Nested<C>, D::Error>
    where
        T: Deserialize<'de> + Into<Arc<C>>,
        C: ?Sized + Nests,
        D: Deserializer<'de>,
    {
        let _level = Level::try_enter().map_err(D::Error::custom)?;
        let content = deep(|| T::deserialize(deserializer))?;
        Nested::try_new(content).map_err(D::Error::custom)
    }

    impl<'de, T: Nests + Deserialize<'de>> Deserialize<'de> for Nested<[T]> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            read::<Vec<T>, _, D>(deserializer)
        }
    }

    impl<'de, C: Nests + Deserialize<'de>> Deserialize<'de> for Nested<C> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            read::<C, _, D>(deserializer)
        }
    }
}
