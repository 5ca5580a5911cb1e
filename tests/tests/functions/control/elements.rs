//! Loops that read and write single elements of vectors run in registers, and give what their ops give one by one.

use extype::prelude::*;
use proptest::prelude::*;

/// A counter, a number, a number of shape [1], two vectors of one size, and one of integers.
type State = (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor);

/// One of the steps that the programs are made of. There are so many.
const STEPS: u8 = 23;
/// Steps that leave their loop to its ops: old elements are read after new ones are written, or vectors change places.
const WITHOUT_REGISTERS: [u8; 4] = [6, 7, 8, 10];
const LEN: i32 = 5;

fn at(i: &Tensor) -> Result<Tensor> {
    ops::floor_mod(i, LEN)?.reshape([1, 1])
}

fn put(v: &Tensor, i: &Tensor, x: &Tensor) -> Result<Tensor> {
    v.tensor_scatter_nd_update(&at(i)?, &x.reshape([1])?)
}

fn get(v: &Tensor, i: &Tensor) -> Result<Tensor> {
    v.gather(ops::floor_mod(i, LEN)?, 0)
}

#[tf_function]
fn turned(x: &Tensor, y: &Tensor) -> Result<(Tensor, Tensor), Error> {
    Ok((y.clone(), ops::add(x, y)?))
}

#[tf_function]
fn same(x: &Tensor) -> Result<Tensor, Error> {
    Ok(x.clone())
}

fn step(code: u8, state: State) -> Result<State> {
    let (i, mut x, mut one, mut v, mut u, mut w) = state;
    match code {
        0 => x = ops::add(&x, &get(&v, &i)?)?,
        1 => v = put(&v, &i, &x)?,
        2 => w = w.tensor_scatter_nd_add(&at(&i)?, &x.cast(i64)?.reshape([1])?)?,
        3 => u = u.tensor_scatter_nd_max(&at(&i)?, &one)?,
        4 => u = u.tensor_scatter_nd_sub(&at(&i)?, &get(&v, &i)?.expand_dims(0)?)?,
        5 => v = cond(&x.less(2.0)?, || put(&v, &i, &ops::neg(&x)?), || Ok(v.clone()))?,
        // The old elements are read after the new ones are written.
        6 => {
            let old = v.clone();
            v = put(&v, &i, &ops::add(&x, 1.0)?)?;
            x = ops::add(&x, &get(&old, &i)?)?;
        }
        7 => (v, u) = (u, v),
        8 => u = v.clone(),
        9 => {
            (_, v) = while_loop(
                (scalar(0i32), v),
                |(j, _)| j.less(3),
                |(j, v)| {
                    let next = ops::add(&get(&v, &j)?, &x)?;
                    let j = ops::add(&j, 1)?;
                    Ok((j.clone(), put(&v, &j, &next)?))
                },
            )?;
        }
        // What the inner loop writes is for itself.
        10 => {
            let (_, scratch) = while_loop(
                (scalar(0i32), v.clone()),
                |(j, v)| ops::logical_and(&j.less(3)?, &get(v, j)?.less(1e6)?),
                |(j, v)| Ok((ops::add(&j, 1)?, put(&v, &j, &x)?)),
            )?;
            x = ops::add(&x, &get(&scratch, &i)?)?;
        }
        11 => one = ops::mul(&one, 1.5)?,
        12 => one = ops::add(&one, &x)?,
        13 => x = ops::mul(&x, &one.squeeze(..)?)?,
        14 => {
            x = ops::add(
                &x,
                &tensor![0.5f64, 0.25, 2.0, -1.0, 7.0].gather(&ops::floor_mod(&i, 4)?, 0)?,
            )?;
        }
        15 => x = cond(&x.greater(9.0)?, || get(&u, &i), || Ok(x.clone()))?,
        // Fails in the iteration 3, when other elements have been written.
        16 => x = ops::add(&x, &v.gather(&ops::mul(&i, 2)?, 0)?)?,
        17 => x = ops::select(&x.less(&get(&v, &i)?)?, &x, &ops::mul(&x, 0.75)?)?,
        18 => {
            let (a, b) = turned(&x, &get(&v, &i)?)?;
            x = ops::sub(&b, &ops::mul(&a, 0.5)?)?;
        }
        // What the call returns is read after its argument has changed.
        19 => {
            let old = same(&x)?;
            x = ops::add(&x, 1.0)?;
            x = ops::mul(&x, &old)?;
        }
        20 => x = ops::add(&x, &v.index(ops::sub(&ops::floor_mod(&i, LEN)?, 3)?)?)?,
        // Fails in the iteration 5.
        21 => x = ops::add(&x, &u.index(ops::neg(&ops::add(&i, 1)?)?)?)?,
        _ => x = ops::add(&x, &w.gather(&ops::floor_mod(&i, LEN)?.cast(i64)?, 0)?.cast(f64)?)?,
    }
    Ok((i, x, one, v, u, w))
}

