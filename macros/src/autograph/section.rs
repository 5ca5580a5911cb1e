//! Code that writes through references which are bound in the code that is left before it: what it writes is joined while they
//! are alive, at the end of a section that ends with them.

use syn::token::Brace;
use syn::{Block, Expr, Stmt};

use super::emit::{self, Closed};
use super::late::Arm;
use super::names::{Code, Names, declared, mentioned, written};
use super::scope::{ConstructKind, Lower, Place};
use super::slots::Seen;

/// The words of statements that leave the code around them.
const EXITS: [&str; 3] = ["return", "break", "continue"];

impl Lower {
    /// How many of the statements to come are a section: up to the last use of references that are bound in the same
    /// region, if one is written through after what may have left the region. 0 if none is.
    pub(super) fn section_length(&self, stmts: &[Stmt]) -> usize {
        let Some(flow) = self.scope.flows.last() else { return 0 };
        let Some(region) = flow.regions.last() else { return 0 };
        let after_function = self.scope.flows.len() == 1 && flow.regions.len() == 1;
        let bound = self.scope.vars.iter().skip(region.first);
        if after_function || !bound.into_iter().any(|v| v.reference || v.may_refer()) {
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
        let behind = stmts.get(exit + 1..).unwrap_or_default();
        let slots = self.slots(&written([Code::Stmts(behind)]), Seen::Again);
        let written = slots.iter().filter(|slot| slot.var >= region.first);
        let written = written.filter_map(|slot| self.scope.vars.get(slot.var));
        let written = written.filter(|v| v.reference || v.may_refer());
        let mut names: Names = written.map(|v| v.ident.to_string()).collect();
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
