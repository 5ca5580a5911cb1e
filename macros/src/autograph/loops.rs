//! Loops: the body stands once, inline, in a Rust loop that a trace may run again.

use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprForLoop, ExprLoop, ExprWhile, Label, Lit, Pat, RangeLimits, Token};

use super::emit::{self, Outside, block_of, graph, written_in};
use super::names::{Code, Write, Written, words, written};
use super::plain::{number, owned, plain, plain_iterator};
use super::scope::{ConstructKind, Loop, Lower, Place, Slot, label, name};
use super::shape::{delimited, has_let};
use super::slots::Seen;

/// A loop whose body has been converted.
struct Body {
    looped: emit::Loop,
    /// The kind under which its body is left.
    kind: Ident,
    /// True if something leaves it under a condition.
    crossed: bool,
    /// True if one of these exits leaves the loop.
    left: bool,
    /// How the code around the loop is left.
    escapes: Option<Outside>,
}

/// What is known of a loop before its body is read.
struct Start<'a> {
    word: &'static str,
    at: Span,
    label: &'a Option<Label>,
    /// True if it has a condition or an iterator that may be of tensors.
    headed: bool,
    /// True if breaks give a value.
    valued: bool,
    /// The slots that an iteration writes.
    slots: Vec<Slot>,
}

impl Lower {
    pub(super) fn repetition(&mut self, e: &mut Expr, place: Place) {
        let after = self.scope.later.names();
        let before = std::mem::replace(&mut self.scope.after, after);
        let later = self.scope.later.add(&*e);
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
        self.scope.later.back_to(later);
        self.scope.after = before;
    }

