//! What goes through branches and loops: variables that are written, results of arms.

use super::kind::{Kind, OnTensors, Plain, Token};
use crate::spec::{AnySpec, LeafIter, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Error, Result};

/// A structure taken apart: of its types only the specs are left.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat {
    pub(super) specs: Vec<AnySpec>,
    pub(super) leaves: Vec<Tensor>,
}

impl Flat {
    fn add<S: Structure>(&mut self, value: S) {
        self.specs.push(value.type_spec().to_any().without_names());
        value.into_leaves(&mut self.leaves);
    }
}

/// The rest of a [`Flat`], taken part by part.
pub struct Parts {
    specs: std::vec::IntoIter<AnySpec>,
    leaves: LeafIter,
}

impl From<Flat> for Parts {
    fn from(flat: Flat) -> Self {
        Self { specs: flat.specs.into_iter(), leaves: LeafIter::new(flat.leaves) }
    }
}

impl Parts {
    fn take<S: Structure>(&mut self) -> Result<S> {
        let spec =
            self.specs.next().ok_or_else(|| Error::internal("a part of a value is missing"))?;
        S::from_leaves(&S::Spec::from_any(&spec)?, &mut self.leaves)
    }
}

/// A result of an arm, of a `return` or a `break`.
#[diagnostic::on_unimplemented(
    message = "a condition on tensors can't give a `{Self}`",
    label = "not made of tensors, extension types and plain data",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement",
    note = "for a type of your own derive `ExtensionType`, or `StaticData` if it holds no tensors"
)]
pub trait ArmValue<K>: Sized {
    /// Takes it apart.
    ///
    /// # Errors
    /// The error that it is, if it is one.
    #[doc(hidden)]
    fn take_apart(self, out: &mut FlatValue) -> Result<()>;
    /// Puts it together.
    ///
    /// # Errors
    /// `Internal` if parts are missing.
    #[doc(hidden)]
    fn rebuild(parts: &mut Parts) -> Result<Self>;
}

/// What [`ArmValue::take_apart`] writes to.
#[derive(Debug, Default)]
pub struct FlatValue(pub(super) Flat);

#[cold]
fn plain_value() -> Error {
    Error::internal("a plain value went through a condition on tensors")
}

#[diagnostic::do_not_recommend]
impl<T> ArmValue<Plain> for T {
    fn take_apart(self, _: &mut FlatValue) -> Result<()> {
        Err(plain_value())
    }

    fn rebuild(_: &mut Parts) -> Result<Self> {
        Err(plain_value())
    }
}

#[diagnostic::do_not_recommend]
impl<S: Structure> ArmValue<OnTensors> for S {
    fn take_apart(self, out: &mut FlatValue) -> Result<()> {
        out.0.add(self);
        Ok(())
    }

    fn rebuild(parts: &mut Parts) -> Result<Self> {
        parts.take()
    }
}

impl<T: ArmValue<OnTensors>> ArmValue<OnTensors> for Result<T> {
    fn take_apart(self, out: &mut FlatValue) -> Result<()> {
        self?.take_apart(out)
    }

    fn rebuild(parts: &mut Parts) -> Result<Self> {
        T::rebuild(parts).map(Ok)
    }
}

/// The value of an arm, and what it gave to variables that had no value.
#[derive(Debug)]
pub struct Arm<V, L>(pub V, pub L);

impl<V: ArmValue<OnTensors>, L: ArmValue<OnTensors>> ArmValue<OnTensors> for Arm<V, L> {
    fn take_apart(self, out: &mut FlatValue) -> Result<()> {
        self.0.take_apart(out)?;
        self.1.take_apart(out)
    }

    fn rebuild(parts: &mut Parts) -> Result<Self> {
        Ok(Arm(V::rebuild(parts)?, L::rebuild(parts)?))
    }
}

pub(super) fn flattened<K: Kind, V: ArmValue<K>>(value: V) -> Result<Flat> {
    let mut out = FlatValue::default();
    value.take_apart(&mut out)?;
    Ok(out.0)
}

pub(super) fn rebuilt<K: Kind, V: ArmValue<K>>(flat: Flat) -> Result<V> {
    V::rebuild(&mut Parts::from(flat))
}

/// A variable that code under a condition writes.
#[diagnostic::on_unimplemented(
    message = "a condition on tensors can't change a `{Self}`",
    label = "written under the condition, but not made of tensors, extension types and plain data",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement",
    note = "for a type of your own derive `ExtensionType`, or `StaticData` if it holds no tensors"
)]
pub trait State<K> {
    #[doc(hidden)]
    fn places(&mut self) -> Vec<&mut (dyn Erased + 'static)>;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> State<Plain> for T {
    fn places(&mut self) -> Vec<&mut (dyn Erased + 'static)> {
        Vec::new()
    }
}

#[diagnostic::do_not_recommend]
impl<S: Structure> State<OnTensors> for S {
    fn places(&mut self) -> Vec<&mut (dyn Erased + 'static)> {
        vec![self]
    }
}

/// Part of a list.
#[diagnostic::do_not_recommend]
impl<S: Structure> State<OnTensors> for [S] {
    fn places(&mut self) -> Vec<&mut (dyn Erased + 'static)> {
        self.iter_mut().map(|part| part as &mut (dyn Erased + 'static)).collect()
    }
}

/// A structure whose type is not known any more.
pub trait Erased {
    #[doc(hidden)]
    fn read(&self, out: &mut FlatValue);
    #[doc(hidden)]
    fn write(&mut self, parts: &mut Parts) -> Result<()>;
}

impl<S: Structure> Erased for S {
    fn read(&self, out: &mut FlatValue) {
        let mut leaves = crate::spec::Leaves::new();
        self.leaves(&mut leaves);
        out.0.specs.push(self.type_spec().to_any().without_names());
        out.0.leaves.extend(leaves.into_iter().cloned());
    }

    fn write(&mut self, parts: &mut Parts) -> Result<()> {
        *self = parts.take()?;
        Ok(())
    }
}

/// A variable in the hands of a driver.
pub struct Slot<'a> {
    pub(super) name: &'static str,
    places: Vec<&'a mut (dyn Erased + 'static)>,
}

/// A variable that code under a condition of this kind writes.
#[inline]
pub fn slot<'a, K: Kind, T: State<K> + ?Sized>(
    _: &Token<K>,
    name: &'static str,
    place: &'a mut T,
) -> Slot<'a> {
    Slot { name, places: place.places() }
}

