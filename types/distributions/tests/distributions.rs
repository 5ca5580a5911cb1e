//! Densities, moments and divergences against sums over a grid, and draws against these.

use extype::prelude::*;
use extype::random::Seed;
use extype::spec::{stack_values, unstack_values};
use extype_distributions::{Distribution, Mixture};

fn number(x: &Tensor) -> f64 {
    x.item::<f64>().unwrap()
}

fn close(found: f64, wanted: f64, by: f64, what: &str) {
    assert!(
        (found - wanted).abs() <= by * wanted.abs().max(1.0),
        "{what}: {found}, wanted {wanted}"
    );
}

/// Pairs of distributions of numbers of one kind, and where nearly all of their draws are.
fn continuous() -> Vec<(Distribution, Distribution, f64, f64)> {
    let d = |x: Result<Distribution>| x.unwrap();
    vec![
        (d(Distribution::normal(1.5, 0.7)), d(Distribution::normal(-0.5, 1.2)), -14.0, 14.0),
        (d(Distribution::uniform(0.5, 2.0)), d(Distribution::uniform(0.0, 3.0)), 0.0, 3.0),
        (d(Distribution::gamma(3.5, 2.0)), d(Distribution::gamma(2.5, 1.0)), 0.0, 60.0),
        (d(Distribution::beta(2.5, 3.5)), d(Distribution::beta(3.0, 2.0)), 0.0, 1.0),
    ]
}

#[test]
fn densities_and_moments_agree() -> Result<()> {
    for (p, q, low, high) in continuous() {
        let n = 200_001i64;
        let step = (high - low) / n as f64;
        let x =
            ops::add(&ops::mul(&ops::range(0i64, n, 1i64)?.cast(f64)?, step)?, low + step / 2.0)?;
        let (log_p, log_q) = (p.log_prob(&x)?, q.log_prob(&x)?);
        let density = log_p.exp()?;
        let mean_of = |f: &Tensor| -> Result<f64> {
            Ok(number(&ops::mul_no_nan(f, &density)?.reduce_sum(.., false)?) * step)
        };
        let kind = p.kind();
        close(mean_of(&x.ones_like()?)?, 1.0, 1e-4, kind);
        let mean = mean_of(&x)?;
        close(number(&p.mean()?), mean, 1e-4, kind);
        close(number(&p.variance()?), mean_of(&ops::sub(&x, mean)?.square()?)?, 1e-4, kind);
        close(number(&p.entropy()?), -mean_of(&log_p)?, 1e-4, kind);
        close(number(&p.kl(&q)?), mean_of(&ops::sub(&log_p, &log_q)?)?, 1e-4, kind);
        close(number(&p.kl(&p)?), 0.0, 1e-9, kind);
    }
    Ok(())
}

#[test]
fn draws_have_the_moments() -> Result<()> {
    for (p, _, _, _) in continuous() {
        let x = p.sample(40_000, Seed(3))?;
        close(number(&x.mean(..)?), number(&p.mean()?), 0.02, p.kind());
        close(number(&x.var(..)?), number(&p.variance()?), 0.03, p.kind());
        assert!(p.log_prob(&x)?.is_finite()?.reduce_all(.., false)?.item::<bool>()?);
        assert_eq!(x.to_vec::<f64>()?, p.sample(40_000, Seed(3))?.to_vec::<f64>()?);
    }
    let p = Distribution::dirichlet([1.0, 2.0, 3.0])?;
    let x = p.sample(40_000, Seed(3))?;
    assert_eq!(x.shape(), shape![40_000, 3]);
    for i in 0..3 {
        let one = x.index((.., i))?;
        close(number(&one.mean(..)?), number(&p.mean()?.index(i)?), 0.02, "Dirichlet");
        close(number(&one.var(..)?), number(&p.variance()?.index(i)?), 0.03, "Dirichlet");
    }
    // By draws, as there is no grid.
    let q = Distribution::dirichlet([2.0, 2.0, 2.0])?;
    let log = p.log_prob(&x)?;
    close(number(&p.entropy()?), -number(&log.mean(..)?), 0.03, "Dirichlet");
    close(
        number(&p.kl(&q)?),
        number(&ops::sub(&log, &q.log_prob(&x)?)?.mean(..)?),
        0.03,
        "Dirichlet",
    );
    Ok(())
}

