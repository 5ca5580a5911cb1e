//! Elementwise ops.

use extype::prelude::*;

use crate::SparseTensor;
use crate::stack::strides;

/// The unary ops that leave zero as it is, by the names of their functions.
pub(crate) const KEEP_ZERO: &[&str] = &[
    "abs",
    "angle",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bessel_i1",
    "bessel_i1e",
    "bessel_j1",
    "cast",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "dawsn",
    "deg2rad",
    "elu",
    "erf",
    "erfinv",
    "expm1",
    "floor",
    "fresnel_cos",
    "fresnel_sin",
    "gelu",
    "identity",
    "imag",
    "is_inf",
    "is_nan",
    "iscomplex",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "leaky_relu",
    "log1p",
    "neg",
    "population_count",
    "rad2deg",
    "real",
    "relu",
    "relu6",
    "round",
    "round_to",
    "selu",
    "sign",
    "signbit",
    "silu",
    "sin",
    "sinh",
    "softsign",
    "sqrt",
    "square",
    "stop_gradient",
    "tan",
    "tanh",
    "trunc",
    "zeros_like",
];

fn unsupported(text: String) -> Error {
    Error::new(ErrorKind::Unimplemented, text)
}

#[dispatch]
impl SparseTensor {
    /// On the values, if the op leaves zero as it is.
    #[overrides(unary_elementwise)]
    fn unary(op: impl UnaryOp, x: &Self) -> Result<Self> {
        let name = op.name();
        if !KEEP_ZERO.contains(&name) {
            return Err(unsupported(format!(
                "`{name}` of zero is not zero, so the result would not be sparse; call it on `x.to_dense()?`, or on the \
                 stored values alone: `x.with_values(ops::{name}(&x.values)?)`"
            )));
        }
        Ok(Self { values: op.call(&x.values)?, ..x.clone() })
    }

    /// The values of both; where both have one, their sum.
    #[overrides(add)]
    fn add(x: &Self, y: &Self) -> Result<Self> {
        let (x, y, shape) = same_shapes("add", x, y)?;
        let zero = scalar(0).cast(threshold(x.dtype()))?;
        let (a, b) = (x.coo()?, y.coo()?);
        let inputs =
            [&a.indices, &a.values, &a.dense_shape, &b.indices, &b.values, &b.dense_shape, &zero];
        let (indices, values, sizes): (Tensor, Tensor, Tensor) =
            ops::SparseAdd {}.run_as(&inputs)?;
        Ok(Self::trusted(indices, values, sizes, &shape))
    }

    #[overrides(sub)]
    fn sub(x: &Self, y: &Self) -> Result<Self> {
        Self::add(x, &Self { values: ops::neg(&y.values)?, ..y.clone() })
    }

    /// With a dense tensor of the same shape, or one that broadcasts to it; the sum is dense.
    #[overrides(add)]
    fn add_dense(x: &Self, y: &Tensor) -> Result<Tensor> {
        let a = x.coo()?;
        let y = ops::broadcast_to(y, &a.dense_shape)?;
        ops::SparseTensorDenseAdd {}.run(&[&a.indices, &a.values, &a.dense_shape, &y])
    }

    #[overrides(add)]
    fn dense_add(x: &Tensor, y: &Self) -> Result<Tensor> {
        Self::add_dense(y, x)
    }

    /// By a dense tensor that broadcasts to the shape, or by another sparse tensor of the same shape: what is stored in
    /// one of them only is zero in the product.
    #[overrides(mul, with = Tensor)]
    fn mul(operands: Pair<'_, Self, Tensor>) -> Result<Self> {
        let (x, dense) = match operands {
            Pair::Left(x, y) | Pair::Right(y, x) => (x, y),
            Pair::Both(x, y) => {
                let (x, y, _) = same_shapes("mul", x, y)?;
                return x.common(&y);
            }
        };
        let a = x.coo()?;
        let op = ops::SparseDenseCwiseMul {};
        x.with_values(op.run(&[&a.indices, &a.values, &a.dense_shape, dense])?)
    }

    /// By a dense tensor that broadcasts to the shape. Zeros stay zeros, also divided by zero.
    #[overrides(div)]
    fn div(x: &Self, y: &Tensor) -> Result<Self> {
        let a = x.coo()?;
        let op = ops::SparseDenseCwiseDiv {};
        x.with_values(op.run(&[&a.indices, &a.values, &a.dense_shape, y])?)
    }

