//! Code that uses references which are bound in the code that is left before it: what it writes is joined at the end of a
//! section that ends with them, since they are alive up to there, and not after.

use syn::token::Brace;
use syn::{Block, Expr, Stmt};

use super::emit::{self, Closed};
use super::late::Arm;
use super::names::{Code, Names, declared, mentioned, written};
use super::scope::{ConstructKind, Lower, Place, Var};
use super::slots::Seen;

/// The words of statements that leave the code around them.
const EXITS: [&str; 3] = ["return", "break", "continue"];

impl Lower {
    /// How many of the statements to come are a section: up to the last use of references that are bound in the same
    /// region and used after what may have left it, if what they refer to is written there. 0 if none is.
    pub(super) fn section_length(&self, stmts: &[Stmt]) -> usize {
        let Some(flow) = self.scope.flows.last() else { return 0 };
        let Some(region) = flow.regions.last() else { return 0 };
        let after_function = self.scope.flows.len() == 1 && flow.regions.len() == 1;
        let refers = |v: &Var| v.reference || v.may_refer();
        let bound = self.scope.vars.get(region.first..).unwrap_or_default();
        if after_function || !bound.iter().any(|v| refers(v) || v.borrowed.is_some()) {
            return 0;
        }
        let words = |stmt: &Stmt| {
            let mut words = Names::new();
            mentioned(stmt, &mut words);
            words
        };
        let words: Vec<Names> = stmts.iter().map(words).collect();
        let leaves = |words: &Names| EXITS.iter().any(|exit| words.contains(*exit));
        let Some(exit) = words.iter().position(leaves) else { return 0 };
        let written = written([Code::Stmts(stmts.get(exit + 1..).unwrap_or_default())]);
        let slots = self.slots(&written, Seen::Again);
        let through = slots.iter().filter(|slot| slot.var >= region.first);
        let through =
            through.filter_map(|slot| self.scope.vars.get(slot.var)).filter(|v| refers(v));
        let beside =
            bound.iter().filter(|v| v.borrowed.as_ref().is_some_and(|y| written.contains_key(y)));
        let mut names: Names = through.chain(beside).map(|v| v.ident.to_string()).collect();
        if words.iter().skip(exit + 1).all(|words| words.is_disjoint(&names)) {
            return 0;
        }
        let mut length = 0;
        // What is declared in it ends with it.
        while let Some(last) = words.iter().rposition(|words| !words.is_disjoint(&names))
            && last >= length
        {
            let locals = stmts.iter().take(last + 1).skip(length);
            names.extend(
                locals
                    .filter_map(|stmt| match stmt {
                        Stmt::Local(local) => Some(&local.pat),
                        _ => None,
                    })
                    .flat_map(declared)
                    .map(|d| d.name()),
            );
            length = last + 1;
        }
        length
    }

    /// The statements of a section as one.
    pub(super) fn section(&mut self, stmts: Vec<Stmt>, place: Place) -> Stmt {
        let mut block = Block { brace_token: Brace::default(), stmts };
        let slots = self.slots(&written([Code::Block(&block)]), Seen::Later);
        let mut late = self.late(&[Arm::Block(&block)]).0;
        late.retain(|late| self.scope.later.contains(&late.ident.to_string()));
        let inner = if place.is_root() { place } else { Place::Value };
        let before = std::mem::take(&mut self.scope.flow().pending);
        let kind = ConstructKind::Rust { label: None, is_loop: false };
        let ((code, region), construct) =
            self.within(kind, |s| s.arm(&mut block, inner, &late, &[], &slots, true));
        let inside = std::mem::replace(&mut self.scope.flow().pending, before);
        let outside = construct.and_then(|c| self.outside(&c, &inside));
        self.scope.flow().pending.extend(inside.clone());
        self.assigned(&late);
        let code = match outside {
            Some(outside) if region.label().is_some() => {
                let kind = self.scope.joined(inside);
                let closed = Closed { section: region.section, kind, slots: region.rests };
                let ty = self.value_type(place);
                emit::Section { code, late, ty, closed, outside }.code(&self.p)
            }
            _ => code.body,
        };
        Stmt::Expr(Expr::Verbatim(code), None)
    }
}