#[test]
fn distributions_of_two_elements_are_beta_distributions() -> Result<()> {
    let (p, q) = (Distribution::dirichlet([2.5, 3.5])?, Distribution::beta(2.5, 3.5)?);
    close(number(&p.log_prob([0.3, 0.7])?), number(&q.log_prob(0.3)?), 1e-9, "log_prob");
    close(number(&p.entropy()?), number(&q.entropy()?), 1e-9, "entropy");
    Ok(())
}

#[test]
fn classes_have_probabilities() -> Result<()> {
    let weights = [0.5f64, 0.2, 0.3];
    let logits = Tensor::from_vec(weights.to_vec()).log()?;
    let (p, q) = (Distribution::categorical(&logits)?, Distribution::categorical([0.0, 0.0, 0.0])?);
    let log = p.log_prob([0i64, 1, 2, 3])?.exp()?.to_vec::<f64>()?;
    for (found, wanted) in log.iter().zip([0.5, 0.2, 0.3, 0.0]) {
        close(*found, wanted, 1e-9, "log_prob");
    }
    let entropy: f64 = weights.iter().map(|w| -w * w.ln()).sum();
    close(number(&p.entropy()?), entropy, 1e-9, "entropy");
    close(number(&p.kl(&q)?), 3f64.ln() - entropy, 1e-9, "kl");
    let x = p.sample(20_000, Seed(5))?.one_hot(3, f64)?.mean(0)?;
    x.to_vec::<f64>()?.iter().zip(weights).for_each(|(a, b)| close(*a, b, 0.02, "share"));
    assert!(p.mean().unwrap_err().message().contains("categorical"));

    let b = Distribution::bernoulli([0.0, 2.0])?;
    let one = 1.0 / (1.0 + (-2f64).exp());
    assert_eq!(b.log_prob(2.0)?.to_vec::<f64>()?, [f64::NEG_INFINITY; 2]);
    close(number(&b.log_prob(1.0)?.exp()?.index(1)?), one, 1e-9, "one");
    close(number(&b.log_prob(0.0)?.exp()?.index(1)?), 1.0 - one, 1e-9, "zero");
    close(number(&b.mean()?.index(1)?), one, 1e-9, "mean");
    close(number(&b.variance()?.index(0)?), 0.25, 1e-9, "variance");
    close(number(&b.entropy()?.index(0)?), 2f64.ln(), 1e-9, "entropy");
    let fair = Distribution::bernoulli(0.0)?;
    close(number(&b.kl(&fair)?.index(1)?), 2f64.ln() - number(&b.entropy()?.index(1)?), 1e-9, "kl");
    close(number(&b.sample(20_000, Seed(1))?.mean(0)?.index(1)?), one, 0.02, "draws");
    // Nothing is lost for odds that no float tells from certain.
    assert_eq!(number(&Distribution::bernoulli(1000.0)?.entropy()?), 0.0);
    Ok(())
}

#[test]
fn draws_move_with_the_parameters() -> Result<()> {
    // The derivative of the mean of the draws is about that of the mean.
    type Make = fn(&Tensor) -> Result<Distribution>;
    let kinds: [Make; 5] = [
        |x| Distribution::normal(x, 2.0),
        |x| Distribution::uniform(0.5, x),
        |x| Distribution::gamma(x, 2.0),
        |x| Distribution::gamma(2.0, x),
        |x| Distribution::beta(x, 2.0),
    ];
    for make in kinds {
        let x = scalar(3.0f64);
        let drawn = grad(move |x: &Tensor| make(x)?.sample(40_000, Seed(2))?.mean(..))(&x)?;
        let wanted = grad(move |x: &Tensor| make(x)?.mean())(&x)?;
        close(number(&drawn), number(&wanted), 0.03, make(&x)?.kind());
        // Means of scores are zero.
        let draws = make(&x)?.sample(40_000, Seed(2))?;
        if make(&x)?.kind() != "uniform" {
            let score = grad(move |x: &Tensor| make(x)?.log_prob(&draws)?.mean(..))(&x)?;
            assert!(number(&score).abs() < 0.02, "{}", number(&score));
        }
    }
    Ok(())
}

