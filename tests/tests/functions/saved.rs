//! Models that TensorFlow saved, loaded: one that is made here message by message, and the recorded ones, where they are
//! found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use extype::ErrorKind;
use extype::checkpoint::Checkpoint;
use extype::prelude::*;
use extype::saved::{LoadOptions, SavedModel, encode_graph, load, load_with};
use extype::spec::AnyValue;
use extype_formats::bundle::{OBJECT_GRAPH, Writer};
use extype_formats::proto::structured_value::Kind as Value;
use extype_formats::proto::{self, Message as _, StructuredValue, saved_object};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("extype_saved_{name}_{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn of(kind: Value) -> StructuredValue {
    StructuredValue { kind: Some(kind) }
}

fn tuple(values: Vec<StructuredValue>) -> StructuredValue {
    of(Value::TupleValue(proto::TupleValue { values }))
}

fn tensor(name: &str, sizes: &[i64]) -> StructuredValue {
    of(Value::TensorSpecValue(Box::new(proto::TensorSpecProto {
        name: name.to_owned(),
        shape: Some(proto::TensorShapeProto::new(sizes.iter().copied())),
        dtype: DType::F32.number(),
    })))
}

fn texts(texts: &[&str]) -> StructuredValue {
    let values = texts.iter().map(|t| of(Value::StringValue((*t).to_owned()))).collect();
    of(Value::ListValue(proto::ListValue { values }))
}

fn child(name: &str, node_id: i32) -> proto::ObjectReference {
    proto::ObjectReference { node_id, local_name: name.to_owned() }
}

/// The model `scaled(x, twice=False)`, which is `x * w`, of one trace, with `w` of `[2]`.
fn model() -> Result<proto::SavedModel> {
    let w = Variable::new(vec![3.0f32, 4.0])?;
    let held = w.clone();
    let f = function(move |x: &Tensor| ops::mul(x, &held));
    let f = f.concrete(&TensorSpec::of::<f32>(shape![?, 2]))?;
    let mut def = f.graph().to_graph_def()?;
    def.nodes.clear();
    def.library.push(f.graph().to_function_def()?);
    let name = def.library[0].signature.name.clone();
    let bytes = encode_graph(&def)?;
    let graph_def = Some(proto::GraphDef::decode(&bytes[..]).expect("a graph"));
    let parameters = [
        ("args", texts(&["self", "x", "twice"])),
        ("varargs", of(Value::NoneValue(proto::NoneValue {}))),
        ("defaults", tuple(vec![of(Value::BoolValue(false))])),
        ("kwonlyargs", texts(&[])),
    ];
    let pair = |(key, value): (&str, StructuredValue)| proto::PairValue {
        key: key.to_owned(),
        value: Some(value),
    };
    let fullargspec = of(Value::NamedTupleValue(proto::NamedTupleValue {
        name: "FullArgSpec".to_owned(),
        values: parameters.into_iter().map(pair).collect(),
    }));
    let object = |kind, children| proto::SavedObject {
        kind: Some(kind),
        children,
        ..proto::SavedObject::default()
    };
    let root = saved_object::Kind::UserObject(proto::SavedUserObject::default());
    let variable = saved_object::Kind::Variable(proto::SavedVariable {
        dtype: DType::F32.number(),
        shape: Some(proto::TensorShapeProto::new([2])),
        trainable: true,
        name: "w".to_owned(),
        ..proto::SavedVariable::default()
    });
    let polymorphic = saved_object::Kind::Function(proto::SavedFunction {
        concrete_functions: vec![name.clone()],
        function_spec: Some(proto::FunctionSpec {
            fullargspec: Some(fullargspec),
            ..proto::FunctionSpec::default()
        }),
    });
    let signature = saved_object::Kind::BareConcreteFunction(proto::SavedBareConcreteFunction {
        concrete_function_name: name.clone(),
        argument_keywords: vec!["x".to_owned()],
        ..proto::SavedBareConcreteFunction::default()
    });
    let signatures = saved_object::Kind::UserObject(proto::SavedUserObject::default());
    let concrete = proto::SavedConcreteFunction {
        bound_inputs: vec![1],
        canonicalized_input_signature: Some(tuple(vec![
            tuple(vec![tensor("x", &[-1, 2]), of(Value::BoolValue(false))]),
            of(Value::DictValue(proto::DictValue::default())),
        ])),
        output_signature: Some(of(Value::DictValue(proto::DictValue {
            fields: [("y".to_owned(), tensor("y", &[-1, 2]))].into(),
        }))),
    };
    let objects = proto::SavedObjectGraph {
        nodes: vec![
            object(root, vec![child("w", 1), child("scaled", 2), child("signatures", 3)]),
            object(variable, vec![]),
            object(polymorphic, vec![]),
            object(signatures, vec![child("serving_default", 4)]),
            object(signature, vec![]),
        ],
        concrete_functions: [(name, concrete)].into(),
    };
    Ok(proto::SavedModel {
        saved_model_schema_version: 1,
        meta_graphs: vec![proto::MetaGraphDef {
            graph_def,
            object_graph_def: Some(objects),
            ..proto::MetaGraphDef::default()
        }],
    })
}

