//! `saved_model.proto`, `meta_graph.proto`, `saver.proto`, `saved_object_graph.proto`, `fingerprint.proto`.

use std::collections::BTreeMap;

use super::{
    Any, DataType, GraphDef, ObjectReference, OpList, SlotVariableReference, StructuredValue,
    TensorProto, TensorShapeProto, VariableAggregation, VariableSynchronization, VersionDef,
};

/// The file `saved_model.pb`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedModel {
    /// 1.
    #[prost(int64, tag = "1")]
    pub saved_model_schema_version: i64,
    #[prost(message, repeated, tag = "2")]
    pub meta_graphs: Vec<MetaGraphDef>,
}

/// A graph with what it takes to run it.
#[derive(Clone, PartialEq, prost::Message)]
pub struct MetaGraphDef {
    #[prost(message, optional, tag = "1")]
    pub meta_info_def: Option<meta_graph_def::MetaInfoDef>,
    #[prost(message, optional, tag = "2")]
    pub graph_def: Option<GraphDef>,
    #[prost(message, optional, tag = "3")]
    pub saver_def: Option<SaverDef>,
    #[prost(btree_map = "string, message", tag = "4")]
    pub collection_def: BTreeMap<String, CollectionDef>,
    #[prost(btree_map = "string, message", tag = "5")]
    pub signature_def: BTreeMap<String, SignatureDef>,
    #[prost(message, repeated, tag = "6")]
    pub asset_file_def: Vec<AssetFileDef>,
    #[prost(message, optional, tag = "7")]
    pub object_graph_def: Option<SavedObjectGraph>,
}

/// What belongs to [`MetaGraphDef`].
pub mod meta_graph_def {
    use std::collections::BTreeMap;

    use super::{Any, OpList};

    /// Who wrote a graph, and what for.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct MetaInfoDef {
        #[prost(string, tag = "1")]
        pub meta_graph_version: String,
        #[prost(message, optional, tag = "2")]
        pub stripped_op_list: Option<OpList>,
        #[prost(message, optional, tag = "3")]
        pub any_info: Option<Any>,
        /// `serve`, `train`, `eval`, `gpu`, `tpu`.
        #[prost(string, repeated, tag = "4")]
        pub tags: Vec<String>,
        #[prost(string, tag = "5")]
        pub tensorflow_version: String,
        #[prost(string, tag = "6")]
        pub tensorflow_git_version: String,
        #[prost(bool, tag = "7")]
        pub stripped_default_attrs: bool,
        /// By the name of a function, the name that the user gave it.
        #[prost(btree_map = "string, string", tag = "8")]
        pub function_aliases: BTreeMap<String, String>,
    }
}

/// A collection of a graph of TensorFlow 1.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CollectionDef {
    #[prost(oneof = "collection_def::Kind", tags = "1, 2, 3, 4, 5")]
    pub kind: Option<collection_def::Kind>,
}

/// What belongs to [`CollectionDef`].
pub mod collection_def {
    use super::Any;

    /// The kinds of collections.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Kind {
        #[prost(message, tag = "1")]
        NodeList(NodeList),
        #[prost(message, tag = "2")]
        BytesList(BytesList),
        #[prost(message, tag = "3")]
        Int64List(Int64List),
        #[prost(message, tag = "4")]
        FloatList(FloatList),
        #[prost(message, tag = "5")]
        AnyList(AnyList),
    }

    /// Names of nodes or tensors.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct NodeList {
        #[prost(string, repeated, tag = "1")]
        pub value: Vec<String>,
    }

    /// Messages or strings.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct BytesList {
        #[prost(bytes = "vec", repeated, tag = "1")]
        pub value: Vec<Vec<u8>>,
    }

    /// Integers.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Int64List {
        #[prost(int64, repeated, tag = "1")]
        pub value: Vec<i64>,
    }

    /// Numbers.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct FloatList {
        #[prost(float, repeated, tag = "1")]
        pub value: Vec<f32>,
    }

    /// Messages that say their types.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct AnyList {
        #[prost(message, repeated, tag = "1")]
        pub value: Vec<Any>,
    }
}

/// What a server can ask a model for.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SignatureDef {
    #[prost(btree_map = "string, message", tag = "1")]
    pub inputs: BTreeMap<String, TensorInfo>,
    #[prost(btree_map = "string, message", tag = "2")]
    pub outputs: BTreeMap<String, TensorInfo>,
    /// `tensorflow/serving/predict`.
    #[prost(string, tag = "3")]
    pub method_name: String,
    #[prost(btree_map = "string, message", tag = "4")]
    pub defaults: BTreeMap<String, TensorProto>,
}

