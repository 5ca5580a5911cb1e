//! Tensors whose dtype and shape are part of their Rust type.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{self, Deref};

use super::{AnySpec, Fingerprint, LeafIter, Leaves, SpecContext, Structure, TensorSpec, TypeSpec};
use crate::array::Element;
use crate::ops::{EnsureShape, Op};
use crate::tensor::{Lent, Tensor, TensorLike};
use crate::types::{Dim, Result, Shape, bail};

/// A size that is not stated, in the dimensions of an [`Of`].
#[derive(Clone, Copy, Debug)]
pub enum Dyn {}

/// A size that is stated, in the dimensions of an [`Of`].
#[derive(Clone, Copy, Debug)]
pub enum Const<const N: usize> {}

/// Dimensions of any number: `Of<f32>`.
#[derive(Clone, Copy, Debug)]
pub enum AnyRank {}

/// A size in the dimensions of an [`Of`]: [`Dyn`] or [`Const`].
pub trait Size: Send + Sync + 'static {
    /// The size, if it is stated.
    const SIZE: Option<usize>;
}

impl Size for Dyn {
    const SIZE: Option<usize> = None;
}

impl<const N: usize> Size for Const<N> {
    const SIZE: Option<usize> = Some(N);
}

/// The dimensions of an [`Of`]: a tuple of up to eight [`Size`]s, or [`AnyRank`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the dimensions of a tensor",
    label = "not a tuple of `Dyn` and `Const<N>`",
    note = "write `Of<f32, (Dyn, Const<3>)>` for `f32[?, 3]`, `Of<f32, ()>` for a scalar, `Of<f32>` for any shape"
)]
pub trait Dims: Send + Sync + 'static {
    /// The static shape.
    fn shape() -> Shape;
}

impl Dims for AnyRank {
    fn shape() -> Shape {
        Shape::unknown()
    }
}

macro_rules! dims {
    ($(($($d:ident),*);)*) => {
        $(impl<$($d: Size),*> Dims for ($($d,)*) {
            fn shape() -> Shape {
                let sizes: [Option<usize>; _] = [$($d::SIZE),*];
                sizes.into_iter().map(Dim::from).collect()
            }
        })*
    };
}
dims! {
    ();
    (A);
    (A, B);
    (A, B, C);
    (A, B, C, D);
    (A, B, C, D, E);
    (A, B, C, D, E, F);
    (A, B, C, D, E, F, G);
    (A, B, C, D, E, F, G, H);
}

/// A tensor with the dtype of `T` and dimensions `D`.
///
/// As a parameter of a traced function it is a signature: the function is traced for these dtype and sizes, and not for
/// the sizes of each call. As a result it states what the function returns. It dereferences to [`Tensor`], and ops take
/// it like one.
///
/// `T` is `f32`, `i64`, `bool`, `String` and so on. `D` is a tuple of [`Dyn`] and [`Const`], or is left out for any
/// shape.
///
/// The types of jaxtyping and TensorFlow's `input_signature` are for the same purpose.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::{Const, Dyn, Of};
///
/// #[tf_function]
/// fn norms(x: &Of<f32, (Dyn, Const<3>)>) -> Result<Of<f32, (Dyn,)>> {
///     x.square()?.reduce_sum(1, false)?.sqrt()?.typed()
/// }
///
/// let y = norms(&tensor![[2.0f32, 3.0, 6.0]].typed()?)?;
/// assert_eq!(y.as_slice::<f32>()?, &[7.0]);
/// norms(&ops::zeros([5, 3], f32)?.typed()?)?;
/// assert_eq!(norms::trace_count(), 1);
/// assert_eq!(norms::signatures()[0].to_string(), "(TensorSpec([?, 3], float32),)");
///
/// let e = ops::zeros([5, 2], f32)?.typed::<f32, (Dyn, Const<3>)>().unwrap_err();
/// assert_eq!(e.message(), "expected a tensor of float32[?, 3], got float32[5, 2]");
/// # Ok::<(), Error>(())
/// ```
pub struct Of<T, D = AnyRank> {
    tensor: Tensor,
    of: PhantomData<fn() -> (T, D)>,
}

impl<T: Element, D: Dims> Of<T, D> {
    /// The tensor, if it has this dtype, and its shape is one of these.
    ///
    /// In a trace, sizes that are not known yet are checked when the graph runs, and known afterwards.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype or shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Dyn, Of};
    /// assert!(Of::<f32, (Dyn,)>::new(tensor![1.0f32]).is_ok());
    /// assert!(Of::<f32, (Dyn,)>::new(tensor![1i32]).is_err());
    /// assert!(Of::<f32, (Dyn,)>::new(scalar(1.0f32)).is_err());
    /// ```
    #[track_caller]
    pub fn new(tensor: Tensor) -> Result<Self> {
        let _site = crate::tensor::call_site();
        let (given, shape) = (tensor.tensor_type(), D::shape());
        if given.dtype != T::DTYPE || !given.shape.is_compatible_with(&shape) {
            bail!("expected a tensor of {}, got {given}", Self::spec().tensor_type());
        }
        let tensor = match given.shape.is_subtype_of(&shape) {
            true => tensor,
            false => EnsureShape { shape }.run(&[&tensor])?,
        };
        Ok(Self { tensor, of: PhantomData })
    }

