//! The two traits that everything generic is written against.

use std::fmt::Debug;

use smallvec::SmallVec;

use super::{AnySpec, AnyValue, Fingerprint, SpecValue, Stacking, TensorSpec};
use crate::tensor::{Identity, Tensor, Tensors};
use crate::types::{Dim, Error, Result};

/// Borrowed flat tensors of a structure.
pub type Leaves<'a> = SmallVec<[&'a Tensor; 32]>;

/// The flat tensors that a structure is rebuilt from, in the order of its leaves.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::LeafIter;
/// let mut leaves = LeafIter::new(vec![scalar(1.0f32)]);
/// let x = Tensor::from_leaves(&TensorSpec::of::<f32>([]), &mut leaves)?;
/// leaves.finish()?;
/// # Ok::<(), Error>(())
/// ```
pub struct LeafIter(smallvec::IntoIter<[Tensor; 1]>);

impl LeafIter {
    /// Leaves to be taken in this order.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::LeafIter;
    /// let mut leaves = LeafIter::new(vec![scalar(1.0f32), scalar(2.0f32)]);
    /// let spec = (TensorSpec::of::<f32>([]), TensorSpec::of::<f32>([]));
    /// let (_, y) = <(Tensor, Tensor)>::from_leaves(&spec, &mut leaves)?;
    /// assert_eq!(y.item::<f32>()?, 2.0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(leaves: impl Into<Tensors>) -> Self {
        Self(leaves.into().into_iter())
    }

    /// The next leaf.
    ///
    /// # Errors
    /// `InvalidArgument` if there is none left.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::LeafIter;
    /// let mut leaves = LeafIter::new(vec![scalar(1.0f32)]);
    /// assert_eq!(leaves.take()?.item::<f32>()?, 1.0);
    /// assert!(leaves.take().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn take(&mut self) -> Result<Tensor> {
        self.0.next().ok_or_else(|| Error::invalid("too few tensors for the structure"))
    }

    /// Checks that every leaf was taken.
    ///
    /// # Errors
    /// `InvalidArgument` with the number of those left.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::LeafIter;
    /// let leaves = LeafIter::new(vec![scalar(1.0f32)]);
    /// assert_eq!(leaves.finish().unwrap_err().message(), "1 tensors too many for the structure");
    /// ```
    pub fn finish(self) -> Result<()> {
        match self.0.len() {
            0 => Ok(()),
            n => Err(Error::invalid(format!("{n} tensors too many for the structure"))),
        }
    }
}

/// State shared by the specs of one signature: the variables seen so far. They get small alias ids in order
/// of appearance.
#[derive(Debug, Default)]
pub struct SpecContext {
    variables: SmallVec<[Identity; 2]>,
}

impl SpecContext {
    /// The context of a new signature.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::SpecContext;
    /// let (v, w) = (Variable::new(1.0f32)?, Variable::new(2.0f32)?);
    /// let mut context = SpecContext::new();
    /// let first = v.spec_in(&mut context);
    /// assert_eq!(w.spec_in(&mut context).alias_id, Some(1));
    /// assert_eq!(v.spec_in(&mut context), first);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The alias id of a variable, which counts variables in order of first appearance.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::SpecContext;
    /// let (v, w) = (Variable::new(1.0f32)?, Variable::new(2.0f32)?);
    /// let mut context = SpecContext::new();
    /// assert_eq!([v.id(), w.id(), v.id()].map(|id| context.alias(id)), [0, 1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn alias(&mut self, variable: Identity) -> u32 {
        let known = self.variables.iter().position(|v| *v == variable);
        known.unwrap_or_else(|| {
            self.variables.push(variable);
            self.variables.len() - 1
        }) as u32
    }
}

