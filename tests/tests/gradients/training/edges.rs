//! Figures of Keras 3 (on TensorFlow 2.21) at the borders, where formulas that are equal on paper
//! differ.

use super::*;

/// The values of a variable that begins with one, after each gradient.
fn run(optimizer: AnyOptimizer, dtype: DType, gradients: &[f32]) -> Result<Vec<f32>> {
    let v = Variable::new(scalar(1.0f32).cast(dtype)?)?;
    let step = |g: &f32| {
        optimizer.apply_gradients([(Some(scalar(*g)), v.clone())])?;
        v.read()?.cast(f32)?.item()
    };
    gradients.iter().map(step).collect()
}

/// The square of 300 is infinite in float16.
#[test]
fn a_square_that_overflows_is_kept_and_no_nan() -> Result<()> {
    let gradients = [300.0, 1.0, 1.0];
    for optimizer in [RMSprop::new(0.125).erased(), Adadelta::new(0.5).erased()] {
        assert_eq!(run(optimizer, DType::F16, &gradients)?, [1.0, 1.0, 1.0]);
    }
    Ok(())
}

#[test]
fn a_small_square_after_a_large_one_counts() -> Result<()> {
    let optimizer = RMSprop::new(0.125).rho(0.0).epsilon(1e-12).erased();
    let values = run(optimizer, f32, &[100.0, 1e-4])?;
    assert!(is_near(values[1], 0.750_006_26, 1e-6), "{values:?}");
    Ok(())
}

#[test]
fn averages_go_on_without_a_gradient() -> Result<()> {
    let (v, w) = (Variable::new(scalar(1.0f32))?, Variable::new(scalar(7.0f32))?);
    let optimizer = SGD::new(1.0).ema_momentum(0.5);
    let step = || optimizer.apply_gradients([(Some(scalar(1.0f32)), v.clone()), (None, w.clone())]);
    step()?;
    step()?;
    w.assign(3.0f32)?;
    step()?;
    optimizer.finalize_variable_values(&(v.clone(), w.clone()))?;
    assert_eq!((v.read()?.item::<f32>()?, w.read()?.item::<f32>()?), (-1.25, 5.0));
    Ok(())
}

#[test]
fn alpha_and_beta_of_tversky_weigh_as_in_keras() -> Result<()> {
    let (y, p) = (tensor![[1.0f32, 0.0, 1.0]], tensor![[0.5f32, 0.25, 0.75]]);
    let loss = Tversky::new().alpha(0.3).beta(0.7).call(&y, &p)?;
    assert!(is_near(loss.item()?, 0.242_424_31, 1e-6), "{loss:?}");
    Ok(())
}

#[test]
fn focal_losses_of_large_logits_are_not_cut_off() -> Result<()> {
    let (y, logits) = (tensor![[0.0f32, 1.0, 1.0]], tensor![[100.0f32, -100.0, 2.0]]);
    let tape = GradientTape::new();
    let (loss, gradients) = tape.value_and_gradient(&logits, || {
        BinaryFocalCrossentropy::new().from_logits().call(&y, &logits)
    })?;
    assert!(is_near(loss.item()?, 66.667_27, 1e-5), "{loss:?}");
    let gradient = gradients.leaf(0)?.expect("there is one").to_vec::<f32>()?;
    for (x, wanted) in gradient.iter().zip([0.333_333_34, -0.333_333_34, -0.001_623_65]) {
        assert!(is_near(*x, wanted, 1e-6), "{gradient:?}");
    }
    Ok(())
}

#[test]
fn losses_of_halves_are_computed_in_float32() -> Result<()> {
    for dtype in [DType::F16, DType::BF16] {
        let p = tensor![[0.0f32, 1.0]].cast(dtype)?;
        let tape = GradientTape::new();
        let (loss, gradients) =
            tape.value_and_gradient(&p, || BinaryCrossentropy::new().call(&tensor![[0, 1]], &p))?;
        assert!((loss.item::<f32>()? - 1.192e-7).abs() < 1e-10, "{loss:?}");
        assert_eq!(gradients.leaf(0)?.as_ref().map(Tensor::dtype), Some(dtype));
        let zeros = tensor![[0.0f32, 0.0]].cast(dtype)?;
        let loss = CosineSimilarity::new().call(&tensor![[1, 1]], &zeros)?;
        assert_eq!(loss.item::<f32>()?, 0.0);
        // More rows than float16 can count.
        let p = ops::fill([70_000, 1], scalar(4.0f32).cast(dtype)?)?;
        let loss = MeanSquaredError::new().call(&p.zeros_like()?, &p)?;
        assert_eq!(loss.item::<f32>()?, 16.0);
    }
    Ok(())
}

#[test]
fn a_gradient_of_unknown_shape_is_not_spread() -> Result<()> {
    for optimizer in [SGD::new(1.0).erased(), Adam::new(1.0).erased(), Ftrl::new(1.0).erased()] {
        let v = Variable::new(tensor![1.0f32, 2.0, 3.0])?;
        let f = {
            let v = v.clone();
            function(move |g: &Tensor| {
                optimizer.apply_gradients([(Some(g.clone()), v.clone())])?;
                v.read()
            })
        };
        let concrete = f.concrete(&TensorSpec::new(shape![?], f32))?;
        assert!(concrete.call_flat(&[tensor![1.0f32]]).is_err());
        assert_eq!(v.read()?.as_slice::<f32>()?, &[1.0, 2.0, 3.0]);
        concrete.call_flat(&[tensor![1.0f32, 1.0, 1.0]])?;
    }
    Ok(())
}

/// The loss in a trace that knows the ranks only.
fn rank_only(loss: impl Loss + 'static, x: [Tensor; 3]) -> Result<f32> {
    let f = function(move |x: &Vec<Tensor>| loss.weighted(&x[0], &x[1], &x[2]));
    let spec = |t: &Tensor| TensorSpec::new(Shape::of_rank(t.rank().unwrap_or(0)), t.dtype());
    let concrete = f.concrete(&x.iter().map(spec).collect::<Vec<_>>())?;
    concrete.call_flat(&x)?[0].item()
}

#[test]
fn axes_of_size_one_are_understood_where_a_trace_does_not_know_them() -> Result<()> {
    let (y, p) = (tensor![[0.0f32, 0.0], [0.0, 0.0]], tensor![[1.0f32, 1.0], [2.0, 2.0]]);
    let mse = MeanSquaredError::new;
    let column = tensor![[1.0f32], [0.5]];
    assert_eq!(rank_only(mse(), [y.clone(), p.clone(), column])?, 1.5);
    assert_eq!(rank_only(mse(), [y.clone(), p.clone(), scalar(2.0f32)])?, 5.0);
    // Labels in a row, predictions in a column.
    let x = [tensor![1.0f32, 2.0], tensor![[1.0f32], [4.0]], scalar(1.0f32)];
    assert_eq!(rank_only(mse(), x)?, 2.0);
    let x = [tensor![[1], [0]], tensor![[0.5f32, 0.5], [0.5, 0.5]], tensor![1.0f32, 1.0]];
    let sparse = SparseCategoricalCrossentropy::new().ignore_class(7);
    assert!(is_near(rank_only(sparse, x)?, 2f32.ln(), 1e-6));
    // Not a table of both rows with both.
    assert!(rank_only(mse(), [y.clone(), p.clone(), y]).is_err());
    Ok(())
}
