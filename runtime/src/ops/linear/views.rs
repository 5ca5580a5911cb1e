//! Products of matrices that are parts of tensors: the compiler makes them of products whose operands were transposed or
//! sliced before.

use extype_kernels::matmul::{MatMul, MatStrides};

use super::kernel::{Stack, products};
use crate::array::Dims;
use crate::ir::{
    ArgDef, ArgType, AttrDef, AttrKey, InferContext, Kernel, KernelContext, OpDef, Outputs, Types,
    typed,
};
use crate::types::{DTypeSet, Result, TensorType, bail};

/// The sizes of the result's leading axes, then `m`, `n` and `k`.
pub(crate) const SIZES: AttrKey<Vec<i64>> = AttrKey::new("sizes");
/// The place of the first element of the left operand, and the step from one to the next along each axis of its matrices:
/// the leading axes, rows, columns.
pub(crate) const LEFT: AttrKey<Vec<i64>> = AttrKey::new("left");
/// The same for the right operand.
pub(crate) const RIGHT: AttrKey<Vec<i64>> = AttrKey::new("right");

/// The products of matrices within two tensors.
pub(crate) static PRODUCT_OF_VIEWS: OpDef =
    OpDef::new("Extype>ProductOfViews", "matmul", infer, Kernel::SelfChecked(product))
        .in_module(module_path!())
        .with_doc("The products of matrices within two tensors.")
        .with_inputs(&[A, B])
        .with_outputs(&[ArgDef::one("product", ArgType::Var("T"))])
        .with_attrs(&[
            AttrDef::dtype("T", DTypeSet::INEXACT),
            AttrDef::of::<Vec<i64>>(SIZES.name()),
            AttrDef::of::<Vec<i64>>(LEFT.name()),
            AttrDef::of::<Vec<i64>>(RIGHT.name()),
        ]);

const A: ArgDef = ArgDef::one("a", ArgType::Var("T"));
const B: ArgDef = ArgDef::one("b", ArgType::Var("T"));

fn infer(c: &InferContext<'_>) -> Result<Types> {
    let sizes = c.get(SIZES)?;
    let result = sizes.iter().take(sizes.len().saturating_sub(1)).map(|size| *size as usize);
    Ok([TensorType::new(c.input(0).dtype, &result.collect::<Dims>()[..])].into())
}

fn product(c: &KernelContext<'_>) -> Result<Outputs> {
    let sizes = list(c, SIZES)?;
    let [front @ .., m, n, k] = &sizes[..] else { bail!("sizes of a product") };
    let left = matrices(front, &list(c, LEFT)?)?;
    let right = matrices(front, &list(c, RIGHT)?)?;
    let dims = MatMul::new(*m, *n, *k);
    let result = &sizes[..sizes.len() - 1];
    typed!(inexact, c, c.input(0).dtype(), T => products::<T>(c, dims, result, &left, &right))
}

/// The numbers of an attribute, which the compiler made of sizes and places.
pub(super) fn list(c: &KernelContext<'_>, key: AttrKey<Vec<i64>>) -> Result<Dims> {
    Ok(c.get(key)?.into_iter().map(|n| n as usize).collect())
}

/// The matrices that a view consists of.
pub(super) fn matrices(front: &[usize], view: &[usize]) -> Result<Stack> {
    let [first, steps @ .., row, column] = view else { bail!("the strides of a view") };
    let mut offsets = vec![*first];
    for (size, step) in front.iter().zip(steps) {
        offsets = offsets.iter().flat_map(|at| (0..*size).map(move |i| at + i * step)).collect();
    }
    Ok(Stack { offsets, strides: MatStrides { row: *row, column: *column } })
}
