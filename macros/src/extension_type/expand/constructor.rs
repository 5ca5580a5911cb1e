//! `MaskedTensor::new`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Member;

use super::super::model::{Constructor, Field, Kind, Model};
use crate::shared::types;

/// The constructor of a struct with named fields: tensors from whatever converts to one, the rest
/// as it is.
pub(super) fn constructor(model: &Model) -> Option<TokenStream> {
    let Constructor::Named(constructor) = &model.constructor else { return None };
    let [variant] = &model.variants[..] else { return None };
    if model.is_enum() || !variant.named {
        return None;
    }
    let Model { base, vis, ident, params, .. } = model;
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let inputs = variant.fields.iter().filter_map(|f| parameter(model, f));
    let fields = variant.fields.iter().map(|f| value(model, f));
    let made = match model.validate {
        false => quote!(::core::result::Result::Ok(Self { #(#fields,)* })),
        true => quote_spanned! {Span::mixed_site()=>
            let value = Self { #(#fields,)* };
            #base::Validate::validate(&value)?;
            ::core::result::Result::Ok(value)
        },
    };
    let summary =
        format!("A `{ident}` of these fields; whatever converts to a tensor is converted.");
    let errors = match model.validate {
        true => "If a field does not convert to a tensor, or the value is refused by `validate`.",
        false => "If a field does not convert to a tensor.",
    };
    Some(quote_spanned! {Span::mixed_site()=>
        impl #declared #ident #named #clause {
            #[doc = #summary]
            ///
            /// # Errors
            #[doc = #errors]
            #[track_caller]
            #[allow(dead_code, clippy::too_many_arguments, clippy::unnecessary_wraps)]
            #vis fn #constructor(#(#inputs),*) -> #base::Result<Self> {
                #made
            }
        }
    })
}

fn is_tensor(field: &Field) -> bool {
    types::is_named(&field.ty, "Tensor") && types::type_arguments(&field.ty).is_empty()
}

fn parameter(model: &Model, field: &Field) -> Option<TokenStream> {
    let (name, ty, base) = (name(field), &field.ty, &model.base);
    match field.kind {
        Kind::Marker => None,
        _ if is_tensor(field) => {
            Some(quote_spanned!(Span::mixed_site()=> #name: impl #base::TensorLike))
        }
        _ => Some(quote!(#name: #ty)),
    }
}

fn value(model: &Model, field: &Field) -> TokenStream {
    let private = model.base.private();
    let (member, text, name) = (&field.member, &field.name, name(field));
    match field.kind {
        Kind::Marker => quote!(#member: ::core::marker::PhantomData),
        _ if is_tensor(field) => {
            quote_spanned!(Span::mixed_site()=> #member: #private::tensor_field(#text, #name)?)
        }
        _ => quote!(#name),
    }
}

fn name(field: &Field) -> TokenStream {
    match &field.member {
        Member::Named(ident) => ident.to_token_stream(),
        Member::Unnamed(index) => index.to_token_stream(),
    }
}
