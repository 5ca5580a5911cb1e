//! Printing in NumPy's manner: aligned columns, nested brackets, elision of large arrays.

use std::fmt::{self, Write};

use extype_kernels::Cast as _;

use super::{Array, with_element};
use crate::types::Kind;

/// Arrays with more elements than this are elided.
const THRESHOLD: usize = 1000;
/// Entries shown at each end of an elided dimension.
const EDGE: usize = 3;
/// The width after which a row is broken.
const LINE: usize = 88;

impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Formatted::new(self, f.precision()).fmt(f)
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
    pub fn new(array: &Array, precision: Option<usize>) -> Self {
        let (edge, indices) = visible(array);
        let texts = texts(array, &indices, precision);
        Self { dims: array.dims().into(), edge, shown: indices.into_iter().zip(texts).collect() }
    }

    /// As [`new`](Self::new), with `text` for the elements whose flat index `hidden` is true for;
    /// what they hold has no influence on the form of the others.
    ///
    /// ```
    /// use extype::array::{Array, Formatted};
    /// let a = Array::from_slice([3], &[1.5, 1e30, 20.0])?;
    /// let text = Formatted::hiding(&a, None, "--", |i| i == 1);
    /// assert_eq!(text.to_string(), "[ 1.5   -- 20.0]");
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
        let mut texts = texts(array, &others, precision).into_iter().zip(others).peekable();
        for i in indices {
            let own = texts.next_if(|(_, j)| *j == i).map(|(t, _)| t);
            shown.push((i, own.unwrap_or_else(|| text.to_owned())));
        }
        Self { dims: array.dims().into(), edge, shown }
    }

    /// Replaces texts: `f` gets the flat index of each element that is shown.
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
        let texts: Vec<&str> = self.shown.iter().map(|(_, t)| t.as_str()).collect();
        write_nested(f, &self.dims, self.edge, &texts)
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}{})", self.dtype(), self.shape())
    }
}

/// Writes the texts of the visible elements in the nesting of `dims`, right-aligned in columns.
fn write_nested(f: &mut impl Write, dims: &[usize], edge: usize, texts: &[&str]) -> fmt::Result {
    let width = texts.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    let mut texts = texts.iter();
    write_level(f, dims, edge, 0, width, &mut || texts.next().copied().unwrap_or_default())
}

fn write_level<'a>(
    f: &mut impl Write,
    dims: &[usize],
    edge: usize,
    depth: usize,
    width: usize,
    next: &mut dyn FnMut() -> &'a str,
) -> fmt::Result {
    let Some((&n, inner)) = dims.split_first() else { return write!(f, "{:>width$}", next()) };
    f.write_char('[')?;
    let mut column = depth + 1;
    let mut first = true;
    for entry in entries(n, edge) {
        if !first {
            separate(f, inner.len(), depth, &mut column, width)?;
        }
        first = false;
        match entry {
            Some(_) => write_level(f, inner, edge, depth + 1, width, next)?,
            None => f.write_str("...")?,
        }
        column += width;
    }
    f.write_char(']')
}

/// The gap between two entries: a space within a row, line breaks between rows and blocks.
fn separate(
    f: &mut impl Write,
    inner_rank: usize,
    depth: usize,
    column: &mut usize,
    width: usize,
) -> fmt::Result {
    if inner_rank == 0 && *column + 1 + width < LINE {
        *column += 1;
        return f.write_char(' ');
    }
    for _ in 0..inner_rank.max(1) {
        f.write_char('\n')?;
    }
    *column = depth + 1;
    write!(f, "{:1$}", "", depth + 1)
}

/// The indices shown along one dimension, so many at each end; `None` stands for the dots.
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

/// Calls `f` with the flat index of every element shown of the `len` ones from `base` on.
fn visit(dims: &[usize], len: usize, edge: usize, base: usize, f: &mut dyn FnMut(usize)) {
    let Some((&n, inner)) = dims.split_first() else { return f(base) };
    let step = len / n;
    for i in entries(n, edge).flatten() {
        visit(inner, step, edge, base + i * step, f);
    }
}

