//! Square roots and logarithms of matrices; the gradient of Cholesky factors and least squares as ops.

use extype_kernels::factor::{self, Field, NotConverged};

use super::gradient::of_cholesky;
use super::kernel::{Filled, Stack, nan};
use super::matrices::adjoint;
use super::{FIELD, infer};
use crate::array::Element;
use crate::define_op;
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::checks::check_same_shape;
use crate::ops::methods::*;
use crate::ops::rules::batch::leading;
use crate::ops::rules::gradient::{Gradient, InputGradients, first};
use crate::ops::{concat, split};
use crate::tensor::execute_one;
use crate::types::{DTypeSet, Result};

define_op! {
    /// The square roots of square matrices: those whose eigenvalues have no negative real parts. A real matrix without a
    /// real root, and one whose root is not found, give NaN. The function for users is `extype::linalg::sqrtm`.
    ///
    /// TensorFlow: `MatrixSquareRoot`.
    pub op MatrixSquareRoot = "MatrixSquareRoot" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: FIELD },
        infer: infer::square, kernel: square_root,
        gradient: of_function,
        batch: leading,
    }

    /// The logarithms of square complex matrices: those whose eigenvalues have imaginary parts from -π to π. The function
    /// for users is `extype::linalg::logm`.
    ///
    /// TensorFlow: `MatrixLogarithm`, which has no gradient.
    pub op MatrixLogarithm = "MatrixLogarithm" {
        inputs: { input: T }, outputs: { output: T },
        types: { T: DTypeSet::COMPLEX },
        infer: infer::square, kernel: logarithm,
        gradient: of_function,
        batch: leading,
    }

    /// The gradient of the matrices with these Cholesky factors, for the cotangents of the factors. It is spread over both
    /// triangles.
    ///
    /// TensorFlow: `CholeskyGrad`.
    pub op CholeskyGrad = "CholeskyGrad" {
        inputs: { l: T, grad: T }, outputs: { output: T },
        types: { T: FIELD },
        body: |l, grad| {
            check_same_shape(l, grad, || "a factor and its gradient have one shape".into())?;
            of_cholesky(l, grad)
        },
    }
}

/// A function of each matrix, for which memory has been checked.
fn each<T: Field + Element>(
    c: &KernelContext<'_>,
    f: fn(&[T], usize, &mut Vec<T>) -> Result<(), NotConverged>,
) -> Result<Outputs> {
    let x = Stack::<T>::new(c.input(0))?;
    let n = x.sizes.0;
    let mut out = Filled::<T>::new(x.dims(&[n, n]))?;
    for i in 0..if out.is_empty() { 0 } else { x.count } {
        match f(x.matrix(i), n, &mut out.items) {
            Ok(()) => {}
            // Elements near the largest numbers, which gradients of such matrices meet too.
            Err(found) if found.finite => {
                out.items.truncate(i * n * n);
                out.items.extend(std::iter::repeat_n(nan::<T>(), n * n));
            }
            Err(found) => return Err(x.not_converged(i, found)),
        }
    }
    Ok([out.array()?].into())
}

fn square_root(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(field, c, c.input(0).dtype(), T => each::<T>(c, factor::sqrt))
}

fn logarithm(c: &KernelContext<'_>) -> Result<Outputs> {
    typed!(complex, c, c.input(0).dtype(), T => each::<T>(c, factor::log))
}

/// The gradient of a function of matrices: its derivative at the adjoint in the direction of the cotangent. That is the
/// upper right block of the function of a matrix with the adjoint twice on its diagonal and the cotangent above.
fn of_function(g: &Gradient<'_>) -> Result<InputGradients> {
    let (a, dy) = (adjoint(g.x(0))?, g.dy()?);
    let upper = concat(&[&a, dy], -1)?;
    let lower = concat(&[&a.zeros_like()?, &a], -1)?;
    let whole = concat(&[&upper, &lower], -2)?;
    let y = execute_one(g.op, g.attrs.clone(), &[&whole])?;
    let right = split(&y, 2, -1)?.swap_remove(1);
    Ok(first(g, split(&right, 2, -2)?.swap_remove(0)))
}
