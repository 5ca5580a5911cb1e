//! Loads a SavedModel from its folder.

mod arguments;
mod checkpoint;
mod compounds;
mod library;
mod lower;
mod model;
mod structures;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use extype_formats::proto::saved_object::Kind;
use extype_formats::proto::{self, SavedObject, SavedObjectGraph};
use rustc_hash::FxHashMap;

use self::arguments::Parameters;
use self::checkpoint::Checkpoint;
use self::model::{ModelObject, ObjectKind, SavedTrace};
pub use self::model::{SavedFunction, SavedModel, Signature};
use crate::array::Array;
use crate::function::ConcreteFunction;
use crate::ir::LibraryFunction;
use crate::saved::graphs::versions;
use crate::saved::tensors::{Room, array, dtype, shape};
use crate::spec::{AnySpec, AnyValue};
use crate::tensor::{Tensor, Variable, init_scope};
use crate::types::{DType, Error, Result, TensorType, bail, err};

/// How a model is loaded.
///
/// ```
/// use extype::saved::LoadOptions;
/// let options = LoadOptions { tags: Some(vec!["serve".to_owned()]), ..LoadOptions::default() };
/// assert!(!options.unknown_ops);
/// ```
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The tags of the graph that is loaded, if the model has several; usually `serve`.
    pub tags: Option<Vec<String>>,
    /// Loads models with ops that this library does not have. Functions with such ops fail when they are called.
    pub unknown_ops: bool,
    /// The most bytes of `saved_model.pb`: 1 GiB.
    pub file_bytes: u64,
    /// The most bytes of constants that stand in the file as one element and a shape: 1 GiB.
    pub expanded_bytes: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self { tags: None, unknown_ops: false, file_bytes: 1 << 30, expanded_bytes: 1 << 30 }
    }
}

/// Loads a model that TensorFlow saved: the functions of its objects, the variables with their values, and tables with
/// their content. Functions run as those that are traced here, and have gradients.
///
/// A model is a program: its functions can read and write files if they have ops that do. Load models of those whom you
/// would let run code.
///
/// TensorFlow: `tf.saved_model.load`.
///
/// # Errors
/// `NotFound` if files are missing, `DataLoss` if they are damaged, `Unimplemented` for ops that this library does not
/// have (all at once), for dtypes that it does not have, and for models of TensorFlow 1, `ResourceExhausted` beyond the
/// limits of [`LoadOptions`].
///
/// ```no_run
/// use extype::prelude::*;
/// let model = extype::saved::load("models/linear")?;
/// let y = model.signature("serving_default")?.call(&[("x", &tensor![[1.0f32, 2.0]])])?;
/// println!("{}", y["y"]);
/// let again: Tensor = model.function("predict")?.call((&tensor![[1.0f32, 2.0]],))?;
/// # Ok::<(), Error>(())
/// ```
pub fn load(folder: impl AsRef<Path>) -> Result<SavedModel> {
    load_with(folder, &LoadOptions::default())
}

/// [`load`] with options.
///
/// # Errors
/// As [`load`], and `NotFound` if no graph has the tags.
pub fn load_with(folder: impl AsRef<Path>, options: &LoadOptions) -> Result<SavedModel> {
    let folder = folder.as_ref();
    let file = folder.join("saved_model.pb");
    for (other, what) in [("saved_model.pbtxt", "text"), ("saved_model.cpb", "several chunks")] {
        if !file.exists() && folder.join(other).exists() {
            bail!(Unimplemented, "{} is a model as {what}, which is not read", folder.display());
        }
    }
    let model: proto::SavedModel =
        proto::read(&file, options.file_bytes).map_err(Error::of_file)?;
    let load = || {
        if model.saved_model_schema_version != 1 {
            bail!(Unimplemented, "a model of version {}, not 1", model.saved_model_schema_version);
        }
        let graph = tagged(model.meta_graphs, options.tags.as_deref())?;
        Loader::new(folder, graph, options)?.load()
    };
    init_scope(load).map_err(|e| e.in_context(format!("loading {}", file.display())))
}

