//! The objects of a model that is saved: its modules and lists, what they hold, and what functions use.

use std::collections::{BTreeMap, HashMap, VecDeque};

use extype_formats::proto::saved_object::Kind;
use extype_formats::proto::{
    ObjectReference, SavedConstant, SavedObject, SavedResource, SavedUserObject, SavedVariable,
    SerializedTensor, TrackableObject, TrackableObjectGraph, VersionDef,
};

use super::tables::table_of;
use crate::array::Array;
use crate::function::ConcreteFunction;
use crate::ir::legal_name;
use crate::saved::tensors::shape_message;
use crate::spec::{Group, Module, ModuleCell, ModuleVisitor, Place};
use crate::tensor::{Identity, Tensor, Variable};
use crate::types::{DType, Error, Result, bail, nearest};

/// The attribute of a checkpoint that is the value of a variable.
const VALUE: &str = "VARIABLE_VALUE";

pub(super) struct Objects {
    /// The first is the root.
    pub(super) nodes: Vec<Object>,
    /// What functions may capture.
    known: HashMap<Identity, usize>,
    /// The tables that the model holds.
    pub(super) tables: Vec<(usize, Tensor)>,
}

pub(super) struct Object {
    children: Vec<(String, usize)>,
    pub(super) kind: ObjectKind,
}

pub(super) enum ObjectKind {
    Variable(Variable),
    /// A tensor that does not change.
    Constant(Array),
    /// Anything else, as it is saved.
    Other(Kind),
}

/// An object of Python that only holds others.
pub(super) fn user_object(identifier: &str) -> ObjectKind {
    ObjectKind::Other(Kind::UserObject(SavedUserObject {
        identifier: identifier.to_owned(),
        version: Some(VersionDef { producer: 1, min_consumer: 1, ..VersionDef::default() }),
        ..SavedUserObject::default()
    }))
}

/// Makes an object for each part of a module.
struct Walk<'a> {
    objects: &'a mut Objects,
    /// The group whose parts follow, and those around it.
    open: Vec<usize>,
    result: Result<()>,
}

impl Walk<'_> {
    fn hold(&mut self, name: &str, node: usize) {
        let at = self.open.last().copied().unwrap_or(0);
        let held = self.objects.hold(at, name, node);
        if self.result.is_ok() {
            self.result = held;
        }
    }
}

fn name_of(place: Place) -> String {
    match place {
        Place::Field(name) => name.to_owned(),
        Place::Item(i) => i.to_string(),
    }
}

impl ModuleVisitor for Walk<'_> {
    fn state(&mut self, place: Place, cell: ModuleCell<'_>) {
        let node = match (cell, cell.variable()) {
            (_, Some(variable)) => self.objects.variable(variable),
            (ModuleCell::Handle(handle), _) if table_of(handle).is_some() => {
                self.objects.table(handle)
            }
            // A cell that is empty, or state that is not saved.
            _ => return,
        };
        self.hold(&name_of(place), node);
    }

    fn made(&mut self, variable: &Variable) {
        let at = self.open.last().copied().unwrap_or(0);
        let label = variable.label().unwrap_or("variable").to_owned();
        let taken = |name: &str| self.objects.child(at, name).is_some();
        let numbered = (1..).map(|i| format!("{label}_{i}"));
        let name = std::iter::once(label.clone()).chain(numbered).find(|name| !taken(name));
        let node = self.objects.variable(variable);
        self.hold(&name.unwrap_or(label), node);
    }

    fn begin(&mut self, place: Place, group: Group) {
        let node = self.objects.add(user_object(match group {
            Group::Module => "_generic_user_object",
            Group::List(_) => "trackable_list_wrapper",
        }));
        self.hold(&name_of(place), node);
        self.open.push(node);
    }

    fn end(&mut self) {
        self.open.pop();
    }
}

