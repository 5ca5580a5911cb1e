//! Loops on tensors: the body is traced once, and a `While` op repeats it.

use std::cell::{Cell, RefCell};
use std::panic::Location;

use super::condition::{Condition, Fact};
use super::exits::{LoopId, Pending, Target};
use super::flow::{Flow, Watch};
use super::join::{bool_spec, filler};
use super::kind::{Kind, Token};
use super::slots::{LocalSlot, read_all, write_all};
use super::state::{ArmValue, Flat, rebuilt};
use crate::control::arm::condition;
use crate::control::looped::while_op;
use crate::control::state::{Site, changed_value, of_other_sizes};
use crate::function::{Body, Tracing};
use crate::ir::Attrs;
use crate::ops::{self, operator};
use crate::spec::{AnySpec, TensorSpec};
use crate::tensor::context;
use crate::tensor::{Tensor, is_tracing};
use crate::types::{DType, Error, Result, Shape, TensorType, err};

/// The maximal number of iterations of a plain Rust loop that are traced under a condition.
const MAX_GUARDED: usize = 1000;

/// A loop.
pub struct Repeat<'f> {
    flow: &'f Flow,
    site: Site,
    id: LoopId,
    /// The number of open traces when it began.
    depth: usize,
    /// The number of open traces at the start of the iteration.
    begun: Cell<usize>,
    /// The last test.
    test: RefCell<Option<Fact>>,
    traced: RefCell<Option<OpenBody>>,
    /// The number of plain iterations that were traced under a condition.
    guarded: Cell<usize>,
    /// The value of the `break` that ended it.
    value: RefCell<Option<Flat>>,
    watch: Watch,
}

/// The body that is being traced.
struct OpenBody {
    tracing: Tracing,
    goes_on: Tensor,
    initial: Vec<Flat>,
    /// The types of the variables in any iteration.
    declared: Vec<Vec<AnySpec>>,
    names: Vec<&'static str>,
}

impl Flow {
    /// A loop, with its keyword.
    #[track_caller]
    pub fn repeat(&self, word: &'static str) -> Repeat<'_> {
        let site = Site::new(word, Location::caller());
        Repeat {
            flow: self,
            site,
            id: self.next_loop(),
            depth: self.depth(),
            begun: Cell::new(0),
            test: RefCell::new(None),
            traced: RefCell::new(None),
            guarded: Cell::new(0),
            value: RefCell::new(None),
            watch: Watch::new(site),
        }
    }
}

impl<'f> Repeat<'f> {
    /// Its number in the function.
    #[inline]
    pub fn id(&self) -> LoopId {
        self.id
    }

    fn is_traced(&self) -> bool {
        self.traced.borrow().is_some()
    }

    /// True if a `break` or `continue` can't be Rust's own, because a trace is open.
    #[inline]
    pub fn leaving(&self) -> bool {
        self.flow.depth() > self.depth
    }

    /// Notes a `break`.
    #[track_caller]
    pub fn note_break<K: Kind, V: ArmValue<'f, K, By>, By>(&self, _: &Token<K>, value: V) {
        let value = operator(super::state::flattened(value));
        self.flow.note(Target::Break(self.id), Location::caller(), value);
    }

    /// Notes a `continue`.
    #[track_caller]
    pub fn note_continue(&self) {
        self.flow.note(Target::Continue(self.id), Location::caller(), Flat::default());
    }

    fn forget_continue(&self) {
        self.flow.exits(|exits| exits.retain(|p| p.target != Target::Continue(self.id)));
    }

