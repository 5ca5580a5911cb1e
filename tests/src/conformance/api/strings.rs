//! Strings: parts, Unicode, n-grams. Ragged tensors come as their values, then their splits from the outermost on.

use extype::ops::methods::*;
use extype::ops::{self, Malformed, NGrams};
use extype::prelude::*;

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    row("tf.strings.reduce_join", |p, x| {
        let separator = p.json("separator").as_str().unwrap_or_default();
        one(ops::reduce_join(&x[0], separator, ops::options::Over { axes: p.axes("axis"), keep_dims: false }))
    }),
    row("tf.strings.split", |p, x| {
        let separator = p.json("sep").as_str().unwrap_or_default();
        let most = usize::try_from(p.int("maxsplit", -1)).ok();
        let (values, splits) = ops::split_on(&x[0], separator, most)?;
        Ok(ragged(x, [values], &splits))
    }),
    row("tf.strings.bytes_split", |_, x| {
        let (values, splits) = ops::bytes_split(&x[0])?;
        Ok(ragged(x, [values], &splits))
    }),
    row("tf.strings.unicode_decode", |p, x| {
        let (points, splits) = ops::unicode_decode(&x[0], encoding(p), malformed(p))?;
        Ok(ragged(x, [points], &splits))
    }),
    row("tf.strings.unicode_decode_with_offsets", |p, x| {
        let (points, splits, places) =
            ops::unicode_decode_with_offsets(&x[0], encoding(p), malformed(p))?;
        Ok(ragged(x, [points, places], &splits))
    }),
    row("tf.strings.unicode_split", |p, x| {
        let (found, splits) = ops::unicode_split(&x[0], encoding(p), malformed(p))?;
        Ok(ragged(x, [found], &splits))
    }),
    row("tf.strings.unicode_split_with_offsets", |p, x| {
        let (found, splits, places) =
            ops::unicode_split_with_offsets(&x[0], encoding(p), malformed(p))?;
        Ok(ragged(x, [found, places], &splits))
    }),
    row("tf.strings.unicode_encode", |p, x| {
        let to = p.json("output_encoding").as_str().unwrap_or_default();
        let encode = |points: &Tensor, splits: &Tensor| ops::unicode_encode(points, splits, to, malformed(p));
        match x {
            [points] => {
                let sizes = points.shape().sizes().unwrap_or_default();
                let (rows, columns) = match sizes[..] {
                    [rows, columns] => (rows as i64, columns as i64),
                    _ => (1, sizes.iter().product::<usize>() as i64),
                };
                let splits = Tensor::from_vec((0..=rows).map(|i| i * columns).collect());
                let found = encode(&points.reshape([-1])?, &splits)?;
                one(if sizes.len() == 1 { found.reshape(Vec::<i64>::new()) } else { Ok(found) })
            }
            // The innermost rows become strings.
            [points, outer @ .., inner] => {
                let mut results = vec![encode(points, inner)?];
                results.extend(outer.iter().cloned());
                Ok(results)
            }
            [] => Ok(vec![]),
        }
    }),
    row("tf.strings.ngrams", ngrams),
];

/// The program that writes a tensor to bytes and reads it.
pub(in crate::conformance) fn serialize_parse(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    one(x[0].serialize_tensor()?.parse_tensor(p.dtype("out_type", DType::F32)))
}

fn encoding(p: &Params) -> &str {
    p.json("input_encoding").as_str().unwrap_or("UTF-8")
}

fn malformed(p: &Params) -> Malformed {
    match p.json("errors").as_str() {
        Some("ignore") => Malformed::Ignore,
        Some("strict") => Malformed::Refuse,
        _ => Malformed::default(),
    }
}

/// Parts of strings as ragged tensors: one axis more than the strings have, or a vector for a scalar.
fn ragged<const N: usize>(x: &[Tensor], parts: [Tensor; N], splits: &Tensor) -> Vec<Tensor> {
    let sizes = x[0].shape().sizes().unwrap_or_default();
    // The rows of a matrix have one length.
    let uniform = match sizes[..] {
        [] => return parts.into(),
        [rows, columns] => {
            vec![Tensor::from_vec((0..=rows as i64).map(|i| i * columns as i64).collect())]
        }
        _ => vec![],
    };
    let all = |values: Tensor| {
        let outer = x[1..].iter().chain(&uniform).cloned();
        std::iter::once(values).chain(outer).chain([splits.clone()]).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(all).collect()
}

fn ngrams(p: &Params, x: &[Tensor]) -> Result<Vec<Tensor>> {
    let text = |json: &serde_json::Value| json.as_str().unwrap_or_default().to_owned();
    let pads = match p.json("pad_values") {
        serde_json::Value::Array(pair) => [text(&pair[0]), text(&pair[1])],
        one => [text(one), text(one)],
    };
    let widths = match p.integers("ngram_width") {
        list if list.is_empty() => vec![p.int("ngram_width", 2)],
        list => list,
    };
    let options = NGrams {
        widths,
        separator: p.json("separator").as_str().unwrap_or(" ").to_owned(),
        pad_width: p.json("padding_width").as_i64(),
        pads,
        keep_short: p.flag("preserve_short_sequences"),
    };
    let sizes = x[0].shape().sizes().unwrap_or_default();
    let (columns, dense) = match (x.get(1), sizes.last()) {
        (None, Some(n)) => (*n as i64, true),
        _ => (0, false),
    };
    let rows = if columns > 0 { sizes.iter().product::<usize>() as i64 / columns } else { 0 };
    let splits = match x.get(1) {
        Some(splits) => splits.clone(),
        None => Tensor::from_vec((0..=rows).map(|i| i * columns).collect()),
    };
    let (grams, splits) = ops::ngrams(&x[0].reshape([-1])?, &splits, options)?;
    if !dense {
        return Ok(vec![grams, splits]);
    }
    let mut shape: Vec<i64> = sizes.iter().map(|n| *n as i64).collect();
    shape.pop();
    shape.push(-1);
    one(grams.reshape(shape))
}
