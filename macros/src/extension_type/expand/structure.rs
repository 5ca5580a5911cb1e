//! `impl Structure for MaskedTensor`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::ext::IdentExt;

use super::super::model::{Field, FieldKind, Model, Variant};
use super::patterns::{self, is_component, is_data, local, pattern};
use crate::shared::types;

pub(super) fn structure(model: &Model) -> TokenStream {
    let Model { base, ident, spec, params, .. } = model;
    let private = base.private();
    let (declared, named, clause) = (params.declared(), params.named(), params.open_clause());
    let spec = &spec.ty;
    let (context, leaves, out) =
        (parameter(model, "context"), parameter(model, "leaves"), parameter(model, "out"));
    let lifetime = quote_spanned!(Span::mixed_site()=> 'leaves);
    let (spec_in, has_spec, from_leaves) = (spec_in(model), has_spec(model), from_leaves(model));
    let (mix_spec, fingerprint) = (mix_spec(model), fingerprint(model));
    let (lend, give) = (flatten(model, "leaves"), flatten(model, "into_leaves"));
    let check_fields = check_fields(model);
    let not_recommended = base.not_recommended();
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        #not_recommended
        impl #declared #base::Structure for #ident #named #clause {
            type Spec = #spec;

            fn spec_in(&self, #context: &mut #private::SpecContext) -> Self::Spec {
                #spec_in
            }

            fn has_spec(&self, spec: &Self::Spec, #context: &mut #private::SpecContext) -> bool {
                #has_spec
            }

            fn mix_spec(&self, #fingerprint: &mut #private::Fingerprint) {
                #mix_spec
            }

            #check_fields

            fn leaves<#lifetime>(&#lifetime self, #out: &mut #private::Leaves<#lifetime>) {
                #lend
            }

            fn into_leaves(self, #out: &mut #private::Vec<#base::Tensor>) {
                #give
            }

            fn from_leaves(spec: &Self::Spec, #leaves: &mut #private::LeafIter) -> #base::Result<Self> {
                #from_leaves
            }
        }
    }
}

