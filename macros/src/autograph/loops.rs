//! Loops: the body once, inline, in a loop of Rust's that a driver may run again for a trace.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, ExprForLoop, ExprLoop, ExprWhile, Label, Pat, RangeLimits};

use super::branch::has_let;
use super::handles::delimited;
use super::lower::{Lower, Place, block_of};
use super::names::{Code, Names, Write, Written, mentioned, written};
use super::plain::{number, owned, plain, plain_iterator};
use super::scope::{ConstructKind, Loop, Region, joined, label, name};
use super::slots::Seen;

/// The names of a converted loop.
struct Parts {
    object: Ident,
    head: Option<Ident>,
    body: Ident,
    own: syn::Lifetime,
    /// What is mentioned after the loop.
    after: Names,
    /// Where its word stands.
    at: Span,
}

/// A converted body: its code with what stands before and after it.
struct Body {
    tokens: TokenStream,
    /// Something leaves it under a condition.
    crossed: bool,
    /// Of what crosses it something leaves the loop.
    left: bool,
    /// Something leaves what is around the loop.
    escapes: bool,
    kind: TokenStream,
}

impl Lower {
    pub(super) fn repetition(&mut self, e: &mut Expr, place: Place) {
        let later = self.scope.later.clone();
        self.scope.after.clone_from(&later);
        mentioned(&*e, &mut self.scope.later);
        match e {
            Expr::While(w) if !has_let(&w.cond) && !plain(&w.cond, &self.scope) => {
                let tokens = self.tensor_while(w);
                self.replace(e, tokens);
            }
            Expr::ForLoop(f) if !plain_iterator(&f.expr, &self.scope) => {
                let tokens = self.tensor_for(f);
                self.replace(e, tokens);
            }
            _ => self.rust_loop(e, place),
        }
        self.scope.later = later;
    }

    /// A loop that unrolls, or is a graph's if it is left under a tensor's condition: converted only if
    /// a condition stands between it and what leaves it.
    fn rust_loop(&mut self, e: &mut Expr, place: Place) {
        let saved = self.clone();
        let original = e.clone();
        let converted = match e {
            Expr::Loop(l) => self.endless(l, place),
            Expr::While(w) => self.unrolled_while(w),
            Expr::ForLoop(f) => self.unrolled_for(f),
            _ => None,
        };
        if let Some(tokens) = converted {
            self.replace(e, tokens);
            return;
        }
        *self = saved;
        *e = original;
        match e {
            Expr::Loop(l) => self.rust_body(&l.label, &mut l.body, |_| {}),
            Expr::While(w) => {
                let (label, cond) = (w.label.clone(), &mut w.cond);
                self.rust_body(&label, &mut w.body, |s| s.rust_condition(cond));
            }
            Expr::ForLoop(f) => {
                let known = self.loop_variable(f);
                self.iterator(&mut f.expr);
                let (label, pat) = (f.label.clone(), &f.pat);
                self.rust_body(&label, &mut f.body, |s| known.declare(s, pat));
            }
            _ => {}
        }
    }

    fn rust_body(
        &mut self,
        label: &Option<Label>,
        body: &mut Block,
        start: impl FnOnce(&mut Self),
    ) {
        let kind = ConstructKind::Rust { label: text(label), is_loop: true };
        let outer = self.scope.vars.len();
        self.within(kind, |s| {
            start(s);
            s.block(body, Place::Statement);
        });
        self.scope.vars.truncate(outer);
    }

    fn rust_condition(&mut self, cond: &mut Expr) {
        if has_let(cond) {
            self.bool_condition(cond);
        }
    }

    fn new_loop(&mut self, headed: bool, at: Span) -> Parts {
        let n = self.scope.number();
        Parts {
            object: name("repeat", n),
            head: headed.then(|| self.scope.token(n, "kind")),
            body: self.scope.token(n, "body"),
            own: label("repeat", n),
            after: self.scope.after.clone(),
            at: at.resolved_at(Span::mixed_site()),
        }
    }

