//! The graph of a model that is saved: what servers run, which know no objects.

use std::collections::BTreeMap;

use extype_formats::proto::{
    CollectionDef, SaverDef, SignatureDef, TensorInfo, collection_def, saver_def, tensor_info,
};

use super::functions::{INPUT_SHAPES, Interface};
use super::objects::{ObjectKind, Objects, SavedValue, constant_name};
use super::tables::SavedTable;
use crate::array::Array;
use crate::function::ConcreteFunction;
use crate::ir::def::{
    ArgumentDef, FunctionDef, FunctionName, GraphDef, NodeDef, Signature, Value, Versions,
};
use crate::ir::{Names, legal_function_name, legal_name};
use crate::saved::tensors::shape_message;
use crate::types::{DType, Result, Shape, TensorType};

/// The signature that initializes tables, and the collection of its node.
const INIT: &str = "__saved_model_init_op";
const MAIN: &str = "saved_model_main_op";
/// The tensor of a checkpoint that tells its objects.
pub(super) const OBJECTS: &str = "_CHECKPOINTABLE_OBJECT_GRAPH";
const CALL: &str = "StatefulPartitionedCall";

/// A graph that is built.
pub(super) struct Graph {
    nodes: Vec<NodeDef>,
    names: Names,
    /// The nodes of objects that functions capture.
    handles: BTreeMap<usize, (String, DType)>,
}

/// A signature: a function of tensors by name that calls a trace.
pub(super) struct Served {
    pub(super) inputs: BTreeMap<String, TensorType>,
    pub(super) outputs: BTreeMap<String, TensorType>,
    pub(super) function: FunctionDef,
    /// The objects that the function takes after its inputs.
    pub(super) captures: Vec<usize>,
}

impl Served {
    /// The signature of this name for a trace, which is a function of the library. `number` makes its name unique.
    pub(super) fn new(
        (name, number): (&str, usize),
        trace: &ConcreteFunction,
        called: &FunctionDef,
        interface: Interface,
        captures: Vec<usize>,
    ) -> Self {
        let Signature { inputs: own, .. } = &called.signature;
        let (arguments, captured) = own.split_at(own.len() - captures.len());
        let mut inputs: Vec<ArgumentDef> = Vec::new();
        // The inputs have the order of their names, the arguments of the trace that of the parameters.
        let mut given = vec![String::new(); arguments.len()];
        for i in interface.inputs.values() {
            inputs.push(arguments[*i].clone());
            given[*i] = arguments[*i].name.clone();
        }
        inputs.extend(captured.iter().cloned());
        given.extend(captured.iter().map(|input| input.name.clone()));
        let types = own.iter().map(|input| input.dtype).collect();
        let call = call(called, CALL, given, types);
        let result = |i: usize| argument(format!("output_{i}"), called.signature.outputs[i].dtype);
        let outputs: Vec<ArgumentDef> = interface.outputs.values().map(|i| result(*i)).collect();
        let ret = interface
            .outputs
            .values()
            .map(|i| (format!("output_{i}"), format!("{CALL}:output:{i}")));
        let shapes = trace.graph().input_types().map(|ty| ty.shape.clone()).collect::<Vec<_>>();
        let order = interface.inputs.values().copied().chain(arguments.len()..own.len());
        let shapes = order.map(|i| Value::Shape(shapes[i].clone())).collect();
        let function = FunctionDef {
            signature: Signature {
                name: legal_function_name(&format!(
                    "__inference_signature_wrapper_{name}_{number}"
                )),
                inputs,
                outputs,
                control_outputs: vec![CALL.to_owned()],
                is_stateful: true,
            },
            nodes: vec![call],
            ret: ret.collect(),
            control_ret: [(CALL.to_owned(), CALL.to_owned())].into(),
            attrs: [(INPUT_SHAPES.to_owned(), Value::List(shapes))].into(),
            ..FunctionDef::default()
        };
        let (taken, made): (Vec<_>, _) =
            (trace.graph().input_types().cloned().collect(), trace.graph().output_types());
        let typed = |named: BTreeMap<String, usize>, types: &[TensorType]| {
            named.into_iter().map(|(name, i)| (name, types[i].clone())).collect()
        };
        Self {
            inputs: typed(interface.inputs, &taken),
            outputs: typed(interface.outputs, &made),
            function,
            captures,
        }
    }
}

