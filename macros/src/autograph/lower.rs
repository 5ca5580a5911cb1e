//! Converts blocks and statements.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Block, Expr, Local, Pat, Stmt, Type};

use super::emit::{Closed, block_of, graph, kinds, same, written_in};
use super::late::diverges;
use super::names::{Code, borrows, declared, written};
use super::plain::{list_type, number, owned, plain, plain_iterator};
use super::scope::{Flow, Lower, Place, Slot, name};
use super::section::Extent;
use super::shape::{attributes, borrowed, place_like};
use super::slots::Seen;

impl Lower {
    /// The body of a function or closure.
    pub(super) fn function(&mut self, block: &mut Block, result: Option<Type>) -> TokenStream {
        let site = Span::mixed_site();
        let p = self.p.clone();
        let outer = self.scope.flows.is_empty();
        if outer {
            self.scope.vars.iter_mut().for_each(|parameter| parameter.rebinds = true);
        }
        let parameters = self.scope.vars.len();
        let calls = self.scope.flows.last().and_then(|f| f.calling.clone().or(f.calls.clone()));
        self.scope.flows.push(Flow::new(result.clone()));
        self.scope.flow().calls = calls;
        let slots = self.slots(&written([Code::Block(block)]), Seen::Later);
        let ((), region) = self.region(slots, true, |s| s.block(block, Place::Tail));
        let label = region.label();
        // Nothing sees the kinds of the body after it.
        let left = name("left", self.scope.number());
        let mut known = std::mem::take(&mut self.scope.flow().called);
        let pending = std::mem::take(&mut self.scope.flow().pending);
        known.extend(label.is_some().then(|| (left.clone(), pending)));
        if !known.is_empty() {
            let known: Vec<_> =
                known.into_iter().map(|(k, kinds)| (k, self.scope.joined(kinds))).collect();
            let mut before = kinds(&p, &std::mem::take(&mut self.scope.flow().tokens));
            before.extend(known.iter().map(|(token, kind)| same(&p, token, kind)));
            let tail = matches!(block.stmts.last(), Some(Stmt::Expr(_, None)));
            let end = block.stmts.len() - usize::from(tail);
            block.stmts.insert(end, Stmt::Expr(Expr::Verbatim(before), None));
        }
        let Some(flow) = self.scope.flows.pop() else { return TokenStream::new() };
        let runtime = &self.runtime;
        let import = outer.then(|| {
            quote_spanned! {site=>
                #[allow(unused_imports)]
                use #runtime as __autograph;
                #[allow(unused_imports)]
                use #runtime::methods::*;
            }
        });
        let stmts = &block.stmts;
        if !flow.used {
            return match outer {
                true => quote_spanned!(site=> { #import #(#stmts)* }),
                false => block.to_token_stream(),
            };
        }
        let new = if outer { quote!(new) } else { quote!(inner) };
        let again = if outer { self.scope.rebound(0, parameters) } else { None };
        let start = quote_spanned! {site=>
            #import
            #again
            let flow = #p::Flow::#new();
        };
        let Some(label) = label else {
            return quote_spanned!(site=> { #start #(#stmts)* });
        };
        // With braces of the expansion's: the compiler would call the user's superfluous.
        let block = block_of(&block.stmts, site);
        let result = result.map_or(quote!(_), |r| r.to_token_stream());
        let closed =
            Closed { section: region.section.clone(), kind: left.clone(), slots: region.rests };
        let value = closed.code(
            &p,
            Some(quote_spanned!(site=> ::core::option::Option<#result>)),
            quote_spanned!(site=> #label: { ::core::option::Option::Some(#block) }),
        );
        quote_spanned! {site=> {
            #start
            let #left = #p::token();
            #value
            #p::finish(&flow, &#left, value)
        }}
    }

    pub(super) fn block(&mut self, block: &mut Block, place: Place) {
        let outer = self.scope.vars.len();
        self.stmts(&mut block.stmts, place);
        self.scope.vars.truncate(outer);
    }

    /// Converts statements, the last of which gives the value. After a statement that may have left, the rest of the
    /// region runs under a condition.
    pub(super) fn stmts(&mut self, stmts: &mut Vec<Stmt>, place: Place) {
        let later = self.scope.later.mark();
        let mut marks: Vec<usize> = stmts.iter().rev().map(|s| self.scope.later.add(s)).collect();
        let flow = self.scope.flow();
        flow.blocks += 1;
        let outermost = flow.blocks == 1;
        let (before, left) = (std::mem::take(&mut flow.pending), flow.left.clone());
        let (mut all, mut declarations) = (Vec::with_capacity(stmts.len()), Vec::new());
        let mut rest = std::mem::take(stmts).into_iter();
        let mut looked = self.scope.flow().regions.last().map_or(0, |region| region.first);
        while !rest.as_slice().is_empty() {
            let known = std::mem::replace(&mut looked, self.scope.vars.len());
            let section = if looked > known { self.section_of(rest.as_slice()) } else { None };
            let length = section.as_ref().map_or(1, |section| section.length);
            let mut some: Vec<Stmt> = rest.by_ref().take(length).collect();
            let mark = marks.split_off(marks.len() - some.len()).first().copied().unwrap_or(later);
            let last = rest.as_slice().is_empty();
            if section.is_some() || some.iter().all(is_construct) {
                self.scope.later.back_to(mark);
            }
            let declared = self.scope.vars.len();
            let here = if last { place } else { Place::Statement };
            match section {
                None => some.iter_mut().for_each(|stmt| self.stmt(stmt, here)),
                Some(Extent { exported, .. }) => some = self.section(some, exported, here),
            }
            self.scope.later.back_to(mark);
            let opened = if last { None } else { self.rest(rest.as_slice()) };
            // Kinds are declared at their statement, so that the compiler soon knows them. It looks again and again at
            // unknown ones.
            if outermost && !self.scope.flow().tokens.is_empty() {
                let tokens = kinds(&self.p, &std::mem::take(&mut self.scope.flow().tokens));
                all.push(Stmt::Expr(Expr::Verbatim(tokens), None));
            }
            all.append(&mut some);
            if self.scope.vars.len() > declared {
                declarations.push((all.len(), declared..self.scope.vars.len()));
            }
            all.extend(opened.map(|opened| Stmt::Expr(Expr::Verbatim(opened), None)));
        }
        for (after, vars) in declarations.into_iter().rev() {
            if let Some(again) = self.scope.rebound(vars.start, vars.end) {
                all.insert(after, Stmt::Expr(Expr::Verbatim(again), None));
            }
        }
        *stmts = all;
        let flow = self.scope.flow();
        flow.blocks -= 1;
        let inner = std::mem::replace(&mut flow.left, left.clone());
        let pending = std::mem::replace(&mut flow.pending, before);
        flow.pending.extend(inner.filter(|inner| Some(inner) != left.as_ref()));
        flow.pending.extend(pending);
    }

    /// The code between a statement that may have left and the statements after it.
    fn rest(&mut self, rest: &[Stmt]) -> Option<TokenStream> {
        let pending = std::mem::take(&mut self.scope.flow().pending);
        if pending.is_empty() {
            return None;
        }
        let (p, site) = (self.p.clone(), Span::mixed_site());
        let mut kinds: Vec<Ident> = self.scope.flow().left.clone().into_iter().collect();
        kinds.extend(pending);
        let left = self.scope.joined(kinds);
        self.scope.flow().left = Some(left.clone());
        let writes = self.slots(&written([Code::Stmts(rest)]), Seen::Again);
        let slots = self.rest_slots(&writes);
        if slots.is_empty() {
            return Some(quote_spanned!(site=> flow.rest(&mut []);));
        }
        let section = self.scope.flow().regions.last().and_then(|region| region.section.clone());
        let section = section.unwrap_or_else(|| Ident::new("flow", site));
        let slots = written_in(&p, &slots, &left);
        Some(graph(&p, &left, quote_spanned!(site=> #section.rest(#slots);)))
    }

    /// The slots of the region that its rest writes.
    fn rest_slots(&mut self, writes: &[Slot]) -> Vec<Slot> {
        let seen = self.scope.flow().regions.last().map(|r| r.slots.clone()).unwrap_or_default();
        // The rest may write a part of what the region writes.
        let slots: Vec<Slot> =
            seen.into_iter().filter(|slot| writes.iter().any(|w| w.var == slot.var)).collect();
        if let Some(region) = self.scope.flow().regions.last_mut() {
            for slot in &slots {
                if !region.rests.iter().any(|known| known.is(slot)) {
                    region.rests.push(slot.clone());
                }
            }
        }
        slots
    }

    /// Converts a statement; one that is configured away stays so.
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
            let tokens = self.scope.flow().kinds_since(before);
            let wanted = cfg.iter().filter(|a| a.path().is_ident("cfg"));
            let wanted = wanted.filter_map(|a| a.meta.require_list().ok().map(|l| &l.tokens));
            // Code that is configured away determines no kinds.
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
        let mut calls = None;
        let borrowed = local.init.as_ref().and_then(|init| borrowed(&init.expr));
        let owned = local.init.as_ref().is_some_and(|init| owned(&init.expr, &self.scope));
        let closure = local.init.as_ref().is_some_and(|i| matches!(*i.expr, Expr::Closure(_)));
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
                // A place that a pattern borrows from is not moved.
                let lent = borrows(&pat, false) && place_like(&init.expr);
                let moves = !matches!(pat, Pat::Wild(_)) && !lent;
                let later = self.scope.later.mark();
                init.diverge.iter().for_each(|(_, e)| {
                    self.scope.later.add(&**e);
                });
                let place = match &ty {
                    _ if !moves => Place::Lent,
                    Some(_) => Place::Typed,
                    None => Place::Value,
                };
                calls = self.called_closure(&init.expr);
                let around = std::mem::replace(&mut self.scope.flow().typed, ty.clone());
                let calling = std::mem::replace(&mut self.scope.flow().calling, calls.clone());
                self.expr(&mut init.expr, place);
                self.scope.flow().calling = calling;
                self.scope.flow().typed = around;
                self.scope.later.back_to(later);
                if let Some((_, diverge)) = &mut init.diverge {
                    self.diverging(diverge);
                }
            }
        }
        let assigned = local.init.is_some();
        if let Some(ty) = &ty
            && !matches!(ty, Type::Infer(_))
        {
            self.scope.declare_typed(&pat, ty, owned);
        } else {
            let single = matches!(pat, Pat::Ident(_));
            self.scope.declare(&pat, |v| {
                v.plain = facts.0;
                v.number = facts.1 && single;
                v.copied = facts.1 && single;
                v.list = facts.2 && single;
                v.reference = facts.3 && single;
                v.borrowed = borrowed.clone().filter(|_| single);
                // A `mut` closure writes to what it captures.
                v.owned = owned && !(closure && v.mutable);
            });
        }
        let declared = declared(&pat);
        for found in &declared {
            if let Some(var) = self.scope.find_mut(&found.name()) {
                var.rebinds = !found.reference;
                var.calls.clone_from(&calls);
            }
        }
        if !assigned {
            // An arm may declare its own variable in place of this one.
            local.attrs.push(syn::parse_quote!(#[allow(unused_variables)]));
            for found in declared {
                if let Some(var) = self.scope.find_mut(&found.name()) {
                    var.assigned = false;
                }
            }
        }
    }

    /// Converts the `else` of a `let`. Where a trace only notes its exits, the compiler is told that the block
    /// diverges.
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
}

/// True if the statement ends with its construct.
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
