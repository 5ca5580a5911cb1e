//! Losses: ranks, weights, reductions, and dtypes.

use super::*;

fn item(t: Result<Tensor>) -> f32 {
    t.and_then(|t| t.item()).expect("a number")
}

#[test]
fn labels_of_one_rank_less_or_more_are_understood() -> Result<()> {
    let loss = MeanSquaredError::new();
    let column = tensor![[1.0f32], [2.0], [3.0]];
    // Not three by three: the vector is a column.
    assert_eq!(item(loss.call(&tensor![1.0f32, 2.0, 4.0], &column)), 1.0 / 3.0);
    assert_eq!(item(loss.call(&column, &tensor![1.0f32, 2.0, 4.0])), 1.0 / 3.0);
    let sparse = SparseCategoricalCrossentropy::new().from_logits();
    let logits = tensor![[0.0f32, 100.0], [100.0, 0.0]];
    assert_eq!(item(sparse.call(&tensor![1, 0], &logits)), 0.0);
    assert_eq!(item(sparse.call(&tensor![[1], [0]], &logits)), 0.0);
    assert_eq!(item(sparse.call(&tensor![1.0f32, 0.0], &logits)), 0.0);
    Ok(())
}

#[test]
fn labels_take_the_dtype_of_the_predictions() -> Result<()> {
    let p = tensor![[0.5f32, 0.5]];
    for y in [tensor![[1i32, 0]], tensor![[true, false]], tensor![[1.0f64, 0.0]]] {
        assert_eq!(item(MeanAbsoluteError::new().call(&y, &p)), 0.5);
        assert!(is_near(item(BinaryCrossentropy::new().call(&y, &p)), 2f32.ln(), 1e-6));
    }
    for dtype in [DType::F16, DType::BF16, DType::F64] {
        let loss = MeanSquaredError::new().call(&tensor![[1, 0]], &p.cast(dtype)?)?;
        let wide = if dtype == DType::F64 { dtype } else { f32 };
        assert_eq!((loss.dtype(), loss.cast(f32)?.item::<f32>()?), (wide, 0.25));
    }
    Ok(())
}

/// Where Keras wants one shape nothing is repeated, though a trace knows the sizes only when it runs.
#[test]
fn sizes_that_a_trace_does_not_know_are_compared_when_it_runs() -> Result<()> {
    #[tf_function(signature(f32[?, ?], f32[?, ?]))]
    fn loss(y: &Tensor, p: &Tensor) -> Result<Tensor> {
        CategoricalCrossentropy::new().call(y, p)
    }
    let p = tensor![[0.5f32, 0.5], [0.25, 0.75]];
    assert!(is_near(item(loss(&tensor![[1.0f32, 0.0], [1.0, 0.0]], &p)), 1.5 * 2f32.ln(), 1e-6));
    let e = loss(&tensor![[1.0f32, 0.0]], &p).unwrap_err().to_string();
    assert!(e.contains("the shapes of `y_true` and `y_pred` must be one"), "{e}");
    assert!(e.contains("[1 2]") && e.contains("[2 2]"), "{e}");
    Ok(())
}

#[test]
fn weights_are_squeezed_spread_and_counted() -> Result<()> {
    let (y, p) = (tensor![[0.0f32, 0.0], [0.0, 0.0]], tensor![[1.0f32, 1.0], [2.0, 2.0]]);
    let of = |reduction| MeanSquaredError::new().reduction(reduction);
    let weights = [tensor![1.0f32, 0.5], tensor![[1.0f32], [0.5]], tensor![2i32, 1]];
    for (i, w) in weights.iter().enumerate() {
        let scale = if i == 2 { 2.0 } else { 1.0 };
        assert_eq!(item(of(Reduction::Sum).weighted(&y, &p, w)), 3.0 * scale);
        assert_eq!(item(of(Reduction::SumOverBatchSize).weighted(&y, &p, w)), 1.5 * scale);
        assert_eq!(item(of(Reduction::Mean).weighted(&y, &p, w)), 1.5 * scale);
        assert_eq!(item(of(Reduction::MeanWithSampleWeight).weighted(&y, &p, w)), 2.0);
        let rows = of(Reduction::None).weighted(&y, &p, w)?;
        assert_eq!(rows.as_slice::<f32>()?, &[scale, 2.0 * scale]);
    }
    assert_eq!(item(of(Reduction::Sum).weighted(&y, &p, &scalar(2.0f32))), 10.0);
    // Weights of zeros, and batches of none, give no NaN.
    let none = tensor![0.0f32, 0.0];
    assert_eq!(item(of(Reduction::MeanWithSampleWeight).weighted(&y, &p, &none)), 0.0);
    let empty = Tensor::from_slice::<f32>(&[], &[0, 2])?;
    assert_eq!(item(MeanSquaredError::new().call(&empty, &empty)), 0.0);
    Ok(())
}

