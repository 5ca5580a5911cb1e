//! References to functions in graphs that were read from files.

use std::sync::{Arc, OnceLock};

use super::{Code, LibraryFunction, Stacks, repeat_calls};
use crate::array::Array;
use crate::ir::{Effect, Outputs, def::AttrMap};
use crate::types::{Result, TensorType, bail};

/// The code of a function that a file refers to with attributes, or that is in no library.
pub(in crate::ir) struct Reference {
    pub(in crate::ir) attrs: AttrMap,
    /// The function, if it is known.
    function: Option<Arc<LibraryFunction>>,
}

impl LibraryFunction {
    /// A reference to a known function.
    pub(in crate::ir) fn referring(
        name: String,
        attrs: AttrMap,
        function: Arc<LibraryFunction>,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            graph: None,
            input_types: function.input_types.clone(),
            output_types: function.output_types.clone(),
            effect: function.effect,
            written: function.written.clone(),
            calls: function.calls,
            code: Box::new(Reference { attrs, function: Some(function) }),
            derivative: OnceLock::new(),
        })
    }

    /// A name without a function. Result types and effect are guessed from the calling node.
    pub(in crate::ir) fn unknown(
        name: String,
        attrs: AttrMap,
        output_types: Vec<TensorType>,
        effect: Effect,
    ) -> Arc<Self> {
        let code = Reference { attrs, function: None };
        Self::of_code(name, (Vec::new(), output_types), effect, code)
    }

    /// What the function refers to, if it is a reference.
    pub(in crate::ir) fn reference(&self) -> Option<&Reference> {
        self.code()
    }

    /// The function that a reference refers to; other functions are themselves.
    pub(super) fn resolved(&self) -> &Self {
        let function = self.reference().and_then(|r| r.function.as_deref());
        function.map_or(self, |f| f.resolved())
    }

    /// A number that identifies a function among all that are alive.
    pub(crate) fn identity(&self) -> usize {
        std::ptr::from_ref(self.resolved()).addr()
    }
}

impl Code for Reference {
    fn call(&self, f: &LibraryFunction, inputs: &[&Array]) -> Result<Outputs> {
        match &self.function {
            Some(f) => f.call(inputs),
            None => bail!(
                NotFound,
                "no function is named `{}` in the library that the graph was read with",
                f.name()
            ),
        }
    }

    fn repeat(
        &self,
        f: &LibraryFunction,
        test: &LibraryFunction,
        state: Outputs,
        stacks: &mut Stacks,
    ) -> Result<Outputs> {
        match &self.function {
            Some(f) => f.repeat(test, state, stacks),
            None => repeat_calls(test, f, state, stacks),
        }
    }
}
