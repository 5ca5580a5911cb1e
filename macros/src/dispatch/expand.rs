//! The trait impls and the entries for run-time dispatch.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;

use super::model::{Family, Model, Operand, Override, Part, Target, alias};
use crate::shared::types;

/// What one operand is in one of the impls.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "a handful a block, made once")]
enum Kind {
    Own,
    Other(Type),
    /// A host number, which becomes a tensor.
    Scalar,
}

/// All impls of all overrides, in a scope where a bare op name means an op of `extype::ops`, or
/// another one that is in scope where the block stands.
pub(super) fn all(model: &Model) -> TokenStream {
    let base = &model.base;
    let names = model.named_ops().enumerate().map(|(i, o)| {
        let (alias, path) = (alias(i), &o.path);
        quote_spanned!(Span::mixed_site()=> #base::__overridden!(#alias = #path);)
    });
    let impls = model.overrides.iter().flat_map(|o| match o.within {
        Some(_) => vec![entries_of_branch(model, o)],
        None => combinations(o).iter().map(|kinds| implementation(model, o, kinds)).collect(),
    });
    quote_spanned! {Span::mixed_site()=>
        const _: () = {
            #(#names)*
            #(#impls)*
        };
    }
}

/// The types that the operands may have together; one at least is the block's own.
fn combinations(o: &Override) -> Vec<Vec<Kind>> {
    let scalars = matches!(o.target, Target::Family(Family::Binary));
    let mut all: Vec<Vec<Kind>> = vec![Vec::new()];
    for operand in o.operands() {
        let kinds = kinds(operand, scalars);
        all = all
            .into_iter()
            .flat_map(|head| {
                kinds.iter().map(move |k| head.iter().cloned().chain([k.clone()]).collect())
            })
            .collect();
    }
    all.retain(|kinds| kinds.iter().any(|k| matches!(k, Kind::Own)));
    all
}

fn kinds(operand: &Operand, scalars: bool) -> Vec<Kind> {
    let other = |ty: &Type| {
        let scalar = (scalars && types::is_named(ty, "Tensor")).then_some(Kind::Scalar);
        [Kind::Other(ty.clone())].into_iter().chain(scalar)
    };
    match operand {
        Operand::Own | Operand::Sequence => vec![Kind::Own],
        Operand::Other(ty) => other(ty).collect(),
        Operand::Either(ty) => [Kind::Own].into_iter().chain(other(ty)).collect(),
    }
}

/// The local for the operand at a position.
fn local(i: usize) -> Ident {
    format_ident!("operand{i}", span = Span::mixed_site())
}

/// The type of an operand as the traits name it.
fn ty(model: &Model, kind: &Kind) -> TokenStream {
    match kind {
        Kind::Own => model.self_ty.to_token_stream(),
        Kind::Other(ty) => ty.to_token_stream(),
        Kind::Scalar => {
            let private = model.base.private();
            quote!(#private::Scalar)
        }
    }
}

fn implementation(model: &Model, o: &Override, kinds: &[Kind]) -> TokenStream {
    let implementation = match o.target {
        Target::Family(family) => for_family(model, o, family, kinds),
        Target::Op => for_op(model, o, kinds),
    };
    let entry = entry(model, o, kinds);
    quote!(#implementation #entry)
}

/// `impl BinaryElementwise<Tensor> for MaskedTensor`
fn for_family(model: &Model, o: &Override, family: Family, kinds: &[Kind]) -> TokenStream {
    let base = &model.base;
    let (name, method) = match family {
        Family::Unary => ("UnaryElementwise", "unary"),
        Family::Binary => ("BinaryElementwise", "binary"),
        Family::Reduction => ("Reductions", "reduce"),
    };
    let site = Span::mixed_site();
    let (name, method) = (Ident::new(name, site), Ident::new(method, site));
    let op_trait = Ident::new(family.op_trait(), site);
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let rest = match types.get(1..) {
        Some(rest) if !rest.is_empty() => quote!(<#(#rest),*>),
        _ => quote!(),
    };
    let branches = model
        .overrides
        .iter()
        .filter(|b| b.within == Some(family))
        .filter_map(|b| branch(model, b, kinds));
    let head = quote!(#base::ops::#name #rest);
    let operands = (0..kinds.len()).map(local);
    let body = call(model, o, kinds, &quote_spanned!(site=> op));
    let signature = quote_spanned! {site=>
        fn #method<FamilyOp: #base::ops::#op_trait>(op: &FamilyOp, #(#operands: &#types),*)
    };
    shell(model, o, &types, &head, &signature, &quote!(#(#branches)* #body))
}

/// `impl Apply2<Tensor, MatMul> for MaskedTensor`
fn for_op(model: &Model, o: &Override, kinds: &[Kind]) -> TokenStream {
    let (base, op, site) = (&model.base, model.op(o), Span::mixed_site());
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let rest = types.get(1..).unwrap_or_default();
    let sequence = o.operands().any(|x| matches!(x, Operand::Sequence));
    let (name, method) = match (sequence, kinds.len()) {
        (true, _) => ("ApplySeq", "apply_seq"),
        (_, 1) => ("Apply1", "apply1"),
        (_, 2) => ("Apply2", "apply2"),
        _ => ("Apply3", "apply3"),
    };
    let (name, method) = (Ident::new(name, site), Ident::new(method, site));
    let head = quote!(#base::ops::#name<#(#rest,)* #op>);
    let operands = (0..kinds.len()).map(local);
    let parameters = match sequence {
        true => quote!(#(#operands: &[&#types]),*),
        false => quote!(#(#operands: &#types),*),
    };
    let op_name = match o.parts.iter().any(|p| !matches!(p, Part::Operand(_))) {
        true => quote_spanned!(site=> op),
        false => quote_spanned!(site=> _),
    };
    let signature = quote_spanned!(site=> fn #method(#op_name: &#op, #parameters));
    let body = call(model, o, kinds, &quote_spanned!(site=> op));
    shell(model, o, &types, &head, &signature, &body)
}

/// The impl around a method.
fn shell(
    model: &Model,
    o: &Override,
    types: &[TokenStream],
    head: &TokenStream,
    signature: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let (base, params) = (&model.base, &model.params);
    let (declared, clause) = (params.declared(), params.clause());
    let (first, output) = (types.first(), &o.output);
    quote_spanned! {Span::mixed_site()=>
        #[automatically_derived]
        impl #declared #head for #first #clause {
            type Output = #output;

            #[track_caller]
            #signature -> #base::Result<Self::Output> {
                #body
            }
        }
    }
}

/// The call of the user's function.
fn call(model: &Model, o: &Override, kinds: &[Kind], op: &TokenStream) -> TokenStream {
    let site = Span::mixed_site();
    let (own, function) = (&model.self_ty, &o.function.ident);
    let mut position = 0;
    let arguments = o.parts.iter().map(|part| match part {
        Part::Operand(operand) => {
            let argument =
                kinds.get(position).map(|k| argument(model, operand, k, &local(position)));
            position += 1;
            argument.unwrap_or_default()
        }
        Part::Op { by_ref: true } => op.clone(),
        Part::Op { by_ref: false } => quote_spanned!(site=> ::core::clone::Clone::clone(#op)),
        Part::Attribute { name, by_ref: true } => quote_spanned!(site=> &#op.#name),
        Part::Attribute { name, by_ref: false } => {
            quote_spanned!(site=> ::core::clone::Clone::clone(&#op.#name))
        }
        Part::Unknown(_) => TokenStream::new(),
    });
    quote_spanned!(site=> <#own>::#function(#(#arguments),*))
}

/// One operand as the user's function takes it.
fn argument(model: &Model, operand: &Operand, kind: &Kind, local: &Ident) -> TokenStream {
    let (base, site) = (&model.base, Span::mixed_site());
    let value = match kind {
        Kind::Scalar => {
            quote_spanned!(site=> &<#base::Tensor as ::core::convert::From<_>>::from(*#local))
        }
        Kind::Own | Kind::Other(_) => quote!(#local),
    };
    match (operand, kind) {
        (Operand::Either(_), Kind::Own) => quote_spanned!(site=> #base::ops::Arg::This(#value)),
        (Operand::Either(_), _) => quote_spanned!(site=> #base::ops::Arg::Other(#value)),
        _ => value,
    }
}

/// The way of a single op out of its family's method, where it takes these operands.
fn branch(model: &Model, b: &Override, kinds: &[Kind]) -> Option<TokenStream> {
    let mut operands = b.operands().zip(kinds);
    let fits = operands.all(|(operand, kind)| match (operand, kind) {
        (Operand::Own | Operand::Either(_), Kind::Own) => true,
        (Operand::Other(ty) | Operand::Either(ty), Kind::Other(other)) => {
            super::model::same(ty, other)
        }
        (Operand::Other(ty) | Operand::Either(ty), Kind::Scalar) => types::is_named(ty, "Tensor"),
        _ => false,
    });
    if !fits {
        return None;
    }
    let (private, op, site) = (model.base.private(), model.op(b), Span::mixed_site());
    let single = quote_spanned!(site=> single);
    let call = call(model, b, kinds, &single);
    let needs = b.parts.iter().any(|p| !matches!(p, Part::Operand(_)));
    Some(match needs {
        true => quote_spanned! {site=>
            if let ::core::option::Option::Some(#single) = #private::downcast_op::<#op, _>(op) {
                return #call;
            }
        },
        false => quote_spanned! {site=>
            if #private::downcast_op::<#op, _>(op).is_some() {
                return #call;
            }
        },
    })
}

/// The entry for run-time dispatch; generic types are registered by hand.
fn entry(model: &Model, o: &Override, kinds: &[Kind]) -> Option<TokenStream> {
    if !model.params.is_empty() || kinds.iter().any(|k| matches!(k, Kind::Scalar)) {
        return None;
    }
    let (base, private, site) = (&model.base, model.base.private(), Span::mixed_site());
    let own = &model.self_ty;
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let op = model.op(o);
    let sequence = o.operands().any(|x| matches!(x, Operand::Sequence));
    let family = match (&o.target, o.within) {
        (Target::Family(family), _) => Some(*family),
        (Target::Op, _) => None,
    };
    let (target, handler) = match family {
        Some(family) => {
            let (kind, handler) = match family {
                Family::Unary => ("UnaryElementwise", "unary"),
                Family::Binary => ("BinaryElementwise", "binary"),
                Family::Reduction => ("Reduction", "reduction"),
            };
            let (kind, handler) = (Ident::new(kind, site), Ident::new(handler, site));
            (quote!(Family(#base::op::OpKind::#kind)), quote!(#handler::<#(#types),*>))
        }
        None => {
            let handler = match (sequence, kinds.len()) {
                (true, _) => "apply_seq",
                (_, 1) => "apply1",
                (_, 2) => "apply2",
                _ => "apply3",
            };
            let handler = Ident::new(handler, site);
            (quote!(Op(#private::op_name::<#op>)), quote!(#handler::<#(#types,)* #op>))
        }
    };
    let pattern = Ident::new(if sequence { "Sequence" } else { "Each" }, site);
    let ids = types.iter().map(|t| quote!(#private::TypeId::of::<#t>));
    Some(quote_spanned! {site=>
        #private::inventory::submit! {
            #private::dispatch::DispatchEntry {
                owner: #private::TypeId::of::<#own>,
                target: #private::dispatch::Target::#target,
                operands: #private::dispatch::Operands::#pattern(&[#(#ids),*]),
                handler: #private::dispatch::#handler,
            }
        }
    })
}

/// A single op within a family is found by its name before the family is.
fn entries_of_branch(model: &Model, o: &Override) -> TokenStream {
    combinations(o).iter().filter_map(|kinds| entry(model, o, kinds)).collect()
}
