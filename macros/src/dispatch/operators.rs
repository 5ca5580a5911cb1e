//! `2.0 * &m`, for types that take a tensor on the left of an operator, and `m += &n`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::model::{Family, Kind, Model, Override, Target};
use super::names::{Meaning, known};
use crate::shared::types;

/// The operators of Rust with a number on the left: trait and function.
const OPERATORS: [(&str, &str); 5] =
    [("Add", "add"), ("Sub", "sub"), ("Mul", "mul"), ("Div", "div"), ("Rem", "rem")];

pub(super) fn all(model: &Model) -> TokenStream {
    let (base, own, site) = (&model.base, &model.self_ty, Span::mixed_site());
    let (slot, predicates) = (model.params.slot(), model.params.predicate_slot());
    let overridden = |function: &str| {
        model.overrides.iter().any(|o| overrides(o, function) && takes_tensor_first(o))
    };
    let operators = OPERATORS.iter().filter(|(_, function)| overridden(function)).map(|names| {
        let (name, function) = (Ident::new(names.0, site), Ident::new(names.1, site));
        quote_spanned!(site=> #name #function)
    });
    let operators: Vec<_> = operators.collect();
    let numbers = (!operators.is_empty()).then(|| {
        quote_spanned! {site=>
            #base::__number_operators!([#slot] #own, [#predicates], #(#operators),*);
        }
    });
    let overridden = |function: &str| model.overrides.iter().any(|o| overrides(o, function));
    let assigning = OPERATORS.iter().filter(|(_, function)| overridden(function)).map(|names| {
        let ident = |text: &str| Ident::new(text, site);
        let (op, function) = (ident(names.0), ident(names.1));
        let by = ident(&format!("{}Assign", names.0));
        let method = ident(&format!("{}_assign", names.1));
        quote_spanned!(site=> #by #method #op #function)
    });
    let assigning: Vec<_> = assigning.collect();
    let assigning = (!assigning.is_empty()).then(|| {
        quote_spanned! {site=>
            #base::__assigning_operators!([#slot] #own, [#predicates], #(#assigning),*);
        }
    });
    quote!(#numbers #assigning)
}

/// True if it says what this op means, alone or within a family.
fn overrides(o: &Override, function: &str) -> bool {
    match &o.target {
        Target::Family(family) => *family == Family::Binary,
        Target::Op(Meaning::Row(row)) => row.function == function,
        Target::Op(Meaning::Path(path)) => path
            .segments
            .last()
            .and_then(|name| known(&name.ident.to_string()))
            .is_some_and(|row| row.function == function),
        Target::Conversion => false,
    }
}

fn takes_tensor_first(o: &Override) -> bool {
    o.combinations().iter().any(|kinds| match &kinds[..] {
        [Kind::Other(ty), Kind::Own] => types::is_named(ty, "Tensor"),
        _ => false,
    })
}
