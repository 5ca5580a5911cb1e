//! Kernels of elementwise ops.

use std::cmp::Ordering;
use std::mem::MaybeUninit;

use extype_kernels as k;
use k::fused::BlockFn;
use k::table::{self as t, Pairing, binary as b, unary as u};
use k::{Par, Special};

use crate::array::{Array, Dims, block_type, collected, joined_strings, vec_for, with_element};
use crate::ir::{Attrs, Kernel, KernelContext, Outputs, broadcast_plan, entry, map_to, typed};
use crate::ops::elementwise::cast::no_text_of;
use crate::ops::rules::moves::{Move, Moved, moved};
use crate::ops::{ApproximateEqualFn, CastFn, EqualFn, LeakyReluFn};
use crate::types::{DType, Result, bail, err};

pub(in crate::ops) fn leaky_relu(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let alpha: f32 = c.get(LeakyReluFn::ALPHA)?;
    typed!(float, c, x.dtype(), T => {
        let f = entry::<T, _>(c, &b::LEAKY_RELU)?;
        let (data, alpha) = (x.as_slice::<T>()?, k::Cast::<T>::cast(alpha));
        let out = c.output(x.dims(), |out| {
            f(data, &[alpha], Pairing::Right, out, Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}

/// Concatenates strings element by element.
fn add_strings(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, y) = (c.input(0), c.input(1));
    let (dims, pairs) = broadcast_pairs(x, y)?;
    let (a, b) = (x.as_strings()?, y.as_strings()?);
    let items = pairs.iter().map(|(i, j)| [&a[*i][..], &b[*j][..]]);
    Ok([Array::from_strings(dims, joined_strings(items)?)?].into())
}

/// For each element of the broadcast result, the flat indices of the two elements it is computed from.
pub(in crate::ops) fn broadcast_pairs(x: &Array, y: &Array) -> Result<(Dims, Vec<(usize, usize)>)> {
    let plan = broadcast_plan(x, y)?;
    let (a, b): (Vec<usize>, Vec<usize>) = (collected(0..x.len())?, collected(0..y.len())?);
    let mut pairs = vec_for(plan.len())?;
    // The output elements have no size, so they take no memory.
    let mut unused: Vec<_> = (0..plan.len()).map(|_| MaybeUninit::new(())).collect();
    k::elementwise::zip_broadcast_ref(&a, &b, &plan, &mut unused, |i, j| pairs.push((*i, *j)));
    Ok((plan.out_shape().into(), pairs))
}

/// Rejects integer divisors that contain zero.
pub(in crate::ops) fn divisor(y: &Array) -> Result<()> {
    let zero = with_element!(integer, y.dtype(), T => y.as_slice::<T>()?.contains(&0), else false);
    if zero {
        bail!("integer division by zero");
    }
    Ok(())
}

/// Compares strings byte by byte.
pub(in crate::ops) fn strings_compared(
    c: &KernelContext<'_>,
    want: fn(Ordering) -> bool,
) -> Result<Outputs> {
    let (dims, pairs) = broadcast_pairs(c.input(0), c.input(1))?;
    let (a, b) = (c.input(0).as_strings()?, c.input(1).as_strings()?);
    let items: Vec<bool> = collected(pairs.iter().map(|(i, j)| want(a[*i].cmp(&b[*j]))))?;
    Ok([Array::from_slice(dims, &items)?].into())
}

/// The comparison of numbers by a table, of strings by a function.
pub(in crate::ops) fn ordered(
    dtype: DType,
    numbers: &'static t::Table<t::ZipToSignature<bool>>,
    strings: fn(&KernelContext<'_>) -> Result<Outputs>,
) -> Kernel {
    if dtype == DType::String { Kernel::General(strings) } else { Kernel::Compare(numbers) }
}

/// The kernel of a cast to the requested dtype.
pub(in crate::ops) fn cast(from: DType, attrs: &Attrs) -> Kernel {
    match attrs.get(CastFn::DST) {
        Ok(DType::String) if from != DType::String => {
            Kernel::SelfChecked(|c| Err(no_text_of(c.input(0).dtype())))
        }
        Ok(to) if from.stored() != from || to.stored() != to => Kernel::SelfChecked(of_levels),
        Ok(to) if !attrs.get(CastFn::TRUNCATE).unwrap_or(false) => Kernel::Convert(to),
        _ => Kernel::SelfChecked(cut),
    }
}

/// Casts from or to levels, which are read as their integers.
fn of_levels(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, to) = (c.input(0), c.get(CastFn::DST)?);
    let x = x.read_as(x.dtype().stored())?;
    let y = Kernel::Convert(to.stored()).run_one(&KernelContext::new(&[&x], c.attrs))?;
    Ok([y.read_as(to)?].into())
}

/// Casts floats to shorter floats by truncation instead of rounding.
fn cut(c: &KernelContext<'_>) -> Result<Outputs> {
    let to: DType = c.get(CastFn::DST)?;
    let out = match (c.input(0).dtype(), to) {
        (DType::F64, DType::F32) => map_to(c, &t::cast::CUT_TO_F32),
        (DType::F64 | DType::F32, DType::F16) => map_to(c, &t::cast::CUT_TO_F16),
        (DType::F64 | DType::F32, DType::BF16) => map_to(c, &t::cast::CUT_TO_BF16),
        _ => Kernel::Convert(to).run_one(c),
    };
    Ok([out?].into())
}

/// Zeros of the shape and dtype of the input; strings become empty.
pub(in crate::ops) fn zeros_like(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let zeros = with_element!(tabled, x.dtype(), T => c.output_slice(x.dims(), |out: &mut [T]| {
        out.fill(T::default());
        Ok(())
    }), else x.zeros_like());
    Ok([zeros?].into())
}

pub(in crate::ops) fn ones_like(c: &KernelContext<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let ones = typed!(tabled, c, x.dtype(), T => c.output_slice(x.dims(), |out: &mut [T]| {
        out.fill(k::Cast::<T>::cast(true));
        Ok(())
    }))?;
    Ok([ones].into())
}

pub(in crate::ops) fn approximate_equal(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, y) = (c.input(0), c.input(1));
    if x.dims() != y.dims() {
        bail!("shapes {} and {} differ; the operands don't broadcast", x.shape(), y.shape());
    }
    let tolerance: f32 = c.get(ApproximateEqualFn::TOLERANCE)?;
    typed!(real, c, x.dtype(), T => {
        let (sub, abs) = (entry::<T, _>(c, &b::SUB)?, entry::<T, _>(c, &u::ABS)?);
        let less = entry::<T, _>(c, &b::LESS)?;
        let (x, y) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
        let difference = c.output(c.input(0).dims(), |out| {
            sub(x, y, Pairing::Each, out, Par::Pool);
            Ok(())
        })?;
        let distance = c.output(c.input(0).dims(), |out| {
            abs(difference.as_slice::<T>()?, out, Par::Pool);
            Ok(())
        })?;
        let near = c.output(c.input(0).dims(), |out| {
            let tolerance = [k::Cast::<T>::cast(tolerance)];
            less(distance.as_slice::<T>()?, &tolerance, Pairing::Right, out, Par::Pool);
            Ok(())
        })?;
        Ok([near].into())
    })
}

pub(in crate::ops) fn betainc(c: &KernelContext<'_>) -> Result<Outputs> {
    let operands = [c.input(0), c.input(1), c.input(2)];
    let whole = operands.into_iter().find(|x| x.rank() != 0).unwrap_or(operands[0]);
    if let Some(other) = operands.into_iter().find(|x| x.rank() != 0 && x.dims() != whole.dims()) {
        bail!("shapes {} and {} differ; only scalars broadcast", whole.shape(), other.shape());
    }
    typed!(float, c, whole.dtype(), T => {
        let [a, b, x] = operands.map(|operand| (operand.as_slice::<T>(), operand.rank() == 0));
        let (a, b, x) = ((a.0?, a.1), (b.0?, b.1), (x.0?, x.1));
        let at = |(data, scalar): (&[T], bool), i: usize| data[if scalar { 0 } else { i }];
        let out = c.output_slice(whole.dims(), |out: &mut [T]| {
            for (i, out) in out.iter_mut().enumerate() {
                *out = Special::betainc(at(a, i), at(b, i), at(x, i));
            }
            Ok(())
        })?;
        Ok([out].into())
    })
}

/// The sign; complex numbers are divided by their norm.
pub(in crate::ops) fn sign(dtype: DType, _: &Attrs) -> Kernel {
    Kernel::Map(if dtype.is_complex() { &u::COMPLEX_SIGN } else { &u::REAL_SIGN })
}

pub(in crate::ops) fn reciprocal(dtype: DType, _: &Attrs) -> Kernel {
    if !dtype.is_integer() {
        return Kernel::Map(&u::RECIPROCAL);
    }
    const INVERTED: Kernel = Kernel::Map(&u::INTEGER_RECIPROCAL);
    Kernel::Checked(0, divisor, &INVERTED)
}

pub(in crate::ops) fn erf(dtype: DType, _: &Attrs) -> Kernel {
    Kernel::Map(if dtype == DType::F64 { &u::ERF_F64 } else { &u::ERF })
}

pub(in crate::ops) fn add(dtype: DType, _: &Attrs) -> Kernel {
    if dtype == DType::String { Kernel::General(add_strings) } else { Kernel::Zip(&b::ADD) }
}

pub(in crate::ops) fn squared_difference(dtype: DType, _: &Attrs) -> Kernel {
    let complex = dtype.is_complex();
    Kernel::Zip(if complex { &b::COMPLEX_SQUARED_DIFFERENCE } else { &b::SQUARED_DIFFERENCE })
}

const TRUNCATED: Kernel = Kernel::Zip(&b::TRUNC_DIV);
const INTEGER_POWER: Kernel = Kernel::Zip(&b::INTEGER_POW);

/// Division, truncated towards zero for integers.
pub(in crate::ops) fn div(dtype: DType, _: &Attrs) -> Kernel {
    match dtype.is_integer() {
        true => Kernel::Checked(1, divisor, &TRUNCATED),
        false => Kernel::Zip(&b::REAL_DIV),
    }
}

pub(in crate::ops) fn pow(dtype: DType, _: &Attrs) -> Kernel {
    match dtype.is_integer() {
        true => Kernel::Checked(1, natural_powers, &INTEGER_POWER),
        false => Kernel::Zip(&b::POW),
    }
}

/// Rejects negative integer powers.
fn natural_powers(y: &Array) -> Result<()> {
    let negative = with_element!(signed, y.dtype(), T => y.as_slice::<T>()?.iter().any(|y| *y < 0), else false);
    if negative {
        bail!("integers can't be raised to negative powers");
    }
    Ok(())
}

pub(in crate::ops) fn equal(dtype: DType, attrs: &Attrs) -> Kernel {
    match (dtype, strict_shapes(attrs)) {
        (d, _) if d.stored() != d => Kernel::General(|c| levels_compared(c, equal)),
        (_, false) => Kernel::General(|c| compare_any(c, true)),
        (DType::String, true) => Kernel::General(|c| strings_compared(c, Ordering::is_eq)),
        (_, true) => Kernel::Compare(&b::EQUAL),
    }
}

pub(in crate::ops) fn not_equal(dtype: DType, attrs: &Attrs) -> Kernel {
    match (dtype, strict_shapes(attrs)) {
        (d, _) if d.stored() != d => Kernel::General(|c| levels_compared(c, not_equal)),
        (_, false) => Kernel::General(|c| compare_any(c, false)),
        (DType::String, true) => Kernel::General(|c| strings_compared(c, Ordering::is_ne)),
        (_, true) => Kernel::Compare(&b::NOT_EQUAL),
    }
}

/// Compares quantized levels as their integers.
fn levels_compared(c: &KernelContext<'_>, choose: fn(DType, &Attrs) -> Kernel) -> Result<Outputs> {
    let dtype = c.input(0).dtype().stored();
    let (x, y) = (c.input(0).read_as(dtype)?, c.input(1).read_as(dtype)?);
    choose(dtype, c.attrs).run(&KernelContext::new(&[&x, &y], c.attrs))
}

fn strict_shapes(attrs: &Attrs) -> bool {
    attrs.get(EqualFn::INCOMPATIBLE_SHAPE_ERROR).unwrap_or(true)
}

/// Compares operands of any shapes; shapes that don't broadcast count as one unequal pair.
fn compare_any(c: &KernelContext<'_>, want: bool) -> Result<Outputs> {
    if c.input(0).shape().broadcast(&c.input(1).shape()).is_err() {
        return Ok([Array::scalar(!want)].into());
    }
    match c.input(0).dtype() {
        DType::String if want => strings_compared(c, Ordering::is_eq),
        DType::String => strings_compared(c, Ordering::is_ne),
        _ => Kernel::Compare(if want { &b::EQUAL } else { &b::NOT_EQUAL }).run(c),
    }
}

/// Rounds floats to the nearest integer; integers become zero.
pub(in crate::ops) fn round(dtype: DType, _: &Attrs) -> Kernel {
    if dtype.is_integer() { Kernel::General(zeros_like) } else { Kernel::Map(&u::RINT) }
}

/// Elements of two sources by a condition.
struct Select(k::broadcast::Broadcast3, Array);

impl Move for Select {
    fn run<T: Moved>(&self, sources: &[&[T]], out: &mut [MaybeUninit<T>]) -> Result<()> {
        let cond = self.1.as_slice::<bool>()?;
        k::elementwise::select_broadcast(cond, sources[0], sources[1], &self.0, out, Par::Pool);
        Ok(())
    }
}

/// The function on blocks of a condition and two sources.
pub(in crate::ops) fn select_block(inputs: &[DType]) -> Option<BlockFn> {
    inputs.get(1).and_then(|dtype| BlockFn::select(block_type(*dtype)?))
}

pub(in crate::ops) fn select(c: &KernelContext<'_>) -> Result<Outputs> {
    let (cond, x, y) = (c.input(0), c.input(1), c.input(2));
    let plan = k::broadcast::Broadcast3::new(cond.dims(), x.dims(), y.dims())
        .map_err(|e| err!("axis {} differs: {} ≠ {}", e.axis, e.sizes.0, e.sizes.1))?;
    let dims: Dims = plan.out_shape().into();
    moved(c, &[x, y], dims, &Select(plan, cond.clone()))
}
