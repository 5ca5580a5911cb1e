//! From blocks and statements to converted ones.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Block, Error, Expr, Local, Pat, Stmt, Type};

use super::branch::diverges;
use super::expr::{attributes, place_like};
use super::names::{Names, borrows, mentioned};
use super::plain::{list_type, number, owned, plain, plain_iterator};
use super::scope::{Construct, Flow, Region, Scope, joined, label};

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    /// An operand of something.
    Inner,
    /// Borrowed, or read in place: nothing is moved out of it.
    Lent,
    /// A statement: its value is `()`.
    Statement,
    /// The whole right side of a `let`, an assignment.
    Value,
    /// The whole right side of a `let` with a type.
    Typed,
    /// The result of the function.
    Tail,
}

impl Place {
    /// True where nothing is left to do in the statement after the expression but to take its value.
    pub(super) fn is_root(self) -> bool {
        matches!(self, Place::Statement | Place::Value | Place::Typed | Place::Tail)
    }
}

/// The conversion of one body.
#[derive(Clone)]
pub(super) struct Lower {
    /// The path of the run-time half.
    runtime: TokenStream,
    /// What the body calls it.
    pub p: TokenStream,
    pub scope: Scope,
    pub errors: Vec<Error>,
    pub changed: bool,
    /// The macros that the body defines.
    pub own_macros: Names,
}

impl Lower {
    pub(super) fn new(runtime: TokenStream, site: Span) -> Self {
        let p = quote_spanned!(site=> __autograph);
        Self {
            runtime,
            p,
            scope: Scope::new(),
            errors: Vec::new(),
            changed: false,
            own_macros: Names::new(),
        }
    }

    /// Takes `#[plain]` away, and tells whether it was there.
    pub(super) fn take_plain(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let before = attrs.len();
        attrs.retain(|a| {
            let is_plain = a.path().is_ident("plain");
            if is_plain && !matches!(a.meta, syn::Meta::Path(_)) {
                self.error(&a.meta, "`plain` takes no words", "write `#[plain]`");
            }
            !is_plain
        });
        attrs.len() < before
    }

    pub(super) fn error(&mut self, at: impl ToTokens, text: &str, help: &str) {
        self.errors.push(Error::new_spanned(at, format!("{text}\nhelp: {help}")));
    }

    /// The run-time half's path for code that errors about the user's code point at.
    pub(super) fn at(&self, span: Span) -> (TokenStream, Span) {
        let span = span.resolved_at(Span::mixed_site());
        let path = self.p.clone().into_iter().map(|mut token| {
            token.set_span(span);
            token
        });
        (path.collect(), span)
    }

