//! The texts of floats. Floats that are printed together share one form, chosen as in NumPy.

use std::fmt::Formatter;

use extype_kernels::Cast;

/// The most digits after the point, if no precision is given.
const PRECISION: usize = 8;

/// More digits than any float has.
const ALL: usize = 400;

/// How floats are to be printed.
#[derive(Clone, Copy, Default)]
pub(super) struct Style {
    /// The digits after the point, instead of as many as it takes to read the number back.
    pub(super) precision: Option<usize>,
    /// With an exponent, whatever the magnitudes are.
    pub(super) scientific: bool,
    /// With a plus sign for numbers that are not negative.
    pub(super) plus: bool,
}

impl Style {
    /// The style that the braces of `format!` ask for.
    pub(super) fn asked(f: &Formatter<'_>, scientific: bool) -> Self {
        Self { precision: f.precision(), scientific, plus: f.sign_plus() }
    }
}

/// A float with the shortest digits that are read back as the same one.
#[derive(Clone)]
pub(super) struct Number {
    value: f64,
    /// The significant digits, and the power of ten of the first one.
    digits: String,
    exponent: i32,
    /// Floats of its type are written with an exponent from this magnitude on.
    large: f64,
}

impl Number {
    pub(super) fn f32(x: f32) -> Self {
        Self::of(x.into(), &format!("{x:e}"), 1e6)
    }

    pub(super) fn f64(x: f64) -> Self {
        Self::of(x, &format!("{x:e}"), 1e8)
    }

    /// A float of 16 or 8 bits, whose text is read back as float64 and rounded.
    pub(super) fn short<T: Copy + PartialEq + Cast<f64>>(x: T) -> Self
    where
        f64: Cast<T>,
    {
        let value: f64 = x.cast();
        let reads_back = |text: &String| {
            let read: Result<f64, _> = text.parse();
            read.is_ok_and(|read| Cast::<T>::cast(read) == x)
        };
        let texts = (0..8).map(|digits| format!("{value:.digits$e}"));
        let text = texts.into_iter().find(reads_back).unwrap_or_else(|| format!("{value:e}"));
        Self::of(value, &text, 1e3)
    }

    fn of(value: f64, text: &str, large: f64) -> Self {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        Self { value, digits, exponent: exponent.parse().unwrap_or(0), large }
    }

    fn sign(&self, style: Style) -> &'static str {
        match self.value.is_sign_negative() && !self.value.is_nan() {
            true => "-",
            false if style.plus => "+",
            false => "",
        }
    }

    /// The text of NaN or an infinity.
    fn unbounded(&self, style: Style) -> String {
        let name = if self.value.is_nan() { "nan" } else { "inf" };
        format!("{}{name}", self.sign(style))
    }

    /// The digits before and after the point, with at most `precision` after it.
    fn positional(&self, precision: usize) -> (String, String) {
        let behind = self.digits.len() as i64 - 1 - i64::from(self.exponent);
        if behind > precision as i64 {
            return split(&format!("{:.precision$}", self.value.abs()));
        }
        let zeros = |n: i64| "0".repeat(n.max(0).unsigned_abs() as usize);
        let text = match self.exponent {
            n if n < 0 => format!("0.{}{}", zeros(-1 - i64::from(n)), self.digits),
            n => {
                let whole = format!("{}{}", self.digits, zeros(-behind));
                let (whole, part) = whole.split_at(n.unsigned_abs() as usize + 1);
                format!("{whole}.{part}")
            }
        };
        split(&text)
    }

    /// The digits with one before the point, and the exponent.
    fn scientific(&self, precision: usize) -> (String, String, i32) {
        let text = match self.digits.len() > precision + 1 {
            true => format!("{:.precision$e}", self.value.abs()),
            false => {
                let (first, rest) = self.digits.split_at(1);
                format!("{first}.{rest}e{}", self.exponent)
            }
        };
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, part) = split(mantissa);
        (whole, part, exponent.parse().unwrap_or(0))
    }

    /// The text of a number that is printed alone, with all its digits.
    fn alone(&self) -> String {
        let size = self.value.abs();
        if size == 0.0 || (1e-4..1e16).contains(&size) {
            let (whole, part) = self.positional(ALL);
            return format!("{whole}.{}", if part.is_empty() { "0" } else { &part });
        }
        let (whole, part, exponent) = self.scientific(ALL);
        let point = if part.is_empty() { "" } else { "." };
        format!("{whole}{point}{part}{}", power(exponent, 2))
    }
}

/// The digits before and after the point, without zeros at the end.
fn split(text: &str) -> (String, String) {
    let (whole, part) = exactly(text);
    (whole, part.trim_end_matches('0').to_owned())
}