#[test]
fn batches_are_values_of_one_type() -> Result<()> {
    let p = |m: f64| Distribution::normal(m, 1.0);
    let stack = stack_values(&[p(0.0)?, p(3.0)?])?;
    assert_eq!(stack.mean()?.to_vec::<f64>()?, [0.0, 3.0]);
    assert_eq!(stack.sample([5, 2], Seed(1))?.shape(), shape![5, 2, 2]);
    assert_eq!(number(&unstack_values(&stack)?[1].mean()?), 3.0);
    let e = stack_values(&[p(0.0)?, Distribution::bernoulli(0.0)?]);
    assert!(e.is_err());
    let entropies = map_fn(&stack, |p: Distribution| p.entropy())?;
    assert_eq!(entropies.shape(), shape![2]);
    let f = function(|p: &Distribution| p.sample(4, Seed(9)));
    assert_eq!(f.call(&stack)?.to_vec::<f64>()?, stack.sample(4, Seed(9))?.to_vec::<f64>()?);
    let _ = f.call(&stack_values(&[p(1.0)?, p(2.0)?])?)?;
    assert_eq!(f.trace_count(), 1);
    let wide = Distribution::normal(tensor![[0.0], [1.0]], tensor![1.0, 2.0, 3.0])?;
    assert_eq!(wide.sample((), Seed(1))?.shape(), shape![2, 3]);
    assert_eq!(wide.entropy()?.shape(), shape![2, 3]);
    Ok(())
}

#[test]
fn mixtures_are_sums_of_densities() -> Result<()> {
    let parts = Distribution::normal([-1.0, 2.0], [0.5, 1.0])?;
    let m = Mixture::new(Tensor::from_vec(vec![0.25f64, 0.75]).log()?, parts.clone())?;
    let x = tensor![-1.0, 0.0, 5.0];
    let each = parts.log_prob(x.expand_dims(1)?)?.exp()?;
    let wanted = ops::mul(&each, tensor![0.25, 0.75])?.reduce_sum(1, false)?;
    for (a, b) in m.log_prob(&x)?.exp()?.to_vec::<f64>()?.iter().zip(wanted.to_vec::<f64>()?) {
        close(*a, b, 1e-9, "density");
    }
    let draws = m.sample(40_000, Seed(4))?;
    close(number(&draws.mean(..)?), number(&m.mean()?), 0.02, "mean");
    close(number(&draws.var(..)?), number(&m.variance()?), 0.03, "variance");
    let sum = m.responsibilities(&x)?.reduce_sum(-1, false)?;
    sum.to_vec::<f64>()?.iter().for_each(|s| close(*s, 1.0, 1e-9, "responsibilities"));
    assert!(Mixture::new([0.0], Distribution::categorical([0.0])?).is_err());
    Ok(())
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let refused = |made: Result<Distribution>, text: &str| {
        let e = made.unwrap_err();
        assert!(e.message().contains(text), "{e}");
    };
    refused(Distribution::normal(0i32, 1i32), "a parameter of int32");
    refused(Distribution::normal(tensor![0.0f32], tensor![1.0f64]), "the parameters");
    refused(Distribution::normal([0.0, 1.0], [0.0, 1.0, 2.0]), "the parameters");
    refused(Distribution::categorical(0.0), "the parameter");
    assert!(Distribution::normal(0.0, 1.0).unwrap().sample(-1, Seed(1)).is_err());
    // A deviation below zero has no logarithm.
    assert!(number(&Distribution::normal(0.0, -1.0).unwrap().log_prob(0.0).unwrap()).is_nan());
}

