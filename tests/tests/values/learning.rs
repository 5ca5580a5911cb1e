//! Distributions with parameters, simulated quantization, losses of label sequences and of drawn classes, sound.

use extype::ops::{BatchMajor, Blank};
use extype::prelude::*;
use extype::random::{self, Generator, Seed};

fn mean(x: &Tensor) -> f64 {
    x.cast(f64).and_then(|x| x.mean(..)).and_then(|x| x.item()).unwrap()
}

#[test]
fn draws_have_the_moments_of_their_distributions() -> Result<()> {
    const N: usize = 20_000;
    assert!((mean(&random::gamma(0.4, N, (f64, Seed(1)))?) - 0.4).abs() < 0.03);
    assert!((mean(&random::poisson(3.5, N, (i64, Seed(1)))?) - 3.5).abs() < 0.1);
    assert!((mean(&random::binomial(30.0, 0.2, N, (i32, Seed(1)))?) - 6.0).abs() < 0.1);
    assert!((mean(&random::beta(1.0, 3.0, N, (f64, Seed(1)))?) - 0.25).abs() < 0.01);
    let t = random::student_t(10.0, N, (f64, Seed(1)))?;
    assert!((mean(&t.square()?) - 1.25).abs() < 0.1, "{}", mean(&t.square()?));
    let classes = random::categorical(&tensor![[0.0f32, 3f32.ln()]], N as i32, Seed(1))?;
    assert!((mean(&classes) - 0.75).abs() < 0.02);
    Ok(())
}

#[test]
fn small_parameters_do_not_make_nan() -> Result<()> {
    let x = random::dirichlet(tensor![1e-3f32, 1e-3, 1e-3], 500, Seed(2))?;
    let sums = x.sum(-1)?.to_vec::<f32>()?;
    assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-4), "{sums:?}");
    let x = random::beta(1e-3, 1e-3, 500, Seed(2))?;
    assert!(x.to_vec::<f32>()?.iter().all(|x| (0.0..=1.0).contains(x)));
    Ok(())
}

#[test]
fn parameters_broadcast_to_the_shape_and_seeds_repeat_draws() -> Result<()> {
    let alpha = tensor![[1.0f32], [100.0]];
    let draw = || random::gamma(&alpha, [2, 50], Seed(3));
    let x = draw()?;
    assert_eq!(x.to_vec::<f32>()?, draw()?.to_vec::<f32>()?);
    let rows = x.mean(1)?.to_vec::<f32>()?;
    assert!(rows[0] < 3.0 && rows[1] > 80.0, "{rows:?}");
    assert!(random::gamma(tensor![1.0f32, 2.0, 3.0], [2, 2], ..).is_err());
    assert!(random::gamma(1.0, [2], (i32, Seed(1))).is_err());
    Ok(())
}

#[test]
fn the_mean_of_gamma_numbers_moves_with_their_shape() -> Result<()> {
    // The mean is alpha, so its derivative is one; that of the mean of beta numbers, b / (a + b)².
    let of_gamma = |a: &Tensor| random::gamma(a, [5000], (f64, Seed(4)))?.mean(..);
    let slope = grad(of_gamma)(&scalar(2.5f64))?.item::<f64>()?;
    assert!((slope - 1.0).abs() < 0.05, "{slope}");
    let of_beta = |a: &Tensor| random::beta(a, 3.0, [5000], (f64, Seed(4)))?.mean(..);
    let slope = grad(of_beta)(&scalar(2.0f64))?.item::<f64>()?;
    assert!((slope - 3.0 / 25.0).abs() < 0.02, "{slope}");
    Ok(())
}

#[test]
fn truncated_numbers_move_with_their_bounds() -> Result<()> {
    let mean_of = |low: &Tensor, high: &Tensor| {
        let seed = [5, 6];
        let draw = random::stateless_parameterized_truncated_normal;
        draw([4000], seed, 0.0, 1.0, low..high, f64)?.mean(..)
    };
    // Of a narrow range the mean is about the middle.
    let (low, high) = (scalar(0.3f64), scalar(0.4f64));
    let of_low = grad(|x: &Tensor| mean_of(x, &high))(&low)?.item::<f64>()?;
    let of_high = grad(|x: &Tensor| mean_of(&low, x))(&high)?.item::<f64>()?;
    assert!((of_low - 0.5).abs() < 0.05 && (of_high - 0.5).abs() < 0.05, "{of_low} {of_high}");
    let infinite = grad(|x: &Tensor| {
        let draw = random::stateless_parameterized_truncated_normal;
        draw([100], [5, 6], x, 1.0, 0.0..f64::INFINITY, f64)?.mean(..)
    });
    assert!(infinite(&scalar(0.0f64))?.item::<f64>()?.is_finite());
    Ok(())
}

#[test]
fn generators_draw_binomial_numbers_in_traced_functions() -> Result<()> {
    let generator = Generator::from_seed(7)?;
    let draw = function(move |p: &Tensor| generator.binomial([100], &scalar(40.0f32), p, i32));
    let (a, b) = (draw.call(&scalar(0.5f32))?, draw.call(&scalar(0.5f32))?);
    assert_ne!(a.to_vec::<i32>()?, b.to_vec::<i32>()?);
    assert!((mean(&a) - 20.0).abs() < 2.0);
    Ok(())
}

