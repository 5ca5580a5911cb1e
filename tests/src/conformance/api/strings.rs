//! Strings: parts, Unicode, n-grams. Ragged tensors come as their values, then their splits from the outermost on.

use extype::ops::methods::*;
use extype::ops::{self, Malformed, NGrams};
use extype::prelude::*;

use super::{Params, Row, one, row};

/// Rows of dense tensors only.
pub(super) const DENSE: &[Row] = &[row("tf.strings.reduce_join", |p, x| {
    let separator = p.json("separator").as_str().unwrap_or_default();
    one(ops::reduce_join(
        &x[0],
        separator,
        ops::options::Over { axes: p.axes("axis"), keep_dims: false },
    ))
})];

/// The rows that take ragged tensors too.
pub(super) const ROWS: &[Row] = &[
    row("tf.strings.split", |p, x| {
        let separator = p.json("sep").as_str().unwrap_or_default();
        let most = usize::try_from(p.int("maxsplit", -1)).ok();
        let (values, splits) = ops::split_on(&x[0], separator, most)?;
        ragged(x, [values], &splits)
    }),
    row("tf.strings.bytes_split", |_, x| {
        let (values, splits) = ops::bytes_split(&x[0])?;
        ragged(x, [values], &splits)
    }),
    row("tf.strings.unicode_decode", |p, x| {
        let (points, splits) = ops::unicode_decode(&x[0], encoding(p), malformed(p))?;
        ragged(x, [points], &splits)
    }),
    row("tf.strings.unicode_decode_with_offsets", |p, x| {
        let (points, splits, places) =
            ops::unicode_decode_with_offsets(&x[0], encoding(p), malformed(p))?;
        ragged(x, [points, places], &splits)
    }),
    row("tf.strings.unicode_split", |p, x| {
        let (found, splits) = ops::unicode_split(&x[0], encoding(p), malformed(p))?;
        ragged(x, [found], &splits)
    }),
    row("tf.strings.unicode_split_with_offsets", |p, x| {
        let (found, splits, places) =
            ops::unicode_split_with_offsets(&x[0], encoding(p), malformed(p))?;
        ragged(x, [found, places], &splits)
    }),
    row("tf.strings.unicode_encode", |p, x| {
        let to = p.json("output_encoding").as_str().unwrap_or_default();
        let encode = |points: &Tensor, splits: &Tensor| {
            ops::unicode_encode(points, splits, to, malformed(p))
        };
        match x {
            [points] => {
                let splits = uniform(points)?;
                let found = encode(&points.reshape([-1])?, &splits)?;
                one(if points.rank() == Some(1) {
                    found.reshape(Vec::<i64>::new())
                } else {
                    Ok(found)
                })
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

/// The row splits of rows of one length.
fn uniform(x: &Tensor) -> Result<Tensor> {
    let sizes = ops::shape_of(x)?.cast(DType::I64)?;
    let rank = x.rank().unwrap_or(1);
    let rows = sizes.index(..rank as i64 - 1)?.reduce_prod(.., false)?;
    ops::mul(ops::range(0i64, rows + 1i64, 1i64)?, sizes.index(rank as i64 - 1)?)
}

/// Parts of strings as ragged tensors: one axis more than the strings have, or a vector for a scalar.
fn ragged<const N: usize>(
    x: &[Tensor],
    parts: [Tensor; N],
    splits: &Tensor,
) -> Result<Vec<Tensor>> {
    let outer = match x[0].rank() {
        Some(0) => return Ok(parts.into()),
        Some(2) => vec![uniform(&x[0])?],
        _ => x[1..].to_vec(),
    };
    let all = |values: Tensor| {
        std::iter::once(values).chain(outer.clone()).chain([splits.clone()]).collect::<Vec<_>>()
    };
    Ok(parts.into_iter().flat_map(all).collect())
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
    if let [values, splits] = x {
        let (grams, splits) = ops::ngrams(values, splits, options)?;
        return Ok(vec![grams, splits]);
    }
    let (grams, _) = ops::ngrams(&x[0].reshape([-1])?, &uniform(&x[0])?, options)?;
    let rows = ops::shape_of(&x[0])?.index(..x[0].rank().unwrap_or(1) as i64 - 1)?;
    one(grams
        .reshape(&ops::concat(&[&rows, &Tensor::from_vec(vec![-1i32]).cast(rows.dtype())?], 0)?))
}
