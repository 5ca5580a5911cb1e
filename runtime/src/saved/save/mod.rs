//! Saves models as SavedModels, which TensorFlow loads.

mod files;
mod functions;
mod graph;
mod objects;
mod structures;
mod tables;

use std::collections::BTreeMap;
use std::path::Path;

use extype_formats::proto::meta_graph_def::MetaInfoDef;
use extype_formats::proto::saved_object::Kind;
use extype_formats::proto::{
    self, FunctionSpec, Message as _, SavedBareConcreteFunction, SavedConcreteFunction,
    SavedFunction, StructuredValue,
};

use self::files::{Replace, write_folder};
use self::functions::{Functions, Interface, keywords, python_name};
use self::graph::{Graph, OBJECTS, Served, Signatures};
use self::objects::{ObjectKind, Objects, user_object};
use self::structures::{canonical, dict, function_spec, structure};
use self::tables::{SavedTable, table_of};
use crate::array::Array;
use crate::function::ConcreteFunction;
use crate::ir::unique_names;
use crate::saved::graphs::graph_message;
use crate::spec::{AnySpec, Module, TensorSpec};
use crate::tensor::init_scope;
use crate::types::{Error, Result, Shape, TensorType, bail};

/// The signature that servers take if none is named.
const DEFAULT: &str = "serving_default";
/// The version of TensorFlow whose files these are.
const VERSION: &str = "2.21.0";

/// A model that is to be saved, with the functions that whoever loads it can call.
///
/// The folder is a SavedModel: TensorFlow and its servers load it, and so does [`load`](super::load()). It holds the
/// variables of the model, its lists and modules by the names of their fields, and the functions with what they capture.
/// Equal models are equal bytes.
///
/// Functions are saved as they were traced: their traces are given, and whoever loads them can't trace them anew. The
/// receiver of a method is no argument: the function belongs to this model.
///
/// TensorFlow: `tf.saved_model.save`.
///
/// ```
/// use extype::prelude::*;
/// use extype::saved::{Export, load};
/// #[derive(Module)]
/// struct Scale {
///     factor: Variable,
/// }
///
/// impl Scale {
///     #[tf_function]
///     fn call(&self, x: &Tensor) -> Result<Tensor> {
///         ops::mul(x, &self.factor)
///     }
/// }
///
/// let scale = Scale { factor: Variable::new(3.0f32)? };
/// let call = scale.call_concrete(&TensorSpec::of::<f32>(shape![?]))?;
/// let folder = std::env::temp_dir().join("extype-doc-export");
/// Export::new(&scale).function("call", [call]).save(&folder)?;
///
/// let loaded = load(&folder)?;
/// let y: Tensor = loaded.function("call")?.call((&tensor![1.0f32, 2.0],))?;
/// assert_eq!(y.as_slice::<f32>()?, &[3.0, 6.0]);
/// let y = loaded.signature("serving_default")?.call(&[("x", &tensor![5.0f32])])?;
/// assert_eq!(y["output_0"].as_slice::<f32>()?, &[15.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Default)]
#[must_use = "nothing is saved before `save`"]
pub struct Export<'a> {
    model: Option<&'a dyn Module>,
    functions: Vec<(String, Vec<ConcreteFunction>)>,
    signatures: Vec<(String, ConcreteFunction)>,
    replace: Replace,
}

impl<'a> Export<'a> {
    /// A model with its variables and tables. Functions that use none need no model: [`Export::default`] has none.
    pub fn new(model: &'a dyn Module) -> Self {
        Self { model: Some(model), ..Self::default() }
    }

