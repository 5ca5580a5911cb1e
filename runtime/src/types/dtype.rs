//! Element types and sets of them.

use std::fmt;

/// The one list of dtypes. A row has the number in TensorFlow's `DataType` enum, TensorFlow's name
/// and the kind. If elements are stored by value, it also has their Rust type and its name in
/// [`dtypes`](super::dtypes). `dtype_list!([callback] arguments)` calls
/// `callback! { [arguments] rows }`.
macro_rules! dtype_list {
    ([$($callback:tt)+] $($arguments:tt)*) => {
        $($callback)+! { [$($arguments)*]
            /// 32-bit float.
            F32 = 1 "float32" Float [f32 as f32];
            /// 64-bit float.
            F64 = 2 "float64" Float [f64 as f64];
            /// 32-bit signed integer.
            I32 = 3 "int32" Signed [i32 as i32];
            /// 8-bit unsigned integer.
            U8 = 4 "uint8" Unsigned [u8 as u8];
            /// 16-bit signed integer.
            I16 = 5 "int16" Signed [i16 as i16];
            /// 8-bit signed integer.
            I8 = 6 "int8" Signed [i8 as i8];
            /// Byte strings of any length.
            String = 7 "string" String [];
            /// Complex number of two 32-bit floats.
            Complex64 = 8 "complex64" Complex [num_complex::Complex32 as complex64];
            /// 64-bit signed integer.
            I64 = 9 "int64" Signed [i64 as i64];
            /// Boolean.
            Bool = 10 "bool" Bool [bool as bool];
            /// Levels of a quantized range, as 8-bit signed integers.
            QI8 = 11 "qint8" Quantized [extype_kernels::Quantized<i8> as qint8];
            /// Levels of a quantized range, as 8-bit unsigned integers.
            QU8 = 12 "quint8" Quantized [extype_kernels::Quantized<u8> as quint8];
            /// Levels of a quantized range, as 32-bit signed integers.
            QI32 = 13 "qint32" Quantized [extype_kernels::Quantized<i32> as qint32];
            /// 16-bit float with the exponent range of `F32`.
            BF16 = 14 "bfloat16" Float [half::bf16 as bf16];
            /// Levels of a quantized range, as 16-bit signed integers.
            QI16 = 15 "qint16" Quantized [extype_kernels::Quantized<i16> as qint16];
            /// Levels of a quantized range, as 16-bit unsigned integers.
            QU16 = 16 "quint16" Quantized [extype_kernels::Quantized<u16> as quint16];
            /// 16-bit unsigned integer.
            U16 = 17 "uint16" Unsigned [u16 as u16];
            /// Complex number of two 64-bit floats.
            Complex128 = 18 "complex128" Complex [num_complex::Complex64 as complex128];
            /// IEEE 16-bit float.
            F16 = 19 "float16" Float [half::f16 as f16];
            /// Handle of mutable state: a variable, a table, a generator.
            Resource = 20 "resource" Handle [];
            /// Any boxed value.
            Variant = 21 "variant" Handle [];
            /// 32-bit unsigned integer.
            U32 = 22 "uint32" Unsigned [u32 as u32];
            /// 64-bit unsigned integer.
            U64 = 23 "uint64" Unsigned [u64 as u64];
            /// 8-bit float with the exponent range of `F16` and infinities.
            F8E5M2 = 24 "float8_e5m2" Float8 [extype_kernels::f8e5m2 as f8e5m2];
            /// 8-bit float with one bit of exponent less, one of mantissa more, no infinities.
            F8E4M3FN = 25 "float8_e4m3fn" Float8 [extype_kernels::f8e4m3fn as f8e4m3fn];
        }
    };
}
pub(crate) use dtype_list;

