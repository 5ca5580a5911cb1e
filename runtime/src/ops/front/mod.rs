//! The typed front: for each op a free function, generic over its operands, a method of [`Tensor`]
//! and a method of extension types.

mod arranging;
mod composite;
mod counts;
mod creation;
mod diagonal;
mod einsum;
mod elementwise;
mod linear;
mod losses;
mod ordering;
mod other;
mod reduction;
mod scatter;
mod shaping;
mod slicing;
mod statistics;

pub use arranging::*;
pub use composite::*;
pub use counts::*;
pub use creation::*;
pub use diagonal::*;
pub use einsum::*;
pub use elementwise::*;
pub use linear::*;
pub use losses::*;
pub use ordering::*;
pub use other::*;
pub use reduction::*;
pub use scatter::*;
pub use shaping::*;
pub use slicing::*;
pub use statistics::*;

/// Methods of extension types, a trait a subject; `#[derive(ExtensionType)]` implements them all,
/// and [`Tensor`](crate::Tensor) has its own. (An impl for every operand would reach host numbers too and hide
/// the methods of `&f64`.)
pub mod methods {
    pub use super::arranging::Arranging;
    pub use super::diagonal::Diagonal;
    pub use super::einsum::Contracting;
    pub use super::elementwise::Elementwise;
    pub use super::linear::Linear;
    pub use super::ordering::Ranking;
    pub use super::reduction::Reducing;
    pub use super::scatter::Scattering;
    pub use super::shaping::Shaping;
    pub use super::slicing::Slicing;
}

