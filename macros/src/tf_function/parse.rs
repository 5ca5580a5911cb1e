//! Parses the function and its options.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, LitInt, LitStr, Result, Signature, Token, Visibility, token};

use super::signature::Entry;
use crate::shared::options::{Options, Table};
use crate::shared::{Base, Diagnostics};

static OPTIONS: Table = Table {
    attribute: "tf_function",
    known: &[
        ("reduce_retracing", "reduce_retracing"),
        ("max_traces", "max_traces = 64"),
        ("signature", "signature(f32[?, 784], static bool)"),
        ("name", "name = \"…\""),
        ("handle", "handle = ident"),
        ("autograph", "autograph = false"),
        ("crate", "crate = ::path"),
    ],
    foreign: &[
        ("input_signature", "write `signature(f32[?, 784])`: dtype and shape of each argument"),
        ("experimental_relax_shapes", "write `reduce_retracing`"),
        ("relax_shapes", "write `reduce_retracing`"),
        ("jit_compile", "every trace is compiled: remove the option"),
        ("experimental_compile", "every trace is compiled: remove the option"),
        (
            "experimental_autograph_options",
            "control flow is converted as a whole; `autograph = false` turns it off",
        ),
        (
            "experimental_implements",
            "there are no implementations to choose from: remove the option",
        ),
        ("experimental_attributes", "a graph's functions have no attributes: remove the option"),
        (
            "experimental_follow_type_hints",
            "the types of arguments are always followed: remove the option",
        ),
    ],
};

/// The options of `#[tf_function(…)]`.
pub(super) struct RawOptions {
    pub base: Base,
    pub reduce_retracing: bool,
    pub max_traces: Option<LitInt>,
    pub signature: Option<(Ident, Vec<Entry>)>,
    pub name: Option<LitStr>,
    pub handle: Option<Ident>,
    pub autograph: bool,
}

/// The function as written. The body is never parsed, since it may be incomplete while the user types.
pub(super) struct Raw {
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub sig: Signature,
    pub body: TokenTree,
}

pub(super) fn options(args: TokenStream, diagnostics: &mut Diagnostics) -> RawOptions {
    let mut options = Options::new(&OPTIONS);
    options.add(args, diagnostics);
    let entries = Punctuated::<Entry, Token![,]>::parse_terminated;
    RawOptions {
        base: Base::take(&mut options, diagnostics),
        reduce_retracing: options.flag("reduce_retracing", diagnostics).unwrap_or(false),
        max_traces: options.value("max_traces", diagnostics),
        signature: options
            .list("signature", entries, diagnostics)
            .map(|(key, entries)| (key, entries.into_iter().collect())),
        name: options.value("name", diagnostics),
        handle: options.value("handle", diagnostics),
        autograph: options.flag("autograph", diagnostics).unwrap_or(true),
    }
}

impl Parse for Raw {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !is_function(input) {
            return Err(input.error(
                "`#[tf_function]` stands on functions and methods\nhelp: for a closure write \
                 `function(|x: &Tensor| …)`",
            ));
        }
        let sig = input.parse()?;
        if !input.peek(token::Brace) {
            return Err(input.error("a traced function needs a body"));
        }
        let body = input.parse()?;
        Ok(Self { attrs, vis, sig, body })
    }
}

fn is_function(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    while !ahead.is_empty() && !ahead.peek(token::Brace) {
        if ahead.peek(Token![fn]) {
            return true;
        }
        if ahead.parse::<TokenTree>().is_err() {
            return false;
        }
    }
    false
}
