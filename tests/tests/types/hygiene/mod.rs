//! Expansions stand in any surroundings: no prelude, taken names, strict lints, another name of the
//! crate, items made by other macros.

mod by_macro;
mod lints;
mod no_prelude;
mod other_crate_name;
mod taken_names;
