//! `function.proto`, `op_def.proto`.

use std::collections::BTreeMap;

use super::{AttrValue, DataType, FullTypeDef, NodeDef, resource_handle_proto};

/// The functions of a graph.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FunctionDefLibrary {
    #[prost(message, repeated, tag = "1")]
    pub function: Vec<FunctionDef>,
    #[prost(message, repeated, tag = "2")]
    pub gradient: Vec<GradientDef>,
    #[prost(message, repeated, tag = "3")]
    pub registered_gradients: Vec<RegisteredGradient>,
}

/// A function that nodes can call.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FunctionDef {
    #[prost(message, optional, tag = "1")]
    pub signature: Option<OpDef>,
    #[prost(message, repeated, tag = "3")]
    pub node_def: Vec<NodeDef>,
    /// What each output is: `argument` or `node:output:0`.
    #[prost(btree_map = "string, string", tag = "4")]
    pub ret: BTreeMap<String, String>,
    #[prost(btree_map = "string, message", tag = "5")]
    pub attr: BTreeMap<String, AttrValue>,
    /// Nodes that run though no output needs them, by the names of `signature.control_output`.
    #[prost(btree_map = "string, string", tag = "6")]
    pub control_ret: BTreeMap<String, String>,
    /// By the place of the argument.
    #[prost(btree_map = "uint32, message", tag = "7")]
    pub arg_attr: BTreeMap<u32, function_def::ArgAttrs>,
    /// Arguments with equal numbers are the same resource.
    #[prost(btree_map = "uint32, uint32", tag = "8")]
    pub resource_arg_unique_id: BTreeMap<u32, u32>,
}

/// What belongs to [`FunctionDef`].
pub mod function_def {
    use std::collections::BTreeMap;

    use super::AttrValue;

    /// Attributes of an argument.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ArgAttrs {
        #[prost(btree_map = "string, message", tag = "1")]
        pub attr: BTreeMap<String, AttrValue>,
    }
}

/// The function that computes the gradient of a function.
#[derive(Clone, PartialEq, prost::Message)]
pub struct GradientDef {
    #[prost(string, tag = "1")]
    pub function_name: String,
    #[prost(string, tag = "2")]
    pub gradient_func: String,
}

/// The function that computes the gradient of an op.
#[derive(Clone, PartialEq, prost::Message)]
pub struct RegisteredGradient {
    #[prost(string, tag = "1")]
    pub gradient_func: String,
    #[prost(string, tag = "2")]
    pub registered_op_type: String,
}

/// What an op, or a function, takes and returns.
#[derive(Clone, PartialEq, prost::Message)]
pub struct OpDef {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, repeated, tag = "2")]
    pub input_arg: Vec<op_def::ArgDef>,
    #[prost(message, repeated, tag = "3")]
    pub output_arg: Vec<op_def::ArgDef>,
    #[prost(message, repeated, tag = "4")]
    pub attr: Vec<op_def::AttrDef>,
    #[prost(string, tag = "5")]
    pub summary: String,
    #[prost(string, tag = "6")]
    pub description: String,
    #[prost(message, optional, tag = "8")]
    pub deprecation: Option<OpDeprecation>,
    #[prost(bool, tag = "16")]
    pub is_aggregate: bool,
    #[prost(bool, tag = "17")]
    pub is_stateful: bool,
    #[prost(bool, tag = "18")]
    pub is_commutative: bool,
    #[prost(bool, tag = "19")]
    pub allows_uninitialized_input: bool,
    #[prost(string, repeated, tag = "20")]
    pub control_output: Vec<String>,
    #[prost(bool, tag = "21")]
    pub is_distributed_communication: bool,
}

/// What belongs to [`OpDef`].
pub mod op_def {
    use super::{AttrValue, DataType, FullTypeDef, resource_handle_proto};

    /// An argument or a result: a tensor, or a list of them.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ArgDef {
        #[prost(string, tag = "1")]
        pub name: String,
        #[prost(string, tag = "2")]
        pub description: String,
        #[prost(enumeration = "DataType", tag = "3")]
        pub r#type: i32,
        /// The attribute that says the dtype.
        #[prost(string, tag = "4")]
        pub type_attr: String,
        /// The attribute that says how many tensors of one dtype there are.
        #[prost(string, tag = "5")]
        pub number_attr: String,
        /// The attribute that says the dtype of each tensor.
        #[prost(string, tag = "6")]
        pub type_list_attr: String,
        #[prost(message, repeated, tag = "7")]
        pub handle_data: Vec<resource_handle_proto::DtypeAndShape>,
        #[prost(bool, tag = "16")]
        pub is_ref: bool,
        #[prost(message, optional, tag = "17")]
        pub experimental_full_type: Option<FullTypeDef>,
    }

    /// An attribute.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct AttrDef {
        #[prost(string, tag = "1")]
        pub name: String,
        /// `int`, `type`, `list(shape)` and so on.
        #[prost(string, tag = "2")]
        pub r#type: String,
        #[prost(message, optional, tag = "3")]
        pub default_value: Option<AttrValue>,
        #[prost(string, tag = "4")]
        pub description: String,
        #[prost(bool, tag = "5")]
        pub has_minimum: bool,
        #[prost(int64, tag = "6")]
        pub minimum: i64,
        #[prost(message, optional, tag = "7")]
        pub allowed_values: Option<AttrValue>,
    }
}

/// Since when an op should not be used, and what to use.
#[derive(Clone, PartialEq, prost::Message)]
pub struct OpDeprecation {
    #[prost(int32, tag = "1")]
    pub version: i32,
    #[prost(string, tag = "2")]
    pub explanation: String,
}

/// Ops.
#[derive(Clone, PartialEq, prost::Message)]
pub struct OpList {
    #[prost(message, repeated, tag = "1")]
    pub op: Vec<OpDef>,
}
