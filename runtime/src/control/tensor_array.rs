//! Lists of tensors that loops collect into.

#![expect(
    unused_lifetimes,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "of the derive's expansion, which is this crate's own here"
)]

use std::fmt;

use crate::ExtensionType;
use crate::ops::{
    EmptyTensorList, Op, TensorListConcat, TensorListFromTensor, TensorListGather,
    TensorListGetItem, TensorListLength, TensorListPopBack, TensorListPushBack, TensorListReserve,
    TensorListScatterInto, TensorListSetItem, TensorListSplit, TensorListStack, whole_numbers,
};
use crate::spec::{Boxes, TensorSpec};
use crate::tensor::{Tensor, TensorLike, call_site_of};
use crate::types::{DType, Result, Shape, bail};

/// A list of tensors of one dtype, which loops and branches carry as one value. Typically each step of a loop
/// writes one element, and the elements are stacked at the end.
///
/// Writing returns a new array, which shares unchanged elements with the old one. An element that was never written is
/// zeros, if the shape of the elements is known. Elements may differ in the sizes that the spec leaves unknown.
///
/// TensorFlow: `tf.TensorArray`, in graphs `TensorListSetItem` and related ops.
///
/// ```
/// use extype::control::TensorArray;
/// use extype::prelude::*;
/// #[tf_function]
/// fn powers(x: &Tensor) -> Result<Tensor> {
///     let mut powers = TensorArray::new(3, &x.type_spec())?;
///     let mut y = x.clone();
///     for i in 0..3 {
///         powers = powers.write(i, &y)?;
///         y = ops::mul(&y, x)?;
///     }
///     powers.stack()
/// }
/// assert_eq!(powers(&scalar(2.0f32))?.as_slice::<f32>()?, &[2.0, 4.0, 8.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(ExtensionType, Clone)]
#[extension_type(constructor = none, crate = crate)]
pub struct TensorArray {
    list: Tensor,
    dtype: DType,
    shape: Shape,
    grows: bool,
}

