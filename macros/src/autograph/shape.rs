//! Properties of expressions and patterns that follow from their form alone.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprCall, Lit, Pat, UnOp};

use super::names::compares;

/// The attributes of an expression that can be a statement.
pub(super) fn attributes(e: &mut Expr) -> Option<&mut Vec<syn::Attribute>> {
    Some(match e {
        Expr::If(e) => &mut e.attrs,
        Expr::While(e) => &mut e.attrs,
        Expr::ForLoop(e) => &mut e.attrs,
        Expr::Loop(e) => &mut e.attrs,
        Expr::Block(e) => &mut e.attrs,
        Expr::Match(e) => &mut e.attrs,
        Expr::Assign(e) => &mut e.attrs,
        Expr::MethodCall(e) => &mut e.attrs,
        Expr::Call(e) => &mut e.attrs,
        Expr::Unsafe(e) => &mut e.attrs,
        Expr::Return(e) => &mut e.attrs,
        Expr::Break(e) => &mut e.attrs,
        Expr::Continue(e) => &mut e.attrs,
        Expr::Binary(e) => &mut e.attrs,
        Expr::Macro(e) => &mut e.attrs,
        Expr::Try(e) => &mut e.attrs,
        _ => return None,
    })
}

pub(super) fn place_like(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Paren(p) => place_like(&p.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)),
        _ => false,
    }
}

/// The variable that a reference to a place borrows.
pub(super) fn borrowed(e: &Expr) -> Option<String> {
    fn root(e: &Expr) -> Option<String> {
        match e {
            Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
            Expr::Field(f) => root(&f.base),
            Expr::Index(i) => root(&i.expr),
            Expr::Paren(p) => root(&p.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => root(&u.expr),
            _ => None,
        }
    }
    match e {
        Expr::Reference(r) => root(&r.expr),
        Expr::Paren(p) => borrowed(&p.expr),
        _ => None,
    }
}

/// True for an expression that has no effect and can't fail, so it may be computed even where its value is not needed.
pub(super) fn simple(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Field(f) => simple(&f.base),
        Expr::Paren(p) => simple(&p.expr),
        Expr::Reference(r) => simple(&r.expr),
        Expr::Unary(u) => simple(&u.expr),
        Expr::Binary(b) => {
            (compares(&b.op) || matches!(b.op, BinOp::And(_) | BinOp::Or(_)))
                && simple(&b.left)
                && simple(&b.right)
        }
        _ => false,
    }
}

/// Whether an expression is a number or bool made of literals.
pub(super) fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Lit(l) => matches!(l.lit, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_)),
        Expr::Paren(p) => is_number(&p.expr),
        Expr::Group(g) => is_number(&g.expr),
        Expr::Unary(u) => is_number(&u.expr),
        Expr::Binary(b) => is_number(&b.left) && is_number(&b.right),
        _ => false,
    }
}

/// True for a variable and for parts of one that are reached without running code.
pub(super) fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Field(f) => is_place(&f.base),
        Expr::Paren(p) => is_place(&p.expr),
        Expr::Index(i) => is_place(&i.expr) && simple(&i.index),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_place(&u.expr),
        _ => false,
    }
}

pub(super) fn number_pattern(pat: &Pat) -> bool {
    match pat {
        Pat::Lit(l) => matches!(l.lit, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_)),
        Pat::Range(_) => true,
        Pat::Or(o) => o.cases.iter().any(number_pattern),
        Pat::Guard(g) => number_pattern(&g.pat),
        Pat::Paren(p) => number_pattern(&p.pat),
        _ => false,
    }
}

pub(super) fn simple_pattern(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(i) => i.subpat.is_none() && i.by_ref.is_none(),
        Pat::Or(o) => o.cases.iter().all(simple_pattern),
        Pat::Guard(g) => simple_pattern(&g.pat),
        Pat::Paren(p) => simple_pattern(&p.pat),
        other => number_pattern(other),
    }
}

/// True for a condition with patterns.
pub(super) fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        Expr::Paren(p) => has_let(&p.expr),
        _ => false,
    }
}

/// `Err(…)`
pub(super) fn is_err(c: &ExprCall) -> bool {
    c.args.len() == 1 && matches!(&*c.func, Expr::Path(p) if p.path.is_ident("Err"))
}

pub(super) fn is_raised(e: &Expr) -> bool {
    matches!(e, Expr::Call(c) if is_err(c))
}

/// A group whose delimiters have the given span.
pub(super) fn delimited(delimiter: Delimiter, tokens: TokenStream, at: Span) -> TokenTree {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(at);
    group.into()
}

/// The variable that is assigned and that the value mentions exactly once. The value may move it, since the assignment
/// gives it a value again.
pub(super) fn moved_into_itself(left: &Expr, right: &Expr) -> Option<String> {
    fn count(tokens: TokenStream, name: &str) -> usize {
        let count = |token| match token {
            TokenTree::Ident(ident) => match ident.to_string().as_str() {
                // Code that runs at another time, or perhaps not at all.
                "if" | "match" | "loop" | "while" | "for" | "move" | "return" | "break" => 2,
                word => usize::from(word == name),
            },
            TokenTree::Group(group) => count(group.stream(), name),
            TokenTree::Punct(punct) => 2 * usize::from(punct.as_char() == '|'),
            TokenTree::Literal(_) => 0,
        };
        tokens.into_iter().map(count).sum()
    }
    let Expr::Path(path) = left else { return None };
    let name = path.path.get_ident()?.to_string();
    (count(right.to_token_stream(), &name) == 1).then_some(name)
}
