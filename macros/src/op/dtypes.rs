//! What the documentation of a function says of dtypes: the sets of its row in words.

use syn::{Expr, Path};

use super::model::{Function, Row};
use super::parse::{Argument, ArgumentType, Dtype};

/// The variants of `DType` and the names that users read, the kinds of numbers in order.
pub(super) const DTYPES: [(&str, &str); 18] = [
    ("I8", "int8"),
    ("I16", "int16"),
    ("I32", "int32"),
    ("I64", "int64"),
    ("U8", "uint8"),
    ("U16", "uint16"),
    ("U32", "uint32"),
    ("U64", "uint64"),
    ("F16", "float16"),
    ("BF16", "bfloat16"),
    ("F32", "float32"),
    ("F64", "float64"),
    ("Complex64", "complex64"),
    ("Complex128", "complex128"),
    ("Bool", "bool"),
    ("String", "string"),
    ("Resource", "resource"),
    ("Variant", "variant"),
];

/// A bit for each of [`DTYPES`].
type Set = u32;

const ALL: Set = (1 << DTYPES.len()) - 1;

/// The dtypes from one place to another of the list.
const fn run(from: usize, to: usize) -> Set {
    ((1 << to) - 1) & !((1 << from) - 1)
}

/// What a row writes for a set of dtypes; nothing for what only the compiler knows.
fn set(expr: &Expr) -> Option<Set> {
    match expr {
        Expr::Group(e) => set(&e.expr),
        Expr::Paren(e) => set(&e.expr),
        Expr::Path(e) => named(&e.path),
        Expr::MethodCall(e) if e.method == "or" && e.args.len() == 1 => {
            Some(set(&e.receiver)? | set(&e.args[0])?)
        }
        Expr::Call(e) => match (&*e.func, e.args.first()) {
            (Expr::Path(of), Some(Expr::Reference(list))) if of_set(&of.path)? == "of" => {
                let Expr::Array(list) = &*list.expr else { return None };
                list.elems.iter().try_fold(0, |all, dtype| Some(all | single(dtype)?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `FLOAT` of `DTypeSet::FLOAT`.
fn of_set(path: &Path) -> Option<String> {
    let mut last = path.segments.iter().rev();
    let name = last.next()?.ident.to_string();
    (last.next()?.ident == "DTypeSet").then_some(name)
}

fn named(path: &Path) -> Option<Set> {
    Some(match of_set(path)?.as_str() {
        "SIGNED" => run(0, 4),
        "INDEX" => run(2, 4),
        "UNSIGNED" => run(4, 8),
        "INTEGER" => run(0, 8),
        "FLOAT" => run(8, 12),
        "REAL" => run(0, 12),
        "COMPLEX" => run(12, 14),
        "INEXACT" => run(8, 14),
        "NUMERIC" => run(0, 14),
        "BOOL" => run(14, 15),
        "STRING" => run(15, 16),
        "DATA" => run(0, 16),
        "ANY" => ALL,
        _ => return None,
    })
}

fn single(dtype: &Expr) -> Option<Set> {
    let Expr::Path(e) = dtype else { return None };
    place(&e.path.segments.last()?.ident.to_string()).map(|i| 1 << i)
}

fn place(variant: &str) -> Option<usize> {
    DTYPES.iter().position(|(name, _)| *name == variant)
}

fn words(set: Set) -> String {
    let names = |set: Set| {
        let of = DTYPES.iter().enumerate().filter(move |(i, _)| set & 1 << i != 0);
        of.map(|(_, (_, name))| (*name).to_owned())
    };
    let missing: Vec<String> = names(ALL & !set).collect();
    match &missing[..] {
        [] => return "every one".to_owned(),
        [one] => return format!("every one but {one}"),
        [one, other] => return format!("every one but {one} and {other}"),
        _ => {}
    }
    // Integers of all widths have one name.
    let (signed, unsigned) = (run(0, 4), run(4, 8));
    let mut listed = Vec::new();
    for (part, whole) in [(signed, "int8 to int64"), (unsigned, "uint8 to uint64")] {
        match set & part == part {
            true => listed.push(whole.to_owned()),
            false => listed.extend(names(set & part)),
        }
    }
    listed.extend(names(set & !signed & !unsigned));
    listed.join(", ")
}

/// The dtypes that one operand may have.
fn of_argument(argument: &Argument, row: &Row) -> Option<Set> {
    match &argument.ty {
        ArgumentType::One(Dtype::Fixed(dtype)) | ArgumentType::List(Dtype::Fixed(dtype), _) => {
            place(&dtype.to_string()).map(|i| 1 << i)
        }
        ArgumentType::Each(var) => of_var(&var.to_string(), row),
        _ => of_var(&argument.var()?.to_string(), row),
    }
}

fn of_var(var: &str, row: &Row) -> Option<Set> {
    row.types.iter().find(|(name, _)| name == var).map_or(Some(ALL), |(_, expr)| set(expr))
}

/// The dtypes of a function's operands and of its result, if the row writes them so that they can
/// be told.
pub(super) fn sentence(row: &Row, call: &Function) -> Option<String> {
    // Operands that share a type attribute have one dtype.
    let mut groups: Vec<(Option<String>, Vec<String>, Set)> = Vec::new();
    let mut lists = false;
    for (argument, name) in row.operands().zip(call.operands.names()) {
        let (var, set) = (argument.var().map(ToString::to_string), of_argument(argument, row)?);
        lists |= matches!(argument.ty, ArgumentType::List(..));
        let same = |g: &&mut (Option<String>, Vec<String>, Set)| {
            var.as_ref().map_or(g.2 == set, |_| g.0 == var)
        };
        match groups.iter_mut().find(same) {
            Some((_, names, _)) => names.push(format!("`{name}`")),
            None => groups.push((var, vec![format!("`{name}`")], set)),
        }
    }
    let alike = |names: &[String]| names.len() > 1 || lists;
    let operands = match &groups[..] {
        [] => return None,
        [(Some(_), names, set)] if alike(names) => {
            format!("Dtypes, the same for all operands: {}.", words(*set))
        }
        [(_, _, set)] => format!("Dtypes: {}.", words(*set)),
        groups => {
            let each = groups.iter().map(|(var, names, set)| {
                let alike = if var.is_some() && names.len() > 1 { ", alike" } else { "" };
                format!("of {}{alike}: {}", names.join(" and "), words(*set))
            });
            format!("Dtypes {}.", each.collect::<Vec<_>>().join("; "))
        }
    };
    let result = match &row.outputs[..] {
        [Argument { ty: ArgumentType::One(Dtype::Fixed(dtype)), .. }] => {
            let (_, name) = DTYPES[place(&dtype.to_string())?];
            format!(" The result is {name}.")
        }
        _ => String::new(),
    };
    Some(format!("{operands}{result}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn sets_in_words() {
        let told = |expr: Expr| set(&expr).map(words);
        let all: Expr = parse_quote!(::extype::types::DTypeSet::ANY);
        assert_eq!(told(all).as_deref(), Some("every one"));
        let data: Expr = parse_quote!(DTypeSet::DATA.or(DTypeSet::of(&[DType::Variant])));
        assert_eq!(told(data).as_deref(), Some("every one but resource"));
        let mixed: Expr = parse_quote!(DTypeSet::FLOAT.or(DTypeSet::INDEX).or(DTypeSet::STRING));
        let text = "int32, int64, float16, bfloat16, float32, float64, string";
        assert_eq!(told(mixed).as_deref(), Some(text));
        let numbers: Expr = parse_quote!((DTypeSet::INTEGER));
        assert_eq!(told(numbers).as_deref(), Some("int8 to int64, uint8 to uint64"));
        let own: Expr = parse_quote!(MINE.or(DTypeSet::FLOAT));
        assert_eq!(told(own), None);
        let own: Expr = parse_quote!(Mine::FLOAT);
        assert_eq!(told(own), None);
    }
}
