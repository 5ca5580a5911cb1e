//! Tensors and [`execute`], the single place where a call of an op runs its kernel or
//! becomes a node.
//!
//! A [`Tensor`] is a value or a symbol of a graph that is being traced. While a trace is open
//! on this thread, every op adds a node, even if all its inputs are values; otherwise it runs.
//! All differences between the two modes are decided here.

mod bools;
mod compound;
pub(crate) mod context;
mod convert;
mod execute;
mod frame;
mod from;
mod holder;
pub(crate) mod identity;
mod initialization;
mod late;
mod mark;
mod namesakes;
mod node_scope;
#[path = "device.rs"]
mod placement;
mod presence;
pub(crate) mod scope;
mod slot;
mod variable;
mod variable_ops;

use std::panic::Location;

use crate::array::{Array, DataElement, Element, copy_of, joined_strings, vec_for};
use crate::ir::Symbol;
use crate::types::{DType, Error, Result, Shape, TensorType, bail, caller, err, fail};
pub use compound::{CompoundBody, CompoundEntry};
pub use context::{CallSite, Recorder, call_site, call_site_of, init_scope, is_tracing};
pub(crate) use context::{aside, is_active};
pub use convert::{Lent, TensorLike};
pub use execute::{Tensors, execute, execute_one};
pub(crate) use frame::{Capture, Frame};
pub use from::scalar;
pub(crate) use holder::Holder;
pub use identity::Identity;
pub(crate) use initialization::{ConditionalEntry, INITIALIZES};
pub use late::Late;
#[cfg(feature = "formats")]
pub(crate) use late::{Awaits, Vacancy};
pub(crate) use mark::{fitted, host_number, host_number_of, renewed};
pub use node_scope::{NodeScope, control_dependencies, current_name_scope, name_scope};
pub(crate) use presence::{Missed, Presence};
pub use scope::{
    ContextKey, Scope, Surrounding, current_device, device, run_functions_eagerly, surround,
};
pub(crate) use scope::{on, present_device};
pub use variable::{Variable, VariableState};
pub use variable_ops::{
    ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE, ASSIGN_VARIABLE, IS_INITIALIZED, READ_VARIABLE,
};
pub(crate) use variable_ops::{change_variable, update_variable, value_type};

