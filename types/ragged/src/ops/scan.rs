//! Running sums and products.

use extype::array::{Array, Element};
use extype::gradient::{Gradient, InputGradients};
use extype::ir::{KernelContext, Outputs, no_kernel};
use extype::ops::{Cumprod, Cumsum, Op};
use extype::prelude::*;
use extype::types::DTypeSet;

use super::row_reduce::REDUCED;
use crate::partition::kernels::check_end;
use crate::partition::rows::splits;
use crate::partition::whole;
use crate::{RaggedTensor, RowPartition, SwapRows};

extype::define_op! {
    /// The running sums, or products, of the entries of each row: without the entry itself if `exclusive`, from the end if
    /// `reverse`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype_ragged::RowScan;
    /// let op = RowScan { product: false, exclusive: false, reverse: true };
    /// let y = op.run(&[&tensor![1, 2, 3], &tensor![0i64, 2, 2, 3]])?;
    /// assert_eq!(y.as_slice::<i32>()?, &[3, 2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    pub op RowScan = "Ragged>RowScan" {
        inputs: { values: T, row_splits: Tsplits }, outputs: { output: T },
        types: { T: REDUCED, Tsplits: DTypeSet::INDEX },
        attrs: { product: bool, exclusive: bool, reverse: bool },
        infer: |c| {
            c.shape(0).with_rank_at_least(1)?;
            c.shape(1).with_rank(1)?;
            Ok([c.input(0).clone()].into_iter().collect())
        },
        kernel: row_scan,
        gradient: row_scan_gradient,
    }
}

fn row_scan(c: &KernelContext<'_>) -> Result<Outputs> {
    let product = c.get(RowScan::PRODUCT)?;
    macro_rules! by_dtype {
        ($($dtype:ident $t:ident $sum:expr, $product:expr;)*) => {
            match c.input(0).dtype() {
                $(DType::$dtype if product => scan(c, 1 as $t, $product),
                DType::$dtype => scan(c, 0 as $t, $sum),)*
                _ => Err(no_kernel(c)),
            }
        };
    }
    by_dtype! {
        F32 f32 |a, x| a + x, |a, x| a * x;
        F64 f64 |a, x| a + x, |a, x| a * x;
        I32 i32 i32::wrapping_add, i32::wrapping_mul;
        I64 i64 i64::wrapping_add, i64::wrapping_mul;
        U8 u8 u8::wrapping_add, u8::wrapping_mul;
        U64 u64 u64::wrapping_add, u64::wrapping_mul;
    }
}

fn scan<T: Element>(c: &KernelContext<'_>, none: T, f: impl Fn(T, T) -> T) -> Result<Outputs> {
    let (values, ends) = (c.input(0), splits(c, 1)?);
    let entries = values.dims().first().copied().unwrap_or(0);
    check_end(ends.len() - 1, ends.last().copied().unwrap_or(0), entries as i64)?;
    let (exclusive, reverse) = (c.get(RowScan::EXCLUSIVE)?, c.get(RowScan::REVERSE)?);
    let data = values.as_slice::<T>()?;
    // Without entries there is no size of one.
    let inner = data.len().checked_div(entries).unwrap_or(0);
    let mut state = vec![none; inner];
    let out = Array::from_writer(values.dims(), |out: &mut [T]| {
        for w in ends.windows(2) {
            state.fill(none);
            let mut entry = |i: usize| {
                let at = i * inner..(i + 1) * inner;
                for ((out, x), a) in out[at.clone()].iter_mut().zip(&data[at]).zip(&mut state) {
                    let next = f(*a, *x);
                    *out = if exclusive { *a } else { next };
                    *a = next;
                }
            };
            // Splits were checked against the number of entries.
            let row = w[0] as usize..w[1] as usize;
            if reverse { row.rev().for_each(&mut entry) } else { row.for_each(&mut entry) }
        }
        Ok(())
    })?;
    Ok([out].into_iter().collect())
}

fn row_scan_gradient(g: &Gradient<'_>) -> Result<InputGradients> {
    let (product, reverse) = (g.get(RowScan::PRODUCT)?, !g.get(RowScan::REVERSE)?);
    let op = RowScan { product: false, exclusive: g.get(RowScan::EXCLUSIVE)?, reverse };
    let of = |dy: &Tensor| op.run(&[dy, g.x(1)]);
    let dx = match product {
        false => of(g.dy()?)?,
        true => ops::div_no_nan(of(&ops::mul(g.y(), g.dy()?)?)?, g.x(0))?,
    };
    Ok([Some(dx), None].into_iter().collect())
}