fn program(codes: &[u8], n: &Tensor, v: &Tensor) -> Result<State> {
    let (u, w) = (ops::mul(v, 2.0)?, v.cast(i64)?);
    while_loop(
        (scalar(0i32), scalar(1.5f64), tensor![0.5f64], v.clone(), u, w),
        |(i, ..)| i.less(n),
        |state| {
            let (i, x, one, v, u, w) = codes.iter().try_fold(state, |state, c| step(*c, state))?;
            Ok((ops::add(&i, 1)?, x, one, v, u, w))
        },
    )
}

fn shown(result: Result<State>) -> std::result::Result<String, ()> {
    let show = |(i, x, one, v, u, w): State| format!("{i:?} {x:?} {one:?} {v:?} {u:?} {w:?}");
    result.map(show).map_err(drop)
}

fn start() -> Tensor {
    tensor![1.0f64, -2.0, 3.5, 0.0, 4.0]
}

fn check(codes: &[u8], n: i32) {
    let traced = function(|n: &Tensor, v: &Tensor| program(codes, n, v));
    let (n, v) = (scalar(n), start());
    let (got, want) = (shown(traced.call(&n, &v)), shown(program(codes, &n, &v)));
    assert_eq!(got, want, "{codes:?} {n}");
    assert_eq!(v.to_string(), start().to_string(), "an argument was changed");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn programs_of_elements_run_as_their_ops_do(
        codes in proptest::collection::vec(0..STEPS, 1..6),
        n in 0i32..7,
    ) {
        check(&codes, n);
    }
}

#[test]
fn each_step_alone_and_each_pair_run_as_their_ops_do() {
    for a in 0..STEPS {
        check(&[a], 6);
        for b in [1, 5, 6, 9, 10, 16] {
            check(&[a, b], 4);
        }
    }
}

#[test]
fn loops_of_elements_run_in_registers() -> Result<()> {
    let (n, v) = (TensorSpec::of::<i32>([]), TensorSpec::of::<f64>([5]));
    for code in 0..STEPS {
        let traced = function(|n: &Tensor, v: &Tensor| program(&[code], n, v));
        let text = traced.concrete(&n, &v)?.program()?;
        // Within a loop that is left to its ops, an inner one may run in registers.
        let found = text.contains("registers ") && !text.contains("program body");
        assert_eq!(found, !WITHOUT_REGISTERS.contains(&code), "step {code}: {text}");
    }
    Ok(())
}

#[test]
fn an_index_out_of_range_names_the_iteration() -> Result<()> {
    let traced = function(|n: &Tensor, v: &Tensor| program(&[1, 16], n, v));
    let e = traced.call(&scalar(6i32), &start()).expect_err("five elements");
    let text = e.to_string();
    assert!(text.contains("iteration 3") && text.contains("elements.rs:"), "{e}");
    Ok(())
}

#[test]
fn writes_out_of_range_are_refused() -> Result<()> {
    let traced = function(|n: &Tensor, v: &Tensor| {
        while_loop(
            (scalar(0i32), v.clone()),
            |(i, _)| i.less(n),
            |(i, v)| {
                let v = v.tensor_scatter_nd_add(&i.reshape([1, 1])?, &tensor![2.0f64])?;
                Ok((ops::add(&i, 1)?, v))
            },
        )
    });
    let (_, all) = traced.call(&scalar(5i32), &start())?;
    assert_eq!(all.as_slice::<f64>()?, &[3.0, 0.0, 5.5, 2.0, 6.0]);
    let e = traced.call(&scalar(6i32), &start()).expect_err("five elements").to_string();
    assert!(e.contains("iteration 5") && e.contains("do not point into"), "{e}");
    Ok(())
}

