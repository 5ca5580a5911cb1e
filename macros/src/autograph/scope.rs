//! What is known at the current point of the code: the variables, and the enclosing constructs.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, Error, Expr, Lifetime, Pat, Type};

use super::names::{Mentions, Names, declared, words};
use super::plain::{self, Known};

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    /// An operand of something.
    Inner,
    /// Borrowed, or read in place: nothing is moved out of it.
    Lent,
    /// A statement: its value is `()`.
    Statement,
    /// The whole right side of a `let`, an assignment.
    Value,
    /// The whole right side of a `let` with a type.
    Typed,
    /// The result of the function.
    Tail,
}

impl Place {
    /// True where the statement only takes the value of the expression.
    pub(super) fn is_root(self) -> bool {
        matches!(self, Place::Statement | Place::Value | Place::Typed | Place::Tail)
    }
}

/// The conversion of one body.
#[derive(Clone)]
pub(super) struct Lower {
    /// The path of the run-time half.
    pub runtime: TokenStream,
    /// The name of the run-time half in the body.
    pub p: TokenStream,
    pub scope: Scope,
    pub errors: Vec<Error>,
    pub changed: bool,
    /// The macros that the body defines.
    pub own_macros: Names,
}

impl Lower {
    pub(super) fn new(runtime: TokenStream, site: Span) -> Self {
        let p = quote_spanned!(site=> __autograph);
        Self {
            runtime,
            p,
            scope: Scope::new(),
            errors: Vec::new(),
            changed: false,
            own_macros: Names::new(),
        }
    }

    /// Removes `#[plain]`, and tells whether it was there.
    pub(super) fn take_plain(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let before = attrs.len();
        attrs.retain(|a| {
            let is_plain = a.path().is_ident("plain");
            if is_plain && !matches!(a.meta, syn::Meta::Path(_)) {
                self.error(&a.meta, "`plain` takes no words", "write `#[plain]`");
            }
            !is_plain
        });
        attrs.len() < before
    }

    /// Code under `#[plain]`.
    pub(super) fn left_plain(&mut self, e: &Expr) {
        self.changed = true;
        if self.converted_around() && words(e).contains("return") {
            self.error(
                e,
                "a `return` in `#[plain]` code leaves a condition that may be a tensor",
                "take the `return` out of the `#[plain]` code, or put `#[plain]` on the whole condition",
            );
        }
    }

    pub(super) fn error(&mut self, at: impl ToTokens, text: &str, help: &str) {
        self.errors.push(Error::new_spanned(at, format!("{text}\nhelp: {help}")));
    }

    pub(super) fn must_be_root(&mut self, at: impl ToTokens, place: Place) {
        if !place.is_root() {
            self.error(
                at,
                "`return`, `break` and `continue` can't leave an operand of a larger expression: what is \
                 left of it would still run on tensors",
                "bind it before: `let value = if … { … } else { … };`",
            );
        }
    }

    /// The path of the run-time half, with spans at which errors about the user's code point.
    pub(super) fn at(&self, span: Span) -> (TokenStream, Span) {
        let span = span.resolved_at(Span::mixed_site());
        let path = self.p.clone().into_iter().map(|mut token| {
            token.set_span(span);
            token
        });
        (path.collect(), span)
    }

    pub(super) fn replace(&mut self, e: &mut Expr, tokens: TokenStream) {
        self.changed = true;
        *e = Expr::Verbatim(tokens);
    }

    /// Converts code inside a construct.
    pub(super) fn within<R>(
        &mut self,
        kind: ConstructKind,
        run: impl FnOnce(&mut Self) -> R,
    ) -> (R, Option<Construct>) {
        let flow = self.scope.flow();
        let left = flow.left.clone();
        flow.constructs.push(Construct { kind, left, outermost: None, fails: false });
        let result = run(self);
        let flow = self.scope.flow();
        let construct = flow.constructs.pop();
        flow.left = construct.as_ref().and_then(|c| c.left.clone());
        (result, construct)
    }

