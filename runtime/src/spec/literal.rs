//! Static data: values that are part of the type.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{AnySpec, Fingerprint, Nested, Structure, TypeSpec};
use crate::types::{DType, Result, Shape, bail, err};

/// A static value, out of the limited set that specs serialize to.
///
/// Integers, floats and bools are different types: `1`, `1.0` and `true` are never equal, nor are a list and
/// a tuple. Floats are compared by their bits. `0.0` and `-0.0` differ, since `1 / x` differs for them; all
/// NaNs are one value.
///
/// ```
/// use std::collections::BTreeMap;
/// use extype::spec::{Literal, StaticData};
/// let axes = BTreeMap::from([("rows".to_string(), 0i64), ("columns".to_string(), 1)]);
/// assert_eq!(axes.to_literal().to_string(), r#"{"columns": 1, "rows": 0}"#);
/// assert_eq!(BTreeMap::from_literal(&axes.to_literal())?, axes);
/// assert_eq!(f64::NAN.to_literal(), f64::NAN.to_literal());
/// assert_ne!(1i64.to_literal(), 1.0f64.to_literal());
/// # Ok::<(), extype::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Literal {
    /// Nothing.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    #[cfg_attr(feature = "serde", serde(with = "super::serde_impls::int"))]
    Int(i128),
    /// A float.
    #[cfg_attr(feature = "serde", serde(with = "super::serde_impls::float"))]
    Float(f64),
    /// A text.
    Str(Arc<str>),
    /// A dtype.
    DType(DType),
    /// A static shape; the only literal that generalizes.
    Shape(Shape),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list of literals.
    List(Nested<[Literal]>),
    /// Literals by name, ordered by name.
    Map(Nested<BTreeMap<String, Literal>>),
    /// A tuple of literals.
    Tuple(Nested<[Literal]>),
}

/// The bits by which floats are compared: all NaNs are equal, and the two zeros differ.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        use Literal::*;
        match (self, other) {
            (None, None) => true,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => bits(*a) == bits(*b),
            (Str(a), Str(b)) => a == b,
            (DType(a), DType(b)) => a == b,
            (Shape(a), Shape(b)) => a == b,
            (Bytes(a), Bytes(b)) => a == b,
            (List(a), List(b)) | (Tuple(a), Tuple(b)) => a == b,
            (Map(a), Map(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Literal {}

impl Hash for Literal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Literal::None => {}
            Literal::Bool(x) => x.hash(state),
            Literal::Int(x) => x.hash(state),
            Literal::Float(x) => bits(*x).hash(state),
            Literal::Str(x) => x.hash(state),
            Literal::DType(x) => x.hash(state),
            Literal::Shape(x) => x.hash(state),
            Literal::Bytes(x) => x.hash(state),
            Literal::List(x) | Literal::Tuple(x) => x.hash(state),
            Literal::Map(x) => x.hash(state),
        }
    }
}

