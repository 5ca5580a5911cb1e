//! What loops keep for their gradients when it differs in shape from one iteration to the next: nested loops whose
//! counts depend on each other, lists in loops, tensors that grow. Without a trace loops are Rust's own, which the
//! tape sees op by op: they say what is right.

use extype::control::{TensorArray, fold};
use extype::prelude::*;

type F<'a> = &'a (dyn Fn(&Tensor) -> Result<Tensor> + Sync);

/// The value and the derivatives of two orders.
fn derivatives(f: &dyn Fn(&Tensor) -> Result<Tensor>, x: &Tensor) -> Result<[f64; 3]> {
    let first = extype::grad(f);
    let second = extype::grad(|x: &Tensor| first(x)?.reduce_sum(.., false));
    let sum = |x: Tensor| x.reduce_sum(.., false)?.item::<f64>();
    Ok([sum(f(x)?)?, sum(first(x)?)?, sum(second(x)?)?])
}

/// Compares what is traced with what is not: tapes around the call and within, a derivative forward, a call of a
/// trace that knows no sizes, a map over several arguments. Gives what is right.
#[track_caller]
fn agrees(f: F<'_>, x: &Tensor) -> Result<[f64; 3]> {
    let want = derivatives(f, x)?;
    let near = |got: [f64; 3], how: &str| {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        assert!(got.iter().zip(&want).all(near), "{how}: {got:?} is not {want:?}");
    };
    let traced = function(move |x: &Tensor| f(x));
    near(derivatives(&|x| traced.call(x), x)?, "tapes around");
    let slope = function(move |x: &Tensor| extype::grad(f)(x));
    let first = |x: &Tensor| slope.call(x)?.reduce_sum(.., false);
    let second = extype::grad(first);
    near([want[0], first(x)?.item()?, second(x)?.reduce_sum(.., false)?.item()?], "a tape within");
    let within = function(move |x: &Tensor| {
        let slope = extype::grad(f);
        let sum = |x: &Tensor| slope(x)?.reduce_sum(.., false);
        Ok((f(x)?, sum(x)?, extype::grad(sum)(x)?.reduce_sum(.., false)?))
    });
    let numbers = |(a, b, c): (Tensor, Tensor, Tensor)| Ok([a.item()?, b.item()?, c.item()?]);
    near(numbers(within.call(x)?)?, "tapes within");
    let unknown = TensorSpec::new(Shape::unknown(), DType::F64);
    within.concrete(&unknown)?;
    near(numbers(within.call(x)?)?, "of unknown rank");
    let (_, forward) = extype::jvp(|x: &Tensor| traced.call(x), x, &x.ones_like()?)?;
    near([want[0], forward.item()?, want[2]], "forward");
    let many = ops::stack(&[x, x], 0)?;
    let mapped = vectorized_map(&many, |x: Tensor| {
        let slope = extype::grad(f);
        slope(&x)?.reduce_sum(.., false)
    })?;
    for i in 0..2i64 {
        near([want[0], mapped.index(i)?.item()?, want[2]], "mapped");
    }
    Ok(want)
}

/// `for i in 0..n` on tensors.
fn repeat<S: Structure>(
    n: &Tensor,
    s: S,
    mut body: impl FnMut(&Tensor, S) -> Result<S>,
) -> Result<S> {
    let start = (scalar(0i64), s);
    let (_, s) = while_loop(
        start,
        |(i, _)| i.less(n),
        |(i, s)| {
            let s = body(&i, s)?;
            Ok((ops::add(&i, 1i64)?, s))
        },
    )?;
    Ok(s)
}

fn float(i: &Tensor) -> Result<Tensor> {
    i.cast(f64)
}

