//! The parts of generated calls.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ReturnType, Signature};

use super::super::model::{Argument, Mode, Model};
use crate::shared::types;

/// The local variable for a bound argument.
pub(super) fn local(i: usize) -> Ident {
    local_at(i, Span::mixed_site())
}

/// The same at a span.
fn local_at(i: usize, span: Span) -> Ident {
    format_ident!("argument{i}", span = span)
}

/// The locals with a span, each as the element of a tuple.
pub(super) fn locals(model: &Model, span: Span) -> Vec<TokenStream> {
    (0..model.arguments.len()).map(|i| local_at(i, span).into_token_stream()).collect()
}

/// The span of the call: that of the first type that may be wrong. With it rustc's error about the call equals that of
/// the assertion, and is shown once.
pub(super) fn span(model: &Model) -> Span {
    users_span(model).resolved_at(Span::mixed_site())
}

/// The same place as if the user had written the call there: only then does rustc's error equal that of the assertion.
pub(super) fn users_span(model: &Model) -> Span {
    first_unknown(model).unwrap_or_else(|| model.sig.ident.span())
}

fn first_unknown(model: &Model) -> Option<Span> {
    let unknown = |ty: &syn::Type| !types::is_known_structure(ty);
    let arguments = model.arguments.iter().filter(|a| unknown(&a.ty)).map(type_span);
    let result = model.result.iter().filter(|r| unknown(r)).map(Spanned::span);
    let receiver = model.receiver.iter().map(|r| r.self_token.span);
    arguments.chain(result).chain(receiver).next()
}

/// The name `call`. If only the error type can be wrong, its span is that of the return type, so rustc's message points
/// there.
pub(super) fn call(model: &Model, span: Span) -> Ident {
    let place = match (&model.sig.output, first_unknown(model)) {
        (ReturnType::Type(_, ty), None) => span.located_at(ty.span()),
        _ => span,
    };
    Ident::new("call", place)
}

/// The span of an argument's type, without its reference.
pub(super) fn type_span(argument: &Argument) -> Span {
    match argument.mode {
        Mode::Ref | Mode::Value => argument.value.span(),
        Mode::Slice | Mode::Str => argument.ty.span(),
    }
}

/// The user's `self`, at a span.
pub(super) fn receiver(model: &Model, span: Span) -> Option<TokenStream> {
    let receiver = model.receiver.as_ref()?;
    let span = receiver.self_token.span.located_at(span);
    Some(quote_spanned!(span=> self))
}

/// `&n`: the argument as a reference, for the call's tuple.
pub(super) fn passed(model: &Model, argument: &Argument, span: Span) -> TokenStream {
    let private = model.base.private();
    let mut name = argument.name.clone();
    name.set_span(name.span().located_at(span));
    match argument.mode {
        Mode::Ref => quote_spanned!(span=> #name),
        Mode::Value => quote_spanned!(span=> &#name),
        Mode::Slice => quote_spanned!(span=> &#private::SliceItems(#name)),
        Mode::Str => quote_spanned!(span=> &#private::Text(#name)),
    }
}

/// A bound argument, in the form that the body takes.
pub(super) fn given(model: &Model, argument: &Argument, local: &Ident, span: Span) -> TokenStream {
    let private = model.base.private();
    match argument.mode {
        Mode::Value => quote_spanned!(span=> #private::Lent::into_owned(#local)?),
        _ => quote_spanned!(span=> &#local),
    }
}

/// All bound arguments in the form that the body takes, from locals with a span.
pub(super) fn all_given(model: &Model, span: Span) -> Vec<TokenStream> {
    let arguments = model.arguments.iter().enumerate();
    arguments.map(|(i, a)| given(model, a, &local_at(i, span), span)).collect()
}

/// The values of the placeholders of `concrete`, in the form that the body takes.
pub(super) fn owned(model: &Model) -> Vec<TokenStream> {
    let site = Span::mixed_site();
    let names = (0..model.arguments.len()).map(local);
    let given = model.arguments.iter().zip(names).map(|(a, n)| match a.mode {
        Mode::Value => quote!(#n),
        _ => quote_spanned!(site=> &#n),
    });
    given.collect()
}

/// The bounds of arguments and results for `concrete`. They stand in its where clause: a function that takes a module,
/// which has no spec, compiles as long as `concrete` is not called.
pub(super) fn structures(model: &Model) -> TokenStream {
    let (site, base) = (Span::mixed_site(), &model.base);
    let result = &model.result;
    // Bounds on the types inside tuples and containers: a bound on the whole would hide its spec type from the
    // compiler.
    let all = model.arguments.iter().map(|a| &a.ty).chain(result);
    let mut bounds: Vec<TokenStream> = Vec::new();
    for ty in all.flat_map(types::unknown_structures) {
        let bound = quote_spanned!(site=> for<'any> #ty: #base::Structure,);
        if bounds.iter().all(|b| b.to_string() != bound.to_string()) {
            bounds.push(bound);
        }
    }
    // The public function already reports a wrong error type.
    if let ReturnType::Type(_, output) = &model.sig.output {
        let private = model.base.private();
        bounds.push(quote_spanned!(site=> for<'any> #output: #private::Returned<Value = #result>,));
    }
    bounds.into_iter().collect()
}

/// A tuple, even of one element.
pub(super) fn tuple(parts: &[TokenStream], span: Span) -> TokenStream {
    match parts {
        [one] => quote_spanned!(span=> (#one,)),
        parts => quote_spanned!(span=> (#(#parts),*)),
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

/// Lints that are allowed on the public function, whose body is not the user's.
pub(super) fn lints(model: &Model) -> TokenStream {
    let by_value = model.arguments.iter().any(|a| a.mode == Mode::Value);
    match by_value {
        true => quote!(#[allow(clippy::needless_pass_by_value)]),
        false => TokenStream::new(),
    }
}

/// A paragraph for the docs of a function, if it has docs.
pub(super) fn docs(model: &Model, text: &str) -> TokenStream {
    let documented = model.attrs.public.iter().any(|a| a.path().is_ident("doc"));
    match documented {
        true => quote!(#[doc = ""] #[doc = "# Traced function"] #[doc = ""] #[doc = #text]),
        false => TokenStream::new(),
    }
}
