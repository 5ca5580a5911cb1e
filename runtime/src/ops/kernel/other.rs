//! Shapes as values, ranges, identity, printing, segment sums.

use std::io::Write;

use extype_kernels as k;

use super::typed;
use crate::array::{Array, Dims, IntoDims, num_elements};
use crate::op::{KernelContext, Outputs};
use crate::types::{DType, Result, bail, err};

type Context<'a> = KernelContext<'a>;

/// Sizes as the integers of `out_type`.
fn integers(c: &Context<'_>, dims: impl IntoDims, values: &[usize]) -> Result<Outputs> {
    let array = match c.attrs.get("out_type")? {
        DType::I32 => {
            let small = values.iter().map(|n| i32::try_from(*n)).collect::<Result<Vec<_>, _>>();
            let small =
                small.map_err(|_| err!("sizes {values:?} do not fit int32; ask for int64"))?;
            Array::from_slice(dims, &small)?
        }
        DType::I64 => {
            Array::from_slice(dims, &values.iter().map(|n| *n as i64).collect::<Vec<_>>())?
        }
        d => bail!("sizes are int32 or int64, not {d}"),
    };
    Ok([array].into())
}

pub(in super::super) fn shape_of(c: &Context<'_>) -> Result<Outputs> {
    let x = c.input(0);
    integers(c, [x.rank()], x.dims())
}

pub(in super::super) fn size_of(c: &Context<'_>) -> Result<Outputs> {
    integers(c, Dims::new(), &[c.input(0).len()])
}

pub(in super::super) fn rank_of(c: &Context<'_>) -> Result<Outputs> {
    Ok([Array::scalar(c.input(0).rank() as i32)].into())
}

/// The same data with an identity of its own.
pub(in super::super) fn identity(c: &Context<'_>) -> Result<Outputs> {
    Ok([c.input(0).renewed()?].into())
}

pub(in super::super) fn no_op(_: &Context<'_>) -> Result<Outputs> {
    Ok(Outputs::new())
}

/// The number of elements of `start, start + delta, … < limit`.
pub(in super::super) fn range_len(start: &Array, limit: &Array, delta: &Array) -> Result<usize> {
    let scalar = |a: &Array| -> Result<f64> {
        let f64s = crate::op::find_op("Cast")?
            .run(&[a], &crate::op::Attrs::new().with("DstT", &DType::F64))?;
        f64s[0].as_slice::<f64>()?.first().copied().ok_or_else(|| err!("the bounds are scalars"))
    };
    if start.dtype().is_integer() {
        let (a, b, d) = (integer(start)?, integer(limit)?, integer(delta)?);
        check_direction(d == 0, (b > a) == (d > 0) || a == b)?;
        let n = (b - a).unsigned_abs().div_ceil(d.unsigned_abs());
        return usize::try_from(n).map_err(|_| err!(ResourceExhausted, "a range of {n} elements"));
    }
    let (a, b, d) = (scalar(start)?, scalar(limit)?, scalar(delta)?);
    check_direction(d == 0.0, (b > a) == (d > 0.0) || a == b)?;
    let n = ((b - a) / d).abs().ceil();
    if !n.is_finite() || n >= isize::MAX as f64 {
        bail!(ResourceExhausted, "a range of {n} elements");
    }
    Ok(n as usize)
}

fn check_direction(zero: bool, towards: bool) -> Result<()> {
    if zero {
        bail!("the step is zero");
    }
    if !towards {
        bail!("the step leads away from the limit");
    }
    Ok(())
}

fn integer(a: &Array) -> Result<i128> {
    macro_rules! get {
        ($($d:ident $t:ty),*) => {
            match a.dtype() {
                $(DType::$d => a.as_slice::<$t>()?.first().map(|x| i128::from(*x)),)*
                _ => None,
            }
        };
    }
    get!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64)
        .ok_or_else(|| err!("the bounds of a range are scalars"))
}

pub(in super::super) fn range(c: &Context<'_>) -> Result<Outputs> {
    let (start, limit, delta) = (c.input(0), c.input(1), c.input(2));
    if [start, limit, delta].iter().any(|a| a.rank() != 0) {
        bail!("the bounds of a range are scalars");
    }
    let n = range_len(start, limit, delta)?;
    typed!(real, c, start.dtype(), T => {
        use k::Arithmetic as A;
        let (mut x, step) = (start.as_slice::<T>()?[0], delta.as_slice::<T>()?[0]);
        Ok([Array::from_writer([n], |out: &mut [T]| {
            for o in out {
                *o = x;
                x = A::add(x, step);
            }
            Ok(())
        })?].into())
    })
}

/// Where a text goes; TensorFlow's `output_stream`.
pub(in super::super) fn print(c: &Context<'_>) -> Result<Outputs> {
    let (stream, end): (String, String) = (c.attrs.get("output_stream")?, c.attrs.get("end")?);
    let text = c.input(0).as_strings()?.first().map(Vec::as_slice).unwrap_or_default();
    let line = [text, end.as_bytes()].concat();
    let written = match stream.strip_prefix("file://") {
        Some(path) => std::fs::File::options()
            .append(true)
            .create(true)
            .open(path)
            .and_then(|mut f| f.write_all(&line)),
        None if stream == "stdout" => std::io::stdout().write_all(&line),
        None => std::io::stderr().write_all(&line),
    };
    written.map_err(|e| err!(Internal, "can't print to {stream}").with_source(e))?;
    Ok(Outputs::new())
}