impl<'a> Slot<'a> {
    pub(super) fn of(name: &'static str, place: &'a mut Tensor) -> Self {
        Self { name, places: vec![place] }
    }

    pub(super) fn again(&mut self) -> Slot<'_> {
        let places = self.places.iter_mut().map(|place| &mut **place).collect();
        Slot { name: self.name, places }
    }

    pub(super) fn read(&self) -> Flat {
        let mut out = FlatValue::default();
        self.places.iter().for_each(|place| place.read(&mut out));
        out.0
    }

    pub(super) fn write(&mut self, value: Flat) -> Result<()> {
        let mut parts = Parts::from(value);
        self.places.iter_mut().try_for_each(|place| place.write(&mut parts))
    }
}

/// The slot of what a place refers to, or of the place itself.
pub trait Reached {
    /// The slot, of a place that can be written.
    fn reached<K: Kind>(&mut self, _: &Token<K>, name: &'static str) -> Slot<'_>
    where
        Self: State<K>;
    /// The slot, of what a reference refers to.
    fn reached_or_held<K: Kind>(&mut self, _: &Token<K>, name: &'static str) -> Slot<'_>
    where
        Self: State<K>;
}

impl<T: ?Sized> Reached for T {
    fn reached<K: Kind>(&mut self, kind: &Token<K>, name: &'static str) -> Slot<'_>
    where
        Self: State<K>,
    {
        slot(kind, name, self)
    }

    fn reached_or_held<K: Kind>(&mut self, kind: &Token<K>, name: &'static str) -> Slot<'_>
    where
        Self: State<K>,
    {
        slot(kind, name, self)
    }
}

/// [`Reached`] of what is no reference but holds some: what they refer to can't be reached, so that a
/// condition on tensors refuses the type.
pub trait Held {
    /// Never called on tensors.
    fn reached_or_held<K: Kind>(&self, _: &Token<K>, name: &'static str) -> Slot<'_>
    where
        Self: State<K>;
}

impl<T> Held for T {
    fn reached_or_held<K: Kind>(&self, _: &Token<K>, name: &'static str) -> Slot<'_>
    where
        Self: State<K>,
    {
        Slot { name, places: Vec::new() }
    }
}

pub(super) fn read_all(slots: &[Slot<'_>]) -> Vec<Flat> {
    slots.iter().map(Slot::read).collect()
}

pub(super) fn write_all(
    slots: &mut [Slot<'_>],
    values: impl IntoIterator<Item = Flat>,
) -> Result<()> {
    slots.iter_mut().zip(values).try_for_each(|(slot, value)| slot.write(value))
}

/// A value that an arm gets for its own.
pub struct Own<'a, T: ?Sized, K>(pub &'a T, pub &'a Token<K>);

/// [`Own`] of what is plain: never called.
pub trait OwnPlain {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<T> OwnPlain for &&&Own<'_, T, Plain> {
    type Value = T;

    fn own(&self) -> T {
        unreachable!("plain values are moved")
    }
}

/// [`Own`] of a reference.
pub trait OwnReference {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<'b, T: ?Sized> OwnReference for &&Own<'_, &'b T, OnTensors> {
    type Value = &'b T;

    fn own(&self) -> &'b T {
        self.0
    }
}

/// [`Own`] of a structure: a handle of its own.
pub trait OwnStructure {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value;
}

impl<T: Structure> OwnStructure for &Own<'_, T, OnTensors> {
    type Value = T;

    fn own(&self) -> T {
        let mut out = FlatValue::default();
        Erased::read(self.0, &mut out);
        crate::ops::operator(Parts::from(out.0).take())
    }
}

/// [`Own`] of everything else, which must be copied.
pub trait OwnOther {
    /// The value's type.
    type Value;
    /// The value.
    fn own(&self) -> Self::Value
    where
        Self::Value: Handed;
}

impl<T> OwnOther for Own<'_, T, OnTensors> {
    type Value = T;

    fn own(&self) -> T
    where
        T: Handed,
    {
        *self.0
    }
}

/// What two arms of a condition on tensors can both have.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` can't be moved under a condition on tensors",
    label = "moved here, but the other arm is visited too",
    note = "both arms are traced, so each must have its own: borrow it, or clone it",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement"
)]
pub trait Handed: Copy {}

#[diagnostic::do_not_recommend]
impl<T: Copy> Handed for T {}
