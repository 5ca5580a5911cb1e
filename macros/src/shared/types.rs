//! Looking into types by their syntax.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;
use syn::{GenericArgument, Lifetime, PathArguments, PathSegment, Type, TypePath, TypeReference};

/// The type without parentheses and the invisible groups of `macro_rules!`.
pub(crate) fn ungroup(mut ty: &Type) -> &Type {
    loop {
        ty = match ty {
            Type::Group(g) => &g.elem,
            Type::Paren(p) => &p.elem,
            other => return other,
        };
    }
}

/// The last segment of a path: `Tensor` of `extype::Tensor`.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ungroup(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The type behind a shared reference.
pub(crate) fn value(ty: &Type) -> &Type {
    match ungroup(ty) {
        Type::Reference(r) if r.mutability.is_none() && !is_static_str(r) => ungroup(&r.elem),
        other => other,
    }
}

/// Tokens as they are written in messages: `Result<Option<Self>>`.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    const TIGHT: [(&str, &str); 10] = [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("& ", "&"),
        (" ,", ","),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
    ];
    let text = tokens.to_token_stream().to_string();
    TIGHT.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

/// True if the last segment has this name.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|s| s.ident == name)
}

/// The type arguments of the last segment: `[R]` of `Result<R>`.
pub(crate) fn type_arguments(ty: &Type) -> Vec<&Type> {
    match last_segment(ty).map(|s| &s.arguments) {
        Some(PathArguments::AngleBracketed(list)) => list
            .args
            .iter()
            .filter_map(|a| match a {
                GenericArgument::Type(t) => Some(t),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// True for types that are always static data, known by their names.
pub(crate) fn is_plain(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Reference(r) => is_static_str(r),
        other => {
            type_arguments(other).is_empty()
                && last_segment(other).is_some_and(|s| is_plain_name(&s.ident))
        }
    }
}

/// The containers allowed in fields, arguments and results, and whether their first type argument is a key. In
/// structures keys are `String`.
const CONTAINERS: &[(&str, bool)] =
    &[("Vec", false), ("Option", false), ("Box", false), ("BTreeMap", true), ("HashMap", true)];

/// True for types with a box in them, at any depth.
pub(crate) fn is_boxed(ty: &Type) -> bool {
    path_names(ty).iter().any(|name| name == "Box")
}

/// The type arguments of a container, and whether the first one is a key.
fn container(ty: &Type) -> Option<(Vec<&Type>, bool)> {
    let (_, keyed) = CONTAINERS.iter().find(|(name, _)| is_named(ty, name))?;
    let arguments = type_arguments(ty);
    (!arguments.is_empty()).then_some((arguments, *keyed))
}

/// True for plain types, and for options, lists, arrays, tuples, boxes and maps of these.
pub(crate) fn is_made_of_plain(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Tuple(tuple) => !tuple.elems.is_empty() && tuple.elems.iter().all(is_made_of_plain),
        Type::Array(array) => is_made_of_plain(&array.elem),
        ty if is_plain(ty) => true,
        ty => container(ty).is_some_and(|(items, _)| items.into_iter().all(is_made_of_plain)),
    }
}

/// The key of a map that is known to be no string, at any depth of containers.
pub(crate) fn wrong_key(ty: &Type) -> Option<&Type> {
    match ungroup(ty) {
        Type::Tuple(tuple) => tuple.elems.iter().find_map(wrong_key),
        Type::Array(array) => wrong_key(&array.elem),
        ty => {
            let (items, keyed) = container(ty)?;
            let key = items.first().filter(|key| {
                keyed && !is_made_of_plain(ty) && {
                    !is_named(key, "String") && (is_made_of_plain(key) || is_named(key, "Tensor"))
                }
            });
            key.copied().or_else(|| items.into_iter().find_map(wrong_key))
        }
    }
}

/// True for plain types that hold a float, or a list of numbers.
pub(crate) fn may_be_data(ty: &Type) -> bool {
    let number = |name: &Ident| {
        is_plain_name(name)
            && !["bool", "char", "String", "DType", "Shape"].iter().any(|n| name == n)
    };
    let ty = ungroup(ty);
    let names = path_names(ty);
    match ty {
        _ if names.iter().any(|name| name == "f32" || name == "f64") => true,
        Type::Array(_) => names.iter().any(number),
        ty if is_named(ty, "Vec") => names.iter().any(number),
        ty => container(ty).is_some_and(|(items, _)| items.into_iter().any(may_be_data)),
    }
}

/// True for types whose names show that they are structures: tensors, variables, plain types, and containers of these.
pub(crate) fn is_known_structure(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Tuple(tuple) => tuple.elems.iter().all(is_known_structure),
        Type::Array(array) => is_known_structure(&array.elem),
        Type::Reference(r) if is_static_str(r) => true,
        // In the forms of arguments of traced functions.
        Type::Reference(r) => match ungroup(&r.elem) {
            Type::Slice(slice) => is_known_structure(&slice.elem),
            elem => is_named(elem, "str") || is_known_structure(elem),
        },
        ty if is_plain(ty) => true,
        ty if type_arguments(ty).is_empty() => is_named(ty, "Tensor") || is_named(ty, "Variable"),
        ty => container(ty).is_some_and(|(items, keyed)| {
            (!keyed || items.first().is_some_and(|key| is_named(key, "String")))
                && items.into_iter().all(is_known_structure)
        }),
    }
}

/// The types inside tuples, lists and other containers, and behind references, whose names do not show that they are
/// structures.
pub(crate) fn unknown_structures(ty: &Type) -> Vec<&Type> {
    match ungroup(ty) {
        ty if is_known_structure(ty) => Vec::new(),
        Type::Tuple(tuple) => tuple.elems.iter().flat_map(unknown_structures).collect(),
        Type::Array(array) => unknown_structures(&array.elem),
        Type::Slice(slice) => unknown_structures(&slice.elem),
        Type::Reference(r) => unknown_structures(&r.elem),
        ty => match container(ty).as_ref().map(|(items, keyed)| (&items[..], keyed)) {
            Some(([item], false)) => unknown_structures(item),
            Some(([key, item], true)) if is_named(key, "String") => unknown_structures(item),
            _ => vec![ty],
        },
    }
}

/// True for the last segment of a plain type.
pub(crate) fn is_plain_name(name: &Ident) -> bool {
    const PLAIN: &[&str] = &[
        "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "usize", "f32", "f64", "String", "DType", "Shape",
    ];
    PLAIN.iter().any(|p| name == p)
}

/// True for `&'static str`.
pub(crate) fn is_static_str(reference: &TypeReference) -> bool {
    reference.mutability.is_none()
        && reference.lifetime.as_ref().is_some_and(|l| l.ident == "static")
        && is_named(&reference.elem, "str")
}

/// Every identifier that begins a path or is part of one.
pub(crate) fn path_names(ty: &Type) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl<'a> Visit<'a> for Names {
        fn visit_type_path(&mut self, path: &'a TypePath) {
            self.0.extend(path.path.segments.last().map(|s| s.ident.clone()));
            syn::visit::visit_type_path(self, path);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_type(ty);
    names.0
}

/// True for slices, `str` and trait objects themselves.
pub(crate) fn is_unsized(ty: &Type) -> bool {
    let ty = ungroup(ty);
    matches!(ty, Type::Slice(_) | Type::TraitObject(_)) || is_named(ty, "str")
}

/// The first borrow or lifetime in a type, other than `'static`.
pub(crate) fn borrow(ty: &Type) -> Option<TokenStream> {
    struct Borrow(Option<TokenStream>);
    impl<'a> Visit<'a> for Borrow {
        fn visit_lifetime(&mut self, lifetime: &'a Lifetime) {
            if lifetime.ident != "static" {
                self.0.get_or_insert_with(|| lifetime.to_token_stream());
            }
        }
        fn visit_type_reference(&mut self, reference: &'a TypeReference) {
            if !is_static_str(reference) {
                self.0.get_or_insert_with(|| reference.to_token_stream());
            }
        }
    }
    let mut borrow = Borrow(None);
    borrow.visit_type(ty);
    borrow.0
}

/// The tokens with another span.
pub(crate) fn at(tokens: TokenStream, place: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        let span = token.span().located_at(place);
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), at(group.stream(), place)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(moved).collect()
}

/// True if the tokens name one of these identifiers.
pub(crate) fn mentions(tokens: &impl ToTokens, names: &[Ident]) -> bool {
    fn any(tokens: TokenStream, names: &[Ident]) -> bool {
        tokens.into_iter().any(|t| match t {
            TokenTree::Ident(ident) => names.contains(&ident),
            TokenTree::Group(group) => any(group.stream(), names),
            _ => false,
        })
    }
    any(tokens.to_token_stream(), names)
}

/// The tokens with every identifier `from` replaced.
pub(crate) fn replace(tokens: TokenStream, from: &str, to: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|t| match t {
            TokenTree::Ident(ident) if ident == from => to.clone(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace(group.stream(), from, to));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            other => other.into(),
        })
        .collect()
}

