//! The op as a value, and what it means for tensors.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

use super::super::model::{Dispatch, Form, Row, attribute_name};
use super::super::parse::{Argument, ArgumentType, Dtype};
use super::{fields, place};
use crate::shared::Base;

/// The op: its attributes, and how it is built from them.
pub(super) fn op(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let private = base.private();
    let (name, holder, graph) = (row.name.to_string(), &row.holder, &row.graph);
    let operands = match row.dispatch {
        Dispatch::Operands(n) => quote!(Each(#n)),
        Dispatch::Sequence => quote!(Sequence),
        Dispatch::None => quote!(None),
    };
    let familys = [("axes", "&Axes"), ("keep_dims", "bool")].map(|(n, t)| (n.into(), t.into()));
    let familys = familys.into_iter().filter(|_| row.form == Form::Reduction);
    let own = fields(row).into_iter().map(|(field, ty, _)| {
        let ty: String = ty.to_token_stream().to_string().replace(' ', "");
        (field.unraw().to_string(), ty)
    });
    let fields = familys
        .chain(own)
        .map(|(name, ty)| quote_spanned!(site=> #base::ops::Field { name: #name, ty: #ty }));
    let named = quote_spanned! {site=>
        impl #base::ops::NamedOp for #holder {
            const NAME: &'static str = #graph;
            const RUST_NAME: &'static str = #name;
            const DEF: &'static #base::ir::OpDef = &__DEF;
            const OPERANDS: #base::ops::Operands = #base::ops::Operands::#operands;
            const FIELDS: &'static [#base::ops::Field] = &[#(#fields),*];
        }
    };
    let set = row.attrs.iter().map(|a| {
        let (name, field) = (attribute_name(a), &a.field);
        quote_spanned!(place(&a.ty)=> .with(#base::ir::AttrKey::new(#name), &self.#field))
    });
    let attrs = quote_spanned! {site=>
        fn attrs(&self) -> #base::ir::Attrs {
            #base::ir::Attrs::new() #(#set)*
        }
    };
    let got: Vec<_> = row
        .attrs
        .iter()
        .map(|a| {
            let (name, field) = (attribute_name(a), &a.field);
            let got = quote_spanned!(place(&a.ty)=> attrs.get(#base::ir::AttrKey::new(#name))?);
            quote!(#field: #got,)
        })
        .collect();
    if row.form != Form::Standalone {
        let marker = match row.form {
            Form::Unary => quote!(Unary),
            Form::Binary => quote!(Binary),
            _ => quote!(Reduction),
        };
        let unused = got.is_empty().then(|| quote_spanned!(site=> let _ = attrs;));
        let tensors = row.tensors.as_ref().map(|f| {
            quote_spanned! {place(f)=>
                #[track_caller]
                fn on_tensors(&self, operands: &[&#base::Tensor]) -> #base::Result<#base::Tensor> {
                    (#f)(self, operands)
                }
            }
        });
        let same = |(x, y): (&Argument, &Argument)| match (&x.ty, &y.ty) {
            (ArgumentType::One(x), ArgumentType::One(y)) => same_dtype(x, y),
            _ => false,
        };
        let called = row.called();
        let kept = match row.inputs.first().zip(row.outputs.first()).is_some_and(same) {
            true => quote!(Yes),
            false => quote!(No(#called)),
        };
        return quote_spanned! {site=>
            #named

            impl #base::ops::FunctionOf<#base::ops::family::#marker> for #holder {
                const KEPT: #base::ops::Kept = #base::ops::Kept::#kept;

                fn def(&self) -> &'static #base::ir::OpDef {
                    &__DEF
                }

                #attrs

                fn from_attrs(attrs: &#base::ir::Attrs) -> #base::Result<Self> {
                    #unused
                    ::core::result::Result::Ok(Self { #(#got)* })
                }

                #tensors
            }
        };
    }
    let count = row.statics().count();
    // Both conversions begin with the type, so that an unsupported type gives one error, at the type.
    let inputs = row.statics().map(|(_, field, ty)| {
        quote_spanned!(site=> <#ty as #private::StaticInput>::to_input(&self.#field, first)?)
    });
    let from = row.statics().map(|(_, field, ty)| {
        quote_spanned!(site=> #field: <#ty as #private::StaticInput>::from_input(statics.next())?,)
    });
    let unused = got.is_empty().then(|| quote_spanned!(site=> let _ = attrs;));
    let take = match count == 0 {
        true => quote_spanned!(site=> let _ = statics;),
        false => quote_spanned!(site=> let mut statics = statics.iter();),
    };
    let statics = (count > 0).then(|| {
        quote_spanned! {site=>
            fn static_inputs(&self, first: &#base::Tensor) -> #base::Result<#private::StaticInputs> {
                ::core::result::Result::Ok(#private::StaticInputs::from_iter([#(#inputs),*]))
            }
        }
    });
    quote_spanned! {site=>
        #named

        impl #base::ops::Op for #holder {
            const STATIC_INPUTS: usize = #count;

            fn def(&self) -> &'static #base::ir::OpDef {
                &__DEF
            }

            #attrs

            #statics

            fn from_parts(attrs: &#base::ir::Attrs, statics: &[#base::Tensor]) -> #base::Result<Self> {
                #unused
                #take
                ::core::result::Result::Ok(Self { #(#got)* #(#from)* })
            }
        }
    }
}

/// The result type of a call.
fn results(row: &Row, base: &Base) -> TokenStream {
    let site = Span::mixed_site();
    let private = base.private();
    let tensor = quote_spanned!(site=> #base::Tensor);
    match &row.outputs[..] {
        [] => quote!(()),
        [one] if !matches!(one.ty, ArgumentType::One(_)) => {
            quote_spanned!(site=> #private::Vec<#tensor>)
        }
        [_] => tensor,
        more => {
            let each = more.iter().map(|_| &tensor);
            quote!((#(#each),*))
        }
    }
}

/// What the op means for tensors.
pub(super) fn apply(row: &Row, base: &Base) -> Option<TokenStream> {
    if row.form != Form::Standalone {
        return None;
    }
    let site = Span::mixed_site();
    let (name, output) = (&row.name, results(row, base));
    let tensor = quote_spanned!(site=> #base::Tensor);
    let (of, method, parameters, operands) = match row.dispatch {
        Dispatch::None => return None,
        Dispatch::Sequence => (
            quote_spanned!(site=> ApplySeq<#name>),
            quote_spanned!(site=> apply_seq),
            quote_spanned!(site=> xs: &[&Self]),
            quote_spanned!(site=> xs),
        ),
        Dispatch::Operands(n) => {
            let locals: Vec<Ident> =
                ["x", "y", "z"].iter().take(n).map(|l| Ident::new(l, site)).collect();
            let (of, method) = (format_ident!("Apply{n}"), format_ident!("apply{n}"));
            let others = locals.iter().skip(1).map(|_| &tensor);
            (
                quote_spanned!(site=> #of<#(#others,)* #name>),
                quote!(#method),
                quote_spanned!(site=> #(#locals: &#tensor),*),
                quote_spanned!(site=> &[#(#locals),*]),
            )
        }
    };
    let meaning = match &row.tensors {
        Some(f) => quote_spanned!(place(f)=> (#f)(op, #operands)),
        None => quote_spanned!(site=> #base::ops::Op::run_as(op, #operands)),
    };
    Some(quote_spanned! {site=>
        #[diagnostic::do_not_recommend]
        impl #base::ops::#of for #tensor {
            type Output = #output;

            #[track_caller]
            fn #method(op: &#name, #parameters) -> #base::Result<Self::Output> {
                #meaning
            }
        }
    })
}

/// True if both are the same type attribute or the same dtype.
fn same_dtype(x: &Dtype, y: &Dtype) -> bool {
    match (x, y) {
        (Dtype::Var(x), Dtype::Var(y)) | (Dtype::Fixed(x), Dtype::Fixed(y)) => x == y,
        _ => false,
    }
}
