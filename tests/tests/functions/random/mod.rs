//! Random programs of ops, loops, conditionals and calls, with their gradients: compiled programs give the bits that
//! the ops of the traced graph give one by one.
//!
//! `PROPTEST_CASES=100000 cargo test --release -p extype-tests --test functions random` looks for longer.

mod program;
mod reference;

use std::sync::LazyLock;

use extype::prelude::*;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rayon::ThreadPool;

use program::{Choice, Step, choices, resolved, run};

/// Refuses tensors of other shapes, dtypes or bits; any NaN is like another.
pub(super) fn same(x: &Tensor, y: &Tensor) -> Result<()> {
    let nan = |x: &Tensor| match x.dtype().is_float() {
        true => ops::select(&ops::is_nan(x)?, scalar(f32::NAN).cast(x.dtype())?, x),
        false => Ok(x.clone()),
    };
    match nan(x)?.value()?.identical(nan(y)?.value()?) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::Internal, format!("{x:?} and {y:?}"))),
    }
}

/// One thread and two.
static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
    [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads"))
});

/// Inputs of a shape, and of shapes that broadcast to it. The first two are one tensor.
fn inputs(dims: &[usize], dtype: DType, seed: u32) -> Result<Vec<Tensor>> {
    let last = &dims[dims.len().saturating_sub(1)..];
    let columns: Vec<usize> =
        dims.iter().enumerate().map(|(i, n)| if i == 0 { *n } else { 1 }).collect();
    let make = |dims: &[usize], seed: u32, dtype: DType| {
        let len: usize = dims.iter().product();
        let value = |i: usize| ((i as f32 + seed as f32) * 0.731).sin() * 2.5;
        let x = Tensor::from_vec((0..len).map(value).collect::<Vec<f32>>());
        x.reshape(dims)?.cast(dtype)
    };
    let x = make(dims, seed, dtype)?;
    Ok(vec![
        x.clone(),
        x,
        make(last, seed + 1, dtype)?,
        make(&columns, seed + 2, dtype)?,
        make(&[], seed + 3, dtype)?,
        make(dims, seed + 4, DType::I32)?,
        make(last, seed + 5, DType::Bool)?,
    ])
}

/// A program with the values that it returns.
#[derive(Clone, Debug)]
struct Program {
    steps: Vec<Step>,
    results: Vec<usize>,
    /// Whether it also returns the gradient of the sum of its results.
    differentiates: bool,
}

impl Program {
    fn new(
        inputs: &[Tensor],
        choices: &[Choice],
        results: &[Index],
        differentiates: bool,
    ) -> Result<Self> {
        let mut values = inputs.to_vec();
        let steps = resolved(choices, &mut values)?;
        let results = results.iter().map(|i| values.len() - 1 - i.index(values.len()) / 2);
        Ok(Self { steps, results: results.collect(), differentiates })
    }

    fn run(&self, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
        let tape = self.differentiates.then(GradientTape::new);
        let sources: Vec<Tensor> =
            inputs.iter().filter(|x| x.dtype().is_float()).cloned().collect();
        if let Some(tape) = &tape {
            tape.watch(&sources);
        }
        let mut values = inputs.to_vec();
        run(&self.steps, &mut values)?;
        let mut results: Vec<Tensor> = self.results.iter().map(|i| values[*i].clone()).collect();
        if let Some(tape) = tape {
            let mut sum = scalar(0.0f64);
            for x in results.iter().filter(|x| x.dtype().is_float()) {
                sum = ops::add(&sum, &x.cast(f64)?.reduce_sum(.., false)?)?;
            }
            results.extend(tape.gradient(&sum, &sources)?.into_structure()?);
        }
        Ok(results)
    }
}

/// Compares the programs for these shapes, and those for unknown sizes, with their graphs, on one thread and on two.
fn agree(inputs: &[Tensor], program: &Program) -> Result<()> {
    let (one, two) = (&POOLS[0], &POOLS[1]);
    let Ok(eager) = one.install(|| program.run(inputs)) else { return Ok(()) };
    let own = program.clone();
    let traced = function(move |inputs: &Vec<Tensor>| own.run(inputs));
    let closed = |x: &Tensor| Ok(TensorSpec::new(x.shape(), x.dtype()));
    let open = |x: &Tensor| Ok(TensorSpec::new(Shape::of_rank(x.value()?.rank()), x.dtype()));
    let closed = inputs.iter().map(closed).collect::<Result<Vec<_>>>()?;
    let open = inputs.iter().map(open).collect::<Result<Vec<_>>>()?;
    for (specs, known) in [(closed, true), (open, false)] {
        let f = traced.concrete(&specs)?;
        // A result of a call that nothing reads may fail where the call runs whole. An inlined call does not compute it.
        let Ok(want) = one.install(|| reference::results(f.graph(), inputs)) else { continue };
        // A tape sums what flows back through a loop in another order.
        let forward = program.results.len();
        if known {
            for (x, y) in eager[..forward].iter().zip(&want) {
                same(x, y)?;
            }
        }
        // The second call finds the memory of the first.
        for pool in [one, two, two] {
            let found = pool.install(|| f.call_flat(inputs))?;
            for (x, y) in want.iter().zip(&found) {
                same(x, y)?;
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_compute_what_their_graphs_do(
        dims in prop::collection::vec(prop_oneof![1 => Just(0usize), 20 => 1usize..6], 0..4),
        factor in select(vec![1usize, 1, 1, 40, 300, 1500, 20_000]),
        dtype in select(vec![f32, f32, f32, f64, bf16, f16]),
        seed in 0u32..1000,
        steps in choices(2, 14),
        results in prop::collection::vec(any::<Index>(), 1..4),
        differentiates in any::<bool>(),
    ) {
        let mut dims = dims;
        let len: usize = dims.iter().product();
        if let Some(last) = dims.last_mut() {
            *last *= factor.min(40_000 / len.max(1));
        }
        let given = inputs(&dims, dtype, seed)?;
        let program = Program::new(&given, &steps, &results, differentiates)?;
        agree(&given, &program).map_err(|e| TestCaseError::fail(format!("{e}\n{program:?}")))?;
        for (x, y) in given.iter().zip(&inputs(&dims, dtype, seed)?) {
            same(x, y)?;
        }
    }
}
