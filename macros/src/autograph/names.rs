//! The variables that a piece of code declares, mentions and writes: by name, under Rust's scoping.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprClosure, Item, Local, Macro, Pat, PatIdent, Stmt, Token};

use super::plain;

pub(super) type Names = BTreeSet<String>;

/// A variable that a pattern declares.
pub(super) struct Declared {
    pub ident: Ident,
    pub mutable: bool,
    /// `ref mut x`
    pub reference: bool,
}

impl Declared {
    pub(super) fn name(&self) -> String {
        self.ident.to_string()
    }
}

/// The variables that a pattern declares.
pub(super) fn declared(pat: &Pat) -> Vec<Declared> {
    struct Finder(Vec<Declared>);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_pat_ident(&mut self, p: &'ast PatIdent) {
            // A name in upper case is a constant or a variant.
            if !p.ident.to_string().starts_with(char::is_uppercase) {
                let ident = p.ident.clone();
                let mutable = p.mutability.is_some() && p.by_ref.is_none();
                let reference = p.mutability.is_some() && p.by_ref.is_some();
                self.0.push(Declared { ident, mutable, reference });
            }
            visit::visit_pat_ident(self, p);
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut finder = Finder(Vec::new());
    finder.visit_pat(pat);
    finder.0
}

/// The names of all variables declared anywhere in the code.
pub(super) fn declared_within(code: Code<'_>) -> Names {
    struct Finder(Names);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_pat_ident(&mut self, p: &'ast PatIdent) {
            self.0.insert(p.ident.to_string());
            visit::visit_pat_ident(self, p);
        }
    }
    let mut finder = Finder(Names::new());
    match code {
        Code::Expr(e) => finder.visit_expr(e),
        Code::Block(block) => finder.visit_block(block),
        Code::Body(pat, block) => {
            finder.visit_pat(pat);
            finder.visit_block(block);
        }
        Code::Stmts(stmts) => stmts.iter().for_each(|stmt| finder.visit_stmt(stmt)),
    }
    finder.0
}

/// True if a pattern borrows the matched value: by `ref mut` if `mutably`, otherwise by either `ref`.
pub(super) fn borrows(pat: &Pat, mutably: bool) -> bool {
    struct Finder(bool, bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_pat_ident(&mut self, p: &'ast PatIdent) {
            self.0 |= p.by_ref.is_some() && (p.mutability.is_some() || !self.1);
            visit::visit_pat_ident(self, p);
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut finder = Finder(false, mutably);
    finder.visit_pat(pat);
    finder.0
}

/// All words of the code, including those in format strings: at least the variables that it mentions.
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

/// [`mentioned`] for one piece of code.
pub(super) fn words(code: impl ToTokens) -> Names {
    let mut names = Names::new();
    mentioned(code, &mut names);
    names
}

/// The words of later code, counted so that code which has been read can be removed again.
#[derive(Clone, Default)]
pub(super) struct Mentions {
    counts: HashMap<String, usize>,
    all: Vec<String>,
}

impl Mentions {
    pub(super) fn contains(&self, name: &str) -> bool {
        self.counts.contains_key(name)
    }

    /// The number of words.
    pub(super) fn mark(&self) -> usize {
        self.all.len()
    }

    /// Adds the words of the code, and returns how many there were before.
    pub(super) fn add(&mut self, code: impl ToTokens) -> usize {
        self.extend(words(code))
    }

    pub(super) fn extend(&mut self, names: Names) -> usize {
        let before = self.all.len();
        for name in names {
            *self.counts.entry(name.clone()).or_default() += 1;
            self.all.push(name);
        }
        before
    }

    /// Removes all words that were added after the mark.
    pub(super) fn back_to(&mut self, before: usize) {
        for name in self.all.drain(before..) {
            if let Some(count) = self.counts.get_mut(&name) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&name);
                }
            }
        }
    }

    /// All words.
    pub(super) fn names(&self) -> Names {
        self.counts.keys().cloned().collect()
    }
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
    /// `x.f(…)`: a write if `x` was declared `mut`
    Call,
    /// `x(…)`: a write of captured state if `x` was declared `mut`
    Run,
    /// `f(x)`, `for … in x`: a write if `x` is a mutable reference
    Given,
}

/// How far into a variable a write reaches.
#[derive(Clone)]
pub(super) struct Reach {
    /// The variable with its fields and dereferences, up to an index or a call.
    pub place: Expr,
    /// True if an unnamed part of the place is written: an element, or what a pattern bound.
    pub within: bool,
}

