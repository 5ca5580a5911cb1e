//! Arguments of traced functions.

use crate::ops::Lent;
use crate::spec::{
    AnySpec, Fingerprint, LeafIter, Leaves, LiteralSpec, ModuleSpec, SpecContext, Structure,
    TypeSpec,
};
use crate::types::{Result, err};

/// An argument of a traced function: any [`Structure`], which a trace sees as placeholders, or
/// the receiver of a method with `#[derive(Module)]`, which a trace sees as it is.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::{Leaves, SpecContext};
/// use extype::trace::{Argument, SliceItems};
///
/// /// The number of tensors that a call with this argument is fed.
/// fn fed(x: &impl Argument) -> usize {
///     let mut leaves = Leaves::new();
///     x.argument_leaves(&mut leaves);
///     leaves.len()
/// }
///
/// #[derive(Module)]
/// struct Scale {
///     factor: Variable,
/// }
///
/// let list = [scalar(1.0f32), scalar(2.0f32)];
/// assert_eq!((fed(&list[0]), fed(&SliceItems(&list)), fed(&3i64)), (1, 2, 0));
/// // A module is there as it is: nothing of it is fed.
/// let scale = Scale { factor: Variable::new(3.0f32)? };
/// assert_eq!(fed(&scale), 0);
/// let spec = Scale::spec_to_any(&scale.argument_spec(&mut SpecContext::new()));
/// assert_eq!(spec.to_string(), "Scale(factor: float32[])");
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be an argument of a traced function",
    label = "neither a tensor structure nor a module",
    note = "for a type of your own derive `ExtensionType` if it holds tensors, `Module` if it holds variables, `TraceType` if it is compared by value; of another crate's take what it is made of, or wrap it in `Opaque`"
)]
pub trait Argument: Sized {
    /// The type of its specs.
    type Spec: Clone + Send + Sync + 'static;
    /// What the body gets while tracing.
    type Bound<'a>
    where
        Self: 'a;

    /// The spec within a signature.
    fn argument_spec(&self, context: &mut SpecContext) -> Self::Spec;

    /// True if `spec` equals the spec of this argument.
    fn matches_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool;

    /// Adds the spec to a fingerprint. Equal specs add the same.
    fn mix_argument(&self, fingerprint: &mut Fingerprint);

    /// Appends the tensors that are fed.
    fn argument_leaves<'a>(&'a self, out: &mut Leaves<'a>);

    /// Refuses a value whose fields are not what its type declares.
    ///
    /// # Errors
    /// As [`Structure::check_fields`].
    fn check_argument(&self) -> Result<()> {
        Ok(())
    }

    /// What the body gets while tracing.
    ///
    /// # Errors
    /// `InvalidArgument` if the placeholders do not fit the spec.
    fn bind<'a>(&'a self, spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self::Bound<'a>>;

    /// The spec that the Rust type states: as [`TypeSpec::stated`].
    fn stated_spec(spec: &Self::Spec) -> Self::Spec {
        spec.clone()
    }

    /// The spec without its Rust type.
    fn spec_to_any(spec: &Self::Spec) -> AnySpec;

    /// The spec with its Rust type again.
    ///
    /// # Errors
    /// `InvalidArgument` if it is a spec of something else.
    fn spec_from_any(any: &AnySpec) -> Result<Self::Spec>;
}

#[diagnostic::do_not_recommend]
impl<S: Structure> Argument for S {
    type Spec = S::Spec;
    type Bound<'a> = Lent<'a, S>;

    fn argument_spec(&self, context: &mut SpecContext) -> S::Spec {
        self.spec_in(context)
    }

    #[inline]
    fn matches_spec(&self, spec: &S::Spec, context: &mut SpecContext) -> bool {
        self.has_spec(spec, context)
    }

    #[inline]
    fn mix_argument(&self, fingerprint: &mut Fingerprint) {
        self.mix_spec(fingerprint);
    }

    #[inline]
    fn argument_leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.leaves(out);
    }

    fn check_argument(&self) -> Result<()> {
        self.check_fields()
    }

    fn bind<'a>(&'a self, spec: &S::Spec, leaves: &mut LeafIter) -> Result<Lent<'a, Self>> {
        S::from_leaves(spec, leaves).map(Lent::Owned)
    }

    fn stated_spec(spec: &S::Spec) -> S::Spec {
        spec.stated()
    }

    fn spec_to_any(spec: &S::Spec) -> AnySpec {
        spec.to_any()
    }

    fn spec_from_any(any: &AnySpec) -> Result<S::Spec> {
        S::Spec::from_any(any)
    }
}