/// The graph with these tags; without tags, the only one.
fn tagged(
    mut graphs: Vec<proto::MetaGraphDef>,
    tags: Option<&[String]>,
) -> Result<proto::MetaGraphDef> {
    let of = |graph: &proto::MetaGraphDef| -> Vec<String> {
        let mut tags = graph.meta_info_def.as_ref().map(|i| i.tags.clone()).unwrap_or_default();
        tags.sort();
        tags
    };
    let wanted = tags.map(|tags| {
        let mut tags = tags.to_vec();
        tags.sort();
        tags
    });
    let found = graphs.iter().position(|g| wanted.as_ref().is_none_or(|wanted| of(g) == *wanted));
    let shown = || graphs.iter().map(|g| format!("{:?}", of(g))).collect::<Vec<_>>().join(", ");
    match (found, &wanted) {
        (_, None) if graphs.len() > 1 => bail!(
            "the model has several graphs; say by `LoadOptions::tags` which is meant: {}",
            shown()
        ),
        (Some(i), _) => Ok(graphs.swap_remove(i)),
        (None, Some(wanted)) => {
            bail!(NotFound, "no graph has the tags {wanted:?}; there are {}", shown())
        }
        (None, None) => bail!(DataLoss, "the model has no graph"),
    }
}

struct Loader {
    objects: Vec<SavedObject>,
    concrete: BTreeMap<String, proto::SavedConcreteFunction>,
    functions: BTreeMap<String, Arc<LibraryFunction>>,
    checkpoint: PathBuf,
    /// What stands for each object as a capture, if anything does.
    tensors: Vec<Option<Tensor>>,
    variables: Vec<Option<Variable>>,
    /// The traces that were made.
    made: BTreeMap<String, ConcreteFunction>,
}

impl Loader {
    fn new(folder: &Path, graph: proto::MetaGraphDef, options: &LoadOptions) -> Result<Self> {
        let Some(SavedObjectGraph { nodes, concrete_functions }) = graph.object_graph_def else {
            bail!(
                Unimplemented,
                "the model has no objects, as those of TensorFlow 1; load it there, and save it by `tf.saved_model.save`"
            );
        };
        if nodes.is_empty() {
            bail!(DataLoss, "the model has no root");
        }
        for (i, object) in nodes.iter().enumerate() {
            let places = object.children.iter().map(|c| c.node_id);
            if let Some(wrong) = places.into_iter().find(|at| place(*at, &nodes).is_none()) {
                bail!(DataLoss, "object {i} holds object {wrong}, of {}", nodes.len());
            }
        }
        let room = Room::new(options.expanded_bytes);
        let graph_def = graph.graph_def.unwrap_or_default();
        versions(graph_def.versions.clone()).check()?;
        let by_name: FxHashMap<&str, &proto::NodeDef> =
            graph_def.node.iter().map(|node| (&*node.name, node)).collect();
        let mut constants: FxHashMap<&str, Tensor> = FxHashMap::default();
        let mut tensors = Vec::new();
        let mut variables = Vec::new();
        for (i, object) in nodes.iter().enumerate() {
            let of = |e: Error| e.prefixed(format!("object {i}"));
            let mut variable = None;
            let tensor = match &object.kind {
                Some(Kind::Constant(c)) => Some(match constants.entry(&c.operation) {
                    Entry::Occupied(read) => read.get().clone(),
                    Entry::Vacant(new) => {
                        let node = by_name.get(&*c.operation).copied();
                        new.insert(constant(node, &c.operation, &room).map_err(of)?).clone()
                    }
                }),
                Some(Kind::Asset(a)) => {
                    Some(asset(folder, &graph.asset_file_def, a.asset_file_def_index).map_err(of)?)
                }
                Some(Kind::Variable(v)) => {
                    let made = made_variable(v).map_err(of)?;
                    let handle = made.handle().clone();
                    variable = Some(made);
                    Some(handle)
                }
                _ => None,
            };
            tensors.push(tensor);
            variables.push(variable);
        }
        let captures = |f: &proto::SavedConcreteFunction| f.bound_inputs.len();
        let roots =
            concrete_functions.iter().map(|(name, f)| (name.clone(), captures(f))).collect();
        let library = graph_def.library.unwrap_or_default().function;
        Ok(Self {
            functions: library::import(library, &roots, options.unknown_ops, &room)?,
            objects: nodes,
            concrete: concrete_functions,
            checkpoint: folder.join("variables").join("variables"),
            tensors,
            variables,
            made: BTreeMap::new(),
        })
    }

