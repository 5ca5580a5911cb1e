//! The state of an optimizer: variables that are made when they are first needed.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::rule::Slot;
use crate::ops::{self, methods::*};
use crate::spec::{ModuleState as _, VariableCopies};
use crate::tensor::{Identity, Late, Presence, Tensor, Variable, aside};
use crate::types::{DType, Result, bail};

/// The key of a state variable: the variable that it belongs to (`None` for the optimizer itself), and its name.
pub(super) type Key = (Option<Identity>, &'static str);

/// The variables of an optimizer, which is identified by `iterations`.
#[derive(Default)]
pub(super) struct OptimizerState {
    pub(super) iterations: Late<Variable>,
    pub(super) rate: Late<Variable>,
    table: Mutex<StateTable>,
}

#[derive(Default)]
pub(super) struct StateTable {
    places: FxHashMap<Key, usize>,
    /// In the order in which they were made.
    variables: Vec<(Key, Variable)>,
    /// The variables of the first step and those added later, with the names used for their state.
    names: FxHashMap<Identity, String>,
    /// True once a step was made.
    begun: bool,
    /// The presence of the next variable that will be made.
    next: Presence,
}

impl StateTable {
    /// The name of a variable, or `variable` if it has none, with a number if the name is taken.
    pub(super) fn name_of(&mut self, variable: &Variable) -> String {
        let id = variable.handle().id();
        if let Some(known) = self.names.get(&id) {
            return known.clone();
        }
        let first = variable.label().unwrap_or("variable");
        let numbered = (1..).map(|n| format!("{first}_{n}"));
        let mut names = std::iter::once(first.to_owned()).chain(numbered);
        let is_free = |name: &String| self.names.values().all(|known| known != name);
        let name = names.find(is_free).unwrap_or_default();
        self.names.insert(id, name.clone());
        name
    }
}

impl OptimizerState {
    pub(super) fn table(&self) -> MutexGuard<'_, StateTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, key: Key) -> Option<Variable> {
        let table = self.table();
        table.places.get(&key).map(|place| table.variables[*place].1.clone())
    }

    /// The variable under a key. If there is none, it is made outside of every trace.
    pub(super) fn get_or_make(
        &self,
        key: Key,
        make: impl FnOnce() -> Result<Variable>,
    ) -> Result<Variable> {
        if let Some(there) = self.get(key) {
            return Ok(there);
        }
        // Not under the lock: filling a large tensor may run other tasks on this thread.
        let made = aside(make)?;
        let mut table = self.table();
        let next = table.variables.len();
        let place = *table.places.entry(key).or_insert(next);
        if place == next {
            table.variables.push((key, made));
            table.next.begin_one();
        }
        Ok(table.variables[place].1.clone())
    }

    /// Registers the variables of a step. A variable that was not in the first step is refused: its averages would be
    /// corrected as if they had existed since then.
    pub(super) fn take_in<'a>(
        &self,
        owner: &str,
        variables: impl Iterator<Item = &'a Variable>,
    ) -> Result<()> {
        let mut table = self.table();
        for variable in variables {
            if table.begun && !table.names.contains_key(&variable.handle().id()) {
                bail!(
                    "{owner}: {variable:?} was not among the variables of the first step, and its \
                     state would count the steps from there: give it an optimizer of its own, or \
                     call `build` with all params before the first step (or now, if its gradients \
                     are to count as zeros so far)"
                );
            }
            table.name_of(variable);
        }
        Ok(())
    }

    /// Notes that a step was made.
    pub(super) fn begin(&self) {
        self.table().begun = true;
    }

    /// A slot of a variable.
    pub(super) fn slot(&self, owner: &str, slot: &Slot, variable: &Variable) -> Result<Variable> {
        let initial = slot.initial();
        self.beside(owner, slot.name(), variable, |value| match initial {
            0.0 => value.zeros_like(),
            _ => ops::mul(&value.ones_like()?, initial),
        })
    }

    /// A state variable that begins with a function of the variable's value.
    pub(super) fn beside(
        &self,
        owner: &str,
        name: &'static str,
        variable: &Variable,
        initial: impl FnOnce(&Tensor) -> Result<Tensor>,
    ) -> Result<Variable> {
        if variable.handle().is_symbolic() {
            bail!(
                "`{owner}` keeps state (`{name}`) for every variable, and which variable an argument \
                 of a traced function is differs from call to call: let a closure capture the \
                 variables, or hold them and the optimizer in a `Module` and trace its method"
            );
        }
        let key = (Some(variable.handle().id()), name);
        if let Some(there) = self.get(key) {
            return Ok(there);
        }
        let of = self.table().name_of(variable);
        self.get_or_make(key, || {
            let value = initial(&variable.read()?)?;
            let made = Variable::with_shape(&value, variable.shape().clone())?.not_trainable();
            Ok(made.name(&format!("{owner}/{of}_{name}")))
        })
    }

    /// A total of the optimizer: a float32 scalar.
    pub(super) fn total(&self, owner: &str, slot: &Slot) -> Result<Variable> {
        self.get_or_make((None, slot.name()), || {
            let value = Tensor::scalar(slot.initial() as f32);
            let made = Variable::new(&value)?.not_trainable();
            Ok(made.name(&format!("{owner}/{}", slot.name())))
        })
    }

    /// The state variable of this name for a variable, if it was made.
    pub(super) fn find(&self, name: &str, variable: &Variable) -> Option<Variable> {
        let id = Some(variable.handle().id());
        let table = self.table();
        let found = table.variables.iter().find(|((of, n), _)| *of == id && *n == name);
        if found.is_none() {
            table.next.miss();
        }
        found.map(|(_, v)| v.clone())
    }

    /// The number of steps so far.
    pub(super) fn iterations(&self, owner: &str) -> Result<&Variable> {
        self.iterations.get_or_create(|| {
            let made = Variable::new(0i64)?.not_trainable();
            Ok(made.name(&format!("{owner}/iterations")))
        })
    }

    /// The learning rate, if it is a number.
    pub(super) fn rate(&self, owner: &str, rate: f64) -> Result<&Variable> {
        self.rate.get_or_create(|| {
            let made = Variable::new(rate as f32)?.not_trainable();
            Ok(made.name(&format!("{owner}/learning_rate")))
        })
    }

    /// The state of a copied optimizer, with the copies of all variables.
    pub(super) fn copied(&self, copies: &VariableCopies) -> Result<Self> {
        let table = self.table();
        let id = |(of, name): Key| (of.map(|of| copies.of_id(of)), name);
        Ok(Self {
            iterations: self.iterations.copied_at(copies)?,
            rate: self.rate.copied_at(copies)?,
            table: Mutex::new(StateTable {
                places: table.places.iter().map(|(key, place)| (id(*key), *place)).collect(),
                variables: table
                    .variables
                    .iter()
                    .map(|(k, v)| (id(*k), copies.of_variable(v)))
                    .collect(),
                names: table
                    .names
                    .iter()
                    .map(|(of, name)| (copies.of_id(*of), name.clone()))
                    .collect(),
                begun: table.begun,
                next: Presence::default(),
            }),
        })
    }

    /// The variables that have state, in the order in which they got it.
    pub(super) fn owners(&self) -> Vec<Identity> {
        let mut owners: Vec<Identity> = Vec::new();
        let mut seen = FxHashSet::default();
        let table = self.table();
        owners.extend(
            table.variables.iter().filter_map(|((of, _), _)| *of).filter(|of| seen.insert(*of)),
        );
        owners
    }

    /// All variables made so far: the step, the learning rate, totals and slots.
    pub(super) fn variables(&self) -> Vec<Variable> {
        self.miss_next();
        let first = [self.iterations.get(), self.rate.get()];
        first.into_iter().flatten().cloned().chain(self.made()).collect()
    }

    /// Notes in the open traces that the next variable does not exist yet.
    pub(super) fn miss_next(&self) {
        self.table().next.miss();
    }

    /// The totals and slots, in the order in which they were made.
    pub(super) fn made(&self) -> Vec<Variable> {
        self.table().variables.iter().map(|(_, v)| v.clone()).collect()
    }
}

impl fmt::Debug for OptimizerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.variables()).finish()
    }
}

/// True for dtypes that can be optimized.
pub(super) fn is_float(dtype: DType) -> bool {
    matches!(dtype, DType::F16 | DType::BF16 | DType::F32 | DType::F64)
}
