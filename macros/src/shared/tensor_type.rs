//! Dtypes and shapes in the syntax of the macros: `f32`, `[?, 784]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Ident, Result, Token, UnOp, bracketed};

use super::Base;
use super::suggest::nearest;

/// A row for each dtype of data: its name in this syntax (the one in `extype::types::dtypes`, or `string`),
/// TensorFlow's name, and the variant of `DType`.
const DTYPES: &[(&str, &str, &str)] = &[
    ("bool", "bool", "Bool"),
    ("i8", "int8", "I8"),
    ("i16", "int16", "I16"),
    ("i32", "int32", "I32"),
    ("i64", "int64", "I64"),
    ("u8", "uint8", "U8"),
    ("u16", "uint16", "U16"),
    ("u32", "uint32", "U32"),
    ("u64", "uint64", "U64"),
    ("f16", "float16", "F16"),
    ("bf16", "bfloat16", "BF16"),
    ("f8e5m2", "float8_e5m2", "F8E5M2"),
    ("f8e4m3fn", "float8_e4m3fn", "F8E4M3FN"),
    ("qint8", "qint8", "QI8"),
    ("quint8", "quint8", "QU8"),
    ("qint16", "qint16", "QI16"),
    ("quint16", "quint16", "QU16"),
    ("qint32", "qint32", "QI32"),
    ("f32", "float32", "F32"),
    ("f64", "float64", "F64"),
    ("complex64", "complex64", "Complex64"),
    ("complex128", "complex128", "Complex128"),
    ("string", "string", "String"),
];

/// Variants of `DType` without a name in this syntax: handles are not data.
const HANDLES: [&str; 2] = ["Resource", "Variant"];

/// The variants of `DType`.
pub(crate) fn variants() -> Vec<&'static str> {
    DTYPES.iter().map(|(.., variant)| *variant).chain(HANDLES).collect()
}

/// TensorFlow's name for a variant of `DType`.
pub(crate) fn tensorflow_name(variant: &str) -> String {
    let row = DTYPES.iter().find(|(.., known)| *known == variant);
    row.map_or_else(|| variant.to_lowercase(), |(_, name, _)| (*name).to_owned())
}

/// The name of a dtype. A path such as `DType::F32` is refused with the name to write.
pub(crate) fn dtype_name(input: ParseStream<'_>) -> Result<Ident> {
    let mut name = input.call(Ident::parse_any)?;
    if !input.peek(Token![::]) {
        return Ok(name);
    }
    while input.parse::<Option<Token![::]>>()?.is_some() {
        name = input.call(Ident::parse_any)?;
    }
    let row = DTYPES.iter().find(|(short, _, variant)| name == *short || name == *variant);
    let meant = row.map_or("f32", |(short, ..)| short);
    Err(Error::new(name.span(), format!("a dtype stands here by its name\nhelp: write `{meant}`")))
}

/// The variant of `DType` with a name; `help` is added to the message about an unknown one.
pub(crate) fn dtype(name: &Ident, help: &str) -> Result<&'static str> {
    let text = name.to_string();
    if let Some((.., dtype)) = DTYPES.iter().find(|(n, ..)| *n == text) {
        return Ok(dtype);
    }
    let meant = match text.as_str() {
        "float" => Some("f32"),
        "double" => Some("f64"),
        "int" => Some("i32"),
        "long" => Some("i64"),
        other => DTYPES
            .iter()
            .find(|(_, tensorflow, variant)| [*tensorflow, *variant].contains(&other))
            .map(|(n, ..)| *n)
            .or_else(|| nearest(other, DTYPES.iter().map(|(n, ..)| *n))),
    };
    let meant = meant.map_or_else(String::new, |n| format!("; write `{n}`"));
    let text = format!(
        "no dtype is named `{text}`{meant}\nhelp: dtypes have the names of Rust's types{help}"
    );
    Err(Error::new(name.span(), text))
}

