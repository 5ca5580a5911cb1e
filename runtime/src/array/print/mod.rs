//! Printing in NumPy's manner: aligned columns, nested brackets, elision of large arrays.

mod numbers;

use std::fmt::{self, Write};

use extype_kernels::{f8e4m3fn, f8e5m2};
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

use self::numbers::{Number, Style, alone, complex, complex_alone, together};
use super::{Array, with_element};
use crate::types::{DType, DTypeSet};

/// Arrays with more elements than this are elided.
const THRESHOLD: usize = 1000;
/// Entries shown at each end of an elided dimension.
const EDGE: usize = 3;
/// The width after which a row is broken.
const LINE: usize = 75;

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Formatted::of(self, Style::asked(f, false)), f)
    }
}

/// Prints with exponents. The precision is the number of digits after the point: `{:.2e}`.
impl fmt::LowerExp for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Formatted::of(self, Style::asked(f, true)), f)
    }
}

/// The printed form of an array before it is laid out: the texts of the elements that are shown.
/// A type that prints some of them differently (masked entries as `--`) changes texts.
///
/// ```
/// use extype::array::{Array, Formatted};
/// let mut text = Formatted::new(&Array::from_slice([3], &[1, 22, 3])?, None);
/// text.replace(|i| (i == 1).then(|| "--".into()));
/// assert_eq!(text.to_string(), "[ 1 --  3]");
/// # Ok::<(), extype::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Formatted {
    dims: super::Dims,
    /// The entries shown at each end of a dimension.
    edge: usize,
    /// The flat index and the text of each element that is shown.
    shown: Vec<(usize, String)>,
}

impl Formatted {
    /// The texts of an array's elements, floats with `precision` digits if given.
    ///
    /// ```
    /// use extype::array::{Array, Formatted};
    /// let x = Array::from_slice([2], &[0.123456, 10.0])?;
    /// assert_eq!(Formatted::new(&x, Some(2)).to_string(), "[ 0.12 10.00]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn new(array: &Array, precision: Option<usize>) -> Self {
        Self::of(array, Style { precision, ..Style::default() })
    }

    fn of(array: &Array, style: Style) -> Self {
        let (edge, indices) = visible(array);
        let texts = texts(array, &indices, style);
        Self { dims: array.dims().into(), edge, shown: indices.into_iter().zip(texts).collect() }
    }

    /// As [`new`](Self::new), with `text` for each element if `hidden` is true for its flat index.
    /// Hidden elements do not influence the form of the others.
    ///
    /// ```
    /// use extype::array::{Array, Formatted};
    /// let a = Array::from_slice([3], &[1.5, 1e30, 20.0])?;
    /// let text = Formatted::hiding(&a, None, "--", |i| i == 1);
    /// assert_eq!(text.to_string(), "[ 1.5   -- 20. ]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn hiding(
        array: &Array,
        precision: Option<usize>,
        text: &str,
        hidden: impl Fn(usize) -> bool,
    ) -> Self {
        let (edge, indices) = visible(array);
        let mut shown = Vec::new();
        let others: Vec<usize> = indices.iter().copied().filter(|i| !hidden(*i)).collect();
        let style = Style { precision, ..Style::default() };
        let mut texts = texts(array, &others, style).into_iter().zip(others).peekable();
        for i in indices {
            let own = texts.next_if(|(_, j)| *j == i).map(|(t, _)| t);
            shown.push((i, own.unwrap_or_else(|| text.to_owned())));
        }
        Self { dims: array.dims().into(), edge, shown }
    }

    /// Replaces texts: `f` gets the flat index of each element that is shown.
    ///
    /// ```
    /// use extype::array::{Array, Formatted};
    /// let mut text = Formatted::new(&Array::from_slice([2, 2], &[7, 8, 9, 10])?, None);
    /// text.replace(|i| (i == 2).then(|| "?".into()));
    /// assert_eq!(text.to_string(), "[[ 7  8]\n [ ? 10]]");
    /// # Ok::<(), extype::Error>(())
    /// ```
    pub fn replace(&mut self, f: impl Fn(usize) -> Option<String>) {
        for (i, text) in &mut self.shown {
            if let Some(new) = f(*i) {
                *text = new;
            }
        }
    }
}

