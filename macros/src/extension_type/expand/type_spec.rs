//! `impl TypeSpec for MaskedTensorSpec`.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use super::super::model::{Field, FieldKind, Model, Variant};
use super::patterns::{self, is_data};

/// The conversions to and from the tree. They are an impl of `TypeSpec`, or functions that the user's own impl may
/// call.
pub(super) fn type_spec(model: &Model) -> TokenStream {
    let Model { base, vis, ident, spec, params, .. } = model;
    let private = base.private();
    let (declared, named, clause) = (params.declared(), params.named(), params.clause());
    let ty = &spec.ty;
    let to_any = patterns::each(model, is_data, |v| to_any(model, v));
    let from_any = from_any(model);
    if spec.written.is_none() {
        return quote_spanned! {Span::mixed_site()=>
            impl #declared #ty #clause {
                /// The spec as a tree of its fields.
                #[allow(dead_code)]
                #vis fn default_to_any(&self) -> #private::AnySpec {
                    #to_any
                }

                /// The spec from a tree of its fields.
                ///
                /// # Errors
                /// If it is the spec of something else.
                #[allow(dead_code)]
                #vis fn default_from_any(any: &#private::AnySpec) -> #base::Result<Self> {
                    #from_any
                }
            }
        };
    }
    let not_recommended = base.not_recommended();
    let stackable = model.stackable.then(|| stackable(model));
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        #not_recommended
        impl #declared #base::TypeSpec for #ty #clause {
            type Value = #ident #named;

            fn to_any(&self) -> #private::AnySpec {
                #to_any
            }

            fn from_any(any: &#private::AnySpec) -> #base::Result<Self> {
                #from_any
            }

            #stackable
        }
    }
}

/// Uses the stacking that the user's `Stackable` defines.
fn stackable(model: &Model) -> TokenStream {
    let Model { base, ident, params, .. } = model;
    let (private, named) = (base.private(), params.named());
    quote_spanned! {Span::mixed_site()=>
        fn stacking() -> ::core::option::Option<#private::Stacking> {
            ::core::option::Option::Some(#private::Stacking::of::<#ident #named>())
        }
    }
}

fn to_any(model: &Model, v: &Variant) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, ident, params, .. } = model;
    let (private, named) = (base.private(), params.named());
    let tag = model.is_enum().then(|| {
        let name = v.ident.to_string();
        quote_spanned!(site=> ("variant", #private::variant(#name)),)
    });
    let fields = v.fields.iter().enumerate().filter(|(_, f)| is_data(f)).map(|(i, f)| {
        let (name, local) = (&f.name, patterns::local("field", i));
        match f.kind {
            FieldKind::Static => quote_spanned!(site=> (#name, #private::literal(#local)),),
            _ => quote_spanned!(site=> (#name, #base::TypeSpec::to_any(#local)),),
        }
    });
    quote_spanned!(site=> #private::Composite::of::<#ident #named>([#tag #(#fields)*]))
}

fn from_any(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let Model { base, ident, params, .. } = model;
    let (private, named) = (base.private(), params.named());
    let name = ident.to_string();
    let composite = quote_spanned! {site=>
        any.as_composite(#private::TypeId::of::<#ident #named>(), #name)?
    };
    if model.is_enum() {
        let arms = model.variants.iter().map(|v| {
            let (variant, made) = (v.ident.to_string(), made(model, v));
            quote_spanned!(site=> #variant => ::core::result::Result::Ok(#made),)
        });
        return quote_spanned! {site=>
            let composite = #composite;
            match #private::variant_of(composite)? {
                #(#arms)*
                other => ::core::result::Result::Err(#private::unknown_variant(#name, other)),
            }
        };
    }
    let bind = match model.fields().any(is_data) {
        true => quote_spanned!(site=> let composite = #composite;),
        false => quote_spanned!(site=> #composite;),
    };
    let made = model.variants.iter().map(|v| made(model, v));
    quote_spanned!(site=> #bind ::core::result::Result::Ok(#(#made)*))
}

/// The spec, built from `composite`.
fn made(model: &Model, v: &Variant) -> TokenStream {
    let site = Span::mixed_site();
    let private = model.base.private();
    let path = &v.path;
    let fields = v.fields.iter().map(|Field { member, name, kind, .. }| match kind {
        FieldKind::Component => {
            quote_spanned!(site=> #member: #private::component_spec(composite, #name)?)
        }
        FieldKind::Static => {
            quote_spanned!(site=> #member: #private::static_field(composite, #name)?)
        }
        FieldKind::Marker => quote_spanned!(site=> #member: ::core::marker::PhantomData),
    });
    quote_spanned!(site=> #path { #(#fields,)* })
}
