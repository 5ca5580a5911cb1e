//! Calls of ops that neither a recorded case nor the definition suggests.

use extype::op::OpDef;

use super::call::Call;
use super::rng::Rng;

/// A call that the op takes, if there is a recipe for it.
pub(super) fn recipe(op: &'static OpDef, rng: &mut Rng) -> Option<Call> {
    let _ = (op, rng);
    None
}