/// The name of a parameter, or `_` if no component uses it.
fn parameter(model: &Model, name: &str) -> TokenStream {
    let ident: Ident = format_ident!("{name}", span = Span::mixed_site());
    match model.fields().any(is_component) {
        true => quote_spanned!(Span::mixed_site()=> #ident),
        false => quote_spanned!(Span::mixed_site()=> _),
    }
}

fn spec_in(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let base = &model.base;
    patterns::each(model, is_data, |v| {
        let path = &v.spec_path;
        let fields = v.fields.iter().enumerate().map(|(i, f)| {
            let (member, local) = (&f.member, local("field", i));
            let value = match f.kind {
                FieldKind::Component => {
                    quote_spanned!(site=> #base::Structure::spec_in(#local, context))
                }
                FieldKind::Static => quote_spanned!(site=> ::core::clone::Clone::clone(#local)),
                FieldKind::Marker => quote_spanned!(site=> ::core::marker::PhantomData),
            };
            quote_spanned!(site=> #member: #value)
        });
        quote_spanned!(site=> #path { #(#fields,)* })
    })
}

fn has_spec(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    if !model.is_enum() {
        let parts = model.variants.iter().map(|v| {
            let same = same(model, v);
            if !v.fields.iter().any(is_data) {
                return quote_spanned!(site=> let _ = spec; #same);
            }
            let value = pattern(&v.path, &v.fields, "field", is_data);
            let spec = pattern(&v.spec_path, &v.fields, "spec", is_data);
            quote_spanned! {site=>
                let #value = self;
                let #spec = spec;
                #same
            }
        });
        return quote_spanned!(site=> #(#parts)*);
    }
    let arms = model.variants.iter().map(|v| {
        let value = pattern(&v.path, &v.fields, "field", is_data);
        let spec = pattern(&v.spec_path, &v.fields, "spec", is_data);
        let same = same(model, v);
        quote_spanned!(site=> (#value, #spec) => #same,)
    });
    let other = (model.variants.len() > 1).then(|| quote_spanned!(site=> _ => false,));
    quote_spanned!(site=> match (self, spec) { #(#arms)* #other })
}

fn same(model: &Model, v: &Variant) -> TokenStream {
    let site = Span::mixed_site();
    let base = &model.base;
    let parts: Vec<_> = v
        .fields
        .iter()
        .enumerate()
        .filter(|(_, f)| is_data(f))
        .map(|(i, f)| {
            let (value, spec) = (local("field", i), local("spec", i));
            match f.kind {
                FieldKind::Static => quote_spanned!(site=> #base::StaticData::same(#value, #spec)),
                _ => quote_spanned!(site=> #base::Structure::has_spec(#value, #spec, context)),
            }
        })
        .collect();
    match parts.is_empty() {
        true => quote_spanned!(site=> true),
        false => quote_spanned!(site=> #(#parts)&&*),
    }
}

/// The name of the fingerprint, or `_` if there is nothing to add.
fn fingerprint(model: &Model) -> TokenStream {
    match model.is_enum() || model.fields().any(is_data) {
        true => quote_spanned!(Span::mixed_site()=> fingerprint),
        false => quote_spanned!(Span::mixed_site()=> _),
    }
}

fn mix_spec(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let base = &model.base;
    patterns::each(model, is_data, |v| {
        let place = model.variants.iter().position(|other| std::ptr::eq(other, v));
        let variant = place.filter(|_| model.is_enum()).map(|place| {
            let number = place as u64;
            quote_spanned!(site=> fingerprint.add(#number);)
        });
        let parts = v.fields.iter().enumerate().filter(|(_, f)| is_data(f)).map(|(i, f)| {
            let local = local("field", i);
            match f.kind {
                FieldKind::Static => {
                    quote_spanned!(site=> #base::StaticData::mix_literal(#local, fingerprint);)
                }
                _ => quote_spanned!(site=> #base::Structure::mix_spec(#local, fingerprint);),
            }
        });
        quote_spanned!(site=> #variant #(#parts)*)
    })
}

/// True for fields that need a check: those with constraints, and components other than a single tensor.
fn is_checked(field: &Field) -> bool {
    is_component(field) && (field.is_constrained() || !types::is_named(&field.ty, "Tensor"))
}

/// The check of the fields' constraints, if any field needs a check.
fn check_fields(model: &Model) -> Option<TokenStream> {
    let site = Span::mixed_site();
    let (base, owner) = (&model.base, model.ident.unraw().to_string());
    if !model.fields().any(is_checked) {
        return None;
    }
    let private = base.private();
    let body = patterns::each(model, is_checked, |v| {
        let calls = v.fields.iter().enumerate().filter(|(_, f)| is_checked(f)).map(|(i, f)| {
            let (local, name) = (local("field", i), &f.name);
            let inner = (!types::is_named(&f.ty, "Tensor")).then(|| {
                quote_spanned!(site=> #base::Structure::check_fields(#local)?;)
            });
            let own = f.is_constrained().then(|| {
                let dtypes = f.options.dtypes.iter().flat_map(|(_, d)| d).map(|d| Ident::new(d, site));
                let shape = match &f.options.shape {
                    None => quote_spanned!(site=> ::core::option::Option::None),
                    Some((_, dims)) => {
                        let shape = dims.code(base);
                        quote_spanned!(site=> ::core::option::Option::Some(&#shape))
                    }
                };
                quote_spanned! {site=>
                    #private::check_field(#owner, #name, #local, &[#(#base::DType::#dtypes),*], #shape)?;
                }
            });
            quote_spanned!(site=> #inner #own)
        });
        quote_spanned!(site=> #(#calls)*)
    });
    Some(quote_spanned! {site=>
        fn check_fields(&self) -> #base::Result<()> {
            #body
            ::core::result::Result::Ok(())
        }
    })
}

fn flatten(model: &Model, method: &str) -> TokenStream {
    let site = Span::mixed_site();
    let base = &model.base;
    let method = format_ident!("{method}", span = site);
    if !model.fields().any(is_component) {
        return TokenStream::new();
    }
    patterns::each(model, is_component, |v| {
        let calls = v.fields.iter().enumerate().filter(|(_, f)| is_component(f)).map(|(i, _)| {
            let local = local("field", i);
            quote_spanned!(site=> #base::Structure::#method(#local, out);)
        });
        quote_spanned!(site=> #(#calls)*)
    })
}

fn from_leaves(model: &Model) -> TokenStream {
    let site = Span::mixed_site();
    let base = &model.base;
    let made = |v: &Variant| {
        let path = &v.path;
        let fields = v.fields.iter().enumerate().map(|(i, f)| {
            let (member, local) = (&f.member, local("spec", i));
            let value = match f.kind {
                FieldKind::Component => {
                    quote_spanned!(site=> #base::Structure::from_leaves(#local, leaves)?)
                }
                FieldKind::Static => quote_spanned!(site=> ::core::clone::Clone::clone(#local)),
                FieldKind::Marker => quote_spanned!(site=> ::core::marker::PhantomData),
            };
            quote_spanned!(site=> #member: #value)
        });
        quote_spanned!(site=> ::core::result::Result::Ok(#path { #(#fields,)* }))
    };
    let parts = model.variants.iter().map(|v| {
        let (pattern, made) = (pattern(&v.spec_path, &v.fields, "spec", is_data), made(v));
        match (model.is_enum(), v.fields.iter().any(is_data)) {
            (true, _) => quote_spanned!(site=> #pattern => #made,),
            (false, true) => quote_spanned!(site=> let #pattern = spec; #made),
            (false, false) => quote_spanned!(site=> let _ = spec; #made),
        }
    });
    match model.is_enum() {
        true => quote_spanned!(site=> match spec { #(#parts)* }),
        false => quote_spanned!(site=> #(#parts)*),
    }
}
