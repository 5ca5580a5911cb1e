//! `types.proto`, `tensor_shape.proto`, `tensor_slice.proto`, `tensor.proto`, `resource_handle.proto`.

/// Dtypes. TensorFlow: `DT_FLOAT` and so on. Ref types of TensorFlow 1 are 100 higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum DataType {
    Invalid = 0,
    Float = 1,
    Double = 2,
    Int32 = 3,
    Uint8 = 4,
    Int16 = 5,
    Int8 = 6,
    String = 7,
    Complex64 = 8,
    Int64 = 9,
    Bool = 10,
    Qint8 = 11,
    Quint8 = 12,
    Qint32 = 13,
    Bfloat16 = 14,
    Qint16 = 15,
    Quint16 = 16,
    Uint16 = 17,
    Complex128 = 18,
    Half = 19,
    Resource = 20,
    Variant = 21,
    Uint32 = 22,
    Uint64 = 23,
    Float8E5m2 = 24,
    Float8E4m3fn = 25,
    Float8E4m3fnuz = 26,
    Float8E4m3b11fnuz = 27,
    Float8E5m2fnuz = 28,
    Int4 = 29,
    Uint4 = 30,
    Int2 = 31,
    Uint2 = 32,
    Float4E2m1fn = 33,
}

impl DataType {
    /// The bytes of an element in memory and in files; `None` if elements differ, and for `Invalid`. Elements of less
    /// than a byte take one.
    #[must_use]
    pub fn size(self) -> Option<usize> {
        Some(match self {
            Self::Invalid | Self::String | Self::Resource | Self::Variant => return None,
            Self::Uint8 | Self::Int8 | Self::Bool | Self::Qint8 | Self::Quint8 => 1,
            Self::Float8E5m2 | Self::Float8E4m3fn | Self::Float8E4m3fnuz => 1,
            Self::Float8E4m3b11fnuz | Self::Float8E5m2fnuz | Self::Float4E2m1fn => 1,
            Self::Int4 | Self::Uint4 | Self::Int2 | Self::Uint2 => 1,
            Self::Int16 | Self::Uint16 | Self::Qint16 | Self::Quint16 => 2,
            Self::Bfloat16 | Self::Half => 2,
            Self::Float | Self::Int32 | Self::Uint32 | Self::Qint32 => 4,
            Self::Double | Self::Int64 | Self::Uint64 | Self::Complex64 => 8,
            Self::Complex128 => 16,
        })
    }
}

/// A shape, of which not all need be known.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorShapeProto {
    #[prost(message, repeated, tag = "2")]
    pub dim: Vec<tensor_shape_proto::Dim>,
    #[prost(bool, tag = "3")]
    pub unknown_rank: bool,
}

/// What belongs to [`TensorShapeProto`].
pub mod tensor_shape_proto {
    /// An axis.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Dim {
        /// -1 if it is not known.
        #[prost(int64, tag = "1")]
        pub size: i64,
        #[prost(string, tag = "2")]
        pub name: String,
    }
}

impl TensorShapeProto {
    /// A shape of these sizes; -1 for one that is not known.
    pub fn new(sizes: impl IntoIterator<Item = i64>) -> Self {
        let dim = |size| tensor_shape_proto::Dim { size, name: String::new() };
        Self { dim: sizes.into_iter().map(dim).collect(), unknown_rank: false }
    }

    /// The shape of which nothing is known.
    #[must_use]
    pub fn unknown() -> Self {
        Self { dim: Vec::new(), unknown_rank: true }
    }

    /// The sizes, -1 for those that are not known; `None` if the rank is not known.
    #[must_use]
    pub fn sizes(&self) -> Option<Vec<i64>> {
        (!self.unknown_rank).then(|| self.dim.iter().map(|dim| dim.size).collect())
    }
}

/// A part of a tensor: a range of each axis.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Message)]
pub struct TensorSliceProto {
    #[prost(message, repeated, tag = "1")]
    pub extent: Vec<tensor_slice_proto::Extent>,
}

