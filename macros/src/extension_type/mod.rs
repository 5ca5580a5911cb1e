//! `#[derive(ExtensionType)]`.

mod check;
mod expand;
mod model;
mod parse;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use crate::shared::Diagnostics;

/// The impls for the item, or broken impls after severe errors.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(e) => return e.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::new();
    let raw = parse::parse(&input, &mut diagnostics);
    let model = model::Model::new(raw);
    check::check(&model, &mut diagnostics);
    let output = match diagnostics.is_severe() {
        true => expand::broken(&model),
        false => expand::all(&model),
    };
    let mut tokens = diagnostics.finish();
    tokens.extend(output);
    tokens
}
