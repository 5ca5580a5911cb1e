//! The gradient rule and the batch rule.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ExprClosure, Pat};

use super::super::model::{Form, Row};
use super::super::parse::Gradient;
use super::place;
use crate::shared::Base;

/// The gradient rule, as an entry next to the definition.
pub(super) fn rule(row: &Row, base: &Base) -> Option<TokenStream> {
    let site = Span::mixed_site();
    let private = base.private();
    let forward = row.forward.as_ref().map(|f| quote_spanned!(place(f)=> #f));
    let Some(gradient) = &row.gradient else {
        let forward = forward?;
        return Some(quote_spanned! {site=>
            #private::inventory::submit!(#private::GradientEntry::forward(&__DEF, #forward));
        });
    };
    let forward = forward.map(|f| quote_spanned!(site=> .with_forward(#f)));
    let body = match gradient {
        Gradient::None => {
            return Some(quote_spanned! {site=>
                #private::inventory::submit!(#private::GradientEntry::none(&__DEF));
            });
        }
        Gradient::Rule(f) => {
            quote_spanned!(site=> #private::IntoGradients::into_gradients((#f)(g)?, g))
        }
        Gradient::Closure(closure) => closure_rule(closure, row.form, base),
    };
    Some(quote_spanned! {site=>
        #private::inventory::submit!(#private::GradientEntry::new(&__DEF, |g| {
            ::core::result::Result::Ok({ #body })
        })#forward);
    })
}

/// The batch rule, as an entry next to the definition.
pub(super) fn batch(row: &Row, base: &Base) -> Option<TokenStream> {
    let private = base.private();
    let rule = row.batch.as_ref().map(|f| quote_spanned!(place(f)=> #f))?;
    Some(quote_spanned! {Span::mixed_site()=>
        #private::inventory::submit!(#private::BatchEntry::new(&__DEF, #rule));
    })
}

/// The closure of a row, with parameter types for its form, and the call of it.
fn closure_rule(closure: &ExprClosure, form: Form, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let private = base.private();
    let body = &closure.body;
    let tensor = quote_spanned!(site=> &#base::Tensor);
    let parameters = closure.inputs.iter().enumerate().map(|(i, pattern)| match (i, pattern) {
        (_, Pat::Type(_)) => quote!(#pattern),
        (0, _) => quote_spanned!(site=> #pattern: &#private::Gradient<'_>),
        _ => quote!(#pattern: #tensor),
    });
    let parameters = quote!(#(#parameters),*);
    // Parameters that a rule of this form need not use.
    let used = closure.inputs.iter().filter_map(|pattern| match pattern {
        Pat::Ident(name) => Some(&name.ident),
        Pat::Type(typed) => match &*typed.pat {
            Pat::Ident(name) => Some(&name.ident),
            _ => None,
        },
        _ => None,
    });
    let used = quote_spanned!(site=> #(let _ = #used;)*);
    match form {
        Form::Unary => {
            let tensor = quote!(#base::Tensor).into_iter().map(|mut token| {
                token.set_span(place(body));
                token
            });
            let tensor: TokenStream = tensor.collect();
            let given = quote_spanned!(place(body)=> let dx: #tensor = #body;);
            quote_spanned! {site=>
                let of = |#parameters| -> #base::Result<#base::Tensor> {
                    #used
                    #given
                    ::core::result::Result::Ok(dx)
                };
                #private::IntoGradients::into_gradients(of(g, g.dy()?)?, g)
            }
        }
        Form::Binary => quote_spanned! {site=>
            let of = |#parameters| -> #base::Result<[::core::option::Option<#base::Tensor>; 2]> {
                #used
                let (x, y) = #body;
                ::core::result::Result::Ok([
                    ::core::convert::Into::into(x),
                    ::core::convert::Into::into(y),
                ])
            };
            #private::unbroadcast_gradients(g, of(g, g.x(0), g.x(1), g.dy()?)?)?
        },
        _ => quote_spanned! {site=>
            let of = |#parameters| -> #base::Result<_> {
                #used
                #body
            };
            #private::IntoGradients::into_gradients(of(g)?, g)
        },
    }
}
