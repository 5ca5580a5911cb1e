//! Generics of the user's item, and the bounds that expansions add.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, Generics, Type, WherePredicate};

use super::types;

/// Parameters and predicates in the form that impls need.
#[derive(Clone, Default)]
pub(crate) struct Parameters {
    generics: Generics,
    predicates: Vec<TokenStream>,
    /// The predicates for types that may contain the item itself.
    recursive: Vec<TokenStream>,
}

/// What the type of a field must be.
pub(crate) struct FieldBound<'a> {
    pub ty: &'a Type,
    /// True if the type mentions a parameter.
    pub generic: bool,
    /// True if the names in the type guarantee the bound.
    pub known: bool,
    /// True if the type may contain the item itself, behind a box.
    pub recursive: bool,
    pub bound: TokenStream,
}

impl Parameters {
    /// The parameters without defaults, and the where clause.
    pub(crate) fn new(generics: &Generics) -> Self {
        let mut generics = generics.clone();
        for param in &mut generics.params {
            match param {
                GenericParam::Type(t) => t.default = None,
                GenericParam::Const(c) => c.default = None,
                GenericParam::Lifetime(_) => {}
            }
        }
        let clause = generics.where_clause.take();
        let predicates =
            clause.into_iter().flat_map(|w| w.predicates).map(ToTokens::into_token_stream);
        Self { generics, predicates: predicates.collect(), recursive: Vec::new() }
    }

    /// Adds a predicate.
    pub(crate) fn require(&mut self, predicate: TokenStream) {
        self.predicates.push(predicate);
    }

    /// Adds one bound per field type, except for types that name the item itself and types that are known.
    ///
    /// The bound of a type without parameters gets a `for<'any>`, which lets it be false: then the impls do not apply,
    /// and only the assertion at the field reports an error. Bounds of types that may contain the item itself are kept
    /// separately for [`open_clause`](Self::open_clause), since they would depend on the impl that they belong to.
    pub(crate) fn infer<'a>(&mut self, own: &Ident, fields: impl Iterator<Item = FieldBound<'a>>) {
        let own = [own.clone()];
        let mut seen = Vec::new();
        for FieldBound { ty, generic, known, recursive, bound } in fields {
            if types::mentions(ty, &own) || !generic && known {
                continue;
            }
            let open = (!generic).then(|| quote_spanned!(Span::mixed_site()=> for<'any>));
            let predicate = quote_spanned!(ty.span()=> #open #ty: #bound);
            let text = predicate.to_string();
            if !seen.contains(&text) {
                seen.push(text);
                if recursive && !generic {
                    self.recursive.push(predicate);
                } else {
                    self.require(predicate);
                }
            }
        }
    }

    /// Adds predicates that the user wrote.
    pub(crate) fn require_all<'a>(
        &mut self,
        predicates: impl IntoIterator<Item = &'a WherePredicate>,
    ) {
        self.predicates.extend(predicates.into_iter().map(ToTokens::to_token_stream));
    }

    /// True without any parameter.
    pub(crate) fn is_empty(&self) -> bool {
        self.generics.params.is_empty()
    }

    /// The names of type and const parameters.
    pub(crate) fn names(&self) -> Vec<Ident> {
        let name = |p: &GenericParam| match p {
            GenericParam::Type(t) => Some(t.ident.clone()),
            GenericParam::Const(c) => Some(c.ident.clone()),
            GenericParam::Lifetime(_) => None,
        };
        self.generics.params.iter().filter_map(name).collect()
    }

    /// The type parameters.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = &Ident> {
        self.generics.type_params().map(|param| &param.ident)
    }

    /// `<V: Bound, const N: usize>`, or nothing.
    pub(crate) fn declared(&self) -> TokenStream {
        self.generics.split_for_impl().0.into_token_stream()
    }

    /// `<V, N>`, or nothing.
    pub(crate) fn named(&self) -> TokenStream {
        self.generics.split_for_impl().1.into_token_stream()
    }

    /// `::<V, N>`, or nothing.
    pub(crate) fn turbofish(&self) -> TokenStream {
        self.generics.split_for_impl().1.as_turbofish().into_token_stream()
    }

    /// `where …`, or nothing.
    pub(crate) fn clause(&self) -> TokenStream {
        clause(self.predicates.iter().chain(&self.recursive))
    }

    /// The same without the predicates that may depend on this impl.
    pub(crate) fn open_clause(&self) -> TokenStream {
        clause(self.predicates.iter())
    }

    /// `V: Bound, const N: usize,` in the form that our `macro_rules!` take.
    pub(crate) fn slot(&self) -> TokenStream {
        let params = self.generics.params.iter();
        quote!(#(#params,)*)
    }

    /// The predicates in the form that our `macro_rules!` take.
    pub(crate) fn predicate_slot(&self) -> TokenStream {
        let predicates = self.predicates.iter().chain(&self.recursive);
        quote!(#(#predicates,)*)
    }
}

fn clause<'a>(predicates: impl Iterator<Item = &'a TokenStream>) -> TokenStream {
    let predicates: Vec<_> = predicates.collect();
    let first = predicates.first().map(|_| quote!(where));
    quote!(#first #(#predicates),*)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{ItemStruct, parse_quote};

    #[test]
    fn defaults_go_and_predicates_stay() {
        let item: ItemStruct = parse_quote!(
            struct S<V: A = B, const N: usize = 3>
            where
                V: C,
            {
                v: V,
            }
        );
        let mut p = Parameters::new(&item.generics);
        p.require(quote!(V: D));
        assert_eq!(p.declared().to_string(), quote!(<V: A, const N: usize>).to_string());
        assert_eq!(p.named().to_string(), quote!(<V, N>).to_string());
        assert_eq!(p.clause().to_string(), quote!(where V: C, V: D).to_string());
        assert_eq!(p.slot().to_string(), quote!(V: A, const N: usize,).to_string());
    }
}
