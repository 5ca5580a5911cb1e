//! The public function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::model::Model;
use super::{calls, state};

/// The function that users call.
pub(super) fn function(model: &Model, handle: &Ident) -> TokenStream {
    let (attrs, vis) = (&model.attrs.public, &model.vis);
    let mut sig = calls::public_signature(model);
    // Together with the user's own bounds, if any: clippy wants them all in one place.
    let mut bare = Vec::new();
    for t in sig.generics.type_params_mut() {
        match t.bounds.is_empty() {
            true => bare.push(t.ident.clone()),
            false => t.bounds.push(syn::parse_quote!('static)),
        }
    }
    for ident in bare {
        let clause = sig.generics.make_where_clause();
        clause.predicates.push(syn::parse_quote!(#ident: 'static));
    }
    let span = calls::users_span(model);
    let twin = {
        let mut handle = handle.clone();
        handle.set_span(handle.span().located_at(span));
        let turbofish = model.params.turbofish();
        quote!(#handle #turbofish)
    };
    let passed: Vec<_> = model.arguments.iter().map(|a| calls::passed(model, a, span)).collect();
    let bound = calls::locals(model, span);
    let given = calls::all_given(model, span);
    let (passed, bound) = (calls::tuple(&passed, span), calls::tuple(&bound, span));
    let (lints, docs, assertions) =
        (calls::lints(model), docs(model, handle), state::assertions(model));
    let method = calls::call(model, span);
    let call = quote_spanned!(span=> #twin::__function().#method(#passed, |#bound| #twin::__body(#(#given),*)));
    quote_spanned! {Span::mixed_site()=>
        #(#attrs)*
        #docs
        #lints
        #[track_caller]
        #vis #sig {
            #assertions
            #call
        }
    }
}

fn docs(model: &Model, handle: &Ident) -> TokenStream {
    calls::docs(
        model,
        &format!(
            "Traced once for each signature. The type `{handle}` of the same module tells of the traces: \
             `{handle}::trace_count()`, `{handle}::signatures()`, `{handle}::captures()`, \
             `{handle}::concrete(…)`, `{handle}::clear()`."
        ),
    )
}
