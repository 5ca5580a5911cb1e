//! `compounds!`: ops that are functions of other ops, with arguments of any type.

mod expand;
mod parse;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::shared::Diagnostics;

/// The items of all functions, and the methods.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::new();
    let block: Option<parse::Block> = diagnostics.ok_or_report(syn::parse2(input));
    let mut tokens = diagnostics.finish();
    tokens.extend(block.as_ref().map(expand::all));
    tokens
}
