//! Graphs in the DOT language.

use std::fmt::Write;

use super::picture::{Look, Part, Picture};
use crate::ir::FunctionGraph;

impl FunctionGraph {
    /// The graph in the DOT language of Graphviz. Name scopes are clusters, and so are the functions that are called, each
    /// once. Edges show dtype and shape; dashed edges are control edges. Arguments are filled, captures dashed, constants
    /// have no frame, and results are ovals.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let dot = f.graph().to_dot();
    /// assert!(dot.starts_with("digraph \"closure\" {\n"));
    /// assert!(dot.contains("  n2 [label=\"Square\""), "{dot}");
    /// assert!(dot.contains("  n1 -> n2 [label=\"float32[2]\"];\n"), "{dot}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_dot(&self) -> String {
        let picture = Picture::new(self);
        let mut inside = vec![Vec::new(); picture.parts.len()];
        for (i, part) in picture.parts.iter().enumerate() {
            if let Some(within) = part.within {
                inside[within].push(i);
            }
        }
        let mut out = format!("digraph {} {{\n", quoted(&self.name));
        out.push_str("  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n");
        let functions = (0..picture.parts.len()).filter(|i| picture.parts[*i].within.is_none());
        for function in functions {
            cluster(&picture.parts, &inside, function, 1, &mut out);
        }
        for wire in &picture.wires {
            for (to, _) in &wire.to {
                let (from, tip) = (wire.from.0, &wire.label);
                let how = if wire.is_control {
                    "style=dashed"
                } else {
                    &format!("label={}", quoted(tip))
                };
                let _ = writeln!(out, "  n{from} -> n{to} [{how}];");
            }
        }
        out.push_str("}\n");
        out
    }
}

/// A box with all that is in it. The graph itself has no box.
fn cluster(parts: &[Part], inside: &[Vec<usize>], at: usize, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let inner = if at == 0 { 0 } else { 1 };
    if at > 0 {
        let style = if parts[at].look == Look::Scope { "rounded" } else { "solid" };
        let label = quoted(&parts[at].text.join("\n"));
        let _ = writeln!(out, "{indent}subgraph cluster_{at} {{");
        let _ = writeln!(out, "{indent}  label={label};\n{indent}  style={style};");
        let _ = writeln!(out, "{indent}  tooltip={};", quoted(&parts[at].tip));
    }
    for i in &inside[at] {
        let part = &parts[*i];
        if part.look.is_box() {
            cluster(parts, inside, *i, depth + inner, out);
            continue;
        }
        let how = match part.look {
            Look::Argument => ", style=\"rounded,filled\"",
            Look::Capture => ", style=\"rounded,dashed\"",
            Look::Constant => ", shape=plaintext",
            Look::Output => ", shape=oval",
            Look::Op | Look::Scope | Look::Function => "",
        };
        let (label, tip) = (quoted(&part.text.join("\n")), quoted(&part.tip));
        let indent = "  ".repeat(depth + inner);
        let _ = writeln!(out, "{indent}n{i} [label={label}{how}, tooltip={tip}];");
    }
    if at > 0 {
        let _ = writeln!(out, "{indent}}}");
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
