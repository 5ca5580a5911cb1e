//! The name, the function and the method.

use super::super::dtypes;
use super::super::mentions;
use super::super::model::{Form, Function, Row};
use super::super::parse::{Made, Operands};
use super::{alias, begins_part, doc_line, doc_text, family_type, place};
use crate::shared::aliases::aliases;
use crate::shared::{Base, docs};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Attribute;
use syn::ext::IdentExt;

/// The generic parameters, bound and result type of a function or method.
struct Generic {
    letters: Vec<Ident>,
    /// The parameter that is the function's result.
    result: Ident,
    /// `<tanh as Takes1<X::Value>>`
    takes: TokenStream,
    /// `tanh: Takes1<X::Value>`, for a function with `Output = R`.
    bound: TokenStream,
}

/// A type parameter that differs from all names of the user.
pub(super) fn letter(letter: &str, taken: &TokenStream) -> Ident {
    let mut ident = Ident::new(letter, Span::mixed_site());
    while mentions(taken.clone(), &ident) {
        ident = format_ident!("{ident}Operand");
    }
    ident
}

/// The generics of a function or a method. In a method the first operand is `Self`.
///
/// The result of a function is a type parameter, so that its bound is stated once and an unsupported operand type gives
/// one error. The bound has the span of the function's name in the row: the compiler shows that line instead of the
/// whole table.
fn generic(row: &Row, call: &Function, method: bool, base: &Base) -> Generic {
    let site = Span::mixed_site();
    let (op, name) = (&row.name, &call.name);
    let (holder, types) = (&row.holder, call.parameters.iter().map(|p| &p.ty));
    let made = made(row, call, base);
    let taken = quote!(#op #name #holder #made #(#types)*);
    let count = call.operands.names().len();
    let letters: Vec<Ident> =
        ["X", "Y", "Z"].iter().take(count).map(|l| letter(l, &taken)).collect();
    let result = letter("R", &taken);
    let first = match method {
        true => quote_spanned!(site=> Self),
        false => letters.first().to_token_stream(),
    };
    let output = (!method).then(|| quote!(, Output = #result));
    let (of, operands) = match call.operands {
        Operands::Sequence(_) => (format_ident!("TakesAll"), first),
        Operands::Each(_) => {
            let others = letters.iter().skip(1);
            (format_ident!("Takes{count}"), quote!(#first::Value #(, #others::Value)*))
        }
    };
    let takes = quote_spanned!(site=> <#name as #base::ops::#of<#operands>>);
    let bound = at(name.span(), quote!(#name: #base::ops::#of<#operands #output>));
    Generic { letters, result, takes, bound }
}

/// The tokens with the span of another place.
fn at(place: Span, tokens: TokenStream) -> TokenStream {
    let placed = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), at(place, group.stream())).into();
        }
        token.set_span(place);
        token
    });
    placed.collect()
}

/// A type that stands for the op and has the name of its function. Bounds on it state what the op takes, and the
/// compiler prints them. It is left out of the documentation, but must be visible to the compiler, which would
/// otherwise print its whole path.
pub(super) fn name(row: &Row, call: &Function, base: &Base) -> TokenStream {
    let (op, vis, name) = (&row.name, &row.vis, &call.name);
    let doc = format!("The name of the op [`{op}`]: in messages, and in `#[overrides({name})]`.");
    let item = quote! {
        #[doc = #doc]
        #[cfg_attr(doc, doc(hidden))]
        #vis enum #name {}
    };
    let (item, private) = (at(place(name), item), base.private());
    let by = letter("By", &quote!(#op #name));
    quote_spanned! {Span::mixed_site()=>
        #item

        impl #base::ops::Named for #name {
            type Op = #op;
        }

        impl<#by> #private::NamedBy<#by> for #name {
            type Op = #op;
        }
    }
}

/// The op, built from the parameters.
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
            // Written as in the definition, so that a default of a wrong type gives one error.
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

/// The row's documentation, with a sentence on dtypes before the first example unless the row has its own.
fn documentation(row: &Row, call: &Function) -> TokenStream {
    let docs = &row.docs;
    let told = doc_text(docs).contains("Dtypes");
    let Some(sentence) = dtypes::sentence(row, call).filter(|_| !told) else {
        return quote!(#(#docs)*);
    };
    let begins = |doc: &Attribute| doc_line(doc).is_some_and(|line| begins_part(&line));
    let (before, parts) = docs.split_at(docs.iter().position(begins).unwrap_or(docs.len()));
    let opened = (!parts.is_empty()).then(|| quote!(#[doc = ""]));
    let separate = before.last().and_then(doc_line).is_some_and(|line| !line.trim().is_empty());
    let separate = separate.then(|| quote!(#[doc = ""]));
    quote!(#(#before)* #separate #[doc = #sentence] #opened #(#parts)*)
}

/// The name in graphs and those in other libraries, by which the documentation is searched. The compiler suggests the
/// function for them.
fn searched(row: &Row, call: &Function) -> TokenStream {
    let (own, graph) = (alias(row), row.graph.value());
    let names = aliases(&row.docs, &call.name).into_iter();
    let others = names.filter(|name| own.is_none() || *name != graph);
    quote!(#own #(#[doc(alias = #others)])*)
}

pub(super) fn function(row: &Row, call: &Function, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let Generic { letters, result, takes, bound } = generic(row, call, false, base);
    let (vis, name, aliases) = (&row.vis, &call.name, searched(row, call));
    let (declared, made, text) = (declared(call), made(row, call, base), name.unraw().to_string());
    let docs = documentation(row, call);
    let errors = (!doc_text(&row.docs).contains("# Errors")).then(|| {
        quote! {
            #[doc = ""]
            #[doc = "# Errors"]
            #[doc = "`InvalidArgument` for a dtype, shape or argument that the op does not take."]
        }
    });
    // The trait for sequences determines their element type.
    let operand = matches!(call.operands, Operands::Each(_))
        .then(|| quote_spanned!(site=> : #base::ops::Operand));
    let (operands, given) = match &call.operands {
        Operands::Sequence(xs) => {
            (quote_spanned!(site=> #xs: #(#letters)*), quote_spanned!(site=> &#xs))
        }
        Operands::Each(names) => {
            let lent =
                names.iter().map(|n| quote_spanned!(site=> &*#base::ops::Operand::operand(&#n)?));
            (quote!(#(#names: #letters),*), quote!(#(#lent),*))
        }
    };
    quote_spanned! {site=>
        #docs
        #errors
        #aliases
        #[track_caller]
        #vis fn #name<#(#letters #operand,)* #result>(#operands #declared) -> #base::Result<#result>
        where
            #bound,
        {
            let _site = #base::tensor::call_site_of(::core::option::Option::Some(#text));
            let op = #made;
            #takes::call(&op, #given)
        }
    }
}

pub(super) fn method(row: &Row, call: &Function, base: &Base) -> Option<TokenStream> {
    let Operands::Each(names) = call.method.then_some(&call.operands)? else { return None };
    let site = Span::mixed_site();
    let Generic { letters, takes, bound, .. } = generic(row, call, true, base);
    let name = &call.name;
    let summary = docs::summary(&row.docs).unwrap_or_default();
    let link = format!("See [`{name}`]({name}()).");
    // Hygienic parameters: one may have the name of the function that is called.
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
        fn #name #generics(&self #(, #parameters)*) -> #base::Result<#takes::Output>
        where
            #bound,
        {
            #name(#base::ops::Operand::operand(self)? #(, #others)* #(, #given)*)
        }
    })
}
