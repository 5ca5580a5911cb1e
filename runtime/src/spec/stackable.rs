//! Types that define how they are stacked.

use super::{AnySpec, AnyValue, ExtensionType, TypeSpec};
use crate::tensor::Tensor;
use crate::types::{Dim, Result};

/// Stacks and unstacks values of a type that is not stacked tensor by tensor. `map_fn`, `scan` and `fold` use
/// it.
///
/// Most types need no impl: each tensor of a stack has one more first axis (`values` and `mask` of one shape,
/// say). Rows of different lengths can't be stacked that way. Derive their type with
/// `#[extension_type(stackable)]` and implement this trait for it.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::{Joined, Stackable};
///
/// /// Texts as codes of letters: one text, or several, one after the other.
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(stackable)]
/// struct Text {
///     codes: Tensor,
///     /// Of several texts: where each ends.
///     ends: Option<Tensor>,
/// }
///
/// impl Stackable for Text {
///     fn stacked_spec(one: &TextSpec, n: Dim) -> Result<TextSpec> {
///         let ends = TensorSpec::new([n].into_iter().collect::<Shape>(), DType::I64);
///         Ok(TextSpec { ends: Some(ends), ..one.clone() })
///     }
///
///     fn unstacked_spec(stack: &TextSpec) -> Result<TextSpec> {
///         Ok(TextSpec { codes: TensorSpec::new(shape![?], stack.codes.dtype), ends: None })
///     }
///
///     fn count(&self) -> Result<Tensor> {
///         ops::size(self.ends.as_ref().ok_or_else(|| Error::invalid("one text"))?)
///     }
///
///     fn nth(&self, i: &Tensor) -> Result<Text> {
///         let ends = self.ends.as_ref().ok_or_else(|| Error::invalid("one text"))?;
///         let bounds = ends.pad([[1, 0]])?;
///         let i = i.reshape([1i64])?;
///         let (begin, end) = (bounds.gather(&i, 0)?, ends.gather(&i, 0)?);
///         Text::new(self.codes.slice(&begin, &ops::sub(&end, &begin)?)?, None)
///     }
///
///     fn parts(self) -> Result<Vec<Tensor>> {
///         Ok(vec![self.codes])
///     }
///
///     fn of_parts(_: &TextSpec, parts: Vec<Joined>) -> Result<Text> {
///         let [codes] = <[Joined; 1]>::try_from(parts).map_err(|_| Error::invalid("one part"))?;
///         Text::new(codes.values, Some(codes.sizes.cumsum(0)?))
///     }
/// }
///
/// let texts = Text::new([1i64, 2, 3], Some(tensor![2i64, 3]))?;
/// let doubled = map_fn(&texts, |t: Text| {
///     Text::new(ops::concat(&[&t.codes, &t.codes], 0)?, None)
/// })?;
/// assert_eq!(doubled.codes.as_slice::<i64>()?, &[1, 2, 1, 2, 3, 3]);
/// assert_eq!(doubled.ends.unwrap().as_slice::<i64>()?, &[4, 6]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has the option `stackable`, but no `Stackable`",
    label = "nothing says what a stack of these is",
    note = "write `impl Stackable for {Self} {{ … }}`, or leave the option out: then stacks are made tensor by tensor"
)]
pub trait Stackable: ExtensionType {
    /// The spec of a stack of `n` values with the spec `one`.
    ///
    /// # Errors
    /// `InvalidArgument` if they can't be.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Joined, Stackable};
    ///
    /// /// Texts as codes of letters: one text, or several, one after the other.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(stackable)]
    /// struct Text {
    ///     codes: Tensor,
    ///     ends: Option<Tensor>,
    /// }
    ///
    /// impl Stackable for Text {
    ///     fn stacked_spec(one: &TextSpec, n: Dim) -> Result<TextSpec> {
    ///         let ends = TensorSpec::new([n].into_iter().collect::<Shape>(), DType::I64);
    ///         Ok(TextSpec { ends: Some(ends), ..one.clone() })
    ///     }
    /// #     fn unstacked_spec(_: &TextSpec) -> Result<TextSpec> { unreachable!() }
    /// #     fn count(&self) -> Result<Tensor> { unreachable!() }
    /// #     fn nth(&self, _: &Tensor) -> Result<Text> { unreachable!() }
    /// #     fn parts(self) -> Result<Vec<Tensor>> { unreachable!() }
    /// #     fn of_parts(_: &TextSpec, _: Vec<Joined>) -> Result<Text> { unreachable!() }
    /// }
    ///
    /// let stack = Text::new([1i64, 2, 3], None)?.type_spec().stacked(2.into())?;
    /// assert_eq!(stack.ends.unwrap(), TensorSpec::of::<i64>([2]));
    /// # Ok::<(), Error>(())
    /// ```
    fn stacked_spec(one: &Self::Spec, n: Dim) -> Result<Self::Spec>;