/// A type whose values are static data: part of a spec, never a tensor.
///
/// Numbers, texts, bytes (`Vec<u8>`), dtypes, shapes, and options, lists, arrays, tuples, boxes and ordered
/// maps of these are static data; `#[derive(StaticData)]` does the same for structs and enums of static data.
/// A manual impl is two conversions.
///
/// ```
/// use extype::prelude::*;
/// use extype::spec::Literal;
///
/// /// A version, which is stored as two numbers.
/// #[derive(Clone, PartialEq, Debug)]
/// struct Version {
///     major: u32,
///     minor: u32,
/// }
///
/// impl StaticData for Version {
///     fn to_literal(&self) -> Literal {
///         (self.major, self.minor).to_literal()
///     }
///
///     fn from_literal(literal: &Literal) -> Result<Self> {
///         let (major, minor) = StaticData::from_literal(literal)?;
///         Ok(Self { major, minor })
///     }
/// }
///
/// let v = Version { major: 2, minor: 21 };
/// assert_eq!(Version::from_literal(&v.to_literal())?, v);
/// assert!(Version::from_literal(&Literal::Int(3)).is_err());
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not static data",
    label = "neither a number, a text, a dtype, a shape, nor made of these",
    note = "derive it: `#[derive(StaticData, Clone, PartialEq)]`"
)]
pub trait StaticData: Clone + PartialEq + Send + Sync + 'static {
    /// The value as a literal.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Literal;
    /// assert_eq!(true.to_literal(), Literal::Bool(true));
    /// assert_eq!((1i64, "a", vec![0.5f64]).to_literal().to_string(), r#"(1, "a", [0.5])"#);
    /// ```
    fn to_literal(&self) -> Literal;

    /// The value from its literal.
    ///
    /// # Errors
    /// `InvalidArgument` if the literal is of another kind.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Literal;
    /// assert_eq!(u8::from_literal(&Literal::Int(7))?, 7);
    /// assert!(u8::from_literal(&Literal::Int(300)).is_err());
    /// assert!(u8::from_literal(&Literal::Float(7.0)).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    fn from_literal(literal: &Literal) -> Result<Self>;

    /// Equality of the literals: NaN equals NaN, and `0.0` is not `-0.0`. The derive compares field by field;
    /// the default makes both literals.
    ///
    /// ```
    /// use extype::prelude::*;
    /// assert!(f64::NAN.same(&f64::NAN));
    /// assert!(!vec![0.0f64].same(&vec![-0.0]));
    /// ```
    fn same(&self, other: &Self) -> bool {
        self.to_literal() == other.to_literal()
    }

    /// Adds the value to a fingerprint. Values that are the [`same`](Self::same) must add the same. See
    /// [`Structure::mix_spec`]; the default adds nothing.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::Fingerprint;
    /// let of = |x: &f64| {
    ///     let mut fingerprint = Fingerprint::default();
    ///     x.mix_literal(&mut fingerprint);
    ///     fingerprint.get()
    /// };
    /// assert_eq!(of(&f64::NAN), of(&-f64::NAN)); // they are the same
    /// assert_ne!(of(&1.0), of(&2.0));
    /// ```
    fn mix_literal(&self, fingerprint: &mut Fingerprint) {
        let _ = fingerprint;
    }

    /// The literal of a list of such values; for bytes it is [`Literal::Bytes`].
    #[doc(hidden)]
    fn list_to_literal(items: &[Self]) -> Literal {
        Literal::List(items.iter().map(Self::to_literal).collect())
    }

    /// The list from its literal.
    #[doc(hidden)]
    fn list_from_literal(literal: &Literal) -> Result<Vec<Self>> {
        match literal {
            Literal::List(items) => items.iter().map(Self::from_literal).collect(),
            other => wrong("a list", other),
        }
    }
}

/// The nearest float32; a finite number beyond its range is refused.
fn as_f32(x: f64) -> Result<f32> {
    let narrow = x as f32;
    if x.is_finite() && narrow.is_infinite() {
        bail!("{x} does not fit f32");
    }
    Ok(narrow)
}

/// The error for a literal of another kind.
pub(super) fn wrong<T>(want: &str, got: &Literal) -> Result<T> {
    bail!("expected {want}, got {got}")
}

