//! The types in `signature(f32[?, 784], static bool)`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Ident, Result, Token, Type, token};

use crate::shared::Base;
use crate::shared::tensor_type::{self, Dims};

/// One entry: what an argument must be.
pub(super) enum Entry {
    /// `f32[?, 784]`
    Tensor { name: Ident, dtype: &'static str, dims: Dims },
    /// `static bool`
    Static(Type),
    /// `_`: no restriction.
    Free,
    /// `{ spec }`: a spec as an expression.
    Spec(Expr),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.parse::<Option<Token![static]>>()?.is_some() {
            return input.parse().map(Entry::Static);
        }
        if input.parse::<Option<Token![_]>>()?.is_some() {
            return Ok(Entry::Free);
        }
        if input.peek(token::Brace) {
            let content;
            syn::braced!(content in input);
            return content.parse().map(Entry::Spec);
        }
        if input.peek(token::Bracket) {
            let list = input.parse::<TokenTree>()?;
            let text = "an entry stands without brackets\nhelp: write `signature(f32[?, 784], static bool)`: one \
                        entry an argument";
            return Err(Error::new(list.span(), text));
        }
        let name = tensor_type::dtype_name(input)?;
        let help = "; for an extension type write its spec in braces: `{ MySpec { … } }`";
        let dtype = tensor_type::dtype(&name, help)?;
        if !input.peek(token::Bracket) {
            let text = format!(
                "the shape is missing\nhelp: write `{name}[?, 3]`, `{name}[]` for a scalar, `{name}[..]` for \
                 any shape, `static {name}` for plain data"
            );
            return Err(Error::new(name.span(), text));
        }
        Ok(Entry::Tensor { name, dtype, dims: input.parse()? })
    }
}

impl Entry {
    /// The code of the entry: an `Option<AnySpec>`.
    pub(super) fn code(&self, base: &Base) -> TokenStream {
        let site = Span::mixed_site();
        let private = base.private();
        match self {
            Entry::Free | Entry::Static(_) => quote_spanned!(site=> ::core::option::Option::None),
            Entry::Spec(spec) => {
                quote_spanned!(site=> ::core::option::Option::Some(#base::TypeSpec::to_any(&(#spec))))
            }
            Entry::Tensor { dtype, dims, .. } => {
                let dtype = Ident::new(dtype, site);
                let shape = dims.code(base);
                quote_spanned! {site=>
                    ::core::option::Option::Some(#private::AnySpec::Tensor(
                        #base::TensorSpec::new(#shape, #base::DType::#dtype),
                    ))
                }
            }
        }
    }
}
