//! Gradients of conditionals and loops.

use extype::control::WhileLoop;
use extype::control::switch_case;
use extype::prelude::*;

/// The first and the second derivative, with tapes around the call.
fn slopes(f: &dyn Fn(&Tensor) -> Result<Tensor>, x: f32) -> Result<(f32, f32)> {
    let first = extype::grad(f);
    let second = extype::grad(&first);
    let x = scalar(x);
    Ok((first(&x)?.item()?, second(&x)?.item()?))
}

#[test]
fn both_arms_of_a_conditional_have_gradients_of_two_orders() -> Result<()> {
    let f = function(|p: &Tensor, x: &Tensor| {
        cond(p, || ops::mul(&x.exp()?, x), || ops::mul(&x.square()?, x))
    });
    let inside = function(|p: &Tensor, x: &Tensor| {
        let of = |x: &Tensor| cond(p, || ops::mul(&x.exp()?, x), || ops::mul(&x.square()?, x));
        let first = extype::grad(of);
        Ok((first(x)?, extype::grad(&first)(x)?))
    });
    let e = 2.0f32.exp();
    for (p, want) in [(true, (3.0 * e, 4.0 * e)), (false, (12.0, 12.0))] {
        let got = slopes(&|x| f.call(&scalar(p), x), 2.0)?;
        let (a, b) = inside.call(&scalar(p), &scalar(2.0f32))?;
        for (a, b) in [got, (a.item()?, b.item()?)] {
            assert!(
                (a - want.0).abs() < 1e-4 && (b - want.1).abs() < 1e-4,
                "{p}: {a} {b} {want:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn an_arm_that_does_not_use_a_source_gives_zeros() -> Result<()> {
    let w = Variable::new(tensor![3.0f32, 4.0])?;
    let f = function(|i: &Tensor, x: &Tensor| {
        type Branch<'a> = Box<dyn FnOnce() -> Result<Tensor> + 'a>;
        let branches: Vec<Branch> = vec![
            Box::new(|| x.square()),
            Box::new(|| ops::mul(&w.read()?, x)),
            Box::new(|| w.read()),
        ];
        switch_case(i, branches, None)
    });
    for (i, dx, dw) in [
        (0i32, [4.0f32, 6.0], [0.0f32, 0.0]),
        (1, [3.0, 4.0], [2.0, 3.0]),
        (2, [0.0, 0.0], [1.0, 1.0]),
    ] {
        let x = tensor![2.0f32, 3.0];
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = f.call(&scalar(i), &x)?;
        let g = tape.gradient(&y, &(x.clone(), w.clone()))?;
        assert_eq!(g.wrt(&x)?.expect("connected").as_slice::<f32>()?, &dx, "{i}");
        assert_eq!(g.of(&w)?.expect("connected").as_slice::<f32>()?, &dw, "{i}");
    }
    Ok(())
}

#[test]
fn an_arm_runs_once_for_its_result_and_its_gradient() -> Result<()> {
    let count = Variable::new(0i64)?.not_trainable();
    let f = function(|p: &Tensor, x: &Tensor| {
        let noisy = || {
            count.assign_add(1i64)?;
            // Another number each time it runs.
            let r = extype::random::uniform(Vec::<i64>::new(), 0.0..1.0, DType::F32)?;
            ops::mul(x, &r)
        };
        cond(p, noisy, || Ok(x.clone()))
    });
    for _ in 0..4 {
        let x = scalar(1.0f32);
        let tape = GradientTape::new();
        let (y, g) = tape.value_and_gradient(&x, || f.call(&scalar(true), &x))?;
        assert_eq!(g.wrt(&x)?.expect("connected").item::<f32>()?, y.item::<f32>()?);
    }
    assert_eq!(count.read()?.item::<i64>()?, 4);
    Ok(())
}

#[test]
fn doubling_three_times_has_slope_eight() -> Result<()> {
    let f = function(|x: &Tensor, n: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(n),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, 2.0)?)),
        )?;
        Ok(x)
    });
    for (n, want) in [(3i32, 8.0f32), (0, 1.0), (1, 2.0)] {
        let (first, second) = slopes(&|x| f.call(x, &scalar(n)), 5.0)?;
        assert_eq!((first, second), (want, 0.0));
    }
    Ok(())
}

