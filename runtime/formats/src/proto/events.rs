//! `event.proto`, `summary.proto`, `histogram.proto`.

use super::TensorProto;

/// Something that happened while a program ran.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Event {
    /// Seconds since 1970.
    #[prost(double, tag = "1")]
    pub wall_time: f64,
    #[prost(int64, tag = "2")]
    pub step: i64,
    #[prost(oneof = "event::What", tags = "3, 4, 5, 6, 7, 8, 9")]
    pub what: Option<event::What>,
    #[prost(message, optional, tag = "10")]
    pub source_metadata: Option<SourceMetadata>,
}

/// What belongs to [`Event`].
pub mod event {
    use super::{LogMessage, SessionLog, Summary, TaggedRunMetadata};

    /// What happened.
    #[derive(Clone, PartialEq, prost::Oneof)]
    pub enum What {
        /// `brain.Event:2`, in the first event of a file.
        #[prost(string, tag = "3")]
        FileVersion(String),
        /// A [`GraphDef`](crate::proto::GraphDef).
        #[prost(bytes = "vec", tag = "4")]
        GraphDef(Vec<u8>),
        #[prost(message, tag = "5")]
        Summary(Summary),
        #[prost(message, tag = "6")]
        LogMessage(LogMessage),
        #[prost(message, tag = "7")]
        SessionLog(SessionLog),
        #[prost(message, tag = "8")]
        TaggedRunMetadata(TaggedRunMetadata),
        /// A [`MetaGraphDef`](crate::proto::MetaGraphDef).
        #[prost(bytes = "vec", tag = "9")]
        MetaGraphDef(Vec<u8>),
    }
}

/// Who wrote an event file.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SourceMetadata {
    #[prost(string, tag = "1")]
    pub writer: String,
}

/// A line of a log. Deprecated.
#[derive(Clone, PartialEq, prost::Message)]
pub struct LogMessage {
    #[prost(int32, tag = "1")]
    pub level: i32,
    #[prost(string, tag = "2")]
    pub message: String,
}

/// The state of a program.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SessionLog {
    #[prost(enumeration = "session_log::SessionStatus", tag = "1")]
    pub status: i32,
    #[prost(string, tag = "2")]
    pub checkpoint_path: String,
    #[prost(string, tag = "3")]
    pub msg: String,
}

/// What belongs to [`SessionLog`].
pub mod session_log {
    /// The states of a program. `Start` drops what stood before at its step and later ones.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
    #[repr(i32)]
    pub enum SessionStatus {
        StatusUnspecified = 0,
        Start = 1,
        Stop = 2,
        Checkpoint = 3,
    }
}

/// Times and memory of one step.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TaggedRunMetadata {
    #[prost(string, tag = "1")]
    pub tag: String,
    #[prost(bytes = "vec", tag = "2")]
    pub run_metadata: Vec<u8>,
}

/// Values at one step.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Summary {
    #[prost(message, repeated, tag = "1")]
    pub value: Vec<summary::Value>,
}

/// What belongs to [`Summary`].
pub mod summary {
    use super::{HistogramProto, SummaryMetadata, TensorProto};

    /// A value with its name.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Value {
        #[prost(string, tag = "1")]
        pub tag: String,
        #[prost(string, tag = "7")]
        pub node_name: String,
        /// How the value is shown. The first value of a tag must have it.
        #[prost(message, optional, tag = "9")]
        pub metadata: Option<SummaryMetadata>,
        #[prost(oneof = "value::Value", tags = "2, 3, 4, 5, 6, 8")]
        pub value: Option<value::Value>,
    }

    /// What belongs to [`Value`].
    pub mod value {
        use super::{Audio, HistogramProto, Image, TensorProto};

        /// The kinds of values. New files have tensors only.
        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Value {
            #[prost(float, tag = "2")]
            SimpleValue(f32),
            #[prost(bytes = "vec", tag = "3")]
            ObsoleteOldStyleHistogram(Vec<u8>),
            #[prost(message, tag = "4")]
            Image(Image),
            #[prost(message, tag = "5")]
            Histo(HistogramProto),
            #[prost(message, tag = "6")]
            Audio(Audio),
            #[prost(message, tag = "8")]
            Tensor(Box<TensorProto>),
        }
    }

    /// A picture.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Image {
        #[prost(int32, tag = "1")]
        pub height: i32,
        #[prost(int32, tag = "2")]
        pub width: i32,
        #[prost(int32, tag = "3")]
        pub colorspace: i32,
        #[prost(bytes = "vec", tag = "4")]
        pub encoded_image_string: Vec<u8>,
    }

    /// Sound.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Audio {
        #[prost(float, tag = "1")]
        pub sample_rate: f32,
        #[prost(int64, tag = "2")]
        pub num_channels: i64,
        #[prost(int64, tag = "3")]
        pub length_frames: i64,
        #[prost(bytes = "vec", tag = "4")]
        pub encoded_audio_string: Vec<u8>,
        #[prost(string, tag = "5")]
        pub content_type: String,
    }
}

/// How a value is shown.
#[derive(Clone, PartialEq, prost::Message)]
pub struct SummaryMetadata {
    #[prost(message, optional, tag = "1")]
    pub plugin_data: Option<summary_metadata::PluginData>,
    #[prost(string, tag = "2")]
    pub display_name: String,
    #[prost(string, tag = "3")]
    pub summary_description: String,
    #[prost(enumeration = "DataClass", tag = "4")]
    pub data_class: i32,
}

/// What belongs to [`SummaryMetadata`].
pub mod summary_metadata {
    /// The dashboard that shows a value, and what it needs to know.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct PluginData {
        #[prost(string, tag = "1")]
        pub plugin_name: String,
        #[prost(bytes = "vec", tag = "2")]
        pub content: Vec<u8>,
    }
}

/// How much data a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum DataClass {
    Unknown = 0,
    Scalar = 1,
    Tensor = 2,
    BlobSequence = 3,
}

/// Counts of values between limits.
#[derive(Clone, PartialEq, prost::Message)]
pub struct HistogramProto {
    #[prost(double, tag = "1")]
    pub min: f64,
    #[prost(double, tag = "2")]
    pub max: f64,
    #[prost(double, tag = "3")]
    pub num: f64,
    #[prost(double, tag = "4")]
    pub sum: f64,
    #[prost(double, tag = "5")]
    pub sum_squares: f64,
    /// The upper limit of each bucket.
    #[prost(double, repeated, tag = "6")]
    pub bucket_limit: Vec<f64>,
    #[prost(double, repeated, tag = "7")]
    pub bucket: Vec<f64>,
}
