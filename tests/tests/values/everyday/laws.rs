//! What must hold for any data, of the functions with corners.

use extype::ops::Overlap;
use extype::prelude::*;
use proptest::prelude::*;

fn floats(x: &Tensor) -> Vec<f64> {
    x.to_vec().expect("float64")
}

fn ints(x: &Tensor) -> Vec<i64> {
    x.cast(i64).and_then(|x| x.to_vec()).expect("integers")
}

/// The quantile by its definition.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * (place - place.floor())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn quantiles_are_those_of_the_sorted_numbers(
        mut x in prop::collection::vec(-9.0..9.0f64, 1..20), q in 0.0..1.0f64,
    ) {
        let t = Tensor::from_vec(x.clone());
        x.sort_by(f64::total_cmp);
        let got = t.quantile(q, ..).unwrap().item::<f64>().unwrap();
        prop_assert!((got - quantile(&x, q)).abs() < 1e-9);
        let column = t.expand_dims(1).unwrap().broadcast_to([x.len() as i64, 2]).unwrap();
        let both = floats(&column.median((0, KeepDims)).unwrap());
        prop_assert!(both.iter().all(|m| (m - quantile(&x, 0.5)).abs() < 1e-9));
    }

    #[test]
    fn nan_is_passed_over_as_if_it_were_not_there(
        x in prop::collection::vec(prop::option::of(-9.0..9.0f64), 1..20),
    ) {
        let there: Vec<f64> = x.iter().copied().flatten().collect();
        let t = Tensor::from_vec(x.iter().map(|x| x.unwrap_or(f64::NAN)).collect::<Vec<_>>());
        let all = Tensor::from_vec(there.clone());
        let item = |t: Result<Tensor>| t.unwrap().item::<f64>().unwrap();
        prop_assert!((item(t.nansum(..)) - item(all.sum(..))).abs() < 1e-9);
        if there.is_empty() {
            prop_assert!(item(t.nanmean(..)).is_nan() && item(t.nanmedian(..)).is_nan());
            prop_assert!(item(t.nanmax(..)).is_nan() && item(t.nanvar(..)).is_nan());
        } else {
            prop_assert!((item(t.nanvar(..)) - item(all.var(..))).abs() < 1e-9);
            prop_assert!((item(t.nanmedian(..)) - item(all.median(..))).abs() < 1e-9);
            prop_assert_eq!(item(t.nanmin(..)), item(all.min(..)));
        }
    }

    #[test]
    fn a_histogram_counts_each_element_once(
        x in prop::collection::vec(-20..20i64, 1..40), bins in 1..9i64,
    ) {
        let t = Tensor::from_vec(x.clone());
        let (counts, edges) = t.histogram(bins).unwrap();
        let (counts, edges) = (ints(&counts), floats(&edges));
        prop_assert_eq!(counts.iter().sum::<i64>(), x.len() as i64);
        for (i, count) in counts.iter().enumerate() {
            let is_last = i + 1 == counts.len();
            let inside = x.iter().map(|x| *x as f64).filter(|x| {
                edges[i] <= *x && (*x < edges[i + 1] || (is_last && *x == edges[i + 1]))
            });
            prop_assert_eq!(*count, inside.count() as i64);
        }
        // Weights of one count.
        let ones = t.ones_like().unwrap().cast(f64).unwrap();
        let weighed = t.histogram((bins, ops::Weights(&ones))).unwrap().0;
        prop_assert_eq!(ints(&weighed), counts);
    }

    #[test]
    fn sets_have_each_element_once(
        x in prop::collection::vec(-5..5i64, 0..12), y in prop::collection::vec(-5..5i64, 0..12),
    ) {
        let (a, b) = (Tensor::from_vec(x.clone()), Tensor::from_vec(y.clone()));
        let set = |keep: &dyn Fn(i64) -> bool| -> Vec<i64> { (-5..5).filter(|n| keep(*n)).collect() };
        let (in_x, in_y) = (|n| x.contains(&n), |n| y.contains(&n));
        prop_assert_eq!(ints(&a.union1d(&b).unwrap()), set(&|n| in_x(n) || in_y(n)));
        prop_assert_eq!(ints(&a.intersect1d(&b).unwrap()), set(&|n| in_x(n) && in_y(n)));
        prop_assert_eq!(ints(&a.setdiff1d(&b).unwrap()), set(&|n| in_x(n) && !in_y(n)));
        prop_assert_eq!(ints(&a.setxor1d(&b).unwrap()), set(&|n| in_x(n) != in_y(n)));
        let among: Vec<bool> = x.iter().map(|n| in_y(*n)).collect();
        prop_assert_eq!(a.isin(&b).unwrap().to_vec::<bool>().unwrap(), among);
        let (values, first) = a.unique_with_index().unwrap();
        for (value, first) in ints(&values).iter().zip(ints(&first)) {
            prop_assert_eq!(x.iter().position(|n| n == value), Some(first as usize));
        }
    }

    #[test]
    fn a_convolution_multiplies_polynomials(
        x in prop::collection::vec(-5..5i64, 1..8), y in prop::collection::vec(-5..5i64, 1..8),
    ) {
        let mut want = vec![0; x.len() + y.len() - 1];
        for (i, a) in x.iter().enumerate() {
            for (j, b) in y.iter().enumerate() {
                want[i + j] += a * b;
            }
        }
        let (a, b) = (Tensor::from_vec(x.clone()), Tensor::from_vec(y.clone()));
        let full = ints(&a.convolve(&b, ..).unwrap());
        prop_assert_eq!(&full, &want);
        let long = x.len().max(y.len());
        prop_assert_eq!(ints(&a.convolve(&b, Overlap::Same).unwrap()).len(), long);
        let valid = ints(&a.convolve(&b, Overlap::Valid).unwrap());
        let skip = x.len().min(y.len()) - 1;
        prop_assert_eq!(&valid[..], &full[skip..full.len() - skip]);
        prop_assert_eq!(ints(&a.correlate(b.flip(..).unwrap(), Overlap::Full).unwrap()), want);
    }

    #[test]
    fn what_is_taken_along_an_axis_can_be_put_back(
        x in prop::collection::vec(-50..50i64, 12..13), axis in -3..3i64,
    ) {
        let t = Tensor::from_slice(&x, &[2, 3, 2]).unwrap();
        let order = t.argsort(axis).unwrap();
        let sorted = t.take_along_axis(&order, axis).unwrap();
        prop_assert_eq!(ints(&sorted), ints(&t.sort(axis).unwrap()));
        let back = t.zeros_like().unwrap().put_along_axis(&order, &sorted, axis).unwrap();
        prop_assert_eq!(ints(&back), x);
    }

    #[test]
    fn parts_of_a_split_make_the_whole(n in 0..20usize, parts in 1..6usize, at in -9..25i64) {
        let t = ops::arange(n as i64).unwrap();
        let split = t.array_split(parts, ..).unwrap();
        let sizes: Vec<usize> = split.iter().filter_map(|p| p.shape().num_elements()).collect();
        prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        prop_assert_eq!(ints(&ops::concatenate(&split, ..).unwrap()), ints(&t));
        prop_assert_eq!(ints(&ops::concatenate(&t.split_at(at, 0).unwrap(), ..).unwrap()), ints(&t));
    }

    #[test]
    fn divisors_divide(a in -60..60i64, b in -60..60i64) {
        let (gcd, lcm) = (ops::gcd(a, b).unwrap(), ops::lcm(a, b).unwrap());
        let (gcd, lcm) = (gcd.item::<i64>().unwrap(), lcm.item::<i64>().unwrap());
        prop_assert_eq!(gcd * lcm, (a * b).abs());
        prop_assert!(gcd == 0 || (a % gcd == 0 && b % gcd == 0));
    }
}

