use super::*;
use crate::element::{Arithmetic, Transcendental, f16};
use crate::testing::{filled, noise};
use proptest::prelude::*;

/// The offset in an operand for element `flat` of the result.
fn source(flat: usize, out_shape: &[usize], shape: &[usize]) -> usize {
    let (mut rest, mut at, mut step) = (flat, 0, 1);
    for (d, &size) in out_shape.iter().enumerate().rev() {
        let index = rest % size;
        rest /= size;
        if let Some(i) = (d + shape.len()).checked_sub(out_shape.len()) {
            at += if shape[i] == 1 { 0 } else { index * step };
            step *= shape[i];
        }
    }
    at
}

fn iota(shape: &[usize]) -> Vec<i64> {
    (0..shape.iter().product::<usize>() as i64).collect()
}

fn check_zip(x_shape: &[usize], y_shape: &[usize]) {
    let plan = Broadcast::new(x_shape, y_shape).unwrap();
    let (x, y) = (iota(x_shape), iota(y_shape));
    let f = |x: i64, y: i64| x * 1_000_000 + y;
    let want: Vec<i64> = (0..plan.len())
        .map(|i| {
            let from = |shape| source(i, plan.out_shape(), shape);
            f(x[from(x_shape)], y[from(y_shape)])
        })
        .collect();
    for par in [Par::Seq, Par::Pool] {
        let got = filled(plan.len(), |out| zip_broadcast(&x, &y, &plan, out, par, f));
        assert_eq!(got, want, "{x_shape:?} {y_shape:?}");
    }
    let got = filled(plan.len(), |out| {
        zip_broadcast_ref(&x, &y, &plan, out, |&x, &y| f(x, y));
    });
    assert_eq!(got, want);
}

#[test]
fn usual_broadcasts() {
    check_zip(&[], &[]);
    check_zip(&[0, 3], &[1]);
    check_zip(&[700, 500], &[500]);
    check_zip(&[700, 500], &[700, 1]);
    check_zip(&[1, 500], &[700, 1]);
    check_zip(&[400, 1, 30], &[30, 1]);
}

#[test]
fn every_length_is_filled() {
    for len in (0..200).chain([(1 << 18) - 1, 1 << 19]) {
        let x = noise(len);
        let want: Vec<f32> = x.iter().map(|x| x + x).collect();
        for par in [Par::Seq, Par::Pool] {
            let got: Vec<f32> = filled(len, |out| zip(&x, &x, out, par, Arithmetic::add));
            assert_eq!(got, want);
        }
    }
}

#[test]
fn results_beyond_the_cache() {
    // Three more than a whole number of blocks, and not aligned.
    let x = noise((1 << 22) + 1027);
    let got: Vec<f32> = filled(x.len(), |out| {
        out[0].write(0.0);
        zip(&x[1..], &x[1..], &mut out[1..], Par::Seq, Arithmetic::add);
    });
    assert!(got[1..].iter().zip(&x[1..]).all(|(got, x)| *got == x + x));
}

#[test]
fn a_value_does_not_depend_on_the_length() {
    let x: Vec<f32> = noise(1000).iter().map(|x| x * 20.0).collect();
    let long: Vec<f32> = filled(1000, |out| map(&x, out, Par::Seq, Transcendental::exp));
    for (x, long) in x.iter().zip(long) {
        let short = filled(1, |out| map(&[*x], out, Par::Seq, Transcendental::exp));
        assert_eq!(short[0].to_bits(), long.to_bits());
    }
    let h: Vec<f16> = x.iter().map(|&x| f16::from_f32(x)).collect();
    let long: Vec<f16> = filled(1000, |out| map(&h, out, Par::Seq, Transcendental::tanh));
    assert!(h.iter().zip(long).all(|(&h, long)| Transcendental::tanh(h) == long));
}

#[test]
fn select_takes_strings() {
    let plan = Broadcast3::new(&[2, 1], &[3], &[]).unwrap();
    let x = ["a", "b", "c"].map(String::from);
    let got = filled(plan.len(), |out| {
        select_broadcast(&[true, false], &x, &["z".into()], &plan, out, Par::Pool);
    });
    assert_eq!(got, ["a", "b", "c", "z", "z", "z"]);
}

#[test]
#[should_panic(expected = "shapes of the plan")]
fn wrong_lengths_panic() {
    let plan = Broadcast::new(&[2], &[2]).unwrap();
    zip_broadcast(&[1], &[1, 2], &plan, &mut [MaybeUninit::<i32>::uninit(); 2], Par::Seq, |x, _| x);
}

proptest! {
    #[test]
    fn any_broadcast(dims in proptest::collection::vec((0usize..5, 0u8..4), 0..5), drop in 0usize..3) {
        let side = |one: u8| dims.iter().map(move |&(size, kind)| if kind == one { 1 } else { size });
        let (x, y): (Vec<_>, Vec<_>) = (side(1).collect(), side(2).collect());
        check_zip(&x, &y);
        // A missing leading dimension counts as one.
        let y = &y[drop.min(y.len())..];
        check_zip(&x, y);
        check_zip(y, &x);
    }
}
