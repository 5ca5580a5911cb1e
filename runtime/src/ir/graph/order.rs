//! How nodes of a file refer to each other, and an order in which each comes after those it uses.

use std::collections::{HashMap, HashSet};

use super::def::{FunctionDef, NodeDef};
use crate::types::{Result, bail};

/// The position of a named argument or node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Position {
    Argument(usize),
    Node(usize),
}

/// The names of a graph or function.
pub(super) struct Places<'a> {
    positions: HashMap<&'a str, Position>,
    /// Names that nodes are displayed under besides their own.
    taken: HashSet<String>,
    is_function: bool,
}

impl<'a> Places<'a> {
    pub(super) fn of_graph(nodes: &'a [NodeDef]) -> Result<Self> {
        let none = std::iter::empty();
        Self::new(none, nodes, false)
    }

    pub(super) fn of_function(def: &'a FunctionDef) -> Result<Self> {
        Self::new(def.signature.inputs.iter().map(|a| a.name.as_str()), &def.nodes, true)
    }

    fn new(
        arguments: impl Iterator<Item = &'a str>,
        nodes: &'a [NodeDef],
        is_function: bool,
    ) -> Result<Self> {
        let mut positions = HashMap::new();
        let arguments = arguments.enumerate().map(|(i, name)| (name, Position::Argument(i)));
        let nodes = nodes.iter().enumerate().map(|(i, n)| (n.name.as_str(), Position::Node(i)));
        for (name, position) in arguments.chain(nodes) {
            if positions.insert(name, position).is_some() {
                bail!("two nodes are named `{name}`");
            }
        }
        Ok(Self { positions, taken: HashSet::new(), is_function })
    }

    pub(super) fn find(&self, name: &str) -> Option<Position> {
        self.positions.get(name).copied()
    }

    /// Claims a name to display, if it is free.
    pub(super) fn take(&mut self, name: &str) -> bool {
        !self.positions.contains_key(name) && self.taken.insert(name.to_owned())
    }

    /// True for the names of a function, where references give results by name.
    pub(super) fn is_function(&self) -> bool {
        self.is_function
    }
}

/// An input as a file has it: `^node`, `node`, `node:1`, `node:result`, `node:result:1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reference<'a> {
    pub(super) node: &'a str,
    pub(super) is_control: bool,
    pub(super) result: Option<&'a str>,
    pub(super) index: usize,
    /// True if no index is given: for a list result, all its tensors are meant.
    pub(super) is_whole: bool,
}

pub(super) fn parse(text: &str) -> Reference<'_> {
    let (is_control, text) = text.strip_prefix('^').map_or((false, text), |rest| (true, rest));
    let (rest, index) = match text.rsplit_once(':').map(|(rest, i)| (rest, i.parse())) {
        Some((rest, Ok(index))) => (rest, Some(index)),
        _ => (text, None),
    };
    let (node, result) = match rest.split_once(':') {
        Some((node, result)) => (node, Some(result)),
        None => (rest, None),
    };
    Reference { node, is_control, result, index: index.unwrap_or(0), is_whole: index.is_none() }
}

/// The inputs of a node that are tensors.
pub(super) fn data_inputs(node: &NodeDef) -> impl Iterator<Item = &str> {
    node.inputs.iter().map(String::as_str).filter(|text| !text.starts_with('^'))
}

/// The numbers below `count`, each after the numbers that it uses, otherwise in ascending order.
///
/// # Errors
/// A number that uses itself, directly or through others.
pub(super) fn order(
    count: usize,
    uses: &dyn Fn(usize) -> Vec<usize>,
) -> std::result::Result<Vec<usize>, usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; count];
    let mut order = Vec::with_capacity(count);
    // The open numbers, each with its uses that are still to visit, the next one last.
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let reversed = |i: usize| {
        let mut uses = uses(i);
        uses.reverse();
        (i, uses)
    };
    for i in 0..count {
        if visits[i] == Visit::New {
            visits[i] = Visit::Open;
            open.push(reversed(i));
        }
        while let Some((at, rest)) = open.last_mut() {
            match rest.pop() {
                None => {
                    visits[*at] = Visit::Done;
                    order.push(*at);
                    open.pop();
                }
                Some(next) => match visits[next] {
                    Visit::Done => {}
                    Visit::Open => return Err(next),
                    Visit::New => {
                        visits[next] = Visit::Open;
                        open.push(reversed(next));
                    }
                },
            }
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read() {
        let read = |text| {
            let r = parse(text);
            (r.node, r.result, r.index, r.is_whole)
        };
        assert_eq!(read("a/b"), ("a/b", None, 0, true));
        assert_eq!(read("a:2"), ("a", None, 2, false));
        assert_eq!(read("a:out"), ("a", Some("out"), 0, true));
        assert_eq!(read("a:out:3"), ("a", Some("out"), 3, false));
        assert!(parse("^a").is_control && parse("^a").node == "a");
    }

    #[test]
    fn an_order_keeps_what_may_stay_and_finds_cycles() {
        let edges = [vec![2], vec![], vec![1], vec![0, 1]];
        assert_eq!(order(4, &|i| edges[i].clone()), Ok(vec![1, 2, 0, 3]));
        assert_eq!(order(3, &|_| Vec::new()), Ok(vec![0, 1, 2]));
        assert_eq!(order(2, &|i| vec![1 - i]), Err(0));
        assert_eq!(order(1, &|_| vec![0]), Err(0));
    }
}
