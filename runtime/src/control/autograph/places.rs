//! Assignments to parts: `x[(1..3, ..)] = y` of a tensor, and of whatever else is indexed.
//!
//! The macro does not know types. So `x[i] = y` becomes `let mut place = x.__place(); place[i] = fit(y);
//! place.close()`. The method of a tensor opens a place that takes the value; for all else it is the identity.

use std::ops::{Index, IndexMut};

use crate::ops::methods::*;
use crate::ops::{self, IndexList, operator};
use crate::tensor::{Tensor, TensorLike};

/// A part of a tensor that is assigned. Indexing it says which, and gives a tensor for the new value.
#[derive(Debug)]
pub struct TensorPlace<'a> {
    tensor: &'a mut Tensor,
    at: Option<Vec<ops::Index>>,
    value: Tensor,
    /// True for `+=` and the like, which begin with the part as it is.
    reads: bool,
}

impl Tensor {
    /// The place that `x[…] = y` assigns.
    #[doc(hidden)]
    pub fn __place(&mut self) -> TensorPlace<'_> {
        TensorPlace { tensor: self, at: None, value: Tensor::scalar(false), reads: false }
    }

    /// The place that `x[…] += y` changes.
    #[doc(hidden)]
    pub fn __changed_place(&mut self) -> TensorPlace<'_> {
        TensorPlace { reads: true, ..self.__place() }
    }
}

impl<I: IndexList> Index<I> for TensorPlace<'_> {
    type Output = Tensor;

    fn index(&self, _: I) -> &Tensor {
        &self.value
    }
}

impl<I: IndexList> IndexMut<I> for TensorPlace<'_> {
    #[track_caller]
    fn index_mut(&mut self, at: I) -> &mut Tensor {
        let at = at.entries();
        if self.reads {
            self.value = operator(self.tensor.index(&at[..]));
        }
        self.at = Some(at);
        &mut self.value
    }
}

/// The places of what is no tensor: themselves.
pub trait OtherPlaces {
    /// The place that `x[…] = y` assigns.
    fn __place(&mut self) -> &mut Self {
        self
    }

    /// The place that `x[…] += y` changes.
    fn __changed_place(&mut self) -> &mut Self {
        self
    }
}

impl<X: ?Sized> OtherPlaces for X {}

/// What ends an assignment.
pub trait Close {
    /// Ends it.
    fn close(self);
}

impl Close for TensorPlace<'_> {
    #[track_caller]
    fn close(self) {
        if let Some(at) = self.at {
            operator(self.tensor.set(at, &self.value));
        }
    }
}

impl<X: ?Sized> Close for &mut X {
    fn close(self) {}
}

/// What can be assigned to a place of type `T`: its values, and numbers to parts of tensors.
pub trait Fit<T> {
    /// The value.
    fn fit(self) -> T;
}

impl<T> Fit<T> for T {
    fn fit(self) -> T {
        self
    }
}

macro_rules! numbers {
    ($($t:ty),*) => {
        $(impl Fit<Tensor> for $t {
            #[track_caller]
            fn fit(self) -> Tensor {
                operator(self.lend().map(|number| (*number).clone()))
            }
        })*
    };
}
numbers!(f32, f64, i32, i64, u8, bool);

/// The value for a place.
#[track_caller]
pub fn fit<T>(value: impl Fit<T>) -> T {
    value.fit()
}
