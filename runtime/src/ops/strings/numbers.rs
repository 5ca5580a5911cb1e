//! Kernels of numbers as text: reading them, and writing them as C's `printf` does.

use std::str::FromStr;

use super::kernel::{mapped, measured, trimmed};
use crate::array::{Array, Element, reserve, vec_for};
use crate::ir::{KernelContext, Outputs, typed};
use crate::ops::ordering::kernel::cast;
use crate::ops::{AsString, StringToNumber};
use crate::types::{DType, Result, bail, err};

/// A dtype whose numbers are read from text.
pub(in crate::ops) trait FromText: Sized {
    /// The number that a text is, with white space around it. `None` if it is none, or out of range.
    fn from_text(text: &[u8]) -> Option<Self>;
}

/// What Rust reads as this number.
fn plain<T: FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

macro_rules! from_text {
    ($($t:ty),* => $read:expr) => {
        $(impl FromText for $t {
            fn from_text(text: &[u8]) -> Option<Self> {
                $read(trimmed(text))
            }
        })*
    };
}
from_text!(i32, i64, u32, u64 => plain);
from_text!(f32 => |text| plain(text).or_else(|| Some(unusual(text, 24, -149)? as f32)));
from_text!(f64 => |text| plain(text).or_else(|| unusual(text, 53, -1074)));

/// A number that C reads and Rust does not: hexadecimal, or NaN with a payload. It is rounded to `bits`, and the least
/// positive number is two to the power of `least`.
fn unusual(text: &[u8], bits: u32, least: i64) -> Option<f64> {
    // A plus must not stand before a minus.
    let unsigned = text.strip_prefix(b"+").filter(|rest| !rest.starts_with(b"-")).unwrap_or(text);
    let (sign, text) = match unsigned.strip_prefix(b"-") {
        Some(rest) => (-1.0, rest),
        None => (1.0, unsigned),
    };
    let (head, rest) = (text.get(..2)?.to_ascii_lowercase(), text.get(2..)?);
    match &head[..] {
        b"0x" => Some(sign * hexadecimal(rest, bits, least)?),
        b"na" => {
            let payload = rest.get(1..)?.strip_prefix(b"(")?.strip_suffix(b")")?;
            let fits = payload.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
            (fits && rest[0].eq_ignore_ascii_case(&b'n')).then_some(sign * f64::NAN)
        }
        _ => None,
    }
}

/// Hexadecimal digits with a point among them, and a power of two after `p`.
fn hexadecimal(text: &[u8], bits: u32, least: i64) -> Option<f64> {
    let end = text.iter().position(|b| b.eq_ignore_ascii_case(&b'p')).unwrap_or(text.len());
    let (mut digits, mut rest) = (0u64, false);
    let (mut exponent, mut point, mut any) = (0i64, false, false);
    for byte in &text[..end] {
        if *byte == b'.' && !point {
            point = true;
            continue;
        }
        let digit = u64::from(char::from(*byte).to_digit(16)?);
        any = true;
        if digits < 1 << 59 {
            digits = digits * 16 + digit;
            exponent -= 4 * i64::from(point);
        } else {
            rest |= digit > 0;
            exponent += 4 * i64::from(!point);
        }
    }
    if !any {
        return None;
    }
    if let Some(power) = text.get(end + 1..) {
        let digits = power.strip_prefix(b"-").or(power.strip_prefix(b"+")).unwrap_or(power);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let most = if power[0] == b'-' { i64::MIN / 4 } else { i64::MAX / 4 };
        exponent =
            exponent.saturating_add(plain::<i64>(power).unwrap_or(most).clamp(-1 << 40, 1 << 40));
    }
    if digits == 0 {
        return Some(0.0);
    }
    let top = exponent + 63 - i64::from(digits.leading_zeros());
    if top > 1100 {
        return Some(f64::INFINITY);
    }
    // The power of the last bit that is kept.
    let last = (top + 1 - i64::from(bits)).max(least);
    let dropped = last - exponent;
    let (kept, scale) = match dropped {
        ..=0 => (digits, exponent),
        1..=64 => {
            let wide = u128::from(digits) << 1 | u128::from(rest);
            let (kept, half) = (wide >> (dropped + 1), 1u128 << dropped);
            let below = wide & (2 * half - 1);
            let up = below > half || below == half && kept % 2 == 1;
            (kept as u64 + u64::from(up), last)
        }
        _ => return Some(0.0),
    };
    // Two factors, since one alone may be out of range.
    let first = (scale as i32).clamp(-1000, 1000);
    Some(kept as f64 * 2f64.powi(first) * 2f64.powi(scale as i32 - first))
}

