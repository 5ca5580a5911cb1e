//! Functions of ops tell their dtypes and show how they are called.

use std::path::Path;

use walkdir::WalkDir;

/// Functions of a file of `ops` whose documentation lacks something: those of its rows, and those
/// written by hand. The macro tells the dtypes of a row, unless the set has a name of its own.
fn lacking(text: &str) -> Vec<String> {
    let (mut found, mut docs) = (Vec::new(), String::new());
    let mut own_set = false;
    let mut row = None;
    for line in text.lines() {
        let code = line.trim_start();
        if code.starts_with("///") || code.starts_with("#[") {
            docs.push_str(code);
            continue;
        }
        if let Some(name) = row_name(code) {
            (row, own_set) = (Some((name, std::mem::take(&mut docs))), false);
        } else if line.starts_with("    }") {
            row = None;
        } else if let Some((_, sets)) = code.split_once("types: ") {
            own_set = has_own_set(sets);
        } else if let Some((name, docs)) = &row
            && code.starts_with("call: ")
        {
            if !docs.contains("```") {
                found.push(format!("{name}: an example"));
            }
            if own_set && !docs.contains("Dtypes") {
                found.push(format!("{name}: dtypes"));
            }
        } else if let Some(rest) = line.strip_prefix("pub fn ")
            && !docs.contains("```")
            && !docs.contains("#[doc(hidden)]")
        {
            let name = rest.split(['(', '<']).next().unwrap_or(rest);
            found.push(format!("{name}: an example"));
        }
        docs.clear();
    }
    found
}

/// `Tanh` of `pub unary Tanh = "Tanh" {`.
fn row_name(code: &str) -> Option<&str> {
    let (form, rest) = code.strip_prefix("pub ")?.split_once(' ')?;
    let (name, _) = rest.split_once(" = ")?;
    ["op", "unary", "binary", "reduction"].contains(&form).then_some(name)
}

/// True if a set is more than `DTypeSet::…`: a constant, which the macro can't look into.
fn has_own_set(sets: &str) -> bool {
    let sets = sets.split('}').next().unwrap_or(sets);
    let mut words = sets.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    words.any(|word| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

#[test]
fn every_function_of_an_op_tells_dtypes_and_has_an_example() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/ops"));
    // What rows of other crates build on, the rules of gradients and batches.
    let exempt =
        ["args", "batch.rs", "infer.rs", "gradient.rs", "operators.rs"].map(|name| root.join(name));
    let mut missing = Vec::new();
    let mut files = 0;
    for entry in WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok) {
        let path = entry.path();
        if path.extension().is_none_or(|e| e != "rs")
            || exempt.iter().any(|e| path.starts_with(e))
            || path.ends_with("infer.rs")
        {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(path).expect("a readable file");
        missing
            .extend(lacking(&text).into_iter().map(|what| format!("{}: {what}", path.display())));
    }
    assert!(files > 50, "{files} files of ops");
    assert!(missing.is_empty(), "not in the docs:\n{}", missing.join("\n"));
}

#[test]
fn what_is_not_in_the_docs_is_found() {
    let text = "
    /// A row.
    pub unary Plain = \"Plain\" {
        types: { T: DTypeSet::FLOAT },
        call: method plain,
    }

    /// ```
    /// shown
    /// ```
    pub op Shown = \"Shown\" {
        inputs: { x: T }, types: { T: OWN_SET, I: DTypeSet::INDEX }, attrs: { n: i64 },
        call: shown(x),
    }

    /// No function.
    pub op Silent = \"Silent\" {
        infer: f,
    }
}

/// By hand.
#[track_caller]
pub fn by_hand<X: Operand>(x: X) {}

/// ```
/// shown
/// ```
#[track_caller]
pub fn shown_by_hand(x: X) {}
";
    assert_eq!(lacking(text), ["Plain: an example", "Shown: dtypes", "by_hand: an example"]);
}