#[test]
fn at_the_ends_of_what_can_be_drawn() -> Result<()> {
    let at = |p: Result<Distribution>, x: f64| number(&p.unwrap().log_prob(x).unwrap());
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    // The exponential distribution has a density at zero.
    close(at(Distribution::gamma(1.0, 2.0), 0.0), 2f64.ln(), 1e-12, "exponential");
    assert_eq!(at(Distribution::gamma(2.0, 1.0), 0.0), -inf);
    assert_eq!(at(Distribution::gamma(0.5, 1.0), 0.0), inf);
    for x in [-1.0, inf, -inf] {
        for p in [Distribution::gamma(3.0, 1.0), Distribution::beta(2.0, 2.0)] {
            assert_eq!(at(p, x), -inf);
        }
        assert_eq!(at(Distribution::uniform(0.0, 3.0), x), -inf);
        assert_eq!(at(Distribution::bernoulli(0.0), x), -inf);
    }
    for p in [
        Distribution::normal(0.0, 1.0),
        Distribution::uniform(0.0, 1.0),
        Distribution::gamma(3.0, 1.0),
        Distribution::beta(2.0, 2.0),
        Distribution::bernoulli(0.0),
    ] {
        assert!(at(p, nan).is_nan());
    }
    assert_eq!(at(Distribution::normal(0.0, 1.0), inf), -inf);
    close(at(Distribution::uniform(0.0, 2.0), 2.0), -(2f64.ln()), 1e-12, "the greatest number");
    assert_eq!(
        (at(Distribution::beta(1.0, 1.0), 0.0), at(Distribution::beta(1.0, 1.0), 1.0)),
        (0.0, 0.0)
    );
    let even = Distribution::dirichlet([1.0, 1.0])?;
    for (x, wanted) in [
        ([0.5, 0.5], 0.0),
        ([1.0, 0.0], 0.0),
        ([0.5, 0.6], -inf),
        ([1.5, -0.5], -inf),
        ([0.0, 0.0], -inf),
    ] {
        assert_eq!(number(&even.log_prob(x)?), wanted, "{x:?}");
    }
    assert!(number(&even.log_prob([nan, 0.5])?).is_nan());
    assert_eq!(number(&Distribution::categorical([0.0])?.log_prob(-1i64)?), -inf);
    // Rounding draws the greatest number.
    let p = Distribution::uniform(1e6f32, 1e6f32 + 1.0)?;
    let x = p.sample(10_000, Seed(1))?;
    assert!(p.log_prob(&x)?.is_finite()?.reduce_all(.., false)?.item::<bool>()?);
    // What is outside gives no NaN to gradients.
    let slope = grad(|x: &Tensor| {
        Distribution::gamma(2.0, 1.0)?.log_prob(x)?.maximum(-1e3)?.reduce_sum(.., false)
    })(&tensor![-1.0, 1.0])?;
    assert!(slope.is_finite()?.reduce_all(.., false)?.item::<bool>()?, "{slope}");
    Ok(())
}

#[test]
fn numbers_take_the_dtype_of_tensors() -> Result<()> {
    for dtype in [f16, bf16, f32, f64] {
        let x = tensor![1.0f64, 2.0].cast(dtype)?;
        for p in [
            Distribution::normal(&x, 2.0)?,
            Distribution::normal(0, &x)?,
            Distribution::uniform(&x, 5)?,
            Distribution::gamma(&x, 2.0)?,
            Distribution::beta(2.0, &x)?,
            Distribution::bernoulli(&x)?,
        ] {
            assert_eq!((p.dtype(), p.sample(3, Seed(1))?.dtype()), (dtype, dtype), "{p:?}");
            assert_eq!(p.sample((), Seed(1))?.shape(), shape![2], "{p:?}");
            assert_eq!(p.log_prob(1.0)?.dtype(), dtype, "{p:?}");
            assert_eq!(p.entropy()?.shape(), shape![2]);
        }
        let p = Distribution::dirichlet(&x)?;
        assert_eq!(p.log_prob(p.sample(50, Seed(1))?)?.shape(), shape![50]);
        assert!(
            p.log_prob(p.sample(50, Seed(1))?)?
                .is_finite()?
                .reduce_all(.., false)?
                .item::<bool>()?
        );
    }
    Ok(())
}

