//! Scopes that mark the nodes of a trace: their names, and the nodes that they wait for.

use std::rc::{Rc, Weak};
use std::sync::Arc;

use smallvec::SmallVec;

use super::context::{is_over, with_scopes};
use super::frame::leaked;
use super::{Frame, Tensor, call_site_of};
use crate::ir::{CONST, Graph, Names, NodeId, PLACEHOLDER, check_scope};
use crate::types::Result;

/// The scope of a [`name_scope`] or of [`control_dependencies`]. It ends when this is dropped.
#[must_use = "the scope ends when the guard is dropped"]
#[derive(Debug)]
pub struct NodeScope {
    _mark: Rc<Mark>,
}

/// What a scope does to the nodes that are made in it.
#[derive(Debug)]
enum Mark {
    /// Puts this before their names; `None` for the root scope.
    Name(Option<Arc<str>>),
    /// Makes them wait for these nodes. `first` would be the first node of the scope.
    After { nodes: SmallVec<[NodeId; 2]>, first: NodeId },
}

/// The open scopes of a trace, or of the code around traces.
#[derive(Default)]
pub(super) struct NodeScopes {
    /// Innermost last. Each is kept alive by its guard.
    open: Vec<Weak<Mark>>,
    /// The names of scopes and of arguments, in lower case.
    taken: Names,
}

impl NodeScopes {
    fn marks(&self) -> impl DoubleEndedIterator<Item = Rc<Mark>> {
        self.open.iter().filter_map(Weak::upgrade)
    }

    fn enter(&mut self, mark: Mark) -> NodeScope {
        let mark = Rc::new(mark);
        self.open.retain(|mark| mark.strong_count() > 0);
        self.open.push(Rc::downgrade(&mark));
        NodeScope { _mark: mark }
    }

    /// The full name of the innermost name scope.
    pub(super) fn name(&self) -> Option<Arc<str>> {
        let name = |mark: Rc<Mark>| match &*mark {
            Mark::Name(name) => Some(name.clone()),
            Mark::After { .. } => None,
        };
        self.marks().rev().find_map(name).flatten()
    }

    /// The name scope alone, for code that runs outside of the trace.
    pub(super) fn outside(&self) -> Self {
        let is_name =
            |mark: &&Weak<Mark>| mark.upgrade().is_some_and(|mark| matches!(*mark, Mark::Name(_)));
        Self {
            open: self.open.iter().rev().find(is_name).into_iter().cloned().collect(),
            taken: Names::default(),
        }
    }

    /// Enters a name scope. In a trace its name becomes unique.
    fn enter_name(&mut self, name: &str, graph: Option<&Graph>) -> Result<NodeScope> {
        let outer = self.name();
        check_scope(name, outer.is_none())?;
        let full = match (name.strip_suffix('/'), outer) {
            (Some(exact), _) => exact.to_owned(),
            (None, _) if name.is_empty() => String::new(),
            (None, outer) => {
                let full = outer.map_or(name.to_owned(), |outer| format!("{outer}/{name}"));
                match graph {
                    Some(graph) => self.unique(full, graph),
                    None => full,
                }
            }
        };
        Ok(self.enter(Mark::Name((!full.is_empty()).then(|| full.into()))))
    }

    /// The name with the first number that makes it unique, whatever the case of letters.
    fn unique(&mut self, mut full: String, graph: &Graph) -> String {
        let arguments = graph.nodes().iter().take_while(|node| node.op == &PLACEHOLDER);
        for name in arguments.filter_map(|node| node.name.as_deref()) {
            self.taken.claim(&name.to_ascii_lowercase());
        }
        let unique = self.taken.unique(&full.to_ascii_lowercase());
        full.push_str(&unique[full.len()..]);
        full
    }
}

impl Frame {
    /// Applies the open scopes to a node that was just made.
    pub(super) fn mark(&mut self, id: NodeId) {
        if self.scopes.open.is_empty() {
            return;
        }
        let Self { graph, scopes, .. } = self;
        graph.node_mut(id).scope = scopes.name();
        if graph.node(id).op == &CONST {
            return;
        }
        for mark in scopes.marks() {
            let Mark::After { nodes, first } = &*mark else { continue };
            // An input that was made in the scope has waited already.
            let waits =
                |n: NodeId| n >= *first && ![&CONST, &PLACEHOLDER].contains(&graph.node(n).op);
            let node = graph.node(id);
            if node.inputs.iter().any(|e| waits(e.node)) {
                continue;
            }
            let is_new = |n: &NodeId| node.before().all(|before| before != *n);
            let new: SmallVec<[NodeId; 2]> = nodes.iter().copied().filter(is_new).collect();
            graph.node_mut(id).control_inputs.extend(new);
        }
    }
}

