//! `if` on tensors: both arms are traced, and an `If` joins what they came to.

use std::panic::Location;

use super::condition::{Condition, Fact};
use super::flow::{Exits, Flow, Pending, Target, Watch};
use super::kind::{Kind, Token};
use super::slots::{Life, Slot, read_all, write_all};
use super::state::{ArmValue, Flat, flattened, rebuilt};
use crate::array::Array;
use crate::control::arm::{OpenArm, PausedArm, branch, condition};
use crate::control::rows::IF;
use crate::control::state::{Site, difference};
use crate::ops::operator;
use crate::spec::AnySpec;
use crate::tensor::{Tensor, is_tracing};
use crate::types::{DType, Result, TensorType, err};

/// What an arm came to.
#[derive(Default)]
pub(super) struct Way {
    /// Of a way that needs no trace of its own there is none.
    arm: Option<PausedArm>,
    value: Option<Flat>,
    /// The variables; without those that nobody sees any more.
    state: Vec<Option<Flat>>,
    exits: Exits,
    name: &'static str,
}

impl Way {
    /// A side of `&&` or `||`.
    pub(super) fn side(
        arm: Option<PausedArm>,
        value: Flat,
        state: Vec<Flat>,
        name: &'static str,
    ) -> Self {
        let state = state.into_iter().map(Some).collect();
        Self { arm, value: Some(value), state, exits: Exits::new(), name }
    }

    /// What follows a statement that may have left, or what was left.
    pub(super) fn rest(
        arm: Option<PausedArm>,
        value: Option<Flat>,
        state: Vec<Option<Flat>>,
        exits: Exits,
    ) -> Self {
        let name = if arm.is_some() { "the code that goes on" } else { "the code that left" };
        Self { arm, value, state, exits, name }
    }

    /// A way that was gone before, outside.
    pub(super) fn outside(value: Option<Flat>, name: &'static str) -> Self {
        Self { value, name, ..Self::default() }
    }
}

/// What two ways come to.
pub(super) struct Joined {
    pub(super) value: Option<Flat>,
    pub(super) state: Vec<Flat>,
    pub(super) exits: Exits,
}

/// One result of both ways.
struct Item {
    /// As messages name it.
    name: String,
    values: [Option<Flat>; 2],
}

/// Joins two ways of which the condition picks one.
#[track_caller]
pub(super) fn join_ways(
    site: &Site,
    pred: &Tensor,
    ways: [Way; 2],
    names: &[&'static str],
    before: &[Flat],
) -> Result<Joined> {
    let [yes, no] = ways;
    let arm_names = [yes.name, no.name];
    let mut items = Vec::new();
    let valued = yes.value.is_some() || no.value.is_some();
    if valued {
        items.push(Item { name: "its value".into(), values: [yes.value, no.value] });
    }
    // Variables that neither way changed stay as they are.
    let mut changed = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let mut values = [&yes.state, &no.state].map(|state| state.get(i).cloned().flatten());
        let same = |value: &Flat| before.get(i).is_some_and(|b| identical(b, value));
        if values.iter().flatten().all(same) {
            continue;
        }
        // Where nobody sees it the value from before does as well as any.
        if let [Some(seen), other @ None] | [other @ None, Some(seen)] = &mut values
            && let Some(before) = before.get(i)
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
    let mut state: Vec<Flat> = before.to_vec();
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

/// The results of an `If`, item by item; `None` for one that neither way has.
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
                        outputs.push(stand_in(leaf)?);
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

/// What a way gives that does not come to it: zeros that nobody sees.
pub(super) fn stand_in(like: &Tensor) -> Result<Tensor> {
    match like.dtype() {
        DType::Resource => Ok(like.clone()),
        dtype => Array::zeros_of(&TensorType::new(dtype, like.shape())).map(Tensor::Value),
    }
}

/// A condition and its two arms.
pub struct Branch {
    site: Site,
    decision: Decision,
    /// The arm that is next or running.
    arm: u8,
    /// True while an arm runs.
    runs: bool,
    open: Option<OpenArm>,
    before: Vec<Flat>,
    state: Vec<Flat>,
    names: Vec<&'static str>,
    lives: Vec<Life>,
    late: &'static [&'static str],
    ways: Vec<Way>,
}

enum Decision {
    Known(bool),
    Traced(Tensor),
}

/// What comes after an arm.
pub enum End<V> {
    /// Both arms are done: the value, or `None` if the code around is left too.
    Done(Option<V>),
    /// The other arm is next.
    Again,
}

impl Flow {
    /// The driver of an `if`; `late` are the variables to which both arms give their first value.
    #[track_caller]
    pub fn branch<C: Condition>(
        &self,
        _: &Token<C::Kind>,
        cond: &C,
        late: &'static [&'static str],
    ) -> Driver<'_> {
        let site = Site::new("if", Location::caller());
        let decision = match operator(cond.fact()) {
            Fact::Bool(value) => Decision::Known(value),
            Fact::Tensor(t) => operator(decide(&site, &t)),
        };
        Driver {
            flow: self,
            watch: Watch::new(site),
            branch: Branch {
                site,
                decision,
                arm: 0,
                runs: false,
                open: None,
                before: Vec::new(),
                state: Vec::new(),
                names: Vec::new(),
                lives: Vec::new(),
                late,
                ways: Vec::new(),
            },
        }
    }
}

