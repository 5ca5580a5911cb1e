//! Loops: `while_loop` and its options.

use extype::ConcreteFunction;
use extype::control::WhileLoop;
use extype::prelude::*;

fn ops_of(f: &ConcreteFunction) -> Vec<String> {
    f.graph().graph.nodes().iter().map(|n| n.op_name().to_owned()).collect()
}

#[test]
fn a_loop_runs_eagerly_and_traced() -> Result<()> {
    let factorial = |n: &Tensor| {
        let vars = (scalar(1i32), scalar(1i32));
        while_loop(
            vars,
            |(i, _)| i.less_equal(n),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::mul(&x, &i)?)),
        )
    };
    let f = function(factorial);
    for n in 0..8i32 {
        let (i, x) = f.call(&scalar(n))?;
        let (j, y) = factorial(&scalar(n))?;
        assert_eq!((i.item::<i32>()?, x.item::<i32>()?), (j.item::<i32>()?, y.item::<i32>()?));
        assert_eq!(x.item::<i32>()?, (1..=n).product::<i32>());
    }
    assert_eq!(f.trace_count(), 1);
    assert!(ops_of(&f.concrete_functions()[0]).contains(&"StatelessWhile".to_owned()));
    let def = f.concrete_functions()[0].graph().to_graph_def()?;
    let node = def.nodes.iter().find(|n| n.op == "StatelessWhile").expect("one");
    for name in ["T", "cond", "body", "output_shapes", "parallel_iterations"] {
        assert!(node.attrs.contains_key(name), "{name}");
    }
    // Captures are part of the state and come through.
    assert_eq!(node.inputs.len(), 3);
    Ok(())
}

#[test]
fn a_size_that_changes_is_unknown_in_the_loop() -> Result<()> {
    let grow = |x: &Tensor| {
        while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::concat(&[&x, &x], 0)?)),
        )
    };
    let f = function(grow);
    assert_eq!(f.call(&tensor![[1.0f32, 2.0]])?.1.shape(), shape![4, 2]);
    let spec = TensorSpec::of::<f32>([1, 2]);
    let traced = f.concrete(&spec)?;
    assert_eq!(traced.function().output_types()[1].shape, shape![?, 2]);
    assert_eq!(grow(&tensor![1.0f32, 2.0])?.1.shape(), shape![8]);
    Ok(())
}

#[test]
fn another_rank_and_growth_beyond_an_invariant_are_refused_with_both_shapes() -> Result<()> {
    let longer = |x: &Tensor| {
        while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, x)| Ok((ops::add(&i, 1)?, ops::stack(&[&x, &x], 0)?)),
        )
    };
    let e = function(longer).call(&tensor![1.0f32, 2.0]).expect_err("refused");
    for part in ["`vars[1]`", "[2]", "[2, 2]", "invariants", "the `while_loop` at"] {
        assert!(e.message().contains(part), "{part}: {e}");
    }
    assert!(e.location().is_some_and(|l| l.file().ends_with("loops.rs")), "{e}");
    // Eagerly shapes may change.
    assert_eq!(longer(&tensor![1.0f32, 2.0])?.1.shape(), shape![2, 2, 2]);
    let grows = function(|x: &Tensor| {
        WhileLoop::new(x.clone())
            .invariants(TensorSpec::of::<f32>([2]))
            .run(|x| x.reduce_sum(.., false)?.less(9.0), |x| ops::concat(&[&x, &x], 0))
    });
    let e = grows.call(&tensor![1.0f32, 2.0]).expect_err("refused");
    for part in ["`vars`", "[2]", "[4]", "invariants", "[?]", "the `while_loop` at"] {
        assert!(e.message().contains(part), "{part}: {e}");
    }
    Ok(())
}