/// A value that flattens to tensors and is rebuilt from them: tensors, variables, extension types,
/// static data, and `Option`, `Vec`, arrays, tuples and string-keyed maps of these.
///
/// `#[derive(ExtensionType)]` implements it. By hand: `spec_in` holds everything that is not a
/// tensor, and `from_leaves(spec, leaves)` undoes `into_leaves`. These functions call no ops.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor structure",
    label = "not made of tensors, extension types and static data",
    note = "for a type of your own derive `ExtensionType`, or `StaticData` if it holds no tensors; of a module take its variables: `&model.variables()`"
)]
pub trait Structure: Sized + Send + Sync + 'static {
    /// The type of the specs of such values.
    type Spec: TypeSpec<Value = Self>;

    /// The spec of this value within a signature.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::SpecContext;
    /// let v = Variable::new(1.0f32)?;
    /// let mut context = SpecContext::new();
    /// assert_eq!(vec![scalar(1.0f32)].spec_in(&mut context), vec![TensorSpec::of::<f32>([])]);
    /// assert_eq!(v.spec_in(&mut context).alias_id, Some(0));
    /// # Ok::<(), Error>(())
    /// ```
    fn spec_in(&self, context: &mut SpecContext) -> Self::Spec;

    /// True if `spec` is exactly this value's spec; compared without making one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::SpecContext;
    /// let spec = tensor![1.0f32, 2.0].type_spec();
    /// assert!(tensor![3.0f32, 4.0].has_spec(&spec, &mut SpecContext::new()));
    /// assert!(!tensor![3.0f32].has_spec(&spec, &mut SpecContext::new()));
    /// ```
    fn has_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool;

    /// Adds the spec to a fingerprint, by which traces are looked up. Equal specs
    /// ([`has_spec`](Self::has_spec)) must add the same. A variable adds its dtype and shape, not its
    /// identity. The default adds nothing, which is correct but slow.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Fingerprint;
    /// let of = |x: &(Tensor, i64)| {
    ///     let mut fingerprint = Fingerprint::default();
    ///     x.mix_spec(&mut fingerprint);
    ///     fingerprint.get()
    /// };
    /// assert_eq!(of(&(scalar(1.0f32), 3)), of(&(scalar(2.0f32), 3)));
    /// assert_ne!(of(&(scalar(1.0f32), 3)), of(&(scalar(1.0f32), 4)));
    /// ```
    fn mix_spec(&self, fingerprint: &mut Fingerprint) {
        let _ = fingerprint;
    }

    /// Appends the tensors, in the order of the fields.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Leaves;
    /// let pair = (scalar(1.0f32), vec![scalar(2i64)]);
    /// let mut leaves = Leaves::new();
    /// pair.leaves(&mut leaves);
    /// assert_eq!((leaves.len(), leaves[1].item::<i64>()?), (2, 2));
    /// # Ok::<(), Error>(())
    /// ```
    fn leaves<'a>(&'a self, out: &mut Leaves<'a>);

    /// Appends the tensors by moving them out.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let mut leaves = vec![scalar(0.0f32)];
    /// (scalar(1.0f32), 3i64, scalar(2.0f32)).into_leaves(&mut leaves);
    /// assert_eq!(leaves.len(), 3); // those that were there, and two
    /// ```
    fn into_leaves(self, out: &mut Vec<Tensor>);

    /// Rebuilds a value. Constructors and validation are not run.
    ///
    /// # Errors
    /// `InvalidArgument` if there are too few leaves or one has the wrong dtype.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::LeafIter;
    /// let spec = (scalar(1.0f32), 3i64).type_spec();
    /// let mut leaves = LeafIter::new(vec![scalar(5.0f32)]);
    /// let (x, n) = <(Tensor, i64)>::from_leaves(&spec, &mut leaves)?;
    /// assert_eq!((x.item::<f32>()?, n), (5.0, 3));
    /// # Ok::<(), Error>(())
    /// ```
    fn from_leaves(spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self>;

    /// Checks that every field, at any depth, has the dtype and shape that its type declares
    /// (`#[extension_type(dtype = f32, shape = [?, 3])]`). Only a value that no constructor made can fail.
    /// The check runs on arguments, results, operands, the state of loops and sources of gradients.
    /// [`Validate`](super::Validate) does not run there.
    ///
    /// # Errors
    /// `InvalidArgument` naming type and field, what it holds and what it must hold.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Points {
    ///     #[extension_type(dtype = f32, shape = [?, 2])]
    ///     xy: Tensor,
    /// }
    ///
    /// let flat = Some(Points { xy: tensor![1.0f32, 2.0] });
    /// assert_eq!(flat.check_fields().unwrap_err().op(), Some("Points"));
    /// // It enters nothing.
    /// let f = function(|p: &Option<Points>| Ok(p.is_some()));
    /// assert!(f.call(&flat).is_err());
    /// ```
    #[inline]
    fn check_fields(&self) -> Result<()> {
        Ok(())
    }

    /// The spec of this value (TensorFlow's `tf.type_spec_from_value`).
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert_eq!(tensor![[1i64, 2]].type_spec(), TensorSpec::of::<i64>([1, 2]));
    /// assert_eq!((scalar(1.0f32), 3i64).type_spec().to_any().to_string(), "(TensorSpec([], float32), 3)");
    /// ```
    #[doc(alias = "type_spec_from_value")]
    fn type_spec(&self) -> Self::Spec {
        self.spec_in(&mut SpecContext::new())
    }
}