#[test]
fn gradients_and_traces_pass_through() -> Result<()> {
    let x = tensor![[0.5f64, -1.0, 2.0], [3.0, 0.25, -2.0]];
    let functions: [(&str, fn(&Tensor) -> Result<Tensor>); 22] = [
        ("var", |x| x.var((1, ops::Ddof(1)))),
        ("median", |x| x.median(1)),
        ("quantile", |x| x.quantile(0.3, 0)),
        ("cov", |x| x.cov(..)),
        ("hypot", |x| x.hypot(x + 1.0)),
        ("logaddexp", |x| x.logaddexp(x * 2.0)),
        ("sinc", |x| x.sinc()),
        ("convolve", |x| x.flatten()?.convolve(tensor![1.0, 2.0], ..)),
        ("interp", |x| x.interp([-3.0, 0.0, 4.0], [1.0, 2.0, 9.0])),
        ("slope", |x| x.slope(1)),
        ("trapezoid", |x| x.trapezoid(..)),
        ("cumsum", |x| x.cumsum(..)),
        ("cummax", |x| x.cummax(..)),
        ("cummin", |x| x.cummin(1)),
        ("cbrt", |x| x.cbrt()),
        ("log10", |x| (x.square()? * 4.0 + 1e-12).log10()),
        ("clip", |x| x.clip(.., 1.0)),
        ("hazen", |x| x.quantile(0.3, (0, ops::QuantileMethod::Hazen))),
        ("geomspace", |x| ops::geomspace(x.abs()?, x.abs()? + 9.0, 5)),
        ("imag", |x| ops::complex(x, x * 2.0)?.square()?.imag()),
        ("matmul", |x| x.matmul(x.index(0)?)),
        ("sort", |x| x.sort(0)),
    ];
    let step = 1e-6;
    for (name, f) in functions {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = f(&x)?.sum(..)?;
        let gradient = tape.gradient(&y, &x)?.into_structure()?;
        let traced = function(f).call(&x)?;
        assert!(traced.allclose(f(&x)?, ..)?.item::<bool>()?, "{name}: traced");
        for i in 0..6 {
            let nudge = ops::zeros(6, f64)?.put([i], step)?.reshape([2, 3])?;
            let (above, below) = (f(&(&x + &nudge))?.sum(..)?, f(&(&x - &nudge))?.sum(..)?);
            let want = (above.item::<f64>()? - below.item::<f64>()?) / (2.0 * step);
            let got = gradient.flatten()?.index(i)?.item::<f64>()?;
            assert!((got - want).abs() < 1e-4, "{name}, element {i}: {got} instead of {want}");
        }
    }
    Ok(())
}