/// True for the names of cells, locks and atomics, whose contents may change while they are shared.
pub(crate) fn is_mutable_cell(name: &Ident) -> bool {
    const CELLS: &[&str] = &[
        "Cell",
        "RefCell",
        "UnsafeCell",
        "OnceCell",
        "LazyCell",
        "Mutex",
        "RwLock",
        "OnceLock",
        "LazyLock",
        "Weak",
    ];
    let name = name.to_string();
    let is_atomic = name.strip_prefix("Atomic").is_some_and(|rest| {
        ["Bool", "Ptr"].contains(&rest) || rest.starts_with('I') || rest.starts_with('U')
    });
    is_atomic || CELLS.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::parse_quote;

    #[test]
    fn plain_types_are_known_by_name() {
        for ty in
            [quote!(bool), quote!(std::string::String), quote!(&'static str), quote!(extype::Shape)]
        {
            assert!(is_plain(&syn::parse2(ty).unwrap()));
        }
        for ty in [quote!(Tensor), quote!(Vec<i64>), quote!(&'a str), quote!(Shape<T>)] {
            assert!(!is_plain(&syn::parse2(ty).unwrap()));
        }
    }

    #[test]
    fn containers_of_plain_types_are_plain_too() {
        for ty in [
            quote!(Vec<i64>),
            quote!(Option<(String, [f32; 2])>),
            quote!(BTreeMap<String, u8>),
            quote!(HashMap<i64, (u8, bool)>),
        ] {
            assert!(is_made_of_plain(&syn::parse2(ty).unwrap()));
        }
        for ty in [quote!(Vec<Tensor>), quote!((i64, Mode)), quote!(Vec), quote!(HashMap<u8, Mode>)]
        {
            assert!(!is_made_of_plain(&syn::parse2(ty).unwrap()));
        }
    }

    #[test]
    fn structures_are_known_by_name() {
        for ty in [
            quote!(Tensor),
            quote!(&(Tensor, Vec<i64>)),
            quote!(()),
            quote!(&[Option<Tensor>]),
            quote!(HashMap<String, Vec<Tensor>>),
        ] {
            assert!(is_known_structure(&syn::parse2(ty).unwrap()));
        }
        for ty in [
            quote!(Masked),
            quote!(Vec<T>),
            quote!(Tensor<T>),
            quote!(Option),
            quote!(BTreeMap<i64, Tensor>),
            quote!(HashMap<String, Tensor, FxBuildHasher>),
            quote!(Box<dyn Fn(i64)>),
            quote!(Box<[Tensor]>),
        ] {
            assert!(!is_known_structure(&syn::parse2(ty).unwrap()));
        }
    }

    #[test]
    fn unknown_types_are_found_in_containers() {
        let unknown = |ty: Type| {
            unknown_structures(&ty).iter().map(|t| quote!(#t).to_string()).collect::<Vec<_>>()
        };
        assert!(unknown(parse_quote!(&(Tensor, Vec<i64>))).is_empty());
        assert_eq!(unknown(parse_quote!((T, Tensor, Vec<Option<U>>))), ["T", "U"]);
        assert_eq!(unknown(parse_quote!(&[HashMap<String, [V; 2]>])), ["V"]);
        assert_eq!(unknown(parse_quote!(HashMap<K, V>)), ["HashMap < K , V >"]);
    }

    #[test]
    fn borrows_are_found() {
        assert!(borrow(&parse_quote!(Vec<&Tensor>)).is_some());
        assert!(borrow(&parse_quote!(View<'a>)).is_some());
        assert!(borrow(&parse_quote!(Vec<&'static str>)).is_none());
    }

    #[test]
    fn names_are_replaced_in_groups() {
        let out = replace(quote!(Vec<(Self, [Self; 2])>), "Self", &quote!(M<V>));
        assert_eq!(out.to_string(), quote!(Vec<(M<V>, [M<V>; 2])>).to_string());
    }
}
