//! What shape inference sees of a call.

use smallvec::SmallVec;

use super::{Attr, AttrKey, Attrs};
use crate::array::Array;
use crate::types::{Result, Shape, TensorType};

/// A call as shape inference sees it.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct InferContext<'a> {
    /// The types of the inputs.
    pub inputs: &'a [TensorType],
    /// The attributes.
    pub attrs: &'a Attrs,
    /// The value of an input that is known while tracing, by its index.
    pub constant: &'a dyn Fn(usize) -> Option<Array>,
}

impl<'a> InferContext<'a> {
    /// A call with inputs of these types and these attributes, some of whose values are known.
    ///
    /// ```
    /// use extype::ir::{Attrs, InferContext, find_op};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let (types, attrs) = ([TensorType::new(f32, shape![?, 3])], Attrs::new());
    /// let known = |_| None;
    /// let result = find_op("Exp")?.infer(&InferContext::new(&types, &attrs, &known))?;
    /// assert_eq!(result[0].to_string(), "float32[?, 3]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(
        inputs: &'a [TensorType],
        attrs: &'a Attrs,
        constant: &'a dyn Fn(usize) -> Option<Array>,
    ) -> Self {
        Self { inputs, attrs, constant }
    }

    /// The type of input `i`.
    ///
    /// # Panics
    /// If there are fewer inputs; their number is checked before inference runs.
    ///
    /// ```
    /// use extype::ir::{InferContext, Types};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// /// A result of the type of the first input.
    /// fn as_first(c: &InferContext<'_>) -> Result<Types> {
    ///     Ok([c.input(0).clone()].into())
    /// }
    /// let (types, attrs) = ([TensorType::new(f32, shape![2])], extype::ir::Attrs::new());
    /// assert_eq!(as_first(&InferContext::new(&types, &attrs, &|_| None))?[0], types[0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn input(&self, i: usize) -> &TensorType {
        &self.inputs[i]
    }

    /// The shape of input `i`.
    ///
    /// # Panics
    /// As [`input`](Self::input).
    ///
    /// ```
    /// use extype::ir::{InferContext, Types};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// /// Bools of the shape of the first input.
    /// fn bools(c: &InferContext<'_>) -> Result<Types> {
    ///     Ok([TensorType::new(DType::Bool, c.shape(0).clone())].into())
    /// }
    /// let (types, attrs) = ([TensorType::new(f32, shape![2])], extype::ir::Attrs::new());
    /// assert_eq!(bools(&InferContext::new(&types, &attrs, &|_| None))?[0].to_string(), "bool[2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn shape(&self, i: usize) -> &Shape {
        &self.inputs[i].shape
    }

    /// An attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another kind.
    ///
    /// ```
    /// use extype::ir::{Attrs, InferContext, KEEP_DIMS};
    /// use extype::prelude::*;
    /// let attrs = Attrs::new().with(KEEP_DIMS, &true);
    /// assert!(InferContext::new(&[], &attrs, &|_| None).get(KEEP_DIMS)?);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        self.attrs.get(key)
    }

    /// The integers of input `i`, if its value is known and int32 or int64.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, InferContext};
    /// use extype::prelude::*;
    /// use extype::types::TensorType;
    /// let attrs = Attrs::new();
    /// let types = [TensorType::new(f32, shape![2, 3]), TensorType::new(i32, shape![1])];
    /// let axes = |i| if i == 1 { Array::from_slice([1], &[-1i32]).ok() } else { None };
    /// let c = InferContext::new(&types, &attrs, &axes);
    /// assert_eq!(c.integers(1).unwrap()[..], [-1]);
    /// assert!(c.integers(0).is_none());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn integers(&self, i: usize) -> Option<SmallVec<[i64; 4]>> {
        (self.constant)(i)?.to_i64s().ok()
    }
}