    fn load(mut self) -> Result<SavedModel> {
        for i in 0..self.objects.len() {
            if matches!(self.objects[i].kind, Some(Kind::Resource(_))) {
                let made = self
                    .run(i, "_create_resource")
                    .map_err(|e| e.prefixed(format!("object {i}, a resource")))?;
                self.tensors[i] = made.into_iter().next();
            }
        }
        self.restore()?;
        for i in 0..self.objects.len() {
            if matches!(self.objects[i].kind, Some(Kind::Resource(_))) {
                self.run(i, "_initialize").map_err(|e| {
                    e.prefixed(format!("object {i}, a resource, can't be initialized"))
                })?;
            }
        }
        let mut objects = Vec::new();
        for i in 0..self.objects.len() {
            let kind = self.kind(i)?;
            let children = self.objects[i].children.iter();
            let children = children.map(|c| (c.local_name.clone(), c.node_id as usize)).collect();
            objects.push(ModelObject { children, kind });
        }
        let root = objects[0].children.iter().find(|(name, _)| name == "signatures");
        let mut signatures = BTreeMap::new();
        for (name, i) in root.map_or(&[][..], |(_, i)| &objects[*i].children) {
            if let ObjectKind::Concrete(signature) = &objects[*i].kind {
                let name = name.clone();
                signatures
                    .insert(name.clone(), Signature { name: name.into(), ..signature.clone() });
            }
        }
        Ok(SavedModel { objects: objects.into(), signatures: Arc::new(signatures) })
    }

    /// Runs the function of an object that makes or fills it, if it has one.
    fn run(&mut self, object: usize, name: &str) -> Result<Vec<Tensor>> {
        let child = self.objects[object].children.iter().find(|c| c.local_name == name);
        let Some(child) = child.and_then(|c| place(c.node_id, &self.objects)) else {
            return Ok(Vec::new());
        };
        let Some(Kind::Function(f)) = &self.objects[child].kind else { return Ok(Vec::new()) };
        let Some(name) = f.concrete_functions.first().cloned() else { return Ok(Vec::new()) };
        self.concrete(&name, &Parameters::default())?.call_flat(&[])
    }

    fn kind(&mut self, i: usize) -> Result<ObjectKind> {
        let object = self.objects[i].clone();
        Ok(match &object.kind {
            Some(Kind::Function(f)) => {
                let of = |e: Error| e.prefixed(format!("object {i}"));
                let parameters = Parameters::read(f.function_spec.as_ref()).map_err(of)?;
                let traces = f.concrete_functions.iter().map(|name| self.trace(name, &parameters));
                let traces: Vec<SavedTrace> = traces.collect::<Result<_>>()?;
                let name = f.concrete_functions.first().map_or("", |name| plain_name(name));
                ObjectKind::Function(SavedFunction {
                    name: name.into(),
                    parameters: Arc::new(parameters),
                    traces: traces.into(),
                })
            }
            Some(Kind::BareConcreteFunction(f)) => {
                let name = &f.concrete_function_name;
                let parameters = Parameters::read(f.function_spec.as_ref())?;
                let concrete = self.concrete(name, &parameters)?;
                let count = concrete.graph().num_arguments;
                if f.argument_keywords.len() != count {
                    bail!(
                        DataLoss,
                        "function `{name}` has {count} arguments, and names of {}",
                        f.argument_keywords.len()
                    );
                }
                ObjectKind::Concrete(Signature {
                    name: name.as_str().into(),
                    concrete,
                    inputs: f.argument_keywords.clone().into(),
                })
            }
            _ => match (&self.variables[i], &self.tensors[i]) {
                (Some(variable), _) => ObjectKind::Variable(variable.clone()),
                (None, Some(tensor)) => ObjectKind::Tensor(tensor.clone()),
                (None, None) => ObjectKind::Group,
            },
        })
    }

