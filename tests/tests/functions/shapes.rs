//! Calls of a function that was traced for unknown sizes.

use extype::ConcreteFunction;
use extype::prelude::*;

fn vector(n: usize) -> Tensor {
    Tensor::from_vec((0..n).map(|i| i as f32 * 0.5).collect::<Vec<_>>())
}

/// A function of a vector of unknown size.
fn open(f: impl Fn(&Tensor) -> Result<Tensor> + Send + Sync + 'static) -> Result<ConcreteFunction> {
    function(f).concrete(&TensorSpec::of::<f32>(shape![?]))
}

#[test]
fn each_of_many_shapes_gives_what_the_ops_give() -> Result<()> {
    let f = |x: &Tensor| {
        let last = ops::shape_of(x)?.cast(f32)?;
        let scaled = ops::mul(&ops::tanh(&ops::add(x, 1.0)?)?, &last)?;
        let rows = ops::reshape(&scaled, [-1, 1])?;
        ops::add(&ops::reduce_sum(&ops::mul(&rows, x)?, 1, false)?, x)
    };
    let traced = open(f)?;
    // More shapes than there are programs for, each more than once.
    for n in (0..40).chain((0..40).rev()) {
        let x = vector(n);
        let y = traced.call_flat(std::slice::from_ref(&x))?.remove(0);
        assert!(f(&x)?.value()?.identical(y.value()?), "{n}");
    }
    Ok(())
}

#[test]
fn conditions_on_sizes_and_loops_over_them_are_right_for_each_shape() -> Result<()> {
    let f = open(|x: &Tensor| {
        let many = ops::size(x)?.greater(3)?;
        let x = cond(&many, || ops::neg(x), || ops::mul(x, 2.0))?;
        let n = ops::size(&x)?;
        let vars = (scalar(0i64), x.clone());
        let step = |(i, x): (Tensor, Tensor)| Ok((ops::add(&i, 1)?, ops::add(&x, &x)?));
        Ok(while_loop(vars, |(i, _)| i.less(&n), step)?.1)
    })?;
    for n in [2usize, 5, 2, 3, 4, 5] {
        let sign = if n > 3 { -1.0 } else { 2.0 };
        let want: Vec<f32> = (0..n).map(|i| i as f32 * 0.5 * sign * (1 << n) as f32).collect();
        assert_eq!(f.call_flat(&[vector(n)])?[0].to_vec::<f32>()?, want);
    }
    Ok(())
}

#[test]
fn a_shape_that_an_op_refuses_is_refused_and_the_next_call_works() -> Result<()> {
    let spec = TensorSpec::of::<f32>(shape![?]);
    let f = function(|x: &Tensor, y: &Tensor| ops::neg(&ops::add(x, y)?)).concrete(&spec, &spec)?;
    for _ in 0..2 {
        let e = f.call_flat(&[vector(3), vector(4)]).expect_err("3 and 4");
        assert_eq!(e.kind(), ErrorKind::InvalidArgument);
        let text = e.to_string();
        assert!(text.contains("add") && text.contains("[3]") && text.contains("[4]"), "{text}");
        assert!(text.contains("shapes.rs"), "the line: {text}");
        assert_eq!(f.call_flat(&[vector(2), vector(1)])?[0].to_vec::<f32>()?, [0.0, -0.5]);
    }
    Ok(())
}

#[test]
fn effects_happen_once_a_call_and_in_order() -> Result<()> {
    let v = Variable::new(0.0f32)?;
    let state = v.clone();
    let f = open(move |x: &Tensor| {
        let before = state.read()?;
        state.assign_add(&ops::reduce_sum(x, .., false)?)?;
        ops::add(&ops::mul(x, &before)?, &state.read()?)
    })?;
    let mut sum = 0.0f32;
    for n in [3usize, 4, 3, 20, 4] {
        let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.5).collect();
        let (before, own) = (sum, x.iter().sum::<f32>());
        sum += own;
        let want: Vec<f32> = x.iter().map(|x| x * before + sum).collect();
        assert_eq!(f.call_flat(&[vector(n)])?[0].to_vec::<f32>()?, want);
    }
    assert_eq!(v.read()?.item::<f32>()?, sum);
    Ok(())
}

#[test]
fn threads_that_call_with_new_shapes_at_once_get_their_own_results() -> Result<()> {
    let f = open(|x: &Tensor| ops::mul(&ops::add(x, 1.0)?, 2.0))?;
    std::thread::scope(|scope| {
        for t in 0..4 {
            let f = &f;
            scope.spawn(move || {
                for n in (0..60).map(|n| (n * 7 + t * 13) % 60) {
                    let want: Vec<f32> = (0..n).map(|i| (i as f32 * 0.5 + 1.0) * 2.0).collect();
                    let got = f.call_flat(&[vector(n)]).and_then(|y| y[0].to_vec::<f32>());
                    assert_eq!(got.expect("a result"), want);
                }
            });
        }
    });
    Ok(())
}

#[test]
fn gradients_for_unknown_sizes_are_those_of_the_ops() -> Result<()> {
    let f = |x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let centred = ops::sub(x, &ops::reduce_mean(x, .., true)?)?;
        let y = ops::mul(&ops::sigmoid(&centred)?, &ops::mul(x, x)?)?;
        tape.gradient(&y, x)?.into_structure()
    };
    let traced = open(f)?;
    for n in [1usize, 7, 3000, 7] {
        let y = traced.call_flat(&[vector(n)])?.remove(0);
        assert!(f(&vector(n))?.value()?.identical(y.value()?), "{n}");
    }
    Ok(())
}