/// What belongs to [`TensorSliceProto`].
pub mod tensor_slice_proto {
    /// A range of an axis.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Message)]
    pub struct Extent {
        #[prost(int64, tag = "1")]
        pub start: i64,
        /// Without it the range is the whole axis.
        #[prost(int64, optional, tag = "2")]
        pub length: Option<i64>,
    }
}

/// A tensor. Either `tensor_content` or the list for the dtype holds the elements.
///
/// A list that is too short repeats its last value, and an empty list stands for zeros or empty strings.
#[derive(Clone, PartialEq, prost::Message)]
pub struct TensorProto {
    #[prost(enumeration = "DataType", tag = "1")]
    pub dtype: i32,
    #[prost(message, optional, tag = "2")]
    pub tensor_shape: Option<TensorShapeProto>,
    #[prost(int32, tag = "3")]
    pub version_number: i32,
    /// Little-endian elements in rows, of any dtype with elements of one size.
    #[prost(bytes = "vec", tag = "4")]
    pub tensor_content: Vec<u8>,
    #[prost(float, repeated, tag = "5")]
    pub float_val: Vec<f32>,
    #[prost(double, repeated, tag = "6")]
    pub double_val: Vec<f64>,
    /// Integers of 8, 16 and 32 bits, but for uint32, and quantized ones.
    #[prost(int32, repeated, tag = "7")]
    pub int_val: Vec<i32>,
    #[prost(bytes = "vec", repeated, tag = "8")]
    pub string_val: Vec<Vec<u8>>,
    /// Real and imaginary parts in turn.
    #[prost(float, repeated, tag = "9")]
    pub scomplex_val: Vec<f32>,
    #[prost(int64, repeated, tag = "10")]
    pub int64_val: Vec<i64>,
    #[prost(bool, repeated, tag = "11")]
    pub bool_val: Vec<bool>,
    /// Real and imaginary parts in turn.
    #[prost(double, repeated, tag = "12")]
    pub dcomplex_val: Vec<f64>,
    /// The bits of halves and bfloat16s.
    #[prost(int32, repeated, tag = "13")]
    pub half_val: Vec<i32>,
    #[prost(message, repeated, tag = "14")]
    pub resource_handle_val: Vec<ResourceHandleProto>,
    #[prost(message, repeated, tag = "15")]
    pub variant_val: Vec<VariantTensorDataProto>,
    #[prost(uint32, repeated, tag = "16")]
    pub uint32_val: Vec<u32>,
    #[prost(uint64, repeated, tag = "17")]
    pub uint64_val: Vec<u64>,
    #[prost(bytes = "vec", tag = "18")]
    pub float8_val: Vec<u8>,
}

/// A value of a type of its own in a tensor of dtype variant.
#[derive(Clone, PartialEq, prost::Message)]
pub struct VariantTensorDataProto {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(bytes = "vec", tag = "2")]
    pub metadata: Vec<u8>,
    #[prost(message, repeated, tag = "3")]
    pub tensors: Vec<TensorProto>,
}

/// A reference to state on a device.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ResourceHandleProto {
    #[prost(string, tag = "1")]
    pub device: String,
    #[prost(string, tag = "2")]
    pub container: String,
    #[prost(string, tag = "3")]
    pub name: String,
    #[prost(uint64, tag = "4")]
    pub hash_code: u64,
    #[prost(string, tag = "5")]
    pub maybe_type_name: String,
    #[prost(message, repeated, tag = "6")]
    pub dtypes_and_shapes: Vec<resource_handle_proto::DtypeAndShape>,
}

/// What belongs to [`ResourceHandleProto`].
pub mod resource_handle_proto {
    use super::{DataType, TensorShapeProto};

    /// What a variable holds.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct DtypeAndShape {
        #[prost(enumeration = "DataType", tag = "1")]
        pub dtype: i32,
        #[prost(message, optional, tag = "2")]
        pub shape: Option<TensorShapeProto>,
    }
}
