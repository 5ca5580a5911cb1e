//! The variables that branches and loops assign: their places, and where they are read afterwards.

use std::marker::PhantomData;

use super::exits::{Exits, LoopId, Pending, Target};
use super::kind::{Kind, Plain, Token};
use super::state::{Erased, Flat, FlatParts, FlatValue, State};
use crate::tensor::Tensor;
use crate::types::Result;

/// A variable that a driver reads and writes.
pub struct LocalSlot<'a> {
    pub(super) name: &'static str,
    pub(super) life: Life,
    places: Vec<&'a mut (dyn Erased + 'static)>,
}

/// Where a variable is read after a construct.
#[derive(Clone, Debug, Default)]
pub(super) struct Life {
    /// Only in the other arm.
    dead: bool,
    /// Also after a `return`.
    kept: bool,
    /// Not after these loops.
    until: Vec<LoopId>,
}

impl Life {
    /// True if the variable is read after a path that reaches its end (`ends`) or takes one of `exits`.
    pub(super) fn seen(&self, ends: bool, exits: &Exits) -> bool {
        let after = |exit: &Pending| match exit.target {
            Target::Return => self.kept,
            Target::Break(id) => !self.until.contains(&id),
            Target::Continue(_) => true,
        };
        !self.dead && (ends || exits.iter().any(after))
    }
}

/// The slot of a variable that code under a condition of this kind assigns.
#[inline]
pub fn slot<'a, K: Kind, T: State<K> + ?Sized>(
    _: &Token<K>,
    name: &'static str,
    place: &'a mut T,
) -> LocalSlot<'a> {
    LocalSlot { name, life: Life::default(), places: place.places() }
}

/// A callable that may be called under a condition of kind `K`, although it may write its captures.
#[diagnostic::on_unimplemented(
    message = "a condition on tensors can't call what may write variables",
    label = "called under the condition: what it writes would be written whatever the condition says",
    note = "let it return the new value, and assign that under the condition: `y = next(&y);`",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement"
)]
pub trait Called<K> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Called<Plain> for T {}

/// The slot of a variable that is called under a condition of this kind.
#[inline]
pub fn called<'a, K: Kind, T: Called<K> + ?Sized>(
    _: &Token<K>,
    name: &'static str,
    _: &'a mut T,
) -> LocalSlot<'a> {
    LocalSlot::none(name)
}

impl LocalSlot<'_> {
    /// The variable is read only in the other arm.
    #[must_use]
    pub fn dead(mut self) -> Self {
        self.life.dead = true;
        self
    }

    /// The variable is read after a `return` too.
    #[must_use]
    pub fn kept(mut self) -> Self {
        self.life.kept = true;
        self
    }

    /// The variable is not read after this loop.
    #[must_use]
    pub fn until(mut self, repeat: LoopId) -> Self {
        self.life.until.push(repeat);
        self
    }
}

impl<'a> LocalSlot<'a> {
    fn none(name: &'static str) -> Self {
        Self { name, life: Life::default(), places: Vec::new() }
    }

    pub(super) fn of(name: &'static str, place: &'a mut Tensor) -> Self {
        Self { name, life: Life::default(), places: vec![place] }
    }

    pub(super) fn again(&mut self) -> LocalSlot<'_> {
        let places = self.places.iter_mut().map(|place| &mut **place).collect();
        LocalSlot { name: self.name, life: self.life.clone(), places }
    }

    pub(super) fn read(&self) -> Flat {
        let mut out = FlatValue::default();
        self.places.iter().for_each(|place| place.read(&mut out));
        out.0
    }

    pub(super) fn write(&mut self, value: Flat) -> Result<()> {
        let mut parts = FlatParts::from(value);
        self.places.iter_mut().try_for_each(|place| place.write(&mut parts))
    }
}

/// A place, or the target of a reference.
pub struct At<'a, T: ?Sized>(&'a mut T);

/// A value that can't be written itself, but may hold references to places that can.
pub struct Holder<'a, T: ?Sized>(PhantomData<&'a T>);

/// No place.
pub struct Nowhere;

/// Where code may write through a variable.
pub trait Assignee<'a> {
    /// The type of the value written there.
    type Target: ?Sized;
    #[doc(hidden)]
    fn target(self) -> Option<&'a mut Self::Target>;
}

impl<'a, T: ?Sized> Assignee<'a> for At<'a, T> {
    type Target = T;

    fn target(self) -> Option<&'a mut T> {
        Some(self.0)
    }
}

/// The targets of held references can't be accessed, so a condition on tensors refuses their holder.
impl<'a, T: ?Sized> Assignee<'a> for Holder<'a, T> {
    type Target = T;

    fn target(self) -> Option<&'a mut T> {
        None
    }
}

impl<'a> Assignee<'a> for Nowhere {
    type Target = ();

    fn target(self) -> Option<&'a mut ()> {
        None
    }
}

/// The slot of a place that code under a condition of this kind may write through a variable.
#[inline]
pub fn through<'a, K: Kind, P: Assignee<'a>>(
    _: &Token<K>,
    name: &'static str,
    place: P,
) -> LocalSlot<'a>
where
    P::Target: State<K> + 'a,
{
    let places = place.target().map(State::<K>::places).unwrap_or_default();
    LocalSlot { name, life: Life::default(), places }
}

/// Places that can be written.
pub trait Reached {
    /// The place, or the target of a reference.
    fn __reached(&mut self) -> At<'_, Self> {
        At(self)
    }

    /// The target of a reference.
    fn __reached_or_held(&mut self) -> At<'_, Self> {
        At(self)
    }

    /// The target of a mutable reference.
    fn __pointed(&mut self) -> At<'_, Self> {
        At(self)
    }
}

impl<T: ?Sized> Reached for T {}

/// [`Reached`] for values that are not mutable references.
pub trait NotReached {
    /// A holder of references.
    fn __reached_or_held(&self) -> Holder<'_, Self> {
        Holder(PhantomData)
    }

    /// No place.
    fn __pointed(&self) -> Nowhere {
        Nowhere
    }
}

impl<T: ?Sized> NotReached for T {}

pub(super) fn read_all(slots: &[LocalSlot<'_>]) -> Vec<Flat> {
    slots.iter().map(LocalSlot::read).collect()
}

pub(super) fn write_all(
    slots: &mut [LocalSlot<'_>],
    values: impl IntoIterator<Item = Flat>,
) -> Result<()> {
    slots.iter_mut().zip(values).try_for_each(|(slot, value)| slot.write(value))
}