    /// Called before the test of a loop that may have exited: the test is then traced under the condition that it has not.
    /// The slots are the variables that the test assigns.
    #[track_caller]
    pub fn ask(&self, slots: &mut [LocalSlot<'_>]) {
        if self.is_traced() {
            operator(self.flow.open_rest(slots));
        }
    }

    /// The value of the test; true if it is decided at run time.
    #[inline]
    #[track_caller]
    pub fn test<C: Condition>(&self, _: &Token<C::Kind>, cond: &C) -> bool {
        let fact = operator(cond.fact());
        match fact {
            Fact::Bool(value) => value,
            Fact::Tensor(t) => operator(self.decide(t)),
        }
    }

    #[track_caller]
    fn decide(&self, t: Tensor) -> Result<bool> {
        if is_tracing() {
            *self.test.borrow_mut() = Some(Fact::Tensor(condition(&self.site, &t)?));
            return Ok(true);
        }
        self.site.located(t.data().and_then(crate::ir::decision))
    }

    /// Sets the test of a loop without a test in the user's code.
    pub(super) fn set_test(&self, test: Tensor) {
        *self.test.borrow_mut() = Some(Fact::Tensor(test));
    }

    /// Called between the test and the body; true if the body is to run. In a trace it runs once, with placeholders for
    /// the variables. After that the variables get the results of the loop.
    #[inline]
    #[track_caller]
    pub fn turn(&self, slots: &mut [LocalSlot<'_>]) -> bool {
        if !is_tracing() {
            return true;
        }
        operator(match self.is_traced() {
            false => self.begin_trace(slots),
            true => self.end_trace(slots),
        })
    }

    fn taken_test(&self) -> Tensor {
        match self.test.borrow_mut().take() {
            Some(Fact::Tensor(t)) => t,
            Some(Fact::Bool(value)) => Tensor::scalar(value),
            None => Tensor::scalar(true),
        }
    }

    fn begin_trace(&self, slots: &mut [LocalSlot<'_>]) -> Result<bool> {
        let goes_on = self.taken_test();
        let initial = read_all(slots);
        let declared = initial.iter().map(|flat| flat.specs.clone()).collect();
        let names: Vec<&'static str> = slots.iter().map(|s| s.name).collect();
        self.open_body(slots, Start { goes_on, initial, declared, names })
    }

    /// Opens the trace of the body, with placeholders for the variables.
    fn open_body(&self, slots: &mut [LocalSlot<'_>], start: Start) -> Result<bool> {
        let Start { goes_on, initial, declared, names } = start;
        let mut specs = vec![bool_spec()];
        let mut labels = vec!["goes_on"];
        for (types, name) in declared.iter().zip(&names) {
            let tensors = tensor_specs(types);
            labels.extend(tensors.iter().map(|_| *name));
            specs.extend(tensors);
        }
        let tracing = Tracing::start("body", &labels, &specs, &[])?;
        self.flow.enter();
        self.watch.set(self.flow, Some("the body of"));
        let mut placeholders = tracing.leaves().iter().skip(1).cloned();
        let inside: Vec<Flat> = initial
            .iter()
            .zip(&declared)
            .map(|(flat, specs)| refilled(flat, specs, &mut placeholders))
            .collect();
        write_all(slots, inside)?;
        *self.traced.borrow_mut() = Some(OpenBody { tracing, goes_on, initial, declared, names });
        Ok(true)
    }

    #[track_caller]
    fn end_trace(&self, slots: &mut [LocalSlot<'_>]) -> Result<bool> {
        self.watch.set(self.flow, None);
        let next = self.next_test(slots)?;
        let exits = self.flow.leave();
        let Some(traced) = self.traced.borrow_mut().take() else { return Ok(false) };
        let OpenBody { tracing, goes_on, initial, mut declared, names } = traced;
        let state = read_all(slots);
        let mut relaxed = false;
        for (((name, before), types), after) in
            names.iter().zip(&initial).zip(&mut declared).zip(&state)
        {
            relaxed |= self.relax(name, types, after)?;
            self.same_handles(name, before, after)?;
        }
        if relaxed {
            // Trace the body again, with the changed sizes unknown.
            drop(tracing);
            return self.open_body(slots, Start { goes_on, initial, declared, names });
        }
        let mut outputs = vec![next];
        outputs.extend(tensors(&state));
        let mut inputs = vec![goes_on];
        inputs.extend(tensors(&initial));
        let mut paused = tracing.pause()?;
        // Exit flags and values are loop variables too.
        let mut shapes = vec![Shape::scalar()];
        shapes.extend(declared.iter().flat_map(|types| tensor_specs(types)).filter_map(
            |t| match t {
                AnySpec::Tensor(t) => Some(t.shape),
                _ => None,
            },
        ));
        for exit in &exits {
            let mut add = |value: Tensor, start: Tensor| {
                let ty = TensorType::new(value.dtype(), value.shape());
                shapes.push(value.shape());
                let _ = paused.argument(ty, exit.target.word());
                outputs.push(value);
                inputs.push(start);
            };
            add(exit.flag.clone().unwrap_or_else(|| Tensor::scalar(true)), Tensor::scalar(false));
            for leaf in exit.value.iter().flat_map(|v| &v.leaves) {
                if leaf.dtype() != DType::Resource {
                    add(leaf.clone(), filler(leaf)?);
                }
            }
        }
        let body = paused.resume().close(outputs)?;
        let mut results = repeated(&self.site, body, &inputs, &shapes)?.into_iter().skip(1);
        let after: Vec<Flat> = initial
            .iter()
            .zip(&declared)
            .map(|(flat, specs)| refilled(flat, specs, &mut results))
            .collect();
        write_all(slots, after)?;
        for exit in exits {
            let flag = results.next();
            let value = exit.value.as_ref().map(|v| refilled(v, &v.specs, &mut results));
            if exit.target == Target::Break(self.id) {
                *self.value.borrow_mut() = Some(value.unwrap_or_default());
            } else {
                self.flow.exits(|all| all.push(Pending { flag, value, ..exit }));
            }
        }
        Ok(false)
    }

    /// Whether another iteration follows: false if an exit was taken.
    #[track_caller]
    fn next_test(&self, slots: &mut [LocalSlot<'_>]) -> Result<Tensor> {
        self.forget_continue();
        let test = match self.flow.left()? {
            Some(left) => ops::logical_and(&ops::logical_not(&left)?, self.taken_test())?,
            None => self.taken_test(),
        };
        let value = Flat { specs: vec![bool_spec()], leaves: vec![test] };
        // If the test is in a rest that did not run, its filler is false.
        let joined = self.flow.close_rests(self.depth + 1, Some(value), slots, None)?;
        let test = joined.and_then(|flat| flat.leaves.into_iter().next());
        test.ok_or_else(|| Error::internal("a test without a value"))
    }

    /// Makes sizes unknown that an iteration changes; true if there are any.
    fn relax(&self, name: &'static str, declared: &mut [AnySpec], after: &Flat) -> Result<bool> {
        let mut relaxed = false;
        for (declared, found) in declared.iter_mut().zip(&after.specs) {
            if found.is_subtype_of(declared) {
                continue;
            }
            let Some(wider) = of_other_sizes(declared, found)? else {
                return Err(self.site.locate(self.changed_variable(name, declared, found)));
            };
            *declared = wider;
            relaxed = true;
        }
        Ok(relaxed)
    }

    fn changed_variable(&self, name: &str, declared: &AnySpec, found: &AnySpec) -> Error {
        let site = Site { names: &[], ..self.site };
        if let (AnySpec::List(a), AnySpec::List(b)) = (declared, found)
            && a.len() != b.len()
        {
            return err!(
                "{site}: `{name}` has the length {} before an iteration and {} after it; a list in a loop on \
                 tensors keeps its length: write the results into a tensor, as with `tensor_scatter_nd_update`",
                a.len(),
                b.len()
            );
        }
        changed_value(&site, name, [declared, found], "after an iteration", |a, b| {
            let help = match (a, b) {
                (AnySpec::Tensor(_), AnySpec::Tensor(_)) => {
                    "sizes may change in a loop, the rank may not: give the variable the rank that it has after an \
                     iteration before the loop, as with `reshape` or `ops::zeros`, or write the loop as `WhileLoop` \
                     with `invariants`"
                }
                (AnySpec::Literal(_), AnySpec::Literal(_)) => {
                    "plain data must stay the same; make it a tensor, as in `scalar(x)`"
                }
                _ => return None,
            };
            Some(help.to_owned())
        })
    }

    fn same_handles(&self, name: &'static str, before: &Flat, after: &Flat) -> Result<()> {
        let handles = |flat: &Flat| -> Vec<_> {
            let all = flat.leaves.iter().filter(|l| l.dtype() == DType::Resource);
            all.map(|l| context::resolved(l.id())).collect()
        };
        if handles(before) != handles(after) {
            return Err(self.site.locate(err!(
                "{}: `{name}` is another variable after an iteration; keep the variable, and assign to it",
                self.site
            )));
        }
        Ok(())
    }

    /// Called before an iteration that may be exited. If an earlier iteration of a plain Rust loop may have exited, this one
    /// is traced under a condition.
    #[track_caller]
    pub fn begin(&self, slots: &mut [LocalSlot<'_>]) {
        self.begun.set(self.flow.depth());
        if self.is_traced() || !is_tracing() || !operator(self.flow.open_rest(slots)) {
            return;
        }
        self.guarded.set(self.guarded.get() + 1);
        if self.guarded.get() > MAX_GUARDED {
            operator::<()>(Err(self.site.locate(err!(
                "{}: more than {MAX_GUARDED} iterations of a plain loop stand under a condition on tensors; {}, so \
                 that the graph repeats it",
                self.site,
                match self.site.op {
                    "for" => "give the range a tensor end, as in `0..Tensor::scalar(n)`",
                    _ => "let its condition compare tensors, as in `while i < scalar(n)`",
                }
            ))));
        }
    }

    /// Called after an iteration; true if it is the last one, because an exit was certainly taken.
    #[track_caller]
    pub fn end(&self, slots: &mut [LocalSlot<'_>]) -> bool {
        if !is_tracing() {
            return false;
        }
        let (flow, goes_on, begun) = (self.flow, Target::Continue(self.id), self.begun.get());
        // An exit was certain before this iteration or in it.
        let left = flow.exits(|all| all.iter().any(|p| p.flag.is_none() && p.target != goes_on));
        let last = left && !flow.left_to(goes_on, begun);
        operator(flow.close_rests(begun, Some(Flat::default()), slots, Some(goes_on)));
        self.forget_continue();
        !self.is_traced() && (last || flow.left_for_certain())
    }

    /// The value of the `break` that ended the loop; `None` if none did.
    #[track_caller]
    pub fn value<K: Kind, V: ArmValue<'f, K, By>, By>(&self, _: &Token<K>) -> Option<V> {
        let value = self.value.borrow_mut().take()?;
        Some(operator(rebuilt(&self.flow.arena, value)))
    }

    /// Called after the loop.
    pub fn close(&self) {
        self.flow.exits(|exits| exits.retain(|p| p.target != Target::Break(self.id)));
    }
}

/// The inputs for tracing a body.
struct Start {
    goes_on: Tensor,
    initial: Vec<Flat>,
    declared: Vec<Vec<AnySpec>>,
    names: Vec<&'static str>,
}

/// The specs of the leaves that are tensors, not variables.
fn tensor_specs(specs: &[AnySpec]) -> Vec<AnySpec> {
    let leaves = specs.iter().flat_map(AnySpec::leaves);
    leaves
        .filter_map(|leaf| match leaf {
            AnySpec::Tensor(t) if t.dtype != DType::Resource => {
                Some(AnySpec::Tensor(TensorSpec::new(t.shape, t.dtype)))
            }
            _ => None,
        })
        .collect()
}

/// The leaves that are tensors, not variables.
fn tensors(values: &[Flat]) -> impl Iterator<Item = Tensor> + '_ {
    values.iter().flat_map(|v| &v.leaves).filter(|l| l.dtype() != DType::Resource).cloned()
}

/// A copy of the value with these specs and the next tensors; variables stay.
fn refilled(like: &Flat, specs: &[AnySpec], tensors: &mut impl Iterator<Item = Tensor>) -> Flat {
    let leaves = like.leaves.iter().map(|leaf| match leaf.dtype() {
        DType::Resource => leaf.clone(),
        _ => tensors.next().unwrap_or_else(|| leaf.clone()),
    });
    Flat { leaves: leaves.collect(), specs: specs.to_vec() }
}

/// A `While` op whose first loop variable is its condition.
#[track_caller]
fn repeated(
    site: &Site,
    body: Body<Vec<Tensor>>,
    state: &[Tensor],
    shapes: &[Shape],
) -> Result<Vec<Tensor>> {
    let specs = state
        .iter()
        .zip(shapes)
        .map(|(t, shape)| AnySpec::Tensor(TensorSpec::new(shape.clone(), t.dtype())));
    let specs: Vec<AnySpec> = specs.collect();
    let labels = vec!["state"; specs.len()];
    let tracing = Tracing::start("test", &labels, &specs, &[])?;
    let goes_on: Vec<Tensor> = tracing.leaves().iter().take(1).cloned().collect();
    let test = tracing.close(goes_on)?;
    while_op(site, [test, body], state, shapes.to_vec(), 0, Attrs::new())
}