/// A tensor: elements of one dtype in a shape, or the result of an op that is being traced.
///
/// A tensor never changes: ops make new ones. Cloning is cheap and keeps the identity.
///
/// ```
/// use extype::prelude::*;
/// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
/// let y = (&x * 2.0 + 1.0).sqrt()?;
/// assert_eq!(y.shape(), shape![2, 2]);
/// assert_eq!(y.reduce_sum(1, false)?.dtype(), DType::F32);
/// # Ok::<(), Error>(())
/// ```
///
/// | what | see |
/// | --- | --- |
/// | dtype and shape | [`dtype`](Self::dtype), [`shape`](Self::shape), [`rank`](Self::rank), [`len`](Self::len) for the rows |
/// | data in | [`tensor!`](crate::tensor!), [`scalar`](scalar()), `Tensor::from(data)`, [`new`](Self::new) |
/// | data in, with sizes | [`from_slice`](Self::from_slice), [`from_strings`](Self::from_strings) |
/// | data out | [`as_slice`](Self::as_slice), [`to_vec`](Self::to_vec), [`item`](Self::item), [`to_strings`](Self::to_strings) |
/// | rows | [`rows`](Self::rows), [`index`](crate::ops::SlicingMethods::index) for one row or any part |
/// | filled tensors | [`ops::zeros`](crate::ops::zeros()), [`ops::arange`](crate::ops::arange()) |
/// | tensors of a trace | [`is_symbolic`](Self::is_symbolic); they have a dtype, but no elements yet |
///
/// # Methods of ops
///
/// Ops are methods of traits, all of which `use extype::prelude::*` brings in:
///
/// | subject | traits |
/// | --- | --- |
/// | functions of elements | [`UnaryMethods`], [`PowerMethods`], [`SpecialMethods`] |
/// | other dtypes, parts of numbers | [`CastMethods`], [`RoundingMethods`], [`PartsMethods`], [`ComplexMethods`] |
/// | functions of two tensors | [`BinaryMethods`], [`DivisionMethods`] |
/// | comparisons | [`CompareMethods`], [`ClosenessMethods`] |
/// | reductions | [`ShortMethods`], [`ReductionMethods`], [`NanMethods`] |
/// | norms and statistics | [`NormMethods`], [`SpreadMethods`], [`MomentsMethods`], [`QuantilesMethods`] |
/// | counts, running sums | [`StatisticsMethods`], [`CountingMethods`], [`HistogramMethods`], [`RunningMethods`], [`ScanMethods`] |
/// | products | [`LinearMethods`], [`ProductsMethods`], [`EinsumMethods`] |
/// | shapes and order | [`MovementMethods`], [`ArrangeMethods`], [`TurnMethods`] |
/// | parts, edges, blocks | [`SlicingMethods`], [`MaskMethods`], [`JoinMethods`], [`PaddingMethods`], [`BlocksMethods`] |
/// | indices and edits | [`IndexingMethods`], [`TakeMethods`], [`EditMethods`] |
/// | sorting, `argmax`, sets | [`SortMethods`], [`OrderingMethods`], [`ExtremesMethods`], [`SetsMethods`] |
/// | diagonals and filled tensors | [`DiagonalMethods`], [`MatricesMethods`], [`ArraysMethods`] |
/// | series and polynomials | [`SeriesMethods`], [`WindowsMethods`], [`PolynomialsMethods`] |
///
/// [`ArrangeMethods`]: crate::ops::ArrangeMethods
/// [`ArraysMethods`]: crate::ops::ArraysMethods
/// [`BinaryMethods`]: crate::ops::BinaryMethods
/// [`BlocksMethods`]: crate::ops::BlocksMethods
/// [`CastMethods`]: crate::ops::CastMethods
/// [`ClosenessMethods`]: crate::ops::ClosenessMethods
/// [`CompareMethods`]: crate::ops::CompareMethods
/// [`ComplexMethods`]: crate::ops::ComplexMethods
/// [`CountingMethods`]: crate::ops::CountingMethods
/// [`DiagonalMethods`]: crate::ops::DiagonalMethods
/// [`DivisionMethods`]: crate::ops::DivisionMethods
/// [`EditMethods`]: crate::ops::EditMethods
/// [`EinsumMethods`]: crate::ops::EinsumMethods
/// [`ExtremesMethods`]: crate::ops::ExtremesMethods
/// [`HistogramMethods`]: crate::ops::HistogramMethods
/// [`IndexingMethods`]: crate::ops::IndexingMethods
/// [`JoinMethods`]: crate::ops::JoinMethods
/// [`LinearMethods`]: crate::ops::LinearMethods
/// [`MaskMethods`]: crate::ops::MaskMethods
/// [`MatricesMethods`]: crate::ops::MatricesMethods
/// [`MomentsMethods`]: crate::ops::MomentsMethods
/// [`MovementMethods`]: crate::ops::MovementMethods
/// [`NanMethods`]: crate::ops::NanMethods
/// [`NormMethods`]: crate::ops::NormMethods
/// [`OrderingMethods`]: crate::ops::OrderingMethods
/// [`PaddingMethods`]: crate::ops::PaddingMethods
/// [`PartsMethods`]: crate::ops::PartsMethods
/// [`PolynomialsMethods`]: crate::ops::PolynomialsMethods
/// [`PowerMethods`]: crate::ops::PowerMethods
/// [`ProductsMethods`]: crate::ops::ProductsMethods
/// [`QuantilesMethods`]: crate::ops::QuantilesMethods
/// [`ReductionMethods`]: crate::ops::ReductionMethods
/// [`RoundingMethods`]: crate::ops::RoundingMethods
/// [`RunningMethods`]: crate::ops::RunningMethods
/// [`ScanMethods`]: crate::ops::ScanMethods
/// [`SeriesMethods`]: crate::ops::SeriesMethods
/// [`SetsMethods`]: crate::ops::SetsMethods
/// [`ShortMethods`]: crate::ops::ShortMethods
/// [`SlicingMethods`]: crate::ops::SlicingMethods
/// [`SortMethods`]: crate::ops::SortMethods
/// [`SpecialMethods`]: crate::ops::SpecialMethods
/// [`SpreadMethods`]: crate::ops::SpreadMethods
/// [`StatisticsMethods`]: crate::ops::StatisticsMethods
/// [`TakeMethods`]: crate::ops::TakeMethods
/// [`TurnMethods`]: crate::ops::TurnMethods
/// [`UnaryMethods`]: crate::ops::UnaryMethods
/// [`WindowsMethods`]: crate::ops::WindowsMethods
#[derive(Clone)]
#[must_use = "ops make new tensors and change none; write `let _ =` if only an error matters"]
pub enum Tensor {
    /// Concrete data.
    Value(Array),
    /// A node of a graph that is being traced.
    Symbol(Symbol),
}