#[test]
fn an_invariant_says_what_the_body_sees() -> Result<()> {
    let seen = std::sync::Mutex::new(Vec::new());
    let f = function(|x: &Tensor| {
        let spec = (TensorSpec::of::<i32>([]), TensorSpec::new(shape![?], DType::F32));
        let (_, x) = WhileLoop::new((scalar(0i32), x.clone())).invariants(spec).run(
            |(i, _)| i.less(2),
            |(i, x)| {
                seen.lock().expect("lock").push(x.shape());
                Ok((ops::add(&i, 1)?, ops::concat(&[&x, &x], 0)?))
            },
        )?;
        seen.lock().expect("lock").push(x.shape());
        Ok(x)
    });
    assert_eq!(f.call(&tensor![1.0f32, 2.0])?.shape(), shape![8]);
    assert_eq!(seen.lock().expect("lock")[..], [shape![?], shape![?]]);
    Ok(())
}

#[test]
fn an_invariant_that_the_start_does_not_fit_is_refused() {
    let f = function(|x: &Tensor| {
        WhileLoop::new(x.clone())
            .invariants(TensorSpec::of::<f32>([3]))
            .run(|x| x.reduce_sum(.., false)?.less(1.0), Ok)
    });
    let e = f.call(&tensor![1.0f32, 2.0]).expect_err("refused");
    assert!(e.message().contains("at its entry") && e.message().contains("[3]"), "{e}");
}

#[test]
fn a_body_that_changes_a_dtype_is_refused_with_the_part_and_both() {
    let f = function(|x: &Tensor| {
        while_loop(
            (scalar(0i32), x.clone()),
            |(i, _)| i.less(2),
            |(i, x)| Ok((ops::add(&i, 1)?, x.cast(f64)?)),
        )
    });
    let e = f.call(&scalar(1.0f32)).expect_err("refused");
    for part in ["`vars[1]`", "float32", "float64", "cast one of them, as in `x.cast(f32)?`"] {
        assert!(e.message().contains(part), "{part}: {e}");
    }
}

#[test]
fn a_list_that_changes_its_length_is_refused_everywhere() {
    let of = |x: &Tensor| {
        while_loop(
            vec![x.clone()],
            |x| x[0].less(3.0),
            |mut x| {
                x.push(x[0].clone());
                Ok(x)
            },
        )
    };
    for e in [of(&scalar(1.0f32)), function(of).call(&scalar(1.0f32))] {
        let e = e.expect_err("refused");
        assert!(e.message().contains("structure"), "{e}");
    }
}

#[test]
fn zero_iterations_return_what_was_given() -> Result<()> {
    let of = |x: &Tensor| {
        while_loop(x.clone(), |x| x.reduce_sum(.., false)?.less(0.0), |x| ops::neg(&x))
    };
    let x = tensor![1.0f32, 2.0];
    assert_eq!(of(&x)?.as_slice::<f32>()?, &[1.0, 2.0]);
    let y = function(of).call(&x)?;
    assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0]);
    assert_ne!(y.id(), x.id());
    Ok(())
}

#[test]
fn maximum_iterations_end_an_endless_loop() -> Result<()> {
    let of = |x: &Tensor, n: &Tensor| {
        WhileLoop::new(x.clone())
            .maximum_iterations(n)
            .run(|_| Ok(scalar(true)), |x| ops::add(&x, 1.0))
    };
    let f = function(of);
    let x = scalar(0.0f32);
    for (n, want) in [(3i32, 3.0f32), (0, 0.0), (-1, 0.0)] {
        assert_eq!(of(&x, &scalar(n))?.item::<f32>()?, want);
        assert_eq!(f.call(&x, &scalar(n))?.item::<f32>()?, want);
    }
    let wrong = tensor![1i32, 2];
    assert!(of(&x, &wrong).is_err() && f.call(&x, &wrong).is_err());
    let wrong = scalar(1.5f32);
    assert!(f.call(&x, &wrong).is_err());
    let none = function(|x: &Tensor| {
        WhileLoop::new(x.clone()).parallel_iterations(0).run(|_| Ok(scalar(false)), Ok)
    });
    assert!(none.call(&x).expect_err("refused").message().contains("at least 1"));
    Ok(())
}

