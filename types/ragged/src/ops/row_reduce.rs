//! Rows reduced to one entry.

use extype::array::{Array, Element};
use extype::gradient::{Gradient, InputGradients};
use extype::ir::{KernelContext, Outputs, no_kernel};
use extype::ops::Op;
use extype::prelude::*;
use extype::types::{DTypeSet, Dim, TensorType};

use crate::partition::kernels::check_end;
use crate::partition::rows::{RowIds, size, splits};

/// What rows are reduced of.
const REDUCED: DTypeSet = DTypeSet::of(&[
    DType::F32,
    DType::F64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
]);

extype::define_op! {
    /// The largest, smallest or product (`Max`, `Min`, `Prod`) of the entries of each row; of an
    /// empty row what the library's reduction gives for nothing.
    pub op RowReduce = "Ragged>RowReduce" {
        inputs: { values: T, row_splits: Tsplits }, outputs: { output: T },
        types: { T: REDUCED, Tsplits: DTypeSet::INDEX },
        attrs: { function: String },
        infer: |c| {
            let rows = size(c, 1)?.map(|n| n.saturating_sub(1));
            let values = c.shape(0).with_rank_at_least(1)?;
            let shape = match values.dims() {
                Some(dims) => std::iter::once(Dim::from(rows)).chain(dims.iter().skip(1).copied()).collect(),
                None => Shape::unknown(),
            };
            Ok([TensorType::new(c.input(0).dtype, shape)].into_iter().collect())
        },
        kernel: row_reduce,
        gradient: row_reduce_gradient,
    }
}

fn row_reduce(c: &KernelContext<'_>) -> Result<Outputs> {
    let splits = &splits(c, 1)?[..];
    let entries = c.input(0).dims().first().copied().unwrap_or(0);
    check_end(splits.len() - 1, splits[splits.len() - 1], entries as i64)?;
    let name = c.get(RowReduce::FUNCTION)?;
    macro_rules! by_dtype {
        ($($dtype:ident $t:ty, $one:expr, $low:expr, $high:expr, $product:expr;)*) => {
            match c.input(0).dtype() {
                $(DType::$dtype => match &name[..] {
                    "Max" => fold::<$t>(c, splits, $low, |a, x| if x > a || x != x { x } else { a }),
                    "Min" => fold::<$t>(c, splits, $high, |a, x| if x < a || x != x { x } else { a }),
                    "Prod" => fold::<$t>(c, splits, $one, $product),
                    _ => Err(no_kernel(c)),
                },)*
                _ => Err(no_kernel(c)),
            }
        };
    }
    by_dtype! {
        F32 f32, 1.0, f32::NEG_INFINITY, f32::INFINITY, |a, x| a * x;
        F64 f64, 1.0, f64::NEG_INFINITY, f64::INFINITY, |a, x| a * x;
        I8 i8, 1, i8::MIN, i8::MAX, i8::wrapping_mul;
        I16 i16, 1, i16::MIN, i16::MAX, i16::wrapping_mul;
        I32 i32, 1, i32::MIN, i32::MAX, i32::wrapping_mul;
        I64 i64, 1, i64::MIN, i64::MAX, i64::wrapping_mul;
        U8 u8, 1, u8::MIN, u8::MAX, u8::wrapping_mul;
        U16 u16, 1, u16::MIN, u16::MAX, u16::wrapping_mul;
        U32 u32, 1, u32::MIN, u32::MAX, u32::wrapping_mul;
        U64 u64, 1, u64::MIN, u64::MAX, u64::wrapping_mul;
    }
}

/// Every row folded into one entry.
fn fold<T: Element>(
    c: &KernelContext<'_>,
    splits: &[i64],
    start: T,
    f: impl Fn(T, T) -> T,
) -> Result<Outputs> {
    let values = c.input(0);
    // Wraps only beside a size of zero, where there is no entry.
    let inner = values.dims()[1..].iter().fold(1usize, |n, d| n.wrapping_mul(*d));
    let data = values.as_slice::<T>()?;
    let mut dims = values.dims().to_vec();
    dims[0] = splits.len().saturating_sub(1);
    let out = Array::from_writer(dims, |out: &mut [T]| {
        out.fill(start);
        if inner == 0 {
            return Ok(());
        }
        for (out, w) in out.chunks_exact_mut(inner).zip(splits.windows(2)) {
            // Splits were checked against the number of entries.
            for entry in data[w[0] as usize * inner..w[1] as usize * inner].chunks_exact(inner) {
                for (out, x) in out.iter_mut().zip(entry) {
                    *out = f(*out, *x);
                }
            }
        }
        Ok(())
    })?;
    Ok([out].into_iter().collect())
}

fn row_reduce_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let (x, splits, y, dy) = (g.x(0), g.x(1), g.y(), g.dy()?);
    let ids = RowIds {}.run(&[splits])?;
    let rows = ops::sub(ops::size(splits)?, 1)?;
    let sum = |x: &Tensor| ops::unsorted_segment_sum(x, &ids, &rows);
    let (dtype, dy) = (x.dtype(), dy.gather(&ids, 0)?);
    let dx = if g.get(RowReduce::FUNCTION)? == "Prod" {
        // Where a row has one zero, only that entry has a gradient: the product of the others.
        let zero = x.equal(&x.zeros_like()?)?;
        let zeros = sum(&zero.cast(dtype)?)?.gather(&ids, 0)?;
        let others = ops::select(&zero, &x.ones_like()?, x)?;
        let op = RowReduce { function: "Prod".to_owned() };
        let product = op.run(&[&others, splits])?.gather(&ids, 0)?;
        let none = ops::div(&product, &others)?;
        let at_zero = ops::select(zeros.equal(&zeros.ones_like()?)?, &product, 0.0)?;
        let elsewhere = ops::select(zeros.equal(&zeros.zeros_like()?)?, &none, 0.0)?;
        ops::select(&zero, &at_zero, &elsewhere)?
    } else {
        // Equal entries share the gradient.
        let hit = x.equal(&y.gather(&ids, 0)?)?.cast(dtype)?;
        ops::div(&hit, sum(&hit)?.gather(&ids, 0)?)?
    };
    Ok([Some(ops::mul(&dx, &dy)?), None].into_iter().collect())
}
// Partitions and positions are integers: no gradient passes.