/// Dtype and shape.
impl Tensor {
    /// The element type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].dtype(), DType::I32);
    /// ```
    #[inline]
    pub fn dtype(&self) -> DType {
        match self {
            Tensor::Value(a) => a.dtype(),
            Tensor::Symbol(s) => s.dtype(),
        }
    }

    /// The shape: fully known for values; in a trace, as far as shape inference knows it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 2.0, 3.0]].shape(), shape![1, 3]);
    /// ```
    pub fn shape(&self) -> Shape {
        match self {
            Tensor::Value(a) => a.shape(),
            Tensor::Symbol(s) => s.shape().clone(),
        }
    }

    /// The number of dimensions, if known.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 2.0]].rank(), Some(2));
    /// ```
    #[inline]
    pub fn rank(&self) -> Option<usize> {
        match self {
            Tensor::Value(a) => Some(a.rank()),
            Tensor::Symbol(s) => s.shape().rank(),
        }
    }

    /// The number of dimensions.
    ///
    /// NumPy: `x.ndim`.
    ///
    /// # Panics
    /// If it is unknown while tracing; [`rank`](Self::rank) is `None` then.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 2.0]].ndim(), 2);
    /// ```
    #[track_caller]
    pub fn ndim(&self) -> usize {
        match self.rank() {
            Some(rank) => rank,
            None => {
                let e = err!("the rank is unknown while tracing; `x.rank()` is `None` then");
                fail(e.with_location(Location::caller()))
            }
        }
    }

    /// The number of rows: the size of the first axis.
    ///
    /// NumPy: `len(x)`.
    ///
    /// # Panics
    /// For a scalar, and if it is unknown while tracing; use `ops::shape_of(&x)?.index(0)?` for a tensor instead.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 2.0]].len(), 1);
    /// ```
    #[track_caller]
    pub fn len(&self) -> usize {
        self.shape()[0]
    }

    /// True if there are no rows.
    ///
    /// # Panics
    /// As [`len`](Self::len).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(ops::zeros([0, 3], f32)?.is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of elements.
    ///
    /// NumPy: `x.size`. Use `ops::size(&x)?` for a tensor.
    ///
    /// # Panics
    /// If it is unknown while tracing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1.0f32, 2.0]].num_elements(), 2);
    /// ```
    #[track_caller]
    pub fn num_elements(&self) -> usize {
        match self.shape().num_elements() {
            Some(n) => n,
            None => fail(self.shape().not_known("the number of elements", "size(&x)")),
        }
    }

    /// Dtype and shape.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let ty = tensor![1.0f32, 2.0].tensor_type();
    /// assert_eq!((ty.dtype, ty.shape), (f32, shape![2]));
    /// ```
    pub fn tensor_type(&self) -> TensorType {
        TensorType { dtype: self.dtype(), shape: self.shape() }
    }
}

/// Data in.
impl Tensor {
    /// A rank-0 tensor with the dtype of the Rust number, or of a text or bytes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = Tensor::scalar(5i64);
    /// assert_eq!((x.dtype(), x.shape()), (DType::I64, shape![]));
    /// ```
    pub fn scalar<T: DataElement>(value: T) -> Tensor {
        Tensor::Value(value.into_scalar())
    }

