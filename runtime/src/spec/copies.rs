//! A map from the variables of a module to those of its copy.

use rustc_hash::FxHashMap;

use super::{Module, ModuleCell, ModuleVisitor, Place};
use crate::tensor::{Identity, Variable, aside, is_tracing};
use crate::types::{Result, bail};

/// The variables that [`Module::deep_clone`] puts in place of those of a module.
#[derive(Debug)]
pub struct VariableCopies(FxHashMap<Identity, Variable>);

impl VariableCopies {
    /// Makes a copy of each variable that the module shows to a visitor.
    ///
    /// # Errors
    /// `FailedPrecondition` in a traced function.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::VariableCopies;
    /// #[derive(Module)]
    /// struct Twice(Variable, Variable);
    ///
    /// let w = Variable::new(2.0f32)?;
    /// let copies = VariableCopies::of(&Twice(w.clone(), w.clone()))?;
    /// assert_ne!(copies.of_variable(&w).id(), w.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of(module: &impl Module) -> Result<Self> {
        if is_tracing() {
            bail!(
                FailedPrecondition,
                "a traced function can't make variables at each call: copy the module outside of it"
            );
        }
        struct Collect(Vec<Variable>);
        impl ModuleVisitor for Collect {
            fn state(&mut self, _: Place, cell: ModuleCell<'_>) {
                self.0.extend(cell.peek().cloned());
            }

            fn made(&mut self, variable: &Variable) {
                self.0.push(variable.clone());
            }
        }
        let mut all = Collect(Vec::new());
        module.visit(&mut all);
        let mut copies = FxHashMap::default();
        for variable in all.0 {
            let id = variable.id();
            if let std::collections::hash_map::Entry::Vacant(e) = copies.entry(id) {
                // Hidden from tapes, which would record a use of the variable.
                e.insert(aside(|| variable.copied())?);
            }
        }
        Ok(Self(copies))
    }

    /// The copy of this variable, or the variable itself if the module does not show it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::spec::VariableCopies;
    /// #[derive(Module)]
    /// struct Empty;
    ///
    /// let w = Variable::new(2.0f32)?;
    /// assert_eq!(VariableCopies::of(&Empty)?.of_variable(&w).id(), w.id());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of_variable(&self, variable: &Variable) -> Variable {
        self.0.get(&variable.id()).unwrap_or(variable).clone()
    }

    /// [`of_variable`](Self::of_variable) for the identity of a variable.
    pub(crate) fn of_id(&self, id: Identity) -> Identity {
        self.0.get(&id).map_or(id, Variable::id)
    }
}
