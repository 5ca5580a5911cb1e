//! `return`, `break`, `continue`: direct exits where Rust decides, noted ones where a trace goes on.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Lifetime};

use super::scope::{Construct, ConstructKind, Lower, Place, Scope, Var};
use super::shape::is_raised;

/// The target of an exit.
enum Target {
    Function,
    /// The construct with this index.
    Loop(usize),
}

impl Target {
    /// The index of the first construct that the exit leaves.
    fn first(&self) -> usize {
        match self {
            Self::Function => 0,
            Self::Loop(i) => i + 1,
        }
    }
}

/// A method call that has the user's line in messages.
fn called(at: Span, object: TokenStream, method: &str, arguments: TokenStream) -> TokenStream {
    let method = Ident::new(method, at);
    quote_spanned!(at=> #object.#method(#arguments))
}

impl Lower {
    pub(super) fn exit(&mut self, e: &mut Expr) {
        let target = match e {
            Expr::Return(_) => Some(Target::Function),
            Expr::Break(b) => self.target(b.label.as_ref()),
            Expr::Continue(c) => self.target(c.label.as_ref()),
            _ => return,
        };
        if let Expr::Return(r) = e
            && r.expr.as_deref().is_some_and(is_raised)
            && let Some((kinds, region)) = self.failing()
        {
            let value = r.expr.as_deref_mut().map(|value| {
                self.taken_along(value);
                value.to_token_stream()
            });
            let at = r.return_token.span;
            let site = at.resolved_at(Span::mixed_site());
            let kind = self.scope.joined(kinds);
            // Errors of the run name the user's line.
            let noted = quote_spanned!(site=> &#kind, value);
            let note = quote_spanned!(at=> .note_failure(#noted));
            let ty = self.scope.flow().result.clone().map(|r| quote!(: #r));
            let p = self.p.clone();
            let converted = quote_spanned! {site=> {
                let value #ty = #value;
                if flow.leaving() {
                    #p::graph_only(&#kind);
                    flow #note;
                    break #region ::core::option::Option::None;
                }
                return value;
            }};
            self.replace(e, converted);
            return;
        }
        let value = match e {
            Expr::Return(r) => r.expr.as_deref_mut(),
            Expr::Break(b) => b.expr.as_deref_mut(),
            _ => None,
        };
        // An exit that only Rust decides ends what it leaves: no later code there is visited.
        let decided =
            target.as_ref().is_some_and(|t| self.scope.flow().kinds(t.first()).is_empty());
        match value {
            Some(value) if decided => self.expr(value, Place::Value),
            Some(value) => self.taken_along(value),
            None => {}
        }
        let Some(target) = target else {
            // The compiler would find the expansion's loop around it.
            let word = match e {
                Expr::Break(b) if b.label.is_none() => "break",
                Expr::Continue(c) if c.label.is_none() => "continue",
                _ => return,
            };
            let help =
                "a function or a closure is left with `return`, a block with a label by its name";
            self.error(&*e, &format!("`{word}` outside of a loop"), help);
            return self.replace(e, quote!(::core::unreachable!()));
        };
        let goes_on = matches!(e, Expr::Continue(_));
        let left = self.left(&target, goes_on);
        if let (Expr::Break(b), Target::Loop(i)) = (&*e, &target)
            && let Some(name) = self.given_in_arm(*i)
        {
            let text = format!("`{name}` gets its value in an arm that leaves the loop");
            let help = format!(
                "give it with the `break`, as in `let {name} = loop {{ … break value; … }};`"
            );
            self.error(b.break_token, &text, &help);
            return self.replace(e, quote!(::core::unreachable!()));
        }
        match left {
            Some(kinds) => {
                if let Some(converted) = self.exit_of(e, &target, &kinds) {
                    self.replace(e, converted);
                }
            }
            None => self.relabel(e, &target),
        }
    }

    /// The name of a variable that an arm in the loop gives its first value, and that is used after the loop with index
    /// `i`. The arm has its own variable in place of the outer one, and its value is lost when the arm leaves.
    fn given_in_arm(&mut self, i: usize) -> Option<String> {
        let Scope { vars, flows, .. } = &self.scope;
        let constructs = &flows.last()?.constructs;
        let after = match &constructs.get(i)?.kind {
            ConstructKind::Loop(l) => &l.after,
            _ => return None,
        };
        let is_loop = |c: &Construct| {
            matches!(c.kind, ConstructKind::Loop(_) | ConstructKind::Rust { is_loop: true, .. })
        };
        let given = |own: &&Var| {
            // In an outer loop, everything counts as mentioned later.
            let outside = |v: &Var| {
                v.ident == own.ident
                    && !v.stands_in
                    && !v.assigned
                    && v.depth <= i
                    && !constructs.iter().take(v.depth).any(is_loop)
            };
            own.stands_in
                && own.assigned
                && own.flow == flows.len()
                && own.depth > i
                && after.contains(&own.ident.to_string())
                && vars.iter().any(outside)
        };
        vars.iter().find(given).map(|v| v.ident.to_string())
    }

    /// Converts the value of an exit.
    fn taken_along(&mut self, value: &mut Expr) {
        let before = std::mem::replace(&mut self.scope.flow().leaving, true);
        self.expr(value, Place::Value);
        self.scope.flow().leaving = before;
    }

    /// The kinds under which a failure happens here, and the label to leave by. The graph's run ends at the failure, so
    /// nothing needs a guard. `None` where only Rust decides.
    pub(super) fn failing(&mut self) -> Option<(Vec<Ident>, Lifetime)> {
        let flow = self.scope.flow();
        let kinds = flow.kinds(0);
        if kinds.is_empty() {
            return None;
        }
        // Loops go on: for their trace an iteration that fails is like any other.
        let within = |c: &&mut Construct| !matches!(c.kind, ConstructKind::Loop(_));
        flow.constructs.iter_mut().rev().take_while(within).for_each(|c| c.fails = true);
        flow.leave().map(|region| (kinds, region))
    }

    fn target(&mut self, label: Option<&Lifetime>) -> Option<Target> {
        let wanted = label.map(|l| l.ident.to_string());
        let found = self.scope.flow().constructs.iter().rposition(|c| match (&c.kind, &wanted) {
            (ConstructKind::Loop(l), Some(wanted)) => l.label.as_ref() == Some(wanted),
            (ConstructKind::Rust { label, .. }, Some(wanted)) => label.as_ref() == Some(wanted),
            (ConstructKind::Loop(_), None) => true,
            (ConstructKind::Rust { is_loop, .. }, None) => *is_loop,
            _ => false,
        });
        found.map(Target::Loop)
    }

    /// The kinds of the constructs that the exit leaves, which note the exit. `None` if none of them is converted.
    fn left(&mut self, target: &Target, goes_on: bool) -> Option<Vec<Ident>> {
        let first = target.first();
        let flow = self.scope.flow();
        let kinds = flow.kinds(first);
        // An exit crosses a loop if there is a condition between them.
        let mut crossed = flow.left.is_some();
        for construct in flow.constructs.iter_mut().skip(first).rev() {
            construct.outermost = Some(construct.outermost.map_or(first, |other| other.min(first)));
            match &mut construct.kind {
                ConstructKind::Branch(_) => crossed = true,
                ConstructKind::Loop(l) => {
                    // An unconditional exit from an inner loop runs under the kinds around that loop.
                    l.crossed |= crossed || l.head.is_some();
                    l.left = true;
                    crossed |= l.crossed;
                }
                ConstructKind::Rust { .. } => {}
            }
            crossed |= construct.left.is_some();
        }
        if let Target::Loop(i) = target
            && let Some(construct) = flow.constructs.get_mut(*i)
            && let ConstructKind::Loop(l) = &mut construct.kind
        {
            l.crossed |= crossed || l.head.is_some();
            l.left |= crossed && !goes_on;
        }
        (!kinds.is_empty()).then_some(kinds)
    }

    fn exit_of(&mut self, e: &Expr, target: &Target, kinds: &[Ident]) -> Option<TokenStream> {
        let site = Span::mixed_site();
        let p = self.p.clone();
        let mut kind = self.scope.joined(kinds.to_vec());
        let region = self.scope.flow().leave()?;
        let result = self.scope.flow().result.clone();
        let looped = match target {
            Target::Loop(i) => match self.scope.flow().constructs.get(*i).map(|c| c.kind.clone()) {
                Some(ConstructKind::Loop(l)) => Some(l),
                _ => {
                    // Plain code leaves the block by Rust's own exit.
                    let (p, span) = self.at(syn::spanned::Spanned::span(e));
                    kind.set_span(span);
                    return Some(quote_spanned!(span=> { #p::leaves_block(&#kind); #e }));
                }
            },
            Target::Function => None,
        };
        let object = looped.as_ref().map(|l| &l.object);
        let outer = looped.as_ref().map(|l| &l.own_label);
        let (span, value, note, direct) = match e {
            Expr::Return(r) => {
                let value = r.expr.as_ref().map_or(quote!(()), ToTokens::to_token_stream);
                let ty = result.map(|r| quote!(: #r));
                (
                    r.return_token.span,
                    quote_spanned!(site=> let value #ty = #value;),
                    called(
                        r.return_token.span,
                        quote_spanned!(site=> flow),
                        "note_return",
                        quote_spanned!(site=> &#kind, value),
                    ),
                    quote_spanned!(site=> return value),
                )
            }
            Expr::Break(b) if looped.as_ref().is_some_and(|l| l.valued) => {
                let value = b.expr.as_ref().map_or(quote!(()), ToTokens::to_token_stream);
                (
                    b.break_token.span,
                    quote_spanned!(site=> let value = #value;),
                    called(
                        b.break_token.span,
                        quote!(#object),
                        "note_break",
                        quote_spanned!(site=> &#kind, value),
                    ),
                    quote_spanned!(site=> break #outer ::core::option::Option::Some(value)),
                )
            }
            Expr::Break(b) => (
                b.break_token.span,
                TokenStream::new(),
                called(
                    b.break_token.span,
                    quote!(#object),
                    "note_break",
                    quote_spanned!(site=> &#kind, ()),
                ),
                quote!(break #outer),
            ),
            Expr::Continue(c) => (
                c.continue_token.span,
                TokenStream::new(),
                called(c.continue_token.span, quote!(#object), "note_continue", TokenStream::new()),
                quote!(continue #outer),
            ),
            _ => return None,
        };
        let leaving = match object {
            Some(object) => quote_spanned!(site=> #object.leaving()),
            None => quote_spanned!(site=> flow.leaving()),
        };
        let span = span.resolved_at(site);
        Some(quote_spanned! {span=> {
            #value
            if #leaving {
                #p::graph_only(&#kind);
                #note;
                break #region ::core::option::Option::None;
            }
            #direct;
        }})
    }

    /// Adds the label of a converted loop, because labelled blocks may stand between.
    fn relabel(&mut self, e: &mut Expr, target: &Target) {
        let Target::Loop(i) = target else { return };
        let own = match self.scope.flow().constructs.get(*i).map(|c| &c.kind) {
            Some(ConstructKind::Loop(l)) => l.own_label.clone(),
            _ => return,
        };
        match e {
            Expr::Break(b) => b.label = Some(own),
            Expr::Continue(c) => c.label = Some(own),
            _ => {}
        }
    }
}
