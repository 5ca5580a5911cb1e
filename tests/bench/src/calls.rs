//! W1 and W15: what a call costs, and what structures cost.

#![expect(clippy::too_many_arguments, reason = "a workload is a function of ten arguments")]

use std::collections::BTreeMap;

use anyhow::Result;
use extype::prelude::*;

use crate::runner::Runner;

/// Values with a mask.
#[derive(ExtensionType, Clone, Debug)]
struct MaskedTensor {
    values: Tensor,
    mask: Tensor,
}

/// W1: cached calls of traced functions that compute next to nothing.
///
/// # Errors
/// What a call fails with.
pub(crate) fn calls(runner: &Runner) -> Result<()> {
    call_scalar(runner)?;
    call_10args(runner)?;
    call_ext2(runner)?;
    call_nested20(runner)?;
    call_threads(runner)
}

#[tf_function]
fn add_one(x: &Tensor) -> Result<Tensor, Error> {
    ops::add(x, 1.0)
}

fn call_scalar(runner: &Runner) -> Result<()> {
    let x = scalar(1.0f32);
    runner.time(("W1", "call_scalar"), || add_one(&x))
}

#[tf_function]
fn add_ten(
    a: &Tensor,
    b: &Tensor,
    c: &Tensor,
    d: &Tensor,
    e: &Tensor,
    f: &Tensor,
    g: &Tensor,
    h: &Tensor,
    i: &Tensor,
    j: &Tensor,
) -> Result<Tensor, Error> {
    Ok(a + b + c + d + e + f + g + h + i + j)
}

fn call_10args(runner: &Runner) -> Result<()> {
    let x: [Tensor; 10] = std::array::from_fn(|i| scalar(i as f32));
    let [a, b, c, d, e, f, g, h, i, j] = &x;
    runner.time(("W1", "call_10args"), || add_ten(a, b, c, d, e, f, g, h, i, j))
}

#[tf_function]
fn add_one_to_values(m: &MaskedTensor) -> Result<MaskedTensor, Error> {
    MaskedTensor::new(ops::add(&m.values, 1.0)?, m.mask.clone())
}

fn call_ext2(runner: &Runner) -> Result<()> {
    let m = MaskedTensor::new(scalar(1.0f32), scalar(true))?;
    runner.time(("W1", "call_ext2"), || add_one_to_values(&m).map(|m| m.values))
}

/// `{c, d}`.
#[derive(ExtensionType, Clone, Debug)]
struct Inner {
    c: Tensor,
    d: Tensor,
}

/// `{a, b: {c, d}, e}`.
#[derive(ExtensionType, Clone, Debug)]
struct Item {
    a: Tensor,
    b: Inner,
    e: Tensor,
}

#[tf_function]
fn add_one_to_leaves(d: &BTreeMap<String, Item>) -> Result<BTreeMap<String, Item>, Error> {
    nest::map_structure(d, |x| ops::add(x, 1.0))
}

fn call_nested20(runner: &Runner) -> Result<()> {
    let s = |i: usize| scalar(i as f32);
    let item = |i: usize| Item {
        a: s(4 * i),
        b: Inner { c: s(4 * i + 1), d: s(4 * i + 2) },
        e: s(4 * i + 3),
    };
    let d: BTreeMap<String, Item> = (0..5).map(|i| (format!("k{i}"), item(i))).collect();
    runner.time(("W1", "call_nested20"), || add_one_to_leaves(&d).map(first_item))
}

fn first_item(d: BTreeMap<String, Item>) -> Tensor {
    d.into_values().next().map_or_else(|| scalar(0.0f32), |item| item.a)
}

/// As many calls of one function, from one thread and from eight at once.
fn call_threads(runner: &Runner) -> Result<()> {
    const CALLS: usize = 160_000;
    let x = scalar(1.0f32);
    let run = |calls: usize| (1..calls).try_fold(add_one(&x)?, |_, _| add_one(&x));
    runner.time(("W1", "calls_1thread"), || run(CALLS))?;
    runner.time(("W1", "calls_8threads"), || {
        std::thread::scope(|s| {
            let threads = [(); 8].map(|()| s.spawn(|| run(CALLS / 8)));
            let results =
                threads.map(|t| t.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            results.into_iter().next_back().unwrap_or_else(|| run(1))
        })
    })
}

/// `{a: list of 4 tensors, m: tuple of 3 masked tensors}`.
type Nest = (Vec<Tensor>, (MaskedTensor, MaskedTensor, MaskedTensor));

/// W15: flatten and rebuild a structure of 100 tensors.
///
/// # Errors
/// None for a structure that keeps its laws.
pub(crate) fn nests(runner: &Runner) -> Result<()> {
    let scalar = || scalar(1.0f32);
    let masked = || MaskedTensor { values: scalar(), mask: scalar() };
    let one = || (vec![scalar(); 4], (masked(), masked(), masked()));
    let nest: Vec<Nest> = (0..10).map(|_| one()).collect();
    let spec = nest.type_spec();
    runner.time(("W15", "nest_100"), || {
        let flat = nest::flatten(&nest);
        let back = nest::pack_sequence_as(&spec, flat)?;
        Ok(back[0].0[0].clone())
    })
}
