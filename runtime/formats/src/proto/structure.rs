//! `struct.proto`.

use std::collections::BTreeMap;

use super::{DataType, TensorProto, TensorShapeProto};

/// A structure of specs and plain data.
#[derive(Clone, PartialEq, prost::Message)]
pub struct StructuredValue {
    #[prost(
        oneof = "structured_value::Kind",
        tags = "1, 11, 12, 13, 14, 31, 32, 33, 34, 35, 51, 52, 53, 54, 55, 56"
    )]
    pub kind: Option<structured_value::Kind>,
}

/// What belongs to [`StructuredValue`].
pub mod structured_value {
    use super::{
        BoundedTensorSpecProto, DataType, DictValue, ListValue, NamedTupleValue, NoneValue,
        TensorProto, TensorShapeProto, TensorSpecProto, TupleValue, TypeSpecProto,
    };

    /// The kinds of values.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Kind {
        #[prost(message, tag = "1")]
        NoneValue(NoneValue),
        #[prost(double, tag = "11")]
        Float64Value(f64),
        #[prost(sint64, tag = "12")]
        Int64Value(i64),
        #[prost(string, tag = "13")]
        StringValue(String),
        #[prost(bool, tag = "14")]
        BoolValue(bool),
        #[prost(message, tag = "31")]
        TensorShapeValue(TensorShapeProto),
        #[prost(enumeration = "DataType", tag = "32")]
        TensorDtypeValue(i32),
        #[prost(message, tag = "33")]
        TensorSpecValue(Box<TensorSpecProto>),
        #[prost(message, tag = "34")]
        TypeSpecValue(Box<TypeSpecProto>),
        #[prost(message, tag = "35")]
        BoundedTensorSpecValue(Box<BoundedTensorSpecProto>),
        #[prost(message, tag = "51")]
        ListValue(ListValue),
        #[prost(message, tag = "52")]
        TupleValue(TupleValue),
        #[prost(message, tag = "53")]
        DictValue(DictValue),
        #[prost(message, tag = "54")]
        NamedTupleValue(NamedTupleValue),
        #[prost(message, tag = "55")]
        TensorValue(Box<TensorProto>),
        #[prost(message, tag = "56")]
        NumpyValue(Box<TensorProto>),
    }
}

/// Python's `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
pub struct NoneValue {}

/// A list.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ListValue {
    #[prost(message, repeated, tag = "1")]
    pub values: Vec<StructuredValue>,
}

/// A tuple.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TupleValue {
    #[prost(message, repeated, tag = "1")]
    pub values: Vec<StructuredValue>,
}

/// A dictionary.
#[derive(Clone, PartialEq, prost::Message)]
pub struct DictValue {
    #[prost(btree_map = "string, message", tag = "1")]
    pub fields: BTreeMap<String, StructuredValue>,
}

/// A tuple whose fields have names.
#[derive(Clone, PartialEq, prost::Message)]
pub struct NamedTupleValue {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, repeated, tag = "2")]
    pub values: Vec<PairValue>,
}

/// A field of a named tuple.
#[derive(Clone, PartialEq, prost::Message)]
pub struct PairValue {
    #[prost(string, tag = "1")]
    pub key: String,
    #[prost(message, optional, tag = "2")]
    pub value: Option<StructuredValue>,
}

/// The spec of a tensor.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorSpecProto {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
    #[prost(enumeration = "DataType", tag = "3")]
    pub dtype: i32,
}

/// The spec of a tensor whose elements lie between two bounds.
#[derive(Clone, PartialEq, prost::Message)]
pub struct BoundedTensorSpecProto {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
    #[prost(enumeration = "DataType", tag = "3")]
    pub dtype: i32,
    #[prost(message, optional, tag = "4")]
    pub minimum: Option<TensorProto>,
    #[prost(message, optional, tag = "5")]
    pub maximum: Option<TensorProto>,
}

/// The spec of a value of another type.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TypeSpecProto {
    #[prost(enumeration = "type_spec_proto::TypeSpecClass", tag = "1")]
    pub type_spec_class: i32,
    #[prost(message, optional, boxed, tag = "2")]
    pub type_state: Option<Box<StructuredValue>>,
    /// The registered name, for the last two classes.
    #[prost(string, tag = "3")]
    pub type_spec_class_name: String,
    /// How many tensors a value is made of.
    #[prost(int32, tag = "4")]
    pub num_flat_components: i32,
}

/// What belongs to [`TypeSpecProto`].
pub mod type_spec_proto {
    /// The class of a spec.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
    #[repr(i32)]
    pub enum TypeSpecClass {
        Unknown = 0,
        SparseTensorSpec = 1,
        IndexedSlicesSpec = 2,
        RaggedTensorSpec = 3,
        TensorArraySpec = 4,
        DataDatasetSpec = 5,
        DataIteratorSpec = 6,
        OptionalSpec = 7,
        PerReplicaSpec = 8,
        VariableSpec = 9,
        RowPartitionSpec = 10,
        RegisteredTypeSpec = 12,
        ExtensionTypeSpec = 13,
    }
}

impl StructuredValue {
    /// This value.
    #[must_use]
    pub fn new(kind: structured_value::Kind) -> Self {
        Self { kind: Some(kind) }
    }
}
