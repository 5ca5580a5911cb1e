//! Reductions, running reductions, norms, softmax and losses as a user calls them.

use extype::prelude::*;

fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec().unwrap()
}

#[track_caller]
fn close(got: &Tensor, want: &[f64]) {
    let got = got.cast(f64).unwrap().to_vec::<f64>().unwrap();
    assert_eq!(got.len(), want.len());
    for (a, b) in got.iter().zip(want) {
        assert!((a - b).abs() <= 1e-5 * (1.0 + b.abs()), "{got:?} instead of {want:?}");
    }
}

#[track_caller]
fn refused(result: Result<Tensor>, kind: ErrorKind, parts: &[&str]) {
    let e = result.unwrap_err();
    let text = e.to_string();
    assert_eq!(e.kind(), kind, "{text}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

use ErrorKind::InvalidArgument;

fn matrix() -> Tensor {
    tensor![[1.0f32, -2.0, 3.0], [4.0, 5.0, -6.0]]
}

#[test]
fn the_gradient_of_a_product_is_right_where_factors_are_zero() -> Result<()> {
    let x = Tensor::from_slice(&[2.0f32, 0.0, 3.0, 4.0, 5.0, 0.0, 0.0, 6.0], &[2, 2, 2])?;
    // Over the outer axes: columns [2, 3, 5, 0] and [0, 4, 0, 6].
    let want = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 30.0, 0.0];
    let product = |x: &Tensor, axes: &Tensor| x.reduce_prod(axes, false);
    let axes = tensor![0i64, -2];
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = product(&x, &axes)?;
    close(&y, &[0.0, 0.0]);
    close(&tape.gradient(&y, &x)?.into_structure()?, &want);
    // The same where neither sizes nor axes are known.
    let f = function(move |x: &Tensor, axes: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = product(x, axes)?;
        tape.gradient(&y, x)?.into_structure()
    });
    let specs = (TensorSpec::new(Shape::of_rank(3), f32), TensorSpec::new(Shape::of_rank(1), i64));
    close(&f.concrete(&specs.0, &specs.1)?.call_flat(&[x, axes])?[0], &want);
    Ok(())
}

#[test]
fn a_product_differentiates_twice() -> Result<()> {
    let x = tensor![2.0f64, 3.0, 4.0];
    let (outer, inner) = (GradientTape::new(), GradientTape::new());
    outer.watch(&x);
    inner.watch(&x);
    let y = x.reduce_prod(.., false)?;
    let first = inner.gradient(&y, &x)?.into_structure()?;
    close(&first, &[12.0, 8.0, 6.0]);
    // d/dx of (bc + ac + ab).
    close(&outer.gradient(&first.reduce_sum(.., false)?, &x)?.into_structure()?, &[7.0, 6.0, 5.0]);
    Ok(())
}

#[test]
fn norms_of_vectors_and_matrices() -> Result<()> {
    let x = matrix();
    close(&ops::norm(&x, ..)?, &[91f64.sqrt()]);
    close(&ops::norm(&x, (2.0, 1))?, &[14f64.sqrt(), 77f64.sqrt()]);
    close(&ops::norm(&x, (1.0, 0))?, &[5.0, 7.0, 9.0]);
    close(&ops::norm(&x, (f64::INFINITY, -1))?, &[3.0, 6.0]);
    close(&ops::norm(&x, (3.0, 1))?, &[36f64.cbrt(), 405f64.cbrt()]);
    close(&ops::norm(&x, (1.0, [0, 1]))?, &[9.0]);
    close(&ops::norm(&x, (f64::INFINITY, [-2, -1]))?, &[15.0]);
    assert_eq!(ops::norm(&x, (1.0, [0, 1], KeepDims))?.shape(), shape![1, 1]);
    close(&x.reduce_euclidean_norm(1, false)?, &[14f64.sqrt(), 77f64.sqrt()]);
    let (y, n) = ops::normalize(&x, 1)?;
    assert_eq!(n.shape(), shape![2, 1]);
    close(&ops::norm(&y, (2.0, 1))?, &[1.0, 1.0]);
    close(&ops::l2_normalize(&tensor![0.0f32, 0.0], 0, 1e-12)?, &[0.0, 0.0]);
    Ok(())
}