pub(super) type Collections = BTreeMap<String, CollectionDef>;
pub(super) type Signatures = BTreeMap<String, SignatureDef>;

impl Graph {
    /// A graph with the variables and constants of a model.
    pub(super) fn of(objects: &Objects, variables: &[SavedValue], tables: &[SavedTable]) -> Self {
        let mut graph =
            Self { nodes: Vec::new(), names: Names::default(), handles: BTreeMap::new() };
        for (i, object) in objects.nodes.iter().enumerate() {
            if let ObjectKind::Constant(value) = &object.kind {
                let name = graph.add(constant(&constant_name(i), value.clone()));
                graph.handles.insert(i, (name, value.dtype()));
            }
        }
        for v in variables {
            let shared = Value::Str(v.name.clone().into_bytes());
            let name = graph.add(node(
                "VarHandleOp",
                &v.name,
                [],
                [
                    ("dtype", Value::Type(v.dtype())),
                    ("shape", Value::Shape(v.shape().clone())),
                    ("shared_name", shared.clone()),
                    ("debug_name", shared),
                ],
            ));
            graph.handles.insert(v.object, (name, DType::Resource));
        }
        for table in tables {
            let name = graph.add(table.handle.clone());
            graph.handles.insert(table.object, (name, DType::Resource));
        }
        graph
    }

    /// Adds a node under its name, or under one like it that is free.
    fn add(&mut self, mut node: NodeDef) -> String {
        node.name = self.names.unique(&node.name);
        self.nodes.push(node);
        self.nodes[self.nodes.len() - 1].name.clone()
    }

    fn call(
        &mut self,
        f: &FunctionDef,
        mut inputs: Vec<(String, DType)>,
        captures: &[usize],
    ) -> String {
        inputs.extend(captures.iter().filter_map(|i| self.handles.get(i)).cloned());
        let (inputs, types): (Vec<String>, Vec<DType>) = inputs.into_iter().unzip();
        self.add(call(f, CALL, inputs, types))
    }

    /// Adds a signature, whose inputs are placeholders.
    pub(super) fn serve(&mut self, name: &str, served: &Served) -> SignatureDef {
        let (mut given, mut inputs) = (Vec::new(), BTreeMap::new());
        for (input, ty) in &served.inputs {
            let placeholder = self.add(placeholder(&legal_name(&format!("{name}_{input}")), ty));
            inputs.insert(input.clone(), info(format!("{placeholder}:0"), ty));
            given.push((placeholder, ty.dtype));
        }
        let call = self.call(&served.function, given, &served.captures);
        let outputs = served.outputs.iter().enumerate();
        let output = |(i, (name, ty)): (usize, (&String, &TensorType))| {
            (name.clone(), info(format!("{call}:{i}"), ty))
        };
        SignatureDef {
            outputs: outputs.map(output).collect(),
            inputs,
            method_name: "tensorflow/serving/predict".to_owned(),
            ..SignatureDef::default()
        }
    }

