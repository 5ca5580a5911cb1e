//! Loops on scalars run in registers, and give what their ops give one by one.

use std::sync::Arc;

use extype::control::{ELSE_BRANCH, IF, THEN_BRANCH};
use extype::function::trace_body;
use extype::ir::{Attrs, LibraryFunction};
use extype::prelude::*;
use extype::tensor::execute;
use proptest::prelude::*;

type State = (Tensor, Tensor, Tensor, Tensor, Tensor);

/// One of the steps that the programs are made of. There are so many.
const STEPS: u8 = 19;

fn step(code: u8, state: State) -> Result<State> {
    let (i, mut a, mut x, mut y, mut p) = state;
    match code {
        0 => a = ops::add(&a, &i.cast(i64)?)?,
        1 => x = ops::add(&ops::mul(&x, 0.5)?, &a.cast(f64)?)?,
        2 => y = x.cast(f32)?,
        3 => p = a.greater(3i64)?,
        4 => {
            (a, x) = cond(
                &p,
                || Ok((ops::add(&ops::mul(&a, 3i64)?, 1i64)?, ops::neg(&x)?)),
                || Ok((ops::div(&a, 2i64)?, x.clone())),
            )?;
        }
        5 => (a, x) = (x.cast(i64)?, a.cast(f64)?),
        6 => {
            let within = while_loop(
                (scalar(0i64), a.clone()),
                |(j, _)| j.less(3i64),
                |(j, a)| Ok((ops::add(&j, 1i64)?, ops::add(&a, &j)?)),
            )?;
            a = within.1;
        }
        7 => a = ops::floor_mod(&a, &ops::add(&i, 1)?.cast(i64)?)?,
        8 => p = ops::logical_and(&ops::logical_not(&p)?, &x.less(1.0)?)?,
        9 => a = p.cast(i64)?,
        // Fails in the iteration 2.
        10 => a = ops::div(&a, &ops::sub(&i, 2)?.cast(i64)?)?,
        11 => y = cond(&p, || Ok(y.clone()), || ops::sqrt(&y))?,
        12 => p = cond(&y.is_nan()?, || Ok(p.clone()), || y.less(&x.cast(f32)?))?,
        13 => p = ops::equal(&ops::rem(&a, 4i64)?, 0i64)?,
        14 => a = ops::floor_div(&a, 8i64)?,
        // Only the branch that is taken divides.
        15 => {
            let d = ops::sub(&i, 2)?.cast(i64)?;
            a = cond(&d.not_equal(0i64)?, || ops::div(&a, &d), || Ok(a.clone()))?;
        }
        16 => p = ops::floor_mod(&ops::sub(&a, &i.cast(i64)?)?, 5i64)?.greater_equal(&a)?,
        17 => {
            let next = ops::add(&a, &x.cast(i64)?)?;
            (x, a) = (a.cast(f64)?, next);
        }
        // Each arm gives back what the other computes.
        _ => (y, x) = cond(&p, || Ok((x.cast(f32)?, y.cast(f64)?)), || Ok((y.clone(), x.clone())))?,
    }
    Ok((i, a, x, y, p))
}

fn program(codes: &[u8], n: &Tensor, start: &Tensor) -> Result<State> {
    let (x, y) = (start.cast(f64)?, start.cast(f32)?);
    while_loop(
        (scalar(0i32), start.clone(), x, y, scalar(false)),
        |(i, ..)| i.less(n),
        |state| {
            let (i, a, x, y, p) = codes.iter().try_fold(state, |state, c| step(*c, state))?;
            Ok((ops::add(&i, 1)?, a, x, y, p))
        },
    )
}

fn shown(result: Result<State>) -> std::result::Result<String, ()> {
    let show = |(i, a, x, y, p)| format!("{i} {a} {x} {y} {p}");
    result.map(show).map_err(drop)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn programs_of_scalars_run_as_their_ops_do(
        codes in proptest::collection::vec(0..STEPS, 1..7),
        n in 0i32..6,
        start in -9i64..9,
    ) {
        let (n, start) = (scalar(n), scalar(start));
        let traced = function(|n: &Tensor, start: &Tensor| program(&codes, n, start));
        let (got, want) = (shown(traced.call(&n, &start)), shown(program(&codes, &n, &start)));
        // What fails does not run in a graph where nothing needs it.
        prop_assert!(got == want || (want.is_err() && got.is_ok()), "{:?} {:?}", got, want);
    }
}

