//! Tapes around conditionals of traced functions: they see what goes on in the arms, as they do without a trace.

use extype::control::switch_case;
use extype::prelude::*;

/// Calls the function as it is and traced, on these arguments: the results must be alike.
#[track_caller]
fn alike(f: impl Fn(&Tensor) -> Result<Tensor> + Sync, args: &[f64]) -> Result<()> {
    let traced = function(|x: &Tensor| f(x));
    for x in args {
        let x = scalar(*x);
        let (got, want) = (traced.call(&x)?.item::<f64>()?, f(&x)?.item::<f64>()?);
        assert!((got - want).abs() <= 1e-12 * (1.0 + want.abs()), "{got} is not {want}");
    }
    Ok(())
}

/// The gradient by this tape, which must be there.
fn slope(tape: &GradientTape, y: &Tensor, x: &Tensor) -> Result<Tensor> {
    tape.gradient(y, x)?.leaf(0)?.ok_or_else(|| Error::invalid("not connected"))
}

#[test]
fn a_target_of_an_arm_has_gradients() -> Result<()> {
    let of_arm = |x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = x.square()?;
        cond(
            &x.greater(0.0)?,
            || slope(&tape, &ops::mul(&y.sin()?, x)?, x),
            || slope(&tape, &y.exp()?, x),
        )
    };
    alike(of_arm, &[0.7, -0.3])?;
    let of_branch = |x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = x.square()?;
        type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;
        let branches: Vec<Branch> =
            vec![Box::new(|| slope(&tape, &y.sin()?, x)), Box::new(|| slope(&tape, &y.cos()?, x))];
        switch_case(&x.greater(0.0)?.cast(i32)?, branches, None)
    };
    alike(of_branch, &[0.7, -0.3])
}

#[test]
fn arms_within_arms_loops_and_calls_in_them() -> Result<()> {
    let twice = function(|x: &Tensor| ops::mul(&x.sin()?, 2.0));
    let f = |x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = cond(&x.less(5.0)?, || x.square(), || x.exp())?;
        cond(
            &x.greater(0.0)?,
            || {
                let z = ops::mul(&twice.call(&y)?, x)?;
                let (_, z) = while_loop(
                    (scalar(0i64), z),
                    |(i, _)| i.less(3),
                    |(i, z)| Ok((ops::add(&i, 1i64)?, ops::mul(&z.cos()?, x)?)),
                )?;
                let inner =
                    cond(&z.less(0.1)?, || slope(&tape, &z.exp()?, x), || slope(&tape, &z, x))?;
                // What is of no arm has its gradient in one.
                ops::add(&inner, &slope(&tape, &y, x)?)
            },
            || slope(&tape, &y, x),
        )
    };
    alike(f, &[0.2, 0.9, 1.7, -0.4])
}

#[test]
fn sources_of_an_arm_variables_and_tapes_around_tapes() -> Result<()> {
    let v = Variable::new(scalar(1.5f64))?;
    let f = |x: &Tensor| {
        let (outer, inner) = (GradientTape::new(), GradientTape::new());
        outer.watch(x);
        inner.watch(x);
        let y = ops::mul(&x.square()?, &v.read()?)?;
        cond(
            &x.greater(0.0)?,
            || {
                let z = ops::mul(&y, &v.read()?.sin()?)?;
                inner.watch(&z);
                let w = z.exp()?;
                let first = slope(&inner, &w, x)?;
                let second = slope(&outer, &first, x)?;
                let of_variable = inner.gradient(&w, &v)?.of(&v)?.expect("connected").clone();
                let of_arm = slope(&inner, &w, &z)?;
                ops::add_n(&[&first, &second, &of_variable, &of_arm])
            },
            || x.zeros_like(),
        )
    };
    alike(f, &[0.4, -0.4])
}

#[test]
fn a_conditional_that_a_tape_saw_into_has_the_same_gradient() -> Result<()> {
    let f = |x: &Tensor| {
        let tape = GradientTape::persistent();
        tape.watch(x);
        let y = x.square()?;
        let z = cond(
            &x.greater(0.0)?,
            || ops::add(&slope(&tape, &y.sin()?, x)?, &y),
            || ops::mul(&y.exp()?, x),
        )?;
        slope(&tape, &z, x)
    };
    alike(f, &[0.4, -0.4])
}

#[test]
fn in_an_iteration_only_a_tape_of_the_iteration_sees_arms() -> Result<()> {
    let within = |x: &Tensor| {
        let (_, z) = while_loop(
            (scalar(0i64), x.clone()),
            |(i, _)| i.less(3),
            |(i, z)| {
                let tape = GradientTape::new();
                tape.watch(&z);
                let y = z.square()?;
                let z =
                    cond(&z.less(1.0)?, || slope(&tape, &y.sin()?, &z), || slope(&tape, &y, &z))?;
                Ok((ops::add(&i, 1i64)?, z))
            },
        )?;
        Ok(z)
    };
    alike(within, &[0.4, 1.3])?;
    let around = function(|x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let (_, z) = while_loop(
            (scalar(0i64), x.clone()),
            |(i, _)| i.less(3),
            |(i, z)| {
                let z = cond(&z.less(1.0)?, || slope(&tape, &z.sin()?, x), || Ok(z.clone()))?;
                Ok((ops::add(&i, 1i64)?, z))
            },
        )?;
        Ok(z)
    });
    let e = around.call(&scalar(0.4f64)).expect_err("refused");
    for part in ["of the body of a loop", "make a tape within", "or ask outside"] {
        assert!(e.message().contains(part), "{part}: {e}");
    }
    Ok(())
}

#[tf_function]
fn of_an_if(x: &Tensor) -> Result<Tensor> {
    let tape = GradientTape::new();
    tape.watch(x);
    let y = x.square()?;
    let mut found = y.zeros_like()?;
    if x > 0.0 {
        let z = y.sin()?;
        found = slope(&tape, &z, x)?;
    } else if x > -1.0 {
        return slope(&tape, &ops::mul(&y, x)?, x);
    }
    Ok(slope(&tape, &y.square()?, x)? + found)
}

#[test]
fn the_arms_of_an_if_are_seen() -> Result<()> {
    for x in [0.5f64, -0.5, -1.5] {
        let (y, rest) = (x * x, 4.0 * x.powi(3));
        let want = match x {
            _ if x > 0.0 => rest + 2.0 * x * y.cos(),
            _ if x > -1.0 => 3.0 * y,
            _ => rest,
        };
        let got = of_an_if(&scalar(x))?.item::<f64>()?;
        assert!((got - want).abs() < 1e-12, "{x}: {got} is not {want}");
    }
    Ok(())
}
