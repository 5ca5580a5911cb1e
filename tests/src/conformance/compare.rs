//! Comparison of an answer with the recorded one.

use extype::DType;
use extype::array::Array;
use serde_json::Value;

/// How far an answer may lie from the recorded one: `|got - want| <= atol + rtol * |want|`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Relative to the recorded value.
    pub rtol: f64,
    /// Absolute.
    pub atol: f64,
}

impl Tolerance {
    /// The tolerance in a case; exact if there is none.
    pub fn read(json: &Value) -> Tolerance {
        let number = |key: &str| json[key].as_f64().unwrap_or(0.0);
        Tolerance { rtol: number("rtol"), atol: number("atol") }
    }

    /// True if answers must agree bit for bit.
    pub fn is_exact(self) -> bool {
        self.rtol == 0.0 && self.atol == 0.0
    }
}

/// A recorded output.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The answer.
    pub value: Array,
    /// Where TensorFlow itself has two answers, the other one.
    pub other: Option<Array>,
}

/// How an answer differs from the recorded one.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The first wrong element, and how many there are.
    pub text: String,
    /// True if every wrong element is a denormal where a zero was recorded: TensorFlow's kernels
    /// flush denormals to zero, which need not be matched.
    pub flushed: bool,
}

impl From<String> for Difference {
    fn from(text: String) -> Self {
        Difference { text, flushed: false }
    }
}

/// What differs, or `None` if the answer is right.
pub fn difference(got: &Array, want: &Expected, tolerance: Tolerance) -> Option<Difference> {
    let (dtype, value) = (got.dtype(), &want.value);
    if dtype != value.dtype() || got.dims() != value.dims() {
        return Some(format!("{} instead of {}", got.tensor_type(), value.tensor_type()).into());
    }
    let others = want.other.as_ref().map(elements);
    let (got, want) = (elements(got), elements(value));
    let is_right = |i: usize| {
        let alternative = || others.as_ref().is_some_and(|o| got[i].is_near(&o[i], tolerance));
        got[i].is_near(&want[i], tolerance) || alternative()
    };
    let wrong: Vec<usize> = (0..want.len()).filter(|i| !is_right(*i)).collect();
    let first = *wrong.first()?;
    let (a, b) = (&got[first], &want[first]);
    let count = wrong.len();
    Some(Difference {
        text: format!("element {first}: {a} instead of {b} ({count} of {} differ)", want.len()),
        flushed: wrong.iter().all(|i| got[*i].is_flushed_to(&want[*i], dtype)),
    })
}

/// True if every element is zero.
pub fn is_zero(array: &Array) -> bool {
    elements(array).iter().all(|e| match e {
        Element::Real { value, .. } => *value == 0.0,
        Element::Complex { re, im, .. } => *re == 0.0 && *im == 0.0,
        Element::Integer(value) => *value == 0,
        Element::Text(_) => false,
    })
}

/// One element in a form to compare.
#[derive(Clone, Debug)]
enum Element {
    Real { value: f64, bits: u64 },
    Complex { re: f64, im: f64, bits: [u64; 2] },
    Integer(i128),
    Text(Vec<u8>),
}

impl Element {
    /// True if this is a denormal, and the recorded value is a zero.
    fn is_flushed_to(&self, want: &Element, dtype: DType) -> bool {
        let smallest = match dtype {
            DType::F32 | DType::BF16 => f64::from(f32::MIN_POSITIVE),
            DType::F64 => f64::MIN_POSITIVE,
            _ => return false,
        };
        match (self, want) {
            (Element::Real { value: got, .. }, Element::Real { value: want, .. }) => {
                *want == 0.0 && *got != 0.0 && got.abs() < smallest
            }
            _ => false,
        }
    }

    fn is_near(&self, want: &Element, tolerance: Tolerance) -> bool {
        match (self, want) {
            (Element::Real { value: a, bits: x }, Element::Real { value: b, bits: y }) => {
                real_is_near(*a, *b, x == y, tolerance)
            }
            (Element::Complex { re, im, bits }, Element::Complex { re: a, im: b, bits: other }) => {
                let nan = |x: f64, y: f64| x.is_nan() || y.is_nan();
                if nan(*a, *b) {
                    return nan(*re, *im);
                }
                if tolerance.is_exact() {
                    return bits == other;
                }
                let far = (re - a).hypot(im - b);
                (re == a && im == b) || far <= bound(a.hypot(*b), tolerance)
            }
            (Element::Integer(a), Element::Integer(b)) => {
                a == b || (a - b).abs() as f64 <= tolerance.atol
            }
            (Element::Text(a), Element::Text(b)) => a == b,
            _ => false,
        }
    }
}

fn real_is_near(got: f64, want: f64, same_bits: bool, tolerance: Tolerance) -> bool {
    if want.is_nan() || tolerance.is_exact() {
        return same_bits || (got.is_nan() && want.is_nan());
    }
    got == want || (got - want).abs() <= bound(want.abs(), tolerance)
}

/// Infinities are near to themselves only.
fn bound(size: f64, tolerance: Tolerance) -> f64 {
    if size.is_finite() { tolerance.atol + tolerance.rtol * size } else { -1.0 }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Element::Real { value, .. } => write!(f, "{value:?}"),
            Element::Complex { re, im, .. } => write!(f, "({re:?}, {im:?})"),
            Element::Integer(value) => write!(f, "{value}"),
            Element::Text(bytes) => write!(f, "{:?}", String::from_utf8_lossy(bytes)),
        }
    }
}

/// The elements of an array.
fn elements(array: &Array) -> Vec<Element> {
    let Some(bytes) = array.as_bytes() else {
        let strings = array.as_strings().unwrap_or_default();
        return strings.iter().map(|s| Element::Text(s.clone())).collect();
    };
    let size = array.dtype().size().unwrap_or(1);
    bytes.chunks_exact(size).map(|chunk| element(array.dtype(), chunk)).collect()
}

fn element(dtype: DType, bytes: &[u8]) -> Element {
    let half = bytes.len() / 2;
    let real = |value: f64| Element::Real { value, bits: bits(bytes) };
    let complex = |re: f64, im: f64| Element::Complex {
        re,
        im,
        bits: [bits(&bytes[..half]), bits(&bytes[half..])],
    };
    match dtype {
        DType::F16 => real(half_to_f64(bits(bytes) as u16)),
        DType::BF16 => real(f64::from(f32::from_bits((bits(bytes) as u32) << 16))),
        DType::F32 => real(f64::from(f32::from_bits(bits(bytes) as u32))),
        DType::F64 => real(f64::from_bits(bits(bytes))),
        DType::Complex64 => {
            let part = |b: &[u8]| f64::from(f32::from_bits(bits(b) as u32));
            complex(part(&bytes[..half]), part(&bytes[half..]))
        }
        DType::Complex128 => {
            let part = |b: &[u8]| f64::from_bits(bits(b));
            complex(part(&bytes[..half]), part(&bytes[half..]))
        }
        DType::I8 | DType::I16 | DType::I32 | DType::I64 => {
            let unused = 64 - 8 * bytes.len() as u32;
            Element::Integer(i128::from((bits(bytes) << unused) as i64 >> unused))
        }
        _ => Element::Integer(i128::from(bits(bytes))),
    }
}

fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// The value of an IEEE half, worked out here so that a fault of the library's own conversion
/// can't hide itself.
fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 31);
    let fraction = f64::from(bits & 1023) / 1024.0;
    sign * match exponent {
        0 => fraction * 2f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + fraction) * 2f64.powi(e - 15),
    }
}