/// Puts `name` and a `/` before the names of nodes and of variables that are made until the guard is dropped
/// (TensorFlow's `tf.name_scope`). Scopes nest: in the scope `model`, the scope `layer` is `model/layer`.
///
/// In a trace, a name that was entered before gets a number: `layer`, `layer_1`. The case of letters does not count
/// there, and arguments have names too. A name that ends in `/` is taken as it is, whatever scopes are open: it enters
/// the same scope again. The empty name is the root scope.
///
/// A new trace begins in the root scope, whatever the scope of the call. Scopes are no part of the key of a trace.
///
/// # Errors
/// `InvalidArgument` for a name with characters other than ASCII letters, digits and `_.-/>`; in the root scope it must
/// begin with a letter, a digit or a dot.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::name_scope;
/// let f = function(|x: &Tensor| {
///     let _model = name_scope("model")?;
///     let mut y = x.clone();
///     for _ in 0..2 {
///         let _layer = name_scope("layer")?;
///         y = y.exp()?;
///     }
///     ops::neg(&y)
/// });
/// let f = f.concrete(&TensorSpec::of::<f32>([2]))?;
/// assert_eq!(f.graph().graph.names(), ["a", "model/layer/Exp", "model/layer_1/Exp", "model/Neg"]);
///
/// let _layer = name_scope("layer")?;
/// assert_eq!(Variable::new(scalar(1.0f32))?.name("w").label(), Some("layer/w"));
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn name_scope(name: &str) -> Result<NodeScope> {
    let _site = call_site_of(Some("name_scope"));
    with_scopes(|scopes, graph| scopes.enter_name(name, graph))
}

/// The full name of the enclosing [`name_scope`], if there is one. With a `/` behind it, it enters that scope again.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::{current_name_scope, name_scope};
/// let _model = name_scope("model")?;
/// let layer = name_scope("layer")?;
/// let path = current_name_scope().unwrap_or_default();
/// assert_eq!(&*path, "model/layer");
/// drop(layer);
/// assert_eq!(current_name_scope().as_deref(), Some("model"));
/// let _again = name_scope(&format!("{path}/"))?;
/// assert_eq!(current_name_scope().as_deref(), Some("model/layer"));
/// # Ok::<(), Error>(())
/// ```
pub fn current_name_scope() -> Option<Arc<str>> {
    with_scopes(|scopes, _| scopes.name())
}

/// A name in the enclosing name scope.
pub(super) fn scoped(name: &str) -> String {
    current_name_scope().map_or(name.to_owned(), |scope| format!("{scope}/{name}"))
}

/// Nodes that are made until the guard is dropped wait for the nodes that compute these tensors (TensorFlow's
/// `tf.control_dependencies`). A node that uses another node of the scope waits through it.
///
/// Effects happen in the order of the program without this. It orders what has no effect, such as a computation that may
/// fail, after an effect. A node without effects that is only waited for does not run.
///
/// Tensors of enclosing traces are ignored, and so are values. Outside of traces this does nothing.
///
/// # Errors
/// `InvalidArgument` for a symbolic tensor of a trace that is over.
///
/// ```
/// use extype::prelude::*;
/// use extype::tensor::control_dependencies;
/// let f = function(|x: &Tensor| {
///     let y = x.square()?;
///     let _after = control_dependencies(&[&y])?;
///     x.exp()?.sqrt()
/// });
/// let text = f.concrete(&TensorSpec::of::<f32>([2]))?.graph().to_string();
/// assert!(text.contains("Exp = Exp(a, ^Square)") && text.contains("Sqrt = Sqrt(Exp)"), "{text}");
/// # Ok::<(), Error>(())
/// ```
#[track_caller]
pub fn control_dependencies(tensors: &[&Tensor]) -> Result<NodeScope> {
    let _site = call_site_of(Some("control_dependencies"));
    let symbols = tensors.iter().filter_map(|t| match t {
        Tensor::Symbol(symbol) => Some(symbol),
        Tensor::Value(_) => None,
    });
    let symbols: SmallVec<[_; 2]> = symbols.collect();
    if let Some(over) = symbols.iter().find(|s| is_over(s.graph())) {
        return Err(leaked(over));
    }
    with_scopes(|scopes, graph| {
        let own = symbols.iter().filter(|s| graph.is_some_and(|graph| graph.id() == s.graph()));
        let mark = Mark::After {
            nodes: own.map(|s| s.endpoint().node).collect(),
            first: NodeId(graph.map_or(0, |graph| graph.nodes().len() as u32)),
        };
        Ok(scopes.enter(mark))
    })
}
