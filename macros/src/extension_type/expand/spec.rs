//! `struct MaskedTensorSpec { … }`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::model::{Field, FieldKind, Model, Variant};
use super::patterns;

/// The spec type: the fields of the user's type, each replaced by its spec.
pub(super) fn spec(model: &Model, spec: &Ident) -> TokenStream {
    let Model { vis, params, .. } = model;
    let (declared, clause) = (params.declared(), params.clause());
    let docs = docs(model);
    let derive = params.is_empty().then(|| quote!(#[derive(::core::clone::Clone)]));
    let head = quote_spanned! {Span::mixed_site()=>
        #[doc = #docs]
        #derive
        #[allow(private_bounds, clippy::type_complexity)]
    };
    if model.is_enum() {
        let variants = model.variants.iter().map(|v| variant(model, v));
        return quote!(#head #vis enum #spec #declared #clause { #(#variants)* });
    }
    let items = model.variants.iter().map(|v| {
        let fields = v.fields.iter().map(|f| field(model, v, f, true));
        match (v.named, v.fields.is_empty()) {
            (true, _) => quote!(#vis struct #spec #declared #clause { #(#fields)* }),
            (false, false) => quote!(#vis struct #spec #declared (#(#fields)*) #clause;),
            (false, true) => quote!(#vis struct #spec #declared #clause;),
        }
    });
    quote!(#head #(#items)*)
}

fn docs(model: &Model) -> String {
    match &model.summary {
        Some(text) => format!("Spec of [`{}`]: {text}", model.ident),
        None => format!("Spec of [`{}`].", model.ident),
    }
}

fn variant(model: &Model, v: &Variant) -> TokenStream {
    let ident = &v.ident;
    let docs = match &v.summary {
        Some(text) => format!("Specs of [`{}::{ident}`]: {text}", model.ident),
        None => format!("Specs of [`{}::{ident}`].", model.ident),
    };
    let fields: Vec<_> = v.fields.iter().map(|f| field(model, v, f, false)).collect();
    let body = match (v.named, fields.is_empty()) {
        (true, _) => quote!({ #(#fields)* }),
        (false, false) => quote!((#(#fields)*)),
        (false, true) => quote!(),
    };
    quote!(#[doc = #docs] #ident #body,)
}

fn field(model: &Model, v: &Variant, f: &Field, in_struct: bool) -> TokenStream {
    let Field { vis, member, ty, name, .. } = f;
    let what = match f.kind {
        FieldKind::Component => "The spec of",
        FieldKind::Static => "The static data",
        FieldKind::Marker => "The marker",
    };
    let docs = match &f.summary {
        Some(text) => format!("{what} `{name}`: {text}"),
        None => format!("{what} `{name}`."),
    };
    let ty = field_type(model, f, quote!(#ty));
    let vis = in_struct.then_some(vis);
    match v.named {
        true => quote!(#[doc = #docs] #vis #member: #ty,),
        false => quote!(#[doc = #docs] #vis #ty,),
    }
}

/// The type of the field in the spec.
fn field_type(model: &Model, field: &Field, ty: TokenStream) -> TokenStream {
    let base = &model.base;
    match field.kind {
        FieldKind::Component => {
            quote_spanned!(Span::mixed_site()=> <#ty as #base::Structure>::Spec)
        }
        FieldKind::Static | FieldKind::Marker => ty,
    }
}

/// Traits of the spec. `Clone` is written out, since a derive would require too much of parameters. Comparing, hashing
/// and printing go through the tree.
pub(super) fn laws(model: &Model) -> TokenStream {
    let Model { base, spec, params, .. } = model;
    let (ty, slot, predicates) = (&spec.ty, params.slot(), params.predicate_slot());
    let clone = (!params.is_empty()).then(|| clone(model));
    quote_spanned! {Span::mixed_site()=>
        #clone
        #base::__spec_traits!([#slot] #ty, [#predicates]);
    }
}

/// What a spec that the user wrote needs besides. A generic one may not mention the parameters, so it has no such impl.
pub(super) fn passed_whole(model: &Model) -> TokenStream {
    let Model { base, spec, params, .. } = model;
    if !params.is_empty() {
        return TokenStream::new();
    }
    let (private, ty) = (base.private(), &spec.ty);
    quote_spanned!(Span::mixed_site()=> impl #private::PassedWhole for #ty {})
}

fn clone(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let Model { spec, params, .. } = model;
    let (declared, spec, clause) = (params.declared(), &spec.ty, params.clause());
    let body = patterns::each(
        model,
        |_| true,
        |v| {
            let path = &v.path;
            let fields = v.fields.iter().enumerate().map(|(i, f)| {
                let (member, local) = (&f.member, patterns::local("field", i));
                quote_spanned!(site=> #member: ::core::clone::Clone::clone(#local))
            });
            quote_spanned!(site=> #path { #(#fields,)* })
        },
    );
    quote_spanned! {site=>
        #[automatically_derived]
        impl #declared ::core::clone::Clone for #spec #clause {
            fn clone(&self) -> Self {
                #body
            }
        }
    }
}