    /// Adds what saves and restores the variables, and what initializes the rest.
    pub(super) fn finish(
        mut self,
        variables: &[SavedValue],
        tables: &[SavedTable],
        tracked: Vec<u8>,
        mut library: Vec<FunctionDef>,
        signatures: &mut Signatures,
    ) -> Result<(GraphDef, SaverDef, Collections)> {
        let mut init = node("NoOp", "NoOp", [], []);
        for table in tables {
            if let Some((handle, _)) = self.handles.get(&table.object) {
                let filled = self.add(table.filling(&handle.clone()));
                init.inputs.push(format!("^{filled}"));
            }
        }
        let init = self.add(init);
        let nothing = TensorInfo {
            encoding: Some(tensor_info::Encoding::Name(init.clone())),
            tensor_shape: Some(shape_message(&Shape::unknown())),
            ..TensorInfo::default()
        };
        signatures.insert(
            INIT.to_owned(),
            SignatureDef {
                outputs: [(INIT.to_owned(), nothing)].into(),
                ..SignatureDef::default()
            },
        );
        let main = collection_def::Kind::NodeList(collection_def::NodeList { value: vec![init] });
        let main = CollectionDef { kind: Some(main) };
        let tracked = self.add(constant("Const", Array::from_strings([0usize; 0], vec![tracked])?));
        let text = TensorType::new(DType::String, Shape::scalar());
        let filename = self.add(placeholder("saver_filename", &text));
        let handles: Vec<usize> = variables.iter().map(|v| v.object).collect();
        let (save, restore) = (save(variables)?, restore(variables)?);
        let given = vec![(filename.clone(), DType::String)];
        let saved = self.call(&save, vec![given[0].clone(), (tracked, DType::String)], &handles);
        let restored = self.call(&restore, given, &handles);
        library.extend([save, restore]);
        let saver = SaverDef {
            filename_tensor_name: format!("{filename}:0"),
            save_tensor_name: format!("{saved}:0"),
            restore_op_name: restored,
            version: saver_def::CheckpointFormatVersion::V2.into(),
            ..SaverDef::default()
        };
        let graph = GraphDef { nodes: self.nodes, library, versions: Versions::OWN };
        Ok((graph, saver, [(MAIN.to_owned(), main)].into()))
    }
}

fn info(name: String, ty: &TensorType) -> TensorInfo {
    TensorInfo {
        encoding: Some(tensor_info::Encoding::Name(name)),
        dtype: ty.dtype.number(),
        tensor_shape: Some(shape_message(&ty.shape)),
    }
}

pub(super) fn node<const I: usize, const A: usize>(
    op: &str,
    name: &str,
    inputs: [&str; I],
    attrs: [(&str, Value); A],
) -> NodeDef {
    NodeDef {
        name: name.to_owned(),
        op: op.to_owned(),
        inputs: inputs.map(str::to_owned).into(),
        attrs: attrs.map(|(name, value)| (name.to_owned(), value)).into(),
        ..NodeDef::default()
    }
}

pub(super) fn constant(name: &str, value: Array) -> NodeDef {
    let dtype = Value::Type(value.dtype());
    node("Const", name, [], [("dtype", dtype), ("value", Value::Tensor(value))])
}

fn placeholder(name: &str, ty: &TensorType) -> NodeDef {
    let attrs = [("dtype", Value::Type(ty.dtype)), ("shape", Value::Shape(ty.shape.clone()))];
    node("Placeholder", name, [], attrs)
}

/// A call of a function on inputs of these types.
pub(super) fn call(f: &FunctionDef, name: &str, inputs: Vec<String>, types: Vec<DType>) -> NodeDef {
    let list =
        |types: &mut dyn Iterator<Item = DType>| Value::List(types.map(Value::Type).collect());
    let called = FunctionName { name: f.signature.name.clone(), ..FunctionName::default() };
    let attrs = [
        ("Tin", list(&mut types.into_iter())),
        ("Tout", list(&mut f.signature.outputs.iter().map(|o| o.dtype))),
        ("f", Value::Function(called)),
    ];
    NodeDef { inputs, ..node(CALL, name, [], attrs) }
}

pub(super) fn argument(name: String, dtype: DType) -> ArgumentDef {
    ArgumentDef { name, dtype, handle_data: Vec::new() }
}