#[test]
fn squares_of_squares_have_gradients_of_three_orders() -> Result<()> {
    let f = function(|x: &Tensor, n: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(n),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, &x)?)),
        )?;
        Ok(x)
    });
    // x^4
    let n = scalar(2i32);
    let d1 = extype::grad(|x: &Tensor| f.call(x, &n));
    let d2 = extype::grad(&d1);
    let d3 = extype::grad(&d2);
    let x = scalar(3.0f32);
    assert_eq!(d1(&x)?.item::<f32>()?, 4.0 * 27.0);
    assert_eq!(d2(&x)?.item::<f32>()?, 12.0 * 9.0);
    assert_eq!(d3(&x)?.item::<f32>()?, 24.0 * 3.0);
    // Tapes inside of the function.
    let inside = function(|x: &Tensor, n: &Tensor| {
        let of = |x: &Tensor| f.call(x, n);
        let d1 = extype::grad(of);
        extype::grad(&d1)(x)
    });
    assert_eq!(inside.call(&x, &n)?.item::<f32>()?, 12.0 * 9.0);
    Ok(())
}

#[test]
fn what_a_loop_captures_has_gradients() -> Result<()> {
    let w = Variable::new(2.0f32)?;
    let f = function(|x: &Tensor, a: &Tensor| {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, y)| Ok((ops::add(&i, 1)?, ops::add(&ops::mul(&y, &w.read()?)?, a)?)),
        )?;
        Ok(y)
    });
    // ((x w + a) w + a) w + a
    let (x, a) = (scalar(5.0f32), scalar(7.0f32));
    let tape = GradientTape::new();
    tape.watch(&(x.clone(), a.clone()));
    let y = f.call(&x, &a)?;
    assert_eq!(y.item::<f32>()?, 40.0 + 28.0 + 14.0 + 7.0);
    let g = tape.gradient(&y, &(x.clone(), a.clone(), w.clone()))?;
    assert_eq!(g.wrt(&x)?.expect("connected").item::<f32>()?, 8.0);
    assert_eq!(g.wrt(&a)?.expect("connected").item::<f32>()?, 7.0);
    assert_eq!(
        g.of(&w)?.expect("connected").item::<f32>()?,
        3.0 * 5.0 * 4.0 + 2.0 * 7.0 * 2.0 + 7.0
    );
    Ok(())
}

#[test]
fn a_body_with_random_numbers_and_writes_runs_once_an_iteration() -> Result<()> {
    let count = Variable::new(0i64)?.not_trainable();
    let f = function(|x: &Tensor| {
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, x)| {
                count.assign_add(1i64)?;
                Ok((
                    ops::add(&i, 1)?,
                    ops::mul(
                        &x,
                        &extype::random::uniform(Vec::<i64>::new(), 0.0..1.0, DType::F32)?,
                    )?,
                ))
            },
        )?;
        Ok(x)
    });
    let x = scalar(1.0f32);
    let tape = GradientTape::new();
    let (y, g) = tape.value_and_gradient(&x, || f.call(&x))?;
    assert!((g.wrt(&x)?.expect("connected").item::<f32>()? - y.item::<f32>()?).abs() < 1e-6);
    assert_eq!(count.read()?.item::<i64>()?, 3);
    Ok(())
}

