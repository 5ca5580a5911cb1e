//! What the code around the point that is being read says: its variables, and the constructs that it
//! stands in.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Lifetime, Pat, Type};

use super::names::{Names, declared};
use super::plain::{self, Known};

/// A variable of the body.
#[derive(Clone)]
pub(super) struct Var {
    pub ident: Ident,
    pub mutable: bool,
    /// Holds no tensor.
    pub plain: bool,
    /// A list, whatever it holds.
    pub list: bool,
    /// `let mut k = 0`: a number of Rust's, whatever is assigned.
    pub number: bool,
    /// Of a type that is copied: a number, a shared reference.
    pub copied: bool,
    /// A mutable reference: what it refers to is what code writes.
    pub reference: bool,
    /// Certainly no mutable reference.
    pub owned: bool,
    /// False after `let y;`.
    pub assigned: bool,
    /// Of an arm, in the place of one around it that has no value yet.
    pub stands_in: bool,
    /// The function or closure that declares it.
    pub flow: usize,
    /// How many constructs of that function it stands in.
    pub depth: usize,
}

impl Var {
    /// True if it may be a mutable reference, for all that is visible.
    pub(super) fn may_refer(&self) -> bool {
        !(self.mutable || self.reference || self.owned || self.copied || self.plain || self.number)
    }
}

/// The body of a function or closure.
#[derive(Clone)]
pub(super) struct Flow {
    /// The type of the result, if it is written.
    pub result: Option<Type>,
    /// The kinds of its conditions, declared at its start.
    pub tokens: Vec<Ident>,
    pub constructs: Vec<Construct>,
    pub regions: Vec<Region>,
    /// Kinds of the conditions under which the code so far may have left.
    pub pending: Vec<Ident>,
    /// Something was converted that needs the run-time half.
    pub used: bool,
    /// The type of the `let` whose value is read.
    pub typed: Option<Type>,
    /// True in the value of an exit: for a trace the code after the exit follows.
    pub leaving: bool,
}

/// Code that may be left in the middle.
#[derive(Clone)]
pub(super) struct Region {
    pub label: Lifetime,
    pub used: bool,
}

/// What encloses a piece of code.
#[derive(Clone)]
pub(super) struct Construct {
    pub kind: ConstructKind,
    /// Left by a `return`, or by a `break` or `continue` of something around it.
    pub exits: bool,
    /// Left by what fails: a `return Err(…)`, a `panic!`.
    pub fails: bool,
    /// The kinds under which it is left so.
    pub kinds: Vec<Ident>,
}

#[derive(Clone)]
pub(super) enum ConstructKind {
    /// An arm of a converted `if`, with the kind of its condition.
    Branch(Ident),
    /// Code after a statement that may have left, under one of these kinds.
    Guard(Vec<Ident>),
    /// A converted loop.
    Loop(Loop),
    /// A loop or labelled block of Rust's.
    Rust { label: Option<String>, is_loop: bool },
}

#[derive(Clone)]
pub(super) struct Loop {
    /// The user's label.
    pub label: Option<String>,
    pub own_label: Lifetime,
    /// The run-time half.
    pub object: Ident,
    /// The kind of its condition or iterator, if it has one that may be of tensors.
    pub head: Option<Ident>,
    /// The kind of the conditions under which its body is left.
    pub body: Ident,
    /// True if a condition stands between the loop and something that leaves its body.
    pub crossed: bool,
    /// One of these leaves the loop, not only an iteration.
    pub left: bool,
    /// Breaks give a value.
    pub valued: bool,
    /// What is mentioned after the loop.
    pub after: Names,
}

impl Flow {
    pub(super) fn new(result: Option<Type>) -> Self {
        Self {
            result,
            tokens: Vec::new(),
            constructs: Vec::new(),
            regions: Vec::new(),
            pending: Vec::new(),
            used: false,
            typed: None,
            leaving: false,
        }
    }

    /// The label to leave by, which is thereby used.
    pub(super) fn leave(&mut self) -> Option<Lifetime> {
        let region = self.regions.last_mut()?;
        region.used = true;
        Some(region.label.clone())
    }
}