    /// A tensor of these elements in row-major order.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of elements does not fit the sizes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = Tensor::from_slice(&[1, 2, 3, 4, 5, 6], &[2, 3])?;
    /// assert_eq!(x.shape(), shape![2, 3]);
    /// assert!(Tensor::from_slice(&[1, 2, 3], &[2]).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_slice<T: Element>(data: &[T], sizes: &[usize]) -> Result<Tensor> {
        let _site = call_site_of(Some("from_slice"));
        Array::from_slice(sizes, data).map(Tensor::Value)
    }

    /// A vector of these elements.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(Tensor::from_vec(vec![1.0f32, 2.0]).shape(), shape![2]);
    /// ```
    pub fn from_vec<T: Element>(data: Vec<T>) -> Tensor {
        let array = Array::from_slice([data.len()], &data);
        Tensor::Value(array.expect("a vector has the length it has"))
    }

    /// A tensor of strings in row-major order.
    ///
    /// # Errors
    /// `InvalidArgument` if the number of strings does not fit the sizes; `ResourceExhausted`
    /// if there is no memory for them.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = Tensor::from_strings(&["a", "bc"], &[2])?;
    /// assert_eq!((x.dtype(), x.shape()), (DType::String, shape![2]));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn from_strings<S: AsRef<[u8]>>(data: &[S], sizes: &[usize]) -> Result<Tensor> {
        let _site = call_site_of(Some("from_strings"));
        let mut items = vec_for(data.len())?;
        for s in data {
            items.push(copy_of(s.as_ref())?);
        }
        Array::from_strings(sizes, items).map(Tensor::Value)
    }
}

/// Data out.
impl Tensor {
    /// The elements in row-major order.
    ///
    /// # Errors
    /// As [`value`](Self::value), and `InvalidArgument` if `T` is not the element type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2, 3].as_slice::<i32>()?, &[1, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        self.read("as_slice", Array::as_slice)
    }

    /// A copy of the elements in row-major order.
    ///
    /// # Errors
    /// As [`as_slice`](Self::as_slice); `ResourceExhausted` if there is no memory for the copy.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1, 2], [3, 4]].to_vec::<i32>()?, [1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.read("to_vec", |a| copy_of(a.as_slice()?))
    }

    /// The only element.
    ///
    /// # Errors
    /// As [`as_slice`](Self::as_slice), and `InvalidArgument` if there is not exactly one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(scalar(2.5f32).item::<f32>()?, 2.5);
    /// assert!(tensor![1, 2].item::<i32>().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn item<T: Element>(&self) -> Result<T> {
        self.read("item", |a| match a.as_slice()? {
            [one] => Ok(*one),
            _ => bail!("one element is wanted, but the shape is {}", a.shape()),
        })
    }

    /// The strings in row-major order, as text.
    ///
    /// # Errors
    /// `InvalidArgument` for another dtype, a string that is no UTF-8, and a tensor of a trace.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let names = tensor!["b", "a"];
    /// assert_eq!(names.to_strings()?, ["b", "a"]);
    /// assert_eq!(String::try_from(&names.index(1)?)?, "a");
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn to_strings(&self) -> Result<Vec<String>> {
        let _site = call_site!();
        let strings = self.value()?.as_strings()?.iter();
        let strings = joined_strings(strings.map(|bytes| [&bytes[..]]))?;
        let mut texts = vec_for(strings.len())?;
        for bytes in strings {
            texts.push(String::from_utf8(bytes).map_err(|e| {
                err!("a string is no text ({e}); `value()?.as_strings()?` has its bytes")
            })?);
        }
        Ok(texts)
    }

    /// The elements as an `ndarray` array.
    ///
    /// # Errors
    /// As [`as_slice`](Self::as_slice).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = tensor![[1.0f32, 2.0], [3.0, 4.0]].to_array::<f32>()?;
    /// assert_eq!(x, ndarray::arr2(&[[1.0, 2.0], [3.0, 4.0]]).into_dyn());
    /// # Ok::<(), Error>(())
    /// ```
    #[cfg(feature = "ndarray")]
    #[track_caller]
    pub fn to_array<T: Element>(&self) -> Result<ndarray::ArrayD<T>> {
        self.read("to_array", Array::to_ndarray)
    }

    /// The concrete data.
    ///
    /// # Errors
    /// `FailedPrecondition` in a traced function, where a tensor has no elements yet; `InvalidArgument` for
    /// a symbol of a trace that has ended.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![1, 2].value()?.as_slice::<i32>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn value(&self) -> Result<&Array> {
        self.read("value", Ok)
    }
}

