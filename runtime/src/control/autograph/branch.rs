//! `if` on tensors: both arms are traced, one after the other, and an `If` op joins their results.

use std::marker::PhantomData;
use std::panic::Location;

use super::condition::{Condition, Fact};
use super::flow::{Flow, Watch};
use super::join::{Joined, Variables, Way, join_named};
use super::kind::{Kind, Token};
use super::slots::LocalSlot;
use super::state::{ArmValue, flattened, rebuilt};
use crate::control::arm::{OpenArm, condition};
use crate::control::state::Site;
use crate::ops::operator;
use crate::tensor::{Tensor, is_tracing};
use crate::types::{Error, Result};

/// A condition and its two arms.
pub struct Branch<'f, K> {
    flow: &'f Flow,
    site: Site,
    watch: Watch,
    decision: Decision,
    /// The arm that is being traced.
    open: Option<OpenArm>,
    /// The number of open traces once it is open.
    depth: usize,
    variables: Variables,
    /// The result of the first arm.
    first: Option<Way>,
    late: &'static [&'static str],
    kind: PhantomData<fn() -> K>,
}

enum Decision {
    Known(bool),
    Traced(Tensor),
}

impl Flow {
    /// Starts an `if`; `late` names the variables that get their first value in both arms.
    #[inline]
    #[track_caller]
    pub fn branch<C: Condition>(
        &self,
        _: &Token<C::Kind>,
        cond: &C,
        late: &'static [&'static str],
    ) -> Branch<'_, C::Kind> {
        let site = Site::new("if", Location::caller());
        let decision = match operator(cond.fact()) {
            Fact::Bool(value) => Decision::Known(value),
            Fact::Tensor(t) => operator(decide(&site, &t)),
        };
        Branch {
            flow: self,
            site,
            watch: Watch::new(site),
            decision,
            open: None,
            depth: 0,
            variables: Variables::default(),
            first: None,
            late,
            kind: PhantomData,
        }
    }
}

#[track_caller]
fn decide(site: &Site, t: &Tensor) -> Result<Decision> {
    if is_tracing() {
        return Ok(Decision::Traced(condition(site, t)?));
    }
    site.located(t.data().and_then(crate::ir::decision)).map(Decision::Known)
}

const ARMS: [(&str, &str); 2] =
    [("the arm `then`", "the arm `then` of"), ("the arm `else`", "the arm `else` of")];

impl<'f, K: Kind> Branch<'f, K> {
    /// Called before both arms with the variables that they assign.
    pub fn enter(&mut self, slots: &mut [LocalSlot<'_>]) {
        if let Decision::Traced(_) = self.decision {
            self.variables = Variables::of(slots);
        }
    }

    /// True if the first arm runs.
    #[inline]
    #[track_caller]
    pub fn then(&mut self) -> bool {
        match self.decision {
            Decision::Known(value) => value,
            Decision::Traced(_) => {
                operator(self.open());
                true
            }
        }
    }

    fn open(&mut self) -> Result<()> {
        let second = self.first.is_some();
        self.open = Some(OpenArm::open(if second { "else" } else { "then" })?);
        self.watch.set(self.flow, Some(ARMS[usize::from(second)].1));
        self.flow.enter();
        self.depth = self.flow.depth();
        Ok(())
    }

    /// True if no second arm is to be traced, because the condition is a known bool.
    #[inline]
    pub fn done(&self) -> bool {
        matches!(self.decision, Decision::Known(_))
    }

    /// Ends the first arm of a trace with its value, `None` if the arm was left early, and resets the variables.
    #[track_caller]
    pub fn keep<V: ArmValue<'f, K, By>, By>(
        &mut self,
        value: Option<V>,
        slots: &mut [LocalSlot<'_>],
    ) {
        self.first = Some(operator(self.close(value, slots)));
        operator(self.variables.restore(slots).and_then(|()| self.open()));
    }

    /// Ends the second arm; the variables and the value become those joined from both arms.
    #[track_caller]
    pub fn join<V: ArmValue<'f, K, By>, By>(
        mut self,
        value: Option<V>,
        slots: &mut [LocalSlot<'_>],
    ) -> Option<V> {
        operator(self.joined(value, slots))
    }

    #[track_caller]
    fn joined<V: ArmValue<'f, K, By>, By>(
        &mut self,
        value: Option<V>,
        slots: &mut [LocalSlot<'_>],
    ) -> Result<Option<V>> {
        let second = self.close(value, slots)?;
        let (Some(first), Decision::Traced(pred)) = (self.first.take(), &self.decision) else {
            return Err(Error::internal("an `if` has two arms"));
        };
        let ways = [first, second];
        let Joined { value, state, exits } =
            join_named(&self.site, pred, ways, &self.variables, self.late)?;
        self.variables.write(slots, state)?;
        self.flow.exits(|all| all.extend(exits));
        value.map(|flat| rebuilt(&self.flow.arena, flat)).transpose()
    }

    #[track_caller]
    fn close<V: ArmValue<'f, K, By>, By>(
        &mut self,
        value: Option<V>,
        slots: &mut [LocalSlot<'_>],
    ) -> Result<Way> {
        let second = self.first.is_some();
        let word = if second { "else" } else { "then" };
        let value = value.map(flattened).transpose();
        let value =
            value.map_err(|e| e.in_context(format!("the arm `{word}` of {}", self.site)))?;
        let value = self.flow.close_rests(self.depth, value, slots, None)?;
        self.watch.set(self.flow, None);
        let exits = self.flow.leave();
        let arm = self.open.take().map(OpenArm::pause).transpose()?;
        let state = self.variables.now(slots, value.is_some(), &exits);
        Ok(Way { arm, value, state, exits, name: ARMS[usize::from(second)].0 })
    }
}

/// The value of a branch that is never left early.
#[inline]
#[track_caller]
pub fn there<V>(value: Option<V>) -> V {
    match value {
        Some(value) => value,
        None => operator(Err(Error::internal("an arm was left that nothing leaves"))),
    }
}