#[test]
fn fake_quantization_passes_gradients_within_its_range() -> Result<()> {
    let x = tensor![-3.0f32, 0.4, 5.0];
    let y = |x: &Tensor| ops::fake_quant_with_min_max_args(x, -1.0, 1.0, 8, false);
    assert_eq!(grad(y)(&x)?.to_vec::<f32>()?, [0.0, 1.0, 0.0]);
    let (low, high) = (scalar(-1.0f32), scalar(1.0f32));
    let of_high = grad(|high: &Tensor| ops::fake_quant_with_min_max_vars(&x, &low, high, 8, false));
    assert_eq!(of_high(&high)?.item::<f32>()?, 1.0);
    let of_low = grad(|low: &Tensor| ops::fake_quant_with_min_max_vars(&x, low, &high, 8, false));
    assert_eq!(of_low(&low)?.item::<f32>()?, 1.0);
    Ok(())
}

#[test]
fn losses_of_sequences_do_not_depend_on_the_place_of_the_blank() -> Result<()> {
    let logits = random::normal([5, 2, 4], 0.0, 1.0, (f64, Seed(8)))?;
    let (labels, lengths, steps) = (tensor![[0, 2, 2], [1, 0, 0]], tensor![3, 1], tensor![5, 4]);
    let last = ops::ctc_loss(&labels, &logits, &lengths, &steps, Blank(-1))?;
    // The blank in front, and every label one higher.
    let moved = logits.gather([3, 0, 1, 2], 2)?;
    let first = ops::ctc_loss(&(&labels + 1), &moved, &lengths, &steps, ..)?;
    assert_eq!(first.to_vec::<f64>()?, last.to_vec::<f64>()?);
    let swapped = moved.transpose([1, 0, 2])?;
    let swapped = ops::ctc_loss(&(&labels + 1), &swapped, &lengths, &steps, BatchMajor)?;
    assert_eq!(first.to_vec::<f64>()?, swapped.to_vec::<f64>()?);
    Ok(())
}

#[test]
fn a_sequence_without_labels_is_all_blanks() -> Result<()> {
    let logits = random::normal([3, 1, 3], 0.0, 1.0, (f64, Seed(9)))?;
    let loss = ops::ctc_loss(&tensor![[1]], &logits, &tensor![0], &tensor![3], ..)?;
    let blanks = ops::log_softmax(&logits)?.index((.., 0, 0))?.sum(..)?;
    assert!((loss.item::<f64>()? + blanks.item::<f64>()?).abs() < 1e-12);
    let of = |x: &Tensor| ops::ctc_loss(&tensor![[1]], x, &tensor![0], &tensor![3], ..);
    let slopes = grad(of)(&logits)?.sum(-1)?.to_vec::<f64>()?;
    assert!(slopes.iter().all(|sum| sum.abs() < 1e-12), "{slopes:?}");
    Ok(())
}

#[test]
fn sound_goes_to_a_file_and_back() -> Result<()> {
    let sound = tensor![[0.5f32, -2.0], [0.0, 2.0]];
    let file = ops::encode_wav(&sound, 44_100)?;
    let (same, rate) = ops::decode_wav(&file, -1, -1)?;
    assert_eq!(same.to_vec::<f32>()?, [0.5, -1.0, 0.0, 32767.0 / 32768.0]);
    assert_eq!(rate.item::<i32>()?, 44_100);
    let (longer, _) = ops::decode_wav(&file, 3, 3)?;
    assert_eq!(longer.shape(), shape![3, 3]);
    assert_eq!(longer.index((0, ..))?.to_vec::<f32>()?, [0.5, -1.0, -1.0]);
    for n in 0..43 {
        let text = file.value()?.as_strings()?[0][..n].to_vec();
        let cut = Tensor::from(extype::array::Array::from_strings([], vec![text])?);
        let e = ops::decode_wav(&cut, -1, -1).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{n}: {e}");
    }
    Ok(())
}

#[test]
fn traces_take_unknown_sizes() -> Result<()> {
    let loss = function(|logits: &Tensor| {
        let (labels, lengths) = (tensor![[1, 2], [3, 1]], tensor![2, 1]);
        ops::ctc_loss(&labels, logits, &lengths, &tensor![4, 3], ..)
    });
    let logits = random::normal([4, 2, 4], 0.0, 1.0, (f32, Seed(1)))?;
    let spec = TensorSpec::new(shape![?, 2, 4], f32);
    let traced: Tensor = loss.concrete(&spec)?.call((&logits,))?;
    assert_eq!(traced.to_vec::<f32>()?, loss.call(&logits)?.to_vec::<f32>()?);
    let drawn = function(|shape: &Tensor| random::gamma(2.0, shape, Seed(1)));
    let spec = TensorSpec::new(shape![?], i32);
    let found: Tensor = drawn.concrete(&spec)?.call((&tensor![2, 3],))?;
    assert_eq!(found.shape(), shape![2, 3]);
    let unique = function(|labels: &Tensor| Ok(ops::ctc_unique_labels(labels)?.0));
    let spec = TensorSpec::new(shape![?, ?], i32);
    let found: Tensor = unique.concrete(&spec)?.call((&tensor![[5, 5, 2], [0, 1, 0]],))?;
    assert_eq!(found.to_vec::<i64>()?, [5, 2, 0, 0, 1, 0]);
    Ok(())
}

#[test]
fn empty_operands_are_answered() -> Result<()> {
    let none = ops::zeros([0], f32)?;
    assert_eq!(random::gamma(&none, [0], ..)?.shape(), shape![0]);
    assert_eq!(random::poisson(1.0, [3, 0], ..)?.shape(), shape![3, 0]);
    assert_eq!(ops::fake_quant_with_min_max_args(&none, 0.0, 1.0, 8, false)?.shape(), shape![0]);
    let (labels, lengths) = ops::collapse_repeated(&ops::zeros([2, 0], i32)?, &tensor![0, 0])?;
    assert_eq!((labels.shape(), lengths.to_vec::<i32>()?), (shape![2, 0], vec![0, 0]));
    Ok(())
}
