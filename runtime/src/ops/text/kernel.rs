//! Kernels: tensors printed and formatted; ops that run for their effect.

use std::io::Write;
use std::ops::Range;

use crate::array::{Array, Dims, entries};
use crate::ir::{KernelContext, Outputs};
use crate::ops::strings::numbers::shown;
use crate::ops::{CastFn, Op as _, Print, StringFormat};
use crate::types::{DType, Result, err};

pub(in crate::ops) fn no_op(_: &KernelContext<'_>) -> Result<Outputs> {
    Ok(Outputs::new())
}

/// Writes a text to a stream, named as in TensorFlow's `output_stream`.
pub(in crate::ops) fn print(c: &KernelContext<'_>) -> Result<Outputs> {
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

pub(in crate::ops) fn format(c: &KernelContext<'_>) -> Result<Outputs> {
    let (template, placeholder): (String, String) =
        (c.get(StringFormat::TEMPLATE)?, c.get(StringFormat::PLACEHOLDER)?);
    let summarize = usize::try_from(c.get(StringFormat::SUMMARIZE)?).ok();
    let mut parts = template.split(placeholder.as_str());
    let mut text = Text(String::new());
    text.push(parts.next().unwrap_or_default())?;
    for input in c.inputs {
        summary(&mut text, input, summarize)?;
        text.push(parts.next().unwrap_or_default())?;
    }
    Ok([Array::from_strings(Dims::new(), vec![text.0.into_bytes()])?].into())
}

/// A text whose length comes from data.
struct Text(String);

impl Text {
    fn push(&mut self, part: &str) -> Result<()> {
        self.0.try_reserve(part.len()).map_err(|_| {
            let length = self.0.len().saturating_add(part.len());
            err!(ResourceExhausted, "no memory for a text of {length} bytes")
        })?;
        self.0.push_str(part);
        Ok(())
    }
}

/// Writes TensorFlow's text of a tensor: the first and last `edge` entries of each axis (all for
/// `None`), floats with six significant digits. Rows without elements are shown, unless there are
/// more than [`MOST_EMPTY_ROWS`].
fn summary(text: &mut Text, x: &Array, edge: Option<usize>) -> Result<()> {
    let rows = x.dims().iter().take_while(|n| **n > 0).fold(1usize, |n, d| n.saturating_mul(*d));
    if x.is_empty() && rows > MOST_EMPTY_ROWS {
        return text.push("[]");
    }
    let floats = match x.dtype().is_float() {
        true => Some(CastFn::to(DType::F64).compute(&[x])?),
        false => None,
    };
    let element = |text: &mut Text, i: usize| match (&floats, x.as_strings(), x.as_slice::<bool>())
    {
        (Some(f), ..) => text.push(&shown(f[0].as_slice::<f64>()?[i], x.dtype())?),
        (_, Ok(s), _) => {
            text.push("\"")?;
            text.push(&escaped(&s[i]))?;
            text.push("\"")
        }
        (.., Ok(bools)) => text.push(if bools[i] { "1" } else { "0" }),
        _ => text.push(&x.view(i, Dims::new())?.to_string()),
    };
    level(text, x.dims(), 0, 0..x.len(), edge.unwrap_or(usize::MAX), &element)
}

/// The most rows without elements that are written.
const MOST_EMPTY_ROWS: usize = 1000;

/// Writes the elements of this range in the nesting of these sizes.
fn level(
    text: &mut Text,
    dims: &[usize],
    depth: usize,
    range: Range<usize>,
    edge: usize,
    element: &dyn Fn(&mut Text, usize) -> Result<()>,
) -> Result<()> {
    let Some((&n, inner)) = dims.split_first() else { return element(text, range.start) };
    let Some(step) = range.len().checked_div(n) else { return text.push("[]") };
    let gap = match inner.len() {
        0 => " ".to_owned(),
        rank => format!("{}{}", "\n".repeat(rank), " ".repeat(depth + 1)),
    };
    let mut before = "[";
    for entry in entries(n, edge) {
        text.push(before)?;
        match entry {
            Some(i) => {
                let from = range.start + i * step;
                level(text, inner, depth + 1, from..from + step, edge, element)?;
            }
            None => text.push("...")?,
        }
        before = &gap;
    }
    text.push("]")
}

/// A string with the escapes of C: of quotes, and of bytes that are no printable ASCII.
fn escaped(s: &[u8]) -> String {
    let mut text = String::new();
    for byte in s {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'"' | b'\'' | b'\\' => text.extend(['\\', char::from(*byte)]),
            0x20..0x7f => text.push(char::from(*byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Tensor;

    fn formatted(x: Array, summarize: i64) -> String {
        let (template, placeholder) = ("x = {}.".to_owned(), "{}".to_owned());
        let text = StringFormat { template, placeholder, summarize }.run(&[&Tensor::from(x)]);
        String::from_utf8(text.unwrap().value().unwrap().as_strings().unwrap()[0].clone()).unwrap()
    }

    #[test]
    fn as_many_entries_are_shown_as_asked_for() {
        let numbers: Vec<i32> = (0..12).collect();
        let x = || Array::from_slice([3, 1, 4], &numbers).unwrap();
        assert_eq!(formatted(x(), 1), "x = [[[0 ... 3]]\n\n ...\n\n [[8 ... 11]]].");
        assert_eq!(formatted(x(), 0), "x = [...].");
        let all = "x = [[[0 1 2 3]]\n\n [[4 5 6 7]]\n\n [[8 9 10 11]]].";
        assert_eq!(formatted(x(), -1), all);
        assert_eq!(formatted(Array::from_slice([], &[0.1f32]).unwrap(), 3), "x = 0.1.");
    }

    #[test]
    fn rows_without_elements_are_shown_if_they_are_not_too_many() {
        let formatted = |dims: &[usize], summarize| {
            formatted(Array::from_slice::<f32>(dims, &[]).unwrap(), summarize)
        };
        for summarize in [-1, 3] {
            assert_eq!(formatted(&[0], summarize), "x = [].");
            assert_eq!(formatted(&[3, 0], summarize), "x = [[]\n []\n []].");
            assert_eq!(formatted(&[3, 1 << 31, 1 << 33, 0, 5], summarize), "x = [].");
        }
    }
}
