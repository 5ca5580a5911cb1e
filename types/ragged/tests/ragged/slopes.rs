//! Gradients of every kind of op, against differences, and against themselves in a trace with unknown sizes.

use extype::prelude::*;
use extype_ragged::{RaggedTensor, RaggedTensorSpec, Trim};

type Op = (&'static str, fn(&RaggedTensor) -> Result<RaggedTensor>);

/// A weighted sum of what an op makes, so that no two results count the same.
fn weighed(f: impl Fn(&RaggedTensor) -> Result<RaggedTensor>, x: &RaggedTensor) -> Result<Tensor> {
    let flat = f(x)?.flat_values.reshape([-1])?;
    let weights = ops::range(scalar(0i64), ops::size(&flat)?, 1i64)?.cast(f64)?;
    (flat * (weights * 0.3 + 1.0).sin()?).reduce_sum(.., false)
}

fn checked(ops: &[Op], x: &RaggedTensor) -> Result<()> {
    let spec = RaggedTensorSpec::with_ragged_rank(
        Shape::of_rank(x.rank().unwrap()),
        DType::F64,
        x.ragged_rank() as i64,
    )?;
    let values = x.flat_values.to_vec::<f64>()?;
    for (name, f) in ops.iter().copied() {
        let slopes = grad(|x: &RaggedTensor| weighed(f, x))(x)?.flat_values;
        let traced = function(move |x: &RaggedTensor| grad(|x: &RaggedTensor| weighed(f, x))(x));
        traced.concrete(&spec)?;
        let same = traced.call(x)?.flat_values;
        assert_eq!(traced.trace_count(), 1, "{name}");
        assert_eq!(same.to_vec::<f64>()?, slopes.to_vec::<f64>()?, "{name}, traced");
        for (i, slope) in slopes.to_vec::<f64>()?.into_iter().enumerate() {
            let at = |step: f64| {
                let mut values = values.clone();
                values[i] += step;
                let flat = Tensor::from_vec(values).reshape(&ops::shape_of(&x.flat_values)?)?;
                weighed(f, &x.with_flat_values(&flat)?)?.item::<f64>()
            };
            let want = (at(1e-6)? - at(-1e-6)?) / 2e-6;
            let off = (slope - want).abs();
            assert!(off < 1e-6 * want.abs().max(1.0), "{name}: {slope}, not {want}, at {i}");
        }
    }
    Ok(())
}

#[test]
fn slopes_are_those_of_differences() -> Result<()> {
    let x =
        RaggedTensor::from_rows(&[vec![0.5f64, -1.25, 2.0], vec![], vec![3.5], vec![-0.75, 1.5]])?;
    checked(
        &[
            ("sum", |x| x.reduce_sum(1, false)),
            ("sum of columns", |x| x.reduce_sum(0, false)),
            ("mean", |x| x.slice_axis(0, Some(2), None, 1)?.reduce_mean(1, true)),
            ("max", |x| x.slice_axis(0, Some(2), None, 1)?.reduce_max(1, false)),
            ("min", |x| x.slice_axis(0, None, Some(1), 1)?.reduce_min(1, false)),
            ("prod", |x| x.reduce_prod(1, false)),
            ("variance", |x| ops::reduce_variance(x.slice_axis(0, Some(2), None, 1)?, 1, false)),
            ("logsumexp", |x| ops::reduce_logsumexp(x.slice_axis(0, Some(2), None, 1)?, 1, false)),
            ("softmax", |x| ops::softmax(x)),
            ("softmax of columns", |x| ops::softmax_along(x, 0)),
            ("log_softmax", |x| ops::log_softmax(x)),
            ("sort", |x| ops::sort(x, ..)),
            ("top_k", |x| Ok(ops::top_k(x, 2)?.0)),
            ("cumsum", |x| x.cumsum(1, false, true)),
            ("cumprod", |x| x.cumprod(1, false, false)),
            ("to_tensor", |x| RaggedTensor::from_dense(x.to_tensor(1.0, shape![3, 2])?)),
            ("from_tensor", |x| {
                let dense = x.to_tensor(0.0, shape![4, 3])?;
                RaggedTensor::from_tensor(dense * 2.0, Trim::Lengths(tensor![1, 3, 0, 9]), 1)
            }),
            ("rows", |x| ops::gather(x, tensor![3, 0, 3, 1], 0)),
            ("entries", |x| {
                x.gather_along(
                    &RaggedTensor::from_rows(&[vec![2, 0, 2], vec![], vec![0], vec![1]])?,
                    1,
                    1,
                )
            }),
            ("concat", |x| ops::concat(&[x, x, &(x * x)], 1)),
            ("stack", |x| ops::stack(&[x, &(x * 2.0)], 1)),
            ("tile", |x| ops::tile(x, tensor![2, 3])),
            ("reverse", |x| ops::reverse(x, [0, 1])),
            ("part", |x| x.get((1.., ops::step(.., -2)))),
            ("boolean_mask", |x| {
                let mask = RaggedTensor::from_rows(&[
                    vec![true, false, true],
                    vec![],
                    vec![true],
                    vec![false; 2],
                ])?;
                x.boolean_mask(&mask)
            }),
            ("dense columns", |x| ops::mul(x, tensor![[1.0f64], [2.0], [3.0], [4.0]])),
            ("segments", |x| ops::segment_sum(x, tensor![0, 0, 1, 1])),
            ("square", |x| Ok(x * x)),
        ],
        &x,
    )
}

#[test]
fn slopes_of_deep_rows_are_those_of_differences() -> Result<()> {
    let flat = tensor![[0.5f64, -1.0], [2.0, 0.25], [-3.0, 1.5], [0.75, -0.5]];
    let x = RaggedTensor::from_row_lengths(flat, [1, 0, 2, 1])?;
    let x = RaggedTensor::from_row_lengths(x, [2, 0, 2])?;
    checked(
        &[
            ("sum 1", |x| x.reduce_sum(1, false)),
            ("sum 2", |x| x.reduce_sum(2, false)),
            ("sum 3", |x| x.reduce_sum(3, false)),
            ("prod 1, 2", |x| x.reduce_prod([1, 2], false)),
            ("max 0", |x| x.reduce_max(0, false)),
            ("softmax 1", |x| ops::softmax_along(x, 1)),
            ("softmax 2", |x| ops::softmax_along(x, 2)),
            ("cumsum 1", |x| x.cumsum(1, false, false)),
            ("to_tensor", |x| RaggedTensor::from_dense(x.to_tensor(0.0, Shape::unknown())?)),
            ("rows", |x| ops::gather(x, tensor![[2, 0], [0, 2]], 0)),
            ("concat 2", |x| ops::concat(&[x, &(x * x)], 2)),
            ("part", |x| x.get((ops::step(.., -1), .., -1..))),
            ("matmul", |x| ops::matmul(x, tensor![[1.0f64, 2.0, 3.0], [4.0, 5.0, 6.0]])),
            ("merged", |x| x.merge_dims(1, 2)),
        ],
        &x,
    )
}