macro_rules! static_data {
    ($($t:ty, $want:literal, |$x:ident| $to:expr, $p:pat => $from:expr,
        |$y:ident, $other:ident, $f:ident| $same:expr, $mix:expr;)*) => {
        $(#[diagnostic::do_not_recommend]
        impl StaticData for $t {
            fn to_literal(&self) -> Literal {
                let $x = self;
                $to
            }

            fn from_literal(literal: &Literal) -> Result<Self> {
                match literal {
                    $p => Ok($from),
                    other => wrong($want, other),
                }
            }

            #[inline]
            fn same(&self, $other: &Self) -> bool {
                let $y = self;
                $same
            }

            #[inline]
            fn mix_literal(&self, $f: &mut Fingerprint) {
                let $y = self;
                $mix;
            }
        })*
    };
}
static_data! {
    bool, "a bool", |x| Literal::Bool(*x), Literal::Bool(x) => *x,
        |x, y, f| x == y, f.add(u64::from(*x));
    f64, "a float", |x| Literal::Float(*x), Literal::Float(x) => *x,
        |x, y, f| bits(*x) == bits(*y), f.add(bits(*x));
    f32, "a float", |x| Literal::Float(f64::from(*x)), Literal::Float(x) => as_f32(*x)?,
        |x, y, f| bits((*x).into()) == bits((*y).into()), f.add(bits((*x).into()));
    String, "a string", |x| Literal::Str(x.as_str().into()), Literal::Str(x) => x.to_string(),
        |x, y, f| x == y, f.add_bytes(x.as_bytes());
    &'static str, "a string", |x| Literal::Str((*x).into()), Literal::Str(x) => String::leak(x.to_string()),
        |x, y, f| x == y, f.add_bytes(x.as_bytes());
    char, "a character", |x| Literal::Str(x.to_string().into()), Literal::Str(x) => one_char(x)?,
        |x, y, f| x == y, f.add(u64::from(*x));
    DType, "a dtype", |x| Literal::DType(*x), Literal::DType(x) => *x,
        |x, y, f| x == y, f.add(*x as u64);
    Shape, "a shape", |x| Literal::Shape(x.clone()), Literal::Shape(x) => x.clone(),
        |x, y, f| x == y, mix_shape(x, f);
    (), "nothing", |_x| Literal::None, Literal::None => (),
        |_x, _y, f| true, f.add(0);
}

fn mix_shape(shape: &Shape, fingerprint: &mut Fingerprint) {
    fingerprint.add(shape.rank().map_or(u64::MAX, |n| n as u64));
    for dim in shape.dims().unwrap_or_default() {
        fingerprint.add(dim.to_i64() as u64);
    }
}

fn one_char(text: &str) -> Result<char> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(c),
        _ => bail!("expected one character, got {text:?}"),
    }
}

macro_rules! static_ints {
    ($($t:ty { $($lists:item)* })*) => {
        $(#[diagnostic::do_not_recommend]
        impl StaticData for $t {
            fn to_literal(&self) -> Literal {
                // Only u128 exceeds i128, and it is not in the list.
                Literal::Int(*self as i128)
            }

            fn from_literal(literal: &Literal) -> Result<Self> {
                match literal {
                    Literal::Int(x) => <$t>::try_from(*x)
                        .map_err(|_| err!("{x} does not fit {}", stringify!($t))),
                    other => wrong("an integer", other),
                }
            }

            #[inline]
            fn same(&self, other: &Self) -> bool {
                self == other
            }

            #[inline]
            fn mix_literal(&self, fingerprint: &mut Fingerprint) {
                // The low 64 bits suffice.
                fingerprint.add(*self as u64);
            }

            $($lists)*
        })*
    };
}
static_ints!(i8 {} i16 {} i32 {} i64 {} i128 {} isize {} u16 {} u32 {} u64 {} usize {});
static_ints!(u8 {
    fn list_to_literal(items: &[u8]) -> Literal {
        Literal::Bytes(items.into())
    }

    fn list_from_literal(literal: &Literal) -> Result<Vec<u8>> {
        match literal {
            Literal::Bytes(bytes) => Ok(bytes.to_vec()),
            other => wrong("bytes", other),
        }
    }
});

/// The spec of a plain value that is an argument or a field: the value itself.
#[derive(Clone)]
pub struct LiteralSpec<T>(pub T);

impl<T: StaticData> PartialEq for LiteralSpec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }
}

impl<T: StaticData> Eq for LiteralSpec<T> {}

impl<T: StaticData> Hash for LiteralSpec<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_literal().hash(state);
    }
}

impl<T: StaticData> std::fmt::Debug for LiteralSpec<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.to_literal())
    }
}

impl<T: StaticData> std::fmt::Display for LiteralSpec<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.to_literal())
    }
}

impl<T: StaticData + Structure<Spec = LiteralSpec<T>>> TypeSpec for LiteralSpec<T> {
    type Value = T;

    fn to_any(&self) -> AnySpec {
        AnySpec::Literal(self.0.to_literal())
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        match any {
            AnySpec::Literal(l) => T::from_literal(l).map(Self),
            other => bail!("expected a literal, got {other}"),
        }
    }
}