impl TensorArray {
    /// An array of `len` elements of this spec; `len` is an integer or an integer tensor.
    ///
    /// # Errors
    /// `InvalidArgument` for a `len` that is not an integer, or negative.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::new(3, &TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(a.size()?.item::<i32>()?, 3);
    /// assert_eq!(a.read(0)?.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn new(len: impl TensorLike, element: &TensorSpec) -> Result<Self> {
        let _site = call_site_of(Some("TensorArray::new"));
        let (dtype, shape) = (element.dtype, element.shape.clone());
        let op = TensorListReserve { dtype };
        let list = op.run(&[&element_sizes(&shape), &integer(&len)?])?;
        Ok(Self { list, dtype, shape, grows: false })
    }

    /// An empty array that grows as elements are written.
    ///
    /// # Errors
    /// None.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::growing(&TensorSpec::of::<f32>([]))?;
    /// let a = a.push(&scalar(1.0f32))?.push(&scalar(2.0f32))?;
    /// assert_eq!(a.stack()?.as_slice::<f32>()?, &[1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn growing(element: &TensorSpec) -> Result<Self> {
        let _site = call_site_of(Some("TensorArray::growing"));
        let (dtype, shape) = (element.dtype, element.shape.clone());
        let list =
            EmptyTensorList { dtype }.run(&[&element_sizes(&shape), &Tensor::scalar(-1i32)])?;
        Ok(Self { list, dtype, shape, grows: true })
    }

    /// An array with the rows of a tensor.
    ///
    /// # Errors
    /// `InvalidArgument` for a scalar.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::unstack(&tensor![[1, 2], [3, 4]])?;
    /// assert_eq!(a.read(1)?.as_slice::<i32>()?, &[3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn unstack(tensor: &Tensor) -> Result<Self> {
        let _site = call_site_of(Some("TensorArray::unstack"));
        let shape = match tensor.shape().dims() {
            Some([]) => bail!("a scalar has no rows"),
            Some(dims) => dims[1..].iter().copied().collect(),
            None => Shape::unknown(),
        };
        let list = TensorListFromTensor {}.run(&[tensor, &element_sizes(&shape)])?;
        Ok(Self { list, dtype: tensor.dtype(), shape, grows: false })
    }

    /// An array with the parts of a tensor along its first axis, which have these sizes.
    ///
    /// # Errors
    /// `InvalidArgument` for sizes that do not add up to the size of the axis.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::split(&tensor![1, 2, 3], [1, 2])?;
    /// assert_eq!(a.read(1)?.as_slice::<i32>()?, &[2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn split(tensor: &Tensor, sizes_of_parts: impl TensorLike) -> Result<Self> {
        let _site = call_site_of(Some("TensorArray::split"));
        let mut shape = tensor.shape();
        if let Some(dims) = shape.dims() {
            let Some((_, rest)) = dims.split_first() else { bail!("a scalar has no parts") };
            shape =
                std::iter::once(crate::types::Dim::UNKNOWN).chain(rest.iter().copied()).collect();
        }
        let parts = whole_numbers(&sizes_of_parts.to_tensor()?, DType::I64)?;
        let list = TensorListSplit {}.run(&[tensor, &element_sizes(&shape), &parts])?;
        Ok(Self { list, dtype: tensor.dtype(), shape, grows: false })
    }

    /// The spec of the elements.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::unstack(&tensor![[1, 2], [3, 4]])?;
    /// assert_eq!(a.element(), TensorSpec::of::<i32>([2]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn element(&self) -> TensorSpec {
        TensorSpec::new(&self.shape, self.dtype)
    }

    /// The number of elements, as an int32 scalar.
    ///
    /// # Errors
    /// None.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// assert_eq!(TensorArray::unstack(&tensor![1, 2, 3])?.size()?.item::<i32>()?, 3);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn size(&self) -> Result<Tensor> {
        let _site = call_site_of(Some("TensorArray::size"));
        TensorListLength {}.run(&[&self.list])
    }

    /// The array with the element at index `at` replaced by `value`.
    ///
    /// # Errors
    /// `OutOfRange` for an index beyond the end, unless the array grows; `InvalidArgument` for a value that does not fit the
    /// spec of the elements.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::new(2, &TensorSpec::of::<f32>([]))?;
    /// let b = a.write(1, &scalar(5.0f32))?;
    /// assert_eq!(b.stack()?.as_slice::<f32>()?, &[0.0, 5.0]);
    /// assert_eq!(a.stack()?.as_slice::<f32>()?, &[0.0, 0.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn write(&self, at: impl TensorLike, value: &Tensor) -> Result<Self> {
        let _site = call_site_of(Some("TensorArray::write"));
        self.check(value)?;
        let op = TensorListSetItem { grows: self.grows };
        self.with(op.run(&[&self.list, &integer(&at)?, value])?)
    }

    /// The array with one more element at the end.
    ///
    /// # Errors
    /// As [`write`](Self::write); `InvalidArgument` for an array of fixed length.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::growing(&TensorSpec::of::<i32>([]))?.push(&scalar(7))?;
    /// assert_eq!(a.read(0)?.item::<i32>()?, 7);
    /// assert!(TensorArray::unstack(&tensor![1, 2])?.push(&scalar(7)).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn push(&self, value: &Tensor) -> Result<Self> {
        let _site = call_site_of(Some("TensorArray::push"));
        self.check(value)?;
        if !self.grows {
            bail!("an array of a given length takes no further element; make it `growing`");
        }
        self.with(TensorListPushBack {}.run(&[&self.list, value])?)
    }

    /// The array without its last element, and that element.
    ///
    /// # Errors
    /// `InvalidArgument` if the array is empty or has a fixed length.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::growing(&TensorSpec::of::<i32>([]))?;
    /// let (a, last) = a.push(&scalar(7))?.push(&scalar(8))?.pop()?;
    /// assert_eq!((a.size()?.item::<i32>()?, last.item::<i32>()?), (1, 8));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn pop(&self) -> Result<(Self, Tensor)> {
        let _site = call_site_of(Some("TensorArray::pop"));
        if !self.grows {
            bail!("an array of a given length gives no element away; make it `growing`");
        }
        let op = TensorListPopBack { dtype: self.dtype };
        let (list, item): (Tensor, Tensor) = op.run_as(&[&self.list, &sizes(&self.shape)])?;
        Ok((self.with(list)?, item))
    }

    /// The element at index `at`.
    ///
    /// # Errors
    /// `OutOfRange` for an index beyond the end; `InvalidArgument` for an element that was never written, if
    /// the shape of the elements is not known.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::unstack(&tensor![1, 2, 3])?;
    /// assert_eq!(a.read(2)?.item::<i32>()?, 3);
    /// assert!(a.read(3).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn read(&self, at: impl TensorLike) -> Result<Tensor> {
        let _site = call_site_of(Some("TensorArray::read"));
        let op = TensorListGetItem { dtype: self.dtype };
        op.run(&[&self.list, &integer(&at)?, &sizes(&self.shape)])
    }

    /// All elements stacked as the rows of a tensor.
    ///
    /// # Errors
    /// `InvalidArgument` for elements of different shapes, or if there are no elements and their shape is not known.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(TensorArray::unstack(&x)?.stack()?.as_slice::<i32>()?, x.as_slice::<i32>()?);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn stack(&self) -> Result<Tensor> {
        let _site = call_site_of(Some("TensorArray::stack"));
        let op = TensorListStack { dtype: self.dtype, num_elements: -1 };
        op.run(&[&self.list, &sizes(&self.shape)])
    }

    /// The elements at these indices, stacked as the rows of a tensor.
    ///
    /// # Errors
    /// As [`read`](Self::read) and [`stack`](Self::stack).
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::unstack(&tensor![10, 20, 30])?;
    /// assert_eq!(a.gather([2, 0])?.as_slice::<i32>()?, &[30, 10]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn gather(&self, indices: impl TensorLike) -> Result<Tensor> {
        let _site = call_site_of(Some("TensorArray::gather"));
        let op = TensorListGather { dtype: self.dtype };
        op.run(&[&self.list, &integer(&indices)?, &sizes(&self.shape)])
    }

    /// The array with the elements at these indices replaced by the rows of a tensor.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::new(3, &TensorSpec::of::<i32>([]))?;
    /// let a = a.scatter([2, 0], &tensor![5, 6])?;
    /// assert_eq!(a.stack()?.as_slice::<i32>()?, &[6, 0, 5]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn scatter(&self, indices: impl TensorLike, rows: &Tensor) -> Result<Self> {
        let _site = call_site_of(Some("TensorArray::scatter"));
        let op = TensorListScatterInto {};
        self.with(op.run(&[&self.list, rows, &integer(&indices)?])?)
    }

    /// The elements concatenated along their first axis.
    ///
    /// # Errors
    /// `InvalidArgument` for scalars, and for elements whose other axes differ.
    ///
    /// ```
    /// use extype::control::TensorArray;
    /// use extype::prelude::*;
    /// let a = TensorArray::unstack(&tensor![[1, 2], [3, 4]])?;
    /// assert_eq!(a.concat()?.as_slice::<i32>()?, &[1, 2, 3, 4]);
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn concat(&self) -> Result<Tensor> {
        let _site = call_site_of(Some("TensorArray::concat"));
        Ok(self.joined()?.values)
    }

    /// The elements concatenated, and the size of the first axis of each.
    pub(super) fn joined(&self) -> Result<Boxes> {
        let op = TensorListConcat { dtype: self.dtype };
        let none = Tensor::from_vec(Vec::<i64>::new());
        let (values, sizes): (Tensor, Tensor) =
            op.run_as(&[&self.list, &sizes(&self.shape), &none])?;
        Ok(Boxes { values, sizes })
    }

    fn with(&self, list: Tensor) -> Result<Self> {
        Ok(Self { list, ..self.clone() })
    }

    fn check(&self, value: &Tensor) -> Result<()> {
        if value.dtype() != self.dtype || !value.shape().is_compatible_with(&self.shape) {
            bail!("an array of {}{} takes no {}", self.dtype, self.shape, value.tensor_type());
        }
        Ok(())
    }
}

