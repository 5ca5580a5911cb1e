//! Attributes of ops: the values that are part of a graph's node and not tensors.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::array::Array;
use crate::ir::LibraryFunction;
use crate::types::{DType, DTypeSet, Result, Shape, err};

/// The value of an attribute, as in TensorFlow's `AttrValue`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AttrValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f32),
    /// Bytes.
    Str(Arc<[u8]>),
    /// A dtype.
    Type(DType),
    /// A static shape.
    Shape(Box<Shape>),
    /// A constant.
    Tensor(Array),
    /// A function.
    Function(Arc<LibraryFunction>),
    /// A list of any of these.
    List(Arc<[AttrValue]>),
}

impl PartialEq for AttrValue {
    fn eq(&self, other: &Self) -> bool {
        use AttrValue::*;
        match (self, other) {
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => a.to_bits() == b.to_bits(),
            (Str(a), Str(b)) => a == b,
            (Type(a), Type(b)) => a == b,
            (Shape(a), Shape(b)) => a == b,
            (Tensor(a), Tensor(b)) => a.id() == b.id() || a.identical(b),
            (Function(a), Function(b)) => Arc::ptr_eq(a, b),
            (List(a), List(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Display for AttrValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrValue::Bool(x) => write!(f, "{x}"),
            AttrValue::Int(x) => write!(f, "{x}"),
            AttrValue::Float(x) => write!(f, "{x:?}"),
            AttrValue::Str(x) => write!(f, "{:?}", String::from_utf8_lossy(x)),
            AttrValue::Type(x) => write!(f, "{x}"),
            AttrValue::Shape(x) => write!(f, "{x}"),
            AttrValue::Tensor(x) => write!(f, "{}{}", x.dtype(), x.shape()),
            AttrValue::Function(x) => write!(f, "@{}", x.name()),
            AttrValue::List(x) => {
                f.write_str("[")?;
                for (i, item) in x.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
        }
    }
}

impl AttrValue {
    /// The functions in it: itself, or those of a list.
    ///
    /// ```
    /// use extype::ir::{Attr, AttrValue, LibraryFunction};
    /// use extype::prelude::*;
    /// use std::sync::Arc;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let f: Arc<LibraryFunction> = f.function().clone();
    /// assert_eq!(vec![f.clone(), f].to_attr().functions().count(), 2);
    /// assert_eq!(AttrValue::Int(3).functions().count(), 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn functions(&self) -> impl Iterator<Item = &Arc<LibraryFunction>> {
        let items = match self {
            AttrValue::List(items) => &items[..],
            one => std::slice::from_ref(one),
        };
        items.iter().filter_map(|item| match item {
            AttrValue::Function(f) => Some(f),
            _ => None,
        })
    }
}

/// The kind of values that an attribute takes, as in TensorFlow's `OpDef.AttrDef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttrKind {
    /// A dtype out of a set.
    Type(DTypeSet),
    /// A truth value.
    Bool,
    /// An integer, not below this.
    Int(i64),
    /// A float.
    Float,
    /// Bytes.
    Str,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// A static shape.
    Shape,
    /// A constant.
    Tensor,
    /// A function.
    Function,
    /// A list of one of these.
    List(&'static AttrKind),
}

impl AttrKind {
    /// True if the value is of this kind.
    ///
    /// ```
    /// use extype::ir::{AttrKind, AttrValue};
    /// use extype::prelude::*;
    /// assert!(AttrKind::Int(1).takes(&AttrValue::Int(3)));
    /// assert!(!AttrKind::Int(1).takes(&AttrValue::Int(0)));
    /// assert!(AttrKind::OneOf(&["SAME", "VALID"]).takes(&AttrValue::Str(b"SAME".as_slice().into())));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn takes(&self, value: &AttrValue) -> bool {
        match (self, value) {
            (AttrKind::Type(set), AttrValue::Type(dtype)) => set.contains(*dtype),
            (AttrKind::Int(least), AttrValue::Int(n)) => n >= least,
            (AttrKind::OneOf(names), AttrValue::Str(s)) => {
                names.iter().any(|name| name.as_bytes() == &**s)
            }
            (AttrKind::Bool, AttrValue::Bool(_))
            | (AttrKind::Float, AttrValue::Float(_))
            | (AttrKind::Str, AttrValue::Str(_))
            | (AttrKind::Shape, AttrValue::Shape(_))
            | (AttrKind::Tensor, AttrValue::Tensor(_))
            | (AttrKind::Function, AttrValue::Function(_)) => true,
            (AttrKind::List(kind), AttrValue::List(items)) => items.iter().all(|i| kind.takes(i)),
            _ => false,
        }
    }
}

impl fmt::Display for AttrKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrKind::Type(set) => write!(f, "a dtype ({set})"),
            AttrKind::Bool => f.write_str("a bool"),
            AttrKind::Int(i64::MIN) => f.write_str("an integer"),
            AttrKind::Int(least) => write!(f, "an integer from {least} on"),
            AttrKind::Float => f.write_str("a float"),
            AttrKind::Str => f.write_str("a string"),
            AttrKind::OneOf(names) => write!(f, "one of {names:?}"),
            AttrKind::Shape => f.write_str("a shape"),
            AttrKind::Tensor => f.write_str("a tensor"),
            AttrKind::Function => f.write_str("a function"),
            AttrKind::List(kind) => write!(f, "a list, each {kind}"),
        }
    }
}

