//! Items of a `for` loop: a range with a tensor end, what an [`Iterate`] goes over, or a Rust iterator.

use std::cell::Cell;

use super::condition::TensorRange;
use super::kind::{OfKind, OnTensors, Plain};
use super::repeat::Repeat;
use super::slots::LocalSlot;
use crate::control::Iterate;
use crate::control::arm::{condition, here};
use crate::ops::methods::*;
use crate::ops::{self, operator};
use crate::tensor::{Tensor, is_tracing};
use crate::types::Result;

/// The expression after `in`.
pub struct Over<T>(Cell<Option<T>>);

impl<T> Over<T> {
    /// Wraps it.
    #[inline]
    pub fn new(value: T) -> Self {
        Self(Cell::new(Some(value)))
    }

    fn take(&self) -> T {
        self.0.take().unwrap_or_else(|| unreachable!("items are made once"))
    }
}

/// Items of a Rust iterator.
#[derive(Debug)]
pub struct PlainItems<I>(I);

/// The kind of a loop over a Rust iterator.
impl<I> OfKind for PlainItems<I> {
    type Kind = Plain;
}

impl<I: Iterator> PlainItems<I> {
    /// Does nothing: it is a Rust loop.
    #[inline]
    pub fn turn(&mut self, _: &Repeat<'_>, _: &mut [LocalSlot<'_>]) {}

    /// The next item.
    #[expect(clippy::should_implement_trait, reason = "it stands for a method of items on tensors")]
    #[inline]
    pub fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }
}

/// Items of a loop on tensors.
pub struct TensorItems<S> {
    index: Tensor,
    end: Tensor,
    inclusive: bool,
    source: S,
    /// In a trace: there is an item. Eagerly: there may be another one.
    ready: bool,
    begun: bool,
}

impl<S> OfKind for TensorItems<S> {
    type Kind = OnTensors;
}

/// The numbers of a range.
pub struct Numbers;

/// Where items come from.
pub trait Source {
    #[doc(hidden)]
    type Item;
    #[doc(hidden)]
    fn item(&self, index: Tensor) -> Result<Self::Item>;
}

impl Source for Numbers {
    type Item = Tensor;

    fn item(&self, index: Tensor) -> Result<Tensor> {
        Ok(index)
    }
}

impl<T: Iterate> Source for T {
    type Item = T::Item;

    #[track_caller]
    fn item(&self, index: Tensor) -> Result<T::Item> {
        self.at(&index)
    }
}

/// Items of tensors: numbers of a range, or the items of a reference to an [`Iterate`].
pub trait OverTensor {
    #[doc(hidden)]
    type Source;
    #[doc(hidden)]
    fn items(&self) -> TensorItems<Self::Source>;
}

impl OverTensor for &&&Over<TensorRange> {
    type Source = Numbers;

    fn items(&self) -> TensorItems<Numbers> {
        let TensorRange { start, end, inclusive } = self.take();
        TensorItems { index: start, end, inclusive, source: Numbers, ready: true, begun: false }
    }
}

impl<T: Iterate + Clone> OverTensor for &&&Over<&T> {
    type Source = T;

    #[track_caller]
    fn items(&self) -> TensorItems<T> {
        all_of(self.take().clone())
    }
}

/// Items of an [`Iterate`].
pub trait OverValue {
    #[doc(hidden)]
    type Source;
    #[doc(hidden)]
    fn items(&self) -> TensorItems<Self::Source>;
}

impl<T: Iterate> OverValue for &&Over<T> {
    type Source = T;

    #[track_caller]
    fn items(&self) -> TensorItems<T> {
        all_of(self.take())
    }
}

#[track_caller]
fn all_of<T: Iterate>(source: T) -> TensorItems<T> {
    let site = here("for");
    let end = operator(source.count().map_err(|e| site.locate(e.prefixed(&site))));
    let index = operator(Tensor::scalar(0i64).cast(end.dtype()));
    TensorItems { index, end, inclusive: false, source, ready: true, begun: false }
}

/// Items of a Rust iterator.
pub trait OverPlain {
    #[doc(hidden)]
    type Items;
    #[doc(hidden)]
    fn items(&self) -> Self::Items;
}

impl<T: IntoIterator> OverPlain for &Over<T> {
    type Items = PlainItems<T::IntoIter>;

    #[inline]
    fn items(&self) -> Self::Items {
        PlainItems(self.take().into_iter())
    }
}

/// Any other type: not iterable, a compile error.
pub trait OverNothing<T> {
    #[doc(hidden)]
    #[rustfmt::skip]
    fn items(&self) -> T::Items where T: Iterable;
}

impl<T> OverNothing<T> for Over<T> {
    fn items(&self) -> T::Items
    where
        T: Iterable,
    {
        self.take().items()
    }
}

/// An iterable type, for the error message; nothing implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an iterator",
    label = "a `for` can't go over this",
    note = "for a number of iterations write a range: `for i in 0..n`",
    note = "a type of tensors says what its loops go over with `extype::control::Iterate`"
)]
pub trait Iterable {
    #[doc(hidden)]
    type Items;
    #[doc(hidden)]
    fn items(self) -> Self::Items;
}

impl<S: Source> TensorItems<S> {
    /// Called before an item; in a trace it does what [`Repeat::turn`] does.
    #[track_caller]
    pub fn turn(&mut self, repeat: &Repeat<'_>, slots: &mut [LocalSlot<'_>]) {
        if is_tracing() {
            operator(self.traced(repeat, slots));
        }
    }

    #[track_caller]
    fn traced(&mut self, repeat: &Repeat<'_>, slots: &mut [LocalSlot<'_>]) -> Result<()> {
        let goes_on = match (self.begun, self.inclusive) {
            (false, true) => ops::less_equal(&self.index, &self.end)?,
            (true, true) => ops::less(&self.index, &self.end)?,
            (begun, false) => {
                if begun {
                    self.index = ops::add(&self.index, 1)?;
                }
                ops::less(&self.index, &self.end)?
            }
        };
        if self.begun && self.inclusive {
            self.index = ops::add(&self.index, 1)?;
        }
        self.begun = true;
        repeat.set_test(condition(&here("for"), &goes_on)?);
        let mut all = Vec::with_capacity(slots.len() + 1);
        all.push(LocalSlot::of("the loop's counter", &mut self.index));
        all.extend(slots.iter_mut().map(LocalSlot::again));
        self.ready = repeat.turn(&mut all);
        Ok(())
    }

    /// The next item.
    #[expect(clippy::should_implement_trait, reason = "it stands beside a method of Rust's items")]
    #[track_caller]
    pub fn next(&mut self) -> Option<S::Item> {
        operator(self.item())
    }

    #[track_caller]
    fn item(&mut self) -> Result<Option<S::Item>> {
        if !self.ready {
            return Ok(None);
        }
        let index = self.index.clone();
        if !is_tracing() {
            let goes_on = match self.inclusive {
                true => ops::less_equal(&index, &self.end)?,
                false => ops::less(&index, &self.end)?,
            };
            if !crate::ir::decision(goes_on.data()?)? {
                self.ready = false;
                return Ok(None);
            }
            // After the last item, stop before adding 1, which could overflow the dtype.
            self.ready = !crate::ir::decision(ops::equal(&index, &self.end)?.data()?)?;
            if self.ready {
                self.index = ops::add(&index, 1)?;
            }
        }
        self.source.item(index).map(Some)
    }
}
