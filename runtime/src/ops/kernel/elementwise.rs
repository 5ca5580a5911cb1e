//! Elementwise kernels.

use extype_kernels as k;
use k::{Arithmetic, Cast as _, Float, Integer, Par, Real, Transcendental};

use super::typed;
use crate::array::{Array, Dims, Element};
use crate::op::{KernelContext, Outputs, no_kernel};
use crate::types::{DType, Result, bail, err};

type Context<'a> = KernelContext<'a>;

pub(in super::super) fn unary<A, R>(
    c: &Context<'_>,
    f: impl Fn(A) -> R + Copy + Send + Sync,
) -> Result<Outputs>
where
    A: Element + k::Element,
    R: Element + k::Element,
{
    let x = c.input(0);
    let data = x.as_slice::<A>()?;
    let out = Array::from_kernel(x.dims(), |out| {
        k::elementwise::map(data, out, Par::Pool, f);
        Ok(())
    })?;
    Ok([out].into())
}

pub(in super::super) fn binary<A, R>(
    c: &Context<'_>,
    f: impl Fn(A, A) -> R + Copy + Send + Sync,
) -> Result<Outputs>
where
    A: Element + k::Element,
    R: Element + k::Element,
{
    use k::elementwise::{zip, zip_broadcast, zip_scalar_left, zip_scalar_right};
    let (x, y) = (c.input(0), c.input(1));
    let (a, b) = (x.as_slice::<A>()?, y.as_slice::<A>()?);
    let out = if x.dims() == y.dims() {
        Array::from_kernel(x.dims(), |out| {
            zip(a, b, out, Par::Pool, f);
            Ok(())
        })?
    } else if y.rank() == 0 {
        Array::from_kernel(x.dims(), |out| {
            zip_scalar_right(a, b[0], out, Par::Pool, f);
            Ok(())
        })?
    } else if x.rank() == 0 {
        Array::from_kernel(y.dims(), |out| {
            zip_scalar_left(a[0], b, out, Par::Pool, f);
            Ok(())
        })?
    } else {
        let plan = plan(x, y)?;
        Array::from_kernel(plan.out_shape(), |out| {
            zip_broadcast(a, b, &plan, out, Par::Pool, f);
            Ok(())
        })?
    };
    Ok([out].into())
}

fn plan(x: &Array, y: &Array) -> Result<k::broadcast::Broadcast> {
    k::broadcast::Broadcast::new(x.dims(), y.dims())
        .map_err(|e| err!("axis {} differs: {} ≠ {}", e.axis, e.sizes.0, e.sizes.1))
}

/// Rows `kernel: unary!(set, Trait::method)` and `binary!(…)`.
macro_rules! unary {
    ($set:ident, $tr:ident::$f:ident) => {
        |c| typed!($set, c, c.input(0).dtype(), T => unary::<T, _>(c, k::op!(<T as $tr>::$f)))
    };
}
macro_rules! binary {
    ($set:ident, $tr:ident::$f:ident) => {
        |c| typed!($set, c, c.input(0).dtype(), T => binary::<T, _>(c, k::op!(<T as $tr>::$f, 2)))
    };
}