macro_rules! literal_structures {
    ($($t:ty),* $(,)?) => {
        $(crate::__static_structure!([] $t, [], #[diagnostic::do_not_recommend]);)*
    };
}
literal_structures!(
    bool,
    char,
    i8,
    i16,
    i32,
    i64,
    i128,
    isize,
    u8,
    u16,
    u32,
    u64,
    usize,
    f32,
    f64,
    String,
    &'static str,
    DType,
    Shape,
    ()
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_compare_by_kind_and_nan_equals_itself() {
        assert_eq!(f64::NAN.to_literal(), (-f64::NAN).to_literal());
        assert_ne!(1i32.to_literal(), 1.0f64.to_literal());
        assert_ne!(1i32.to_literal(), true.to_literal());
        assert_eq!(1u8.to_literal(), 1i64.to_literal());
        assert!(f32::NAN.same(&f32::NAN));
        assert!(f32::from_literal(&Literal::Float(1e300)).is_err());
    }

    #[test]
    fn zeros_are_two_literals_and_specs() {
        assert_ne!(0.0f64.to_literal(), (-0.0f64).to_literal());
        assert_ne!(LiteralSpec(0.0f32), LiteralSpec(-0.0));
        assert!(!Some(vec![0.0f64]).same(&Some(vec![-0.0])));
        assert!(!(1u8, [0.0f32]).same(&(1, [-0.0])));
    }

    #[test]
    fn lists_and_tuples_are_two_literals() {
        assert_ne!(vec![1i64, 2].to_literal(), (1i64, 2i64).to_literal());
        assert_eq!((1i64, 2i64).to_literal().to_string(), "(1, 2)");
        assert_eq!((1i64,).to_literal().to_string(), "(1,)");
        round_trip(&[(1i64, vec![(2u8, 'x')]), (3, vec![])]);
        // Tuples as lists, which older versions stored.
        let list = Literal::List([Literal::Int(1), Literal::Int(2)].into());
        assert_eq!(<(i64, i64)>::from_literal(&list).unwrap(), (1, 2));
    }

    #[test]
    fn static_data_round_trips() {
        let v = (vec![Some("a".to_string()), None], 3u8, [1.5f64, f64::INFINITY]);
        let back: (Vec<Option<String>>, u8, [f64; 2]) =
            StaticData::from_literal(&v.to_literal()).unwrap();
        assert_eq!(back, v);
        assert!(u8::from_literal(&Literal::Int(300)).is_err());
        assert!(bool::from_literal(&Literal::Int(1)).is_err());
    }

    fn round_trip<T: StaticData + std::fmt::Debug>(values: &[T]) {
        let literals: Vec<Literal> = values.iter().map(T::to_literal).collect();
        for (i, a) in literals.iter().enumerate() {
            assert_eq!(T::from_literal(a).unwrap(), values[i]);
            assert!(literals[..i].iter().all(|b| a != b), "{a} stands for two values");
        }
    }

    #[test]
    fn options_of_options_and_of_lists_are_told_apart() {
        round_trip(&[None, Some(None), Some(Some(None)), Some(Some(Some(1u8)))]);
        round_trip(&[None, Some(vec![]), Some(vec![()]), Some(vec![(), ()])]);
        round_trip(&[None, Some(vec![None]), Some(vec![Some(vec![()])])]);
        assert_eq!(Some(3i64).to_literal(), Literal::Int(3));
        assert_eq!(None::<i64>.to_literal().to_string(), "None");
    }

    #[test]
    fn maps_bytes_and_characters() {
        let map = |k: &str| BTreeMap::from([(k.to_string(), vec![1u8, 2])]);
        round_trip(&[BTreeMap::new(), map("a"), map("b")]);
        round_trip(&[BTreeMap::new(), BTreeMap::from([(3i64, 'x')]), BTreeMap::from([(3, '"')])]);
        assert_eq!(map("a").to_literal().to_string(), r#"{"a": b"\x01\x02"}"#);
        assert!(char::from_literal(&Literal::Str("ab".into())).is_err());
        assert!(Vec::<u8>::from_literal(&Literal::List([].into())).is_err());
    }
}