fn handle(v: &SavedValue) -> ArgumentDef {
    let handle_data = vec![(v.dtype(), v.shape().clone())];
    ArgumentDef { name: format!("variable_{}", v.object), dtype: DType::Resource, handle_data }
}

/// A function of a file name that returns the name after some nodes have run.
fn of_filename(
    name: &str,
    inputs: Vec<ArgumentDef>,
    mut nodes: Vec<NodeDef>,
    effects: Vec<String>,
) -> FunctionDef {
    let mut end =
        node("Identity", "Identity", ["file_prefix"], [("T", Value::Type(DType::String))]);
    end.inputs.extend(effects.iter().map(|effect| format!("^{effect}")));
    nodes.push(end);
    FunctionDef {
        signature: Signature {
            name: name.to_owned(),
            outputs: vec![argument("identity".to_owned(), DType::String)],
            control_outputs: effects.clone(),
            is_stateful: true,
            inputs,
        },
        nodes,
        ret: [("identity".to_owned(), "Identity:output:0".to_owned())].into(),
        control_ret: effects.into_iter().map(|effect| (effect.clone(), effect)).collect(),
        ..FunctionDef::default()
    }
}

/// The names of all tensors of a checkpoint, and which parts are meant: all.
fn tensor_names(variables: &[SavedValue]) -> Result<[NodeDef; 2]> {
    let names = variables.iter().map(|v| v.key.as_str()).chain([OBJECTS]);
    let names: Vec<Vec<u8>> = names.map(|name| name.as_bytes().to_vec()).collect();
    let all = vec![Vec::new(); names.len()];
    Ok([
        constant("tensor_names", Array::from_strings([names.len()], names)?),
        constant("shape_and_slices", Array::from_strings([all.len()], all)?),
    ])
}

fn dtypes(variables: &[SavedValue]) -> Value {
    let types = variables.iter().map(SavedValue::dtype).chain([DType::String]);
    Value::List(types.map(Value::Type).collect())
}

fn save(variables: &[SavedValue]) -> Result<FunctionDef> {
    let mut nodes: Vec<NodeDef> = tensor_names(variables)?.into();
    let mut inputs = vec![
        argument("file_prefix".to_owned(), DType::String),
        argument("objects".to_owned(), DType::String),
    ];
    let names = ["file_prefix", "tensor_names:output:0", "shape_and_slices:output:0"];
    let mut save = node("SaveV2", "SaveV2", names, [("dtypes", dtypes(variables))]);
    for v in variables {
        let handle = handle(v);
        let read = format!("read_{}", v.object);
        let dtype = [("dtype", Value::Type(v.dtype()))];
        nodes.push(node("ReadVariableOp", &read, [handle.name.as_str()], dtype));
        save.inputs.push(format!("{read}:value:0"));
        inputs.push(handle);
    }
    save.inputs.push("objects".to_owned());
    nodes.push(save);
    Ok(of_filename("__inference__traced_save", inputs, nodes, vec!["SaveV2".to_owned()]))
}

fn restore(variables: &[SavedValue]) -> Result<FunctionDef> {
    let mut nodes: Vec<NodeDef> = tensor_names(variables)?.into();
    let mut inputs = vec![argument("file_prefix".to_owned(), DType::String)];
    let names = ["file_prefix", "tensor_names:output:0", "shape_and_slices:output:0"];
    nodes.push(node("RestoreV2", "RestoreV2", names, [("dtypes", dtypes(variables))]));
    let mut effects = Vec::new();
    for (i, v) in variables.iter().enumerate() {
        let (handle, value) = (handle(v), format!("RestoreV2:tensors:{i}"));
        let name = format!("assign_{}", v.object);
        let dtype = [("dtype", Value::Type(v.dtype()))];
        nodes.push(node("AssignVariableOp", &name, [handle.name.as_str(), value.as_str()], dtype));
        effects.push(name);
        inputs.push(handle);
    }
    Ok(of_filename("__inference__traced_restore", inputs, nodes, effects))
}
