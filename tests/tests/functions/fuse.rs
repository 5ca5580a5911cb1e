//! Elementwise ops of traced functions and reductions of rows run in groups; the results are those of the ops one by
//! one.

use std::sync::LazyLock;

use extype::prelude::*;
use proptest::prelude::*;
use proptest::sample::Index;
use rayon::ThreadPool;

/// A step of a random program: an op and its operands among the values so far.
type Step = (u8, [Index; 3]);

/// The values of a random program.
struct Values {
    floats: Vec<Tensor>,
    bools: Vec<Tensor>,
}

impl Values {
    fn of(inputs: &[Tensor]) -> Result<Self> {
        let bools = vec![ops::greater(&inputs[0], 0.5)?];
        Ok(Self { floats: inputs.to_vec(), bools })
    }

    /// Adds the result of a step.
    fn step(&mut self, (op, operands): &Step) -> Result<()> {
        let Self { floats, bools } = self;
        let [x, y, z] = operands.map(|i| i.get(floats).clone());
        let which = operands[2].get(bools).clone();
        let result = match op % 24 {
            0 => ops::add(&x, &y)?,
            1 => ops::sub(&x, &y)?,
            2 => ops::mul(&x, &y)?,
            3 => ops::maximum(&x, &y)?,
            4 => ops::tanh(&x)?,
            5 => ops::neg(&x)?,
            6 => ops::abs(&x)?,
            7 => ops::sigmoid(&x)?,
            8 => ops::select(&which, &x, &y)?,
            9 | 10 | 23 => {
                bools.push(match op % 24 {
                    9 => ops::less(&x, &y)?,
                    10 => ops::logical_not(&which)?,
                    _ => ops::reduce_any(&which, -1, true)?,
                });
                return Ok(());
            }
            11 => which.cast(f32)?,
            12 => ops::add(&x.cast(i32)?, 1)?.cast(f32)?,
            13 => ops::mul(&x.cast(f64)?, 0.1)?.cast(f32)?,
            14 => ops::squared_difference(&x, &z)?,
            15 => ops::reduce_mean(&x, .., false)?,
            16 => ops::reduce_sum(&x, -1, true)?,
            17 => ops::reduce_max(&x, -1, false)?,
            18 => ops::reduce_mean(&x, [-2, -1], true)?,
            19 => ops::reduce_sum(&x, 0, false)?,
            20 => ops::softmax(&x)?,
            21 => ops::expand_dims(&x, -1)?,
            _ => ops::broadcast_to(&x, &ops::shape_of(&floats[0])?)?,
        };
        floats.push(result);
        Ok(())
    }
}

/// Runs the steps on the inputs, and returns every value.
fn run(inputs: &[Tensor], steps: &[Step]) -> Result<Vec<Tensor>> {
    let mut values = Values::of(inputs)?;
    steps.iter().try_for_each(|step| values.step(step))?;
    values.floats.extend(values.bools);
    Ok(values.floats)
}

/// The steps that the values before them allow, and that are not too large.
fn allowed(inputs: &[Tensor], steps: Vec<Step>) -> Result<Vec<Step>> {
    let mut values = Values::of(inputs)?;
    let small = |x: &Tensor| x.value().is_ok_and(|x| x.len() <= 100);
    let grows = |(op, operands): &Step, values: &Values| {
        op % 24 == 21 && !small(operands[0].get(&values.floats))
    };
    let steps = steps.into_iter();
    Ok(steps.filter(|step| !grows(step, &values) && values.step(step).is_ok()).collect())
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
    let own = allowed(inputs, steps.to_vec())?;
    let eager = picked(run(inputs, &own)?);
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

#[test]
fn norms_of_rows_and_their_gradients_are_those_of_the_ops() -> Result<()> {
    let norm = |x: &Tensor, scale: &Tensor| {
        let centered = ops::sub(x, &x.reduce_mean(-1, true)?)?;
        let variance = centered.square()?.reduce_mean(-1, true)?;
        let normal = ops::mul(&centered, &ops::add(&variance, 1e-5)?.rsqrt()?)?;
        ops::mul(&ops::softmax(&normal)?, scale)
    };
    let gradients = |x: &Tensor, scale: &Tensor| {
        let tape = GradientTape::new();
        tape.watch(&(x.clone(), scale.clone()));
        let loss = norm(x, scale)?.square()?.reduce_sum(.., false)?;
        tape.gradient(&loss, &(x.clone(), scale.clone()))?.into_structure()
    };
    for dims in [[64, 100], [7, 3000], [2, 20_000], [3000, 3], [4000, 1]] {
        let len = dims[0] * dims[1];
        let x = Tensor::from_vec((0..len).map(|i| (i as f32 * 0.37).sin()).collect::<Vec<_>>());
        let x = x.reshape(dims)?;
        let scale = ops::add(&x.slice([0, 0], [1, dims[1] as i64])?, 2.0)?;
        assert_same(&norm(&x, &scale)?, &function(norm).call(&x, &scale)?)?;
        let (dx, dscale) = function(gradients).call(&x, &scale)?;
        let want = gradients(&x, &scale)?;
        assert_same(&want.0, &dx)?;
        assert_same(&want.1, &dscale)?;
    }
    Ok(())
}

#[test]
fn rows_of_numbers_that_are_not_finite_pass_through_groups() -> Result<()> {
    let special =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, f32::MIN_POSITIVE / 2.0, 1.0];
    let x = Tensor::from_vec(special.into_iter().cycle().take(4000).collect::<Vec<_>>());
    let x = x.reshape([1000, 4])?;
    let f = |x: &Tensor| {
        let least = ops::neg(&ops::neg(x)?.reduce_max(-1, true)?)?;
        let product = ops::mul(x, &least)?.reduce_prod(-1, false)?;
        Ok((ops::sub(x, &least)?, ops::expand_dims(&product, 0)?, product.square()?))
    };
    let (eager, traced) = (f(&x)?, function(f).call(&x)?);
    assert_same(&eager.0, &traced.0)?;
    assert_same(&eager.1, &traced.1)?;
    assert_same(&eager.2, &traced.2)
}