    /// Where either has a value; the other counts as zero.
    #[overrides(maximum)]
    fn maximum(x: &Self, y: &Self) -> Result<Self> {
        extreme("maximum", &ops::SparseSparseMaximum {}, x, y)
    }

    /// As [`maximum`](Self::maximum).
    #[overrides(minimum)]
    fn minimum(x: &Self, y: &Self) -> Result<Self> {
        extreme("minimum", &ops::SparseSparseMinimum {}, x, y)
    }

    /// Over the stored values of each row of the last axis: rank 2 at least.
    #[overrides(softmax)]
    fn softmax(x: &Self) -> Result<Self> {
        let x = x.reorder()?;
        let a = x.coo()?;
        let values = ops::SparseSoftmax {}.run(&[&a.indices, &a.values, &a.dense_shape])?;
        x.with_values(values)
    }
}

/// The real dtype that sums of this dtype are measured in.
fn threshold(dtype: DType) -> DType {
    match dtype {
        DType::Complex64 => DType::F32,
        DType::Complex128 => DType::F64,
        real => real,
    }
}

/// Two operands in order, and their shape.
fn same_shapes(
    op: &str,
    x: &SparseTensor,
    y: &SparseTensor,
) -> Result<(SparseTensor, SparseTensor, Shape)> {
    let shape = x.shape().merge(y.shape()).map_err(|_| {
        let (x, y) = (x.shape(), y.shape());
        Error::invalid(format!("`{op}` of sparse tensors of {x} and {y}: their shapes must agree"))
    })?;
    if x.dtype() != y.dtype() {
        let (x, y) = (x.dtype(), y.dtype());
        return Err(Error::invalid(format!(
            "`{op}` of sparse tensors of {x} and {y}: cast one of them"
        )));
    }
    Ok((x.reorder()?, y.reorder()?, shape))
}

fn extreme(name: &str, op: &impl Op, x: &SparseTensor, y: &SparseTensor) -> Result<SparseTensor> {
    let (x, y, shape) = same_shapes(name, x, y)?;
    let (a, b) = (x.coo()?, y.coo()?);
    let inputs = [&a.indices, &a.values, &a.dense_shape, &b.indices, &b.values, &b.dense_shape];
    let (indices, values): (Tensor, Tensor) = op.run_as(&inputs)?;
    Ok(SparseTensor::trusted(indices, values, a.dense_shape, &shape))
}

impl SparseTensor {
    /// The products of values at indices that both have; both are in order.
    fn common(&self, other: &Self) -> Result<Self> {
        let (own, there) = (self.places()?, other.places()?);
        if let Ok(places) = there.as_slice::<i64>()
            && let Some(i) = places.windows(2).position(|two| two[0] == two[1])
        {
            let at = other.indices.index(i as i64)?;
            return Err(Error::invalid(format!(
                "`mul`: the index {at} of the right operand is told twice"
            )));
        }
        let n = ops::size(&there)?.cast(DType::I64)?;
        let at = there.searchsorted(&own, i64)?;
        // Behind the last place there is none; one more entry stands for that.
        let nowhere = Tensor::from_vec(vec![-1i64]);
        let found = ops::concat(&[&there, &nowhere], 0)?.gather(&ops::minimum(&at, &n)?, 0)?;
        let both = found.equal(&own)?.where_indices()?.reshape([-1])?;
        let values = other.values.gather(&at.gather(&both, 0)?, 0)?;
        let values = ops::mul(self.values.gather(&both, 0)?, &values)?;
        Ok(Self { indices: self.indices.gather(&both, 0)?, values, ..self.clone() })
    }

    /// The number of each value's place in the dense tensor: int64 `[n]`.
    pub(crate) fn places(&self) -> Result<Tensor> {
        let sizes = self.sizes()?;
        let too_large = self.shape().sizes().is_some_and(|sizes| {
            let n = sizes.iter().try_fold(1i64, |n, s| n.checked_mul(i64::try_from(*s).ok()?));
            n.is_none()
        });
        if too_large {
            let shape = self.shape();
            return Err(Error::invalid(format!(
                "the places of a tensor of {shape} have no int64 numbers"
            )));
        }
        ops::mul(&self.indices, strides(&sizes)?)?.reduce_sum(1, false)
    }
}
