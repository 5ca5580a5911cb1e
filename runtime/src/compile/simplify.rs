//! Simplification: constants are folded, copies and dead nodes dropped.

use smallvec::{SmallVec, smallvec};

use crate::array::{Array, Dims, HostScalar as _};
use crate::ir::{
    CONST, Effect, Endpoint, FunctionGraph, Graph, Kernel, Node, Rewrite, Types, Use, Visit,
};
use crate::ops::{BroadcastTo, Mul, NamedOp as _, Rank, ShapeOf, Size};
use crate::types::{DType, Error, Result, TensorType};

/// Folded results with more bytes than this are computed at run time instead.
pub(super) const MAX_FOLDED: usize = 1 << 20;

/// The simplified graph. Results with more bytes than `most` are not folded.
pub(super) fn simplify(function: &FunctionGraph, most: usize) -> Result<FunctionGraph> {
    let (mut simplified, mut decided) = simplified_once(function, most)?;
    // The inputs of an inlined branch may be constants, which simplifies its nodes further.
    while decided {
        (simplified, decided) = simplified_once(&simplified, most)?;
    }
    Ok(simplified)
}

/// The graph after one pass, and whether a conditional was replaced by one of its branches.
fn simplified_once(function: &FunctionGraph, most: usize) -> Result<(FunctionGraph, bool)> {
    let mut decided = false;
    let simplified = function.rewrite(|graph, visit| {
        let node = visit.node;
        if is_only_awaited(&visit) {
            return Ok(Rewrite::Drop);
        }
        if passes(graph, node) && node.control_inputs.is_empty() {
            return Ok(Rewrite::Replace(node.inputs.iter().copied().take(1).collect()));
        }
        if let Some(endpoints) = decide(graph, node)? {
            decided = true;
            return Ok(Rewrite::Replace(endpoints));
        }
        if let Some(endpoints) = fold(graph, node, most) {
            return Ok(Rewrite::Replace(endpoints));
        }
        Ok(match elementwise(graph, node) {
            Some(endpoint) => Rewrite::Replace([endpoint].into()),
            None => Rewrite::Keep,
        })
    })?;
    Ok((simplified, decided))
}

/// True for a node whose result is its first input: also a cast to the dtype that there is.
fn passes(graph: &Graph, node: &Node) -> bool {
    let Some(first) = node.inputs.first().map(|e| graph.output_type(*e).dtype) else {
        return false;
    };
    match node.op.kernel.chosen(first, &node.attrs) {
        Kernel::Pass => true,
        Kernel::Convert(to) => to == first,
        _ => false,
    }
}

/// Replaces a conditional with a constant condition by the branch it picks. An invalid condition is left to
/// fail at run time.
fn decide(graph: &mut Graph, node: &Node) -> Result<Option<SmallVec<[Endpoint; 1]>>> {
    let Kernel::Branch(branching) = node.op.kernel else { return Ok(None) };
    let value = node.inputs.first().and_then(|e| graph.node(e.node).constant());
    let Some(value) = value else { return Ok(None) };
    let branches = (branching.branches)(&node.attrs)?;
    let Ok(picked) = branching.picked(value, branches.len()) else { return Ok(None) };
    let branch = branches[picked].graph();
    let Some(branch) = branch.filter(|b| b.inputs.len() + 1 == node.inputs.len()) else {
        return Ok(None);
    };
    let needed = branch.needed();
    let mut map = vec![None; needed.len()];
    for (input, given) in branch.inputs.iter().zip(&node.inputs[1..]) {
        map[input.index()] = Some(*given);
    }
    for (id, own) in branch.graph.node_ids().zip(branch.graph.nodes()) {
        if !needed[id.index()] || map[id.index()].is_some() {
            continue;
        }
        let mut copy = own.clone();
        for e in &mut copy.inputs {
            *e = mapped(&map, *e)?;
        }
        // The inputs may be of narrower types here, which the op may refuse: then the branch is called and tells.
        match inferred(graph, &copy) {
            Ok(types) => copy.outputs = types,
            Err(_) => return Ok(None),
        }
        // Control edges onto the branch's inputs impose no order: drop them.
        let before = own.control_inputs.iter().filter(|n| !branch.inputs.contains(n));
        copy.control_inputs = before.filter_map(|n| Some(map[n.index()]?.node)).collect();
        map[id.index()] = Some(Endpoint { node: graph.push(copy), output: 0 });
    }
    branch.outputs.iter().map(|e| mapped(&map, *e)).collect::<Result<_>>().map(Some)
}

/// The types of a node's results: what was known, and what its inputs tell. Functions that it calls are not looked into.
///
/// # Errors
/// What the op refuses.
pub(super) fn inferred(graph: &Graph, node: &Node) -> Result<Types> {
    if node.is_unknown() || node.callees().next().is_some() {
        return Ok(node.outputs.clone());
    }
    let types = graph.operands(&node.inputs).infer(node.op, &node.attrs)?;
    if types.len() != node.outputs.len() {
        return Err(Error::internal("another number of results"));
    }
    let merged =
        node.outputs.iter().zip(&types).map(|(old, new)| {
            Ok(TensorType { shape: old.shape.merge(&new.shape)?, ..old.clone() })
        });
    merged.collect()
}