#[test]
fn conditionals_and_loops_in_loops_have_gradients() -> Result<()> {
    // x * (1 or x) for odd and even i: x^(1 + number of even i below n).
    let f = function(|x: &Tensor, n: &Tensor| {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(n),
            |(i, y)| {
                let even = ops::floor_mod(&i, 2)?.equal(0)?;
                let y = cond(&even, || ops::mul(&y, x), || Ok(y.clone()))?;
                Ok((ops::add(&i, 1)?, y))
            },
        )?;
        Ok(y)
    });
    let (first, second) = slopes(&|x| f.call(x, &scalar(5i32)), 2.0)?;
    assert_eq!((first, second), (4.0 * 8.0, 12.0 * 4.0));
    // ((x^2)^2)^2 by a loop of loops.
    let g = function(|x: &Tensor| {
        let square = |x: Tensor, n: i32| -> Result<Tensor> {
            let (_, x) = while_loop(
                (scalar(0i32), x),
                |(i, _)| i.less(n),
                |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, &x)?)),
            )?;
            Ok(x)
        };
        let (_, x) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(3),
            |(i, x)| Ok((ops::add(&i, 1)?, square(x, 1)?)),
        )?;
        Ok(x)
    });
    let (first, second) = slopes(&|x| g.call(x), 1.5)?;
    assert!((first - 8.0 * 1.5f32.powi(7)).abs() < 1e-3, "{first}");
    assert!((second - 56.0 * 1.5f32.powi(6)).abs() < 1e-2, "{second}");
    Ok(())
}

#[test]
fn a_state_that_grows_has_gradients_of_two_orders() -> Result<()> {
    let f = function(|x: &Tensor| {
        WhileLoop::new(x.clone())
            .invariants(TensorSpec::new(shape![?], DType::F64))
            .maximum_iterations(2)
            .run(|_| Ok(scalar(true)), |x| ops::concat(&[&x.square()?, &x], 0))
    });
    let x = tensor![1.0f64, 2.0];
    assert_eq!(f.call(&x)?.shape(), shape![8]);
    // Of each element x⁴ + x² + x² + x.
    let sum = |x: &Tensor| f.call(x)?.reduce_sum(.., false);
    let slope = extype::grad(sum);
    assert_eq!(slope(&x)?.as_slice::<f64>()?, &[9.0, 41.0]);
    let curvature = extype::grad(|x: &Tensor| slope(x)?.reduce_sum(.., false));
    assert_eq!(curvature(&x)?.as_slice::<f64>()?, &[16.0, 52.0]);
    let open = function(|x: &Tensor| curvature(x));
    let spec = TensorSpec::new(shape![?], DType::F64);
    open.concrete(&spec)?;
    assert_eq!(open.call(&x)?.as_slice::<f64>()?, &[16.0, 52.0]);
    assert_eq!(open.trace_count(), 1);
    Ok(())
}

#[test]
fn values_of_unknown_sizes_are_kept_for_gradients() -> Result<()> {
    // A cumulative product by rows that get shorter.
    let f = function(|x: &Tensor| {
        let state = (x.clone(), scalar(0.0f64));
        let (_, sum) = WhileLoop::new(state)
            .invariants((TensorSpec::new(shape![?], DType::F64), TensorSpec::of::<f64>([])))
            .run(
                |(row, _)| ops::greater(&ops::size(row)?, 0i32),
                |(row, sum)| {
                    let rest = row.slice([1], [-1])?;
                    Ok((rest, ops::add(&sum, &row.reduce_prod(.., false)?)?))
                },
            )?;
        Ok(sum)
    });
    let x = tensor![2.0f64, 3.0, 5.0];
    assert_eq!(f.call(&x)?.item::<f64>()?, 30.0 + 15.0 + 5.0);
    let slope = extype::grad(|x: &Tensor| f.call(x));
    assert_eq!(slope(&x)?.as_slice::<f64>()?, &[15.0, 10.0 + 5.0, 6.0 + 3.0 + 1.0]);
    let curvature = extype::grad(|x: &Tensor| slope(x)?.reduce_sum(.., false));
    assert_eq!(curvature(&x)?.as_slice::<f64>()?, &[5.0 + 3.0, 5.0 + 2.0 + 1.0, 3.0 + 2.0 + 1.0]);
    // Without an iteration there is nothing to keep.
    assert_eq!(slope(&x.slice([0], [0])?)?.shape(), shape![0]);
    Ok(())
}

