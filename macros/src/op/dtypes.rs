//! The dtypes in a function's documentation: the sets of its row in words.

use syn::{Expr, Ident, Path};

use super::model::{Function, Row};
use super::parse::{Argument, ArgumentType, Dtype};
use crate::shared::tensor_type::{tensorflow_name, variants};

/// The kinds of dtypes, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum DTypeKind {
    Signed,
    Unsigned,
    Float,
    Float8,
    Complex,
    Bool,
    String,
    Quantized,
    Handle,
}

impl DTypeKind {
    fn of(variant: &str) -> Self {
        match variant {
            "Bool" => DTypeKind::Bool,
            "String" => DTypeKind::String,
            "Resource" | "Variant" => DTypeKind::Handle,
            v if v.starts_with('Q') => DTypeKind::Quantized,
            v if v.starts_with("F8") => DTypeKind::Float8,
            v if v.starts_with('I') => DTypeKind::Signed,
            v if v.starts_with('U') => DTypeKind::Unsigned,
            v if v.starts_with("Complex") => DTypeKind::Complex,
            _ => DTypeKind::Float,
        }
    }
}

/// Variants of `DType`, in the order of [`all`].
type Set = Vec<&'static str>;

fn all(of: impl Fn(DTypeKind) -> bool) -> Set {
    let mut set = variants();
    set.retain(|variant| of(DTypeKind::of(variant)));
    set.sort_by_key(|variant| DTypeKind::of(variant));
    set
}

fn either(left: &Set, right: &Set) -> Set {
    let mut set = all(|_| true);
    set.retain(|variant| left.contains(variant) || right.contains(variant));
    set
}

/// The set of dtypes that a row writes; `None` if only the compiler knows it.
fn set(expr: &Expr) -> Option<Set> {
    match expr {
        Expr::Group(e) => set(&e.expr),
        Expr::Paren(e) => set(&e.expr),
        Expr::Path(e) => named(&e.path),
        Expr::MethodCall(e) if e.method == "or" => {
            Some(either(&set(&e.receiver)?, &set(e.args.first()?)?))
        }
        Expr::Call(e) => match (&*e.func, e.args.first()) {
            (Expr::Path(of), Some(Expr::Reference(list))) if of_set(&of.path)? == "of" => {
                let Expr::Array(list) = &*list.expr else { return None };
                list.elems
                    .iter()
                    .try_fold(Set::new(), |set, e| Some(either(&set, &vec![single(e)?])))
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
    use DTypeKind::{Bool, Complex, Float, Float8, Handle, Quantized, Signed, String, Unsigned};
    Some(match of_set(path)?.as_str() {
        "SIGNED" => all(|k| k == Signed),
        "UNSIGNED" => all(|k| k == Unsigned),
        "INTEGER" => all(|k| matches!(k, Signed | Unsigned)),
        "FLOAT" => all(|k| k == Float),
        "FLOAT8" => all(|k| k == Float8),
        "QUANTIZED" => all(|k| k == Quantized),
        "REAL" => all(|k| matches!(k, Signed | Unsigned | Float)),
        "COMPLEX" => all(|k| k == Complex),
        "INEXACT" => all(|k| matches!(k, Float | Complex)),
        "NUMERIC" => all(|k| matches!(k, Signed | Unsigned | Float | Complex)),
        "INDEX" => vec!["I32", "I64"],
        "BOOL" => all(|k| k == Bool),
        "STRING" => all(|k| k == String),
        "COMPARABLE" => all(|k| !matches!(k, Float8 | Quantized | Handle)),
        "DATA" => all(|k| k != Handle),
        "ANY" => all(|_| true),
        _ => return None,
    })
}

/// `F32` of `DType::F32`.
fn single(dtype: &Expr) -> Option<&'static str> {
    let Expr::Path(e) = dtype else { return None };
    known(&e.path.segments.last()?.ident)
}

fn known(variant: &Ident) -> Option<&'static str> {
    variants().into_iter().find(|known| variant == known)
}

fn words(set: &Set) -> String {
    let missing: Vec<_> = all(|_| true).into_iter().filter(|v| !set.contains(v)).collect();
    match &missing[..] {
        [] => return "every one".to_owned(),
        [one] => return format!("every one but {}", tensorflow_name(one)),
        [one, other] => {
            return format!(
                "every one but {} and {}",
                tensorflow_name(one),
                tensorflow_name(other)
            );
        }
        _ => {}
    }
    let mut listed: Vec<String> = set.iter().map(|variant| tensorflow_name(variant)).collect();
    // All integers of one signedness are written as a range.
    for (kind, whole) in
        [(DTypeKind::Signed, "int8 to int64"), (DTypeKind::Unsigned, "uint8 to uint64")]
    {
        let part = all(|k| k == kind);
        if let Some(at) = set.windows(part.len()).position(|w| w == part) {
            let at = at - (set.len() - listed.len());
            listed.splice(at..at + part.len(), [whole.to_owned()]);
        }
    }
    listed.join(", ")
}

/// The dtypes that one operand may have.
fn of_argument(argument: &Argument, row: &Row) -> Option<Set> {
    match &argument.ty {
        ArgumentType::One(Dtype::Fixed(dtype)) | ArgumentType::List(Dtype::Fixed(dtype), _) => {
            Some(vec![known(dtype)?])
        }
        ArgumentType::Each(var) => of_var(&var.to_string(), row),
        _ => of_var(&argument.var()?.to_string(), row),
    }
}

fn of_var(var: &str, row: &Row) -> Option<Set> {
    row.types
        .iter()
        .find(|(name, _)| name == var)
        .map_or_else(|| Some(all(|_| true)), |(_, expr)| set(expr))
}

/// A sentence about the dtypes of a function's operands and result, if the row gives them in a readable form.
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
            format!("Dtypes, the same for all operands: {}.", words(set))
        }
        [(_, _, set)] => format!("Dtypes: {}.", words(set)),
        groups => {
            let each = groups.iter().map(|(var, names, set)| {
                let alike = if var.is_some() && names.len() > 1 { ", alike" } else { "" };
                format!("of {}{alike}: {}", names.join(" and "), words(set))
            });
            format!("Dtypes {}.", each.collect::<Vec<_>>().join("; "))
        }
    };
    let result = match &row.outputs[..] {
        [Argument { ty: ArgumentType::One(Dtype::Fixed(dtype)), .. }] => {
            format!(" The result is {}.", tensorflow_name(known(dtype)?))
        }
        _ => String::new(),
    };
    Some(format!("{operands}{result}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    /// A row of the runtime's list: `F32 = 1 "float32" Float [f32 as f32];`.
    #[test]
    fn names_and_kinds_are_those_of_the_runtime() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/types/dtype.rs");
        let text = std::fs::read_to_string(path).expect("the dtypes of the runtime");
        let mut rows = 0;
        for line in text.lines().filter(|line| line.trim_end().ends_with("];")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [variant, "=", _, quoted, kind, ..] = words[..] else { continue };
            assert_eq!(format!("{:?}", tensorflow_name(variant)), quoted);
            assert_eq!(format!("{:?}", DTypeKind::of(variant)), kind);
            rows += 1;
        }
        assert_eq!(rows, variants().len());
    }

    #[test]
    fn sets_in_words() {
        let told = |expr: Expr| set(&expr).map(|set| words(&set));
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