impl fmt::Debug for TensorArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorArray of {}{}", self.dtype, self.shape)
    }
}

/// The element shape operand of ops that make a list: -1 for an unknown size, the scalar -1 for an unknown rank.
fn element_sizes(shape: &Shape) -> Tensor {
    match shape.dims() {
        Some(dims) if dims.iter().any(|d| i32::try_from(d.to_i64()).is_err()) => {
            Tensor::from_vec(dims.iter().map(|d| d.to_i64()).collect::<Vec<i64>>())
        }
        _ => sizes(shape),
    }
}

/// The int32 element shape operand of ops that read a list. A size beyond int32 becomes -1, since the list knows it.
pub(super) fn sizes(shape: &Shape) -> Tensor {
    match shape.dims() {
        Some(dims) => {
            let size = |d: &crate::types::Dim| i32::try_from(d.to_i64()).unwrap_or(-1);
            Tensor::from_vec(dims.iter().map(size).collect::<Vec<i32>>())
        }
        None => Tensor::scalar(-1i32),
    }
}

/// Integers converted to int32, as list ops take them.
fn integer(value: &impl TensorLike) -> Result<Tensor> {
    let value = value.to_tensor()?;
    if !value.dtype().is_integer() {
        bail!("a place in an array is an integer, not a {}", value.dtype());
    }
    whole_numbers(&value, DType::I32)
}