/// All that is known at a point of the code.
#[derive(Clone)]
pub(super) struct Scope {
    pub vars: Vec<Var>,
    pub flows: Vec<Flow>,
    /// What is mentioned after this point.
    pub later: Names,
    /// What is mentioned after the loop that is about to be read.
    pub after: Names,
    next: usize,
    /// Of code that is in no function.
    outside: Flow,
}

impl Scope {
    pub(super) fn new() -> Self {
        Self {
            vars: Vec::new(),
            flows: Vec::new(),
            later: Names::new(),
            after: Names::new(),
            next: 0,
            outside: Flow::new(None),
        }
    }

    pub(super) fn flow(&mut self) -> &mut Flow {
        self.flows.last_mut().unwrap_or(&mut self.outside)
    }

    /// A number for new names.
    pub(super) fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    /// A new kind, declared at the start of the function.
    pub(super) fn token(&mut self, n: usize, word: &str) -> Ident {
        let token = name(word, n);
        let flow = self.flow();
        flow.tokens.push(token.clone());
        flow.used = true;
        token
    }

    pub(super) fn find(&self, name: &str) -> Option<&Var> {
        self.vars.iter().rev().find(|v| v.ident == name)
    }

    pub(super) fn find_mut(&mut self, name: &str) -> Option<&mut Var> {
        self.vars.iter_mut().rev().find(|v| v.ident == name)
    }

    /// Declares what the pattern binds, of which `set` knows more.
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
                assigned: true,
                stands_in: false,
                flow: self.flows.len(),
                depth: self.flows.last().map_or(0, |f| f.constructs.len()),
            };
            set(&mut var);
            if found.reference {
                (var.reference, var.owned, var.plain) = (true, false, false);
            }
            self.vars.push(var);
        }
    }

    /// Declares what a pattern of this type binds.
    pub(super) fn declare_typed(&mut self, pat: &Pat, ty: &Type) {
        let single = matches!(pat, Pat::Ident(_));
        let ty = crate::shared::types::ungroup(ty);
        let owned = !mentions_mut(quote::ToTokens::to_token_stream(ty));
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
            v.copied |= v.plain && single && copied_type(ty);
        });
    }

    /// Which variables have a value.
    pub(super) fn assigned_flags(&self) -> Vec<bool> {
        self.vars.iter().map(|v| v.assigned).collect()
    }

    pub(super) fn restore_assigned(&mut self, flags: &[bool]) {
        for (var, flag) in self.vars.iter_mut().zip(flags) {
            var.assigned = *flag;
        }
    }
}

/// True if `mut` is among the tokens.
fn mentions_mut(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "mut",
        TokenTree::Group(group) => mentions_mut(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
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

fn copied_type(ty: &Type) -> bool {
    match ty {
        Type::Path(p) => p.path.segments.last().is_some_and(|s| {
            s.arguments.is_empty() && s.ident.to_string().starts_with(char::is_lowercase)
        }),
        _ => false,
    }
}

/// A name of the expansion's own.
pub(super) fn name(word: &str, n: usize) -> Ident {
    format_ident!("{word}{n}", span = Span::mixed_site())
}

/// A label of the expansion's own.
pub(super) fn label(word: &str, n: usize) -> Lifetime {
    Lifetime::new(&format!("'{word}{n}"), Span::mixed_site())
}

/// One kind for several, of tensors if one of them is: a reference to it.
pub(super) fn joined(p: &TokenStream, tokens: &[Ident]) -> TokenStream {
    let value = joined_value(p, tokens);
    quote!(&#value)
}

/// The same where messages about it are to stand.
pub(super) fn joined_at(p: &TokenStream, tokens: &[Ident], span: Span) -> TokenStream {
    let at = |token: &Ident| Ident::new(&token.to_string(), span.resolved_at(Span::mixed_site()));
    let value = joined_value(p, &tokens.iter().map(at).collect::<Vec<_>>());
    quote::quote_spanned!(span=> &#value)
}

/// One kind for several.
pub(super) fn joined_value(p: &TokenStream, tokens: &[Ident]) -> TokenStream {
    let mut known: Vec<&Ident> = Vec::new();
    for token in tokens {
        if !known.contains(&token) {
            known.push(token);
        }
    }
    match &known[..] {
        [one] => quote!(#one),
        several => {
            let list = several.iter().rev().fold(quote!(()), |rest, t| quote!((&#t, #rest)));
            quote!(#p::join(&#list))
        }
    }
}
