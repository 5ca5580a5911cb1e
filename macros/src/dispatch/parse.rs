//! Parses the block: signatures and attributes, never bodies.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Generics, Ident, ImplItem, LitStr, Meta, Result, Signature, Token, Type,
    Visibility, token,
};

use super::names::{Name, OPERATORS, no_operator};
use crate::shared::suggest::nearest;
use crate::shared::types;

/// The impl block as written.
pub(super) struct Block {
    attrs: Vec<Attribute>,
    unsafety: Option<Token![unsafe]>,
    impl_token: Token![impl],
    pub generics: Generics,
    pub trait_: Option<TokenStream>,
    pub self_ty: Type,
    pub items: Vec<Item>,
}

/// One item of the block.
pub(super) struct Item {
    /// Attributes that are not ours.
    attrs: Vec<Attribute>,
    /// `#[cfg_attr(…, overrides(…))]`
    pub hidden: Vec<Attribute>,
    /// `#[overrides(…)]`
    pub overrides: Vec<Attribute>,
    /// The signature, if it is a function.
    pub sig: Option<Signature>,
    rest: TokenStream,
}

/// `#[overrides(Tanh, in unary_elementwise, with = Tensor, ..)]`
pub(super) struct Overrides {
    pub target: Name,
    pub within: Option<Ident>,
    pub with: Vec<Type>,
    /// True for `..`: the attributes that the function does not take may have any value.
    pub any: bool,
}

