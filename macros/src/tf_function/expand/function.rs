//! The public function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::model::Model;
use super::calls;

/// The function that users call.
pub(super) fn function(model: &Model, handle: &Ident) -> TokenStream {
    let (attrs, vis) = (&model.attrs.public, &model.vis);
    let mut sig = calls::public_signature(model);
    for t in model.sig.generics.type_params() {
        let ident = &t.ident;
        let clause = sig.generics.make_where_clause();
        clause.predicates.push(syn::parse_quote!(#ident: 'static));
    }
    let twin = {
        let turbofish = model.params.turbofish();
        quote!(#handle #turbofish)
    };
    let passed: Vec<_> = model.arguments.iter().map(|a| calls::passed(model, a)).collect();
    let locals: Vec<_> = (0..passed.len()).map(calls::local).collect();
    let bound: Vec<_> = locals.iter().map(|l| quote!(#l)).collect();
    let given = model.arguments.iter().zip(&locals).map(|(a, l)| calls::given(model, a, l));
    let (passed, bound) = (calls::tuple(&passed), calls::tuple(&bound));
    let (lints, docs) = (calls::lints(model), docs(model, handle));
    quote_spanned! {Span::mixed_site()=>
        #(#attrs)*
        #docs
        #lints
        #vis #sig {
            #twin::__function().call(#passed, |#bound| #twin::__body(#(#given),*))
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