/// The name of an attribute with the Rust type of its value. The attribute itself is declared in an op's row.
pub struct AttrKey<T> {
    name: &'static str,
    value: PhantomData<fn() -> T>,
}

impl<T> Clone for AttrKey<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for AttrKey<T> {}

impl<T> AttrKey<T> {
    /// The attribute of this name.
    ///
    /// ```
    /// use extype::ir::{AttrKey, Attrs};
    /// use extype::prelude::*;
    /// const AXIS: AttrKey<i64> = AttrKey::new("axis");
    /// assert_eq!(Attrs::new().with(AXIS, &-1).get(AXIS)?, -1);
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn new(name: &'static str) -> Self {
        Self { name, value: PhantomData }
    }

    /// Its name in a GraphDef.
    ///
    /// ```
    /// use extype::ir::KEEP_DIMS;
    /// use extype::prelude::*;
    /// assert_eq!(KEEP_DIMS.name(), "keep_dims");
    /// # Ok::<(), Error>(())
    /// ```
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl<T> fmt::Debug for AttrKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A Rust type that is the value of an attribute.
pub trait Attr: Sized {
    /// The kind of its values.
    const KIND: AttrKind;

    /// The attribute's value.
    ///
    /// ```
    /// use extype::ir::{Attr, AttrValue};
    /// use extype::prelude::*;
    /// assert_eq!(true.to_attr(), AttrValue::Bool(true));
    /// assert_eq!(vec![1i64, 2].to_attr().to_string(), "[1, 2]");
    /// # Ok::<(), Error>(())
    /// ```
    fn to_attr(&self) -> AttrValue;

    /// Reads the value; `None` if it is of another kind.
    ///
    /// ```
    /// use extype::ir::{Attr, AttrValue};
    /// use extype::prelude::*;
    /// assert_eq!(i64::from_attr(&AttrValue::Int(3)), Some(3));
    /// assert_eq!(i64::from_attr(&AttrValue::Float(3.0)), None);
    /// # Ok::<(), Error>(())
    /// ```
    fn from_attr(value: &AttrValue) -> Option<Self>;
}

macro_rules! attrs {
    ($($t:ty => $v:ident $kind:expr, |$x:ident| $to:expr, |$y:ident| $from:expr);* $(;)?) => {
        $(impl Attr for $t {
            const KIND: AttrKind = $kind;

            fn to_attr(&self) -> AttrValue {
                let $x = self;
                AttrValue::$v($to)
            }

            fn from_attr(value: &AttrValue) -> Option<Self> {
                match value {
                    AttrValue::$v($y) => Some($from),
                    _ => None,
                }
            }
        })*
    };
}
attrs! {
    bool => Bool (AttrKind::Bool), |x| *x, |y| *y;
    i64 => Int (AttrKind::Int(i64::MIN)), |x| *x, |y| *y;
    f32 => Float (AttrKind::Float), |x| *x, |y| *y;
    DType => Type (AttrKind::Type(DTypeSet::ANY)), |x| *x, |y| *y;
    Shape => Shape (AttrKind::Shape), |x| Box::new(x.clone()), |y| (**y).clone();
    Array => Tensor (AttrKind::Tensor), |x| x.clone(), |y| y.clone();
    Arc<LibraryFunction> => Function (AttrKind::Function), |x| x.clone(), |y| y.clone();
    String => Str (AttrKind::Str), |x| x.as_bytes().into(), |y| String::from_utf8_lossy(y).into_owned();
}

impl<T: Attr> Attr for Vec<T> {
    const KIND: AttrKind = AttrKind::List(&T::KIND);

    fn to_attr(&self) -> AttrValue {
        AttrValue::List(self.iter().map(Attr::to_attr).collect())
    }

    fn from_attr(value: &AttrValue) -> Option<Self> {
        match value {
            AttrValue::List(items) => items.iter().map(T::from_attr).collect(),
            _ => None,
        }
    }
}

/// The attributes of one call, by name. Type attributes that follow from the inputs (`T`) are
/// not stored.
///
/// Names are borrowed from the op's definition and cost nothing. Nodes that were read from a file
/// may have other names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attrs(SmallVec<[(Cow<'static, str>, AttrValue); 2]>);

/// Compares names, which every call does: usually both are the same constant, or their last bytes differ.
#[inline]
fn same(a: &str, b: &str) -> bool {
    std::ptr::eq(a, b) || (a.as_bytes().last() == b.as_bytes().last() && a == b)
}

impl Attrs {
    /// No attributes; allocates nothing.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{Attrs, find_op};
    /// use extype::prelude::*;
    /// let y = find_op("Neg")?.run_one(&[&Array::scalar(2.0f32)], &Attrs::new())?;
    /// assert_eq!(y.as_slice::<f32>()?, &[-2.0]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attribute, or sets the one that is there.
    ///
    /// ```
    /// use extype::array::Array;
    /// use extype::ir::{AttrKey, Attrs, find_op};
    /// use extype::prelude::*;
    /// let attrs = Attrs::new().with(AttrKey::new("axis"), &1i64);
    /// let x = Array::from_slice([2], &[1i32, 2])?;
    /// let y = find_op("Pack")?.run_one(&[&x, &x], &attrs)?;
    /// assert_eq!(y.as_slice::<i32>()?, &[1, 1, 2, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn with<T: Attr>(mut self, key: AttrKey<T>, value: &T) -> Self {
        self.set(key.name, value.to_attr());
        self
    }

