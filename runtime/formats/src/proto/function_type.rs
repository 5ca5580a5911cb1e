//! `function_type.proto` and `default_types.proto`: trace types of functions. SavedModels don't use them.

use super::Any;

/// What a function takes.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FunctionType {
    #[prost(message, repeated, tag = "1")]
    pub parameters: Vec<Parameter>,
    #[prost(message, repeated, tag = "2")]
    pub captures: Vec<Capture>,
}

/// A parameter.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Parameter {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(enumeration = "Kind", tag = "2")]
    pub kind: i32,
    #[prost(bool, tag = "3")]
    pub is_optional: bool,
    #[prost(message, optional, tag = "4")]
    pub type_constraint: Option<SerializedTraceType>,
}

/// How a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum Kind {
    Undefined = 0,
    PositionalOnly = 1,
    PositionalOrKeyword = 2,
    VarPositional = 3,
    KeywordOnly = 4,
    VarKeyword = 5,
}

/// What a function uses from outside.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Capture {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub type_constraint: Option<SerializedTraceType>,
}

/// A trace type of any kind: one of the messages below, or a spec.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SerializedTraceType {
    #[prost(message, optional, tag = "1")]
    pub representation: Option<Any>,
}

/// Plain data.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SerializedLiteral {
    #[prost(oneof = "serialized_literal::Value", tags = "1, 2, 3, 4, 5")]
    pub value: Option<serialized_literal::Value>,
}

/// What belongs to [`SerializedLiteral`].
pub mod serialized_literal {
    /// The kinds of plain data.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Value {
        #[prost(bool, tag = "1")]
        BoolValue(bool),
        #[prost(int64, tag = "2")]
        IntValue(i64),
        #[prost(double, tag = "3")]
        FloatValue(f64),
        #[prost(string, tag = "4")]
        StrValue(String),
        #[prost(message, tag = "5")]
        NoneValue(crate::proto::NoneValue),
    }
}

/// A tuple.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SerializedTuple {
    #[prost(message, repeated, tag = "1")]
    pub components: Vec<SerializedTraceType>,
}

/// A list.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SerializedList {
    #[prost(message, optional, tag = "1")]
    pub components_tuple: Option<SerializedTuple>,
}

/// A tuple whose fields have names.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SerializedNamedTuple {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(string, repeated, tag = "2")]
    pub attribute_names: Vec<String>,
    #[prost(message, optional, tag = "3")]
    pub attributes: Option<SerializedTuple>,
}

/// A class of the package `attrs`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SerializedAttrs {
    #[prost(message, optional, tag = "1")]
    pub named_attributes: Option<SerializedNamedTuple>,
}

/// A dictionary.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SerializedDict {
    #[prost(message, repeated, tag = "1")]
    pub keys: Vec<SerializedLiteral>,
    #[prost(message, repeated, tag = "2")]
    pub values: Vec<SerializedTraceType>,
}
