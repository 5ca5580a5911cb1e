//! The type beside a traced function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, ReturnType, Signature};

use super::super::model::{Mode, Model};
use super::{calls, state};
use crate::shared::types;

pub(super) fn twin(model: &Model, handle: &Ident) -> TokenStream {
    let (base, vis, params, cfg) = (&model.base, &model.vis, &model.params, &model.attrs.cfg);
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let (slot, predicates) = (params.slot(), params.predicate_slot());
    let (body, concrete) = (body(model), concrete(model));
    let types = model.sig.generics.type_params().map(|t| &t.ident);
    let instance = (!model.params.is_empty()).then(|| quote!(Self));
    let (private, state) = (base.private(), state::state(model, instance));
    let cfg = quote!(#(#cfg)*);
    quote_spanned! {Span::mixed_site()=>
        #cfg
        #[allow(dead_code)]
        impl #declared #handle #named #clause {
            #body

            fn __function() -> &'static #private::FunctionState {
                #state
            }
        }

        #cfg
        #base::__function_handle! {
            [#slot] [#predicates] #vis #handle [#named] [#(#types,)*] #concrete
        }
    }
}

/// The user's body, token for token.
fn body(model: &Model) -> TokenStream {
    let (attrs, body) = (&model.attrs.body, &model.body);
    let sig = body_signature(model);
    quote_spanned!(Span::mixed_site()=> #(#attrs)* #[allow(clippy::unnecessary_wraps)] #sig #body)
}

/// The signature of the body: the lifetimes of the user's function, the rest is the impl's.
fn body_signature(model: &Model) -> Signature {
    let mut sig = model.sig.clone();
    sig.ident = Ident::new("__body", Span::mixed_site());
    let lifetimes =
        sig.generics.params.iter().filter(|p| matches!(p, syn::GenericParam::Lifetime(_)));
    sig.generics.params = lifetimes.cloned().collect();
    for (input, argument) in sig.inputs.iter_mut().zip(&model.arguments) {
        *input = FnArg::Typed(argument.written.clone());
    }
    sig
}

/// What `concrete` is made of: arguments, result, bounds, and the call of the body. The bounds stand
/// in the where clause, so that a function that takes a module, which has no spec to give, compiles
/// as long as nobody asks.
fn concrete(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let base = &model.base;
    let values = model.arguments.iter().map(|a| &a.value);
    let names: Vec<_> = (0..model.arguments.len()).map(calls::local).collect();
    let given = model.arguments.iter().zip(&names).map(|(a, n)| match a.mode {
        Mode::Value => quote!(#n),
        _ => quote_spanned!(site=> &#n),
    });
    let bound = calls::tuple(&calls::locals(model, site), site);
    let result = &model.result;
    // Bounds on what is in tuples and containers: one on the whole would hide from the compiler
    // what its spec is.
    let all = model.arguments.iter().map(|a| &a.ty).chain(result);
    let mut bounds: Vec<TokenStream> = Vec::new();
    for ty in all.flat_map(types::unknown_structures) {
        let bound = quote_spanned!(site=> for<'any> #ty: #base::Structure,);
        if bounds.iter().all(|b| b.to_string() != bound.to_string()) {
            bounds.push(bound);
        }
    }
    // Of another error type the function that users call has told.
    if let ReturnType::Type(_, output) = &model.sig.output {
        let private = base.private();
        bounds.push(quote_spanned!(site=> for<'any> #output: #private::Returned<Value = #result>,));
    }
    quote_spanned! {site=>
        (#(#names: #values),*) -> (#result), [#(#bounds)*], |#bound| Self::__body(#(#given),*)
    }
}
