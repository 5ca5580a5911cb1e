//! The names of the variables of a module.

use std::fmt;

use rustc_hash::FxHashSet;

use super::{Group, ModuleCell, ModuleVisitor, Place};
use crate::tensor::Variable;

/// The variables of a module with their paths.
pub(super) fn named_variables(
    visit: impl FnOnce(&mut dyn ModuleVisitor),
) -> Vec<(String, Variable)> {
    #[derive(Default)]
    struct Collect {
        /// The path of the group whose parts follow, and the lengths of the paths of the groups around it.
        path: String,
        around: Vec<usize>,
        found: Vec<(String, Variable)>,
    }
    impl Collect {
        fn add(&mut self, place: &dyn fmt::Display, variable: &Variable) {
            let path = format!("{}{place}", self.path);
            let path = path.strip_prefix('.').unwrap_or(&path).to_owned();
            self.found.push((path, variable.clone()));
        }
    }
    impl ModuleVisitor for Collect {
        fn state(&mut self, place: Place, cell: ModuleCell<'_>) {
            if let Some(variable) = cell.variable() {
                self.add(&place, variable);
            }
        }

        fn made(&mut self, variable: &Variable) {
            let label = variable.label().unwrap_or("variable");
            self.add(&format_args!(".{label}"), variable);
        }

        fn begin(&mut self, place: Place, _: Group) {
            self.around.push(self.path.len());
            self.path.push_str(&place.to_string());
        }

        fn end(&mut self) {
            self.path.truncate(self.around.pop().unwrap_or(0));
        }

        fn grows(&mut self, miss: &dyn Fn()) {
            miss();
        }
    }
    let mut collect = Collect::default();
    visit(&mut collect);
    // Only variables that no field holds may share a label.
    let mut taken: FxHashSet<String> = FxHashSet::default();
    for (path, _) in &mut collect.found {
        let first = path.clone();
        let mut others = 1..;
        while !taken.insert(path.clone()) {
            *path = format!("{first}_{}", others.next().unwrap_or(0));
        }
    }
    collect.found
}