/// A tensor of a graph, or a structure of tensors.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorInfo {
    #[prost(oneof = "tensor_info::Encoding", tags = "1, 4, 5")]
    pub encoding: Option<tensor_info::Encoding>,
    #[prost(enumeration = "DataType", tag = "2")]
    pub dtype: i32,
    #[prost(message, optional, tag = "3")]
    pub tensor_shape: Option<TensorShapeProto>,
}

/// What belongs to [`TensorInfo`].
pub mod tensor_info {
    use super::TensorInfo;
    use crate::proto::TypeSpecProto;

    /// What there is.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Encoding {
        /// A tensor: `node:0`.
        #[prost(string, tag = "1")]
        Name(String),
        #[prost(message, tag = "4")]
        CooSparse(CooSparse),
        #[prost(message, tag = "5")]
        CompositeTensor(CompositeTensor),
    }

    /// A sparse tensor, by the names of its parts.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct CooSparse {
        #[prost(string, tag = "1")]
        pub values_tensor_name: String,
        #[prost(string, tag = "2")]
        pub indices_tensor_name: String,
        #[prost(string, tag = "3")]
        pub dense_shape_tensor_name: String,
    }

    /// A value of another type.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct CompositeTensor {
        #[prost(message, optional, tag = "1")]
        pub type_spec: Option<TypeSpecProto>,
        #[prost(message, repeated, tag = "2")]
        pub components: Vec<TensorInfo>,
    }
}

/// A file in the folder `assets`, and the tensor that is fed with its path.
#[derive(Clone, PartialEq, prost::Message)]
pub struct AssetFileDef {
    #[prost(message, optional, tag = "1")]
    pub tensor_info: Option<TensorInfo>,
    #[prost(string, tag = "2")]
    pub filename: String,
}

/// The nodes that save and restore variables.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SaverDef {
    #[prost(string, tag = "1")]
    pub filename_tensor_name: String,
    #[prost(string, tag = "2")]
    pub save_tensor_name: String,
    #[prost(string, tag = "3")]
    pub restore_op_name: String,
    #[prost(int32, tag = "4")]
    pub max_to_keep: i32,
    #[prost(bool, tag = "5")]
    pub sharded: bool,
    #[prost(float, tag = "6")]
    pub keep_checkpoint_every_n_hours: f32,
    #[prost(enumeration = "saver_def::CheckpointFormatVersion", tag = "7")]
    pub version: i32,
}

/// What belongs to [`SaverDef`].
pub mod saver_def {
    /// How checkpoints are written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
    #[repr(i32)]
    pub enum CheckpointFormatVersion {
        Legacy = 0,
        V1 = 1,
        V2 = 2,
    }
}

/// The file `fingerprint.pb`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FingerprintDef {
    #[prost(uint64, tag = "1")]
    pub saved_model_checksum: u64,
    #[prost(uint64, tag = "2")]
    pub graph_def_program_hash: u64,
    #[prost(uint64, tag = "3")]
    pub signature_def_hash: u64,
    #[prost(uint64, tag = "4")]
    pub saved_object_graph_hash: u64,
    #[prost(uint64, tag = "5")]
    pub checkpoint_hash: u64,
    #[prost(message, optional, tag = "6")]
    pub version: Option<VersionDef>,
    #[prost(string, tag = "7")]
    pub uuid: String,
}

/// The objects of a program: modules, variables, functions, and what they hold.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedObjectGraph {
    /// The first is the root.
    #[prost(message, repeated, tag = "1")]
    pub nodes: Vec<SavedObject>,
    #[prost(btree_map = "string, message", tag = "2")]
    pub concrete_functions: BTreeMap<String, SavedConcreteFunction>,
}

/// An object.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedObject {
    #[prost(message, repeated, tag = "1")]
    pub children: Vec<ObjectReference>,
    #[prost(message, repeated, tag = "3")]
    pub slot_variables: Vec<SlotVariableReference>,
    #[prost(oneof = "saved_object::Kind", tags = "4, 5, 6, 7, 8, 9, 10, 12")]
    pub kind: Option<saved_object::Kind>,
    #[prost(btree_map = "string, message", tag = "11")]
    pub saveable_objects: BTreeMap<String, SaveableObject>,
    #[prost(string, tag = "13")]
    pub registered_name: String,
    #[prost(message, optional, tag = "14")]
    pub serialized_user_proto: Option<Any>,
    #[prost(message, repeated, tag = "15")]
    pub dependencies: Vec<ObjectReference>,
    #[prost(string, tag = "16")]
    pub registered_saver: String,
}

