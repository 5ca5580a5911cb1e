//! Static shapes: known, partly known, or of unknown rank, with TensorFlow's algebra.

use std::fmt;

use smallvec::SmallVec;

use super::{Dim, Error, Result, bail, err};

/// A static shape. Built with [`shape!`](crate::shape), from arrays and slices of sizes, or as
/// [`Shape::unknown`].
///
/// `a.is_subtype_of(b)` reads "every tensor of shape `a` has shape `b`"; compatibility is
/// symmetric and asks whether any tensor has both.
///
/// ```
/// use extype::prelude::*;
/// let a = shape![32, ?];
/// assert!(Shape::from([32, 784]).is_subtype_of(&a));
/// assert!(a.is_compatible_with(&shape![?, 3]));
/// assert_eq!(shape![2, 1].most_specific_common_supertype(&shape![5, 1]), shape![?, 1]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Shape(Option<SmallVec<[Dim; 4]>>);

impl Shape {
    /// A shape of unknown rank.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Shape::unknown().rank(), None);
    /// ```
    pub const fn unknown() -> Self {
        Self(None)
    }

    /// The shape of a scalar.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Shape::scalar(), shape![]);
    /// assert_eq!(scalar(1.0f32).shape(), Shape::scalar());
    /// ```
    pub fn scalar() -> Self {
        Self(Some(SmallVec::new()))
    }

    /// A shape of this rank with every dimension unknown.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Shape::of_rank(2), shape![?, ?]);
    /// ```
    pub fn of_rank(rank: usize) -> Self {
        Self(Some(SmallVec::from_elem(Dim::UNKNOWN, rank)))
    }

    /// The number of dimensions, if known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, ?].rank(), Some(2));
    /// ```
    pub fn rank(&self) -> Option<usize> {
        self.0.as_ref().map(SmallVec::len)
    }

    /// The dimensions, if the rank is known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, ?].dims(), Some(&[Dim::from(2), Dim::UNKNOWN][..]));
    /// assert_eq!(Shape::unknown().dims(), None);
    /// ```
    pub fn dims(&self) -> Option<&[Dim]> {
        self.0.as_deref()
    }