    /// Adds a function by its traces, which calls try in this order. More traces of a name are added to the first ones.
    /// A name such as `encoder.call` puts the function at a module that the model holds.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::saved::{Export, load};
    /// let square = function(|x: &Tensor| x.square());
    /// let traces = [square.concrete(&TensorSpec::of::<f32>([2]))?, square.concrete(&TensorSpec::of::<i64>([]))?];
    /// let folder = std::env::temp_dir().join("extype-doc-export-function");
    /// Export::default().function("square", traces).save(&folder)?;
    /// let y: Tensor = load(&folder)?.function("square")?.call((&scalar(3i64),))?;
    /// assert_eq!(y.item::<i64>()?, 9);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn function(
        mut self,
        name: &str,
        traces: impl IntoIterator<Item = ConcreteFunction>,
    ) -> Self {
        match self.functions.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => known.extend(traces),
            None => self.functions.push((name.to_owned(), traces.into_iter().collect())),
        }
        self
    }

    /// Adds a signature, by which servers call a trace: tensors by name in, tensors by name out.
    ///
    /// The tensors that come in have the names of the parameters and fields that they are (`x`, `batch_image`). A result that is a
    /// tensor, or a tuple or list of tensors, comes out as `output_0`, `output_1` and so on. The tensors of a map have its keys, those
    /// of an extension type the names of its fields.
    ///
    /// If there is no signature, and one function with one trace, that is the signature `serving_default`.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::saved::{Export, load};
    /// #[tf_function]
    /// fn halves(x: &Tensor) -> Result<(Tensor, Tensor)> {
    ///     let parts = ops::split(x, 2, 0)?;
    ///     Ok((parts[0].clone(), parts[1].clone()))
    /// }
    /// let folder = std::env::temp_dir().join("extype-doc-export-signature");
    /// Export::default().signature("halves", &halves::concrete(&TensorSpec::of::<f32>([4]))?).save(&folder)?;
    /// let parts = load(&folder)?.signature("halves")?.call(&[("x", &tensor![1.0f32, 2.0, 3.0, 4.0])])?;
    /// assert_eq!(parts["output_1"].as_slice::<f32>()?, &[3.0, 4.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn signature(mut self, name: &str, trace: &ConcreteFunction) -> Self {
        self.signatures.push((name.to_owned(), trace.clone()));
        self
    }

    /// Replaces what is at the path, whatever it is. Otherwise only a SavedModel or an empty folder is replaced.
    pub fn replace(self) -> Self {
        Self { replace: Replace::Anything, ..self }
    }

    /// Writes the model to a folder. All files are written beside it first, and then take its name at once: whenever the
    /// program or the system ends, the folder holds the old model or the new one. (On systems other than Linux there is a moment
    /// in which it has neither name, and the old one is found beside.) A program that is killed leaves a folder whose name
    /// begins with a dot and ends with `.saving-` and numbers, which can be deleted.
    ///
    /// # Errors
    /// `FailedPrecondition` if a function uses state that the model does not hold; `Unimplemented`, naming all of them with the
    /// lines that made them, for ops that TensorFlow does not have, for types without a registered name, and for arguments that
    /// it can't take; `InvalidArgument` for names that are taken, and signatures that are no tensors; `AlreadyExists` if
    /// something else is at the path; what the system says.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        let save = || {
            let (model, tensors) = self.assembled()?;
            write_folder(folder, self.replace, &model, &tensors)
        };
        init_scope(save).map_err(|e| e.in_context(format!("saving {}", folder.display())))
    }

    /// The signatures, among them the function that is one without having been named.
    fn served(&self) -> Vec<(String, ConcreteFunction)> {
        match &self.functions[..] {
            [(_, traces)] if self.signatures.is_empty() => match &traces[..] {
                [trace] if Interface::of(trace).is_ok() => vec![(DEFAULT.into(), trace.clone())],
                _ => Vec::new(),
            },
            _ => self.signatures.clone(),
        }
    }

    /// The messages of the model, and the tensors of its checkpoint by their names.
    fn assembled(&self) -> Result<(proto::SavedModel, Vec<(String, Array)>)> {
        let served = self.served();
        let traces = self.functions.iter().flat_map(|(_, traces)| traces);
        let functions = Functions::of(traces.chain(served.iter().map(|(_, trace)| trace)))?;
        let mut traces =
            SavedTraces { objects: Objects::of(self.model)?, functions, concrete: BTreeMap::new() };
        for (path, all) in &self.functions {
            let at = traces.objects.module_of(path)?;
            let of = |e: Error| e.prefixed(format!("function `{path}`"));
            let node = traces.function(all).map_err(of)?;
            let name = path.rsplit('.').next().unwrap_or(path);
            traces.objects.hold(at, name, node)?;
        }
        let map = traces.objects.add(user_object("signature_map"));
        traces.objects.hold(0, "signatures", map)?;
        let mut interfaces = Vec::new();
        for (name, trace) in &served {
            let of = |e: Error| e.prefixed(format!("signature `{name}`"));
            if name.starts_with("__saved_model") {
                bail!("signature `{name}`: names that begin so have a meaning in TensorFlow");
            }
            let (node, interface) = traces.signature(name, trace).map_err(of)?;
            traces.objects.hold(map, name, node).map_err(of)?;
            interfaces.push((name, interface));
        }
        let tables = traces.tables()?;
        let SavedTraces { objects, functions, concrete } = traces;
        let variables = objects.variables();
        let tracked = objects.tracked(&variables).encode_to_vec();
        let mut graph = Graph::of(&objects, &variables, &tables);
        let served = interfaces
            .iter()
            .map(|(name, interface)| ((*name).clone(), graph.serve(name, interface)));
        let mut signatures: Signatures = served.collect();
        let (graph, saver, collections) =
            graph.finish(&variables, &tables, tracked.clone(), functions.defs, &mut signatures)?;
        let info = MetaInfoDef {
            tags: vec!["serve".to_owned()],
            tensorflow_version: VERSION.to_owned(),
            ..MetaInfoDef::default()
        };
        let object_graph = proto::SavedObjectGraph {
            nodes: objects.messages(&variables),
            concrete_functions: concrete,
        };
        let message = proto::SavedModel {
            saved_model_schema_version: 1,
            meta_graphs: vec![proto::MetaGraphDef {
                meta_info_def: Some(info),
                graph_def: Some(graph_message(&graph)?),
                saver_def: Some(saver),
                collection_def: collections,
                signature_def: signatures,
                object_graph_def: Some(object_graph),
                ..proto::MetaGraphDef::default()
            }],
        };
        let mut tensors = Vec::new();
        for v in &variables {
            tensors.push((v.key.clone(), v.value()?));
        }
        tensors.push((OBJECTS.to_owned(), Array::from_strings([0usize; 0], vec![tracked])?));
        Ok((message, tensors))
    }
}

