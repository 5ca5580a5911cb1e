use super::*;
use crate::element::{Cast, Complex64, bf16, f16};
use crate::testing::{filled, noise};
use proptest::prelude::*;

/// The elements that belong to each output, in order.
fn groups<T: Copy>(x: &[T], shape: &[usize], reduced: &[bool]) -> Vec<Vec<T>> {
    let kept: usize = shape.iter().zip(reduced).filter(|p| !p.1).map(|p| p.0).product();
    let mut groups = vec![Vec::new(); kept];
    for (flat, &x) in x.iter().enumerate() {
        let (mut rest, mut to, mut step) = (flat, 0, 1);
        for (&size, &reduced) in shape.iter().zip(reduced).rev() {
            if !reduced {
                to += rest % size * step;
                step *= size;
            }
            rest /= size;
        }
        groups[to].push(x);
    }
    groups
}

fn reduced<T: crate::element::Element, Q: Reducer<T>>(
    x: &[T],
    layout: &ReduceLayout,
    par: Par,
    q: Q,
) -> Vec<Q::Out>
where
    Q::Out: Send,
{
    filled(layout.out_len(), |out| reduce(x, layout, out, par, q))
}

fn check(shape: &[usize], flags: &[bool]) {
    let layout = ReduceLayout::new(shape, flags);
    let x: Vec<i64> = noise(layout.in_len()).iter().map(|x| (x * 1e6) as i64).collect();
    let groups = groups(&x, shape, flags);
    let want = |f: fn(&[i64]) -> i64| groups.iter().map(|g| f(g)).collect::<Vec<_>>();
    for par in [Par::Seq, Par::Pool] {
        let got = reduced(&x, &layout, par, Sum);
        assert_eq!(got, want(|g| g.iter().sum()), "{shape:?} {flags:?}");
        let got = reduced(&x, &layout, par, Max);
        assert_eq!(got, want(|g| g.iter().copied().max().unwrap_or(i64::MIN)));
        let got = reduced(&x, &layout, par, Mean);
        assert_eq!(got, want(|g| g.iter().sum::<i64>().checked_div(g.len() as i64).unwrap_or(0)));
    }
}

#[test]
fn usual_reductions() {
    check(&[], &[]);
    check(&[300_000], &[true]);
    check(&[3, 100_000], &[false, true]);
    check(&[1000, 700], &[true, false]);
    check(&[1000, 700], &[false, true]);
    check(&[20, 30, 1, 40], &[false, true, true, false]);
    check(&[20, 30, 40], &[true, false, true]);
    check(&[0, 3], &[true, false]);
    check(&[3, 0], &[false, false]);
}

#[test]
fn long_sums_are_accurate_and_do_not_depend_on_threads() {
    let x: Vec<f32> = noise(3_000_000).iter().map(|x| x + 1.0).collect();
    for (shape, flags) in [(vec![3_000_000], vec![true]), (vec![1_000_000, 3], vec![true, false])] {
        let layout = ReduceLayout::new(&shape, &flags);
        let got = reduced(&x, &layout, Par::Seq, Sum);
        assert_eq!(got, reduced(&x, &layout, Par::Pool, Sum));
        for (got, group) in got.iter().zip(groups(&x, &shape, &flags)) {
            let want: f64 = group.iter().map(|&x| f64::from(x)).sum();
            assert!((f64::from(*got) - want).abs() <= 1e-6 * want, "{got} {want}");
        }
    }
}

#[test]
fn halves_accumulate_in_f32() {
    let x = vec![f16::from_f32(0.1); 10_000];
    let layout = ReduceLayout::new(&[10_000], &[true]);
    assert_eq!(reduced(&x, &layout, Par::Seq, Sum)[0].to_f32(), 1000.0);
    let x = vec![bf16::ONE; 10_000];
    assert_eq!(reduced(&x, &layout, Par::Seq, Mean)[0], bf16::ONE);
}

#[test]
fn means_of_integers_do_not_wrap_before_64_bits() {
    let layout = ReduceLayout::new(&[4], &[true]);
    assert_eq!(reduced(&[-30i8, -57, -59, -81], &layout, Par::Seq, Mean), [-56]);
    assert_eq!(reduced(&[-30i8, -57, -59, -81], &layout, Par::Seq, Sum), [29]);
}

#[test]
fn nan_and_nothing() {
    let layout = ReduceLayout::new(&[100], &[true]);
    for at in 0..100 {
        let mut x = noise(100);
        x[at] = f32::NAN;
        assert!(reduced(&x, &layout, Par::Seq, Max)[0].is_nan());
        assert!(reduced(&x, &layout, Par::Seq, Min)[0].is_nan());
    }
    let empty = ReduceLayout::new(&[0], &[true]);
    assert_eq!(reduced::<f32, _>(&[], &empty, Par::Seq, Max), [f32::NEG_INFINITY]);
    assert_eq!(reduced::<f32, _>(&[], &empty, Par::Seq, Min), [f32::INFINITY]);
    assert_eq!(reduced::<i32, _>(&[], &empty, Par::Seq, Max), [i32::MIN]);
    assert_eq!(reduced::<f32, _>(&[], &empty, Par::Seq, Prod), [1.0]);
    assert!(reduced::<f32, _>(&[], &empty, Par::Seq, Mean)[0].is_nan());
    assert!(reduced(&[], &empty, Par::Seq, All)[0] && !reduced(&[], &empty, Par::Seq, Any)[0]);
}