    fn trace(&mut self, name: &str, parameters: &Parameters) -> Result<SavedTrace> {
        let concrete = self.concrete(name, parameters)?;
        let (positional, named) = self.arguments(name)?;
        Ok(SavedTrace { concrete, positional, named })
    }

    /// The specs of the arguments of a trace: by position, and by name.
    fn arguments(&self, name: &str) -> Result<(Vec<AnySpec>, BTreeMap<String, AnySpec>)> {
        let of = |e: Error| e.prefixed(format!("the arguments of function `{name}`"));
        let saved = self.saved(name)?;
        let Some(message) = &saved.canonicalized_input_signature else {
            return Ok((Vec::new(), BTreeMap::new()));
        };
        let types: Vec<TensorType> = match self.functions.get(name).and_then(|f| f.graph()) {
            Some(graph) => graph.input_types().take(graph.num_arguments).cloned().collect(),
            None => Vec::new(),
        };
        match structures::spec(message, &types).map_err(of)? {
            AnySpec::Tuple(both) => match &both[..] {
                [AnySpec::Tuple(positional), AnySpec::Map(named)] => {
                    Ok((positional.to_vec(), (**named).clone()))
                }
                _ => Err(of(err!("they are no tuple and dict"))),
            },
            _ => Err(of(err!("they are no tuple and dict"))),
        }
    }

    fn saved(&self, name: &str) -> Result<&proto::SavedConcreteFunction> {
        let saved = self.concrete.get(name);
        saved.ok_or_else(|| err!(DataLoss, "function `{name}` is not among the saved traces"))
    }

    /// The trace of this name, with what it captures.
    fn concrete(&mut self, name: &str, parameters: &Parameters) -> Result<ConcreteFunction> {
        if let Some(made) = self.made.get(name) {
            return Ok(made.clone());
        }
        let saved = self.saved(name)?;
        let Some(function) = self.functions.get(name) else {
            bail!(DataLoss, "function `{name}` is not in the library of the graph");
        };
        let output = match (&saved.output_signature, function.output_types()) {
            (Some(message), types) => structures::spec(message, types)
                .map_err(|e| e.prefixed(format!("the results of function `{name}`")))?,
            (None, _) => AnySpec::Tuple([].into()),
        };
        let mut captures = Vec::new();
        for id in &saved.bound_inputs {
            let tensor = place(*id, &self.objects).and_then(|i| self.tensors[i].clone());
            let Some(tensor) = tensor else {
                bail!(
                    Unimplemented,
                    "function `{name}` uses object {id}, which is no variable, constant, file or table"
                );
            };
            captures.push(tensor);
        }
        let (positional, named) = self.arguments(name)?;
        let positional = positional.into_iter().enumerate();
        let positional = positional.map(|(i, spec)| (parameters.name(i), spec));
        let specs = positional.chain(named).collect();
        let made = ConcreteFunction::restored(function.clone(), captures, specs, output)
            .map_err(|e| e.prefixed(format!("function `{name}`")))?;
        self.made.insert(name.to_owned(), made.clone());
        Ok(made)
    }