/// A slice as an argument. A trace sees it as a list; looking up the trace copies nothing.
///
/// ```
/// use extype::function::{FunctionOptions, FunctionState};
/// use extype::prelude::*;
/// use extype::trace::SliceItems;
/// let sum = FunctionState::new(FunctionOptions::new("f", &["x"]));
/// let list = [scalar(1.0f32), scalar(2.0f32)];
/// let y = sum.call((&SliceItems(&list),), |(items,)| ops::add_n(&items))?;
/// assert_eq!(y.item::<f32>()?, 3.0);
/// assert_eq!(sum.signatures()[0].kind(), "tuple");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SliceItems<'s, T>(pub &'s [T]);

#[diagnostic::do_not_recommend]
impl<T: Structure> Argument for SliceItems<'_, T> {
    type Spec = Vec<T::Spec>;
    type Bound<'a>
        = Vec<T>
    where
        Self: 'a;

    fn argument_spec(&self, context: &mut SpecContext) -> Self::Spec {
        self.0.iter().map(|x| x.spec_in(context)).collect()
    }

    #[inline]
    fn matches_spec(&self, spec: &Self::Spec, context: &mut SpecContext) -> bool {
        self.0.len() == spec.len() && self.0.iter().zip(spec).all(|(x, s)| x.has_spec(s, context))
    }

    #[inline]
    fn mix_argument(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add(self.0.len() as u64);
        self.0.iter().for_each(|x| x.mix_spec(fingerprint));
    }

    #[inline]
    fn argument_leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        self.0.iter().for_each(|x| x.leaves(out));
    }

    fn check_argument(&self) -> Result<()> {
        self.0.iter().try_for_each(Structure::check_fields)
    }

    fn bind<'a>(&'a self, spec: &Self::Spec, leaves: &mut LeafIter) -> Result<Self::Bound<'a>> {
        Vec::from_leaves(spec, leaves)
    }

    fn stated_spec(spec: &Self::Spec) -> Self::Spec {
        spec.stated()
    }

    fn spec_to_any(spec: &Self::Spec) -> AnySpec {
        spec.to_any()
    }

    fn spec_from_any(any: &AnySpec) -> Result<Self::Spec> {
        TypeSpec::from_any(any)
    }
}

/// A string as an argument. It is plain data; looking up the trace does not copy it.
///
/// ```
/// use extype::function::{FunctionOptions, FunctionState};
/// use extype::prelude::*;
/// use extype::trace::Text;
/// let named = FunctionState::new(FunctionOptions::new("f", &["x"]));
/// let x = scalar(2.0f32);
/// for name in ["neg", "square", "neg"] {
///     let y = named.call((&x, &Text(name)), |(x, name)| match &*name {
///         "neg" => ops::neg(&*x),
///         _ => x.square(),
///     })?;
///     assert_eq!(y.item::<f32>()?, if name == "neg" { -2.0 } else { 4.0 });
/// }
/// assert_eq!(named.trace_count(), 2);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text<'s>(pub &'s str);

#[diagnostic::do_not_recommend]
impl Argument for Text<'_> {
    type Spec = LiteralSpec<String>;
    type Bound<'a>
        = String
    where
        Self: 'a;

    fn argument_spec(&self, _: &mut SpecContext) -> Self::Spec {
        LiteralSpec(self.0.to_owned())
    }

    #[inline]
    fn matches_spec(&self, spec: &Self::Spec, _: &mut SpecContext) -> bool {
        spec.0 == self.0
    }

    #[inline]
    fn mix_argument(&self, fingerprint: &mut Fingerprint) {
        fingerprint.add_bytes(self.0.as_bytes());
    }

    #[inline]
    fn argument_leaves<'a>(&'a self, _: &mut Leaves<'a>) {}

    fn bind<'a>(&'a self, spec: &Self::Spec, _: &mut LeafIter) -> Result<Self::Bound<'a>> {
        Ok(spec.0.clone())
    }

    fn spec_to_any(spec: &Self::Spec) -> AnySpec {
        spec.to_any()
    }

    fn spec_from_any(any: &AnySpec) -> Result<Self::Spec> {
        TypeSpec::from_any(any)
    }
}

