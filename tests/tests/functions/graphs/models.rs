//! Functions of TensorFlow's own SavedModels, where they are found, are read and written again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use extype::array::Array;
use extype::ir::def::{ArgumentDef, AttrMap, FunctionDef, FunctionName, NodeDef, Signature, Value};
use extype::ir::import_library;
use extype::prelude::*;

/// A field of a message: its number, and a number or bytes.
type Field<'a> = (u64, std::result::Result<u64, &'a [u8]>);

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    while let Some((first, rest)) = bytes.split_first() {
        *bytes = rest;
        value |= u64::from(first & 127) << shift;
        shift += 7;
        if first & 128 == 0 {
            break;
        }
    }
    value
}

fn fields(mut bytes: &[u8]) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let size = match tag & 7 {
            0 => {
                found.push((tag >> 3, Ok(varint(&mut bytes))));
                continue;
            }
            1 => 8,
            5 => 4,
            _ => varint(&mut bytes) as usize,
        };
        let (field, rest) = bytes.split_at(size);
        found.push((tag >> 3, Err(field)));
        bytes = rest;
    }
    found
}

fn messages(bytes: &[u8], number: u64) -> impl Iterator<Item = &[u8]> {
    fields(bytes).into_iter().filter(move |f| f.0 == number).filter_map(|f| f.1.err())
}

fn message(bytes: &[u8], number: u64) -> &[u8] {
    messages(bytes, number).last().unwrap_or_default()
}

fn text(bytes: &[u8], number: u64) -> String {
    String::from_utf8_lossy(message(bytes, number)).into_owned()
}

fn number(bytes: &[u8], at: u64) -> u64 {
    fields(bytes).iter().filter(|f| f.0 == at).find_map(|f| f.1.ok()).unwrap_or(0)
}

/// Numbers that may be packed.
fn numbers(bytes: &[u8], at: u64) -> Vec<u64> {
    let mut all = Vec::new();
    for (_, value) in fields(bytes).into_iter().filter(|f| f.0 == at) {
        match value {
            Ok(n) => all.push(n),
            Err(mut packed) => {
                while !packed.is_empty() {
                    all.push(varint(&mut packed));
                }
            }
        }
    }
    all
}

fn dtype(number: u64) -> DType {
    DType::from_number(number as i32).expect("a dtype")
}

fn shape(bytes: &[u8]) -> Shape {
    if number(bytes, 3) != 0 {
        return Shape::unknown();
    }
    let dims = messages(bytes, 2).map(|d| usize::try_from(number(d, 1) as i64).ok());
    dims.map(extype::types::Dim::from).collect()
}

/// A tensor of the dtypes that constants of the models have.
fn tensor(bytes: &[u8]) -> Array {
    let of = dtype(number(bytes, 1));
    let dims = shape(message(bytes, 2)).sizes().expect("sizes").to_vec();
    let count: usize = dims.iter().product();
    let content = message(bytes, 4);
    if of == DType::String {
        let mut all: Vec<Vec<u8>> = messages(bytes, 8).map(<[u8]>::to_vec).collect();
        let last = all.last().cloned().unwrap_or_default();
        all.resize(count, last);
        return Array::from_strings(dims, all).expect("strings");
    }
    let size = of.size().expect("a size");
    let mut raw = content.to_vec();
    if raw.is_empty() {
        let at = match of {
            DType::I64 => 10,
            DType::Bool => 11,
            _ => 7,
        };
        let listed = numbers(bytes, at);
        raw = listed.iter().flat_map(|n| n.to_le_bytes()[..size].to_vec()).collect();
        if of == DType::F32 {
            raw = messages(bytes, 5).flatten().copied().collect();
        }
        let last = raw.rchunks(size).next().map_or(vec![0; size], <[u8]>::to_vec);
        while raw.len() < count * size {
            raw.extend(&last);
        }
    }
    Array::from_bytes(of, dims, &raw).expect("a tensor")
}

fn attrs(bytes: &[u8], at: u64) -> AttrMap {
    messages(bytes, at).map(|entry| (text(entry, 1), value(message(entry, 2)))).collect()
}

fn function(bytes: &[u8]) -> Value {
    Value::Function(FunctionName { name: text(bytes, 1), attrs: attrs(bytes, 2) })
}

fn float(bytes: &[u8]) -> Value {
    Value::Float(f32::from_le_bytes(bytes.try_into().expect("4 bytes")))
}

fn value(bytes: &[u8]) -> Value {
    match fields(bytes)[..] {
        [] => Value::None,
        [(2, Err(s))] => Value::Str(s.to_vec()),
        [(3, Ok(n))] => Value::Int(n as i64),
        [(4, Err(x))] => float(x),
        [(5, Ok(b))] => Value::Bool(b != 0),
        [(6, Ok(t))] => Value::Type(dtype(t)),
        [(7, Err(s))] => Value::Shape(shape(s)),
        [(8, Err(t))] => Value::Tensor(tensor(t)),
        [(10, Err(f))] => function(f),
        [(1, Err(list))] => {
            let mut items: Vec<Value> = messages(list, 2).map(|s| Value::Str(s.to_vec())).collect();
            items.extend(numbers(list, 3).into_iter().map(|n| Value::Int(n as i64)));
            items.extend(messages(list, 4).flat_map(|f| f.chunks(4)).map(float));
            items.extend(numbers(list, 5).into_iter().map(|b| Value::Bool(b != 0)));
            items.extend(numbers(list, 6).into_iter().map(|t| Value::Type(dtype(t))));
            items.extend(messages(list, 7).map(|s| Value::Shape(shape(s))));
            items.extend(messages(list, 9).map(function));
            Value::List(items)
        }
        ref other => panic!("an attribute of {other:?}"),
    }
}

