//! Arguments and attributes in the definition of an op.

use super::{Attr, AttrKind, AttrValue};
use crate::types::{DType, DTypeSet};

/// The dtype of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgType {
    /// Always this dtype.
    Fixed(DType),
    /// The dtype named by a type attribute.
    Var(&'static str),
    /// For a list: each tensor has its own dtype, given in a list attribute of this name.
    Each(&'static str),
}

/// An input or output argument.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ArgDef {
    /// Its name.
    pub name: &'static str,
    /// Its dtype.
    pub dtype: ArgType,
    /// For a list of one dtype: the attribute that gives its length.
    pub length: Option<&'static str>,
    /// True if it stands for any number of tensors.
    pub list: bool,
    /// True for an input that is plain data in typed calls (an axis, a shape), not an operand.
    pub is_static: bool,
}

impl ArgDef {
    /// One tensor.
    ///
    /// ```
    /// use extype::ir::{ArgDef, ArgType};
    /// const X: ArgDef = ArgDef::one("x", ArgType::Var("T"));
    /// assert!(X.name == "x" && !X.list && !X.is_static);
    /// ```
    pub const fn one(name: &'static str, dtype: ArgType) -> Self {
        Self { name, dtype, length: None, list: false, is_static: false }
    }

    /// A list of tensors of one dtype, whose length an attribute gives.
    ///
    /// ```
    /// use extype::ir::{ArgDef, ArgType};
    /// const VALUES: ArgDef = ArgDef::list("values", ArgType::Var("T"), "N");
    /// assert!(VALUES.list && VALUES.length == Some("N"));
    /// ```
    pub const fn list(name: &'static str, dtype: ArgType, length: &'static str) -> Self {
        Self { name, dtype, length: Some(length), list: true, is_static: false }
    }

    /// Any number of tensors, whose dtypes are in a list attribute.
    ///
    /// ```
    /// use extype::ir::{ArgDef, ArgType};
    /// const INPUT: ArgDef = ArgDef::each("input", "Tin");
    /// assert!(INPUT.list && INPUT.dtype == ArgType::Each("Tin"));
    /// ```
    pub const fn each(name: &'static str, dtypes: &'static str) -> Self {
        Self { name, dtype: ArgType::Each(dtypes), length: None, list: true, is_static: false }
    }

    /// The same as a static input: plain data in typed calls.
    ///
    /// ```
    /// use extype::ir::{ArgDef, ArgType};
    /// const AXIS: ArgDef = ArgDef::one("axis", ArgType::Var("Tidx")).in_rust();
    /// assert!(AXIS.is_static);
    /// ```
    #[must_use]
    pub const fn in_rust(mut self) -> Self {
        self.is_static = true;
        self
    }
}

/// An attribute of an op.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AttrDef {
    /// Its name.
    pub name: &'static str,
    /// The kind of values it takes.
    pub kind: AttrKind,
    /// The value if a file or a [call by name](crate::spec::dispatch::call) leaves it out; `None` if it may not be left out.
    /// [`OpDef::run`](super::OpDef::run) needs all attributes.
    pub default: Option<fn() -> AttrValue>,
    /// True if it follows from the inputs, so that no call gives it.
    pub told: bool,
    /// True if the op takes the default where a call leaves it out.
    pub(crate) optional: bool,
}

impl AttrDef {
    /// A dtype that follows from the inputs.
    ///
    /// ```
    /// use extype::ir::{AttrDef, AttrKind};
    /// use extype::prelude::*;
    /// use extype::types::DTypeSet;
    /// const T: AttrDef = AttrDef::dtype("T", DTypeSet::FLOAT);
    /// assert!(T.told && T.kind == AttrKind::Type(DTypeSet::FLOAT));
    /// ```
    pub const fn dtype(name: &'static str, set: DTypeSet) -> Self {
        Self { name, kind: AttrKind::Type(set), default: None, told: true, optional: false }
    }

    /// The dtypes of a list, which follow from the inputs or the results.
    ///
    /// ```
    /// use extype::ir::{AttrDef, AttrValue};
    /// use extype::prelude::*;
    /// const TIN: AttrDef = AttrDef::dtypes("Tin");
    /// let value = AttrValue::List([AttrValue::Type(f32), AttrValue::Type(i32)].into());
    /// assert!(TIN.told && TIN.kind.takes(&value));
    /// ```
    pub const fn dtypes(name: &'static str) -> Self {
        const KIND: AttrKind = AttrKind::List(&AttrKind::Type(DTypeSet::ANY));
        Self { name, kind: KIND, default: None, told: true, optional: false }
    }

    /// The length of a list, which follows from the inputs.
    ///
    /// ```
    /// use extype::ir::{AttrDef, AttrValue};
    /// const N: AttrDef = AttrDef::length("N");
    /// assert!(N.told && N.kind.takes(&AttrValue::Int(2)) && !N.kind.takes(&AttrValue::Int(0)));
    /// ```
    pub const fn length(name: &'static str) -> Self {
        Self { name, kind: AttrKind::Int(1), default: None, told: true, optional: false }
    }

    /// A value of this Rust type, which every call gives.
    ///
    /// ```
    /// use extype::ir::{AttrDef, AttrKind};
    /// const AXIS: AttrDef = AttrDef::of::<Vec<i64>>("axes");
    /// assert_eq!(AXIS.kind, AttrKind::List(&AttrKind::Int(i64::MIN)));
    /// assert!(!AXIS.told && AXIS.default.is_none());
    /// ```
    pub const fn of<T: Attr>(name: &'static str) -> Self {
        Self { name, kind: T::KIND, default: None, told: false, optional: false }
    }

    /// The same with a default.
    ///
    /// ```
    /// use extype::ir::{AttrDef, AttrValue};
    /// const KEEP: AttrDef = AttrDef::of::<bool>("keep_dims").or(|| AttrValue::Bool(false));
    /// assert_eq!(KEEP.default.unwrap()(), AttrValue::Bool(false));
    /// ```
    #[must_use]
    pub const fn or(mut self, default: fn() -> AttrValue) -> Self {
        self.default = Some(default);
        self
    }

    /// The same where calls may leave it out.
    pub(crate) const fn or_absent(mut self, default: fn() -> AttrValue) -> Self {
        self.optional = true;
        self.or(default)
    }
}