    /// The body. `start` declares what is visible in it.
    fn loop_body(
        &mut self,
        parts: &Parts,
        label: &Option<Label>,
        block: &mut Block,
        valued: bool,
        start: impl FnOnce(&mut Self),
    ) -> Body {
        let site = Span::mixed_site();
        let n = self.scope.number();
        let construct = Loop {
            label: text(label),
            own_label: parts.own.clone(),
            object: parts.object.clone(),
            head: parts.head.clone(),
            body: parts.body.clone(),
            crossed: false,
            left: false,
            valued,
            after: parts.after.clone(),
        };
        let before = std::mem::take(&mut self.scope.flow().pending);
        let outer = self.scope.vars.len();
        let region = Region { label: super::scope::label("region", n), used: false };
        self.scope.flow().regions.push(region);
        let (tokens, construct) = self.within(ConstructKind::Loop(construct), |s| {
            start(s);
            s.block(block, Place::Statement);
            block_of(&block.stmts, site)
        });
        self.scope.vars.truncate(outer);
        let region = self.scope.flow().regions.pop().filter(|r| r.used).map(|r| r.label);
        let p = &self.p;
        let tokens = match region {
            Some(region) => quote_spanned! {site=>
                let _: ::core::option::Option<()> = #region: {
                    ::core::option::Option::Some(#tokens)
                };
            },
            None => tokens,
        };
        let escapes = construct.as_ref().is_some_and(|c| c.exits);
        let crossed = construct
            .as_ref()
            .is_some_and(|c| matches!(&c.kind, ConstructKind::Loop(l) if l.crossed));
        let left = construct.is_some_and(|c| matches!(c.kind, ConstructKind::Loop(l) if l.left));
        let mut inside = std::mem::replace(&mut self.scope.flow().pending, before);
        inside.extend(parts.head.clone());
        let kind = joined(p, &inside);
        if escapes {
            self.scope.flow().pending.extend(parts.head.clone());
            self.scope.flow().pending.push(parts.body.clone());
        }
        Body { tokens, crossed, left, escapes, kind }
    }

