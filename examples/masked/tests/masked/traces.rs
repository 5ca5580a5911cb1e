//! Masked tensors in traced functions.

use super::*;

#[tf_function(reduce_retracing)]
fn standardized(m: &MaskedTensor) -> Result<MaskedTensor> {
    let centred = m - ops::reduce_mean(m, 0, KeepDims)?;
    Ok(&centred / m.standard_deviation(0, 0, KeepDims)?)
}

#[test]
fn one_trace_serves_every_number_of_rows() -> Result<()> {
    for rows in [2, 3, 7] {
        let values: Vec<f64> = (0..rows * 2).map(f64::from).collect();
        let mut mask = vec![true; values.len()];
        mask[1] = false;
        let sizes = [rows as usize, 2];
        let m = MaskedTensor::new(
            Tensor::from_slice(&values, &sizes)?,
            Tensor::from_slice(&mask, &sizes)?,
        )?;
        let z = standardized(&m)?;
        assert_eq!(z.mask.to_vec::<bool>()?, mask);
        let total = ops::reduce_sum(ops::square(&z)?, 0, false)?;
        // A column of two rows has one valid entry, whose distance to the mean is 0 of 0.
        let first = total.values.to_vec::<f64>()?[0];
        assert!((first - f64::from(rows)).abs() < 1e-12, "{first}");
    }
    assert!(standardized::trace_count() <= 2);
    Ok(())
}

#[test]
fn every_kind_of_op_agrees_with_eager_calls() -> Result<()> {
    let body = |m: &MaskedTensor, t: &Tensor| {
        Ok((
            ops::maximum(m * t, ops::log(m)?)?,
            ops::select(ops::greater(m, t)?, m, t)?,
            ops::matmul(m, ops::transpose(m, [1, 0])?)?,
            m.variance(1, 1, false)?,
            MaskedTensor::from_nan(&m.values / 0.0)?.only(&m.mask)?,
            m.only_finite()?.count(0)?,
        ))
    };
    let (m, t) = (sample(), tensor![[2.0f64], [3.0], [4.0]]);
    let eager = body(&m, &t)?;
    let f = function(body);
    let traced = f.call(&m, &t)?;
    let unknown = MaskedTensorSpec {
        values: TensorSpec::of::<f64>(shape![?, ?]),
        mask: TensorSpec::of::<bool>(shape![?, ?]),
    };
    let general = f.concrete(&unknown, &TensorSpec::of::<f64>(shape![?, 1]))?;
    let general: Vec<Tensor> = general.call_flat(&[m.values.clone(), m.mask.clone(), t.clone()])?;
    let (a, b) = (nest::flatten(&eager), nest::flatten(&traced));
    for ((a, b), c) in a.iter().zip(&b).zip(&general) {
        assert_eq!(a.to_string(), b.to_string());
        assert_eq!(a.to_string(), c.to_string());
    }
    Ok(())
}

#[test]
fn numbers_leave_the_mask_of_unknown_shape_alone() -> Result<()> {
    let f = function(|m: &MaskedTensor| ops::tanh(m * 2.0 + 1.0));
    let unknown = MaskedTensorSpec {
        values: TensorSpec::of::<f64>(shape![?]),
        mask: TensorSpec::of::<bool>(shape![?]),
    };
    let text = f.concrete(&unknown)?.graph().to_string();
    assert!(!text.contains("broadcast_to") && !text.contains("select"), "{text}");
    Ok(())
}
