//! Variables in code that may be visited besides other code: what is used by value, and what holds cells.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

use super::lower::{Lower, Place};
use super::scope::{Construct, ConstructKind, Var, joined};

impl Lower {
    /// A variable, or a field of one, that is used by value where an arm may be visited besides another:
    /// there each gets a handle of its own.
    pub(super) fn hand_over(&mut self, e: &mut Expr, place: Place) {
        if place == Place::Lent {
            return;
        }
        let Some(name) = root(e) else { return };
        let Some(var) = self.scope.find(&name) else { return };
        if var.copied || !var.assigned {
            return;
        }
        let tokens = self.around(var);
        if tokens.is_empty() {
            return;
        }
        let kind = joined(&self.p, &tokens);
        let (p, span) = self.at(e.span());
        let unknown = var.may_refer();
        // The kind of what leaves a loop is known after the loop only.
        let in_loop = |c: &Construct| matches!(c.kind, ConstructKind::Loop(_));
        let late = self.leaving() && self.constructs_around(var).any(in_loop);
        // A mutable reference is lent on: what it refers to is state.
        let own = match &*e {
            _ if late => quote_spanned!(span=> (&&#p::Out(&#e, #kind)).out()),
            Expr::Path(_) if var.reference && !var.mutable => quote_spanned!(span=> &mut *#e),
            _ if unknown => quote_spanned! {span=>
                match (#e).lent(#kind) {
                    ::core::option::Option::Some(lent) => lent.value(),
                    ::core::option::Option::None => (&&&&#p::Lent(&#e, #kind)).own(),
                }
            },
            _ => quote_spanned!(span=> (&&&&#p::Own(&#e, #kind)).own()),
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
        // With the place of the variable: an operator's line is where its operands are.
        let at = e.span();
        let moved = delimited(Delimiter::Brace, moved, at);
        let whole = quote_spanned!(at=> if #handed else #moved);
        let converted = delimited(Delimiter::Parenthesis, whole, at);
        self.replace(e, converted.into());
    }

    /// The kinds of the conditions and loops between a variable and this point.
    fn around(&self, var: &Var) -> Vec<Ident> {
        // What may be a mutable reference is looked at after a guard too.
        let all = self.leaving();
        let guards = all || var.may_refer();
        self.constructs_around(var).flat_map(|c| c.handing(guards, all)).collect()
    }

    fn constructs_around(&self, var: &Var) -> impl Iterator<Item = &Construct> {
        // What follows an exit sees all that is declared before it.
        let own = var.flow == self.scope.flows.len() && !self.leaving();
        let depth = if own { var.depth } else { 0 };
        self.scope.flows.last().into_iter().flat_map(|f| &f.constructs).skip(depth)
    }

    fn leaving(&self) -> bool {
        self.scope.flows.last().is_some_and(|f| f.leaving)
    }

    /// A check before a method that writes what a cell or a lock holds.
    pub(super) fn shared_check(&self, m: &ExprMethodCall) -> Option<TokenStream> {
        let writes = SHARED_WRITES.iter().any(|n| m.method == n);
        let var = root(&m.receiver).filter(|_| writes).and_then(|name| self.scope.find(&name))?;
        let tokens = self.around(var);
        if tokens.is_empty() || !var.assigned {
            return None;
        }
        let kind = joined(&self.p, &tokens);
        let (p, span) = self.at(m.method.span());
        let receiver = &m.receiver;
        Some(quote_spanned!(span=> (&&#p::Shared(&(#receiver), #kind)).written();))
    }
}

/// A group whose delimiters stand at a place.
pub(super) fn delimited(delimiter: Delimiter, tokens: TokenStream, at: Span) -> TokenTree {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(at);
    group.into()
}

/// Methods by which cells and locks are written.
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

/// The variable that a place is in.
fn root(e: &Expr) -> Option<String> {
    match e {
        Expr::Path(p) if p.attrs.is_empty() => p.path.get_ident().map(ToString::to_string),
        Expr::Field(f) => root(&f.base),
        _ => None,
    }
}
