//! Assertions on types, named by path with the span of the user's type.

use std::fmt::Debug;
use std::hash::Hash;

use crate::spec::{ModuleState, StaticData, Structure};

macro_rules! assertions {
    ($($(#[$attr:meta])* $name:ident: $bound:path;)*) => {
        $(#[doc = concat!("Holds where [`", stringify!($bound), "`] does; says so in other words.")]
        $(#[$attr])*
        pub trait $name {
            /// Named by the expansion.
            const CHECK: () = ();
        }

        #[diagnostic::do_not_recommend]
        impl<T: $bound> $name for T {})*
    };
}
assertions! {
    #[diagnostic::on_unimplemented(
        message = "`{Self}` can't be a field of an extension type",
        label = "neither a tensor, an extension type, nor static data",
        note = "for a type of your own derive `ExtensionType`, or `StaticData` and mark the field `#[static_data]`; in place of a module or another crate's type hold what it is made of"
    )]
    Component: Structure;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not static data",
        label = "neither a number, a text, a dtype, a shape, nor made of these",
        note = "for a type of your own derive it: `#[derive(StaticData, Clone, PartialEq)]`; in place of another crate's hold what it is made of"
    )]
    StaticField: StaticData;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is static data, which is cloned and compared",
        label = "write `#[derive(StaticData, Clone, PartialEq)]`"
    )]
    StaticValue: Lawful;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not plain data",
        label = "neither a number, a text, a dtype, a shape, nor made of these",
        note = "derive it: `#[derive(StaticData, Clone, PartialEq)]`; losses, schedules, initializers and what has variables are fields without `#[plain]`"
    )]
    PlainField: StaticData;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` can't be a field of a module",
        label = "neither a `Variable`, a `Late<Variable>`, nor a module",
        note = "for a struct of your own derive `Module` if it holds variables; if it is data derive `StaticData` and mark the field `#[plain]`: its value is then part of a trace's key"
    )]
    State: ModuleState;
    #[diagnostic::on_unimplemented(
        message = "a `TraceType` is cloned, printed, compared and hashed, and shared by threads; `{Self}` is not",
        label = "write `#[derive(TraceType, Clone, Debug, PartialEq, Eq, Hash)]`"
    )]
    ComparedByValue: Comparable;
}

/// What values need that are the types of traces.
pub trait Comparable: Clone + Debug + Eq + Hash + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Clone + Debug + Eq + Hash + Send + Sync + 'static> Comparable for T {}

/// A type that derives static data, whatever else it implements.
pub trait DerivesStaticData {}

/// A type that derives static data and implements everything that static data must.
pub trait Lawful: DerivesStaticData + Clone + PartialEq + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DerivesStaticData + Clone + PartialEq + Send + Sync + 'static> Lawful for T {}

/// Holds only for the type itself: compares an argument with the type in the signature.
#[diagnostic::on_unimplemented(
    message = "the argument is a `{Self}`, and the signature says `{T}`",
    label = "the entry is `static {Self}`"
)]
pub trait SaidToBe<T> {
    /// Named by the expansion.
    const CHECK: () = ();
}

impl<T> SaidToBe<T> for T {}
