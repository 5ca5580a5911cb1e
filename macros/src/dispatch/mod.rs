//! `#[dispatch]`.

mod call;
mod check;
mod entries;
mod expand;
mod model;
mod names;
mod operators;
mod parse;
mod rows;
mod table;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Token, Type};

use crate::shared::options::{Options, Table};
use crate::shared::{Base, Diagnostics};

static OPTIONS: Table = Table {
    attribute: "dispatch",
    known: &[
        ("crate", "crate = ::path"),
        ("stand_in", "stand_in = field"),
        ("subtype_of", "subtype_of(Type)"),
    ],
    foreign: &[
        ("with", "put it on the function: `#[overrides(binary_elementwise, with = Tensor)]`"),
        ("unary_elementwise", "put it on a function: `#[overrides(unary_elementwise)]`"),
        ("binary_elementwise", "put it on a function: `#[overrides(binary_elementwise)]`"),
    ],
};

/// The block without our attributes, and the impls; after severe errors only the block.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::new();
    let mut options = Options::new(&OPTIONS);
    options.add(args, &mut diagnostics);
    let base = Base::take(&mut options, &mut diagnostics);
    let mut singular = Vec::new();
    let item = parse::in_the_plural(item, &mut singular);
    for name in singular {
        diagnostics.mild(name, "the attribute is `#[overrides(…)]`", "");
    }
    let block: parse::Block = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(e) => {
            diagnostics.syntax(e);
            let mut tokens = diagnostics.finish();
            tokens.extend(parse::without_helpers(item));
            return tokens;
        }
    };
    let list = Punctuated::<Type, Token![,]>::parse_terminated;
    let stand_in = options.value("stand_in", &mut diagnostics);
    let supertypes = options.list("subtype_of", list, &mut diagnostics);
    let mut model = model::Model::new(&block, base, &mut diagnostics);
    model.stand_in = stand_in;
    model.supertypes = supertypes.into_iter().flat_map(|(_, types)| types).collect();
    check::check(&block, &model, &mut diagnostics);
    let severe = diagnostics.is_severe();
    let mut tokens = diagnostics.finish();
    // Then the functions can't stay either.
    if check::is_the_runtimes(&block.self_ty) || severe && check::has_objects(&model) {
        return tokens;
    }
    tokens.extend(block.tokens());
    if !severe {
        tokens.extend(expand::all(&model));
    }
    tokens
}

/// True for the name of a method of tensors.
pub(crate) fn is_method_of_tensors(name: &str) -> bool {
    rows::OPS.iter().any(|row| row.function == name)
        || rows::MADE_OF_SEVERAL.binary_search_by_key(&name, |row| row.0).is_ok()
        || rows::COMPOUNDS.binary_search(&name).is_ok()
        || rows::ALIASES.binary_search_by_key(&name, |row| row.0).is_ok()
}

/// Reports an `#[overrides]` outside of a `#[dispatch]` block.
pub(crate) fn stray(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::new();
    diagnostics.severe(
        proc_macro2::Ident::new("overrides", proc_macro2::Span::call_site()),
        "`#[overrides]` outside of a `#[dispatch]` block does nothing",
        "put `#[dispatch]` on the `impl` block",
    );
    let mut tokens = diagnostics.finish();
    tokens.extend(item);
    tokens
}