impl fmt::Display for Formatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.dims.contains(&0) {
            return f.write_str("[]");
        }
        let quoted = |t: &str| t.starts_with('"');
        let widest = self.shown.iter().filter(|(_, t)| !quoted(t)).map(|(_, t)| t.chars().count());
        let width = widest.max().unwrap_or(0).max(f.width().unwrap_or(0));
        let mut texts = self.shown.iter().map(|(_, t)| t.as_str());
        let mut next = || {
            let text = texts.next().unwrap_or_default();
            // Texts of strings stand side by side, not in columns.
            if quoted(text) {
                return text.to_owned();
            }
            // Padded by hand: widths of the formatter have 16 bits.
            " ".repeat(width.saturating_sub(text.chars().count())) + text
        };
        write_level(f, &self.dims, self.edge, 0, &mut next)
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}{})", self.dtype(), self.shape())
    }
}

/// Writes the texts of the visible elements in the nesting of `dims`.
fn write_level(
    f: &mut impl Write,
    dims: &[usize],
    edge: usize,
    depth: usize,
    next: &mut dyn FnMut() -> String,
) -> fmt::Result {
    let Some((&n, inner)) = dims.split_first() else { return f.write_str(&next()) };
    let indent = depth + 1;
    f.write_char('[')?;
    if inner.is_empty() {
        write_row(
            f,
            entries(n, edge).map(|entry| entry.map_or_else(|| "...".into(), |_| next())),
            indent,
        )?;
        return f.write_char(']');
    }
    for (i, entry) in entries(n, edge).enumerate() {
        if i > 0 {
            write!(f, "{:\n<1$}{2:3$}", "", inner.len(), "", indent)?;
        }
        match entry {
            Some(_) => write_level(f, inner, edge, depth + 1, next)?,
            None => f.write_str("...")?,
        }
    }
    f.write_char(']')
}

/// Writes the words of a row, broken into lines of the greatest width allowed.
fn write_row(
    f: &mut impl Write,
    words: impl Iterator<Item = String>,
    indent: usize,
) -> fmt::Result {
    let blanks = " ".repeat(indent);
    let mut line = String::new();
    for word in words {
        // A bracket for each level closes the last line.
        let is_full =
            indent + line.chars().count() + word.chars().count() > LINE.saturating_sub(indent);
        if is_full && !line.is_empty() {
            write!(f, "{}\n{blanks}", line.trim_end())?;
            line.clear();
        }
        line.push_str(&word);
        line.push(' ');
    }
    line.pop();
    f.write_str(&line)
}

/// The indices shown along one dimension, `edge` at each end; `None` stands for the dots.
pub(crate) fn entries(n: usize, edge: usize) -> impl Iterator<Item = Option<usize>> {
    let cut = n > edge.saturating_mul(2);
    let head = if cut { edge } else { n };
    let tail = if cut { n - edge } else { n };
    (0..head).map(Some).chain(cut.then_some(None)).chain((tail..n).map(Some))
}

/// The entries shown at each end of a dimension, and the flat index of every element that is shown.
fn visible(array: &Array) -> (usize, Vec<usize>) {
    let edge = if array.len() > THRESHOLD { EDGE } else { usize::MAX };
    let mut indices = Vec::new();
    if !array.is_empty() {
        visit(array.dims(), array.len(), edge, 0, &mut |i| indices.push(i));
    }
    (edge, indices)
}

/// Calls `f` with the flat index of every element that is shown among the `len` elements from `base` on.
fn visit(dims: &[usize], len: usize, edge: usize, base: usize, f: &mut dyn FnMut(usize)) {
    let Some((&n, inner)) = dims.split_first() else { return f(base) };
    let step = len / n;
    for i in entries(n, edge).flatten() {
        visit(inner, step, edge, base + i * step, f);
    }
}

