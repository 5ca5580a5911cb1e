//! `graph.proto`, `node_def.proto`, `attr_value.proto`, `versions.proto`, `full_type.proto`, `graph_debug_info.proto`, `variable.proto`.

use std::collections::BTreeMap;

use super::{FunctionDefLibrary, TensorProto, TensorShapeProto};

/// A graph: nodes, and the functions that they call.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GraphDef {
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeDef>,
    #[prost(message, optional, tag = "2")]
    pub library: Option<FunctionDefLibrary>,
    /// Deprecated: `versions` says it.
    #[prost(int32, tag = "3")]
    pub version: i32,
    #[prost(message, optional, tag = "4")]
    pub versions: Option<VersionDef>,
    #[prost(message, optional, tag = "5")]
    pub debug_info: Option<GraphDebugInfo>,
}

/// A node of a graph or of a function.
#[derive(Clone, PartialEq, prost::Message)]
pub struct NodeDef {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub op: String,
    /// `node`, `node:1`, and at the end `^node` for nodes that run before. In functions `argument` and `node:output:0`.
    #[prost(string, repeated, tag = "3")]
    pub input: Vec<String>,
    #[prost(string, tag = "4")]
    pub device: String,
    #[prost(btree_map = "string, message", tag = "5")]
    pub attr: BTreeMap<String, AttrValue>,
    #[prost(message, optional, tag = "6")]
    pub experimental_debug_info: Option<node_def::ExperimentalDebugInfo>,
    #[prost(message, optional, tag = "7")]
    pub experimental_type: Option<FullTypeDef>,
}

/// What belongs to [`NodeDef`].
pub mod node_def {
    /// The nodes that a rewritten node stands for.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ExperimentalDebugInfo {
        #[prost(string, repeated, tag = "1")]
        pub original_node_names: Vec<String>,
        #[prost(string, repeated, tag = "2")]
        pub original_func_names: Vec<String>,
    }
}

/// The value of an attribute.
#[derive(Clone, PartialEq, prost::Message)]
pub struct AttrValue {
    #[prost(oneof = "attr_value::Value", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10")]
    pub value: Option<attr_value::Value>,
}

/// What belongs to [`AttrValue`].
pub mod attr_value {
    use super::super::{DataType, NameAttrList, TensorProto, TensorShapeProto};

    /// The kinds of values.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Value {
        #[prost(message, tag = "1")]
        List(Box<ListValue>),
        #[prost(bytes = "vec", tag = "2")]
        S(Vec<u8>),
        #[prost(int64, tag = "3")]
        I(i64),
        #[prost(float, tag = "4")]
        F(f32),
        #[prost(bool, tag = "5")]
        B(bool),
        #[prost(enumeration = "DataType", tag = "6")]
        Type(i32),
        #[prost(message, tag = "7")]
        Shape(TensorShapeProto),
        #[prost(message, tag = "8")]
        Tensor(Box<TensorProto>),
        #[prost(string, tag = "9")]
        Placeholder(String),
        #[prost(message, tag = "10")]
        Func(Box<NameAttrList>),
    }

    /// A list of values of one kind. An empty list has no kind.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ListValue {
        #[prost(bytes = "vec", repeated, tag = "2")]
        pub s: Vec<Vec<u8>>,
        #[prost(int64, repeated, tag = "3")]
        pub i: Vec<i64>,
        #[prost(float, repeated, tag = "4")]
        pub f: Vec<f32>,
        #[prost(bool, repeated, tag = "5")]
        pub b: Vec<bool>,
        #[prost(enumeration = "DataType", repeated, tag = "6")]
        pub r#type: Vec<i32>,
        #[prost(message, repeated, tag = "7")]
        pub shape: Vec<TensorShapeProto>,
        #[prost(message, repeated, tag = "8")]
        pub tensor: Vec<TensorProto>,
        #[prost(message, repeated, tag = "9")]
        pub func: Vec<NameAttrList>,
    }
}

/// A function, with attributes of the call.
#[derive(Clone, PartialEq, prost::Message)]
pub struct NameAttrList {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(btree_map = "string, message", tag = "2")]
    pub attr: BTreeMap<String, AttrValue>,
}

/// Who wrote a file, and who can read it.
#[derive(Clone, PartialEq, prost::Message)]
pub struct VersionDef {
    #[prost(int32, tag = "1")]
    pub producer: i32,
    #[prost(int32, tag = "2")]
    pub min_consumer: i32,
    #[prost(int32, repeated, tag = "3")]
    pub bad_consumers: Vec<i32>,
}

/// A type with arguments, such as a list of tensors.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FullTypeDef {
    #[prost(enumeration = "FullTypeId", tag = "1")]
    pub type_id: i32,
    #[prost(message, repeated, tag = "2")]
    pub args: Vec<FullTypeDef>,
    #[prost(oneof = "full_type_def::Attr", tags = "3, 4")]
    pub attr: Option<full_type_def::Attr>,
}

/// What belongs to [`FullTypeDef`].
pub mod full_type_def {
    /// The name of a variable or symbol, or a number.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Attr {
        #[prost(string, tag = "3")]
        S(String),
        #[prost(int64, tag = "4")]
        I(i64),
    }
}

