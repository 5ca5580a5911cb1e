//! Errors that a body raises: `Err(…)`, `Err(…)?`, `bail!`, `ensure!`. In traced control flow the graph's run raises
//! them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprIf, ExprReturn, ExprTry, Macro, Stmt, Token};

use super::names::{BAIL, ENSURE};
use super::plain::plain;
use super::scope::{Lower, Place};

impl Lower {
    /// `Err(…)` as the result of the function: treated like a `return`.
    pub(super) fn raised(&mut self, e: &mut Expr, at: proc_macro2::Span) {
        *e = returned(at, e.clone());
        self.exit(e);
    }

    /// `Err(…)?`
    pub(super) fn raised_here(&mut self, t: &mut ExprTry) -> Expr {
        if let Expr::Call(c) = &mut *t.expr {
            for error in &mut c.args {
                *error = syn::parse_quote!(::core::convert::From::from(#error));
            }
        }
        let mut e = returned(t.question_token.span(), (*t.expr).clone());
        self.exit(&mut e);
        e
    }

    /// A macro that returns an error; `None` if it stays.
    pub(super) fn raising(&mut self, mac: &Macro) -> Option<TokenStream> {
        let name = mac.path.segments.last()?.ident.to_string();
        if self.own_macros.contains(&name) {
            return None;
        }
        let mut converted = match name.as_str() {
            BAIL if self.converted_around() => {
                let e = self.error_of(mac, false)?;
                let mut e = returned(mac.path.span(), e);
                self.exit(&mut e);
                return Some(e.into_token_stream());
            }
            ENSURE => self.ensured(mac)?,
            _ => return None,
        };
        self.expr(&mut converted, Place::Statement);
        Some(converted.into_token_stream())
    }

    /// `ensure!` as the equivalent `if`.
    fn ensured(&mut self, mac: &Macro) -> Option<Expr> {
        let parser = |input: ParseStream<'_>| -> syn::Result<(Expr, TokenStream)> {
            let cond: Expr = input.parse()?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
            Ok((cond, input.parse()?))
        };
        let (cond, mut text) = parser.parse2(mac.tokens.clone()).ok()?;
        if plain(&cond, &self.scope) && !self.converted_around() {
            return None;
        }
        let at = mac.path.span();
        if text.is_empty() {
            let shown = cond.to_token_stream().to_string().replace('{', "{{").replace('}', "}}");
            let shown = format!("Condition failed: `{shown}`");
            text = quote_spanned!(at=> #shown);
        }
        let fails = Macro { tokens: quote_spanned!(at=> false, #text), ..mac.clone() };
        let raised = returned(at, self.error_of(&fails, true)?);
        let stmts = vec![Stmt::Expr(raised, Some(Token![;](at)))];
        Some(Expr::If(ExprIf {
            attrs: Vec::new(),
            if_token: Token![if](at),
            cond: Box::new(syn::parse_quote!(!(#cond))),
            then_branch: Block { brace_token: syn::token::Brace(at), stmts },
            else_branch: None,
        }))
    }

    /// `Err(…)` with the error of a macro, which is called in a closure; `None` if the type of the error is not known.
    /// `ends` adds an `unreachable!()` after a macro that does not always return.
    fn error_of(&mut self, mac: &Macro, ends: bool) -> Option<Expr> {
        let result = self.scope.flow().result.clone()?;
        let (p, at) = self.at(mac.path.span());
        let unreachable = ends.then(|| quote_spanned!(at=> ; ::core::unreachable!()));
        let error = quote_spanned!(at=> #p::raised((|| -> #result { #mac #unreachable })()));
        let error = Expr::Verbatim(error);
        Some(syn::parse_quote!(Err(#error)))
    }
}

/// `return` of an expression.
fn returned(at: proc_macro2::Span, e: Expr) -> Expr {
    let return_token = Token![return](at);
    Expr::Return(ExprReturn { attrs: Vec::new(), return_token, expr: Some(Box::new(e)) })
}
