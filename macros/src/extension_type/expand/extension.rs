//! `impl ExtensionType for MaskedTensor`, its operators, its entry in the registry.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::super::model::Model;

pub(super) fn extension(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, ident, params, .. } = model;
    let (named, slot, predicates) = (params.named(), params.slot(), params.predicate_slot());
    let short = ident.to_string();
    let name = match &model.name {
        Some(name) => quote_spanned!(site=> #name),
        None => quote_spanned!(site=> ::core::concat!(::core::module_path!(), "::", #short)),
    };
    let check = model.validate.then(|| quote_spanned!(site=> , validate));
    quote_spanned! {site=>
        #base::__extension_type!([#slot] #ident #named, [#predicates], #name, #short #check);
    }
}
