//! Elements, sizes and shapes: tame and hostile.

use extype::DType;
use extype::array::{Array, Variant, f8e4m3fn, f8e5m2};
use extype::types::DTypeSet;
use extype::{Tensor, Variable};

use super::rng::Rng;

/// Elements of an array at most; larger ones say no more and take time.
const MOST: usize = 4096;

/// What elements are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Style {
    /// Reals of this range, and integers from 0 to 3.
    Within(f64, f64),
    /// Integers from zero up to, but without, this; reals too.
    Below(usize),
    /// Nan, infinities, limits, out of range, among tame ones.
    Hostile,
    /// The same everywhere.
    Zero,
}

/// Sizes that go together with a zero only.
pub(super) const HUGE: [usize; 6] =
    [1 << 16, 1 << 31, 1 << 33, 1 << 40, 1 << 62, i32::MAX as usize];

/// Integers that an op should look at twice. None is so large that a result of its size takes
/// long, and so small that memory allows it.
pub(super) const INTEGERS: [i64; 23] = [
    0,
    0,
    1,
    1,
    2,
    3,
    4,
    5,
    17,
    -1,
    -1,
    -2,
    -3,
    1 << 31,
    1 << 32,
    (1 << 32) + 1,
    -(1 << 32),
    1 << 40,
    1 << 62,
    i32::MAX as i64,
    i32::MIN as i64,
    i64::MAX,
    i64::MIN,
];

const REALS: [f64; 17] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.0,
    -7.5,
    1e-300,
    1e30,
    -1e300,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    2147483648.0,
    1e-310,
    5e-324,
];

const TEXTS: [&[u8]; 12] = [
    b"",
    b"a",
    b"bc",
    b"1",
    b"-2.5",
    b"\xff\xfe",
    b"(",
    b"[a-",
    "\u{e9}\u{20ac}".as_bytes(),
    b"%s",
    b"NHWC",
    b"nan",
];

/// A small rank and small sizes.
pub(super) fn tame_shape(rng: &mut Rng) -> Vec<usize> {
    let rank = rng.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 4]);
    (0..rank).map(|_| rng.pick(&[1, 2, 2, 3, 3, 4])).collect()
}

/// Any shape that holds few elements.
pub(super) fn hostile_shape(rng: &mut Rng) -> Vec<usize> {
    let rank = rng.pick(&[0, 1, 1, 2, 2, 3, 4, 5, 8]);
    let mut dims: Vec<usize> = (0..rank).map(|_| rng.pick(&[0, 1, 1, 2, 3, 5])).collect();
    if dims.contains(&0) && rng.chance(40) {
        let at = rng.below(rank);
        dims[at] = rng.pick(&HUGE);
        if rng.chance(30) {
            let other = rng.below(rank);
            dims[other] = rng.pick(&HUGE);
        }
    }
    clamped(dims)
}

/// The sizes, with huge ones made small unless there is a zero beside them.
pub(super) fn clamped(mut dims: Vec<usize>) -> Vec<usize> {
    if dims.contains(&0) {
        return dims;
    }
    dims.iter_mut().for_each(|d| *d = (*d).min(64));
    while dims.iter().product::<usize>() > MOST {
        if let Some(largest) = dims.iter_mut().max() {
            *largest = largest.div_ceil(2);
        }
    }
    dims
}

/// An array of such elements; `None` if no array has this shape.
pub(super) fn filled(dtype: DType, dims: &[usize], style: Style, rng: &mut Rng) -> Option<Array> {
    let dims = clamped(dims.to_vec());
    let len = if dims.contains(&0) { 0 } else { dims.iter().product() };
    match dtype {
        DType::String => {
            let one = |rng: &mut Rng| match style {
                Style::Zero => Vec::new(),
                Style::Hostile => rng.pick(&TEXTS).to_vec(),
                _ => rng.pick(&TEXTS[1..4]).to_vec(),
            };
            Array::from_strings(dims, (0..len).map(|_| one(rng)).collect()).ok()
        }
        DType::Variant => {
            Array::from_variants(dims, (0..len).map(|_| Variant::nothing()).collect()).ok()
        }
        DType::Resource => {
            let state = Tensor::from_slice(&[1i64, 2, 3], &[3]).ok()?;
            Variable::new(state).ok()?.handle().value().ok().cloned()
        }
        _ => {
            let bytes: Vec<u8> = (0..len).flat_map(|_| element(dtype, style, rng)).collect();
            Array::from_bytes(dtype, dims, &bytes).ok()
        }
    }
}