/// What belongs to [`SavedObject`].
pub mod saved_object {
    use super::{
        CapturedTensor, SavedAsset, SavedBareConcreteFunction, SavedConstant, SavedFunction,
        SavedResource, SavedUserObject, SavedVariable,
    };

    /// The kinds of objects.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Kind {
        #[prost(message, tag = "4")]
        UserObject(SavedUserObject),
        #[prost(message, tag = "5")]
        Asset(SavedAsset),
        #[prost(message, tag = "6")]
        Function(SavedFunction),
        #[prost(message, tag = "7")]
        Variable(SavedVariable),
        #[prost(message, tag = "8")]
        BareConcreteFunction(SavedBareConcreteFunction),
        #[prost(message, tag = "9")]
        Constant(SavedConstant),
        #[prost(message, tag = "10")]
        Resource(SavedResource),
        #[prost(message, tag = "12")]
        CapturedTensor(CapturedTensor),
    }
}

/// An object of a type that the program registers.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedUserObject {
    /// `_generic_user_object`, `trackable_list_wrapper`, `signature_map`, `optimizer`, and so on.
    #[prost(string, tag = "1")]
    pub identifier: String,
    #[prost(message, optional, tag = "2")]
    pub version: Option<VersionDef>,
    /// Deprecated.
    #[prost(string, tag = "3")]
    pub metadata: String,
}

/// A file of the model.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedAsset {
    /// The place in [`MetaGraphDef::asset_file_def`].
    #[prost(int32, tag = "1")]
    pub asset_file_def_index: i32,
}

/// A function with its traces.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedFunction {
    #[prost(string, repeated, tag = "1")]
    pub concrete_functions: Vec<String>,
    #[prost(message, optional, tag = "2")]
    pub function_spec: Option<FunctionSpec>,
}

/// A trace of a function.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedConcreteFunction {
    /// The object of each capture, in the order of the last arguments.
    #[prost(int32, repeated, tag = "2")]
    pub bound_inputs: Vec<i32>,
    /// A tuple of the positional arguments and the dict of the others.
    #[prost(message, optional, tag = "3")]
    pub canonicalized_input_signature: Option<StructuredValue>,
    #[prost(message, optional, tag = "4")]
    pub output_signature: Option<StructuredValue>,
}

/// A trace that stands for itself, such as a signature.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedBareConcreteFunction {
    #[prost(string, tag = "1")]
    pub concrete_function_name: String,
    #[prost(string, repeated, tag = "2")]
    pub argument_keywords: Vec<String>,
    #[prost(int64, tag = "3")]
    pub allowed_positional_arguments: i64,
    #[prost(message, optional, tag = "4")]
    pub function_spec: Option<FunctionSpec>,
}

/// A tensor that does not change.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedConstant {
    /// The name of a node `Const` of the graph.
    #[prost(string, tag = "1")]
    pub operation: String,
}

/// A variable.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedVariable {
    #[prost(enumeration = "DataType", tag = "1")]
    pub dtype: i32,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
    #[prost(bool, tag = "3")]
    pub trainable: bool,
    #[prost(enumeration = "VariableSynchronization", tag = "4")]
    pub synchronization: i32,
    #[prost(enumeration = "VariableAggregation", tag = "5")]
    pub aggregation: i32,
    /// Without `:0`.
    #[prost(string, tag = "6")]
    pub name: String,
    #[prost(string, tag = "7")]
    pub device: String,
    #[prost(message, repeated, tag = "8")]
    pub experimental_distributed_variable_components: Vec<SavedVariable>,
}

/// State of another kind, which functions make and destroy.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SavedResource {
    #[prost(string, tag = "1")]
    pub device: String,
}

/// A tensor that a trace uses from outside.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CapturedTensor {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub concrete_function: String,
}

/// The objects that save and restore a part of an object.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SaveableObject {
    #[prost(int32, tag = "2")]
    pub save_function: i32,
    #[prost(int32, tag = "3")]
    pub restore_function: i32,
}

/// The arguments that a function takes.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FunctionSpec {
    /// Python's `FullArgSpec` as a named tuple.
    #[prost(message, optional, tag = "1")]
    pub fullargspec: Option<StructuredValue>,
    #[prost(bool, tag = "2")]
    pub is_method: bool,
    #[prost(message, optional, tag = "5")]
    pub input_signature: Option<StructuredValue>,
    #[prost(enumeration = "function_spec::JitCompile", tag = "6")]
    pub jit_compile: i32,
}

/// What belongs to [`FunctionSpec`].
pub mod function_spec {
    /// Whether XLA compiles the function.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
    #[repr(i32)]
    pub enum JitCompile {
        Default = 0,
        On = 1,
        Off = 2,
    }
}
