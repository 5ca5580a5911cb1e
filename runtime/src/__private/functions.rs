//! `#[tf_function]` on generic functions: a static in a generic fn is one for all instances.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use crate::function::{FunctionOptions, FunctionState};

/// The state of one instance of a generic function; `Twin` tells the instances apart.
pub fn generic_state<Twin: 'static>(options: FunctionOptions) -> &'static FunctionState {
    static STATES: RwLock<BTreeMap<TypeId, &'static FunctionState>> = RwLock::new(BTreeMap::new());
    let id = TypeId::of::<Twin>();
    if let Some(state) = STATES.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
        return state;
    }
    let mut states = STATES.write().unwrap_or_else(PoisonError::into_inner);
    states.entry(id).or_insert_with(|| Box::leak(Box::new(FunctionState::new(options))))
}