/// Rows `name(operands; arguments) => Op { fields };`, where the operands are `x`, `x, y`,
/// `x, y, z` or a sequence `[xs]`, and an op without fields is made by `Default`.
///
/// `functions { … }` makes free functions. `methods of Trait { … }` adds methods of [`Tensor`] and,
/// in that trait, of extension types; their receiver is the first operand.
macro_rules! front {
    (functions { $($(#[doc = $doc:literal])* $name:ident $sig:tt => $op:ident $({ $($field:tt)* })?;)* }) => {
        $(front!(@function [$(#[doc = $doc])*] $name $sig $op [$({ $($field)* })?]);)*
    };
    ($(#[doc = $about:literal])* methods of $methods:ident {
        $($(#[doc = $doc:literal])* $name:ident $sig:tt => $op:ident $({ $($field:tt)* })?;)*
    }) => {
        $(front!(@function [$(#[doc = $doc])*] $name $sig $op [$({ $($field)* })?]);)*

        impl Tensor {
            $(front!(@tensor $name $sig $op);)*
        }

        $(#[doc = $about])*
        pub trait $methods: Operand {
            $(front!(@extension $name $sig $op);)*
        }
    };

    (@make $op:ident []) => { <$op as ::core::default::Default>::default() };
    (@make $op:ident [{ $($field:tt)* }]) => { $op { $($field)* } };

    (@function [$($doc:tt)*] $name:ident ($x:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident $make:tt) => {
        #[doc = concat!("Calls [`", stringify!($op), "`].")]
        ///
        $($doc)*
        ///
        /// # Errors
        /// `InvalidArgument` for a dtype, shape or argument that the op does not take.
        #[track_caller]
        pub fn $name<X: Operand>($x: X $(, $($arg: $ty),+)?) -> Result<<X::Value as Apply1<$op>>::Output>
        where
            X::Value: Apply1<$op>,
        {
            let _site = call_site();
            X::Value::apply1(&front!(@make $op $make), &*$x.operand()?)
        }
    };
    (@function [$($doc:tt)*] $name:ident ($x:ident, $y:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident $make:tt) => {
        #[doc = concat!("Calls [`", stringify!($op), "`].")]
        ///
        $($doc)*
        ///
        /// # Errors
        /// `InvalidArgument` for dtypes, shapes or arguments that the op does not take.
        #[track_caller]
        pub fn $name<X: Operand, Y: Operand>(
            $x: X, $y: Y $(, $($arg: $ty),+)?
        ) -> Result<<X::Value as Apply2<Y::Value, $op>>::Output>
        where
            X::Value: Apply2<Y::Value, $op>,
        {
            let _site = call_site();
            X::Value::apply2(&front!(@make $op $make), &*$x.operand()?, &*$y.operand()?)
        }
    };
    (@function [$($doc:tt)*] $name:ident ($x:ident, $y:ident, $z:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident $make:tt) => {
        #[doc = concat!("Calls [`", stringify!($op), "`].")]
        ///
        $($doc)*
        ///
        /// # Errors
        /// `InvalidArgument` for dtypes, shapes or arguments that the op does not take.
        #[track_caller]
        pub fn $name<X: Operand, Y: Operand, Z: Operand>(
            $x: X, $y: Y, $z: Z $(, $($arg: $ty),+)?
        ) -> Result<<X::Value as Apply3<Y::Value, Z::Value, $op>>::Output>
        where
            X::Value: Apply3<Y::Value, Z::Value, $op>,
        {
            let _site = call_site();
            X::Value::apply3(&front!(@make $op $make), &*$x.operand()?, &*$y.operand()?, &*$z.operand()?)
        }
    };
    (@function [$($doc:tt)*] $name:ident ([$xs:ident] $(; $($arg:ident: $ty:ty),+)?) $op:ident $make:tt) => {
        #[doc = concat!("Calls [`", stringify!($op), "`].")]
        ///
        $($doc)*
        ///
        /// # Errors
        /// `InvalidArgument` for an empty list, and dtypes, shapes or arguments that the op does
        /// not take.
        #[track_caller]
        pub fn $name<I: Items<$op>>($xs: I $(, $($arg: $ty),+)?) -> Result<I::Output> {
            let _site = call_site();
            $xs.apply(&front!(@make $op $make))
        }
    };

    (@tensor $name:ident ($x:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident) => {
        #[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
        ///
        /// # Errors
        /// As the function.
        #[track_caller]
        pub fn $name(&self $(, $($arg: $ty),+)?) -> Result<<Tensor as Apply1<$op>>::Output> {
            $name(self $(, $($arg),+)?)
        }
    };
    (@tensor $name:ident ($x:ident, $y:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident) => {
        #[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
        ///
        /// # Errors
        /// As the function.
        #[track_caller]
        pub fn $name<Y: Operand>(
            &self, $y: Y $(, $($arg: $ty),+)?
        ) -> Result<<Tensor as Apply2<Y::Value, $op>>::Output>
        where
            Tensor: Apply2<Y::Value, $op>,
        {
            $name(self, $y $(, $($arg),+)?)
        }
    };
    (@tensor $name:ident ($x:ident, $y:ident, $z:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident) => {
        #[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
        ///
        /// # Errors
        /// As the function.
        #[track_caller]
        pub fn $name<Y: Operand, Z: Operand>(
            &self, $y: Y, $z: Z $(, $($arg: $ty),+)?
        ) -> Result<<Tensor as Apply3<Y::Value, Z::Value, $op>>::Output>
        where
            Tensor: Apply3<Y::Value, Z::Value, $op>,
        {
            $name(self, $y, $z $(, $($arg),+)?)
        }
    };

    (@extension $name:ident ($x:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident) => {
        #[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
        ///
        /// # Errors
        /// As the function.
        #[track_caller]
        fn $name(&self $(, $($arg: $ty),+)?) -> Result<<Self::Value as Apply1<$op>>::Output>
        where
            Self::Value: Apply1<$op>,
        {
            $name(self.operand()? $(, $($arg),+)?)
        }
    };
    (@extension $name:ident ($x:ident, $y:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident) => {
        #[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
        ///
        /// # Errors
        /// As the function.
        #[track_caller]
        fn $name<Y: Operand>(
            &self, $y: Y $(, $($arg: $ty),+)?
        ) -> Result<<Self::Value as Apply2<Y::Value, $op>>::Output>
        where
            Self::Value: Apply2<Y::Value, $op>,
        {
            $name(self.operand()?, $y $(, $($arg),+)?)
        }
    };
    (@extension $name:ident ($x:ident, $y:ident, $z:ident $(; $($arg:ident: $ty:ty),+)?) $op:ident) => {
        #[doc = concat!("[`", stringify!($op), "`]: see [`ops::", stringify!($name), "`](crate::ops::", stringify!($name), "()).")]
        ///
        /// # Errors
        /// As the function.
        #[track_caller]
        fn $name<Y: Operand, Z: Operand>(
            &self, $y: Y, $z: Z $(, $($arg: $ty),+)?
        ) -> Result<<Self::Value as Apply3<Y::Value, Z::Value, $op>>::Output>
        where
            Self::Value: Apply3<Y::Value, Z::Value, $op>,
        {
            $name(self.operand()?, $y, $z $(, $($arg),+)?)
        }
    };
}
use front;