type Kernel = fn(&KernelContext<'_>) -> Result<Outputs>;

macro_rules! kernels {
    ($macro:ident: $($name:ident = $set:ident $tr:ident::$f:ident;)*) => {
        $(pub(in super::super) const $name: Kernel = $macro!($set, $tr::$f);)*
    };
}

kernels! { unary:
    NEG = numeric Arithmetic::neg;
    SQUARE = numeric Arithmetic::square;
    EXP = inexact Transcendental::exp;
    EXPM1 = inexact Transcendental::expm1;
    LOG = inexact Transcendental::log;
    LOG1P = inexact Transcendental::log1p;
    SQRT = inexact Transcendental::sqrt;
    RSQRT = inexact Transcendental::rsqrt;
    SIN = inexact Transcendental::sin;
    COS = inexact Transcendental::cos;
    TAN = inexact Transcendental::tan;
    ASIN = inexact Transcendental::asin;
    ACOS = inexact Transcendental::acos;
    ATAN = inexact Transcendental::atan;
    SINH = inexact Transcendental::sinh;
    COSH = inexact Transcendental::cosh;
    TANH = inexact Transcendental::tanh;
    ASINH = inexact Transcendental::asinh;
    ACOSH = inexact Transcendental::acosh;
    ATANH = inexact Transcendental::atanh;
    SIGMOID = inexact Transcendental::sigmoid;
    SOFTPLUS = float Float::softplus;
    SOFTSIGN = float Float::softsign;
    RELU = real Real::relu;
    RELU6 = real Real::relu6;
    ELU = float Float::elu;
    SELU = float Float::selu;
    ERFC = float Float::erfc;
    FLOOR = real Real::floor;
    CEIL = real Real::ceil;
    RINT = float Real::rint;
    IS_NAN = float Float::is_nan;
    IS_INF = float Float::is_inf;
    IS_FINITE = float Float::is_finite;
    INVERT = integer Integer::not;
    POPULATION_COUNT = integer Integer::population_count;
}

kernels! { binary:
    SUB = numeric Arithmetic::sub;
    MUL = numeric Arithmetic::mul;
    MUL_NO_NAN = numeric Arithmetic::mul_no_nan;
    MAXIMUM = real Real::maximum;
    MINIMUM = real Real::minimum;
    ATAN2 = float Float::atan2;
    XLOGY = inexact Transcendental::xlogy;
    XLOG1PY = inexact Transcendental::xlog1py;
    XDIVY = inexact Transcendental::xdivy;
    DIV_NO_NAN = inexact Transcendental::div_no_nan;
    REAL_DIV = inexact Transcendental::div;
    BITWISE_AND = integer Integer::and;
    BITWISE_OR = integer Integer::or;
    BITWISE_XOR = integer Integer::xor;
    LEFT_SHIFT = integer Integer::shl;
    RIGHT_SHIFT = integer Integer::shr;
    FLOAT_POW = inexact Transcendental::pow;
    SQUARED_DIFFERENCE_REAL = real Real::squared_difference;
    FLOOR_DIV_REAL = real Real::floor_div;
    FLOOR_MOD_REAL = real Real::floor_mod;
    TRUNC_DIV_REAL = real Real::trunc_div;
    TRUNC_MOD_REAL = real Real::trunc_mod;
}

pub(in super::super) fn abs(c: &Context<'_>) -> Result<Outputs> {
    typed!(real, c, c.input(0).dtype(), T => unary::<T, _>(c, k::op!(<T as Real>::abs)))
}

/// The sign; of a complex number the number on the unit circle.
pub(in super::super) fn sign(c: &Context<'_>) -> Result<Outputs> {
    use num_complex::{Complex32, Complex64};
    match c.input(0).dtype() {
        DType::Complex64 => {
            unary(c, |x: Complex32| if x == Complex32::ZERO { x } else { x / x.norm() })
        }
        DType::Complex128 => {
            unary(c, |x: Complex64| if x == Complex64::ZERO { x } else { x / x.norm() })
        }
        d => typed!(real, c, d, T => unary::<T, _>(c, k::op!(<T as Real>::sign))),
    }
}

pub(in super::super) fn reciprocal(c: &Context<'_>) -> Result<Outputs> {
    if c.input(0).dtype().is_integer() {
        check_divisor(c.input(0))?;
        return typed!(integer, c, c.input(0).dtype(), T => unary::<T, _>(c, |x| <T as Real>::trunc_div(T::ONE, x)));
    }
    typed!(inexact, c, c.input(0).dtype(), T => unary::<T, _>(c, k::op!(<T as Transcendental>::reciprocal)))
}

/// In float64 TensorFlow's polynomial gives NaN where the square overflows; so does this.
pub(in super::super) fn erf(c: &Context<'_>) -> Result<Outputs> {
    match c.input(0).dtype() {
        DType::F64 => {
            unary(c, |x: f64| if (x * x).is_infinite() { f64::NAN } else { Float::erf(x) })
        }
        d => typed!(float, c, d, T => unary::<T, _>(c, k::op!(<T as Float>::erf))),
    }
}

pub(in super::super) fn leaky_relu(c: &Context<'_>) -> Result<Outputs> {
    let alpha: f32 = c.attrs.get("alpha")?;
    typed!(float, c, c.input(0).dtype(), T => {
        let alpha: T = alpha.cast();
        unary::<T, _>(c, move |x| <T as Float>::leaky_relu(x, alpha))
    })
}

pub(in super::super) fn logical_not(c: &Context<'_>) -> Result<Outputs> {
    unary::<bool, _>(c, |x| !x)
}

pub(in super::super) fn logical_and(c: &Context<'_>) -> Result<Outputs> {
    binary::<bool, _>(c, |x, y| x && y)
}

pub(in super::super) fn logical_or(c: &Context<'_>) -> Result<Outputs> {
    binary::<bool, _>(c, |x, y| x || y)
}

pub(in super::super) fn add(c: &Context<'_>) -> Result<Outputs> {
    if c.input(0).dtype() == DType::String {
        return add_strings(c);
    }
    typed!(numeric, c, c.input(0).dtype(), T => binary::<T, _>(c, k::op!(<T as Arithmetic>::add, 2)))
}

/// Concatenation, element by element.
fn add_strings(c: &Context<'_>) -> Result<Outputs> {
    let (x, y) = (c.input(0), c.input(1));
    let (dims, pairs) = broadcast_pairs(x, y)?;
    let (a, b) = (x.as_strings()?, y.as_strings()?);
    let items = pairs.into_iter().map(|(i, j)| [&a[i][..], &b[j][..]].concat()).collect();
    Ok([Array::from_strings(dims, items)?].into())
}

/// The flat indices of the two elements that meet in each element of the result.
fn broadcast_pairs(x: &Array, y: &Array) -> Result<(Dims, Vec<(usize, usize)>)> {
    let plan = plan(x, y)?;
    let (a, b): (Vec<usize>, Vec<usize>) = ((0..x.len()).collect(), (0..y.len()).collect());
    let mut pairs = Vec::with_capacity(plan.len());
    let mut unused: Vec<_> = (0..plan.len()).map(|_| std::mem::MaybeUninit::new(())).collect();
    k::elementwise::zip_broadcast_ref(&a, &b, &plan, &mut unused, |i, j| pairs.push((*i, *j)));
    Ok((plan.out_shape().into(), pairs))
}

pub(in super::super) fn squared_difference(c: &Context<'_>) -> Result<Outputs> {
    use num_complex::{Complex32, Complex64};
    match c.input(0).dtype() {
        DType::Complex64 => binary(c, |x: Complex32, y| (x - y).conj() * (x - y)),
        DType::Complex128 => binary(c, |x: Complex64, y| (x - y).conj() * (x - y)),
        _ => SQUARED_DIFFERENCE_REAL(c),
    }
}

/// Integers can't be divided by zero.
fn check_divisor(y: &Array) -> Result<()> {
    let zero = match y.dtype() {
        DType::I8 => y.as_slice::<i8>()?.contains(&0),
        DType::I16 => y.as_slice::<i16>()?.contains(&0),
        DType::I32 => y.as_slice::<i32>()?.contains(&0),
        DType::I64 => y.as_slice::<i64>()?.contains(&0),
        DType::U8 => y.as_slice::<u8>()?.contains(&0),
        DType::U16 => y.as_slice::<u16>()?.contains(&0),
        DType::U32 => y.as_slice::<u32>()?.contains(&0),
        DType::U64 => y.as_slice::<u64>()?.contains(&0),
        _ => false,
    };
    if zero {
        bail!("integer division by zero");
    }
    Ok(())
}

macro_rules! checked {
    ($($name:ident = $kernel:ident;)*) => {
        $(pub(in super::super) fn $name(c: &Context<'_>) -> Result<Outputs> {
            // Nothing is divided if the other operand is empty.
            if !c.input(0).is_empty() {
                check_divisor(c.input(1))?;
            }
            $kernel(c)
        })*
    };
}
checked! {
    floor_div = FLOOR_DIV_REAL;
    floor_mod = FLOOR_MOD_REAL;
    trunc_div = TRUNC_DIV_REAL;
    trunc_mod = TRUNC_MOD_REAL;
}

/// Division that truncates integers.
pub(in super::super) fn div(c: &Context<'_>) -> Result<Outputs> {
    if c.input(0).dtype().is_integer() { trunc_div(c) } else { REAL_DIV(c) }
}

pub(in super::super) fn pow(c: &Context<'_>) -> Result<Outputs> {
    let y = c.input(1);
    if !y.dtype().is_integer() {
        return FLOAT_POW(c);
    }
    typed!(integer, c, y.dtype(), T => {
        let negative = |y: &T| Real::sign(*y) != T::ZERO && Real::sign(*y) != T::ONE;
        if y.as_slice::<T>()?.iter().any(negative) {
            bail!("integers can't be raised to negative powers");
        }
        binary::<T, _>(c, k::op!(<T as Integer>::pow, 2))
    })
}

macro_rules! comparisons {
    ($($name:ident = $set:ident, $f:expr, $strings:expr;)*) => {
        $(pub(in super::super) fn $name(c: &Context<'_>) -> Result<Outputs> {
            if c.input(0).dtype() == DType::String {
                return $strings(c);
            }
            typed!($set, c, c.input(0).dtype(), T => binary::<T, _>(c, $f))
        })*
    };
}
comparisons! {
    less = real, |x, y| x < y, no_strings;
    less_equal = real, |x, y| x <= y, no_strings;
    greater = real, |x, y| x > y, no_strings;
    greater_equal = real, |x, y| x >= y, no_strings;
    equal_broadcast = plain, |x, y| x == y, |c| strings_equal(c, true);
    not_equal_broadcast = plain, |x, y| x != y, |c| strings_equal(c, false);
}

fn no_strings(c: &Context<'_>) -> Result<Outputs> {
    Err(no_kernel(c))
}

fn strings_equal(c: &Context<'_>, want: bool) -> Result<Outputs> {
    let (dims, pairs) = broadcast_pairs(c.input(0), c.input(1))?;
    let (a, b) = (c.input(0).as_strings()?, c.input(1).as_strings()?);
    let items: Vec<bool> = pairs.into_iter().map(|(i, j)| (a[i] == b[j]) == want).collect();
    Ok([Array::from_slice(dims, &items)?].into())
}

/// With `incompatible_shape_error` off, shapes that don't broadcast are one unequal value.
fn unequal_shapes(c: &Context<'_>) -> bool {
    !c.attrs.get::<bool>("incompatible_shape_error").unwrap_or(true)
        && c.input(0).shape().broadcast(&c.input(1).shape()).is_err()
}

pub(in super::super) fn equal(c: &Context<'_>) -> Result<Outputs> {
    if unequal_shapes(c) { Ok([Array::scalar(false)].into()) } else { equal_broadcast(c) }
}

pub(in super::super) fn not_equal(c: &Context<'_>) -> Result<Outputs> {
    if unequal_shapes(c) { Ok([Array::scalar(true)].into()) } else { not_equal_broadcast(c) }
}

pub(in super::super) fn cast(c: &Context<'_>) -> Result<Outputs> {
    let to: DType = c.attrs.get("DstT")?;
    if to == c.input(0).dtype() {
        return super::other::identity(c);
    }
    typed!(plain, c, c.input(0).dtype(), A => typed!(plain, c, to, R => unary::<A, R>(c, |x: A| k::Cast::<R>::cast(x))))
}

/// Zeros (or ones) of the type of the input; strings are empty.
pub(in super::super) fn zeros_like(c: &Context<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let zeros = match x.dtype() {
        DType::String => Array::from_strings(x.dims(), vec![Vec::new(); x.len()])?,
        d => typed!(plain, c, d, T => Array::from_writer(x.dims(), |out: &mut [T]| {
            out.fill(T::default());
            Ok(())
        }))?,
    };
    Ok([zeros].into())
}

pub(in super::super) fn ones_like(c: &Context<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let ones = typed!(plain, c, x.dtype(), T => Array::from_writer(x.dims(), |out: &mut [T]| {
        out.fill(k::Cast::<T>::cast(true));
        Ok(())
    }))?;
    Ok([ones].into())
}
