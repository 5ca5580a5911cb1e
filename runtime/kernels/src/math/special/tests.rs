//! Comparison with values computed with at least forty digits.

use super::Special;
use crate::element::f16;

/// Lines of a function's name, its arguments and its value.
const REFERENCE: &str = include_str!("reference.txt");

/// The distance from `want` in units in its last place.
fn ulps(got: f64, want: f64) -> f64 {
    if got == want || got.is_nan() && want.is_nan() {
        return 0.0;
    }
    let magnitude = want.abs().max(f64::MIN_POSITIVE);
    (got - want).abs() / (magnitude.next_up() - magnitude)
}

/// The largest error of one function, and its place.
fn worst(name: &str, f: impl Fn(&[f64]) -> f64) -> (f64, String) {
    let mut worst = (-1.0, String::new());
    for line in REFERENCE.lines() {
        let mut words = line.split(' ');
        if words.next() != Some(name) {
            continue;
        }
        let mut numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        let want = numbers.pop().unwrap();
        let got = f(&numbers);
        let error = ulps(got, want);
        if error.is_nan() || error > worst.0 {
            worst = (error, format!("{line}: {got:e}"));
        }
    }
    assert!(worst.0 >= 0.0, "no values of {name}");
    worst
}

macro_rules! within {
    ($($name:literal $limit:literal: |$($arg:ident),+| $value:expr;)*) => {{
        let mut failures = Vec::new();
        $(
            let (error, place) = worst($name, |x| {
                let &[$($arg),+] = x else { panic!("{} arguments", x.len()) };
                $value
            });
            if error.is_nan() || error > $limit {
                failures.push(format!("{} is {error} ulp off: {place}", $name));
            }
        )*
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }};
}

#[test]
fn gamma() {
    within! {
        "digamma" 6.0: |x| x.digamma();
        "zeta" 6.0: |s, q| s.zeta(q);
        "zeta_negative" 64.0: |s, q| s.zeta(q);
        "polygamma" 8.0: |n, x| n.polygamma(x);
    }
}

#[test]
fn inverses() {
    within! {
        "ndtri" 4.0: |p| p.ndtri();
        "erfinv" 4.0: |x| x.erfinv();
    }
}

#[test]
fn bessel() {
    within! {
        "bessel_i0" 8.0: |x| x.bessel_i0();
        "bessel_i0e" 4.0: |x| x.bessel_i0e();
        "bessel_i1" 12.0: |x| x.bessel_i1();
        "bessel_i1e" 12.0: |x| x.bessel_i1e();
        "bessel_k0" 8.0: |x| x.bessel_k0();
        "bessel_k0e" 8.0: |x| x.bessel_k0e();
        "bessel_k1" 8.0: |x| x.bessel_k1();
        "bessel_k1e" 8.0: |x| x.bessel_k1e();
    }
}

#[test]
fn integrals() {
    within! {
        "dawsn" 4.0: |x| x.dawsn();
        "expint" 4.0: |x| x.expint();
        "fresnel_cos" 6.0: |x| x.fresnel_cos();
        "fresnel_sin" 6.0: |x| x.fresnel_sin();
        "spence" 6.0: |x| x.spence();
    }
}

#[test]
fn incomplete() {
    // Rounding the argument of an exponential costs as many units as the argument is large, and the largest here are
    // some hundreds.
    within! {
        "igamma" 1024.0: |a, x| a.igamma(x);
        "igammac" 1024.0: |a, x| a.igammac(x);
        "igamma_grad_a" 512.0: |a, x| a.igamma_grad_a(x);
        "betainc" 512.0: |a, b, x| a.betainc(b, x);
    }
}