    /// The body of a function or closure.
    pub(super) fn function(&mut self, block: &mut Block, result: Option<Type>) -> TokenStream {
        let site = Span::mixed_site();
        let p = self.p.clone();
        let n = self.scope.number();
        let mut flow = Flow::new(result.clone());
        flow.regions.push(Region { label: label("body", n), used: false });
        self.scope.flows.push(flow);
        self.block(block, Place::Tail);
        let Some(mut flow) = self.scope.flows.pop() else { return TokenStream::new() };
        let runtime = &self.runtime;
        let import = self.scope.flows.is_empty().then(|| {
            quote_spanned! {site=>
                #[allow(unused_imports)]
                use #runtime as __autograph;
                #[allow(unused_imports)]
                use #runtime::methods::*;
            }
        });
        if !flow.used && self.scope.flows.is_empty() {
            let stmts = &block.stmts;
            return quote_spanned!(site=> { #import #(#stmts)* });
        }
        if !flow.used {
            return block.to_token_stream();
        }
        let tokens = &flow.tokens;
        let new = match self.scope.flows.is_empty() {
            true => quote!(new),
            false => quote!(inner),
        };
        let start = quote_spanned! {site=>
            #import
            let flow = #p::Flow::#new();
            #(let #tokens = #p::token();)*
        };
        let region = flow.regions.pop().filter(|r| r.used).map(|r| r.label);
        let Some(region) = region else {
            let stmts = &block.stmts;
            return quote_spanned!(site=> { #start #(#stmts)* });
        };
        let kind = joined(&p, &flow.pending);
        // Braces of the expansion's: the compiler would find the user's superfluous.
        let block = block_of(&block.stmts, site);
        let result = result.map_or(quote!(_), |r| r.to_token_stream());
        quote_spanned! {site=> {
            #start
            let value: ::core::option::Option<#result> =
                #region: { ::core::option::Option::Some(#block) };
            #p::finish(&flow, #kind, value)
        }}
    }

    pub(super) fn block(&mut self, block: &mut Block, place: Place) {
        let outer = self.scope.vars.len();
        self.stmts(&mut block.stmts, place);
        self.scope.vars.truncate(outer);
    }

    /// Statements, of which the last gives the value. After one that may have left, the rest stands
    /// under a guard.
    pub(super) fn stmts(&mut self, stmts: &mut Vec<Stmt>, place: Place) {
        let later = self.scope.later.clone();
        let mut before = std::mem::take(&mut self.scope.flow().pending);
        for i in 0..stmts.len() {
            let last = i + 1 == stmts.len();
            self.scope.later.clone_from(&later);
            for stmt in stmts.iter().skip(i + 1) {
                mentioned(stmt, &mut self.scope.later);
            }
            if let Some(stmt) = stmts.get_mut(i) {
                if !is_construct(stmt) {
                    mentioned(&*stmt, &mut self.scope.later);
                }
                self.stmt(stmt, if last { place } else { Place::Statement });
            }
            let pending = std::mem::take(&mut self.scope.flow().pending);
            if !pending.is_empty() && !last {
                let rest = stmts.split_off(i + 1);
                self.scope.later = later;
                let guarded = self.guard(rest, place, &pending);
                stmts.push(Stmt::Expr(Expr::Verbatim(guarded), None));
                before.extend(pending);
                before.append(&mut self.scope.flow().pending);
                self.scope.flow().pending = before;
                return;
            }
            before.extend(pending);
        }
        self.scope.later = later;
        self.scope.flow().pending = before;
    }

    /// A statement; what is configured away stays so.
    fn stmt(&mut self, stmt: &mut Stmt, place: Place) {
        let configured = match stmt {
            Stmt::Expr(e, _) => attributes(e),
            Stmt::Macro(m) => Some(&mut m.attrs),
            Stmt::Local(_) | Stmt::Item(_) => None,
        };
        let is_cfg = |a: &Attribute| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr");
        let cfg: Vec<Attribute> = match configured {
            Some(attrs) if attrs.iter().any(is_cfg) => std::mem::take(attrs),
            _ => Vec::new(),
        };
        let before = self.scope.flow().tokens.len();
        self.written(stmt, place);
        if !cfg.is_empty() {
            let nothing = Stmt::Expr(Expr::Verbatim(TokenStream::new()), None);
            let written = std::mem::replace(stmt, nothing);
            let p = self.p.clone();
            let tokens = self.scope.flow().tokens.get(before..).unwrap_or_default();
            let wanted = cfg.iter().filter(|a| a.path().is_ident("cfg"));
            let wanted = wanted.filter_map(|a| a.meta.require_list().ok().map(|l| &l.tokens));
            // What is not there tells no kinds.
            let code = quote_spanned! {Span::mixed_site()=>
                #(#cfg)* { #written }
                #[cfg(not(all(#(#wanted),*)))]
                { #(#p::no_kind(&#tokens);)* }
            };
            *stmt = Stmt::Expr(Expr::Verbatim(code), None);
        }
    }

    fn written(&mut self, stmt: &mut Stmt, place: Place) {
        match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Expr(e, semicolon) => {
                let place = if semicolon.is_some() { Place::Statement } else { place };
                self.expr(e, place);
            }
            Stmt::Macro(m) => {
                if let Some(converted) = self.macro_call(&mut m.mac) {
                    *stmt = Stmt::Expr(Expr::Verbatim(converted), m.semi_token);
                }
            }
            // Left alone: an item is a function or type of its own.
            Stmt::Item(_) => {}
        }
    }

    fn local(&mut self, local: &mut Local) {
        let (pat, ty) = match &local.pat {
            Pat::Type(t) => ((*t.pat).clone(), Some((*t.ty).clone())),
            other => (other.clone(), None),
        };
        let mut facts = (false, false, false, false);
        let owned = local.init.as_ref().is_some_and(|init| owned(&init.expr, &self.scope));
        let left_plain = self.take_plain(&mut local.attrs);
        if let Some(init) = &mut local.init {
            let e = &init.expr;
            let typed = ty.as_ref().is_some_and(list_type);
            facts = (
                plain(e, &self.scope) && !matches!(**e, Expr::Reference(_)),
                number(e),
                typed || (plain_iterator(e, &self.scope) && !plain(e, &self.scope)),
                matches!(&**e, Expr::Reference(r) if r.mutability.is_some()),
            );
            if left_plain {
                self.left_plain(&init.expr);
            } else {
                // What a pattern borrows stays where it is.
                let lent = borrows(&pat, false) && place_like(&init.expr);
                let moves = !matches!(pat, Pat::Wild(_)) && !lent;
                let later = self.scope.later.clone();
                init.diverge.iter().for_each(|(_, e)| mentioned(&**e, &mut self.scope.later));
                let place = match &ty {
                    _ if !moves => Place::Lent,
                    Some(_) => Place::Typed,
                    None => Place::Value,
                };
                let around = std::mem::replace(&mut self.scope.flow().typed, ty.clone());
                self.expr(&mut init.expr, place);
                self.scope.flow().typed = around;
                self.scope.later = later;
                if let Some((_, diverge)) = &mut init.diverge {
                    self.diverging(diverge);
                }
            }
        }
        let assigned = local.init.is_some();
        if let Some(ty) = &ty
            && !matches!(ty, Type::Infer(_))
        {
            self.scope.declare_typed(&pat, ty);
        } else {
            let single = matches!(pat, Pat::Ident(_));
            self.scope.declare(&pat, |v| {
                v.plain = facts.0;
                v.number = facts.1 && single;
                v.copied = facts.1 && single;
                v.list = facts.2 && single;
                v.reference = facts.3 && single;
                v.owned = owned;
            });
        }
        if !assigned {
            // An arm may have one of its own in its place.
            local.attrs.push(syn::parse_quote!(#[allow(unused_variables)]));
            for found in super::names::declared(&pat) {
                if let Some(var) = self.scope.find_mut(&found.name()) {
                    var.assigned = false;
                }
            }
        }
    }

    /// What stands after `else` in a `let`: where all that leaves it is noted for a trace, the compiler is
    /// told that it is left.
    fn diverging(&mut self, e: &mut Expr) {
        let leaves = diverges(e);
        let before = std::mem::take(&mut self.changed);
        self.expr(e, Place::Statement);
        if let Expr::Block(b) = e
            && leaves
            && self.changed
        {
            let p = &self.p;
            let stmts = &b.block.stmts;
            *e = Expr::Verbatim(quote_spanned! {Span::mixed_site()=>
                { #(#stmts)*; #[allow(unreachable_code)] match #p::impossible() {} }
            });
        }
        self.changed |= before;
    }

    /// Code under `#[plain]`.
    pub(super) fn left_plain(&mut self, e: &Expr) {
        self.changed = true;
        let mut words = super::names::Names::new();
        mentioned(e, &mut words);
        let inside = self.scope.flow().constructs.iter().any(Construct::is_converted);
        if inside && words.contains("return") {
            self.error(
                e,
                "a `return` in `#[plain]` code leaves a condition that may be a tensor",
                "take the `return` out of the `#[plain]` code, or put `#[plain]` on the whole condition",
            );
        }
    }
}

/// True if nothing of the statement runs after its construct.
fn is_construct(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(e, _) => ends_with_construct(e),
        Stmt::Local(Local { init: Some(init), .. }) => ends_with_construct(&init.expr),
        _ => false,
    }
}

fn ends_with_construct(e: &Expr) -> bool {
    match e {
        Expr::If(_)
        | Expr::While(_)
        | Expr::ForLoop(_)
        | Expr::Loop(_)
        | Expr::Match(_)
        | Expr::Block(_)
        | Expr::Unsafe(_) => true,
        Expr::Paren(p) => ends_with_construct(&p.expr),
        Expr::Try(t) => ends_with_construct(&t.expr),
        Expr::Return(r) => r.expr.as_deref().is_some_and(ends_with_construct),
        Expr::Break(b) => b.expr.as_deref().is_some_and(ends_with_construct),
        Expr::Assign(a) => matches!(*a.left, Expr::Path(_)) && ends_with_construct(&a.right),
        Expr::Call(c) if matches!(&*c.func, Expr::Path(_)) && c.args.len() == 1 => {
            c.args.iter().all(ends_with_construct)
        }
        _ => false,
    }
}

/// `{ … }` of statements.
pub(super) fn block_of(stmts: &[Stmt], at: Span) -> TokenStream {
    let brace_token = syn::token::Brace(at.resolved_at(Span::mixed_site()));
    Block { brace_token, stmts: stmts.to_vec() }.into_token_stream()
}
