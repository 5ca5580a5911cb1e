//! The checks of a traced function, one function each.

use quote::ToTokens;
use syn::{ReceiverKind, ReturnType, Safety, Type};

use super::model::{Mode, Model};
use super::signature::Entry;
use crate::shared::tensor_type::{self, Dims};
use crate::shared::{Diagnostics, types};

type Check = fn(&Model, &mut Diagnostics);

const CHECKS: &[Check] = &[
    qualifiers_are_plain,
    receivers_are_shared_references,
    associated_functions_have_no_handle,
    at_most_twelve_arguments,
    arguments_are_not_mutable,
    arguments_are_owned_or_borrowed_whole,
    results_are_results,
    results_are_owned,
    signatures_name_all_arguments,
    entries_are_of_their_arguments,
    names_are_not_empty,
    some_trace_is_kept,
    type_parameters_are_bounded,
];

pub(super) fn check(model: &Model, diagnostics: &mut Diagnostics) {
    for check in CHECKS {
        check(model, diagnostics);
    }
}

/// Refuses type parameters without bounds and with function bounds: they are not structures.
fn type_parameters_are_bounded(model: &Model, d: &mut Diagnostics) {
    let generics = &model.sig.generics;
    let mentioned = |name: &syn::Ident| {
        let own = [name.clone()];
        let argument = model.arguments.iter().any(|a| types::mentions(&a.ty, &own));
        argument || types::mentions(&model.sig.output, &own)
    };
    for param in generics.type_params().filter(|p| mentioned(&p.ident)) {
        let own = [param.ident.clone()];
        let function = param.bounds.iter().find(|bound| match bound {
            syn::TypeParamBound::Trait(t) => {
                let last = t.path.segments.last().map(|s| s.ident.to_string());
                last.is_some_and(|name| ["Fn", "FnMut", "FnOnce"].contains(&name.as_str()))
            }
            _ => false,
        });
        let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
        if let Some(function) = function {
            d.severe(
                function,
                "an argument can't be a function: it is no part of what a trace is found by",
                "make it a method of a type parameter, or an enum that says which",
            );
        } else if param.bounds.is_empty()
            && !predicates.into_iter().any(|p| types::mentions(p, &own))
        {
            d.severe(
                param,
                format!(
                    "`{}` may be any type, and a traced function takes and returns structures",
                    param.ident
                ),
                format!(
                    "write `{0}: Structure`, or `{0}: ExtensionType`; `+ Clone` to clone it",
                    param.ident
                ),
            );
        }
    }
}

fn qualifiers_are_plain(model: &Model, d: &mut Diagnostics) {
    let sig = &model.sig;
    if let Some(token) = &sig.asyncness {
        d.severe(
            token,
            "a traced function can't be `async`: its body runs once, while it is traced",
            "remove `async`; load data before the call",
        );
    }
    if let Some(token) = &sig.constness {
        d.severe(
            token,
            "a traced function can't be `const`: calling it traces and runs",
            "remove `const`",
        );
    }
    if let Safety::Unsafe(token) = &sig.safety {
        d.severe(
            token,
            "a traced function can't be `unsafe`: its body runs only while it is traced",
            "remove `unsafe`, and put an `unsafe` block into the body",
        );
    }
    if let Some(abi) = &sig.abi {
        d.severe(
            abi,
            "a traced function can't be `extern`",
            "remove the ABI, and wrap the function",
        );
    }
    if let Some(variadic) = &sig.variadic {
        d.severe(variadic, "a traced function can't be variadic", "take a slice: `xs: &[Tensor]`");
    }
}

fn receivers_are_shared_references(model: &Model, d: &mut Diagnostics) {
    let Some(receiver) = &model.receiver else { return };
    match &receiver.kind {
        ReceiverKind::Reference(_, None, None) => {}
        ReceiverKind::Reference(_, _, Some(token)) => d.severe(
            token,
            "a traced method takes `&self`: its body runs only while it is traced",
            "write `&self`; state that changes is a `Variable`, which is assigned through `&self`",
        ),
        _ => d.severe(receiver, "a traced method takes `&self`", "write `&self`"),
    }
}

