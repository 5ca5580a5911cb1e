//! `impl ExtensionType for MaskedTensor`, its operators, its entry in the registry.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::super::model::Model;
use super::constructor;

pub(super) fn extension(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, ident, params, spec, .. } = model;
    let (named, slot, predicates) = (params.named(), params.slot(), params.predicate_slot());
    let short = ident.unraw().to_string();
    let name = match &model.name {
        Some(name) => quote_spanned!(site=> #name),
        None => quote_spanned!(site=> ::core::concat!(::core::module_path!(), "::", #short)),
    };
    let own_spec = spec.written.is_none();
    let check = model.is_checked().then(|| check(model));
    let versions = model.version.is_some().then(|| versions(model));
    let (attr, probe) = (base.not_recommended().into_iter(), probe(model));
    quote_spanned! {site=>
        #base::__extension_type!(
            [#slot] #ident #named, [#predicates], #name, #short, #own_spec, {#check #versions} {#probe} #(, #attr)*
        );
    }
}

/// An error at the type's name if the type has a `Validate` that the constructor does not call. Generic types are not
/// checked: the probe needs a concrete type.
fn probe(model: &Model) -> Option<TokenStream> {
    let Model { ident, params, .. } = model;
    if model.validate || !constructor::is_written(model) || !params.is_empty() {
        return None;
    }
    let (at, name) = (ident.span(), ident.unraw().to_string());
    let base = model.base.at(at);
    Some(quote_spanned! {at=>
        #base::__private::not_validated(#base::__private::ClassOf::<#ident>::VALIDATES, #name);
    })
}

/// The version of the fields, and what reads values of older ones.
fn versions(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let (base, version) = (&model.base, model.version());
    // The call has the span of the function, where errors point to, and sees this name nevertheless.
    let old = Ident::new("old", site);
    let arms = model.upgrades.iter().filter(|upgrade| !upgrade.is_none()).map(|upgrade| {
        let (version, function) = (&upgrade.version, &upgrade.function);
        let at = function.span();
        let base = base.at(at);
        let read = quote_spanned!(at=> #base::__private::upgraded(#old, #function));
        quote_spanned!(site=> #version => #read,)
    });
    quote_spanned! {site=>
        const VERSION: u32 = #version;

        fn upgrade(version: u32, #old: #base::spec::AnyValue) -> #base::Result<Self> {
            match version {
                #(#arms)*
                _ => #base::__private::not_upgraded::<Self>(version),
            }
        }
    }
}

/// The checks of the constructor: the constraints of fields, then the user's `validate`.
fn check(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, .. } = model;
    let last = match model.validate {
        true => quote_spanned!(site=> #base::Validate::validate(self)),
        false => quote_spanned!(site=> ::core::result::Result::Ok(())),
    };
    quote_spanned! {site=>
        fn check(&self) -> #base::Result<()> {
            #base::Structure::check_fields(self)?;
            #last
        }
    }
}
