//! The floors of the runtime, and which imports run up.

use syn::visit::Visit;
use syn::{File, ItemMod, ItemUse, Path, UseTree};

/// From the ground up; a module may import from its own floor and those before it.
const FLOORS: [&str; 23] = [
    "sync",
    "types",
    "array",
    "ir",
    "device",
    "tensor",
    "ops",
    "numpy",
    "spec",
    "random",
    "resources",
    "trace",
    "compile",
    "function",
    "gradient",
    "control",
    "data",
    "linalg",
    "fft",
    "signal",
    "image",
    "train",
    "saved",
];

/// Doors of the crate that re-export the floors, and what stands on which floor.
const REEXPORTS: [(&str, &str); 16] = [
    ("DType", "types"),
    ("Dim", "types"),
    ("Error", "types"),
    ("ErrorKind", "types"),
    ("Result", "types"),
    ("Shape", "types"),
    ("Tensor", "tensor"),
    ("TensorLike", "tensor"),
    ("Variable", "tensor"),
    ("ExtensionType", "spec"),
    ("Structure", "spec"),
    ("TensorSpec", "spec"),
    ("TypeSpec", "spec"),
    ("nest", "spec"),
    ("Function", "function"),
    ("GradientTape", "gradient"),
];

/// The place of a floor in the order.
pub(crate) fn height(floor: &str) -> Option<usize> {
    FLOORS.iter().position(|f| *f == floor)
}

/// The floors above that a source file reaches, once each, with the path that does.
///
/// `module` is the path of the file's module below the crate: `["ops", "front"]`.
///
/// # Errors
/// If the source is no Rust.
pub(crate) fn runs_up(module: &[&str], source: &str) -> syn::Result<Vec<String>> {
    let paths = paths(module, source)?;
    let Some(own) = module.first().and_then(|m| height(m)) else { return Ok(Vec::new()) };
    let mut wrong: Vec<String> = paths
        .iter()
        .filter(|path| floor_of(path).is_some_and(|floor| floor > own))
        .map(|path| path.join("::"))
        .collect();
    wrong.sort();
    wrong.dedup();
    Ok(wrong)
}

/// The paths below the crate that a source file names.
///
/// # Errors
/// If the source is no Rust.
pub(crate) fn paths(module: &[&str], source: &str) -> syn::Result<Vec<Vec<String>>> {
    let file: File = syn::parse_file(source)?;
    let mut found =
        Found { module: module.iter().map(|m| (*m).to_owned()).collect(), paths: Vec::new() };
    found.visit_file(&file);
    Ok(found.paths)
}

/// The floor that a path below the crate leads to.
fn floor_of(path: &[String]) -> Option<usize> {
    let first = path.first()?;
    let named = REEXPORTS.iter().find(|(name, _)| name == first).map(|(_, floor)| *floor);
    height(named.unwrap_or(first))
}

/// Collects paths below the crate, as they are in `use` lines and elsewhere.
struct Found {
    module: Vec<String>,
    paths: Vec<Vec<String>>,
}

impl Found {
    /// Adds a path as it is written, if it leads into the crate.
    fn add(&mut self, segments: &[String]) {
        let mut at = match segments.first().map(String::as_str) {
            Some("crate" | "extype") => Vec::new(),
            Some("self" | "super") => self.module.clone(),
            _ => return,
        };
        for segment in segments {
            match segment.as_str() {
                "crate" | "extype" | "self" => {}
                "super" => drop(at.pop()),
                name => at.push(name.to_owned()),
            }
        }
        self.paths.push(at);
    }

    fn use_tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(p) => self.use_tree(&with(&p.ident), &p.tree),
            UseTree::Name(n) => self.add(&with(&n.ident)),
            UseTree::Rename(r) => self.add(&with(&r.ident)),
            UseTree::Glob(_) => self.add(before),
            UseTree::Group(g) => g.items.iter().for_each(|t| self.use_tree(before, t)),
        }
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if !is_test(&item.attrs) {
            self.use_tree(&[], &item.tree);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        syn::visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.add(&segments);
        syn::visit::visit_path(self, path);
    }
}

/// True for `#[cfg(test)]`.
fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| {
        a.path().is_ident("cfg")
            && a.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}
