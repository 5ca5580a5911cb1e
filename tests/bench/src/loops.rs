//! W11: loops of small steps.

use anyhow::Result;
use extype::control::TensorArray;
use extype::prelude::*;

use crate::runner::Runner;

/// The iterations of a loop.
const ITERATIONS: i32 = 10_000;

/// The loop that the peers run.
#[tf_function]
fn while_10k(start: &Tensor, sum: &Tensor) -> Result<Tensor, Error> {
    let (mut i, mut s) = (start.clone(), sum.clone());
    while i < ITERATIONS {
        s += i.cast(f32)? * 0.5;
        i += 1;
    }
    Ok(s)
}

/// The longest way to 1 among the numbers below.
#[tf_function]
fn collatz(below: &Tensor) -> Result<Tensor, Error> {
    let mut longest = scalar(0i64);
    for n in 1..below {
        let (mut x, mut steps) = (n, scalar(0i64));
        while x > 1 {
            if &x % 2 == 0 {
                x /= 2;
            } else {
                x = 3 * x + 1;
            }
            steps += 1;
        }
        if steps > longest {
            longest = steps;
        }
    }
    Ok(longest)
}

/// The numbers below `n`, written into a list and stacked.
#[tf_function]
fn listed(n: &Tensor) -> Result<Tensor, Error> {
    let mut list = TensorArray::new(n, &TensorSpec::of::<i32>([]))?;
    for i in 0..n {
        list = list.write(&i, &i)?;
    }
    list.stack()
}

/// As many pushed to a list and taken off it.
#[tf_function]
fn pushed_and_popped(n: &Tensor) -> Result<Tensor, Error> {
    let mut list = TensorArray::growing(&TensorSpec::of::<i32>([]))?;
    let mut sum = scalar(0i32);
    for i in 0..n {
        list = list.push(&i)?;
        let (rest, last) = list.pop()?;
        list = rest.push(&last)?;
        sum += last;
    }
    Ok(sum)
}

/// Numbers written one by one into a million.
#[tf_function]
fn scattered(x: &Tensor, n: &Tensor) -> Result<Tensor, Error> {
    let mut x = x.clone();
    for i in 0..n {
        let at = i.reshape([1, 1])?;
        x = x.tensor_scatter_nd_update(&at, &i.cast(f32)?.reshape([1])?)?;
    }
    Ok(x)
}

/// The sum of elements read one by one.
#[tf_function]
fn read(x: &Tensor, n: &Tensor) -> Result<Tensor, Error> {
    let mut sum = scalar(0.0f32);
    for i in 0..n {
        sum += x.gather(&i, 0)?;
    }
    Ok(sum)
}

/// A vector in each step of a loop, and a number made of it.
#[tf_function]
fn vectors(x: &Tensor, n: &Tensor) -> Result<(Tensor, Tensor), Error> {
    let (mut x, mut sum) = (x.clone(), scalar(0.0f32));
    for _ in 0..n {
        x = (&x * 0.5 + 1.0).tanh()?;
        sum += x.sum(..)?;
    }
    Ok((sum, x))
}

/// W11: loops on scalars, with conditionals, inner loops, elements of vectors, whole vectors and lists; the gradient of
/// one; and conditionals alone.
///
/// # Errors
/// What a call fails with.
pub(crate) fn loops(runner: &Runner) -> Result<()> {
    let (n, x) = (scalar(ITERATIONS), scalar(1.0f32));
    let (start, sum) = (scalar(0i32), scalar(0.0f32));
    runner.time(("W11", "while_10k"), || while_10k(&start, &sum))?;
    let plain = function(|n: &Tensor, x: &Tensor| {
        let vars = (scalar(0i32), x.clone());
        let step = |(i, x)| Ok((ops::add(&i, 1)?, ops::add(&ops::mul(&x, 0.5)?, 1.0)?));
        Ok(while_loop(vars, |(i, _)| i.less(n), step)?.1)
    });
    runner.time(("W11", "while_scalar"), || plain.call(&n, &x))?;
    let branching = function(|n: &Tensor, x: &Tensor| {
        let vars = (scalar(0i32), x.clone());
        let step = |(i, x): (Tensor, Tensor)| {
            let x = cond(&x.less(1.0)?, || ops::mul(&x, 1.5), || ops::mul(&x, 0.5))?;
            Ok((ops::add(&i, 1)?, x))
        };
        Ok(while_loop(vars, |(i, _)| i.less(n), step)?.1)
    });
    runner.time(("W11", "while_cond"), || branching.call(&n, &x))?;
    let vector = Tensor::from_vec(vec![1.0f32; 64]);
    let small = function(|n: &Tensor, x: &Tensor| {
        let vars = (scalar(0i32), x.clone());
        let step = |(i, x)| Ok((ops::add(&i, 1)?, ops::add(&ops::mul(&x, 0.5)?, 1.0)?));
        Ok(while_loop(vars, |(i, _)| i.less(n), step)?.1)
    });
    runner.time(("W11", "while_vector64"), || small.call(&n, &vector))?;
    let vector = Tensor::from_vec(vec![1.0f32; 1000]);
    runner.time(("W11", "while_vector1000"), || small.call(&n, &vector))?;
    let few = scalar(1000i32);
    runner.time(("W11", "while_tanh_sum_1k"), || Ok(vectors(&vector, &few)?.0))?;
    let million = Tensor::from_vec(vec![1.0f32; 1_000_000]);
    runner.time(("W11", "scatter_1m_1k"), || scattered(&million, &few))?;
    runner.time(("W11", "gather_1m_10k"), || read(&million, &n))?;
    let differentiated = grad(|x: &Tensor| while_10k(&scalar(0i32), x));
    runner.time(("W11", "while_10k_gradient"), || differentiated(&x))?;
    // 10,000 numbers, 859,656 steps.
    let below = scalar(10_000i64);
    runner.time(("W11", "collatz_10k"), || collatz(&below))?;
    runner.time(("W11", "list_write_10k"), || listed(&n))?;
    runner.time(("W11", "list_push_pop_push_10k"), || pushed_and_popped(&n))?;
    let (yes, x) = (scalar(true), scalar(1.0f32));
    let conditional =
        function(|yes: &Tensor, x: &Tensor| cond(yes, || ops::add(x, 1.0), || ops::mul(x, 2.0)));
    runner.time(("W11", "cond"), || conditional.call(&yes, &x))?;
    let branch = function(|_: &Tensor, x: &Tensor| ops::add(x, 1.0));
    runner.time(("W11", "cond_branch_alone"), || branch.call(&yes, &x))
}