/// The endpoint of an output of a copied node.
fn mapped(map: &[Option<Endpoint>], e: Endpoint) -> Result<Endpoint> {
    let first = map[e.node.index()].ok_or_else(|| Error::internal("a node is used before it"))?;
    Ok(Endpoint { node: first.node, output: first.output + e.output })
}

/// True for a pure node whose results are unused; other nodes only have it as a control input.
fn is_only_awaited(visit: &Visit<'_>) -> bool {
    let is_awaited = |by: &Use| matches!(by, Use::Control(_));
    visit.node.effect() == Effect::Pure && visit.uses().iter().all(is_awaited)
}

/// Computes a pure node whose inputs are constants, or that asks for known sizes. A node that fails is left to run
/// time, and so are loops, which may be long.
pub(super) fn fold(graph: &mut Graph, node: &Node, most: usize) -> Option<SmallVec<[Endpoint; 1]>> {
    let foldable = node.op != &CONST
        && !matches!(node.op.kernel, Kernel::Loop(_))
        && node.control_inputs.is_empty()
        && node.effect() == Effect::Pure;
    if !foldable {
        return None;
    }
    if let Some(sizes) = sizes(graph, node) {
        return Some([graph.add_constant(sizes)].into());
    }
    let bytes = |ty: &TensorType| {
        ty.shape.num_elements().unwrap_or(0).saturating_mul(ty.dtype.size().unwrap_or(0))
    };
    if node.outputs.iter().map(bytes).fold(0, usize::saturating_add) > most {
        return None;
    }
    let outputs = {
        let constant = |e: &Endpoint| graph.node(e.node).constant();
        let inputs: SmallVec<[&Array; 4]> =
            node.inputs.iter().map(constant).collect::<Option<_>>()?;
        node.op.run(&inputs, &node.attrs).ok()?
    };
    let bytes = |a: &Array| a.len() * a.dtype().size().unwrap_or(64);
    if outputs.iter().map(bytes).sum::<usize>() > most {
        return None;
    }
    Some(outputs.into_iter().map(|value| graph.add_constant(value)).collect())
}

/// The result of an op that asks for sizes, if they are known.
fn sizes(graph: &Graph, node: &Node) -> Option<Array> {
    let sizes = || graph.output_type(*node.inputs.first()?).shape.sizes();
    let values: Dims = match node.op {
        op if op == ShapeOf::DEF => sizes()?,
        op if op == Size::DEF => {
            smallvec![sizes()?.iter().try_fold(1usize, |n, size| n.checked_mul(*size))?]
        }
        op if op == Rank::DEF => smallvec![sizes()?.len()],
        _ => return None,
    };
    let is_vector = node.op == ShapeOf::DEF;
    let dims = if is_vector { &[values.len()][..] } else { &[] };
    let array = match node.outputs[0].dtype {
        DType::I32 => {
            let small: Option<Vec<i32>> = values.iter().map(|n| i32::try_from(*n).ok()).collect();
            Array::from_slice(dims, &small?)
        }
        DType::I64 => {
            Array::from_slice(dims, &values.iter().map(|n| *n as i64).collect::<Vec<_>>())
        }
        // The kernel refuses other types.
        _ => return None,
    };
    array.ok()
}