/// The array with one element replaced by a hostile one.
pub(super) fn with_hostile_element(array: &Array, rng: &mut Rng) -> Option<Array> {
    let (dtype, at) = (array.dtype(), rng.below(array.len()));
    if let Ok(strings) = array.as_strings() {
        let mut items = strings.to_vec();
        *items.get_mut(at)? = rng.pick(&TEXTS).to_vec();
        return Array::from_strings(array.dims(), items).ok();
    }
    let mut bytes = array.as_bytes()?.to_vec();
    let size = dtype.size()?;
    bytes.get_mut(at * size..(at + 1) * size)?.copy_from_slice(&element(
        dtype,
        Style::Hostile,
        rng,
    ));
    Array::from_bytes(dtype, array.dims(), &bytes).ok()
}

/// The elements, repeated or cut to fill another shape.
pub(super) fn reshaped(array: &Array, dims: &[usize]) -> Option<Array> {
    let dims = clamped(dims.to_vec());
    let len = if dims.contains(&0) { 0 } else { dims.iter().product() };
    let at = |i: usize| i % array.len().max(1);
    if let Ok(strings) = array.as_strings() {
        let one = |i| strings.get(at(i)).cloned().unwrap_or_default();
        return Array::from_strings(dims, (0..len).map(one).collect()).ok();
    }
    let (bytes, size) = (array.as_bytes()?, array.dtype().size()?);
    let zero = vec![0; size];
    let one = |i| bytes.get(at(i) * size..(at(i) + 1) * size).unwrap_or(&zero);
    let bytes: Vec<u8> = (0..len).flat_map(|i| one(i).iter().copied()).collect();
    Array::from_bytes(array.dtype(), dims, &bytes).ok()
}

/// True if elements are integers, or stand for numbers as integers.
fn of_integers(dtype: DType) -> bool {
    dtype.is_integer() || DTypeSet::QUANTIZED.contains(dtype)
}

/// The integers as an array of this dtype.
pub(super) fn integers(dtype: DType, dims: &[usize], values: &[i64]) -> Option<Array> {
    let size = dtype.size().filter(|_| of_integers(dtype))?;
    let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()[..size].to_vec()).collect();
    Array::from_bytes(dtype, dims, &bytes).ok()
}

/// The reals as an array of this dtype.
pub(super) fn reals(dtype: DType, dims: &[usize], values: &[f64]) -> Option<Array> {
    let bytes: Vec<u8> = values.iter().flat_map(|x| real(dtype, *x)).collect();
    Array::from_bytes(dtype, dims, &bytes).ok()
}

fn element(dtype: DType, style: Style, rng: &mut Rng) -> Vec<u8> {
    let whole = |rng: &mut Rng| match style {
        Style::Below(n) => rng.below(n.max(1)) as i64,
        Style::Zero => 0,
        Style::Hostile => rng.pick(&INTEGERS),
        Style::Within(..) => rng.below(4) as i64,
    };
    let fraction = |rng: &mut Rng| match style {
        Style::Within(low, high) => rng.uniform(low, high),
        Style::Below(n) => rng.below(n.max(1)) as f64,
        Style::Hostile => rng.pick(&REALS),
        Style::Zero => 0.0,
    };
    match dtype {
        DType::Bool => vec![u8::from(style != Style::Zero && rng.chance(50))],
        d if of_integers(d) => {
            let size = d.size().unwrap_or(1);
            whole(rng).to_le_bytes()[..size].to_vec()
        }
        DType::Complex64 | DType::Complex128 => {
            let part = if dtype == DType::Complex64 { DType::F32 } else { DType::F64 };
            [real(part, fraction(rng)), real(part, fraction(rng))].concat()
        }
        _ => real(dtype, fraction(rng)),
    }
}

/// The bytes of a real number.
fn real(dtype: DType, x: f64) -> Vec<u8> {
    match dtype {
        DType::F64 => x.to_le_bytes().to_vec(),
        DType::F32 => (x as f32).to_le_bytes().to_vec(),
        DType::BF16 => ((x as f32).to_bits() >> 16).to_le_bytes()[..2].to_vec(),
        DType::F16 => half_bits(x).to_le_bytes().to_vec(),
        DType::F8E5M2 => vec![f8e5m2::from_f64(x).to_bits()],
        DType::F8E4M3FN => vec![f8e4m3fn::from_f64(x).to_bits()],
        _ => Vec::new(),
    }
}

/// The bits of an IEEE half, cut rather than rounded; small numbers become zeros.
fn half_bits(x: f64) -> u16 {
    let bits = (x as f32).to_bits();
    let (sign, exponent) = ((bits >> 16) as u16 & 0x8000, (bits >> 23 & 255) as i32 - 112);
    match exponent {
        _ if x.is_nan() => 0x7e00,
        ..=0 => sign,
        31.. => sign | 0x7c00,
        e => sign | (e as u16) << 10 | (bits >> 13 & 1023) as u16,
    }
}
