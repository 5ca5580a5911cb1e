//! What drawings of a graph show: its nodes, in boxes for functions and name scopes, and the edges between them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{named_line, reference, shown, tuple};
use crate::ir::{CONST, FunctionGraph, NodeId, PLACEHOLDER};

/// Words with more characters than this are cut.
const LONGEST: usize = 40;

/// A graph and all functions that it calls, each once.
#[derive(Default)]
pub(super) struct Picture {
    /// A box comes before what is in it. The first part is the box of the graph itself.
    pub(super) parts: Vec<Part>,
    pub(super) wires: Vec<Wire>,
}

/// A node, a result, or a box.
pub(super) struct Part {
    pub(super) look: Look,
    /// What it shows, line by line.
    pub(super) text: Vec<String>,
    /// All that is known of it.
    pub(super) tip: String,
    /// The box that it is in.
    pub(super) within: Option<usize>,
    /// How many wires it has on each side.
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Function,
    Scope,
    Argument,
    Capture,
    Constant,
    Op,
    Output,
}

impl Look {
    pub(super) fn is_box(self) -> bool {
        matches!(self, Look::Function | Look::Scope)
    }
}

/// A result and all its uses, or a node and all that wait for it.
pub(super) struct Wire {
    /// The part, and which of its wires this is.
    pub(super) from: (usize, usize),
    /// The parts, and which of their inputs this is.
    pub(super) to: Vec<(usize, usize)>,
    /// The type of the result; for a second one, its number too.
    pub(super) label: String,
    pub(super) is_control: bool,
    /// The names of both ends.
    pub(super) tip: String,
}

impl Picture {
    pub(super) fn new(graph: &FunctionGraph) -> Self {
        let mut picture = Picture::default();
        picture.function(&graph.name, graph);
        for called in graph.library() {
            called.graph().into_iter().for_each(|graph| picture.function(called.name(), graph));
        }
        picture
    }

    fn add(&mut self, look: Look, text: Vec<String>, tip: String, within: Option<usize>) -> usize {
        let text = text.into_iter().map(cut).collect();
        self.parts.push(Part { look, text, tip, within, inputs: 0, outputs: 0 });
        self.parts.len() - 1
    }

    fn function(&mut self, name: &str, function: &FunctionGraph) {
        let graph = &function.graph;
        let names = graph.names();
        let results: Vec<String> =
            function.output_types().iter().map(ToString::to_string).collect();
        let inputs = function.signature(&names).join(", ");
        let tip = format!("fn {name}({inputs}) -> {}", tuple(&results));
        let home = self.add(Look::Function, vec![format!("fn {name}")], tip, None);

        let looks = self.looks(function);
        let mut scopes = FxHashMap::default();
        let mut parts = Vec::with_capacity(names.len());
        for ((node, name), look) in graph.nodes().iter().zip(&names).zip(looks) {
            let (within, local) = match (look, name.rsplit_once('/')) {
                (Look::Op | Look::Constant, Some((scope, local))) => {
                    (self.scope(scope, home, &mut scopes), local)
                }
                _ => (home, &**name),
            };
            let mut text = vec![local.to_owned()];
            match node.constant().map(|value| (shown(value), value)) {
                Some((Some(elements), _)) => text = vec![elements],
                Some((None, value)) => text = vec![value.tensor_type().to_string()],
                None if look == Look::Op && !is_made_of(local, node.op_name()) => {
                    text.push(node.op_name().to_owned());
                }
                None => {}
            }
            text.extend(node.callees().map(|f| format!("@{}", f.name())));
            text.extend(node.device.iter().map(|device| format!("on {device}")));
            let mut tip = match look {
                Look::Argument => format!("argument {name} : {}", node.outputs[0]),
                Look::Capture => format!("capture {name} : {}", node.outputs[0]),
                _ => named_line(node, name, &names),
            };
            if let Some(at) = node.location {
                tip.push_str(&format!("  # {}:{}", at.file(), at.line()));
            }
            parts.push(self.add(look, text, tip, Some(within)));
        }
        self.wires(function, &names, &parts, home);
    }

    fn looks(&self, function: &FunctionGraph) -> Vec<Look> {
        let look = |op| match op {
            op if op == &PLACEHOLDER => Look::Argument,
            op if op == &CONST => Look::Constant,
            _ => Look::Op,
        };
        let mut looks: Vec<Look> = function.graph.nodes().iter().map(|n| look(n.op)).collect();
        for (i, input) in function.inputs.iter().enumerate() {
            let is_argument = i < function.num_arguments;
            looks[input.index()] = if is_argument { Look::Argument } else { Look::Capture };
        }
        looks
    }

    /// The box of a name scope.
    fn scope(&mut self, path: &str, home: usize, known: &mut FxHashMap<String, usize>) -> usize {
        if let Some(scope) = known.get(path) {
            return *scope;
        }
        let (within, local) = match path.rsplit_once('/') {
            Some((outer, local)) => (self.scope(outer, home, known), local),
            None => (home, path),
        };
        let scope = self.add(Look::Scope, vec![local.to_owned()], path.to_owned(), Some(within));
        known.insert(path.to_owned(), scope);
        scope
    }

    fn wires(&mut self, function: &FunctionGraph, names: &[String], parts: &[usize], home: usize) {
        // The uses of each result, and of each node that others wait for.
        let mut uses: BTreeMap<(NodeId, Option<u32>), Vec<usize>> = BTreeMap::new();
        for (node, part) in function.graph.nodes().iter().zip(parts) {
            for e in &node.inputs {
                uses.entry((e.node, Some(e.output))).or_default().push(*part);
            }
            for before in &node.control_inputs {
                uses.entry((*before, None)).or_default().push(*part);
            }
        }
        let mut title: FxHashMap<usize, String> =
            parts.iter().copied().zip(names.iter().cloned()).collect();
        for (i, e) in function.outputs.iter().enumerate() {
            let name = format!("output {i}");
            let ty = function.graph.output_type(*e);
            let tip = format!("{name} = {} : {ty}", reference(*e, names));
            let part = self.add(Look::Output, vec![name.clone()], tip, Some(home));
            title.insert(part, name);
            uses.entry((e.node, Some(e.output))).or_default().push(part);
        }
        for ((node, output), to) in uses {
            let label = match output {
                None => String::new(),
                Some(output) => {
                    let ty = &function.graph.node(node).outputs[output as usize];
                    if output == 0 { ty.to_string() } else { format!(":{output} {ty}") }
                }
            };
            let users: Vec<&str> = to.iter().map(|part| &*title[part]).collect();
            let name = &names[node.index()];
            let tip = match output {
                None => format!("{name} before {}", users.join(", ")),
                Some(_) => format!("{name} to {} : {label}", users.join(", ")),
            };
            let from = parts[node.index()];
            let numbered = to.into_iter().map(|part| {
                self.parts[part].inputs += 1;
                (part, self.parts[part].inputs - 1)
            });
            let to = numbered.collect();
            let from = (from, self.parts[from].outputs);
            self.parts[from.0].outputs += 1;
            self.wires.push(Wire {
                from,
                to,
                label: cut(label),
                is_control: output.is_none(),
                tip,
            });
        }
    }
}

/// True if the name is the op's, with or without a number.
fn is_made_of(name: &str, op: &str) -> bool {
    let number = |rest: &str| rest.strip_prefix('_').is_some_and(|n| n.parse::<u32>().is_ok());
    name.strip_prefix(op).is_some_and(|rest| rest.is_empty() || number(rest))
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}
