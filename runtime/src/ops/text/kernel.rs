//! Kernels: tensors printed and formatted; ops that are there for their effect.

use std::io::Write;

use crate::array::{Array, Dims};
use crate::op::{KernelContext, Outputs};
use crate::ops::{CastFn, Op as _, Print, StringFormat};
use crate::types::{DType, Result, err};

type Context<'a> = KernelContext<'a>;

pub(in crate::ops) fn no_op(_: &Context<'_>) -> Result<Outputs> {
    Ok(Outputs::new())
}

/// Where a text goes; TensorFlow's `output_stream`.
pub(in crate::ops) fn print(c: &Context<'_>) -> Result<Outputs> {
    let (stream, end): (String, String) = (c.get(Print::OUTPUT_STREAM)?, c.get(Print::END)?);
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

pub(in crate::ops) fn format(c: &Context<'_>) -> Result<Outputs> {
    let (template, placeholder): (String, String) =
        (c.get(StringFormat::TEMPLATE)?, c.get(StringFormat::PLACEHOLDER)?);
    let summarize = usize::try_from(c.get(StringFormat::SUMMARIZE)?).ok();
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
        // Wraps only beside a size of zero, where there is no element.
        let step = inner.iter().fold(1usize, |n, d| n.wrapping_mul(*d));
        let entry =
            |i: usize| level(inner, base.wrapping_add(i.wrapping_mul(step)), depth + 1, edge, at);
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
    let cast = |to: DType| CastFn::to(to).compute(&[x]);
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
