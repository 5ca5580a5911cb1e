//! Types that define how they are stacked.

use super::{AnySpec, Boxes, ExtensionType, TensorSpec, TypeSpec, typed};
use crate::tensor::Tensor;
use crate::types::{Dim, Result};

/// Stacks and unstacks values of a type that is not stacked tensor by tensor (RFC: `StackableTypeSpec`).
/// `map_fn`, `scan`, `fold`, [`stack_values`](super::stack_values) and boxed tensors
/// ([`TypeSpec::to_boxed_tensors`]) go through it.
///
/// Most types need no impl: each tensor of a stack has one more first axis (`values` and `mask` of one shape,
/// say). Rows of different lengths can't be stacked that way. Derive their type with
/// `#[extension_type(stackable)]` and implement this trait for it. It says how a value, or a stack, is put into
/// [`Boxes`] and taken out: tensors of which the first axis may have another size in each value.
///
/// Laws: what `from_boxes` makes of stacked, joined or reshaped boxes is the stack of the values in them, and
/// [`unstacked_spec`](Self::unstacked_spec) undoes [`stacked_spec`](Self::stacked_spec).
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::{Boxes, Stackable};
///
/// /// Texts as codes of letters: one text, or several, one after the other.
/// #[derive(ExtensionType, Clone, Debug)]
/// #[extension_type(stackable)]
/// struct Text {
///     codes: Tensor,
///     /// Of several texts: how long each is.
///     lengths: Option<Tensor>,
/// }
///
/// impl Stackable for Text {
///     fn stacked_spec(one: &TextSpec, n: Dim) -> Result<TextSpec> {
///         let lengths = TensorSpec::new([n].into_iter().collect::<Shape>(), DType::I64);
///         Ok(TextSpec { codes: TensorSpec::new(shape![?], one.codes.dtype), lengths: Some(lengths) })
///     }
///
///     fn unstacked_spec(stack: &TextSpec) -> Result<TextSpec> {
///         Ok(TextSpec { codes: TensorSpec::new(shape![?], stack.codes.dtype), lengths: None })
///     }
///
///     fn box_specs(one: &TextSpec) -> Result<Vec<TensorSpec>> {
///         Ok(vec![one.codes.clone()])
///     }
///
///     fn to_boxes(&self, rank: usize) -> Result<Vec<Boxes>> {
///         Ok(vec![match (rank, &self.lengths) {
///             (0, None) => Boxes::one(self.codes.clone())?,
///             (1, Some(lengths)) => Boxes { values: self.codes.clone(), sizes: lengths.clone() },
///             _ => return Err(Error::invalid("texts are stacked once")),
///         }])
///     }
///
///     fn from_boxes(_: &TextSpec, boxes: Vec<Boxes>) -> Result<Text> {
///         let [codes] = <[Boxes; 1]>::try_from(boxes).map_err(|_| Error::invalid("one part"))?;
///         let lengths = (codes.rank()? == 1).then_some(codes.sizes);
///         Text::new(codes.values, lengths)
///     }
/// }
///
/// let texts = Text::new([1i64, 2, 3], Some(tensor![2i64, 1]))?;
/// let doubled = map_fn(&texts, |t: Text| {
///     Text::new(ops::concat(&[&t.codes, &t.codes], 0)?, None)
/// })?;
/// assert_eq!(doubled.codes.as_slice::<i64>()?, &[1, 2, 1, 2, 3, 3]);
/// assert_eq!(doubled.lengths.unwrap().as_slice::<i64>()?, &[4, 2]);
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
    /// `InvalidArgument` if they can't be stacked.
    fn stacked_spec(one: &Self::Spec, n: Dim) -> Result<Self::Spec>;

    /// The spec of one value of a stack with the spec `stack`.
    ///
    /// # Errors
    /// `InvalidArgument` if this is no stack.
    fn unstacked_spec(stack: &Self::Spec) -> Result<Self::Spec>;

    /// For each part of a value with the spec `one`, the spec of the rows that its box holds: dtype, and shape with a
    /// first axis of any size.
    ///
    /// # Errors
    /// `InvalidArgument` if such values can't be boxed.
    fn box_specs(one: &Self::Spec) -> Result<Vec<TensorSpec>>;

    /// The parts of this value, boxed. With `rank` 0 each is one box. With `rank` 1 this value is a stack, and each part
    /// has a box for each value in it; with 2 it is a stack of stacks, and so on.
    ///
    /// # Errors
    /// `InvalidArgument` for a value that is no stack of so many levels.
    fn to_boxes(&self, rank: usize) -> Result<Vec<Boxes>>;

    /// The value, stack or stack of stacks with these boxes, as their rank says. `one` is a spec that fits each
    /// value in a box.
    ///
    /// # Errors
    /// `InvalidArgument` for boxes that are none of this type's.
    fn from_boxes(one: &Self::Spec, boxes: Vec<Boxes>) -> Result<Self>;
}

/// The functions of [`Stackable`] for one type, without the Rust type.
#[derive(Clone, Copy, Debug)]
pub struct Stacking {
    /// See [`Stackable::stacked_spec`].
    pub stacked: fn(&AnySpec, Dim) -> Result<AnySpec>,
    /// See [`Stackable::unstacked_spec`].
    pub unstacked: fn(&AnySpec) -> Result<AnySpec>,
    /// See [`Stackable::box_specs`].
    pub box_specs: fn(&AnySpec) -> Result<Vec<TensorSpec>>,
    /// See [`Stackable::to_boxes`]; the value is given as its spec and its leaves.
    pub to_boxes: fn(&AnySpec, Vec<Tensor>, usize) -> Result<Vec<Boxes>>,
    /// See [`Stackable::from_boxes`]; the value is returned as its leaves.
    pub from_boxes: fn(&AnySpec, Vec<Boxes>) -> Result<Vec<Tensor>>,
}

impl Stacking {
    /// The functions of the type `T`: what `TypeSpec::stacking` of a hand-written spec returns.
    pub const fn of<T: Stackable>() -> Self {
        Self {
            stacked: |one, n| Ok(T::stacked_spec(&T::Spec::from_any(one)?, n)?.to_any()),
            unstacked: |stack| Ok(T::unstacked_spec(&T::Spec::from_any(stack)?)?.to_any()),
            box_specs: |one| T::box_specs(&T::Spec::from_any(one)?),
            to_boxes: |spec, leaves, rank| {
                typed::<T>(&T::Spec::from_any(spec)?, leaves)?.to_boxes(rank)
            },
            from_boxes: |one, boxes| {
                let mut leaves = Vec::new();
                T::from_boxes(&T::Spec::from_any(one)?, boxes)?.into_leaves(&mut leaves);
                Ok(leaves)
            },
        }
    }
}