    /// Dimension `axis`, counted from the end if negative; unknown if the rank is.
    ///
    /// # Errors
    /// `InvalidArgument` if the axis is out of range.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, 3].dim(-1)?, Dim::from(3));
    /// assert!(shape![2, 3].dim(2).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn dim(&self, axis: i64) -> Result<Dim> {
        match self.dims() {
            None => Ok(Dim::UNKNOWN),
            Some(dims) => Ok(dims[normalize_axis(axis, dims.len())?]),
        }
    }

    /// The sizes, if every one is known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, 3].sizes().as_deref(), Some(&[2, 3][..]));
    /// assert_eq!(shape![2, ?].sizes(), None);
    /// ```
    pub fn sizes(&self) -> Option<SmallVec<[usize; 4]>> {
        self.dims()?.iter().map(|d| d.size()).collect()
    }

    /// True if rank and every dimension are known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(shape![2, 3].is_fully_defined() && !shape![2, ?].is_fully_defined());
    /// ```
    pub fn is_fully_defined(&self) -> bool {
        self.dims().is_some_and(|d| d.iter().all(|d| d.is_known()))
    }

    /// The number of elements, if every dimension is known and the product fits.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, 3].num_elements(), Some(6));
    /// assert_eq!(shape![2, ?].num_elements(), None);
    /// ```
    pub fn num_elements(&self) -> Option<usize> {
        let sizes = self.sizes()?;
        let product = || sizes.iter().try_fold(1usize, |n, size| n.checked_mul(*size));
        if sizes.contains(&0) { Some(0) } else { product() }
    }

    /// True if some tensor can have both shapes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(shape![2, ?].is_compatible_with(&shape![?, 3]));
    /// assert!(!shape![2].is_compatible_with(&shape![3]));
    /// assert!(!shape![?].is_compatible_with(&shape![?, ?]));
    /// ```
    pub fn is_compatible_with(&self, other: &Shape) -> bool {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_compatible_with(*b))
            }
            _ => true,
        }
    }

    /// [`is_compatible_with`](Self::is_compatible_with) as a check.
    ///
    /// # Errors
    /// `InvalidArgument` showing both shapes and the axis that differs.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(shape![2, ?].assert_compatible(&shape![?, 3]).is_ok());
    /// assert!(shape![2].assert_compatible(&shape![3]).is_err());
    /// ```
    pub fn assert_compatible(&self, other: &Shape) -> Result<()> {
        if self.is_compatible_with(other) {
            return Ok(());
        }
        let (Some(a), Some(b)) = (self.dims(), other.dims()) else { return Ok(()) };
        match a.iter().zip(b).position(|(a, b)| !a.is_compatible_with(*b)) {
            Some(axis) if a.len() == b.len() => bail!(
                "shapes {self} and {other} are not compatible: axis {axis} differs ({} ≠ {})",
                a[axis],
                b[axis]
            ),
            _ => bail!(
                "shapes {self} and {other} are not compatible: rank {} ≠ {}",
                a.len(),
                b.len()
            ),
        }
    }

    /// True if every tensor of this shape has the other shape too.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(shape![2, 3].is_subtype_of(&shape![2, ?]));
    /// assert!(!shape![2, ?].is_subtype_of(&shape![2, 3]));
    /// ```
    pub fn is_subtype_of(&self, other: &Shape) -> bool {
        match (self.dims(), other.dims()) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| !b.is_known() || a == b)
            }
        }
    }

    /// The most specific shape that both are subtypes of; `<?>` if their ranks differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, 3].most_specific_common_supertype(&shape![2, 5]), shape![2, ?]);
    /// ```
    #[doc(alias = "most_specific_compatible_shape")]
    #[must_use]
    pub fn most_specific_common_supertype(&self, other: &Shape) -> Shape {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                a.iter().zip(b).map(|(a, b)| if a == b { *a } else { Dim::UNKNOWN }).collect()
            }
            _ => Shape::unknown(),
        }
    }

    /// The shape with every dimension that either of two compatible shapes knows (TensorFlow's `merge_with`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, ?].merge(&shape![?, 3])?, shape![2, 3]);
    /// assert!(shape![2].merge(&shape![3]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if they are not compatible.
    #[doc(alias = "merge_with")]
    pub fn merge(&self, other: &Shape) -> Result<Shape> {
        self.assert_compatible(other)?;
        Ok(match (self.dims(), other.dims()) {
            (None, _) => other.clone(),
            (_, None) => self.clone(),
            (Some(a), Some(b)) => {
                a.iter().zip(b).map(|(a, b)| if a.is_known() { *a } else { *b }).collect()
            }
        })
    }

    /// The dimensions of this shape, then those of the other; `<?>` if either rank is unknown.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2].concatenate(&shape![?, 3]), shape![2, ?, 3]);
    /// ```
    #[must_use]
    pub fn concatenate(&self, other: &Shape) -> Shape {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) => a.iter().chain(b).copied().collect(),
            _ => Shape::unknown(),
        }
    }

    /// The shape of an element-wise result by NumPy's rules (TensorFlow's
    /// `tf.broadcast_static_shape`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![?, 3].broadcast(&shape![2, 1, 1])?, shape![2, ?, 3]);
    /// assert!(shape![2].broadcast(&shape![3]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` showing both shapes and the axis that differs.
    #[doc(alias = "broadcast_static_shape")]
    pub fn broadcast(&self, other: &Shape) -> Result<Shape> {
        let (Some(a), Some(b)) = (self.dims(), other.dims()) else { return Ok(Shape::unknown()) };
        let rank = a.len().max(b.len());
        let one = Dim::from(1);
        let at = |d: &[Dim], i: usize| (i + d.len()).checked_sub(rank).map_or(one, |i| d[i]);
        (0..rank)
            .map(|i| {
                let (x, y) = (at(a, i), at(b, i));
                x.broadcast(y).ok_or_else(|| {
                    err!("shapes {self} and {other} do not broadcast: axis {i} differs ({x} ≠ {y})")
                })
            })
            .collect::<Result<SmallVec<_>>>()
            .map(|d| Shape(Some(d)))
    }

    /// This shape with its rank known to be `rank`.
    ///
    /// # Errors
    /// `InvalidArgument` if the rank is known and another.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Shape::unknown().with_rank(1)?, shape![?]);
    /// assert!(shape![2, 3].with_rank(1).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_rank(&self, rank: usize) -> Result<Shape> {
        match self.rank() {
            None => Ok(Shape::of_rank(rank)),
            Some(r) if r == rank => Ok(self.clone()),
            Some(r) => bail!("shape {self} has rank {r}, not {rank}"),
        }
    }

    /// This shape, if its rank is unknown or at least `rank`.
    ///
    /// # Errors
    /// `InvalidArgument` otherwise.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, ?].with_rank_at_least(2)?, shape![2, ?]);
    /// assert!(shape![2].with_rank_at_least(2).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_rank_at_least(&self, rank: usize) -> Result<Shape> {
        match self.rank() {
            Some(r) if r < rank => bail!("shape {self} has rank {r}, less than {rank}"),
            _ => Ok(self.clone()),
        }
    }

    /// This shape, if its rank is unknown or at most `rank`.
    ///
    /// # Errors
    /// `InvalidArgument` otherwise.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Shape::unknown().with_rank_at_most(1)?, Shape::unknown());
    /// assert!(shape![2, 3].with_rank_at_most(1).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_rank_at_most(&self, rank: usize) -> Result<Shape> {
        match self.rank() {
            Some(r) if r > rank => bail!("shape {self} has rank {r}, more than {rank}"),
            _ => Ok(self.clone()),
        }
    }

    /// Dimensions `start..stop` in Python's manner: negative bounds count from the end, bounds
    /// past the end are cut. For `<?>` the result is `stop - start` unknown dimensions where both
    /// are known and not negative, else `<?>`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![2, 3, 4].slice(Some(1), None), shape![3, 4]);
    /// ```
    #[must_use]
    pub fn slice(&self, start: Option<i64>, stop: Option<i64>) -> Shape {
        let Some(dims) = self.dims() else {
            let start = start.unwrap_or(0);
            return match stop {
                Some(stop) if start >= 0 && stop >= 0 => {
                    Shape::of_rank(usize::try_from(stop - start).unwrap_or(0))
                }
                _ => Shape::unknown(),
            };
        };
        let n = dims.len() as i64;
        let bound = |i: i64| (if i < 0 { i + n } else { i }).clamp(0, n) as usize;
        let (a, b) = (bound(start.unwrap_or(0)), bound(stop.unwrap_or(n)));
        dims[a.min(b)..b].iter().copied().collect()
    }

    /// This shape with `dim` put before dimension `axis`; `<?>` stays `<?>`.
    ///
    /// # Panics
    /// If `axis` is above the rank.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(shape![28, 28].insert(0, Dim::UNKNOWN), shape![?, 28, 28]);
    /// assert_eq!(shape![28, 28].insert(2, Dim::from(3)), shape![28, 28, 3]);
    /// ```
    #[must_use]
    pub fn insert(&self, axis: usize, dim: Dim) -> Shape {
        let mut out = self.clone();
        if let Some(d) = &mut out.0 {
            d.insert(axis, dim);
        }
        out
    }
}