    /// The spec of one value of a stack with the spec `stack`.
    ///
    /// # Errors
    /// `InvalidArgument` if this is no stack.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Joined, Stackable};
    ///
    /// /// Texts as codes of letters: one text, or several, one after the other.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(stackable)]
    /// struct Text {
    ///     codes: Tensor,
    ///     ends: Option<Tensor>,
    /// }
    ///
    /// impl Stackable for Text {
    /// #     fn stacked_spec(_: &TextSpec, _: Dim) -> Result<TextSpec> { unreachable!() }
    ///     fn unstacked_spec(stack: &TextSpec) -> Result<TextSpec> {
    ///         Ok(TextSpec { codes: TensorSpec::new(shape![?], stack.codes.dtype), ends: None })
    ///     }
    /// #     fn count(&self) -> Result<Tensor> { unreachable!() }
    /// #     fn nth(&self, _: &Tensor) -> Result<Text> { unreachable!() }
    /// #     fn parts(self) -> Result<Vec<Tensor>> { unreachable!() }
    /// #     fn of_parts(_: &TextSpec, _: Vec<Joined>) -> Result<Text> { unreachable!() }
    /// }
    ///
    /// let texts = Text::new([1i64, 2, 3], Some(tensor![2i64, 3]))?;
    /// assert_eq!(texts.type_spec().unstacked()?.codes, TensorSpec::of::<i64>(shape![?]));
    /// # Ok::<(), Error>(())
    /// ```
    fn unstacked_spec(stack: &Self::Spec) -> Result<Self::Spec>;

    /// The number of values in this stack: an int64 scalar, not symbolic if it is known while tracing.
    ///
    /// # Errors
    /// `InvalidArgument` if this is no stack.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Joined, Stackable};
    ///
    /// /// Texts as codes of letters: one text, or several, one after the other.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(stackable)]
    /// struct Text {
    ///     codes: Tensor,
    ///     ends: Option<Tensor>,
    /// }
    ///
    /// impl Stackable for Text {
    /// #     fn stacked_spec(_: &TextSpec, _: Dim) -> Result<TextSpec> { unreachable!() }
    /// #     fn unstacked_spec(_: &TextSpec) -> Result<TextSpec> { unreachable!() }
    ///     fn count(&self) -> Result<Tensor> {
    ///         ops::size(self.ends.as_ref().ok_or_else(|| Error::invalid("one text"))?)
    ///     }
    /// #     fn nth(&self, _: &Tensor) -> Result<Text> { unreachable!() }
    /// #     fn parts(self) -> Result<Vec<Tensor>> { unreachable!() }
    /// #     fn of_parts(_: &TextSpec, _: Vec<Joined>) -> Result<Text> { unreachable!() }
    /// }
    ///
    /// let texts = Text::new([1i64, 2, 3], Some(tensor![2i64, 3]))?;
    /// assert_eq!(texts.count()?.item::<i64>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    fn count(&self) -> Result<Tensor>;

