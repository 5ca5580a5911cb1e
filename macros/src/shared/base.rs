//! Where generated code finds the runtime.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use super::Diagnostics;
use super::options::Options;

/// The path of the runtime: `::extype`, or the one given by `crate = …`.
#[derive(Clone, Default)]
pub(crate) struct Base(Option<Path>);

impl Base {
    /// Takes the option `crate` and checks that it means the same everywhere.
    pub(crate) fn take(options: &mut Options, diagnostics: &mut Diagnostics) -> Self {
        Self::given(options.value("crate", diagnostics), diagnostics)
    }

    /// The path given otherwise than by an option, checked in the same way.
    pub(crate) fn given(path: Option<Path>, diagnostics: &mut Diagnostics) -> Self {
        let Some(path) = path else { return Self(None) };
        let first = path.segments.first().map(|s| s.ident.to_string());
        if path.leading_colon.is_none() && first.as_deref() != Some("crate") {
            let shown = path.to_token_stream().to_string().replace(' ', "");
            diagnostics.mild(
                &path,
                "the path of the runtime must be absolute: the expansion is used in several modules",
                format!("write `crate = ::{shown}` for a dependency, `crate = crate::…` for a module of yours"),
            );
            return Self(None);
        }
        Self(Some(path))
    }

    /// The path, with the span of user code that errors should point at.
    pub(crate) fn at(&self, place: Span) -> TokenStream {
        let path = self.to_token_stream().into_iter().map(|mut token| {
            token.set_span(place);
            token
        });
        path.collect()
    }

    /// For impls on the runtime's own types: keeps them out of the compiler's lists of types that implement a trait.
    pub(crate) fn not_recommended(&self) -> Option<TokenStream> {
        let own = self.0.as_ref().is_some_and(|path| path.is_ident("crate"));
        own.then(|| quote!(#[diagnostic::do_not_recommend]))
    }

    /// The hidden module for expansions.
    pub(crate) fn private(&self) -> TokenStream {
        quote!(#self::__private)
    }
}

impl ToTokens for Base {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match &self.0 {
            Some(path) => path.to_tokens(tokens),
            None => tokens.extend(quote_spanned!(Span::mixed_site()=> ::extype)),
        }
    }
}
