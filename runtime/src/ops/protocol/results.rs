//! The results of a typed call of an op.

use crate::ir::{Attrs, OpDef};
use crate::tensor::{Tensor, Tensors, execute, execute_one};
use crate::types::{Error, Result};

/// The results of an op: none, a tensor, a pair, a triple, a list.
pub trait Results: Sized {
    /// True for a list, false for a tensor or a tuple.
    const IS_LIST: bool = false;

    /// Calls an op that has these results.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::ir::{Attrs, find_op};
    /// use extype::ops::{Results, Unique};
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, -2.0];
    /// let y = Tensor::of_call(find_op("Abs")?, Attrs::new(), &[&x])?;
    /// assert_eq!(y.as_slice::<f32>()?, &[1.0, 2.0]);
    /// let attrs = Attrs::new().with(Unique::OUT_IDX, &i32);
    /// let (distinct, places): (Tensor, Tensor) = Results::of_call(find_op("Unique")?, attrs, &[&tensor![5, 7, 5]])?;
    /// assert_eq!((distinct.as_slice::<i32>()?, places.as_slice::<i32>()?), (&[5, 7][..], &[0, 1, 0][..]));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    fn of_call(def: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Self> {
        Self::from_tensors(execute(def, attrs, inputs)?)
    }

    /// The results from a list: the inverse of [`into_tensors`](Self::into_tensors).
    ///
    /// # Errors
    /// `Internal` for another number of tensors.
    ///
    /// ```
    /// use extype::ops::Results;
    /// use extype::prelude::*;
    /// let pair = <(Tensor, Tensor)>::from_tensors([scalar(1), scalar(2)].into_iter().collect())?;
    /// assert_eq!(pair.1.item::<i32>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    fn from_tensors(tensors: Tensors) -> Result<Self>;

    /// The results as a list.
    ///
    /// ```
    /// use extype::ops::Results;
    /// use extype::prelude::*;
    /// assert_eq!((scalar(1), scalar(2)).into_tensors().len(), 2);
    /// ```
    fn into_tensors(self) -> Tensors;
}

impl Results for Tensor {
    #[track_caller]
    fn of_call(def: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Self> {
        execute_one(def, attrs, inputs)
    }

    fn from_tensors(mut tensors: Tensors) -> Result<Self> {
        match tensors.pop() {
            Some(one) if tensors.is_empty() => Ok(one),
            _ => Err(Error::internal("the op has not one result")),
        }
    }

    fn into_tensors(self) -> Tensors {
        Tensors::from_buf([self])
    }
}

impl Results for () {
    fn from_tensors(_: Tensors) -> Result<Self> {
        Ok(())
    }

    fn into_tensors(self) -> Tensors {
        Tensors::new()
    }
}

impl Results for Vec<Tensor> {
    const IS_LIST: bool = true;

    fn from_tensors(tensors: Tensors) -> Result<Self> {
        Ok(tensors.into_vec())
    }

    fn into_tensors(self) -> Tensors {
        self.into()
    }
}

macro_rules! tuple_results {
    ($($tensor:ident $name:ident),*) => {
        impl Results for ($($tensor,)*) {
            fn from_tensors(tensors: Tensors) -> Result<Self> {
                let mut tensors = tensors.into_iter();
                match ($({ let $name = tensors.next(); $name },)*) {
                    ($(Some($name),)*) => Ok(($($name,)*)),
                    _ => Err(Error::internal("the op has not that many results")),
                }
            }

            fn into_tensors(self) -> Tensors {
                let ($($name,)*) = self;
                [$($name),*].into_iter().collect()
            }
        }
    };
}
tuple_results!(Tensor a, Tensor b);
tuple_results!(Tensor a, Tensor b, Tensor c);
