//! Graphs as text for people and as DOT for drawing.

use std::fmt::{self, Write};

use super::{Endpoint, FunctionGraph, Node};
use crate::array::Array;
use crate::ir::CONST;

/// Constants with more elements than this print as their type.
const SHOWN: usize = 8;

impl fmt::Display for FunctionGraph {
    /// One line per node:
    ///
    /// ```text
    /// fn f(x: float32[?, 3]) -> float32[?] {
    ///   Const = [1] : int32[1]
    ///   Sum = Sum(x, Const) {keep_dims: false} : float32[?]
    ///   return Sum
    /// }
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.graph.names();
        let inputs: Vec<String> = self
            .inputs
            .iter()
            .enumerate()
            .map(|(i, n)| {
                let capture = if i >= self.num_arguments { "capture " } else { "" };
                format!("{capture}{}: {}", names[n.index()], self.graph.node(*n).outputs[0])
            })
            .collect();
        let outputs: Vec<String> = self.output_types().iter().map(ToString::to_string).collect();
        let mut is_input = vec![false; names.len()];
        self.inputs.iter().for_each(|n| is_input[n.index()] = true);
        writeln!(f, "fn {}({}) -> {} {{", self.name, inputs.join(", "), tuple(&outputs))?;
        for ((id, node), name) in self.graph.node_ids().zip(self.graph.nodes()).zip(&names) {
            if !is_input[id.index()] {
                let mut args: Vec<String> =
                    node.inputs.iter().map(|e| reference(*e, &names)).collect();
                args.extend(node.control_inputs.iter().map(|n| format!("^{}", names[n.index()])));
                writeln!(f, "  {}", line(node, name, &args))?;
            }
        }
        let outputs: Vec<String> = self.outputs.iter().map(|e| reference(*e, &names)).collect();
        writeln!(f, "  return {}", tuple(&outputs))?;
        f.write_str("}")
    }
}

pub(crate) fn tuple(items: &[String]) -> String {
    match items {
        [one] => one.clone(),
        _ => format!("({})", items.join(", ")),
    }
}

fn reference(e: Endpoint, names: &[String]) -> String {
    let name = &names[e.node.index()];
    if e.output == 0 { name.clone() } else { format!("{name}:{}", e.output) }
}

/// The elements of a constant, if they are few.
pub(crate) fn shown(value: &Array) -> Option<String> {
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (value.len() <= SHOWN).then(|| words(value.to_string()))
}

/// What a node computes from these arguments.
pub(crate) fn line(node: &Node, name: &str, args: &[String]) -> String {
    let mut out = format!("{name} = ");
    let value = node.constant().filter(|_| node.op == &CONST);
    if let Some(text) = value.and_then(shown) {
        out.push_str(&text);
    } else {
        let _ = write!(out, "{}({})", node.op_name(), args.join(", "));
        let attrs = attrs(node);
        if !attrs.is_empty() && node.op != &CONST {
            let _ = write!(out, " {{{}}}", attrs.join(", "));
        }
    }
    if let Some(device) = &node.device {
        let _ = write!(out, " on {device}");
    }
    let types: Vec<String> = node.outputs.iter().map(ToString::to_string).collect();
    let _ = write!(out, " : {}", tuple(&types));
    out
}

/// The attributes that people want to see, in the order of the op's definition.
fn attrs(node: &Node) -> Vec<String> {
    let of = |name: &str| node.op.attrs.iter().position(|a| a.name == name);
    let is_told = |name: &str| of(name).is_some_and(|i| node.op.attrs[i].told);
    let is_shown = |name: &str| !name.starts_with(['_', '?']) && !is_told(name);
    let mut attrs: Vec<_> = node.attrs.iter().filter(|(name, _)| is_shown(name)).collect();
    attrs.sort_by_key(|(name, _)| of(name).unwrap_or(usize::MAX));
    attrs.iter().map(|(name, value)| format!("{name}: {value}")).collect()
}

impl FunctionGraph {
    /// The graph as text, followed by every function that it calls, each once.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let inner = function(|x: &Tensor| ops::neg(x));
    /// let outer = function(move |x: &Tensor| inner.call(&x.square()?));
    /// let text = outer.concrete(&TensorSpec::of::<f32>([2]))?.graph().to_text();
    /// assert!(text.contains("  Square = Square(a) : float32[2]\n"));
    /// assert!(text.contains("  Neg = Neg(a) : float32[2]\n"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_text(&self) -> String {
        let mut out = self.to_string();
        for graph in self.library().iter().filter_map(|f| f.graph()) {
            let _ = write!(out, "\n\n{graph}");
        }
        out
    }

    /// The graph in the DOT language of Graphviz: data edges solid, control edges dashed.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let dot = f.graph().to_dot();
    /// assert!(dot.starts_with("digraph \"closure\" {\n"));
    /// assert!(dot.contains("  n1 [label=\"Square\\nfloat32[2]\"];\n  n0 -> n1;\n"));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_dot(&self) -> String {
        let names = self.graph.names();
        let mut out = format!("digraph \"{}\" {{\n  node [shape=box];\n", escape(&self.name));
        for (i, (node, name)) in self.graph.nodes().iter().zip(&names).enumerate() {
            let types: Vec<String> = node.outputs.iter().map(ToString::to_string).collect();
            let mut label = format!("{}\\n{}", escape(name), escape(&tuple(&types)));
            for f in node.callees() {
                let _ = write!(label, "\\n@{}", escape(f.name()));
            }
            if let Some(device) = &node.device {
                let _ = write!(label, "\\non {}", escape(device));
            }
            let _ = writeln!(out, "  n{i} [label=\"{label}\"];");
            for e in &node.inputs {
                let _ = writeln!(out, "  n{} -> n{i};", e.node.index());
            }
            for c in &node.control_inputs {
                let _ = writeln!(out, "  n{} -> n{i} [style=dashed];", c.index());
            }
        }
        for (i, e) in self.outputs.iter().enumerate() {
            let _ = writeln!(out, "  out{i} [label=\"output {i}\", shape=oval];");
            let _ = writeln!(out, "  n{} -> out{i};", e.node.index());
        }
        out.push_str("}\n");
        out
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