    /// Gives the variables their values. An object of the checkpoint is that which the same names lead to from the root.
    fn restore(&mut self) -> Result<()> {
        let has_state = |i: &usize| {
            self.variables[*i].is_some() || !self.objects[*i].saveable_objects.is_empty()
        };
        if !(0..self.objects.len()).any(|i| has_state(&i)) {
            return Ok(());
        }
        let checkpoint = Checkpoint::open(&self.checkpoint)?;
        let there = self.stored(&checkpoint.objects);
        let mut values: FxHashMap<&str, Tensor> = FxHashMap::default();
        for (i, variable) in self.variables.iter().enumerate() {
            let Some(variable) = variable else { continue };
            let stored = there[i].and_then(|at| {
                checkpoint.objects[at].attributes.iter().find(|a| a.name == "VARIABLE_VALUE")
            });
            let Some(stored) = stored else {
                bail!(DataLoss, "{} has no value for {variable:?}", self.checkpoint.display());
            };
            // Variables with one name for their value share it.
            let value = match values.entry(&stored.checkpoint_key) {
                Entry::Occupied(read) => read.get().clone(),
                Entry::Vacant(new) => {
                    let value = checkpoint.tensor(&stored.checkpoint_key)?;
                    new.insert(Tensor::Value(value)).clone()
                }
            };
            variable.assign(value)?;
        }
        for (i, there) in there.iter().enumerate() {
            let stored = there.map(|at| &checkpoint.objects[at]);
            let restored = self.restore_parts(i, stored, &checkpoint);
            restored.map_err(|e| e.prefixed(format!("object {i}")))?;
        }
        Ok(())
    }

    /// The object of the checkpoint for each one here: that which the same names lead to from the root. Slots of optimizers
    /// are found by the variables that they belong to.
    fn stored(&self, saved: &[proto::TrackableObject]) -> Vec<Option<usize>> {
        let mut there = vec![None; self.objects.len()];
        let valid = |id: i32| usize::try_from(id).ok().filter(|i| *i < saved.len());
        let mut open = VecDeque::from([(0, 0)]);
        while let Some((here, at)) = open.pop_front() {
            if there[here].is_some() || at >= saved.len() {
                continue;
            }
            there[here] = Some(at);
            let names: FxHashMap<&str, i32> =
                saved[at].children.iter().map(|c| (&*c.local_name, c.node_id)).collect();
            for child in &self.objects[here].children {
                let other = names.get(&*child.local_name).and_then(|id| valid(*id));
                open.extend(other.map(|other| (child.node_id as usize, other)));
            }
        }
        for (here, object) in self.objects.iter().enumerate() {
            let Some(at) = there[here].filter(|_| !object.slot_variables.is_empty()) else {
                continue;
            };
            let slots = saved[at].slot_variables.iter();
            let slots: FxHashMap<(&str, Option<usize>), i32> = slots
                .map(|s| {
                    ((&*s.slot_name, valid(s.original_variable_node_id)), s.slot_variable_node_id)
                })
                .collect();
            for slot in &object.slot_variables {
                let of = place(slot.original_variable_node_id, &self.objects).map(|i| there[i]);
                let Some(of @ Some(_)) = of else { continue };
                let found = slots.get(&(&*slot.slot_name, of)).and_then(|id| valid(*id));
                if let Some(i) = place(slot.slot_variable_node_id, &self.objects) {
                    there[i] = there[i].or(found);
                }
            }
        }
        there
    }
}

impl Loader {
    /// Gives an object what functions of the model restore, such as the content of a table.
    fn restore_parts(
        &mut self,
        object: usize,
        stored: Option<&proto::TrackableObject>,
        checkpoint: &Checkpoint,
    ) -> Result<()> {
        for (part, functions) in self.objects[object].saveable_objects.clone() {
            let stored = stored.and_then(|s| s.attributes.iter().find(|a| a.name == part));
            let Some(stored) = stored else {
                bail!(DataLoss, "its part `{part}` is not in {}", self.checkpoint.display());
            };
            let key = stored.checkpoint_key.clone().into_bytes();
            let key = Tensor::Value(Array::from_strings([0usize; 0], vec![key])?);
            let saved = self.part(functions.save_function, &[key])?;
            // Of each tensor the value, the slice that it is, and its name in the checkpoint.
            let AnySpec::List(_) = saved.spec() else {
                bail!(Unimplemented, "its part `{part}` is saved in a way that is not read");
            };
            let mut tensors = Vec::new();
            for tensor in saved.components() {
                let AnySpec::Map(names) = tensor.spec() else {
                    bail!(DataLoss, "its part `{part}` has no names");
                };
                let name = names.keys().position(|name| name == "name");
                let name = name.and_then(|i| tensor.components()[i].as_tensor().cloned());
                let name = name.ok_or_else(|| err!(DataLoss, "its part `{part}` has no names"))?;
                let name = text(&name)?;
                tensors.push(Tensor::Value(checkpoint.tensor(&name)?));
            }
            self.part(functions.restore_function, &tensors)?;
        }
        Ok(())
    }