/// The texts of the elements at these flat indices, in one common form; a scalar has its own form.
fn texts(array: &Array, shown: &[usize], style: Style) -> Vec<String> {
    const FLOATS: DTypeSet = DTypeSet::FLOAT.or(DTypeSet::FLOAT8);
    let d = array.dtype();
    if array.on_host().is_err() {
        // The device that holds them fails to give them.
        return shown.iter().map(|_| "?".to_owned()).collect();
    }
    match array.dims() {
        [] if FLOATS.contains(d) => floats(array, shown).iter().map(|x| alone(x, style)).collect(),
        _ if FLOATS.contains(d) => together(&floats(array, shown), style),
        [] if d.is_complex() => {
            parts(array, shown).iter().map(|x| complex_alone(x, style)).collect()
        }
        _ if d.is_complex() => complex(&parts(array, shown), style),
        _ if d == DType::String => {
            let strings = array.as_strings().unwrap_or_default();
            shown.iter().map(|i| format!("{:?}", String::from_utf8_lossy(&strings[*i]))).collect()
        }
        _ => with_element!(data, d, T => match array.as_slice::<T>() {
            Ok(s) => shown.iter().map(|i| s[*i].to_string()).collect(),
            Err(_) => Vec::new(),
        }, else shown.iter().map(|_| format!("<{d}>")).collect()),
    }
}

/// The floats at these flat indices.
fn floats(array: &Array, shown: &[usize]) -> Vec<Number> {
    macro_rules! numbers {
        ($element:ty, $of:path) => {{
            let all = array.as_slice::<$element>().unwrap_or_default();
            shown.iter().map(|i| $of(all[*i])).collect()
        }};
    }
    match array.dtype() {
        DType::F32 => numbers!(f32, Number::f32),
        DType::F16 => numbers!(f16, Number::short),
        DType::BF16 => numbers!(bf16, Number::short),
        DType::F8E5M2 => numbers!(f8e5m2, Number::short),
        DType::F8E4M3FN => numbers!(f8e4m3fn, Number::short),
        _ => numbers!(f64, Number::f64),
    }
}