#[test]
fn classes_that_can_not_be_are_never_drawn() -> Result<()> {
    for dtype in [f16, bf16, f32, f64] {
        let logits = tensor![0.0f64, f64::NEG_INFINITY, 0.0].cast(dtype)?;
        let x = Distribution::categorical(&logits)?.sample(100_000, Seed(3))?;
        assert!(x.equal(1)?.logical_not()?.reduce_all(.., false)?.item::<bool>()?, "{dtype}");
        let share = x.equal(2)?.cast(f64)?.mean(..)?;
        close(number(&share), 0.5, 0.02, "share");
        let b =
            Distribution::bernoulli(tensor![-20.0f64].cast(dtype)?)?.sample(100_000, Seed(3))?;
        assert!(number(&b.cast(f64)?.mean(..)?) < 1e-4, "{dtype}");
    }
    Ok(())
}

#[test]
fn stacks_of_parameters_of_unlike_shapes() -> Result<()> {
    let p = |d: f64| Distribution::normal(tensor![0.0, 10.0], d);
    let stack = stack_values(&[p(2.0)?, p(3.0)?])?;
    assert_eq!(stack.variance()?.to_vec::<f64>()?, [4.0, 4.0, 9.0, 9.0]);
    assert_eq!(stack.sample(3, Seed(1))?.shape(), shape![3, 2, 2]);
    assert_eq!(unstack_values(&stack)?[1].variance()?.to_vec::<f64>()?, [9.0, 9.0]);
    let m = |w: f64| {
        Mixture::new([w, 0.0], Distribution::normal(tensor![[0.0, 10.0], [5.0, 5.0]], 1.0)?)
    };
    let stack = stack_values(&[m(50.0)?, m(-50.0)?])?;
    let means = stack.mean()?;
    assert_eq!(means.shape(), shape![2, 2]);
    for (a, b) in means.to_vec::<f64>()?.iter().zip([0.0, 5.0, 10.0, 5.0]) {
        close(*a, b, 1e-9, "means");
    }
    Ok(())
}

#[test]
fn mixtures_broadcast() -> Result<()> {
    // One weight for all batches, and one for each.
    let far = Distribution::normal(tensor![[0.0, 100.0], [200.0, 300.0]], 0.1)?;
    let m = Mixture::new([50.0, 0.0], far)?;
    let near = |x: &Tensor, wanted: [f64; 2]| {
        for row in x.to_vec::<f64>().unwrap().chunks(2) {
            assert!(row.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1.0), "{row:?}");
        }
    };
    let x = m.sample(50, Seed(1))?;
    assert_eq!(x.shape(), shape![50, 2]);
    near(&x, [0.0, 200.0]);
    let m = Mixture::new([[50.0, 0.0], [0.0, 50.0]], Distribution::normal([0.0, 100.0], 0.1)?)?;
    let x = m.sample(50, Seed(1))?;
    near(&x, [0.0, 100.0]);
    assert_eq!(m.log_prob(&x)?.shape(), shape![50, 2]);
    assert_eq!(m.log_prob(0.0)?.shape(), shape![2]);
    let refused = |logits: Tensor, parts: Distribution, text: &str| {
        let e = Mixture::new(logits, parts).unwrap_err();
        assert!(e.message().contains(text), "{e}");
    };
    let two = || Distribution::normal([0.0, 1.0], 1.0).unwrap();
    refused(tensor![0.0, 0.0, 0.0], two(), "3 weights for 2 components");
    refused(tensor![0.0], two(), "1 weights for 2 components");
    refused(tensor![0.0, 0.0], Distribution::normal(0.0, 1.0)?, "`components`");
    refused(scalar(0.0), two(), "`logits`");
    refused(tensor![0.0f32, 0.0], two(), "`logits` and the components");
    Ok(())
}