impl<T: Structure> Lent<'_, T> {
    /// The value itself; a borrowed one is rebuilt from its tensors.
    ///
    /// # Errors
    /// None for types that implement [`Structure`] correctly.
    ///
    /// ```
    /// use extype::ops::Lent;
    /// use extype::prelude::*;
    /// let x = tensor![1.0f32, 2.0];
    /// assert_eq!(Lent::Borrowed(&x).into_owned()?.id(), x.id());
    /// assert_eq!(Lent::Owned(x.clone()).into_owned()?.id(), x.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn into_owned(self) -> Result<T> {
        match self {
            Lent::Owned(value) => Ok(value),
            Lent::Borrowed(value) => {
                let leaves = crate::spec::nest::flatten(value);
                T::from_leaves(&value.type_spec(), &mut LeafIter::new(leaves))
            }
        }
    }
}

/// Implements [`Argument`] for a module; used by `#[derive(Module)]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __module_argument {
    ($(#[$attr:meta])* [$($g:tt)*] $t:ty, [$($w:tt)*]) => {
        $(#[$attr])*
        impl<$($g)*> $crate::__private::Argument for $t where $($w)* {
            type Spec = $crate::__private::ModuleSpec;
            type Bound<'a> = $crate::__private::Lent<'a, Self> where Self: 'a;

            fn argument_spec(&self, _: &mut $crate::__private::SpecContext) -> $crate::__private::ModuleSpec {
                $crate::__private::ModuleSpec::of(self)
            }

            fn matches_spec(
                &self,
                spec: &$crate::__private::ModuleSpec,
                _: &mut $crate::__private::SpecContext,
            ) -> bool {
                spec.matches(self)
            }

            fn mix_argument(&self, fingerprint: &mut $crate::__private::Fingerprint) {
                $crate::__private::ModuleSpec::mix(self, fingerprint);
            }

            fn argument_leaves<'a>(&'a self, _: &mut $crate::__private::Leaves<'a>) {}

            fn bind<'a>(
                &'a self,
                _: &$crate::__private::ModuleSpec,
                _: &mut $crate::__private::LeafIter,
            ) -> $crate::Result<$crate::__private::Lent<'a, Self>> {
                ::core::result::Result::Ok($crate::__private::Lent::Borrowed(self))
            }

            fn spec_to_any(spec: &$crate::__private::ModuleSpec) -> $crate::__private::AnySpec {
                <$crate::__private::AnySpec as ::core::convert::From<$crate::__private::ModuleSpec>>::from(
                    ::core::clone::Clone::clone(spec),
                )
            }

            fn spec_from_any(any: &$crate::__private::AnySpec) -> $crate::Result<$crate::__private::ModuleSpec> {
                $crate::__private::module_spec(any)
            }
        }
    };
}

/// The module spec in an [`AnySpec`].
///
/// # Errors
/// `InvalidArgument` if it is a spec of something else.
pub fn module_spec(any: &AnySpec) -> Result<ModuleSpec> {
    any.as_custom::<ModuleSpec>().cloned()
}

/// The arguments of one call: a tuple of references to [`Argument`]s.
///
/// ```
/// use extype::prelude::*;
/// use extype::trace::Arguments;
///
/// /// The types of the arguments of a call.
/// fn types<'a, A: Arguments<'a>>(args: &A) -> Vec<String> {
///     A::to_any(&args.specs()).iter().map(ToString::to_string).collect()
/// }
///
/// let (x, v) = (scalar(1.0f32), Variable::new(2.0f32)?);
/// assert_eq!(types(&(&x, &3i64)), ["TensorSpec([], float32)", "3"]);
/// assert!((&v, &v).matches(&(&v, &v).specs()));
/// // Which of the arguments are one variable is a part of the types.
/// let w = Variable::new(2.0f32)?;
/// assert!(!(&v, &w).matches(&(&v, &v).specs()));
/// # Ok::<(), Error>(())
/// ```
pub trait Arguments<'a> {
    /// The specs, one per argument.
    type Specs: Clone + Send + Sync + 'static;
    /// What the body gets while tracing.
    type Bound;

    /// The specs of these arguments.
    fn specs(&self) -> Self::Specs;

    /// True if `specs` equal the specs of these arguments.
    fn matches(&self, specs: &Self::Specs) -> bool;

    /// Adds the specs to a fingerprint. Equal specs add the same.
    fn mix(&self, fingerprint: &mut Fingerprint);

    /// Appends the tensors that are fed.
    fn leaves(&self, out: &mut Leaves<'a>);

    /// Refuses values whose fields are not what their types declare.
    ///
    /// # Errors
    /// As [`Structure::check_fields`].
    fn check(&self) -> Result<()>;

    /// What the body gets while tracing.
    ///
    /// # Errors
    /// `InvalidArgument` if the placeholders do not fit the specs.
    fn bind(&self, specs: &Self::Specs, leaves: &mut LeafIter) -> Result<Self::Bound>;

    /// The specs that the Rust types state.
    fn stated(specs: &Self::Specs) -> Self::Specs;

    /// The specs without their Rust types.
    fn to_any(specs: &Self::Specs) -> Vec<AnySpec>;

    /// The specs with their Rust types again.
    ///
    /// # Errors
    /// `InvalidArgument` if one is a spec of something else.
    fn from_any(any: &[AnySpec]) -> Result<Self::Specs>;
}