/// A static shape.
pub(crate) enum Dims {
    /// `[..]`
    Unknown,
    /// The tokens between the brackets.
    Known(TokenStream),
}

impl Parse for Dims {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let content;
        bracketed!(content in input);
        if content.parse::<Option<Token![..]>>()?.is_some() {
            return match content.is_empty() {
                true => Ok(Dims::Unknown),
                false => Err(content.error("`[..]` stands alone: any number of dimensions")),
            };
        }
        let mut dims = TokenStream::new();
        while !content.is_empty() {
            match content.parse::<Option<Token![?]>>()? {
                Some(unknown) => unknown.to_tokens(&mut dims),
                None => {
                    let dim: Expr = content.parse()?;
                    if is_unknown(&dim) {
                        let text = "an unknown dimension is written `?`";
                        return Err(Error::new_spanned(dim, text));
                    }
                    dim.to_tokens(&mut dims);
                }
            }
            if !content.is_empty() {
                content.parse::<Token![,]>()?.to_tokens(&mut dims);
            }
        }
        Ok(Dims::Known(dims))
    }
}

/// `None` or `-1`, which other libraries write for an unknown size.
fn is_unknown(dim: &Expr) -> bool {
    match dim {
        Expr::Path(path) => path.path.is_ident("None"),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
        _ => false,
    }
}

impl Dims {
    /// The sizes, each if it is a literal. `None` for any number of dimensions.
    pub(crate) fn sizes(&self) -> Option<Vec<Option<usize>>> {
        let Dims::Known(dims) = self else { return None };
        let mut tokens: Vec<TokenTree> = dims.clone().into_iter().collect();
        let is_comma = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
        tokens.pop_if(|last| is_comma(last));
        if tokens.is_empty() {
            return Some(Vec::new());
        }
        let size = |dim: &[TokenTree]| match dim {
            [TokenTree::Literal(n)] => n.to_string().parse().ok(),
            _ => None,
        };
        Some(tokens.split(is_comma).map(size).collect())
    }

    /// The code of the shape.
    pub(crate) fn code(&self, base: &Base) -> TokenStream {
        match self {
            Dims::Unknown => quote_spanned!(Span::mixed_site()=> #base::Shape::unknown()),
            Dims::Known(dims) => quote_spanned!(Span::mixed_site()=> #base::shape![#dims]),
        }
    }
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser;

    use super::*;

    #[test]
    fn a_path_is_refused_with_the_name() {
        let refused = |text: &str| dtype_name.parse_str(text).unwrap_err().to_string();
        assert!(refused("DType::String").contains("write `string`"));
        assert!(refused("extype::types::dtypes::f64").contains("write `f64`"));
        let e = dtype(&dtype_name.parse_str("F16").unwrap(), "").unwrap_err();
        assert!(e.to_string().contains("write `f16`"), "{e}");
    }

    /// The rows of the runtime's list of dtypes: `F16 = 19 "float16" Float [half::f16 as f16];`.
    #[test]
    fn the_dtypes_are_those_of_the_runtime() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/types/dtype.rs");
        let text = std::fs::read_to_string(file).unwrap();
        let row = |line: &str| {
            let (variant, rest) = line.trim().strip_suffix("];")?.split_once(" = ")?;
            variant.chars().all(char::is_alphanumeric).then_some(())?;
            let name = rest.rsplit_once(" as ").map(|(_, name)| name.to_owned());
            Some((name.or((variant == "String").then(|| "string".into())), variant.to_owned()))
        };
        let mut rows: Vec<(Option<String>, String)> = text.lines().filter_map(row).collect();
        let named = DTYPES.iter().map(|(name, _, variant)| (Some(*name), *variant));
        let all = named.chain(HANDLES.map(|variant| (None, variant)));
        let mut known: Vec<_> =
            all.map(|(name, variant)| (name.map(str::to_owned), variant.to_owned())).collect();
        rows.sort();
        known.sort();
        assert_eq!(known, rows);
    }
}
