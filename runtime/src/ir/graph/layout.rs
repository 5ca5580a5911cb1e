//! How the tensors of a node are divided among the arguments of its op, and which attributes
//! follow from that.

use std::ops::Range;

use smallvec::SmallVec;

use super::{Endpoint, Graph, Node};
use crate::ir::{ArgDef, ArgType, AttrValue, OpDef};
use crate::types::{DType, Result, bail};

/// An argument and the range of its tensors.
pub(super) type Share = (&'static ArgDef, Range<usize>);
pub(super) type Shares = SmallVec<[Share; 4]>;
/// Attributes that follow from inputs and results.
pub(super) type Told = SmallVec<[(&'static str, AttrValue); 4]>;

/// The attribute that gives the length of a list argument.
fn length_attr(arg: &ArgDef) -> Option<&'static str> {
    match (arg.length, arg.dtype) {
        (Some(length), _) => Some(length),
        (None, ArgType::Each(dtypes)) => Some(dtypes),
        _ => None,
    }
}

/// The list length that an attribute's value gives.
pub(super) fn length_of(value: &AttrValue) -> Option<usize> {
    match value {
        AttrValue::Int(n) => usize::try_from(*n).ok(),
        AttrValue::List(items) => Some(items.len()),
        _ => None,
    }
}

/// Divides `count` tensors among the arguments. A list takes the length that an attribute gives;
/// lists of unknown length take equal parts of the rest.
///
/// # Errors
/// `InvalidArgument` if the numbers don't fit.
pub(super) fn shares(
    args: &'static [ArgDef],
    count: usize,
    length: impl Fn(&str) -> Option<usize>,
) -> Result<Shares> {
    let known = |arg: &ArgDef| match arg.list {
        true => length_attr(arg).and_then(&length),
        false => Some(1),
    };
    let taken: usize = args.iter().filter_map(known).sum();
    let open = args.iter().filter(|arg| known(arg).is_none()).count();
    let rest = count.checked_sub(taken).filter(|rest| match open {
        0 => *rest == 0,
        _ => rest.is_multiple_of(open),
    });
    let Some(rest) = rest else {
        let names: Vec<&str> = args.iter().map(|arg| arg.name).collect();
        bail!("{count} tensors don't fit the arguments ({})", names.join(", "));
    };
    let mut at = 0;
    let share = |arg: &'static ArgDef| {
        let start = at;
        at += known(arg).unwrap_or_else(|| rest / open);
        (arg, start..at)
    };
    Ok(args.iter().map(share).collect())
}

/// Adds the attributes that follow from tensors of these dtypes.
fn tell(shares: &Shares, dtype: impl Fn(usize) -> DType, told: &mut Told) {
    let mut add = |name: &'static str, value: AttrValue| {
        if !told.iter().any(|(n, _)| *n == name) {
            told.push((name, value));
        }
    };
    for (arg, range) in shares {
        if let Some(length) = arg.length {
            add(length, AttrValue::Int(range.len() as i64));
        }
        match arg.dtype {
            ArgType::Var(var) if !range.is_empty() => {
                add(var, AttrValue::Type(dtype(range.start)));
            }
            ArgType::Fixed(_) | ArgType::Var(_) => {}
            ArgType::Each(list) => {
                add(
                    list,
                    AttrValue::List(range.clone().map(|i| AttrValue::Type(dtype(i))).collect()),
                );
            }
        }
    }
}

/// True if the attribute may follow from inputs or results: it is the dtype or length of an argument.
pub(super) fn is_told(def: &OpDef, name: &str) -> bool {
    let tells = |arg: &ArgDef| {
        arg.length == Some(name)
            || matches!(arg.dtype, ArgType::Var(var) | ArgType::Each(var) if var == name)
    };
    def.inputs.iter().chain(def.outputs).any(tells)
}

impl Node {
    fn length(&self, told: &Told, name: &str) -> Option<usize> {
        let told = || told.iter().find(|(n, _)| *n == name).map(|(_, v)| v);
        length_of(self.attrs.value(name).or_else(told)?)
    }

    /// How the results are divided among the output arguments, given the attributes from the inputs.
    pub(super) fn result_shares(&self, told: &Told) -> Result<Shares> {
        shares(self.op.outputs, self.outputs.len(), |name| self.length(told, name))
    }
}

impl Graph {
    /// The attributes that follow from the inputs and results of a node. `length` gives list lengths
    /// that are not among the node's attributes.
    pub(super) fn told(&self, node: &Node, length: impl Fn(&str) -> Option<usize>) -> Result<Told> {
        let mut told = Told::new();
        let known = |name: &str| node.length(&Told::new(), name).or_else(|| length(name));
        let inputs = shares(node.op.inputs, node.inputs.len(), known)?;
        let dtype = |e: &Endpoint| self.output_type(*e).dtype;
        tell(&inputs, |i| dtype(&node.inputs[i]), &mut told);
        let outputs = node.result_shares(&told)?;
        tell(&outputs, |i| node.outputs[i].dtype, &mut told);
        Ok(told)
    }
}
