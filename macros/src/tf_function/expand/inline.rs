//! `handle = none`: everything inside the function, for impls of traits.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

use super::super::model::{Argument, Mode, Model};
use super::{calls, state};
use crate::shared::types;

pub(super) fn inline(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let (attrs, vis) = (&model.attrs.public, &model.vis);
    let sig = calls::public_signature(model);
    let own = model.receiver.is_some();
    let span = calls::span(model);
    let this = quote_spanned!(site=> this);
    let mut passed = Vec::from_iter(calls::receiver(model, span));
    passed.extend(model.arguments.iter().map(|a| calls::passed(model, a, span)));
    let mut bound = Vec::from_iter(own.then(|| this.clone()));
    bound.extend(calls::locals(model, site));
    let lets = model.arguments.iter().enumerate().map(|(i, a)| unbound(model, a, i));
    let receiver = own.then(|| quote_spanned!(site=> let #this: &Self = &#this;));
    // The statements without their block: rustc would call the braces around a single expression superfluous.
    let body = match &model.body {
        TokenTree::Group(block) if block.delimiter() == Delimiter::Brace => block.stream(),
        other => quote!(#other),
    };
    let body = match own {
        true => types::replace(body, "self", &this),
        false => body,
    };
    let (passed, bound, output) =
        (calls::tuple(&passed, span), calls::tuple(&bound, site), &model.sig.output);
    let (assertions, state, lints) =
        (state::assertions(model), local_state(model), calls::lints(model));
    let method = calls::call(model, site);
    quote_spanned! {site=>
        #(#attrs)*
        #lints
        #[track_caller]
        #vis #sig {
            #assertions
            let state: &'static _ = {
                #state
            };
            state.#method(#passed, |#bound| #output {
                #receiver
                #(#lets)*
                #body
            })
        }
    }
}

/// Binds the argument to the user's own pattern and type.
fn unbound(model: &Model, argument: &Argument, i: usize) -> TokenStream {
    let (pat, ty, local) = (&argument.written.pat, &argument.ty, calls::local(i));
    let given = calls::given(model, argument, &local, Span::mixed_site());
    match argument.mode {
        Mode::Value => quote!(let #pat: #ty = #given;),
        _ => quote!(let #pat: #ty = #given;),
    }
}

fn local_state(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    if model.receiver.is_none() {
        // The type of a closure distinguishes instances, including those of an `impl` whose parameters are not known
        // here.
        let (private, options) = (model.base.private(), state::options(model));
        return quote_spanned! {site=>
            static STATES: #private::GenericStates = #private::GenericStates::new();
            STATES.of_closure(|| (), #options)
        };
    }
    let types = model.sig.generics.type_params().map(|t| &t.ident);
    let instance = quote_spanned!(site=> (fn() -> Self, #(fn() -> #types,)*));
    state::state(model, (!model.params.is_empty()).then_some(instance))
}