fn write(folder: &Folder, model: &proto::SavedModel) {
    std::fs::write(folder.0.join("saved_model.pb"), model.encode_to_vec()).expect("a file");
    let mut bundle = Writer::create(folder.0.join("variables/variables")).expect("a file");
    let key = "w/.ATTRIBUTES/VARIABLE_VALUE";
    let values: Vec<u8> = [3.0f32, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    bundle.add(key, proto::DataType::Float, &[2], &values).expect("a tensor");
    let value = proto::SerializedTensor {
        name: "VARIABLE_VALUE".to_owned(),
        full_name: "w".to_owned(),
        checkpoint_key: key.to_owned(),
    };
    let root = proto::TrackableObject { children: vec![child("w", 1)], ..Default::default() };
    let w = proto::TrackableObject { attributes: vec![value], ..Default::default() };
    let graph = proto::TrackableObjectGraph { nodes: vec![root, w] };
    bundle.add_strings(OBJECT_GRAPH, &[], [graph.encode_to_vec()]).expect("a tensor");
    bundle.finish().expect("a checkpoint");
}

fn loaded(name: &str) -> Result<(Folder, SavedModel)> {
    let folder = Folder::new(name);
    write(&folder, &model()?);
    let model = load(&folder.0)?;
    Ok((folder, model))
}

#[test]
fn functions_and_signatures_of_a_model_are_called() -> Result<()> {
    let (_folder, model) = loaded("called")?;
    assert_eq!(model.children("")?, ["w", "scaled", "signatures"]);
    let x = tensor![[1.0f32, 2.0]];
    let y: BTreeMap<String, Tensor> = model.function("scaled")?.call((&x,))?;
    assert_eq!(y["y"].as_slice::<f32>()?, &[3.0, 8.0]);
    let y = model.signature("serving_default")?.call(&[("x", &x)])?;
    assert_eq!(y["y"].as_slice::<f32>()?, &[3.0, 8.0]);
    // Plain numbers become tensors where a trace has tensors.
    let numbers = vec![vec![1.0f64, 2.0]];
    let y: BTreeMap<String, Tensor> = model.function("scaled")?.call((&numbers, &false))?;
    assert_eq!(y["y"].as_slice::<f32>()?, &[3.0, 8.0]);
    Ok(())
}

#[test]
fn variables_are_shared_and_functions_outlive_the_model() -> Result<()> {
    let (_folder, model) = loaded("shared")?;
    let w = model.variable("w")?;
    assert_eq!((w.label(), w.is_trainable()), (Some("w"), true));
    let f = model.function("scaled")?;
    drop(model);
    w.assign(vec![1.0f32, -1.0])?;
    let y: BTreeMap<String, Tensor> = f.call((&tensor![[5.0f32, 6.0]],))?;
    assert_eq!(y["y"].as_slice::<f32>()?, &[5.0, -6.0]);
    drop(w);
    f.call::<_, BTreeMap<String, Tensor>>((&tensor![[5.0f32, 6.0]],))?;
    Ok(())
}

#[test]
fn loaded_functions_have_gradients_and_can_be_traced() -> Result<()> {
    let (_folder, model) = loaded("gradients")?;
    let (f, w) = (model.function("scaled")?, model.variable("w")?);
    let x = tensor![[1.0f32, 2.0], [3.0, 4.0]];
    let tape = GradientTape::new();
    let y: BTreeMap<String, Tensor> = f.call((&x,))?;
    let loss = y["y"].reduce_sum(.., false)?;
    let gradient = tape.gradient(&loss, &w)?.of(&w)?.expect("a gradient");
    assert_eq!(gradient.as_slice::<f32>()?, &[4.0, 6.0]);
    let outer = function(move |x: &Tensor| {
        let y: BTreeMap<String, Tensor> = f.call((x,))?;
        y["y"].reduce_sum(.., false)
    });
    assert_eq!(outer.call(&x)?.item::<f32>()?, 36.0);
    w.assign(vec![0.0f32, 1.0])?;
    assert_eq!(outer.call(&x)?.item::<f32>()?, 6.0);
    assert_eq!(outer.trace_count(), 1);
    Ok(())
}

#[test]
fn calls_that_fit_no_trace_say_what_there_is() -> Result<()> {
    let (_folder, model) = loaded("misfit")?;
    let f = model.function("scaled")?;
    let told = |e: extype::Error| e.message().to_owned();
    let call = |args: &[AnyValue], named: &[(&str, AnyValue)]| {
        f.call_values(args, named).map(|_| ()).map_err(told).unwrap_err()
    };
    let x = AnyValue::new(tensor![[1.0f32, 2.0]]);
    let e = call(&[AnyValue::new(tensor![1.0f32])], &[]);
    assert!(
        e.contains("saved with no trace for (x: TensorSpec([1], float32), twice: false)"),
        "{e}"
    );
    assert!(e.contains("x: TensorSpec([?, 2], float32, name=\"x\"), twice: false"), "{e}");
    let e = call(std::slice::from_ref(&x), &[("twice", AnyValue::new(true))]);
    assert!(e.contains("twice: true)"), "{e}");
    assert!(call(&[], &[]).ends_with("it misses the arguments `x`"));
    assert!(
        call(std::slice::from_ref(&x), &[("twise", AnyValue::new(true))])
            .contains("did you mean `twice`?")
    );
    assert!(call(std::slice::from_ref(&x), &[("x", x.clone())]).contains("`x` is given twice"));
    assert!(call(&[x.clone(), x.clone(), x], &[]).contains("it takes 2 arguments, 3 given"));
    let e = model.function("scaledd").map_err(told).unwrap_err();
    assert_eq!(e, "the model has no `scaledd`; did you mean `scaled`?");
    assert_eq!(model.function("w").map_err(told).unwrap_err(), "`w` is a variable, not a function");
    let s = model.signature("serving_default")?;
    let x = tensor![[1.0f64, 2.0]];
    let e = s.call(&[("x", &x)]).map_err(told).unwrap_err();
    assert!(e.contains("the input `x` is float64[1, 2], not float32[?, 2]"), "{e}");
    assert!(s.call(&[]).map_err(told).unwrap_err().contains("it misses the inputs `x`"));
    assert!(s.call(&[("y", &x)]).map_err(told).unwrap_err().contains("it takes `x`"));
    assert_eq!(model.signature("other").unwrap_err().kind(), ErrorKind::NotFound);
    Ok(())
}

#[test]
fn a_value_that_may_be_missing_fits_a_tensor() -> Result<()> {
    let (_folder, model) = loaded("optional")?;
    let x = Some(tensor![[1.0f32, 2.0]]);
    let y: BTreeMap<String, Tensor> = model.function("scaled")?.call((&x,))?;
    assert_eq!(y["y"].as_slice::<f32>()?, &[3.0, 8.0]);
    Ok(())
}

#[test]
fn names_may_have_dots_and_constants_are_read() -> Result<()> {
    let folder = Folder::new("dots");
    let mut model = model()?;
    let graph = &mut model.meta_graphs[0];
    let objects = &mut graph.object_graph_def.as_mut().unwrap().nodes;
    objects[0].children.extend([child("block.conv", 1), child("half", 5), child("trace", 4)]);
    objects.push(proto::SavedObject {
        kind: Some(saved_object::Kind::Constant(proto::SavedConstant { operation: "half".into() })),
        ..proto::SavedObject::default()
    });
    let value = proto::TensorProto {
        dtype: DType::F32.number(),
        tensor_shape: Some(proto::TensorShapeProto::new([])),
        float_val: vec![0.5],
        ..proto::TensorProto::default()
    };
    let value = proto::AttrValue { value: Some(proto::attr_value::Value::Tensor(Box::new(value))) };
    graph.graph_def.as_mut().unwrap().node.push(proto::NodeDef {
        name: "half".into(),
        op: "Const".into(),
        attr: [("value".to_owned(), value)].into(),
        ..proto::NodeDef::default()
    });
    write(&folder, &model);
    let model = load(&folder.0)?;
    assert_eq!(model.variable("block.conv")?.id(), model.variable("w")?.id());
    assert_eq!(model.variable("block..conv").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(model.constant("half")?.item::<f32>()?, 0.5);
    let e = model.constant("w").unwrap_err();
    assert!(e.message().contains("`w` is a variable, not a constant"), "{e}");
    let y = model.signature("trace")?.call(&[("x", &tensor![[1.0f32, 2.0]])])?;
    assert_eq!(y["y"].as_slice::<f32>()?, &[3.0, 8.0]);
    // Checkpoints name the variables as the model does.
    let prefix = folder.0.join("ckpt");
    Checkpoint::new(&model).save(&prefix)?;
    model.variable("w")?.assign(vec![0.0f32, 0.0])?;
    Checkpoint::default().with("w", &model.variable("w")?).restore(&prefix)?.assert_existing()?;
    assert_eq!(model.variable("w")?.read()?.to_vec::<f32>()?, [3.0, 4.0]);
    Ok(())
}

#[test]
fn models_for_later_readers_and_values_that_are_missing_are_refused() -> Result<()> {
    let folder = Folder::new("later");
    let mut later = model()?;
    later.meta_graphs[0].graph_def.as_mut().unwrap().versions =
        Some(proto::VersionDef { producer: 9000, min_consumer: 9000, bad_consumers: vec![] });
    write(&folder, &later);
    let e = load(&folder.0).unwrap_err();
    assert!(e.message().contains("for readers from version 9000 on"), "{e}");
    let mut more = model()?;
    let objects = &mut more.meta_graphs[0].object_graph_def.as_mut().unwrap().nodes;
    let variable = objects[1].clone();
    objects.push(variable);
    objects[0].children.push(child("v", 5));
    write(&folder, &more);
    let e = load(&folder.0).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::DataLoss);
    assert!(e.message().contains("has no value for"), "{e}");
    Ok(())
}

#[test]
fn unknown_ops_are_told_all_at_once() -> Result<()> {
    let folder = Folder::new("unknown");
    let mut saved = model()?;
    let graph = saved.meta_graphs[0].graph_def.as_mut().expect("a graph");
    let f = &mut graph.library.as_mut().expect("a library").function[0];
    for (name, op) in [("u", "Alien"), ("v", "Alien"), ("w", "Stranger")] {
        let (name, op) = (name.to_owned(), op.to_owned());
        f.node_def.push(proto::NodeDef { name, op, ..proto::NodeDef::default() });
    }
    write(&folder, &saved);
    let e = load(&folder.0).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Unimplemented);
    assert!(e.message().contains("`Alien` (2 nodes, such as `u` of function"), "{e}");
    assert!(e.message().contains("`Stranger` (node `w` of function"), "{e}");
    let options = LoadOptions { unknown_ops: true, ..LoadOptions::default() };
    load_with(&folder.0, &options)?;
    let options = LoadOptions { file_bytes: 10, ..options };
    assert_eq!(load_with(&folder.0, &options).unwrap_err().kind(), ErrorKind::ResourceExhausted);
    Ok(())
}