    /// Converts code that may be left early. The rests opened in it end with it: as a section, or with its arm or
    /// iteration.
    pub(super) fn region<R>(
        &mut self,
        slots: Vec<Slot>,
        is_section: bool,
        run: impl FnOnce(&mut Self) -> R,
    ) -> (R, Region) {
        let n = self.scope.number();
        let region = Region {
            label: label("region", n),
            used: false,
            first: self.scope.vars.len(),
            section: is_section.then(|| name("section", n)),
            slots,
            rests: Vec::new(),
        };
        let flow = self.scope.flow();
        flow.regions.push(region);
        let left = flow.left.take();
        let result = run(self);
        let flow = self.scope.flow();
        flow.left = left;
        let region = flow.regions.pop();
        (result, region.unwrap_or_else(|| unreachable!("it was pushed")))
    }

    /// True in code that a trace may visit besides other code, as an arm of a condition.
    pub(super) fn converted_around(&mut self) -> bool {
        let flow = self.scope.flow();
        flow.left.is_some() || flow.constructs.iter().any(|c| c.left.is_some() || c.is_converted())
    }

    /// The type of the value expected at a place, if it is known.
    pub(super) fn value_type(&self, place: Place) -> Option<TokenStream> {
        let flow = self.scope.flows.last();
        let known = match place {
            Place::Statement => return Some(quote!(())),
            Place::Tail => flow.and_then(|f| f.result.as_ref()),
            Place::Typed => flow.and_then(|f| f.typed.as_ref()),
            _ => None,
        };
        known.map(ToTokens::to_token_stream)
    }
}

/// A variable of the body.
#[derive(Clone)]
pub(super) struct Var {
    pub ident: Ident,
    pub mutable: bool,
    /// Holds no tensor.
    pub plain: bool,
    /// A list, whatever it holds.
    pub list: bool,
    /// `let mut k = 0`: a number of Rust's, whatever is assigned later.
    pub number: bool,
    /// Its type is copied: a number, a shared reference.
    pub copied: bool,
    /// A mutable reference: writes go to its referent.
    pub reference: bool,
    /// Certainly no mutable reference.
    pub owned: bool,
    /// The variable that it borrows, as in `let x = &y.z;`.
    pub borrowed: Option<String>,
    /// False after `let y;`.
    pub assigned: bool,
    /// Declared by an arm in place of an outer variable that has no value yet.
    pub stands_in: bool,
    /// For a closure that may write cells: the kind under which it is called.
    pub calls: Option<Ident>,
    /// It can be declared again, as `mut`.
    pub rebinds: bool,
    /// It will be declared again.
    pub rebound: bool,
    /// The function or closure that declares it.
    pub flow: usize,
    /// The number of constructs of that function around it.
    pub depth: usize,
    /// [`Flow::left`] where it is declared.
    pub left: Option<Ident>,
}

impl Var {
    /// True if it may be a mutable reference, as far as the code shows.
    pub(super) fn may_refer(&self) -> bool {
        !(self.mutable || self.reference) && self.may_hold()
    }

    /// True if it may hold mutable references, as far as the code shows.
    pub(super) fn may_hold(&self) -> bool {
        !(self.owned || self.copied || self.plain || self.number)
    }
}

impl Slot {
    /// True if both stand for the same place.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.var == other.var && self.name == other.name
    }
}

