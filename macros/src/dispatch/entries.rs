//! The entries for run-time dispatch, and what compounds see of a type.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Member, Type};

use super::call::{Form, call, local, ty};
use super::model::{Model, Operand, OperandType, Override, Target};

/// The entry for run-time dispatch. Generic types are registered by hand.
pub(super) fn entry(model: &Model, o: &Override, kinds: &[OperandType]) -> Option<TokenStream> {
    let entry = entry_of(model, o, kinds).filter(|_| model.params.is_empty())?;
    let private = model.base.private();
    Some(quote_spanned!(Span::mixed_site()=> #private::inventory::submit! { #entry }))
}

/// The entry as a value.
fn entry_of(model: &Model, o: &Override, kinds: &[OperandType]) -> Option<TokenStream> {
    let form = Form::of(o, kinds);
    // The handler for mixed sequences also serves sequences of the type alone.
    let covered = form == Form::Sequence && o.operands().any(|x| matches!(x, Operand::Mixed(_)));
    if covered || matches!(o.target, Target::Conversion) {
        return None;
    }
    let (base, private, site) = (&model.base, model.base.private(), Span::mixed_site());
    let own = &model.self_ty;
    let types: Vec<_> = kinds.iter().map(|k| ty(model, k)).collect();
    let op = model.op(o);
    let target = match o.target {
        Target::Family(family) => {
            let kind = Ident::new(family.op_kind(), site);
            quote!(Family(#base::ir::OpKind::#kind))
        }
        Target::Op(_) | Target::Conversion => quote!(Op(#private::op_name::<#op>)),
    };
    let handler = match o.target {
        _ if o.in_body.is_some() => handler_in_body(model, o, kinds, &types),
        Target::Family(family) => {
            let handler = Ident::new(family.trait_and_method().1, site);
            quote!(#private::dispatch::#handler::<#(#types),*>)
        }
        Target::Op(_) | Target::Conversion => {
            let handler = Ident::new(form.trait_and_method(kinds.len()).1, site);
            quote!(#private::dispatch::#handler::<#(#types,)* #op>)
        }
    };
    let pattern = Ident::new(if form == Form::Each { "Each" } else { "Sequence" }, site);
    let tensor = (form == Form::Mixed).then(|| quote!(#base::Tensor));
    let ids = types.iter().chain(&tensor);
    let ids = ids.map(|t| quote!(#private::dispatch::TypeRef::of::<#t>()));
    Some(quote_spanned! {site=>
        #private::dispatch::DispatchEntry {
            owner: #private::dispatch::TypeRef::of::<#own>(),
            target: #private::dispatch::Target::#target,
            operands: #private::dispatch::Operands::#pattern(const { &[#(#ids),*] }),
            handler: #handler,
        }
    })
}

/// The handler of an override in the body of compounds: a closure with the user's function, since the impl of the op is
/// that of the body.
fn handler_in_body(
    model: &Model,
    o: &Override,
    kinds: &[OperandType],
    types: &[TokenStream],
) -> TokenStream {
    let (base, op, site) = (&model.base, model.op(o), Span::mixed_site());
    let operands: Vec<Ident> = (0..kinds.len()).map(local).collect();
    let places = 0..kinds.len();
    let call = call(model, o, kinds, &quote_spanned!(site=> op));
    let value = match o.declines {
        true => quote_spanned!(site=> #call?),
        false => quote_spanned!(site=> ::core::option::Option::Some(#call?)),
    };
    quote_spanned! {site=> |call| {
        let op = &call.op::<#op>()?;
        #(let #operands = &call.operand::<#types>(#places)?;)*
        ::core::result::Result::Ok(#value.map(#base::spec::AnyValue::new))
    }}
}

/// The entries of a single op in a family; at run time they are found before those of the family.
pub(super) fn entries_of_branch(model: &Model, o: &Override) -> TokenStream {
    o.combinations().iter().filter_map(|kinds| entry(model, o, kinds)).collect()
}

/// The entry for the conversion to a tensor.
pub(super) fn conversion(model: &Model, o: &Override) -> TokenStream {
    let (private, own, function) = (model.base.private(), &model.self_ty, &o.function.ident);
    quote_spanned! {Span::mixed_site()=>
        #private::inventory::submit! {
            #private::dispatch::ConversionEntry {
                owner: #private::dispatch::TypeRef::of::<#own>(),
                convert: |value| #private::converted(value, <#own>::#function),
            }
        }
    }
}

/// The entry for a declared supertype.
pub(super) fn subtype(model: &Model, supertype: &Type) -> TokenStream {
    let (private, own) = (model.base.private(), &model.self_ty);
    quote_spanned! {Span::mixed_site()=>
        #private::inventory::submit! {
            #private::dispatch::SubtypeEntry {
                subtype: #private::dispatch::TypeRef::of::<#own>(),
                supertype: #private::dispatch::TypeRef::of::<#supertype>(),
            }
        }
    }
}

/// What compounds see of a value: the dtype and shape of a field.
pub(super) fn stand_in(model: &Model, field: &Member) -> TokenStream {
    let (base, private, params) = (&model.base, model.base.private(), &model.params);
    let (declared, clause, own) = (params.declared(), params.clause(), &model.self_ty);
    let place = field.span();
    let (site, own_value) = (Span::mixed_site(), Ident::new("self", Span::mixed_site()));
    let value = quote_spanned!(place=> &#own_value.#field);
    // Run-time dispatch knows the others from their entries.
    let handlers = (!params.is_empty()).then(|| {
        let entries = model.overrides.iter().flat_map(|o| {
            o.combinations().into_iter().filter_map(|kinds| entry_of(model, o, &kinds))
        });
        quote_spanned! {site=>
            fn handlers() -> #private::Vec<#private::dispatch::DispatchEntry> {
                let mut all = #private::dispatch::asking::<Self>();
                all.extend([#(#entries),*]);
                all
            }
        }
    });
    quote_spanned! {site=>
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #declared #private::dispatch::StandIn for #own #clause {
            fn stand_in(&#own_value) -> #base::types::TensorType {
                #private::dispatch::TensorTyped::tensor_type(#value)
            }

            fn ask<AskingOp: #base::ops::Op>(
                &#own_value,
                op: &AskingOp,
            ) -> #base::Result<#base::Tensor> {
                #private::dispatch::TensorTyped::ask(#value, op)
            }

            #handlers
        }
    }
}
