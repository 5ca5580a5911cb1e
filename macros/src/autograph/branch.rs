//! `if`: both arms stand inline, one after the other.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, ExprIf, Stmt};

use super::emit::{self, Outside, block_of};
use super::late::{Arm, Late};
use super::names::{Code, Names, mentioned, written};
use super::plain::plain;
use super::scope::{Construct, ConstructKind, Lower, Place, Slot, Var, label, name};
use super::shape::has_let;
use super::slots::Seen;

impl Lower {
    pub(super) fn construct(&mut self, e: &mut Expr, place: Place) {
        match e {
            Expr::If(i) if has_let(&i.cond) || plain(&i.cond, &self.scope) => {
                self.rust_if(i, place);
            }
            Expr::If(i) => {
                let converted = self.branch(i, place);
                self.replace(e, converted);
            }
            _ => self.repetition(e, place),
        }
    }

    /// Converts an `if` that stays Rust's: only its parts are converted.
    fn rust_if(&mut self, i: &mut ExprIf, place: Place) {
        let outer = self.scope.vars.len();
        if has_let(&i.cond) {
            let later = self.scope.later.add(&i.then_branch);
            i.else_branch.iter().for_each(|(_, e)| {
                self.scope.later.add(e);
            });
            self.bool_condition(&mut i.cond);
            self.scope.later.back_to(later);
        }
        let assigned = self.scope.assigned_flags();
        let late = self.late(&[Arm::Block(&i.then_branch), Arm::of(&i.else_branch)]).0;
        self.block(&mut i.then_branch, place);
        self.scope.vars.truncate(outer);
        self.scope.restore_assigned(&assigned);
        if let Some((_, other)) = &mut i.else_branch {
            self.expr(other, place);
        }
        self.scope.restore_assigned(&assigned);
        self.assigned(&late);
    }

    fn branch(&mut self, i: &mut ExprIf, place: Place) -> TokenStream {
        let n = self.scope.number();
        let kind = self.scope.token(n, "kind");
        let (late, local) = self.late(&[Arm::Block(&i.then_branch), Arm::of(&i.else_branch)]);
        let mut code = vec![Code::Block(&i.then_branch)];
        code.extend(i.else_branch.iter().map(|(_, e)| Code::Expr(e)));
        let mut names = [Names::new(), Names::new()];
        mentioned(&i.then_branch, &mut names[0]);
        i.else_branch.iter().for_each(|(_, e)| mentioned(e, &mut names[1]));
        let both: Names = names[0].intersection(&names[1]).cloned().collect();
        let slots = self.slots(&written(code), Seen::After(&both));
        let then_code = [Code::Block(&i.then_branch)];
        let other_code: Vec<Code<'_>> = i.else_branch.iter().map(|(_, e)| Code::Expr(e)).collect();
        let kept = self.given_back(n, [&then_code, &other_code], &names[1]);
        let [then, other] = names;
        let later = self.scope.later.extend(then);
        self.scope.later.extend(other);
        self.condition(&mut i.cond);
        self.scope.later.back_to(later);
        let inner = match place {
            Place::Statement | Place::Typed | Place::Tail => place,
            _ => Place::Value,
        };
        let mut other = match i.else_branch.take() {
            Some((_, e)) => match *e {
                Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => b.block,
                e => Block { brace_token: Default::default(), stmts: vec![Stmt::Expr(e, None)] },
            },
            None => Block { brace_token: syn::token::Brace(i.if_token.span), stmts: Vec::new() },
        };
        let before = std::mem::take(&mut self.scope.flow().pending);
        let arms = [&mut i.then_branch, &mut other];
        let (arms, construct) = self.within(ConstructKind::Branch(kind.clone()), |s| {
            arms.map(|arm| s.arm(arm, inner, &late, &local, &slots))
        });
        let inside = std::mem::replace(&mut self.scope.flow().pending, before);
        let exits = construct.as_ref().is_some_and(|c| c.outermost.is_some());
        let mut kinds = inside.clone();
        kinds.push(kind.clone());
        let outside = construct.and_then(|c| self.outside(&c, &kinds));
        self.assigned(&late);
        if exits {
            self.scope.flow().pending.push(kind.clone());
            self.scope.flow().pending.extend(inside);
            self.must_be_root(i.if_token, place);
        }
        let cond = &i.cond;
        let branch = emit::Branch {
            label: label("arms", n),
            driver: name("branch", n),
            link: name("types", n),
            kind,
            cond: quote!(#cond),
            at: i.if_token.span,
            slots,
            kept,
            late,
            ty: self.value_type(place),
            arms,
            outside,
        };
        branch.code(&self.p)
    }

    /// How a construct leaves the surrounding code, under these kinds.
    pub(super) fn outside(&mut self, construct: &Construct, inside: &[Ident]) -> Option<Outside> {
        let first = if construct.fails { Some(0) } else { construct.outermost }?;
        let mut kinds = self.scope.flow().kinds(first);
        kinds.extend(inside.iter().cloned());
        let kind = self.scope.joined(kinds);
        let label = self.scope.flow().leave()?;
        Some(Outside { kind, label })
    }

    /// The code of an arm.
    fn arm(
        &mut self,
        block: &mut Block,
        place: Place,
        late: &[Late],
        local: &[Late],
        slots: &[Slot],
    ) -> emit::Arm {
        let assigned = self.scope.assigned_flags();
        let outer = self.scope.vars.len();
        self.stand_in(late);
        self.stand_in(local);
        let (open, close) = (block.brace_token.span.open(), block.brace_token.span.close());
        let at = open.join(close).unwrap_or(open).resolved_at(Span::mixed_site());
        let (body, region) = self.region(slots.to_vec(), false, |s| {
            s.block(block, place);
            block_of(&block.stmts, at)
        });
        self.scope.vars.truncate(outer);
        self.scope.restore_assigned(&assigned);
        let declared = self.declared(late, local);
        emit::Arm { body, label: region.label(), declared, at }
    }

    /// Brings into scope the variables that code declares in place of outer ones without a value.
    pub(super) fn stand_in(&mut self, late: &[Late]) {
        for shadow in late {
            let (ident, depth) = (shadow.ident.clone(), self.scope.flow().constructs.len());
            if let Some(var) = self.scope.find(&ident.to_string()).cloned() {
                self.scope.vars.push(Var { depth, stands_in: true, ..var });
            }
        }
    }

    /// An arm's declarations in place of outer variables without a value.
    pub(super) fn declared(&self, late: &[Late], local: &[Late]) -> TokenStream {
        let (p, site) = (&self.p, Span::mixed_site());
        let lets = late.iter().chain(local).map(|l| {
            let (ident, mutable) = (&l.ident, l.mutable.then(|| quote!(mut)));
            quote_spanned!(site=> #[allow(unused_mut, unused_variables, unused_assignments)] let #mutable #ident;)
        });
        // The arm does not assign the outer variable, so the type must be linked to it.
        let links: Vec<_> = (0..local.len()).map(|i| name("link", i)).collect();
        let locals = local.iter().map(|l| &l.ident);
        let same = quote_spanned! {site=>
            #(if #p::no() { #p::impossible(); #links.is(#locals); })*
        };
        quote_spanned!(site=> #(let #links = #p::link();)* #same #(#lets)* #same)
    }
}
