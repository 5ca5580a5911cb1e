//! The state of a construct: what it may write of the variables around it.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprMethodCall, ExprReference};

use super::lower::Lower;
use super::names::{Names, Reach, Write, Written};
use super::scope::{ConstructKind, Var};

/// Who sees what code makes of variables.
#[derive(Clone, Copy)]
pub(super) enum Seen<'a> {
    /// Its next run, whatever comes later.
    Again,
    /// The next iteration of this loop, and what comes after the loop.
    Iteration(&'a Ident),
    /// What comes later.
    Later,
    /// What comes later, and of these variables another arm.
    After(&'a Names),
}

impl Lower {
    /// What the code may write, as slots of a driver.
    pub(super) fn slots(
        &self,
        written: &Written,
        kind: &TokenStream,
        seen: Seen<'_>,
    ) -> Vec<TokenStream> {
        let mut slots = Vec::new();
        for (text, writes) in written {
            let Some(var) = self.scope.find(text).filter(|v| v.assigned) else { continue };
            let least = |given: bool| {
                let found = writes.iter().filter(|(how, _)| given || *how != Write::Given);
                found.min_by_key(|(how, _)| *how)
            };
            // Messages are to stand where it is written.
            let at = |reach: &Reach| reach.root().cloned().unwrap_or_else(|| var.ident.clone());
            let run = writes.iter().find(|(how, _)| *how == Write::Run);
            if let Some((how, reach)) = least(true)
                && var.reference
                && *how != Write::Whole
            {
                // What it points at lives on, whether or not the reference does.
                let ident = at(run.map_or(reach, |(_, reach)| reach));
                let place = quote_spanned!(ident.span()=> *#ident);
                let slot = self.slot(text, &place, run.is_some(), kind);
                slots.push(self.lasting(slot, var, seen));
            } else if let Some((how, reach)) = least(false)
                && var.mutable
                && *how != Write::Through
            {
                let later = self.scope.later.contains(text);
                let needed = match seen {
                    Seen::Again | Seen::Iteration(_) => true,
                    Seen::Later => later,
                    Seen::After(both) => later || both.contains(text),
                };
                if needed || run.is_some() {
                    let ident = at(run.map_or(reach, |(_, reach)| reach));
                    let place = quote_spanned!(ident.span()=> #ident);
                    let mut slot = self.slot(text, &place, run.is_some(), kind);
                    if !later && matches!(seen, Seen::After(_)) {
                        slot.extend(quote!(.dead()));
                    }
                    slots.push(self.lasting(slot, var, seen));
                }
            } else if !var.mutable {
                self.through(text, var, writes, kind, &mut slots);
            } else {
                let through = |how| matches!(how, Write::Part | Write::Through);
                let writes = writes.iter().filter(|(how, _)| through(*how));
                let places = outermost(writes.map(|(_, reach)| reach).collect());
                slots.extend(places.into_iter().map(|reach| self.reached(text, reach, kind)));
            }
        }
        slots
    }

    /// The slot of a variable, or of what it refers to.
    fn slot(&self, text: &str, place: &TokenStream, run: bool, kind: &TokenStream) -> TokenStream {
        let (p, span) = self.at(place.span());
        match run {
            true => quote_spanned!(span=> #p::called(#kind, #text, &mut #place)),
            false => quote_spanned!(span=> #p::slot(#kind, #text, &mut #place)),
        }
    }

    /// The slot with what is known of its later use: which exits lead to where nobody sees it.
    fn lasting(&self, slot: TokenStream, var: &Var, seen: Seen<'_>) -> TokenStream {
        if var.flow != self.scope.flows.len() || var.reference {
            let kept = self.kept();
            return quote!(#slot #kept);
        }
        let own = match seen {
            Seen::Again => return slot,
            Seen::Iteration(object) => Some((object, &self.scope.after)),
            Seen::Later | Seen::After(_) => None,
        };
        let constructs = self.scope.flows.last().into_iter().flat_map(|f| &f.constructs);
        let around = constructs.filter_map(|c| match &c.kind {
            ConstructKind::Loop(l) => Some((&l.object, &l.after)),
            _ => None,
        });
        let name = var.ident.to_string();
        let ends = around.chain(own).filter(|(_, after)| !after.contains(&name));
        ends.fold(slot, |slot, (object, _)| quote!(#slot.until(&#object)))
    }

    /// The slots of a variable that is not declared `mut`: something is written if it is a mutable
    /// reference, or holds one.
    fn through(
        &self,
        text: &str,
        var: &Var,
        writes: &[(Write, Reach)],
        kind: &TokenStream,
        slots: &mut Vec<TokenStream>,
    ) {
        let through = |how| matches!(how, Write::Part | Write::Through);
        let parts = writes.iter().filter(|(how, _)| through(*how)).map(|(_, reach)| reach);
        let parts = outermost(parts.collect());
        let calls = writes.iter().filter(|(how, _)| *how > Write::Through);
        let calls: Vec<&Reach> = calls.map(|(_, reach)| reach).collect();
        let unknown = var.may_refer();
        let kept = self.kept();
        if let Some(reach) = calls.first().filter(|_| unknown && !parts.is_empty()) {
            // It is written as a whole too, if it is a reference.
            let ident = reach.root().unwrap_or(&var.ident);
            let (p, span) = self.at(ident.span());
            slots.push(
                quote_spanned!(span=> #p::through(#kind, #text, (#ident).reached_or_held()) #kept),
            );
            return;
        }
        slots.extend(parts.into_iter().map(|reach| self.reached(text, reach, kind)));
        if !unknown {
            return;
        }
        let mut places: Vec<(usize, String, &Expr)> = Vec::new();
        for place in calls.into_iter().flat_map(Reach::around) {
            let name = quote::ToTokens::to_token_stream(place).to_string().replace(' ', "");
            if !places.iter().any(|(_, known, _)| *known == name) {
                places.push((name.matches('.').count(), name, place));
            }
        }
        // Parts first: a reference to the whole would hold them.
        places.sort_by_key(|(depth, ..)| std::cmp::Reverse(*depth));
        for (_, name, place) in places {
            let (p, span) = self.at(place.span());
            slots.push(quote_spanned!(span=> #p::through(#kind, #name, (#place).pointed()) #kept));
        }
    }

    /// The slot of a place that is written through a reference.
    fn reached(&self, name: &str, reach: &Reach, kind: &TokenStream) -> TokenStream {
        let (place, fields) = (&reach.place, reach.path().0);
        let text = fields.iter().fold(name.to_owned(), |text, field| format!("{text}.{field}"));
        let (p, span) = self.at(place.span());
        let kept = self.kept();
        match (reach.within, fields.is_empty()) {
            (false, _) => quote_spanned!(span=> #p::slot(#kind, #text, &mut #place) #kept),
            (true, false) => {
                quote_spanned!(span=> #p::through(#kind, #text, (#place).reached()) #kept)
            }
            (true, true) => {
                quote_spanned!(span=> #p::through(#kind, #text, (#place).reached_or_held()) #kept)
            }
        }
    }

    /// A closure that returns leaves what it wrote of others.
    fn kept(&self) -> Option<TokenStream> {
        (self.scope.flows.len() > 1).then(|| quote!(.kept()))
    }
}

/// The places among these that hold the others.
fn outermost(mut reaches: Vec<&Reach>) -> Vec<&Reach> {
    // Of a variable itself nothing is written through.
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

/// Methods that take something out of what they are called on.
const TAKING: &[&str] = &[
    "next",
    "next_back",
    "nth",
    "pop",
    "pop_back",
    "pop_first",
    "pop_front",
    "pop_last",
    "recv",
    "remove",
    "swap_remove",
    "take",
    "try_recv",
];

impl Lower {
    /// Checks of a loop that unrolls: what its head takes from goes on shrinking in the iterations after a
    /// `break` on tensors.
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
                } else if TAKING.iter().any(|n| m.method == n) {
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
