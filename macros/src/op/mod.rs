//! `define_op!`: rows of the op table.

mod check;
mod dtypes;
mod expand;
mod model;
mod parse;
#[cfg(test)]
mod tests;

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::shared::{Base, Diagnostics};

/// The items of all valid rows, and the errors of the others.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::new();
    let model = read(input, &mut diagnostics);
    let mut tokens = diagnostics.finish();
    tokens.extend(model.as_ref().map(expand::all));
    tokens
}

/// The valid rows: a mistake in one row does not remove the other ops.
fn read(input: TokenStream, d: &mut Diagnostics) -> Option<model::Model> {
    let table: parse::Table = d.ok_or_report(syn::parse2(input))?;
    let base = Base::given(table.base, d);
    check::lists(&table.lists, &table.rows, d);
    let mut model = model::Model { base, methods: table.methods, rows: Vec::new() };
    for row in table.rows {
        let (row, right) = d.part(|d| {
            let row = model::row(row, &table.lists, &model.base, d)?;
            check::row(&row, &model, d);
            Some(row)
        });
        model.rows.extend(row.filter(|_| right));
    }
    Some(model)
}

/// True if the tokens contain the name, even in the braces of a format string.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            text.contains(&format!("{{{name}}}")) || text.contains(&format!("{{{name}:"))
        }
        TokenTree::Punct(_) => false,
    })
}
