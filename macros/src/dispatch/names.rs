//! Which op a name in `#[overrides(…)]` means.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::rows::{ALIASES, COMPOUNDS, MADE_OF_SEVERAL, OPS};
use super::table::{BY_DTYPE, ELSEWHERE, Row};
use crate::shared::suggest::distance;

/// The target in the parentheses: a path, or an operator of Rust.
#[derive(Clone)]
pub(super) enum Name {
    Path(Path),
    Operator(String, TokenStream),
}

/// The op that a name means.
pub(super) enum Meaning {
    /// A row of the runtime.
    Row(&'static Row),
    /// The item with this path at the block.
    Path(Path),
}

/// An operator of Rust by which ops can be overridden.
pub(super) struct Operator {
    pub token: &'static str,
    /// Rust's trait.
    pub rust: &'static str,
    /// The method of that trait.
    pub method: &'static str,
    /// The function that it calls.
    pub function: &'static str,
    /// The types of the numbers that may stand on its left.
    pub numbers: &'static [&'static str],
}

const fn operator(
    token: &'static str,
    [rust, method, function]: [&'static str; 3],
    numbers: &'static [&'static str],
) -> Operator {
    Operator { token, rust, method, function, numbers }
}

/// Operators with the functions they call. The `-` of one operand is an entry of its own.
#[rustfmt::skip]
pub(super) const OPERATORS: &[Operator] = &[
    operator("+", ["Add", "add", "add"], &["f64", "i64"]),
    operator("-", ["Sub", "sub", "sub"], &["f64", "i64"]),
    operator("*", ["Mul", "mul", "mul"], &["f64", "i64"]),
    operator("/", ["Div", "div", "div"], &["f64", "i64"]),
    operator("%", ["Rem", "rem", "rem"], &["f64", "i64"]),
    operator("&", ["BitAnd", "bitand", "bitand"], &["i64", "bool"]),
    operator("|", ["BitOr", "bitor", "bitor"], &["i64", "bool"]),
    operator("^", ["BitXor", "bitxor", "bitxor"], &["i64", "bool"]),
    operator("<<", ["Shl", "shl", "left_shift"], &["i64"]),
    operator(">>", ["Shr", "shr", "right_shift"], &["i64"]),
    operator("!", ["Not", "not", "not"], &[]),
    operator("-", ["Neg", "neg", "neg"], &[]),
];

/// The function for one of Rust's operator traits.
fn of_trait(name: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|o| o.rust == name).map(|o| o.function)
}

/// Rust's comparison operators, with the ops to override instead.
const COMPARISONS: &[(&str, &str)] = &[
    ("==", "equal"),
    ("!=", "not_equal"),
    ("<", "less"),
    ("<=", "less_equal"),
    (">", "greater"),
    (">=", "greater_equal"),
];

/// What is wrong with a comparison or another operator that can't be overridden, and what to write.
pub(super) fn no_operator(text: &str) -> Option<(String, String)> {
    let compares = "Rust's comparison gives a plain `bool`";
    if let Some((_, function)) = COMPARISONS.iter().find(|(token, _)| *token == text) {
        return Some((
            format!("`{text}` is no op: {compares}"),
            format!(
                "override the op, `#[overrides({function})]`: it is `x.{function}(&y)?`, and `x {text} y` in functions with \
                 `#[tf_function]`"
            ),
        ));
    }
    if matches!(text, "PartialEq" | "Eq" | "PartialOrd" | "Ord") {
        let ops = match text {
            "PartialEq" | "Eq" => "`#[overrides(equal)]`, `#[overrides(not_equal)]`",
            _ => "`#[overrides(less)]`, `less_equal`, `greater` or `greater_equal`",
        };
        let help = format!(
            "override the ops, {ops}: they are the operators in functions with `#[tf_function]`"
        );
        return Some((format!("`{text}` is no op: {compares}"), help));
    }
    if matches!(text, "&&" | "||") {
        let one = text.get(..1).unwrap_or_default();
        return Some((
            format!("`{text}` is no op: Rust has it for plain bools alone"),
            format!("write `#[overrides({one})]`"),
        ));
    }
    let token = text.strip_suffix('=').filter(|t| !t.is_empty());
    let by_token = token.and_then(|t| OPERATORS.iter().find(|o| o.token == t));
    let by_trait = || OPERATORS.iter().find(|o| text.strip_suffix("Assign") == Some(o.rust));
    let plain = by_token.or_else(by_trait)?;
    Some((
        format!("`{text}` is no op: `x {0}= &y` is `x = &x {0} &y`", plain.token),
        format!("write `#[overrides({})]`, which serves both", plain.token),
    ))
}