#[track_caller]
fn decide(site: &Site, t: &Tensor) -> Result<Decision> {
    if is_tracing() {
        return Ok(Decision::Traced(condition(site, t)?));
    }
    site.located(t.data().and_then(crate::op::decision)).map(Decision::Known)
}

/// A [`Branch`] in its function.
pub struct Driver<'a> {
    flow: &'a Flow,
    watch: Watch,
    branch: Branch,
}

impl Driver<'_> {
    /// True if the first arm is to be run, false for the second.
    #[inline]
    #[track_caller]
    pub fn arm(&mut self) -> bool {
        if std::mem::replace(&mut self.branch.runs, true) {
            operator::<()>(Err(err!(
                "an arm of an `if` is left by a `continue` that a macro hides: write it out, or put \
                 `#[plain]` on the loop"
            )));
        }
        match &self.branch.decision {
            Decision::Known(value) => *value,
            Decision::Traced(_) => self.open(),
        }
    }

    #[track_caller]
    fn open(&mut self) -> bool {
        let first = self.branch.arm == 0;
        let (name, part) = match first {
            true => ("then", "the arm `then` of"),
            false => ("else", "the arm `else` of"),
        };
        self.branch.open = Some(operator(OpenArm::open(name)));
        self.watch.set(self.flow, Some(part));
        self.flow.enter();
        first
    }

    /// Before an arm: the variables that the arms write.
    pub fn enter(&mut self, slots: &mut [Slot<'_>]) {
        let b = &mut self.branch;
        if b.open.is_some() && b.arm == 0 {
            b.before = read_all(slots);
            b.names = slots.iter().map(|s| s.name).collect();
            b.lives = slots.iter().map(|s| s.life.clone()).collect();
        }
    }

    /// After an arm: what it made of the variables, which become what they were.
    #[track_caller]
    pub fn leave(&mut self, slots: &mut [Slot<'_>]) {
        let b = &mut self.branch;
        if b.open.is_none() {
            return;
        }
        b.state = read_all(slots);
        operator(write_all(slots, b.before.iter().cloned()));
    }

    /// Ends an arm with its value; `None` if it was left.
    #[inline]
    #[track_caller]
    pub fn end<K: Kind, V: ArmValue<K>>(&mut self, _: &Token<K>, value: Option<V>) -> End<V> {
        self.branch.runs = false;
        self.watch.set(self.flow, None);
        if self.branch.open.is_none() {
            return End::Done(value);
        }
        operator(self.traced(value))
    }

    #[track_caller]
    fn traced<K: Kind, V: ArmValue<K>>(&mut self, value: Option<V>) -> Result<End<V>> {
        let flow = self.flow;
        let b = &mut self.branch;
        let name = if b.arm == 0 { "then" } else { "else" };
        let text = if b.arm == 0 { "the arm `then`" } else { "the arm `else`" };
        let site = b.site;
        let value = value
            .map(flattened)
            .transpose()
            .map_err(|e| e.in_context(format!("the arm `{name}` of {site}")))?;
        let exits = flow.leave();
        let arm = b.open.take().map(OpenArm::pause).transpose()?;
        let state = seen(std::mem::take(&mut b.state), &b.lives, value.is_some(), &exits);
        b.ways.push(Way { arm, value, state, exits, name: text });
        b.arm += 1;
        if b.arm == 1 {
            return Ok(End::Again);
        }
        let ways = std::mem::take(&mut b.ways);
        let (Ok(ways), Decision::Traced(pred)) = (<[Way; 2]>::try_from(ways), &b.decision) else {
            return Err(crate::types::Error::internal("an `if` has two arms"));
        };
        let joined = join_named(&site, pred, ways, &b.names, &b.before, b.late)?;
        b.before = joined.state;
        flow.exits(|exits| exits.extend(joined.exits));
        Ok(End::Done(joined.value.map(rebuilt).transpose()?))
    }

    /// After both arms: the variables take what the branch made of them.
    #[track_caller]
    pub fn take(&mut self, slots: &mut [Slot<'_>]) {
        if self.branch.arm == 2 {
            operator(write_all(slots, std::mem::take(&mut self.branch.before)));
        }
    }
}

/// The variables of a way that somebody sees.
pub(super) fn seen(
    state: Vec<Flat>,
    lives: &[Life],
    ends: bool,
    exits: &Exits,
) -> Vec<Option<Flat>> {
    state
        .into_iter()
        .zip(lives)
        .map(|(flat, life)| life.seen(ends, exits).then_some(flat))
        .collect()
}

/// [`join_ways`] with the names of the variables that get their first value.
#[track_caller]
fn join_named(
    site: &Site,
    pred: &Tensor,
    ways: [Way; 2],
    names: &[&'static str],
    before: &[Flat],
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
    join_ways(site, pred, ways, names, before)
}

/// The value of a branch that nothing leaves.
#[inline]
#[track_caller]
pub fn there<V>(value: Option<V>) -> V {
    match value {
        Some(value) => value,
        None => operator(Err(crate::types::Error::internal("an arm was left that nothing leaves"))),
    }
}
