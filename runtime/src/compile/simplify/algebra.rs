//! Ops that another op makes unnecessary. No rule changes a result, the sign of a zero included (a signaling NaN may stay
//! one), and none drops an error: what an op still has to compare when it runs stays.

use crate::array::{Array, HostScalar as _};
use crate::compile::RESHAPES;
use crate::device::leaves_host;
use crate::ir::{Endpoint, Graph, Kernel, Node, OpDef};
use crate::ops::{
    Add, BroadcastTo, Conj, Div, Invert, LogicalNot, Mul, NamedOp as _, Neg, Select, Sub,
    Transpose, TrueDiv,
};
use crate::types::{DType, normalize_axis};

/// A rule: a value for the node's only result that costs less, if there is one.
type Simplification = fn(&mut Graph, &Node) -> Option<Endpoint>;

/// The rules, each of which sees what the ones before left.
const RULES: &[(&str, Simplification)] = &[
    ("identity op", passed_on),
    ("op and its inverse", undone),
    ("identity element", neutral),
    ("redundant broadcast", broadcast),
    ("division by a power of two", by_a_power),
    ("select of equals", chosen),
    ("transposes", transposed),
    ("reshapes", reshaped),
    ("cast and back", cast_back),
    ("product of views", super::views::product),
];

/// What the rules make of the only result of a node. A rule may make a new node, which the rules see again.
pub(super) fn simplest(
    graph: &mut Graph,
    node: &Node,
    mut counted: impl FnMut(&'static str),
) -> Option<Endpoint> {
    let first = graph.nodes().len();
    let (mut found, mut made) = (None, None);
    loop {
        let node = made.as_ref().unwrap_or(node);
        let applied = RULES.iter().find_map(|(name, rule)| Some((*name, rule(graph, node)?)));
        let Some((name, e)) = applied else { return found };
        counted(name);
        found = Some(e);
        if e.node.index() < first {
            return found;
        }
        made = Some(graph.node(e.node).clone());
    }
}

/// The node that computes an endpoint, if it may be left out for a node that reads it.
pub(super) fn source(graph: &Graph, e: Endpoint) -> Option<&Node> {
    let is_plain =
        |node: &&Node| node.control_inputs.is_empty() && !leaves_host(node.device.as_deref());
    Some(graph.node(e.node)).filter(is_plain)
}

/// True if an operand has the type of the result, all of which is known.
fn fills(graph: &Graph, e: Endpoint, node: &Node) -> bool {
    node.outputs[0].shape.is_fully_defined() && graph.output_type(e) == &node.outputs[0]
}

/// An op whose result is its first input: also a cast to the dtype that there is.
fn passed_on(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let first = *node.inputs.first()?;
    let dtype = graph.output_type(first).dtype;
    if !node.op.is_own() && !fills(graph, first, node) {
        return None;
    }
    match node.op.kernel.chosen(dtype, &node.attrs) {
        Kernel::Pass => Some(first),
        Kernel::Convert(to) if to == dtype => Some(first),
        _ => None,
    }
}

/// `-(-x)`, and the like.
fn undone(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    const UNDO_THEMSELVES: [&OpDef; 4] = [Neg::DEF, LogicalNot::DEF, Invert::DEF, Conj::DEF];
    let before = source(graph, *node.inputs.first()?)?;
    (node.op == before.op && UNDO_THEMSELVES.contains(&node.op)).then(|| before.inputs[0])
}

/// `x · 1`, `x / 1`, `x - 0`, `x + 0`. A sum of floats with zero is not `x` if both are zeros of unlike signs, so the
/// zero must be negative there.
fn neutral(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let &[x, y] = &node.inputs[..] else { return None };
    let dtype = node.outputs[0].dtype;
    if dtype.is_complex() {
        return None;
    }
    let is = |graph: &Graph, e: Endpoint, n: f64| {
        let value = graph.node(e.node).constant().filter(|value| value.len() == 1);
        value
            .is_some_and(|value| number(dtype, n).is_some_and(|n| n.as_bytes() == value.as_bytes()))
    };
    let (right, left) = match node.op {
        op if op == Mul::DEF => (Some(1.0), true),
        op if [Div::DEF, TrueDiv::DEF].contains(&op) => (Some(1.0), false),
        op if op == Sub::DEF => (Some(0.0), false),
        op if op == Add::DEF => (Some(if dtype.is_float() { -0.0 } else { 0.0 }), true),
        _ => (None, false),
    };
    let n = right?;
    if is(graph, y, n) && fills(graph, x, node) {
        return Some(x);
    }
    (left && is(graph, x, n) && fills(graph, y, node)).then_some(y)
}

/// A number of a dtype.
fn number(dtype: DType, n: f64) -> Option<Array> {
    let scalar = if dtype.is_float() { n.to_scalar() } else { (n as i64).to_scalar() };
    scalar.to_array(dtype).ok()
}

/// An elementwise op of two operands broadcasts by itself, so one of them need not be broadcast to the shape of the
/// other before. Gradients of sums are full of that.
fn broadcast(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let &[x, y] = &node.inputs[..] else { return None };
    let dtype = graph.output_type(x).dtype;
    let Kernel::Zip(_) = node.op.kernel.chosen(dtype, &node.attrs) else { return None };
    let small = |graph: &Graph, e: Endpoint| {
        let from = source(graph, e)?;
        // Inference compared operand and result only if it knew their sizes.
        let known = |e: &Endpoint| graph.output_type(*e).shape.is_fully_defined();
        let broadcasts = from.op == BroadcastTo::DEF && known(&e);
        broadcasts.then(|| from.inputs[0]).filter(known)
    };
    let inputs = match (small(graph, x), small(graph, y)) {
        (Some(small), _) if fills(graph, y, node) => [small, y],
        (_, Some(small)) if fills(graph, x, node) => [x, small],
        _ => return None,
    };
    Some(with_inputs(graph, node, &inputs))
}

/// `x / 2ⁿ` is `x · 2⁻ⁿ`, rounded alike.
fn by_a_power(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let &[x, y] = &node.inputs[..] else { return None };
    if ![Div::DEF, TrueDiv::DEF].contains(&node.op) || !node.control_inputs.is_empty() {
        return None;
    }
    let value = graph.node(y.node).constant()?;
    macro_rules! inverse {
        ($t:ident) => {{
            let &[power] = value.as_slice::<$t>().ok()? else { return None };
            let mantissa = power.to_bits() << (1 + $t::MAX_EXP.ilog2() + 1);
            let is_power = power.is_normal() && power.recip().is_normal() && mantissa == 0;
            is_power.then(|| Array::from_slice(value.dims(), &[power.recip()]))?
        }};
    }
    let inverse = match value.dtype() {
        DType::F32 => inverse!(f32),
        DType::F64 => inverse!(f64),
        _ => return None,
    };
    let inverse = graph.add_constant(inverse.ok()?);
    let product = Node { op: Mul::DEF, ..node.clone() };
    Some(with_inputs(graph, &product, &[x, inverse]))
}

/// `select(c, x, x)`.
fn chosen(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let &[which, x, y] = &node.inputs[..] else { return None };
    let known = graph.output_type(which).shape.is_fully_defined();
    (node.op == Select::DEF && x == y && known && fills(graph, x, node)).then_some(x)
}

/// The axes of the operand of a transpose in the order of the result.
pub(super) fn order(graph: &Graph, node: &Node) -> Option<Vec<usize>> {
    let order = graph.node(node.inputs.get(1)?.node).constant()?.to_i64s().ok()?;
    order.iter().map(|axis| normalize_axis(*axis, order.len()).ok()).collect()
}

/// A transpose that moves nothing, and a transpose of a transpose.
fn transposed(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    if node.op != Transpose::DEF || !node.control_inputs.is_empty() {
        return None;
    }
    let (outer, x) = (order(graph, node)?, node.inputs[0]);
    let known = graph.output_type(x).shape.rank() == Some(outer.len());
    if known && outer.iter().copied().eq(0..outer.len()) {
        return Some(x);
    }
    let before = source(graph, x).filter(|before| before.op == Transpose::DEF)?;
    let inner = order(graph, before).filter(|inner| inner.len() == outer.len())?;
    let (from, both) = (before.inputs[0], outer.iter().map(|i| inner[*i]).collect::<Vec<_>>());
    let known = graph.output_type(from).shape.rank() == Some(both.len());
    if known && both.iter().copied().eq(0..both.len()) {
        return Some(from);
    }
    let both: Vec<i32> = both.into_iter().map(|i| i as i32).collect();
    let order = graph.add_constant(Array::from_slice([both.len()], &both).ok()?);
    Some(with_inputs(graph, node, &[from, order]))
}

/// Ops that change a shape and nothing else, up to the shape that there was.
fn reshaped(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let changes = |node: &Node| RESHAPES.contains(&node.op);
    if !changes(node) {
        return None;
    }
    let mut x = node.inputs[0];
    loop {
        if fills(graph, x, node) {
            return Some(x);
        }
        let known = graph.output_type(x).shape.is_fully_defined();
        let before = source(graph, x).filter(|before| known && changes(before))?;
        x = before.inputs[0];
    }
}

/// A cast to a dtype that has all numbers of the one before, and back.
fn cast_back(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let from = |graph: &Graph, node: &Node| {
        let x = *node.inputs.first()?;
        let dtype = graph.output_type(x).dtype;
        let casts = matches!(node.op.kernel.chosen(dtype, &node.attrs), Kernel::Convert(_));
        casts.then_some((x, dtype))
    };
    let (wide, wide_type) = from(graph, node)?;
    let (x, narrow) = from(graph, source(graph, wide)?)?;
    (narrow == node.outputs[0].dtype && holds(wide_type, narrow)).then_some(x)
}

/// True if a dtype has all numbers of another one.
fn holds(wide: DType, narrow: DType) -> bool {
    use DType::{BF16, Bool, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32};
    match narrow {
        Bool => matches!(wide, U8 | I8 | I16 | I32 | I64 | F16 | BF16 | F32 | F64),
        U8 => matches!(wide, U16 | U32 | I16 | I32 | I64 | F16 | F32 | F64),
        I8 => matches!(wide, I16 | I32 | I64 | F16 | F32 | F64),
        U16 => matches!(wide, U32 | I32 | I64 | F32 | F64),
        I16 => matches!(wide, I32 | I64 | F32 | F64),
        U32 => matches!(wide, I64 | F64),
        I32 => matches!(wide, I64 | F64),
        F16 | BF16 => matches!(wide, F32 | F64),
        F32 => wide == F64,
        _ => false,
    }
}

/// The node with other inputs, in the graph.
fn with_inputs(graph: &mut Graph, node: &Node, inputs: &[Endpoint]) -> Endpoint {
    let node = Node { inputs: inputs.iter().copied().collect(), ..node.clone() };
    Endpoint { node: graph.push(node), output: 0 }
}
