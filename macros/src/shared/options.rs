//! Options in an attribute: `flag`, `key = value`, `key(list)`. They are checked against a table of known ones.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Error, Expr, Ident, Result, Token, Type, token};

use super::Diagnostics;
use super::suggest::nearest;

/// The options that a macro knows.
pub(crate) struct Table {
    /// The attribute, for messages.
    pub attribute: &'static str,
    /// The name and form of every option.
    pub known: &'static [(&'static str, &'static str)],
    /// TensorFlow's names, with what to write instead.
    pub foreign: &'static [(&'static str, &'static str)],
}

/// One option as written.
struct Raw {
    key: Ident,
    value: Value,
}

enum Value {
    Flag,
    Equals(TokenStream),
    List(TokenStream),
    /// An invalid value after `=`.
    Broken(Error),
}

/// The options of one item; each can be taken once.
pub(crate) struct Options {
    table: &'static Table,
    raws: Vec<Raw>,
}

impl Options {
    /// No options yet.
    pub(crate) fn new(table: &'static Table) -> Self {
        Self { table, raws: Vec::new() }
    }

    /// Adds the options in the tokens; unknown and repeated ones are reported and left out.
    pub(crate) fn add(&mut self, tokens: TokenStream, diagnostics: &mut Diagnostics) {
        let parse = |input: ParseStream<'_>| {
            while !input.is_empty() {
                match input.parse::<Raw>() {
                    Ok(raw) => self.add_one(raw, diagnostics),
                    Err(e) => {
                        diagnostics.option_syntax(e);
                        skip_to_comma(input)?;
                    }
                }
                if !input.is_empty()
                    && let Err(e) = input.parse::<Token![,]>()
                {
                    diagnostics.option_syntax(e);
                    skip_to_comma(input)?;
                    input.parse::<Option<Token![,]>>()?;
                }
            }
            Ok(())
        };
        if let Err(e) = parse.parse2(tokens) {
            diagnostics.option_syntax(e);
        }
    }

    fn add_one(&mut self, raw: Raw, diagnostics: &mut Diagnostics) {
        let name = raw.key.unraw().to_string();
        if let Some(first) = self.raws.iter().find(|r| r.key == raw.key) {
            diagnostics.mild(&first.key, format!("the option `{name}` is first given here"), "");
            diagnostics.mild(
                &raw.key,
                format!("the option `{name}` is given twice"),
                "remove one of the two",
            );
        } else if self.table.known.iter().any(|(known, _)| *known == name) {
            self.raws.push(raw);
        } else {
            self.unknown(&raw.key, &name, diagnostics);
        }
    }

    fn unknown(&self, key: &Ident, name: &str, diagnostics: &mut Diagnostics) {
        let attribute = self.table.attribute;
        if let Some((_, answer)) = self.table.foreign.iter().find(|(f, _)| *f == name) {
            diagnostics.mild(key, format!("`{name}` is not an option of `#[{attribute}]`"), answer);
            return;
        }
        let forms: Vec<String> =
            self.table.known.iter().map(|(_, form)| format!("`{form}`")).collect();
        let list = format!("the options are {}", forms.join(", "));
        let help = match nearest(name, self.table.known.iter().map(|(n, _)| *n)) {
            Some(near) => format!("did you mean `{near}`? {list}"),
            None => list,
        };
        diagnostics.mild(key, format!("unknown option `{name}` of `#[{attribute}]`"), help);
    }

    fn take(&mut self, name: &str) -> Option<Raw> {
        let i = self.raws.iter().position(|r| r.key.unraw() == name)?;
        Some(self.raws.remove(i))
    }

    fn form(&self, name: &str) -> &'static str {
        self.table.known.iter().find(|(n, _)| *n == name).map_or("", |(_, form)| form)
    }

    fn wrong_form(&self, name: &str, key: &Ident, diagnostics: &mut Diagnostics) {
        let text = format!("the option `{name}` is written in another form");
        diagnostics.mild(key, text, format!("write `{}`", self.form(name)));
    }

    /// An option that is on if it is present; `= true` and `= false` are accepted too.
    pub(crate) fn flag(&mut self, name: &str, diagnostics: &mut Diagnostics) -> Option<bool> {
        let raw = self.take(name)?;
        match &raw.value {
            Value::Flag => return Some(true),
            Value::Equals(tokens) => {
                if let Ok(lit) = syn::parse2::<syn::LitBool>(tokens.clone()) {
                    return Some(lit.value);
                }
            }
            Value::List(_) | Value::Broken(_) => {}
        }
        self.wrong_form(name, &raw.key, diagnostics);
        None
    }

    /// The option's name, and the tokens after `=`.
    fn equals(&mut self, name: &str, d: &mut Diagnostics) -> Option<(Ident, TokenStream)> {
        let raw = self.take(name)?;
        match raw.value {
            Value::Equals(tokens) => return Some((raw.key, tokens)),
            Value::Broken(error) => d.option_syntax(error),
            Value::Flag | Value::List(_) => self.wrong_form(name, &raw.key, d),
        }
        None
    }

    /// The value of `name = value`.
    pub(crate) fn value<T: Parse>(
        &mut self,
        name: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<T> {
        let (_, tokens) = self.equals(name, diagnostics)?;
        let parsed = syn::parse2(tokens.clone());
        if parsed.is_err() {
            let text = format!("the value of the option `{name}` is of another kind");
            diagnostics.mild(tokens, text, format!("write `{}`", self.form(name)));
        }
        parsed.ok()
    }

    /// The value of `name = value`, or `None` for `name` alone.
    pub(crate) fn flag_or_value<T: Parse>(
        &mut self,
        name: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Ident, Option<T>)> {
        let i = self.raws.iter().position(|r| r.key.unraw() == name)?;
        let raw = self.raws.get(i)?;
        let key = raw.key.clone();
        if matches!(raw.value, Value::Flag) {
            self.raws.remove(i);
            return Some((key, None));
        }
        self.value(name, diagnostics).map(|value| (key, Some(value)))
    }

    /// The value of `name = value`, parsed by `parser`, with the option's name for messages. Errors of the parser are
    /// reported unchanged.
    pub(crate) fn value_by<T>(
        &mut self,
        name: &str,
        parser: impl Parser<Output = T>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Ident, T)> {
        let (key, tokens) = self.equals(name, diagnostics)?;
        let parsed = parser.parse2(tokens).map_err(|e| diagnostics.option_syntax(e)).ok()?;
        Some((key, parsed))
    }

    /// The list in `name(…)`, parsed by `parser`, with the option's name for messages.
    pub(crate) fn list<T>(
        &mut self,
        name: &str,
        parser: impl Parser<Output = T>,
        diagnostics: &mut Diagnostics,
    ) -> Option<(Ident, T)> {
        let raw = self.take(name)?;
        let Value::List(tokens) = raw.value else {
            self.wrong_form(name, &raw.key, diagnostics);
            return None;
        };
        let parsed = parser.parse2(tokens).map_err(|e| diagnostics.option_syntax(e)).ok()?;
        Some((raw.key, parsed))
    }
}

