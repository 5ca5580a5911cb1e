//! Autograph: the control flow of a traced function's body, converted so that it works on tensors.
//!
//! The type of a condition is not known while macros run. So the user's blocks stand once, inline, between calls of the
//! run-time half (`extype::__private::autograph`). For a `bool` one arm runs, and Rust's rules hold as written. For a
//! tensor both arms are visited, one after the other, and their effects are joined. `Never` makes the code for the
//! other type unreachable, which keeps the borrow checker out of it.
//!
//! Names, shapes and plainness of code are read first ([`names`], [`shape`], [`plain`], [`given`], [`late`]). [`scope`]
//! holds what is known at a point. The other files walk through the code, and [`emit`] generates the code of the
//! constructs that they find.

mod branch;
mod emit;
mod exits;
mod expr;
mod formats;
mod given;
mod handles;
mod late;
mod loops;
mod lower;
mod names;
mod plain;
mod raised;
mod scope;
mod section;
mod shape;
mod slots;
#[cfg(test)]
mod tests;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Error, Expr, ItemMacro, Macro, Pat, Type, UnOp};

use crate::shared::Base;

/// The body with its control flow converted. `None` if it stays as it is, token for token: it has no control flow, or
/// none that could depend on tensors, or it can't be parsed yet. After errors the rest is still converted, so that the
/// compiler reports nothing more.
pub(crate) fn convert<'a>(
    base: &Base,
    parameters: impl IntoIterator<Item = (&'a Pat, &'a Type)>,
    result: Option<&Type>,
    body: &TokenStream,
) -> (Option<TokenStream>, Vec<Error>) {
    let Ok(mut block) = syn::parse2::<Block>(body.clone()) else { return (None, Vec::new()) };
    if !has_control_flow(&block) {
        return (None, Vec::new());
    }
    let private = base.private();
    let site = Span::mixed_site();
    let mut lower = scope::Lower::new(quote_spanned!(site=> #private::autograph), site);
    for (pat, ty) in parameters {
        lower.scope.declare_parameter(pat, ty);
    }
    lower.own_macros = own_macros(&block);
    lower.scope.given = given::given(&block, &lower.scope);
    let tokens = lower.function(&mut block, result.cloned());
    (lower.changed.then_some(tokens), lower.errors)
}

/// The macros that the body defines, which shadow those of the standard library.
fn own_macros(block: &Block) -> names::Names {
    struct Finder(names::Names);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
            self.0.extend(item.ident.as_ref().map(ToString::to_string));
        }
    }
    let mut finder = Finder(names::Names::new());
    finder.visit_block(block);
    finder.0
}

/// True if the block has control flow that may need conversion.
fn has_control_flow(block: &Block) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.0 |= match e {
                Expr::If(_) | Expr::While(_) | Expr::Loop(_) | Expr::ForLoop(_) => true,
                Expr::Match(_) => true,
                Expr::Binary(b) => {
                    names::compares(&b.op) || matches!(b.op, BinOp::And(_) | BinOp::Or(_))
                }
                Expr::Unary(u) => matches!(u.op, UnOp::Not(_)),
                _ => false,
            };
            visit::visit_expr(self, e);
        }
        fn visit_macro(&mut self, mac: &'ast Macro) {
            self.0 |= formats::is_known(mac);
        }
        fn visit_attribute(&mut self, a: &'ast syn::Attribute) {
            self.0 |= a.path().is_ident("plain");
        }
    }
    let mut finder = Finder(false);
    finder.visit_block(block);
    finder.0
}