/// The type of a [`Structure`]: its static data, and the specs of its tensors.
///
/// Only the two conversions are required. The laws are those of [`AnySpec`] unless overridden. With an
/// override, give the class of the spec the hooks [`Hooks::of`](super::Hooks::of) this type, so that
/// containers use the override too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the spec of a structure",
    label = "not a spec",
    note = "implement `TypeSpec` for it: conversions to and from `AnySpec`"
)]
pub trait TypeSpec: Clone + Debug + Send + Sync + 'static {
    /// The type of the values.
    type Value: Structure<Spec = Self>;

    /// The spec without its Rust type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::AnySpec;
    /// let spec = vec![TensorSpec::of::<f32>([2])].to_any();
    /// assert!(matches!(&spec, AnySpec::List(parts) if parts.len() == 1));
    /// ```
    fn to_any(&self) -> AnySpec;

    /// The spec with its Rust type again.
    ///
    /// # Errors
    /// `InvalidArgument` if it is a spec of something else.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::VariableSpec;
    /// let any = TensorSpec::of::<f32>([2]).to_any();
    /// assert_eq!(TensorSpec::from_any(&any)?, TensorSpec::of::<f32>([2]));
    /// assert!(VariableSpec::from_any(&any).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn from_any(any: &AnySpec) -> Result<Self>;

    /// True if every value of this type is a value of the other.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let of = |shape: Shape| vec![TensorSpec::of::<f32>(shape)];
    /// assert!(of(shape![2]).is_subtype_of(&of(shape![?])));
    /// assert!(!of(shape![?]).is_subtype_of(&of(shape![2])));
    /// ```
    fn is_subtype_of(&self, other: &Self) -> bool {
        self.to_any().default_is_subtype_of(&other.to_any())
    }

    /// The most specific type that both are subtypes of, if there is one.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let of = |shape: Shape| vec![TensorSpec::of::<f32>(shape)];
    /// let both = of(shape![2, 3]).most_specific_common_supertype(&of(shape![2, 5]));
    /// assert_eq!(both, Some(of(shape![2, ?])));
    /// ```
    fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        let any = self.to_any().default_supertype(&other.to_any())?;
        Self::from_any(&any).ok()
    }

    /// True if some value belongs to both types.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let of = |shape: Shape| vec![TensorSpec::of::<f32>(shape)];
    /// assert!(of(shape![2, ?]).is_compatible_with(&of(shape![?, 3])));
    /// assert!(!of(shape![2, ?]).is_compatible_with(&of(shape![3, ?])));
    /// ```
    fn is_compatible_with(&self, other: &Self) -> bool {
        self.to_any().default_is_compatible_with(&other.to_any())
    }

    /// True if the value belongs to this type.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = (TensorSpec::of::<f32>(shape![?]), TensorSpec::of::<i64>([]));
    /// assert!(spec.is_compatible_with_value(&(tensor![1.0f32, 2.0], scalar(3i64))));
    /// assert!(!spec.is_compatible_with_value(&(tensor![1.0f32, 2.0], scalar(3.0f32))));
    /// ```
    fn is_compatible_with_value(&self, value: &Self::Value) -> bool {
        self.is_compatible_with(&value.type_spec())
    }

    /// RFC's name for [`most_specific_common_supertype`](Self::most_specific_common_supertype).
    ///
    /// ```
    /// use extype::prelude::*;
    /// let (a, b) = (TensorSpec::of::<f32>([2]), TensorSpec::of::<f32>([3]));
    /// assert_eq!(a.most_specific_compatible_type(&b), Some(TensorSpec::of::<f32>(shape![?])));
    /// assert_eq!(a.most_specific_compatible_type(&TensorSpec::of::<i64>([2])), None);
    /// ```
    fn most_specific_compatible_type(&self, other: &Self) -> Option<Self> {
        self.most_specific_common_supertype(other)
    }

    /// The spec of `n` values of this type stacked: every tensor, and every field that is a static
    /// shape, gains a first axis ([`AnySpec::stacked`]).
    ///
    /// # Errors
    /// `InvalidArgument` if values of this type can't be stacked.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let pair = (TensorSpec::of::<f32>([3]), TensorSpec::of::<i64>([]));
    /// let wanted = (TensorSpec::of::<f32>([5, 3]), TensorSpec::of::<i64>([5]));
    /// assert_eq!(pair.stacked(5.into())?, wanted);
    /// # Ok::<(), Error>(())
    /// ```
    fn stacked(&self, n: Dim) -> Result<Self> {
        let any = self.to_any();
        let stacked = match Self::stacking() {
            Some(stacking) => (stacking.stacked)(&any, n),
            None => any.default_stacked(n),
        };
        Self::from_any(&stacked?)
    }

    /// The spec of one value out of a stack of this type.
    ///
    /// # Errors
    /// `InvalidArgument` if there is no first axis to take away.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let pairs = (TensorSpec::of::<f32>([5, 3]), TensorSpec::of::<i64>([5]));
    /// assert_eq!(pairs.unstacked()?, (TensorSpec::of::<f32>([3]), TensorSpec::of::<i64>([])));
    /// assert!(pairs.unstacked()?.unstacked().is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn unstacked(&self) -> Result<Self> {
        let any = self.to_any();
        let unstacked = match Self::stacking() {
            Some(stacking) => (stacking.unstacked)(&any),
            None => any.default_unstacked(),
        };
        Self::from_any(&unstacked?)
    }

    /// The value as tensors that stand for it when values are stacked, unstacked, joined or batched (RFC:
    /// `to_boxed_tensor`): its tensors, or, for types that define their stacks
    /// ([`Stackable`](super::Stackable)), variants of which each holds a part of one value. Each has at least
    /// `minimum_rank` axes. With 1 the value is a stack: unstacking the boxed tensors unstacks it.
    ///
    /// # Errors
    /// `InvalidArgument` if the value is not of this type, or has too few axes.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = (TensorSpec::of::<f32>([2]), TensorSpec::of::<i64>([2, 3]));
    /// let value = (tensor![1.0f32, 2.0], ops::zeros([2, 3], i64)?);
    /// let boxed = spec.to_boxed_tensors(&value, 1)?;
    /// assert_eq!(boxed.len(), 2);
    /// assert!(spec.to_boxed_tensors(&value, 2).is_err());
    /// assert_eq!(spec.from_boxed_tensors(boxed)?.0.as_slice::<f32>()?, &[1.0, 2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "to_boxed_tensor")]
    fn to_boxed_tensors(&self, value: &Self::Value, minimum_rank: usize) -> Result<Vec<Tensor>> {
        self.to_any().box_value(&AnyValue::of(value), minimum_rank)
    }

    /// The value of this type that boxed tensors stand for (RFC: `from_boxed_tensor`). They may be stacked, joined or
    /// reshaped ones, if this is the spec of what they then stand for.
    ///
    /// # Errors
    /// `InvalidArgument` if they stand for something else.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = vec![TensorSpec::of::<f32>([6])];
    /// let boxed = spec.to_boxed_tensors(&vec![ops::zeros(6, f32)?], 1)?;
    /// let pairs = vec![boxed[0].reshape([3, 2])?];
    /// let batched = spec.unstacked()?.stacked(2.into())?.stacked(3.into())?;
    /// assert_eq!(batched.from_boxed_tensors(pairs)?[0].shape(), shape![3, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "from_boxed_tensor")]
    #[expect(clippy::wrong_self_convention, reason = "the name in the RFC")]
    fn from_boxed_tensors(&self, boxed: Vec<Tensor>) -> Result<Self::Value> {
        self.to_any().unbox_value(boxed)?.downcast()
    }

    /// The specs of the boxed tensors of a value (RFC: `boxed_tensor_spec`).
    ///
    /// # Errors
    /// `InvalidArgument` if values of this type have too few axes or can't be stacked.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = vec![TensorSpec::of::<f32>([6])];
    /// assert_eq!(spec.boxed_tensor_specs(1)?, spec);
    /// assert!(spec.boxed_tensor_specs(2).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "boxed_tensor_spec")]
    fn boxed_tensor_specs(&self, minimum_rank: usize) -> Result<Vec<TensorSpec>> {
        self.to_any().boxed_specs(minimum_rank)
    }

    /// How values of this type are stacked and unstacked, or `None` for tensor by tensor. For a type with
    /// [`Stackable`](super::Stackable) it is `Some(Stacking::of::<Type>())`. [`stacked`](Self::stacked) and
    /// [`unstacked`](Self::unstacked) use it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// // Stacks of tensors are made tensor by tensor.
    /// assert!(TensorSpec::stacking().is_none());
    /// assert!(<Vec<TensorSpec>>::stacking().is_none());
    /// ```
    fn stacking() -> Option<Stacking> {
        None
    }

    /// The spec that the Rust type of the values states, which a traced function with such an argument is traced for. It
    /// is the spec itself, but for [`Of`](super::Of) and what is made of it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::{Dyn, Of};
    /// let x = tensor![1.0f32, 2.0];
    /// let spec = vec![x.clone().typed::<f32, (Dyn,)>()?].type_spec();
    /// assert_eq!(spec.to_any().to_string(), "[TensorSpec([2], float32)]");
    /// assert_eq!(spec.stated().to_any().to_string(), "[TensorSpec([?], float32)]");
    /// assert_eq!(x.type_spec().stated(), x.type_spec());
    /// # Ok::<(), Error>(())
    /// ```
    fn stated(&self) -> Self {
        self.clone()
    }

    /// The spec as plain data, to be sent or stored.
    ///
    /// # Errors
    /// `NotFound` for a type without a registered name; `InvalidArgument` for modules, which are
    /// known by identity.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let spec = vec![TensorSpec::of::<f32>(shape![?, 3])];
    /// let back: Vec<TensorSpec> = TypeSpec::deserialize(&spec.serialize()?)?;
    /// assert_eq!(back, spec);
    /// # Ok::<(), Error>(())
    /// ```
    fn serialize(&self) -> Result<SpecValue> {
        self.to_any().serialize()
    }

    /// The spec from its plain data.
    ///
    /// # Errors
    /// `NotFound` for a name that no type is registered with; `InvalidArgument` if it is a spec of
    /// something else.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::SpecValue;
    /// use extype::spec::VariableSpec;
    /// let data = SpecValue::Tensor(TensorSpec::of::<f32>([2]));
    /// assert_eq!(TensorSpec::deserialize(&data)?, TensorSpec::of::<f32>([2]));
    /// assert!(VariableSpec::deserialize(&data).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn deserialize(value: &SpecValue) -> Result<Self> {
        Self::from_any(&AnySpec::deserialize(value)?)
    }

    /// The specs of the components from which a value is rebuilt.
    ///
    /// ```
    /// use extype::prelude::*;
    /// #[derive(ExtensionType, Clone, Debug)]
    /// struct Labelled {
    ///     x: Tensor,
    ///     label: String,
    /// }
    ///
    /// let spec = Labelled::new(1.0f32, "a".to_string())?.type_spec();
    /// assert_eq!(spec.component_specs(), [TensorSpec::of::<f32>([]).to_any()]);
    /// # Ok::<(), Error>(())
    /// ```
    fn component_specs(&self) -> Vec<AnySpec> {
        self.to_any().component_specs()
    }
}
