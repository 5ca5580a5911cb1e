//! Tensors joined and taken apart.

use crate::compounds;
use crate::ops::args::IntegersLike;
use crate::ops::methods::*;
use crate::ops::options::{Along, Sets, chosen};
use crate::ops::{broadcast_args, concat, shape_of};
use crate::tensor::Lent;
use crate::tensor::{Tensor, TensorLike, call_site};
use crate::types::{Result, Shape, bail, err};

use super::arrange::{length_of, rank_of};

/// Declares functions of a sequence of tensors.
macro_rules! of_many {
    ($($(#[$doc:meta])* fn $name:ident($xs:ident) -> $out:ty $body:block)*) => {
        $(
            $(#[$doc])*
            #[track_caller]
            pub fn $name<X: TensorLike>(tensors: &[X]) -> Result<$out> {
                #[track_caller]
                fn inner($xs: &[&Tensor]) -> Result<$out> $body
                let _site = call_site!();
                let lent = lend(tensors)?;
                inner(&lent.iter().map(|x| &**x).collect::<Vec<_>>())
                    .map_err(|e| e.with_op(stringify!($name)))
            }
        )*
    };
}

fn lend<X: TensorLike>(tensors: &[X]) -> Result<Vec<Lent<'_, Tensor>>> {
    tensors.iter().map(TensorLike::lend).collect()
}

fn each(xs: &[&Tensor], f: fn(&Tensor) -> Result<Tensor>) -> Result<Vec<Tensor>> {
    xs.iter().map(|x| f(x)).collect()
}

/// Joins tensors along an axis, the first if none is given (`..`).
///
/// NumPy: `concatenate`; TensorFlow: `ConcatV2` ([`concat()`], which also takes extension types).
///
/// # Errors
/// `InvalidArgument` for no tensor, sizes that differ along other axes, and an axis out of range.
///
/// ```
/// use extype::prelude::*;
/// let (x, y) = (tensor![[1, 2]], tensor![[3, 4]]);
/// assert_eq!(ops::concatenate(&[&x, &y], ..)?.shape(), shape![2, 2]);
/// assert_eq!(ops::concatenate(&[&x, &y], 1)?.shape(), shape![1, 4]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn concatenate<X: TensorLike>(tensors: &[X], axis: impl Sets<Along>) -> Result<Tensor> {
    let _site = call_site!();
    let lent = lend(tensors)?;
    concat(&lent, chosen::<Along>(axis)?.axis.unwrap_or(0))
}

of_many! {
    /// Stacks tensors on top of each other: joined along the first axis, vectors as rows.
    ///
    /// NumPy: `vstack`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::vstack(&[tensor![1, 2], tensor![3, 4]])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// assert_eq!(y.shape(), shape![2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "row_stack")]
    fn vstack(xs) -> Tensor {
        concat(&each(xs, |x| x.atleast_2d())?, 0)
    }

    /// Stacks tensors side by side: joined along the second axis, vectors along their only one.
    ///
    /// NumPy: `hstack`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::hstack(&[tensor![1, 2], tensor![3, 4]])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn hstack(xs) -> Tensor {
        let xs = each(xs, |x| x.atleast_1d())?;
        let is_row = xs.first().is_some_and(|x| x.rank() == Some(1));
        concat(&xs, if is_row { 0 } else { 1 })
    }

    /// Stacks tensors behind each other: joined along the third axis, a vector `[n]` as
    /// `[1, n, 1]`.
    ///
    /// NumPy: `dstack`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(ops::dstack(&[tensor![1, 2], tensor![3, 4]])?.shape(), shape![1, 2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn dstack(xs) -> Tensor {
        concat(&each(xs, |x| x.atleast_3d())?, 2)
    }

    /// Joins vectors as the columns of a matrix, and matrices side by side.
    ///
    /// NumPy: `column_stack`.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that differ.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let y = ops::column_stack(&[tensor![1, 2], tensor![3, 4]])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 3, 2, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn column_stack(xs) -> Tensor {
        let column = |x: &Tensor| match x.rank() {
            Some(0 | 1) => x.reshape([-1, 1]),
            _ => Ok(x.clone()),
        };
        concat(&each(xs, column)?, 1)
    }

    /// Broadcasts tensors to their common shape.
    ///
    /// NumPy: `broadcast_arrays`.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes that don't broadcast.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let both = ops::broadcast_arrays(&[tensor![[1], [2]], tensor![[3, 4, 5]]])?;
    /// assert_eq!(both[0].shape(), shape![2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn broadcast_arrays(xs) -> Vec<Tensor> {
        let mut shape = Tensor::from_vec::<i64>(Vec::new());
        for x in xs {
            shape = broadcast_args(&shape, shape_of(*x)?)?;
        }
        xs.iter().map(|x| x.broadcast_to(&shape)).collect()
    }
}

