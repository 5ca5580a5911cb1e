//! Sections: statements that use references which were bound before an exit in the same region. What such statements
//! write is joined at the end of a section that ends with the last use of the references, since they are alive only up
//! to there.

use proc_macro2::Ident;
use syn::{Expr, Stmt, UnOp};

use super::emit::{self, Closed};
use super::late::{Arm, Late};
use super::names::{Code, Names, declared, declared_within, words, written};
use super::plain::{all_ends, owned};
use super::scope::{ConstructKind, Lower, Place, Var};
use super::shape::borrowed;
use super::slots::Seen;

/// The keywords of statements that leave the surrounding code.
const EXITS: [&str; 3] = ["return", "break", "continue"];

/// Statements that end together, and the variables declared in them that stay alive.
pub(super) struct Extent {
    pub length: usize,
    pub exported: Vec<Late>,
}

impl Lower {
    /// The section that begins with these statements, if one is needed. It ends with the last use of references that
    /// are bound in the same region, used after a possible exit, and written through.
    pub(super) fn section_of(&self, stmts: &[Stmt]) -> Option<Extent> {
        let flow = self.scope.flows.last()?;
        let region = flow.regions.last()?;
        let after_function = self.scope.flows.len() == 1 && flow.regions.len() == 1;
        let refers = |v: &Var| v.reference || v.may_hold();
        let bound = self.scope.vars.get(region.first..)?;
        if after_function || !bound.iter().any(|v| refers(v) || v.borrowed.is_some()) {
            return None;
        }
        let words: Vec<Names> = stmts.iter().map(words).collect();
        let exit = words.iter().position(|w| EXITS.iter().any(|exit| w.contains(*exit)))?;
        let written = written([Code::Stmts(stmts.get(exit + 1..)?)]);
        let slots = self.slots(&written, Seen::Again);
        let through = slots.iter().filter(|slot| slot.var >= region.first);
        let through = through.filter_map(|slot| {
            let var = self.scope.vars.get(slot.var)?;
            refers(var).then_some(var)
        });
        let is_written = |v: &&Var| v.borrowed.as_ref().is_some_and(|y| written.contains_key(y));
        let used: Vec<&Var> = through.chain(bound.iter().filter(is_written)).collect();
        let last = used.iter().filter_map(|v| last_use(&v.ident, stmts, &words)).max()?;
        if last <= exit {
            return None;
        }
        // If nothing else names the referents, the section may as well end with the block.
        let after = |name: &String| words.iter().skip(last + 1).any(|w| w.contains(name));
        let whole = used.iter().all(|v| v.borrowed.as_ref().is_some_and(|y| !after(y)));
        Some(match whole {
            true => Extent { length: stmts.len(), exported: Vec::new() },
            false => self.extent(last + 1, stmts, &words),
        })
    }

    /// A section of at least `length` statements, longer where a variable declared in it must live longer. Owned values
    /// are exported from it, and it extends to the last use of references. If anything else is declared in it, it
    /// extends to the end of the block.
    fn extent(&self, mut length: usize, stmts: &[Stmt], mentions: &[Names]) -> Extent {
        let (mut exported, mut references) = (Vec::new(), Names::new());
        let mut next = 0;
        while next < length && length < stmts.len() {
            let Some(Stmt::Local(local)) = stmts.get(next) else {
                next += 1;
                continue;
            };
            let names = declared(&local.pat);
            let (behind, said) = (stmts.get(next + 1..), mentions.get(next + 1..));
            let (behind, said) = (behind.unwrap_or_default(), said.unwrap_or_default());
            let owned = match local.init.as_ref().map(|init| &*init.expr) {
                Some(init) if borrowed(init).is_some() => {
                    for name in names {
                        let last = last_use(&name.ident, behind, said);
                        length = last.map_or(length, |last| length.max(next + 2 + last));
                        references.insert(name.name());
                    }
                    next += 1;
                    continue;
                }
                Some(init) => owned(init, &self.scope) && holds_none(init, &references),
                None => {
                    let behind = Arm::Stmts(behind.get(..length - next - 1).unwrap_or_default());
                    names.iter().all(|d| behind.surely_gives(&d.name()))
                }
            };
            // A value that is bound to no name is dropped at once.
            if !owned && !names.is_empty() {
                length = stmts.len();
            }
            for name in names {
                exported.retain(|hidden: &Late| hidden.ident != name.ident);
                exported.push(Late { ident: name.ident, mutable: name.mutable });
            }
            next += 1;
        }
        if length == stmts.len() {
            exported.clear();
        }
        Extent { length, exported }
    }

