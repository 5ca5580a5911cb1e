//! Which op a name in `#[overrides(…)]` means.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;
use syn::ext::IdentExt;

use super::table::{ELSEWHERE, MADE_OF_SEVERAL, OPS, Row};
use crate::shared::suggest::distance;

/// What stands in the parentheses: a path, or an operator of Rust.
#[derive(Clone)]
pub(super) enum Name {
    Path(Path),
    Operator(&'static str, TokenStream),
}

/// The op that it means.
pub(super) enum Meaning {
    /// A row of the runtime.
    Row(&'static Row),
    /// Whatever has this path where the block stands.
    Path(Path),
}

/// Operators with the functions they call; `-` of one operand is another.
pub(super) const OPERATORS: &[(&str, &str)] = &[
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "div"),
    ("%", "rem"),
    ("!", "logical_not"),
    ("&", "logical_and"),
    ("|", "logical_or"),
    ("^", "not_equal"),
    ("<<", "left_shift"),
    (">>", "right_shift"),
];

impl Name {
    /// As it is written.
    pub(super) fn text(&self) -> String {
        match self {
            Name::Path(path) => path.to_token_stream().to_string().replace(' ', ""),
            Name::Operator(operator, _) => (*operator).to_owned(),
        }
    }

    pub(super) fn span(&self) -> Span {
        let tokens = self.to_token_stream();
        tokens.into_iter().last().map_or_else(Span::call_site, |t| t.span())
    }

    /// The op, or what is wrong and what to write.
    ///
    /// A name alone is one of the runtime's, and any other one where the block stands, unless it is
    /// a misspelling of one of the runtime's. A path means what it means there.
    pub(super) fn meaning(&self, operands: usize) -> Result<Meaning, (String, String)> {
        let path = match self {
            Name::Operator("-", _) if operands == 1 => return Ok(found("neg")),
            Name::Operator(operator, _) => {
                let function = OPERATORS.iter().find(|(o, _)| o == operator).map(|(_, f)| *f);
                return Ok(found(function.unwrap_or_default()));
            }
            Name::Path(path) => path,
        };
        let segments: Vec<String> =
            path.segments.iter().map(|s| s.ident.unraw().to_string()).collect();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let (name, alone) = match &segments[..] {
            [name] => (*name, true),
            ["ops", name] | ["extype", "ops", name] => (*name, false),
            _ => return Ok(Meaning::Path(path.clone())),
        };
        if let Some(row) = known(name) {
            return Ok(match alone {
                true => Meaning::Row(row),
                false => Meaning::Path(path.clone()),
            });
        }
        if MADE_OF_SEVERAL.contains(&name) {
            return Err((
                format!("`{name}` is no op: it is made of several"),
                "override the ops that it calls".to_owned(),
            ));
        }
        match meant(name) {
            None => Ok(Meaning::Path(path.clone())),
            Some(near) if alone => Err((
                format!("there is no op `{name}`"),
                format!(
                    "did you mean `{near}`? An op of your own is written with a path: `self::{name}`"
                ),
            )),
            Some(near) => {
                Err((format!("there is no op `{name}`"), format!("did you mean `{near}`?")))
            }
        }
    }
}

impl ToTokens for Name {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Name::Path(path) => path.to_tokens(tokens),
            Name::Operator(_, operator) => operator.to_tokens(tokens),
        }
    }
}

fn found(function: &str) -> Meaning {
    match known(function) {
        Some(row) => Meaning::Row(row),
        None => Meaning::Path(syn::parse_quote!(missing)),
    }
}

/// The row of this name: that of its type, of its function, or in graphs.
pub(super) fn known(name: &str) -> Option<&'static Row> {
    let by = |of: fn(&Row) -> &'static str| OPS.iter().find(|row| of(row) == name);
    by(|row| row.name)
        .or_else(|| by(|row| row.function).filter(|_| !name.is_empty()))
        .or_else(|| by(|row| row.graph))
        // A function that does more than to call the op, such as `einsum`.
        .or_else(|| {
            let snake = name.replace('_', "");
            let is = |row: &&Row| row.function.is_empty() && row.name.to_lowercase() == snake;
            OPS.iter().find(is).filter(|_| !MADE_OF_SEVERAL.contains(&name))
        })
}

