//! Graphs as plain data, as TensorFlow's protocol buffers have them: what is written to a file and
//! read from it.
//!
//! [`FunctionGraph::to_graph_def`] and [`to_function_def`](super::FunctionGraph::to_function_def)
//! make them, [`from_graph_def`](super::FunctionGraph::from_graph_def) and
//! [`from_function_def`](super::FunctionGraph::from_function_def) read them. Nothing is checked
//! before: a name may dangle, an attribute may be of any kind.

use std::collections::BTreeMap;

#[cfg(doc)]
use super::FunctionGraph;
use crate::array::Array;
use crate::types::{DType, Shape};

/// Attributes by name.
pub type AttrMap = BTreeMap<String, Value>;

/// A graph with the functions that it calls: TensorFlow's `GraphDef`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphDef {
    /// The nodes, in any order.
    pub nodes: Vec<NodeDef>,
    /// The functions.
    pub library: Vec<FunctionDef>,
    /// Who wrote it, and who may read it.
    pub versions: Versions,
}

/// TensorFlow's `VersionDef`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The version of the writer.
    pub producer: i32,
    /// The least version of a reader.
    pub min_consumer: i32,
    /// Versions of readers that must not read it.
    pub bad_consumers: Vec<i32>,
}

impl Versions {
    /// What graphs of this library have: the producer of TensorFlow 2.21, whose ops they hold.
    pub const OWN: Versions =
        Versions { producer: 2474, min_consumer: 0, bad_consumers: Vec::new() };
}

impl Default for Versions {
    fn default() -> Self {
        Self::OWN
    }
}

/// One node: TensorFlow's `NodeDef`.
///
/// In a graph an input is `node` (its first result), `node:2` or `^node` (a node that must have
/// run before). In a function it is `argument`, `node:result:2` (of the op's result of that name
/// the third tensor) or `^node`. Tensors come before nodes to wait for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeDef {
    /// Its name, which no other node of the graph has.
    pub name: String,
    /// The op.
    pub op: String,
    /// The inputs.
    pub inputs: Vec<String>,
    /// Where it runs; empty for anywhere.
    pub device: String,
    /// The attributes, those too that the inputs tell.
    pub attrs: AttrMap,
}

/// A function: TensorFlow's `FunctionDef`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionDef {
    /// Name, arguments, results.
    pub signature: Signature,
    /// Attributes of arguments, by their place.
    pub arg_attrs: BTreeMap<u32, AttrMap>,
    /// The nodes, in any order; the arguments are none.
    pub nodes: Vec<NodeDef>,
    /// For each result where it is computed: `sum` is `add:z:0`.
    pub ret: BTreeMap<String, String>,
    /// Nodes that always run, by the names that the signature lists.
    pub control_ret: BTreeMap<String, String>,
    /// Attributes of the function.
    pub attrs: AttrMap,
}

/// What a function takes and gives: the part of TensorFlow's `OpDef` that functions use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// The name of the function, which no other of its library has.
    pub name: String,
    /// The arguments, then what the function captures.
    pub inputs: Vec<ArgumentDef>,
    /// The results.
    pub outputs: Vec<ArgumentDef>,
    /// Names of nodes that always run.
    pub control_outputs: Vec<String>,
    /// True if it reads or writes state, or is no function of its inputs.
    pub is_stateful: bool,
}

/// An argument or a result of a function: one tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentDef {
    /// Its name.
    pub name: String,
    /// Its dtype.
    pub dtype: DType,
    /// Of a resource: what it holds.
    pub handle_data: Vec<(DType, Shape)>,
}

/// A function as an attribute: by name, to be found in the library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionName {
    /// The name.
    pub name: String,
    /// What the function is given beside its inputs; mostly nothing.
    pub attrs: AttrMap,
}

/// The value of an attribute: TensorFlow's `AttrValue`.
#[derive(Clone, Debug)]
pub enum Value {
    /// No value: files have such attributes of functions, nodes have none.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f32),
    /// Bytes.
    Str(Vec<u8>),
    /// A dtype.
    Type(DType),
    /// A static shape.
    Shape(Shape),
    /// A constant.
    Tensor(Array),
    /// A function.
    Function(FunctionName),
    /// A list of one of these.
    List(Vec<Value>),
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Type(a), Value::Type(b)) => a == b,
            (Value::Shape(a), Value::Shape(b)) => a == b,
            (Value::Tensor(a), Value::Tensor(b)) => a.identical(b),
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            _ => false,
        }
    }
}

/// What enters a graph of a file and what leaves it, by names: a `GraphDef` does not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The placeholders that are fed; if none is named, all of them in the file's order.
    pub inputs: Vec<String>,
    /// The results: `node` or `node:1`.
    pub outputs: Vec<String>,
    /// Nodes that run although no result needs them.
    pub targets: Vec<String>,
}

impl Value {
    /// The functions in the value.
    pub(super) fn functions(&self) -> Vec<&FunctionName> {
        // Without recursion: lists may nest deeper than what they are imported as.
        let (mut found, mut rest) = (Vec::new(), vec![self]);
        while let Some(value) = rest.pop() {
            match value {
                Value::Function(f) => found.push(f),
                Value::List(items) => rest.extend(items.iter().rev()),
                _ => {}
            }
        }
        found
    }
}