#[test]
fn what_is_ignored_does_not_count_in_a_mean() -> Result<()> {
    let loss = SparseCategoricalCrossentropy::new().from_logits().ignore_class(-1);
    let logits = tensor![[0.0f32, 0.0], [5.0, 1.0], [0.0, 0.0]];
    let y = tensor![0, -1, 1];
    assert!(is_near(item(loss.call(&y, &logits)), 2f32.ln(), 1e-6));
    let w = tensor![1.0f32, 7.0, 3.0];
    assert!(is_near(item(loss.weighted(&y, &logits, &w)), 2.0 * 2f32.ln(), 1e-6));
    let sum = loss.clone().reduction(Reduction::Sum);
    assert!(is_near(item(sum.weighted(&y, &logits, &w)), 4.0 * 2f32.ln(), 1e-6));
    let rows = loss.reduction(Reduction::None).call(&y, &logits)?;
    assert_eq!(rows.to_vec::<f32>()?[1], 0.0);
    Ok(())
}

#[test]
fn an_axis_may_be_another_than_the_last() -> Result<()> {
    let logits = tensor![[1.0f32, -2.0], [0.5, 3.0], [0.0, 0.25]];
    let y = tensor![[0.0f32, 1.0], [1.0, 0.0], [0.0, 0.0]];
    let (logits_t, y_t) = (logits.transpose([1, 0])?, y.transpose([1, 0])?);
    let p = ops::softmax_along(&logits, 0)?;
    let p_t = p.transpose([1, 0])?;
    let near = |a: Result<Tensor>, b: Result<Tensor>| {
        let (a, b) = (item(a), item(b));
        assert!(is_near(a, b, 1e-6), "{a} and {b}");
    };
    let loss = CategoricalCrossentropy::new().from_logits().label_smoothing(0.1);
    near(loss.clone().axis(0).call(&y, &logits), loss.call(&y_t, &logits_t));
    let loss = CategoricalCrossentropy::new();
    near(loss.clone().axis(0).call(&y, &p), loss.call(&y_t, &p_t));
    let loss = CategoricalFocalCrossentropy::new().from_logits();
    near(loss.clone().axis(0).call(&y, &logits), loss.call(&y_t, &logits_t));
    let loss = CosineSimilarity::new();
    near(loss.clone().axis(0).call(&y, &logits), loss.call(&y_t, &logits_t));
    let loss = BinaryFocalCrossentropy::new().from_logits().apply_class_balancing();
    near(loss.clone().axis(0).call(&y, &logits), loss.call(&y_t, &logits_t));
    let rows = Dice::new().axis(-1).reduction(Reduction::None).call(&y, &p)?;
    assert_eq!(rows.shape(), shape![3]);
    Ok(())
}

/// Figures worked out by hand from the formulas.
#[test]
fn losses_without_recorded_cases_follow_their_formulas() -> Result<()> {
    let (y, p) = (tensor![[2.0f32, 4.0]], tensor![[1.0f32, 5.0]]);
    assert_eq!(item(MeanAbsolutePercentageError::new().call(&y, &p)), 37.5);
    let (y, p) = (tensor![[0.0f32, 1.0, 0.0]], tensor![[0.5f32, 0.25, -1.0]]);
    assert_eq!(item(CategoricalHinge::new().call(&y, &p)), 1.25);
    let p = tensor![[0.25f32, 0.5, 0.25]];
    let focal = CategoricalFocalCrossentropy::new().alpha(0.5).gamma(1.0);
    assert!(is_near(item(focal.call(&y, &p)), 0.25 * 2f32.ln(), 1e-6));
    // Overlap 0.5, in vain 0.5, missed 0.5.
    assert!(is_near(item(Tversky::new().call(&y, &p)), 0.5, 1e-6));
    let tversky = Tversky::new().alpha(1.0).beta(2.0);
    assert!(is_near(item(tversky.call(&y, &p)), 0.75, 1e-6));
    assert!(is_near(item(Dice::new().call(&y, &p)), 0.5, 1e-6));
    Ok(())
}

#[test]
fn hinges_take_zeros_and_ones_for_signs_unless_others_are_there() {
    let p = tensor![[0.5f32, 0.5]];
    assert_eq!(item(Hinge::new().call(&tensor![[0.0f32, 1.0]], &p)), 1.0);
    assert_eq!(item(Hinge::new().call(&tensor![[-1.0f32, 1.0]], &p)), 1.0);
    assert_eq!(item(SquaredHinge::new().call(&tensor![[-1.0f32, 0.0]], &p)), 1.625);
}
