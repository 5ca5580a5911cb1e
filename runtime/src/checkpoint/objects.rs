//! The objects of a program whose values a checkpoint holds.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::spec::{Group, Literal, ModuleCell, ModuleVisitor, Place, PlainData, SavedState, Slots};
use crate::tensor::{Identity, Tensor, Vacancy, Variable};

/// What an object has beside children.
pub(super) enum ObjectState {
    Group,
    Variable(Variable),
    /// A cell that is not filled yet.
    Vacant(Vacancy<Variable>),
    /// A restored value of what is not made yet.
    Kept(Tensor),
    Saved(Arc<dyn SavedState>),
}

pub(super) struct Object {
    pub(super) children: Vec<(String, usize)>,
    pub(super) state: ObjectState,
    pub(super) slots: Option<Arc<dyn Slots>>,
}

/// Objects, the first of which holds the others. Only variables have several holders.
pub(super) struct Objects {
    pub(super) all: Vec<Object>,
    /// The places of variables and cells.
    pub(super) known: FxHashMap<Identity, usize>,
    /// Where in `all` the groups are whose parts follow.
    open: Vec<Open>,
    /// The name of the next part, if it is not its field.
    pub(super) name: Option<String>,
    /// Two children of one name.
    pub(super) twice: Option<String>,
}

#[derive(Clone)]
enum Open {
    Group(usize, Group),
    /// The entry of a map, which has the value under the key.
    Entry(usize, String),
}

impl Objects {
    pub(super) fn new() -> Self {
        let mut objects = Self {
            all: Vec::new(),
            known: FxHashMap::default(),
            open: vec![Open::Group(0, Group::Module)],
            name: None,
            twice: None,
        };
        objects.add(ObjectState::Group);
        objects
    }

    pub(super) fn add(&mut self, state: ObjectState) -> usize {
        self.all.push(Object { children: Vec::new(), state, slots: None });
        self.all.len() - 1
    }

    /// Makes an object the child of another.
    pub(super) fn link(&mut self, parent: usize, name: String, child: usize) {
        self.all[parent].children.push((name, child));
    }

    /// Makes an object the next part of the group that is open.
    fn place(&mut self, place: Place, child: usize) {
        let name = match (self.name.take(), place) {
            (Some(name), _) => name,
            (None, Place::Field(name)) => name.to_owned(),
            (None, Place::Item(i)) => i.to_string(),
        };
        let (parent, name) = match self.open.last() {
            Some(Open::Group(parent, _)) => (*parent, name),
            Some(Open::Entry(map, key)) => (*map, key.clone()),
            None => (0, name),
        };
        // Fields and items differ in their names.
        if parent == 0 && self.all[0].children.iter().any(|(other, _)| *other == name) {
            self.twice = Some(name.clone());
        }
        self.link(parent, name, child);
    }

    fn at(&mut self, id: Identity, state: impl FnOnce() -> ObjectState) -> usize {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        let at = self.add(state());
        self.known.insert(id, at);
        at
    }

    /// The objects, nearer ones first, and the path of each: the names on the shortest way to it.
    pub(super) fn paths(&self) -> (Vec<usize>, Vec<String>) {
        let mut paths = vec![None; self.all.len()];
        let (mut order, mut next) = (Vec::new(), VecDeque::from([0]));
        paths[0] = Some(String::new());
        while let Some(at) = next.pop_front() {
            order.push(at);
            for (name, child) in &self.all[at].children {
                if paths[*child].is_none() {
                    let around = paths[at].as_deref().unwrap_or_default();
                    let separator = if around.is_empty() { "" } else { "/" };
                    paths[*child] = Some(format!("{around}{separator}{}", escaped(name)));
                    next.push_back(*child);
                }
            }
        }
        (order, paths.into_iter().map(Option::unwrap_or_default).collect())
    }
}

/// A name as a part of a path.
pub(super) fn escaped(name: &str) -> String {
    name.replace('.', "..").replace('/', ".S")
}

impl ModuleVisitor for Objects {
    fn state(&mut self, place: Place, cell: ModuleCell<'_>) {
        let at = match (cell.peek(), cell) {
            (Some(v), _) => self.at(v.handle().id(), || ObjectState::Variable(v.clone())),
            (None, ModuleCell::Late(cell)) => {
                self.at(cell.id(), || ObjectState::Vacant(cell.vacancy().clone()))
            }
            // Tables and queues have contents of their own.
            (None, _) => return self.name = None,
        };
        self.place(place, at);
    }

    fn plain(&mut self, place: Place, value: &dyn PlainData) {
        self.name = None;
        // The key of an entry of a map: the entry, which has begun, is no object.
        if let (Place::Item(0), Some(Open::Group(entry, Group::List(2)))) =
            (place, self.open.last().cloned())
            && entry + 1 == self.all.len()
            && let Some(Open::Group(map, _)) = self.open.iter().rev().nth(1).cloned()
        {
            self.all.pop();
            self.all[map].children.pop();
            self.open.pop();
            let key = match value.literal() {
                Literal::Str(key) => key.to_string(),
                key => key.to_string(),
            };
            self.open.push(Open::Entry(map, key));
        }
    }

    fn absent(&mut self, _: Place) {
        self.name = None;
    }

    fn begin(&mut self, place: Place, group: Group) {
        let at = self.add(ObjectState::Group);
        self.place(place, at);
        self.open.push(Open::Group(at, group));
    }

    fn end(&mut self) {
        self.open.pop();
    }

    fn saved(&mut self, place: Place, state: &dyn Fn() -> Arc<dyn SavedState>) {
        let at = self.add(ObjectState::Saved(state()));
        self.place(place, at);
    }

    fn file_name(&mut self, name: &str) {
        self.name = Some(name.to_owned());
    }

    fn slots(&mut self, slots: &dyn Fn() -> Arc<dyn Slots>) {
        if let Some(Open::Group(at, _)) = self.open.last() {
            self.all[*at].slots = Some(slots());
        }
    }
}