    /// Sets an attribute.
    ///
    /// ```
    /// use extype::ir::{AttrValue, Attrs};
    /// use extype::prelude::*;
    /// let mut attrs = Attrs::new();
    /// attrs.set("axis", AttrValue::Int(0));
    /// attrs.set("axis", AttrValue::Int(1));
    /// assert_eq!(attrs.value("axis"), Some(&AttrValue::Int(1)));
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    pub fn set(&mut self, name: impl Into<Cow<'static, str>>, value: AttrValue) {
        let name = name.into();
        match self.0.iter_mut().find(|(n, _)| same(n, &name)) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// The value of an attribute, if it is there.
    ///
    /// ```
    /// use extype::ir::{AttrValue, Attrs, KEEP_DIMS};
    /// use extype::prelude::*;
    /// let attrs = Attrs::new().with(KEEP_DIMS, &true);
    /// assert_eq!(attrs.value("keep_dims"), Some(&AttrValue::Bool(true)));
    /// assert_eq!(attrs.value("axis"), None);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn value(&self, name: &str) -> Option<&AttrValue> {
        self.0.iter().find(|(n, _)| same(n, name)).map(|(_, v)| v)
    }

    /// The value of an attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another type.
    ///
    /// ```
    /// use extype::ir::{AttrKey, Attrs, KEEP_DIMS};
    /// use extype::prelude::*;
    /// let attrs = Attrs::new().with(KEEP_DIMS, &true);
    /// assert!(attrs.get(KEEP_DIMS)?);
    /// let wrong = attrs.get(AttrKey::<i64>::new("keep_dims")).unwrap_err();
    /// assert_eq!(wrong.message(), "attribute `keep_dims` is an integer, not true");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn get<T: Attr>(&self, key: AttrKey<T>) -> Result<T> {
        let name = key.name;
        let value = self.value(name).ok_or_else(|| err!("attribute `{name}` is missing"))?;
        T::from_attr(value).ok_or_else(|| err!("attribute `{name}` is {}, not {value}", T::KIND))
    }

    /// All attributes in the order they were set.
    ///
    /// ```
    /// use extype::ir::{AttrKey, Attrs, KEEP_DIMS};
    /// use extype::prelude::*;
    /// let attrs = Attrs::new().with(KEEP_DIMS, &true).with(AttrKey::new("axis"), &1i64);
    /// let all: Vec<String> = attrs.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    /// assert_eq!(all, ["keep_dims: true", "axis: 1"]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AttrValue)> {
        self.0.iter().map(|(n, v)| (&**n, v))
    }

    /// True if there is none.
    ///
    /// ```
    /// use extype::ir::{Attrs, KEEP_DIMS};
    /// use extype::prelude::*;
    /// assert!(Attrs::new().is_empty());
    /// assert!(!Attrs::new().with(KEEP_DIMS, &true).is_empty());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_round_trip_and_refuse_other_kinds() {
        let keep = AttrKey::<bool>::new("keep_dims");
        let a = Attrs::new().with(keep, &true).with(AttrKey::new("DstT"), &DType::F16);
        assert!(a.get(keep).unwrap());
        assert_eq!(a.get(AttrKey::<DType>::new("DstT")).unwrap(), DType::F16);
        assert!(a.get(AttrKey::<i64>::new("keep_dims")).is_err());
        assert!(a.get(AttrKey::<bool>::new("absent")).is_err());
        let list = vec![1i64, 2].to_attr();
        assert_eq!(Vec::<i64>::from_attr(&list), Some(vec![1, 2]));
        assert!(Vec::<i64>::KIND.takes(&list) && !bool::KIND.takes(&list));
        assert_eq!(list.to_string(), "[1, 2]");
    }

    #[test]
    fn names_of_files_are_kept_beside_those_of_definitions() {
        let mut a = Attrs::new().with(AttrKey::new("N"), &2i64);
        a.set(format!("grad_{}", "a"), AttrValue::Bool(true));
        a.set("grad_a".to_owned(), AttrValue::Bool(false));
        a.set("N".to_owned(), AttrValue::Int(3));
        assert_eq!(a.get(AttrKey::<bool>::new("grad_a")).ok(), Some(false));
        let names: Vec<&str> = a.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["N", "grad_a"]);
    }
}
