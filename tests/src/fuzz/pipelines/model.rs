//! Pipelines as plain functions of vectors.

use std::collections::{BTreeMap, HashSet, VecDeque};

use extype::prelude::*;

use super::plan::{Plan, Step, start};

/// The items of a pass: numbers, or failures.
type Items = Vec<Option<i64>>;

impl Plan {
    /// What a pass gives, as text; `None` if it depends on draws, or a failure ends it.
    pub(super) fn model(&self) -> Result<Option<Vec<String>>> {
        let mut items: Items =
            self.source().iter().map(|x| x?.item().map(Some)).collect::<Result<_>>()?;
        for step in &self.steps {
            match step.model(items) {
                Some(next) => items = next,
                None => return Ok(None),
            }
        }
        let items = Step::Take(80).model(items).unwrap_or_default();
        let text = |item: Option<i64>| item.map_or_else(|| "failed".into(), |x| x.to_string());
        Ok(Some(items.into_iter().map(text).collect()))
    }
}

/// Runs of numbers, with the failures between them; a failure takes the numbers since the last full chunk with it.
fn chunks(items: Items, mut size: impl FnMut(usize) -> usize, keep: bool) -> Items {
    let (mut out, mut chunk, mut at) = (Items::new(), Items::new(), 0);
    for item in items {
        match item {
            Some(_) => chunk.push(item),
            None => {
                chunk.clear();
                out.push(None);
                at += 1;
                continue;
            }
        }
        if chunk.len() == size(at) {
            out.append(&mut chunk);
            at += 1;
        }
    }
    if keep {
        out.append(&mut chunk);
    }
    out
}

/// A function on the numbers.
fn mapped(items: Items, mut f: impl FnMut(i64) -> Option<i64>) -> Option<Items> {
    Some(items.into_iter().map(|item| item.and_then(&mut f)).collect())
}

/// Each item if `f` is true of it; the numbers of failures don't matter.
fn kept(items: Items, mut f: impl FnMut(i64) -> bool) -> Option<Items> {
    Some(items.into_iter().filter(|item| item.is_none_or(&mut f)).collect())
}