/// Reads a number; the error says which text is none.
fn read<T: FromText>(text: &[u8], dtype: DType) -> Result<T> {
    T::from_text(text)
        .ok_or_else(|| err!("\"{}\" is no number of {dtype}", String::from_utf8_lossy(text)))
}

fn to<T: FromText + Element>(c: &KernelContext<'_>) -> Result<Outputs> {
    measured(c, |s| read::<T>(s, T::DTYPE))
}

pub(in crate::ops) fn to_number(c: &KernelContext<'_>) -> Result<Outputs> {
    match c.get(StringToNumber::OUT_TYPE)? {
        DType::F32 => to::<f32>(c),
        DType::F64 => to::<f64>(c),
        DType::I32 => to::<i32>(c),
        DType::I64 => to::<i64>(c),
        DType::U32 => to::<u32>(c),
        _ => to::<u64>(c),
    }
}

/// The letter of a conversion of `printf`.
#[derive(Clone, Copy, PartialEq)]
enum Notation {
    /// `%f`
    Fixed,
    /// `%e`
    Scientific,
    /// `%g`
    Shortest,
}

/// A conversion of `printf`.
struct Format {
    notation: Notation,
    /// One of `+`, `-`, `#`, a space and `0`; 1 for none.
    flag: u8,
    width: usize,
    precision: Option<usize>,
}

/// Rust formats no more decimals than these. More are zeros: the least number has 1074.
const MOST_DECIMALS: usize = 1100;

impl Format {
    fn of(c: &KernelContext<'_>) -> Result<Self> {
        let notation = match (c.get(AsString::SCIENTIFIC)?, c.get(AsString::SHORTEST)?) {
            (true, _) => Notation::Scientific,
            (_, true) => Notation::Shortest,
            _ => Notation::Fixed,
        };
        let flag = c.get(AsString::FILL)?.as_bytes().first().copied().unwrap_or(1);
        let size = |n: i64| usize::try_from(n).ok();
        let width = size(c.get(AsString::WIDTH)?).unwrap_or(0);
        Ok(Self { notation, flag, width, precision: size(c.get(AsString::PRECISION)?) })
    }

    /// The text with its sign, filled up to the width.
    fn padded(&self, sign: &str, text: &[u8], zeros: bool) -> Result<Vec<u8>> {
        let missing = self.width.saturating_sub(sign.len() + text.len());
        let mut out = vec_for(sign.len() + text.len() + missing)?;
        let fill = |out: &mut Vec<u8>, with: u8| out.resize(out.len() + missing, with);
        match self.flag {
            b'-' => {}
            b'0' if zeros => {}
            _ => fill(&mut out, b' '),
        }
        out.extend_from_slice(sign.as_bytes());
        if self.flag == b'0' && zeros {
            fill(&mut out, b'0');
        }
        out.extend_from_slice(text);
        if self.flag == b'-' {
            fill(&mut out, b' ');
        }
        Ok(out)
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.flag) {
            (true, _) => "-",
            (_, b'+') => "+",
            (_, b' ') => " ",
            _ => "",
        }
    }

    fn float(&self, x: f64) -> Result<Vec<u8>> {
        let sign = self.sign(x.is_sign_negative());
        if !x.is_finite() {
            return self.padded(sign, if x.is_nan() { b"nan" } else { b"inf" }, false);
        }
        let (x, precision) = (x.abs(), self.precision.unwrap_or(6));
        let alternate = self.flag == b'#';
        let text = match self.notation {
            Notation::Fixed => fixed(x, precision, alternate)?,
            Notation::Scientific => scientific(x, precision, alternate)?,
            Notation::Shortest => general(x, precision, alternate)?,
        };
        self.padded(sign, &text, true)
    }
}

