//! Corners of statistics and reductions: many halves, infinities, nothing, sizes that only a run tells.

use extype::fft;
use extype::ops::{Correlating, Fitting, Overlap, Repeated, Turning};
use extype::prelude::*;

const INF: f64 = f64::INFINITY;

fn numbers(x: &Tensor) -> Vec<f64> {
    x.cast(f64).and_then(|x| x.to_vec()).expect("numbers")
}

/// All lines whose numbers are others.
fn check(lines: &[(&str, Result<Tensor>, &[f64])]) {
    let is_near = |a: &f64, b: &f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() < 1e-6;
    let mut wrong = Vec::new();
    for (name, got, want) in lines {
        match got.as_ref().map(numbers) {
            Ok(got)
                if got.len() == want.len() && got.iter().zip(*want).all(|(a, b)| is_near(a, b)) => {
            }
            got => wrong.push(format!("{name}: {got:?} instead of {want:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All lines that are no error, or one without its words.
fn refused(lines: Vec<(&str, Result<Tensor>)>) {
    let mut wrong = Vec::new();
    for (words, got) in lines {
        let text = got.map_or_else(|e| e.to_string(), |y| format!("no error, but {y}"));
        if !text.contains(words) {
            wrong.push(format!("no {words:?} in: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn halves(x: &[f64]) -> Tensor {
    Tensor::from_vec(x.to_vec()).cast(f16).expect("halves")
}

fn gradient(f: impl Fn(&Tensor) -> Result<Tensor>, x: &Tensor) -> Result<Tensor> {
    let tape = GradientTape::new();
    tape.watch(x);
    let y = f(x)?;
    tape.gradient(&y, x)?.into_structure()
}

#[test]
fn halves_are_summed_in_wider_floats() -> Result<()> {
    let many = ops::ones([70000], f16)?;
    let alternating = ops::range(0i64, 70000i64, 1i64)?.floor_mod(2)?.cast(f16)?;
    check(&[
        ("cov", alternating.cov(ops::Ddof(0)), &[0.25]),
        ("nanmean", many.nanmean(..), &[1.0]),
        ("nanmean of zeros and ones", alternating.nanmean(..), &[0.5]),
        ("nanmean of large ones", (ops::ones([10], f16)? * 30000.0).nanmean(..), &[30000.0]),
        ("nanvar", alternating.nanvar(..), &[0.25]),
        ("density", many.histogram((2, ops::Density)).map(|h| h.0), &[0.0, 2.0]),
        ("median", halves(&[-60000.0, 60000.0]).median(..), &[0.0]),
        ("quantile", halves(&[-60000.0, 60000.0]).quantile(0.75, ..), &[30000.0]),
        ("l2_normalize", ops::l2_normalize(&halves(&[0.0, 0.0]), 0, 1e-12), &[0.0, 0.0]),
        (
            "l2_normalize of large ones",
            ops::l2_normalize(&halves(&[300.0, 400.0]), 0, 1e-12)?.cast(f64)?.round_to(3),
            &[0.6, 0.8],
        ),
        (
            "reduce_variance",
            ops::reduce_variance(&(ops::eye(20, f16)?.index(0)? * 1000.0), .., false),
            &[47488.0],
        ),
    ]);
    Ok(())
}

#[test]
fn numbers_keep_their_digits() -> Result<()> {
    let ones = ops::ones([1, 1, 3], f32)?;
    let far = [1.6e9, 1.6e9 + 1.0, 1.6e9 + 2.0];
    let edges = tensor![2047.5, 2048.5, 2049.5];
    let whole = tensor![16777216, 16777217, 16777218];
    let x = tensor![16777216.0f32];
    check(&[
        ("trapezoid", ones.trapezoid(ops::At(far)), &[2.0]),
        ("slope", tensor![1.0f32, 2.0, 3.0].slope(ops::At(far)), &[1.0, 1.0, 1.0]),
        (
            "histogram",
            halves(&[2048.0]).histogram(ops::BinEdges(edges.clone())).map(|h| h.0),
            &[1.0, 0.0],
        ),
        (
            "its edges",
            halves(&[2048.0]).histogram(ops::BinEdges(edges)).map(|h| h.1),
            &[2047.5, 2048.5, 2049.5],
        ),
        ("whole edges", x.histogram(ops::BinEdges(whole)).map(|h| h.0), &[1.0, 0.0]),
        ("nanmean of integers", tensor![1, 2].nanmean(..), &[1.5]),
        ("nanmean of bytes", ops::ones([256], u8)?.nanmean(..), &[1.0]),
        ("nanmean of bools", tensor![true, false].nanmean(..), &[0.5]),
    ]);
    Ok(())
}

#[test]
fn infinities_stay_where_they_are() -> Result<()> {
    let none = ops::zeros([0], f32)?;
    check(&[
        ("median", tensor![-INF, 1.0].median(..), &[-INF]),
        ("median of both ends", tensor![-1.7e308, 1.7e308].median(..), &[0.0]),
        ("quantile", tensor![-INF, 1.0].quantile(0.75, ..), &[-INF]),
        ("convolve", ops::convolve([1.0, 2.0], [INF, 1.0], ..), &[INF, INF, 2.0]),
        ("polymul", ops::polymul([INF, 1.0], [1.0, 2.0]), &[INF, INF, 2.0]),
        ("correlate", ops::correlate([1.0, 2.0], [INF, 1.0], Overlap::Full), &[1.0, INF, INF]),
        ("norm of nothing", none.norm(INF), &[0.0]),
        ("norm of NaN", tensor![1.0, f64::NAN].norm(INF), &[f64::NAN]),
        ("unwrap of nothing", ops::unwrap(&none, ..), &[]),
    ]);
    refused(vec![
        ("no elements", ops::zeros([0], i32)?.ptp(..)),
        ("no elements", ops::zeros([0, 3], i32)?.ptp(0)),
        ("axis 1 is given twice", tensor![[1.0, 2.0], [3.0, 4.0]].norm((1.0, [1, 1]))),
        ("is given twice", tensor![[1.0, 2.0], [3.0, 4.0]].norm((1.0, [0, -2]))),
        ("no memory", ops::hanning(usize::MAX)),
        ("no memory", ops::hanning(1 << 41)),
        ("no memory", ops::bartlett(1 << 41)),
        ("no memory", fft::fftfreq(1 << 41, ..)),
        ("beyond float32", ops::ones([2], f32)?.histogram(ops::Between(0.0, 1e39)).map(|h| h.1)),
        (
            "one is taken",
            tensor![1.0]
                .histogram((ops::Between(0.0, 1.0), ops::BinEdges(tensor![0.0, 2.0])))
                .map(|h| h.1),
        ),
    ]);
    Ok(())
}

#[test]
fn gradients_are_right_in_corners() -> Result<()> {
    let line = |x: &Tensor, y: &Tensor| ops::polyfit(x, y, 1, ..)?.sum(..);
    let y = tensor![0.0, 2.0];
    let weigh = |w: &Tensor| ops::polyfit([-1.0, 1.0], [0.0, 2.0], 1, ops::Weights(w))?.sum(..);
    let (three, of_three) = (tensor![-1.0, 0.0, 1.0], tensor![0.0, 2.0, 3.0]);
    let nudged = |i: i64, by: f64| line(&(&three + ops::zeros(3, f64)?.put([i], by)?), &of_three);
    let twice = |x: &Tensor| gradient(|x| line(x, &of_three), x)?.index(0);
    let step = 1e-5;
    let near = |i: i64| {
        let (above, below) = (nudged(i, step)?, nudged(i, -step)?);
        let middle = nudged(i, 0.0)?;
        let first = (&above - &below) / (2.0 * step);
        Ok::<_, Error>((first, (above + below - middle * 2.0) / (step * step)))
    };
    let second = near(0)?.1.item::<f64>()?;
    check(&[
        ("polyfit by places", gradient(|x| line(x, &y), &tensor![-1.0, 1.0]), &[0.0, -1.0]),
        (
            "polyfit by three places",
            gradient(|x| line(x, &of_three), &three)?.round_to(5),
            &[0.16667, -0.33333, -1.33333],
        ),
        ("polyfit by weights", gradient(weigh, &tensor![1.0, 1.0]), &[0.0, 0.0]),
        ("norm of zeros", gradient(|x| x.norm(..), &tensor![0.0, 0.0]), &[0.0, 0.0]),
        (
            "unwrap at half a turn",
            gradient(|x| ops::unwrap(x, ..)?.index(1), &tensor![0.0, std::f64::consts::PI]),
            &[0.0, 1.0],
        ),
    ]);
    let again = gradient(twice, &three)?.index(0)?.item::<f64>()?;
    assert!((again - second).abs() < 1e-3, "{again} instead of {second}");
    assert!((near(2)?.0.item::<f64>()? + 4.0 / 3.0).abs() < 1e-6);
    Ok(())
}

/// The answer of a traced function to data whose sizes it does not know.
fn unsized_call(f: fn(&Tensor) -> Result<Tensor>, x: &Tensor) -> Result<Tensor> {
    let f = function(f);
    let spec = TensorSpec::new(Shape::of_rank(x.rank().expect("a rank")), x.dtype());
    let of_spec = f.concrete(&spec)?;
    Ok(of_spec.call_flat(std::slice::from_ref(x))?[0].clone())
}

#[test]
fn traces_refuse_what_is_refused_at_once() -> Result<()> {
    let percentile = function(|q: &Tensor| tensor![1.0, 2.0, 3.0].percentile(q, ..));
    let histogram: fn(&Tensor) -> Result<Tensor> = |x| Ok(x.histogram(3)?.1);
    let places = "places for axis 0 of another size";
    refused(vec![
        ("a quantile is from 0 to 100", percentile.call(&scalar(-20.0))),
        ("a quantile is from 0 to 100", percentile.call(&scalar(f64::NAN))),
        ("a quantile is from 0 to 100", percentile.call(&scalar(120.0))),
        ("a quantile is from 0 to 100, not 150", tensor![1.0].percentile(150, ..)),
        ("not of shape [1, 1]", tensor![1.0].quantile([[0.5]], ..)),
        (places, unsized_call(|x| x.trapezoid(ops::At([0.0, 5.0])), &tensor![1.0, 2.0, 3.0, 4.0])),
        (
            "one length",
            unsized_call(|p| ops::interp([0.5], p, [1.0, 2.0, 3.0]), &tensor![0.0, 1.0]),
        ),
        ("Between", unsized_call(histogram, &tensor![1.0, f64::NAN])),
        (
            "weights of another shape",
            unsized_call(|w| tensor![1.0, 2.0].average(ops::Weights(w)), &tensor![9.0]),
        ),
        (
            "weights for axis 0 of another size",
            unsized_call(
                |w| ops::polyfit([1.0, 2.0], [1.0, 2.0], 0, ops::Weights(w)),
                &tensor![9.0],
            ),
        ),
    ]);
    let none = ops::zeros([0], f64)?;
    check(&[
        ("histogram of nothing", unsized_call(histogram, &none), &[0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]),
        ("percentile", percentile.call(&scalar(50.0)), &[2.0]),
    ]);
    Ok(())
}

#[test]
fn weights_are_as_many_as_what_they_weigh() -> Result<()> {
    let x = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let turned = ops::ones([3, 2], f64)?;
    let empty = ops::zeros([0], f64)?;
    refused(vec![
        ("weights of shape [1] for axis 1", x.average((1, ops::Weights(&tensor![9.0])))),
        ("weights of another shape", x.average(ops::Weights(&tensor![[1.0, 2.0, 3.0]]))),
        ("weights of another shape", x.histogram(ops::Weights(&turned)).map(|h| h.0)),
        ("no points", ops::polyfit(&empty, &empty, 1, ..)),
    ]);
    Ok(())
}

#[test]
fn options_are_taken_as_a_whole() -> Result<()> {
    let x = tensor![[1.0, 2.0], [3.0, 6.0]];
    check(&[
        ("polyder", ops::polyder([1.0, 1.0, 1.0], Repeated { times: 2 }), &[2.0]),
        ("unwrap", ops::unwrap([1.0, 2.0], Turning { axis: 0 }), &[1.0, 2.0]),
        ("polyfit", ops::polyfit([1.0, 2.0], [3.0, 3.0], 0, Fitting::default()), &[3.0]),
        ("corrcoef", x.corrcoef(Correlating { by_columns: true }), &[1.0; 4]),
    ]);
    Ok(())
}
