//! A map from the variables of a module to those of its copy.

use rustc_hash::FxHashMap;

use super::{Module, ModuleCell, ModuleVisitor, Place};
use crate::array::Array;
use crate::tensor::{Identity, Tensor, Variable, aside, is_tracing};
use crate::types::{Result, bail};

/// The variables that [`Module::deep_clone`] puts in place of those of a module.
#[derive(Debug)]
pub struct VariableCopies {
    variables: FxHashMap<Identity, Variable>,
    /// The handles of other state.
    handles: FxHashMap<Identity, Tensor>,
}

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
        #[derive(Default)]
        struct Collect(Vec<Variable>, Vec<Tensor>);
        impl ModuleVisitor for Collect {
            fn state(&mut self, _: Place, cell: ModuleCell<'_>) {
                match cell {
                    ModuleCell::Handle(handle) => self.1.push(handle.clone()),
                    cell => self.0.extend(cell.peek().cloned()),
                }
            }

            fn made(&mut self, variable: &Variable) {
                self.0.push(variable.clone());
            }
        }
        let mut all = Collect::default();
        module.visit(&mut all);
        let (mut variables, mut handles) = (FxHashMap::default(), FxHashMap::default());
        for variable in all.0 {
            let id = variable.id();
            if let std::collections::hash_map::Entry::Vacant(e) = variables.entry(id) {
                // Hidden from tapes, which would record a use of the variable.
                e.insert(aside(|| variable.copied())?);
            }
        }
        for handle in all.1 {
            if !handles.contains_key(&handle.id())
                && let Some(copy) = handle.value()?.as_resource()?.copied()?
            {
                handles.insert(handle.id(), Tensor::Value(Array::from_resource(copy)));
            }
        }
        Ok(Self { variables, handles })
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
        self.variables.get(&variable.id()).unwrap_or(variable).clone()
    }

    /// [`of_variable`](Self::of_variable) for the identity of a variable.
    pub(crate) fn of_id(&self, id: Identity) -> Identity {
        self.variables.get(&id).map_or(id, Variable::id)
    }

    /// The handle of the copy of other state; the handle itself for state that copies share.
    ///
    /// ```
    /// use extype::prelude::*;
    /// use extype::resources::MutableTable;
    /// #[derive(Module)]
    /// struct Counts {
    ///     table: MutableTable,
    /// }
    /// let counts = Counts { table: MutableTable::new(i64, 0i64)? };
    /// let copy = counts.deep_clone()?;
    /// counts.table.insert([1i64], [5])?;
    /// assert_eq!(copy.table.size()?.item::<i64>()?, 0);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of_handle(&self, handle: &Tensor) -> Tensor {
        self.handles.get(&handle.id()).unwrap_or(handle).clone()
    }
}
