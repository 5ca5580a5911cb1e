//! Receivers of traced methods that are no extension types: models with state.

use std::any::TypeId;

use super::{AnySpec, Literal};
use crate::tensor::{Identity, Late, Variable};

/// An object with state: variables, cells of variables, other modules and plain data.
/// `#[derive(Module)]` implements it.
///
/// A traced method runs on the real `&self`; the receiver is part of the key of a trace by the
/// identity of its state and the values of its plain fields, so each instance has traces of its
/// own, and a change of a plain field makes a new one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the receiver of a traced method",
    label = "neither an extension type nor a module",
    note = "derive `Module` if it holds variables, `ExtensionType` if it is data"
)]
pub trait Module {
    /// Shows every field to the visitor, in order.
    fn visit(&self, visitor: &mut dyn ModuleVisitor);

    /// The variables, depth first; those of cells only once they are created.
    fn variables(&self) -> Vec<Variable> {
        struct Collect(Vec<Variable>);
        impl ModuleVisitor for Collect {
            fn state(&mut self, _: &str, _: Identity, variable: Option<&Variable>) {
                self.0.extend(variable.cloned());
            }
            fn plain(&mut self, _: &str, _: &dyn Fn() -> Literal) {}
            fn child(&mut self, _: &str, child: &dyn Module) {
                child.visit(self);
            }
        }
        let mut collect = Collect(Vec::new());
        self.visit(&mut collect);
        collect.0
    }
}

/// Sees the fields of a [`Module`].
pub trait ModuleVisitor {
    /// A variable, or a cell for one, with its identity.
    fn state(&mut self, name: &str, id: Identity, variable: Option<&Variable>);

    /// Plain data.
    fn plain(&mut self, name: &str, value: &dyn Fn() -> Literal);

    /// A module within.
    fn child(&mut self, name: &str, child: &dyn Module);
}

/// A field of a module: `Variable`, `Late<Variable>`, modules, lists of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a field of a module",
    label = "neither a variable, a cell for one, nor a module",
    note = "mark the field `#[plain]` if it is data that never changes a trace's meaning unseen: \
            its value becomes part of the key"
)]
pub trait ModuleState {
    /// Shows the field to the visitor.
    fn visit_as(&self, name: &str, visitor: &mut dyn ModuleVisitor);
}

impl ModuleState for Variable {
    fn visit_as(&self, name: &str, visitor: &mut dyn ModuleVisitor) {
        visitor.state(name, self.handle().id(), Some(self));
    }
}

impl ModuleState for Late<Variable> {
    fn visit_as(&self, name: &str, visitor: &mut dyn ModuleVisitor) {
        visitor.state(name, self.id(), self.get());
    }
}

impl<T: Module> ModuleState for T {
    fn visit_as(&self, name: &str, visitor: &mut dyn ModuleVisitor) {
        visitor.child(name, self);
    }
}

impl<T: ModuleState> ModuleState for Vec<T> {
    fn visit_as(&self, name: &str, visitor: &mut dyn ModuleVisitor) {
        for (i, x) in self.iter().enumerate() {
            x.visit_as(&format!("{name}[{i}]"), visitor);
        }
    }
}

impl<T: ModuleState> ModuleState for Option<T> {
    fn visit_as(&self, name: &str, visitor: &mut dyn ModuleVisitor) {
        if let Some(x) = self {
            x.visit_as(name, visitor);
        }
    }
}

/// The type of a module as an argument: the identity of its state, and its plain data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModuleSpec {
    /// The type of the module.
    pub type_id: TypeId,
    /// The ids of variables and cells, in order.
    pub state: Vec<Identity>,
    /// The plain fields, in order.
    pub plain: Vec<Literal>,
}

impl ModuleSpec {
    /// The spec of a module.
    pub fn of<M: Module + 'static>(module: &M) -> Self {
        let mut spec =
            ModuleSpec { type_id: TypeId::of::<M>(), state: Vec::new(), plain: Vec::new() };
        module.visit(&mut spec);
        spec
    }

    /// True if both are of one instance: the same state, whatever the plain fields are.
    pub fn same_instance(&self, other: &Self) -> bool {
        self.type_id == other.type_id && self.state == other.state
    }

    /// True if it is this module's spec; compared without making one.
    pub fn matches<M: Module + 'static>(&self, module: &M) -> bool {
        let equal = self.type_id == TypeId::of::<M>();
        let mut compare = Compare { spec: self, state: 0, plain: 0, equal };
        module.visit(&mut compare);
        compare.equal && compare.state == self.state.len() && compare.plain == self.plain.len()
    }
}

impl ModuleVisitor for ModuleSpec {
    fn state(&mut self, _: &str, id: Identity, _: Option<&Variable>) {
        self.state.push(id);
    }

    fn plain(&mut self, _: &str, value: &dyn Fn() -> Literal) {
        self.plain.push(value());
    }

    fn child(&mut self, _: &str, child: &dyn Module) {
        child.visit(self);
    }
}

struct Compare<'a> {
    spec: &'a ModuleSpec,
    state: usize,
    plain: usize,
    equal: bool,
}

impl ModuleVisitor for Compare<'_> {
    fn state(&mut self, _: &str, id: Identity, _: Option<&Variable>) {
        self.equal &= self.spec.state.get(self.state) == Some(&id);
        self.state += 1;
    }

    fn plain(&mut self, _: &str, value: &dyn Fn() -> Literal) {
        self.equal &= self.spec.plain.get(self.plain) == Some(&value());
        self.plain += 1;
    }

    fn child(&mut self, _: &str, child: &dyn Module) {
        child.visit(self);
    }
}

impl From<ModuleSpec> for AnySpec {
    fn from(spec: ModuleSpec) -> Self {
        AnySpec::Module(std::sync::Arc::new(spec))
    }
}
