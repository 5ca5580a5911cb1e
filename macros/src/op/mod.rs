//! `define_op!`: rows of the op table.

mod check;
mod expand;
mod model;
mod parse;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::shared::Diagnostics;

/// The items of all rows, also after errors.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let table: parse::Table = match syn::parse2(input) {
        Ok(table) => table,
        Err(e) => return e.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let model = model::of(table, &mut diagnostics);
    check::all(&model, &mut diagnostics);
    let severe = diagnostics.is_severe();
    let mut tokens = diagnostics.finish();
    if !severe {
        tokens.extend(expand::all(&model));
    }
    tokens
}