impl Reach {
    /// The variable, as written in the place.
    pub(super) fn root(&self) -> Option<&Ident> {
        let mut e = &self.place;
        loop {
            e = match e {
                Expr::Field(f) => &f.base,
                Expr::Unary(u) => &u.expr,
                Expr::Paren(p) => &p.expr,
                Expr::Path(p) => return p.path.get_ident(),
                _ => return None,
            };
        }
    }

    /// The place and all places that contain it, the variable last.
    pub(super) fn around(&self) -> Vec<&Expr> {
        let (mut places, mut e) = (Vec::new(), &self.place);
        loop {
            e = match e {
                Expr::Field(f) => {
                    places.push(e);
                    &f.base
                }
                Expr::Paren(p) => &p.expr,
                Expr::Path(_) => {
                    places.push(e);
                    return places;
                }
                _ => return places,
            };
        }
    }

    /// The fields in the place, and the number of dereferences among them.
    pub(super) fn path(&self) -> (Vec<String>, usize) {
        let (mut fields, mut derefs, mut e) = (Vec::new(), 0, &self.place);
        loop {
            e = match e {
                Expr::Field(f) => {
                    fields.insert(0, f.member.to_token_stream().to_string());
                    &f.base
                }
                Expr::Unary(u) => {
                    derefs += 1;
                    &u.expr
                }
                Expr::Paren(p) => &p.expr,
                _ => return (fields, derefs),
            };
        }
    }
}

/// Writes, by the names of the variables.
pub(super) type Written = BTreeMap<String, Vec<(Write, Reach)>>;

