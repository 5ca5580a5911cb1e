//! The ops of `extype::ops` by name, for `#[overrides(…)]`.

use super::model::Family;

/// An op of the runtime.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    /// Its type, by which [`Override`](super::model::Override)s name it in code.
    pub name: &'static str,
    /// Its function; empty for an op that only its type can call.
    pub function: &'static str,
    /// Its name in graphs.
    pub graph: &'static str,
    /// Its family.
    pub family: Option<Family>,
}

type Text = &'static str;

/// An op of no family.
pub(super) const fn op(name: Text, function: Text, graph: Text) -> Row {
    Row { name, function, graph, family: None }
}

/// A unary elementwise op.
pub(super) const fn unary(name: Text, function: Text, graph: Text) -> Row {
    Row { name, function, graph, family: Some(Family::Unary) }
}

/// A binary elementwise op.
pub(super) const fn binary(name: Text, function: Text, graph: Text) -> Row {
    Row { name, function, graph, family: Some(Family::Binary) }
}

/// A reduction.
pub(super) const fn reduction(name: Text, function: Text, graph: Text) -> Row {
    Row { name, function, graph, family: Some(Family::Reduction) }
}

/// The ops of Rust operators that call one op for integers and another for bools. They have no row.
pub(super) const BY_DTYPE: &[Row] = &[
    binary("BitAnd", "bitand", "BitAnd"),
    binary("BitOr", "bitor", "BitOr"),
    binary("BitXor", "bitxor", "BitXor"),
    unary("Not", "not", "Not"),
];

/// Each of these with the op that gives it a meaning: a type that overrides that op also has the operator. Only one op
/// counts, since the overrides of a type may stand in blocks that don't see each other.
pub(super) const MEANS: &[(&str, &str)] = &[
    ("BitAnd", "LogicalAnd"),
    ("BitOr", "LogicalOr"),
    ("BitXor", "BitwiseXor"),
    ("Not", "LogicalNot"),
];

/// Names that other libraries have for an op, besides those of [`ALIASES`](super::rows::ALIASES).
pub(super) const ELSEWHERE: &[(&str, &str)] = &[
    ("all", "reduce_all"),
    ("amax", "reduce_max"),
    ("amin", "reduce_min"),
    ("any", "reduce_any"),
    ("concatenate", "concat"),
    ("dot", "matmul"),
    ("max", "reduce_max"),
    ("mean", "reduce_mean"),
    ("min", "reduce_min"),
    ("minus", "sub"),
    ("mod", "floor_mod"),
    ("plus", "add"),
    ("prod", "reduce_prod"),
    ("sum", "reduce_sum"),
    ("times", "mul"),
    ("truediv", "true_divide"),
    ("where", "select"),
    ("where_", "select"),
];