impl std::fmt::Debug for Export<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = |named: &mut dyn Iterator<Item = &String>| named.cloned().collect::<Vec<_>>();
        f.debug_struct("Export")
            .field("functions", &names(&mut self.functions.iter().map(|(name, _)| name)))
            .field("signatures", &names(&mut self.signatures.iter().map(|(name, _)| name)))
            .finish_non_exhaustive()
    }
}

/// The traces of a model that is saved, with the objects that they use.
struct SavedTraces {
    objects: Objects,
    functions: Functions,
    concrete: BTreeMap<String, SavedConcreteFunction>,
}

impl SavedTraces {
    /// Adds a function with its traces, and gives its object.
    fn function(&mut self, traces: &[ConcreteFunction]) -> Result<usize> {
        let parameters = |trace: &ConcreteFunction| -> Vec<String> {
            let names = arguments(trace).map(|(name, _)| python_name(name)).collect::<Vec<_>>();
            unique_names(names.iter().map(String::as_str))
        };
        let Some(first) = traces.first().map(parameters) else {
            bail!("it has no trace: call it before, or ask for a concrete function");
        };
        let spec = function_spec(&first, &[]);
        let mut saved =
            SavedFunction { function_spec: Some(spec.clone()), ..SavedFunction::default() };
        let mut children = Vec::new();
        for trace in traces {
            let own = parameters(trace);
            if own != first {
                bail!(
                    "its traces take other arguments: ({}) and ({})",
                    first.join(", "),
                    own.join(", ")
                );
            }
            let name = self.trace(trace)?;
            saved.concrete_functions.push(name.clone());
            children.push(self.bare(name, keywords(trace), spec.clone()));
        }
        let node = self.objects.add(ObjectKind::Other(Kind::Function(saved)));
        for (i, child) in children.into_iter().enumerate() {
            self.objects.hold(node, &format!("trace_{i}"), child)?;
        }
        Ok(node)
    }

    fn bare(&mut self, name: String, keywords: Vec<String>, spec: FunctionSpec) -> usize {
        self.objects.add(ObjectKind::Other(Kind::BareConcreteFunction(SavedBareConcreteFunction {
            concrete_function_name: name,
            allowed_positional_arguments: keywords.len() as i64,
            argument_keywords: keywords,
            function_spec: Some(spec),
        })))
    }

