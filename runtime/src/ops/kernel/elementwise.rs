//! Elementwise kernels: from arrays to the tables of `extype-kernels`.

use extype_kernels as k;
use k::table::{
    self as t, Binary, BinaryTo, MapFn, Pairing, Table, Tabled, Unary, UnaryTo, ZipFn, binary as b,
    unary as u,
};
use k::{Par, Real};

use super::typed;
use crate::array::{Array, Dims, Element};
use crate::op::{KernelContext, Outputs, no_kernel};
use crate::types::{DType, Result, bail, err};

type Context<'a> = KernelContext<'a>;

/// The function of a table for an element type.
pub(super) fn entry<T: Tabled, K: t::Kind>(c: &Context<'_>, table: &Table<K>) -> Result<K::Of<T>> {
    T::entry(table).ok_or_else(|| no_kernel(c))
}

/// The op of a table on the first input.
pub(in super::super) fn unary(c: &Context<'_>, table: &Table<Unary>) -> Result<Outputs> {
    typed!(plain, c, c.input(0).dtype(), T => map::<T, T>(c, entry::<T, _>(c, table)?))
}

/// The op of a table to another type.
fn unary_to<R>(c: &Context<'_>, table: &Table<UnaryTo<R>>) -> Result<Outputs>
where
    R: Element + k::Element,
{
    typed!(real, c, c.input(0).dtype(), T => map::<T, R>(c, entry::<T, _>(c, table)?))
}

/// The op of a table on two inputs that broadcast.
pub(in super::super) fn binary(c: &Context<'_>, table: &Table<Binary>) -> Result<Outputs> {
    typed!(plain, c, c.input(0).dtype(), T => zip::<T, T>(c, entry::<T, _>(c, table)?))
}

fn compare(c: &Context<'_>, table: &Table<BinaryTo<bool>>) -> Result<Outputs> {
    typed!(plain, c, c.input(0).dtype(), T => zip::<T, bool>(c, entry::<T, _>(c, table)?))
}

fn map<T, R>(c: &Context<'_>, f: MapFn<T, R>) -> Result<Outputs>
where
    T: Element,
    R: Element + k::Element,
{
    let x = c.input(0);
    let data = x.as_slice::<T>()?;
    let out = Array::from_kernel(x.dims(), |out| {
        f(data, out, Par::Pool);
        Ok(())
    })?;
    Ok([out].into())
}

fn zip<T, R>(c: &Context<'_>, f: ZipFn<T, R>) -> Result<Outputs>
where
    T: Element,
    R: Element + k::Element,
{
    let (x, y) = (c.input(0), c.input(1));
    let (a, b) = (x.as_slice::<T>()?, y.as_slice::<T>()?);
    let of = |dims: &[usize], pairing: Pairing<'_>| {
        let out = Array::from_kernel(dims, |out| {
            f(a, b, pairing, out, Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    };
    if x.dims() == y.dims() {
        of(x.dims(), Pairing::Each)
    } else if y.rank() == 0 {
        of(x.dims(), Pairing::Right)
    } else if x.rank() == 0 {
        of(y.dims(), Pairing::Left)
    } else {
        let plan = plan(x, y)?;
        of(plan.out_shape(), Pairing::Broadcast(&plan))
    }
}

fn plan(x: &Array, y: &Array) -> Result<k::broadcast::Broadcast> {
    k::broadcast::Broadcast::new(x.dims(), y.dims())
        .map_err(|e| err!("axis {} differs: {} ≠ {}", e.axis, e.sizes.0, e.sizes.1))
}

type Kernel = fn(&KernelContext<'_>) -> Result<Outputs>;

/// Kernels that are a table.
macro_rules! kernels {
    ($function:ident($tables:ident): $($name:ident)*) => {
        $(pub(in super::super) const $name: Kernel = |c| $function(c, &$tables::$name);)*
    };
}

kernels! { unary(u): NEG SQUARE ABS EXP EXPM1 LOG LOG1P SQRT RSQRT SIN COS TAN ASIN ACOS ATAN SINH COSH TANH ASINH ACOSH ATANH SIGMOID SOFTPLUS SOFTSIGN RELU RELU6 ELU SELU ERFC FLOOR CEIL RINT INVERT LOGICAL_NOT CONJ }
kernels! { unary_to(u): IS_NAN IS_INF IS_FINITE POPULATION_COUNT }
kernels! { binary(b): SUB MUL MUL_NO_NAN MAXIMUM MINIMUM ATAN2 XLOGY XLOG1PY XDIVY DIV_NO_NAN REAL_DIV BITWISE_AND BITWISE_OR BITWISE_XOR LEFT_SHIFT RIGHT_SHIFT LOGICAL_AND LOGICAL_OR }

/// The sign; of a complex number the number on the unit circle.
pub(in super::super) fn sign(c: &Context<'_>) -> Result<Outputs> {
    unary(c, if c.input(0).dtype().is_complex() { &u::COMPLEX_SIGN } else { &u::REAL_SIGN })
}

pub(in super::super) fn reciprocal(c: &Context<'_>) -> Result<Outputs> {
    if !c.input(0).dtype().is_integer() {
        return unary(c, &u::RECIPROCAL);
    }
    check_divisor(c.input(0))?;
    unary(c, &u::INTEGER_RECIPROCAL)
}

pub(in super::super) fn erf(c: &Context<'_>) -> Result<Outputs> {
    unary(c, if c.input(0).dtype() == DType::F64 { &u::ERF_F64 } else { &u::ERF })
}

pub(in super::super) fn leaky_relu(c: &Context<'_>) -> Result<Outputs> {
    let x = c.input(0);
    let alpha: f32 = c.attrs.get("alpha")?;
    typed!(float, c, x.dtype(), T => {
        let f = entry::<T, _>(c, &b::LEAKY_RELU)?;
        let (data, alpha) = (x.as_slice::<T>()?, k::Cast::<T>::cast(alpha));
        let out = Array::from_kernel(x.dims(), |out| {
            f(data, &[alpha], Pairing::Right, out, Par::Pool);
            Ok(())
        })?;
        Ok([out].into())
    })
}

pub(in super::super) fn add(c: &Context<'_>) -> Result<Outputs> {
    if c.input(0).dtype() == DType::String {
        return add_strings(c);
    }
    binary(c, &b::ADD)
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
    let complex = c.input(0).dtype().is_complex();
    binary(c, if complex { &b::COMPLEX_SQUARED_DIFFERENCE } else { &b::SQUARED_DIFFERENCE })
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
            binary(c, &b::$kernel)
        })*
    };
}
checked! {
    floor_div = FLOOR_DIV;
    floor_mod = FLOOR_MOD;
    trunc_div = TRUNC_DIV;
    trunc_mod = TRUNC_MOD;
}

/// Division that truncates integers.
pub(in super::super) fn div(c: &Context<'_>) -> Result<Outputs> {
    if c.input(0).dtype().is_integer() { trunc_div(c) } else { binary(c, &b::REAL_DIV) }
}

pub(in super::super) fn pow(c: &Context<'_>) -> Result<Outputs> {
    let y = c.input(1);
    if !y.dtype().is_integer() {
        return binary(c, &b::POW);
    }
    typed!(integer, c, y.dtype(), T => {
        let negative = |y: &T| Real::sign(*y) != <T as k::Arithmetic>::ZERO && Real::sign(*y) != <T as k::Arithmetic>::ONE;
        if y.as_slice::<T>()?.iter().any(negative) {
            bail!("integers can't be raised to negative powers");
        }
        binary(c, &b::INTEGER_POW)
    })
}

macro_rules! comparisons {
    ($($name:ident = $table:ident, $strings:expr;)*) => {
        $(pub(in super::super) fn $name(c: &Context<'_>) -> Result<Outputs> {
            if c.input(0).dtype() == DType::String {
                return $strings(c);
            }
            compare(c, &b::$table)
        })*
    };
}
comparisons! {
    less = LESS, no_strings;
    less_equal = LESS_EQUAL, no_strings;
    greater = GREATER, no_strings;
    greater_equal = GREATER_EQUAL, no_strings;
    equal_broadcast = EQUAL, |c| strings_equal(c, true);
    not_equal_broadcast = NOT_EQUAL, |c| strings_equal(c, false);
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
    if c.attrs.get::<bool>("Truncate").unwrap_or(false) {
        match (c.input(0).dtype(), to) {
            (DType::F64, DType::F32) => return unary_to(c, &t::cast::CUT_TO_F32),
            (DType::F64 | DType::F32, DType::F16) => return unary_to(c, &t::cast::CUT_TO_F16),
            (DType::F64 | DType::F32, DType::BF16) => return unary_to(c, &t::cast::CUT_TO_BF16),
            _ => {}
        }
    }
    typed!(plain, c, c.input(0).dtype(), A => typed!(plain, c, to, R => {
        map::<A, R>(c, t::cast::cast_fn().ok_or_else(|| no_kernel(c))?)
    }))
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