    /// The spec that the type states.
    ///
    /// ```
    /// use extype::spec::{Const, Dyn, Of};
    /// let spec = Of::<f64, (Dyn, Const<2>)>::spec();
    /// assert_eq!(spec.to_string(), "TensorSpec([?, 2], float64)");
    /// ```
    pub fn spec() -> TensorSpec {
        TensorSpec::new(D::shape(), T::DTYPE)
    }

    /// The tensor.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Of;
    /// let x: Tensor = Of::<f32>::new(scalar(1.0f32))?.into_tensor();
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_tensor(self) -> Tensor {
        self.tensor
    }
}

impl Tensor {
    /// The tensor as one whose dtype and dimensions are part of its Rust type, which is usually inferred.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype or shape.
    ///
    /// See [`Of`] for an example.
    #[track_caller]
    pub fn typed<T: Element, D: Dims>(self) -> Result<Of<T, D>> {
        Of::new(self)
    }
}

impl<T, D> Clone for Of<T, D> {
    fn clone(&self) -> Self {
        Self { tensor: self.tensor.clone(), of: PhantomData }
    }
}

impl<T, D> Deref for Of<T, D> {
    type Target = Tensor;

    fn deref(&self) -> &Tensor {
        &self.tensor
    }
}

impl<T, D> fmt::Debug for Of<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.tensor, f)
    }
}

impl<T, D> fmt::Display for Of<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.tensor, f)
    }
}

impl<T, D> TensorLike for Of<T, D> {
    fn to_tensor(&self) -> Result<Tensor> {
        Ok(self.tensor.clone())
    }

    #[inline]
    fn lend(&self) -> Result<Lent<'_, Tensor>> {
        Ok(Lent::Borrowed(&self.tensor))
    }

    fn is_tensor(&self) -> bool {
        true
    }
}

/// The operators are those of the tensor.
macro_rules! operators {
    ($($trait:ident $method:ident),*) => {
        $(operators!(@one $trait $method, Of<T, D>);
        operators!(@one $trait $method, &Of<T, D>);)*
    };
    (@one $trait:ident $method:ident, $left:ty) => {
        impl<T, D, R> ops::$trait<R> for $left
        where
            for<'a> &'a Tensor: ops::$trait<R, Output = Tensor>,
        {
            type Output = Tensor;

            #[track_caller]
            fn $method(self, rhs: R) -> Tensor {
                ops::$trait::$method(&self.tensor, rhs)
            }
        }
    };
}
operators!(Add add, Sub sub, Mul mul, Div div, Rem rem, BitAnd bitand, BitOr bitor, BitXor bitxor);

macro_rules! negation {
    ($($operand:ty),*) => {
        $(impl<T, D> ops::Neg for $operand {
            type Output = Tensor;

            #[track_caller]
            fn neg(self) -> Tensor {
                -&self.tensor
            }
        })*
    };
}
negation!(Of<T, D>, &Of<T, D>);

/// The spec of an [`Of`]: that of the tensor. A trace is made for what the type states.
pub struct OfSpec<T, D> {
    tensor: TensorSpec,
    of: PhantomData<fn() -> (T, D)>,
}

impl<T, D> OfSpec<T, D> {
    fn of(tensor: TensorSpec) -> Self {
        Self { tensor, of: PhantomData }
    }
}

impl<T, D> Clone for OfSpec<T, D> {
    fn clone(&self) -> Self {
        Self::of(self.tensor.clone())
    }
}

impl<T, D> Deref for OfSpec<T, D> {
    type Target = TensorSpec;

    fn deref(&self) -> &TensorSpec {
        &self.tensor
    }
}

impl<T, D> fmt::Debug for OfSpec<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.tensor, f)
    }
}

impl<T, D> PartialEq for OfSpec<T, D> {
    fn eq(&self, other: &Self) -> bool {
        self.tensor == other.tensor
    }
}

impl<T, D> Eq for OfSpec<T, D> {}

impl<T: Element, D: Dims> Default for OfSpec<T, D> {
    /// What the type states.
    fn default() -> Self {
        Self::of(Of::<T, D>::spec())
    }
}

impl<T: Element, D: Dims> TypeSpec for OfSpec<T, D> {
    type Value = Of<T, D>;

    fn to_any(&self) -> AnySpec {
        AnySpec::Tensor(self.tensor.clone())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        let tensor = TensorSpec::from_any(any)?;
        let stated = Of::<T, D>::spec();
        if !tensor.is_compatible_with(&stated) {
            bail!("expected the spec of a tensor of {}, got {tensor}", stated.tensor_type());
        }
        Ok(Self::of(tensor))
    }

    fn stated(&self) -> Self {
        Self::default()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, D: Dims> Structure for Of<T, D> {
    type Spec = OfSpec<T, D>;

    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec {
        OfSpec::of(self.tensor.spec_in(context))
    }

    #[inline]
    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        self.tensor.has_spec(&spec.tensor, context)
    }

    #[inline]
    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        self.tensor.mix_spec(fingerprint);
    }

    #[inline]
    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(&self.tensor);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.tensor);
    }

    fn from_leaves(_: &Self::Spec, leaves: &mut LeafIter) -> Result<Self> {
        Self::new(leaves.take()?)
    }
}
