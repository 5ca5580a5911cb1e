//! Expressions: comparisons, logic, moves.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Block, Expr, ExprBinary, ExprClosure, ExprIndex, ExprMatch, Pat, ReturnType, Token, UnOp,
};

use super::emit::{graph, written_in};
use super::names::{Code, Names, assigns, compares, mentioned, written};
use super::plain::{owned, plain};
use super::scope::{ConstructKind, Lower, Place, name};
use super::shape::{
    attributes, is_err, is_number, is_place, is_raised, moved_into_itself, number_pattern,
    place_like, simple, simple_pattern,
};
use super::slots::Seen;

impl Lower {
    /// Converts an expression in place.
    pub(super) fn expr(&mut self, e: &mut Expr, place: Place) {
        if attributes(e).is_some_and(|attrs| self.take_plain(attrs)) {
            self.left_plain(e);
            if let Expr::Block(b) = e {
                b.attrs.push(syn::parse_quote!(#[allow(unused_braces)]));
            }
            return;
        }
        match e {
            Expr::If(_) | Expr::While(_) | Expr::ForLoop(_) | Expr::Loop(_) => {
                self.construct(e, place);
            }
            Expr::Match(m) => self.match_expr(m, place),
            Expr::Closure(c) => self.closure(c),
            Expr::Block(b) => match &b.label {
                Some(label) => {
                    let label = Some(label.name.ident.to_string());
                    let kind = ConstructKind::Rust { label, is_loop: false };
                    self.within(kind, |s| s.block(&mut b.block, place));
                }
                None => self.block(&mut b.block, place),
            },
            Expr::Unsafe(b) => self.block(&mut b.block, place),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => self.exit(e),
            Expr::Binary(b) => {
                if let Some(converted) = self.binary(b) {
                    self.replace(e, converted);
                }
            }
            Expr::Unary(u) => match u.op {
                UnOp::Not(_) => self.negation(e, place),
                UnOp::Deref(_) => self.expr(&mut u.expr, Place::Lent),
                _ => self.expr(&mut u.expr, Place::Inner),
            },
            Expr::Reference(r) => self.expr(&mut r.expr, Place::Lent),
            Expr::MethodCall(m) => {
                let check = self.shared_check(m);
                self.expr(&mut m.receiver, Place::Lent);
                m.args.iter_mut().for_each(|a| self.expr(a, Place::Inner));
                if let Some(check) = check {
                    self.replace(e, quote!({ #check #e }));
                }
            }
            Expr::Call(c) if place == Place::Tail && is_err(c) && self.converted_around() => {
                let at = c.func.span();
                self.raised(e, at);
            }
            Expr::Call(c) => {
                // `Ok(if …)`: nothing but a wrapper.
                let wraps = matches!(&*c.func, Expr::Path(p) if ["Ok", "Some", "Err"].iter().any(|n| p.path.is_ident(n)));
                self.expr(&mut c.func, Place::Lent);
                let inner = if wraps && place.is_root() { Place::Value } else { Place::Inner };
                c.args.iter_mut().for_each(|a| self.expr(a, inner));
            }
            Expr::Try(t) if is_raised(&t.expr) && self.converted_around() => {
                *e = self.raised_here(t);
            }
            Expr::Try(t) => {
                let inner = if place.is_root() { Place::Value } else { Place::Inner };
                self.expr(&mut t.expr, inner);
            }
            Expr::Paren(x) => self.expr(&mut x.expr, place),
            Expr::Group(x) => self.expr(&mut x.expr, place),
            Expr::Assign(a) => {
                let moved = moved_into_itself(&a.left, &a.right);
                let before = std::mem::replace(&mut self.scope.flow().reassigned, moved);
                self.expr(&mut a.right, Place::Value);
                self.scope.flow().reassigned = before;
                self.assigned_place(&mut a.left);
                if let Some(converted) = self.part(&a.left, &quote!(=), &a.right) {
                    self.replace(e, converted);
                }
            }
            Expr::Let(l) => {
                let owned = owned(&l.expr, &self.scope);
                self.expr(&mut l.expr, Place::Lent);
                self.scope.declare(&l.pat, |v| v.owned = owned);
            }
            Expr::Index(x) => {
                self.expr(&mut x.expr, Place::Lent);
                self.expr(&mut x.index, Place::Inner);
            }
            Expr::Field(f) => {
                self.expr(&mut f.base, Place::Lent);
                self.hand_over(e, place);
            }
            Expr::Path(_) => self.hand_over(e, place),
            Expr::Struct(s) => {
                for field in &mut s.fields {
                    self.expr(&mut field.expr, Place::Inner);
                    // `S { x }` where `x` is no longer a plain name.
                    if field.colon_token.is_none() && !matches!(field.expr, Expr::Path(_)) {
                        field.colon_token = Some(Default::default());
                    }
                }
                if let Some(rest) = &mut s.rest {
                    self.expr(rest, Place::Lent);
                }
            }
            Expr::Macro(m) => {
                if let Some(converted) = self.macro_call(&mut m.mac) {
                    self.replace(e, converted);
                }
            }
            // Not converted: they run at another time, or are not code.
            Expr::Async(_) | Expr::Const(_) | Expr::Lit(_) | Expr::Verbatim(_) => {}
            _ => visit_mut::visit_expr_mut(&mut Inside(self), e),
        }
    }

    /// The left side of an assignment.
    fn assigned_place(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(p) => {
                if let Some(ident) = p.path.get_ident()
                    && let Some(var) = self.scope.find_mut(&ident.to_string())
                {
                    var.assigned = true;
                }
            }
            Expr::Tuple(t) => t.elems.iter_mut().for_each(|e| self.assigned_place(e)),
            Expr::Array(t) => t.elems.iter_mut().for_each(|e| self.assigned_place(e)),
            Expr::Paren(p) => self.assigned_place(&mut p.expr),
            // A pattern that destructures: `S { x, .. } = s`, `Some(x) = …`.
            Expr::Struct(s) => s.fields.iter_mut().for_each(|f| self.assigned_place(&mut f.expr)),
            Expr::Call(c) => c.args.iter_mut().for_each(|e| self.assigned_place(e)),
            Expr::Infer(_) | Expr::Range(_) => {}
            _ => self.expr(e, Place::Lent),
        }
    }

    /// An assignment to a part of what may be a tensor: `x[…] = y`, `x[…] += y`.
    fn part(&self, left: &Expr, op: &TokenStream, right: &Expr) -> Option<TokenStream> {
        let Expr::Index(ExprIndex { expr, index, .. }) = left else { return None };
        if !is_place(expr) || plain(expr, &self.scope) {
            return None;
        }
        let (site, p) = (Span::mixed_site(), &self.p);
        let is_whole = op.to_string() == "=";
        let open = match is_whole {
            true => quote!(__place),
            false => quote!(__changed_place),
        };
        // Other values stay as they are, so that the place says what type is inferred, or to what they are coerced.
        let value = match is_whole && is_number(right) {
            true => quote_spanned!(site=> #p::fit(right)),
            false => quote_spanned!(site=> right),
        };
        Some(quote_spanned!(site=> match (#right) { right => match (#index) { at => {
            #[allow(unused_imports)]
            use #p::OtherPlaces as _;
            #[allow(unused_mut)]
            let mut place = #expr.#open();
            place[at] #op #value;
            #p::Close::close(place);
        } } }))
    }

    fn binary(&mut self, b: &mut ExprBinary) -> Option<TokenStream> {
        if assigns(&b.op) {
            self.expr(&mut b.left, Place::Lent);
            let before = std::mem::take(&mut self.changed);
            self.expr(&mut b.right, Place::Inner);
            let converted = self.changed;
            self.changed |= before;
            // The right side may have variables of the left side as its state.
            let (left, op, right) = (&b.left, &b.op, &b.right);
            if let Some(part) = self.part(left, &quote!(#op), right) {
                return Some(part);
            }
            let site = Span::mixed_site();
            return (converted && is_place(left))
                .then(|| quote_spanned!(site=> match (#right) { right => #left #op right }));
        }
        let logic = matches!(b.op, BinOp::And(_) | BinOp::Or(_));
        if !logic && !compares(&b.op) {
            self.expr(&mut b.left, Place::Inner);
            self.expr(&mut b.right, Place::Inner);
            return None;
        }
        let known = plain(&b.left, &self.scope) && plain(&b.right, &self.scope);
        let simple = simple(&b.right);
        let n = self.scope.number();
        let token = name("kind", n);
        let slots = match logic && !known {
            true => self.slots(&written([Code::Expr(&b.right)]), Seen::Later),
            false => Vec::new(),
        };
        if !slots.is_empty() {
            self.scope.token(n, "kind");
        }
        if !logic && !known {
            self.lend_operands(&mut b.left);
            self.lend_operands(&mut b.right);
        }
        self.expr(&mut b.left, Place::Lent);
        let kind = ConstructKind::Rust { label: None, is_loop: false };
        let before = self.scope.flow().tokens.len();
        let (_, right) = self.within(kind, |s| s.expr(&mut b.right, Place::Lent));
        let right_exits = right.is_some_and(|c| c.outermost.is_some());
        if known {
            return None;
        }
        if logic && right_exits {
            self.no_exit(b);
            let (left, p) = (&b.left, self.p.clone());
            // Code that is left out determines no kinds.
            let tokens = self.scope.flow().kinds_since(before);
            return Some(quote_spanned!(Span::mixed_site()=> { #(#p::no_kind(&#tokens);)* #left }));
        }
        let (left, right, p) = (&b.left, &b.right, &self.p);
        let (span, site) = (b.op.span(), Span::mixed_site());
        let method = match b.op {
            BinOp::Lt(_) => quote_spanned!(span=> less()),
            BinOp::Le(_) => quote_spanned!(span=> less_equal()),
            BinOp::Gt(_) => quote_spanned!(span=> greater()),
            BinOp::Ge(_) => quote_spanned!(span=> greater_equal()),
            BinOp::Eq(_) => quote_spanned!(span=> equal()),
            BinOp::Ne(_) => quote_spanned!(span=> not_equal()),
            BinOp::And(_) | BinOp::Or(_) => {
                let word = if matches!(b.op, BinOp::And(_)) { quote!(and) } else { quote!(or) };
                let word = quote_spanned!(span=> #word(&(#left), #simple));
                if !slots.is_empty() {
                    let driver = quote::format_ident!("left", span = site);
                    let slots = written_in(p, &slots, &token);
                    let [enter, leave, take] = ["enter", "leave", "take"].map(|method| {
                        let method = Ident::new(method, site);
                        graph(p, &token, quote_spanned!(site=> #driver.#method(#slots);))
                    });
                    let joined = quote_spanned!(site=> right);
                    let both = quote_spanned!(span=> .both(#joined));
                    return Some(quote_spanned! {site=> {
                        let mut left = #p::#word;
                        #p::mark(&#token, &left);
                        if left.asks() {
                            #enter
                            let joined = match &(#right) {
                                right => {
                                    #leave
                                    left #both
                                }
                            };
                            #take
                            joined
                        } else {
                            left.decided()
                        }
                    }});
                }
                let both = quote_spanned!(span=> .both(&(#right)));
                return Some(quote_spanned! {site=> {
                    let mut left = #p::#word;
                    if left.asks() { left #both } else { left.decided() }
                }});
            }
            _ => return None,
        };
        let (p, at) = self.at(span);
        Some(quote_spanned!(at=> (&&&&#p::Pair(&(#left), &(#right))).#method))
    }

    /// Refuses an exit on the right side of `&&` or `||`: a trace would take it whatever the left side says.
    fn no_exit(&mut self, b: &ExprBinary) {
        self.error(
            b.op,
            "the right side of `&&` or `||` can't be left where the left side may be a tensor",
            "write a nested `if`",
        );
    }

    fn negation(&mut self, e: &mut Expr, place: Place) {
        let Expr::Unary(u) = e else { return };
        let known = plain(&u.expr, &self.scope);
        let lent = place_like(&u.expr);
        self.expr(&mut u.expr, if known { place } else { Place::Lent });
        if known || !lent {
            return;
        }
        let inner = &u.expr;
        // Errors stand at the `!`.
        let not = quote_spanned!(u.op.span()=> not());
        let (p, span) = self.at(u.op.span());
        let converted = quote_spanned!(span=> (&&&#p::Single(&(#inner))).#not);
        self.replace(e, converted);
    }

    /// A condition: a `bool` or a tensor, lent.
    pub(super) fn condition(&mut self, e: &mut Expr) {
        self.expr(e, Place::Lent);
    }

    /// A condition that must be a `bool`: in a guard, or in a chain with `let`.
    pub(super) fn bool_condition(&mut self, e: &mut Expr) {
        match e {
            Expr::Let(_) => self.expr(e, Place::Lent),
            Expr::Paren(p) => self.bool_condition(&mut p.expr),
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                self.bool_condition(&mut b.left);
                self.bool_condition(&mut b.right);
            }
            _ if plain(e, &self.scope) => {}
            _ => {
                let (p, span) = self.at(e.span());
                self.condition(e);
                let converted = quote_spanned!(span=> #p::PlainCondition::decided(&(#e)));
                self.replace(e, converted);
            }
        }
    }

    fn match_expr(&mut self, m: &mut ExprMatch, place: Place) {
        let numbers = m.arms.iter().any(|a| number_pattern(&a.pat))
            && m.arms.iter().all(|a| simple_pattern(&a.pat));
        let known = plain(&m.expr, &self.scope);
        let owned = owned(&m.expr, &self.scope);
        let mut arms = Names::new();
        m.arms.iter().for_each(|arm| mentioned(arm, &mut arms));
        let later = self.scope.later.extend(arms.clone());
        self.expr(&mut m.expr, Place::Lent);
        self.scope.later.back_to(later);
        if numbers && !known && place_like(&m.expr) {
            let inner = &m.expr;
            let number = quote_spanned!(inner.span()=> number());
            let (p, span) = self.at(inner.span());
            let converted = quote_spanned!(span=> (&&#p::Matched(&(#inner))).#number);
            self.replace(&mut m.expr, converted);
        }
        let assigned = self.scope.assigned_flags();
        let inner = if place.is_root() { place } else { Place::Inner };
        for arm in &mut m.arms {
            let outer = self.scope.vars.len();
            self.scope.declare(&arm.pat, |v| v.owned = owned);
            if let Pat::Guard(guard) = &mut arm.pat {
                self.scope.later.extend(arms.clone());
                self.bool_condition(&mut guard.guard);
                self.scope.later.back_to(later);
            }
            self.expr(&mut arm.body, inner);
            self.scope.vars.truncate(outer);
            self.scope.restore_assigned(&assigned);
        }
    }

    /// A closure is a function of its own: `return` ends it.
    fn closure(&mut self, c: &mut ExprClosure) {
        if c.asyncness.is_some() {
            return;
        }
        let outer = self.scope.vars.len();
        let depth = self.scope.flows.len();
        for input in &c.inputs {
            match input {
                Pat::Type(t) => self.scope.declare_parameter(&t.pat, &t.ty),
                pat => self.scope.declare(pat, |_| {}),
            }
        }
        for var in self.scope.vars.iter_mut().skip(outer) {
            (var.flow, var.depth) = (depth + 1, 0);
        }
        let result = match &c.output {
            ReturnType::Type(_, ty) => Some((**ty).clone()),
            ReturnType::Default => None,
        };
        // A closure may run again, so all that it mentions counts as used later.
        let later = self.scope.later.add(&*c);
        let before = self.changed;
        self.changed = false;
        let mut block = match &*c.body {
            Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => b.block.clone(),
            other => {
                let brace_token = Default::default();
                Block { brace_token, stmts: vec![syn::Stmt::Expr(other.clone(), None)] }
            }
        };
        let converted = self.function(&mut block, result);
        if self.changed {
            *c.body = Expr::Verbatim(match (&*c.body, &block.stmts[..]) {
                (Expr::Block(_), _) => converted,
                (_, [one]) if !converted.to_string().contains("flow") => quote!(#one),
                _ => converted,
            });
        }
        self.changed |= before;
        self.scope.later.back_to(later);
        self.scope.vars.truncate(outer);
    }

    /// Expressions in the arguments of a macro.
    pub(super) fn list(&mut self, tokens: &TokenStream) -> Option<Punctuated<Expr, Token![,]>> {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        syn::parse::Parser::parse2(parser, tokens.clone()).ok()
    }
}

/// Visits the expressions inside one that needs no treatment of its own.
struct Inside<'a>(&'a mut Lower);

impl VisitMut for Inside<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        self.0.expr(e, Place::Inner);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.0.block(block, Place::Inner);
    }
}
