//! What all macros need: errors, options, names, bounds, docs, aliases.

pub(crate) mod aliases;
pub(crate) mod attrs;
pub(crate) mod base;
pub(crate) mod diagnostics;
pub(crate) mod docs;
pub(crate) mod entry;
pub(crate) mod generics;
pub(crate) mod options;
pub(crate) mod suggest;
pub(crate) mod tensor_type;
pub(crate) mod types;

#[cfg(test)]
pub(crate) mod testing;

pub(crate) use base::Base;
pub(crate) use diagnostics::Diagnostics;