/// The writes of the code to variables that it does not declare.
pub(super) fn written<'a>(code: impl IntoIterator<Item = Code<'a>>) -> Written {
    let mut finder = Writes::default();
    for part in code {
        finder.scopes.push(BTreeMap::new());
        match part {
            Code::Block(block) => finder.visit_block(block),
            Code::Body(pat, block) => {
                finder.declare(pat, None);
                finder.visit_block(block);
            }
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
    /// A block and the pattern that it is given.
    Body(&'a Pat, &'a Block),
    Expr(&'a Expr),
    Stmts(&'a [Stmt]),
}

#[derive(Default)]
struct Writes {
    /// Declared variables, each with the expression that a pattern bound it to, if that may be a reference.
    scopes: Vec<BTreeMap<String, Option<Expr>>>,
    found: Written,
}

impl Writes {
    fn scoped(&mut self, run: impl FnOnce(&mut Self)) {
        self.scopes.push(BTreeMap::new());
        run(self);
        self.scopes.pop();
    }

    fn declare(&mut self, pat: &Pat, source: Option<&Expr>) {
        if let Some(source) = source.filter(|_| borrows(pat, true)) {
            self.write(source, Write::Part);
        }
        let names = declared(pat).into_iter().map(|d| {
            let source = source.filter(|_| !d.mutable).cloned();
            (d.name(), source)
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(names);
        }
    }

    fn write(&mut self, place: &Expr, how: Write) {
        self.write_at(place, how, self.scopes.len());
    }

    /// Notes a write of a name as seen from the first `depth` scopes.
    fn write_at(&mut self, place: &Expr, how: Write, depth: usize) {
        let reach = Reach { place: place.clone(), within: false };
        self.write_in(place, how, reach, depth);
    }

    /// Notes a write with its reach, of a name as seen from the first `depth` scopes.
    fn write_in(&mut self, place: &Expr, how: Write, reach: Reach, depth: usize) {
        let within = |e: &Expr| Reach { place: e.clone(), within: true };
        match place {
            Expr::Path(path) => {
                let Some(ident) = path.path.get_ident() else { return };
                let name = ident.to_string();
                let scopes = self.scopes.iter().take(depth).enumerate().rev();
                let declared = scopes.filter_map(|(i, s)| Some((i, s.get(&name)?.clone()))).next();
                match declared {
                    None => self.found.entry(name).or_default().push((how, reach)),
                    // A bound variable can be written only if it is a reference into its source.
                    Some((i, Some(source))) => {
                        let how = if matches!(how, Write::Part | Write::Through) {
                            Write::Part
                        } else {
                            Write::Given
                        };
                        self.write_in(&source, how, within(&source), i);
                    }
                    Some((_, None)) => {}
                }
            }
            Expr::Field(e) => self.write_in(&e.base, how.max(Write::Part), reach, depth),
            Expr::Index(e) => {
                self.write_in(&e.expr, how.max(Write::Part), within(&e.expr), depth);
            }
            Expr::Paren(e) => self.write_in(&e.expr, how, reach, depth),
            Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                self.write_in(&e.expr, how.max(Write::Through), reach, depth);
            }
            Expr::Reference(e) => self.write_in(&e.expr, how, within(&e.expr), depth),
            Expr::Try(e) => self.write_in(&e.expr, how, within(&e.expr), depth),
            Expr::Tuple(e) => e.elems.iter().for_each(|e| self.write_at(e, how, depth)),
            Expr::Struct(e) => e.fields.iter().for_each(|f| self.write_at(&f.expr, how, depth)),
            // `Some(x) = …`
            Expr::Call(e) if how == Write::Whole => {
                e.args.iter().for_each(|e| self.write_at(e, how, depth));
            }
            Expr::Array(e) => e.elems.iter().for_each(|e| self.write_at(e, how, depth)),
            // `x.iter_mut().next() = …`: the call may return a place.
            Expr::MethodCall(e) => {
                self.write_in(&e.receiver, Write::Call, within(&e.receiver), depth);
            }
            _ => {}
        }
    }

    /// Notes a place that is passed by value.
    fn give(&mut self, e: &Expr) {
        match e {
            Expr::Path(_) | Expr::Field(_) => self.write(e, Write::Given),
            Expr::Paren(e) => self.give(&e.expr),
            _ => {}
        }
    }
}

/// Macros of the standard library and of this library that write only what their arguments write.
const READERS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "matches",
    "panic",
    "print",
    "println",
    "shape",
    "tensor",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
];

/// True for macros that write nothing but what their arguments do.
pub(super) fn reads_only(mac: &Macro) -> bool {
    READERS.iter().any(|n| mac.path.is_ident(n))
}

/// The common name of macros that return an error.
pub(super) const BAIL: &str = "bail";
/// The common name of macros that return an error unless a condition holds.
pub(super) const ENSURE: &str = "ensure";

/// True for `<` and its kin.
pub(super) fn compares(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(op, Lt(_) | Le(_) | Gt(_) | Ge(_) | Eq(_) | Ne(_))
}

/// True for `+` and its kin.
pub(super) fn computes(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    !matches!(op, And(_) | Or(_)) && !compares(op) && !assigns(op)
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
            Expr::MethodCall(m) => {
                if !plain::reads(&m.method) {
                    self.write(&m.receiver, Write::Call);
                }
                m.args.iter().for_each(|a| self.give(a));
            }
            Expr::Call(c) => {
                self.write(&c.func, Write::Run);
                c.args.iter().for_each(|a| self.give(a));
            }
            Expr::Struct(s) => s.fields.iter().for_each(|f| self.give(&f.expr)),
            Expr::Tuple(t) => t.elems.iter().for_each(|e| self.give(e)),
            Expr::Array(t) => t.elems.iter().for_each(|e| self.give(e)),
            _ => {}
        }
        match e {
            // Variables of a condition's patterns are visible in its own arm only.
            Expr::If(i) => {
                self.scoped(|s| {
                    s.visit_expr(&i.cond);
                    s.visit_block(&i.then_branch);
                });
                if let Some((_, other)) = &i.else_branch {
                    self.visit_expr(other);
                }
            }
            Expr::While(_) => self.scoped(|s| visit::visit_expr(s, e)),
            Expr::ForLoop(f) => {
                self.visit_expr(&f.expr);
                self.scoped(|s| {
                    s.declare(&f.pat, Some(&f.expr));
                    s.visit_block(&f.body);
                });
            }
            Expr::Match(m) => {
                self.visit_expr(&m.expr);
                for arm in &m.arms {
                    self.scoped(|s| {
                        s.declare(&arm.pat, Some(&m.expr));
                        visit::visit_arm(s, arm);
                    });
                }
            }
            Expr::Let(l) => {
                self.visit_expr(&l.expr);
                self.declare(&l.pat, Some(&l.expr));
            }
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_expr_closure(&mut self, c: &'ast ExprClosure) {
        self.scoped(|s| {
            c.inputs.iter().for_each(|p| s.declare(p, None));
            s.visit_expr(&c.body);
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
        self.declare(&local.pat, local.init.as_ref().map(|init| &*init.expr));
    }

    fn visit_item(&mut self, _: &'ast Item) {}

    /// Known macros are read; in an unknown one each word may be a variable that it writes.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let known = reads_only(mac);
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        match parser.parse2(mac.tokens.clone()) {
            Ok(arguments) if known => arguments.iter().for_each(|a| self.visit_expr(a)),
            _ => self.words(mac.tokens.clone()),
        }
    }
}

impl Writes {
    fn words(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if let Ok(place) = syn::parse2(ident.to_token_stream()) {
                        self.write(&place, Write::Call);
                    }
                }
                TokenTree::Group(group) => self.words(group.stream()),
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}