/// The texts of the elements at these flat indices, in one common form.
fn texts(array: &Array, shown: &[usize], precision: Option<usize>) -> Vec<String> {
    match array.dtype().kind() {
        Kind::Float | Kind::Float8 => float_texts(array, shown, precision),
        Kind::String => match array.as_strings() {
            Ok(s) => {
                shown.iter().map(|i| format!("{:?}", String::from_utf8_lossy(&s[*i]))).collect()
            }
            Err(_) => Vec::new(),
        },
        Kind::Bool | Kind::Signed | Kind::Unsigned | Kind::Complex | Kind::Handle => {
            let d = array.dtype();
            with_element!(d, T => match array.as_slice::<T>() {
                Ok(s) => shown.iter().map(|i| s[*i].to_string()).collect(),
                Err(_) => Vec::new(),
            }, else shown.iter().map(|_| format!("<{d}>")).collect())
        }
    }
}

/// Floats share one form: as few digits as show each exactly, up to 8 (4 for shorter floats), in
/// scientific notation if the magnitudes are far apart.
fn float_texts(array: &Array, shown: &[usize], precision: Option<usize>) -> Vec<String> {
    let short = array.dtype().size().is_some_and(|bytes| bytes <= 2);
    let values: Vec<(f64, String)> = with_element!(array.dtype(), T => {
        let elements = array.as_slice::<T>().unwrap_or_default();
        shown.iter().map(|i| (elements[*i].cast(), elements[*i].to_string())).collect()
    }, else Vec::new());
    let finite = || values.iter().map(|v| v.0.abs()).filter(|x| x.is_finite() && *x != 0.0);
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(0.0, f64::max));
    let scientific = high >= 1e8 || low < 1e-4 || (low > 0.0 && high / low > 1e3 && low < 1e-3);
    let limit = if short { 4 } else { 8 };
    let digits = precision.unwrap_or_else(|| {
        let fraction = |s: &str| s.split_once('.').map_or(0, |(_, d)| d.len());
        let need = values.iter().filter(|v| v.0.is_finite()).map(|v| fraction(&v.1)).max();
        need.unwrap_or(0).min(limit)
    });
    let text = |x: f64| match x {
        x if x.is_nan() => "nan".into(),
        x if x.is_infinite() => if x > 0.0 { "inf" } else { "-inf" }.into(),
        x if scientific && low.is_finite() => format!("{x:.*e}", precision.unwrap_or(4)),
        // NumPy marks whole floats with a trailing dot.
        x if digits == 0 && precision.is_none() => format!("{x:.0}."),
        x => format!("{x:.digits$}"),
    };
    values.iter().map(|v| text(v.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Array, Formatted, NestedData};

    fn shown(data: &impl NestedData) -> String {
        data.to_nested_array().unwrap().to_string()
    }

    #[test]
    fn prints_like_numpy() {
        assert_eq!(shown(&1.5f32), "1.5");
        assert_eq!(shown(&[1.0f32, 2.0]), "[1. 2.]");
        assert_eq!(shown(&[[1.0f64, -2.25], [10.0, 0.5]]), "[[ 1.00 -2.25]\n [10.00  0.50]]");
        assert_eq!(shown(&[f32::NAN, f32::INFINITY, -0.0]), "[nan inf -0.]");
        assert_eq!(shown(&[[[1, 2]], [[3, 4]]]), "[[[1 2]]\n\n [[3 4]]]");
        assert_eq!(shown(&[true, false]), "[ true false]");
        assert_eq!(shown(&["a", "bc"]), "[ \"a\" \"bc\"]");
        assert_eq!(shown(&Vec::<f32>::new()), "[]");
        assert_eq!(format!("{:.2}", [0.123f32].to_nested_array().unwrap()), "[0.12]");
        assert_eq!(shown(&[1e10f64, 1.0]), "[1.0000e10  1.0000e0]");
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
