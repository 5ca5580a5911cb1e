//! The fixed parts of the macros' expansions, with named slots. Hand-written implementations may
//! use them too. Generics and predicates end with a comma.

/// The traits of a derived spec other than `Clone`, all implemented by way of its tree.
#[doc(hidden)]
#[macro_export]
macro_rules! __spec_traits {
    ([$($g:tt)*] $spec:ty, [$($w:tt)*]) => {
        impl<$($g)*> ::core::cmp::PartialEq for $spec where $($w)* {
            fn eq(&self, other: &Self) -> bool {
                $crate::TypeSpec::to_any(self) == $crate::TypeSpec::to_any(other)
            }
        }

        impl<$($g)*> ::core::cmp::Eq for $spec where $($w)* {}

        impl<$($g)*> ::core::hash::Hash for $spec where $($w)* {
            fn hash<H__: ::core::hash::Hasher>(&self, state: &mut H__) {
                ::core::hash::Hash::hash(&$crate::TypeSpec::to_any(self), state);
            }
        }

        impl<$($g)*> ::core::fmt::Debug for $spec where $($w)* {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&$crate::TypeSpec::to_any(self), f)
            }
        }

        impl<$($g)*> ::core::fmt::Display for $spec where $($w)* {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&$crate::TypeSpec::to_any(self), f)
            }
        }

        impl<$($g)*> $crate::__private::PassedWhole for $spec where $($w)* {}

        $crate::__spec_serde!([$($g)*] $spec, [$($w)*]);
    };
}

/// Without the feature `serde` derived specs have no serde.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __spec_serde {
    ($($any:tt)*) => {};
}

/// Derived specs serialize as their trees do.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! __spec_serde {
    ([$($g:tt)*] $spec:ty, [$($w:tt)*]) => {
        impl<$($g)*> $crate::__private::serde::Serialize for $spec where $($w)* {
            fn serialize<S__: $crate::__private::serde::Serializer>(
                &self,
                serializer: S__,
            ) -> ::core::result::Result<S__::Ok, S__::Error> {
                $crate::__private::serde::Serialize::serialize(
                    &$crate::TypeSpec::to_any(self),
                    serializer,
                )
            }
        }

        impl<'de__, $($g)*> $crate::__private::serde::Deserialize<'de__> for $spec where $($w)* {
            fn deserialize<D__: $crate::__private::serde::Deserializer<'de__>>(
                deserializer: D__,
            ) -> ::core::result::Result<Self, D__::Error> {
                $crate::__private::typed_spec(deserializer)
            }
        }
    };
}

