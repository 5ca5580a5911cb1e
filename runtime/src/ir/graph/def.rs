//! Graphs as plain data that is written to files and read from them, as in TensorFlow's protocol
//! buffers.
//!
//! [`FunctionGraph::to_graph_def`] and [`to_function_def`](super::FunctionGraph::to_function_def)
//! make them, [`from_graph_def`](super::FunctionGraph::from_graph_def) and
//! [`from_function_def`](super::FunctionGraph::from_function_def) read them. The data itself is
//! unchecked: a name may dangle, an attribute may be of any kind.

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
    /// The version of its writer, and of the readers that it is for.
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
    /// The versions of graphs that this library writes: the producer of TensorFlow 2.21, whose ops they hold.
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
/// In a graph an input is `node` (its first result), `node:2` or `^node` (a control input). In a
/// function it is `argument`, `node:result:2` (the third tensor of the result with that name) or
/// `^node`. Data inputs come before control inputs.
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
    /// The attributes, including those that follow from the inputs.
    pub attrs: AttrMap,
}

/// A function: TensorFlow's `FunctionDef`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionDef {
    /// Name, arguments, results.
    pub signature: Signature,
    /// Attributes of arguments, by position.
    pub arg_attrs: BTreeMap<u32, AttrMap>,
    /// The nodes, in any order, without the arguments.
    pub nodes: Vec<NodeDef>,
    /// Where each result is computed: `sum` maps to `add:z:0`.
    pub ret: BTreeMap<String, String>,
    /// Nodes that always run, by the names that the signature lists.
    pub control_ret: BTreeMap<String, String>,
    /// Attributes of the function.
    pub attrs: AttrMap,
}

/// The arguments and results of a function: the part of TensorFlow's `OpDef` that functions use.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// The name of the function, which no other of its library has.
    pub name: String,
    /// The arguments, then the captures.
    pub inputs: Vec<ArgumentDef>,
    /// The results.
    pub outputs: Vec<ArgumentDef>,
    /// Names of nodes that always run.
    pub control_outputs: Vec<String>,
    /// True if it reads or writes state, or its inputs do not determine its results.
    pub is_stateful: bool,
}

/// An argument or a result of a function: one tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentDef {
    /// Its name.
    pub name: String,
    /// Its dtype.
    pub dtype: DType,
    /// For a resource, the types of what it holds.
    pub handle_data: Vec<(DType, Shape)>,
}

/// A function as an attribute: by name, to be found in the library.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionName {
    /// The name.
    pub name: String,
    /// Attributes given to the function besides its inputs; usually none.
    pub attrs: AttrMap,
}

/// The value of an attribute: TensorFlow's `AttrValue`.
#[derive(Clone, Debug)]
pub enum Value {
    /// No value. Functions in files may have such attributes; nodes may not.
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

/// The names of a graph's inputs and outputs, which a `GraphDef` does not record.
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
        // Without recursion: lists may nest deeper than import allows.
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
