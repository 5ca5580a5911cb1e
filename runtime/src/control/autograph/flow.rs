//! The state of one call's control flow: the open traces of arms, loop bodies and rests, and the exits that were taken in
//! them under conditions that are decided at run time.

use std::cell::{Cell, RefCell};
use std::panic::Location;

use super::check::{Piece, fails, print, print_later, template};
use super::exits::{Exits, LoopId, Pending, Target};
use super::join::{Variables, Way, join_ways};
use super::kind::{Kind, Token};
use super::slots::LocalSlot;
use super::state::{Arena, ArmValue, Flat, flattened, rebuilt};
use crate::control::arm::OpenArm;
use crate::control::state::Site;
use crate::function::left_open;
use crate::ops::{self, operator};
use crate::tensor::Tensor;
use crate::types::{Error, ErrorKind, Result, err};

/// The control flow of one call of a function or closure.
pub struct Flow {
    /// The open traces, the innermost last; the first entry is the function itself.
    regions: RefCell<Vec<Region>>,
    loops: Cell<usize>,
    /// The last error that the graph raises at run time.
    failure: RefCell<Option<Error>>,
    /// True for a closure, which may exit with an error that its caller handles.
    inner: bool,
    /// Values behind references that a condition picked.
    pub(super) arena: Arena,
}

/// An open trace.
#[derive(Default)]
struct Region {
    exits: Exits,
    /// The rest that this trace belongs to, if it is one; it is closed together with the trace around it.
    rest: Option<Rest>,
}

/// The code after a statement that may have exited; traced under the condition that no exit was taken.
struct Rest {
    site: Site,
    stays: Tensor,
    open: OpenArm,
    variables: Variables,
    /// The exits that may have been taken before it.
    exits: Exits,
    watch: Watch,
}

/// Detects a construct that is left while its trace is open, without an error: then the traced graph would be wrong.
pub(super) struct Watch {
    site: Site,
    /// The part whose trace is open.
    open: Cell<Option<&'static str>>,
}

impl Watch {
    pub(super) fn new(site: Site) -> Self {
        Self { site, open: Cell::new(None) }
    }

    /// Sets the part whose trace is open; `None` once all are closed.
    pub(super) fn set(&self, flow: &Flow, open: Option<&'static str>) {
        self.open.set(open.filter(|_| !flow.inner));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(part) = self.open.get() {
            left_open(format!("{part} {}", self.site));
        }
    }
}

impl Default for Flow {
    fn default() -> Self {
        Self::new()
    }
}

impl Flow {
    /// The flow at the start of a function.
    #[inline]
    pub fn new() -> Self {
        Self {
            regions: RefCell::new(Vec::new()),
            loops: Cell::new(0),
            failure: RefCell::new(None),
            inner: false,
            arena: Arena::default(),
        }
    }

    /// The flow at the start of a closure.
    #[inline]
    pub fn inner() -> Self {
        Self { inner: true, ..Self::new() }
    }

    /// The number of open traces.
    pub(super) fn depth(&self) -> usize {
        self.regions.borrow().len().saturating_sub(1)
    }

    pub(super) fn next_loop(&self) -> LoopId {
        self.loops.set(self.loops.get() + 1);
        LoopId(self.loops.get())
    }

    fn innermost<R>(&self, f: impl FnOnce(&mut Region) -> R) -> R {
        let mut regions = self.regions.borrow_mut();
        if regions.is_empty() {
            regions.push(Region::default());
        }
        let last = regions.len() - 1;
        f(&mut regions[last])
    }

    /// Calls `f` with the exits of the innermost trace.
    pub(super) fn exits<R>(&self, f: impl FnOnce(&mut Exits) -> R) -> R {
        self.innermost(|region| f(&mut region.exits))
    }

    /// Notes that a trace was opened.
    pub(super) fn enter(&self) {
        self.innermost(|_| ());
        self.regions.borrow_mut().push(Region::default());
    }

    /// Removes the innermost trace, which is about to be closed, and returns its exits.
    pub(super) fn leave(&self) -> Exits {
        let mut regions = self.regions.borrow_mut();
        if regions.len() > 1 { regions.pop().unwrap_or_default().exits } else { Exits::new() }
    }

    /// True if a `return` can't be Rust's own `return`, because a trace is open.
    #[inline]
    pub fn leaving(&self) -> bool {
        self.depth() > 0
    }

