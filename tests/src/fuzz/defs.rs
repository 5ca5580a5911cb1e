//! What the fuzzer asks of an op's definition: the one place that knows how it is stored.

use extype::DType;
use extype::ir::{ArgType, AttrKind, AttrValue, OpDef, all_ops, find_op};
use extype::types::DTypeSet;

/// The dtype of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// This one.
    Fixed(DType),
    /// That of a type attribute.
    Var(&'static str),
    /// Any.
    Free,
}

/// An input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input {
    pub(super) name: &'static str,
    pub(super) dtype: Typed,
    pub(super) list: bool,
    /// Plain data in typed calls: an axis, a shape.
    pub(super) is_static: bool,
}

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Int,
    Float,
    Text,
    Type,
    Shape,
    Tensor,
    Function,
    Functions,
    Ints,
    Floats,
    Types,
    Shapes,
}

impl Kind {
    pub(super) const ALL: [Kind; 13] = [
        Kind::Bool,
        Kind::Int,
        Kind::Float,
        Kind::Text,
        Kind::Type,
        Kind::Shape,
        Kind::Tensor,
        Kind::Function,
        Kind::Functions,
        Kind::Ints,
        Kind::Floats,
        Kind::Types,
        Kind::Shapes,
    ];
}

/// An attribute that is not told by the inputs.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) default: Option<AttrValue>,
}

/// The ops, but for those of this crate.
pub(super) fn ops() -> Vec<&'static OpDef> {
    all_ops().into_iter().filter(|def| !def.name.starts_with("Test>")).collect()
}

/// The op of this name.
pub(super) fn op(name: &str) -> Option<&'static OpDef> {
    find_op(name).ok()
}

/// Its name.
pub(super) fn name(def: &OpDef) -> &'static str {
    def.name
}

/// Its inputs.
pub(super) fn inputs(def: &OpDef) -> Vec<Input> {
    let typed = |t: ArgType| match t {
        ArgType::Fixed(d) => Typed::Fixed(d),
        ArgType::Var(v) => Typed::Var(v),
        ArgType::Each(_) => Typed::Free,
    };
    let one = |a: &extype::ir::ArgDef| Input {
        name: a.name,
        dtype: typed(a.dtype),
        list: a.list,
        is_static: a.is_static,
    };
    def.inputs.iter().map(one).collect()
}

/// For each of `count` tensors in, its input.
pub(super) fn spread(def: &OpDef, count: usize) -> Vec<Input> {
    let names: Vec<&str> = def.spread_inputs(count).map(|a| a.name).collect();
    let inputs = inputs(def);
    names.iter().filter_map(|n| inputs.iter().find(|i| i.name == *n).copied()).collect()
}

/// The dtypes that a type attribute may have.
pub(super) fn type_set(def: &OpDef, var: &str) -> DTypeSet {
    def.type_set(var)
}

/// Its attributes beside those that the inputs tell.
pub(super) fn attributes(def: &OpDef) -> Vec<Attribute> {
    let one = |a: &extype::ir::AttrDef| Attribute {
        name: a.name,
        kind: kind_of(a.kind),
        default: a.default.map(|default| default()),
    };
    def.attrs.iter().filter(|a| !a.told).map(one).collect()
}

fn kind_of(kind: AttrKind) -> Kind {
    match kind {
        AttrKind::Bool => Kind::Bool,
        AttrKind::Int(_) => Kind::Int,
        AttrKind::Float => Kind::Float,
        AttrKind::Type(_) => Kind::Type,
        AttrKind::Shape => Kind::Shape,
        AttrKind::Tensor => Kind::Tensor,
        AttrKind::Function => Kind::Function,
        AttrKind::List(AttrKind::Function) => Kind::Functions,
        AttrKind::List(AttrKind::Int(_)) => Kind::Ints,
        AttrKind::List(AttrKind::Float) => Kind::Floats,
        AttrKind::List(AttrKind::Type(_)) => Kind::Types,
        AttrKind::List(AttrKind::Shape) => Kind::Shapes,
        _ => Kind::Text,
    }
}
