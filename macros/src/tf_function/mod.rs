//! `#[tf_function]`.

mod check;
mod expand;
mod model;
mod parse;
mod signature;
#[cfg(test)]
mod tests;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ReturnType;

use crate::autograph;
use crate::shared::{Diagnostics, types};

/// The function without its body, which may be full of consequences of the reported error.
fn without_body(item: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = item.into_iter().collect();
    trees.pop();
    let mut tokens = quote::quote!(#[allow(unused, clippy::all)]);
    tokens.extend(trees);
    tokens.extend(quote::quote!({ ::core::unimplemented!() }));
    tokens
}

/// Converts the control flow of the body.
fn convert(model: &mut model::Model, diagnostics: &mut Diagnostics) {
    let parameters = model.arguments.iter().map(|a| (&*a.written.pat, &*a.written.ty));
    let result = match &model.sig.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    let body = model.body.to_token_stream();
    let (converted, errors) = autograph::convert(&model.base, parameters, result, &body);
    errors.into_iter().for_each(|e| diagnostics.syntax(e));
    let Some(converted) = converted else { return };
    // Code for tensors is unreachable for plain values, and the other way round. The value of a diverging arm is bound
    // to a variable.
    let lint: syn::Attribute =
        syn::parse_quote!(#[allow(unreachable_code, clippy::diverging_sub_expression)]);
    let inline = model.handle().is_none();
    let attrs = &mut model.attrs;
    if inline { &mut attrs.public } else { &mut attrs.body }.push(lint);
    let mut trees = converted.into_iter();
    model.body = match (trees.next(), trees.next()) {
        (Some(block), None) => block,
        (first, second) => {
            let all = first.into_iter().chain(second).chain(trees).collect();
            TokenTree::Group(Group::new(Delimiter::Brace, all))
        }
    };
}

/// The traced function; after errors the function without its body.
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
    // The other attribute traces the function.
    let is_own = |path: &syn::Path| path.segments.last().is_some_and(|s| s.ident == "tf_function");
    if let Some(second) = parsed.attrs.iter().find(|attr| is_own(attr.path())) {
        diagnostics.severe(
            second,
            "`#[tf_function]` stands twice before the function",
            "write one, with all options",
        );
        let mut tokens = diagnostics.finish();
        tokens.extend(item);
        return tokens;
    }
    let mut model = model::Model::new(parsed, options);
    check::check(&model, &mut diagnostics);
    if model.options.autograph {
        convert(&mut model, &mut diagnostics);
    }
    let severe = diagnostics.is_severe();
    let mut tokens = diagnostics.finish();
    tokens.extend(match severe {
        false => expand::all(&model),
        // No body in its place can have such a return type.
        true if types::mentions(&model.sig.output, &[format_ident!("impl")]) => item,
        true => without_body(item),
    });
    tokens
}