fn node(bytes: &[u8]) -> NodeDef {
    NodeDef {
        name: text(bytes, 1),
        op: text(bytes, 2),
        inputs: messages(bytes, 3).map(|s| String::from_utf8_lossy(s).into_owned()).collect(),
        device: text(bytes, 4),
        attrs: attrs(bytes, 5),
    }
}

fn argument(bytes: &[u8]) -> ArgumentDef {
    let held = messages(bytes, 7).map(|h| (dtype(number(h, 1)), shape(message(h, 2))));
    ArgumentDef {
        name: text(bytes, 1),
        dtype: dtype(number(bytes, 3)),
        handle_data: held.collect(),
    }
}

fn function_def(bytes: &[u8]) -> FunctionDef {
    let signature = message(bytes, 1);
    let map = |at| -> BTreeMap<String, String> {
        messages(bytes, at).map(|entry| (text(entry, 1), text(entry, 2))).collect()
    };
    let arg_attrs = messages(bytes, 7).map(|e| (number(e, 1) as u32, attrs(message(e, 2), 1)));
    FunctionDef {
        signature: Signature {
            name: text(signature, 1),
            inputs: messages(signature, 2).map(argument).collect(),
            outputs: messages(signature, 3).map(argument).collect(),
            control_outputs: messages(signature, 20)
                .map(|s| String::from_utf8_lossy(s).into_owned())
                .collect(),
            is_stateful: number(signature, 17) != 0,
        },
        arg_attrs: arg_attrs.collect(),
        nodes: messages(bytes, 3).map(node).collect(),
        ret: map(4),
        control_ret: map(6),
        attrs: attrs(bytes, 5),
    }
}

/// The models: `$EXTYPE_CONFORMANCE`, or the folder beside the workspace.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let whole = match std::env::var_os("EXTYPE_CONFORMANCE") {
        Some(path) => root.join(path),
        None => root.join("../shared/conformance"),
    };
    let folders = std::fs::read_dir(whole.join("saved_models")).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = folders.map(|e| e.path()).collect();
    found.sort();
    found
}

#[test]
fn functions_of_saved_models_are_the_same_after_reading_and_writing() {
    let (mut same, mut other) = (0, Vec::new());
    for model in models() {
        let Ok(bytes) = std::fs::read(model.join("model/saved_model.pb")) else { continue };
        let graph = message(message(&bytes, 2), 2);
        let library: Vec<FunctionDef> = messages(message(graph, 2), 1).map(function_def).collect();
        let mut written = Vec::new();
        let made = import_library(&library, &|_| None, &mut |graph| {
            written.push(graph.to_function_def());
            Ok(graph.into_named_function())
        });
        if let Err(e) = made {
            other.push(format!("{}: {e}", model.display()));
        }
        for again in written {
            match again {
                Err(e) => other.push(format!("{}: {e}", model.display())),
                Ok(again) => {
                    let was = library.iter().find(|f| f.signature.name == again.signature.name);
                    let was = sorted(was.expect("the function"));
                    let mut again = sorted(&again);
                    again.nodes.iter_mut().zip(&was.nodes).for_each(|(n, was)| strip(n, was));
                    match difference(&was, &again) {
                        None => same += 1,
                        Some(what) => other.push(format!("{}: {what}", model.display())),
                    }
                }
            }
        }
    }
    eprintln!("{same} functions are the same");
    assert!(other.is_empty(), "{} others:\n{}", other.len(), other.join("\n"));
}

/// Nodes by name: where there is a choice, they come in another order.
fn sorted(f: &FunctionDef) -> FunctionDef {
    let mut f = f.clone();
    f.nodes.sort_by(|a, b| a.name.cmp(&b.name));
    f
}

/// SavedModels are without attributes that are as the op's definition has them.
fn strip(node: &mut NodeDef, was: &NodeDef) {
    let Ok(op) = extype::ir::find_op(&node.op) else { return };
    let defaults: Vec<_> = op.attrs.iter().filter(|a| a.told || a.default.is_some()).collect();
    node.attrs
        .retain(|name, _| was.attrs.contains_key(name) || defaults.iter().all(|a| a.name != name));
}

fn difference(was: &FunctionDef, is: &FunctionDef) -> Option<String> {
    if was == is {
        return None;
    }
    let mut text = format!("`{}`:", was.signature.name);
    if was.signature != is.signature {
        text += &format!("\n  {:?}\n  {:?}", was.signature, is.signature);
    }
    if was.arg_attrs != is.arg_attrs {
        text += &format!("\n  {:?}\n  {:?}", was.arg_attrs, is.arg_attrs);
    }
    if (&was.ret, &was.control_ret, &was.attrs) != (&is.ret, &is.control_ret, &is.attrs) {
        text += &format!(
            "\n  {:?} {:?}\n  {:?} {:?}",
            was.ret, was.control_ret, is.ret, is.control_ret
        );
    }
    for (a, b) in was.nodes.iter().zip(&is.nodes).filter(|(a, b)| a != b) {
        text += &format!("\n  {a:?}\n  {b:?}");
    }
    Some(text)
}
