//! The names of the prelude: those of the first hour, none of them a generic word.

use std::collections::BTreeSet;

use extype::types::DTypeSet;
use syn::{Item, UseTree};

/// All but the dtypes. Another name for this list is one that a program needs before it has read anything else.
const NAMES: [&str; 53] = [
    "Axes",
    "Axis",
    "BinaryOp",
    "DType",
    "Dim",
    "Ellipsis",
    "Error",
    "ErrorKind",
    "ExtensionType",
    "Function",
    "GradientTape",
    "KeepDims",
    "Late",
    "Module",
    "NewAxis",
    "Op",
    "Operand",
    "Pair",
    "ReductionOp",
    "Result",
    "Shape",
    "StaticData",
    "Structure",
    "Tensor",
    "TensorLike",
    "TensorSpec",
    "TypeSpec",
    "UnaryOp",
    "Validate",
    "Variable",
    "case",
    "cond",
    "custom_gradient",
    "dispatch",
    "fft",
    "function",
    "grad",
    "jvp",
    "linalg",
    "map_fn",
    "nest",
    "ops",
    "overrides",
    "random",
    "scalar",
    "scan",
    "shape",
    "tensor",
    "tf_function",
    "value_and_grad",
    "vectorized_map",
    "vjp",
    "while_loop",
];

/// The names that a `use` brings in, and the modules of which it brings all.
fn names(tree: &UseTree, module: &str, found: &mut (BTreeSet<String>, Vec<String>)) {
    match tree {
        UseTree::Path(path) => names(&path.tree, &path.ident.to_string(), found),
        UseTree::Name(name) if name.ident == "self" => drop(found.0.insert(module.to_owned())),
        UseTree::Name(name) => drop(found.0.insert(name.ident.to_string())),
        UseTree::Rename(rename) if rename.rename == "_" => {}
        UseTree::Rename(rename) => drop(found.0.insert(rename.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, module, found)),
        UseTree::Glob(_) => found.1.push(module.to_owned()),
    }
}

fn brought_in(text: &str) -> (BTreeSet<String>, Vec<String>) {
    let mut found = (BTreeSet::new(), Vec::new());
    for item in syn::parse_file(text).expect("Rust").items {
        if let Item::Use(item) = item {
            names(&item.tree, "", &mut found);
        }
    }
    found
}

#[test]
fn the_prelude_has_names_of_the_first_hour() {
    let (names, all_of) = brought_in(include_str!("../../../../runtime/src/prelude.rs"));
    assert_eq!(Vec::from_iter(&names), NAMES);
    assert_eq!(all_of, ["methods", "dtypes"]);
    let ops = include_str!("../../../../runtime/src/ops/mod.rs");
    let (_, methods) = ops.split_once("pub mod methods {\n").expect("the methods of ops");
    let (methods, _) = methods.split_once("\n}\n").expect("an end");
    let (names, all_of) = brought_in(methods);
    assert!(names.is_empty() && all_of.is_empty(), "named: {names:?} {all_of:?}");
    let dtypes = DTypeSet::ANY.iter().filter(|d| {
        // The quantized ones have a module of their own.
        !["string", "resource", "variant"].contains(&d.name()) && !DTypeSet::QUANTIZED.contains(*d)
    });
    assert!(NAMES.len() + dtypes.count() <= 70);
}