impl Step {
    fn model(&self, items: Items) -> Option<Items> {
        match *self {
            Self::Shuffle(..) | Self::ShuffleAll(_) | Self::Seeded(_) | Self::Sample(_) => None,
            Self::Prefetch(_) => Some(items),
            Self::Map(k) => mapped(items, |x| Some((x * k + 1).rem_euclid(1000))),
            Self::Fail(k) => mapped(items, |x| (x % 7 != k).then_some(x)),
            Self::Filter(k) => kept(items, |x| x.rem_euclid(k) != 0),
            Self::Take(n) => {
                let mut left = n;
                let more = |item: &Option<i64>| {
                    let go = left > 0;
                    left -= u64::from(go && item.is_some());
                    go
                };
                Some(items.into_iter().take_while(more).collect())
            }
            Self::TakeWhile(k) => {
                let more = |item: &Option<i64>| item.is_none_or(|x| x.rem_euclid(k) != k - 1);
                Some(items.into_iter().take_while(more).collect())
            }
            Self::Skip(n) => {
                let mut places = 0..;
                let stays = |item: &Option<i64>| places.next() >= Some(n) || item.is_none();
                Some(items.into_iter().filter(stays).collect())
            }
            Self::Shard(n, i) => {
                let mut places = 0..;
                let own = |item: &Option<i64>| {
                    places.next().is_some_and(|at: u64| at % n == i) || item.is_none()
                };
                Some(items.into_iter().filter(own).collect())
            }
            Self::Repeat(n) => Some((0..n).flat_map(|_| items.clone()).collect()),
            Self::Cache => Some([&items[..], &items[..]].concat()),
            Self::Batch(n) => Some(chunks(items, |_| n, true)),
            Self::Rebatch(n) => {
                let whole = chunks(items, |_| n, false);
                Some(chunks(whole, |at| [1, 3][at % 2], true))
            }
            Self::FlatMap(k) => {
                let of = |item: Option<i64>| match item {
                    Some(x) => (start(x)..start(x) + k).map(Some).collect(),
                    None => vec![None],
                };
                Some(items.into_iter().flat_map(of).collect())
            }
            Self::Interleave(cycle, block) => Some(interleaved(items, cycle, block)),
            Self::Scan => {
                let mut sum = 0i64;
                mapped(items, |x| {
                    sum = (sum + x).rem_euclid(1000);
                    Some(sum)
                })
            }
            Self::Window(size, shift, stride) => {
                let window = |first: usize| {
                    let all: Option<Vec<i64>> =
                        items[first..].iter().step_by(stride).take(size).copied().collect();
                    all.map_or(vec![None], |all| all.into_iter().map(Some).collect())
                };
                Some((0..items.len()).step_by(shift).flat_map(window).collect())
            }
            Self::Group(size, k) => {
                let (mut out, mut groups) = (Items::new(), BTreeMap::<i64, Items>::new());
                for item in items {
                    let Some(x) = item else {
                        out.push(None);
                        continue;
                    };
                    let group = groups.entry(x.rem_euclid(k)).or_default();
                    group.push(item);
                    if group.len() == size {
                        out.append(group);
                    }
                }
                out.extend(groups.into_values().flatten());
                Some(out)
            }
            Self::Concatenate(k) => Some(items.into_iter().chain((0..k).map(Some)).collect()),
            Self::Enumerate(k) => {
                let numbered = (k..).zip(items);
                Some(numbered.map(|(i, item)| item.map(|x| i + x)).collect())
            }
            Self::Unique => {
                let mut seen = HashSet::new();
                kept(items, |x| seen.insert(x))
            }
            Self::Ignore => Some(items.into_iter().filter(Option::is_some).collect()),
            Self::MaxErrors(n) => {
                let (mut out, mut left) = (Items::new(), n);
                for item in items {
                    match (item, left) {
                        (Some(_), _) => out.push(item),
                        // This failure ends all, and is no failure of an element for other steps.
                        (None, 0) => return None,
                        (None, _) => left -= 1,
                    }
                }
                Some(out)
            }
            Self::Zip(n) => {
                let later = Self::Skip(n).model(items.clone())?;
                let sum = |(a, b): (Option<i64>, Option<i64>)| Some(a? + b?);
                Some(items.into_iter().zip(later).map(sum).collect())
            }
            Self::Choose => {
                let mut sets: [VecDeque<i64>; 2] = [(0..4).collect(), (10..13).collect()];
                let (mut out, mut ended) = (Items::new(), [false; 2]);
                for item in items {
                    if ended == [true; 2] {
                        break;
                    }
                    match item.map(|x| x.rem_euclid(3) as usize) {
                        Some(i @ (0 | 1)) => match sets[i].pop_front() {
                            Some(x) => out.push(Some(x)),
                            None => ended[i] = true,
                        },
                        _ => out.push(None),
                    }
                }
                Some(out)
            }
        }
    }
}

fn interleaved(items: Items, cycle: usize, block: u64) -> Items {
    let mut input: VecDeque<Option<i64>> = items.into();
    let mut slots: Vec<Option<VecDeque<i64>>> = vec![None; cycle];
    let mut out = Items::new();
    let mut at = 0;
    while !input.is_empty() || slots.iter().any(Option::is_some) {
        // One turn of a slot; it takes an element if it is empty.
        let mut left = block;
        while left > 0 {
            match &mut slots[at] {
                Some(rest) => match rest.pop_front() {
                    Some(x) => {
                        out.push(Some(x));
                        left -= 1;
                    }
                    None => {
                        slots[at] = None;
                        break;
                    }
                },
                None => match input.pop_front() {
                    Some(Some(x)) => {
                        let x = start(x);
                        slots[at] = Some((10 * x..10 * x + x % 4).collect());
                    }
                    Some(None) => out.push(None),
                    None => break,
                },
            }
        }
        at = (at + 1) % cycle;
    }
    out
}