/// Assembles a tensor from blocks. The blocks of a row are joined along the last axis, the rows along the
/// last but one. Scalars and vectors count as matrices of one row.
///
/// NumPy: `block`, of lists of lists.
///
/// # Errors
/// `InvalidArgument` for no block, and sizes that differ along other axes.
///
/// ```
/// use extype::prelude::*;
/// let (a, b) = (tensor![[1, 2]], tensor![[3]]);
/// let y = ops::block(&[[&a, &b], [&b, &a]])?;
/// assert_eq!(y.as_slice::<i32>()?, &[1, 2, 3, 3, 1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn block<X: TensorLike>(rows: &[impl AsRef<[X]>]) -> Result<Tensor> {
    let _site = call_site!();
    let row = |row: &[X]| {
        let lent = lend(row)?;
        concat(&lent.iter().map(|x| x.atleast_2d()).collect::<Result<Vec<_>>>()?, -1)
    };
    let rows: Vec<Tensor> = rows.iter().map(|r| row(r.as_ref())).collect::<Result<_>>()?;
    concat(&rows, -2)
}

/// Returns the common shape that several shapes broadcast to.
///
/// NumPy: `broadcast_shapes`; TensorFlow: `tf.broadcast_static_shape`. Sizes may be unknown.
///
/// # Errors
/// `InvalidArgument` for shapes that don't broadcast.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::broadcast_shapes(&[shape![1, 2], shape![3, 1], shape![2]])?, shape![3, 2]);
/// # Ok::<(), Error>(())
/// ```
#[doc(alias = "broadcast_static_shape")]
pub fn broadcast_shapes(shapes: &[Shape]) -> Result<Shape> {
    shapes.iter().try_fold(Shape::scalar(), |all, shape| all.broadcast(shape))
}

/// The parts between places along an axis.
fn between(x: &Tensor, places: &[i64], axis: i64) -> Result<Vec<Tensor>> {
    let n = length_of(x, axis)? as i64;
    let rank = rank_of(x)?;
    let axis = crate::types::normalize_axis(axis, rank)?;
    let place = |at: i64| (if at < 0 { at + n } else { at }).clamp(0, n);
    let mut start = 0;
    let mut parts = Vec::with_capacity(places.len() + 1);
    for at in places.iter().map(|at| place(*at)).chain([n]) {
        let (mut begin, mut size) = (vec![0i64; rank], vec![-1i64; rank]);
        (begin[axis], size[axis]) = (start, (at - start).max(0));
        parts.push(x.slice(begin, size)?);
        start = at;
    }
    Ok(parts)
}

compounds! {
    /// Methods: tensors split into parts of about one size.
    methods of JoinMethods;

    /// Splits along an axis (the first for `..`) into `parts` parts that are as equal as possible.
    /// If the size can't be divided evenly, the first parts have one element more.
    ///
    /// NumPy: `array_split`; PyTorch: `tensor_split`. For parts that must be equal use [`split()`](crate::ops::split()).
    ///
    /// # Errors
    /// `InvalidArgument` for no part, a scalar, and a size that is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let parts = tensor![1, 2, 3].array_split(2, ..)?;
    /// assert_eq!(parts[0].as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn array_split(x; parts: usize => options: impl Sets<Along> as Along) -> Vec<Tensor> {
        if parts == 0 {
            bail!("a tensor can't be split into no parts");
        }
        let axis = options.axis.unwrap_or(0);
        let (each, more) = (length_of(x, axis)? / parts, length_of(x, axis)? % parts);
        let places: Vec<i64> = (1..parts).map(|i| (i * each + i.min(more)) as i64).collect();
        between(x, &places, axis)
    }
}

/// How [`hsplit`], [`vsplit`] and [`dsplit`] cut: into a number of equal parts, or at places.
///
/// Made from an integer, or a list of integers.
#[derive(Clone, Debug, PartialEq)]
pub enum Splits {
    /// This many equal parts.
    Equal(i64),
    /// The parts before, between and behind these places.
    At(Vec<i64>),
}