fn associated_functions_have_no_handle(model: &Model, d: &mut Diagnostics) {
    if let Some(handle) = model.handle()
        && model.is_associated
    {
        d.severe(
            handle,
            "an associated function has no handle: an `impl` has no place for a type",
            "remove the option, or make it a free function",
        );
    }
}

fn at_most_twelve_arguments(model: &Model, d: &mut Diagnostics) {
    let limit = 12 - usize::from(model.receiver.is_some());
    if let Some(extra) = model.arguments.get(limit) {
        d.severe(
            &extra.written,
            "a traced function takes at most 12 arguments",
            "put some of them into a struct with `#[derive(ExtensionType)]`",
        );
    }
}

fn arguments_are_not_mutable(model: &Model, d: &mut Diagnostics) {
    for argument in &model.arguments {
        if let Type::Reference(r) = types::ungroup(&argument.ty)
            && r.mutability.is_some()
        {
            d.severe(
                &argument.ty,
                format!(
                    "argument `{}` can't be changed: the body runs only while it is traced",
                    argument.text
                ),
                "take it by reference, and return the new value",
            );
        }
    }
}

fn arguments_are_owned_or_borrowed_whole(model: &Model, d: &mut Diagnostics) {
    let keywords = ["impl", "dyn"].map(|k| syn::Ident::new(k, proc_macro2::Span::call_site()));
    for argument in &model.arguments {
        let ty = types::ungroup(&argument.ty);
        let inner = match ty {
            Type::Reference(r) if r.mutability.is_some() || types::is_static_str(r) => continue,
            Type::Reference(r) => &r.elem,
            other => other,
        };
        let text = &argument.text;
        match types::ungroup(inner) {
            inner if types::mentions(inner, &keywords) => d.severe(
                inner,
                format!("argument `{text}` has no type that can be told apart"),
                "name the type, or make it a type parameter",
            ),
            Type::FnPtr(_) => d.severe(
                inner,
                format!("argument `{text}` can't be a function"),
                "make it a type parameter's method, or an enum that says which",
            ),
            inner if argument.mode != Mode::Str && types::borrow(inner).is_some() => d.severe(
                inner,
                format!("argument `{text}` borrows from within"),
                "take the whole by reference: `&T`, `&[T]`, `&str`, or `T` by value",
            ),
            _ => {}
        }
    }
}

fn results_are_results(model: &Model, d: &mut Diagnostics) {
    match (&model.sig.output, &model.result) {
        (_, Some(_)) => {}
        (ReturnType::Default, None) => d.severe(
            &model.sig.ident,
            "a traced function returns a `Result`: an op in it may fail",
            "write `-> Result<()>`, or the type of what it returns, and end with `Ok(…)`",
        ),
        (ReturnType::Type(_, ty), None) => {
            let shown = types::text(ty);
            let help = match **ty {
                Type::ImplTrait(_) => "name the type: `-> Result<Tensor>`".to_string(),
                _ => format!("write `-> Result<{shown}>`, and end with `Ok(…)`"),
            };
            d.severe(ty, "a traced function returns a `Result`: an op in it may fail", help);
        }
    }
}

fn results_are_owned(model: &Model, d: &mut Diagnostics) {
    let Some(result) = &model.result else { return };
    if let Type::ImplTrait(_) = result {
        d.severe(
            result,
            "the result has no type that can be rebuilt from tensors",
            "name the type: `-> Result<Tensor>`",
        );
    } else if let Some(borrow) = types::borrow(result) {
        d.severe(borrow, "the result of a traced function can't borrow: it is rebuilt from what the graph returns",
            "return the value itself; a clone of a tensor shares its data");
    }
}

