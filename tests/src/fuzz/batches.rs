//! Batching rules beside loops: ops that are mapped over three calls, over one, and over none.

use std::collections::BTreeSet;

use extype::control::batch_rule;
use extype::ir::{Effect, OpDef};
use extype::prelude::*;
use extype::tensor::execute;
use extype::types::TensorType;

use super::call::Call;
use super::defs;
use super::generate::tame;
use super::rng::Rng;
use super::traced::{Knowing, spec};

/// What was seen of the rules.
#[derive(Default)]
pub struct Batches {
    /// How results differ.
    pub findings: Vec<String>,
    /// The ops with a rule that no loop took.
    pub never_taken: BTreeSet<&'static str>,
}

/// Maps each op with a batching rule over calls that differ in some of its operands: by the rule and by a loop, with
/// shapes known, and with ranks or dtypes only. Each has as many cases as given, and more until the loop takes one.
pub fn check_batches(cases: u64) -> Batches {
    let mut batches = Batches::default();
    let ops = defs::ops().into_iter();
    for op in ops.filter(|op| op.effect <= Effect::Reads && batch_rule(op).is_some()) {
        let mut compared = (0..20 * cases).filter_map(|seed| Some((seed, compare(op, seed)?)));
        let Some(first) = compared.next() else {
            batches.never_taken.insert(defs::name(op));
            continue;
        };
        let others = compared.take_while(|(seed, _)| *seed < cases);
        batches.findings.extend(std::iter::once(first).chain(others).filter_map(|(_, text)| text));
    }
    batches
}

/// How the results differ, if they do; `None` if the loop refuses the calls, too.
fn compare(op: &'static OpDef, seed: u64) -> Option<Option<String>> {
    let call = tame(op, seed);
    let mut rng = Rng::of_case(defs::name(op), seed);
    let boxed = |i: usize| matches!(call.inputs[i].dtype(), DType::Resource | DType::Variant);
    let n = call.inputs.len();
    // One operand, often the first, or some.
    let alone = rng.chance(40).then(|| if rng.chance(50) { 0 } else { rng.below(n) });
    let own = (0..n).filter(|i| !boxed(*i) && alone.map_or_else(|| rng.chance(60), |at| at == *i));
    let own: Vec<usize> = own.collect();
    // Sizes may be unlike where results may not.
    let sizes = rng.chance(20);
    let inputs = call.tensors();
    let all = own.iter().map(|i| calls(&inputs[*i])).collect::<Result<Vec<_>>>().ok()?;
    if own.is_empty() {
        return None;
    }
    let mut taken = false;
    for knowing in [Knowing::Shapes, rng.pick(&[Knowing::Ranks, Knowing::Dtypes])] {
        let mapped = |at_once: bool| {
            let (call, own) = (call.clone(), own.clone());
            function(move |rows: &Vec<Tensor>| match at_once {
                true => vectorized_map(rows, |row| one(&call, &own, row, sizes)),
                false => map_fn(rows, |row| one(&call, &own, row, sizes)),
            })
        };
        let (looped, at_once) = (mapped(false), mapped(true));
        for count in [3, 1, 0] {
            let rows = all.iter().map(|x| x.index((..count,))).collect::<Result<Vec<_>>>().ok()?;
            let specs: Vec<TensorSpec> = rows.iter().map(|x| spec(x, knowing)).collect();
            let [looped, at_once] = [&looped, &at_once].map(|f| {
                let f = f.concrete(&specs)?;
                Ok((f.graph().output_types(), f.call_flat(&rows)?))
            });
            let refused = looped.is_err();
            taken |= !refused;
            // What only its sizes are asked of need not run at all.
            let unrun = sizes && refused;
            if let Some(text) = difference(looped, at_once.map(|(_, found)| found))
                && !unrun
            {
                let how = knowing.name();
                return Some(Some(format!(
                    "{call}, operands {own:?} of {count}, {how}, seed {seed}: {text}"
                )));
            }
            // A loop without calls would refuse nothing.
            if refused {
                break;
            }
        }
    }
    taken.then_some(None)
}

/// The results of the call with these operands, or their sizes.
fn one(call: &Call, own: &[usize], row: Vec<Tensor>, sizes: bool) -> Result<Vec<Tensor>> {
    let mut inputs = call.tensors();
    own.iter().zip(row).for_each(|(i, x)| inputs[*i] = x);
    let inputs: Vec<&Tensor> = inputs.iter().collect();
    let results = execute(call.op, call.attrs(), &inputs)?;
    results.into_iter().map(|y| if sizes { ops::shape_of(y) } else { Ok(y) }).collect()
}

/// The operand of three calls. The numbers of the second are near; what is no float is in another order in each.
fn calls(x: &Tensor) -> Result<Tensor> {
    if x.dtype().is_differentiable() {
        return ops::stack(&[x, &ops::mul(x, 0.75)?, x], 0);
    }
    let sizes = ops::shape_of(x)?;
    let flat = x.reshape([-1i64])?;
    let moved = |at: Vec<i64>| flat.gather(&Tensor::from_vec(at), 0)?.reshape(&sizes);
    let n = flat.shape().num_elements().unwrap_or(0) as i64;
    let rotated = moved((0..n).map(|i| (i + 1) % n).collect())?;
    ops::stack(&[x, &rotated, &moved((0..n).rev().collect())?], 0)
}

/// How results differ from those of a loop, of which its trace knew types.
fn difference(
    looped: Result<(Vec<TensorType>, Vec<Tensor>)>,
    at_once: Result<Vec<Tensor>>,
) -> Option<String> {
    match (looped, at_once) {
        (Err(_), Err(_)) => None,
        (Err(e), Ok(_)) => Some(format!("the loop refuses: {e}")),
        (Ok(_), Err(e)) => Some(format!("the rule refuses: {e}")),
        (Ok((types, looped)), Ok(at_once)) => {
            let alike = |i: usize, a: &Tensor, b: &Tensor| match a.shape().dim(0) {
                // Without calls a loop may not find out what sizes there would be.
                Ok(count) if count == Dim::from(0) => types[i].shape.is_compatible_with(&b.shape()),
                _ => a.shape() == b.shape() && near(a, b).unwrap_or(false),
            };
            let mut both = looped.iter().zip(&at_once).enumerate();
            both.find(|(i, (a, b))| !alike(*i, a, b))
                .map(|(i, (a, b))| format!("result {i}: the loop gives {a:?}, the rule {b:?}"))
        }
    }
}

fn near(a: &Tensor, b: &Tensor) -> Result<bool> {
    if !a.dtype().is_differentiable() {
        return Ok(a.value()?.identical(b.value()?));
    }
    let size = ops::add(a.abs()?, 1)?;
    let near = ops::less_equal(ops::sub(a, b)?.abs()?, ops::mul(&size, 0.01)?)?;
    let nan = |x: &Tensor| ops::not_equal(x, x);
    let both = ops::logical_or(ops::equal(a, b)?, ops::logical_and(nan(a)?, nan(b)?)?)?;
    ops::logical_or(near, both)?.reduce_all(.., false)?.item()
}
