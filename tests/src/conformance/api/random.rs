//! `tf.random`: functions of a seed, and generators.

use extype::ops::Integers;
use extype::random::{self, Bounds, Generator};
use extype::{DType, Result, Tensor, init_scope};

use super::{Params, Row, one, row};

/// The rows.
pub(super) const ROWS: &[Row] = &[
    Row { name: "tf.random.stateless_uniform", function: uniform, accepts: is_philox },
    Row {
        name: "tf.random.stateless_normal",
        function: |p, _| {
            let (mean, stddev) = (p.float("mean", 0.0), p.float("stddev", 1.0));
            one(random::stateless_normal(shape(p), seed(p), mean, stddev, dtype(p)))
        },
        accepts: is_philox,
    },
    Row {
        name: "tf.random.stateless_truncated_normal",
        function: |p, _| {
            let (mean, stddev) = (p.float("mean", 0.0), p.float("stddev", 1.0));
            one(random::stateless_truncated_normal(shape(p), seed(p), mean, stddev, dtype(p)))
        },
        accepts: is_philox,
    },
    row("tf.random.experimental.stateless_split", |p, x| {
        one(random::stateless_split(&x[0], p.int("num", 2) as usize))
    }),
    row("tf.random.experimental.stateless_fold_in", |p, x| {
        one(random::stateless_fold_in(&x[0], p.int("data", 0) as i32))
    }),
    row("tf.random.experimental.stateless_shuffle", |p, x| {
        one(random::stateless_shuffle(&x[0], seed(p)))
    }),
];

fn is_philox(p: &Params) -> bool {
    matches!(p.json("alg").as_str(), None | Some("auto_select" | "philox"))
}

fn shape(p: &Params) -> Integers {
    Integers::from(p.integers("shape"))
}

fn seed(p: &Params) -> Integers {
    Integers::from(p.integers("seed"))
}

fn dtype(p: &Params) -> DType {
    p.dtype("dtype", DType::F32)
}

fn uniform(p: &Params, _: &[Tensor]) -> Result<Vec<Tensor>> {
    if !dtype(p).is_integer() {
        return drawn(p, p.float("minval", 0.0)..p.float("maxval", 1.0));
    }
    match (p.json("minval").as_i64(), p.json("maxval").as_i64()) {
        (Some(low), Some(high)) => drawn(p, low..high),
        (None, None) => drawn(p, ..),
        _ => Err(extype::Error::invalid("one bound without the other")),
    }
}

fn drawn(p: &Params, bounds: impl Bounds) -> Result<Vec<Tensor>> {
    one(random::stateless_uniform(shape(p), seed(p), bounds, dtype(p)))
}

/// Some draws of one kind from a generator of a seed, then its state.
///
/// # Errors
/// What a draw fails with.
pub(in crate::conformance) fn generator(p: &Params, _: &[Tensor]) -> Result<Vec<Tensor>> {
    thread_local! {
        // Lives as long as the traced functions that draw from it.
        static GENERATOR: Result<Generator> = init_scope(|| Generator::from_seed(0));
    }
    let generator = GENERATOR.with(Clone::clone)?;
    generator.reset_from_seed(p.int("seed", 0))?;
    let draw = |_| match p.json("which").as_str() {
        None if p.json("counts").is_number() => {
            let scalar = |key| Tensor::scalar(p.float(key, 0.0) as f32);
            generator.binomial(shape(p), &scalar("counts"), &scalar("probs"), DType::I32)
        }
        Some("normal") => generator.normal(shape(p), 0.0, 1.0, DType::F32),
        Some("trunc") => generator.truncated_normal(shape(p), 0.0, 1.0, DType::F32),
        Some("int") => generator.uniform(shape(p), -9..99, DType::I32),
        Some("full") => generator.uniform(shape(p), .., DType::U64),
        _ => generator.uniform(shape(p), .., DType::F32),
    };
    let mut outputs = (0..p.int("n", 1)).map(draw).collect::<Result<Vec<_>>>()?;
    outputs.push(generator.state().read()?);
    Ok(outputs)
}
