//! The state that a wrapped function owns: variables that its body makes, and collections.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::frame::leaked;
use super::{Tensor, Variable, aside, context};
use crate::array::Array;
use crate::ir::FunctionGraph;
use crate::types::Result;

/// What a traced body owns in place of its callers. It lives as long as the function.
pub(crate) struct Holder {
    /// Runs a function of one result; compiling is a matter of a higher floor.
    run: fn(FunctionGraph, &[&Array]) -> Result<Array>,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    variables: Vec<Variable>,
    /// The variables that can be asked for again.
    shared: HashMap<String, Variable>,
    collections: HashMap<String, Vec<Member>>,
}

/// A member of a collection, of any type.
pub(crate) type Member = Arc<dyn Any + Send + Sync>;

impl Holder {
    pub(crate) fn new(run: fn(FunctionGraph, &[&Array]) -> Result<Array>) -> Self {
        Self { run, held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first value of a variable. What computes a symbol is taken out of the open traces and runs now; it must not
    /// depend on arguments.
    pub(super) fn initial(&self, value: &Tensor) -> Result<Array> {
        let Tensor::Symbol(symbol) = value else { return value.data().cloned() };
        let lifted = context::with_frames(|frames| {
            let frame = frames.iter().find(|frame| frame.graph_id() == symbol.graph());
            frame.map(|frame| frame.lifted(symbol.endpoint()))
        });
        let (graph, captures) = lifted.unwrap_or_else(|| Err(leaked(symbol))).map_err(|e| {
            e.in_context("the initial value of a variable, which is computed before the first call")
        })?;
        let inputs = captures.iter().map(|capture| self.initial(&capture.get()?));
        let inputs: Vec<Array> = inputs.collect::<Result<_>>()?;
        aside(|| (self.run)(graph, &inputs.iter().collect::<Vec<_>>()))
    }

    /// Keeps a variable.
    pub(super) fn own(&self, variable: &Variable) {
        self.held().variables.push(variable.clone());
    }

    /// The variables in the order in which they were made.
    pub(crate) fn variables(&self) -> Vec<Variable> {
        self.held().variables.clone()
    }

    /// The variable that was shared by this name.
    pub(crate) fn shared(&self, name: &str) -> Option<Variable> {
        self.held().shared.get(name).cloned()
    }

    /// Shares a variable by this name.
    pub(crate) fn share(&self, name: &str, variable: &Variable) {
        self.held().shared.insert(name.to_owned(), variable.clone());
    }

    /// The members of a collection, in the order in which they were added.
    pub(crate) fn collection(&self, name: &str) -> Vec<Member> {
        self.held().collections.get(name).cloned().unwrap_or_default()
    }

    /// Adds to a collection.
    pub(crate) fn collect(&self, name: &str, member: Member) {
        self.held().collections.entry(name.to_owned()).or_default().push(member);
    }
}
