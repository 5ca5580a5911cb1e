//! The values of objects at one moment, and how they are written.

use std::path::Path;

use extype_formats::bundle::{OBJECT_GRAPH, Writer};
use extype_formats::proto::{
    BoolValue, Message as _, ObjectReference, SerializedTensor, SlotVariableReference,
    TrackableObject, TrackableObjectGraph,
};

use super::objects::{ObjectState, Objects, escaped};
use super::restore::Waiting;
use super::tensors::write;
use crate::array::Array;
use crate::tensor::Tensor;
use crate::types::{DType, Error, Result, bail};

/// The attribute of variables.
pub(super) const VALUE: &str = "VARIABLE_VALUE";

/// What stands between the path of an object and the names of its values.
pub(super) const ATTRIBUTES: &str = "/.ATTRIBUTES/";

pub(super) struct Snapshot {
    values: Vec<(String, Array)>,
    graph: Vec<u8>,
}

/// A slot that belongs to a variable of the checkpoint.
struct SlotOf {
    optimizer: usize,
    variable: usize,
    name: &'static str,
    at: usize,
}

impl Snapshot {
    /// Reads all values. They are shared with the variables until these change.
    pub(super) fn of(mut objects: Objects) -> Result<Self> {
        let mut slots = made_slots(&mut objects);
        let kept = kept_values(&mut objects, &mut slots);
        let (mut order, mut paths) = objects.paths();
        for slot in &slots {
            let (of, by) = (&paths[slot.variable], &paths[slot.optimizer]);
            paths[slot.at] = format!("{of}/.OPTIMIZER_SLOT/{by}/{}", escaped(slot.name));
            // Those of variables that are not made yet are in no list.
            if matches!(objects.all[slot.at].state, ObjectState::Kept(_)) {
                order.push(slot.at);
            }
        }

        let mut ids = vec![0; objects.all.len()];
        order.iter().enumerate().for_each(|(id, at)| ids[*at] = id as i32);
        let mut values = Vec::new();
        let mut nodes = Vec::with_capacity(order.len());
        for at in &order {
            let (object, path) = (&objects.all[*at], &paths[*at]);
            let child = |(name, child): &(String, usize)| ObjectReference {
                node_id: ids[*child],
                local_name: name.clone(),
            };
            let mut node = TrackableObject {
                children: object.children.iter().map(child).collect(),
                ..TrackableObject::default()
            };
            let mut value = |name: &str, suffix: &str, full_name: &str, tensor: Tensor| {
                let key = format!("{path}{ATTRIBUTES}{name}");
                let array = tensor.data()?.clone();
                if array.dtype() != DType::String && array.as_bytes().is_none() {
                    bail!("`{path}` is of {}, which can't be saved", array.dtype());
                }
                values.push((format!("{key}{suffix}"), array));
                if node.attributes.is_empty() {
                    let (name, full_name) = (name.to_owned(), full_name.to_owned());
                    node.attributes.push(SerializedTensor { name, full_name, checkpoint_key: key });
                }
                Ok(())
            };
            match &object.state {
                ObjectState::Group => {}
                ObjectState::Variable(v) => {
                    let tensor = v.read().map_err(|e| e.prefixed(format!("`{path}`")))?;
                    value(VALUE, "", v.label().unwrap_or(path), tensor)?;
                }
                ObjectState::Vacant(_) => {
                    if let Some((_, tensor)) = kept.iter().find(|(kept, _)| kept == at) {
                        value(VALUE, "", path, tensor.clone())?;
                    }
                }
                ObjectState::Kept(tensor) => value(VALUE, "", path, tensor.clone())?,
                ObjectState::Saved(state) => {
                    let saved = state.save().map_err(|e| e.prefixed(format!("`{path}`")))?;
                    for (suffix, tensor) in saved {
                        value(state.name(), suffix, "", tensor)?;
                    }
                }
            }
            let slots = if object.slots.is_some() { &slots[..] } else { &[] };
            node.slot_variables = slots
                .iter()
                .filter(|slot| slot.optimizer == *at)
                .map(|slot| SlotVariableReference {
                    original_variable_node_id: ids[slot.variable],
                    slot_name: slot.name.into(),
                    slot_variable_node_id: ids[slot.at],
                })
                .collect();
            nodes.push(node);
        }
        // Children stand behind their holders, but for variables, which have values of their own.
        for id in (0..nodes.len()).rev() {
            let has = |node: &TrackableObject| node.has_checkpoint_values.is_some_and(|b| b.value);
            let children = nodes[id].children.iter().map(|child| child.node_id as usize);
            let value = !nodes[id].attributes.is_empty()
                || children.clone().any(|child| has(&nodes[child]))
                || children.clone().any(|child| !nodes[child].attributes.is_empty());
            nodes[id].has_checkpoint_values = Some(BoolValue { value });
        }
        Ok(Self { values, graph: TrackableObjectGraph { nodes }.encode_to_vec() })
    }

    pub(super) fn write(&self, prefix: &Path) -> Result<()> {
        let mut writer = Writer::create(prefix).map_err(Error::of_file)?;
        for (key, array) in &self.values {
            write(&mut writer, key, array)?;
        }
        writer.add_strings(OBJECT_GRAPH, &[], [&self.graph]).map_err(Error::of_file)?;
        writer.finish().map_err(Error::of_file)
    }
}

/// Adds the slots of optimizers, as Keras's optimizers hold them: a list for each kind.
fn made_slots(objects: &mut Objects) -> Vec<SlotOf> {
    let mut found = Vec::new();
    for optimizer in 0..objects.all.len() {
        let Some(slots) = objects.all[optimizer].slots.clone() else { continue };
        let owners = slots.owners();
        for kind in slots.kinds() {
            if kind.whole {
                if let Some(v) = slots.get(None, kind.slot) {
                    let at = objects.add(ObjectState::Variable(v));
                    objects.link(optimizer, kind.field, at);
                }
                continue;
            }
            let mut list = None;
            for (i, owner) in owners.iter().enumerate() {
                let Some(v) = slots.get(Some(*owner), kind.slot) else { continue };
                let list = *list.get_or_insert_with(|| {
                    let list = objects.add(ObjectState::Group);
                    objects.link(optimizer, kind.field.clone(), list);
                    list
                });
                let at = objects.add(ObjectState::Variable(v));
                objects.link(list, i.to_string(), at);
                if let Some(variable) = objects.known.get(owner) {
                    found.push(SlotOf { optimizer, variable: *variable, name: kind.slot, at });
                }
            }
        }
    }
    found
}

/// The values that wait for their variables. Those of slots are added.
fn kept_values(objects: &mut Objects, slots: &mut Vec<SlotOf>) -> Vec<(usize, Tensor)> {
    let mut kept = Vec::new();
    for variable in 0..objects.all.len() {
        let ObjectState::Vacant(vacancy) = &objects.all[variable].state else { continue };
        let Some(waiting) = Waiting::of(vacancy) else { continue };
        let Some(waiting) = waiting.as_any().downcast_ref::<Waiting>() else { continue };
        kept.push((variable, waiting.value.clone()));
        for (of, name, value) in &waiting.slots {
            let same = |object: &super::objects::Object| {
                object.slots.as_ref().is_some_and(|slots| slots.id() == of.id())
            };
            if let Some(optimizer) = objects.all.iter().position(same) {
                let at = objects.add(ObjectState::Kept(value.clone()));
                slots.push(SlotOf { optimizer, variable, name, at });
            }
        }
    }
    kept
}