#[test]
fn a_list_of_a_length_that_grows_with_the_loop_around_it() -> Result<()> {
    let f = |x: &Tensor| {
        repeat(&scalar(5i64), scalar(0.0f64), |i, s| {
            let of = TensorSpec::of::<f64>([]);
            let a = TensorArray::new(i, &of)?;
            let a = repeat(i, a, |k, a| a.write(k, &ops::mul(x, &float(k)?)?.sin()?))?;
            ops::add(&ops::mul(&s, 0.5)?, &a.stack()?.reduce_sum(.., false)?)
        })
    };
    // As TensorFlow 2.21 says.
    let [_, slope, _] = agrees(&f, &scalar(0.3f64))?;
    assert!((slope - 6.012675605510839).abs() < 1e-12, "{slope}");
    Ok(())
}

#[test]
fn four_loops_whose_counts_depend_on_each_other() -> Result<()> {
    let f = |x: &Tensor| {
        repeat(&scalar(4i64), x.clone(), |i, s| {
            repeat(i, s, |j, s| {
                repeat(&ops::sub(i, j)?, s, |k, s| {
                    repeat(&ops::add(k, j)?, s, |l, s| {
                        let step = ops::mul(&s, &float(&ops::add(l, i)?)?)?.cos()?;
                        ops::add(&ops::mul(&s, 0.9)?, &ops::mul(&step, x)?)
                    })
                })
            })
        })
    };
    agrees(&f, &scalar(0.3f64))?;
    Ok(())
}

#[test]
fn loops_in_arms_of_loops() -> Result<()> {
    let f = |x: &Tensor| {
        repeat(&scalar(5i64), x.clone(), |i, s| {
            let even = ops::equal(&ops::floor_mod(i, 2i64)?, 0i64)?;
            cond(
                &even,
                || {
                    let of = TensorSpec::of::<f64>([]);
                    let list = TensorArray::growing(&of)?;
                    let list = repeat(i, list, |k, a| {
                        repeat(k, a, |l, a| a.push(&ops::mul(&s, &float(l)?)?.sin()?))
                    })?;
                    ops::add(&s, &ops::mul(&list.stack()?.reduce_sum(.., false)?, x)?)
                },
                || repeat(i, s.clone(), |k, s| ops::mul(&ops::add(&s, &float(k)?)?.sin()?, x)),
            )
        })
    };
    agrees(&f, &scalar(0.7f64))?;
    Ok(())
}

#[test]
fn lists_that_loops_carry_and_make_anew() -> Result<()> {
    let f = |x: &Tensor| {
        let of = TensorSpec::of::<f64>([]);
        let (first, empty) = (TensorArray::growing(&of)?.push(x)?, TensorArray::growing(&of)?);
        let state = (first, empty, x.clone());
        let (kept, last, s) = repeat(&scalar(4i64), state, |i, (kept, _, s)| {
            let next = ops::mul(&kept.read(i)?, &s)?.sin()?;
            // Of another length in every iteration; no gradient passes from one to the next.
            let made = repeat(&ops::add(i, 1i64)?, TensorArray::growing(&of)?, |k, a| {
                a.push(&ops::mul(&next, &float(k)?)?.cos()?)
            })?;
            let s = ops::add(&s, &made.stack()?.reduce_sum(.., false)?)?;
            Ok((kept.push(&next)?, made, s))
        })?;
        let all = ops::concat(&[&kept.stack()?, &last.stack()?], 0)?;
        ops::mul(&all.reduce_sum(.., false)?, &s)
    };
    agrees(&f, &scalar(0.4f64))?;
    Ok(())
}

#[test]
fn a_tensor_grows_in_a_loop() -> Result<()> {
    let f = |x: &Tensor| {
        let v = repeat(&scalar(4i64), x.reshape([1i64])?, |i, v| {
            let more = ops::mul(&v, &float(i)?)?.sin()?;
            ops::concat(&[&v, &more.reduce_sum(.., true)?], 0)
        })?;
        v.square()?.reduce_sum(.., false)
    };
    agrees(&f, &scalar(0.4f64))?;
    Ok(())
}