/// Simplifies an elementwise op of two operands. It broadcasts by itself, so an operand need not be broadcast to
/// the shape of the other first, and a product with one is the other operand. Gradients of sums are full of both.
fn elementwise(graph: &mut Graph, node: &Node) -> Option<Endpoint> {
    let Kernel::Zip(_) = node.op.kernel else { return None };
    let &[x, y] = &node.inputs[..] else { return None };
    let ty = &node.outputs[0];
    let fills = |graph: &Graph, e: Endpoint| graph.output_type(e) == ty;
    if !ty.shape.is_fully_defined() || !node.control_inputs.is_empty() {
        return None;
    }
    let source = |graph: &Graph, e: Endpoint| {
        let from = graph.node(e.node);
        let repeats = from.op == BroadcastTo::DEF && from.control_inputs.is_empty();
        // Inference compared the operand with the result only if it knew the operand's sizes.
        let compared = |e: &Endpoint| graph.output_type(*e).shape.is_fully_defined();
        repeats.then(|| from.inputs[0]).filter(compared)
    };
    let (x, y) = match (source(graph, x), source(graph, y)) {
        (Some(small), _) if fills(graph, y) => (small, y),
        (_, Some(small)) if fills(graph, x) => (x, small),
        _ => (x, y),
    };
    let is_one = |graph: &Graph, e: Endpoint| {
        let one = |a: &Array| 1i64.to_scalar().to_array(a.dtype()).ok();
        graph.node(e.node).constant().is_some_and(|a| {
            !a.dtype().is_complex()
                && a.len() == 1
                && one(a).is_some_and(|one| one.as_bytes() == a.as_bytes())
        })
    };
    if node.op == Mul::DEF {
        if is_one(graph, x) && fills(graph, y) {
            return Some(y);
        }
        if is_one(graph, y) && fills(graph, x) {
            return Some(x);
        }
    }
    if [x, y] == node.inputs[..] {
        return None;
    }
    let node = Node { inputs: [x, y].into_iter().collect(), ..node.clone() };
    Some(Endpoint { node: graph.push(node), output: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::def::{Ends, GraphDef, NodeDef, Value};
    use crate::types::Shape;

    fn node(name: &str, op: &str, inputs: &[&str]) -> NodeDef {
        let attrs = match op {
            "Placeholder" => {
                vec![("dtype", Value::Type(DType::F32)), ("shape", Value::Shape(Shape::scalar()))]
            }
            "Const" => vec![("value", Value::Tensor(Array::scalar(2.0f32)))],
            _ => Vec::new(),
        };
        NodeDef {
            name: name.to_owned(),
            op: op.to_owned(),
            inputs: inputs.iter().map(|i| (*i).to_owned()).collect(),
            device: String::new(),
            attrs: attrs.into_iter().map(|(n, v)| (n.to_owned(), v)).collect(),
        }
    }

    /// The simplified graph of these nodes as text; the node `y` is the result.
    fn simplified(nodes: Vec<NodeDef>) -> String {
        let def = GraphDef { nodes, ..GraphDef::default() };
        let ends = Ends { outputs: vec!["y".to_owned()], ..Ends::default() };
        let graph = FunctionGraph::from_graph_def(&def, &ends, &|_| None).unwrap();
        simplify(&graph, MAX_FOLDED).unwrap().to_string()
    }

    #[test]
    fn a_pure_node_that_is_only_waited_for_is_gone_but_what_it_waited_for_is_not() {
        let text = simplified(vec![
            node("x", "Placeholder", &[]),
            node("w", "Write", &["x"]),
            node("n", "Neg", &["x", "^w"]),
            node("y", "Neg", &["x", "^n"]),
        ]);
        assert!(text.contains("y = Neg(x, ^w)") && !text.contains("n = "), "{text}");
    }

    #[test]
    fn operands_of_elementwise_ops_are_not_repeated_nor_multiplied_by_one() {
        let with = |name: &str, op: &str, attrs: Vec<(&str, Value)>| NodeDef {
            attrs: attrs.into_iter().map(|(n, v)| (n.to_owned(), v)).collect(),
            ..node(name, op, &[])
        };
        let placeholder = |name: &str, shape: Shape| {
            with(
                name,
                "Placeholder",
                vec![("dtype", Value::Type(DType::F32)), ("shape", Value::Shape(shape))],
            )
        };
        let constant =
            |name: &str, value: Array| with(name, "Const", vec![("value", Value::Tensor(value))]);
        let text = simplified(vec![
            placeholder("x", [2, 3].into()),
            placeholder("s", Shape::scalar()),
            constant("one", Array::scalar(1.0f32)),
            constant("dims", Array::from_slice([2], &[2i32, 3]).unwrap()),
            constant("more", Array::from_slice([3], &[4i32, 2, 3]).unwrap()),
            node("ones", "BroadcastTo", &["one", "dims"]),
            node("all", "BroadcastTo", &["s", "dims"]),
            node("m", "Mul", &["x", "one"]),
            node("n", "Mul", &["all", "m"]),
            node("wide", "BroadcastTo", &["n", "more"]),
            node("y", "Sub", &["wide", "x"]),
        ]);
        assert!(text.contains("n = Mul(s, x)"), "{text}");
        // Here only the broadcast operand has the shape of the result, so it stays.
        assert!(text.contains("y = Sub(wide, x)"), "{text}");
    }

    #[test]
    fn known_sizes_are_constants_if_they_are_integers() {
        let size = |dtype: DType| {
            let attrs = vec![("out_type".to_owned(), Value::Type(dtype))];
            let attrs = attrs.into_iter().collect();
            simplified(vec![
                node("x", "Placeholder", &[]),
                NodeDef { attrs, ..node("y", "Size", &["x"]) },
            ])
        };
        assert!(size(DType::I64).contains("y = 1 : int64[]"), "{}", size(DType::I64));
        assert!(size(DType::I32).contains("y = 1 : int32[]"), "{}", size(DType::I32));
        // The kernel refuses it.
        assert!(size(DType::F64).contains("y = Size(x)"), "{}", size(DType::F64));
    }

    #[test]
    fn a_constant_that_must_wait_is_computed_when_it_may() {
        let nodes = |inputs: &[&str]| {
            vec![
                node("x", "Placeholder", &[]),
                node("w", "Write", &["x"]),
                node("c", "Const", &[]),
                node("y", "Neg", inputs),
            ]
        };
        assert!(simplified(nodes(&["c"])).contains("y = -2"));
        assert!(simplified(nodes(&["c", "^w"])).contains("y = Neg(c, ^w)"));
    }
}
