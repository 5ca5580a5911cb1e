//! Variables in arms that are traced side by side: uses by value, and cells.

use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprMethodCall, Pat, UnOp};

use super::emit::Kept;
use super::names::{Code, Names, computes, declared};
use super::plain;
use super::scope::{Construct, ConstructKind, Lower, Place, Var};
use super::shape::delimited;

impl Lower {
    /// Converts the use by value of a variable, or of a field. Where another arm may be visited too, each arm gets its
    /// own handle.
    pub(super) fn hand_over(&mut self, e: &mut Expr, place: Place) {
        self.note_call(e);
        if place == Place::Lent {
            return;
        }
        let Some(name) = root(e) else { return };
        let Some(var) = self.scope.find(&name).cloned() else { return };
        let var = &var;
        if var.copied || !var.assigned || self.scope.flow().reassigned.as_ref() == Some(&name) {
            return;
        }
        let tokens = self.around(var);
        if tokens.is_empty() {
            return;
        }
        let kind = self.scope.joined(tokens);
        let kind = quote_spanned!(kind.span()=> &#kind);
        let (p, span) = self.at(e.span());
        let unknown = var.may_refer();
        // The kind of a value that leaves a loop is known only after the loop.
        let in_loop = |c: &Construct| matches!(c.kind, ConstructKind::Loop(_));
        let late = self.leaving() && self.constructs_around(var).any(in_loop);
        // A mutable reference is reborrowed: its referent is state.
        let own = match &*e {
            _ if late => quote_spanned!(span=> (&&&#p::Own(&#e, #kind)).own()),
            Expr::Path(_) if var.reference && !var.mutable => quote_spanned!(span=> &mut *#e),
            _ if unknown => quote_spanned! {span=>
                match (#e).__lent(#kind) {
                    ::core::option::Option::Some(lent) => lent.value(),
                    ::core::option::Option::None => (&&&&&#p::Own(&#e, #kind)).own(),
                }
            },
            _ => quote_spanned!(span=> (&&&&&#p::Own(&#e, #kind)).own()),
        };
        let handed = quote_spanned! {span=>
            #p::is_graph(#kind) {
                #p::graph_only(#kind);
                #own
            }
        };
        let moved = quote_spanned! {span=>
            #p::plain_only(#kind);
            #e
        };
        // With the span of the variable, since an operator's error spans its operands.
        let at = e.span();
        let moved = delimited(Delimiter::Brace, moved, at);
        let whole = quote_spanned!(at=> if #handed else #moved);
        let converted = delimited(Delimiter::Parenthesis, whole, at);
        self.replace(e, converted.into());
    }

    /// The kinds of the conditions and loops between a variable and this point.
    fn around(&self, var: &Var) -> Vec<Ident> {
        // A possible mutable reference is looked at after an exit under a condition too.
        let all = self.leaving();
        let rests = all || var.reference || var.may_refer();
        let mut kinds = Vec::new();
        for construct in self.constructs_around(var) {
            kinds.extend(construct.left.clone().filter(|_| rests));
            kinds.extend(construct.kinds(all));
        }
        kinds.extend(self.scope.flows.last().and_then(|f| f.left.clone()).filter(|_| rests));
        kinds
    }

    /// The kinds that decide whether a write here, through what the variable holds, happens: those of the conditions between
    /// the variable and this point, and those of exits between them. An exit of the whole function does not count, since
    /// no code reads the variable after it, unless the variable is a parameter (`outlives`).
    fn written_under(&self, var: &Var, outlives: bool) -> Vec<Ident> {
        let Some(flow) = self.scope.flows.last() else { return Vec::new() };
        let own = var.flow == self.scope.flows.len();
        let unseen = own && !outlives && var.flow == 1;
        let depth = if own { var.depth } else { 0 };
        let lefts = flow.constructs.iter().map(|c| &c.left).chain([&flow.left]);
        // Before the first converted construct, an exit leaves the function.
        let region = flow.constructs.iter().position(Construct::is_converted);
        let from = match region {
            Some(i) if unseen => depth.max(i + 1),
            None if unseen => flow.constructs.len() + 1,
            _ => depth,
        };
        let lefts = lefts.skip(from).flatten().filter(|left| Some(*left) != var.left.as_ref());
        let leaves = |c: &Construct| matches!(&c.kind, ConstructKind::Loop(l) if l.leaves);
        let kinds = flow.constructs.iter().skip(depth).flat_map(|c| c.kinds(leaves(c)));
        kinds.chain(lefts.cloned()).collect()
    }

    fn constructs_around(&self, var: &Var) -> impl Iterator<Item = &Construct> {
        // Code after an exit sees everything declared before it.
        let own = var.flow == self.scope.flows.len() && !self.leaving();
        let depth = if own { var.depth } else { 0 };
        self.scope.flows.last().into_iter().flat_map(|f| &f.constructs).skip(depth)
    }

    fn leaving(&self) -> bool {
        self.scope.flows.last().is_some_and(|f| f.leaving)
    }

    /// Notes the kinds under which a closure is mentioned, if it may write cells.
    fn note_call(&mut self, e: &Expr) {
        let var = root(e).and_then(|name| self.scope.find(&name));
        let Some((var, calls)) = var.and_then(|v| Some((v, v.calls.clone()?))) else { return };
        let mut kinds = self.written_under(var, false);
        let flow = self.scope.flows.iter_mut().find(|f| f.called.iter().any(|(c, _)| *c == calls));
        let Some(flow) = flow else { return };
        if let Some((_, called)) = flow.called.iter_mut().find(|(c, _)| *c == calls) {
            called.append(&mut kinds);
        }
    }

    /// The kind under which a closure in a `let` is called, if the closure may write cells.
    pub(super) fn called_closure(&mut self, init: &Expr) -> Option<Ident> {
        struct Finder(bool, bool);
        impl<'ast> Visit<'ast> for Finder {
            fn visit_expr_closure(&mut self, c: &'ast ExprClosure) {
                let outer = std::mem::replace(&mut self.1, true);
                visit::visit_expr_closure(self, c);
                self.1 = outer;
            }
            fn visit_expr_method_call(&mut self, m: &'ast ExprMethodCall) {
                self.0 |= self.1 && SHARED_WRITES.iter().any(|n| m.method == n);
                visit::visit_expr_method_call(self, m);
            }
        }
        let mut finder = Finder(false, false);
        finder.visit_expr(init);
        finder.0.then(|| {
            let n = self.scope.number();
            let calls = self.scope.token(n, "calls");
            self.scope.flow().called.push((calls.clone(), Vec::new()));
            calls
        })
    }

    /// A check before a method that writes to a cell or a lock.
    pub(super) fn shared_check(&mut self, m: &ExprMethodCall) -> Option<TokenStream> {
        let writes = SHARED_WRITES.iter().any(|n| m.method == n);
        let index = self.scope.index(&root(&m.receiver).filter(|_| writes)?)?;
        let var = self.scope.vars.get(index)?;
        let regions = self.scope.flows.last().map(|f| &f.regions);
        let first = regions.and_then(|regions| regions.first()).map_or(0, |region| region.first);
        let mut tokens = self.written_under(var, index < first);
        if let Some(flow) = self.scope.flows.last().filter(|_| var.flow < self.scope.flows.len()) {
            tokens.extend(flow.calls.clone());
        }
        if tokens.is_empty() || !var.assigned {
            return None;
        }
        let kind = self.scope.joined(tokens);
        let kind = quote_spanned!(kind.span()=> &#kind);
        let (p, span) = self.at(m.method.span());
        let receiver = &m.receiver;
        Some(quote_spanned!(span=> (&&#p::Shared(&(#receiver), #kind)).written();))
    }
}

impl Lower {
    /// The variables that arms of an `if` may consume by methods and patterns, which the macro can't look into. They
    /// are given back after the arms.
    pub(super) fn given_back(
        &mut self,
        n: usize,
        arms: [&[Code<'_>]; 2],
        mentioned: &Names,
    ) -> Vec<Kept> {
        let consumed = arms.map(consumed);
        let names: Names = consumed.iter().flatten().cloned().collect();
        let mut kept = Vec::new();
        for name in names {
            let Some(index) = self.scope.index(&name) else { continue };
            let Some(var) = self.scope.vars.get_mut(index) else { continue };
            let known = var.copied || var.plain || var.number || var.reference;
            if known || var.mutable || !var.assigned || !var.rebinds {
                continue;
            }
            let later = self.scope.later.contains(&name);
            let [first, second] = consumed.each_ref().map(|names| names.contains(&name));
            let after_first = first && (later || mentioned.contains(&name));
            let after_second = second && later;
            if after_first || after_second {
                var.rebound = true;
                let kept_as = super::scope::name("kept", kept.len() + 100 * n);
                let ident = var.ident.clone();
                kept.push(Kept { ident, name: kept_as, after_first, after_second });
            }
        }
        kept
    }
}

impl Lower {
    /// Lends the operands of arithmetic on one side of a comparison: conditions move nothing.
    pub(super) fn lend_operands(&self, side: &mut Expr) {
        match side {
            Expr::Paren(p) => self.lend_operands(&mut p.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => self.lend_operand(&mut u.expr),
            Expr::Binary(b) if computes(&b.op) => {
                self.lend_operand(&mut b.left);
                self.lend_operand(&mut b.right);
            }
            _ => {}
        }
    }

    fn lend_operand(&self, e: &mut Expr) {
        let var = root(e).and_then(|name| self.scope.find(&name));
        match var.filter(|v| !(v.copied || v.plain || v.number || v.reference)) {
            Some(_) => {
                let (p, at) = self.at(e.span());
                *e = Expr::Verbatim(quote_spanned!(at=> (&&#p::Operated(&#e)).__operand()));
            }
            None => self.lend_operands(e),
        }
    }
}

/// The variables that code may consume by methods and patterns.
fn consumed(code: &[Code<'_>]) -> Names {
    #[derive(Default)]
    struct Finder(Names);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_expr(&mut self, e: &'ast Expr) {
            match e {
                Expr::MethodCall(m) if !plain::borrows(&m.method) => {
                    self.0.extend(root(&m.receiver));
                }
                Expr::Match(m) if m.arms.iter().any(|arm| moves(&arm.pat)) => {
                    self.0.extend(root(&m.expr));
                }
                Expr::Let(l) if moves(&l.pat) => self.0.extend(root(&l.expr)),
                _ => {}
            }
            visit::visit_expr(self, e);
        }
    }
    fn moves(pat: &Pat) -> bool {
        declared(pat).iter().any(|d| !d.reference)
    }
    let mut finder = Finder::default();
    for part in code {
        match part {
            Code::Block(block) => finder.visit_block(block),
            Code::Expr(e) => finder.visit_expr(e),
            Code::Body(..) | Code::Stmts(_) => {}
        }
    }
    finder.0
}

/// Methods that write to cells and locks.
const SHARED_WRITES: &[&str] = &[
    "borrow_mut",
    "compare_exchange",
    "compare_exchange_weak",
    "fetch_add",
    "fetch_and",
    "fetch_max",
    "fetch_min",
    "fetch_nand",
    "fetch_or",
    "fetch_sub",
    "fetch_update",
    "fetch_xor",
    "get_or_init",
    "lock",
    "replace",
    "replace_with",
    "set",
    "store",
    "swap",
    "take",
    "try_borrow_mut",
    "try_lock",
    "try_write",
    "update",
    "write",
];

/// The variable at the root of a place.
fn root(e: &Expr) -> Option<String> {
    match e {
        Expr::Path(p) if p.attrs.is_empty() => p.path.get_ident().map(ToString::to_string),
        Expr::Field(f) => root(&f.base),
        _ => None,
    }
}
