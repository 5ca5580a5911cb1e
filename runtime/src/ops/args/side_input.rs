//! Tensor inputs that take no part in dispatch.

use super::StaticInput;
use crate::tensor::Tensor;
use crate::types::{Result, err};

/// A tensor input that takes no part in dispatch, such as the state of a random generator or a
/// number of samples.
#[derive(Clone, Debug)]
pub struct SideInput(pub Tensor);

impl StaticInput for SideInput {
    fn to_input(&self, _: &Tensor) -> Result<Tensor> {
        Ok(self.0.clone())
    }

    fn from_input(input: Option<&Tensor>) -> Result<Self> {
        input.cloned().map(Self).ok_or_else(|| err!("an input beside the operands is missing"))
    }
}

impl PartialEq for SideInput {
    fn eq(&self, other: &Self) -> bool {
        let equal = || Some(self.0.value().ok()?.identical(other.0.value().ok()?));
        self.0.id() == other.0.id() || equal().unwrap_or(false)
    }
}

impl From<&Tensor> for SideInput {
    fn from(tensor: &Tensor) -> Self {
        Self(tensor.clone())
    }
}
