//! Functions of ops show how they are called.

use std::path::Path;

use walkdir::WalkDir;

/// Functions of a file of `ops` whose documentation has no example: those of its rows, and those
/// written by hand.
fn without_example(text: &str) -> Vec<String> {
    let (mut found, mut docs) = (Vec::new(), String::new());
    let mut row = None;
    for line in text.lines() {
        let code = line.trim_start();
        if code.starts_with("///") || code.starts_with("#[") {
            docs.push_str(code);
            continue;
        }
        if let Some(name) = row_name(code) {
            row = Some((name, std::mem::take(&mut docs)));
        } else if line.starts_with("    }") {
            row = None;
        } else if let Some((name, docs)) = &row
            && code.starts_with("call: ")
            && !docs.contains("```")
        {
            found.push((*name).to_owned());
        } else if let Some(rest) = line.strip_prefix("pub fn ")
            && !docs.contains("```")
            && !docs.contains("#[doc(hidden)]")
        {
            found.push(rest.split(['(', '<']).next().unwrap_or(rest).to_owned());
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

#[test]
fn every_function_of_an_op_has_an_example() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/src/ops"));
    // What rows of other crates build on, and the rules of gradients.
    let exempt = ["args", "infer.rs", "gradient.rs", "operators.rs"].map(|name| root.join(name));
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
        let found = without_example(&text);
        missing.extend(found.into_iter().map(|name| format!("{}: {name}", path.display())));
    }
    assert!(files > 50, "{files} files of ops");
    assert!(missing.is_empty(), "no example in the docs of:\n{}", missing.join("\n"));
}

#[test]
fn a_function_without_an_example_is_found() {
    let text = "
    /// A row.
    pub unary Plain = \"Plain\" {
        call: method plain,
    }

    /// ```
    /// shown
    /// ```
    pub op Shown = \"Shown\" {
        inputs: { x: T },
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
    assert_eq!(without_example(text), ["Plain", "by_hand"]);
}
