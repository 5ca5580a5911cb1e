//! The type beside a traced function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, Signature};

use super::super::model::{Mode, Model};
use super::{calls, state};

pub(super) fn twin(model: &Model, handle: &Ident) -> TokenStream {
    let site = Span::mixed_site();
    let (base, vis, params, cfg) = (&model.base, &model.vis, &model.params, &model.attrs.cfg);
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let (slot, predicates) = (params.slot(), params.predicate_slot());
    let (function, body, concrete) = (function(model), body(model), concrete(model));
    let marker = marker(model);
    let cfg = quote!(#(#cfg)*);
    quote_spanned! {site=>
        #cfg
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
        #vis struct #handle #declared #clause {
            never: ::core::convert::Infallible,
            #marker
        }

        #cfg
        #[allow(dead_code)]
        impl #declared #handle #named #clause {
            #body
            #function
            #concrete
        }

        #cfg
        #base::__function_handle!([#slot] [#predicates] #vis #handle #named);
    }
}

/// What uses the type parameters of the type.
fn marker(model: &Model) -> Option<TokenStream> {
    let types: Vec<_> = model.sig.generics.type_params().map(|t| &t.ident).collect();
    (!types.is_empty()).then(|| {
        quote_spanned! {Span::mixed_site()=>
            parameters: ::core::marker::PhantomData<fn() -> (#(#types,)*)>,
        }
    })
}

/// The state.
fn function(model: &Model) -> TokenStream {
    let private = model.base.private();
    let instance = (!model.params.is_empty()).then(|| quote!(Self));
    let (assertions, state) = (state::assertions(model), state::state(model, instance));
    quote_spanned! {Span::mixed_site()=>
        fn __function() -> &'static #private::FunctionState {
            #assertions
            #state
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

/// The trace for given specs. The bounds stand in the where clause, so that a function that takes
/// a module, which has no spec to give, compiles as long as nobody asks.
fn concrete(model: &Model) -> TokenStream {
    let (base, vis) = (&model.base, &model.vis);
    let Some(result) = &model.result else { return TokenStream::new() };
    let values: Vec<_> = model.arguments.iter().map(|a| &a.value).collect();
    let names: Vec<_> = (0..values.len()).map(calls::local).collect();
    let parts: Vec<_> = names.iter().map(|n| quote!(#n)).collect();
    let given = model.arguments.iter().zip(&names).map(|(a, n)| match a.mode {
        Mode::Value => quote!(#n),
        _ => quote!(&#n),
    });
    let clones: Vec<_> = names
        .iter()
        .map(|n| quote_spanned!(Span::mixed_site()=> ::core::clone::Clone::clone(#n)))
        .collect();
    let specs = match clones.is_empty() {
        true => quote_spanned!(Span::mixed_site()=> #base::Structure::type_spec(&())),
        false => calls::tuple(&clones),
    };
    let (bound, types) = (
        calls::tuple(&parts),
        calls::tuple(&values.iter().map(|v| quote!(#v)).collect::<Vec<_>>()),
    );
    quote_spanned! {Span::mixed_site()=>
        /// The trace for arguments of these types, made if it is not there.
        ///
        /// # Errors
        /// What the body fails with while it is traced.
        #vis fn concrete(
            #(#names: &<#values as #base::Structure>::Spec),*
        ) -> #base::Result<#base::ConcreteFunction>
        where
            #(for<'any> #values: #base::Structure,)*
        {
            Self::__function().concrete::<#types, #result>(#specs, |#bound| Self::__body(#(#given),*))
        }
    }
}
