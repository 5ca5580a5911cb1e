//! Values of a checkpoint for the objects of a program.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use extype_formats::bundle::{Bundle, OBJECT_GRAPH};
use extype_formats::proto::TrackableObject;
use rustc_hash::{FxHashMap, FxHashSet};

use super::objects::{ObjectState, Objects};
use super::report::{Misshapen, Restored};
use super::snapshot::{ATTRIBUTES, VALUE};
use super::tensors::{read, type_of};
use crate::spec::{SavedState, Slots};
use crate::tensor::{Awaits, Tensor, Vacancy, Variable, aside};
use crate::types::{DType, Error, Result, Shape, TensorType, bail};

/// Values that wait for a variable.
pub(super) struct Waiting {
    pub(super) value: Tensor,
    pub(super) slots: Vec<(Arc<dyn Slots>, &'static str, Tensor)>,
}

impl Waiting {
    pub(super) fn of(vacancy: &Vacancy<Variable>) -> Option<Arc<dyn Awaits<Variable>>> {
        vacancy.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Awaits<Variable> for Waiting {
    fn made(&self, variable: &Variable) -> Result<()> {
        aside(|| {
            variable.assign(&self.value).map_err(|e| e.prefixed("the restored value"))?;
            let mut slots = self.slots.iter();
            slots.try_for_each(|(slots, slot, value)| slots.set(Some(variable), slot, value))
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The list of the variables of Keras's optimizers, whose order is that of the lists of slots. It is not written: TensorFlow
/// would take the variables in it for those of the model, which Keras's optimizers may have copies of.
const TRAINED: &str = "_trainable_variables";

/// What gets a value.
enum Target {
    Variable(Variable),
    Vacant(Vacancy<Variable>),
    /// A slot of a variable that is there, or of the whole optimizer.
    Slot(Arc<dyn Slots>, Option<Variable>, &'static str),
    /// A slot of the variable that will be made here.
    Later(Vacancy<Variable>, Arc<dyn Slots>, &'static str),
}

/// What a restore will do. Nothing is changed yet.
pub(super) struct Matching {
    bundle: Bundle,
    pub(super) report: Restored,
    values: Vec<(String, Target)>,
    /// State with the beginning of the names of its values.
    saved: Vec<(String, Arc<dyn SavedState>)>,
    /// The names of tensors with a use.
    used: FxHashSet<String>,
}

/// The objects of a checkpoint.
struct Graph {
    nodes: Vec<TrackableObject>,
}

impl Graph {
    fn node(&self, id: i32) -> Option<&TrackableObject> {
        usize::try_from(id).ok().and_then(|id| self.nodes.get(id))
    }

    fn children(&self, id: i32) -> FxHashMap<&str, i32> {
        let children = self.node(id).into_iter().flat_map(|node| &node.children);
        children.map(|child| (&*child.local_name, child.node_id)).collect()
    }

    /// The name of the tensor with an attribute of an object.
    fn key(&self, id: i32, attribute: &str) -> Option<&str> {
        let attributes = &self.node(id)?.attributes;
        let found = attributes.iter().find(|a| a.name == attribute)?;
        Some(&found.checkpoint_key)
    }
}

impl Matching {
    /// Compares a checkpoint with objects.
    pub(super) fn of(prefix: &Path, objects: &Objects) -> Result<Self> {
        let bundle = Bundle::open(prefix).map_err(Error::of_file)?;
        let Some(graph) = bundle.object_graph().map_err(Error::of_file)? else {
            bail!(
                "the checkpoint {} has tensors by their names alone, and no objects: read it with \
                 `extype_formats::bundle`",
                prefix.display()
            )
        };
        let graph = Graph { nodes: graph.nodes };
        let mut plan = Self {
            bundle,
            report: Restored::default(),
            values: Vec::new(),
            saved: Vec::new(),
            used: FxHashSet::default(),
        };
        // Which object of the checkpoint is which of the program. Groups stand behind those that hold them.
        let mut ids: Vec<Option<i32>> = vec![None; objects.all.len()];
        // Objects that others hold which are in the checkpoint.
        let mut is_held = vec![false; objects.all.len()];
        ids[0] = Some(0).filter(|_| !graph.nodes.is_empty());
        for at in 0..objects.all.len() {
            let Some(id) = ids[at] else { continue };
            if objects.all[at].children.is_empty() {
                continue;
            }
            let children = graph.children(id);
            for (name, child) in &objects.all[at].children {
                ids[*child] = ids[*child].or(children.get(&**name).copied());
                is_held[*child] = true;
            }
        }
        let (order, paths) = objects.paths();
        for at in &order {
            let (path, id) = (&paths[*at], ids[*at]);
            let key = |attribute| id.and_then(|id| graph.key(id, attribute)).map(str::to_owned);
            match &objects.all[*at].state {
                ObjectState::Group | ObjectState::Kept(_) => {}
                ObjectState::Variable(v) => {
                    plan.value(key(VALUE), path.clone(), || {
                        (v.tensor_type().clone(), Target::Variable(v.clone()))
                    })?;
                }
                ObjectState::Vacant(vacancy) => {
                    if let Some(key) = key(VALUE) {
                        plan.report.waiting.push(path.clone());
                        plan.used.insert(key.clone());
                        plan.values.push((key, Target::Vacant(vacancy.clone())));
                    } else if !is_held[*at] {
                        // In an object that was saved it may not have been made.
                        plan.report.missing.push(path.clone());
                    }
                }
                ObjectState::Saved(state) => match key(state.name()) {
                    Some(key) => {
                        plan.report.matched.push(path.clone());
                        plan.saved.push((key, state.clone()));
                    }
                    None => plan.report.missing.push(path.clone()),
                },
            }
        }
        // The variables of the program by the objects of the checkpoint.
        let variables: FxHashMap<i32, &ObjectState> = order
            .iter()
            .filter_map(|at| Some((ids[*at]?, &objects.all[*at].state)))
            .filter(|(_, state)| matches!(state, ObjectState::Variable(_) | ObjectState::Vacant(_)))
            .collect();
        for at in &order {
            if let Some(slots) = &objects.all[*at].slots {
                plan.slots(&graph, ids[*at], slots, &paths[*at], &variables)?;
            }
        }
        let keys = plan.bundle.keys().filter(|key| *key != OBJECT_GRAPH);
        let is_used = |key: &str| {
            plan.used.contains(key) || plan.saved.iter().any(|(start, _)| key.starts_with(&**start))
        };
        let value = format!("{ATTRIBUTES}{VALUE}");
        let shown = |key: &str| key.strip_suffix(&*value).unwrap_or(key).to_owned();
        plan.report.unused = keys.filter(|key| !is_used(key)).map(shown).collect();
        Ok(plan)
    }

    /// A value, if the checkpoint has it, for a target of this type.
    fn value(
        &mut self,
        key: Option<String>,
        path: String,
        target: impl FnOnce() -> (TensorType, Target),
    ) -> Result<()> {
        let Some(key) = key else {
            self.report.missing.push(path);
            return Ok(());
        };
        let found = type_of(self.bundle.get(&key).map_err(Error::of_file)?)?;
        let (expected, target) = target();
        self.used.insert(key.clone());
        if found.dtype == expected.dtype && found.shape.is_subtype_of(&expected.shape) {
            self.report.matched.push(path);
            self.values.push((key, target));
        } else {
            self.report.misshapen.push(Misshapen { path, expected, found });
        }
        Ok(())
    }

    /// The slots of an optimizer: those that name their variables, and those in Keras's lists.
    fn slots(
        &mut self,
        graph: &Graph,
        id: Option<i32>,
        slots: &Arc<dyn Slots>,
        path: &str,
        variables: &FxHashMap<i32, &ObjectState>,
    ) -> Result<()> {
        let (kinds, owners) = (slots.kinds(), slots.owners());
        let fields = id.map(|id| graph.children(id)).unwrap_or_default();
        let list = |name: &str| -> Vec<(usize, i32)> {
            let Some(list) = fields.get(name) else { return Vec::new() };
            let items = graph.children(*list).into_iter();
            let mut items: Vec<_> =
                items.filter_map(|(i, at)| Some((i.parse().ok()?, at))).collect();
            items.sort_unstable();
            items
        };
        let trained: FxHashMap<usize, i32> = list(TRAINED).into_iter().collect();
        let node = id.and_then(|id| graph.node(id));
        // Made slots that got no value.
        let mut missing: Vec<(Option<_>, &'static str, Variable)> = Vec::new();
        for kind in &kinds {
            let all = owners.iter().map(|owner| Some(*owner)).filter(|_| !kind.whole);
            for owner in all.chain(kind.whole.then_some(None)) {
                missing.extend(slots.get(owner, kind.slot).map(|v| (owner, kind.slot, v)));
            }
        }
        let mut done = FxHashSet::default();
        for kind in &kinds {
            let slot = kind.slot;
            if kind.whole {
                let found = fields.get(&*kind.field).and_then(|at| graph.key(*at, VALUE));
                let Some(key) = found.map(str::to_owned) else { continue };
                missing.retain(|(_, name, _)| *name != slot);
                let target = || {
                    let ty = TensorType::new(DType::F32, Shape::scalar());
                    (ty, Target::Slot(slots.clone(), None, slot))
                };
                self.value(Some(key), joined(path, slot), target)?;
                continue;
            }
            let named = node.into_iter().flat_map(|node| &node.slot_variables);
            let named = named.filter(|reference| reference.slot_name == slot).map(|reference| {
                (None, Some(reference.original_variable_node_id), reference.slot_variable_node_id)
            });
            // Lists tell by their order only which variables the slots are of.
            let is_named = node.is_some_and(|node| !node.slot_variables.is_empty());
            let listed = if is_named { Vec::new() } else { list(&kind.field) };
            let listed = listed.iter().map(|(i, at)| (Some(*i), trained.get(i).copied(), *at));
            for (i, of, at) in named.chain(listed) {
                let Some(key) = graph.key(at, VALUE).map(str::to_owned) else { continue };
                let path = joined(path, slot);
                match of.and_then(|of| variables.get(&of)) {
                    Some(ObjectState::Variable(v)) => {
                        if !done.insert((v.handle().id(), slot)) {
                            continue;
                        }
                        missing
                            .retain(|(of, name, _)| *name != slot || *of != Some(v.handle().id()));
                        let target = || {
                            (
                                v.tensor_type().clone(),
                                Target::Slot(slots.clone(), Some(v.clone()), slot),
                            )
                        };
                        let of = v.label().map_or(String::new(), |label| format!(" of {label}"));
                        self.value(Some(key), format!("{path}{of}"), target)?;
                    }
                    Some(ObjectState::Vacant(vacancy)) => {
                        if self.used.insert(key.clone()) {
                            self.report.waiting.push(path);
                            let target = Target::Later(vacancy.clone(), slots.clone(), slot);
                            self.values.push((key, target));
                        }
                    }
                    // Keras's optimizers have variables of their own: lists are matched by positions.
                    _ => {
                        let Some(owner) = i.and_then(|i: usize| owners.get(i)) else { continue };
                        let Some(v) = slots.get(Some(*owner), slot) else { continue };
                        if !done.insert((*owner, slot)) {
                            continue;
                        }
                        missing.retain(|(of, name, _)| *name != slot || *of != Some(*owner));
                        let target = || (v.tensor_type().clone(), Target::Variable(v.clone()));
                        self.value(Some(key), joined(&path, &i.unwrap_or(0).to_string()), target)?;
                    }
                }
            }
        }
        let label = |v: &Variable| v.label().unwrap_or_default().to_owned();
        let missing =
            missing.iter().map(|(_, slot, v)| format!("{} ({})", joined(path, slot), label(v)));
        self.report.missing.extend(missing);
        Ok(())
    }

    /// Reads all values, and then assigns them.
    pub(super) fn run(self) -> Result<Restored> {
        let values = self
            .values
            .into_iter()
            .map(|(key, target)| Ok((Tensor::Value(read(&self.bundle, &key)?), target)));
        let values = values.collect::<Result<Vec<_>>>()?;
        let prepare = |(start, state): (String, Arc<dyn SavedState>)| {
            let value = |end: &str| read(&self.bundle, &format!("{start}{end}")).map(Tensor::Value);
            state.prepare(&value).map_err(|e| e.prefixed(format!("`{start}`")))
        };
        let saved = self.saved.into_iter().map(prepare).collect::<Result<Vec<_>>>()?;
        // From here on nothing is found wrong any more.
        let mut waiting: Vec<(Vacancy<Variable>, Waiting)> = Vec::new();
        for (value, target) in values {
            match target {
                Target::Variable(v) => v.assign(value)?,
                Target::Slot(slots, of, slot) => slots.set(of.as_ref(), slot, &value)?,
                Target::Vacant(vacancy) => {
                    waiting.push((vacancy, Waiting { value, slots: Vec::new() }));
                }
                Target::Later(vacancy, slots, slot) => {
                    let of = waiting.iter_mut().find(|(other, _)| Arc::ptr_eq(other, &vacancy));
                    if let Some((_, waiting)) = of {
                        waiting.slots.push((slots, slot, value));
                    }
                }
            }
        }
        for (vacancy, waiting) in waiting {
            *vacancy.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(waiting));
        }
        saved.into_iter().for_each(|set| set());
        Ok(self.report)
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}
