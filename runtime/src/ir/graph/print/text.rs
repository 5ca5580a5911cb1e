//! Graphs as text.

use std::fmt;

use super::{named_line, reference, tuple};
use crate::ir::FunctionGraph;

/// A graph as text, by [`FunctionGraph::display`].
#[derive(Clone, Copy, Debug)]
pub struct GraphText<'a> {
    graph: &'a FunctionGraph,
    lines: bool,
    functions: bool,
}

impl GraphText<'_> {
    /// With the line of user code that made each node.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let text = f.graph().display().with_lines().to_string();
    /// assert!(text.contains(&format!("Neg(a) : float32[2]  # {}:", file!())), "{text}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_lines(self) -> Self {
        Self { lines: true, ..self }
    }

    /// Followed by every function that it calls, each once.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let inner = function(|x: &Tensor| ops::neg(x));
    /// let outer = function(move |x: &Tensor| inner.call(x));
    /// let f = outer.concrete(&TensorSpec::of::<f32>([2]))?;
    /// let text = f.graph().display().with_functions().to_string();
    /// assert!(text.contains("  Neg = Neg(a) : float32[2]\n"), "{text}");
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn with_functions(self) -> Self {
        Self { functions: true, ..self }
    }

    fn one(&self, name: &str, graph: &FunctionGraph, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = graph.graph.names();
        let outputs: Vec<String> = graph.output_types().iter().map(ToString::to_string).collect();
        let inputs = graph.signature(&names).join(", ");
        writeln!(f, "fn {name}({inputs}) -> {} {{", tuple(&outputs))?;
        let mut is_input = vec![false; names.len()];
        graph.inputs.iter().for_each(|n| is_input[n.index()] = true);
        for (i, (node, name)) in graph.graph.nodes().iter().zip(&names).enumerate() {
            if is_input[i] {
                continue;
            }
            write!(f, "  {}", named_line(node, name, &names))?;
            match node.location.filter(|_| self.lines) {
                Some(at) => writeln!(f, "  # {}:{}", at.file(), at.line())?,
                None => writeln!(f)?,
            }
        }
        let outputs: Vec<String> = graph.outputs.iter().map(|e| reference(*e, &names)).collect();
        writeln!(f, "  return {}", tuple(&outputs))?;
        f.write_str("}")
    }
}

impl fmt::Display for GraphText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.one(&self.graph.name, self.graph, f)?;
        for called in self.functions.then(|| self.graph.library()).into_iter().flatten() {
            if let Some(graph) = called.graph() {
                f.write_str("\n\n")?;
                self.one(called.name(), graph, f)?;
            }
        }
        Ok(())
    }
}

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
    ///
    /// A constant with more than 8 elements prints as its type, and a long attribute is cut. For more see
    /// [`display`](FunctionGraph::display).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display().fmt(f)
    }
}

impl FunctionGraph {
    /// The graph as text, of which more can be asked for.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([2]))?;
    /// assert_eq!(f.graph().display().to_string(), f.graph().to_string());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn display(&self) -> GraphText<'_> {
        GraphText { graph: self, lines: false, functions: false }
    }

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
        self.display().with_functions().to_string()
    }

    /// The inputs with their types.
    pub(super) fn signature(&self, names: &[String]) -> Vec<String> {
        let input = |(i, n): (usize, &crate::ir::NodeId)| {
            let capture = if i >= self.num_arguments { "capture " } else { "" };
            format!("{capture}{}: {}", names[n.index()], self.graph.node(*n).outputs[0])
        };
        self.inputs.iter().enumerate().map(input).collect()
    }
}