/// The body of a function or closure.
#[derive(Clone)]
pub(super) struct Flow {
    /// The type of the result, if it is written out.
    pub result: Option<Type>,
    /// Kinds that the current statement introduces, and for joined ones their parts.
    pub tokens: Vec<(Ident, Option<Vec<Ident>>)>,
    /// The joined kinds, by the names of their parts.
    joined: BTreeMap<Vec<String>, Ident>,
    /// The number of open blocks.
    pub blocks: usize,
    pub constructs: Vec<Construct>,
    pub regions: Vec<Region>,
    /// Kinds of the conditions under which the current statement may have left.
    pub pending: Vec<Ident>,
    /// The kind of the conditions under which earlier statements of the region may have left.
    pub left: Option<Ident>,
    /// True if something was converted that needs the run-time half.
    pub used: bool,
    /// For a closure, the kind under which it is called, if that is known.
    pub calls: Option<Ident>,
    /// The same for closures that are about to be read.
    pub calling: Option<Ident>,
    /// For each closure's kind, the kinds under which the closure is called.
    pub called: Vec<(Ident, Vec<Ident>)>,
    /// The variable that the current value is assigned to, if the value moves it at most once.
    pub reassigned: Option<String>,
    /// The type of the `let` whose value is being read.
    pub typed: Option<Type>,
    /// True in the value of an exit: a trace continues with the code after the exit.
    pub leaving: bool,
}

/// Code that may be left early.
#[derive(Clone)]
pub(super) struct Region {
    label: Lifetime,
    used: bool,
    /// The number of variables around it.
    pub first: usize,
    /// The run-time half, if it is a section.
    pub section: Option<Ident>,
    /// The slots that it writes and later code sees.
    pub slots: Vec<Slot>,
    /// The slots that are written after statements that may have left.
    pub rests: Vec<Slot>,
}

impl Region {
    /// The label, if an exit uses it.
    pub(super) fn label(&self) -> Option<Lifetime> {
        self.used.then(|| self.label.clone())
    }
}

/// A variable that code writes, as handed to the run-time half.
#[derive(Clone)]
pub(super) struct Slot {
    /// Its name in messages.
    pub name: String,
    /// The index of the variable.
    pub var: usize,
    /// The function that makes the slot: `slot`, `called`, `through`.
    pub make: &'static str,
    pub place: TokenStream,
    pub at: Span,
    /// Calls that describe its later use.
    pub life: TokenStream,
}

/// A construct around a piece of code.
#[derive(Clone)]
pub(super) struct Construct {
    pub kind: ConstructKind,
    /// [`Flow::left`] around it.
    pub left: Option<Ident>,
    /// The outermost construct left by a `return`, or by a `break` or `continue` of an outer loop, in it.
    pub outermost: Option<usize>,
    /// True if a failure leaves it: a `return Err(…)`, a `panic!`.
    pub fails: bool,
}

impl Construct {
    pub(super) fn is_converted(&self) -> bool {
        !matches!(self.kind, ConstructKind::Rust { .. })
    }

    /// The kinds that decide whether code in it may be visited besides other code, or again. With `bodies` also the
    /// kinds of a loop's exits.
    pub(super) fn kinds(&self, bodies: bool) -> Vec<Ident> {
        match &self.kind {
            ConstructKind::Branch(token) => vec![token.clone()],
            ConstructKind::Loop(l) => {
                l.head.clone().into_iter().chain(bodies.then(|| l.body.clone())).collect()
            }
            ConstructKind::Rust { .. } => Vec::new(),
        }
    }
}

#[derive(Clone)]
pub(super) enum ConstructKind {
    /// An arm of a converted `if`, with the kind of its condition.
    Branch(Ident),
    /// A converted loop.
    Loop(Loop),
    /// A loop or labelled block that is left to Rust.
    Rust { label: Option<String>, is_loop: bool },
}

#[derive(Clone)]
pub(super) struct Loop {
    /// The user's label.
    pub label: Option<String>,
    pub own_label: Lifetime,
    /// The run-time half.
    pub object: Ident,
    /// The kind of its condition or iterator, if that may be of tensors.
    pub head: Option<Ident>,
    /// The kind of the conditions under which its body is left.
    pub body: Ident,
    /// True if a condition stands between the loop and something that leaves its body.
    pub crossed: bool,
    /// True if one of these exits leaves the loop, not only an iteration.
    pub left: bool,
    /// True if breaks give a value.
    pub valued: bool,
    /// True if it may contain an exit from it, so that later iterations run under a condition.
    pub leaves: bool,
    /// The names mentioned after the loop.
    pub after: Names,
}