    /// The value at `index`, an integer scalar, of this stack.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Joined, Stackable};
    ///
    /// /// Texts as codes of letters: one text, or several, one after the other.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(stackable)]
    /// struct Text {
    ///     codes: Tensor,
    ///     ends: Option<Tensor>,
    /// }
    ///
    /// impl Stackable for Text {
    /// #     fn stacked_spec(_: &TextSpec, _: Dim) -> Result<TextSpec> { unreachable!() }
    /// #     fn unstacked_spec(_: &TextSpec) -> Result<TextSpec> { unreachable!() }
    /// #     fn count(&self) -> Result<Tensor> { unreachable!() }
    ///     fn nth(&self, index: &Tensor) -> Result<Text> {
    ///         let ends = self.ends.as_ref().ok_or_else(|| Error::invalid("one text"))?;
    ///         let (end, begin) = (ends.gather(index, 0)?, ends.pad([[1, 0]])?.gather(index, 0)?);
    ///         let size = ops::sub(&end, &begin)?;
    ///         Text::new(self.codes.slice(begin.reshape([1])?, size.reshape([1])?)?, None)
    ///     }
    /// #     fn parts(self) -> Result<Vec<Tensor>> { unreachable!() }
    /// #     fn of_parts(_: &TextSpec, _: Vec<Joined>) -> Result<Text> { unreachable!() }
    /// }
    ///
    /// let texts = Text::new([1i64, 2, 3], Some(tensor![2i64, 3]))?;
    /// assert_eq!(texts.nth(&scalar(1i64))?.codes.as_slice::<i64>()?, &[3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn nth(&self, index: &Tensor) -> Result<Self>;

    /// The tensors of this value that a stack is made of. The parts of all values at the same index are
    /// concatenated along their first axis. The size of that axis may differ between values; dtype and other
    /// sizes may not.
    ///
    /// # Errors
    /// `InvalidArgument` for a value that can't be stacked.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Joined, Stackable};
    ///
    /// /// Texts as codes of letters: one text, or several, one after the other.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(stackable)]
    /// struct Text {
    ///     codes: Tensor,
    ///     ends: Option<Tensor>,
    /// }
    ///
    /// impl Stackable for Text {
    /// #     fn stacked_spec(_: &TextSpec, _: Dim) -> Result<TextSpec> { unreachable!() }
    /// #     fn unstacked_spec(_: &TextSpec) -> Result<TextSpec> { unreachable!() }
    /// #     fn count(&self) -> Result<Tensor> { unreachable!() }
    /// #     fn nth(&self, _: &Tensor) -> Result<Text> { unreachable!() }
    ///     fn parts(self) -> Result<Vec<Tensor>> {
    ///         Ok(vec![self.codes])
    ///     }
    /// #     fn of_parts(_: &TextSpec, _: Vec<Joined>) -> Result<Text> { unreachable!() }
    /// }
    ///
    /// assert_eq!(Text::new([1i64, 2], None)?.parts()?[0].as_slice::<i64>()?, &[1, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    fn parts(self) -> Result<Vec<Tensor>>;

    /// The stack of the values with these joined parts. `one` is a spec that fits each value.
    ///
    /// # Errors
    /// As [`parts`](Self::parts).
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Joined, Stackable};
    ///
    /// /// Texts as codes of letters: one text, or several, one after the other.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(stackable)]
    /// struct Text {
    ///     codes: Tensor,
    ///     ends: Option<Tensor>,
    /// }
    ///
    /// impl Stackable for Text {
    /// #     fn stacked_spec(_: &TextSpec, _: Dim) -> Result<TextSpec> { unreachable!() }
    /// #     fn unstacked_spec(_: &TextSpec) -> Result<TextSpec> { unreachable!() }
    /// #     fn count(&self) -> Result<Tensor> { unreachable!() }
    /// #     fn nth(&self, _: &Tensor) -> Result<Text> { unreachable!() }
    /// #     fn parts(self) -> Result<Vec<Tensor>> { unreachable!() }
    ///     fn of_parts(_: &TextSpec, parts: Vec<Joined>) -> Result<Text> {
    ///         Text::new(&parts[0].values, Some(parts[0].sizes.cumsum(0)?))
    ///     }
    /// }
    ///
    /// // What `map_fn` joins of `[1, 2]` and `[3]`.
    /// let joined = Joined { values: tensor![1i64, 2, 3], sizes: tensor![2i64, 1] };
    /// let texts = Text::of_parts(&Text::new([1i64, 2], None)?.type_spec(), vec![joined])?;
    /// assert_eq!(texts.ends.unwrap().as_slice::<i64>()?, &[2, 3]);
    /// # Ok::<(), Error>(())
    /// ```
    fn of_parts(one: &Self::Spec, parts: Vec<Joined>) -> Result<Self>;
}