#[test]
fn large_vectors_are_written_if_the_loop_runs() -> Result<()> {
    let traced = function(|n: &Tensor, v: &Tensor| {
        while_loop(
            (scalar(0i32), v.clone()),
            |(i, _)| i.less(n),
            |(i, v)| Ok((ops::add(&i, 1)?, put(&v, &i, &scalar(2.0f64))?)),
        )
    });
    let v = Tensor::from_vec(vec![1.0f64; 5000]);
    for n in [0i32, 1, 3] {
        let (i, written) = traced.call(&scalar(n), &v)?;
        assert_eq!(i.item::<i32>()?, n);
        assert_eq!(written.sum(..)?.item::<f64>()?, 5000.0 + f64::from(n));
    }
    assert_eq!(v.sum(..)?.item::<f64>()?, 5000.0);
    Ok(())
}

/// A function that was traced for three elements computes with what is known of them.
#[test]
fn a_called_function_checks_what_it_is_given() -> Result<()> {
    let last = function(|v: &Tensor| v.gather(ops::sub(ops::size(v)?, 1)?, 0));
    let last = last.concrete(&TensorSpec::of::<f64>([3]))?;
    let twice = function(|v: &Tensor| {
        let (_, sum) = while_loop(
            (scalar(0i32), scalar(0.0f64)),
            |(i, _)| i.less(2),
            |(i, sum)| {
                let x = &last.call_flat(std::slice::from_ref(v))?[0];
                Ok((ops::add(&i, 1)?, ops::add(&sum, x)?))
            },
        )?;
        Ok(sum)
    });
    let twice = twice.concrete(&TensorSpec::of::<f64>(shape![?]))?;
    assert_eq!(twice.call_flat(&[tensor![1.0f64, 2.0, 4.0]])?[0].item::<f64>()?, 8.0);
    assert!(twice.call_flat(&[start()]).is_err());
    Ok(())
}

/// The sum of what a chain of products leaves in a vector, and of its elements on the way.
fn chained(x: &Tensor, v: &Tensor) -> Result<Tensor> {
    let (_, _, sum, v) = while_loop(
        (scalar(0i32), x.clone(), scalar(0.0f64), v.clone()),
        |(i, ..)| i.less(7),
        |(i, x, sum, v)| {
            let next = ops::mul(&ops::mul(&x, &get(&v, &i)?)?.tanh()?, 1.25)?;
            let sum = ops::add(&sum, &ops::mul(&next, &next)?)?;
            let v = put(&v, &ops::add(&i, 2)?, &next)?;
            Ok((ops::add(&i, 1)?, next, sum, v))
        },
    )?;
    ops::add(&sum, &v.sum(..)?)
}

#[test]
fn gradients_go_through_elements() -> Result<()> {
    let of = |x: &Tensor, v: &Tensor| {
        grad(|(x, v): &(Tensor, Tensor)| chained(x, v))(&(x.clone(), v.clone()))
    };
    let (x, v) = (scalar(0.75f64), start());
    let want = of(&x, &v)?;
    let got = function(of).call(&x, &v)?;
    for (got, want) in [(&got.0, &want.0), (&got.1, &want.1)] {
        let far = ops::abs(&ops::sub(got, want)?)?.max(..)?.item::<f64>()?;
        assert!(far < 1e-12, "{got} {want}");
    }
    let forward = function(|x: &Tensor, v: &Tensor| chained(x, v));
    let far = ops::sub(&forward.call(&x, &v)?, &chained(&x, &v)?)?.item::<f64>()?;
    assert!(far.abs() < 1e-12, "{far}");
    assert!(forward.concrete_functions()[0].program()?.contains("registers "));
    // Differences of the function agree.
    let slope = |e: f64| -> Result<f64> {
        Ok((chained(&ops::add(&x, e)?, &v)?.item::<f64>()?
            - chained(&ops::sub(&x, e)?, &v)?.item::<f64>()?)
            / (2.0 * e))
    };
    assert!((slope(1e-6)? - got.0.item::<f64>()?).abs() < 1e-6);
    Ok(())
}

