//! What a function's control flow has come to: which traces of arms and bodies are open, and which
//! exits were taken in them under conditions that only the run decides.

use std::cell::{Cell, RefCell};
use std::panic::Location;

use super::branch::{Joined, Way, join_ways};
use super::check::{Piece, fails, print, print_later, template};
use super::kind::{Kind, Token};
use super::state::{ArmValue, Flat, flattened, rebuilt};
use crate::control::state::Site;
use crate::function::left_open;
use crate::ops::{self, operator};
use crate::tensor::Tensor;
use crate::types::{Error, ErrorKind, Result, err};

/// Where an exit leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Return,
    Break(usize),
    Continue(usize),
}

impl Target {
    pub(super) fn word(self) -> &'static str {
        match self {
            Target::Return => "return",
            Target::Break(_) => "break",
            Target::Continue(_) => "continue",
        }
    }
}

/// An exit that may have been taken.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) target: Target,
    /// The statement that left.
    pub(super) site: Site,
    /// Whether it was; `None` if it was for certain.
    pub(super) flag: Option<Tensor>,
    pub(super) value: Option<Flat>,
}

/// The exits of an open trace, or of the function itself.
pub(super) type Exits = Vec<Pending>;

/// The control flow of one call of a function or closure.
#[derive(Debug)]
pub struct Flow {
    regions: RefCell<Vec<Exits>>,
    loops: Cell<usize>,
    /// The last error that the run is to raise.
    failure: RefCell<Option<Error>>,
    /// That of a closure, which may be left by an error that somebody handles.
    inner: bool,
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

    pub(super) fn next_loop(&self) -> usize {
        self.loops.set(self.loops.get() + 1);
        self.loops.get()
    }

    /// Runs on the exits of the innermost trace.
    pub(super) fn exits<R>(&self, f: impl FnOnce(&mut Exits) -> R) -> R {
        let mut regions = self.regions.borrow_mut();
        if regions.is_empty() {
            regions.push(Exits::new());
        }
        let last = regions.len() - 1;
        f(&mut regions[last])
    }

    /// A trace was opened.
    pub(super) fn enter(&self) {
        self.exits(|_| ());
        self.regions.borrow_mut().push(Exits::new());
    }

    /// The innermost trace is about to be closed: its exits.
    pub(super) fn leave(&self) -> Exits {
        let mut regions = self.regions.borrow_mut();
        if regions.len() > 1 { regions.pop().unwrap_or_default() } else { Exits::new() }
    }

    /// True if a `return` can't be one of Rust's, because a trace goes on.
    #[inline]
    pub fn leaving(&self) -> bool {
        self.depth() > 0
    }

    /// Notes a `return`.
    #[track_caller]
    pub fn note_return<K: Kind, V: ArmValue<K>>(&self, _: &Token<K>, value: V) {
        self.note(Target::Return, Location::caller(), operator(flattened(value)));
    }

    /// Notes a `return` of an error: it is raised if the run comes there.
    #[track_caller]
    pub fn note_failure<K: Kind, V: ArmValue<K>>(&self, _: &Token<K>, value: V) {
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

/// The result of the function: what it came to, or what one of the exits returned.
#[track_caller]
pub fn finish<K: Kind, R: ArmValue<K>>(flow: &Flow, _: &Token<K>, value: Option<R>) -> R {
    let exits = flow.exits(std::mem::take);
    let returned = exits.into_iter().find(|p| p.target == Target::Return);
    match (value, returned) {
        (Some(value), None) => value,
        (None, Some(returned)) => operator(rebuilt(returned.value.unwrap_or_default())),
        (Some(value), Some(returned)) => {
            let site = returned.site;
            operator(either(&site, value, returned))
        }
        (None, None) => {
            let failure = flow.failure.take();
            operator(Err(
                failure.unwrap_or_else(|| Error::internal("the function came to no result"))
            ))
        }
    }
}

fn either<K: Kind, R: ArmValue<K>>(site: &Site, value: R, returned: Pending) -> Result<R> {
    let Pending { flag: Some(flag), value: Some(early), .. } = returned else {
        return rebuilt(returned.value.unwrap_or_default());
    };
    let ways = [
        Way::outside(Some(early), "the early `return`"),
        Way::outside(Some(flattened(value)?), "the end"),
    ];
    let Joined { value, .. } = join_ways(site, &flag, ways, &[], &[])?;
    rebuilt(value.unwrap_or_default())
}
