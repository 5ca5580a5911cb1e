//! The slots of a construct: the surrounding variables that it may write.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprMethodCall, ExprReference};

use super::names::{Names, Reach, Write, Written};
use super::plain;
use super::scope::{ConstructKind, Lower, Slot, Var};

/// The code that may read the variables written by a piece of code.
#[derive(Clone, Copy)]
pub(super) enum Seen<'a> {
    /// The next run of the same code, whatever comes later.
    Again,
    /// The next iteration of this loop, and what comes after the loop.
    Iteration(&'a Ident),
    /// Later code.
    Later,
    /// Later code, and another arm for these variables.
    After(&'a Names),
}

impl Lower {
    /// The slots of the surrounding variables that the code may write.
    pub(super) fn slots(&self, written: &Written, seen: Seen<'_>) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (text, writes) in written {
            let Some(index) = self.scope.index(text) else { continue };
            let Some(var) = self.scope.vars.get(index).filter(|v| v.assigned) else { continue };
            let least = |given: bool| {
                let found = writes.iter().filter(|(how, _)| given || *how != Write::Given);
                found.min_by_key(|(how, _)| *how)
            };
            // Messages point at the place of the write.
            let at = |reach: &Reach| reach.root().cloned().unwrap_or_else(|| var.ident.clone());
            let run = writes.iter().find(|(how, _)| *how == Write::Run);
            let make = if run.is_some() { "called" } else { "slot" };
            let mut add = |make, name: String, place: TokenStream, span: Span, life| {
                let at = span.resolved_at(Span::mixed_site());
                slots.push(Slot { name, var: index, make, place, at, life });
            };
            if let Some((how, reach)) = least(true)
                && var.reference
                && *how != Write::Whole
            {
                // The referent lives on, whether or not the reference does.
                let ident = at(run.map_or(reach, |(_, reach)| reach));
                let place = quote_spanned!(ident.span()=> *#ident);
                add(make, text.clone(), place, ident.span(), self.life(var, seen));
            } else if let Some((how, reach)) = least(false)
                && var.mutable
                && *how != Write::Through
            {
                // A referent lives on, whether or not the variable does.
                let later = self.scope.later.contains(text) || var.may_hold();
                let needed = match seen {
                    Seen::Again | Seen::Iteration(_) => true,
                    Seen::Later => later,
                    Seen::After(both) => later || both.contains(text),
                };
                if needed || run.is_some() {
                    let ident = at(run.map_or(reach, |(_, reach)| reach));
                    let dead = !later && matches!(seen, Seen::After(_));
                    let dead = dead.then(|| quote!(.dead()));
                    let life = self.life(var, seen);
                    add(make, text.clone(), quote!(#ident), ident.span(), quote!(#dead #life));
                }
            } else if !var.mutable {
                self.through(text, var, writes, &mut add);
            } else {
                let through = |how| matches!(how, Write::Part | Write::Through);
                let writes = writes.iter().filter(|(how, _)| through(*how));
                for reach in outermost(writes.map(|(_, reach)| reach).collect()) {
                    self.reached(text, reach, &mut add);
                }
            }
        }
        slots
    }

    /// Calls that tell a slot about the later use of its variable: `until` names the loops after which no code reads
    /// it.
    fn life(&self, var: &Var, seen: Seen<'_>) -> TokenStream {
        if var.flow != self.scope.flows.len() || var.reference {
            return self.kept();
        }
        let own = match seen {
            Seen::Again => return TokenStream::new(),
            Seen::Iteration(object) => {
                Some((object, self.scope.after.contains(&var.ident.to_string())))
            }
            Seen::Later | Seen::After(_) => None,
        };
        let constructs = self.scope.flows.last().into_iter().flat_map(|f| &f.constructs);
        let name = var.ident.to_string();
        let around = constructs.filter_map(|c| match &c.kind {
            ConstructKind::Loop(l) => Some((&l.object, l.after.contains(&name))),
            _ => None,
        });
        let ends = around.chain(own).filter(|(_, after)| !after).map(|(object, _)| object);
        quote!(#(.until(#ends.id()))*)
    }

    /// The slots of a variable that is not declared `mut`: it can be written only if it is or holds a mutable
    /// reference.
    fn through(
        &self,
        text: &str,
        var: &Var,
        writes: &[(Write, Reach)],
        add: &mut impl FnMut(&'static str, String, TokenStream, Span, TokenStream),
    ) {
        let through = |how| matches!(how, Write::Part | Write::Through);
        let parts = writes.iter().filter(|(how, _)| through(*how)).map(|(_, reach)| reach);
        let parts = outermost(parts.collect());
        let calls = writes.iter().filter(|(how, _)| *how > Write::Through);
        let calls: Vec<&Reach> = calls.map(|(_, reach)| reach).collect();
        let unknown = var.may_refer();
        if let Some(reach) = calls.first().filter(|_| unknown && !parts.is_empty()) {
            // A reference can be written as a whole too.
            let ident = reach.root().unwrap_or(&var.ident);
            let place = quote_spanned!(ident.span()=> (#ident).__reached_or_held());
            return add("through", text.to_owned(), place, ident.span(), self.kept());
        }
        parts.into_iter().for_each(|reach| self.reached(text, reach, add));
        if !unknown {
            return;
        }
        let mut places: Vec<(usize, String, &Expr)> = Vec::new();
        for place in calls.into_iter().flat_map(Reach::around) {
            let name = place.to_token_stream().to_string().replace(' ', "");
            if !places.iter().any(|(_, known, _)| *known == name) {
                places.push((name.matches('.').count(), name, place));
            }
        }
        // Parts first: a reference to the whole would hold them.
        places.sort_by_key(|(depth, ..)| std::cmp::Reverse(*depth));
        for (_, name, place) in places {
            let span = place.span();
            let place = quote_spanned!(span.resolved_at(Span::mixed_site())=> (#place).__pointed());
            add("through", name, place, span, self.kept());
        }
    }

    /// The slot of a place that is written through a reference.
    fn reached(
        &self,
        name: &str,
        reach: &Reach,
        add: &mut impl FnMut(&'static str, String, TokenStream, Span, TokenStream),
    ) {
        let (place, fields) = (&reach.place, reach.path().0);
        let text = fields.iter().fold(name.to_owned(), |text, field| format!("{text}.{field}"));
        let span = place.span();
        let at = span.resolved_at(Span::mixed_site());
        let (make, place) = match (reach.within, fields.is_empty()) {
            (false, _) => ("slot", quote!(#place)),
            (true, false) => ("through", quote_spanned!(at=> (#place).__reached())),
            (true, true) => ("through", quote_spanned!(at=> (#place).__reached_or_held())),
        };
        add(make, text, place, span, self.kept());
    }

    /// `.kept()` inside a closure: what it writes to outer variables outlasts a return from it.
    fn kept(&self) -> TokenStream {
        match self.scope.flows.len() > 1 {
            true => quote!(.kept()),
            false => TokenStream::new(),
        }
    }
}

/// The places among these that are not part of another one.
fn outermost(mut reaches: Vec<&Reach>) -> Vec<&Reach> {
    // A write of the variable itself is not a write through a reference.
    reaches.retain(|r| r.within || !matches!(r.place, Expr::Path(_)));
    reaches.sort_by_key(|r| {
        let (fields, derefs) = r.path();
        (fields.len(), r.within, derefs)
    });
    let mut kept: Vec<&Reach> = Vec::new();
    for reach in reaches {
        let path = reach.path().0;
        if !kept.iter().any(|k| path.starts_with(&k.path().0)) {
            kept.push(reach);
        }
    }
    kept
}

impl Lower {
    /// Checks of a loop that unrolls. After a `break` on tensors the other iterations still take elements out of the
    /// variables in its head.
    pub(super) fn head_checks(&self, head: &Expr, kind: &Ident, pulls: bool) -> TokenStream {
        struct Finder(Vec<(Ident, bool)>);
        impl Finder {
            fn add(&mut self, place: &Expr, certain: bool) {
                let reach = Reach { place: place.clone(), within: true };
                self.0.extend(reach.root().cloned().map(|ident| (ident, certain)));
            }
        }
        impl<'ast> Visit<'ast> for Finder {
            fn visit_expr_method_call(&mut self, m: &'ast ExprMethodCall) {
                if m.method == "by_ref" {
                    self.add(&m.receiver, false);
                } else if plain::TAKING.iter().any(|n| m.method == n) {
                    self.add(&m.receiver, true);
                }
                visit::visit_expr_method_call(self, m);
            }

            fn visit_expr_reference(&mut self, r: &'ast ExprReference) {
                if r.mutability.is_some() {
                    self.add(&r.expr, true);
                }
                visit::visit_expr_reference(self, r);
            }

            fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
        }
        let mut finder = Finder(Vec::new());
        finder.visit_expr(head);
        let checks = finder.0.into_iter().filter_map(|(ident, certain)| {
            let var = self.scope.find(&ident.to_string())?;
            let seen = var.reference
                || var.flow != self.scope.flows.len()
                || self.scope.after.contains(&ident.to_string());
            let (p, span) = self.at(ident.span());
            let mut kind = kind.clone();
            kind.set_span(span);
            seen.then(|| match certain && !pulls {
                true => quote_spanned!(span=> #p::head(&#kind);),
                false => quote_spanned!(span=> (&&#p::Head(&#ident, &#kind)).checked();),
            })
        });
        checks.collect()
    }
}