impl Objects {
    /// The objects of a model; without a model, an empty root.
    pub(super) fn of(model: Option<&dyn Module>) -> Result<Self> {
        let mut objects = Self { nodes: Vec::new(), known: HashMap::new(), tables: Vec::new() };
        let root = objects.add(user_object("_generic_user_object"));
        let mut walk = Walk { objects: &mut objects, open: vec![root], result: Ok(()) };
        if let Some(model) = model {
            model.visit(&mut walk);
        }
        walk.result?;
        Ok(objects)
    }

    pub(super) fn add(&mut self, kind: ObjectKind) -> usize {
        self.nodes.push(Object { children: Vec::new(), kind });
        self.nodes.len() - 1
    }

    fn variable(&mut self, variable: &Variable) -> usize {
        let id = variable.handle().id();
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let node = self.add(ObjectKind::Variable(variable.clone()));
        self.known.insert(id, node);
        node
    }

    fn table(&mut self, handle: &Tensor) -> usize {
        if let Some(known) = self.known.get(&handle.id()) {
            return *known;
        }
        let node = self.add(ObjectKind::Other(Kind::Resource(SavedResource::default())));
        self.known.insert(handle.id(), node);
        self.tables.push((node, handle.clone()));
        node
    }

    fn child(&self, at: usize, name: &str) -> Option<usize> {
        self.nodes[at].children.iter().find(|(known, _)| known == name).map(|(_, node)| *node)
    }

    /// Puts an object under a name of another one.
    pub(super) fn hold(&mut self, at: usize, name: &str, node: usize) -> Result<()> {
        if name.is_empty() || self.child(at, name).is_some() {
            bail!(
                "the name `{name}` is taken: a field, a function and `signatures` need different names"
            );
        }
        self.nodes[at].children.push((name.to_owned(), node));
        Ok(())
    }

    /// The module that a function of this path belongs to.
    pub(super) fn module_of(&self, path: &str) -> Result<usize> {
        let mut at = 0;
        let mut parts: Vec<&str> = path.split('.').collect();
        parts.pop();
        for name in parts {
            at = match self.child(at, name) {
                Some(child)
                    if matches!(self.nodes[child].kind, ObjectKind::Other(Kind::UserObject(_))) =>
                {
                    child
                }
                _ => {
                    let names = self.nodes[at].children.iter().map(|(name, _)| name.as_str());
                    let near = nearest(name, names)
                        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                    bail!(
                        "the function `{path}` is to be at `{name}`, which is no module of the model{near}"
                    )
                }
            };
        }
        Ok(at)
    }

    /// The objects that a trace captures, in the order of its last inputs.
    pub(super) fn captures(&mut self, trace: &ConcreteFunction) -> Result<Vec<usize>> {
        trace.captured_inputs()?.iter().map(|capture| self.capture(capture)).collect()
    }

    fn capture(&mut self, capture: &Tensor) -> Result<usize> {
        if let Some(known) = self.known.get(&capture.id()) {
            return Ok(*known);
        }
        if capture.dtype() != DType::Resource {
            let node = self.add(ObjectKind::Constant(capture.data()?.clone()));
            self.known.insert(capture.id(), node);
            return Ok(node);
        }
        if let Some(table) = table_of(capture) {
            bail!(
                FailedPrecondition,
                "it uses {table:?}, which the model does not hold: make it a field of the model"
            )
        }
        let Some(variable) = Variable::of(capture) else {
            let resource = capture.data()?.as_resource()?;
            bail!(Unimplemented, "it uses a {}, which is not saved: {resource:?}", resource.kind());
        };
        bail!(
            FailedPrecondition,
            "it uses {variable:?}, which the model does not hold: make it a field of the model (`#[derive(Module)]`), so that its \
             value is saved too"
        )
    }