/// Decimals beyond those that Rust formats.
fn zeros(text: &mut Vec<u8>, precision: usize) -> Result<()> {
    let more = precision.saturating_sub(MOST_DECIMALS);
    reserve(text, more + 8)?;
    text.resize(text.len() + more, b'0');
    Ok(())
}

/// `%f`
fn fixed(x: f64, precision: usize, alternate: bool) -> Result<Vec<u8>> {
    let mut text = format!("{x:.*}", precision.min(MOST_DECIMALS)).into_bytes();
    if alternate && precision == 0 {
        text.push(b'.');
    }
    zeros(&mut text, precision)?;
    Ok(text)
}

/// `%e`: two digits at least in the exponent.
fn scientific(x: f64, precision: usize, alternate: bool) -> Result<Vec<u8>> {
    let text = format!("{x:.*e}", precision.min(MOST_DECIMALS));
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let mut text = digits.as_bytes().to_vec();
    if alternate && precision == 0 {
        text.push(b'.');
    }
    zeros(&mut text, precision)?;
    let sign = if exponent < 0 { '-' } else { '+' };
    text.extend(format!("e{sign}{:02}", exponent.abs()).into_bytes());
    Ok(text)
}

/// `%g`: so many significant digits, without zeros at the end unless they are asked for.
fn general(x: f64, precision: usize, alternate: bool) -> Result<Vec<u8>> {
    let digits = precision.clamp(1, MOST_DECIMALS);
    let text = scientific(x, digits - 1, alternate)?;
    let e = text.iter().position(|b| *b == b'e').unwrap_or(text.len());
    let exponent: i64 = plain(text.get(e + 1..).unwrap_or_default()).unwrap_or(0);
    let (mut text, e) = match exponent {
        -4.. if exponent < digits as i64 => {
            let decimals = (digits as i64 - 1 - exponent) as usize;
            let text = fixed(x, decimals, alternate)?;
            (text.clone(), text.len())
        }
        _ => (text, e),
    };
    if !alternate && text[..e].contains(&b'.') {
        let zeros = text[..e].iter().rev().take_while(|b| **b == b'0').count();
        let point = usize::from(text[e - zeros - 1] == b'.');
        text.drain(e - zeros - point..e);
    }
    Ok(text)
}

/// The digits that tell a number of this dtype from its neighbours: six or 15 if these do.
pub(in crate::ops) fn shown(x: f64, dtype: DType) -> Result<String> {
    if !x.is_finite() {
        return Ok(if x.is_nan() { "nan".into() } else { x.to_string() });
    }
    let is_double = dtype == DType::F64;
    let (few, many) = if is_double { (15, 17) } else { (6, 9) };
    let text = |digits| -> Result<String> {
        let text = String::from_utf8_lossy(&general(x.abs(), digits, false)?).into_owned();
        Ok(if x.is_sign_negative() { format!("-{text}") } else { text })
    };
    let short = text(few)?;
    let same = match is_double {
        true => short.parse() == Ok(x),
        false => short.parse() == Ok(x as f32),
    };
    if same { Ok(short) } else { text(many) }
}

pub(in crate::ops) fn as_string(c: &KernelContext<'_>) -> Result<Outputs> {
    let (x, format) = (c.input(0), Format::of(c)?);
    match x.dtype() {
        DType::String => {
            return mapped(c, |s| {
                let most = format.precision.filter(|_| format.width > 0).unwrap_or(s.len());
                format.padded("", &s[..most.min(s.len())], false)
            });
        }
        DType::Bool => {
            let text = |b: &bool| if *b { b"true".to_vec() } else { b"false".to_vec() };
            return written(x, x.as_slice::<bool>()?.iter().map(|b| Ok(text(b))));
        }
        DType::Complex64 | DType::Complex128 => {
            let wide = cast(x, DType::Complex128)?;
            let text = |z: &num_complex::Complex64| {
                let (re, im) = (format.float(z.re)?, format.float(z.im)?);
                Ok([b"(", &re[..], b",", &im, b")"].concat())
            };
            return written(x, wide.as_slice()?.iter().map(text));
        }
        dtype if dtype.is_float() => {
            let wide = cast(x, DType::F64)?;
            return written(x, wide.as_slice()?.iter().map(|x| format.float(*x)));
        }
        _ => {}
    }
    typed!(integer, c, x.dtype(), T => {
        written(x, x.as_slice::<T>()?.iter().map(|n| {
            let text = n.to_string();
            let digits = text.trim_start_matches('-');
            let sign = match T::MIN == 0 {
                true => "",
                false => format.sign(digits.len() < text.len()),
            };
            format.padded(sign, digits.as_bytes(), true)
        }))
    })
}