/// The text of an exponent, with at least `width` digits.
fn power(exponent: i32, width: usize) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:0width$}", exponent.unsigned_abs())
}

/// The text of one number.
pub(super) fn alone(number: &Number, style: Style) -> String {
    if style.precision.is_some() || style.scientific {
        return together(std::slice::from_ref(number), style).concat();
    }
    match number.value.is_finite() {
        true => format!("{}{}", number.sign(style), number.alone()),
        false => number.unbounded(style),
    }
}

/// The texts of numbers that are printed together. Digits after the point are padded with blanks, so that the
/// points align; digits before it are not padded.
///
/// As `numpy.array2string`: exponents are used if magnitudes are far apart, very large or very small.
pub(super) fn together(numbers: &[Number], style: Style) -> Vec<String> {
    let finite = || numbers.iter().filter(|x| x.value.is_finite());
    let sizes = || finite().map(|x| x.value.abs()).filter(|x| *x != 0.0);
    let (low, high) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let large = numbers.first().map_or(f64::INFINITY, |x| x.large);
    let apart = high >= large || low < 1e-4 || low.is_finite() && high / low > 1e3;
    if style.scientific || style.precision.is_none() && apart {
        return with_exponents(numbers, style);
    }
    let parts: Vec<(String, String)> = match style.precision {
        Some(digits) => finite().map(|x| exactly(&format!("{:.digits$}", x.value.abs()))).collect(),
        None => finite().map(|x| x.positional(PRECISION)).collect(),
    };
    let width = parts.iter().map(|(_, part)| part.len()).max().unwrap_or(0);
    // With a given precision numbers end as in Rust: without a point if there are no digits after it.
    let point = if style.precision == Some(0) { "" } else { "." };
    let mut parts = parts.into_iter();
    let text = |x: &Number| match x.value.is_finite() {
        true => {
            let (whole, part) = parts.next().unwrap_or_default();
            format!("{}{whole}{point}{part:width$}", x.sign(style))
        }
        false => x.unbounded(style),
    };
    numbers.iter().map(text).collect()
}

/// The digits before and after the point, with all zeros.
fn exactly(text: &str) -> (String, String) {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    (whole.to_owned(), part.to_owned())
}

/// The texts with exponents: as many digits as the number that needs most, and exponents of one width.
fn with_exponents(numbers: &[Number], style: Style) -> Vec<String> {
    let finite = || numbers.iter().filter(|x| x.value.is_finite());
    let needed = finite().map(|x| x.scientific(PRECISION).1.len()).max();
    let digits = style.precision.or(needed).unwrap_or(0);
    let split: Vec<(String, i32)> = finite()
        .map(|x| x.scientific(digits))
        .map(|(whole, part, exponent)| (format!("{whole}.{part:0<digits$}"), exponent))
        .collect();
    let width = |exponent: &i32| exponent.unsigned_abs().to_string().len();
    let width = split.iter().map(|(_, exponent)| width(exponent)).max().unwrap_or(0).max(2);
    let mut split = split.into_iter();
    let text = |x: &Number| match x.value.is_finite() {
        true => {
            let (mantissa, exponent) = split.next().unwrap_or_default();
            format!("{}{mantissa}{}", x.sign(style), power(exponent, width))
        }
        false => x.unbounded(style),
    };
    numbers.iter().map(text).collect()
}

/// The texts of complex numbers that are printed together. Real and imaginary parts each share a form.
pub(super) fn complex(parts: &[(Number, Number)], style: Style) -> Vec<String> {
    let (re, im): (Vec<Number>, Vec<Number>) = parts.iter().cloned().unzip();
    let (re, im) = (together(&re, style), together(&im, Style { plus: true, ..style }));
    let widest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
    let (left, right) = (widest(&re), widest(&im));
    let text = |(re, im): (String, String)| {
        let im = format!("{im:>right$}");
        let digits = im.trim_end();
        let blanks = &im[digits.len()..];
        format!("{re:>left$}{digits}j{blanks}")
    };
    re.into_iter().zip(im).map(text).collect()
}

/// The text of one complex number.
pub(super) fn complex_alone((re, im): &(Number, Number), style: Style) -> String {
    let whole = |text: String| text.strip_suffix(".0").map(str::to_owned).unwrap_or(text);
    let imaginary = |style| whole(alone(im, style));
    // As in Python, a real part of plus zero is left out.
    if re.value == 0.0 && re.value.is_sign_positive() && style.precision.is_none() {
        return format!("{}j", imaginary(style));
    }
    format!("({}{}j)", whole(alone(re, style)), imaginary(Style { plus: true, ..style }))
}
