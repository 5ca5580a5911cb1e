//! Which variables a piece of code declares, mentions and writes: by name, with Rust's scopes.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, Item, Local, Macro, Pat, PatIdent, Stmt};

pub(super) type Names = BTreeSet<String>;

/// A variable that a pattern declares.
pub(super) struct Declared {
    pub ident: Ident,
    pub mutable: bool,
}

impl Declared {
    pub(super) fn name(&self) -> String {
        self.ident.to_string()
    }
}

/// What a pattern declares.
pub(super) fn declared(pat: &Pat) -> Vec<Declared> {
    struct Finder(Vec<Declared>);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_pat_ident(&mut self, p: &'ast PatIdent) {
            // A name in upper case is a constant or a variant.
            if !p.ident.to_string().starts_with(char::is_uppercase) {
                let ident = p.ident.clone();
                self.0.push(Declared { ident, mutable: p.mutability.is_some() });
            }
            visit::visit_pat_ident(self, p);
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut finder = Finder(Vec::new());
    finder.visit_pat(pat);
    finder.0
}

/// All words of the code, those in format strings included: more than the variables that it mentions,
/// never less.
pub(super) fn mentioned(code: impl ToTokens, names: &mut Names) {
    fn walk(tokens: TokenStream, names: &mut Names) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    names.insert(ident.to_string());
                }
                TokenTree::Group(group) => walk(group.stream(), names),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    let words = text.split('{').skip(1).filter_map(|part| {
                        part.split(|c: char| !c.is_alphanumeric() && c != '_').next()
                    });
                    names.extend(words.filter(|w| !w.is_empty()).map(str::to_owned));
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
    walk(code.to_token_stream(), names);
}

/// A way in which code writes a variable of its surroundings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Write {
    /// `x = …`
    Whole,
    /// `x += …`, `x.f = …`, `x[i] = …`, `&mut x`
    Part,
    /// `*x = …`, `*x += …`
    Through,
    /// `x.f(…)`, `x(…)`: a write if `x` was declared `mut`
    Call,
}

/// What the code writes of the variables that it does not declare.
pub(super) fn written<'a>(code: impl IntoIterator<Item = Code<'a>>) -> BTreeSet<(String, Write)> {
    let mut finder = Writes::default();
    for part in code {
        finder.scopes.push(Names::new());
        match part {
            Code::Block(block) => finder.visit_block(block),
            Code::Expr(expr) => finder.visit_expr(expr),
            Code::Stmts(stmts) => stmts.iter().for_each(|s| finder.visit_stmt(s)),
        }
        finder.scopes.pop();
    }
    finder.found
}

/// A piece of code.
#[derive(Clone, Copy)]
pub(super) enum Code<'a> {
    Block(&'a Block),
    Expr(&'a Expr),
    Stmts(&'a [Stmt]),
}

#[derive(Default)]
struct Writes {
    scopes: Vec<Names>,
    found: BTreeSet<(String, Write)>,
}

impl Writes {
    fn scoped(&mut self, run: impl FnOnce(&mut Self)) {
        self.scopes.push(Names::new());
        run(self);
        self.scopes.pop();
    }

    fn declare(&mut self, pat: &Pat) {
        let names = declared(pat).into_iter().map(|d| d.name());
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(names);
        }
    }

    fn write(&mut self, place: &Expr, how: Write) {
        match place {
            Expr::Path(path) => {
                let Some(ident) = path.path.get_ident() else { return };
                let name = ident.to_string();
                if self.scopes.iter().all(|s| !s.contains(&name)) {
                    self.found.insert((name, how));
                }
            }
            Expr::Field(e) => self.write(&e.base, how.max(Write::Part)),
            Expr::Index(e) => self.write(&e.expr, how.max(Write::Part)),
            Expr::Paren(e) => self.write(&e.expr, how),
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                self.write(&e.expr, how.max(Write::Through));
            }
            Expr::Tuple(e) => e.elems.iter().for_each(|e| self.write(e, how)),
            Expr::Array(e) => e.elems.iter().for_each(|e| self.write(e, how)),
            // `x.iter_mut().next() = …`: what is called may hand out a place.
            Expr::MethodCall(e) => self.write(&e.receiver, Write::Call),
            _ => {}
        }
    }
}

/// True for `+=` and its kin.
pub(super) fn assigns(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

impl<'ast> Visit<'ast> for Writes {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Assign(a) => self.write(&a.left, Write::Whole),
            Expr::Binary(b) if assigns(&b.op) => self.write(&b.left, Write::Part),
            Expr::Reference(r) if r.mutability.is_some() => self.write(&r.expr, Write::Part),
            Expr::MethodCall(m) => self.write(&m.receiver, Write::Call),
            Expr::Call(c) => self.write(&c.func, Write::Call),
            _ => {}
        }
        match e {
            // A condition's patterns are seen in its arm.
            Expr::If(_) | Expr::While(_) => self.scoped(|s| visit::visit_expr(s, e)),
            Expr::ForLoop(f) => {
                self.visit_expr(&f.expr);
                self.scoped(|s| {
                    s.declare(&f.pat);
                    s.visit_block(&f.body);
                });
            }
            Expr::Let(l) => {
                self.visit_expr(&l.expr);
                self.declare(&l.pat);
            }
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_expr_closure(&mut self, c: &'ast ExprClosure) {
        self.scoped(|s| {
            c.inputs.iter().for_each(|p| s.declare(p));
            s.visit_expr(&c.body);
        });
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scoped(|s| {
            s.declare(&arm.pat);
            visit::visit_arm(s, arm);
        });
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.scoped(|s| block.stmts.iter().for_each(|stmt| s.visit_stmt(stmt)));
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, diverge)) = &init.diverge {
                self.visit_expr(diverge);
            }
        }
        self.declare(&local.pat);
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    /// Opaque but for `&mut x`, and for `x.f()`, which can be a write.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let tokens: Vec<TokenTree> = mac.tokens.clone().into_iter().collect();
        for three in tokens.windows(3) {
            if let [TokenTree::Punct(p), TokenTree::Ident(m), TokenTree::Ident(x)] = three
                && p.as_char() == '&'
                && m == "mut"
            {
                let x = x.to_string();
                if self.scopes.iter().all(|s| !s.contains(&x)) {
                    self.found.insert((x, Write::Part));
                }
            }
        }
    }
}
