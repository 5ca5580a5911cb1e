//! Element types and sets of them.

use std::fmt;

/// The type of a tensor's elements, with TensorFlow's names and `DataType` numbers.
///
/// ```
/// use extype::types::DType;
/// assert_eq!(DType::F32.name(), "float32");
/// assert_eq!(DType::F32.number(), 1);
/// assert_eq!(DType::from_name("bfloat16"), Some(DType::BF16));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum DType {
    /// 32-bit float.
    F32 = 1,
    /// 64-bit float.
    F64 = 2,
    /// 32-bit signed integer.
    I32 = 3,
    /// 8-bit unsigned integer.
    U8 = 4,
    /// 16-bit signed integer.
    I16 = 5,
    /// 8-bit signed integer.
    I8 = 6,
    /// Byte strings of any length.
    String = 7,
    /// Complex number of two 32-bit floats.
    Complex64 = 8,
    /// 64-bit signed integer.
    I64 = 9,
    /// Boolean.
    Bool = 10,
    /// 16-bit float with the exponent range of `F32`.
    BF16 = 14,
    /// 16-bit unsigned integer.
    U16 = 17,
    /// Complex number of two 64-bit floats.
    Complex128 = 18,
    /// IEEE 16-bit float.
    F16 = 19,
    /// Handle of mutable state: a variable, a table, a generator.
    Resource = 20,
    /// Any boxed value.
    Variant = 21,
    /// 32-bit unsigned integer.
    U32 = 22,
    /// 64-bit unsigned integer.
    U64 = 23,
}

use DType::*;

impl DType {
    /// Every dtype, in the order of its number.
    pub const ALL: [DType; 18] = [
        F32, F64, I32, U8, I16, I8, String, Complex64, I64, Bool, BF16, U16, Complex128, F16,
        Resource, Variant, U32, U64,
    ];

    /// TensorFlow's name, as in `tf.float32`.
    pub const fn name(self) -> &'static str {
        match self {
            F32 => "float32",
            F64 => "float64",
            I32 => "int32",
            U8 => "uint8",
            I16 => "int16",
            I8 => "int8",
            String => "string",
            Complex64 => "complex64",
            I64 => "int64",
            Bool => "bool",
            BF16 => "bfloat16",
            U16 => "uint16",
            Complex128 => "complex128",
            F16 => "float16",
            Resource => "resource",
            Variant => "variant",
            U32 => "uint32",
            U64 => "uint64",
        }
    }

    /// The dtype with this TensorFlow name.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// The number in TensorFlow's `DataType` enum.
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The dtype with this number of TensorFlow's `DataType` enum.
    pub fn from_number(number: i32) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.number() == number)
    }

    /// Bytes of one element; `None` for strings, resources and variants.
    pub const fn size(self) -> Option<usize> {
        match self {
            Bool | I8 | U8 => Some(1),
            I16 | U16 | F16 | BF16 => Some(2),
            I32 | U32 | F32 => Some(4),
            I64 | U64 | F64 | Complex64 => Some(8),
            Complex128 => Some(16),
            String | Resource | Variant => None,
        }
    }

    /// True for the real floating-point types.
    pub const fn is_float(self) -> bool {
        DTypeSet::FLOAT.contains(self)
    }

    /// True for the signed and unsigned integers.
    pub const fn is_integer(self) -> bool {
        DTypeSet::INTEGER.contains(self)
    }

    /// True for the complex types.
    pub const fn is_complex(self) -> bool {
        DTypeSet::COMPLEX.contains(self)
    }

    /// True for the types a gradient can flow through: floats and complex numbers.
    pub const fn is_differentiable(self) -> bool {
        self.is_float() || self.is_complex()
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of dtypes: the constraint on an op's type attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DTypeSet(u32);

impl DTypeSet {
    /// The real floats.
    pub const FLOAT: DTypeSet = DTypeSet::of(&[F16, BF16, F32, F64]);
    /// The complex types.
    pub const COMPLEX: DTypeSet = DTypeSet::of(&[Complex64, Complex128]);
    /// Signed integers.
    pub const SIGNED: DTypeSet = DTypeSet::of(&[I8, I16, I32, I64]);
    /// Unsigned integers.
    pub const UNSIGNED: DTypeSet = DTypeSet::of(&[U8, U16, U32, U64]);
    /// All integers.
    pub const INTEGER: DTypeSet = DTypeSet::SIGNED.or(DTypeSet::UNSIGNED);
    /// Integers and real floats.
    pub const REAL: DTypeSet = DTypeSet::INTEGER.or(DTypeSet::FLOAT);
    /// Everything that can be added: reals and complex numbers.
    pub const NUMERIC: DTypeSet = DTypeSet::REAL.or(DTypeSet::COMPLEX);
    /// Floats and complex numbers.
    pub const INEXACT: DTypeSet = DTypeSet::FLOAT.or(DTypeSet::COMPLEX);
    /// The two types of indices.
    pub const INDEX: DTypeSet = DTypeSet::of(&[I32, I64]);
    /// Only bool.
    pub const BOOL: DTypeSet = DTypeSet::of(&[Bool]);
    /// Only strings.
    pub const STRING: DTypeSet = DTypeSet::of(&[String]);
    /// Everything stored by value.
    pub const DATA: DTypeSet = DTypeSet::NUMERIC.or(DTypeSet::BOOL).or(DTypeSet::STRING);
    /// Every dtype.
    pub const ANY: DTypeSet = DTypeSet::DATA.or(DTypeSet::of(&[Resource, Variant]));

    /// The set of these dtypes.
    pub const fn of(dtypes: &[DType]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < dtypes.len() {
            bits |= 1 << dtypes[i] as u32;
            i += 1;
        }
        Self(bits)
    }

    /// The union of two sets.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if the dtype is in the set.
    pub const fn contains(self, dtype: DType) -> bool {
        self.0 & (1 << dtype as u32) != 0
    }

    /// The dtypes of the set.
    pub fn iter(self) -> impl Iterator<Item = DType> {
        DType::ALL.into_iter().filter(move |d| self.contains(*d))
    }
}

impl fmt::Debug for DTypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for DTypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(DType::name).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_round_trip() {
        for d in DType::ALL {
            assert_eq!(DType::from_name(d.name()), Some(d));
            assert_eq!(DType::from_number(d.number()), Some(d));
        }
        assert_eq!(DType::from_name("float"), None);
        assert_eq!(DType::from_number(0), None);
    }

    #[test]
    fn sets_hold_what_they_say() {
        assert!(DTypeSet::NUMERIC.contains(Complex128) && !DTypeSet::NUMERIC.contains(Bool));
        assert_eq!(DTypeSet::ANY.iter().count(), DType::ALL.len());
        assert_eq!(DTypeSet::INDEX.to_string(), "int32, int64");
    }
}
