//! Simplification: values known before the run are folded, and what need not run is left out.
//!
//! The rules are tried on each node in this order: dead code, constant conditions, calls, constants, the table of
//! [`algebra`], and common subexpressions. A rule gets a node whose operands are simplified already.

mod algebra;
mod attention;
mod decide;
mod fold;
mod inline;
mod same;
mod views;

use std::collections::BTreeMap;

pub(super) use fold::fold;
use inline::Inlining;

use super::fuse::FUSES;
use crate::device::leaves_host;
use crate::ir::{Effect, FunctionGraph, Rewrite, Use, Visit};
use crate::types::Result;

/// Folded results with more bytes than this are computed at run time instead.
pub(super) const MAX_FOLDED: usize = 1 << 20;

/// A simplified graph. Rules leave nodes behind that are not needed.
pub(super) struct Simplified {
    pub(super) graph: FunctionGraph,
    /// How often each rule applied, by its name.
    pub(super) applied: BTreeMap<&'static str, usize>,
}

/// Simplifies a graph. Results with more bytes than `most` are not folded.
pub(super) fn simplify(function: &FunctionGraph, most: usize) -> Result<Simplified> {
    let mut applied = BTreeMap::new();
    let mut inlining = Inlining::new();
    let mut walk = |function: &_| simplified_once(function, most, &mut inlining, &mut applied);
    let (mut graph, mut made) = walk(function)?;
    // The inputs of an inlined function may be constants, and a node that a rule made may be there already.
    while made {
        (graph, made) = walk(&graph)?;
    }
    if *FUSES && let count @ 1.. = attention::attend(&mut graph) {
        applied.insert("attention", count);
    }
    Ok(Simplified { graph, applied })
}

/// The graph after one walk, and whether there are nodes in it that no rule has seen.
fn simplified_once(
    function: &FunctionGraph,
    most: usize,
    inlining: &mut Inlining,
    applied: &mut BTreeMap<&'static str, usize>,
) -> Result<(FunctionGraph, bool)> {
    let mut made = false;
    let mut computed = same::Computed::default();
    inlining.walk(function);
    let simplified = function.rewrite(|graph, visit| {
        let node = visit.node;
        let mut counted = |rule| *applied.entry(rule).or_default() += 1;
        if is_only_awaited(&visit) {
            counted("dead code");
            return Ok(Rewrite::Drop);
        }
        // What another device computes stays as it was written: it may have no kernel for another op.
        if leaves_host(node.device.as_deref()) {
            return Ok(Rewrite::Keep);
        }
        if let Some(endpoints) = decide::decide(graph, node)? {
            made = true;
            counted("constant condition");
            return Ok(Rewrite::Replace(endpoints));
        }
        if let Some(endpoints) = inlining.inlined(graph, node)? {
            made = true;
            counted("inlined call");
            return Ok(Rewrite::Replace(endpoints));
        }
        if let Some(endpoints) = fold(graph, node, most) {
            counted("constant");
            return Ok(Rewrite::Replace(endpoints));
        }
        if node.outputs.len() == 1 && node.control_inputs.is_empty() {
            let first = graph.nodes().len();
            let mut rules = Vec::new();
            if let Some(endpoint) = algebra::simplest(graph, node, |rule| rules.push(rule)) {
                let is_new = endpoint.node.index() >= first;
                // A value that lies elsewhere is not the same result.
                if is_new || graph.node(endpoint.node).device == node.device {
                    rules.into_iter().for_each(counted);
                    made |= is_new;
                    return Ok(Rewrite::Replace([endpoint].into()));
                }
            }
        }
        if let Some(endpoints) = computed.before(graph, node) {
            counted("common subexpression");
            return Ok(Rewrite::Replace(endpoints));
        }
        Ok(Rewrite::Keep)
    })?;
    Ok((simplified, made))
}

impl Simplified {
    /// The graph with the needed nodes only.
    pub(super) fn needed(&self) -> Result<FunctionGraph> {
        self.graph.rewrite(|_, _| Ok(Rewrite::Keep))
    }
}

/// True for a pure node whose results are unused; other nodes only have it as a control input.
fn is_only_awaited(visit: &Visit<'_>) -> bool {
    let is_awaited = |by: &Use| matches!(by, Use::Control(_));
    visit.node.effect() == Effect::Pure && visit.uses().iter().all(is_awaited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::ir::def::{Ends, GraphDef, NodeDef, Value};
    use crate::types::{DType, Shape};

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
        simplify(&graph, MAX_FOLDED).unwrap().graph.to_string()
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

    /// The simplified trace of a function of a vector of three floats, without the line of its signature.
    fn lines(f: impl Fn(&crate::Tensor) -> Result<crate::Tensor> + 'static) -> Vec<String> {
        use crate::prelude::*;
        let f = function(move |x: &Tensor| f(x)).concrete(&TensorSpec::of::<f32>([3])).unwrap();
        let text = simplify(f.graph(), MAX_FOLDED).unwrap().needed().unwrap().to_string();
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.skip(1).filter(|line| line != "}").collect()
    }

    #[test]
    fn what_is_undone_or_neutral_is_left_out() {
        use crate::prelude::*;
        assert_eq!(lines(|x| ops::neg(ops::neg(x)?)), ["return a"]);
        assert_eq!(lines(|x| ops::sub(ops::mul(1.0, x)?, 0.0)), ["return a"]);
        assert_eq!(lines(|x| ops::add(ops::div(x, 1.0)?, -0.0)), ["return a"]);
        assert_eq!(lines(|x| x.cast(f64)?.cast(f32)), ["return a"]);
        assert_eq!(lines(|x| x.expand_dims(0)?.reshape([3, 1])?.reshape([3])), ["return a"]);
        let turned = |x: &Tensor| {
            let x = x.reshape([3, 1])?.transpose([1, 0])?;
            x.transpose([1, 0])?.reshape([3])
        };
        assert_eq!(lines(turned), ["return a"]);
        assert_eq!(
            lines(|x| ops::select(&ops::greater(x, 0.0)?, x, x)).last().unwrap(),
            "return a"
        );
        // These are not what they were: zeros have signs, integers end, and the last one is larger.
        let keeps = |f: fn(&Tensor) -> Result<Tensor>, op: &str| lines(f).concat().contains(op);
        assert!(keeps(|x| ops::add(x, 0.0), "AddV2("));
        assert!(keeps(|x| ops::sub(x, -0.0), "Sub("));
        assert!(keeps(|x| x.cast(i32)?.cast(f32), "Cast("));
        assert!(keeps(|x| ops::mul(x, &ops::ones([2, 1], f32)?), "Mul("));
    }

    #[test]
    fn equal_nodes_are_one() {
        use crate::prelude::*;
        let twice =
            |x: &crate::Tensor| ops::add(ops::mul(x, 3.0)?.exp()?, ops::mul(x, 3.0)?.exp()?);
        let text = lines(twice);
        assert_eq!(text.iter().filter(|line| line.contains("Exp(")).count(), 1, "{text:?}");
    }

    #[test]
    fn a_division_by_a_power_of_two_is_a_product_with_the_same_bits() {
        use crate::prelude::*;
        let line = |by: f32| lines(move |x| ops::div(x, by)).concat();
        assert!(
            line(8.0).contains("Const = 0.125 : float32[]Mul = Mul(a, Const)"),
            "{}",
            line(8.0)
        );
        for by in [3.0, 0.0, f32::INFINITY, 1e-40, 2f32.powi(127)] {
            assert!(!line(by).contains("Mul"), "{by}");
        }
    }
}
