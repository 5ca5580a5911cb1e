//! Attributes of ops: the values that are part of a graph's node and not tensors.

use std::fmt;
use std::sync::Arc;

use super::Callable;
use crate::array::Array;
use crate::types::{DType, Result, Shape, err};

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
    Function(Arc<dyn Callable>),
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
                f.debug_list().entries(x.iter().map(ToString::to_string)).finish()
            }
        }
    }
}

/// A Rust type that is the value of an attribute.
pub trait Attr: Sized {
    /// The attribute's value.
    fn to_attr(&self) -> AttrValue;

    /// Reads the value; `None` if it is of another kind.
    fn from_attr(value: &AttrValue) -> Option<Self>;
}

macro_rules! attrs {
    ($($t:ty => $v:ident, |$x:ident| $to:expr, |$y:ident| $from:expr);* $(;)?) => {
        $(impl Attr for $t {
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
    bool => Bool, |x| *x, |y| *y;
    i64 => Int, |x| *x, |y| *y;
    f32 => Float, |x| *x, |y| *y;
    DType => Type, |x| *x, |y| *y;
    Shape => Shape, |x| Box::new(x.clone()), |y| (**y).clone();
    Array => Tensor, |x| x.clone(), |y| y.clone();
    Arc<dyn Callable> => Function, |x| x.clone(), |y| y.clone();
    String => Str, |x| x.as_bytes().into(), |y| String::from_utf8_lossy(y).into_owned();
}

impl<T: Attr> Attr for Vec<T> {
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

/// The attributes of one call, by name. Type attributes that the inputs tell (`T`) are not
/// stored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attrs(Vec<(&'static str, AttrValue)>);

impl Attrs {
    /// No attributes; allocates nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &impl Attr) -> Self {
        self.set(name, value.to_attr());
        self
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &'static str, value: AttrValue) {
        match self.0.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// The value of an attribute, if it is there.
    pub fn value(&self, name: &str) -> Option<&AttrValue> {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// The value of an attribute.
    ///
    /// # Errors
    /// `InvalidArgument` if it is missing or of another type.
    pub fn get<T: Attr>(&self, name: &str) -> Result<T> {
        let value = self.value(name).ok_or_else(|| err!("attribute `{name}` is missing"))?;
        T::from_attr(value).ok_or_else(|| err!("attribute `{name}` = {value} is of another kind"))
    }

    /// All attributes in the order they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &AttrValue)> {
        self.0.iter().map(|(n, v)| (*n, v))
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_round_trip_and_refuse_other_kinds() {
        let a = Attrs::new().with("keep_dims", &true).with("DstT", &DType::F16);
        assert!(a.get::<bool>("keep_dims").unwrap());
        assert_eq!(a.get::<DType>("DstT").unwrap(), DType::F16);
        assert!(a.get::<i64>("keep_dims").is_err() && a.get::<bool>("absent").is_err());
        let list = vec![1i64, 2].to_attr();
        assert_eq!(Vec::<i64>::from_attr(&list), Some(vec![1, 2]));
    }
}