    /// Adds a trace, if it was not added before, and gives its name.
    fn trace(&mut self, trace: &ConcreteFunction) -> Result<String> {
        let name = self.functions.of_trace(trace)?.signature.name.clone();
        if self.concrete.contains_key(&name) {
            return Ok(name);
        }
        let leaves: usize = arguments(trace).map(|(_, spec)| spec.leaves().len()).sum();
        if leaves != trace.graph().num_arguments {
            bail!(Unimplemented, "it is traced for arguments of which two are one variable");
        }
        let of = |name: &str, e: Error| e.prefixed(format!("argument `{name}`"));
        let positional =
            arguments(trace).map(|(name, spec)| structure(spec).map_err(|e| of(name, e)));
        let positional = positional.collect::<Result<_>>()?;
        let output = structure(trace.output_spec()).map_err(|e| e.prefixed("the result"))?;
        let captures = self.objects.captures(trace)?;
        self.add(name.clone(), &captures, canonical(positional, BTreeMap::new()), output);
        Ok(name)
    }

    fn add(
        &mut self,
        name: String,
        captures: &[usize],
        inputs: StructuredValue,
        output: StructuredValue,
    ) {
        let saved = SavedConcreteFunction {
            bound_inputs: captures.iter().map(|node| *node as i32).collect(),
            canonicalized_input_signature: Some(inputs),
            output_signature: Some(output),
        };
        self.concrete.insert(name, saved);
    }

    /// Gives each table the functions that make, fill and drop it.
    fn tables(&mut self) -> Result<Vec<SavedTable>> {
        let mut tables = Vec::new();
        for (object, handle) in self.objects.tables.clone() {
            let Some(state) = table_of(&handle) else { continue };
            let table = SavedTable::of(object, state)?;
            let functions = [
                ("_create_resource", &table.create, &[][..]),
                ("_initialize", &table.initialize, &[object][..]),
                ("_destroy_resource", &table.destroy, &[][..]),
            ];
            for (name, def, captures) in functions {
                let own = def.signature.name.clone();
                let spec = function_spec(&[], &[]);
                let output = TensorSpec::new(Shape::scalar(), def.signature.outputs[0].dtype);
                let output = structure(&AnySpec::Tensor(output))?;
                self.add(own.clone(), captures, canonical(Vec::new(), BTreeMap::new()), output);
                let trace = self.bare(own.clone(), Vec::new(), spec.clone());
                let saved =
                    SavedFunction { concrete_functions: vec![own], function_spec: Some(spec) };
                let node = self.objects.add(ObjectKind::Other(Kind::Function(saved)));
                self.objects.hold(node, "trace_0", trace)?;
                self.objects.hold(object, name, node)?;
                self.functions.defs.push(def.clone());
            }
            tables.push(table);
        }
        Ok(tables)
    }

    /// Adds a signature: a function of its own, which calls the trace.
    fn signature(&mut self, name: &str, trace: &ConcreteFunction) -> Result<(usize, Served)> {
        let interface = Interface::of(trace)?;
        let captures = self.objects.captures(trace)?;
        let served = Served::new(
            (name, self.functions.defs.len()),
            trace,
            self.functions.of_trace(trace)?,
            interface,
            captures,
        );
        let tensors = |named: &BTreeMap<String, TensorType>| -> Result<_> {
            let field = |(name, ty): (&String, &TensorType)| {
                let spec = TensorSpec::new(&ty.shape, ty.dtype).named(name);
                Ok((name.clone(), structure(&AnySpec::Tensor(spec))?))
            };
            named.iter().map(field).collect()
        };
        let (inputs, outputs) = (tensors(&served.inputs)?, dict(tensors(&served.outputs)?));
        let own = served.function.signature.name.clone();
        self.add(own.clone(), &served.captures, canonical(Vec::new(), inputs), outputs);
        let keywords: Vec<String> = served.inputs.keys().cloned().collect();
        let spec = function_spec(&[], &keywords);
        self.functions.defs.push(served.function.clone());
        Ok((self.bare(own, keywords, spec), served))
    }
}

/// The parameters of a trace with their types, without modules: what these hold belongs to the trace.
fn arguments(trace: &ConcreteFunction) -> impl Iterator<Item = (&str, &AnySpec)> {
    trace.structured_inputs().filter(|(_, spec)| !matches!(spec, AnySpec::Custom(_)))
}
