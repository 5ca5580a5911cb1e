//! The ops of `extype::ops` by their names, for what is overridden.

/// An op of the runtime.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    /// Its type, what [`Override`](super::model::Override)s name in code.
    pub name: &'static str,
    /// Its function; empty of an op that is called by its type alone.
    pub function: &'static str,
    /// Its name in graphs.
    pub graph: &'static str,
}

pub(super) const fn row(name: &'static str, function: &'static str, graph: &'static str) -> Row {
    Row { name, function, graph }
}

/// Names that others have for an op.
pub(super) const ELSEWHERE: &[(&str, &str)] = &[
    ("all", "reduce_all"),
    ("any", "reduce_any"),
    ("concatenate", "concat"),
    ("divide", "div"),
    ("dot", "matmul"),
    ("max", "reduce_max"),
    ("mean", "reduce_mean"),
    ("min", "reduce_min"),
    ("mod", "rem"),
    ("multiply", "mul"),
    ("negative", "neg"),
    ("power", "pow"),
    ("prod", "reduce_prod"),
    ("subtract", "sub"),
    ("sum", "reduce_sum"),
    ("where", "select"),
];
