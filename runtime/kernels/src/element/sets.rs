//! The element types and the sets of them, told once: for the tables of kernels, and for the sets of dtypes.

/// The one list of element types. A row has the name of the field in tables, the type, the variant of the dtype and the
/// kind. `element_types!([callback] arguments)` calls `callback! { [arguments] rows }`.
macro_rules! element_types {
    ([$($callback:tt)+] $($arguments:tt)*) => {
        $($callback)+! { [$($arguments)*]
            bool: bool, Bool Bool;
            i8: i8, I8 Signed;
            i16: i16, I16 Signed;
            i32: i32, I32 Signed;
            i64: i64, I64 Signed;
            u8: u8, U8 Unsigned;
            u16: u16, U16 Unsigned;
            u32: u32, U32 Unsigned;
            u64: u64, U64 Unsigned;
            f16: $crate::element::f16, F16 Float;
            bf16: $crate::element::bf16, BF16 Float;
            f32: f32, F32 Float;
            f64: f64, F64 Float;
            complex32: $crate::element::Complex32, Complex64 Complex;
            complex64: $crate::element::Complex64, Complex128 Complex;
            f8e5m2: $crate::element::f8e5m2, F8E5M2 Float8;
            f8e4m3fn: $crate::element::f8e4m3fn, F8E4M3FN Float8;
        }
    };
}

/// Writes [`in_set`]: a set has kinds, and single dtypes after a comma.
macro_rules! sets {
    ($d:tt $($set:ident = $($kind:ident)* $(, $($dtype:ident)+)?;)*) => {
        /// `in_set!(set dtype kind { yes } { no })` is `yes` if the set has the dtype, otherwise `no`. An unknown set is an
        /// error.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! in_set {
            $(
                $(($set $d dtype:ident $kind {$d ($d yes:tt)*} $d no:tt) => { $d ($d yes)* };)*
                $($(($set $dtype $d kind:ident {$d ($d yes:tt)*} $d no:tt) => { $d ($d yes)* };)+)?
                ($set $d dtype:ident $d kind:ident $d yes:tt {$d ($d no:tt)*}) => { $d ($d no)* };
            )*
        }
    };
}
sets! { $
    bool = Bool;
    signed = Signed;
    unsigned = Unsigned;
    integer = Signed Unsigned;
    float = Float;
    float8 = Float8;
    complex = Complex;
    string = String;
    handle = Handle;
    quantized = Quantized;
    real = Signed Unsigned Float;
    inexact = Float Complex;
    numeric = Signed Unsigned Float Complex;
    ordered = Bool Signed Unsigned Float;
    comparable = Bool Signed Unsigned Float Complex String;
    // The types of this list, which tables have columns for.
    tabled = Bool Signed Unsigned Float Complex Float8;
    data = Bool Signed Unsigned Float Complex String Float8 Quantized;
    any = Bool Signed Unsigned Float Complex String Float8 Quantized Handle;
    index = , I32 I64;
    double = , F64;
    // Floats and numbers that Rust has itself.
    native = , F32 F64;
    native_real = Signed Unsigned, F32 F64;
    // Numbers that matrices are factorized in.
    field = Complex, F32 F64;
    half = , F16 BF16;
    wide_integer = , I32 I64 U32 U64;
    // Integers of less than 64 bits. Their means are summed in 64 bits.
    narrow = , I8 I16 I32 U8 U16 U32;
    // The most used types.
    common = , Bool I32 I64 F32 F64;
    single = , F32;
    // The types that others are cast to, so that fewer loops are compiled: with the bits of sums and products of all
    // numbers, and with the values of real ones.
    wide = Complex, I32 I64 F32 F64;
    wide_real = , I32 I64 U64 F32 F64;
}