#[test]
fn a_test_is_one_bool() {
    let x = scalar(1.0f32);
    let number = |x: &Tensor| while_loop(x.clone(), |x| Ok(x.clone()), Ok);
    let many = |x: &Tensor| while_loop(x.clone(), |_| Ok(tensor![true, false]), Ok);
    for e in [number(&x), many(&x), function(number).call(&x), function(many).call(&x)] {
        let e = e.expect_err("refused");
        assert!(e.message().contains("bool") || e.message().contains("reduce_all"), "{e}");
    }
}

#[test]
fn variables_in_a_loop_are_written_in_order_and_stay_what_they_are() -> Result<()> {
    let v = Variable::new(0i64)?;
    let f = function(|n: &Tensor| {
        let (i, same) = while_loop(
            (scalar(0i64), v.clone()),
            |(i, _)| i.less(n),
            |(i, w)| {
                w.assign_add(&i)?;
                v.assign_add(1i64)?;
                Ok((ops::add(&i, 1i64)?, w))
            },
        )?;
        same.assign_add(100i64)?;
        Ok((i, v.read()?))
    });
    let (i, sum) = f.call(&scalar(4i64))?;
    assert_eq!((i.item::<i64>()?, sum.item::<i64>()?), (4, 6 + 4 + 100));
    assert!(ops_of(&f.concrete_functions()[0]).contains(&"While".to_owned()));
    let w = Variable::new(0i64)?;
    let swap = function(|n: &Tensor| {
        let vars = (v.clone(), w.clone(), n.clone());
        let (v, _, _) = while_loop(
            vars,
            |(_, _, n)| n.greater(0i64),
            |(v, w, n)| Ok((w, v, ops::sub(&n, 1i64)?)),
        )?;
        v.read()
    });
    let e = swap.call(&scalar(2i64)).expect_err("refused");
    assert!(e.message().contains("`vars[0]`") && e.message().contains("another variable"), "{e}");
    Ok(())
}

#[test]
fn loops_and_conditionals_nest() -> Result<()> {
    let collatz = |n: &Tensor| {
        let (_, steps) = while_loop(
            (n.clone(), scalar(0i32)),
            |(n, _)| n.not_equal(1),
            |(n, steps)| {
                let even = ops::floor_mod(&n, 2)?.equal(0)?;
                let next =
                    cond(&even, || ops::floor_div(&n, 2), || ops::add(&ops::mul(&n, 3)?, 1))?;
                Ok((next, ops::add(&steps, 1)?))
            },
        )?;
        Ok(steps)
    };
    let f = function(collatz);
    for (n, want) in [(1i32, 0i32), (6, 8), (27, 111)] {
        assert_eq!(collatz(&scalar(n))?.item::<i32>()?, want);
        assert_eq!(f.call(&scalar(n))?.item::<i32>()?, want);
    }
    let table = function(|n: &Tensor| {
        let (_, sum) = while_loop(
            (scalar(0i32), scalar(0i32)),
            |(i, _)| i.less(n),
            |(i, sum)| {
                let (_, sum) = while_loop(
                    (scalar(0i32), sum),
                    |(j, _)| j.less(&i),
                    |(j, sum)| Ok((ops::add(&j, 1)?, ops::add(&sum, &ops::mul(&i, &j)?)?)),
                )?;
                Ok((ops::add(&i, 1)?, sum))
            },
        )?;
        Ok(sum)
    });
    let want: i32 = (0..6).flat_map(|i| (0..i).map(move |j| i * j)).sum();
    assert_eq!(table.call(&scalar(6i32))?.item::<i32>()?, want);
    Ok(())
}

#[test]
fn an_error_in_a_loop_names_the_loop_the_iteration_and_the_way() -> Result<()> {
    let inner = function(|x: &Tensor, i: &Tensor| x.gather(i, 0));
    let of = |x: &Tensor| {
        while_loop(
            (scalar(0i32), scalar(0.0f32)),
            |(i, _)| i.less(10),
            |(i, sum)| Ok((ops::add(&i, 1)?, ops::add(&sum, &inner.call(x, &i)?)?)),
        )
    };
    let f = function(of);
    let x = tensor![1.0f32, 2.0, 3.0];
    for e in [f.call(&x).expect_err("out of range"), of(&x).expect_err("out of range")] {
        let text = e.to_string();
        assert!(text.contains("iteration 3"), "{e}");
        assert!(text.contains("the `while_loop` at tests/tests/functions/control/loops.rs"), "{e}");
        assert!(text.contains("closure"), "{e}");
    }
    // The function is as usable as before.
    assert!(f.call(&Tensor::from_vec(vec![1.0f32; 10])).is_ok());
    Ok(())
}

