//! Variables that may receive a mutable reference after their declaration: `places.push(&mut x)`.

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::{Arm, Block, Expr, ExprClosure, ExprForLoop, ExprLet, ExprMatch, Local, Macro, Pat};

use super::names::{self, Declared, Names, declared, words};
use super::plain::{self, Known, lends, owned};
use super::scope::Scope;

/// The names of such variables in a body, possibly too many but never too few. Variables of one name count as one, and
/// the order of the code is ignored. The scope must know the parameters.
pub(super) fn given(body: &Block, scope: &Scope) -> Names {
    let mut finder = Finder {
        scope,
        given: Names::new(),
        held: Names::new(),
        variables: Names::new(),
        mutable: Names::new(),
        lent: Vec::new(),
        bound: HashSet::new(),
    };
    loop {
        let before = (finder.given.len(), finder.held.len(), finder.variables.len());
        finder.lent.clear();
        finder.visit_block(body);
        finder.follow();
        if before == (finder.given.len(), finder.held.len(), finder.variables.len()) {
            return finder.given;
        }
    }
}

struct Finder<'a> {
    scope: &'a Scope,
    given: Names,
    /// Variables that may hold a reference from the start.
    held: Names,
    /// All variables of the body.
    variables: Names,
    mutable: Names,
    /// Names that a pattern binds, with the variables that they may refer to.
    lent: Vec<(Names, Names)>,
    /// Closures whose parameters are declared with the method that they are an argument of.
    bound: HashSet<*const ExprClosure>,
}

/// Methods that move data between their operands, and keep no reference to one.
const OWNERS: &[&str] = &["append", "clone_from", "swap", "swap_with_slice"];

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
    /// Notes that the variables among these names may be given a reference.
    fn give(&mut self, names: impl IntoIterator<Item = String>) {
        let is_variable =
            |name: &String| self.variables.contains(name) || self.scope.find(name).is_some();
        let variables: Vec<String> = names.into_iter().filter(is_variable).collect();
        self.given.extend(variables);
    }

    fn declare(&mut self, pat: &Pat) -> Names {
        let declared = declared(pat);
        self.variables.extend(declared.iter().map(Declared::name));
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
            self.give(owners);
        }
    }

    /// Notes a call: an argument may receive what the others hold.
    fn call<'e>(&mut self, receiver: &'e Expr, args: impl IntoIterator<Item = &'e Expr>) {
        let args: Vec<&Expr> = args.into_iter().filter(|e| !owned(e, self)).collect();
        if !args.is_empty() {
            self.give(words(receiver));
        }
        let lent = !owned(receiver, self) || lends(receiver, self);
        if args.len() > 1 || lent {
            self.give(args.into_iter().flat_map(words));
        }
    }

    /// [`call`](Self::call) of what writes its arguments, and keeps none of the references.
    fn call_of_owner<'e>(&mut self, receiver: &'e Expr, args: impl IntoIterator<Item = &'e Expr>) {
        let all: Vec<&Expr> = args.into_iter().map(plain::referred).chain([receiver]).collect();
        if !all.iter().all(|e| owned(e, self)) {
            self.give(all.into_iter().flat_map(words));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Assign(a) if !owned(&a.right, self) => {
                self.give(words(&a.left));
                self.lent.push((words(&a.left), words(&a.right)));
            }
            Expr::MethodCall(m) if OWNERS.iter().any(|n| m.method == n) => {
                self.call_of_owner(&m.receiver, &m.args);
            }
            Expr::MethodCall(m) if !plain::reads(&m.method) => {
                for arg in &m.args {
                    if let Expr::Closure(closure) = arg {
                        // It is given what the receiver holds.
                        closure.inputs.iter().for_each(|pat| self.bind(pat, &m.receiver));
                        self.bound.insert(closure);
                    }
                }
                self.call(&m.receiver, &m.args);
            }
            Expr::Call(c) if plain::of_memory(&c.func) => self.call_of_owner(&c.func, &c.args),
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
        if !self.bound.contains(&std::ptr::from_ref(c)) {
            for parameter in &c.inputs {
                let names = self.declare(parameter);
                self.held.extend(names);
            }
        }
        visit::visit_expr_closure(self, c);
    }

    /// A macro may do anything with the words in it.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let words = words(&mac.tokens);
        let holds = |name: &String| !self.is_owned(name);
        if words.contains("mut") || !names::reads_only(mac) && words.iter().any(holds) {
            self.give(words);
        }
    }
}