impl Name {
    /// The name as written.
    pub(super) fn text(&self) -> String {
        match self {
            Name::Path(path) => path.to_token_stream().to_string().replace(' ', ""),
            Name::Operator(operator, _) => operator.clone(),
        }
    }

    pub(super) fn span(&self) -> Span {
        let tokens = self.to_token_stream();
        tokens.into_iter().last().map_or_else(Span::call_site, |t| t.span())
    }

    /// The op, or what is wrong and what to write.
    ///
    /// A bare name means an op of the runtime if there is one. Otherwise it means an item in scope at the block, unless
    /// it looks like a misspelt op of the runtime. A path is resolved at the block.
    pub(super) fn meaning(&self, operands: usize) -> Result<Meaning, (String, String)> {
        let path = match self {
            Name::Operator(token, _) => {
                let known = OPERATORS.iter().filter(|o| o.token == token);
                // With one operand `-` is the negation.
                let known = known.min_by_key(|o| (operands == 1) != o.numbers.is_empty());
                let refused = || no_operator(token).unwrap_or_default();
                return known.map(|o| found(o.function)).ok_or_else(refused);
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
                if let Some(refused) = no_operator(name) {
                    return Err(refused);
                }
                let help = match of_trait(name) {
                    Some(function) => format!("write `#[overrides({function})]`"),
                    None => "write the name of an op, as in `#[overrides(matmul)]`".to_owned(),
                };
                return Err((format!("`{}` is Rust's, and no op", self.text()), help));
            }
            _ => return Ok(Meaning::Path(path.clone())),
        };
        if let Some(refused) = no_operator(name).filter(|_| alone) {
            return Err(refused);
        }
        let of_rust = || of_trait(name).filter(|_| alone).and_then(known);
        if let Some(row) = known(name).or_else(of_rust) {
            return Ok(match alone {
                true => Meaning::Row(row),
                false => Meaning::Path(path.clone()),
            });
        }
        if COMPOUNDS.binary_search(&name).is_ok() {
            return Ok(Meaning::Path(match name {
                // A type named `std` would hide the crate.
                "std" if alone => syn::parse_quote_spanned!(path.span()=> std_),
                _ => path.clone(),
            }));
        }
        let ours = elsewhere().find(|(theirs, _)| *theirs == name).map(|(_, ours)| ours);
        let several = MADE_OF_SEVERAL.iter().find(|(function, _)| *function == name);
        if let Some((_, calls)) = several.filter(|_| ours.is_none()) {
            let help = match calls {
                [] => format!(
                    "it takes tensors only: give the type a method `{name}` of its own, made of ops that it overrides"
                ),
                calls => format!(
                    "types that override the ops that it calls have it: `{}`",
                    calls.join("`, `")
                ),
            };
            return Err((format!("`{name}` is no op: it is made of several"), help));
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

/// The row with this name: that of its type, of its function, or in graphs.
pub(super) fn known(name: &str) -> Option<&'static Row> {
    let rows = || OPS.iter().chain(BY_DTYPE);
    let by = |of: fn(&Row) -> &'static str| rows().find(|row| of(row) == name);
    by(|row| row.name)
        .or_else(|| by(|row| row.function).filter(|_| !name.is_empty()))
        .or_else(|| by(|row| row.graph))
        // A function that does more than call the op, such as `einsum`.
        .or_else(|| {
            let snake = name.replace('_', "");
            let is = |row: &&Row| row.function.is_empty() && row.name.to_lowercase() == snake;
            OPS.iter().find(is)
        })
}

/// The name that a misspelt one probably means. The first letter is taken to be right.
fn meant(name: &str) -> Option<&'static str> {
    let begins = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
    let limit = if name.len() < 8 { 1 } else { 2 };
    let upper = name.starts_with(|c: char| c.is_ascii_uppercase());
    let names = OPS.iter().map(|row| if upper { row.name } else { row.function });
    let names = names.map(|n| (n, n)).chain(elsewhere());
    let scored = names.filter(|(n, _)| begins(n) == begins(name)).map(|(n, ours)| {
        // Among equally near names one with the same letters is preferred: `Tahn` is `Tanh`, not `Tan`.
        let mut letters = [name, n].map(|text| text.chars().collect::<Vec<_>>());
        letters.iter_mut().for_each(|l| l.sort_unstable());
        let same = letters.first() == letters.last();
        (if same { 1 } else { distance(name, n) }, !same, ours)
    });
    scored.filter(|(d, ..)| *d <= limit).min().map(|(.., n)| n)
}

/// Names that are not ops, each with the op that is meant.
fn elsewhere() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALIASES.iter().chain(ELSEWHERE).copied()
}

