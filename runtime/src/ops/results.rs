//! The results of a typed call of an op.

use crate::op::{Attrs, OpDef};
use crate::tensor::{Tensor, Tensors, execute, execute_one};
use crate::types::{Result, err};

/// The results of an op: none, a tensor, a pair, a triple, a list.
pub trait Results: Sized {
    /// Calls an op that has these results.
    ///
    /// # Errors
    /// What the op refuses.
    ///
    /// ```
    /// use extype::op::{Attrs, find_op};
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
    fn of_call(def: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Self>;

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

    fn into_tensors(self) -> Tensors {
        Tensors::from_buf([self])
    }
}

impl Results for () {
    #[track_caller]
    fn of_call(def: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Self> {
        execute(def, attrs, inputs).map(|_| ())
    }

    fn into_tensors(self) -> Tensors {
        Tensors::new()
    }
}

impl Results for Vec<Tensor> {
    #[track_caller]
    fn of_call(def: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Self> {
        Ok(execute(def, attrs, inputs)?.into_vec())
    }

    fn into_tensors(self) -> Tensors {
        self.into()
    }
}

macro_rules! tuple_results {
    ($($tensor:ident $name:ident),*) => {
        impl Results for ($($tensor,)*) {
            #[track_caller]
            fn of_call(def: &'static OpDef, attrs: Attrs, inputs: &[&Tensor]) -> Result<Self> {
                let mut results = execute(def, attrs, inputs)?.into_iter();
                match ($({ let $name = results.next(); $name },)*) {
                    ($(Some($name),)*) => Ok(($($name,)*)),
                    _ => Err(err!(Internal, "{} has not that many results", def.name)),
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
