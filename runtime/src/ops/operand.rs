//! What can stand as an operand: references and values of tensors and extension types, and host
//! numbers.

use super::apply::{
    Apply2, Apply3, BinaryElementwise, BinaryOp, Op, ReductionOp, Reductions, UnaryElementwise,
    UnaryOp,
};
use super::table::{MatrixDiag, MatrixDiagPart, OneHot, PadWith, Select};
use crate::array::{HostScalar, Scalar};
use crate::tensor::Tensor;
use crate::types::{DType, Result, bail};

/// An operand of an op, by value or by reference: `ops::add(&x, 2.0)`, `ops::add(x, &y)`.
///
/// `Value` is the type that dispatch looks at; for host numbers it is [`Scalar`].
/// `#[derive(ExtensionType)]` implements it for your types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of a tensor op",
    label = "not a tensor, an extension type (by value or by reference) or a number",
    note = "make a tensor of other data: `tensor!(data)`"
)]
pub trait Operand {
    /// The type that decides what the op means.
    type Value;

    /// The operand itself.
    fn operand(&self) -> Lent<'_, Self::Value>;
}

/// A value that is borrowed where it can be and owned where it must.
#[derive(Debug)]
pub enum Lent<'a, T> {
    /// A borrowed value.
    Borrowed(&'a T),
    /// A value made for the purpose.
    Owned(T),
}

impl<T> std::ops::Deref for Lent<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match self {
            Lent::Borrowed(value) => value,
            Lent::Owned(value) => value,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T> Operand for Lent<'_, T> {
    type Value = T;

    fn operand(&self) -> Lent<'_, T> {
        Lent::Borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: HostScalar> Operand for S {
    type Value = Scalar;

    fn operand(&self) -> Lent<'_, Scalar> {
        Lent::Owned(self.to_scalar())
    }
}

#[diagnostic::do_not_recommend]
impl Operand for Tensor {
    type Value = Tensor;

    #[inline]
    fn operand(&self) -> Lent<'_, Tensor> {
        Lent::Borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl Operand for &Tensor {
    type Value = Tensor;

    #[inline]
    fn operand(&self) -> Lent<'_, Tensor> {
        Lent::Borrowed(self)
    }
}

impl UnaryElementwise for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn unary<O: UnaryOp>(op: &O, x: &Tensor) -> Result<Tensor> {
        op.run(&[x])
    }
}

impl Reductions for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn reduce<O: ReductionOp>(op: &O, x: &Tensor) -> Result<Tensor> {
        op.run(&[x])
    }
}

impl BinaryElementwise<Tensor> for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn binary<O: BinaryOp>(op: &O, x: &Tensor, y: &Tensor) -> Result<Tensor> {
        if x.dtype() == y.dtype() {
            return op.run(&[x, y]);
        }
        // A host number that came through an extension type's handler as a tensor.
        match (weak(x), weak(y)) {
            (None, Some(y)) => op.run(&[x, &fit(op, y, x)?]),
            (Some(x), None) => op.run(&[&fit(op, x, y)?, y]),
            _ => op.run(&[x, y]),
        }
    }
}

impl BinaryElementwise<Scalar> for Tensor {
    type Output = Tensor;

    #[track_caller]
    fn binary<O: BinaryOp>(op: &O, x: &Tensor, y: &Scalar) -> Result<Tensor> {
        op.run(&[x, &fit(op, *y, x)?])
    }
}

impl BinaryElementwise<Tensor> for Scalar {
    type Output = Tensor;

    #[track_caller]
    fn binary<O: BinaryOp>(op: &O, x: &Scalar, y: &Tensor) -> Result<Tensor> {
        op.run(&[&fit(op, *x, y)?, y])
    }
}

impl Apply3<Tensor, Scalar, Select> for Tensor {
    type Output = Tensor;

    fn apply3(op: &Select, condition: &Tensor, t: &Tensor, e: &Scalar) -> Result<Tensor> {
        op.run(&[condition, t, &fit(op, *e, t)?])
    }
}

impl Apply3<Scalar, Tensor, Select> for Tensor {
    type Output = Tensor;

    fn apply3(op: &Select, condition: &Tensor, t: &Scalar, e: &Tensor) -> Result<Tensor> {
        op.run(&[condition, &fit(op, *t, e)?, e])
    }
}

/// Ops whose second operand is a padding: it may be a number.
macro_rules! padded_with_numbers {
    ($($op:ident),*) => {
        $(impl Apply2<Scalar, $op> for Tensor {
            type Output = Tensor;

            fn apply2(op: &$op, x: &Tensor, padding: &Scalar) -> Result<Tensor> {
                op.run(&[x, &fit(op, *padding, x)?])
            }
        })*
    };
}
padded_with_numbers!(PadWith, MatrixDiag, MatrixDiagPart);

impl Apply3<Tensor, Scalar, OneHot> for Tensor {
    type Output = Tensor;

    fn apply3(op: &OneHot, indices: &Tensor, on: &Tensor, off: &Scalar) -> Result<Tensor> {
        op.run(&[indices, on, &fit(op, *off, on)?])
    }
}

impl Apply3<Scalar, Tensor, OneHot> for Tensor {
    type Output = Tensor;

    fn apply3(op: &OneHot, indices: &Tensor, on: &Scalar, off: &Tensor) -> Result<Tensor> {
        op.run(&[indices, &fit(op, *on, off)?, off])
    }
}

impl Apply3<Scalar, Scalar, OneHot> for Tensor {
    type Output = Tensor;

    /// Floats are float32 and integers int32, as TensorFlow reads numbers of Python.
    fn apply3(op: &OneHot, indices: &Tensor, on: &Scalar, off: &Scalar) -> Result<Tensor> {
        let dtype = match on {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Float(_) => DType::F32,
            Scalar::Int(_) | Scalar::Uint(_) => DType::I32,
        };
        let on = Tensor::Value(on.to_array(dtype)?);
        op.run(&[indices, &on, &fit(op, *off, &on)?])
    }
}

impl From<Scalar> for Tensor {
    /// A rank-0 tensor that still takes the dtype of a tensor it meets in a binary op.
    fn from(scalar: Scalar) -> Tensor {
        Tensor::Value(scalar.to_weak_array())
    }
}

fn weak(t: &Tensor) -> Option<Scalar> {
    match t {
        Tensor::Value(a) => a.weak_scalar(),
        Tensor::Symbol(_) => None,
    }
}

/// The number with the dtype of the tensor it meets.
fn fit(op: &impl Op, scalar: Scalar, tensor: &Tensor) -> Result<Tensor> {
    match scalar.to_array(tensor.dtype()) {
        Ok(array) => Ok(Tensor::Value(array)),
        Err(e) => bail!("{}: {}", op.def().name, e.message()),
    }
}