/// One part of all values of a stack, concatenated.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The parts, concatenated along their first axis.
    pub values: Tensor,
    /// The size of that axis in each part: an int64 vector.
    pub sizes: Tensor,
}

/// The functions of [`Stackable`] for one type, without the Rust type.
#[derive(Clone, Copy, Debug)]
pub struct Stacking {
    /// See [`Stackable::stacked_spec`].
    pub stacked: fn(&AnySpec, Dim) -> Result<AnySpec>,
    /// See [`Stackable::unstacked_spec`].
    pub unstacked: fn(&AnySpec) -> Result<AnySpec>,
    /// See [`Stackable::count`].
    pub count: fn(&AnyValue) -> Result<Tensor>,
    /// See [`Stackable::nth`].
    pub nth: fn(&AnyValue, &Tensor) -> Result<AnyValue>,
    /// See [`Stackable::parts`].
    pub parts: fn(AnyValue) -> Result<Vec<Tensor>>,
    /// See [`Stackable::of_parts`].
    pub of_parts: fn(&AnySpec, Vec<Joined>) -> Result<AnyValue>,
}

impl Stacking {
    /// The functions of the type `T`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnyValue;
    /// use extype::spec::{Joined, Stackable, Stacking};
    ///
    /// /// Texts as codes of letters: one text, or several, one after the other.
    /// #[derive(ExtensionType, Clone, Debug)]
    /// #[extension_type(stackable)]
    /// struct Text {
    ///     codes: Tensor,
    ///     ends: Option<Tensor>,
    /// }
    ///
    /// impl Stackable for Text {
    /// #     fn stacked_spec(_: &TextSpec, _: Dim) -> Result<TextSpec> { unreachable!() }
    /// #     fn unstacked_spec(_: &TextSpec) -> Result<TextSpec> { unreachable!() }
    ///     fn count(&self) -> Result<Tensor> {
    ///         ops::size(self.ends.as_ref().ok_or_else(|| Error::invalid("one text"))?)
    ///     }
    /// #     fn nth(&self, _: &Tensor) -> Result<Text> { unreachable!() }
    /// #     fn parts(self) -> Result<Vec<Tensor>> { unreachable!() }
    /// #     fn of_parts(_: &TextSpec, _: Vec<Joined>) -> Result<Text> { unreachable!() }
    /// }
    ///
    /// let texts = AnyValue::new(Text::new([1i64, 2, 3], Some(tensor![2i64, 3]))?);
    /// let stacking = Stacking::of::<Text>();
    /// assert_eq!((stacking.count)(&texts)?.item::<i64>()?, 2);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn of<T: Stackable>() -> Self {
        Self {
            stacked: |one, n| Ok(T::stacked_spec(&T::Spec::from_any(one)?, n)?.to_any()),
            unstacked: |stack| Ok(T::unstacked_spec(&T::Spec::from_any(stack)?)?.to_any()),
            count: |stack| stack.clone().downcast::<T>()?.count(),
            nth: |stack, i| Ok(AnyValue::new(stack.clone().downcast::<T>()?.nth(i)?)),
            parts: |value| value.downcast::<T>()?.parts(),
            of_parts: |one, parts| Ok(AnyValue::new(T::of_parts(&T::Spec::from_any(one)?, parts)?)),
        }
    }
}
