//! What stands after a statement that may have left.

use std::panic::Location;

use super::branch::{Way, join_ways, seen};
use super::flow::{Exits, Flow, Target, Watch};
use super::kind::{Kind, Token};
use super::slots::{Life, Slot, read_all, write_all};
use super::state::{ArmValue, Flat, flattened, rebuilt};
use crate::control::arm::OpenArm;
use crate::control::state::Site;
use crate::ops::{self, operator};
use crate::tensor::{Tensor, is_tracing};
use crate::types::Result;

/// What stands after a statement that may have left: traced under the condition that nobody has.
pub struct Rest<'a> {
    flow: &'a Flow,
    held: Held,
}

/// A [`Rest`] apart from its function's flow.
pub(super) struct Held {
    site: Site,
    left: Option<Tensor>,
    open: Option<OpenArm>,
    before: Vec<Flat>,
    after: Vec<Flat>,
    names: Vec<&'static str>,
    lives: Vec<Life>,
    exits: Exits,
    watch: Watch,
}

impl Flow {
    /// The driver of what comes next.
    #[inline]
    #[track_caller]
    pub fn rest(&self) -> Rest<'_> {
        let site = Site::new("if", Location::caller());
        let mut rest = Rest::new(self, site);
        if is_tracing() {
            operator(rest.open());
        }
        rest
    }
}

impl Held {
    pub(super) fn attach(self, flow: &Flow) -> Rest<'_> {
        Rest { flow, held: self }
    }
}

impl<'a> Rest<'a> {
    /// The rest of a loop's iteration, if it may have been left.
    pub(super) fn opened(flow: &'a Flow, site: Site) -> Result<Option<Held>> {
        let mut rest = Rest::new(flow, site);
        rest.open()?;
        Ok(rest.is_open().then_some(rest.held))
    }

    pub(super) fn detach(self) -> Held {
        self.held
    }

    fn new(flow: &'a Flow, site: Site) -> Self {
        let held = Held {
            site,
            left: None,
            open: None,
            before: Vec::new(),
            after: Vec::new(),
            names: Vec::new(),
            lives: Vec::new(),
            exits: Exits::new(),
            watch: Watch::new(site),
        };
        Rest { flow, held }
    }
}

impl Rest<'_> {
    fn open(&mut self) -> Result<()> {
        let Some(left) = self.flow.left()? else { return Ok(()) };
        self.held.exits = self.flow.exits(std::mem::take);
        if let Some(exit) = self.held.exits.first() {
            self.held.site = exit.site;
            self.held.watch = Watch::new(exit.site);
        }
        self.held.left = Some(ops::logical_not(&left)?);
        self.held.open = Some(OpenArm::open("then")?);
        self.held.watch.set(self.flow, Some("the code that goes on"));
        self.flow.enter();
        Ok(())
    }

    /// True if what comes is traced under a condition.
    pub(super) fn is_open(&self) -> bool {
        self.held.open.is_some()
    }

    /// Before: the variables that it writes.
    pub fn enter(&mut self, slots: &mut [Slot<'_>]) {
        if self.held.open.is_some() {
            self.held.before = read_all(slots);
            self.held.names = slots.iter().map(|s| s.name).collect();
            self.held.lives = slots.iter().map(|s| s.life.clone()).collect();
        }
    }

    /// After: what it made of them.
    pub fn leave(&mut self, slots: &mut [Slot<'_>]) {
        if self.held.open.is_some() {
            self.held.after = read_all(slots);
        }
    }

    /// Ends it with its value; `None` if it was left.
    #[inline]
    #[track_caller]
    pub fn end<K: Kind, V: ArmValue<K>>(&mut self, _: &Token<K>, value: Option<V>) -> Option<V> {
        if self.held.open.is_none() {
            return value;
        }
        operator(value.map(flattened).transpose().and_then(|value| {
            let value = self.close(value, None)?;
            value.map(rebuilt).transpose()
        }))
    }

    /// Closes it; `done` is a target whose exits end with it.
    #[track_caller]
    pub(super) fn close(
        &mut self,
        value: Option<Flat>,
        done: Option<Target>,
    ) -> Result<Option<Flat>> {
        let (Some(open), Some(left)) = (self.held.open.take(), self.held.left.take()) else {
            return Ok(value);
        };
        self.held.watch.set(self.flow, None);
        let mut inner = self.flow.leave();
        inner.retain(|p| Some(p.target) != done);
        let after = std::mem::take(&mut self.held.after);
        let state = seen(after, &self.held.lives, value.is_some(), &inner);
        let ran = Way::rest(Some(open.pause()?), value, state, inner);
        let mut exits = std::mem::take(&mut self.held.exits);
        // Where this was left by one way only, that was taken for certain.
        if exits.windows(2).all(|two| two[0].target == two[1].target) {
            exits.iter_mut().for_each(|exit| exit.flag = None);
        }
        let before = seen(self.held.before.clone(), &self.held.lives, false, &exits);
        let skipped = Way::rest(None, None, before, exits);
        let joined =
            join_ways(&self.held.site, &left, [ran, skipped], &self.held.names, &self.held.before)?;
        self.held.before = joined.state;
        self.flow.exits(|exits| exits.extend(joined.exits));
        Ok(joined.value)
    }

    /// After the end: the variables take what it made of them.
    #[track_caller]
    pub fn take(&mut self, slots: &mut [Slot<'_>]) {
        if !self.held.names.is_empty() {
            operator(write_all(slots, std::mem::take(&mut self.held.before)));
        }
    }
}
