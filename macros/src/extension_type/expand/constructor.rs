//! `MaskedTensor::new`, and `with_mask` for fields with defaults.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Member;
use syn::ext::IdentExt;

use super::super::model::{Constructor, Field, FieldKind, Model};
use crate::shared::types;

/// The constructor of a struct with named fields. Tensors, strings and shapes accept anything that converts to them;
/// other fields are taken as they are.
pub(super) fn constructor(model: &Model) -> Option<TokenStream> {
    let Constructor::Named(constructor) = &model.constructor else { return None };
    let [variant] = &model.variants[..] else { return None };
    if model.is_enum() || !variant.named {
        return None;
    }
    let Model { base, vis, ident, params, .. } = model;
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let given = variant.fields.iter().filter(|f| f.options.default.is_none());
    let inputs = given.filter(|f| f.kind != FieldKind::Marker).map(|f| parameter(model, f));
    let fields = variant.fields.iter().map(|f| value(model, f));
    let made = made(model, &quote!(#(#fields,)*));
    let errors = errors(model);
    let defaults = variant.fields.iter().filter(|f| f.options.default.is_some());
    let setters: Vec<_> = defaults.map(|f| setter(model, f)).collect();
    let summary = match setters.is_empty() {
        true => format!("A `{ident}` of these fields; whatever converts to a tensor is converted."),
        false => format!(
            "A `{ident}` of these fields, the others with their defaults; whatever converts to a \
             tensor is converted."
        ),
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
            #(#setters)*
        }
    })
}

/// True if the derive writes a constructor.
pub(super) fn is_written(model: &Model) -> bool {
    let named = matches!(&model.variants[..], [variant] if variant.named);
    named && !model.is_enum() && matches!(model.constructor, Constructor::Named(_))
}

/// A constructor with the same number of parameters of any types, since the types of the fields may be what is wrong.
pub(super) fn broken(model: &Model) -> Option<TokenStream> {
    let Constructor::Named(constructor) = &model.constructor else { return None };
    let [variant] = &model.variants[..] else { return None };
    if model.is_enum() || !variant.named {
        return None;
    }
    let Model { base, vis, ident, params, .. } = model;
    let (declared, named) = (params.declared(), params.named());
    let given = variant.fields.iter().filter(|f| f.options.default.is_none());
    let given = given.filter(|f| f.kind != FieldKind::Marker).enumerate();
    let types: Vec<_> =
        given.map(|(i, _)| format_ident!("Given{i}", span = Span::mixed_site())).collect();
    Some(quote_spanned! {Span::mixed_site()=>
        #[allow(dead_code, clippy::all)]
        impl #declared #ident #named {
            #[doc(hidden)]
            #vis fn #constructor<#(#types),*>(#(_: #types),*) -> #base::Result<Self> {
                ::core::unreachable!()
            }
        }
    })
}

fn errors(model: &Model) -> &'static str {
    match model.is_checked() {
        true => "If a field does not convert to a tensor, or the value is refused by `check`.",
        false => "If a field does not convert to a tensor.",
    }
}

/// The value with these fields, checked.
fn made(model: &Model, fields: &TokenStream) -> TokenStream {
    let private = model.base.private();
    match model.is_checked() {
        false => quote_spanned!(Span::mixed_site()=> ::core::result::Result::Ok(Self { #fields })),
        true => quote_spanned!(Span::mixed_site()=> #private::checked(Self { #fields })),
    }
}

/// `with_mask`: returns the value with another mask.
fn setter(model: &Model, field: &Field) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, vis, ident, .. } = model;
    let Member::Named(name) = &field.member else { return TokenStream::new() };
    let setter = format_ident!("with_{}", name.unraw(), span = name.span());
    let (input, converted) = (parameter(model, field), converted(model, field, &quote!(#name)));
    let this = quote_spanned!(site=> self);
    let others = model.fields().count() > 1;
    let rest = others.then(|| quote!(..#this));
    let made = match conversion(field) {
        Converted::No => made(model, &quote!(#name, #rest)),
        _ => made(model, &quote!(#name: #converted, #rest)),
    };
    let (summary, errors) =
        (format!("This `{ident}` with another `{}`.", field.name), errors(model));
    quote_spanned! {site=>
        #[doc = #summary]
        ///
        /// # Errors
        #[doc = #errors]
        #[track_caller]
        #[allow(dead_code, clippy::unnecessary_wraps)]
        #vis fn #setter(#this, #input) -> #base::Result<Self> {
            #made
        }
    }
}

/// The conversion that a parameter for a field accepts.
#[derive(PartialEq)]
enum Converted {
    Tensor,
    /// `String`, `Shape`
    Into,
    No,
}

fn conversion(field: &Field) -> Converted {
    let plain = types::type_arguments(&field.ty).is_empty();
    match types::last_segment(&field.ty).map(|s| s.ident.to_string()).as_deref() {
        Some("Tensor") if plain && field.kind == FieldKind::Component => Converted::Tensor,
        Some("String" | "Shape") if plain && field.kind == FieldKind::Static => Converted::Into,
        _ => Converted::No,
    }
}

fn parameter(model: &Model, field: &Field) -> TokenStream {
    let (name, ty, base) = (name(field), &field.ty, &model.base);
    match conversion(field) {
        Converted::Tensor => quote_spanned!(Span::mixed_site()=> #name: impl #base::TensorLike),
        Converted::Into => {
            quote_spanned!(Span::mixed_site()=> #name: impl ::core::convert::Into<#ty>)
        }
        Converted::No => quote!(#name: #ty),
    }
}

/// The value of the field in the constructor.
fn value(model: &Model, field: &Field) -> TokenStream {
    let (member, name) = (&field.member, name(field));
    let value = match (&field.options.default, field.kind) {
        (_, FieldKind::Marker) => quote!(::core::marker::PhantomData),
        (None, _) if conversion(field) == Converted::No => return name,
        (None, _) => converted(model, field, &name),
        (Some((key, None)), _) => {
            quote_spanned!(key.span().resolved_at(Span::mixed_site())=> ::core::default::Default::default())
        }
        (Some((_, Some(value))), _) => converted(model, field, &value.to_token_stream()),
    };
    quote!(#member: #value)
}

fn converted(model: &Model, field: &Field, value: &TokenStream) -> TokenStream {
    let (private, text, ty) = (model.base.private(), &field.name, &field.ty);
    match conversion(field) {
        Converted::Tensor => {
            quote_spanned!(Span::mixed_site()=> #private::tensor_field(#text, #value)?)
        }
        Converted::Into => {
            quote_spanned!(Span::mixed_site()=> ::core::convert::Into::<#ty>::into(#value))
        }
        Converted::No => value.clone(),
    }
}

fn name(field: &Field) -> TokenStream {
    match &field.member {
        Member::Named(ident) => Ident::to_token_stream(ident),
        Member::Unnamed(index) => index.to_token_stream(),
    }
}