    /// The statements, with those of the section converted to one.
    pub(super) fn section(
        &mut self,
        mut stmts: Vec<Stmt>,
        exported: Vec<Late>,
        place: Place,
    ) -> Vec<Stmt> {
        // Items are visible in the whole block.
        let mut all: Vec<Stmt> =
            stmts.extract_if(.., |stmt| matches!(stmt, Stmt::Item(_))).collect();
        let slots = self.slots(&written([Code::Stmts(&stmts)]), Seen::Later);
        let late = self.late(&[Arm::Stmts(&stmts)]).0;
        let inner = if place.is_root() && exported.is_empty() { place } else { Place::Value };
        if !exported.is_empty() {
            for stmt in &mut stmts {
                if let Stmt::Local(local) = stmt {
                    // It may be written after the section.
                    local.attrs.push(syn::parse_quote!(#[allow(unused_mut)]));
                }
            }
            // It is converted like other statements, so inner sections may export the variables too.
            let end = Expr::Verbatim(emit::Section::end(&late, &exported));
            stmts.push(Stmt::Expr(end, None));
        }
        let before = std::mem::take(&mut self.scope.flow().pending);
        let kind = ConstructKind::Rust { label: None, is_loop: false };
        let outer = self.scope.vars.len();
        let assigned = self.scope.assigned_flags();
        let ((own, region), construct) = self.within(kind, |s| {
            s.stand_in(&late);
            let first = s.scope.vars.len();
            let ((), region) = s.region(slots, true, |s| s.stmts(&mut stmts, inner));
            (s.scope.vars.split_off(first), region)
        });
        self.scope.vars.truncate(outer);
        self.scope.restore_assigned(&assigned);
        self.assigned(&late);
        let inside = std::mem::replace(&mut self.scope.flow().pending, before);
        let outside = construct.and_then(|c| self.outside(&c, &inside));
        self.scope.flow().pending.extend(inside.clone());
        let depth = self.scope.flow().constructs.len();
        let label = region.label();
        let (Some(outside), Some(label)) = (outside, label) else {
            self.scope.vars.extend(own.into_iter().map(|var| Var { depth, ..var }));
            stmts.truncate(stmts.len() - usize::from(!exported.is_empty()));
            all.append(&mut stmts);
            return all;
        };
        let lives = |var: &Var| exported.iter().any(|late| late.ident == var.ident);
        self.scope.vars.extend(own.into_iter().filter(lives).map(|var| Var { depth, ..var }));
        let section = emit::Section {
            stmts,
            label,
            declared: self.declared(&late, &[]),
            late,
            exported,
            ty: self.value_type(place),
            closed: Closed {
                section: region.section,
                kind: self.scope.joined(inside),
                slots: region.rests,
            },
            outside,
        };
        all.push(Stmt::Expr(Expr::Verbatim(section.code(&self.p)), None));
        all
    }
}

/// True if the value of an expression certainly borrows nothing from these references.
fn holds_none(e: &Expr, references: &Names) -> bool {
    if words(e).is_disjoint(references) {
        return true;
    }
    // Variables declared on the way may hold a reference.
    let mut named = references.clone();
    named.extend(declared_within(Code::Expr(e)));
    all_ends(e, &|end| match end {
        Expr::Lit(_) | Expr::Binary(_) | Expr::Cast(_) => true,
        Expr::Unary(u) if !matches!(u.op, UnOp::Deref(_)) => true,
        end => words(end).is_disjoint(&named),
    })
}

/// The last of these statements that uses the variable, up to the point where another one shadows it.
fn last_use(ident: &Ident, stmts: &[Stmt], mentions: &[Names]) -> Option<usize> {
    let name = ident.to_string();
    let hides = |stmt: &Stmt| matches!(stmt, Stmt::Local(local) if declared(&local.pat).iter().any(|d| d.ident == name));
    let hidden = stmts.iter().position(hides);
    let in_init = |stmt: &Stmt| match stmt {
        Stmt::Local(local) => {
            local.init.as_ref().is_some_and(|init| words(&init.expr).contains(&name))
        }
        _ => false,
    };
    let seen = hidden.unwrap_or(stmts.len());
    match hidden {
        Some(i) if stmts.get(i).is_some_and(in_init) => Some(i),
        _ => mentions.iter().take(seen).rposition(|words| words.contains(&name)),
    }
}
