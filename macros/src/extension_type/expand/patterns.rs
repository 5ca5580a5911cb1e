//! Names for the parts of values, shared by all impls.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};

use super::super::model::{Field, FieldKind, Model, Variant};

/// The local variable for the field with an index.
pub(super) fn local(prefix: &str, i: usize) -> Ident {
    format_ident!("{prefix}{i}", span = Span::mixed_site())
}

/// `Self { values: field0, mask: field1 }` for the wanted fields.
pub(super) fn pattern(
    path: &TokenStream,
    fields: &[Field],
    prefix: &str,
    wanted: fn(&Field) -> bool,
) -> TokenStream {
    let bound = fields.iter().enumerate().filter(|(_, f)| wanted(f)).map(|(i, f)| {
        let (member, local) = (&f.member, local(prefix, i));
        quote_spanned!(Span::mixed_site()=> #member: #local)
    });
    let rest = fields.iter().any(|f| !wanted(f)).then(|| quote_spanned!(Span::mixed_site()=> ..));
    quote_spanned!(Span::mixed_site()=> #path { #(#bound,)* #rest })
}

/// Code that destructures the value: `let` for a struct, `match` for an enum.
pub(super) fn each(
    model: &Model,
    wanted: fn(&Field) -> bool,
    body: impl Fn(&Variant) -> TokenStream,
) -> TokenStream {
    let site = Span::mixed_site();
    if model.is_enum() {
        let arms = model.variants.iter().map(|v| {
            let (pattern, body) = (pattern(&v.path, &v.fields, "field", wanted), body(v));
            quote_spanned!(site=> #pattern => { #body })
        });
        return quote_spanned!(site=> match self { #(#arms)* });
    }
    let parts = model.variants.iter().map(|v| {
        let (pattern, body) = (pattern(&v.path, &v.fields, "field", wanted), body(v));
        match v.fields.iter().any(wanted) {
            true => quote_spanned!(site=> let #pattern = self; #body),
            false => body,
        }
    });
    quote_spanned!(site=> #(#parts)*)
}

pub(super) fn is_component(field: &Field) -> bool {
    field.kind == FieldKind::Component
}

pub(super) fn is_data(field: &Field) -> bool {
    field.kind != FieldKind::Marker
}
