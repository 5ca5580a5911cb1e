//! Loops that read and change lists of scalars run in registers, and give what their ops give one by one.

use extype::control::TensorArray;
use extype::prelude::*;

/// A counter, a number, a list of a fixed length and a growing one.
type State = (Tensor, Tensor, TensorArray, TensorArray);

/// One of the steps that the programs are made of. There are so many.
const STEPS: u8 = 11;
/// Steps that leave their loop to its ops: an old list is used after a new one is made of it.
const WITHOUT_REGISTERS: [u8; 2] = [7, 10];
const LEN: i32 = 5;

fn at(i: &Tensor, more: i32) -> Result<Tensor> {
    ops::floor_mod(&ops::add(i, more)?, LEN)
}

fn step(code: u8, state: State) -> Result<State> {
    let (i, mut x, mut fixed, mut grown) = state;
    match code {
        0 => fixed = fixed.write(at(&i, 0)?, &x)?,
        1 => x = ops::add(&ops::mul(&x, 0.5)?, &fixed.read(at(&i, 3)?)?)?,
        2 => grown = grown.push(&ops::mul(&i, 3)?.cast(i64)?)?,
        3 => {
            let (rest, last) = grown.push(&x.cast(i64)?)?.pop()?;
            (grown, x) = (rest, ops::add(&x, &last.cast(f64)?)?);
        }
        4 => grown = grown.write(ops::mul(&i, 2)?, &i.cast(i64)?)?,
        5 => {
            fixed = cond(&x.less(2.0)?, || fixed.write(at(&i, 1)?, &x), || Ok(fixed.clone()))?;
        }
        6 => {
            (_, fixed) = while_loop(
                (scalar(0i32), fixed),
                |(j, _)| j.less(3),
                |(j, fixed)| {
                    let next = ops::add(&fixed.read(&j)?, &x)?;
                    let j = ops::add(&j, 1)?;
                    Ok((j.clone(), fixed.write(&j, &next)?))
                },
            )?;
        }
        7 => x = ops::add(&x, &grown.push(&i.cast(i64)?)?.pop()?.1.cast(f64)?)?,
        // Fails in the iteration 5.
        8 => fixed = fixed.write(&i, &ops::neg(&x)?)?,
        // Fails in the iteration 2, when one item has been there and is gone.
        9 => {
            let one = i.less(1)?;
            grown = cond(&one, || grown.push(&i.cast(i64)?), || Ok(grown.pop()?.0))?;
        }
        _ => {
            let old = fixed.clone();
            fixed = fixed.write(at(&i, 0)?, &ops::add(&x, 1.0)?)?;
            x = ops::add(&x, &old.read(at(&i, 0)?)?)?;
        }
    }
    Ok((i, x, fixed, grown))
}

/// The number, and the items of the lists.
fn program(codes: &[u8], n: &Tensor, v: &Tensor) -> Result<(Tensor, Tensor, Tensor)> {
    let grown = TensorArray::growing(&TensorSpec::of::<i64>([]))?;
    let (_, x, fixed, grown) = while_loop(
        (scalar(0i32), scalar(1.5f64), TensorArray::unstack(v)?, grown),
        |(i, ..)| i.less(n),
        |state| {
            let (i, x, fixed, grown) = codes.iter().try_fold(state, |state, c| step(*c, state))?;
            Ok((ops::add(&i, 1)?, x, fixed, grown))
        },
    )?;
    Ok((x, fixed.stack()?, grown.stack()?))
}

fn start() -> Tensor {
    tensor![1.0f64, -2.0, 3.5, 0.0, 4.0]
}

#[test]
fn each_pair_of_steps_runs_as_its_ops_do() -> Result<()> {
    let shown = |result: Result<(Tensor, Tensor, Tensor)>| {
        result.map(|(x, fixed, grown)| format!("{x:?} {fixed:?} {grown:?}")).map_err(drop)
    };
    let (n, v) = (TensorSpec::of::<i32>([]), TensorSpec::of::<f64>([LEN as usize]));
    for a in 0..STEPS {
        for b in 0..STEPS {
            let codes = [a, b];
            let traced = function(|n: &Tensor, v: &Tensor| program(&codes, n, v));
            let concrete = traced.concrete(&n, &v)?;
            for n in [0i32, 1, 4, 6] {
                let want = shown(program(&codes, &scalar(n), &start()));
                assert_eq!(shown(traced.call(&scalar(n), &start())), want, "{codes:?} {n}");
            }
            let text = concrete.program()?;
            let found = text.contains("registers ") && !text.contains("program body");
            let wanted = !codes.iter().any(|code| WITHOUT_REGISTERS.contains(code));
            assert_eq!(found, wanted, "{codes:?}: {text}");
        }
    }
    Ok(())
}

/// Items that were never set are zeros, in the loop and behind it.
#[test]
fn items_that_were_never_set_are_zeros() -> Result<()> {
    let total = function(|n: &Tensor| {
        let list = TensorArray::new(4, &TensorSpec::of::<f32>([]))?;
        let (_, sum, list) = while_loop(
            (scalar(0i32), scalar(1.0f32), list),
            |(i, ..)| i.less(n),
            |(i, sum, list)| {
                let sum = ops::add(&sum, &list.read(ops::sub(3, &i)?)?)?;
                Ok((ops::add(&i, 1)?, sum.clone(), list.write(&i, &sum)?))
            },
        )?;
        Ok((sum, list.stack()?))
    });
    let (sum, items) = total.call(&scalar(3i32))?;
    assert_eq!(sum.item::<f32>()?, 2.0);
    assert_eq!(items.as_slice::<f32>()?, &[1.0, 1.0, 2.0, 0.0]);
    assert!(total.concrete_functions()[0].program()?.contains("registers "));
    Ok(())
}

#[test]
fn a_write_out_of_range_names_the_iteration() {
    let traced = function(|n: &Tensor, v: &Tensor| program(&[8], n, v));
    let e = traced.call(&scalar(6i32), &start()).expect_err("five items").to_string();
    assert!(e.contains("iteration 5") && e.contains("lists.rs:"), "{e}");
}

/// A list may have elements of shapes that no register holds.
#[test]
fn lists_of_vectors_are_left_to_their_ops() -> Result<()> {
    let listed = function(|n: &Tensor| {
        let list = TensorArray::growing(&TensorSpec::of::<f32>([1]))?;
        let (_, list) = while_loop(
            (scalar(0i32), list),
            |(i, _)| i.less(n),
            |(i, list)| Ok((ops::add(&i, 1)?, list.push(&i.cast(f32)?.reshape([1])?)?)),
        )?;
        list.stack()
    });
    let rows = listed.call(&scalar(2i32))?;
    assert_eq!((rows.shape(), rows.as_slice::<f32>()?), (shape![2, 1], &[0.0, 1.0][..]));
    assert!(!listed.concrete_functions()[0].program()?.contains("registers "));
    Ok(())
}