macro_rules! parts_from {
    ($($n:ty),*) => {
        $(impl From<$n> for Splits {
            fn from(count: $n) -> Self {
                Splits::Equal(i64::try_from(count).unwrap_or(i64::MAX))
            }
        }

        impl<const N: usize> From<[$n; N]> for Splits {
            fn from(places: [$n; N]) -> Self {
                let places = places.into_iter().map(|n| i64::try_from(n).unwrap_or(i64::MAX));
                Splits::At(places.collect())
            }
        })*
    };
}
parts_from!(i32, i64, usize);

impl From<Vec<i64>> for Splits {
    fn from(places: Vec<i64>) -> Self {
        Splits::At(places)
    }
}

fn cut(x: &Tensor, parts: &Splits, axis: i64) -> Result<Vec<Tensor>> {
    match parts {
        Splits::Equal(n) => match usize::try_from(*n) {
            Ok(n) => x.split(n, axis),
            Err(_) => bail!("a tensor can't be split into {n} parts"),
        },
        Splits::At(places) => between(x, places, axis),
    }
}

/// Declares functions that each cut along their own axis.
macro_rules! cuts {
    ($($(#[$doc:meta])* fn $name:ident($x:ident) $axis:block)*) => {
        $(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(x: impl TensorLike, parts: impl Into<Splits>) -> Result<Vec<Tensor>> {
                #[track_caller]
                fn inner($x: &Tensor, parts: &Splits) -> Result<Vec<Tensor>> {
                    cut($x, parts, $axis)
                }
                let _site = call_site!();
                inner(&*x.lend()?, &parts.into()).map_err(|e| e.with_op(stringify!($name)))
            }

            impl Tensor {
                #[doc = concat!("See [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
                ///
                /// # Errors
                /// As the function.
                #[track_caller]
                pub fn $name(&self, parts: impl Into<Splits>) -> Result<Vec<Tensor>> {
                    $name(self, parts)
                }
            }
        )*
    };
}

cuts! {
    /// Splits along the second axis, or along the only one of a vector: into equal parts, or at
    /// places.
    ///
    /// NumPy: `hsplit`.
    ///
    /// # Errors
    /// `InvalidArgument` for a size that can't be divided so, and a rank that is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].hsplit(2)?[1].as_slice::<i32>()?, &[2, 4]);
    /// assert_eq!(tensor![1, 2, 3].hsplit([1])?[1].as_slice::<i32>()?, &[2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn hsplit(x) { if rank_of(x)? == 1 { 0 } else { 1 } }

    /// Splits along the first axis: into equal parts, or at places.
    ///
    /// NumPy: `vsplit`.
    ///
    /// # Errors
    /// As [`hsplit`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].vsplit(2)?[1].as_slice::<i32>()?, &[3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn vsplit(x) { 0 }

    /// Splits along the third axis: into equal parts, or at places.
    ///
    /// NumPy: `dsplit`.
    ///
    /// # Errors
    /// As [`hsplit`].
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[[1, 2], [3, 4]]].dsplit(2)?[1].as_slice::<i32>()?, &[2, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    fn dsplit(x) { 2 }
}

/// Splits at places along an axis (the first for `..`): `[2, 5]` gives the parts before 2, from 2 to
/// 5, and from 5 on.
///
/// NumPy: `split` with a list.
///
/// # Errors
/// `InvalidArgument` for an axis out of range, and a size or places that are unknown while tracing.
///
/// ```
/// use extype::prelude::*;
/// let parts = ops::split_at([1, 2, 3, 4], [1, 3], ..)?;
/// assert_eq!(parts[1].as_slice::<i32>()?, &[2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn split_at(
    x: impl TensorLike,
    places: impl IntegersLike,
    axis: impl Sets<Along>,
) -> Result<Vec<Tensor>> {
    let _site = call_site!();
    let places = places
        .into()
        .known()
        .ok_or_else(|| err!("the places must be known while tracing; write numbers"))?;
    between(&*x.lend()?, &places, chosen::<Along>(axis)?.axis.unwrap_or(0))
}

impl Tensor {
    /// See [`ops::split_at`](split_at()).
    ///
    /// # Errors
    /// As the function.
    #[track_caller]
    pub fn split_at(
        &self,
        places: impl IntegersLike,
        axis: impl Sets<Along>,
    ) -> Result<Vec<Tensor>> {
        split_at(self, places, axis)
    }
}