macro_rules! define {
    ([] $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal $kind:ident
        [$($element:ty as $rust:ident)?];)*) => {
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
            $($(#[$doc])* $variant = $number,)*
        }

        impl DType {
            /// Every dtype, in the order of its number.
            pub const ALL: [DType; [$($number),*].len()] = [$(DType::$variant),*];

            /// TensorFlow's name, as in `tf.float32`.
            ///
            /// ```
            /// use extype::types::DType;
            /// assert_eq!(DType::BF16.name(), "bfloat16");
            /// assert_eq!(DType::I64.to_string(), DType::I64.name());
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => $name,)*
                }
            }

            /// Bytes of one element; `None` for strings, resources and variants.
            ///
            /// ```
            /// use extype::types::DType;
            /// assert_eq!(DType::F16.size(), Some(2));
            /// assert_eq!(DType::Complex128.size(), Some(16));
            /// assert_eq!(DType::String.size(), None);
            /// ```
            pub const fn size(self) -> Option<usize> {
                match self {
                    $(DType::$variant => define!(@size $($element)?),)*
                }
            }

            /// The name that programs write, as in `x.cast(f32)`; `None` for dtypes without a Rust element type.
            pub(crate) const fn rust_name(self) -> Option<&'static str> {
                match self {
                    $(DType::$variant => define!(@name $($rust)?),)*
                }
            }
        }
    };
    (@size $element:ty) => { Some(size_of::<$element>()) };
    (@size) => { None };
    (@name $rust:ident) => { Some(stringify!($rust)) };
    (@name) => { None };
}
dtype_list!([define]);

/// The advice about levels where numbers are wanted.
const DEQUANTIZE: &str = "dequantize it first: `x.dequantize(min, max)?`";

impl DType {
    /// The advice in an error where this dtype meets another one that should be the same. The dtypes of Rust's untyped
    /// literals (int32, float64) usually come from plain numbers. `itself` is inserted where a number may stay as it is.
    pub(crate) fn meeting(self, other: DType, itself: &str) -> String {
        const UNTYPED: [DType; 2] = [DType::I32, DType::F64];
        if [self, other].iter().any(|d| DTypeSet::QUANTIZED.contains(*d)) {
            return DEQUANTIZE.to_owned();
        }
        let to = if UNTYPED.contains(&self) { other } else { self };
        let name = to.rust_name().unwrap_or("dtype");
        let cast = format!("cast one of them, as in `x.cast({name})?`");
        let of_rust = to.is_integer() || [DType::F32, DType::F64].contains(&to);
        match of_rust && [self, other].iter().any(|d| UNTYPED.contains(d)) {
            true => format!("{cast}; of a number write {itself}`scalar(k as {name})`"),
            false => cast,
        }
    }

