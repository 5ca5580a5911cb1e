//! Operands of ops: tensors, extension types, and everything that converts to a tensor.

use crate::ops::protocol::meanings::{
    BinaryElementwise, BinaryOp, ReductionOp, Reductions, UnaryElementwise, UnaryOp,
};
use crate::ops::protocol::number::fit;
use crate::ops::{Axes, SlicingMethods as _};
use crate::tensor::{Lent, Tensor, TensorLike, execute_one, host_number_of};
use crate::types::{Result, Shape};

/// An operand of an op, by value or by reference: `ops::add(&x, 2.0)`, `ops::add(x, vec![1, 2])`.
///
/// `Value` is the type that dispatch looks at: an extension type itself
/// (`#[derive(ExtensionType)]` implements this for it), and [`Tensor`] for everything that is
/// [`TensorLike`]. A number takes the dtype of the tensors that it meets.
///
/// ```
/// use extype::prelude::*;
/// assert_eq!(ops::add([1.0f32, 2.0], 3)?.as_slice::<f32>()?, &[4.0, 5.0]);
/// assert_eq!(ops::add(vec![1i64, 2], &tensor![10i64, 20])?.as_slice::<i64>()?, &[11, 22]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of a tensor op",
    label = "not a tensor, an extension type, a number, or data that is `TensorLike`",
    note = "make a tensor of other data: `Tensor::from(data)`, or implement `TensorLike` for its type; of a `Result` take the value by `?`"
)]
pub trait Operand {
    /// The type that decides what the op means.
    type Value;

    /// The operand itself.
    ///
    /// # Errors
    /// `InvalidArgument` if the value can't be a tensor, such as a ragged list of lists.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!([1.0f32, 2.0].operand()?.shape(), shape![2]);
    /// assert!(vec![vec![1.0f32], vec![]].operand().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn operand(&self) -> Result<Lent<'_, Self::Value>>;

    /// Like [`operand`](Self::operand), but plain data is first replaced by the result of `with`, if
    /// any. Extension types are returned unchanged.
    ///
    /// # Errors
    /// As [`operand`](Self::operand), and what `with` refuses.
    #[doc(hidden)]
    fn operand_as(
        &self,
        _with: fn(&Tensor) -> Result<Option<Tensor>>,
    ) -> Result<Lent<'_, Self::Value>> {
        self.operand()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Operand for Lent<'_, T> {
    type Value = T;

    #[inline]
    fn operand(&self) -> Result<Lent<'_, T>> {
        Ok(Lent::Borrowed(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: TensorLike + ?Sized> Operand for T {
    type Value = Tensor;

    #[inline]
    fn operand(&self) -> Result<Lent<'_, Tensor>> {
        self.lend()
    }

    fn operand_as(&self, with: fn(&Tensor) -> Result<Option<Tensor>>) -> Result<Lent<'_, Tensor>> {
        let x = self.lend()?;
        Ok(with(&x)?.map_or(x, Lent::Owned))
    }
}

/// A type that has the ops as methods: [`Tensor`], and extension types by their derive. (Methods on
/// everything that converts to a tensor would hide the methods of `f64`.)
pub trait HasMethods: Operand {}

impl HasMethods for Tensor {}

impl UnaryElementwise for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn unary<O: UnaryOp>(op: &O, x: &Tensor) -> Result<Tensor> {
        op.on_tensor(x)
    }
}

impl Reductions for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn reduce<O: ReductionOp>(op: &O, x: &Tensor) -> Result<Tensor> {
        let y = op.run(&[x])?;
        // Inference does not know the axes of a tensor of unknown rank, but reducing all of them
        // leaves a scalar.
        match x.rank() {
            None if *op.axes() == Axes::All && !op.keep_dims() => y.ensure_shape(Shape::scalar()),
            _ => Ok(y),
        }
    }
}

impl BinaryElementwise<Tensor> for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn binary<O: BinaryOp>(op: &O, x: &Tensor, y: &Tensor) -> Result<Tensor> {
        if x.dtype() == y.dtype() {
            // The fast path, which most calls take.
            return execute_one(op.def_for(&[x, y])?, op.attrs(), &[x, y]);
        }
        // As `run`, but without copying the tensors. Ops whose operands may differ in dtype are left to
        // `run`.
        let one_dtype = matches!(op.def().inputs, [a, b] if a.dtype == b.dtype);
        match (host_number_of(x), host_number_of(y)) {
            _ if !one_dtype => op.run(&[x, y]),
            (None, Some(n)) => op.run_settled(&[x, &fit(op.def(), n, x.dtype())?]),
            (Some(n), None) => op.run_settled(&[&fit(op.def(), n, y.dtype())?, y]),
            _ => op.run(&[x, y]),
        }
    }
}
