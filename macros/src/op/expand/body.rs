//! The body of a compound op.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprClosure, Pat, ReturnType};

use super::super::model::{Dispatch, Row};
use super::place;
use crate::shared::Base;

/// The names of the operands in a body.
const OPERANDS: [&str; 3] = ["x", "y", "z"];

/// The body, as an entry next to the definition.
pub(super) fn entry(row: &Row, base: &Base) -> Option<TokenStream> {
    let body = row.body.as_ref()?;
    let site = Span::mixed_site();
    let (private, name) = (base.private(), &row.name);
    let operands: Vec<Ident> = match row.dispatch {
        Dispatch::Operands(n) => {
            OPERANDS.iter().take(n).map(|name| Ident::new(name, site)).collect()
        }
        Dispatch::Sequence | Dispatch::None => Vec::new(),
    };
    let given = match operands.is_empty() {
        true => quote_spanned!(site=> &operands[..]),
        false => quote_spanned!(site=> #(#operands),*),
    };
    let taken = (!operands.is_empty()).then(|| {
        quote_spanned! {site=>
            let [#(#operands),*] = operands[..] else {
                return ::core::result::Result::Err(#base::Error::internal("the operands are not those of the row"));
            };
        }
    });
    let (closure, with_op) = match body {
        Expr::Closure(closure) => {
            let with_op = closure.inputs.len() > operands.len().max(1);
            (typed(closure, with_op, row, base), with_op)
        }
        function => (quote_spanned!(place(function)=> #function), !row.fields().is_empty()),
    };
    let (op, with_op) = match with_op {
        true => (quote_spanned!(site=> op), quote_spanned!(site=> op,)),
        false => (quote!(_), quote!()),
    };
    Some(quote_spanned! {site=>
        #private::inventory::submit!(#private::CompoundEntry::new(&__DEF, |attrs, inputs| {
            #private::compound_call::<#name>(&__DEF, attrs, inputs, |#op, operands| {
                #taken
                let results = (#closure)(#with_op #given)?;
                ::core::result::Result::Ok(#private::Results::into_tensors(results))
            })
        }));
    })
}

/// The closure of a row with the types of its parameters.
fn typed(closure: &ExprClosure, with_op: bool, row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let (body, name) = (&closure.body, &row.name);
    let parameters = closure.inputs.iter().enumerate().map(|(i, pattern)| match (i, pattern) {
        (_, Pat::Type(_)) => quote!(#pattern),
        (0, _) if with_op => quote_spanned!(site=> #pattern: &#name),
        _ if row.dispatch == Dispatch::Sequence => {
            quote_spanned!(site=> #pattern: &[&#base::Tensor])
        }
        _ => quote_spanned!(site=> #pattern: &#base::Tensor),
    });
    let (capture, written) = (&closure.capture, &closure.output);
    match written {
        ReturnType::Type(..) => quote_spanned!(site=> #capture |#(#parameters),*| #written #body),
        ReturnType::Default => {
            quote_spanned!(site=> #capture |#(#parameters),*| -> #base::Result<_> { #body })
        }
    }
}