    /// The variables, in the order of their shortest paths, with the keys of their names in checkpoints.
    pub(super) fn variables(&self) -> Vec<SavedValue> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        let mut taken: HashMap<String, u32> = HashMap::new();
        let mut open = VecDeque::from([(String::new(), 0)]);
        seen[0] = true;
        while let Some((path, node)) = open.pop_front() {
            for (name, child) in &self.nodes[node].children {
                if !std::mem::replace(&mut seen[*child], true) {
                    let escaped = name.replace('.', "..").replace('/', ".S");
                    let path = if path.is_empty() { escaped } else { format!("{path}/{escaped}") };
                    open.push_back((path, *child));
                }
            }
            if let ObjectKind::Variable(variable) = &self.nodes[node].kind {
                let mut name = legal_name(&path);
                let count = taken.entry(name.clone()).and_modify(|n| *n += 1).or_insert(0);
                if *count > 0 {
                    name = format!("{name}_{count}");
                }
                let key = format!("{path}/.ATTRIBUTES/{VALUE}");
                found.push(SavedValue { object: node, name, key, variable: variable.clone() });
            }
        }
        found
    }

    fn children(&self, node: usize) -> Vec<ObjectReference> {
        let reference = |(name, node): &(String, usize)| ObjectReference {
            node_id: *node as i32,
            local_name: name.clone(),
        };
        self.nodes[node].children.iter().map(reference).collect()
    }

    /// The objects as checkpoints tell them.
    pub(super) fn tracked(&self, variables: &[SavedValue]) -> TrackableObjectGraph {
        let mut nodes: Vec<TrackableObject> = (0..self.nodes.len())
            .map(|i| TrackableObject { children: self.children(i), ..TrackableObject::default() })
            .collect();
        for v in variables {
            nodes[v.object].attributes.push(SerializedTensor {
                name: VALUE.to_owned(),
                full_name: v.name.clone(),
                checkpoint_key: v.key.clone(),
            });
        }
        TrackableObjectGraph { nodes }
    }

    /// The objects as the model tells them. A constant is the node of this name.
    pub(super) fn messages(&self, variables: &[SavedValue]) -> Vec<SavedObject> {
        let names: BTreeMap<usize, &str> =
            variables.iter().map(|v| (v.object, v.name.as_str())).collect();
        let message = |(i, object): (usize, &Object)| {
            let (mut registered, mut dependencies) = (String::new(), Vec::new());
            let kind = match &object.kind {
                ObjectKind::Other(kind) => {
                    if matches!(kind, Kind::Function(_)) {
                        dependencies = self.children(i);
                    }
                    kind.clone()
                }
                ObjectKind::Constant(_) => {
                    "tf.TrackableConstant".clone_into(&mut registered);
                    Kind::Constant(SavedConstant { operation: constant_name(i) })
                }
                ObjectKind::Variable(v) => Kind::Variable(SavedVariable {
                    dtype: v.dtype().number(),
                    shape: Some(shape_message(v.shape())),
                    trainable: v.is_trainable(),
                    name: names.get(&i).copied().unwrap_or_default().to_owned(),
                    ..SavedVariable::default()
                }),
            };
            SavedObject {
                children: self.children(i),
                kind: Some(kind),
                registered_name: registered,
                dependencies,
                ..SavedObject::default()
            }
        };
        self.nodes.iter().enumerate().map(message).collect()
    }
}

/// A variable with its names: that of the node of its handle, and that of its value.
pub(super) struct SavedValue {
    pub(super) object: usize,
    pub(super) name: String,
    pub(super) key: String,
    variable: Variable,
}

impl SavedValue {
    pub(super) fn dtype(&self) -> DType {
        self.variable.dtype()
    }

    pub(super) fn shape(&self) -> &crate::Shape {
        self.variable.shape()
    }

    /// The value; strings and numbers can be saved.
    pub(super) fn value(&self) -> Result<Array> {
        let of = |e: Error| e.prefixed(format!("variable `{}`", self.name));
        Ok(self.variable.read().map_err(of)?.data()?.clone())
    }
}

/// The node of the constant that is this object.
pub(super) fn constant_name(object: usize) -> String {
    format!("Const_{object}")
}