impl Parse for Raw {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let value = if input.peek(token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            Value::List(content.parse()?)
        } else if input.parse::<Option<Token![=]>>()?.is_some() {
            parse_value(input)?
        } else {
            Value::Flag
        };
        Ok(Self { key, value })
    }
}

/// A value in brackets, a type or an expression.
fn parse_value(input: ParseStream<'_>) -> Result<Value> {
    let ahead = input.fork();
    if input.peek(token::Bracket) {
        ahead.parse::<TokenTree>()?;
        if ahead.is_empty() || ahead.peek(Token![,]) {
            return input.parse::<TokenTree>().map(|tree| Value::Equals(tree.into()));
        }
    }
    let ahead = input.fork();
    if ahead.parse::<Type>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,])) {
        return input.parse::<Type>().map(|ty| Value::Equals(ty.into_token_stream()));
    }
    if let Err(error) = input.fork().parse::<Expr>() {
        skip_to_comma(input)?;
        return Ok(Value::Broken(error));
    }
    input.parse::<Expr>().map(|value| Value::Equals(value.into_token_stream()))
}

fn skip_to_comma(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    static TABLE: Table = Table {
        attribute: "test",
        known: &[
            ("name", "name = \"…\""),
            ("flag", "flag"),
            ("with", "with = Type"),
            ("crate", "crate = ::path"),
        ],
        foreign: &[("input_signature", "write `signature(…)`")],
    };

    fn read(tokens: TokenStream) -> (Options, Diagnostics) {
        let (mut options, mut diagnostics) = (Options::new(&TABLE), Diagnostics::new());
        options.add(tokens, &mut diagnostics);
        (options, diagnostics)
    }

    #[test]
    fn the_three_forms() {
        let (mut o, mut d) = read(quote!(name = "a.B", flag, with(A, B), crate = ::x));
        assert_eq!(o.value::<syn::LitStr>("name", &mut d).unwrap().value(), "a.B");
        assert_eq!(o.flag("flag", &mut d), Some(true));
        let list = syn::punctuated::Punctuated::<Type, Token![,]>::parse_terminated;
        assert_eq!(o.list("with", list, &mut d).unwrap().1.len(), 2);
        assert!(o.value::<syn::Path>("crate", &mut d).is_some());
        assert!(d.messages().is_empty());
        let (mut o, mut d) = read(quote!(with = Map<K, V>, flag = false));
        assert!(o.value::<Type>("with", &mut d).is_some());
        assert_eq!(o.flag("flag", &mut d), Some(false));
        assert!(d.messages().is_empty());
    }

    #[test]
    fn all_mistakes_at_once() {
        let (mut o, mut d) = read(quote!(nmae = 1, flag, flag, input_signature(x), name(3)));
        assert!(o.value::<syn::LitStr>("name", &mut d).is_none());
        let messages = d.messages();
        assert_eq!(messages.len(), 5, "{messages:#?}");
        assert!(messages[0].contains("did you mean `name`?"));
        assert!(messages[2].contains("given twice"));
        assert!(messages[3].contains("write `signature(…)`"));
        assert!(messages[4].contains("write `name = \"…\"`"));
    }

    #[test]
    fn broken_options_are_skipped() {
        let (mut o, mut d) = read(quote!(name = , flag));
        assert_eq!(o.flag("flag", &mut d), Some(true));
        assert!(o.value::<syn::LitStr>("name", &mut d).is_none());
        assert_eq!(d.messages().len(), 1);
        let (mut o, mut d) = read(quote!(with = f32[?], flag));
        assert_eq!(o.flag("flag", &mut d), Some(true));
        assert!(o.list("with", Type::parse, &mut d).is_none());
        let messages = d.messages();
        assert!(messages.len() == 1 && messages[0].contains("in another form"), "{messages:#?}");
    }
}
