//! The function and the method.

use super::super::mentions;
use super::super::model::{Form, Function, Row};
use super::super::parse::{Made, Operands};
use super::{alias, doc_text, family_type};
use crate::shared::{Base, docs};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// `X: Operand, Y: Operand`, the trait with its arguments, the result type and the bound.
struct Generic {
    letters: Vec<Ident>,
    output: TokenStream,
    bound: TokenStream,
}

/// A type parameter that is no name of the user's.
pub(super) fn letter(letter: &str, taken: &TokenStream) -> Ident {
    let mut ident = Ident::new(letter, Span::mixed_site());
    while mentions(taken.clone(), &ident) {
        ident = format_ident!("{ident}Operand");
    }
    ident
}

/// Of a method the first operand is `Self`.
fn generic(row: &Row, call: &Function, method: bool, base: &Base) -> Generic {
    let site = Span::mixed_site();
    let op = &row.name;
    let (holder, types) = (&row.holder, call.parameters.iter().map(|p| &p.ty));
    let made = made(row, call, base);
    let taken = quote!(#op #holder #made #(#types)*);
    let count = call.operands.names().len();
    let letters: Vec<Ident> =
        ["X", "Y", "Z"].iter().take(count).map(|l| letter(l, &taken)).collect();
    let first = match method {
        true => quote_spanned!(site=> Self),
        false => letters.first().to_token_stream(),
    };
    let (value, of) = match call.operands {
        Operands::Sequence(_) => (first, quote_spanned!(site=> #base::ops::Items<#op>)),
        Operands::Each(_) => {
            let (of, others) = (format_ident!("Apply{count}"), letters.iter().skip(1));
            let of = quote_spanned!(site=> #base::ops::#of<#(#others::Value,)* #op>);
            (quote_spanned!(site=> #first::Value), of)
        }
    };
    let output = quote_spanned!(site=> #base::Result<<#value as #of>::Output>);
    let bound = quote_spanned!(site=> #value: #of);
    Generic { letters, output, bound }
}

/// The op from the parameters.
fn made(row: &Row, call: &Function, base: &Base) -> TokenStream {
    let fields = match &call.made {
        Made::Whole(expr) => return expr.to_token_stream(),
        Made::Fields(fields) => fields,
    };
    let given = |field: &Ident| {
        let explicit = fields.iter().find(|(name, _)| name == field).map(|(_, value)| value);
        explicit.or(call.parameters.iter().find(|p| p.name == *field).map(|p| &p.value))
    };
    let attrs = row.attrs.iter().map(|a| {
        let (field, ty, default) = (&a.field, &a.ty, &a.default);
        match given(field) {
            Some(value) => quote!(#field: #value),
            // As in the definition, so that one of a wrong type is one error.
            None => quote_spanned! {Span::mixed_site()=>
                #field: { let default: #ty = #default; default }
            },
        }
    });
    let statics = row.statics().map(|(_, field, _)| {
        let value = given(field);
        quote!(#field: #value)
    });
    let holder = &row.holder;
    let inner = quote!(#holder { #(#attrs,)* #(#statics,)* });
    match row.form {
        Form::Standalone => inner,
        Form::Reduction => {
            let of = |name: &str| {
                let explicit = fields.iter().find(|(field, _)| field == name).map(|(_, v)| v);
                let parameter = call.parameters.iter().find(|p| p.name == name).map(|p| &p.value);
                explicit.or(parameter).map_or_else(
                    || quote!(::core::default::Default::default()),
                    ToTokens::to_token_stream,
                )
            };
            let (axes, keep_dims) = (of("axes"), of("keep_dims"));
            quote!(#base::ops::Reduce { axes: #axes, keep_dims: #keep_dims, function: #inner })
        }
        _ => {
            let family = family_type(row);
            quote!(#base::ops::#family(#inner))
        }
    }
}

/// The parameters after the operands, as declared.
fn declared(call: &Function) -> TokenStream {
    let parameters = call.parameters.iter().map(|p| {
        let (name, ty) = (&p.name, &p.ty);
        quote!(#name: #ty)
    });
    quote!(#(, #parameters)*)
}

pub(super) fn function(row: &Row, call: &Function, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let Generic { letters, output, bound } = generic(row, call, false, base);
    let (docs, vis, name, alias) = (&row.docs, &row.vis, &call.name, alias(row));
    let (declared, made) = (declared(call), made(row, call, base));
    let errors = (!doc_text(docs).contains("# Errors")).then(|| {
        quote! {
            #[doc = ""]
            #[doc = "# Errors"]
            #[doc = "`InvalidArgument` for a dtype, shape or argument that the op does not take."]
        }
    });
    // What a sequence is of, its trait says.
    let operand = matches!(call.operands, Operands::Each(_))
        .then(|| quote_spanned!(site=> : #base::ops::Operand));
    let (operands, run) = match &call.operands {
        Operands::Sequence(xs) => (
            quote_spanned!(site=> #xs: #(#letters)*),
            quote_spanned!(site=> #base::ops::Items::apply(&#xs, &op)),
        ),
        Operands::Each(names) => {
            let apply = format_ident!("apply{}", names.len());
            let of = format_ident!("Apply{}", names.len());
            let lent =
                names.iter().map(|n| quote_spanned!(site=> &*#base::ops::Operand::operand(&#n)?));
            (
                quote!(#(#names: #letters),*),
                quote_spanned!(site=> #base::ops::#of::#apply(&op, #(#lent),*)),
            )
        }
    };
    quote_spanned! {site=>
        #(#docs)*
        #errors
        #alias
        #[track_caller]
        #vis fn #name<#(#letters #operand),*>(#operands #declared) -> #output
        where
            #bound,
        {
            let _site = #base::tensor::call_site();
            let op = #made;
            #run
        }
    }
}

pub(super) fn method(row: &Row, call: &Function, base: &Base) -> Option<TokenStream> {
    let Operands::Each(names) = call.method.then_some(&call.operands)? else { return None };
    let site = Span::mixed_site();
    let Generic { letters, output, bound } = generic(row, call, true, base);
    let name = &call.name;
    let summary = docs::summary(&row.docs).unwrap_or_default();
    let link = format!("See [`{name}`]({name}()).");
    // Parameters of the macro: one may have the name of the function that is called.
    let own = |name: &Ident| {
        let mut name = name.clone();
        name.set_span(name.span().resolved_at(site));
        name
    };
    let others: Vec<Ident> = names.iter().skip(1).map(own).collect();
    let given: Vec<Ident> = call.parameters.iter().map(|p| own(&p.name)).collect();
    let (letters, types) = (letters.iter().skip(1), call.parameters.iter().map(|p| &p.ty));
    let parameters = others.iter().zip(letters.clone()).map(|(name, ty)| quote!(#name: #ty));
    let parameters = parameters.chain(given.iter().zip(types).map(|(name, ty)| quote!(#name: #ty)));
    let generics =
        (!others.is_empty()).then(|| quote_spanned!(site=> <#(#letters: #base::ops::Operand),*>));
    Some(quote_spanned! {site=>
        #[doc = #summary]
        #[doc = ""]
        #[doc = #link]
        #[doc = ""]
        #[doc = "# Errors"]
        #[doc = "As the function."]
        #[track_caller]
        fn #name #generics(&self #(, #parameters)*) -> #output
        where
            #bound,
        {
            #name(#base::ops::Operand::operand(self)? #(, #others)* #(, #given)*)
        }
    })
}
