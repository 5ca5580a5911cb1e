//! Which op a name in `#[overrides(…)]` means.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;
use syn::ext::IdentExt;

use super::rows::{MADE_OF_SEVERAL, OPS};
use super::table::{ELSEWHERE, Row};
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

/// Rust's traits for them.
const OPERATOR_TRAITS: &[(&str, &str)] = &[
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Div", "div"),
    ("Rem", "rem"),
    ("Neg", "neg"),
    ("Not", "logical_not"),
    ("BitAnd", "logical_and"),
    ("BitOr", "logical_or"),
    ("BitXor", "not_equal"),
    ("Shl", "left_shift"),
    ("Shr", "right_shift"),
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
            ["std" | "core", .., name] => {
                let of_rust = OPERATOR_TRAITS.iter().find(|(named, _)| named == name);
                let help = match of_rust {
                    Some((_, function)) => format!("write `#[overrides({function})]`"),
                    None => "write the name of an op, as in `#[overrides(matmul)]`".to_owned(),
                };
                return Err((format!("`{}` is Rust's, and no op", self.text()), help));
            }
            _ => return Ok(Meaning::Path(path.clone())),
        };
        if let Some(row) = known(name) {
            return Ok(match alone {
                true => Meaning::Row(row),
                false => Meaning::Path(path.clone()),
            });
        }
        let ours = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
        if ours.is_none() && MADE_OF_SEVERAL.contains(&name) {
            return Err((
                format!("`{name}` is no op: it is made of several"),
                "override the ops that it calls".to_owned(),
            ));
        }
        match ours.or_else(|| meant(name)) {
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
            OPS.iter().find(is)
        })
}

/// The name that a misspelt one was meant to be: nobody misspells the first letter.
fn meant(name: &str) -> Option<&'static str> {
    let begins = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
    let limit = if name.len() < 8 { 1 } else { 2 };
    let upper = name.starts_with(|c: char| c.is_ascii_uppercase());
    let names = OPS.iter().map(|row| if upper { row.name } else { row.function });
    let names = names.map(|n| (n, n)).chain(ELSEWHERE.iter().copied());
    let scored = names.filter(|(n, _)| begins(n) == begins(name)).map(|(n, ours)| {
        // Of equally near ones the one of the same letters: `Tahn` is `Tanh`, not `Tan`.
        let mut letters = [name, n].map(|text| text.chars().collect::<Vec<_>>());
        letters.iter_mut().for_each(|l| l.sort_unstable());
        let same = letters.first() == letters.last();
        (if same { 1 } else { distance(name, n) }, !same, ours)
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
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    /// Functions of `ops` that are none of tensors.
    const MACHINERY: [&str; 11] = [
        "batch_rule",
        "broadcast",
        "broadcast_bool",
        "forward_of",
        "gradient_rule",
        "no_gradients",
        "operator",
        "pairs",
        "passes_no_gradient",
        "unbroadcast_gradients",
        "with_op",
    ];

    /// The files of a folder with those below it.
    fn files(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: PathBuf| match path.is_dir() {
            true => files(&path),
            false => vec![std::fs::read_to_string(path).unwrap()],
        };
        entries.flat_map(read).collect()
    }

    /// `binary("Add", "add", "AddV2")`, of what stands between the braces of a table.
    fn row(text: &str) -> Option<String> {
        let head = text.lines().find_map(|line| line.trim().strip_prefix("pub "))?;
        let (names, graph) = head.split_once(" = \"")?;
        let (kind, name) = names.split_once(' ')?;
        let call = text.lines().find_map(|line| line.trim().strip_prefix("call: "));
        let call = call.map(|call| call.strip_prefix("method ").unwrap_or(call));
        let function = call.and_then(|call| call.split(['(', ',']).next()).unwrap_or_default();
        let graph = graph.split('"').next()?;
        Some(format!("    {kind}(\"{name}\", \"{function}\", \"{graph}\"),\n"))
    }

    /// The functions of a subject, in `functions!` and beside it; files of no subject are machinery.
    fn functions(text: &str) -> impl Iterator<Item = String> {
        let mut within = false;
        text.lines().filter_map(move |line| {
            within = line.starts_with("functions! {") || within && line != "}";
            let function = match within {
                true => line.strip_prefix("    free fn ").or_else(|| line.strip_prefix("    fn ")),
                false => line.strip_prefix("pub fn "),
            };
            let name = function?.split(['(', '<']).next()?;
            (!MACHINERY.contains(&name)).then(|| name.to_owned())
        })
    }

    #[test]
    fn the_ops_are_those_of_the_runtime() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/ops");
        let texts = files(Path::new(folder));
        let tables = texts.iter().filter_map(|t| t.split_once("\ndefine_op! {"));
        let rows: BTreeSet<_> =
            tables.flat_map(|(_, table)| table.split("\n    }\n").filter_map(row)).collect();
        // Functions that do more than to call the op, such as `einsum`, are its name as well.
        let named = |row: &String, f: &str| {
            let of_type =
                row.split('"').nth(1).is_some_and(|n| n.to_lowercase() == f.replace('_', ""));
            row.contains(&format!(" \"{f}\",")) || of_type && row.contains(" \"\",")
        };
        let made: BTreeSet<_> = texts
            .iter()
            .flat_map(|text| functions(text))
            .filter(|f| !rows.iter().any(|row| named(row, f)))
            .map(|f| format!("    \"{f}\",\n"))
            .collect();
        let text = format!(
            "//! What `extype::ops` has: made from its rows by the test beside `names.rs`.\n\n\
             use super::table::{{Row, binary, op, reduction, unary}};\n\n\
             /// Functions that are made of several ops.\n#[rustfmt::skip]\n\
             pub(super) const MADE_OF_SEVERAL: &[&str] = &[\n{}];\n\n\
             /// Every row.\n#[rustfmt::skip]\npub(super) const OPS: &[Row] = &[\n{}];\n",
            Vec::from_iter(made).concat(),
            Vec::from_iter(rows).concat(),
        );
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/dispatch/rows.rs");
        if std::env::var_os("EXTYPE_BLESS").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let listed = std::fs::read_to_string(path).unwrap_or_default();
        let missing = text.lines().find(|line| !listed.lines().any(|l| l == *line));
        let surplus = listed.lines().find(|line| !text.lines().any(|l| l == *line));
        assert!(
            text == listed,
            "EXTYPE_BLESS=1 rewrites {path}: it lacks {missing:?}, has {surplus:?} too much"
        );
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