    /// The dtype with this TensorFlow name.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert_eq!(DType::from_name("uint8"), Some(DType::U8));
    /// assert_eq!(DType::from_name("u8"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// The number in TensorFlow's `DataType` enum.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert_eq!(DType::I64.number(), 9);
    /// ```
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The dtype with this number of TensorFlow's `DataType` enum.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert_eq!(DType::from_number(9), Some(DType::I64));
    /// assert_eq!(DType::from_number(0), None);
    /// ```
    pub fn from_number(number: i32) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.number() == number)
    }

    /// True for the real floating-point types that ops compute with.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert!(DType::BF16.is_float());
    /// assert!(!DType::Complex64.is_float() && !DType::F8E5M2.is_float());
    /// ```
    pub const fn is_float(self) -> bool {
        DTypeSet::FLOAT.contains(self)
    }

    /// True for the signed and unsigned integers.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert!(DType::U8.is_integer());
    /// assert!(!DType::Bool.is_integer());
    /// ```
    pub const fn is_integer(self) -> bool {
        DTypeSet::INTEGER.contains(self)
    }

    /// The dtype of the integers that quantized levels are stored as; other dtypes unchanged.
    pub(crate) const fn stored(self) -> DType {
        match self {
            DType::QI8 => DType::I8,
            DType::QU8 => DType::U8,
            DType::QI16 => DType::I16,
            DType::QU16 => DType::U16,
            DType::QI32 => DType::I32,
            other => other,
        }
    }

    /// True for the complex types.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert!(DType::Complex64.is_complex());
    /// assert!(!DType::F64.is_complex());
    /// ```
    pub const fn is_complex(self) -> bool {
        DTypeSet::COMPLEX.contains(self)
    }

    /// The dtype of the two parts of a complex number; other dtypes unchanged.
    pub(crate) const fn real_part(self) -> DType {
        match self {
            DType::Complex64 => DType::F32,
            DType::Complex128 => DType::F64,
            other => other,
        }
    }

    /// The complex dtype with the precision of this one: complex64 for float32, complex128 for all others.
    #[cfg(any(feature = "linalg", feature = "fft"))]
    pub(crate) const fn to_complex(self) -> DType {
        match self {
            DType::F32 | DType::Complex64 => DType::Complex64,
            _ => DType::Complex128,
        }
    }

    /// True for the types a gradient can flow through: floats and complex numbers.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert!(DType::F16.is_differentiable() && DType::Complex64.is_differentiable());
    /// assert!(!DType::I32.is_differentiable());
    /// ```
    pub const fn is_differentiable(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// True for the types of tensors that a gradient passes: the differentiable ones, and variants, which
    /// may hold lists of such. The gradient of a list is a list.
    ///
    /// ```
    /// use extype::types::DType;
    /// assert!(DType::F32.passes_gradient() && DType::Variant.passes_gradient());
    /// assert!(!DType::I32.passes_gradient());
    /// ```
    pub const fn passes_gradient(self) -> bool {
        self.is_differentiable() || matches!(self, DType::Variant)
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
///
/// ```
/// use extype::types::{DType, DTypeSet};
/// assert!(DTypeSet::REAL.contains(DType::I8) && !DTypeSet::REAL.contains(DType::Bool));
/// assert_eq!(DTypeSet::INEXACT.to_string(), "a float or a complex number");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DTypeSet(u32);

/// A set of the one list, which kernels use too.
macro_rules! set {
    ($set:ident) => {
        dtype_list!([set] $set)
    };
    ([$set:ident] $($(#[$doc:meta])* $variant:ident = $number:literal $name:literal $kind:ident $element:tt;)*) => {
        DTypeSet(0 $(| extype_kernels::in_set!($set $variant $kind { 1 << $number } { 0 }))*)
    };
}

impl DTypeSet {
    /// The real floats.
    pub const FLOAT: DTypeSet = set!(float);
    /// The floats of eight bits: they can be made, moved, cast and printed, and not computed with;
    /// no gradient flows through them.
    pub const FLOAT8: DTypeSet = set!(float8);
    /// The levels of quantized ranges, which the integers of a tensor tell: they are moved, quantized and dequantized, and
    /// only the ops of quantized numbers compute with them.
    pub const QUANTIZED: DTypeSet = set!(quantized);
    /// The complex types.
    pub const COMPLEX: DTypeSet = set!(complex);
    /// Signed integers.
    pub const SIGNED: DTypeSet = set!(signed);
    /// Unsigned integers.
    pub const UNSIGNED: DTypeSet = set!(unsigned);
    /// All integers.
    pub const INTEGER: DTypeSet = set!(integer);
    /// Integers and real floats.
    pub const REAL: DTypeSet = set!(real);
    /// Everything that can be added: reals and complex numbers.
    pub const NUMERIC: DTypeSet = set!(numeric);
    /// Floats and complex numbers.
    pub const INEXACT: DTypeSet = set!(inexact);
    /// The two types of indices.
    pub const INDEX: DTypeSet = set!(index);
    /// Only bool.
    pub const BOOL: DTypeSet = set!(bool);
    /// Only strings.
    pub const STRING: DTypeSet = set!(string);
    /// Everything that can be compared for equality: numbers, bools and strings.
    pub const COMPARABLE: DTypeSet = set!(comparable);
    /// Everything stored by value.
    pub const DATA: DTypeSet = set!(data);
    /// Every dtype.
    pub const ANY: DTypeSet = set!(any);

    /// The set of these dtypes.
    ///
    /// ```
    /// use extype::types::{DType, DTypeSet};
    /// let set = DTypeSet::of(&[DType::F32, DType::I64]);
    /// assert!(set.contains(DType::F32) && !set.contains(DType::F64));
    /// ```
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
    ///
    /// ```
    /// use extype::types::{DType, DTypeSet};
    /// let set = DTypeSet::FLOAT.or(DTypeSet::BOOL);
    /// assert!(set.contains(DType::F32) && set.contains(DType::Bool));
    /// assert_eq!(set.to_string(), "a float or bool");
    /// ```
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if the dtype is in the set.
    ///
    /// ```
    /// use extype::types::{DType, DTypeSet};
    /// assert!(DTypeSet::REAL.contains(DType::U8));
    /// assert!(!DTypeSet::REAL.contains(DType::Complex64));
    /// ```
    pub const fn contains(self, dtype: DType) -> bool {
        self.0 & (1 << dtype as u32) != 0
    }

    /// The dtypes of the set.
    ///
    /// ```
    /// use extype::types::{DType, DTypeSet};
    /// assert_eq!(DTypeSet::INDEX.iter().collect::<Vec<_>>(), [DType::I32, DType::I64]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = DType> {
        DType::ALL.into_iter().filter(move |d| self.contains(*d))
    }

    /// The advice in an error about a tensor whose dtype is not in this set: the cast that helps, or nothing.
    /// There is none for complex numbers, which would lose a half, and for strings.
    pub(crate) fn cast_advice(self, got: DType) -> String {
        let wanted = [DType::F32, DType::I64].into_iter().chain(DType::ALL);
        let wanted = wanted.filter(|d| self.contains(*d)).find_map(DType::rust_name);
        match wanted {
            Some(_) if DTypeSet::QUANTIZED.contains(got) => format!("; {DEQUANTIZE}"),
            Some(name) if DTypeSet::QUANTIZED.or(self) == DTypeSet::QUANTIZED => match got {
                DType::F32 => format!("; quantize it first: `x.quantize(min, max, {name})?`"),
                _ => String::new(),
            },
            Some(name) if DTypeSet::REAL.or(DTypeSet::BOOL).contains(got) => {
                format!("; cast it first: `x.cast({name})?`")
            }
            _ => String::new(),
        }
    }
}

impl fmt::Debug for DTypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The sets that messages name, the larger ones first.
const GROUPS: [(DTypeSet, &str); 9] = [
    (DTypeSet::NUMERIC, "a number"),
    (DTypeSet::REAL, "a real number"),
    (DTypeSet::INTEGER, "an integer"),
    (DTypeSet::SIGNED, "a signed integer"),
    (DTypeSet::UNSIGNED, "an unsigned integer"),
    (DTypeSet::FLOAT, "a float"),
    (DTypeSet::COMPLEX, "a complex number"),
    (DTypeSet::FLOAT8, "a float of eight bits"),
    (DTypeSet::QUANTIZED, "a quantized integer"),
];

/// `a float, int32 or int64`: dtypes that fill a group are shown by the group's name.
impl fmt::Display for DTypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let mut names = Vec::new();
        for (group, name) in GROUPS {
            if rest & group.0 == group.0 {
                rest &= !group.0;
                names.push(name);
            }
        }
        names.extend(DTypeSet(rest).iter().map(DType::name));
        match &names[..] {
            [] => f.write_str("none"),
            [one] => f.write_str(one),
            [most @ .., last] => write!(f, "{} or {last}", most.join(", ")),
        }
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
        assert!(
            DTypeSet::NUMERIC.contains(DType::Complex128)
                && !DTypeSet::NUMERIC.contains(DType::Bool)
        );
        assert_eq!(DTypeSet::ANY.iter().count(), DType::ALL.len());
        assert_eq!(DTypeSet::INDEX.to_string(), "int32 or int64");
        assert_eq!(DTypeSet::INEXACT.or(DTypeSet::INDEX).to_string(), {
            "a float, a complex number, int32 or int64"
        });
        assert_eq!(DTypeSet::COMPARABLE.to_string(), "a number, string or bool");
        assert_eq!(DTypeSet::of(&[]).to_string(), "none");
    }

    #[test]
    fn casts_are_advised_where_they_keep_what_matters() {
        let advice = |set: DTypeSet, got| set.cast_advice(got);
        assert_eq!(advice(DTypeSet::NUMERIC, DType::Bool), "; cast it first: `x.cast(f32)?`");
        assert_eq!(advice(DTypeSet::INDEX, DType::F32), "; cast it first: `x.cast(i64)?`");
        assert_eq!(advice(DTypeSet::BOOL, DType::F64), "; cast it first: `x.cast(bool)?`");
        assert_eq!(advice(DTypeSet::REAL, DType::Complex64), "");
        assert_eq!(advice(DTypeSet::REAL, DType::String), "");
        assert_eq!(advice(DTypeSet::STRING, DType::F32), "");
    }
}
