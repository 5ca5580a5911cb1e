//! Macros of the standard library whose arguments are converted: assertions, printing, `vec!`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Ident, Lit, Macro, Token};

use super::names::ENSURE;
use super::plain::plain;
use super::scope::{Lower, Place};

const KNOWN: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "println",
    "eprintln",
    "print",
    "eprint",
    "vec",
];

pub(super) fn is_known(mac: &Macro) -> bool {
    let ensures = mac.path.segments.last().is_some_and(|s| s.ident == ENSURE);
    ensures || KNOWN.iter().any(|k| mac.path.is_ident(k))
}

/// An argument of a formatting macro.
struct Argument {
    name: Option<Ident>,
    value: Expr,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if named {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Some(name)
        } else {
            None
        };
        Ok(Self { name, value: input.parse()? })
    }
}

/// A part of a formatted text.
enum Part {
    Text(String),
    /// A value, its format (`{}`, `{:?}`), and its span.
    Value(Expr, String, Span),
}

/// A text and the values in it, which are evaluated once and in the order of writing.
#[derive(Default)]
struct Text {
    parts: Vec<Part>,
    values: Vec<Expr>,
}

impl Text {
    fn of(text: String) -> Self {
        Self { parts: vec![Part::Text(text)], values: Vec::new() }
    }

    /// The local that holds a value.
    fn local(i: usize) -> Ident {
        quote::format_ident!("argument{i}", span = Span::mixed_site())
    }
}

impl Lower {
    /// The macro's conversion; `None` if it stays, with its arguments converted if they are expressions.
    pub(super) fn macro_call(&mut self, mac: &mut Macro) -> Option<TokenStream> {
        if let Some(raising) = self.raising(mac) {
            return Some(raising);
        }
        let name = mac.path.get_ident()?.to_string();
        if self.own_macros.contains(&name) {
            return None;
        }
        let debug = name.strip_prefix("debug_");
        match debug.unwrap_or(&name) {
            "vec" => {
                self.vec(mac);
                None
            }
            "assert" => self.assertion(mac, debug.is_some()),
            "assert_eq" => self.equality(mac, debug.is_some(), true),
            "assert_ne" => self.equality(mac, debug.is_some(), false),
            "println" => self.printing(mac, "stdout", true),
            "eprintln" => self.printing(mac, "stderr", true),
            "print" => self.printing(mac, "stdout", false),
            "eprint" => self.printing(mac, "stderr", false),
            "panic" => self.panicking(mac, "", "explicit panic"),
            "unreachable" => {
                let text = "internal error: entered unreachable code";
                self.panicking(mac, &format!("{text}: "), text)
            }
            "todo" => self.panicking(mac, "not yet implemented: ", "not yet implemented"),
            "unimplemented" => self.panicking(mac, "not implemented: ", "not implemented"),
            _ => None,
        }
    }

    fn vec(&mut self, mac: &mut Macro) {
        let before = std::mem::take(&mut self.changed);
        if let Some(mut list) = self.list(&mac.tokens) {
            list.iter_mut().for_each(|e| self.expr(e, Place::Inner));
            if self.changed {
                mac.tokens = list.to_token_stream();
            }
        }
        self.changed |= before;
    }

    fn arguments(&self, mac: &Macro) -> Option<Vec<Argument>> {
        let parser = Punctuated::<Argument, Token![,]>::parse_terminated;
        Some(parser.parse2(mac.tokens.clone()).ok()?.into_iter().collect())
    }

