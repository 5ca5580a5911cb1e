//! `if`: one driver, both arms inline.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Block, Expr, ExprIf, Stmt};

use super::lower::{Lower, Place, block_of};
use super::names::{Code, Names, mentioned, written};
use super::plain::plain;
use super::raised::BAIL;
use super::scope::{Construct, ConstructKind, Region, joined, label, name};
use super::slots::Seen;

/// How an arm deals with a variable that was declared without a value.
pub(super) struct Late {
    pub ident: Ident,
    pub mutable: bool,
}

/// Whether code gives a variable a value.
#[derive(Clone, Copy, PartialEq)]
enum Gives {
    No,
    Yes,
    /// It does not come to its end.
    Leaves,
}

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

    /// An `if` of Rust's: what it says is in its arms.
    fn rust_if(&mut self, i: &mut ExprIf, place: Place) {
        let outer = self.scope.vars.len();
        if has_let(&i.cond) {
            let later = self.scope.later.clone();
            mentioned(&i.then_branch, &mut self.scope.later);
            i.else_branch.iter().for_each(|(_, e)| mentioned(e, &mut self.scope.later));
            self.bool_condition(&mut i.cond);
            self.scope.later = later;
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
        let site = Span::mixed_site();
        let p = self.p.clone();
        let n = self.scope.number();
        let token = self.scope.token(n, "kind");
        let (driver, value, arms_of) = (name("branch", n), name("value", n), name("arms", n));
        let (late, local) = self.late(&[Arm::Block(&i.then_branch), Arm::of(&i.else_branch)]);
        let mut code = vec![Code::Block(&i.then_branch)];
        code.extend(i.else_branch.iter().map(|(_, e)| Code::Expr(e)));
        let mut names = [Names::new(), Names::new()];
        mentioned(&i.then_branch, &mut names[0]);
        i.else_branch.iter().for_each(|(_, e)| mentioned(e, &mut names[1]));
        let both: Names = names[0].intersection(&names[1]).cloned().collect();
        let slots = self.slots(&written(code), &quote!(&#token), Seen::After(&both));
        let later = self.scope.later.clone();
        names.into_iter().for_each(|names| self.scope.later.extend(names));
        self.condition(&mut i.cond);
        self.scope.later = later;
        let cond = &i.cond;
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
        let arms = [&mut i.then_branch, &mut other];
        let (arms, construct) = self.within(ConstructKind::Branch(token.clone()), |s| {
            arms.map(|arm| s.arm(arm, inner, &late, &local, &arms_of))
        });
        let exits = construct.as_ref().is_some_and(|c| c.exits);
        let left = exits || construct.as_ref().is_some_and(|c| c.fails);
        // A plain arm too is left with nothing if what it leaves is on tensors.
        let leaving = joined(&p, &construct.map(|c| c.kinds).unwrap_or_default());
        self.assigned(&late);
        if exits {
            self.scope.flow().pending.push(token.clone());
            self.must_be_root(i.if_token, place);
        }
        let [then, other] = arms;
        let [enter, leave, take] = around(&p, &driver, &quote!(&#token), &slots);
        let ty = self.arm_type(place);
        let link = match self.value_type(place) {
            Some(ty) => quote_spanned!(site=> let #arms_of: #p::Link<#ty> = #p::link();),
            None => quote_spanned!(site=> let #arms_of = #p::link();),
        };
        let names = late.iter().map(|l| l.ident.to_string());
        let taken = self.take_arm(&late, left, &leaving, &quote!(#value));
        let start = quote_spanned!(i.if_token.span=> .branch(&#token, &(#cond), &[#(#names),*]));
        quote_spanned! {site=> {
            let mut #driver = flow #start;
            #link
            let #value #ty = loop {
                let value = if #driver.arm() { #enter #then } else { #enter #other };
                #leave
                match #driver.end(&#token, value) {
                    #p::End::Done(value) => break value,
                    #p::End::Again => { #p::graph_only(&#token); }
                }
            };
            #take
            #taken
        }}
    }

    /// The code of an arm: its value and those of the variables that it gives one.
    fn arm(
        &mut self,
        block: &mut Block,
        place: Place,
        late: &[Late],
        local: &[Late],
        arms_of: &Ident,
    ) -> TokenStream {
        let assigned = self.scope.assigned_flags();
        let outer = self.scope.vars.len();
        for shadow in late.iter().chain(local) {
            let (ident, depth) = (shadow.ident.clone(), self.scope.flow().constructs.len());
            if let Some(var) = self.scope.find(&ident.to_string()).cloned() {
                self.scope.vars.push(super::scope::Var { depth, stands_in: true, ..var });
            }
        }
        let tokens = self.region(late, local, |s| {
            let (open, close) = (block.brace_token.span.open(), block.brace_token.span.close());
            let at = open.join(close).unwrap_or(open).resolved_at(Span::mixed_site());
            s.block(block, place);
            let body = block_of(&block.stmts, at);
            // Both arms have the type of the first, which the compiler says where they differ.
            quote_spanned!(at=> #arms_of.value(#body))
        });
        self.scope.vars.truncate(outer);
        self.scope.restore_assigned(&assigned);
        tokens
    }

    /// Code that may be left in the middle, as an `Option` of its value.
    pub(super) fn region(
        &mut self,
        late: &[Late],
        local: &[Late],
        run: impl FnOnce(&mut Self) -> TokenStream,
    ) -> TokenStream {
        let site = Span::mixed_site();
        let p = self.p.clone();
        let n = self.scope.number();
        self.scope.flow().regions.push(Region { label: label("region", n), used: false });
        let body = run(self);
        let region = self.scope.flow().regions.pop().filter(|r| r.used).map(|r| r.label);
        let label = region.map(|r| quote!(#r:));
        let lets = late.iter().chain(local).map(|l| {
            let (ident, mutable) = (&l.ident, l.mutable.then(|| quote!(mut)));
            quote_spanned!(site=> #[allow(unused_mut, unused_variables, unused_assignments)] let #mutable #ident;)
        });
        let values = late.iter().map(|l| &l.ident);
        // The variable outside is left alone, so that its type must be said.
        let links: Vec<Ident> = (0..local.len()).map(|i| name("link", i)).collect();
        let locals = local.iter().map(|l| &l.ident);
        let same = quote_spanned! {site=>
            #(if #p::no() { #p::impossible(); #links.is(#locals); })*
        };
        let linked = quote_spanned!(site=> #(let #links = #p::link();)* #same);
        let linked = (!local.is_empty()).then_some(linked);
        let same = (!local.is_empty()).then_some(same);
        quote_spanned! {site=>
            #label {
                #linked
                #(#lets)*
                #same
                ::core::option::Option::Some(#p::Arm(#body, (#(#values,)*)))
            }
        }
    }

    /// Takes the value of an arm apart; without one the code around is left too.
    pub(super) fn take_arm(
        &mut self,
        late: &[Late],
        left: bool,
        kind: &TokenStream,
        value: &TokenStream,
    ) -> TokenStream {
        let site = Span::mixed_site();
        let p = self.p.clone();
        let fresh: Vec<_> = (0..late.len()).map(|i| name("late", i)).collect();
        let idents = late.iter().map(|l| &l.ident);
        let pattern = quote_spanned!(site=> #p::Arm(value, (#(#fresh,)*)));
        let assign = quote_spanned!(site=> #(#idents = #fresh;)*);
        let outside = if left { self.scope.flow().leave() } else { None };
        match outside {
            Some(label) => quote_spanned! {site=>
                match #value {
                    ::core::option::Option::Some(#pattern) => { #assign value }
                    ::core::option::Option::None => {
                        #p::graph_only(#kind);
                        break #label ::core::option::Option::None
                    }
                }
            },
            None => quote_spanned! {site=>
                let #pattern = #p::there(#value);
                #assign
                value
            },
        }
    }

    /// The type of an arm's result, as far as it is known.
    pub(super) fn arm_type(&self, place: Place) -> TokenStream {
        let p = &self.p;
        let site = Span::mixed_site();
        match self.value_type(place) {
            Some(value) => quote_spanned!(site=> : ::core::option::Option<#p::Arm<#value, _>>),
            None => TokenStream::new(),
        }
    }

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

    /// The variables without a value that the arms give one: those that have it after the arms, and those
    /// that only some arms use for themselves.
    fn late(&self, arms: &[Arm<'_>]) -> (Vec<Late>, Vec<Late>) {
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

    /// The late variable of the rest of a block.
    pub(super) fn late_in(&self, stmts: &[Stmt]) -> (Vec<Late>, Vec<Late>) {
        self.late(&[Arm::Stmts(stmts)])
    }

    pub(super) fn assigned(&mut self, late: &[Late]) {
        for found in late {
            if let Some(var) = self.scope.find_mut(&found.ident.to_string()) {
                var.assigned = true;
            }
        }
    }
}

/// The code before and after an arm that gives drivers the state; nothing without state.
pub(super) fn around(
    p: &TokenStream,
    driver: &Ident,
    kind: &TokenStream,
    slots: &[TokenStream],
) -> [TokenStream; 3] {
    if slots.is_empty() {
        return Default::default();
    }
    let site = Span::mixed_site();
    let call = |method: TokenStream| {
        quote_spanned! {site=>
            if #p::is_graph(#kind) {
                #p::graph_only(#kind);
                #driver.#method(&mut [#(#slots),*]);
            }
        }
    };
    [call(quote!(enter)), call(quote!(leave)), call(quote!(take))]
}

impl Construct {
    pub(super) fn is_converted(&self) -> bool {
        !matches!(self.kind, ConstructKind::Rust { .. })
    }

    /// The kinds that say whether code in it may be visited besides other code, or again; with `guards` and
    /// `bodies` also those of code that follows an exit, and of exits of a loop.
    pub(super) fn handing(&self, guards: bool, bodies: bool) -> Vec<Ident> {
        match &self.kind {
            ConstructKind::Branch(token) => vec![token.clone()],
            ConstructKind::Loop(l) => {
                let body = bodies.then(|| l.body.clone());
                l.head.clone().into_iter().chain(body).collect()
            }
            ConstructKind::Guard(tokens) if guards => tokens.clone(),
            ConstructKind::Guard(_) | ConstructKind::Rust { .. } => Vec::new(),
        }
    }
}

/// One arm, as it was written.
enum Arm<'a> {
    Block(&'a Block),
    Expr(&'a Expr),
    Stmts(&'a [Stmt]),
    None,
}

impl<'a> Arm<'a> {
    fn of(other: &'a Option<(syn::Token![else], Box<Expr>)>) -> Self {
        other.as_ref().map_or(Arm::None, |(_, e)| Arm::Expr(e))
    }

    fn gives(&self, name: &str) -> Gives {
        match self {
            Arm::Block(b) => gives_all(&b.stmts, name),
            Arm::Expr(e) => gives(e, name),
            Arm::Stmts(s) => gives_all(s, name),
            Arm::None => Gives::No,
        }
    }

    fn mentions(&self, name: &str) -> bool {
        let found = match self {
            Arm::Block(b) => written([Code::Block(b)]),
            Arm::Expr(e) => written([Code::Expr(e)]),
            Arm::Stmts(s) => written([Code::Stmts(s)]),
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
                if super::names::declared(&l.pat).iter().any(|d| d.ident == name) {
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

/// True if the block does not come to its end.
pub(super) fn diverges(e: &Expr) -> bool {
    gives(e, "") == Gives::Leaves
}

/// True for a condition with patterns.
pub(super) fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        Expr::Paren(p) => has_let(&p.expr),
        _ => false,
    }
}
