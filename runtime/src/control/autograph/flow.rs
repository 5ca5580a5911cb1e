//! What the control flow of one call has come to: which traces of arms, bodies and rests are open, and which
//! exits were taken in them under conditions that only the run decides.

use std::cell::{Cell, RefCell};
use std::panic::Location;

use super::check::{Piece, fails, print, print_later, template};
use super::exits::{Exits, LoopId, Pending, Target};
use super::join::{Variables, Way, join_ways};
use super::kind::{Kind, Token};
use super::slots::Slot;
use super::state::{Arena, ArmValue, Flat, flattened, rebuilt};
use crate::control::arm::OpenArm;
use crate::control::state::Site;
use crate::function::left_open;
use crate::ops::{self, operator};
use crate::tensor::Tensor;
use crate::types::{Error, ErrorKind, Result, err};

/// The control flow of one call of a function or closure.
pub struct Flow {
    /// The traces that are open, the innermost last; the first stands for the function itself.
    regions: RefCell<Vec<Region>>,
    loops: Cell<usize>,
    /// The last error that the run is to raise.
    failure: RefCell<Option<Error>>,
    /// That of a closure, which may be left by an error that somebody handles.
    inner: bool,
    /// What references that conditions decided refer to.
    pub(super) arena: Arena,
}

/// An open trace.
#[derive(Default)]
struct Region {
    exits: Exits,
    /// If it is what follows a statement that may have left, it ends with the trace around it.
    rest: Option<Rest>,
}

/// What stands after a statement that may have left: traced under the condition that nobody has.
struct Rest {
    site: Site,
    stays: Tensor,
    open: OpenArm,
    variables: Variables,
    /// Those who left before.
    exits: Exits,
    watch: Watch,
}

/// A construct whose trace may be open: left so without an error, the body means something else.
pub(super) struct Watch {
    site: Site,
    /// The part of it that is.
    open: Cell<Option<&'static str>>,
}

impl Watch {
    pub(super) fn new(site: Site) -> Self {
        Self { site, open: Cell::new(None) }
    }

    /// The trace of this part is open, or that of all parts closed.
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

    /// How many traces are open.
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

    /// Runs on the exits of the innermost trace.
    pub(super) fn exits<R>(&self, f: impl FnOnce(&mut Exits) -> R) -> R {
        self.innermost(|region| f(&mut region.exits))
    }

    /// A trace was opened.
    pub(super) fn enter(&self) {
        self.innermost(|_| ());
        self.regions.borrow_mut().push(Region::default());
    }

    /// The innermost trace is about to be closed: its exits.
    pub(super) fn leave(&self) -> Exits {
        let mut regions = self.regions.borrow_mut();
        if regions.len() > 1 { regions.pop().unwrap_or_default().exits } else { Exits::new() }
    }

    /// True if a `return` can't be one of Rust's, because a trace goes on.
    #[inline]
    pub fn leaving(&self) -> bool {
        self.depth() > 0
    }

    /// After a statement that may have left, before what writes these variables.
    #[track_caller]
    pub fn rest(&self, slots: &mut [Slot<'_>]) {
        Section { flow: self, above: 0 }.rest(slots);
    }

    /// Code at whose end the rests that are opened in it are closed.
    #[must_use]
    pub fn section(&self) -> Section<'_> {
        Section { flow: self, above: self.depth() }
    }

    /// Opens the trace of what comes next if somebody may have left; true if it did.
    pub(super) fn open_rest(&self, slots: &mut [Slot<'_>]) -> Result<bool> {
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

    /// Closes the rests that are open in the innermost other trace, and gives what their value is together with
    /// those who left. Exits to `done` end here.
    #[track_caller]
    pub(super) fn close_rests(
        &self,
        above: usize,
        mut value: Option<Flat>,
        slots: &mut [Slot<'_>],
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
            // Where this was left by one way only, that was taken for certain.
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

    /// Exits to this place that the open rests above a depth stand beside.
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

    /// Notes a `return` of an error: it is raised if the run comes there.
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

    /// Notes a panic: the run fails if it comes there.
    #[track_caller]
    pub fn note_panic(&self, pieces: &[Piece]) {
        operator(fails(pieces, ErrorKind::InvalidArgument));
        let site = Site::new("panic", Location::caller());
        *self.failure.borrow_mut() = Some(site.locate(err!("{}", template(pieces).0)));
    }

    /// [`print`] under a condition: when it is decided.
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

    /// Whether an exit was taken: `None` if none can have been.
    pub(super) fn left(&self) -> Result<Option<Tensor>> {
        let flags: Vec<Tensor> = self.exits(|exits| {
            exits.iter().map(|p| p.flag.clone().unwrap_or_else(|| Tensor::scalar(true))).collect()
        });
        let mut flags = flags.into_iter();
        let Some(first) = flags.next() else { return Ok(None) };
        flags.try_fold(first, |any, flag| ops::logical_or(&any, &flag)).map(Some)
    }

    /// True if an exit was taken for certain.
    pub(super) fn left_for_certain(&self) -> bool {
        self.exits(|exits| exits.iter().any(|p| p.flag.is_none()))
    }
}

/// The error that a macro returns: `bail!` and its kin.
///
/// # Panics
/// If the macro gives a value.
pub fn raised<T, E>(result: std::result::Result<T, E>) -> E {
    match result {
        Err(e) => e,
        Ok(_) => panic!("a macro that returns an error returned none"),
    }
}

/// Code that closes the rests that it opens: a closure, or code at whose end references are alive that they write through.
pub struct Section<'f> {
    flow: &'f Flow,
    /// How many traces are open around it.
    above: usize,
}

impl<'f> Section<'f> {
    /// [`Flow::rest`] in it.
    #[track_caller]
    pub fn rest(&self, slots: &mut [Slot<'_>]) {
        let mut regions = self.flow.regions.borrow_mut();
        // Rests that a block within has opened go on.
        let within = regions.iter_mut().skip(self.above + 1).rev();
        for rest in within.map_while(|region| region.rest.as_mut()) {
            rest.variables.add(slots);
        }
        drop(regions);
        operator(self.flow.open_rest(slots));
    }

    /// What it came to, and variables around it what its rests made of them.
    #[track_caller]
    pub fn close<K: Kind, R: ArmValue<'f, K, By>, By>(
        &self,
        _: &Token<K>,
        value: Option<R>,
        slots: &mut [Slot<'_>],
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

/// The result of the function: what it came to, or what one of the exits returned.
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