fn signatures_name_all_arguments(model: &Model, d: &mut Diagnostics) {
    let Some((key, entries)) = &model.options.signature else { return };
    let (given, wanted) = (entries.len(), model.arguments.len());
    if given != wanted {
        d.mild(
            key,
            format!("the signature has {given} entries, the function takes {wanted} arguments"),
            "give one entry an argument: `f32[?, 3]`, `static bool`, or `_` for any",
        );
    }
}

/// Compares entries with arguments whose types are known by name: tensors and plain types. For other types the compiler
/// compares what `static` says.
fn entries_are_of_their_arguments(model: &Model, d: &mut Diagnostics) {
    let Some((_, entries)) = &model.options.signature else { return };
    for (entry, argument) in entries.iter().zip(&model.arguments) {
        let (text, value) = (&argument.text, types::value(&argument.ty));
        let shown = types::text(value);
        match entry {
            Entry::Static(ty) if types::is_named(value, "Tensor") => d.mild(
                ty,
                format!("argument `{text}` is a tensor, and `static` is for plain data"),
                "write its dtype and shape, `f32[?, 784]`, or `_` for any",
            ),
            Entry::Static(ty) if both_plain(ty, value) && types::text(ty) != shown => d.mild(
                ty,
                format!("argument `{text}` is of type `{shown}`"),
                format!("write `static {shown}`"),
            ),
            Entry::Tensor { name, dtype, dims } if contradicts(value, dtype, dims) => d.mild(
                name,
                format!("the type of argument `{text}` says something else: `{shown}`"),
                "remove the entry: the type is a signature, too; or make it a special case of the type",
            ),
            Entry::Tensor { name, .. } if types::is_made_of_plain(value) => d.mild(
                name,
                format!("argument `{text}` is of type `{shown}`, no tensor"),
                format!("write `static {shown}`, or `_` for any"),
            ),
            _ => {}
        }
    }
}

/// True for an entry that is no special case of an `Of<f32, (Dyn, Const<3>)>`, as far as the tokens tell.
fn contradicts(value: &Type, dtype: &str, dims: &Dims) -> bool {
    if !types::is_named(value, "Of") {
        return false;
    }
    let arguments = types::type_arguments(value);
    let named = arguments.first().and_then(|ty| types::last_segment(ty));
    let stated = named.and_then(|segment| tensor_type::dtype(&segment.ident, "").ok());
    if stated.is_some_and(|stated| stated != dtype) {
        return true;
    }
    let Some(Type::Tuple(tuple)) = arguments.get(1).map(|ty| types::ungroup(ty)) else {
        return false;
    };
    let Some(sizes) = dims.sizes() else { return true };
    let size = |ty: &Type| {
        let stated = types::last_segment(ty).filter(|s| s.ident == "Const")?;
        let number: String = stated.arguments.to_token_stream().to_string();
        number.trim_matches(['<', '>', ' ', '{', '}']).parse::<usize>().ok()
    };
    sizes.len() != tuple.elems.len()
        || tuple.elems.iter().zip(sizes).any(|(ty, given)| match (size(ty), given) {
            (Some(stated), Some(given)) => stated != given,
            _ => false,
        })
}

pub(super) fn both_plain(a: &Type, b: &Type) -> bool {
    types::is_made_of_plain(a) && types::is_made_of_plain(b)
}

fn names_are_not_empty(model: &Model, d: &mut Diagnostics) {
    if let Some(name) = &model.options.name
        && name.value().is_empty()
    {
        d.mild(name, "the name is empty", "remove it: the function's own name is the default");
    }
}

fn some_trace_is_kept(model: &Model, d: &mut Diagnostics) {
    if let Some(n) = &model.options.max_traces
        && n.base10_parse::<usize>().is_ok_and(|n| n == 0)
    {
        d.mild(n, "no trace would be kept", "write a number from 1, or remove the option");
    }
}