    /// A loop that unrolls, or becomes a graph loop if a tensor condition leaves it. It is converted only if a
    /// condition stands between the loop and one of its exits.
    fn rust_loop(&mut self, e: &mut Expr, place: Place) {
        let saved = self.clone();
        let original = e.clone();
        let converted = match e {
            Expr::Loop(l) => self.endless(l, place),
            // Treated as `loop`, as the compiler suggests.
            Expr::While(w) if matches!(&*w.cond, Expr::Lit(l) if matches!(&l.lit, Lit::Bool(b) if b.value)) => {
                self.endless(
                    &mut ExprLoop {
                        attrs: Vec::new(),
                        label: w.label.clone(),
                        loop_token: Token![loop](w.while_token.span),
                        body: w.body.clone(),
                    },
                    place,
                )
            }
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

    /// Converts the body; `start` declares the variables that are visible in it.
    fn loop_body(
        &mut self,
        n: usize,
        given: Start<'_>,
        block: &mut Block,
        start: impl FnOnce(&mut Self),
    ) -> Body {
        let Start { word, at, label: user, headed, valued, slots } = given;
        let (own, object) = (label("repeat", n), name("repeat", n));
        let head = headed.then(|| name("kind", n));
        let kind = name("body", n);
        let construct = Loop {
            label: text(user),
            own_label: own.clone(),
            object: object.clone(),
            head: head.clone(),
            body: kind.clone(),
            crossed: false,
            left: false,
            valued,
            leaves: leaves(block),
            after: self.scope.after.clone(),
        };
        let flow = self.scope.flow();
        let (before, declared) = (std::mem::take(&mut flow.pending), flow.tokens.len());
        let outer = self.scope.vars.len();
        let ((code, region), construct) = self.within(ConstructKind::Loop(construct), |s| {
            start(s);
            s.region(slots.clone(), false, |s| {
                s.block(block, Place::Statement);
                block_of(&block.stmts, Span::mixed_site())
            })
        });
        self.scope.vars.truncate(outer);
        let mut inside = std::mem::replace(&mut self.scope.flow().pending, before);
        inside.extend(head.clone());
        let (mut crossed, mut left) = (false, false);
        let mut escapes = None;
        if let Some(construct) = construct {
            if let ConstructKind::Loop(l) = &construct.kind {
                (crossed, left) = (l.crossed, l.left);
            }
            if construct.outermost.is_some() {
                let flow = self.scope.flow();
                flow.pending.extend(head.clone());
                flow.pending.push(kind.clone());
                escapes = self.outside(&construct, std::slice::from_ref(&kind));
            }
        }
        // The body's kind is needed where something leaves it, and where values are passed to such code.
        let flow = self.scope.flow();
        let joined = flow.tokens.iter().skip(declared).filter_map(|(_, parts)| parts.as_ref());
        let joined = joined.flatten().any(|part| *part == kind);
        let named = crossed || joined || region.label().is_some() || mentions(&code, &kind);
        if named {
            flow.used = true;
            flow.tokens.insert(declared, (kind.clone(), None));
        }
        let known = named.then(|| self.scope.joined(inside));
        let looped = emit::Loop {
            label: own,
            object,
            word,
            at,
            head: TokenStream::new(),
            start: TokenStream::new(),
            body: known.map(|known| (kind.clone(), known)),
            // Only an exit from the loop puts later iterations under a condition.
            begin: if left { slots.clone() } else { Vec::new() },
            end: crossed.then_some(if left { slots } else { region.rests.clone() }),
            code,
            region: region.label(),
            checks: TokenStream::new(),
            value: None,
        };
        Body { looped, kind, crossed, left, escapes }
    }

    fn tensor_while(&mut self, w: &mut ExprWhile) -> TokenStream {
        let (site, p) = (Span::mixed_site(), self.p.clone());
        let n = self.scope.number();
        let head = self.scope.token(n, "kind");
        let object = name("repeat", n);
        let found = written([Code::Expr(&w.cond), Code::Block(&w.body)]);
        let slots = self.slots(&found, Seen::Again);
        let inner = self.slots(&found, Seen::Iteration(&object));
        // Writes of the test are state if the test runs only while nothing has left.
        let asking = self.slots(&written([Code::Expr(&w.cond)]), Seen::Again);
        let numbers = self.plain_state(&found, &head);
        let at = w.cond.span().resolved_at(site);
        self.condition(&mut w.cond);
        let cond = &w.cond;
        let start = Start {
            word: "while",
            at: w.while_token.span,
            label: &w.label,
            headed: true,
            valued: false,
            slots: inner,
        };
        let Body { mut looped, crossed, .. } = self.loop_body(n, start, &mut w.body, |_| {});
        let test = quote_spanned!(at=> .test(&#head, &(#cond)));
        let test = quote_spanned!(site=> #object #test);
        let test = match (crossed, asking.is_empty()) {
            (false, _) => test,
            (true, true) => quote_spanned!(site=> { #object.ask(&mut []); #test }),
            (true, false) => {
                let asking = written_in(&p, &asking, &head);
                let ask = graph(&p, &head, quote_spanned!(site=> #object.ask(#asking);));
                quote_spanned!(site=> { #ask #test })
            }
        };
        looped.head = quote_spanned!(site=> while #test);
        looped.start = turn(&p, &looped, &head, &slots);
        looped.checks = numbers;
        let (declared, [code, after]) = (looped.declared(), looped.code(&p));
        quote_spanned!(site=> { #declared #code #after })
    }

    fn tensor_for(&mut self, f: &mut ExprForLoop) -> TokenStream {
        let (site, p) = (Span::mixed_site(), self.p.clone());
        let n = self.scope.number();
        let head = self.scope.token(n, "kind");
        let found = written([Code::Body(&f.pat, &f.body)]);
        let slots = self.slots(&found, Seen::Again);
        let owned = owned(&f.expr, &self.scope);
        let checks = self.head_checks(&f.expr, &name("body", n), true);
        let inner = self.body_slots(&f.body, n, |s| s.scope.declare(&f.pat, |v| v.owned = owned));
        let numbers = self.plain_state(&found, &head);
        let over = f.expr.span().resolved_at(site);
        self.iterator(&mut f.expr);
        let (iterator, pat) = (&f.expr, f.pat.clone());
        let items = quote_spanned!(over=> .items());
        let start = Start {
            word: "for",
            at: f.for_token.span,
            label: &f.label,
            headed: true,
            valued: false,
            slots: inner,
        };
        let body = self.loop_body(n, start, &mut f.body, |s| {
            s.scope.declare(&pat, |v| v.owned = owned);
        });
        let Body { mut looped, left, escapes, .. } = body;
        let (object, own) = (&looped.object, &looped.label);
        let slots = written_in(&p, &slots, &head);
        let turn = graph(&p, &head, quote_spanned!(site=> items.turn(&#object, #slots);));
        looped.start = quote_spanned! {site=>
            #turn
            let ::core::option::Option::Some(item) = items.next() else { break #own; };
            let #pat = item;
        };
        looped.head = quote!(loop);
        let checks = (left || escapes.is_some()).then_some(checks);
        looped.checks = quote!(#checks #numbers);
        let (declared, [code, after]) = (looped.declared(), looped.code(&p));
        quote_spanned! {site=>
            match (&&&&#p::Over::new(#iterator)) #items { mut items => {
                #p::mark(&#head, &items);
                #declared
                #code
                #after
            } }
        }
    }

    fn endless(&mut self, l: &mut ExprLoop, place: Place) -> Option<TokenStream> {
        let (site, p) = (Span::mixed_site(), self.p.clone());
        let n = self.scope.number();
        let found = written([Code::Block(&l.body)]);
        let slots = self.slots(&found, Seen::Again);
        let start = Start {
            word: "loop",
            at: l.loop_token.span,
            label: &l.label,
            headed: false,
            valued: true,
            slots: slots.clone(),
        };
        let body = self.loop_body(n, start, &mut l.body, |_| {});
        let Body { mut looped, kind, left, escapes, .. } = body;
        if !body.crossed {
            return None;
        }
        if escapes.is_some() {
            self.must_be_root(l.loop_token, place);
        }
        let (object, own) = (looped.object.clone(), looped.label.clone());
        let value = quote_spanned!(site=> #object.value(&#kind));
        // If exits leave only iterations, the loop repeats as in Rust, and unrolls.
        if left {
            let slots = written_in(&p, &slots, &kind);
            let over = quote_spanned!(site=> if !#object.turn(#slots) { break #own #value; });
            looped.start = graph(&p, &kind, over);
            looped.checks = self.plain_state(&found, &kind);
        }
        looped.head = quote!(loop);
        looped.value = Some(value);
        let ty = self.value_type(place).map(|ty| quote!(: ::core::option::Option<#ty>));
        let value = quote_spanned!(site=> value);
        let taken = match escapes {
            Some(outside) => outside.taken(&p, &value),
            None => quote_spanned!(site=> #p::there(value)),
        };
        let (declared, [code, after]) = (looped.declared(), looped.code(&p));
        Some(quote_spanned! {site=> {
            #declared
            let value #ty = #code;
            #after
            #taken
        }})
    }

    fn unrolled_while(&mut self, w: &mut ExprWhile) -> Option<TokenStream> {
        let n = self.scope.number();
        let slots = self.body_slots(&w.body, n, |s| s.declare_lets(&w.cond));
        let checks = self.head_checks(&w.cond, &name("body", n), false);
        let cond = &mut w.cond;
        let start = Start {
            word: "while",
            at: w.while_token.span,
            label: &w.label,
            headed: false,
            valued: false,
            slots,
        };
        let body = self.loop_body(n, start, &mut w.body, |s| s.rust_condition(cond));
        let cond = &w.cond;
        self.unrolled(body, quote_spanned!(Span::mixed_site()=> while #cond), checks)
    }

    fn unrolled_for(&mut self, f: &mut ExprForLoop) -> Option<TokenStream> {
        let n = self.scope.number();
        let known = self.loop_variable(f);
        let checks = self.head_checks(&f.expr, &name("body", n), true);
        let slots = self.body_slots(&f.body, n, |s| known.declare(s, &f.pat));
        self.iterator(&mut f.expr);
        let pat = f.pat.clone();
        let start = Start {
            word: "for",
            at: f.for_token.span,
            label: &f.label,
            headed: false,
            valued: false,
            slots,
        };
        let body = self.loop_body(n, start, &mut f.body, |s| known.declare(s, &pat));
        let iterator = &f.expr;
        self.unrolled(body, quote_spanned!(Span::mixed_site()=> for #pat in #iterator), checks)
    }

    /// A loop that Rust repeats, with iterations under conditions.
    fn unrolled(&self, body: Body, head: TokenStream, checks: TokenStream) -> Option<TokenStream> {
        let Body { mut looped, crossed, left, escapes, .. } = body;
        if !crossed {
            return None;
        }
        looped.head = head;
        if left || escapes.is_some() {
            looped.checks = checks;
        }
        let (declared, [code, after]) = (looped.declared(), looped.code(&self.p));
        Some(quote_spanned!(Span::mixed_site()=> { #declared #code #after }))
    }

    /// The slots that a body writes, including the variables that `declare` adds.
    fn body_slots(&mut self, body: &Block, n: usize, declare: impl FnOnce(&mut Self)) -> Vec<Slot> {
        let outer = self.scope.vars.len();
        declare(self);
        let found = written([Code::Block(body)]);
        let slots = self.slots(&found, Seen::Iteration(&name("repeat", n)));
        self.scope.vars.truncate(outer);
        slots
    }

    /// Declares the variables of the patterns in a condition.
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

    /// Converts the iterator of a loop: a range in it may have tensors at its ends.
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
                // Errors about its ends point at the range.
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
                // A method that borrows gets the variable itself, not a handle.
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

    /// Refuses Rust numbers that a loop on tensors would have to carry, where they are written.
    fn plain_state(&self, found: &Written, head: &Ident) -> TokenStream {
        let assigned = found.iter().filter(|(_, w)| w.iter().any(|(how, _)| *how <= Write::Part));
        let numbers = assigned.filter_map(|(n, _)| self.scope.find(n)).filter(|v| v.number);
        let checks = numbers.map(|v| {
            let ident = &v.ident;
            let (p, span) = self.at(ident.span());
            let mut head = head.clone();
            head.set_span(span);
            quote_spanned!(span=> #p::KeepsNumbers::keeps(&#head, &#ident);)
        });
        quote!(#(#checks)*)
    }
}

/// What is known about a loop variable.
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

/// True if a loop with this body may be left before its end.
fn leaves(body: &Block) -> bool {
    let words = words(body);
    words.contains("break") || words.contains("return")
}

/// True if the kind is named in the code.
fn mentions(code: &TokenStream, kind: &Ident) -> bool {
    words(code).contains(&kind.to_string())
}

/// What a trace does before the body of a `while`.
fn turn(p: &TokenStream, looped: &emit::Loop, kind: &Ident, slots: &[Slot]) -> TokenStream {
    let (object, own) = (&looped.object, &looped.label);
    let slots = written_in(p, slots, kind);
    let over = quote_spanned!(Span::mixed_site()=> if !#object.turn(#slots) { break #own; });
    graph(p, kind, over)
}
