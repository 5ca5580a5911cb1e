//! The state of an optimizer in checkpoints.

use std::sync::Arc;

use super::Optimizer;
use super::optimizer::{ACCUMULATED, AVERAGE};
use super::rule::Rule;
use super::state::OptimizerState;
use crate::spec::{SlotKind, Slots};
use crate::tensor::{Identity, Tensor, Variable};
use crate::types::{Result, Shape};

pub(super) struct OptimizerSlots {
    state: Arc<OptimizerState>,
    owner: String,
    kinds: Vec<SlotKind>,
}

impl OptimizerSlots {
    pub(super) fn of<R: Rule>(optimizer: &Optimizer<R>) -> Self {
        let rule = optimizer.rule();
        let kind = |slot| SlotKind { slot, field: field(rule.name(), slot), whole: false };
        let whole = |slot: &'static str| SlotKind { slot, field: format!("_{slot}"), whole: true };
        let slots = rule.slots().into_iter().map(|slot| slot.name()).chain([AVERAGE, ACCUMULATED]);
        let totals = rule.totals().into_iter().map(|slot| slot.name());
        Self {
            state: optimizer.state.clone(),
            owner: optimizer.owner().to_owned(),
            kinds: slots.map(kind).chain(totals.map(whole)).collect(),
        }
    }
}

/// The list of these slots in Keras's optimizer.
fn field(rule: &str, slot: &str) -> String {
    match (rule, slot) {
        ("sgd", "momentum") => "momentums".into(),
        ("adamax", "momentum") => "_m".into(),
        ("adamax", "norm") => "_u".into(),
        (_, AVERAGE) => "_model_variables_moving_average".into(),
        _ => match slot.strip_suffix('y') {
            Some(stem) => format!("_{stem}ies"),
            None => format!("_{slot}s"),
        },
    }
}

impl Slots for OptimizerSlots {
    fn id(&self) -> Identity {
        self.state.iterations.id()
    }

    fn kinds(&self) -> Vec<SlotKind> {
        self.kinds.clone()
    }

    fn owners(&self) -> Vec<Identity> {
        self.state.owners()
    }

    fn get(&self, owner: Option<Identity>, slot: &'static str) -> Option<Variable> {
        self.state.get((owner, slot))
    }

    fn set(&self, owner: Option<&Variable>, slot: &'static str, value: &Tensor) -> Result<()> {
        let key = (owner.map(|v| v.handle().id()), slot);
        if let Some(there) = self.state.get(key) {
            return there.assign(value);
        }
        let label = match owner {
            Some(v) => format!("{}/{}_{slot}", self.owner, self.state.table().name_of(v)),
            None => format!("{}/{slot}", self.owner),
        };
        let shape = owner.map_or(Shape::scalar(), |v| v.shape().clone());
        let make = || Ok(Variable::with_shape(value, shape)?.not_trainable().name(&label));
        self.state.get_or_make(key, make).map(|_| ())
    }
}
