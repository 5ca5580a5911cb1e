//! Products with a softmax between run as one op; the results are those of the ops one by one.

use extype::prelude::*;

use crate::random::same;

/// Queries, keys and values of 5 heads.
fn operands(dtype: DType, queries: i64, keys: i64) -> Result<[Tensor; 3]> {
    let numbers = |rows: i64, columns: i64, seed: f32| {
        let len = 5 * rows * columns;
        let x = (0..len).map(|i| ((i as f32 + seed) * 0.7).sin() * 2.0).collect::<Vec<_>>();
        Tensor::from_vec(x).reshape([5, rows, columns])?.cast(dtype)
    };
    Ok([numbers(queries, 8, 0.0)?, numbers(keys, 8, 5.0)?, numbers(keys, 24, 9.0)?])
}

fn spec(x: &Tensor) -> TensorSpec {
    TensorSpec::new(x.shape(), x.dtype())
}

/// Checks that a function of the operands runs as attention, and gives what it gives eagerly.
fn attends(
    f: impl Fn(&Tensor, &Tensor, &Tensor) -> Result<Tensor> + Copy + 'static,
    dtype: DType,
    (queries, keys): (i64, i64),
) -> Result<()> {
    let [q, k, v] = operands(dtype, queries, keys)?;
    let traced = function(move |q: &Tensor, k: &Tensor, v: &Tensor| f(q, k, v));
    let text = traced.concrete(&spec(&q), &spec(&k), &spec(&v))?.program()?;
    assert!(text.contains("Attention") && !text.contains("Softmax"), "{text}");
    same(&f(&q, &k, &v)?, &traced.call(&q, &k, &v)?)
}

fn scores(q: &Tensor, k: &Tensor) -> Result<Tensor> {
    ops::BatchMatMul { adj_x: false, adj_y: true }.run(&[q, k])
}

#[test]
fn scores_are_scaled_and_masked_in_all_ways() -> Result<()> {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        for sizes in [(7, 9), (100, 130), (1, 40), (300, 2)] {
            attends(|q, k, v| ops::softmax(scores(q, k)?)?.matmul(v), dtype, sizes)?;
            let scaled = |q: &Tensor, k: &Tensor, v: &Tensor| {
                ops::softmax(ops::mul(0.25, &scores(q, k)?)?)?.matmul(v)
            };
            attends(scaled, dtype, sizes)?;
            let divided = move |q: &Tensor, k: &Tensor, v: &Tensor| {
                let mask = ops::arange(sizes.1)?.cast(q.dtype())?;
                ops::softmax(ops::add(&mask, &ops::div(&scores(q, k)?, 3.0)?)?)?.matmul(v)
            };
            attends(divided, dtype, sizes)?;
        }
    }
    Ok(())
}

#[test]
fn masks_of_rows_and_of_all_scores_are_added() -> Result<()> {
    let lower = |rows: i64, keys: i64| {
        let far = ops::mul(&ops::ones([rows, keys], f32)?, -1e9)?;
        ops::sub(&far, &far.tril(0)?)
    };
    let causal = move |q: &Tensor, k: &Tensor, v: &Tensor| {
        ops::softmax(ops::add(&ops::div(&scores(q, k)?, 3.0)?, &lower(90, 90)?)?)?.matmul(v)
    };
    attends(causal, f32, (90, 90))?;
    let padded = |q: &Tensor, k: &Tensor, v: &Tensor| {
        let mask = ops::mul(&k.reduce_sum(2, false)?.expand_dims(1)?, 10.0)?;
        ops::softmax(ops::add(&mask, &scores(q, k)?)?)?.matmul(v)
    };
    attends(padded, f32, (90, 70))
}

#[test]
fn weights_that_are_read_elsewhere_are_computed_whole() -> Result<()> {
    let f = |q: &Tensor, k: &Tensor, v: &Tensor| {
        let weights = ops::softmax(scores(q, k)?)?;
        Ok((weights.matmul(v)?, weights))
    };
    let [q, k, v] = operands(f32, 40, 50)?;
    let traced = function(f);
    let text = traced.concrete(&spec(&q), &spec(&k), &spec(&v))?.program()?;
    assert!(!text.contains("Attention"), "{text}");
    let (want, got) = (f(&q, &k, &v)?, traced.call(&q, &k, &v)?);
    same(&want.0, &got.0)?;
    same(&want.1, &got.1)
}

#[test]
fn gradients_of_attention_are_those_of_its_ops() -> Result<()> {
    let f = |q: &Tensor, k: &Tensor, v: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(&(q.clone(), k.clone()));
        let y = ops::softmax(ops::mul(&scores(q, k)?, 0.3)?)?.matmul(v)?;
        tape.gradient(&y.square()?, &(q.clone(), k.clone()))?.into_structure()
    };
    let [q, k, v] = operands(f32, 40, 50)?;
    let (want, got) = (f(&q, &k, &v)?, function(f).call(&q, &k, &v)?);
    same(&want.0, &got.0)?;
    same(&want.1, &got.1)
}