    fn assertion(&mut self, mac: &Macro, debug: bool) -> Option<TokenStream> {
        let mut arguments = self.arguments(mac)?;
        if arguments.is_empty() {
            return None;
        }
        let mut cond = arguments.remove(0).value;
        if plain(&cond, &self.scope) {
            return None;
        }
        let text = cond.to_token_stream().to_string();
        let text = match arguments.is_empty() {
            true => Text::of(format!("assertion failed: {text}")),
            false => self.text(arguments)?,
        };
        let span = cond.span().resolved_at(Span::mixed_site());
        self.condition(&mut cond);
        let p = self.p.clone();
        let checked = quote_spanned!(span=> #p::check(&(#cond), false));
        Some(self.checked(mac, &checked, text, debug))
    }

    fn equality(&mut self, mac: &Macro, debug: bool, equal: bool) -> Option<TokenStream> {
        let mut arguments = self.arguments(mac)?;
        if arguments.len() < 2 {
            return None;
        }
        let mut right = arguments.remove(1).value;
        let mut left = arguments.remove(0).value;
        if plain(&left, &self.scope) && plain(&right, &self.scope) {
            return None;
        }
        let site = Span::mixed_site();
        let word = if equal { "==" } else { "!=" };
        let mut text = Text::of(format!("assertion `left {word} right` failed"));
        if !arguments.is_empty() {
            let given = self.text(arguments)?;
            text.parts.push(Part::Text(": ".to_owned()));
            text.parts.extend(given.parts);
            text.values = given.values;
        }
        let value = |name: &str| {
            let ident = Ident::new(name, site);
            Part::Value(Expr::Verbatim(quote!(*#ident)), "{:?}".to_owned(), site)
        };
        text.parts.push(Part::Text("\n  left: ".to_owned()));
        text.parts.push(value("left"));
        text.parts.push(Part::Text("\n right: ".to_owned()));
        text.parts.push(value("right"));
        self.expr(&mut left, Place::Lent);
        self.expr(&mut right, Place::Lent);
        let p = self.p.clone();
        let span = left.span().resolved_at(site);
        let method = if equal { quote!(equal) } else { quote!(not_equal) };
        let checked =
            quote_spanned!(span=> #p::check(&(&&&&#p::Pair(left, right)).#method(), #equal));
        let code = self.checked(mac, &checked, text, debug);
        Some(quote_spanned!(site=> match (&(#left), &(#right)) { (left, right) => #code }))
    }

    fn checked(
        &mut self,
        mac: &Macro,
        checked: &TokenStream,
        text: Text,
        debug: bool,
    ) -> TokenStream {
        self.changed = true;
        let site = Span::mixed_site();
        let at = mac.path.span();
        let raise = |pieces: &[TokenStream]| {
            let raise = quote_spanned!(at=> .raise(&[#(#pieces),*]));
            quote_spanned!(site=> failed #raise)
        };
        let raise = self.with_pieces(text, raise);
        let code = quote_spanned! {site=>
            if let ::core::option::Option::Some(failed) = #checked {
                #raise;
            }
        };
        if debug {
            return quote_spanned!(site=> { if ::core::cfg!(debug_assertions) { #code } });
        }
        quote_spanned!(site=> { #code })
    }

    /// A panic inside traced control flow: the graph's run fails when it reaches this point.
    fn panicking(&mut self, mac: &Macro, start: &str, bare: &str) -> Option<TokenStream> {
        let site = Span::mixed_site();
        let p = self.p.clone();
        let mut text = match self.arguments(mac) {
            Some(arguments) if arguments.is_empty() => Text::of(bare.to_owned()),
            Some(arguments) => self.text(arguments)?,
            None => return None,
        };
        if !mac.tokens.is_empty() && !start.is_empty() {
            text.parts.insert(0, Part::Text(start.to_owned()));
        }
        let (kinds, region) = self.failing()?;
        self.changed = true;
        let kind = self.scope.joined(kinds);
        // Errors at run time name the user's line.
        let at = mac.path.span();
        let note = self.with_pieces(text, |pieces| {
            let note = quote_spanned!(at=> .note_panic(&[#(#pieces),*]));
            quote_spanned!(site=> flow #note)
        });
        Some(quote_spanned! {site=> {
            if flow.leaving() {
                #p::graph_only(&#kind);
                #note;
                break #region ::core::option::Option::None;
            }
            #mac
        }})
    }

    fn printing(&mut self, mac: &Macro, stream: &str, line: bool) -> Option<TokenStream> {
        let arguments = self.arguments(mac)?;
        let text = self.text(arguments)?;
        let inside = self.converted_around();
        let known = |e: &Expr| matches!(e, Expr::Verbatim(_)) || plain(e, &self.scope);
        let unknown = |p: &Part| matches!(p, Part::Value(e, ..) if !known(e));
        let known =
            !text.parts.iter().any(unknown) && text.values.iter().all(|e| plain(e, &self.scope));
        if known && !inside {
            return None;
        }
        self.changed = true;
        let (p, site) = (self.p.clone(), Span::mixed_site());
        // Under a condition, printing waits for the condition, even if all values are plain.
        let print = |pieces: &[TokenStream]| match inside {
            true => quote_spanned!(site=> flow.print(&[#(#pieces),*], #stream, #line)),
            false => quote_spanned!(site=> #p::print(&[#(#pieces),*], #stream, #line)),
        };
        Some(self.with_pieces(text, print))
    }

    /// The code that `run` makes of the pieces of a text, after the values are evaluated.
    fn with_pieces(
        &mut self,
        text: Text,
        run: impl FnOnce(&[TokenStream]) -> TokenStream,
    ) -> TokenStream {
        let site = Span::mixed_site();
        let mut values = text.values;
        values.iter_mut().for_each(|value| self.expr(value, Place::Lent));
        let locals: Vec<Ident> = (0..values.len()).map(Text::local).collect();
        let run = run(&self.pieces(text.parts));
        match values.is_empty() {
            true => run,
            false => quote_spanned!(site=> match (#(&(#values),)*) { (#(#locals,)*) => #run }),
        }
    }

    fn pieces(&mut self, parts: Vec<Part>) -> Vec<TokenStream> {
        let (p, site) = (self.p.clone(), Span::mixed_site());
        let piece = |part| match part {
            Part::Text(text) => quote_spanned!(site=> #p::Piece::Text(#p::text(#text))),
            Part::Value(mut value, format, at) => {
                self.expr(&mut value, Place::Lent);
                let at = at.resolved_at(site);
                // Width and precision are left to Rust's formatting.
                let shown = match ["{:}", "{:?}", "{:#?}"].contains(&format.as_str()) {
                    true => quote_spanned!(at=> tensor()),
                    false => quote_spanned!(at=> styled()),
                };
                quote_spanned! {site=>
                    match &(#value) {
                        value => match (&&#p::Shown(value)).#shown {
                            ::core::option::Option::Some(tensor) => #p::Piece::Tensor(tensor),
                            ::core::option::Option::None => #p::Piece::Text(#p::format!(#format, value)),
                        }
                    }
                }
            }
        };
        parts.into_iter().map(piece).collect()
    }

    /// A format string with its arguments; `None` if this reader does not support it.
    fn text(&self, mut arguments: Vec<Argument>) -> Option<Text> {
        if arguments.is_empty() {
            return None;
        }
        let Expr::Lit(first) = arguments.remove(0).value else { return None };
        let Lit::Str(literal) = &first.lit else { return None };
        let (text, span) = (literal.value(), literal.span());
        let mut parts = Vec::new();
        let mut plain_text = String::new();
        let local = |i: usize| -> Option<(Expr, Span)> {
            let ident = Text::local(i);
            arguments.get(i).map(|a| (Expr::Verbatim(quote!(*#ident)), a.value.span()))
        };
        let mut next = 0;
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            let (before, found) = rest.split_at(at);
            plain_text.push_str(before);
            if let Some(after) = found.strip_prefix("{{") {
                plain_text.push('{');
                rest = after;
                continue;
            }
            if let Some(after) = found.strip_prefix("}}") {
                plain_text.push('}');
                rest = after;
                continue;
            }
            let (hole, after) = found.strip_prefix('{')?.split_once('}')?;
            let (name, format) = hole.split_once(':').unwrap_or((hole, ""));
            if format.contains(['$', '*']) {
                return None;
            }
            let value = match (name.trim(), name.trim().parse::<usize>()) {
                ("", _) => {
                    next += 1;
                    local(next - 1)?
                }
                (_, Ok(i)) => local(i)?,
                (name, Err(_)) => {
                    let named = |a: &Argument| a.name.as_ref().is_some_and(|n| n == name);
                    let known = arguments.iter().position(named);
                    let ident = syn::parse_str::<Ident>(name).ok()?;
                    let ident = Ident::new(&ident.to_string(), span);
                    known.map_or_else(|| Some((syn::parse_quote!(#ident), span)), local)?
                }
            };
            parts.push(Part::Text(std::mem::take(&mut plain_text)));
            parts.push(Part::Value(value.0, format!("{{:{format}}}"), value.1));
            rest = after;
        }
        plain_text.push_str(rest);
        parts.push(Part::Text(plain_text));
        parts.retain(|p| !matches!(p, Part::Text(t) if t.is_empty()));
        Some(Text { parts, values: arguments.into_iter().map(|a| a.value).collect() })
    }
}
