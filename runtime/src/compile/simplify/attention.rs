//! Two products with a softmax between become one op, which holds only some rows of the scores at a time.

use extype_kernels::table::binary;

use super::algebra::source;
use super::views::{Product, View};
use crate::device::leaves_host;
use crate::ir::{Attrs, Endpoint, FunctionGraph, Graph, Kernel, Node};
use crate::ops::linear::attention::{ATTENTION, MASK, SCALE, VALUES};
use crate::ops::linear::views::{LEFT, RIGHT, SIZES};
use crate::ops::{Add, Mul, NamedOp as _, Softmax};

/// Puts attention in place of its last product wherever the values before it have no other reader. Returns how often.
pub(super) fn attend(function: &mut FunctionGraph) -> usize {
    let mut uses = vec![0; function.graph.nodes().len()];
    let needed = function.needed();
    for id in function.graph.node_ids().filter(|id| needed[id.index()]) {
        function.graph.node(id).inputs.iter().for_each(|e| uses[e.node.index()] += 1);
    }
    function.outputs.iter().for_each(|e| uses[e.node.index()] += 1);
    let mut found = 0;
    for id in function.graph.node_ids().filter(|id| needed[id.index()]) {
        if leaves_host(function.graph.node(id).device.as_deref()) {
            continue;
        }
        let scores = Scores { graph: &function.graph, uses: &uses };
        let Some((inputs, attrs)) = scores.attention(function.graph.node(id)) else { continue };
        let node = function.graph.node_mut(id);
        node.op = &ATTENTION;
        node.inputs = inputs.into();
        node.attrs = attrs;
        found += 1;
    }
    found
}

/// A graph, and how often each node is read.
struct Scores<'a> {
    graph: &'a Graph,
    uses: &'a [usize],
}

impl<'a> Scores<'a> {
    /// The node that computes a value that is read once.
    fn read_once(&self, e: Endpoint) -> Option<&'a Node> {
        source(self.graph, e).filter(|_| self.uses[e.node.index()] == 1)
    }

    /// The inputs and attributes of attention, if a node is its last product.
    fn attention(&self, node: &Node) -> Option<(Vec<Endpoint>, Attrs)> {
        let last = Product::new(self.graph, node)?;
        let softmax = self.read_once(last.inputs[0]).filter(|node| node.op == Softmax::DEF)?;
        let logits = softmax.inputs[0];
        let [front @ .., queries, width, keys] = &last.sizes[..] else { return None };
        let shape = [front, &[*queries, *keys]].concat();
        // The product reads all of the softmax once.
        let whole = View::whole(self.graph, last.inputs[0])?;
        let sizes = self.graph.output_type(logits).shape.sizes()?;
        let is_whole = sizes.iter().map(|n| i64::try_from(*n)).eq(shape.iter().copied().map(Ok));
        if !is_whole || last.steps[0] != whole.steps(shape.len())? {
            return None;
        }
        let (mask, (scale, first)) = match self.read_once(logits)? {
            sum if sum.op == Add::DEF => {
                let &[x, y] = &sum.inputs[..] else { return None };
                let with = |scores, mask| Some((Some(mask), self.scaled(scores, logits)?));
                with(x, y).or_else(|| with(y, x))?
            }
            _ => (None, self.scaled(logits, logits)?),
        };
        let [.., depth] = first.sizes[..] else { return None };
        let mask_steps = match mask {
            Some(mask) => View::whole(self.graph, mask)?.broadcast_steps(&shape)?,
            None => Vec::new(),
        };
        // The columns of the mask are contiguous.
        if mask_steps.last().is_some_and(|step| *step != 1 && *keys > 1) {
            return None;
        }
        let [left, right] = &first.steps;
        let attrs = Attrs::new()
            .with(SIZES, &[front, &[*queries, *width, depth, *keys]].concat())
            .with(LEFT, left)
            .with(RIGHT, right)
            .with(VALUES, &last.steps[1])
            .with(SCALE, &scale.map_or("", |(op, _)| op).to_owned())
            .with(MASK, &mask_steps);
        let [q, k] = first.inputs;
        let others = scale.map(|(_, number)| number).into_iter().chain(mask);
        Some(([q, k, last.inputs[1]].into_iter().chain(others).collect(), attrs))
    }

    /// The product that scores of the type of `logits` are, and the op and the number that scale them.
    fn scaled(
        &self,
        scores: Endpoint,
        logits: Endpoint,
    ) -> Option<(Option<(&'static str, Endpoint)>, Product)> {
        let wanted = self.graph.output_type(logits);
        let product = |e: Endpoint| {
            let node = self.read_once(e).filter(|_| self.graph.output_type(e) == wanted)?;
            Product::new(self.graph, node)
        };
        if let Some(product) = product(scores) {
            return Some((None, product));
        }
        let is_number = |e: Endpoint| self.graph.output_type(e).shape.num_elements() == Some(1);
        let node = self.read_once(scores)?;
        let (&[x, y], dtype) = (&node.inputs[..], wanted.dtype) else { return None };
        let divides = match node.op.kernel.chosen(dtype, &node.attrs) {
            Kernel::Zip(table) => std::ptr::eq(table, &binary::REAL_DIV),
            _ => false,
        };
        let (op, x, number) = match node.op {
            op if op == Mul::DEF && is_number(y) => ("Mul", x, y),
            op if op == Mul::DEF && is_number(x) => ("Mul", y, x),
            _ if divides && is_number(y) => ("RealDiv", x, y),
            _ => return None,
        };
        Some((Some((op, number)), product(x)?))
    }
}