/// Strings in the shape of another array.
fn written(x: &Array, texts: impl ExactSizeIterator<Item = Result<Vec<u8>>>) -> Result<Outputs> {
    let mut out = vec_for(texts.len())?;
    for text in texts {
        out.push(text?);
    }
    Ok([Array::from_strings(x.dims(), out)?].into())
}

/// What the conversion refuses.
pub(in crate::ops) fn check_format(op: &AsString, dtype: DType) -> Result<()> {
    let is_number = dtype.is_float() || dtype.is_complex();
    if dtype != DType::String && !is_number && (op.scientific || op.shortest || op.precision >= 0) {
        bail!("a notation or a precision for {dtype}; only floats and complex numbers have one");
    }
    if op.scientific && op.shortest {
        bail!("both the scientific and the shortest notation; choose one");
    }
    if !["", " ", "+", "-", "0", "#"].contains(&op.fill.as_str()) {
        bail!("`fill` = \"{}\"; write a space, \"+\", \"-\", \"0\" or \"#\"", op.fill);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_numbers_are_rounded_to_even() {
        let f = |text: &str| f32::from_text(text.as_bytes());
        assert_eq!(f(" 0x1p3\n"), Some(8.0));
        assert_eq!(f("-0X1.8"), Some(-1.5));
        assert_eq!(f("0x1000001"), Some(16_777_216.0));
        assert_eq!(f("0x1000003"), Some(16_777_220.0));
        assert_eq!(f("0x1p-149"), Some(f32::from_bits(1)));
        assert_eq!(f("0x1p-150"), Some(0.0));
        assert_eq!(f("0x1.8p-150"), Some(f32::from_bits(1)));
        assert_eq!(f("0x1p128"), Some(f32::INFINITY));
        assert_eq!(f("0x1p99999999999999999999"), Some(f32::INFINITY));
        assert_eq!(f64::from_text(b"0x1p-1074"), Some(f64::from_bits(1)));
        assert_eq!(f64::from_text(b"0x20000000000001"), Some(9_007_199_254_740_992.0));
        assert_eq!(f64::from_text(b"0x20000000000001.00000001"), Some(9_007_199_254_740_994.0));
        for bad in [
            "0x", "0x.", "0xg", "0x1p", "0x1p+", "0x1p1.", "+-0x1", "0x-1", "nan(", "nan(!)", "na",
            "NA",
        ] {
            assert_eq!(f(bad), None, "{bad}");
        }
        assert!(f("-NaN(ab_1)").unwrap().is_nan());
    }

    #[test]
    fn numbers_are_written_as_printf_does() {
        let text = |x: f64, notation, flag, width, precision| {
            let format = Format { notation, flag, width, precision };
            String::from_utf8(format.float(x).unwrap()).unwrap()
        };
        assert_eq!(text(0.0001, Notation::Shortest, 1, 0, None), "0.0001");
        assert_eq!(text(0.00001, Notation::Shortest, 1, 0, None), "1e-05");
        assert_eq!(text(999_999.5, Notation::Shortest, 1, 0, None), "1e+06");
        assert_eq!(text(100.0, Notation::Shortest, b'#', 0, None), "100.000");
        assert_eq!(text(3.0, Notation::Fixed, b'#', 0, Some(0)), "3.");
        assert_eq!(text(-1.5, Notation::Scientific, b'0', 12, Some(1)), "-00001.5e+00");
        let long = text(0.1, Notation::Fixed, 1, 0, Some(70_000));
        assert_eq!((long.len(), &long[70_000..]), (70_002, "00"));
    }
}
