//! The pieces that calls are made of.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, Signature};

use super::super::model::{Argument, Mode, Model};

/// The local that a bound argument arrives in.
pub(super) fn local(i: usize) -> Ident {
    format_ident!("argument{i}", span = Span::mixed_site())
}

/// `&n`: the argument as a reference, for the tuple of the call.
pub(super) fn passed(model: &Model, argument: &Argument) -> TokenStream {
    let (name, private) = (&argument.name, model.base.private());
    let span = argument.ty.span().resolved_at(Span::mixed_site());
    match argument.mode {
        Mode::Ref => quote_spanned!(span=> #name),
        Mode::Value => quote_spanned!(span=> &#name),
        Mode::Slice => {
            quote_spanned!(span=> &<#private::Vec<_> as ::core::convert::From<_>>::from(#name))
        }
        Mode::Str => {
            quote_spanned!(span=> &<#private::String as ::core::convert::From<_>>::from(#name))
        }
    }
}

/// The bound argument as the body takes it.
pub(super) fn given(model: &Model, argument: &Argument, local: &Ident) -> TokenStream {
    let private = model.base.private();
    match argument.mode {
        Mode::Value => quote_spanned!(Span::mixed_site()=> #private::Bound::into_owned(#local)?),
        _ => quote_spanned!(Span::mixed_site()=> &#local),
    }
}

/// A tuple, also of one.
pub(super) fn tuple(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [one] => quote!((#one,)),
        parts => quote!((#(#parts),*)),
    }
}

/// The signature of the public function: names in place of patterns.
pub(super) fn public_signature(model: &Model) -> Signature {
    let mut sig = model.sig.clone();
    let mut arguments = model.arguments.iter();
    for input in &mut sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Some(argument) = arguments.next() else { continue };
        let name = &argument.name;
        *typed.pat = syn::Pat::Verbatim(quote!(#name));
        typed.attrs.clear();
    }
    sig
}

/// Lints that the public function must not trip, since its body is not the user's.
pub(super) fn lints(model: &Model) -> TokenStream {
    let by_value = model.arguments.iter().any(|a| a.mode == Mode::Value);
    match by_value {
        true => quote!(#[allow(clippy::needless_pass_by_value)]),
        false => TokenStream::new(),
    }
}

/// A paragraph for the docs of the function, if it has docs.
pub(super) fn docs(model: &Model, text: &str) -> TokenStream {
    let documented = model.attrs.public.iter().any(|a| a.path().is_ident("doc"));
    match documented {
        true => quote!(#[doc = ""] #[doc = "# Traced function"] #[doc = ""] #[doc = #text]),
        false => TokenStream::new(),
    }
}