#[test]
fn loops_on_scalars_move_their_state_as_the_body_says() -> Result<()> {
    let fibonacci = |n: &Tensor| {
        let vars = (scalar(0i32), scalar(0i64), scalar(1i64), scalar(true), scalar(2.5f64));
        while_loop(
            vars,
            |(i, ..)| i.less(n),
            |(i, a, b, odd, x)| {
                Ok((ops::add(&i, 1)?, b.clone(), ops::add(&a, &b)?, ops::logical_not(&odd)?, x))
            },
        )
    };
    let f = function(fibonacci);
    for n in [0i32, 1, 2, 9, 50] {
        let (want, got) = (fibonacci(&scalar(n))?, f.call(&scalar(n))?);
        assert_eq!(got.1.item::<i64>()?, want.1.item::<i64>()?, "{n}");
        assert_eq!(got.2.item::<i64>()?, want.2.item::<i64>()?, "{n}");
        assert_eq!((got.3.item::<bool>()?, got.4.item::<f64>()?), (n % 2 == 0, 2.5));
    }
    let swapped = function(|n: &Tensor, big: &Tensor| {
        while_loop(
            (n.clone(), scalar(1.0f32), scalar(2.0f32), scalar(3.0f32), big.clone()),
            |(n, ..)| n.greater(0i64),
            |(n, a, b, c, big)| Ok((ops::sub(&n, 1i64)?, b, c, a, big)),
        )
    });
    let big = tensor![1.0f32, 2.0];
    for (n, want) in [(0i64, [1.0f32, 2.0, 3.0]), (1, [2.0, 3.0, 1.0]), (5, [3.0, 1.0, 2.0])] {
        let (_, a, b, c, kept) = swapped.call(&scalar(n), &big)?;
        assert_eq!([a.item::<f32>()?, b.item::<f32>()?, c.item::<f32>()?], want);
        assert_eq!(kept.as_slice::<f32>()?, &[1.0, 2.0]);
        assert_ne!(kept.id(), big.id());
    }
    // Any integers say how often; a float and a list don't, eagerly and traced alike.
    for maximum in [scalar(2u8), scalar(2i16), scalar(2i64)] {
        let looped = |x: &Tensor| {
            let steps = WhileLoop::new(x.clone()).maximum_iterations(&maximum);
            steps.run(|_| Ok(scalar(true)), |x| ops::mul(&x, 2.0))
        };
        assert_eq!(looped(&scalar(1.0f32))?.item::<f32>()?, 4.0);
        assert_eq!(function(looped).call(&scalar(1.0f32))?.item::<f32>()?, 4.0);
    }
    for maximum in [scalar(2.0f32), tensor![1i64, 2]] {
        let looped = |x: &Tensor| {
            let steps = WhileLoop::new(x.clone()).maximum_iterations(&maximum);
            steps.run(|_| Ok(scalar(true)), |x| ops::mul(&x, 2.0))
        };
        assert!(looped(&scalar(1.0f32)).is_err());
        assert!(function(looped).call(&scalar(1.0f32)).is_err());
    }
    // A divisor of zero is an error of its iteration.
    let divides = function(|n: &Tensor| {
        let vars = (n.clone(), scalar(0i32));
        while_loop(
            vars,
            |(n, _)| n.greater(-1),
            |(n, sum)| Ok((ops::sub(&n, 1)?, ops::add(&sum, &ops::floor_div(scalar(6i32), &n)?)?)),
        )
    });
    let e = divides.call(&scalar(3i32)).expect_err("a division by zero");
    assert!(e.to_string().contains("iteration 3"), "{e}");
    Ok(())
}