/// A loop over scalars keeps what its gradient needs, and gives what its ops give one by one.
#[test]
fn gradients_of_loops_on_scalars() -> Result<()> {
    let looped = |x: &Tensor, n: &Tensor| -> Result<Tensor> {
        let (_, x, _) = while_loop(
            (scalar(0i32), x.clone(), tensor![2.0f64]),
            |(i, ..)| i.less(n),
            |(i, x, one)| {
                let one = ops::mul(&one, &x.sin()?)?;
                Ok((ops::add(&i, 1)?, ops::add(&ops::mul(&x, 0.5)?, &one.squeeze(..)?)?, one))
            },
        )?;
        Ok(x)
    };
    for n in [0i32, 1, 2, 9] {
        let (x, n) = (scalar(0.8f64), scalar(n));
        let want = grad(|x: &Tensor| looped(x, &n))(&x)?.item::<f64>()?;
        let traced = function(|x: &Tensor, n: &Tensor| grad(|x: &Tensor| looped(x, n))(x));
        let got = traced.call(&x, &n)?.item::<f64>()?;
        assert!((got - want).abs() < 1e-12 * want.abs().max(1.0), "{n}: {got} {want}");
        assert!(traced.concrete_functions()[0].program()?.contains("registers "));
    }
    Ok(())
}

/// Elements that are neither numbers of registers nor in vectors, and vectors of unknown length.
#[test]
fn other_tensors_are_left_to_their_ops() -> Result<()> {
    let total = function(|v: &Tensor, n: &Tensor| {
        let (_, sum) = while_loop(
            (scalar(0i32), ops::zeros(shape![], v.dtype())?),
            |(i, _)| i.less(n),
            |(i, sum)| Ok((ops::add(&i, 1)?, ops::add(&sum, &v.gather(&i, 0)?)?)),
        )?;
        Ok(sum)
    });
    for dtype in [f32, f64, i32, i64, u8, f16] {
        let v = tensor![1, 2, 3].cast(dtype)?;
        let sum = total.call(&v, &scalar(3i32))?;
        assert_eq!(sum.cast(f64)?.item::<f64>()?, 6.0, "{dtype}");
    }
    let spec = (TensorSpec::of::<f32>(shape![?]), TensorSpec::of::<i32>([]));
    let unknown = total.concrete(&spec.0, &spec.1)?;
    for len in [1usize, 4, 9] {
        let v = Tensor::from_vec(vec![2.0f32; len]);
        let sum = unknown.call_flat(&[v, scalar(len as i32)])?;
        assert_eq!(sum[0].item::<f32>()?, 2.0 * len as f32);
    }
    Ok(())
}

/// Numbers without registers, strings and variants are written to vectors by ops.
#[test]
fn other_vectors_are_written_by_their_ops() -> Result<()> {
    use extype::ops::{Op, TensorListFromTensor, TensorListLength};
    let filled = function(|v: &Tensor, x: &Tensor, n: &Tensor| {
        let (_, v) = while_loop(
            (scalar(0i32), v.clone()),
            |(i, _)| i.less(n),
            |(i, v)| Ok((ops::add(&i, 1)?, put(&v, &i, x)?)),
        )?;
        Ok(v)
    });
    let n = scalar(2i32);
    for dtype in [u8, f16] {
        let (v, x) = (tensor![1, 2, 3].cast(dtype)?, scalar(7i32).cast(dtype)?);
        let numbers = filled.call(&v, &x, &n)?.cast(i32)?;
        assert_eq!(numbers.as_slice::<i32>()?, &[7, 7, 3], "{dtype}");
    }
    let words = Tensor::from_strings(&["a", "b", "c"], &[3])?;
    let words = filled.call(&words, &Tensor::from_strings(&["d"], &[])?, &n)?;
    assert_eq!(words.value()?.as_strings()?, [b"d", b"d", b"c"]);
    let list = |len: usize| {
        let shape = Tensor::from_slice::<i32>(&[], &[0])?;
        TensorListFromTensor {}.run(&[&Tensor::from_vec(vec![1.0f32; len]), &shape])
    };
    let lists = ops::stack(&[&list(1)?, &list(2)?, &list(3)?], 0)?;
    let lists = filled.call(&lists, &list(4)?, &n)?;
    for (i, want) in [4, 4, 3].into_iter().enumerate() {
        let len = TensorListLength {}.run(&[&lists.gather(scalar(i as i32), 0)?])?;
        assert_eq!(len.item::<i32>()?, want);
    }
    for traced in filled.concrete_functions() {
        let text = traced.program()?;
        assert!(!text.contains("registers "), "{text}");
    }
    Ok(())
}
