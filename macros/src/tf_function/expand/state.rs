//! Options and state of a traced function.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

use super::super::check::both_plain;
use super::super::model::{Mode, Model};
use super::super::signature::Entry;
use super::calls;
use crate::shared::types;

/// `FunctionOptions::new(…)`.
pub(super) fn options(model: &Model) -> TokenStream {
    let private = model.base.private();
    let name = model.name();
    let receiver = model.receiver.iter().map(|_| "self".to_string());
    let parameters = receiver.chain(model.arguments.iter().map(|a| a.text.clone()));
    let site = Span::mixed_site();
    let reduce_retracing =
        model.options.reduce_retracing.then(|| quote_spanned!(site=> .reduce_retracing()));
    let max_traces =
        model.options.max_traces.iter().map(|n| quote_spanned!(site=> .max_traces(#n)));
    let signature = signature(model);
    quote_spanned! {site=>
        #private::FunctionOptions::new(#name, &[#(#parameters),*])
            #reduce_retracing
            #(#max_traces)*
            #signature
    }
}

fn signature(model: &Model) -> Option<TokenStream> {
    let site = Span::mixed_site();
    let private = model.base.private();
    let (_, entries) = model.options.signature.as_ref()?;
    let receiver =
        model.receiver.iter().map(|_| quote_spanned!(site=> ::core::option::Option::None));
    let entries = receiver.chain(entries.iter().map(|e| e.code(&model.base)));
    Some(quote_spanned!(site=> .signature(|| #private::vec![#(#entries),*])))
}

/// The expression for the state: a static, or one state per instance of a generic function. `instance` is a type that
/// distinguishes the instances.
pub(super) fn state(model: &Model, instance: Option<TokenStream>) -> TokenStream {
    let private = model.base.private();
    let options = options(model);
    match instance {
        None => quote_spanned! {Span::mixed_site()=>
            static STATE: #private::FunctionState = #private::FunctionState::new(#options);
            &STATE
        },
        Some(instance) => quote_spanned! {Span::mixed_site()=>
            static STATES: #private::GenericStates = #private::GenericStates::new();
            STATES.of::<#instance>(#options)
        },
    }
}

/// Checks at the user's types, so that rustc's messages point there. They stand in the public function and are left out
/// for types known by name.
pub(super) fn assertions(model: &Model) -> TokenStream {
    let (base, private) = (&model.base, model.base.private());
    let receiver = model
        .receiver
        .iter()
        .map(|r| quote_spanned!(r.self_token.span.resolved_at(Span::mixed_site())=> let _ = <Self as #private::Argument>::argument_spec;));
    let unknown = |ty: &Type| !types::is_known_structure(ty);
    let arguments = model.arguments.iter().filter(|a| unknown(&a.ty)).map(|a| {
        let value = &a.value;
        let span = calls::type_span(a);
        quote_spanned!(span=> let _ = <#value as #private::Argument>::argument_spec;)
    });
    let result = model.result.iter().filter(|r| unknown(r)).map(|r| {
        let span = r.span();
        quote_spanned!(span=> let _ = <#r as #base::Structure>::spec_in;)
    });
    let entries = model.options.signature.iter().flat_map(|(_, entries)| entries);
    let said = entries.zip(&model.arguments).filter_map(|(entry, a)| match (entry, a.mode) {
        (Entry::Static(ty), Mode::Ref | Mode::Value)
            if !both_plain(ty, types::value(&a.ty))
                && !types::is_named(types::value(&a.ty), "Tensor") =>
        {
            let value = &a.value;
            Some(quote_spanned!(ty.span()=> let () = <#value as #private::SaidToBe<#ty>>::CHECK;))
        }
        _ => None,
    });
    quote!(#(#receiver)* #(#arguments)* #(#result)* #(#said)*)
}
