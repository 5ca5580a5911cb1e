//! The code, one item a file.

mod assertions;
mod constructor;
mod extension;
mod patterns;
mod spec;
mod structure;
mod type_spec;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::model::{Model, Shape};
use crate::shared::types;

/// Everything that the derive writes.
pub(super) fn all(model: &Model) -> TokenStream {
    let spec = model.spec.written.as_ref().map(|name| spec::spec(model, name));
    let laws = match spec {
        Some(_) => spec::laws(model),
        None => spec::passed_whole(model),
    };
    // What follows from the fields.
    let derived = model.own_structure.is_none().then(|| {
        let assertions = assertions::assertions(model);
        let structure = structure::structure(model);
        let type_spec = type_spec::type_spec(model);
        quote_spanned!(Span::mixed_site()=> #assertions #structure #type_spec)
    });
    let extension = extension::extension(model);
    let constructor = constructor::constructor(model);
    quote_spanned! {Span::mixed_site()=>
        #spec
        #constructor
        #derived
        #laws
        #extension
    }
}

/// Impls that keep the rest of the user's program compiling after errors.
pub(super) fn broken(model: &Model) -> TokenStream {
    // There are no broken impls for a type of unknown size.
    let sized = !model.fields().any(|f| types::is_unsized(&f.ty));
    if !sized || !model.lifetimes.is_empty() || matches!(model.shape, Shape::Union(_)) {
        return TokenStream::new();
    }
    let Model { base, vis, ident, spec, params, .. } = model;
    let private = base.private();
    let (declared, named, slot) = (params.declared(), params.named(), params.slot());
    let constructor = constructor::broken(model);
    let spec = spec.written.as_ref().map(|spec| {
        quote_spanned! {Span::mixed_site()=>
            #[doc(hidden)]
            #[allow(dead_code, type_alias_bounds, private_interfaces)]
            #vis type #spec #declared = #private::Broken<#ident #named>;
        }
    });
    quote_spanned! {Span::mixed_site()=>
        #spec
        #constructor
        // There is no such value: the error that was reported ends the compilation.
        unsafe impl #declared ::core::marker::Send for #ident #named {}
        unsafe impl #declared ::core::marker::Sync for #ident #named {}
        #base::__broken!([#slot] #ident #named);
    }
}
