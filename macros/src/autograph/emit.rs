//! Generates the code of converted constructs. Nothing here looks at the user's code.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Block, Lifetime, Stmt};

use super::late::Late;
use super::scope::Slot;

/// `{ … }` of statements.
pub(super) fn block_of(stmts: &[Stmt], at: Span) -> TokenStream {
    let brace_token = syn::token::Brace(at.resolved_at(Span::mixed_site()));
    Block { brace_token, stmts: stmts.to_vec() }.into_token_stream()
}

/// Declares kinds, some of them joined from others.
pub(super) fn kinds(p: &TokenStream, tokens: &[(Ident, Option<Vec<Ident>>)]) -> TokenStream {
    let site = Span::mixed_site();
    let declared = tokens.iter().map(|(token, parts)| match parts {
        None => quote_spanned!(site=> let #token = #p::token();),
        Some(parts) => {
            let pairs = parts.iter().rev().fold(quote!(()), |rest, t| quote!((&#t, #rest)));
            quote_spanned!(site=> let #token = #p::join(&#pairs);)
        }
    });
    declared.collect()
}

/// States that `token` is the same kind as `kind`.
pub(super) fn same(p: &TokenStream, token: &Ident, kind: &Ident) -> TokenStream {
    quote_spanned!(token.span()=> #p::same(&#token, &#kind);)
}

/// Code for tensors only: the compiler treats it as unreachable if the kind is plain.
pub(super) fn graph(p: &TokenStream, kind: &Ident, code: TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        if #p::is_graph(&#kind) {
            #p::graph_only(&#kind);
            #code
        }
    }
}

impl Slot {
    fn of(&self, p: &TokenStream, kind: &Ident) -> TokenStream {
        let Slot { name, place, life, at, .. } = self;
        let p = p.clone().into_iter().map(|mut token| {
            token.set_span(*at);
            token
        });
        let (p, make): (TokenStream, _) = (p.collect(), Ident::new(self.make, *at));
        let place = match self.make {
            "through" => place.clone(),
            _ => quote_spanned!(*at=> &mut #place),
        };
        quote_spanned!(*at=> #p::#make(&#kind, #name, #place) #life)
    }
}

/// The slots that are written under a condition of this kind.
pub(super) fn written_in(p: &TokenStream, slots: &[Slot], kind: &Ident) -> TokenStream {
    let slots = slots.iter().map(|slot| slot.of(p, kind));
    quote_spanned!(Span::mixed_site()=> &mut [#(#slots),*])
}

/// How the code around a construct is left, if the construct may leave it.
pub(super) struct Outside {
    pub kind: Ident,
    pub label: Lifetime,
}

impl Outside {
    fn leave(&self, p: &TokenStream) -> TokenStream {
        let Outside { kind, label } = self;
        quote_spanned! {Span::mixed_site()=>
            #p::graph_only(&#kind);
            break #label ::core::option::Option::None;
        }
    }

    /// The value in an `Option`; without one, the surrounding code is left too.
    pub(super) fn taken(&self, p: &TokenStream, value: &TokenStream) -> TokenStream {
        let leave = self.leave(p);
        quote_spanned! {Span::mixed_site()=>
            match #value {
                ::core::option::Option::Some(value) => value,
                ::core::option::Option::None => { #leave }
            }
        }
    }
}

/// An arm of an `if`.
pub(super) struct Arm {
    pub body: TokenStream,
    /// The label by which its code is left early.
    pub label: Option<Lifetime>,
    /// Its own declarations of variables that have no value yet.
    pub declared: TokenStream,
    pub at: Span,
}

/// A variable that arms may consume by a method or a pattern, and that is given back.
pub(super) struct Kept {
    pub ident: Ident,
    pub name: Ident,
    /// True if the first arm may consume it and later code uses it.
    pub after_first: bool,
    /// The same for the second arm.
    pub after_second: bool,
}

/// A converted `if`.
pub(super) struct Branch {
    pub label: Lifetime,
    pub driver: Ident,
    pub link: Ident,
    pub kind: Ident,
    pub cond: TokenStream,
    pub at: Span,
    pub slots: Vec<Slot>,
    pub kept: Vec<Kept>,
    /// The variables that get their first value in both arms.
    pub late: Vec<Late>,
    pub ty: Option<TokenStream>,
    pub arms: [Arm; 2],
    pub outside: Option<Outside>,
}

impl Branch {
    pub(super) fn code(&self, p: &TokenStream) -> TokenStream {
        let site = Span::mixed_site();
        let Branch { label, driver, kind, cond, late, outside, .. } = self;
        let slots = written_in(p, &self.slots, kind);
        let enter = (!self.slots.is_empty())
            .then(|| graph(p, kind, quote_spanned!(site=> #driver.enter(#slots);)));
        let names = late.iter().map(|l| l.ident.to_string());
        let start = quote_spanned!(self.at=> .branch(&#kind, &(#cond), &[#(#names),*]));
        let [first, second] = self.arms.each_ref().map(|arm| self.arm(arm, p));
        // An error about a value that a trace can't hold points at the arm.
        let [first_at, second_at] = self.arms.each_ref().map(|arm| arm.at);
        let [keep, join] = [("keep", first_at), ("join", second_at)].map(|(method, at)| {
            let method = Ident::new(method, at);
            let value = match outside {
                Some(_) => quote_spanned!(at=> value),
                None => quote_spanned!(at=> ::core::option::Option::Some(value)),
            };
            quote_spanned!(at=> .#method(#value, #slots))
        });
        let joined = match outside {
            Some(_) => quote_spanned!(site=> #driver #join),
            None => quote_spanned!(site=> #p::there(#driver #join)),
        };
        let only = quote_spanned! {site=>
            if #driver.done() {
                break #label value;
            }
            #p::graph_only(&#kind);
        };
        let arms = &self.link;
        let link = self.ty.is_none().then(|| quote_spanned!(site=> let #arms = #p::link();));
        let [keeps, back, again] = self.given_back(p);
        let whole = quote_spanned! {site=>
            #label: {
                let mut #driver = flow #start;
                #link
                #keeps
                #enter
                if #driver.then() {
                    #first
                    #back
                    #only
                    #driver #keep;
                }
                #second
                #again
                #only
                #joined
            }
        };
        if late.is_empty() && outside.is_none() {
            return whole;
        }
        let value = quote_spanned!(site=> value);
        let taken = outside.as_ref().map(|o| o.taken(p, &value)).unwrap_or(value);
        if late.is_empty() {
            return quote_spanned!(site=> { let value = #whole; #taken });
        }
        let given = given(p, late, &taken);
        quote_spanned!(site=> { let value = #whole; #given })
    }

    /// Code that keeps variables before the arms, and code that gives them back after each arm.
    fn given_back(&self, p: &TokenStream) -> [TokenStream; 3] {
        let (site, kind) = (Span::mixed_site(), &self.kind);
        let keeps = self.kept.iter().map(|Kept { ident, name, .. }| {
            quote_spanned!(site=> let #name = (&&&#p::Keep(&#ident, &#kind)).keep();)
        });
        let after = |is_after: fn(&Kept) -> bool| {
            let kept = self.kept.iter().filter(|k| is_after(k));
            let back: TokenStream = kept
                .map(|Kept { ident, name, .. }| {
                    quote_spanned! {site=>
                        if #name.is_kept() { #ident = #name.back(); } else { #name.gone(); }
                    }
                })
                .collect();
            if back.is_empty() {
                return back;
            }
            // For tensors the `else` is unreachable, so the compiler knows that the variables are given back.
            let given = graph(p, kind, back);
            quote_spanned!(site=> #given else { #p::plain_only(&#kind); })
        };
        [keeps.collect(), after(|k| k.after_first), after(|k| k.after_second)]
    }

    /// `let value = …;`
    fn arm(&self, arm: &Arm, p: &TokenStream) -> TokenStream {
        let (value, ty) = arm.value(p, &self.late, self.outside.is_some(), self.ty.clone());
        match ty {
            Some(ty) => quote_spanned!(Span::mixed_site()=> let value: #ty = #value;),
            // Both arms have the type of the first; the compiler reports a difference.
            None => {
                let arms = &self.link;
                quote_spanned!(arm.at=> let value = #arms.value(#value);)
            }
        }
    }
}

impl Arm {
    /// The value of the arm, together with the first values of `late` variables, and its type. `ty` is the type of the
    /// arm's own value, if known. Both are wrapped in an `Option` if the arm may be left.
    fn value(
        &self,
        p: &TokenStream,
        late: &[Late],
        is_left: bool,
        mut ty: Option<TokenStream>,
    ) -> (TokenStream, Option<TokenStream>) {
        let site = Span::mixed_site();
        let Arm { body, label, declared, at } = self;
        let mut value = body.clone();
        if !late.is_empty() {
            let late = late.iter().map(|l| &l.ident);
            value = quote_spanned!(*at=> #p::ArmResults(#value, (#(#late,)*)));
            ty = ty.map(|ty| quote_spanned!(site=> #p::ArmResults<#ty, _>));
        }
        if is_left {
            ty = ty.map(|ty| quote_spanned!(site=> ::core::option::Option<#ty>));
            value = quote_spanned!(*at=> ::core::option::Option::Some(#value));
        }
        let label = label.as_ref().map(|label| quote!(#label:));
        if label.is_some() || !declared.is_empty() {
            value = quote_spanned!(*at=> #label { #declared #value });
        }
        (value, ty)
    }
}

/// Assigns the first values of variables, which were returned together with the value.
fn given(p: &TokenStream, late: &[Late], taken: &TokenStream) -> TokenStream {
    let (idents, fresh) = fresh(late);
    quote_spanned! {Span::mixed_site()=>
        let #p::ArmResults(value, (#(#fresh,)*)) = #taken;
        #(#idents = #fresh;)*
        value
    }
}

/// The end of code that may be left early. The rests that were opened in it are closed here.
pub(super) struct Closed {
    /// The variable of the run-time half.
    pub section: Option<Ident>,
    /// The kind under which it is left.
    pub kind: Ident,
    /// The slots that are written in the rests.
    pub slots: Vec<Slot>,
}

impl Closed {
    /// `let value = …;`
    pub(super) fn code(
        &self,
        p: &TokenStream,
        ty: Option<TokenStream>,
        value: TokenStream,
    ) -> TokenStream {
        let (site, kind) = (Span::mixed_site(), &self.kind);
        let ty = ty.map(|ty| quote_spanned!(site=> : #ty));
        let Some(section) = self.section.as_ref().filter(|_| !self.slots.is_empty()) else {
            return quote_spanned!(site=> let value #ty = #value;);
        };
        let slots = written_in(p, &self.slots, kind);
        let close = quote_spanned!(site=> value = #section.close(&#kind, value, #slots););
        let close = graph(p, kind, close);
        quote_spanned! {site=>
            let #section = flow.section();
            let mut value #ty = #value;
            #close
        }
    }
}

/// Code that ends with the last use of references after a possible exit.
pub(super) struct Section {
    pub stmts: Vec<Stmt>,
    /// The label by which it is left early.
    pub label: Lifetime,
    /// Its own declarations of variables that have no value yet.
    pub declared: TokenStream,
    /// The variables that get their first value in it.
    pub late: Vec<Late>,
    /// The variables that are declared in it and stay alive.
    pub exported: Vec<Late>,
    pub ty: Option<TokenStream>,
    pub closed: Closed,
    pub outside: Outside,
}

impl Section {
    pub(super) fn code(&self, p: &TokenStream) -> TokenStream {
        let site = Span::mixed_site();
        let Section { stmts, label, declared, late, exported, .. } = self;
        let taken = self.outside.taken(p, &quote_spanned!(site=> value));
        let body = block_of(stmts, site);
        let arm = Arm { body, label: Some(label.clone()), declared: declared.clone(), at: site };
        if exported.is_empty() {
            let (value, ty) = arm.value(p, late, true, self.ty.clone());
            let closed = self.closed.code(p, ty, value);
            let taken = if late.is_empty() { taken } else { given(p, late, &taken) };
            return quote_spanned!(site=> { #closed #taken });
        }
        let closed = self.closed.code(p, None, arm.value(p, &[], true, None).0);
        let (idents, fresh) = fresh(late);
        let lets = exported.iter().map(|Late { ident, mutable }| {
            let mutable = mutable.then(|| quote!(mut));
            quote_spanned!(site=> #mutable #ident)
        });
        let lets = pairs(fresh.iter().map(ToTokens::to_token_stream).chain(lets));
        quote_spanned! {site=>
            #[allow(unused_mut, unused_variables, unused_assignments)]
            let #lets = { #closed #taken };
            #(#idents = #fresh;)*
        }
    }

    /// The value of a section that exports variables.
    pub(super) fn end(late: &[Late], exported: &[Late]) -> TokenStream {
        pairs(late.iter().chain(exported).map(|l| l.ident.to_token_stream()))
    }
}

/// Nested pairs, since a tuple has a limited number of parts.
fn pairs(parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let parts: Vec<TokenStream> = parts.collect();
    let pair = |rest, part| quote_spanned!(Span::mixed_site()=> (#part, #rest));
    parts.into_iter().rev().fold(quote!(()), pair)
}

/// Variables, and names for their values.
fn fresh(late: &[Late]) -> (impl Iterator<Item = &Ident>, Vec<Ident>) {
    let name = |i| quote::format_ident!("late{i}", span = Span::mixed_site());
    (late.iter().map(|l| &l.ident), (0..late.len()).map(name).collect())
}

/// A converted loop.
pub(super) struct Loop {
    pub label: Lifetime,
    pub object: Ident,
    /// The user's keyword, and its place.
    pub word: &'static str,
    pub at: Span,
    /// The head: `while …`, `for … in …`, `loop`.
    pub head: TokenStream,
    /// The first statements of the body.
    pub start: TokenStream,
    /// The kind under which the body is left, if it may be, and the kind that it equals.
    pub body: Option<(Ident, Ident)>,
    /// What an iteration writes, if an earlier one may have left the loop.
    pub begin: Vec<Slot>,
    /// What iterations write under a condition, if something leaves the body under one.
    pub end: Option<Vec<Slot>>,
    pub code: TokenStream,
    /// The label by which the body's code is left early.
    pub region: Option<Lifetime>,
    /// What follows a loop that has no value.
    pub checks: TokenStream,
    /// The value of a loop that always ends with a `break`, as an `Option`.
    pub value: Option<TokenStream>,
}

impl Loop {
    /// The loop, and the code after it.
    pub(super) fn code(&self, p: &TokenStream) -> [TokenStream; 2] {
        let site = Span::mixed_site();
        let Loop { label, object, head, start, code, checks, value, .. } = self;
        let code = match &self.region {
            Some(region) => quote_spanned! {site=>
                let _: ::core::option::Option<()> = #region: {
                    ::core::option::Option::Some(#code)
                };
            },
            None => code.clone(),
        };
        let (mut begin, mut end) = (None, None);
        if let (Some((kind, _)), Some(slots)) = (&self.body, &self.end) {
            let begun = written_in(p, &self.begin, kind);
            begin = Some(graph(p, kind, quote_spanned!(site=> #object.begin(#begun);)));
            let slots = written_in(p, slots, kind);
            let over = quote_spanned!(site=> if #object.end(#slots) { break #label #value; });
            end = Some(graph(p, kind, over));
        }
        let same = self.body.as_ref().map(|(token, kind)| {
            let token = Ident::new(&token.to_string(), self.at.resolved_at(site));
            same(p, &token, kind)
        });
        let close = self.body.is_some().then(|| quote_spanned!(site=> #object.close();));
        let looped = quote_spanned!(site=> #label: #head { #start #begin #code #end });
        [looped, quote_spanned!(site=> #same #checks #close)]
    }

    /// `let repeat = …;`
    pub(super) fn declared(&self) -> TokenStream {
        let (object, word) = (&self.object, self.word);
        let start = quote_spanned!(self.at=> .repeat(#word));
        quote_spanned!(Span::mixed_site()=> let #object = flow #start;)
    }
}
