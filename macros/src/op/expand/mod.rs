//! The items of a row: struct, definition, gradient, meaning for tensors, name, function, method.
//!
//! The user's code sees none of the generated names: items have unique names, and everything else is a local variable,
//! which is hygienic.

mod body;
mod call;
mod definition;
mod gradient;
mod meaning;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Type};

use super::model::{Form, Model, Row, attribute_name};
use crate::shared::{Base, docs};

pub(super) fn all(model: &Model) -> TokenStream {
    let base = &model.base;
    let rows = model.rows.iter().map(|row| items(row, base));
    let letter = |of: &Ident| call::letter("X", &of.to_token_stream());
    let methods = model.methods.as_ref().map(|methods| {
        let (docs, name) = (&methods.docs, &methods.name);
        let calls = model.rows.iter().filter_map(|row| call::method(row, row.call.as_ref()?, base));
        let with_methods = model.rows.iter().find(|r| r.call.as_ref().is_some_and(|c| c.method));
        let vis = with_methods.map_or_else(|| quote!(pub), |row| row.vis.to_token_stream());
        let x = letter(name);
        quote_spanned! {Span::mixed_site()=>
            #(#docs)*
            #vis trait #name: #base::ops::Operand {
                #(#calls)*
            }

            impl<#x: #base::ops::HasMethods + ?Sized> #name for #x {}
        }
    });
    quote!(#(#rows)* #methods)
}

fn items(row: &Row, base: &Base) -> TokenStream {
    let holder = holder(row, base);
    let definition = definition::definition(row, base);
    let gradient = gradient::rule(row, base);
    let batch = gradient::batch(row, base);
    let body = body::entry(row, base);
    let op = meaning::op(row, base);
    let apply = meaning::apply(row, base);
    let name = row.call.as_ref().map(|call| call::name(row, call, base));
    let function = row.call.as_ref().map(|call| call::function(row, call, base));
    quote_spanned! {Span::mixed_site()=>
        #holder
        const _: () = {
            #definition
            #gradient
            #batch
            #body
            #op
            #apply
        };
        #name
        #function
    }
}

/// The fields of the struct: attributes, then inputs of plain data.
fn fields(row: &Row) -> Vec<(&Ident, &Type, String)> {
    let attrs = row
        .attrs
        .iter()
        .map(|a| (&a.field, &a.ty, format!("The attribute `{}`.", attribute_name(a))));
    let statics = row.statics().map(|(argument, field, ty)| {
        (field, ty, format!("The input `{}`, plain data in Rust.", argument.name))
    });
    attrs.chain(statics).collect()
}

fn holder(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let (vis, name, holder) = (&row.vis, &row.name, &row.holder);
    let docs = docs_of_type(row);
    let alias = alias(row);
    // Without attributes it is a mark, of which no reader needs a page.
    let is_mark = row.form != Form::Standalone && fields(row).is_empty();
    let hidden = is_mark.then(|| quote!(#[cfg_attr(doc, doc(hidden))]));
    let fields =
        fields(row).into_iter().map(|(field, ty, doc)| quote!(#[doc = #doc] pub #field: #ty,));
    let keys = row.attrs.iter().map(|a| {
        let (name, ty) = (attribute_name(a), &a.ty);
        // With the macro's hygiene, so that an unused key is no dead code of the user's.
        let key = Ident::new(&a.field.unraw().to_string().to_uppercase(), place(&a.field));
        let doc = format!("Names the attribute `{name}` of a call of this op.");
        quote_spanned! {site=>
            #[doc = #doc]
            pub const #key: #base::ir::AttrKey<#ty> = #base::ir::AttrKey::new(#name);
        }
    });
    let keys = (!row.attrs.is_empty()).then(|| quote!(impl #holder { #(#keys)* }));
    let keys = [keys, equality(row, holder)];
    if row.form == Form::Standalone {
        return quote_spanned! {site=>
            #(#docs)*
            #alias
            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            #vis struct #name { #(#fields)* }
            #(#keys)*
        };
    }
    let family = family_type(row);
    let doc = format!("Tells [`{name}`] from the other ops of its family.");
    let defaults = row.attrs.iter().map(|a| {
        let (field, ty, default) = (&a.field, &a.ty, &a.default);
        quote_spanned!(site=> #field: { let default: #ty = #default; default },)
    });
    quote_spanned! {site=>
        #(#docs)*
        #alias
        #vis type #name = #base::ops::#family<#holder>;

        #[doc = #doc]
        #hidden
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #vis struct #holder { #(#fields)* }

        impl ::core::default::Default for #holder {
            fn default() -> Self {
                Self { #(#defaults)* }
            }
        }
        #(#keys)*
    }
}

/// Compares field by field: for a function field, derived code would move out of the reference.
fn equality(row: &Row, holder: &Ident) -> Option<TokenStream> {
    let fields: Vec<_> = fields(row).into_iter().map(|(field, ..)| field).collect();
    let site = Span::mixed_site();
    let other = if fields.is_empty() { quote!(_) } else { quote_spanned!(site=> other) };
    Some(quote_spanned! {Span::mixed_site()=>
        impl ::core::cmp::PartialEq for #holder {
            fn eq(&self, #other: &Self) -> bool {
                true #(&& ::core::cmp::PartialEq::eq(&self.#fields, &other.#fields))*
            }
        }
    })
}

/// The wrapper of a family.
fn family_type(row: &Row) -> TokenStream {
    match row.form {
        Form::Unary => quote!(Unary),
        Form::Binary => quote!(Binary),
        _ => quote!(Reduce),
    }
}

fn alias(row: &Row) -> Option<TokenStream> {
    let (name, graph) = (row.name.to_string(), row.graph.value());
    // A compound has no node in graphs, so there is no graph name to search for.
    (graph != name && row.body.is_none()).then(|| quote!(#[doc(alias = #graph)]))
}

/// The docs of the struct: all of them if there is no function, otherwise the summary and a link to the function.
fn docs_of_type(row: &Row) -> Vec<TokenStream> {
    match (&row.call, docs::summary(&row.docs)) {
        (Some(call), Some(summary)) => {
            let link = format!("The op of [`{0}`]({0}()), whose page tells all.", call.name);
            vec![quote!(#[doc = #summary] #[doc = ""] #[doc = #link])]
        }
        _ => row.docs.iter().map(ToTokens::to_token_stream).collect(),
    }
}

/// The place of the user's code, so that errors in code generated for it point there.
fn place(tokens: &impl Spanned) -> Span {
    tokens.span().resolved_at(Span::mixed_site())
}

/// The whole documentation.
pub(super) fn doc_text(docs: &[Attribute]) -> String {
    let lines = docs.iter().filter_map(doc_line);
    lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(&line))).collect()
}

/// What the registry shows: the documentation before the first example or heading.
fn doc_in_registry(docs: &[Attribute]) -> String {
    let text = doc_text(docs);
    let lines = text.lines().take_while(|line| !begins_part(line));
    lines.map(|line| format!("{line}\n")).collect::<String>().trim_end().to_owned()
}

fn doc_line(doc: &Attribute) -> Option<String> {
    match &doc.meta {
        syn::Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => Some(s.value()),
            _ => None,
        },
        _ => None,
    }
}

/// True for the first line of an example or a heading.
fn begins_part(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("# ")
}