/// The non-negative form of an axis of a tensor of this rank.
pub(crate) fn normalize_axis(axis: i64, rank: usize) -> Result<usize> {
    let n = rank as i64;
    if !(-n..n).contains(&axis) {
        bail!("axis {axis} is out of range for rank {rank}");
    }
    Ok((if axis < 0 { axis + n } else { axis }) as usize)
}

/// Shapes equal lists of their sizes: `x.shape() == [2, 3]`.
impl<const N: usize> PartialEq<[usize; N]> for Shape {
    fn eq(&self, sizes: &[usize; N]) -> bool {
        self.sizes().is_some_and(|own| own[..] == sizes[..])
    }
}

impl FromIterator<Dim> for Shape {
    fn from_iter<I: IntoIterator<Item = Dim>>(dims: I) -> Self {
        Self(Some(dims.into_iter().collect()))
    }
}

impl From<&[usize]> for Shape {
    fn from(sizes: &[usize]) -> Self {
        sizes.iter().copied().map(Dim::from).collect()
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(sizes: [usize; N]) -> Self {
        Self::from(&sizes[..])
    }
}

impl From<Vec<usize>> for Shape {
    fn from(sizes: Vec<usize>) -> Self {
        Self::from(&sizes[..])
    }
}

impl From<&Shape> for Shape {
    fn from(shape: &Shape) -> Self {
        shape.clone()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dims() {
            None => f.write_str("<?>"),
            Some(dims) => {
                f.write_str("[")?;
                for (i, d) in dims.iter().enumerate() {
                    write!(f, "{}{d}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
        }
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A [`Shape`] literal: `shape![2, ?]`, `shape![]` for a scalar.
///
/// ```
/// use extype::prelude::*;
/// let n = 7;
/// assert_eq!(shape![n, ?, 3].to_string(), "[7, ?, 3]");
/// ```
#[macro_export]
macro_rules! shape {
    (@dims [$($done:expr,)*]) => {
        <$crate::types::Shape as ::core::iter::FromIterator<$crate::types::Dim>>::from_iter([$($done,)*])
    };
    (@dims [$($done:expr,)*] ? $(, $($rest:tt)*)?) => {
        $crate::shape!(@dims [$($done,)* $crate::types::Dim::UNKNOWN,] $($($rest)*)?)
    };
    (@dims [$($done:expr,)*] - $($rest:tt)*) => {
        ::core::compile_error!("an unknown dimension is written `?`")
    };
    (@dims [$($done:expr,)*] $dim:expr $(, $($rest:tt)*)?) => {
        $crate::shape!(@dims [$($done,)* $crate::types::Dim::from($dim),] $($($rest)*)?)
    };
    ($($dims:tt)*) => { $crate::shape!(@dims [] $($dims)*) };
}

/// The sizes: `let [rows, columns] = x.shape().try_into()?`.
///
/// ```
/// use extype::prelude::*;
/// let [rows, columns]: [usize; 2] = tensor![[1, 2, 3]].shape().try_into()?;
/// assert_eq!((rows, columns), (1, 3));
/// # Ok::<(), Error>(())
/// ```
impl<const N: usize> TryFrom<&Shape> for [usize; N] {
    type Error = Error;

    fn try_from(shape: &Shape) -> Result<Self> {
        let sizes = shape.sizes().and_then(|sizes| <[usize; N]>::try_from(&sizes[..]).ok());
        sizes.ok_or_else(|| err!("the shape {shape} is not {N} known sizes"))
    }
}

impl<const N: usize> TryFrom<Shape> for [usize; N] {
    type Error = Error;

    fn try_from(shape: Shape) -> Result<Self> {
        Self::try_from(&shape)
    }
}

/// Types that convert to [`Shape`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no shape",
    label = "a shape is wanted: `[2, 3]`, `shape![?, 3]`, `x.shape()`"
)]
pub trait ShapeLike: Into<Shape> {}

#[diagnostic::do_not_recommend]
impl<T: Into<Shape>> ShapeLike for T {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shapes() -> impl Strategy<Value = Shape> {
        let dim = prop_oneof![Just(Dim::UNKNOWN), (0usize..4).prop_map(Dim::from)];
        prop_oneof![
            1 => Just(Shape::unknown()),
            5 => prop::collection::vec(dim, 0..4).prop_map(|d| d.into_iter().collect()),
        ]
    }

    #[test]
    fn slices_follow_python() {
        let s = shape![2, 3, ?];
        assert_eq!(s.slice(Some(1), None), shape![3, ?]);
        assert_eq!(s.slice(None, Some(-1)), shape![2, 3]);
        assert_eq!(s.slice(Some(2), Some(1)), shape![]);
        assert_eq!(Shape::unknown().slice(Some(1), Some(3)), shape![?, ?]);
        assert_eq!(Shape::unknown().slice(Some(1), None), Shape::unknown());
    }

    #[test]
    fn errors_name_the_axis() {
        let e = shape![2, 3].broadcast(&shape![2, 4]).unwrap_err();
        assert_eq!(
            e.message(),
            "shapes [2, 3] and [2, 4] do not broadcast: axis 1 differs (3 ≠ 4)"
        );
        assert!(shape![2].dim(1).is_err() && shape![2].dim(-1).is_ok());
    }

    proptest! {
        #[test]
        fn subtyping_is_an_order(a in shapes(), b in shapes(), c in shapes()) {
            prop_assert!(a.is_subtype_of(&a));
            if a.is_subtype_of(&b) && b.is_subtype_of(&c) { prop_assert!(a.is_subtype_of(&c)); }
            if a.is_subtype_of(&b) && b.is_subtype_of(&a) { prop_assert_eq!(&a, &b); }
        }

        #[test]
        fn supertype_is_the_least_bound(a in shapes(), b in shapes(), t in shapes()) {
            let s = a.most_specific_common_supertype(&b);
            prop_assert!(a.is_subtype_of(&s) && b.is_subtype_of(&s));
            if a.is_subtype_of(&t) && b.is_subtype_of(&t) { prop_assert!(s.is_subtype_of(&t)); }
            prop_assert_eq!(s, b.most_specific_common_supertype(&a));
        }

        #[test]
        fn compatibility_is_symmetric_and_merging_keeps_it(a in shapes(), b in shapes()) {
            prop_assert_eq!(a.is_compatible_with(&b), b.is_compatible_with(&a));
            match a.merge(&b) {
                Ok(m) => prop_assert!(m.is_subtype_of(&a) && m.is_subtype_of(&b)),
                Err(_) => prop_assert!(!a.is_compatible_with(&b)),
            }
        }
    }

    #[test]
    fn an_unknown_size_beside_none_stays_unknown() {
        // As in TensorFlow: the unknown size may be 1 or 0, and only a size above 1 determines the result.
        assert_eq!(shape![?].broadcast(&shape![0]).unwrap(), shape![?]);
        assert_eq!(shape![0, 3].broadcast(&shape![?, ?]).unwrap(), shape![?, 3]);
        assert_eq!(shape![0].broadcast(&shape![1]).unwrap(), shape![0]);
    }
}