#[test]
fn lists_of_unknown_shape_are_kept_for_the_gradients_of_a_loop() -> Result<()> {
    use extype::ops::{Op, TensorListFromTensor, TensorListGetItem, TensorListSetItem};
    let item = |list: &Tensor, i: &Tensor| {
        let shape = Tensor::from_slice::<i32>(&[], &[0])?;
        TensorListGetItem { dtype: DType::F32 }.run(&[list, i, &shape])
    };
    // The product of x and the elements of a list, each of which is squared on the way.
    let slope = function(move |list: &Tensor, x: &Tensor| {
        let of = |x: &Tensor| {
            let (_, _, product) = while_loop(
                (scalar(0i32), list.clone(), x.clone()),
                |(i, ..)| i.less(3),
                |(i, list, product)| {
                    let own = item(&list, &i)?;
                    let next = TensorListSetItem { grows: false }.run(&[
                        &list,
                        &i,
                        &ops::mul(&own, &own)?,
                    ])?;
                    let product = ops::mul(&product, &item(&next, &i)?)?;
                    Ok((ops::add(&i, 1i32)?, next, product))
                },
            )?;
            Ok(product)
        };
        extype::grad(of)(x)
    });
    let any = TensorSpec::new(Shape::unknown(), DType::Variant);
    let f = slope.concrete(&any, &TensorSpec::of::<f32>([]))?;
    let list = TensorListFromTensor {}
        .run(&[&tensor![1.0f32, 2.0, 3.0], &Tensor::from_slice::<i32>(&[], &[0])?])?;
    assert_eq!(f.call_flat(&[list, scalar(5.0f32)])?[0].item::<f32>()?, 36.0);
    Ok(())
}

#[test]
fn second_gradients_pass_loops_within_arms_and_loops() -> Result<()> {
    let squares = |x: &Tensor| -> Result<Tensor> {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, y)| Ok((ops::add(&i, 1)?, ops::mul(&y, &y)?)),
        )?;
        Ok(y)
    };
    // x^4 where x is positive, x elsewhere.
    let in_arm = move |x: &Tensor| cond(&x.greater(0.0)?, || squares(x), || Ok(x.clone()));
    // x^4 for each element, and x^16.
    let in_map = move |x: &Tensor| map_fn(&ops::stack(&[x, x], 0)?, |x: Tensor| squares(&x));
    let in_loop = move |x: &Tensor| -> Result<Tensor> {
        let (_, y) = while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, y)| Ok((ops::add(&i, 1)?, squares(&y)?)),
        )?;
        Ok(y)
    };
    let check = |f: &dyn Fn(&Tensor) -> Result<Tensor>, at: f64, want: f64| -> Result<()> {
        let got = grad(grad(|x: &Tensor| f(x)))(&scalar(at))?.item::<f64>()?;
        assert!((got - want).abs() < 1e-9 * want.abs().max(1.0), "{got}, not {want}");
        Ok(())
    };
    for traced in [false, true] {
        let (a, m, l) = (function(in_arm), function(in_map), function(in_loop));
        let arm = |x: &Tensor| if traced { a.call(x) } else { in_arm(x) };
        let map = |x: &Tensor| if traced { m.call(x) } else { in_map(x) };
        let looped = |x: &Tensor| if traced { l.call(x) } else { in_loop(x) };
        check(&arm, 2.0, 48.0)?;
        check(&arm, -2.0, 0.0)?;
        check(&map, 2.0, 96.0)?;
        check(&looped, 1.5, 240.0 * 1.5f64.powi(14))?;
    }
    Ok(())
}
