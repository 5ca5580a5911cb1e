//! Values that pass through branches and loops: assigned variables, results of arms.

use std::any::Any;
use std::cell::OnceCell;

use super::kind::{Kind, OnTensors, Plain};
use crate::spec::{AnySpec, LeafIter, Structure, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Error, Result};

/// A structure as specs and leaves, without its Rust type.
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

/// A [`Flat`] whose parts are taken one by one.
pub struct FlatParts {
    specs: std::vec::IntoIter<AnySpec>,
    leaves: LeafIter,
}

impl From<Flat> for FlatParts {
    fn from(flat: Flat) -> Self {
        Self { specs: flat.specs.into_iter(), leaves: LeafIter::new(flat.leaves) }
    }
}

/// Values behind references, kept while a function runs.
#[derive(Default)]
pub struct Arena(OnceCell<Box<Held>>);

struct Held {
    value: Box<dyn Any>,
    next: Arena,
}

impl Arena {
    fn hold<T: 'static>(&self, value: T) -> Result<&T> {
        let mut end = self;
        while let Some(held) = end.0.get() {
            end = &held.next;
        }
        let held =
            end.0.get_or_init(|| Box::new(Held { value: Box::new(value), next: Self::default() }));
        held.value.downcast_ref().ok_or_else(|| Error::internal("a value of another type is held"))
    }
}

impl FlatParts {
    pub(super) fn take<S: Structure>(&mut self) -> Result<S> {
        let spec =
            self.specs.next().ok_or_else(|| Error::internal("a part of a value is missing"))?;
        S::from_leaves(&S::Spec::from_any(&spec)?, &mut self.leaves)
    }
}

/// For values that are structures themselves.
pub enum Value {}

/// For references to structures.
pub enum Reference {}

/// A result of an arm, of a `return` or a `break`.
#[diagnostic::on_unimplemented(
    message = "a condition on tensors can't give a `{Self}`",
    label = "not made of tensors, extension types and plain data",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement",
    note = "for a type of your own derive `ExtensionType`, or `StaticData` if it holds no tensors; of a module take its variables: `&model.variables()`"
)]
pub trait ArmValue<'f, K, By = Value>: Sized {
    /// Adds its specs and leaves to `out`.
    ///
    /// # Errors
    /// The error itself, for a `Result` that is an error.
    #[doc(hidden)]
    fn take_apart(self, out: &mut FlatValue) -> Result<()>;
    /// Makes a value from the next parts.
    ///
    /// # Errors
    /// `Internal` if parts are missing.
    #[doc(hidden)]
    fn rebuild(parts: &mut FlatParts, arena: &'f Arena) -> Result<Self>;
}

/// The output of [`ArmValue::take_apart`].
#[derive(Debug, Default)]
pub struct FlatValue(pub(super) Flat);

#[cold]
fn plain_value() -> Error {
    Error::internal("a plain value went through a condition on tensors")
}

#[diagnostic::do_not_recommend]
impl<'f, T> ArmValue<'f, Plain> for T {
    fn take_apart(self, _: &mut FlatValue) -> Result<()> {
        Err(plain_value())
    }

    fn rebuild(_: &mut FlatParts, _: &'f Arena) -> Result<Self> {
        Err(plain_value())
    }
}

#[diagnostic::do_not_recommend]
impl<'f, S: Structure> ArmValue<'f, OnTensors> for S {
    fn take_apart(self, out: &mut FlatValue) -> Result<()> {
        out.0.add(self);
        Ok(())
    }

    fn rebuild(parts: &mut FlatParts, _: &'f Arena) -> Result<Self> {
        parts.take()
    }
}

/// If a condition picks a reference, the result is a reference to the picked value.
#[diagnostic::do_not_recommend]
impl<'f, S: Structure> ArmValue<'f, OnTensors, Reference> for &'f S {
    fn take_apart(self, out: &mut FlatValue) -> Result<()> {
        Erased::read(self, out);
        Ok(())
    }

    fn rebuild(parts: &mut FlatParts, arena: &'f Arena) -> Result<Self> {
        arena.hold(parts.take::<S>()?)
    }
}

impl<'f, T: ArmValue<'f, OnTensors, By>, By> ArmValue<'f, OnTensors, By> for Result<T> {
    fn take_apart(self, out: &mut FlatValue) -> Result<()> {
        self?.take_apart(out)
    }

    fn rebuild(parts: &mut FlatParts, arena: &'f Arena) -> Result<Self> {
        T::rebuild(parts, arena).map(Ok)
    }
}

/// The value of an arm, and the first values that it gave to variables.
#[derive(Debug)]
pub struct ArmResults<V, L>(pub V, pub L);

impl<'f, V, L, By> ArmValue<'f, OnTensors, By> for ArmResults<V, L>
where
    V: ArmValue<'f, OnTensors, By>,
    L: ArmValue<'f, OnTensors>,
{
    fn take_apart(self, out: &mut FlatValue) -> Result<()> {
        self.0.take_apart(out)?;
        self.1.take_apart(out)
    }

    fn rebuild(parts: &mut FlatParts, arena: &'f Arena) -> Result<Self> {
        Ok(ArmResults(V::rebuild(parts, arena)?, L::rebuild(parts, arena)?))
    }
}

pub(super) fn flattened<'f, K: Kind, V: ArmValue<'f, K, By>, By>(value: V) -> Result<Flat> {
    let mut out = FlatValue::default();
    value.take_apart(&mut out)?;
    Ok(out.0)
}

pub(super) fn rebuilt<'f, K: Kind, V: ArmValue<'f, K, By>, By>(
    arena: &'f Arena,
    flat: Flat,
) -> Result<V> {
    V::rebuild(&mut FlatParts::from(flat), arena)
}

/// A variable that code under a condition assigns.
#[diagnostic::on_unimplemented(
    message = "a condition on tensors can't change a `{Self}`",
    label = "written under the condition, but not made of tensors, extension types and plain data",
    note = "if the condition is plain, compute a `bool` first, or put `#[plain]` on the statement",
    note = "for a type of your own derive `ExtensionType`, or `StaticData` if it holds no tensors; of a module take its variables: `&model.variables()`"
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

/// A slice of structures.
#[diagnostic::do_not_recommend]
impl<S: Structure> State<OnTensors> for [S] {
    fn places(&mut self) -> Vec<&mut (dyn Erased + 'static)> {
        self.iter_mut().map(|part| part as &mut (dyn Erased + 'static)).collect()
    }
}

/// A type-erased structure.
pub trait Erased {
    #[doc(hidden)]
    fn read(&self, out: &mut FlatValue);
    #[doc(hidden)]
    fn write(&mut self, parts: &mut FlatParts) -> Result<()>;
}

impl<S: Structure> Erased for S {
    fn read(&self, out: &mut FlatValue) {
        let mut leaves = crate::spec::Leaves::new();
        self.leaves(&mut leaves);
        out.0.specs.push(self.type_spec().to_any().without_names());
        out.0.leaves.extend(leaves.into_iter().cloned());
    }

    fn write(&mut self, parts: &mut FlatParts) -> Result<()> {
        *self = parts.take()?;
        Ok(())
    }
}