#[test]
fn a_tensor_of_another_size_in_every_iteration() -> Result<()> {
    // Made anew, so that no gradient passes through an iteration; the sizes of its zeros must be right.
    let f = |x: &Tensor| {
        let state = (x.reshape([1i64])?, x.clone());
        let (v, s) = repeat(&scalar(4i64), state, |i, (v, s)| {
            let sum = v.square()?.reduce_sum(.., false)?;
            let numbers = ops::range(0i64, &ops::add(i, 2i64)?, 1i64)?.cast(f64)?;
            let next = ops::mul(&numbers, &s)?.sin()?;
            Ok((next, ops::add(&s, &sum)?))
        })?;
        let unused = repeat(&scalar(3i64), (x.reshape([1i64])?, x.clone()), |i, (_, s)| {
            let numbers = ops::range(0i64, &ops::add(i, 2i64)?, 1i64)?.cast(f64)?;
            Ok((ops::mul(&numbers, &s)?, ops::mul(&s, x)?))
        })?;
        let sum = ops::add(&v.reduce_sum(.., false)?, &s)?;
        ops::add(&sum, &ops::mul(&unused.0.reduce_sum(.., false)?, &unused.1)?)
    };
    agrees(&f, &scalar(0.2f64))?;
    Ok(())
}

#[test]
fn lists_of_tensors_that_grow() -> Result<()> {
    let f = |x: &Tensor| {
        let of = TensorSpec::new(shape![?], DType::F64);
        let state = (TensorArray::growing(&of)?, x.reshape([1i64])?);
        let (list, _) = repeat(&scalar(4i64), state, |_, (list, v)| {
            let list = repeat(&scalar(2i64), list, |k, list| {
                list.push(&ops::mul(&v, &float(k)?)?.exp()?)
            })?;
            let next = ops::concat(&[&v, &v.sin()?], 0)?;
            Ok((list, next))
        })?;
        list.concat()?.reduce_sum(.., false)
    };
    agrees(&f, &scalar(0.3f64))?;
    Ok(())
}

#[test]
fn a_gradient_in_a_loop_of_a_loop() -> Result<()> {
    let f = |x: &Tensor| {
        repeat(&scalar(3i64), x.clone(), |i, s| {
            let inner = |y: &Tensor| repeat(i, y.clone(), |k, y| ops::add(&y.sin()?, &float(k)?));
            ops::add(&s, &extype::grad(inner)(&s)?)
        })
    };
    agrees(&f, &scalar(0.3f64))?;
    Ok(())
}

#[test]
fn folds_over_loops_of_dependent_counts() -> Result<()> {
    let f = |x: &Tensor| {
        let counts = tensor![2i64, 0, 3];
        let grown = fold(&counts, x.reshape([1i64])?, |v, n| {
            let more = repeat(&n, x.clone(), |k, s| ops::mul(&s, &ops::add(&float(k)?, x)?))?;
            ops::concat(&[&v, &more.reshape([1i64])?], 0)
        })?;
        grown.square()?.reduce_sum(.., false)
    };
    agrees(&f, &scalar(0.3f64))?;
    Ok(())
}

#[test]
fn conditionals_within_each_other_have_gradients() -> Result<()> {
    fn nested(x: &Tensor, depth: usize) -> Result<Tensor> {
        if depth == 0 {
            return x.sin();
        }
        let y = ops::mul(x, 1.01)?;
        cond(&y.greater(0.0)?, || ops::mul(&nested(&y, depth - 1)?, &y), || y.cos())
    }
    let x = scalar(0.9f64);
    for depth in [3usize, 30] {
        let f = function(|x: &Tensor| nested(x, depth));
        let got = extype::grad(|x: &Tensor| f.call(x))(&x)?.item::<f64>()?;
        let want = extype::grad(|x: &Tensor| nested(x, depth))(&x)?.item::<f64>()?;
        assert!((got - want).abs() <= 1e-12 * want.abs(), "{depth}: {got} is not {want}");
    }
    Ok(())
}
