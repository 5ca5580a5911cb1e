//! `2.0 * &m`, for types that take a tensor on the left of an operator, and `m += &n`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::model::{Family, Model, OperandType, Override, Target};
use super::names::{Meaning, OPERATORS, Operator, known};
use crate::shared::types;

pub(super) fn all(model: &Model) -> TokenStream {
    let (base, own, site) = (&model.base, &model.self_ty, Span::mixed_site());
    let (slot, predicates) = (model.params.slot(), model.params.predicate_slot());
    let ident = |text: &str| Ident::new(text, site);
    let of_two = || OPERATORS.iter().filter(|o| !o.numbers.is_empty());
    let numbers = of_two().filter(|o| overridden(model, o).any(|by| takes_tensor_first(&by)));
    let numbers = numbers.map(|o| {
        let (name, method, op) = (ident(o.rust), ident(o.method), ident(o.function));
        let types = o.numbers.iter().map(|ty| ident(ty));
        quote_spanned!(site=> #name #method #op [#(#types),*])
    });
    let numbers: Vec<_> = numbers.collect();
    let numbers = (!numbers.is_empty()).then(|| {
        quote_spanned! {site=>
            #base::__number_operators!([#slot] #own, [#predicates], #(#numbers),*);
        }
    });
    let assigning = of_two().filter(|o| overridden(model, o).next().is_some()).map(|o| {
        let (op, function) = (ident(o.rust), ident(o.method));
        let by = ident(&format!("{}Assign", o.rust));
        let method = ident(&format!("{}_assign", o.method));
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

/// The operands for which the block gives the operator a meaning: by its op, by an op that forwards to it, or by the
/// family.
fn overridden(model: &Model, operator: &Operator) -> impl Iterator<Item = Vec<OperandType>> {
    let own = model.overrides.iter().filter(|o| overrides(o, operator.function));
    let own = own.flat_map(Override::combinations);
    let of_others = model.forwards().filter(|f| f.to.function == operator.function);
    own.chain(of_others.flat_map(|f| f.kinds))
}

/// True if the override covers this op, alone or within a family.
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

fn takes_tensor_first(kinds: &[OperandType]) -> bool {
    matches!(kinds, [OperandType::Other(ty), OperandType::Own] if types::is_named(ty, "Tensor"))
}
