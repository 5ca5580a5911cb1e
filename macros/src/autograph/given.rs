//! Variables that may receive a mutable reference after their declaration: `places.push(&mut x)`.

use syn::visit::{self, Visit};
use syn::{Arm, Block, Expr, ExprClosure, ExprForLoop, ExprLet, ExprMatch, Local, Macro, Pat};

use super::names::{Declared, Names, declared, words};
use super::plain::{self, Known, lends, owned};
use super::scope::Scope;

/// The names of such variables in a body, possibly too many but never too few. Variables of one name count as one, and
/// the order of the code is ignored. The scope must know the parameters.
pub(super) fn given(body: &Block, scope: &Scope) -> Names {
    let (given, held, mutable) = (Names::new(), Names::new(), Names::new());
    let mut finder = Finder { scope, given, held, mutable, lent: Vec::new() };
    loop {
        let before = (finder.given.len(), finder.held.len());
        finder.lent.clear();
        finder.visit_block(body);
        finder.follow();
        if before == (finder.given.len(), finder.held.len()) {
            return finder.given;
        }
    }
}

struct Finder<'a> {
    scope: &'a Scope,
    given: Names,
    /// Variables that may hold a reference from the start.
    held: Names,
    mutable: Names,
    /// Names that a pattern binds, with the variables that they may refer to.
    lent: Vec<(Names, Names)>,
}

impl Known for Finder<'_> {
    fn is_plain(&self, name: &str) -> bool {
        self.scope.is_plain(name)
    }

    fn is_list(&self, name: &str) -> bool {
        self.scope.is_list(name)
    }

    fn is_owned(&self, name: &str) -> bool {
        !self.given.contains(name) && !self.held.contains(name) && self.scope.is_owned(name)
    }

    fn is_mutable(&self, name: &str) -> bool {
        self.mutable.contains(name) || self.held.contains(name) || self.scope.is_mutable(name)
    }
}

impl Finder<'_> {
    fn declare(&mut self, pat: &Pat) -> Names {
        let declared = declared(pat);
        let mutable = declared.iter().filter(|d| d.mutable || d.reference);
        self.mutable.extend(mutable.map(Declared::name));
        declared.iter().map(Declared::name).collect()
    }

    /// Notes the names that a pattern binds to a value.
    fn bind(&mut self, pat: &Pat, value: &Expr) {
        let names = self.declare(pat);
        if !owned(value, self) {
            self.held.extend(names.iter().cloned());
            self.lent.push((names, words(value)));
        }
    }

    /// Marks the owners of references as given when something is written through the references.
    fn follow(&mut self) {
        while let Some(i) = self.lent.iter().position(|(names, _)| !names.is_disjoint(&self.given))
        {
            let (_, owners) = self.lent.swap_remove(i);
            self.given.extend(owners);
        }
    }

    /// Notes a call, which may store a reference from one argument in another.
    fn call<'e>(&mut self, receiver: &'e Expr, args: impl IntoIterator<Item = &'e Expr>) {
        let writes = |e: &Expr| matches!(e, Expr::Reference(r) if r.mutability.is_some());
        let args: Vec<&Expr> = args.into_iter().collect();
        let references = args.iter().filter(|e| !owned(e, self)).count();
        if references > 0 {
            self.given.extend(words(receiver));
        }
        let lent = !owned(receiver, self) || lends(receiver, self);
        if references > 1 || lent {
            self.given.extend(args.into_iter().filter(|e| writes(e)).flat_map(words));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Assign(a) if !owned(&a.right, self) => self.given.extend(words(&a.left)),
            Expr::MethodCall(m) if !plain::reads(&m.method) => self.call(&m.receiver, &m.args),
            Expr::Call(c) => self.call(&c.func, &c.args),
            _ => {}
        }
        visit::visit_expr(self, e);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        match &local.init {
            Some(init) => self.bind(&local.pat, &init.expr),
            None => drop(self.declare(&local.pat)),
        }
        visit::visit_local(self, local);
    }

    fn visit_expr_let(&mut self, l: &'ast ExprLet) {
        self.bind(&l.pat, &l.expr);
        visit::visit_expr_let(self, l);
    }

    fn visit_expr_for_loop(&mut self, f: &'ast ExprForLoop) {
        self.bind(&f.pat, &f.expr);
        visit::visit_expr_for_loop(self, f);
    }

    fn visit_expr_match(&mut self, m: &'ast ExprMatch) {
        m.arms.iter().for_each(|Arm { pat, .. }| self.bind(pat, &m.expr));
        visit::visit_expr_match(self, m);
    }

    fn visit_expr_closure(&mut self, c: &'ast ExprClosure) {
        for parameter in &c.inputs {
            let names = self.declare(parameter);
            self.held.extend(names);
        }
        visit::visit_expr_closure(self, c);
    }

    /// A macro may do anything with the words in it.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let words = words(&mac.tokens);
        if words.contains("mut") {
            self.given.extend(words);
        }
    }
}