/// The name that a misspelt one was meant to be: nobody misspells the first letter.
fn meant(name: &str) -> Option<&'static str> {
    if let Some((_, ours)) = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name) {
        return Some(ours);
    }
    let begins = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
    let limit = if name.len() < 8 { 1 } else { 2 };
    let upper = name.starts_with(|c: char| c.is_ascii_uppercase());
    let names = OPS.iter().map(|row| if upper { row.name } else { row.function });
    let scored = names.filter(|n| begins(n) == begins(name)).map(|n| {
        // Of equally near ones the one of the same letters: `Tahn` is `Tanh`, not `Tan`.
        let mut letters = [name, n].map(|text| text.chars().collect::<Vec<_>>());
        letters.iter_mut().for_each(|l| l.sort_unstable());
        let same = letters.first() == letters.last();
        (if same { 1 } else { distance(name, n) }, !same, n)
    });
    scored.filter(|(d, ..)| *d <= limit).min().map(|(.., n)| n)
}

/// The type of a row, where the user named it.
pub(super) fn type_of(row: &Row, base: &crate::shared::Base, at: Span) -> TokenStream {
    let name = proc_macro2::Ident::new(row.name, at.resolved_at(Span::mixed_site()));
    quote!(#base::ops::#name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn files(folder: &Path, into: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => files(&path, into),
                false => into.push(std::fs::read_to_string(path).unwrap()),
            }
        }
    }

    #[test]
    fn the_ops_are_those_of_the_runtime() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/ops");
        let mut texts = Vec::new();
        files(Path::new(folder), &mut texts);
        let tables = texts.iter().filter_map(|t| t.split_once("\ndefine_op! {"));
        let row = |text: &str| {
            let head = text.lines().find_map(|line| line.trim().strip_prefix("pub "))?;
            let (names, graph) = head.split_once(" = \"")?;
            let name = names.split(' ').nth(1)?.to_owned();
            let call = text.lines().find_map(|line| line.trim().strip_prefix("call: "));
            let call = call.map(|call| call.strip_prefix("method ").unwrap_or(call));
            let function = call.and_then(|call| call.split(['(', ',']).next()).unwrap_or_default();
            Some((name, function.to_owned(), graph.split('"').next()?.to_owned()))
        };
        let rows: Vec<_> =
            tables.flat_map(|(_, table)| table.split("\n    }\n").filter_map(row)).collect();
        let mut listed: Vec<_> = OPS
            .iter()
            .map(|r| (r.name.to_owned(), r.function.to_owned(), r.graph.to_owned()))
            .collect();
        let missing: Vec<_> = rows.iter().filter(|row| !listed.contains(row)).collect();
        assert!(missing.is_empty(), "rows that `dispatch/table.rs` does not have: {missing:?}");
        listed.retain(|row| !rows.contains(row));
        assert!(listed.is_empty(), "rows of `dispatch/table.rs` that are none: {listed:?}");
        for function in MADE_OF_SEVERAL {
            assert!(
                texts.iter().any(|t| t.contains(&format!("\npub fn {function}"))),
                "{function}"
            );
        }
    }

    #[test]
    fn names_are_known_misspelt_and_others() {
        let meaning = |text: &str| match Name::Path(syn::parse_str(text).unwrap()).meaning(1) {
            Ok(Meaning::Row(row)) => row.name.to_owned(),
            Ok(Meaning::Path(path)) => path.to_token_stream().to_string(),
            Err((text, help)) => format!("{text} {help}"),
        };
        for (name, row) in [
            ("tanh", "Tanh"),
            ("Add", "Add"),
            ("add", "Add"),
            ("AddV2", "Add"),
            ("Cube", "Cube"),
            ("self::cumsum", "self :: cumsum"),
        ] {
            assert_eq!(meaning(name), row);
        }
        for (name, near) in [
            ("Tahn", "`Tanh`"),
            ("tanhh", "`tanh`"),
            ("mean", "`reduce_mean`"),
            ("reduce_sun", "`reduce_sum`"),
            ("ops::Sigmod", "`Sigmoid`"),
            ("moments", "several"),
        ] {
            assert!(meaning(name).contains(near), "{name}: {}", meaning(name));
        }
        for (operator, function) in OPERATORS {
            assert!(known(function).is_some(), "{operator}");
        }
    }
}