/// The parts of the complex numbers at these flat indices.
fn parts(array: &Array, shown: &[usize]) -> Vec<(Number, Number)> {
    if let Ok(all) = array.as_slice::<Complex32>() {
        return shown.iter().map(|i| (Number::f32(all[*i].re), Number::f32(all[*i].im))).collect();
    }
    let all = array.as_slice::<Complex64>().unwrap_or_default();
    shown.iter().map(|i| (Number::f64(all[*i].re), Number::f64(all[*i].im))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::NestedData;
    use super::*;

    fn shown(data: &impl NestedData) -> String {
        data.to_nested_array().unwrap().to_string()
    }

    /// Each is what NumPy 2.4 prints.
    #[test]
    fn prints_like_numpy() {
        assert_eq!(shown(&1.5f32), "1.5");
        assert_eq!(shown(&1.0f64), "1.0");
        assert_eq!(shown(&0.1f32), "0.1");
        assert_eq!(shown(&1e-5f64), "1e-05");
        assert_eq!(shown(&-1.5e300f64), "-1.5e+300");
        assert_eq!(shown(&(1.0f64 / 3.0)), "0.3333333333333333");
        assert_eq!(shown(&[1.0f32, 2.0]), "[1. 2.]");
        assert_eq!(shown(&[[1.0f64, -2.25], [10.0, 0.5]]), "[[ 1.   -2.25]\n [10.    0.5 ]]");
        assert_eq!(shown(&[1.0f64 / 3.0, 2.5]), "[0.33333333 2.5       ]");
        assert_eq!(shown(&[0.012_345_679f32]), "[0.01234568]");
        assert_eq!(shown(&[f32::NAN, f32::INFINITY, -0.0]), "[nan inf -0.]");
        assert_eq!(shown(&[1.5, f64::NAN, f64::NEG_INFINITY]), "[ 1.5  nan -inf]");
        assert_eq!(shown(&[f64::NAN, f64::INFINITY]), "[nan inf]");
        assert_eq!(shown(&[[[1, 2]], [[3, 4]]]), "[[[1 2]]\n\n [[3 4]]]");
        assert_eq!(shown(&Vec::<f32>::new()), "[]");
    }

    #[test]
    fn one_exponent_style_a_column() {
        assert_eq!(shown(&[1e10f64, 1.0]), "[1.e+10 1.e+00]");
        assert_eq!(shown(&[1e6f32, 1.0]), "[1.e+06 1.e+00]");
        assert_eq!(shown(&[1_234_567f32, 2e6]), "[1.234567e+06 2.000000e+06]");
        assert_eq!(shown(&[-1.5e-7f64, 2.0]), "[-1.5e-07  2.0e+00]");
        assert_eq!(shown(&[[1e-10, f64::NAN]]), "[[1.e-10    nan]]");
        assert_eq!(shown(&[1e-100f64, 1e10]), "[1.e-100 1.e+010]");
        assert_eq!(shown(&[f16::from_f32(1000.0), f16::from_f32(999.0)]), "[1.00e+03 9.99e+02]");
        assert_eq!(shown(&[f16::from_f32(0.1), f16::from_f32(0.25)]), "[0.1  0.25]");
    }

    #[test]
    fn complex_numbers_have_parts_of_two_forms() {
        let c = |re: f64, im: f64| Complex64::new(re, im);
        assert_eq!(shown(&[c(1.0, 2.0), c(0.0, -3.5)]), "[1.+2.j  0.-3.5j]");
        assert_eq!(shown(&[c(0.0, 1e-5)]), "[0.+1.e-05j]");
        assert_eq!(shown(&[c(1.5, 22.25), c(-10.0, 1.5)]), "[  1.5+22.25j -10.  +1.5j ]");
        assert_eq!(shown(&c(1.0, 2.0)), "(1+2j)");
        assert_eq!(shown(&c(0.0, 2.0)), "2j");
        assert_eq!(shown(&c(-0.5, f64::NAN)), "(-0.5+nanj)");
    }

    /// Bools and strings print as in Rust.
    #[test]
    fn truths_and_texts_are_as_in_rust() {
        assert_eq!(shown(&[true, false]), "[ true false]");
        assert_eq!(shown(&["a", "bc"]), "[\"a\" \"bc\"]");
    }

    #[test]
    fn width_precision_sign_and_exponent_can_be_asked_for() {
        let a = [0.123f64, 20.0].to_nested_array().unwrap();
        assert_eq!(format!("{a:.2}"), "[ 0.12 20.00]");
        assert_eq!(format!("{a:.0}"), "[ 0 20]");
        assert_eq!(format!("{a:8.1}"), "[     0.1     20.0]");
        assert_eq!(format!("{a:+.1}"), "[ +0.1 +20.0]");
        assert_eq!(format!("{a:e}"), "[1.23e-01 2.00e+01]");
        assert_eq!(format!("{a:.1e}"), "[1.2e-01 2.0e+01]");
        assert_eq!(format!("{:.3}", 0.5f32.to_nested_array().unwrap()), "0.500");
        assert_eq!(format!("{:4}", [1, 2].to_nested_array().unwrap()), "[   1    2]");
    }

    #[test]
    fn long_rows_are_broken() {
        let row: Vec<f64> = (0..40).map(|i| f64::from(i) * 1.25).collect();
        let rows = [
            "[ 0.    1.25  2.5   3.75  5.    6.25  7.5   8.75 10.   11.25 12.5  13.75",
            " 15.   16.25 17.5  18.75 20.   21.25 22.5  23.75 25.   26.25 27.5  28.75",
            " 30.   31.25 32.5  33.75 35.   36.25 37.5  38.75 40.   41.25 42.5  43.75",
            " 45.   46.25 47.5  48.75]",
        ];
        assert_eq!(shown(&row), rows.join("\n"));
    }

    #[test]
    fn large_arrays_are_elided() {
        let a = Array::from_slice([2000], &(0..2000).collect::<Vec<i32>>()).unwrap();
        assert_eq!(a.to_string(), "[   0    1    2 ... 1997 1998 1999]");
    }

    #[test]
    fn empty_arrays_have_no_rows_to_print() {
        for dims in [vec![0], vec![3, 0], vec![1 << 40, 0], vec![1 << 62, 1 << 62, 0]] {
            let a = Array::from_slice::<f32>(dims, &[]).unwrap();
            assert_eq!((a.to_string().as_str(), a.len()), ("[]", 0));
            assert_eq!(Formatted::hiding(&a, None, "--", |_| true).to_string(), "[]");
        }
    }
}
