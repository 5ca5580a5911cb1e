//! Elementwise ops of traced functions run in groups; the results are those of the ops one by one.

use std::sync::LazyLock;

use extype::prelude::*;
use proptest::prelude::*;
use proptest::sample::Index;
use rayon::ThreadPool;

/// A step of a random program: an op and its operands among the values so far.
type Step = (u8, [Index; 3]);

/// Runs the steps on the inputs, and returns every value.
fn run(inputs: &[Tensor], steps: &[Step]) -> Result<Vec<Tensor>> {
    let (mut floats, mut bools) = (inputs.to_vec(), vec![ops::greater(&inputs[0], 0.5)?]);
    for (op, operands) in steps {
        let [x, y, z] = operands.map(|i| i.get(&floats).clone());
        let which = operands[2].get(&bools).clone();
        match op % 16 {
            0 => floats.push(ops::add(&x, &y)?),
            1 => floats.push(ops::sub(&x, &y)?),
            2 => floats.push(ops::mul(&x, &y)?),
            3 => floats.push(ops::maximum(&x, &y)?),
            4 => floats.push(ops::tanh(&x)?),
            5 => floats.push(ops::neg(&x)?),
            6 => floats.push(ops::abs(&x)?),
            7 => floats.push(ops::sigmoid(&x)?),
            8 => floats.push(ops::select(&which, &x, &y)?),
            9 => bools.push(ops::less(&x, &y)?),
            10 => bools.push(ops::logical_not(&which)?),
            11 => floats.push(which.cast(f32)?),
            12 => floats.push(ops::add(&x.cast(i32)?, 1)?.cast(f32)?),
            13 => floats.push(ops::mul(&x.cast(f64)?, 0.1)?.cast(f32)?),
            14 => floats.push(ops::squared_difference(&x, &z)?),
            _ => floats.push(ops::reduce_mean(&x, .., false)?),
        }
    }
    floats.extend(bools);
    Ok(floats)
}

/// Compares shape, dtype and bits; any NaN is like another.
#[track_caller]
fn assert_same(x: &Tensor, y: &Tensor) -> Result<()> {
    let nan = |x: &Tensor| match x.dtype() == f32 {
        true => ops::select(&ops::is_nan(x)?, f32::NAN, x),
        false => Ok(x.clone()),
    };
    assert!(nan(x)?.value()?.identical(nan(y)?.value()?), "{x} {y}");
    Ok(())
}

/// One thread and several.
static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
    [1, 3].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads"))
});

/// Compares the program for these shapes, and the one for unknown sizes, with the ops one by one; on one thread and on
/// several.
fn agree(inputs: &Vec<Tensor>, steps: &[Step], results: &[Index]) -> Result<()> {
    let picked =
        |all: Vec<Tensor>| -> Vec<Tensor> { results.iter().map(|i| i.get(&all).clone()).collect() };
    let eager = picked(run(inputs, steps)?);
    let own = steps.to_vec();
    let chosen = results.to_vec();
    let traced = function(move |inputs: &Vec<Tensor>| {
        let all = run(inputs, &own)?;
        Ok(chosen.iter().map(|i| i.get(&all).clone()).collect::<Vec<Tensor>>())
    });
    let spec = |x: &Tensor| Ok(TensorSpec::of::<f32>(Shape::of_rank(x.value()?.rank())));
    let open = traced.concrete(&inputs.iter().map(spec).collect::<Result<Vec<_>>>()?)?;
    for pool in &*POOLS {
        for (one, all) in eager.iter().zip(pool.install(|| traced.call(inputs))?) {
            assert_same(one, &all)?;
        }
        for (one, all) in eager.iter().zip(pool.install(|| open.call_flat(inputs))?) {
            assert_same(one, &all)?;
        }
    }
    Ok(())
}

/// The inputs: of a shape, and of shapes that broadcast to it.
fn inputs(dims: &[usize], seed: u32) -> Result<Vec<Tensor>> {
    let last = &dims[dims.len().saturating_sub(1)..];
    let columns: Vec<usize> =
        dims.iter().enumerate().map(|(i, n)| if i == 0 { *n } else { 1 }).collect();
    let make = |dims: &[usize], seed: u32| {
        let len: usize = dims.iter().product();
        let value = |i: usize| ((i as f32 + seed as f32) * 0.731).sin() * 2.5;
        Tensor::from_vec((0..len).map(value).collect::<Vec<f32>>()).reshape(dims)
    };
    [dims, dims, last, &columns, &[]]
        .iter()
        .zip(seed..)
        .map(|(dims, seed)| make(dims, seed))
        .collect()
}

proptest! {
    #[test]
    fn groups_compute_what_their_ops_do(
        dims in prop::collection::vec(1usize..6, 0..4),
        factor in prop::sample::select(vec![1usize, 1, 40, 300, 1500, 40_000]),
        seed in 0u32..1000,
        steps in prop::collection::vec((any::<u8>(), any::<[Index; 3]>()), 1..30),
        results in prop::collection::vec(any::<Index>(), 1..4),
    ) {
        let mut dims = dims;
        let len: usize = dims.iter().product();
        if let Some(last) = dims.last_mut() {
            *last *= factor.min(200_000 / len);
        }
        agree(&inputs(&dims, seed)?, &steps, &results)?;
    }
}

#[test]
fn large_groups_use_all_threads_and_give_the_same() -> Result<()> {
    let x = Tensor::from_vec((0..1_000_003).map(|i| (i as f32 * 0.001).sin()).collect::<Vec<_>>());
    let chain = |x: &Tensor| ops::mul(&ops::tanh(&ops::add(x, 1.0)?)?, &ops::exp(&ops::neg(x)?)?);
    assert_same(&chain(&x)?, &function(chain).call(&x)?)
}

#[test]
fn values_that_are_not_finite_pass_through_groups() -> Result<()> {
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, f32::MIN_POSITIVE / 2.0];
    let x = Tensor::from_vec(special.into_iter().cycle().take(3000).collect::<Vec<_>>());
    let f = |x: &Tensor| {
        let signs = ops::select(&ops::is_nan(x)?, x, &ops::neg(&ops::neg(x)?)?)?;
        Ok((ops::mul(&signs, 1.0)?, ops::maximum(&signs, &ops::mul(x, 0.5)?)?))
    };
    let (eager, traced) = (f(&x)?, function(f).call(&x)?);
    assert_same(&eager.0, &traced.0)?;
    assert_same(&eager.1, &traced.1)
}

#[test]
fn a_value_of_a_group_that_is_read_between_its_ops_is_there() -> Result<()> {
    // The product reads a value before later ops on the same shape.
    let f = |x: &Tensor| {
        let a = ops::tanh(&ops::add(x, 1.0)?)?;
        let product = ops::matmul(&a, x)?;
        let b = ops::mul(&ops::neg(&a)?, &product)?;
        ops::add(&b, &ops::exp(x)?)
    };
    let x = Tensor::from_vec((0..4096).map(|i| (i as f32).sin()).collect::<Vec<_>>())
        .reshape([64, 64])?;
    assert_same(&f(&x)?, &function(f).call(&x)?)
}

#[test]
fn groups_are_differentiated() -> Result<()> {
    let f = |x: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(x);
        let y = ops::mul(&ops::tanh(&ops::mul(x, x)?)?, &ops::sigmoid(x)?)?;
        tape.gradient(&y, x)?.into_structure()
    };
    let x = Tensor::from_vec((0..3000).map(|i| i as f32 * 1e-3 - 1.5).collect::<Vec<_>>());
    assert_same(&f(&x)?, &function(f).call(&x)?)
}
