//! Joins two paths, one of which a condition picks: an `If` op returns the variables that they assigned, their
//! values, and their exits.

use super::exits::{Exits, Pending, Target};
use super::slots::{Life, LocalSlot};
use super::state::Flat;
use crate::array::Array;
use crate::control::arm::{OpenArm, PausedArm, branch};
use crate::control::rows::IF;
use crate::control::state::{Site, difference};
use crate::spec::AnySpec;
use crate::tensor::Tensor;
use crate::types::{DType, Result, TensorType, err};

/// The variables that a construct may assign: their names, where they are read later, and their previous values.
#[derive(Default)]
pub(super) struct Variables(Vec<Variable>);

struct Variable {
    name: &'static str,
    life: Life,
    before: Flat,
}

impl Variables {
    pub(super) fn of(slots: &[LocalSlot<'_>]) -> Self {
        let mut all = Self::default();
        all.add(slots);
        all
    }

    /// Adds the variables that are not there yet.
    pub(super) fn add(&mut self, slots: &[LocalSlot<'_>]) {
        for s in slots {
            if self.0.iter().all(|v| v.name != s.name) {
                self.0.push(Variable { name: s.name, life: s.life.clone(), before: s.read() });
            }
        }
    }

    /// Their current values. `None` for a variable that is not read after this path, which reaches its end (`ends`) or takes
    /// one of `exits`. There may be slots of other variables too.
    pub(super) fn now(
        &self,
        slots: &[LocalSlot<'_>],
        ends: bool,
        exits: &Exits,
    ) -> Vec<Option<Flat>> {
        let now = |v: &Variable| {
            let slot = slots.iter().find(|s| s.name == v.name)?;
            v.life.seen(ends, exits).then(|| slot.read())
        };
        self.0.iter().map(now).collect()
    }

    /// Their previous values, with `None` as in [`Variables::now`].
    pub(super) fn before(&self, ends: bool, exits: &Exits) -> Vec<Option<Flat>> {
        self.0.iter().map(|v| v.life.seen(ends, exits).then(|| v.before.clone())).collect()
    }

    /// Restores the previous values.
    pub(super) fn restore(&self, slots: &mut [LocalSlot<'_>]) -> Result<()> {
        self.write(slots, self.0.iter().map(|v| v.before.clone()))
    }

    /// Writes these values to the slots.
    pub(super) fn write(
        &self,
        slots: &mut [LocalSlot<'_>],
        values: impl IntoIterator<Item = Flat>,
    ) -> Result<()> {
        for (v, value) in self.0.iter().zip(values) {
            if let Some(slot) = slots.iter_mut().find(|s| s.name == v.name) {
                slot.write(value)?;
            }
        }
        Ok(())
    }
}

/// The result of one path.
#[derive(Default)]
pub(super) struct Way {
    /// Its paused trace; `None` if the path needs no trace of its own.
    pub(super) arm: Option<PausedArm>,
    pub(super) value: Option<Flat>,
    /// The variables; `None` for one that is not read afterwards.
    pub(super) state: Vec<Option<Flat>>,
    pub(super) exits: Exits,
    pub(super) name: &'static str,
}

impl Way {
    /// A path whose values were computed outside, so that it needs no trace.
    pub(super) fn outside(value: Option<Flat>, name: &'static str) -> Self {
        Self { value, name, ..Self::default() }
    }
}

/// The result of two joined paths.
pub(super) struct Joined {
    pub(super) value: Option<Flat>,
    pub(super) state: Vec<Flat>,
    pub(super) exits: Exits,
}

/// One result of both ways.
struct Item {
    /// Its name in error messages.
    name: String,
    values: [Option<Flat>; 2],
}

/// Joins two paths, one of which the condition picks.
#[track_caller]
pub(super) fn join_ways(
    site: &Site,
    pred: &Tensor,
    ways: [Way; 2],
    variables: &Variables,
) -> Result<Joined> {
    let [yes, no] = ways;
    let arm_names = [yes.name, no.name];
    let mut items = Vec::new();
    let valued = yes.value.is_some() || no.value.is_some();
    if valued {
        items.push(Item { name: "its value".into(), values: [yes.value, no.value] });
    }
    // Variables that neither path changed stay the same.
    let mut changed = Vec::new();
    for (i, Variable { name, before, .. }) in variables.0.iter().enumerate() {
        let mut values = [&yes.state, &no.state].map(|state| state.get(i).cloned().flatten());
        if values.iter().flatten().all(|value| identical(before, value)) {
            continue;
        }
        // If one path's value is not read afterwards, the previous value may take its place.
        if let [Some(seen), other @ None] | [other @ None, Some(seen)] = &mut values
            && joinable(seen, before)
        {
            *other = Some(before.clone());
        }
        changed.push(i);
        items.push(Item { name: (*name).to_owned(), values });
    }
    let mut left: Vec<(Target, Site)> = Vec::new();
    for exit in yes.exits.iter().chain(&no.exits) {
        if left.iter().all(|(target, _)| *target != exit.target) {
            left.push((exit.target, exit.site));
        }
    }
    for (target, _) in &left {
        let of = |exits: &Exits| exits.iter().find(|p| p.target == *target).cloned();
        let found = [of(&yes.exits), of(&no.exits)];
        let flags = found.each_ref().map(|p| {
            let flag = match p {
                Some(Pending { flag: Some(flag), .. }) => flag.clone(),
                p => Tensor::scalar(p.is_some()),
            };
            let spec = bool_spec();
            Some(Flat { specs: vec![spec], leaves: vec![flag] })
        });
        items.push(Item { name: target.word().to_owned(), values: flags });
        let values = found.map(|p| p.and_then(|p| p.value));
        items.push(Item { name: format!("the value of `{}`", target.word()), values });
    }
    let results = join_items(site, pred, [yes.arm, no.arm], arm_names, items)?;
    let mut results = results.into_iter();
    let value = if valued { results.next().flatten() } else { None };
    let mut state: Vec<Flat> = variables.0.iter().map(|v| v.before.clone()).collect();
    for i in changed {
        if let Some(Some(value)) = results.next()
            && let Some(place) = state.get_mut(i)
        {
            *place = value;
        }
    }
    let mut exits = Exits::new();
    let both = |target: &Target| {
        [&yes.exits, &no.exits]
            .iter()
            .all(|e| e.iter().any(|p| p.target == *target && p.flag.is_none()))
    };
    for (target, site) in left {
        let flag = results.next().flatten().and_then(|f| f.leaves.into_iter().next());
        let flag = if both(&target) { None } else { flag };
        exits.push(Pending { target, site, flag, value: results.next().flatten() });
    }
    Ok(Joined { value, state, exits })
}

pub(super) fn bool_spec() -> AnySpec {
    AnySpec::Tensor(crate::spec::TensorSpec::of::<bool>([]))
}

fn joinable(a: &Flat, b: &Flat) -> bool {
    a.specs.len() == b.specs.len()
        && a.specs.iter().zip(&b.specs).all(|(a, b)| matches!(a.joined(b), Ok(Some(_))))
}

fn identical(a: &Flat, b: &Flat) -> bool {
    a.specs == b.specs
        && a.leaves.len() == b.leaves.len()
        && a.leaves.iter().zip(&b.leaves).all(|(x, y)| x.id() == y.id())
}

/// The results of an `If`, item by item; `None` for an item without a value in either path.
#[track_caller]
fn join_items(
    site: &Site,
    pred: &Tensor,
    arms: [Option<PausedArm>; 2],
    names: [&str; 2],
    items: Vec<Item>,
) -> Result<Vec<Option<Flat>>> {
    let mut specs: Vec<Option<Vec<AnySpec>>> = Vec::new();
    for item in &items {
        specs.push(match &item.values {
            [Some(a), Some(b)] => Some(join_specs(site, &item.name, [&a.specs, &b.specs], names)?),
            [Some(a), None] | [None, Some(a)] => Some(a.specs.clone()),
            [None, None] => None,
        });
    }
    let mut traced = Vec::new();
    for (which, arm) in arms.into_iter().enumerate() {
        let open = match arm {
            Some(paused) => paused.resume(),
            None => OpenArm::open(if which == 0 { "then" } else { "else" })?,
        };
        let mut outputs = Vec::new();
        for item in &items {
            match (&item.values[which], &item.values[1 - which]) {
                (Some(own), _) => outputs.extend(own.leaves.iter().cloned()),
                (None, Some(other)) => {
                    for leaf in &other.leaves {
                        outputs.push(filler(leaf)?);
                    }
                }
                (None, None) => {}
            }
        }
        traced.push(open.close(outputs)?);
    }
    let mut results = branch(site, &IF, pred, traced)?.into_iter();
    let mut joined = Vec::new();
    for (item, specs) in items.iter().zip(specs) {
        let Some(specs) = specs else {
            joined.push(None);
            continue;
        };
        let count = item.values.iter().flatten().map(|v| v.leaves.len()).next().unwrap_or(0);
        joined.push(Some(Flat { specs, leaves: results.by_ref().take(count).collect() }));
    }
    Ok(joined)
}

fn join_specs(
    site: &Site,
    name: &str,
    specs: [&[AnySpec]; 2],
    arms: [&str; 2],
) -> Result<Vec<AnySpec>> {
    let [yes, no] = specs;
    if yes.len() != no.len() {
        return Err(site.locate(err!(
            "{site}: {name} is of another structure in {} than in {}",
            arms[0],
            arms[1]
        )));
    }
    let mut joined = Vec::new();
    for (a, b) in yes.iter().zip(no) {
        match a.joined(b)? {
            Some(spec) => joined.push(spec),
            None => return Err(site.locate(difference(site, name, [a, b], arms))),
        }
    }
    Ok(joined)
}

/// The placeholder for a value that a path does not have: zeros, which are never used.
pub(super) fn filler(like: &Tensor) -> Result<Tensor> {
    match like.dtype() {
        DType::Resource => Ok(like.clone()),
        dtype => Array::zeros_of(&TensorType::new(dtype, like.shape())).map(Tensor::Value),
    }
}

/// Like [`join_ways`]; its error messages name the variables that get their first value.
#[track_caller]
pub(super) fn join_named(
    site: &Site,
    pred: &Tensor,
    ways: [Way; 2],
    variables: &Variables,
    late: &'static [&'static str],
) -> Result<Joined> {
    // The late variables are the last part of the value.
    if let [Some(a), Some(b)] = [&ways[0].value, &ways[1].value]
        && let (Some(a), Some(b)) = (a.specs.last(), b.specs.last())
        && !late.is_empty()
    {
        let site = Site { names: late, ..*site };
        let (a, b) = (std::slice::from_ref(a), std::slice::from_ref(b));
        join_specs(&site, "its value", [a, b], [ways[0].name, ways[1].name])?;
    }
    join_ways(site, pred, ways, variables)
}