#[test]
fn incomplete_gamma_of_moderate_arguments_is_precise() {
    let mut count = 0;
    for line in REFERENCE.lines().filter(|line| line.starts_with("igamma")) {
        let mut words = line.split(' ');
        let name = words.next().unwrap();
        let numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        let &[a, x, want] = &numbers[..] else { panic!("{line}") };
        if a > 200.0 || want.abs() < 1e-20 {
            continue;
        }
        let got = match name {
            "igamma" => a.igamma(x),
            "igammac" => a.igammac(x),
            _ => a.igamma_grad_a(x),
        };
        assert!(ulps(got, want) <= 100.0, "{line}: {got:e}");
        count += 1;
    }
    assert!(count > 100);
}

#[test]
fn special_values() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    // Functions of one argument, and their values at minus infinity, -1, -0, 0 and infinity.
    let table: [(fn(f64) -> f64, [f64; 5]); 13] = [
        (Special::digamma, [nan, nan, nan, nan, inf]),
        (Special::erfinv, [nan, -inf, -0.0, 0.0, nan]),
        (Special::ndtri, [nan, nan, -inf, -inf, nan]),
        (Special::bessel_i0e, [0.0, 0.4657596075936404, 1.0, 1.0, 0.0]),
        (Special::bessel_i0, [inf, 1.2660658777520084, 1.0, 1.0, inf]),
        (Special::bessel_i1, [-inf, -0.5651591039924851, -0.0, 0.0, inf]),
        (Special::bessel_k0, [nan, nan, inf, inf, 0.0]),
        (Special::bessel_k1e, [nan, nan, inf, inf, 0.0]),
        (Special::bessel_y0, [nan, nan, -inf, -inf, 0.0]),
        (Special::dawsn, [-0.0, -0.5380795069127684, -0.0, 0.0, 0.0]),
        (Special::expint, [nan, nan, -inf, -inf, inf]),
        (Special::fresnel_sin, [-0.5, -0.4382591473903548, -0.0, 0.0, 0.5]),
        (Special::spence, [nan, nan, 1.6449340668482264, 1.6449340668482264, -inf]),
    ];
    for (row, (f, wants)) in table.into_iter().enumerate() {
        assert!(f(nan).is_nan(), "row {row}");
        for (x, want) in [-inf, -1.0, -0.0, 0.0, inf].into_iter().zip(wants) {
            let got = f(x);
            let same_sign = want != 0.0 || got.is_sign_negative() == want.is_sign_negative();
            assert!(ulps(got, want) <= 4.0 && same_sign, "row {row}: {got} at {x}");
        }
    }
    for a in [nan, -1.0, 0.0, 2.0, inf] {
        assert_eq!(a.igamma(0.0), 0.0);
    }
    assert!(
        nan.igammac(0.0).is_nan() && 0.0f64.igammac(1.0).is_nan() && 2.0f64.igamma(-1.0).is_nan()
    );
    assert_eq!((2.0.igamma(inf), inf.igamma(inf), 2.0.igammac(inf)), (1.0, 0.0, 0.0));
    assert_eq!((2.0.igammac(0.0), inf.igammac(2.0)), (1.0, 1.0));
    assert_eq!((2.0.zeta(-3.0), 1.0.zeta(nan), inf.zeta(1.0)), (inf, inf, 1.0));
    assert!(3.0f64.zeta(-3.0).is_nan() && 2.5f64.zeta(-0.5).is_nan() && 0.5f64.zeta(1.0).is_nan());
    assert!(1.5f64.polygamma(1.0).is_nan() && (-1.0f64).polygamma(1.0).is_nan());
    assert_eq!((1.0.polygamma(0.0), 0.0.polygamma(1.0)), (inf, (1.0).digamma()));
    assert_eq!((2.0.betainc(3.0, 0.0), 2.0.betainc(3.0, 1.0)), (0.0, 1.0));
    assert!(0.0f64.betainc(1.0, 0.5).is_nan() && 1.0f64.betainc(1.0, 1.5).is_nan());
}

#[test]
fn narrower_types_round_once() {
    for i in 1..200 {
        let x = i as f32 * 0.037;
        assert_eq!(x.digamma(), f64::from(x).digamma() as f32);
        let half = f16::from_f32(x);
        assert_eq!(half.digamma(), f16::from_f32(half.to_f32().digamma()));
    }
}
