//! `example.proto`, `feature.proto`.

use std::collections::BTreeMap;

/// A row of a data set: named lists.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Example {
    #[prost(message, optional, tag = "1")]
    pub features: Option<Features>,
}

/// A row with features, and with lists of features.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SequenceExample {
    #[prost(message, optional, tag = "1")]
    pub context: Option<Features>,
    #[prost(message, optional, tag = "2")]
    pub feature_lists: Option<FeatureLists>,
}

/// Features by name.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Features {
    #[prost(btree_map = "string, message", tag = "1")]
    pub feature: BTreeMap<String, Feature>,
}

/// Lists of features by name.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FeatureLists {
    #[prost(btree_map = "string, message", tag = "1")]
    pub feature_list: BTreeMap<String, FeatureList>,
}

/// A feature for each step.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FeatureList {
    #[prost(message, repeated, tag = "1")]
    pub feature: Vec<Feature>,
}

/// A list of values, or nothing.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Feature {
    #[prost(oneof = "feature::Kind", tags = "1, 2, 3")]
    pub kind: Option<feature::Kind>,
}

/// What belongs to [`Feature`].
pub mod feature {
    use super::{BytesList, FloatList, Int64List};

    /// The kinds of lists.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum Kind {
        #[prost(message, tag = "1")]
        BytesList(BytesList),
        #[prost(message, tag = "2")]
        FloatList(FloatList),
        #[prost(message, tag = "3")]
        Int64List(Int64List),
    }
}

/// Strings.
#[derive(Clone, PartialEq, prost::Message)]
pub struct BytesList {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub value: Vec<Vec<u8>>,
}

/// Numbers.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FloatList {
    #[prost(float, repeated, tag = "1")]
    pub value: Vec<f32>,
}

/// Integers.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Int64List {
    #[prost(int64, repeated, tag = "1")]
    pub value: Vec<i64>,
}

impl From<Vec<Vec<u8>>> for Feature {
    fn from(value: Vec<Vec<u8>>) -> Self {
        Self { kind: Some(feature::Kind::BytesList(BytesList { value })) }
    }
}

impl From<Vec<f32>> for Feature {
    fn from(value: Vec<f32>) -> Self {
        Self { kind: Some(feature::Kind::FloatList(FloatList { value })) }
    }
}

impl From<Vec<i64>> for Feature {
    fn from(value: Vec<i64>) -> Self {
        Self { kind: Some(feature::Kind::Int64List(Int64List { value })) }
    }
}
