//! The types in `signature(f32[?, 784], static bool)`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Ident, Result, Token, Type, token};

use crate::shared::Base;
use crate::shared::suggest::nearest;

/// The dtypes by their names in signatures: those of Rust, and `string`.
const DTYPES: &[(&str, &str)] = &[
    ("bool", "Bool"),
    ("i8", "I8"),
    ("i16", "I16"),
    ("i32", "I32"),
    ("i64", "I64"),
    ("u8", "U8"),
    ("u16", "U16"),
    ("u32", "U32"),
    ("u64", "U64"),
    ("f16", "F16"),
    ("bf16", "BF16"),
    ("f32", "F32"),
    ("f64", "F64"),
    ("complex64", "Complex64"),
    ("complex128", "Complex128"),
    ("string", "String"),
];

/// One entry: what an argument must be.
pub(super) enum Entry {
    /// `f32[?, 784]`
    Tensor { dtype: &'static str, dims: Dims },
    /// `static bool`, `_`: no restriction.
    Free,
    /// `{ spec }`: a spec as an expression.
    Spec(Expr),
}

pub(super) enum Dims {
    /// `[..]`
    Unknown,
    /// The tokens between the brackets.
    Known(TokenStream),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.parse::<Option<Token![static]>>()?.is_some() {
            return input.parse::<Type>().map(|_| Entry::Free);
        }
        if input.parse::<Option<Token![_]>>()?.is_some() {
            return Ok(Entry::Free);
        }
        if input.peek(token::Brace) {
            let content;
            syn::braced!(content in input);
            return content.parse().map(Entry::Spec);
        }
        let name = input.call(Ident::parse_any)?;
        let dtype = dtype(&name)?;
        if !input.peek(token::Bracket) {
            let text = format!(
                "the shape is missing\nhelp: write `{name}[?, 3]`, `{name}[]` for a scalar, `{name}[..]` for \
                 any shape, `static {name}` for plain data"
            );
            return Err(Error::new(name.span(), text));
        }
        let content;
        syn::bracketed!(content in input);
        Ok(Entry::Tensor { dtype, dims: content.call(dims)? })
    }
}

fn dtype(name: &Ident) -> Result<&'static str> {
    let text = name.to_string();
    if let Some((_, dtype)) = DTYPES.iter().find(|(n, _)| *n == text) {
        return Ok(dtype);
    }
    let near = match (text.as_str(), nearest(&text, DTYPES.iter().map(|(n, _)| *n))) {
        ("float32" | "float", _) => "; did you mean `f32`?",
        ("float64" | "double", _) => "; did you mean `f64`?",
        ("int32" | "int", _) => "; did you mean `i32`?",
        ("int64" | "long", _) => "; did you mean `i64`?",
        (_, Some(near)) => &format!("; did you mean `{near}`?"),
        (_, None) => "",
    };
    let text = format!(
        "`{text}` is not a dtype\nhelp: dtypes have the names of Rust's types, as in `f32[?, 3]`{near} For \
         an extension type write its spec in braces: `{{ MySpec {{ … }} }}`"
    );
    Err(Error::new(name.span(), text))
}

fn dims(content: ParseStream<'_>) -> Result<Dims> {
    if content.parse::<Option<Token![..]>>()?.is_some() {
        return match content.is_empty() {
            true => Ok(Dims::Unknown),
            false => Err(content.error("`[..]` stands alone: any number of dimensions")),
        };
    }
    let mut dims = TokenStream::new();
    while !content.is_empty() {
        if let Some(none) = content.fork().parse::<Option<Ident>>()?.filter(|i| i == "None") {
            let text = "an unknown dimension is written `?`";
            return Err(Error::new(none.span(), text));
        }
        match content.parse::<Option<Token![?]>>()? {
            Some(unknown) => unknown.to_tokens(&mut dims),
            None => content.parse::<Expr>()?.to_tokens(&mut dims),
        }
        if !content.is_empty() {
            content.parse::<Token![,]>()?.to_tokens(&mut dims);
        }
    }
    Ok(Dims::Known(dims))
}

impl Entry {
    /// The code of the entry: an `Option<AnySpec>`.
    pub(super) fn code(&self, base: &Base) -> TokenStream {
        let site = Span::mixed_site();
        let private = base.private();
        match self {
            Entry::Free => quote_spanned!(site=> ::core::option::Option::None),
            Entry::Spec(spec) => {
                quote_spanned!(site=> ::core::option::Option::Some(#base::TypeSpec::to_any(&(#spec))))
            }
            Entry::Tensor { dtype, dims } => {
                let dtype = Ident::new(dtype, site);
                let shape = match dims {
                    Dims::Unknown => quote_spanned!(site=> #base::Shape::unknown()),
                    Dims::Known(dims) => quote_spanned!(site=> #base::shape![#dims]),
                };
                quote_spanned! {site=>
                    ::core::option::Option::Some(#private::AnySpec::Tensor(
                        #base::TensorSpec::new(#shape, #base::DType::#dtype),
                    ))
                }
            }
        }
    }
}
