//! `tensor_bundle.proto`, `checkpoint_state.proto`, `trackable_object_graph.proto`.

use super::{DataType, TensorShapeProto, TensorSliceProto, VersionDef};

/// The first entry of a checkpoint's index.
#[derive(Clone, PartialEq, prost::Message)]
pub struct BundleHeaderProto {
    #[prost(int32, tag = "1")]
    pub num_shards: i32,
    #[prost(enumeration = "bundle_header_proto::Endianness", tag = "2")]
    pub endianness: i32,
    #[prost(message, optional, tag = "3")]
    pub version: Option<VersionDef>,
}

/// What belongs to [`BundleHeaderProto`].
pub mod bundle_header_proto {
    /// The order of the bytes of numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
    #[repr(i32)]
    pub enum Endianness {
        Little = 0,
        Big = 1,
    }
}

/// What a checkpoint's index says of a tensor.
#[derive(Clone, PartialEq, prost::Message)]
pub struct BundleEntryProto {
    #[prost(enumeration = "DataType", tag = "1")]
    pub dtype: i32,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
    #[prost(int32, tag = "3")]
    pub shard_id: i32,
    #[prost(int64, tag = "4")]
    pub offset: i64,
    #[prost(int64, tag = "5")]
    pub size: i64,
    /// The masked checksum of the bytes in the file.
    #[prost(fixed32, tag = "6")]
    pub crc32c: u32,
    /// The parts of a tensor that is stored in parts: each has an entry of its own.
    #[prost(message, repeated, tag = "7")]
    pub slices: Vec<TensorSliceProto>,
}

/// The file `checkpoint` of a folder, which is text.
#[derive(Clone, PartialEq, prost::Message)]
pub struct CheckpointState {
    #[prost(string, tag = "1")]
    pub model_checkpoint_path: String,
    #[prost(string, repeated, tag = "2")]
    pub all_model_checkpoint_paths: Vec<String>,
    #[prost(double, repeated, tag = "3")]
    pub all_model_checkpoint_timestamps: Vec<f64>,
    #[prost(double, tag = "4")]
    pub last_preserved_timestamp: f64,
}

/// The objects whose values a checkpoint has, under `_CHECKPOINTABLE_OBJECT_GRAPH`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TrackableObjectGraph {
    /// The first is the root.
    #[prost(message, repeated, tag = "1")]
    pub nodes: Vec<TrackableObject>,
}

/// An object.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TrackableObject {
    #[prost(message, repeated, tag = "1")]
    pub children: Vec<ObjectReference>,
    #[prost(message, repeated, tag = "2")]
    pub attributes: Vec<SerializedTensor>,
    #[prost(message, repeated, tag = "3")]
    pub slot_variables: Vec<SlotVariableReference>,
    #[prost(message, optional, tag = "4")]
    pub registered_saver: Option<RegisteredSaver>,
    #[prost(message, optional, tag = "5")]
    pub has_checkpoint_values: Option<BoolValue>,
}

/// An object that another one holds under a name.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct ObjectReference {
    #[prost(int32, tag = "1")]
    pub node_id: i32,
    #[prost(string, tag = "2")]
    pub local_name: String,
}

/// A value of an object.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct SerializedTensor {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub full_name: String,
    #[prost(string, tag = "3")]
    pub checkpoint_key: String,
}

/// What an optimizer keeps for a variable.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct SlotVariableReference {
    #[prost(int32, tag = "1")]
    pub original_variable_node_id: i32,
    #[prost(string, tag = "2")]
    pub slot_name: String,
    #[prost(int32, tag = "3")]
    pub slot_variable_node_id: i32,
}

/// What saves an object, if it is not TensorFlow.
#[derive(Clone, PartialEq, Eq, Hash, prost::Message)]
pub struct RegisteredSaver {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub object_name: String,
}

/// A truth value that may be missing. Protocol Buffers: `google.protobuf.BoolValue`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
pub struct BoolValue {
    #[prost(bool, tag = "1")]
    pub value: bool,
}