/// The type of a row, at the place where the user named it.
pub(super) fn type_of(row: &Row, base: &crate::shared::Base, at: Span) -> TokenStream {
    let name = proc_macro2::Ident::new(row.name, at.resolved_at(Span::mixed_site()));
    quote!(#base::ops::#name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    /// Functions of `ops` that do not work on tensors.
    const MACHINERY: [&str; 14] = [
        "batch_rule",
        "broadcast",
        "broadcast_bool",
        "chosen",
        "compound_call",
        "forward_of",
        "gradient_rule",
        "no_gradients",
        "on_tensors",
        "operator",
        "pairs",
        "passes_no_gradient",
        "unbroadcast_gradients",
        "with_op",
    ];

    /// The contents of all files below a folder.
    fn files(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: PathBuf| match path.is_dir() {
            true => files(&path),
            false => vec![std::fs::read_to_string(path).unwrap()],
        };
        entries.flat_map(read).collect()
    }

    /// `binary("Add", "add", "AddV2")`, from the text of one row of a table.
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

    /// The functions in a file of ops: those in `compounds!` or those beside it, each with its signature. Helpers are left
    /// out.
    fn functions(text: &str, compounds: bool) -> impl Iterator<Item = (String, String)> {
        // The indentation of the block of compounds.
        let mut within = None;
        let starts = text.match_indices('\n').map(|(i, _)| text.split_at(i + 1).1);
        starts.filter_map(move |rest| {
            let line = rest.lines().next()?;
            let indentation = line.len() - line.trim_start().len();
            if line.trim_start() == "compounds! {" {
                within = Some(indentation);
            } else if line.trim_start() == "}" && within == Some(indentation) {
                within = None;
            }
            let function = match compounds {
                true if within.is_none_or(|block| indentation != block + 4) => None,
                true => line.trim_start().strip_prefix("fn "),
                false => line.strip_prefix("pub fn "),
            };
            let name = function?.split(['(', '<', ' ']).next()?;
            let head = rest.split("{\n").next().unwrap_or_default();
            (!MACHINERY.contains(&name)).then(|| (name.to_owned(), head.to_owned()))
        })
    }

    /// Other names of ops: the entries of `names! { ops …`.
    fn aliases(text: &str) -> impl Iterator<Item = String> {
        let entries = text.split_once("\nnames! { ops\n").map_or("", |(_, entries)| entries);
        entries.lines().take_while(|line| *line != "}").filter_map(|line| {
            let (alias, rest) = line.trim().split_once('(')?;
            let (_, rest) = rest.split_once(") = ")?;
            let (name, _) = rest.split_once(':')?;
            Some(format!("    (\"{alias}\", \"{name}\"),\n"))
        })
    }

    /// The functions of the ops that the bounds of a signature name: `Apply2<Tensor, Mul, Output = X::Value>`.
    fn called(head: &str) -> String {
        let bounds = head.split_once("where").map_or("", |(_, bounds)| bounds);
        let words = bounds.split(|c: char| !c.is_alphanumeric() && c != '_');
        let of = |word: &str| OPS.iter().find(|row| row.name == word || row.function == word);
        let found = words.filter(|word| !word.is_empty()).filter_map(of);
        let names = found.map(|row| if row.function.is_empty() { row.name } else { row.function });
        let names: BTreeSet<_> = names.map(|name| format!("\"{name}\"")).collect();
        Vec::from_iter(names).join(", ")
    }

    #[test]
    fn the_ops_are_those_of_the_runtime() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/ops");
        let mut texts = files(Path::new(folder));
        let numpy = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/numpy.rs");
        texts.push(std::fs::read_to_string(numpy).unwrap());
        let tables = texts.iter().filter_map(|t| t.split_once("\ndefine_op! {"));
        let rows: BTreeSet<_> =
            tables.flat_map(|(_, table)| table.split("\n    }\n").filter_map(row)).collect();
        // Functions that do more than call the op, such as `einsum`, also count as its name.
        let named = |row: &String, f: &str| {
            let of_type =
                row.split('"').nth(1).is_some_and(|n| n.to_lowercase() == f.replace('_', ""));
            row.contains(&format!(" \"{f}\",")) || of_type && row.contains(" \"\",")
        };
        let made: BTreeSet<_> = texts
            .iter()
            .flat_map(|text| functions(text, false))
            .filter(|(f, _)| !rows.iter().any(|row| named(row, f)))
            .map(|(f, head)| format!("    (\"{f}\", &[{}]),\n", called(&head)))
            .collect();
        let compounds: BTreeSet<_> = texts
            .iter()
            .flat_map(|text| functions(text, true))
            .filter(|(f, _)| !rows.iter().any(|row| named(row, f)))
            .map(|(f, _)| format!("    \"{f}\",\n"))
            .collect();
        let aliases: BTreeSet<_> = texts.iter().flat_map(|text| aliases(text)).collect();
        let text = format!(
            "//! What `extype::ops` has: made from its rows by the test beside `names.rs`.\n\n\
             use super::table::{{Row, binary, op, reduction, unary}};\n\n\
             /// Functions that are made of several ops, with those of types that take more than tensors.\n#[rustfmt::skip]\n\
             pub(super) const MADE_OF_SEVERAL: &[(&str, &[&str])] = &[\n{}];\n\n\
             /// Compounds that are declared as functions.\n#[rustfmt::skip]\n\
             pub(super) const COMPOUNDS: &[&str] = &[\n{}];\n\n\
             /// Names that ops have besides: of NumPy.\n#[rustfmt::skip]\n\
             pub(super) const ALIASES: &[(&str, &str)] = &[\n{}];\n\n\
             /// Every row.\n#[rustfmt::skip]\npub(super) const OPS: &[Row] = &[\n{}];\n",
            Vec::from_iter(made).concat(),
            Vec::from_iter(compounds).concat(),
            Vec::from_iter(aliases).concat(),
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
            ("remainder", "`floor_mod`"),
            ("divide", "`true_divide`"),
            ("reduce_sun", "`reduce_sum`"),
            ("ops::Sigmod", "`Sigmoid`"),
            ("crelu", "several"),
        ] {
            assert!(meaning(name).contains(near), "{name}: {}", meaning(name));
        }
        for operator in OPERATORS {
            assert!(known(operator.function).is_some(), "{}", operator.token);
            assert_eq!(meaning(operator.rust), known(operator.function).unwrap().name);
        }
    }
}
