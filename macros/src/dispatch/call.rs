//! The call of an override's function: its operands by type, its attributes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};

use super::model::{Model, Operand, OperandType, Override, Part};

/// The name of the local variable for an operand.
pub(super) fn local(i: usize) -> Ident {
    format_ident!("operand{i}", span = Span::mixed_site())
}

/// The type of an operand as the traits name it.
pub(super) fn ty(model: &Model, kind: &OperandType) -> TokenStream {
    match kind {
        OperandType::Own | OperandType::Mixed => model.self_ty.to_token_stream(),
        OperandType::Other(ty) => ty.to_token_stream(),
    }
}

/// How an impl gets its operands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Each,
    Sequence,
    /// A sequence that may contain tensors.
    Mixed,
}

impl Form {
    pub(super) fn of(o: &Override, kinds: &[OperandType]) -> Self {
        match kinds {
            [OperandType::Mixed] => Form::Mixed,
            _ if o.operands().any(Operand::is_sequence) => Form::Sequence,
            _ => Form::Each,
        }
    }

    /// The trait that is implemented for this many operands, and its method. The handler for run-time dispatch has the
    /// name of the method.
    pub(super) fn trait_and_method(self, operands: usize) -> (&'static str, &'static str) {
        match (self, operands) {
            (Form::Sequence, _) => ("ApplySeq", "apply_seq"),
            (Form::Mixed, _) => ("ApplyMixed", "apply_mixed"),
            (Form::Each, 1) => ("Apply1", "apply1"),
            (Form::Each, 2) => ("Apply2", "apply2"),
            (Form::Each, _) => ("Apply3", "apply3"),
        }
    }
}

/// The call of the user's function.
pub(super) fn call(
    model: &Model,
    o: &Override,
    kinds: &[OperandType],
    op: &TokenStream,
) -> TokenStream {
    let site = Span::mixed_site();
    let (own, function) = (&model.self_ty, &o.function.ident);
    let mut position = 0;
    // An attribute that has another type in the op is an error at the parameter's type.
    let mut attributes = Vec::new();
    let arguments = o.parts.iter().enumerate().map(|(i, part)| match part {
        Part::Operand(operand) => {
            let from = position;
            position += operand.count();
            let kinds = kinds.get(from..position).unwrap_or_default();
            argument(model, operand, kinds, from)
        }
        Part::Op { by_ref: true } => op.clone(),
        Part::Op { by_ref: false } => quote_spanned!(site=> ::core::clone::Clone::clone(#op)),
        Part::Attribute { name, by_ref, ty } => {
            let place = ends(ty).map_or(site, |(first, _)| first);
            let value = format_ident!("__extype_attribute{i}", span = place);
            let field = match by_ref {
                true => quote_spanned!(site=> &#op.#name),
                false => quote_spanned!(site=> ::core::clone::Clone::clone(&#op.#name)),
            };
            attributes.push(quote_spanned!(site=> let #value = #field;));
            value.to_token_stream()
        }
        Part::Wrong(..) => TokenStream::new(),
    });
    let name = function.span();
    let call = quote_spanned!(name=> <#own>::#function(#(#arguments),*));
    match &attributes[..] {
        [] => call,
        attributes => quote_spanned!(site=> { #(#attributes)* #call }),
    }
}

/// The spans of the first and the last token.
pub(super) fn ends(tokens: &TokenStream) -> Option<(Span, Span)> {
    let mut spans = tokens.clone().into_iter().map(|t| t.span());
    let first = spans.next()?;
    Some((first, spans.last().unwrap_or(first)))
}

/// One operand, or a pair of two, as the user's function takes it.
fn argument(model: &Model, operand: &Operand, kinds: &[OperandType], from: usize) -> TokenStream {
    let (base, private, site) = (&model.base, model.base.private(), Span::mixed_site());
    let (x, y) = (local(from), local(from + 1));
    match (operand, kinds) {
        (Operand::Either(_), [OperandType::Other(_)]) => {
            quote_spanned!(site=> #base::ops::Arg::Other(#x))
        }
        (Operand::Either(_), _) => quote_spanned!(site=> #base::ops::Arg::This(#x)),
        (Operand::Pair(_), [_, OperandType::Other(_)]) => {
            quote_spanned!(site=> #base::ops::Pair::Left(#x, #y))
        }
        (Operand::Pair(_), [OperandType::Other(_), _]) => {
            quote_spanned!(site=> #base::ops::Pair::Right(#x, #y))
        }
        (Operand::Pair(_), _) => quote_spanned!(site=> #base::ops::Pair::Both(#x, #y)),
        (Operand::Mixed(_), [OperandType::Own]) => quote_spanned! {site=>
            &#x.iter().map(|x| #base::ops::Arg::This(*x)).collect::<#private::Vec<_>>()
        },
        _ => x.to_token_stream(),
    }
}