    /// Called after a statement that may have exited; `slots` are the variables that the following code assigns.
    #[track_caller]
    pub fn rest(&self, slots: &mut [LocalSlot<'_>]) {
        Section { flow: self, above: 0 }.rest(slots);
    }

    /// A section of code; closing it closes the rests that were opened in it.
    #[must_use]
    pub fn section(&self) -> Section<'_> {
        Section { flow: self, above: self.depth() }
    }

    /// Opens the trace of the following code if an exit may have been taken; returns whether it did.
    pub(super) fn open_rest(&self, slots: &mut [LocalSlot<'_>]) -> Result<bool> {
        let Some(left) = self.left()? else { return Ok(false) };
        let exits = self.exits(std::mem::take);
        let Some(site) = exits.first().map(|exit| exit.site) else { return Ok(false) };
        let stays = ops::logical_not(&left)?;
        let open = OpenArm::open("then")?;
        let watch = Watch::new(site);
        watch.set(self, Some("the code that goes on"));
        let rest = Rest { site, stays, open, variables: Variables::of(slots), exits, watch };
        self.innermost(|_| ());
        self.regions.borrow_mut().push(Region { exits: Exits::new(), rest: Some(rest) });
        Ok(true)
    }

    /// Closes the open rests above depth `above`, and returns their value joined with the exits before them. Exits to
    /// `done` end here.
    #[track_caller]
    pub(super) fn close_rests(
        &self,
        above: usize,
        mut value: Option<Flat>,
        slots: &mut [LocalSlot<'_>],
        done: Option<Target>,
    ) -> Result<Option<Flat>> {
        loop {
            let region = {
                let mut regions = self.regions.borrow_mut();
                match regions.last() {
                    Some(Region { rest: Some(_), .. }) if regions.len() > above + 1 => {
                        regions.pop()
                    }
                    _ => return Ok(value),
                }
            };
            let Some(Region { exits: mut inner, rest: Some(rest) }) = region else {
                return Err(Error::internal("a rest is a trace"));
            };
            let Rest { site, stays, open, variables, mut exits, watch } = rest;
            watch.set(self, None);
            inner.retain(|p| Some(p.target) != done);
            let state = variables.now(slots, value.is_some(), &inner);
            let arm = Some(open.pause()?);
            let ran = Way { arm, value, state, exits: inner, name: "the code that goes on" };
            // If all exits have one target, that exit is certain in the arm that skips the rest.
            if exits.windows(2).all(|two| two[0].target == two[1].target) {
                exits.iter_mut().for_each(|exit| exit.flag = None);
            }
            let state = variables.before(false, &exits);
            let name = "the code that left";
            let skipped = Way { arm: None, value: None, state, exits, name };
            let joined = join_ways(&site, &stays, [ran, skipped], &variables)?;
            variables.write(slots, joined.state)?;
            self.exits(|exits| exits.extend(joined.exits));
            value = joined.value;
        }
    }

    /// True if the rests that are open above a depth have exits to this target before them.
    pub(super) fn left_to(&self, target: Target, above: usize) -> bool {
        let regions = self.regions.borrow();
        let rests = regions.iter().skip(above + 1).filter_map(|region| region.rest.as_ref());
        rests.flat_map(|rest| &rest.exits).any(|exit| exit.target == target)
    }

    /// Notes a `return`.
    #[track_caller]
    pub fn note_return<'f, K: Kind, V: ArmValue<'f, K, By>, By>(&'f self, _: &Token<K>, value: V) {
        self.note(Target::Return, Location::caller(), operator(flattened(value)));
    }

    /// Notes a `return` of an error, which is raised if the graph gets there at run time.
    #[track_caller]
    pub fn note_failure<'f, K: Kind, V: ArmValue<'f, K, By>, By>(&'f self, _: &Token<K>, value: V) {
        match flattened(value) {
            Ok(value) => self.note(Target::Return, Location::caller(), value),
            Err(e) => {
                operator(fails(&[Piece::Text(e.to_string())], e.kind()));
                *self.failure.borrow_mut() = Some(e);
            }
        }
    }

    /// Notes a panic, which fails if the graph gets there at run time.
    #[track_caller]
    pub fn note_panic(&self, pieces: &[Piece]) {
        operator(fails(pieces, ErrorKind::InvalidArgument));
        let site = Site::new("panic", Location::caller());
        *self.failure.borrow_mut() = Some(site.locate(err!("{}", template(pieces).0)));
    }

    /// [`print`]; under a condition it prints when the graph runs.
    #[track_caller]
    pub fn print(&self, pieces: &[Piece], stream: &'static str, line: bool) {
        match self.leaving() {
            true => print_later(pieces, stream, line),
            false => print(pieces, stream, line),
        }
    }

    pub(super) fn note(&self, target: Target, at: &'static Location<'static>, value: Flat) {
        let site = Site::new(target.word(), at);
        self.exits(|exits| exits.push(Pending { target, site, flag: None, value: Some(value) }));
    }

    /// Whether any exit of the innermost trace was taken; `None` if there is none.
    pub(super) fn left(&self) -> Result<Option<Tensor>> {
        let flags: Vec<Tensor> = self.exits(|exits| {
            exits.iter().map(|p| p.flag.clone().unwrap_or_else(|| Tensor::scalar(true))).collect()
        });
        let mut flags = flags.into_iter();
        let Some(first) = flags.next() else { return Ok(None) };
        flags.try_fold(first, |any, flag| ops::logical_or(&any, &flag)).map(Some)
    }

    /// True if an exit was certainly taken.
    pub(super) fn left_for_certain(&self) -> bool {
        self.exits(|exits| exits.iter().any(|p| p.flag.is_none()))
    }
}

/// The error that a macro such as `bail!` returns.
///
/// # Panics
/// If the macro returns a value.
pub fn raised<T, E>(result: std::result::Result<T, E>) -> E {
    match result {
        Err(e) => e,
        Ok(_) => panic!("a macro that returns an error returned none"),
    }
}

/// Code that closes the rests it opens: a closure, or code after which references that it writes through are still used.
pub struct Section<'f> {
    flow: &'f Flow,
    /// The number of traces open around it.
    above: usize,
}

impl<'f> Section<'f> {
    /// [`Flow::rest`] within the section.
    #[track_caller]
    pub fn rest(&self, slots: &mut [LocalSlot<'_>]) {
        let mut regions = self.flow.regions.borrow_mut();
        // Rests opened by an inner block stay open; they write these variables too.
        let within = regions.iter_mut().skip(self.above + 1).rev();
        for rest in within.map_while(|region| region.rest.as_mut()) {
            rest.variables.add(slots);
        }
        drop(regions);
        operator(self.flow.open_rest(slots));
    }

    /// Closes the section: joins its value, and writes the joined values of its rests to the variables.
    #[track_caller]
    pub fn close<K: Kind, R: ArmValue<'f, K, By>, By>(
        &self,
        _: &Token<K>,
        value: Option<R>,
        slots: &mut [LocalSlot<'_>],
    ) -> Option<R> {
        let Self { flow, above } = *self;
        if flow.depth() == above {
            return value;
        }
        let value = value.map(flattened).transpose();
        operator(value.and_then(|value| {
            let closed = flow.close_rests(above, value, slots, None)?;
            closed.map(|flat| rebuilt(&flow.arena, flat)).transpose()
        }))
    }
}

/// The result of the function: its final value, or the value of an early `return`.
#[inline]
#[track_caller]
pub fn finish<'f, K: Kind, R: ArmValue<'f, K, By>, By>(
    flow: &'f Flow,
    _: &Token<K>,
    value: Option<R>,
) -> R {
    match value {
        Some(value)
            if flow.regions.borrow().iter().all(|r| r.rest.is_none() && r.exits.is_empty()) =>
        {
            value
        }
        value => operator(result(flow, value)),
    }
}

#[track_caller]
fn result<'f, K: Kind, R: ArmValue<'f, K, By>, By>(flow: &'f Flow, value: Option<R>) -> Result<R> {
    let value = value.map(flattened).transpose()?;
    let value = flow.close_rests(0, value, &mut [], None)?;
    let returned = flow.exits(std::mem::take).into_iter().find(|p| p.target == Target::Return);
    let flat = match (value, returned) {
        (Some(value), None) => value,
        (Some(value), Some(Pending { site, flag: Some(flag), value: Some(early), .. })) => {
            let ways = [
                Way::outside(Some(early), "the early `return`"),
                Way::outside(Some(value), "the end"),
            ];
            join_ways(&site, &flag, ways, &Variables::default())?.value.unwrap_or_default()
        }
        (_, Some(returned)) => returned.value.unwrap_or_default(),
        (None, None) => {
            let none = || Error::internal("the function came to no result");
            return Err(flow.failure.take().unwrap_or_else(none));
        }
    };
    rebuilt(&flow.arena, flat)
}
