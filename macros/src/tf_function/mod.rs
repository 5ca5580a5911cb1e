//! `#[tf_function]`.

mod check;
mod expand;
mod model;
mod parse;
mod signature;
#[cfg(test)]
mod tests;

use proc_macro2::{TokenStream, TokenTree};

use crate::shared::Diagnostics;

/// The function without the qualifier, which was refused: its body is not `const`.
fn without_const(item: TokenStream) -> TokenStream {
    let mut before = true;
    let kept = item.into_iter().filter(|t| match t {
        TokenTree::Ident(ident) => {
            before &= ident != "fn";
            !(before && ident == "const")
        }
        _ => true,
    });
    kept.collect()
}

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
    tokens.extend(if severe { without_const(item) } else { expand::all(&model) });
    tokens
}
