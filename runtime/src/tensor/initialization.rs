//! Initializers of state whose first values depend on the arguments of a trace.
//!
//! An initializer runs outside of the open traces. An op on a symbol of these traces is recorded there, and a variable whose
//! first value is such a symbol begins without a value: the trace assigns it when it runs, if there is none by then.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::context::{self, around};
use super::execute::add_node;
use super::frame::leaked;
use super::variable_ops::{ASSIGN_VARIABLE, IS_INITIALIZED};
use super::{Tensor, Variable};
use crate::ir::{
    AttrKey, Attrs, Endpoint, FunctionGraph, Graph, LibraryFunction, NodeId, OpDef, Symbol,
};
use crate::types::{Error, Result, TensorType, caller};

/// A variable that gets its first value when a trace runs.
pub(super) struct Postponed {
    /// Its number among the variables that the initializer makes.
    number: usize,
    variable: Variable,
}

impl Postponed {
    pub(super) fn is_pending(&self) -> bool {
        self.variable.has_no_value()
    }
}

/// A running initializer.
pub(super) struct Initialization {
    /// Variables that it made before and that have no value yet: it gives them one.
    pending: Vec<(usize, Variable)>,
    count: Cell<usize>,
    postponed: RefCell<Vec<Postponed>>,
}

impl Initialization {
    /// One that runs for the first time, or again because these variables have no values yet.
    pub(super) fn new(before: &[Postponed]) -> Self {
        let pending = before.iter().filter(|p| p.is_pending());
        Self {
            pending: pending.map(|p| (p.number, p.variable.clone())).collect(),
            count: Cell::new(0),
            postponed: RefCell::default(),
        }
    }

    /// The variables that traces give their first values.
    pub(super) fn postponed(&self) -> Box<[Postponed]> {
        self.postponed.take().into()
    }

    /// A variable of this type with this first value.
    pub(super) fn variable(&self, ty: TensorType, first: &Tensor) -> Result<Variable> {
        let number = self.count.replace(self.count.get() + 1);
        let pending = self.pending.iter().find(|(n, _)| *n == number).map(|(_, v)| v.clone());
        let variable = match (pending, first) {
            (None, Tensor::Value(value)) => return Variable::starting(ty, Some(value.clone())),
            (None, Tensor::Symbol(_)) => Variable::starting(ty, None)?,
            (Some(variable), Tensor::Value(value)) => {
                variable.give(value)?;
                return Ok(variable);
            }
            (Some(variable), Tensor::Symbol(_)) => variable,
        };
        if let Tensor::Symbol(symbol) = first {
            around(|| assign_first(&variable, symbol))?;
        }
        self.postponed.borrow_mut().push(Postponed { number, variable: variable.clone() });
        Ok(variable)
    }
}

/// Whether a conditional assigns a first value. It is not written to files.
pub(crate) const INITIALIZES: AttrKey<bool> = AttrKey::new("?initializes");

/// The call of one of two functions, by a condition; control flow is a matter of a higher floor.
pub(crate) struct ConditionalEntry {
    pub(crate) op: &'static OpDef,
    pub(crate) then_branch: AttrKey<Arc<LibraryFunction>>,
    pub(crate) else_branch: AttrKey<Arc<LibraryFunction>>,
}

inventory::collect!(ConditionalEntry);

/// Assigns a value in the innermost trace if the variable has none when the trace runs. Only then is it computed.
fn assign_first(variable: &Variable, first: &Symbol) -> Result<()> {
    if context::is_set_aside(first) {
        return around(|| assign_first(variable, first));
    }
    let computing = context::with_frames(|frames| {
        let frame = frames.iter().find(|frame| frame.graph_id() == first.graph());
        frame.map(|frame| frame.computing(first.endpoint()))
    });
    let (mut assign, mut inputs) = computing.unwrap_or_else(|| Err(leaked(first)))?;
    let handle = assign.graph.add_placeholder(variable.handle().tensor_type(), None);
    let operands = [Endpoint { node: handle, output: 0 }, assign.outputs[0]];
    let location = caller().map(|c| c.location);
    let operands = operands.into_iter().collect();
    let node = assign.graph.add(&ASSIGN_VARIABLE, variable.attrs(), operands, location)?;
    inputs.push(variable.handle().clone());
    assign.inputs.push(handle);
    assign.num_arguments = assign.inputs.len();
    assign.outputs.clear();
    assign.must_run.push(node);
    let keep = nothing(assign.input_types().cloned());
    let conditional = inventory::iter::<ConditionalEntry>.into_iter().next();
    let conditional = conditional.ok_or_else(|| Error::internal("no conditional"))?;
    let attrs = Attrs::new()
        .with(conditional.then_branch, &keep.into_function())
        .with(conditional.else_branch, &assign.into_function());
    let attrs = attrs.with(INITIALIZES, &true);
    let there = add_node(&IS_INITIALIZED, Attrs::new(), &[variable.handle()])?;
    let [there] = &there[..] else { return Err(Error::internal("not one result")) };
    let inputs: Vec<&Tensor> = std::iter::once(there).chain(&inputs).collect();
    add_node(conditional.op, attrs, &inputs).map(|_| ())
}

/// A function of inputs of these types that does nothing.
fn nothing(types: impl Iterator<Item = TensorType>) -> FunctionGraph {
    let mut graph = Graph::new("initialized");
    let inputs: Vec<NodeId> = types.map(|ty| graph.add_placeholder(ty, None)).collect();
    FunctionGraph {
        name: graph.name().to_owned(),
        num_arguments: inputs.len(),
        inputs,
        outputs: Vec::new(),
        must_run: Vec::new(),
        graph,
    }
}