/// The head of a [`FullTypeDef`]. TensorFlow: `TFT_TENSOR` and others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum FullTypeId {
    Unset = 0,
    Var = 1,
    Any = 2,
    Product = 3,
    Named = 4,
    ForEach = 20,
    Callable = 100,
    Bool = 200,
    Uint8 = 201,
    Uint16 = 202,
    Uint32 = 203,
    Uint64 = 204,
    Int8 = 205,
    Int16 = 206,
    Int32 = 207,
    Int64 = 208,
    Half = 209,
    Float = 210,
    Double = 211,
    Complex64 = 212,
    Complex128 = 213,
    String = 214,
    Bfloat16 = 215,
    Tensor = 1000,
    Array = 1001,
    Optional = 1002,
    Literal = 1003,
    Encoded = 1004,
    ShapeTensor = 1005,
    Dataset = 10102,
    Ragged = 10103,
    Iterator = 10104,
    MutexLock = 10202,
    LegacyVariant = 10203,
}

/// Where in the user's code the nodes of a graph were made. A SavedModel keeps it in a file of its own.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GraphDebugInfo {
    #[prost(string, repeated, tag = "1")]
    pub files: Vec<String>,
    /// By `node@function`.
    #[prost(btree_map = "string, message", tag = "2")]
    pub traces: BTreeMap<String, graph_debug_info::StackTrace>,
    #[prost(btree_map = "fixed64, message", tag = "4")]
    pub frames_by_id: BTreeMap<u64, graph_debug_info::FileLineCol>,
    #[prost(btree_map = "string, fixed64", tag = "5")]
    pub name_to_trace_id: BTreeMap<String, u64>,
    #[prost(btree_map = "fixed64, message", tag = "6")]
    pub traces_by_id: BTreeMap<u64, graph_debug_info::StackTrace>,
}

/// What belongs to [`GraphDebugInfo`].
pub mod graph_debug_info {
    /// A line of code. The file is a place in [`GraphDebugInfo::files`](super::GraphDebugInfo::files).
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct FileLineCol {
        #[prost(int32, optional, tag = "1")]
        pub file_index: Option<i32>,
        #[prost(int32, optional, tag = "2")]
        pub line: Option<i32>,
        #[prost(int32, optional, tag = "3")]
        pub col: Option<i32>,
        #[prost(string, optional, tag = "4")]
        pub func: Option<String>,
        #[prost(string, optional, tag = "5")]
        pub code: Option<String>,
    }

    /// Calls, the innermost first.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct StackTrace {
        #[prost(message, repeated, tag = "1")]
        pub file_line_cols: Vec<FileLineCol>,
        #[prost(fixed64, repeated, tag = "2")]
        pub frame_id: Vec<u64>,
    }
}

/// A variable of TensorFlow 1.
#[derive(Clone, PartialEq, prost::Message)]
pub struct VariableDef {
    #[prost(string, tag = "1")]
    pub variable_name: String,
    #[prost(string, tag = "2")]
    pub initializer_name: String,
    #[prost(string, tag = "3")]
    pub snapshot_name: String,
    #[prost(message, optional, tag = "4")]
    pub save_slice_info_def: Option<SaveSliceInfoDef>,
    #[prost(bool, tag = "5")]
    pub is_resource: bool,
    #[prost(string, tag = "6")]
    pub initial_value_name: String,
    #[prost(bool, tag = "7")]
    pub trainable: bool,
    #[prost(enumeration = "VariableSynchronization", tag = "8")]
    pub synchronization: i32,
    #[prost(enumeration = "VariableAggregation", tag = "9")]
    pub aggregation: i32,
}

/// Which part of a larger variable a variable is.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SaveSliceInfoDef {
    #[prost(string, tag = "1")]
    pub full_name: String,
    #[prost(int64, repeated, tag = "2")]
    pub full_shape: Vec<i64>,
    #[prost(int64, repeated, tag = "3")]
    pub var_offset: Vec<i64>,
    #[prost(int64, repeated, tag = "4")]
    pub var_shape: Vec<i64>,
}

/// When copies of a variable are made equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum VariableSynchronization {
    Auto = 0,
    None = 1,
    OnWrite = 2,
    OnRead = 3,
}

/// How updates of copies of a variable become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum VariableAggregation {
    None = 0,
    Sum = 1,
    Mean = 2,
    OnlyFirstReplica = 3,
}

/// A message of any type.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Any {
    /// `type.googleapis.com/` and the name of the type.
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}

impl AttrValue {
    /// An attribute with this value.
    #[must_use]
    pub fn new(value: attr_value::Value) -> Self {
        Self { value: Some(value) }
    }
}

impl From<TensorProto> for AttrValue {
    fn from(tensor: TensorProto) -> Self {
        Self::new(attr_value::Value::Tensor(Box::new(tensor)))
    }
}

impl From<TensorShapeProto> for AttrValue {
    fn from(shape: TensorShapeProto) -> Self {
        Self::new(attr_value::Value::Shape(shape))
    }
}