macro_rules! arguments {
    ($(($($t:ident $i:tt),*) $n:literal;)*) => {
        $(impl<'a, $($t: Argument),*> Arguments<'a> for ($(&'a $t,)*) {
            type Specs = ($($t::Spec,)*);
            type Bound = ($($t::Bound<'a>,)*);

            fn specs(&self) -> Self::Specs {
                let context = &mut SpecContext::new();
                ($(self.$i.argument_spec(context),)*)
            }

            #[inline]
            fn matches(&self, specs: &Self::Specs) -> bool {
                let context = &mut SpecContext::new();
                true $(&& self.$i.matches_spec(&specs.$i, context))*
            }

            #[inline]
            fn mix(&self, fingerprint: &mut Fingerprint) {
                $(self.$i.mix_argument(fingerprint);)*
            }

            #[inline]
            fn leaves(&self, out: &mut Leaves<'a>) {
                $(self.$i.argument_leaves(out);)*
            }

            fn check(&self) -> Result<()> {
                $(self.$i.check_argument()?;)*
                Ok(())
            }

            fn bind(&self, specs: &Self::Specs, leaves: &mut LeafIter) -> Result<Self::Bound> {
                Ok(($(self.$i.bind(&specs.$i, leaves)?,)*))
            }

            fn stated(specs: &Self::Specs) -> Self::Specs {
                ($($t::stated_spec(&specs.$i),)*)
            }

            fn to_any(specs: &Self::Specs) -> Vec<AnySpec> {
                vec![$($t::spec_to_any(&specs.$i)),*]
            }

            fn from_any(any: &[AnySpec]) -> Result<Self::Specs> {
                if any.len() != $n {
                    return Err(err!("{} arguments given, {} wanted", any.len(), $n));
                }
                Ok(($($t::spec_from_any(&any[$i])?,)*))
            }
        })*
    };
}
/// No arguments.
impl<'a> Arguments<'a> for () {
    type Specs = LiteralSpec<()>;
    type Bound = ();

    fn specs(&self) -> Self::Specs {
        LiteralSpec(())
    }

    fn matches(&self, _: &Self::Specs) -> bool {
        true
    }

    fn mix(&self, _: &mut Fingerprint) {}

    fn leaves(&self, _: &mut Leaves<'a>) {}

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn bind(&self, _: &Self::Specs, _: &mut LeafIter) -> Result<()> {
        Ok(())
    }

    fn stated(_: &Self::Specs) -> Self::Specs {
        LiteralSpec(())
    }

    fn to_any(_: &Self::Specs) -> Vec<AnySpec> {
        Vec::new()
    }

    fn from_any(_: &[AnySpec]) -> Result<Self::Specs> {
        Ok(LiteralSpec(()))
    }
}

arguments! {
    (A 0) 1;
    (A 0, B 1) 2;
    (A 0, B 1, C 2) 3;
    (A 0, B 1, C 2, D 3) 4;
    (A 0, B 1, C 2, D 3, E 4) 5;
    (A 0, B 1, C 2, D 3, E 4, F 5) 6;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6) 7;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7) 8;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8) 9;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9) 10;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10) 11;
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11) 12;
}
