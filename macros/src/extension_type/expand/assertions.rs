//! Checks at the user's types, so that rustc's messages point there.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

use super::super::model::{FieldKind, Model};

/// One call per field whose type names no parameter; the where clause covers the others.
pub(super) fn assertions(model: &Model) -> Option<TokenStream> {
    let private = model.base.private();
    let calls: Vec<_> = model
        .fields()
        .filter(|f| !f.generic)
        .filter_map(|f| {
            let ty = &f.ty;
            match f.kind {
                FieldKind::Component => {
                    Some(quote_spanned!(ty.span()=> let () = <#ty as #private::Component>::CHECK;))
                }
                FieldKind::Static => Some(
                    quote_spanned!(ty.span()=> let () = <#ty as #private::StaticField>::CHECK;),
                ),
                FieldKind::Marker => None,
            }
        })
        .collect();
    (!calls.is_empty()).then(|| {
        quote_spanned! {Span::mixed_site()=>
            const _: () = {
                #(#calls)*
            };
        }
    })
}
