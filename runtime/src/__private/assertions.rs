//! Assertions on types, named by path with the span of the user's type.

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
        note = "derive `ExtensionType` for it, or `StaticData` and mark the field `#[static_data]`"
    )]
    Component: Structure;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not static data",
        label = "neither a number, a text, a dtype, a shape, nor made of these",
        note = "derive it: `#[derive(StaticData, Clone, PartialEq)]`"
    )]
    StaticField: StaticData;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not plain data",
        label = "neither a number, a text, a dtype, a shape, nor made of these",
        note = "derive it: `#[derive(StaticData, Clone, PartialEq)]`; losses, schedules, initializers and what has variables are fields without `#[plain]`"
    )]
    PlainField: StaticData;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` can't be a field of a module",
        label = "neither a variable, a cell for one, nor a module",
        note = "derive `Module` for it if it holds variables; if it is data derive `StaticData` and mark the field `#[plain]`: its value is then part of a trace's key"
    )]
    State: ModuleState;
}
