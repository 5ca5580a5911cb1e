//! Random pipelines of datasets of int64 scalars. A pipeline must give the same on one thread and on four, resumed after
//! an element and uninterrupted, in a pass that is asked for by its number and in that pass, and as plain functions of
//! vectors, where its order doesn't depend on draws. A pipeline is told by its seed.

mod model;
mod plan;

use extype::data::{Cardinality, Dataset, IteratorState};
use extype::prelude::*;

use super::Rng;
use plan::Plan;

/// An item as text: the number, or that it failed.
fn shown(item: Result<Tensor>) -> String {
    match item.and_then(|x| x.item::<i64>()) {
        Ok(x) => x.to_string(),
        Err(e) => format!("failed: {}", e.message()),
    }
}

fn all(data: &Dataset<Tensor>) -> Vec<String> {
    data.iter().map(shown).collect()
}

/// What differs of the pipeline with this seed, and of the smallest part of it that differs still.
///
/// ```
/// assert_eq!(extype_tests::fuzz::pipeline_differs(1), None);
/// ```
pub fn pipeline_differs(seed: u64) -> Option<String> {
    let mut plan = Plan::of_seed(seed);
    let differs = |plan: &Plan| {
        check(plan, &mut Rng::of_case("pipeline", !seed))
            .unwrap_or_else(|e| Some(format!("an error: {e}")))
    };
    let mut text = differs(&plan)?;
    while let Some((smaller, other)) =
        plan.smaller().into_iter().find_map(|p| differs(&p).map(|text| (p, text)))
    {
        (plan, text) = (smaller, other);
    }
    Some(format!("seed {seed}: {text}\n{}", plan.build(4)))
}

fn check(plan: &Plan, rng: &mut Rng) -> Result<Option<String>> {
    let data = plan.build(1);
    let passes = [all(&data), all(&data)];
    let different = |what: &str, own: &[String], right: &[String]| {
        (own != right).then(|| format!("{what}:\n{own:?}\nnot\n{right:?}"))
    };
    let threads = plan.build(4);
    for pass in &passes {
        if let Some(text) = different("on four threads", &all(&threads), pass) {
            return Ok(Some(text));
        }
    }
    let second: Vec<String> = plan.build(4).pass(1).map(shown).collect();
    if plan.passes_count()
        && let Some(text) = different("the pass that is asked for", &second, &passes[1])
    {
        return Ok(Some(text));
    }
    if let Some(items) = plan.model()?
        && let Some(text) = different("the pass", &blurred(&passes[0]), &items)
    {
        return Ok(Some(text));
    }
    let failed = passes[0].iter().any(|item| item.starts_with("failed"));
    match data.cardinality() {
        // A failure may take elements of its batch with it.
        Cardinality::Exact(n) if !failed && n != passes[0].len() as u64 => {
            return Ok(Some(format!("{n} elements are known, and there are {}", passes[0].len())));
        }
        Cardinality::Infinite => return Ok(Some("an infinite one that ends".into())),
        _ => {}
    }
    for count in [1, 4] {
        // The first pass, or the second.
        let number = rng.below(2);
        let (right, done) = (&passes[number], rng.below(passes[number].len() + 1));
        let data = plan.build(count);
        if number == 1 {
            all(&data);
        }
        let mut pass = data.iter();
        for item in pass.by_ref().take(done) {
            let _ = item;
        }
        let state = sent(&pass.save()?)?;
        let what = format!("on {count} threads pass {number} after {done}");
        let fresh = plan.build(count);
        let rest: Vec<String> = fresh.resume(&state)?.map(shown).collect();
        if let Some(text) = different(&format!("{what}, resumed"), &rest, &right[done..]) {
            return Ok(Some(text));
        }
        if number == 0
            && let Some(text) =
                different(&format!("{what}, the next one"), &all(&fresh), &passes[1])
        {
            return Ok(Some(text));
        }
        let rest: Vec<String> = pass.map(shown).collect();
        if let Some(text) = different(&format!("{what}, saved"), &rest, &right[done..]) {
            return Ok(Some(text));
        }
    }
    // Passes that are dropped early leave nothing behind that changes the next.
    for _ in 0..2 {
        threads.iter().take(rng.below(5)).for_each(drop);
    }
    let after: Vec<String> = threads.pass(1).map(shown).collect();
    let text = different("a pass after dropped ones", &after, &second);
    Ok(text.filter(|_| plan.passes_count()))
}

/// Items as the model gives them: all failures are the same.
fn blurred(items: &[String]) -> Vec<String> {
    let failed = |item: &String| item.starts_with("failed");
    items.iter().map(|i| if failed(i) { "failed".into() } else { i.clone() }).collect()
}

/// A state as another process reads it.
fn sent(state: &IteratorState) -> Result<IteratorState> {
    let text = serde_json::to_string(state);
    let state = text.and_then(|text| serde_json::from_str(&text));
    state.map_err(|e| Error::internal(e.to_string()))
}