/// `ExtensionType` and what goes with it: operands, operators, registration.
#[doc(hidden)]
#[macro_export]
macro_rules! __extension_type {
    ([] $t:ty, [$($w:tt)*], $name:expr, $short:literal, $own:literal, {$($check:tt)*} {$($probe:tt)*} $(, #[$attr:meta])?) => {
        $(#[$attr])?
        impl $crate::ExtensionType for $t where $($w)* {
            fn class() -> $crate::__private::Arc<$crate::__private::Class> {
                static CLASS: $crate::__private::OnceLock<
                    $crate::__private::Arc<$crate::__private::Class>,
                > = $crate::__private::OnceLock::new();
                ::core::clone::Clone::clone(
                    CLASS.get_or_init(|| $crate::__private::new_class::<$t>($name, $short, $own)),
                )
            }

            $($check)*
        }

        const _: () = {
            #[allow(unused_imports)]
            use $crate::__private::NoClass as _;

            $($probe)*
            $crate::__private::inventory::submit! {
                $crate::__private::SpecEntry {
                    class: $crate::__private::ClassOf::<$t>::CLASS,
                    location: || ::core::panic::Location::caller(),
                }
            }
        };

        // The operand impls need no predicates on the fields, which would be proved again for each impl.
        $crate::__extension_type!(@ops [] $t, [] $(, #[$attr])?);
    };
    ([$($g:tt)+] $t:ty, [$($w:tt)*], $name:expr, $short:literal, $own:literal, {$($check:tt)*} {} $(, #[$attr:meta])?) => {
        $(#[$attr])?
        impl<$($g)+> $crate::ExtensionType for $t where $($w)* {
            fn class() -> $crate::__private::Arc<$crate::__private::Class> {
                $crate::__private::generic_class::<Self>($name, $short, $own)
            }

            $($check)*
        }

        $crate::__extension_type!(@ops [$($g)+] $t, [$($w)*] $(, #[$attr])?);
    };
    (@ops [$($g:tt)*] $t:ty, [$($w:tt)*] $(, #[$attr:meta])?) => {
        $(#[$attr])?
        impl<$($g)*> $crate::ops::Operand for $t where $($w)* {
            type Value = $t;

            fn operand(&self) -> $crate::Result<$crate::ops::Lent<'_, $t>> {
                ::core::result::Result::Ok($crate::ops::Lent::Borrowed(self))
            }
        }

        $(#[$attr])?
        impl<$($g)*> $crate::ops::Operand for &$t where $($w)* {
            type Value = $t;

            fn operand(&self) -> $crate::Result<$crate::ops::Lent<'_, $t>> {
                ::core::result::Result::Ok($crate::ops::Lent::Borrowed(self))
            }
        }

        impl<$($g)*> $crate::ops::HasMethods for $t where $($w)* {}

        $crate::__operators!([$($g)*] $t, [$($w)*]);
        $crate::__unary_operators!([$($g)*] $t, [$($w)*]);
    };
}

/// `-&m`, `!&m`. `for<'x>` lets the bound be false for a concrete type (the impl then does not apply).
#[doc(hidden)]
#[macro_export]
macro_rules! __unary_operators {
    ([$($g:tt)*] $t:ty, [$($w:tt)*]) => {
        $crate::__unary_operators!(@one [$($g)*] $t, [$($w)*], Neg neg neg, $t);
        $crate::__unary_operators!(@one [$($g)*] $t, [$($w)*], Neg neg neg, &$t);
        $crate::__unary_operators!(@one [$($g)*] $t, [$($w)*], Not not not, $t);
        $crate::__unary_operators!(@one [$($g)*] $t, [$($w)*], Not not not, &$t);
    };
    (@one [$($g:tt)*] $t:ty, [$($w:tt)*], $trait:ident $method:ident $op:ident, $operand:ty) => {
        impl<$($g)*> ::core::ops::$trait for $operand
        where
            for<'x> $crate::ops::$op: $crate::ops::Takes1<$t>,
            $($w)*
        {
            type Output = $crate::__private::UnaryOutput<$crate::ops::$op, $t>;

            #[track_caller]
            fn $method(self) -> Self::Output {
                $crate::__private::unary::<$crate::ops::$op, $t>(&self)
            }
        }
    };
}

/// `2.0 * &m`, for a type that takes a tensor on the left: plain floats are `f64`, plain integers
/// `i64`.
#[doc(hidden)]
#[macro_export]
macro_rules! __number_operators {
    ($g:tt $t:ty, $w:tt, $($trait:ident $method:ident $op:ident $numbers:tt),*) => {
        $($crate::__number_operators!(@all $g $t, $w, $trait $method $op, $numbers);)*
    };
    (@all $g:tt $t:ty, $w:tt, $trait:ident $method:ident $op:ident, [$($host:ty),*]) => {
        $($crate::__number_operators!(@one $g $t, $w, $trait $method $op, $host, $t);
        $crate::__number_operators!(@one $g $t, $w, $trait $method $op, $host, &$t);)*
    };
    (@one [$($g:tt)*] $t:ty, [$($w:tt)*], $trait:ident $method:ident $op:ident, $host:ty, $right:ty) => {
        impl<$($g)*> ::core::ops::$trait<$right> for $host where $($w)* {
            type Output = $crate::__private::BinaryOutput<$crate::ops::$op, $crate::Tensor, $t>;

            #[track_caller]
            fn $method(self, rhs: $right) -> Self::Output {
                $crate::__private::with_number::<$crate::ops::$op, _, $t>(self, &rhs)
            }
        }
    };
}

/// Implements `+=` and the like by way of the operators, for owned values of a type that overrides
/// binary ops; used by `#[dispatch]`.
#[doc(hidden)]
#[macro_export]
macro_rules! __assigning_operators {
    ($g:tt $t:ty, $w:tt, $($trait:ident $method:ident $op:ident $by:ident),*) => {
        $($crate::__assigning_operators!(@one $g $t, $w, $trait $method $op $by);)*
    };
    (@one [$($g:tt)*] $t:ty, [$($w:tt)*], $trait:ident $method:ident $op:ident $by:ident) => {
        impl<$($g)* Rhs__> ::core::ops::$trait<Rhs__> for $t
        where
            for<'a> &'a $t: ::core::ops::$op<Rhs__, Output = $t>,
            $($w)*
        {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs__) {
                *self = ::core::ops::$op::$by(&*self, rhs);
            }
        }
    };
}

/// A name for the op that a user named by its type or (after `fn`) by its function. It is looked for
/// in `extype::ops` first, then in the surrounding scope.
#[doc(hidden)]
#[macro_export]
macro_rules! __overridden {
    ($alias:ident = fn $name:path) => {
        $crate::__overridden!(@op $alias, <$name as $crate::__private::NamedBy<$alias>>::Op);
    };
    ($alias:ident = $op:path) => { $crate::__overridden!(@op $alias, $op); };
    (@op $alias:ident, $op:ty) => {
        enum $alias {}

        const _: () = {
            #[allow(unused_imports)]
            use $crate::{numpy::*, ops::*};

            impl $crate::__private::Overridden for $alias {
                type Op = $op;
            }
        };
    };
}

/// Placeholder impls for a derive that reported errors.
#[doc(hidden)]
#[macro_export]
macro_rules! __broken {
    ([$($g:tt)*] $t:ty) => {
        impl<$($g)*> $crate::Structure for $t {
            type Spec = $crate::__private::Broken<Self>;

            fn spec_in(&self, _: &mut $crate::__private::SpecContext) -> Self::Spec {
                ::core::unreachable!()
            }
            fn has_spec(&self, _: &Self::Spec, _: &mut $crate::__private::SpecContext) -> bool {
                ::core::unreachable!()
            }
            fn leaves<'a>(&'a self, _: &mut $crate::__private::Leaves<'a>) {}
            fn into_leaves(self, _: &mut $crate::__private::Vec<$crate::Tensor>) {}
            fn from_leaves(
                _: &Self::Spec,
                _: &mut $crate::__private::LeafIter,
            ) -> $crate::Result<Self> {
                ::core::unreachable!()
            }
        }

        impl<$($g)*> $crate::ExtensionType for $t {
            fn class() -> $crate::__private::Arc<$crate::__private::Class> {
                ::core::unreachable!()
            }
        }

        $crate::__extension_type!(@ops [$($g)*] $t, []);
    };
}

/// Static data as a structure without tensors.
#[doc(hidden)]
#[macro_export]
macro_rules! __static_structure {
    ([$($g:tt)*] $t:ty, [$($w:tt)*] $(, #[$attr:meta])?) => {
        $(#[$attr])?
        impl<$($g)*> $crate::Structure for $t where $($w)* {
            type Spec = $crate::__private::LiteralSpec<$t>;

            fn spec_in(&self, _: &mut $crate::__private::SpecContext) -> $crate::__private::LiteralSpec<$t> {
                $crate::__private::LiteralSpec(::core::clone::Clone::clone(self))
            }

            fn has_spec(
                &self,
                spec: &$crate::__private::LiteralSpec<$t>,
                _: &mut $crate::__private::SpecContext,
            ) -> bool {
                $crate::__private::same_static(self, &spec.0)
            }

            #[inline]
            fn mix_spec(&self, fingerprint: &mut $crate::__private::Fingerprint) {
                $crate::__private::mix_static(self, fingerprint);
            }

            fn leaves<'a>(&'a self, _: &mut $crate::__private::Leaves<'a>) {}

            fn into_leaves(self, _: &mut $crate::__private::Vec<$crate::Tensor>) {}

            fn from_leaves(
                spec: &$crate::__private::LiteralSpec<$t>,
                _: &mut $crate::__private::LeafIter,
            ) -> $crate::Result<Self> {
                ::core::result::Result::Ok(::core::clone::Clone::clone(&spec.0))
            }
        }
    };
}

/// The type beside a traced function, with the associated functions.
#[doc(hidden)]
#[macro_export]
macro_rules! __function_handle {
    (
        [$($g:tt)*] [$($w:tt)*] $vis:vis $twin:ident [$($named:tt)*] [$($param:ident,)*]
        ($($arg:ident: $value:ty),*) -> ($result:ty), [$($bounds:tt)*], $call:expr
    ) => {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
        $vis struct $twin<$($g)*> where $($w)* {
            never: ::core::convert::Infallible,
            parameters: ::core::marker::PhantomData<fn() -> ($($param,)*)>,
        }

        #[allow(dead_code)]
        impl<$($g)*> $twin $($named)* where $($w)* {
            /// How many times the function was traced.
            $vis fn trace_count() -> usize {
                Self::__function().trace_count()
            }

            /// The types that the function was traced for, one tuple per trace.
            $vis fn signatures() -> $crate::__private::Vec<$crate::__private::AnySpec> {
                Self::__function().signatures()
            }

            /// Descriptions of what the traces capture.
            $vis fn captures() -> $crate::__private::Vec<$crate::__private::String> {
                Self::__function().captures()
            }

            /// Calls the function with plain values: numbers, arrays and nested lists become tensors of the dtypes that
            /// the signature gives.
            ///
            /// # Errors
            /// `InvalidArgument` for values that do not fit; what the function fails with.
            #[track_caller]
            $vis fn call(
                arguments: impl $crate::__private::CastAll<($($value,)*)>,
            ) -> $crate::Result<$result>
            where
                $($bounds)*
            {
                let ($($arg,)*) = Self::__function().cast::<($($value,)*)>(arguments)?;
                let body = $crate::__private::taking::<($($value,)*), _>($call);
                let arguments = ($(&$crate::__private::Cast(&$arg),)*);
                $crate::__private::Returned::into_result(Self::__function().call(arguments, body))
            }

            /// Calls the function, and returns also what the options ask for, such as a profile of the run.
            ///
            /// # Errors
            /// What the function fails with; `FailedPrecondition` for a profile in a trace or under a tape.
            #[track_caller]
            $vis fn run_with(
                $($arg: &$value,)*
                options: $crate::function::RunOptions,
            ) -> $crate::Result<($result, $crate::function::Profile)>
            where
                $($bounds)*
            {
                let body = $crate::__private::taking::<($($value,)*), _>($call);
                let arguments = ($(&$crate::__private::Cast($arg),)*);
                Self::__function().run_with(arguments, options, body)
            }

            /// How often the function was called and traced, and why.
            $vis fn stats() -> $crate::function::Stats {
                Self::__function().stats()
            }

            /// Drops the traces for these types, such as one of `signatures`. Returns their number.
            $vis fn remove(signature: &$crate::__private::AnySpec) -> usize {
                Self::__function().remove(signature)
            }

            /// Drops all traces; the next call traces anew.
            $vis fn clear() {
                Self::__function().clear();
            }

            /// The trace for arguments of these types, made if it is not there.
            ///
            /// # Errors
            /// What the body fails with while it is traced.
            $vis fn concrete(
                $($arg: &<$value as $crate::Structure>::Spec),*
            ) -> $crate::Result<$crate::ConcreteFunction>
            where
                $($bounds)*
            {
                Self::__function().concrete::<($($value,)*), _>(
                    $crate::__function_handle!(@specs $($arg)*),
                    $call,
                )
            }
        }
    };
    (@specs) => { $crate::Structure::type_spec(&()) };
    (@specs $($arg:ident)+) => { ($(::core::clone::Clone::clone($arg),)+) };
}
