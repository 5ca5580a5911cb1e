//! Options and state of a traced function.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::super::model::Model;

/// `FunctionOptions { … }`.
pub(super) fn options(model: &Model) -> TokenStream {
    let private = model.base.private();
    let name = model.name();
    let receiver = model.receiver.iter().map(|_| "self".to_string());
    let parameters = receiver.chain(model.arguments.iter().map(|a| a.text.clone()));
    let reduce_retracing = model.options.reduce_retracing;
    let signature = signature(model);
    quote_spanned! {Span::mixed_site()=>
        #private::FunctionOptions {
            name: #name,
            parameters: &[#(#parameters),*],
            reduce_retracing: #reduce_retracing,
            signature: #signature,
        }
    }
}

fn signature(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let private = model.base.private();
    let Some((_, entries)) = &model.options.signature else {
        return quote_spanned!(site=> ::core::option::Option::None);
    };
    let receiver =
        model.receiver.iter().map(|_| quote_spanned!(site=> ::core::option::Option::None));
    let entries = receiver.chain(entries.iter().map(|e| e.code(&model.base)));
    quote_spanned!(site=> ::core::option::Option::Some(|| #private::vec![#(#entries),*]))
}

/// The expression for the state: a static, or for a generic function one state an instance.
/// `instance` is a type that tells instances apart.
pub(super) fn state(model: &Model, instance: Option<TokenStream>) -> TokenStream {
    let private = model.base.private();
    let options = options(model);
    match instance {
        None => quote_spanned! {Span::mixed_site()=>
            static STATE: #private::FunctionState = #private::FunctionState::new(#options);
            &STATE
        },
        Some(instance) => quote_spanned! {Span::mixed_site()=>
            #private::generic_state::<#instance>(#options)
        },
    }
}

/// Checks at the user's types, so that rustc's messages point there.
pub(super) fn assertions(model: &Model) -> TokenStream {
    let private = model.base.private();
    let arguments = model.arguments.iter().map(|a| {
        let value = &a.value;
        quote_spanned!(a.ty.span()=> #private::argument::<#value>();)
    });
    let result = model.result.iter().map(|r| quote_spanned!(r.span()=> #private::result::<#r>();));
    quote!(const { #(#arguments)* #(#result)* })
}