    /// What stands around a body that may be left while later iterations are still to be traced.
    fn guarded(
        &self,
        parts: &Parts,
        body: &Body,
        slots: &[TokenStream],
        over: &TokenStream,
    ) -> TokenStream {
        let (p, object, kind, code) = (&self.p, &parts.object, &parts.body, &body.tokens);
        if !body.crossed {
            return code.clone();
        }
        quote_spanned! {Span::mixed_site()=>
            if #p::is_graph(&#kind) {
                #p::graph_only(&#kind);
                #object.begin(&flow, &mut [#(#slots),*]);
            }
            #code
            if #p::is_graph(&#kind) {
                #p::graph_only(&#kind);
                if #object.end(&flow, &mut [#(#slots),*]) {
                    #over
                }
            }
        }
    }

    /// What a body writes, of what is given to it too.
    fn body_slots(
        &mut self,
        body: &Block,
        parts: &Parts,
        declare: impl FnOnce(&mut Self),
    ) -> Vec<TokenStream> {
        let outer = self.scope.vars.len();
        declare(self);
        let (kind, seen) = (&parts.body, Seen::Iteration(&parts.object));
        let slots = self.slots(&written([Code::Block(body)]), &quote!(&#kind), seen);
        self.scope.vars.truncate(outer);
        slots
    }

    /// Declares what the patterns in a condition bind.
    fn declare_lets(&mut self, cond: &Expr) {
        match cond {
            Expr::Let(l) => {
                let owned = owned(&l.expr, &self.scope);
                self.scope.declare(&l.pat, |v| v.owned = owned);
            }
            Expr::Paren(p) => self.declare_lets(&p.expr),
            Expr::Binary(b) => {
                self.declare_lets(&b.left);
                self.declare_lets(&b.right);
            }
            _ => {}
        }
    }

    fn body_kind(&self, parts: &Parts, body: &Body) -> TokenStream {
        let (p, token, kind) = (&self.p, &parts.body, &body.kind);
        let token = Ident::new(&token.to_string(), parts.at);
        quote_spanned!(parts.at=> #p::same(&#token, #kind);)
    }

    fn tensor_while(&mut self, w: &mut ExprWhile) -> TokenStream {
        let site = Span::mixed_site();
        let start = quote_spanned!(w.while_token.span=> .repeat("while"));
        let p = self.p.clone();
        let parts = self.new_loop(true, w.while_token.span);
        let found = written([Code::Expr(&w.cond), Code::Block(&w.body)]);
        let (object, head, own) = (&parts.object, &parts.head, &parts.own);
        let slots = self.slots(&found, &quote!(&#head), Seen::Again);
        let body_token = &parts.body;
        let inner = self.slots(&found, &quote!(&#body_token), Seen::Iteration(object));
        let numbers = self.plain_state(&found, head);
        // What the test writes is state where it runs only if nobody has left.
        let asking = self.slots(&written([Code::Expr(&w.cond)]), &quote!(&#head), Seen::Again);
        let around = |method: &str| {
            let method = Ident::new(method, site);
            let graph = quote_spanned! {site=>
                if #p::is_graph(&#head) {
                    #p::graph_only(&#head);
                    #object.#method(&flow, &mut [#(#asking),*]);
                }
            };
            (!asking.is_empty()).then_some(graph)
        };
        let (ask, asked) = (around("ask"), around("asked"));
        let at = syn::spanned::Spanned::span(&w.cond).resolved_at(site);
        self.condition(&mut w.cond);
        let cond = &w.cond;
        let body = self.loop_body(&parts, &w.label, &mut w.body, false, |_| {});
        let over = quote_spanned!(site=> break #own;);
        let code = self.guarded(&parts, &body, &inner, &over);
        let same = self.body_kind(&parts, &body);
        let test = quote_spanned!(at=> .test(&flow, &#head, &(#cond)));
        quote_spanned! {site=> {
            let #object = flow #start;
            #own: loop {
                #ask
                let go = #object.asks(&flow) && #object #test;
                #asked
                let go = if #p::is_graph(&#head) {
                    #p::graph_only(&#head);
                    #object.turn(&flow, go, &mut [#(#slots),*])
                } else {
                    go
                };
                if !go {
                    break #own;
                }
                #code
            }
            #same
            #numbers
            #object.close(&flow);
        }}
    }

    fn tensor_for(&mut self, f: &mut ExprForLoop) -> TokenStream {
        let site = Span::mixed_site();
        let start = quote_spanned!(f.for_token.span=> .repeat("for"));
        let p = self.p.clone();
        let parts = self.new_loop(true, f.for_token.span);
        let found = written([Code::Body(&f.pat, &f.body)]);
        let (object, head, own) = (&parts.object, &parts.head, &parts.own);
        let slots = self.slots(&found, &quote!(&#head), Seen::Again);
        let owned = owned(&f.expr, &self.scope);
        let checks = self.head_checks(&f.expr, &parts.body, true);
        let inner =
            self.body_slots(&f.body, &parts, |s| s.scope.declare(&f.pat, |v| v.owned = owned));
        let numbers = self.plain_state(&found, head);
        let over_span = syn::spanned::Spanned::span(&f.expr).resolved_at(site);
        self.iterator(&mut f.expr);
        let (iterator, pat) = (&f.expr, f.pat.clone());
        let items = quote_spanned!(over_span=> .items());

        let body = self.loop_body(&parts, &f.label, &mut f.body, false, |s| {
            s.scope.declare(&pat, |v| v.owned = owned);
        });
        let over = quote_spanned!(site=> break #own;);
        let code = self.guarded(&parts, &body, &inner, &over);
        let same = self.body_kind(&parts, &body);
        let checks = (body.left || body.escapes).then_some(checks);
        quote_spanned! {site=>
            match (&&&#p::Over::new(#iterator)) #items { mut items => {
                #p::mark(&#head, &items);
                let #object = flow #start;
                #own: loop {
                    if #p::is_graph(&#head) {
                        #p::graph_only(&#head);
                        items.turn(&flow, &#object, &mut [#(#slots),*]);
                    }
                    let #pat = match items.next() {
                        ::core::option::Option::Some(item) => item,
                        ::core::option::Option::None => break #own,
                    };
                    #code
                }
                #same
                #checks
                #numbers
                #object.close(&flow);
            } }
        }
    }

    fn endless(&mut self, l: &mut ExprLoop, place: Place) -> Option<TokenStream> {
        let site = Span::mixed_site();
        let start = quote_spanned!(l.loop_token.span=> .repeat("loop"));
        let p = self.p.clone();
        let parts = self.new_loop(false, l.loop_token.span);
        let found = written([Code::Block(&l.body)]);
        let (object, kind, own) = (&parts.object, &parts.body, &parts.own);
        let slots = self.slots(&found, &quote!(&#kind), Seen::Again);
        let body = self.loop_body(&parts, &l.label, &mut l.body, true, |_| {});
        if !body.crossed {
            return None;
        }
        if body.escapes {
            self.must_be_root(l.loop_token, place);
        }
        let (code, same) = (&body.tokens, self.body_kind(&parts, &body));
        let ty = self.value_type(place).map(|ty| quote!(: ::core::option::Option<#ty>));
        let outside = if body.escapes { self.scope.flow().leave() } else { None };
        let taken = match outside {
            Some(outside) => quote_spanned! {site=>
                match value {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => {
                        #p::graph_only(&#kind);
                        break #outside ::core::option::Option::None
                    }
                }
            },
            None => quote_spanned!(site=> #p::there(value)),
        };
        // A loop of which only iterations are left goes on as Rust says, and unrolls.
        let (turn, code) = if body.left {
            let turn = quote_spanned! {site=>
                if #p::is_graph(&#kind) {
                    #p::graph_only(&#kind);
                    if !#object.turn(&flow, true, &mut [#(#slots),*]) {
                        break #own #object.value(&flow, &#kind);
                    }
                }
            };
            (Some(turn), code.clone())
        } else {
            let over = quote_spanned!(site=> break #own #object.value(&flow, &#kind););
            (None, self.guarded(&parts, &body, &[], &over))
        };
        let numbers = body.left.then(|| self.plain_state(&found, &Some(kind.clone())));
        Some(quote_spanned! {site=> {
            let #object = flow #start;
            let value #ty = #own: loop {
                #turn
                #code
            };
            #same
            #numbers
            #object.close(&flow);
            #taken
        }})
    }

    fn unrolled_while(&mut self, w: &mut ExprWhile) -> Option<TokenStream> {
        let site = Span::mixed_site();
        let start = quote_spanned!(w.while_token.span=> .repeat("while"));
        let parts = self.new_loop(false, w.while_token.span);
        let (object, own) = (&parts.object, &parts.own);
        let slots = self.body_slots(&w.body, &parts, |s| s.declare_lets(&w.cond));
        let checks = self.head_checks(&w.cond, &parts.body, false);
        let cond = &mut w.cond;
        let body = self.loop_body(&parts, &w.label, &mut w.body, false, |s| s.rust_condition(cond));
        if !body.crossed {
            return None;
        }
        let code = self.guarded(&parts, &body, &slots, &quote_spanned!(site=> break #own;));
        let (same, cond) = (self.body_kind(&parts, &body), &w.cond);
        let checks = (body.left || body.escapes).then_some(checks);
        Some(quote_spanned! {site=> {
            let #object = flow #start;
            #own: while #cond {
                #code
            }
            #same
            #checks
            #object.close(&flow);
        }})
    }

    fn unrolled_for(&mut self, f: &mut ExprForLoop) -> Option<TokenStream> {
        let site = Span::mixed_site();
        let start = quote_spanned!(f.for_token.span=> .repeat("for"));
        let parts = self.new_loop(false, f.for_token.span);
        let (object, own) = (&parts.object, &parts.own);
        let known = self.loop_variable(f);
        let checks = self.head_checks(&f.expr, &parts.body, true);
        let slots = self.body_slots(&f.body, &parts, |s| known.declare(s, &f.pat));
        self.iterator(&mut f.expr);
        let pat = f.pat.clone();
        let body = self.loop_body(&parts, &f.label, &mut f.body, false, |s| known.declare(s, &pat));
        if !body.crossed {
            return None;
        }
        let code = self.guarded(&parts, &body, &slots, &quote_spanned!(site=> break #own;));
        let (same, iterator) = (self.body_kind(&parts, &body), &f.expr);
        let checks = (body.left || body.escapes).then_some(checks);
        Some(quote_spanned! {site=> {
            let #object = flow #start;
            #own: for #pat in #iterator {
                #code
            }
            #same
            #checks
            #object.close(&flow);
        }})
    }

    /// The iterator of a loop: a range in it may have tensors at its ends.
    fn iterator(&mut self, e: &mut Expr) {
        let known = plain(e, &self.scope);
        match e {
            Expr::Range(r) if !known => {
                let (Some(start), Some(end)) = (&mut r.start, &mut r.end) else {
                    self.expr(e, Place::Value);
                    return;
                };
                self.expr(start, Place::Lent);
                self.expr(end, Place::Lent);
                // What is wrong with it is wrong at the range.
                let at = syn::spanned::Spanned::span(&r.limits);
                let (p, site) = self.at(at);
                let method = match r.limits {
                    RangeLimits::HalfOpen(_) => quote_spanned!(at=> range()),
                    RangeLimits::Closed(_) => quote_spanned!(at=> inclusive()),
                };
                let ends = quote_spanned!(site=> &&&#p::Ends(&(#start), &(#end)));
                let ends = delimited(Delimiter::Parenthesis, ends, at);
                self.replace(e, quote_spanned!(at=> #ends.#method));
            }
            Expr::Paren(inner) => self.iterator(&mut inner.expr),
            Expr::MethodCall(m) => {
                // What a method borrows is the variable itself, no handle of it.
                let consumes = ["into_iter", "into_keys", "into_values"];
                match &*m.receiver {
                    Expr::Path(_) | Expr::Field(_) if !consumes.iter().any(|n| m.method == n) => {
                        self.expr(&mut m.receiver, Place::Lent);
                    }
                    _ => self.iterator(&mut m.receiver),
                }
                m.args.iter_mut().for_each(|a| self.expr(a, Place::Inner));
            }
            _ => self.expr(e, Place::Value),
        }
    }

    fn loop_variable(&self, f: &ExprForLoop) -> Known {
        let range = matches!(&*f.expr, Expr::Range(r) if r.start.as_deref().is_none_or(|e| plain(e, &self.scope)));
        let numbers = matches!(&*f.expr, Expr::Array(a) if a.elems.iter().all(number));
        Known {
            plain: plain(&f.expr, &self.scope),
            copied: range || numbers,
            owned: owned(&f.expr, &self.scope),
        }
    }

    /// Numbers of Rust's that a loop on tensors would have to carry: refused where they are written.
    fn plain_state(&self, found: &Written, head: &Option<Ident>) -> TokenStream {
        let assigned = found.iter().filter(|(_, w)| w.iter().any(|(how, _)| *how <= Write::Part));
        let numbers = assigned.filter_map(|(n, _)| self.scope.find(n)).filter(|v| v.number);
        let checks = numbers.map(|v| {
            let ident = &v.ident;
            let (p, span) = self.at(ident.span());
            let head = head.clone().map(|mut head| {
                head.set_span(span);
                head
            });
            quote_spanned!(span=> #p::KeepsNumbers::keeps(&#head, &#ident);)
        });
        quote!(#(#checks)*)
    }
}

/// What is known of a loop variable.
struct Known {
    plain: bool,
    copied: bool,
    owned: bool,
}

impl Known {
    fn declare(&self, lower: &mut Lower, pat: &Pat) {
        let single = matches!(pat, Pat::Ident(_));
        lower.scope.declare(pat, |v| {
            v.plain = self.plain;
            v.owned = self.owned;
            v.copied = self.plain && self.copied && single;
        });
    }
}

fn text(label: &Option<Label>) -> Option<String> {
    label.as_ref().map(|l| l.name.ident.to_string())
}