#[test]
fn complex_products_and_booleans() {
    let i = Complex64::new(0.0, 1.0);
    let layout = ReduceLayout::new(&[6], &[true]);
    assert_eq!(reduced(&[i; 6], &layout, Par::Seq, Prod), [-Complex64::ONE]);
    let mixed = [true, true, false, true, true, true];
    assert_eq!(reduced(&mixed, &layout, Par::Seq, All), [false]);
    assert_eq!(reduced(&mixed, &layout, Par::Seq, Any), [true]);
}

#[test]
fn arg_reductions_match_a_search() {
    for shape in [[1, 5, 1], [2, 1000, 1], [3, 7, 300], [1, 1, 4], [300, 3, 1]] {
        let [outer, axis, inner] = shape;
        let x: Vec<i32> = noise(outer * axis * inner).iter().map(|x| (x * 20.0) as i32).collect();
        let column = |i: usize| {
            let (o, c) = (i / inner, i % inner);
            (0..axis).map(|a| x[(o * axis + a) * inner + c]).collect::<Vec<_>>()
        };
        let got: Vec<i64> = filled(outer * inner, |out| arg_max(&x, shape, out, Par::Pool));
        for (i, &got) in got.iter().enumerate() {
            let column = column(i);
            let best = column.iter().max();
            assert_eq!(Some(got as usize), column.iter().position(|x| Some(x) == best));
        }
        let got: Vec<i32> = filled(outer * inner, |out| arg_min(&x, shape, out, Par::Pool));
        for (i, &got) in got.iter().enumerate() {
            let column = column(i);
            let best = column.iter().min();
            assert_eq!(Some(got as usize), column.iter().position(|x| Some(x) == best));
        }
    }
}

#[test]
fn arg_reductions_pass_over_nan() {
    let nan = f32::NAN;
    let x = [nan, 1.0, 2.0, 1.0, nan, 2.0, nan, nan, nan, f32::INFINITY, nan, 0.0];
    let got: Vec<i64> = filled(4, |out| arg_max(&x, [4, 3, 1], out, Par::Seq));
    assert_eq!(got, [2, 2, 0, 0]);
    let got: Vec<i64> = filled(4, |out| arg_min(&x, [4, 3, 1], out, Par::Seq));
    assert_eq!(got, [1, 0, 0, 2]);
}

#[test]
fn scans() {
    let run = |exclusive, reverse, shape| -> Vec<i32> {
        let mode = ScanMode { exclusive, reverse };
        filled(6, |out| scan(&[1, 2, 3, 4, 5, 6], shape, mode, out, Par::Seq, Sum))
    };
    assert_eq!(run(false, false, [1, 6, 1]), [1, 3, 6, 10, 15, 21]);
    assert_eq!(run(true, false, [1, 6, 1]), [0, 1, 3, 6, 10, 15]);
    assert_eq!(run(false, true, [2, 3, 1]), [6, 5, 3, 15, 11, 6]);
    assert_eq!(run(true, true, [1, 3, 2]), [8, 10, 5, 6, 0, 0]);
    assert_eq!(run(false, false, [1, 2, 3]), [1, 2, 3, 5, 7, 9]);
}

#[test]
fn casts_of_accumulators_agree() {
    let x: f32 = Accumulate::to_acc(f16::ONE);
    assert_eq!(x, Cast::<f32>::cast(f16::ONE));
}

#[test]
fn sums_of_squares_and_of_exponentials() {
    let layout = ReduceLayout::new(&[2, 2], &[false, true]);
    let x = [3.0f32, -4.0, f32::NEG_INFINITY, 0.0];
    assert_eq!(reduced(&x, &layout, Par::Seq, Squares), [25.0, f32::INFINITY]);
    assert_eq!(reduced(&x.map(f16::from_f32), &layout, Par::Seq, Squares)[0].to_f32(), 25.0);
    let empty = ReduceLayout::new(&[0], &[true]);
    assert_eq!(reduced::<f64, _>(&[], &empty, Par::Seq, Squares), [0.0]);
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let x = [1000.0, 1000.0, -inf, -inf, inf, 1.0, inf, inf, nan, 1.0, nan, inf, -inf, 2.5];
    let layout = ReduceLayout::new(&[7, 2], &[false, true]);
    let got = reduced(&x, &layout, Par::Seq, LogSumExp);
    assert!((got[0] - 1000.0 - 2f64.ln()).abs() < 1e-9, "{}", got[0]);
    assert_eq!([got[1], got[2], got[3], got[6]], [-inf, inf, inf, 2.5]);
    assert!(got[4].is_nan() && got[5].is_nan());
}

proptest! {
    #[test]
    fn any_reduction(dims in proptest::collection::vec((0usize..6, any::<bool>()), 0..5)) {
        let (shape, flags): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        check(&shape, &flags);
    }
}

#[test]
fn places_of_nothing() {
    let none: &[f32] = &[];
    for extents in [[1 << 62, 3, 0], [0, 1 << 62, 1 << 62], [1 << 62, 1 << 62, 0]] {
        let (most, least): (Vec<i64>, Vec<i64>) = (
            filled(0, |out| arg_max(none, extents, out, Par::Pool)),
            filled(0, |out| arg_min(none, extents, out, Par::Seq)),
        );
        assert!(most.is_empty() && least.is_empty());
    }
}
