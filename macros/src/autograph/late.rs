//! Variables that are declared without a value, and the arms that give them one.

use proc_macro2::Ident;
use syn::{Block, Expr, Stmt};

use super::names::{BAIL, Code, declared, written};
use super::scope::Lower;

/// A variable that was declared without a value and that an arm assigns or uses.
pub(super) struct Late {
    pub ident: Ident,
    pub mutable: bool,
}

/// Whether code gives a variable a value.
#[derive(Clone, Copy, PartialEq)]
enum Gives {
    No,
    Yes,
    /// It does not reach its end.
    Leaves,
}

impl Lower {
    /// The variables without a value that the arms assign: first those that have a value after the arms, then those
    /// that only some arms use for themselves.
    pub(super) fn late(&self, arms: &[Arm<'_>]) -> (Vec<Late>, Vec<Late>) {
        let (mut late, mut local) = (Vec::new(), Vec::new());
        for (i, var) in self.scope.vars.iter().enumerate() {
            let text = var.ident.to_string();
            let hidden = self.scope.vars.iter().skip(i + 1).any(|v| v.ident == var.ident);
            if var.assigned || hidden || var.flow != self.scope.flows.len() {
                continue;
            }
            let gives: Vec<Gives> = arms.iter().map(|a| a.gives(&text)).collect();
            let all = gives.iter().all(|g| *g != Gives::No) && gives.contains(&Gives::Yes);
            let found = Late { ident: var.ident.clone(), mutable: var.mutable };
            if all {
                late.push(found);
            } else if arms.iter().any(|a| a.mentions(&text)) {
                local.push(found);
            }
        }
        (late, local)
    }

    pub(super) fn assigned(&mut self, late: &[Late]) {
        for found in late {
            if let Some(var) = self.scope.find_mut(&found.ident.to_string()) {
                var.assigned = true;
            }
        }
    }
}

/// One arm, as the user wrote it.
pub(super) enum Arm<'a> {
    Block(&'a Block),
    Stmts(&'a [Stmt]),
    Expr(&'a Expr),
    None,
}

impl<'a> Arm<'a> {
    pub(super) fn of(other: &'a Option<(syn::Token![else], Box<Expr>)>) -> Self {
        other.as_ref().map_or(Arm::None, |(_, e)| Arm::Expr(e))
    }

    fn gives(&self, name: &str) -> Gives {
        match self {
            Arm::Block(b) => gives_all(&b.stmts, name),
            Arm::Stmts(stmts) => gives_all(stmts, name),
            Arm::Expr(e) => gives(e, name),
            Arm::None => Gives::No,
        }
    }

    /// True if the variable certainly has a value after this code.
    pub(super) fn surely_gives(&self, name: &str) -> bool {
        self.gives(name) == Gives::Yes
    }

    fn mentions(&self, name: &str) -> bool {
        let found = match self {
            Arm::Block(b) => written([Code::Block(b)]),
            Arm::Stmts(stmts) => written([Code::Stmts(stmts)]),
            Arm::Expr(e) => written([Code::Expr(e)]),
            Arm::None => return false,
        };
        found.contains_key(name)
    }
}

fn gives_all(stmts: &[Stmt], name: &str) -> Gives {
    for stmt in stmts {
        let one = match stmt {
            Stmt::Expr(e, _) => gives(e, name),
            Stmt::Macro(m) => leaving_macro(&m.mac),
            Stmt::Local(l) => {
                if declared(&l.pat).iter().any(|d| d.ident == name) {
                    return Gives::No;
                }
                l.init.as_ref().map_or(Gives::No, |init| gives(&init.expr, name))
            }
            Stmt::Item(_) => Gives::No,
        };
        if one != Gives::No {
            return one;
        }
    }
    Gives::No
}

fn leaving_macro(mac: &syn::Macro) -> Gives {
    let leaves = ["panic", "unreachable", "todo", "unimplemented", BAIL];
    let leaves = mac.path.segments.last().is_some_and(|s| leaves.iter().any(|l| s.ident == l));
    if leaves { Gives::Leaves } else { Gives::No }
}

fn gives(e: &Expr, name: &str) -> Gives {
    let every = |arms: &[Gives]| match arms {
        _ if arms.contains(&Gives::No) => Gives::No,
        _ if arms.contains(&Gives::Yes) => Gives::Yes,
        _ => Gives::Leaves,
    };
    match e {
        Expr::Assign(a) => match &*a.left {
            Expr::Path(p) if p.path.is_ident(name) => Gives::Yes,
            left if destructures(left, name) => Gives::Yes,
            _ => gives(&a.right, name),
        },
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => Gives::Leaves,
        Expr::Block(b) => gives_all(&b.block.stmts, name),
        Expr::Unsafe(b) => gives_all(&b.block.stmts, name),
        Expr::Paren(p) => gives(&p.expr, name),
        Expr::If(i) => {
            every(&[gives_all(&i.then_branch.stmts, name), Arm::of(&i.else_branch).gives(name)])
        }
        Expr::Match(m) => {
            let arms: Vec<Gives> = m.arms.iter().map(|a| gives(&a.body, name)).collect();
            every(&arms)
        }
        Expr::Macro(m) => leaving_macro(&m.mac),
        Expr::Call(c) => match &*c.func {
            Expr::Path(p)
                if p.path
                    .segments
                    .last()
                    .is_some_and(|s| s.ident == "exit" || s.ident == "abort") =>
            {
                Gives::Leaves
            }
            _ => Gives::No,
        },
        _ => Gives::No,
    }
}

/// True if the left side of an assignment gives the variable a value.
fn destructures(left: &Expr, name: &str) -> bool {
    let any = |e: &Expr| destructures(e, name);
    match left {
        Expr::Path(p) => p.path.is_ident(name),
        Expr::Tuple(t) => t.elems.iter().any(any),
        Expr::Array(a) => a.elems.iter().any(any),
        Expr::Struct(s) => s.fields.iter().any(|f| any(&f.expr)),
        Expr::Call(c) => c.args.iter().any(any),
        Expr::Paren(p) => any(&p.expr),
        _ => false,
    }
}

/// True if the block does not reach its end.
pub(super) fn diverges(e: &Expr) -> bool {
    gives(e, "") == Gives::Leaves
}