#[test]
fn graphs_that_are_not_meant_and_other_files_are_refused() -> Result<()> {
    let folder = Folder::new("refused");
    assert_eq!(load(&folder.0).unwrap_err().kind(), ErrorKind::NotFound);
    let mut saved = model()?;
    saved.meta_graphs[0].meta_info_def = Some(proto::meta_graph_def::MetaInfoDef {
        tags: vec!["serve".to_owned()],
        ..Default::default()
    });
    write(&folder, &saved);
    let with = |tags: &[&str]| {
        let tags = Some(tags.iter().map(|t| (*t).to_owned()).collect());
        load_with(&folder.0, &LoadOptions { tags, ..LoadOptions::default() })
    };
    assert!(with(&["serve"]).is_ok());
    let e = with(&["train"]).unwrap_err();
    assert!(
        e.message().contains("no graph has the tags [\"train\"]; there are [\"serve\"]"),
        "{e}"
    );
    let second = saved.meta_graphs[0].clone();
    saved.meta_graphs.push(second);
    write(&folder, &saved);
    assert!(load(&folder.0).unwrap_err().message().contains("LoadOptions::tags"));
    saved.meta_graphs.truncate(1);
    saved.meta_graphs[0].object_graph_def = None;
    write(&folder, &saved);
    assert!(load(&folder.0).unwrap_err().message().contains("TensorFlow 1"));
    Ok(())
}