#[test]
fn moments_of_halves_do_not_lose_small_differences() -> Result<()> {
    let x = Tensor::from_vec([2048.0f32, 2050.0].repeat(500)).cast(f16)?;
    let (mean, variance) = ops::moments(&x, .., false)?;
    assert_eq!((mean.dtype(), variance.dtype()), (f16, f16));
    close(&variance, &[1.0]);
    close(&ops::reduce_std(&matrix(), 1, false)?, &[(38f64 / 9.0).sqrt(), (74f64 / 3.0).sqrt()]);
    Ok(())
}

#[test]
fn spreads_of_complex_numbers_are_real() -> Result<()> {
    let i = scalar(-1.0f32).cast(complex64)?.sqrt()?;
    let parts = tensor![3.0f32, -3.0].cast(complex64)?;
    let x = ops::add(&parts, ops::mul(&i, tensor![4.0f32, -4.0].cast(complex64)?)?)?;
    close(&ops::reduce_variance(&x, .., false)?, &[25.0]);
    close(&ops::reduce_std(&x, .., false)?, &[5.0]);
    let (mean, variance) = ops::moments(&x, .., false)?;
    assert_eq!((mean.dtype(), variance.dtype()), (DType::Complex64, DType::F32));
    close(&variance, &[25.0]);
    let unit = ops::l2_normalize(&x, 0, 1e-12)?;
    assert_eq!(unit.dtype(), DType::Complex64);
    close(&unit.cast(f32)?, &[3.0 / 50f64.sqrt(), -3.0 / 50f64.sqrt()]);
    Ok(())
}

#[test]
fn counts_of_anything() -> Result<()> {
    let count = |x: &Tensor| ops::count_nonzero(x, ..)?.item::<i64>();
    assert_eq!(count(&tensor![0.0f32, -0.0, f32::NAN, 1.0])?, 2);
    assert_eq!(count(&tensor![true, false, true])?, 2);
    assert_eq!(count(&Tensor::from_strings(&["", "a"], &[2])?)?, 1);
    assert_eq!(ops::zero_fraction(&tensor![0i32, 1, 0, 0])?.item::<f32>()?, 0.75);
    Ok(())
}

#[test]
fn losses_of_any_rank_are_those_of_the_rows() -> Result<()> {
    let logits = random_logits();
    let flat = logits.reshape([6, 4])?;
    let labels = tensor![[0i32, 3, 1], [2, 2, 0]];
    let sparse = ops::sparse_softmax_cross_entropy_with_logits(&labels, &logits)?;
    assert_eq!(sparse.shape(), shape![2, 3]);
    let want = ops::sparse_softmax_cross_entropy_with_logits(&labels.reshape([-1])?, &flat)?;
    assert_eq!(floats(&sparse), floats(&want));
    let one_hot: Vec<f32> = labels
        .as_slice::<i32>()?
        .iter()
        .flat_map(|label| (0..4).map(move |i| if i == *label { 1.0 } else { 0.0 }))
        .collect();
    let one_hot = Tensor::from_slice(&one_hot, &[2, 3, 4])?;
    let dense = ops::softmax_cross_entropy_with_logits(&one_hot, &logits)?;
    close(&dense, &floats(&sparse).into_iter().map(f64::from).collect::<Vec<_>>());
    let f = function(|labels: &Tensor, logits: &Tensor| {
        ops::softmax_cross_entropy_with_logits(labels, logits)
    });
    let spec = TensorSpec::new(Shape::of_rank(3), f32);
    let traced = f.concrete(&spec, &spec)?.call_flat(&[one_hot, logits])?;
    assert_eq!(floats(&traced[0]), floats(&dense));
    Ok(())
}

fn random_logits() -> Tensor {
    extype::random::stateless_normal([2, 3, 4], [1, 2], 0.0, 3.0, f32).unwrap()
}

#[test]
fn softmax_along_an_axis_sums_up_to_one_there() -> Result<()> {
    let x = random_logits();
    for axis in [0i64, 1, 2, -1, -2, -3] {
        let y = ops::softmax_along(&x, axis)?;
        assert_eq!(y.shape(), x.shape());
        let sums = y.reduce_sum(axis, false)?;
        close(&sums, &vec![1.0; sums.value()?.len()]);
        let logs = ops::log_softmax_along(&x, axis)?.exp()?;
        close(&logs, &floats(&y).into_iter().map(f64::from).collect::<Vec<_>>());
    }
    Ok(())
}

