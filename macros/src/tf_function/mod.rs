//! `#[tf_function]`.

mod check;
mod expand;
mod model;
mod parse;
mod signature;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::shared::Diagnostics;

/// The traced function; after errors the function as it was.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::new();
    let options = parse::options(args, &mut diagnostics);
    let parsed: parse::Raw = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(e) => {
            diagnostics.syntax(e);
            let mut tokens = diagnostics.finish();
            tokens.extend(item);
            return tokens;
        }
    };
    let model = model::Model::new(parsed, options);
    check::check(&model, &mut diagnostics);
    let severe = diagnostics.is_severe();
    let mut tokens = diagnostics.finish();
    tokens.extend(if severe { item } else { expand::all(&model) });
    tokens
}
