//! What a traced function is.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{
    FnArg, GenericParam, Pat, PatType, Receiver, ReturnType, Signature, Type, TypeImplTrait,
    TypeParam, Visibility,
};

use super::parse::{Raw, RawOptions};
use crate::shared::attrs::{self, Split};
use crate::shared::generics::Parameters;
use crate::shared::{Base, types};

pub(super) struct Model {
    pub base: Base,
    pub options: RawOptions,
    pub attrs: Split,
    pub vis: Visibility,
    /// The signature, with a named parameter for each `impl Trait` argument.
    pub sig: Signature,
    pub receiver: Option<Receiver>,
    pub arguments: Vec<Argument>,
    /// `R` of `Result<R>`.
    pub result: Option<Type>,
    /// Type and const parameters, as declared by the type next to the function.
    pub params: Parameters,
    pub body: TokenTree,
    /// True if it has no receiver but names `Self`, so that it certainly stands in an `impl`.
    pub is_associated: bool,
}

pub(super) struct Argument {
    /// The parameter as the body sees it.
    pub written: PatType,
    /// Its name in the public function.
    pub name: Ident,
    /// Its name in messages.
    pub text: String,
    /// Its type in the public function.
    pub ty: Type,
    /// The type of the value, without the reference.
    pub value: TokenStream,
    pub mode: Mode,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// `&T`
    Ref,
    /// `T`
    Value,
    /// `&[T]`
    Slice,
    /// `&str`
    Str,
}

impl Model {
    pub(super) fn new(raw: Raw, options: RawOptions) -> Self {
        let mut sig = raw.sig;
        name_impl_traits(&mut sig);
        let private = options.base.private();
        let arguments = sig
            .inputs
            .iter()
            .filter_map(|a| match a {
                FnArg::Typed(typed) => Some(typed),
                FnArg::Receiver(_) => None,
            })
            .enumerate()
            .map(|(i, typed)| argument(typed, i, &private))
            .collect();
        let own = [format_ident!("Self")];
        let receiver = sig.receiver().cloned();
        Self {
            is_associated: receiver.is_none()
                && (types::mentions(&sig, &own) || types::mentions(&raw.body, &own)),
            base: options.base.clone(),
            attrs: attrs::split(&raw.attrs),
            vis: raw.vis,
            receiver,
            arguments,
            result: result(&sig.output),
            params: parameters(&sig),
            sig,
            body: raw.body,
            options,
        }
    }

    /// The type next to the function, or the sibling of the method; `None` if there is none.
    pub(super) fn handle(&self) -> Option<Ident> {
        match (&self.options.handle, &self.receiver) {
            (Some(handle), _) if handle == "none" => None,
            (Some(handle), _) => Some(handle.clone()),
            (None, Some(_)) => Some(format_ident!("{}_function", self.sig.ident.unraw())),
            // A type can't stand inside an `impl`.
            (None, None) if self.is_associated => None,
            (None, None) => Some(self.sig.ident.clone()),
        }
    }

    /// Its name in graphs and messages.
    pub(super) fn name(&self) -> TokenStream {
        match &self.options.name {
            Some(name) => name.to_token_stream(),
            None => self.sig.ident.unraw().to_string().to_token_stream(),
        }
    }
}

/// `fn f(x: impl A)` becomes `fn f<Impl0: A>(x: Impl0)`.
fn name_impl_traits(sig: &mut Signature) {
    let mut added = Vec::new();
    let taken: Vec<String> = sig.generics.type_params().map(|t| t.ident.to_string()).collect();
    for input in &mut sig.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let slot = match &mut *typed.ty {
            Type::Reference(reference) => &mut reference.elem,
            _ => &mut typed.ty,
        };
        let Type::ImplTrait(TypeImplTrait { bounds, .. }) = &**slot else { continue };
        let free = (added.len()..).map(|i| format!("Impl{i}")).find(|n| !taken.contains(n));
        let ident = Ident::new(&free.unwrap_or_default(), Span::mixed_site());
        added.push(TypeParam {
            attrs: Vec::new(),
            ident: ident.clone(),
            colon_token: Some(Default::default()),
            bounds: bounds.clone(),
            default: None,
        });
        **slot = Type::Verbatim(ident.to_token_stream());
    }
    if !added.is_empty() {
        sig.generics.lt_token.get_or_insert_default();
        sig.generics.gt_token.get_or_insert_default();
    }
    sig.generics.params.extend(added.into_iter().map(GenericParam::Type));
}

fn argument(typed: &PatType, i: usize, private: &TokenStream) -> Argument {
    let fresh = || format_ident!("argument{i}", span = Span::mixed_site());
    let (name, text) = match &*typed.pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
            (p.ident.clone(), p.ident.unraw().to_string())
        }
        _ => (fresh(), format!("argument{i}")),
    };
    let ty = types::ungroup(&typed.ty);
    let (mode, value) = match ty {
        Type::Reference(r) if types::is_static_str(r) => (Mode::Value, ty.to_token_stream()),
        Type::Reference(r) => match types::ungroup(&r.elem) {
            Type::Slice(slice) => {
                let elem = &slice.elem;
                (Mode::Slice, quote!(#private::Vec<#elem>))
            }
            elem if types::is_named(elem, "str") => (Mode::Str, quote!(#private::String)),
            elem => (Mode::Ref, elem.to_token_stream()),
        },
        other => (Mode::Value, other.to_token_stream()),
    };
    Argument { written: typed.clone(), name, text, ty: (*typed.ty).clone(), value, mode }
}

fn result(output: &ReturnType) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else { return None };
    if !types::is_named(ty, "Result") {
        return None;
    }
    types::type_arguments(ty).first().map(|t| (*t).clone())
}

/// The type and const parameters. Bounds that name lifetimes stay on the functions.
fn parameters(sig: &Signature) -> Parameters {
    let mut generics = sig.generics.clone();
    let lifetimes: Vec<Ident> = generics.lifetimes().map(|l| l.lifetime.ident.clone()).collect();
    let kept: Punctuated<GenericParam, _> = generics
        .params
        .iter()
        .filter(|p| !matches!(p, GenericParam::Lifetime(_)))
        .cloned()
        .map(|mut p| {
            if let GenericParam::Type(t) = &mut p {
                let bounds = t.bounds.iter().filter(|b| !types::mentions(b, &lifetimes)).cloned();
                t.bounds = bounds.collect();
            }
            p
        })
        .collect();
    generics.params = kept;
    if let Some(clause) = &mut generics.where_clause {
        let predicates = clause.predicates.iter().cloned().filter_map(|mut p| {
            if let syn::WherePredicate::Type(t) = &mut p {
                let bounds = t.bounds.iter().filter(|b| !types::mentions(b, &lifetimes)).cloned();
                t.bounds = bounds.collect();
            }
            (!types::mentions(&p, &lifetimes)).then_some(p)
        });
        clause.predicates = predicates.collect();
    }
    let mut params = Parameters::new(&generics);
    for t in generics.type_params() {
        let ident = &t.ident;
        params.require(quote!(#ident: 'static));
    }
    params
}