#[test]
fn the_gradient_of_the_sigmoid_loss_at_zero_is_half_off_the_label() -> Result<()> {
    let (labels, logits) = (tensor![0.0f32, 1.0], tensor![0.0f32, 0.0]);
    let tape = GradientTape::new();
    tape.watch(&logits);
    let loss = ops::sigmoid_cross_entropy_with_logits(&labels, &logits)?;
    close(&tape.gradient(&loss, &logits)?.into_structure()?, &[0.5, -0.5]);
    let one = ops::weighted_cross_entropy_with_logits(&labels, tensor![2.0f32, -3.0], 1.0)?;
    let same = ops::sigmoid_cross_entropy_with_logits(&labels, tensor![2.0f32, -3.0])?;
    close(&one, &floats(&same).into_iter().map(f64::from).collect::<Vec<_>>());
    Ok(())
}

#[test]
fn wrong_axes_and_dtypes_are_refused_by_name() {
    let x = matrix();
    refused(x.argmax(2), InvalidArgument, &["argmax", "2"]);
    refused(x.argmin(-3), InvalidArgument, &["argmin", "-3"]);
    let empty = Tensor::from_slice::<f32>(&[], &[0, 3]).unwrap();
    refused(empty.argmax(0), InvalidArgument, &["argmax", "[0, 3]", "empty"]);
    refused(x.cumsum(5), InvalidArgument, &["cumsum", "5"]);
    let text = Tensor::from_strings(&["a"], &[1]).unwrap();
    refused(text.cumsum(0), InvalidArgument, &["cumsum", "string"]);
    refused(tensor![1i32].cumulative_logsumexp(0, false, false), InvalidArgument, &["int32"]);
    refused(x.reduce_prod([0, 0], false), InvalidArgument, &["reduce_prod", "twice"]);
    refused(tensor![true].reduce_prod(0, false), InvalidArgument, &["reduce_prod", "bool"]);
    refused(ops::reduce_variance(&tensor![1i32], .., false), InvalidArgument, &["int32", "cast"]);
    refused(ops::norm(&x, (3.0, [0, 1])), InvalidArgument, &["matrices", "3"]);
    refused(ops::norm(&x, (2.0, [0, 1, 2])), InvalidArgument, &["one axis or two"]);
}

#[test]
fn wrong_losses_are_refused_by_name() {
    let x = matrix();
    refused(ops::softmax(tensor![1i32, 2]), InvalidArgument, &["softmax", "int32"]);
    refused(ops::softmax(scalar(1.0f32)), InvalidArgument, &["softmax", "rank"]);
    refused(ops::softmax_along(&x, 2), InvalidArgument, &["2"]);
    let sparse =
        |labels: &Tensor, x: &Tensor| ops::sparse_softmax_cross_entropy_with_logits(labels, x);
    refused(sparse(&tensor![0i32, 3], &x), InvalidArgument, &["label 3", "[0, 3)"]);
    refused(sparse(&tensor![0i32, -1], &x), InvalidArgument, &["label -1", "[0, 3)"]);
    refused(sparse(&tensor![0i32], &x), InvalidArgument, &["[1]", "[2, 3]"]);
    let dense = ops::softmax_cross_entropy_with_logits;
    let wide = Tensor::from_slice(&[0.0f32; 8], &[2, 4]).unwrap();
    refused(dense(&wide, &x), InvalidArgument, &["[2, 3]", "[2, 4]"]);
    let sigmoid = ops::sigmoid_cross_entropy_with_logits;
    refused(sigmoid(&wide, &x), InvalidArgument, &["[2, 4]", "[2, 3]"]);
    refused(ops::in_top_k(&tensor![0i32], &x, 1), InvalidArgument, &["in_top_k", "[2, 3]"]);
}

#[test]
fn all_axes_of_an_unknown_rank_leave_a_scalar() -> Result<()> {
    let sum = function(|x: &Tensor| x.reduce_sum(.., false));
    let traced = sum.concrete(&TensorSpec::new(Shape::unknown(), DType::F32))?;
    assert_eq!(traced.output_spec().to_string(), TensorSpec::of::<f32>([]).to_any().to_string());
    assert_eq!(traced.call_flat(&[matrix()])?[0].shape(), shape![]);
    Ok(())
}