    /// Calls a function of the model that saves or restores a part of an object.
    fn part(&mut self, id: i32, tensors: &[Tensor]) -> Result<AnyValue> {
        let name = match place(id, &self.objects).map(|i| &self.objects[i].kind) {
            Some(Some(Kind::BareConcreteFunction(f))) => f.concrete_function_name.clone(),
            Some(Some(Kind::Function(f))) => {
                f.concrete_functions.first().cloned().unwrap_or_default()
            }
            _ => bail!(DataLoss, "object {id} is no function"),
        };
        let f = self.concrete(&name, &Parameters::default())?;
        AnyValue::from_parts(f.output_spec().clone(), f.call_flat(tensors)?)
    }
}

fn place(id: i32, objects: &[SavedObject]) -> Option<usize> {
    usize::try_from(id).ok().filter(|i| *i < objects.len())
}

/// The text of a scalar.
fn text(tensor: &Tensor) -> Result<String> {
    match tensor.data()?.as_strings()? {
        [text] => Ok(String::from_utf8_lossy(text).into_owned()),
        _ => bail!("a text is a scalar, not of shape {}", tensor.shape()),
    }
}

/// The name that a function had in Python: `__inference_predict_123` is `predict`.
fn plain_name(name: &str) -> &str {
    let name = name.strip_prefix("__inference_").unwrap_or(name);
    match name.rsplit_once('_') {
        Some((plain, number)) if number.bytes().all(|b| b.is_ascii_digit()) => plain,
        _ => name,
    }
}

fn constant(node: Option<&proto::NodeDef>, name: &str, room: &Room) -> Result<Tensor> {
    let Some(node) = node else {
        bail!(DataLoss, "the constant `{name}` is not in the graph");
    };
    match node.attr.get("value").and_then(|a| a.value.as_ref()) {
        Some(proto::attr_value::Value::Tensor(t)) => {
            let array = array(t, room).map_err(|e| e.prefixed(format!("node `{name}`")))?;
            Ok(Tensor::Value(array))
        }
        _ => bail!(DataLoss, "node `{name}` is no constant"),
    }
}

/// The path of a file of the model.
fn asset(folder: &Path, files: &[proto::AssetFileDef], index: i32) -> Result<Tensor> {
    let Some(file) = usize::try_from(index).ok().and_then(|i| files.get(i)) else {
        bail!(DataLoss, "it is file {index}, of {}", files.len());
    };
    let name = Path::new(&file.filename);
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        bail!(DataLoss, "its file `{}` is not in the folder of the model", file.filename);
    }
    let path = folder.join("assets").join(name).into_os_string().into_encoded_bytes();
    Ok(Tensor::Value(Array::from_strings([0usize; 0], vec![path])?))
}

fn made_variable(message: &proto::SavedVariable) -> Result<Variable> {
    let of = |e: Error| e.prefixed(format!("variable `{}`", message.name));
    let dtype = dtype(message.dtype).map_err(of)?;
    if dtype == DType::Resource || dtype == DType::Variant {
        return Err(of(err!(Unimplemented, "a variable of {dtype}")));
    }
    let shape = shape(message.shape.as_ref()).map_err(of)?;
    let made = Variable::uninitialized(shape, dtype)?;
    let made = if message.name.is_empty() { made } else { made.name(&message.name) };
    Ok(if message.trainable { made } else { made.not_trainable() })
}