impl RaggedTensor {
    /// What a function makes of the entries of the rows along an axis up to the innermost ragged one: as many entries.
    pub(super) fn along_rows(
        &self,
        axis: usize,
        f: &dyn Fn(&Tensor, &RowPartition) -> Result<Tensor>,
    ) -> Result<Self> {
        let (outer, inner) = match (axis, &self.partitions[..]) {
            (1, [rows]) => return Ok(self.with_values(f(&self.flat_values, rows)?)),
            (1, [outer, inner, ..]) => (outer, inner),
            (0, _) => {
                // All rows as the entries of one.
                let (zero, rows) = (whole(0, self.row_splits_dtype())?, self.nrows()?);
                let all = RowPartition::trusted(ops::stack(&[&zero, &rows], 0)?);
                return Ok(self.clone().in_rows(all).along_rows(1, f)?.values());
            }
            _ => {
                let inner = self.values().along_rows(axis - 1, f)?;
                return Ok(inner.in_rows(self.outermost()?.clone()));
            }
        };
        // The axis changes places with the one below until it is the innermost, and back.
        let (_, entries, places) =
            SwapRows {}.run_as::<(Tensor, Tensor, Tensor)>(&[outer.splits(), inner.splits()])?;
        let below = self.values().values().gathered(&places)?;
        let made = below.in_rows(RowPartition::trusted(entries)).along_rows(1, f)?;
        let made = made.values().gathered(&places.invert_permutation()?)?;
        Ok(self.with_values(made.flat_values))
    }

    /// Running along an axis; `dense` runs along one of the flat values.
    fn scanned(
        &self,
        axis: Axis,
        op: &RowScan,
        dense: impl Fn(&Tensor, Axis) -> Result<Tensor>,
    ) -> Result<Self> {
        let (axis, levels) = (self.axis(axis.0)?, self.ragged_rank());
        match axis > levels || levels == 0 {
            true => self.map_flat_values(|flat| dense(flat, Axis((axis - levels) as i64))),
            false => self.along_rows(axis, &|flat, rows| op.of_rows(flat, rows)),
        }
    }
}

impl RowScan {
    /// Other dtypes than those of the op are computed by their parts, or in larger ones.
    fn of_rows(&self, values: &Tensor, rows: &RowPartition) -> Result<Tensor> {
        let run = |x: &Tensor| self.run(&[x, rows.splits()]);
        match values.dtype() {
            dtype @ (DType::F16 | DType::BF16) => run(&values.cast(DType::F32)?)?.cast(dtype),
            dtype if dtype.is_complex() && self.product => Err(Error::new(
                ErrorKind::Unimplemented,
                "running products of complex rows are not defined; fill them with `to_tensor`",
            )),
            dtype if dtype.is_complex() => {
                ops::complex(run(&values.real()?)?, run(&values.imag()?)?)
            }
            // What wraps in 64 bits wraps the same in fewer.
            dtype if dtype.is_integer() && !REDUCED.contains(dtype) => {
                run(&values.cast(DType::I64)?)?.cast(dtype)
            }
            _ => run(values),
        }
    }
}

#[dispatch]
impl RaggedTensor {
    #[overrides(Cumsum)]
    fn running_sum(x: &Self, op: &Cumsum) -> Result<Self> {
        let rows = RowScan { product: false, exclusive: op.exclusive, reverse: op.reverse };
        x.scanned(op.axis, &rows, |x, axis| Cumsum { axis, ..op.clone() }.run(&[x]))
    }

    #[overrides(Cumprod)]
    fn running_product(x: &Self, op: &Cumprod) -> Result<Self> {
        let rows = RowScan { product: true, exclusive: op.exclusive, reverse: op.reverse };
        x.scanned(op.axis, &rows, |x, axis| Cumprod { axis, ..op.clone() }.run(&[x]))
    }
}

impl RaggedTensor {
    /// The running sums along any axis: without the element itself if `exclusive`, from the end if `reverse`.
    ///
    /// TensorFlow: `tf.cumsum`. Numbers; the result has the same rows.
    ///
    /// # Errors
    /// `InvalidArgument` for an axis out of range and for values that are no numbers.
    ///
    /// ```
    /// use extype_ragged::RaggedTensor;
    /// let r = RaggedTensor::from_rows(&[vec![1, 2, 3], vec![], vec![4]])?;
    /// assert_eq!(r.cumsum(1, false, false)?.to_string(), "[[1, 3, 6], [], [4]]");
    /// assert_eq!(r.cumsum(0, false, false)?.to_string(), "[[1, 2, 3], [], [5]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    #[track_caller]
    pub fn cumsum(&self, axis: i64, exclusive: bool, reverse: bool) -> Result<Self> {
        Self::running_sum(self, &Cumsum { axis: Axis(axis), exclusive, reverse })
    }

    /// The running products, as [`cumsum`](Self::cumsum) has sums.
    ///
    /// TensorFlow: `tf.math.cumprod`.
    ///
    /// # Errors
    /// As [`cumsum`](Self::cumsum).
    #[track_caller]
    pub fn cumprod(&self, axis: i64, exclusive: bool, reverse: bool) -> Result<Self> {
        Self::running_product(self, &Cumprod { axis: Axis(axis), exclusive, reverse })
    }
}
