//! Graphs for people: as text, in the DOT language, and as SVG.

mod dot;
mod layered;
mod picture;
mod svg;
mod text;

use std::fmt::Write;

pub use text::GraphText;

use super::{Endpoint, Node};
use crate::array::Array;
use crate::ir::CONST;

/// Constants with more elements than this print as their type.
const SHOWN: usize = 8;
/// Attribute values with more characters than this are cut.
const LONGEST: usize = 60;

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

/// A node with the names of what it uses.
fn named_line(node: &Node, name: &str, names: &[String]) -> String {
    let mut args: Vec<String> = node.inputs.iter().map(|e| reference(*e, names)).collect();
    args.extend(node.control_inputs.iter().map(|n| format!("^{}", names[n.index()])));
    line(node, name, &args)
}

/// The attributes that people want to see, in the order of the op's definition.
fn attrs(node: &Node) -> Vec<String> {
    let of = |name: &str| node.op.attrs.iter().position(|a| a.name == name);
    let is_told = |name: &str| of(name).is_some_and(|i| node.op.attrs[i].told);
    let is_shown = |name: &str| !name.starts_with(['_', '?']) && !is_told(name);
    let mut attrs: Vec<_> = node.attrs.iter().filter(|(name, _)| is_shown(name)).collect();
    attrs.sort_by_key(|(name, _)| of(name).unwrap_or(usize::MAX));
    attrs.iter().map(|(name, value)| format!("{name}: {}", folded(value.to_string()))).collect()
}

fn folded(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}