impl Parse for Block {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let unsafety = input.parse()?;
        if !input.peek(Token![impl]) {
            return Err(input.error(
                "`#[dispatch]` stands on an `impl` block\nhelp: write `#[dispatch] impl MyType { … }`",
            ));
        }
        let impl_token = input.parse()?;
        let mut generics: Generics = match input.peek(Token![<]) && !input.peek2(Token![<]) {
            true => input.parse()?,
            false => Generics::default(),
        };
        let mut self_ty: Type = input.parse()?;
        let mut trait_ = None;
        if input.parse::<Option<Token![for]>>()?.is_some() {
            trait_ = Some(self_ty.into_token_stream());
            self_ty = input.parse()?;
        }
        generics.where_clause = input.parse()?;
        let content;
        syn::braced!(content in input);
        let mut items = Vec::new();
        while !content.is_empty() {
            items.push(content.parse()?);
        }
        Ok(Self { attrs, unsafety, impl_token, generics, trait_, self_ty, items })
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let all = input.call(Attribute::parse_outer)?;
        let (hidden, all): (Vec<_>, Vec<_>) = all.into_iter().partition(is_hidden);
        let (overrides, attrs) = all.into_iter().partition(|a| a.path().is_ident("overrides"));
        if !is_function(input) {
            let item: ImplItem = input.parse()?;
            let rest = item.into_token_stream();
            return Ok(Self { attrs, hidden, overrides, sig: None, rest });
        }
        let vis: Visibility = input.parse()?;
        let sig: Signature = input.parse()?;
        if !input.peek(token::Brace) {
            return Err(input.error("expected the body of the function"));
        }
        let body: TokenTree = input.parse()?;
        Ok(Self { attrs, hidden, overrides, rest: quote!(#vis #sig #body), sig: Some(sig) })
    }
}

/// True if a `cfg_attr` contains our attribute, which `#[dispatch]` would not see.
fn is_hidden(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg_attr")
        && types::mentions(&attr.meta, &[Ident::new("overrides", Span::call_site())])
}

/// True if there is a `fn` at the outermost level before the next brace or semicolon.
fn is_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while !ahead.is_empty()
        && !ahead.peek(token::Brace)
        && !ahead.peek(Token![;])
        && !ahead.peek(Token![=])
    {
        if ahead.peek(Token![fn]) {
            return true;
        }
        if ahead.parse::<TokenTree>().is_err() {
            return false;
        }
    }
    false
}

impl Block {
    /// The block without our attributes.
    pub(super) fn tokens(&self) -> TokenStream {
        let Block { attrs, unsafety, impl_token, generics, trait_, self_ty, items } = self;
        let (declared, _, clause) = generics.split_for_impl();
        let trait_ = trait_.as_ref().map(|t| quote!(#t for));
        let items = items.iter().map(|Item { attrs, overrides, rest, .. }| {
            let lints =
                (!overrides.is_empty()).then(|| quote!(#[allow(clippy::needless_pass_by_value)]));
            quote!(#(#attrs)* #lints #rest)
        });
        quote! {
            #(#attrs)* #unsafety #impl_token #declared #trait_ #self_ty #clause { #(#items)* }
        }
    }
}

impl Overrides {
    pub(super) fn parse(attr: &Attribute) -> Result<Self> {
        match &attr.meta {
            Meta::List(list) if !list.tokens.is_empty() => list.parse_args(),
            other => Err(Error::new_spanned(
                other,
                "what is overridden is missing\nhelp: write `#[overrides(unary_elementwise)]`, or the name of an op",
            )),
        }
    }
}

impl Parse for Overrides {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let target = input.parse()?;
        let mut parsed = Self { target, within: None, with: Vec::new(), any: false };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if input.parse::<Option<Token![..]>>()?.is_some() {
                parsed.any = true;
                continue;
            }
            if input.parse::<Option<Token![in]>>()?.is_some() {
                parsed.within = Some(input.parse()?);
                continue;
            }
            let key = input.call(Ident::parse_any)?;
            if key != "with" {
                let near = match nearest(&key.to_string(), ["with"]) {
                    Some(_) => "did you mean `with = Tensor`?",
                    None => {
                        "after the op may stand `with = Tensor`, `in unary_elementwise` and `..`"
                    }
                };
                return Err(Error::new(
                    key.span(),
                    format!("unknown option `{key}` of `#[overrides]`\nhelp: {near}"),
                ));
            }
            parsed.with = with(input)?;
        }
        match input.is_empty() {
            true => Ok(parsed),
            false => Err(input.error("expected a comma; one attribute overrides one op or family")),
        }
    }
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            let help = format!("write `#[overrides({})]`", text.value());
            return Err(Error::new(
                text.span(),
                format!("the name of an op has no quotes\nhelp: {help}"),
            ));
        }
        if !input.peek(Token![::]) && input.cursor().punct().is_some() {
            let (mut text, mut rest) = (String::new(), input.cursor());
            while let Some((punct, next)) = rest.punct().filter(|(p, _)| p.as_char() != ',') {
                text.push(punct.as_char());
                rest = next;
                if punct.spacing() == Spacing::Alone {
                    break;
                }
            }
            if !OPERATORS.iter().any(|o| o.token == text) && no_operator(&text).is_none() {
                return Err(input.error("no operator of tensors\nhelp: write the name of an op, as in `#[overrides(matmul)]`"));
            }
            let tokens = (0..text.len()).map(|_| input.parse::<TokenTree>());
            let tokens = tokens.collect::<Result<TokenStream>>()?;
            return Ok(Name::Operator(text, tokens));
        }
        Ok(Name::Path(input.parse()?))
    }
}

fn with(input: ParseStream<'_>) -> Result<Vec<Type>> {
    if input.peek(token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        let types = Punctuated::<Type, Token![,]>::parse_terminated(&content)?;
        return Ok(types.into_iter().collect());
    }
    input.parse::<Token![=]>()?;
    Ok(vec![input.parse()?])
}

/// The tokens with `#[override(…)]` replaced by `#[overrides(…)]`; notes where it stood.
pub(super) fn in_the_plural(item: TokenStream, found: &mut Vec<Ident>) -> TokenStream {
    let mut hash = false;
    let mut renamed = |token: TokenTree| {
        let after_hash = std::mem::replace(&mut hash, token.to_string() == "#");
        let TokenTree::Group(group) = token else { return token };
        let mut tokens: Vec<TokenTree> = in_the_plural(group.stream(), found).into_iter().collect();
        if let Some(TokenTree::Ident(name)) = tokens.first_mut()
            && group.delimiter() == Delimiter::Bracket
            && after_hash
            && (name == "override" || name == "r#override")
        {
            *name = Ident::new("overrides", name.span());
            found.push(name.clone());
        }
        let mut inner = Group::new(group.delimiter(), tokens.into_iter().collect());
        inner.set_span(group.span());
        inner.into()
    };
    item.into_iter().map(&mut renamed).collect()
}

/// The tokens of a block that can't be parsed, without our attributes.
pub(super) fn without_helpers(item: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut pending: Option<TokenTree> = None;
    for token in item {
        let is_helper = |g: &Group| {
            g.delimiter() == Delimiter::Bracket
                && g.stream().into_iter().next().is_some_and(|t| t.to_string() == "overrides")
        };
        match token {
            TokenTree::Group(g) if pending.is_some() && is_helper(&g) => {
                pending = None;
                continue;
            }
            TokenTree::Group(g) => {
                out.extend(pending.take());
                let mut inner = Group::new(g.delimiter(), without_helpers(g.stream()));
                inner.set_span(g.span());
                out.extend([TokenTree::Group(inner)]);
            }
            TokenTree::Punct(p) if p.as_char() == '#' => out.extend(pending.replace(p.into())),
            other => {
                out.extend(pending.take());
                out.extend([other]);
            }
        }
    }
    out.extend(pending);
    out
}
