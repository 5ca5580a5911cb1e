//! `#[tf_function]` on generic functions, where a static is shared by all instances.

use std::any::TypeId;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::function::{FunctionOptions, FunctionState};
use crate::sync::Snapshot;

/// The closure, whose argument has type `A`.
pub fn taking<A, O>(f: impl FnOnce(A) -> O) -> impl FnOnce(A) -> O {
    f
}

/// The states of the instances of one generic function.
pub struct GenericStates {
    states: OnceLock<Snapshot<States>>,
    adding: Mutex<()>,
}

type States = FxHashMap<TypeId, &'static FunctionState>;

impl GenericStates {
    /// The states before any instance was called.
    #[expect(clippy::new_without_default, reason = "it stands in a static")]
    pub const fn new() -> Self {
        Self { states: OnceLock::new(), adding: Mutex::new(()) }
    }

    /// The state of one instance, which is found without locks. `Twin` identifies the instance.
    #[inline]
    pub fn of<Twin: 'static>(&self, options: FunctionOptions) -> &'static FunctionState {
        let states = self.states.get_or_init(Snapshot::default);
        let id = TypeId::of::<Twin>();
        let known = states.load().get(&id).copied();
        known.unwrap_or_else(|| self.add(states, id, options))
    }

    /// [`of`](Self::of) for the instance of the function that contains the closure.
    #[inline]
    pub fn of_closure<Twin: Fn() + 'static>(
        &self,
        _: Twin,
        options: FunctionOptions,
    ) -> &'static FunctionState {
        self.of::<Twin>(options)
    }

    #[cold]
    fn add(
        &self,
        states: &Snapshot<States>,
        id: TypeId,
        options: FunctionOptions,
    ) -> &'static FunctionState {
        let _adding = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = States::clone(&states.load());
        let new = || &*Box::leak(Box::new(FunctionState::new(options)));
        let state = *all.entry(id).or_insert_with(new);
        states.store(Arc::new(all));
        state
    }
}
