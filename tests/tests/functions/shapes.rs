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

/// What an op refuses is refused, although its result's type was known before the sizes of its operands were.
#[track_caller]
fn refused(f: &ConcreteFunction, given: &[Tensor], words: &str) {
    for _ in 0..2 {
        let e = f.call_flat(given).expect_err("refused").to_string();
        assert!(e.contains(words), "{e}");
    }
}

#[test]
fn operands_of_as_many_elements_do_not_pass_for_another_shape() -> Result<()> {
    let c = Tensor::from_vec(vec![1.0f32; 2048]).reshape([64, 32])?;
    let (own, other) = (c.clone(), c.reshape([32, 64])?);
    let spec = TensorSpec::of::<f32>(shape![?, ?]);
    let f = function(move |x: &Tensor| ops::mul(&ops::add(x, &own)?, 2.0)).concrete(&spec)?;
    refused(&f, &[other], "broadcast");
    assert_eq!(f.call_flat(std::slice::from_ref(&c))?[0].to_vec::<f32>()?, [4.0; 2048]);
    let own = c.clone();
    let f = open(move |x: &Tensor| ops::mul(&ops::add(x, &own)?, 2.0))?;
    refused(&f, &[vector(2048)], "broadcast");
    Ok(())
}

#[test]
fn a_write_of_another_shape_is_refused_and_writes_nothing() -> Result<()> {
    let v = Variable::new([1.0f32, 2.0, 3.0])?;
    let state = v.clone();
    let f = open(move |x: &Tensor| {
        state.assign_add(x)?;
        Ok(x.clone())
    })?;
    refused(&f, &[vector(1)], "[3]");
    assert_eq!(v.read()?.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
    f.call_flat(&[vector(3)])?;
    assert_eq!(v.read()?.to_vec::<f32>()?, [1.0, 2.5, 4.0]);
    Ok(())
}

#[test]
fn an_operand_that_does_not_broadcast_is_refused_before_an_op_and_in_an_arm() -> Result<()> {
    let spec = TensorSpec::of::<f32>(shape![?, 3]);
    let y = tensor![[1.0f32, 2.0, 3.0]];
    let own = y.clone();
    let f = function(move |x: &Tensor| ops::add(&ops::broadcast_to(x, [1, 3])?, &own));
    let f = f.concrete(&spec)?;
    let five = Tensor::from_vec(vec![1.0f32; 15]).reshape([5, 3])?;
    refused(&f, std::slice::from_ref(&five), "[5, 3]");
    assert_eq!(f.call_flat(std::slice::from_ref(&y))?[0].to_vec::<f32>()?, [2.0, 4.0, 6.0]);

    let a = Tensor::from_vec(vec![1.0f32; 12]).reshape([4, 3])?;
    let f = function(move |x: &Tensor| {
        cond(&ops::size(x)?.greater(0)?, || ops::mul(&ops::add(x, &a)?, 1.0), || ops::neg(&a))
    });
    let f = f.concrete(&spec)?;
    refused(&f, &[five], "broadcast");
    assert_eq!(f.call_flat(&[y])?[0].to_vec::<f32>()?[..3], [2.0, 3.0, 4.0]);
    Ok(())
}

#[test]
fn systems_of_unlike_batches_are_refused() -> Result<()> {
    let b = Tensor::from_vec(vec![1.0f32; 6]).reshape([2, 3, 1])?;
    let f = function(move |a: &Tensor| extype::linalg::solve(a, &b, ..));
    let f = f.concrete(&TensorSpec::of::<f32>(shape![?, 3, 3]))?;
    let eye = |n: usize| ops::broadcast_to(&ops::eye(3, f32)?, [n as i64, 3, 3]);
    refused(&f, &[eye(5)?], "5");
    assert_eq!(f.call_flat(&[eye(2)?])?[0].to_vec::<f32>()?, [1.0; 6]);
    Ok(())
}