impl Flow {
    pub(super) fn new(result: Option<Type>) -> Self {
        Self {
            result,
            tokens: Vec::new(),
            joined: BTreeMap::new(),
            blocks: 0,
            constructs: Vec::new(),
            regions: Vec::new(),
            pending: Vec::new(),
            left: None,
            used: false,
            calls: None,
            calling: None,
            called: Vec::new(),
            reassigned: None,
            typed: None,
            leaving: false,
        }
    }

    /// The label to leave by, which is marked as used.
    pub(super) fn leave(&mut self) -> Option<Lifetime> {
        let region = self.regions.last_mut()?;
        region.used = true;
        Some(region.label.clone())
    }

    /// The kinds that constructs have introduced since there were `before` of them.
    pub(super) fn kinds_since(&self, before: usize) -> Vec<Ident> {
        let tokens = self.tokens.iter().skip(before).filter(|(_, parts)| parts.is_none());
        tokens.map(|(token, _)| token.clone()).collect()
    }

    /// The kinds under which code here runs: those of the constructs from `first` on, and those of the loop around
    /// them. A trace goes on after an exit to that loop if one of the kinds is of tensors.
    pub(super) fn kinds(&self, first: usize) -> Vec<Ident> {
        let target = first.checked_sub(1).and_then(|i| self.constructs.get(i));
        // Exits before the target began can't have left it or anything in it.
        let before = target.and_then(|c| c.left.as_ref());
        let inner = self.constructs.iter().skip(first);
        let inner = inner.flat_map(|c| c.left.clone().into_iter().chain(c.kinds(true)));
        let inner = inner.chain(self.left.clone()).filter(|kind| Some(kind) != before);
        target.into_iter().flat_map(|c| c.kinds(true)).chain(inner).collect()
    }
}

/// All that is known at a point of the code.
#[derive(Clone)]
pub(super) struct Scope {
    pub vars: Vec<Var>,
    pub flows: Vec<Flow>,
    /// Variables that may be given a mutable reference after their declaration.
    pub given: Names,
    /// The names mentioned after this point.
    pub later: Mentions,
    /// The names mentioned after the loop that is about to be read.
    pub after: Names,
    next: usize,
    /// The flow of code outside of functions.
    outside: Flow,
}

impl Scope {
    pub(super) fn new() -> Self {
        Self {
            vars: Vec::new(),
            flows: Vec::new(),
            given: Names::new(),
            later: Mentions::default(),
            after: Names::new(),
            next: 0,
            outside: Flow::new(None),
        }
    }

    pub(super) fn flow(&mut self) -> &mut Flow {
        self.flows.last_mut().unwrap_or(&mut self.outside)
    }

    /// A fresh number for new names.
    pub(super) fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// A new kind.
    pub(super) fn token(&mut self, n: usize, word: &str) -> Ident {
        let token = name(word, n);
        let flow = self.flow();
        flow.tokens.push((token.clone(), None));
        flow.used = true;
        token
    }

    /// One kind for several: it is of tensors if one of them is.
    pub(super) fn joined(&mut self, mut kinds: Vec<Ident>) -> Ident {
        let mut known = BTreeSet::new();
        kinds.retain(|kind| known.insert(kind.to_string()));
        if let [one] = &kinds[..] {
            return one.clone();
        }
        let names: Vec<String> = known.into_iter().collect();
        if let Some(joined) = self.flow().joined.get(&names) {
            return joined.clone();
        }
        let token = name("kinds", self.number());
        let flow = self.flow();
        flow.joined.insert(names, token.clone());
        flow.tokens.push((token.clone(), Some(kinds)));
        token
    }

    pub(super) fn find(&self, name: &str) -> Option<&Var> {
        self.vars.iter().rev().find(|v| v.ident == name)
    }