#[test]
fn wrong_inputs_are_refused_in_words() {
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let mut failures = Vec::new();
    let mut refused = |result: Result<Tensor>, parts: &[&str]| {
        let text = result.map_or_else(|e| e.to_string(), |y| format!("no error, but {y}"));
        for part in parts.iter().filter(|part| !text.contains(**part)) {
            failures.push(format!("no {part:?} in: {text}"));
        }
    };
    refused(x.sum(2), &["axis 2", "rank 2"]);
    refused(ops::reduce_variance(&tensor![1, 2], .., false), &["variance", "int32", "cast"]);
    refused(x.quantile(25.0, ..), &["quantile", "25", "percentile"]);
    refused(ops::zeros([0], f32).and_then(|x| x.median(..)), &["median", "no elements"]);
    refused(x.take([4], ..), &["4"]);
    refused(x.take([0.5], ..), &["take", "integers", "float64"]);
    refused(x.insert(9, 1.0, 0), &["insert", "index 9", "axis 0"]);
    refused(x.cross(x.index(0).unwrap().append(1.0, ..).unwrap()), &["cross", "2 and 3"]);
    refused(x.matmul(scalar(1.0f32)), &["matmul", "scalar", "*"]);
    refused(x.average(ops::Weights(&tensor![1.0f32, 2.0])), &["average", "[2]", "[2, 2]"]);
    refused(x.histogram(0).map(|h| h.0), &["histogram", "0"]);
    refused(
        x.histogram(ops::BinEdges(tensor![0.0, 2.0, 1.0])).map(|h| h.0),
        &["edges", "increase"],
    );
    refused(x.histogram(ops::Between(0.0, f64::INFINITY)).map(|h| h.0), &["histogram", "inf"]);
    refused((&x / 0.0).histogram(..).map(|h| h.0), &["histogram", "inf", "Between"]);
    refused(x.digitize([0.0, 2.0, 1.0]), &["digitize", "edges", "increase"]);
    refused(
        x.index(0).unwrap().average(ops::Weights(&tensor![1.0f32, -1.0])),
        &["average", "zero"],
    );
    refused(ops::complex(1.0, 2.0).and_then(|c| c.clip(0, ..)), &["clip", "complex128"]);
    refused(Tensor::from("a").isnan(), &["isnan", "string"]);
    refused(ops::arange((0.0, 1.0, 0.0)), &["step", "zero"]);
    refused(x.array_split(0, ..).map(|p| p[0].clone()), &["array_split", "no parts"]);
    refused(x.move_axis([0, 0], [0, 1]), &["move_axis", "twice"]);
    refused(x.gcd(2), &["gcd", "float32"]);
    refused(x.slope(ops::At([1.0])), &["slope", "[1]"]);
    refused(ops::select_cases(&[x.greater(1).unwrap()], &[1, 2], 0), &["2 choices", "1 condition"]);
    refused(ops::complex(1, 2), &["complex", "int32"]);
    refused(ops::eye(2, DType::String), &["eye", "string"]);
    refused(random::choice(&x, 3, random::NoRepeats), &["choice", "3 of 2"]);
    let scalar = scalar(1.0f32).rows().map(|mut rows| rows.next().expect("a row"));
    refused(scalar, &["rows", "float32"]);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn draws_with_a_seed_are_the_same_again() -> Result<()> {
    let x = tensor![1, 2, 3, 4, 5];
    let all = |o| random::shuffle(&x, o)?.to_vec::<i32>();
    assert_eq!(all(random::Seed(3))?, all(random::Seed(3))?);
    let drawn = |o| random::choice(&x, [2, 3], o)?.to_vec::<i32>();
    assert_eq!(drawn(random::Seed(3))?, drawn(random::Seed(3))?);
    let weights = tensor![0.0, 1.0, 0.0, 2.0, 0.0];
    let two = random::choice(&x, 2, (random::NoRepeats, ops::Weights(&weights)))?.sort(..)?;
    assert_eq!(two.as_slice::<i32>()?, &[2, 4]);
    let many = random::choice(3, 3000, ops::Weights(&tensor![1.0, 0.0, 2.0]))?
        .bincount(ops::MinLength(3))?;
    let many = many.to_vec::<i32>()?;
    assert!(many[1] == 0 && (800..1200).contains(&many[0]), "{many:?}");
    assert_eq!(random::permutation(6, ..)?.sort(..)?.to_vec::<i64>()?, [0, 1, 2, 3, 4, 5]);
    Ok(())
}

#[test]
fn unsigned_integers_have_divisors_and_round_to_tens() -> Result<()> {
    assert_eq!(tensor![12u8, 200].gcd(tensor![18u8, 75])?.to_vec::<u8>()?, [6, 25]);
    assert_eq!(tensor![4u64].lcm(6)?.to_vec::<u64>()?, [12]);
    let large = tensor![12_000_000_000_000_000_000u64, 3].round_to(-19)?;
    assert_eq!(large.to_vec::<u64>()?, [10_000_000_000_000_000_000, 0]);
    assert_eq!(tensor![i64::MAX].round_to(-19)?.to_vec::<i64>()?, [0]);
    Ok(())
}

#[test]
fn equal_bits_of_two_signs_are_no_equal_numbers() -> Result<()> {
    let equal = |x: Tensor, y: Tensor| ops::array_equal(x, y)?.item::<bool>();
    assert!(!equal(tensor![(1u64 << 53) + 1], tensor![1i64 << 53])?);
    assert!(!equal(tensor![u64::MAX], tensor![-1i64])?);
    assert!(equal(tensor![1u64, 2], tensor![1i8, 2])?);
    assert!(equal(tensor![1u64, 0], tensor![true, false])?);
    Ok(())
}

#[test]
fn masks_and_powers_have_the_size_that_is_asked_for() -> Result<()> {
    let mask = ops::sequence_mask(&tensor![1i8, 2], Some(300.into()), i32)?;
    assert_eq!((mask.shape(), mask.sum(..)?.item::<i32>()?), (shape![2, 300], 3));
    assert_eq!(tensor![2.0, 3.0].vander(ops::Columns(0))?.shape(), shape![2, 0]);
    assert_eq!(ops::zeros(0, f64)?.vander(..)?.shape(), shape![0, 0]);
    Ok(())
}

#[test]
fn roots_and_lengths_have_slopes_at_their_corners() -> Result<()> {
    let slope = grad(|x: &Tensor| x.cbrt()?.sum(..))(&tensor![0.0, -8.0])?;
    assert_eq!(slope.index(0)?.item::<f64>()?, f64::INFINITY);
    assert!((slope.index(1)?.item::<f64>()? - 1.0 / 12.0).abs() < 1e-12);
    for x in [f64::INFINITY, f64::NEG_INFINITY] {
        let (dx, dy) = grad(|(x, y): &(Tensor, Tensor)| x.hypot(y))(&(scalar(x), scalar(1.0)))?;
        assert_eq!((dx.item::<f64>()?, dy.item::<f64>()?), (x.signum(), 0.0));
    }
    assert_eq!(ops::hypot(f64::NAN, f64::NEG_INFINITY)?.item::<f64>()?, f64::INFINITY);
    Ok(())
}

#[test]
fn complex_numbers_keep_the_signs_of_zeros() -> Result<()> {
    let below = ops::complex(-1.0, -0.0)?;
    assert_eq!(below.angle()?.item::<f64>()?, -std::f64::consts::PI);
    for (re, im) in [(1.0f64, -0.0f64), (-0.0, 1.0), (-0.0, -0.0), (f64::INFINITY, -0.0)] {
        let c = ops::complex(re, im)?;
        let parts = (c.real()?.item::<f64>()?.to_bits(), c.imag()?.item::<f64>()?.to_bits());
        assert_eq!(parts, (re.to_bits(), im.to_bits()), "{re} {im}");
    }
    Ok(())
}
