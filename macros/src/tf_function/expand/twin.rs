//! The type next to a traced function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Signature};

use super::super::model::Model;
use super::{calls, state};

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

/// The signature of the body: the lifetimes of the user's function; the other parameters are the impl's.
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

/// The parts of `concrete`: arguments, result, bounds, and the call of the body.
fn concrete(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let values = model.arguments.iter().map(|a| &a.value);
    let names: Vec<_> = (0..model.arguments.len()).map(calls::local).collect();
    let given = calls::owned(model);
    let bound = calls::tuple(&calls::locals(model, site), site);
    let (result, bounds) = (&model.result, calls::structures(model));
    quote_spanned! {site=>
        (#(#names: #values),*) -> (#result), [#bounds], |#bound| Self::__body(#(#given),*)
    }
}