#[test]
fn damaged_models_are_errors() -> Result<()> {
    let folder = Folder::new("damaged");
    let saved = model()?;
    write(&folder, &saved);
    let bytes = saved.encode_to_vec();
    let file = folder.0.join("saved_model.pb");
    let x = tensor![[1.0f32, 2.0]];
    let options = LoadOptions { expanded_bytes: 1 << 20, ..LoadOptions::default() };
    // What still is a model may be called.
    let attempt = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("a file");
        let Ok(model) = load_with(&folder.0, &options) else { return };
        for (_, f) in model.named_functions() {
            let _ = f.call_values(&[AnyValue::new(x.clone())], &[]);
        }
        let _ = format!("{model:?}");
    };
    for end in (0..bytes.len()).step_by(3) {
        attempt(&bytes[..end]);
    }
    for i in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[i] ^= if i % 2 == 0 { 1 } else { 0x80 };
        attempt(&damaged);
    }
    Ok(())
}

/// The recorded models: in `$EXTYPE_CONFORMANCE`, or the folder beside the workspace.
fn recorded() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let data = match std::env::var_os("EXTYPE_CONFORMANCE") {
        Some(path) => root.join(path),
        None => root.join("../shared/conformance"),
    };
    data.join("saved_models")
}

#[test]
fn recorded_models_give_the_recorded_results() {
    if !recorded().is_dir() {
        return;
    }
    let mut report = extype_tests::conformance::Report::default();
    let folder = recorded().parent().expect("a parent").to_owned();
    extype_tests::conformance::files::run(&folder, &mut report).expect("recorded data");
    assert!(report.total().failed == 0 && report.total().passed > 100, "{}", report.failures());
}