#[test]
fn each_step_alone_runs_as_its_ops_do() {
    for code in 0..STEPS {
        let traced = function(|n: &Tensor, start: &Tensor| program(&[code], n, start));
        for (n, start) in [(0i32, 7i64), (1, -3), (5, 12)] {
            let (n, start) = (scalar(n), scalar(start));
            let want = shown(program(&[code], &n, &start));
            assert_eq!(shown(traced.call(&n, &start)), want, "step {code}");
        }
    }
}

/// Quotients and remainders by constants are those of the ops one by one, also where the numbers are extreme.
#[test]
fn divisions_by_constants_run_as_their_ops_do() -> Result<()> {
    macro_rules! check {
        ($t:ident: $($divisor:expr),+) => {$(
            let d: $t = $divisor;
            let divided = |x: &Tensor| {
                while_loop(
                    (scalar(0i32), x.clone(), x.clone(), x.clone(), x.clone(), scalar(0i32)),
                    |(i, ..)| i.less(2),
                    |(i, a, b, c, e, n)| {
                        let odd = ops::equal(&ops::rem(&e, d)?, scalar($t::default()))?;
                        let n = cond(&odd, || ops::add(&n, 1), || ops::sub(&n, 1))?;
                        let a = ops::div(&a, d)?;
                        let b = ops::rem(&b, d)?;
                        Ok((ops::add(&i, 1)?, a, b, c.floor_div(d)?, e.floor_mod(d)?, n))
                    },
                )
            };
            let traced = function(divided);
            for x in [0, 1, 2, 3, 7, 8, 100, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, $t::MAX / 2] {
                for x in [x, $t::default().wrapping_sub(x)] {
                    let (got, want) = (traced.call(&scalar(x))?, divided(&scalar(x))?);
                    assert_eq!(format!("{got:?}"), format!("{want:?}"), "{x} by {d}");
                }
            }
        )+};
    }
    check! { i32: 1, 2, -1, -2, 8, -8, 7, -7, 1 << 30, i32::MIN, i32::MAX }
    check! { i64: 1, 2, -1, -2, 8, -8, 7, -7, 1 << 62, i64::MIN, i64::MAX }
    check! { u32: 1, 2, 8, 7, 1 << 31, u32::MAX }
    Ok(())
}

#[test]
fn what_an_op_refuses_in_a_branch_of_a_loop_names_the_iteration() -> Result<()> {
    let traced = function(|n: &Tensor, start: &Tensor| program(&[10, 1], n, start));
    let e = traced.call(&scalar(9i32), &scalar(5i64)).expect_err("a division by zero");
    let text = e.to_string();
    assert!(text.contains("integer division by zero"), "{e}");
    assert!(text.contains("iteration 2"), "{e}");
    assert!(text.contains("scalars.rs:"), "{e}");
    assert!(traced.call(&scalar(2i32), &scalar(5i64)).is_ok());
    Ok(())
}

/// Functions that call the one before twice: what they compute is short to say, and long to do.
fn doubling(times: usize) -> Result<Arc<LibraryFunction>> {
    let spec = [TensorSpec::of::<bool>([]), TensorSpec::of::<i64>([])].to_vec();
    let mut f =
        trace_body("one", &spec, |s: Vec<Tensor>| ops::add(&s[1], 1i64))?.into_function(&[])?;
    for _ in 0..times {
        let attrs = Attrs::new().with(THEN_BRANCH, &f).with(ELSE_BRANCH, &f);
        let call = |s: &[Tensor], x: &Tensor| execute(&IF, attrs.clone(), &[&s[0], &s[0], x]);
        let twice = |s: Vec<Tensor>| Ok(call(&s, &call(&s, &s[1])?[0])?[0].clone());
        f = trace_body("twice", &spec, twice)?.into_function(&[])?;
    }
    Ok(f)
}

/// A loop over such a function, with so many iterations.
fn looped(f: &Arc<LibraryFunction>, n: i64) -> Result<Tensor> {
    let f = f.clone();
    let all = function(move |n: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i64), scalar(0i64)),
            |(i, _)| i.less(n),
            |(i, x)| {
                let attrs = Attrs::new().with(THEN_BRANCH, &f).with(ELSE_BRANCH, &f);
                let p = i.less(n)?;
                Ok((ops::add(&i, 1i64)?, execute(&IF, attrs, &[&p, &p, &x])?[0].clone()))
            },
        )?;
        Ok(x)
    });
    all.call(&scalar(n))
}

#[test]
fn a_loop_that_is_long_to_write_out_is_not_written_out() -> Result<()> {
    assert_eq!(looped(&doubling(3)?, 2)?.item::<i64>()?, 16);
    assert_eq!(looped(&doubling(11)?, 1)?.item::<i64>()?, 1 << 11);
    assert_eq!(looped(&doubling(40)?, 0)?.item::<i64>()?, 0);
    Ok(())
}