    /// The index of a variable.
    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.vars.iter().rposition(|v| v.ident == name)
    }

    pub(super) fn find_mut(&mut self, name: &str) -> Option<&mut Var> {
        self.vars.iter_mut().rev().find(|v| v.ident == name)
    }

    /// Declares the variables of a pattern; `set` fills in what else is known.
    pub(super) fn declare(&mut self, pat: &Pat, set: impl Fn(&mut Var)) {
        for found in declared(pat) {
            let mut var = Var {
                ident: found.ident,
                mutable: found.mutable,
                plain: false,
                list: false,
                number: false,
                copied: false,
                reference: false,
                owned: false,
                borrowed: None,
                assigned: true,
                stands_in: false,
                calls: None,
                rebinds: false,
                rebound: false,
                flow: self.flows.len(),
                depth: self.flows.last().map_or(0, |f| f.constructs.len()),
                left: self.flows.last().and_then(|f| f.left.clone()),
            };
            set(&mut var);
            var.owned &= !self.given.contains(&var.ident.to_string());
            if found.reference {
                (var.reference, var.owned, var.plain) = (true, false, false);
            }
            self.vars.push(var);
        }
    }

    /// Declares a parameter. Its type shows whether it holds mutable references, except for the user's types with
    /// hidden lifetimes, and no argument of a trace has such a type.
    pub(super) fn declare_parameter(&mut self, pat: &Pat, ty: &Type) {
        self.declare_typed(pat, ty, !words(ty).contains("mut"));
    }

    /// Declares the variables of a pattern of this type. `owned` tells whether the value is known to be owned.
    pub(super) fn declare_typed(&mut self, pat: &Pat, ty: &Type, owned: bool) {
        let single = matches!(pat, Pat::Ident(_));
        let ty = crate::shared::types::ungroup(ty);
        let owned = owned || plain::owned_type(ty);
        self.declare(pat, |v| {
            v.plain = plain::plain_type(ty);
            v.owned = owned;
            v.list = single && plain::list_type(ty);
            if let Type::Reference(r) = ty
                && single
            {
                v.copied = r.mutability.is_none();
                v.reference = r.mutability.is_some();
            }
            v.copied |= v.plain && single && plain::copied_type(ty);
        });
    }

    /// Declarations that repeat the variables of a range as `mut`, where an arm gives them back.
    pub(super) fn rebound(&self, from: usize, to: usize) -> Option<TokenStream> {
        let vars = self.vars.get(from..to)?.iter().filter(|v| v.rebound);
        let again: TokenStream = vars
            .map(|v| {
                let ident = &v.ident;
                quote_spanned!(Span::mixed_site()=> #[allow(unused_mut, unused_assignments)] let mut #ident = #ident;)
            })
            .collect();
        (!again.is_empty()).then_some(again)
    }

    /// For each variable, whether it has a value.
    pub(super) fn assigned_flags(&self) -> Vec<bool> {
        self.vars.iter().map(|v| v.assigned).collect()
    }

    pub(super) fn restore_assigned(&mut self, flags: &[bool]) {
        for (var, flag) in self.vars.iter_mut().zip(flags) {
            var.assigned = *flag;
        }
    }
}

impl Known for Scope {
    fn is_plain(&self, name: &str) -> bool {
        self.find(name).is_some_and(|v| v.plain || v.number)
    }

    fn is_list(&self, name: &str) -> bool {
        self.find(name).is_some_and(|v| v.list)
    }

    fn is_owned(&self, name: &str) -> bool {
        self.find(name).is_none_or(|v| v.owned || v.copied || v.plain || v.number)
    }

    fn is_mutable(&self, name: &str) -> bool {
        self.find(name).is_some_and(|v| v.mutable || v.reference)
    }
}

/// A name made by the expansion.
pub(super) fn name(word: &str, n: usize) -> Ident {
    format_ident!("{word}{n}", span = Span::mixed_site())
}

/// A label made by the expansion.
pub(super) fn label(word: &str, n: usize) -> Lifetime {
    Lifetime::new(&format!("'{word}{n}"), Span::mixed_site())
}