/// Identity and tracing.
impl Tensor {
    /// The identity of this tensor, unique among all that are alive; clones share it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let x = scalar(1.0f32);
    /// assert_eq!(x.clone().id(), x.id());
    /// assert_ne!(scalar(1.0f32).id(), x.id());
    /// ```
    #[inline]
    pub fn id(&self) -> Identity {
        match self {
            Tensor::Value(a) if a.dtype() == DType::Resource => Identity::of_resource(a),
            Tensor::Value(a) => Identity::Storage(a.id()),
            Tensor::Symbol(s) => Identity::Symbol(s.graph(), s.endpoint()),
        }
    }

    /// True for a tensor of a trace.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| {
    ///     assert!(x.is_symbolic());
    ///     ops::neg(x)
    /// });
    /// assert!(!f.call(&scalar(1.0f32))?.is_symbolic());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_symbolic(&self) -> bool {
        matches!(self, Tensor::Symbol(_))
    }
}

impl Tensor {
    /// [`value`](Self::value) for calls within the library: the error gets the line of the marked call.
    #[inline]
    pub(crate) fn data(&self) -> Result<&Array> {
        match self {
            Tensor::Value(a) => Ok(a),
            Tensor::Symbol(s) => Err(no_value(s)),
        }
    }

    /// Reads from the elements; errors get the name of the method and the line of its caller.
    #[inline]
    #[track_caller]
    fn read<'a, R>(
        &'a self,
        name: &'static str,
        read: impl FnOnce(&'a Array) -> Result<R>,
    ) -> Result<R> {
        self.check_read(name)?;
        let here = Location::caller();
        self.data().and_then(read).map_err(|e| match caller() {
            // The error already has the call that led here.
            Some(_) => e,
            None => e.with_op(name).with_location(here),
        })
    }

    /// Refuses to let a user read a tensor that is being differentiated. Reads by the library itself, within its calls, are
    /// part of ops that have gradients, and are allowed.
    #[inline]
    #[track_caller]
    fn check_read(&self, name: &'static str) -> Result<()> {
        if !context::is_active() || caller().is_some() {
            return Ok(());
        }
        let here = Location::caller();
        context::check_read(self).map_err(|e| e.with_op(name).with_location(here))
    }
}

#[cold]
fn no_value(s: &Symbol) -> Error {
    if !context::is_open(s.graph()) {
        return frame::leaked(s);
    }
    err!(
        FailedPrecondition,
        "a symbolic tensor of {} has no elements while `{}` is being traced; compute with the tensor (`if \
         x.greater(0.0)? {{ … }}` and `ops::select` decide by it), return it and read the result, or let \
         `host_function` run code on its elements",
        s.tensor_type(),
        s.function()
    )
}

impl From<Array> for Tensor {
    fn from(array: Array) -> Self {
        Tensor::Value(array)
    }
}

impl std::fmt::Display for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tensor::Value(a) => {
                std::fmt::Display::fmt(a, f)?;
                // A number stands alone; `{:?}` tells its dtype.
                if a.rank() == 0 { Ok(()) } else { write!(f, " {}", a.tensor_type()) }
            }
            Tensor::Symbol(s) if context::is_over(s.graph()) => {
                write!(f, "<{}>", frame::leaked(s).message())
            }
            Tensor::Symbol(s) => write!(f, "<symbolic {}>", s.tensor_type()),
        }
    }
}

impl std::fmt::Debug for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tensor::Value(a) if a.len() <= 16 => {
                let text = a.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                write!(f, "Tensor({text} {})", a.tensor_type())
            }
            Tensor::Value(a) => write!(f, "Tensor({})", a.tensor_type()),
            Tensor::Symbol(s) if context::is_over(s.graph()) => {
                write!(f, "Tensor({s:?} of `{}`, whose trace is over)", s.function())
            }
            Tensor::Symbol(s) => write!(f, "Tensor({s:?})"),
        }
    }
}
