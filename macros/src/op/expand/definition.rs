//! The definition of an op, as the registry holds it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Expr;
use syn::ext::IdentExt;

use super::super::model::{Form, Row, attribute_name};
use super::super::parse::{Argument, ArgumentType, Dtype};
use super::{doc_in_registry, place};
use crate::shared::Base;

pub(super) fn definition(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let private = base.private();
    let (graph, name) = (&row.graph, row.called());
    let doc = doc_in_registry(&row.docs);
    let inputs = row.inputs.iter().enumerate().map(|(i, a)| {
        let of = argument(a, base);
        if row.is_static(i) { quote!(#of.in_rust()) } else { of }
    });
    let outputs = row.outputs.iter().map(|a| argument(a, base));
    let types = row.types.iter().map(|(name, set)| {
        let (name, at) = (name.to_string(), place(set));
        let base = base.at(at);
        quote_spanned!(at=> #base::ir::AttrDef::dtype(#name, #set))
    });
    let lengths = row.lengths().into_iter().map(|n| {
        let n = n.to_string();
        quote_spanned!(site=> #base::ir::AttrDef::length(#n))
    });
    let keep_dims = (row.form == Form::Reduction).then(|| {
        quote_spanned!(site=> #base::ir::AttrDef::of::<bool>("keep_dims").or(|| #base::ir::Attr::to_attr(&false)),)
    });
    let attrs = row.attrs.iter().map(|a| {
        let (name, field, ty, holder) = (attribute_name(a), &a.field, &a.ty, &row.holder);
        let default = a.default.as_ref().map(|default| match row.form {
            Form::Standalone => quote_spanned!(site=> .or(|| {
                let default: #ty = #default;
                #base::ir::Attr::to_attr(&default)
            })),
            _ => quote_spanned!(site=> .or(|| {
                let default = <#holder as ::core::default::Default>::default();
                #base::ir::Attr::to_attr(&default.#field)
            })),
        });
        quote_spanned!(place(ty)=> #base::ir::AttrDef::of::<#ty>(#name)#default)
    });
    let kind = match row.form {
        Form::Standalone => quote!(Standalone),
        Form::Unary => quote!(UnaryElementwise),
        Form::Binary => quote!(BinaryElementwise),
        Form::Reduction => quote!(Reduction),
    };
    let infer = row.infer.as_ref().map_or_else(
        || match row.form {
            Form::Binary => quote!(#base::ops::rules::broadcast),
            Form::Reduction => quote!(#base::ops::rules::reduction),
            _ => quote!(#base::ops::rules::same_shape),
        },
        ToTokens::to_token_stream,
    );
    let new = match &row.kernel {
        None => quote_spanned!(site=> #base::ir::OpDef::compound(#graph, #name)),
        Some(k) => {
            let kernel = kernel(k, base);
            quote_spanned!(site=> #base::ir::OpDef::new(#graph, #name, #infer, #kernel))
        }
    };
    let effect = &row.effect;
    let finite_at = (!row.finite_at.is_empty()).then(|| {
        let points = row.finite_at.iter().map(|point| match point {
            Expr::Infer(_) => quote!(::core::option::Option::None),
            point => quote_spanned!(place(point)=> const {
                let point: f64 = #point;
                ::core::option::Option::Some(point)
            }),
        });
        quote!(.with_finite_at(&[#(#points),*]))
    });
    quote_spanned! {site=>
        static __DEF: #base::ir::OpDef = #new
            .in_module(::core::module_path!())
            .with_doc(#doc)
            .with_kind(#base::ir::OpKind::#kind)
            .with_effect(#base::ir::Effect::#effect)
            .with_inputs(&[#(#inputs),*])
            .with_outputs(&[#(#outputs),*])
            .with_attrs(&[#(#types,)* #(#lengths,)* #keep_dims #(#attrs,)*])
            #finite_at;

        #private::inventory::submit!(#base::ir::OpEntry(&__DEF));
    }
}

/// `Map(&TABLE)` and `Pass` are kernels of that kind; any other expression is a function.
fn kernel(expr: &Expr, base: &Base) -> TokenStream {
    let is_kind = match expr {
        Expr::Call(call) => match &*call.func {
            Expr::Path(p) => p.path.get_ident().is_some_and(|i| {
                i.to_string().starts_with(|first: char| first.is_ascii_uppercase())
            }),
            _ => false,
        },
        Expr::Path(p) => p.path.is_ident("Pass"),
        _ => false,
    };
    let at = place(expr);
    let base = base.at(at);
    match is_kind {
        true => quote_spanned!(at=> #base::ir::Kernel::#expr),
        false => quote_spanned!(at=> #base::ir::Kernel::General(#expr)),
    }
}

fn argument(a: &Argument, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let name = a.name.unraw().to_string();
    let dtype = |d: &Dtype| match d {
        Dtype::Var(var) => {
            let var = var.to_string();
            quote_spanned!(site=> #base::ir::ArgType::Var(#var))
        }
        Dtype::Fixed(dtype) => {
            quote_spanned!(site=> #base::ir::ArgType::Fixed(#base::types::DType::#dtype))
        }
    };
    match &a.ty {
        ArgumentType::One(d) => {
            let dtype = dtype(d);
            quote_spanned!(site=> #base::ir::ArgDef::one(#name, #dtype))
        }
        ArgumentType::List(d, n) => {
            let (dtype, n) = (dtype(d), n.to_string());
            quote_spanned!(site=> #base::ir::ArgDef::list(#name, #dtype, #n))
        }
        ArgumentType::Each(var) => {
            let var = var.to_string();
            quote_spanned!(site=> #base::ir::ArgDef::each(#name, #var))
        }
    }
}