pub(in super::super) fn format(c: &Context<'_>) -> Result<Outputs> {
    let (template, placeholder): (String, String) =
        (c.attrs.get("template")?, c.attrs.get("placeholder")?);
    let summarize = usize::try_from(c.attrs.get::<i64>("summarize")?).ok();
    let mut parts = template.split(placeholder.as_str());
    let mut text = parts.next().unwrap_or_default().to_owned();
    for input in c.inputs {
        text.push_str(&summary(input, summarize));
        text.push_str(parts.next().unwrap_or_default());
    }
    Ok([Array::from_strings(Dims::new(), vec![text.into_bytes()])?].into())
}

/// TensorFlow's text of a tensor: the first and last `edge` entries of each axis (all for none),
/// floats with six significant digits.
fn summary(x: &Array, edge: Option<usize>) -> String {
    fn level(
        dims: &[usize],
        base: usize,
        depth: usize,
        edge: usize,
        at: &dyn Fn(usize) -> String,
    ) -> String {
        let Some((&n, inner)) = dims.split_first() else { return at(base) };
        let step: usize = inner.iter().product();
        let entry = |i: usize| level(inner, base + i * step, depth + 1, edge, at);
        let shown: Vec<String> = match n > edge.saturating_mul(2) {
            true => {
                (0..edge).map(entry).chain(["...".into()]).chain((n - edge..n).map(entry)).collect()
            }
            false => (0..n).map(entry).collect(),
        };
        let gap = match inner.len() {
            0 => " ".to_owned(),
            rank => format!("{}{}", "\n".repeat(rank), " ".repeat(depth + 1)),
        };
        format!("[{}]", shown.join(&gap))
    }
    let cast = |to: DType| {
        crate::op::find_op("Cast")
            .and_then(|op| op.run(&[x], &crate::op::Attrs::new().with("DstT", &to)))
    };
    let floats = if x.dtype().is_float() { cast(DType::F64).ok() } else { None };
    let at = |i: usize| match (&floats, x.as_strings()) {
        (Some(f), _) => f[0].as_slice::<f64>().map_or(String::new(), |f| significant(f[i])),
        (_, Ok(s)) => format!("\"{}\"", String::from_utf8_lossy(&s[i])),
        _ => x.view(i, Dims::new()).map_or(String::new(), |one| one.to_string()),
    };
    level(x.dims(), 0, 0, edge.unwrap_or(usize::MAX), &at)
}

/// C's `%g`: six significant digits, without trailing zeros.
fn significant(x: f64) -> String {
    if !x.is_finite() || x == 0.0 {
        return if x.is_nan() { "nan".into() } else { x.to_string() };
    }
    let scientific = format!("{x:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |s: &str| match s.contains('.') {
        true => s.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => s.to_owned(),
    };
    if (-4..6).contains(&exponent) {
        return trim(&format!("{x:.*}", (5 - exponent).max(0) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trim(digits), exponent.abs())
}

/// The axes along which each of two broadcasting shapes was repeated.
pub(in super::super) fn broadcast_gradient_args(c: &Context<'_>) -> Result<Outputs> {
    let (a, b) = (c.input(0).to_i64s()?, c.input(1).to_i64s()?);
    let rank = a.len().max(b.len());
    let at = |v: &[i64], i: usize| (i + v.len()).checked_sub(rank).map(|i| v[i]);
    let mut axes: [Vec<i64>; 2] = Default::default();
    for i in 0..rank {
        let (x, y) = (at(&a, i), at(&b, i));
        match (x.unwrap_or(1), y.unwrap_or(1)) {
            (x1, y1) if x1 != y1 && x1 != 1 && y1 != 1 => {
                bail!("shapes {a:?} and {b:?} do not broadcast: axis {i} differs ({x1} ≠ {y1})")
            }
            (x1, y1) => {
                // An axis of size 1 on both sides may be summed in either gradient or in none.
                if x.is_none() || x1 == 1 {
                    axes[0].push(i as i64);
                }
                if y.is_none() || y1 == 1 {
                    axes[1].push(i as i64);
                }
            }
        }
    }
    let array = |axes: &[i64]| match c.input(0).dtype() {
        DType::I32 => {
            Array::from_slice([axes.len()], &axes.iter().map(|i| *i as i32).collect::<Vec<_>>())
        }
        _ => Array::from_slice([axes.len()], axes),
    };
    Ok([array(&axes[0])?, array(&axes[1])?].into_iter().collect())
}

/// Sums the rows of `data` that have the same id.
pub(in super::super) fn unsorted_segment_sum(c: &Context<'_>) -> Result<Outputs> {
    let (data, ids, n) = (c.input(0), c.input(1), c.input(2).to_i64s()?);
    let [n] = n[..] else { bail!("the number of segments is a scalar") };
    let n = usize::try_from(n).map_err(|_| err!("the number of segments, {n}, is negative"))?;
    if data.dims().get(..ids.rank()) != Some(ids.dims()) {
        bail!("ids of shape {} for data of shape {}", ids.shape(), data.shape());
    }
    let tail = &data.dims()[ids.rank()..];
    let dims: Dims = std::iter::once(n).chain(tail.iter().copied()).collect();
    let inner = num_elements(tail, 1)?;
    let ids = ids.to_i64s()?;
    typed!(numeric, c, data.dtype(), T => {
        let rows = data.as_slice::<T>()?;
        Ok([Array::from_writer(dims, |out: &mut [T]| {
            out.fill(T::default());
            // Rows with a negative id are dropped.
            for (i, id) in ids.iter().enumerate().filter(|(_, id)| **id >= 0) {
                let row = &rows[i * inner..(i + 1) * inner];
                k::movement::scatter_add(&[*id], row, inner, out)
                    .map_err(|e| err!("id {} at position {i} is not in [0, {n})", e.index))?;
            }
            Ok(())
        })?].into())
    })
}
